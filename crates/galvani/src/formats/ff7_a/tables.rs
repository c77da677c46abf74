//! An animation as rows of tables.

use galvani_core::FileMap;
use galvani_ff7::field::a::Document;

use crate::formats::Tabular;
use crate::formats::tabular::{TableRow, frames_clip, frames_track};

impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        let bones = usize::try_from(self.frames.bones()).unwrap_or(usize::MAX);
        tell(TableRow::Clip(frames_clip(self.frames.len(), bones.saturating_add(1))));
        tell(TableRow::Track(frames_track("frames".to_owned(), self.frames.len())));
    }
}
