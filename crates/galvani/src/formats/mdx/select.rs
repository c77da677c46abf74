//! Which sequence, node, texture or track of a model a word means.

use galvani_core::{Code, EditError, Path, Report, text};
use galvani_mdx::Document;
use galvani_mdx::edit::{self, TrackRef, tracks};

use crate::formats::Selector;
use crate::formats::select::{Candidate, Candidates};

/// Sequences go by name, and by `ID.SUBID` where the document has numbers.
pub(super) fn sequences<'d>(document: &'d Document, missing: &'static Code) -> Candidates<'d> {
    let one =
        |(i, row)| Candidate::at(i).named(document.sequence_name(row)).paired(document.sequence_ids(row));
    let list = (0..).zip(document.sequences()).map(one).collect();
    Candidates { kind: "sequence", place: Path::named("SEQS"), missing, list }
}

/// Nodes go by name, by the path of their record, and by their own number.
pub(super) fn nodes<'d>(document: &'d Document, missing: &'static Code) -> Candidates<'d> {
    let list = document.nodes().into_iter().enumerate().map(|(i, placed)| {
        let fixed = &placed.node.fixed;
        let number = i64::from(fixed.object_id.get());
        let named = Candidate::at(i).named(text::shown(&fixed.name.0));
        named.with_path(placed.path.to_string()).numbered(number)
    });
    Candidates { kind: "node", place: Path::named("nodes"), missing, list: list.collect() }
}

/// Textures go by the paths of their files.
pub(super) fn textures(document: &Document) -> Candidates<'_> {
    let names = document.textures().into_iter().map(|texture| text::shown(&texture.path.0));
    Candidates::named("texture", Path::named("TEXS"), &edit::NO_TEXTURE, names)
}

/// The tracks that a word means: `BONE[3].KGTR`, `Body.KGTR`, `7.KGTR`, `#3.KGTR` and, on either side of the
/// dot or alone, `all`; by index among all tracks, too.
pub(super) fn every_track(
    document: &Document,
    wanted: &Selector,
    notes: &mut Report,
) -> Result<Vec<TrackRef>, EditError> {
    let all = tracks(document);
    let Selector::Word(word) = wanted else { return by_place(&all, wanted, notes) };
    let Some((owner, tag)) = parts(word) else {
        // Where it names no track it may still be a number.
        let is_number = word.parse::<i64>().is_ok();
        return if is_number { by_place(&all, wanted, notes) } else { word.parse().map(|one| vec![one]) };
    };
    let any_tag = tag == "ALL";
    let of_tag: Vec<&TrackRef> = all.iter().filter(|track| any_tag || track.tag() == tag).collect();
    let mut owners: Vec<&str> = of_tag.iter().map(|track| track.record()).collect();
    owners.dedup();
    let among = of_owners(document, &owners);
    let missing = |_: EditError| EditError::from(edit::NO_TRACK.at(Path::root()).saying(format!("`{word}`")));
    let meant = among.every(&Selector::new(&owner), notes).map_err(missing)?;
    let is_meant = |track: &&&TrackRef| meant.iter().any(|i| owners.get(*i) == Some(&track.record()));
    Ok(of_tag.iter().filter(is_meant).map(|track| (*track).clone()).collect())
}

/// The names of new tracks that a word means: one for each of the nodes, or for a record by its path.
pub(super) fn new_tracks(
    document: &Document,
    wanted: &Selector,
    notes: &mut Report,
) -> Result<Vec<TrackRef>, EditError> {
    let word = wanted.to_string();
    let Some((owner, tag)) = parts(&word).filter(|(_, tag)| tag != "ALL") else {
        return word.parse().map(|one| vec![one]);
    };
    let (nodes, owner) = (nodes(document, &edit::NO_RECORD), Selector::new(&owner));
    let meant = match &owner {
        // Other records go by their paths alone.
        Selector::Word(path) if nodes.called(path).is_empty() => {
            return format!("{}.{tag}", path.to_uppercase()).parse().map(|one| vec![one]);
        }
        owner => nodes.every::<EditError>(owner, notes)?,
    };
    let placed = document.nodes();
    let paths = meant.iter().filter_map(|i| placed.get(*i)).map(|placed| placed.path.to_string());
    paths.map(|path| format!("{path}.{tag}").parse()).collect()
}

/// A track by its place among all.
fn by_place(all: &[TrackRef], wanted: &Selector, notes: &mut Report) -> Result<Vec<TrackRef>, EditError> {
    let names = all.iter().map(ToString::to_string);
    let among = Candidates::named("track", Path::named("tracks"), &edit::NO_TRACK, names);
    let meant = among.every::<EditError>(wanted, notes)?;
    Ok(meant.iter().filter_map(|i| all.get(*i)).cloned().collect())
}

/// What owns tracks: nodes by all that they go by, other records by their paths.
fn of_owners<'d>(document: &'d Document, owners: &[&str]) -> Candidates<'d> {
    let all = nodes(document, &edit::NO_TRACK);
    let list = owners.iter().map(|owner| {
        let node = all.list.iter().find(|node| node.is_at(owner)).cloned();
        node.unwrap_or_else(|| Candidate::of_path((*owner).to_owned()))
    });
    Candidates { list: list.collect(), ..nodes(document, &edit::NO_TRACK) }
}

/// The owner of a track and its tag in capitals; what findings write behind the tag is left out.
fn parts(word: &str) -> Option<(String, String)> {
    let steps: Vec<&str> = word.trim().split('.').collect();
    let is_tag = |step: &&str| {
        let tag = step.to_uppercase();
        let known = <[u8; 4]>::try_from(tag.as_bytes()).ok().and_then(galvani_mdx::track::name_of);
        tag == "ALL" || known.is_some()
    };
    let at = steps.iter().rposition(is_tag).filter(|at| *at > 0)?;
    let (owner, tag) = (steps.get(..at)?, steps.get(at)?);
    let owner = owner.strip_suffix(&["node"]).unwrap_or(owner);
    Some((owner.join("."), tag.to_uppercase()))
}
