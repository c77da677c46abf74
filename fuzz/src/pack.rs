//! FF7 battle animation packs under the fuzzer.

#[path = "../../crates/galvani-ff7/tests/common/pack_reference.rs"]
mod reference;

use galvani_core::{ReadOptions, Readings, Strictness, WantedReading};
use galvani_ff7::pack::codec::{Frame, Frames, Stop, Stream, encode};
use galvani_ff7::pack::{self, Document};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};
use reference::{Rule, load_all};

/// Reads in both strictnesses under every reading, checks, places the findings, and dumps every value.
pub(crate) fn read(data: &[u8]) {
    for options in options() {
        let Ok(found) = pack::read(data, &options) else { continue };
        every_byte_is_owned(&found.map, data.len());
        let mut report = pack::check(&found.document, None);
        report.locate(&found.map);
        for finding in report.findings() {
            assert!(finding.offset.is_some(), "{finding} has no place");
        }
        let mut dumped = 0;
        found.map.rows(data, |row| dumped += row.len);
        assert_eq!(dumped, data.len(), "a dump shows every byte once");
        pack::check(&found.document, Some(&pack::KnownSkeleton::beside(2, 1)));
    }
    let _ = pack::is_shaped(data);
}

/// What reads is written back byte for byte, what does not says why under the format's name; and every stream
/// is read in four ways to the same frames, which are encoded and decoded to themselves.
pub(crate) fn round_trip(data: &[u8]) {
    for options in options() {
        if let Some(found) =
            reads_or_refuses("ff7-pack", data, |file| pack::read(file, &options), pack::write)
        {
            streams(&found.document);
        }
    }
}

fn streams(document: &Document) {
    let survey = pack::survey(document, None);
    for (entry, surveyed) in document.entries.iter().zip(&survey.entries) {
        let Some(clip) = surveyed.clip() else { continue };
        for stop in [Stop::Engine, Stop::Printed] {
            stream(clip.stream(entry), stop);
        }
    }
}

/// Whichever rule ends a stream: the frames that both have are the same.
pub(crate) fn readings(data: &[u8]) {
    let Ok(found) = pack::read(data, &ReadOptions::default()) else { return };
    let survey = pack::survey(&found.document, None);
    for (entry, surveyed) in found.document.entries.iter().zip(&survey.entries) {
        let Some(clip) = surveyed.clip() else { continue };
        let stream = clip.stream(entry);
        let both = stream.frames(Stop::Engine).zip(stream.frames(Stop::Printed)).take(FRAMES);
        both.for_each(|(engine, printed)| assert_eq!(engine, printed));
    }
}

/// More frames than this are not asked of a stream that goes on behind its bytes.
const FRAMES: usize = 1 << 12;

fn stream(stream: Stream<'_>, stop: Stop) {
    let mut frames = Frames::default();
    let end = stream.end(stop, &mut frames);
    if end.frames > FRAMES {
        return;
    }
    assert_eq!(stream.decode(stop, &mut frames), end);
    assert_eq!(frames.len(), end.frames);
    let rule = if stop == Stop::Engine { Rule::Engine } else { Rule::Printed };
    let wanted = load_all(stream.bytes, stream.size, stream.key.shift(), stream.rotations, rule);
    assert_eq!((wanted.frames.len(), wanted.is_cut), (frames.len(), end.is_cut));
    for (frame, wanted) in frames.iter().zip(&wanted.frames) {
        assert_eq!((frame.position, frame.bones), (wanted.position, &wanted.rotations[..]));
    }
    let (mut next, mut loaded) = (0, Frame::default());
    for (frame, (start, one)) in frames.iter().zip(stream.frames(stop)) {
        assert_eq!((frame.position, frame.bones), (one.position, &one.bones[..]));
        assert_eq!(start, next);
        next = stream.load_frame(stop, start, &mut loaded);
        assert_eq!(loaded, one);
    }
    assert_eq!(stream.frames(stop).count(), frames.len());
    let coded = encode(&frames, stream.key, 0);
    assert!(coded.bits <= end.bit, "{} bits, {} before", coded.bits, end.bit);
    if let Ok(size) = u16::try_from(coded.bytes.len()) {
        let mut again = Frames::default();
        let again_end = Stream { bytes: &coded.bytes, size, ..stream }.decode(Stop::Engine, &mut again);
        assert_eq!((again, again_end.bit, again_end.is_cut), (frames, coded.bits, false));
    }
}

/// Every strictness with every reading.
fn options() -> impl Iterator<Item = ReadOptions> {
    let readings = WantedReading::ALL;
    [Strictness::Tolerant, Strictness::Strict].into_iter().flat_map(move |strictness| {
        readings.map(|all| ReadOptions {
            strictness,
            readings: Readings { all, topics: vec![] },
            ..ReadOptions::default()
        })
    })
}

/// What unfolds folds to itself, and whatever is folded is refused or a file.
pub(crate) fn fold(data: &[u8]) {
    if let Ok(found) = pack::read(data, &ReadOptions::default())
        && let Ok(Some(unfolded)) = pack::unfold::unfolded(&found.document)
    {
        let folded = pack::unfold::folded(&unfolded.bytes);
        assert!(folded.is_ok_and(|folded| folded.as_deref() == Some(data)), "another file");
    }
    let _ = pack::unfold::folded(data);
}
