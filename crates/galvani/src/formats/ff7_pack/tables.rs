//! A pack as rows of tables.

use galvani_core::FileMap;
use galvani_ff7::pack::codec::{Frames, Stop};
use galvani_ff7::pack::{Document, Entry, Surveyed, survey};

use crate::formats::Tabular;
use crate::formats::outline::wide;
use crate::formats::tabular::{ClipRow, SectionRow, TableRow, frames_clip, frames_track};

impl Tabular for Document {
    fn rows(&self, map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        let offsets = payload_offsets(self, map);
        let survey = survey(self, self.skeleton.as_ref());
        let (stop, mut buffer) = (self.stop(), Frames::default());
        for (i, (entry, surveyed)) in self.entries.iter().zip(&survey.entries).enumerate() {
            let frames = frames(entry, surveyed, stop, &mut buffer);
            tell(TableRow::Section(SectionRow {
                tag: surveyed.kind().into(),
                offset: offsets.get(i).copied(),
                size: wide(entry.payload.len()),
                count: frames.map(wide),
            }));
            if let Some((frames, clip)) = frames.zip(surveyed.clip()) {
                let row = frames_clip(frames, clip.rotations);
                tell(TableRow::Clip(ClipRow { name: i.to_string().into(), ..row }));
                tell(TableRow::Track(frames_track(format!("entries[{i}]"), frames)));
            }
        }
    }
}

/// Frames of an entry by the rule taken.
fn frames(entry: &Entry, surveyed: &Surveyed, stop: Stop, buffer: &mut Frames) -> Option<usize> {
    let clip = surveyed.clip()?;
    Some(match stop {
        Stop::Printed => clip.stream(entry).end(Stop::Printed, buffer).frames,
        Stop::Engine => clip.engine.frames,
    })
}

/// Where the head of each entry begins.
fn payload_offsets(document: &Document, map: &FileMap) -> Vec<u64> {
    let heads = (0..document.entries.len()).map(super::place);
    heads.filter_map(|head| map.offset_of(&head)).collect()
}
