//! Chunks, counts, names, and what could not be read.

use galvani_core::{Diagnostic, Path, Report, text};

use super::summary::Summary;
use super::{
    CHUNK_EMPTY, CHUNK_ORDER, CHUNK_REPEATED, CHUNK_UNKNOWN, FAMILY, INTERPOLATION, MODEL_MISSING, NAME_TAIL,
    NAME_UNTERMINATED, PADDING, RECORD_COUNT, VERSION, VERSION_MISSING,
};
use crate::model::Sequences;
use crate::track::Track;
use crate::visit::{At, Seen};
use crate::{Content, Document, Evidence, Family, Raw, chunk};

/// Versions that are known (docs/formats/mdx-records.md#vers).
const WARCRAFT: &[u32] = &[800, 900, 1000, 1100, 1200, 1300, 1400, 1600, 1800];
const WOW: &[u32] = &[1300, 1400, 1500];

/// The rules without which a part cannot be read, or not with certainty: what strictness stops at.
pub(crate) fn damage(document: &Document, report: &mut Report) {
    for (i, first, chunk) in document.placed() {
        if let Content::Raw(raw) = &chunk.content {
            let again = || Path::named("chunks").index(i).field("payload");
            let at = || chunk::name_of(chunk.tag).filter(|_| first == 0).map_or_else(again, Path::named);
            broken(&at, raw, report);
        }
        chunk.content.held(first, &mut |at, seen| match seen {
            Seen::Raw(raw) => broken(at, raw, report),
            Seen::Typed(record) => {
                record.broken(at, &mut |at, raw| broken(at, raw, report));
                record.tracks(at, &mut |at, tracks| interpolations(at, tracks, report));
            }
        });
        counts(&chunk.content, report);
    }
    broken(&|| Path::named("tail"), &document.tail, report);
}

/// Keys of an interpolation that nobody knows may be of any length.
fn interpolations(at: At<'_>, tracks: &[Track], report: &mut Report) {
    for track in tracks.iter().filter(|track| track.interpolation > 3) {
        let found = format!("0 to 3 wanted, {} found", track.interpolation);
        report.push(INTERPOLATION.at(at().field(track.name()).field("interpolation")).saying(found));
    }
}

fn broken(at: At<'_>, raw: &Raw, report: &mut Report) {
    let Some(damage) = &raw.damage else { return };
    let path = at();
    let finding = damage.code.at(path).saying(damage.message.as_str());
    let place = path.to_string();
    // What the 0.9.0 client calls the section when it gives up.
    let client = match place.get(..4) {
        Some("MTLS") => "the client stops with \"TexLayer\"",
        Some("PRE2") => "the client stops with \"ParticleEmitter2\"",
        _ => return report.push(finding.advising(damage.help.clone())),
    };
    report.push(finding.advising(format!("{}; {client}", damage.help)));
}

/// Which chunks there are, how often and in which order.
pub(super) fn layout(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    let has = |tag: &[u8; 4]| document.chunks.iter().any(|chunk| chunk.tag == *tag);
    let chunks = Path::named("chunks");
    if !has(b"VERS") {
        report.push(VERSION_MISSING.at(chunks).saying(format!("{} is taken", document.version)));
    }
    if !has(b"MODL") {
        report.push(MODEL_MISSING.at(chunks));
    }
    family(document, report);
    let (mut seen, mut reached) = (Vec::new(), (0, 0));
    for &(i, _, chunk) in &summary.chunks {
        let (path, shown) = (chunks.index(i), text::shown(&chunk.tag));
        let place = chunk::place(chunk.tag);
        if seen.contains(&chunk.tag) {
            report.push(CHUNK_REPEATED.at(path).saying(format!("`{shown}`")));
        } else if let Some(place) = place {
            if place < reached {
                report.push(CHUNK_ORDER.at(path).saying(format!("`{shown}` comes late")));
            }
            reached = reached.max(place);
        }
        // Only known tags are remembered, so that a file of thousands costs nothing.
        if place.is_some() && !seen.contains(&chunk.tag) {
            seen.push(chunk.tag);
        }
        match &chunk.content {
            Content::Raw(raw) => {
                if raw.bytes.is_empty() && raw.damage.is_none() {
                    report.push(CHUNK_EMPTY.at(path).saying(format!("`{shown}`")).pedantic());
                }
                if raw.damage.is_none() && (place.is_none() || !raw.bytes.is_empty()) {
                    report.push(unknown(path, chunk.tag, raw.bytes.len()));
                }
            }
            content if content.is_empty() && content.has_no_bytes() => {
                report.push(CHUNK_EMPTY.at(path).saying(format!("`{shown}`")).pedantic());
            }
            _ => {}
        }
    }
    if !document.tail.bytes.is_empty() && document.tail.damage.is_none() {
        report.push(PADDING.at(Path::named("tail")).saying(format!("{} bytes", document.tail.bytes.len())));
    }
}

