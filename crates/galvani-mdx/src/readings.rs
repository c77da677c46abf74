//! Which account of a model to follow where its documentation and real files disagree
//! (docs/formats/mdx.md#readings).

use galvani_core::{Reading, Readings, Verdict};
use zerocopy::FromBytes;
use zerocopy::little_endian::F32;

use crate::Family;
use crate::container::Head;
use crate::cursor::Votes;
use crate::view::is_text;
use crate::wire;

/// Topic: what the bytes of a sequence are.
pub const SEQS: &str = "seqs";

/// Topic: what the head of a track is.
pub const TRACKS: &str = "tracks";

/// Topic: which of the node bits 2 and 4 is scaling and which rotation.
pub const INHERIT: &str = "inherit";

/// Why there is nothing to choose in Warcraft III.
const ONE_FORM: &str = "Warcraft III has one form only";

/// Settles what sequences are: each votes, the majority counts, a tie is documented.
pub(crate) fn seqs(asked: &Readings, family: Family, chunks: &[Head<'_>]) -> Verdict {
    if family == Family::Warcraft {
        return only(SEQS);
    }
    asked.settle(SEQS, || {
        let rows = chunks.iter().filter(|chunk| chunk.tag == *b"SEQS").flat_map(|chunk| rows(chunk.payload));
        let votes: Vec<Option<Reading>> = rows.map(vote).collect();
        let count = |side| votes.iter().filter(|vote| **vote == Some(side)).count();
        let (observed, documented) = (count(Reading::Observed), count(Reading::Documented));
        let why = format!("of {} sequences {observed} observed, {documented} documented", votes.len());
        (if observed > documented { Reading::Observed } else { Reading::Documented }, why)
    })
}

/// The records of a chunk whose size is right.
fn rows(payload: &[u8]) -> &[wire::SequenceWow] {
    let (_, rows) = payload.split_at_checked(size_of::<wire::Count>()).unwrap_or_default();
    <[wire::SequenceWow]>::ref_from_bytes(rows).unwrap_or_default()
}

/// A name speaks for real files; bounds that are in order one way only speak for that way.
fn vote(row: &wire::SequenceWow) -> Option<Reading> {
    if is_text(&row.name.0) {
        return Some(Reading::Observed);
    }
    let documented = row.documented();
    match (in_order(row.min, row.max), in_order(documented.min, documented.max)) {
        (true, false) => Some(Reading::Observed),
        (false, true) => Some(Reading::Documented),
        _ => None,
    }
}

fn in_order(min: [F32; 3], max: [F32; 3]) -> bool {
    min.iter().zip(max).all(|(min, max)| min.get() <= max.get())
}

/// Settles what the heads of all tracks are: every record that fits one form only votes for it, the majority
/// counts, a tie is observed.
pub(crate) fn tracks(asked: &Readings, family: Family, votes: Votes) -> Verdict {
    if family == Family::Warcraft {
        return only(TRACKS);
    }
    asked.settle(TRACKS, || {
        let Votes { observed, documented, both, neither, .. } = votes;
        let counts = format!("of the records with tracks {observed} observed, {documented} documented");
        let why = match (both, neither) {
            (0, 0) => counts,
            _ => format!("{counts}; {both} fit both, {neither} neither"),
        };
        (if documented > observed { Reading::Documented } else { Reading::Observed }, why)
    })
}

/// Settles the names of two bits. Nothing in a file speaks for either.
pub(crate) fn inherit(asked: &Readings) -> Verdict {
    asked.settle(INHERIT, || {
        (Reading::Observed, "the client's own names: 2 is scaling, 4 is rotation".to_owned())
    })
}

fn only(topic: &'static str) -> Verdict {
    Verdict { topic, taken: Reading::Observed, why: ONE_FORM.to_owned() }
}

/// Both accounts name the same bytes.
const _: () = assert!(size_of::<wire::SequenceWow>() == size_of::<wire::SequenceDocumented>());
