//! [`Document`] → bytes.

use galvani_core::{Path, Reader, WriteError, Writer};
use zerocopy::little_endian::{U16, U32};

use super::wire::TrackHead;
use super::{Document, Mat0Part, Phase, check, head_len, read};

/// Writes a material from its document alone. The version is not among its bytes.
///
/// The head must count what is there; only a file that ends early may have less, and then nothing in the parts behind
/// it.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    counted(document)?;
    let keys = document.tracks.iter().map(|track| size_of_val(track.keys.as_slice()));
    let tracks = keys.map(|len| len.saturating_add(size_of::<TrackHead>())).fold(0, usize::saturating_add);
    let phases = size_of_val(document.phases.as_slice());
    let parts = [head_len(document.version), phases, tracks, document.rest.len()];
    let mut w = Writer::with_capacity(parts.into_iter().fold(0, usize::saturating_add))?;
    w.record(&document.head.counts);
    if document.version >= 2 {
        w.record(&document.head.surface);
    }
    if document.version >= 3 {
        w.record(&document.head.speed);
    }
    if document.version >= 4 {
        w.record(&document.head.damage);
    }
    w.record(document.phases.as_slice());
    for (i, track) in document.tracks.iter().enumerate() {
        let Ok(key_count) = u16::try_from(track.keys.len()) else {
            let said = format!("{} keys, {} at most", track.keys.len(), u16::MAX);
            return Err(check::COUNT.at(Path::named("tracks").index(i)).saying(said).into());
        };
        w.record(&TrackHead { word: U32::new(track.word), key_count: U16::new(key_count) });
        w.record(track.keys.as_slice());
    }
    w.bytes(&document.rest);
    Ok(w.finish())
}

/// Refuses a document that would be read back as another one.
fn counted(document: &Document) -> Result<(), WriteError> {
    let counts = &document.head.counts;
    let refuse = |part: Mat0Part, wanted: u16, found: usize| {
        let said = format!("{wanted} counted, {found} there");
        Err(check::COUNT.at(Path::named(part.name())).saying(said).into())
    };
    let (wanted, found) = (counts.phase_count.get(), document.phases.len());
    let is_short = found < usize::from(wanted);
    let behind = !document.tracks.is_empty() || document.rest.len() >= size_of::<Phase>();
    if found > usize::from(wanted) || (is_short && behind) {
        return refuse(Mat0Part::Phases, wanted, found);
    }
    let (wanted, found) = (counts.track_count.get(), document.tracks.len());
    let leads_on = || read::leads_on(&mut Reader::new(&document.rest, &check::BYTES));
    if found > usize::from(wanted) || (!is_short && found < usize::from(wanted) && leads_on()) {
        return refuse(Mat0Part::Tracks, wanted, found);
    }
    Ok(())
}