/// A chunk that is none of the game's: harmless where one knows whose it is.
fn unknown(path: Path, tag: [u8; 4], len: usize) -> Diagnostic {
    let is_text = tag.iter().all(|byte| (b' '..=b'~').contains(byte));
    let shown = if is_text { text::shown(&tag).into_owned() } else { text::hex(&tag) };
    match chunk::foreign(tag) {
        Some(what) => CHUNK_UNKNOWN.at(path).saying(format!("`{shown}`, {len} bytes: {what}")).as_note(),
        None => CHUNK_UNKNOWN.at(path).saying(format!("`{shown}`, {len} bytes; nobody knows what it holds")),
    }
}

fn family(document: &Document, report: &mut Report) {
    let (told, known) =
        (document.family_verdict, if document.family() == Family::Wow { WOW } else { WARCRAFT });
    if told.by > Evidence::ModelSize || told.against.is_some() {
        let against = told.against.map_or(String::new(), |sign| format!(", against {}", sign.word()));
        let found = format!("{} by {}{against}", told.family, told.by.word());
        report.push(FAMILY.at(Path::named("MODL")).saying(found));
    }
    if !known.contains(&document.version) {
        let found = format!("one of {known:?} wanted, {} found", document.version);
        report.push(VERSION.at(Path::named("VERS").field("version")).saying(found));
    }
}

fn counts(content: &Content, report: &mut Report) {
    if let (Some((counted, found)), Some(name)) = (content.counts(), content.name())
        && usize::try_from(counted) != Ok(found)
    {
        let found = format!("{counted} records counted, {found} found");
        report.push(RECORD_COUNT.at(Path::named(name).field("count")).saying(found));
    }
}

/// Every text with a room of its own.
pub(super) fn names(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    for placed in &summary.nodes {
        name(&|| placed.path.field("node").field("name"), &placed.node.fixed.name.0, report);
    }
    for &(_, first, chunk) in &summary.chunks {
        let Some(tag) = chunk.content.name() else { continue };
        if matches!(chunk.content, Content::Sequences(Sequences::Wow(_))) && !is_named(document) {
            continue;
        }
        chunk.content.texts(&mut |i, field, room| {
            let at = || match i {
                Some(i) => Path::named(tag).index(first.saturating_add(i)).field(field),
                None => Path::named(tag).field(field),
            };
            name(&at, room, report);
        });
    }
}

/// Whether sequences have names.
pub(super) fn is_named(document: &Document) -> bool {
    document.seqs != galvani_core::Reading::Documented
}

fn name(at: At<'_>, room: &[u8], report: &mut Report) {
    let text = text::before_nul(room);
    let tail = room.get(text.len()..).unwrap_or_default();
    if tail.is_empty() {
        let found = format!("at most {} bytes wanted, {} found", room.len().saturating_sub(1), room.len());
        report.push(NAME_UNTERMINATED.at(at()).saying(found));
    } else if tail.iter().fold(0, |all, byte| all | byte) != 0 {
        let end = tail.iter().rposition(|&byte| byte != 0).map_or(0, |end| end.saturating_add(1));
        let shown = text::hex(tail.get(..end.min(16)).unwrap_or_default());
        let found = format!("behind `{}` stands {shown}", text::shown(text));
        let finding = NAME_TAIL.at(at()).saying(found);
        // A shorter name was written over a longer one: as common as it is harmless.
        let is_leftover = end < tail.len();
        report.push(if is_leftover { finding.pedantic() } else { finding });
    }
}
