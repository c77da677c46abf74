//! What can be wrong with an archive. Rules: the game's own, as far as they are known.

use galvani_core::archive::{self, Flaw};
use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, Severity, codes, text};

use super::content::{outside, unknown_method};
use super::{Document, MOST_CONTENT, NAME_LEN, Payload, VERSION};

codes! {
    TRUNCATED = Error, "rsli.truncated",
        "the bytes end inside a field",
        "the file was cut short, or its number of entries is damaged";
    MAGIC_WRONG = Error, "rsli.magic",
        "the file does not start with `NL`",
        "this is no RsLi archive";
    VERSION_UNKNOWN = Error, "rsli.version",
        "the bytes behind the magic are not 0 and 1",
        "the game refuses the file; the rest is read as if they were";
    ENTRY_COUNT = Error, "rsli.entry-count",
        "the number of entries is negative",
        "the header is damaged";
    COUNT_AGAIN = Warning, "rsli.count-again",
        "the number of entries is another one the second time",
        "the first one counts; the plain form has it right";
    UNPACKED_TOTAL = Warning, "rsli.unpacked-total",
        "the header has another sum of the contents' sizes",
        "the plain form has it right";
    RESERVED = Note, "rsli.reserved",
        "words of the header that the game leaves 0 are not",
        "the words are kept";
    OVERLAY = Error, "rsli.overlay",
        "the trailer counts places from behind the end of the file",
        "the game refuses the file; its payloads cannot be had";
    METHOD = Error, "rsli.method",
        "a payload is packed in a way that nobody knows",
        "the game refuses it; the packed bytes are kept";
    PAYLOAD_OUTSIDE = Error, "rsli.payload-outside",
        "a payload does not lie between the table and the end",
        "the record is damaged or the file was cut short; its payload cannot be had";
    PAYLOAD_OVERLAP = Warning, "rsli.payload-overlap",
        "two payloads share bytes",
        "the plain form gives each its own bytes";
    BEYOND_END = Error, "rsli.beyond-end",
        "a Deflate payload counts one byte behind the end of the file",
        "one of the game's own entries does; what is there is the whole content, and the plain form counts right";
    STORED_SIZE = Error, "rsli.stored-size",
        "a payload that is not packed has another size than its content",
        "one of the two sizes is damaged";
    UNPACK_SHORT = Error, "rsli.unpack-short",
        "a payload ends before its content does",
        "the payload was cut short or a size is damaged; the packed bytes are kept";
    UNPACK_LONG = Error, "rsli.unpack-long",
        "a payload goes on behind the end of its content",
        "a size is damaged; nothing beyond the stated size is unpacked";
    UNPACK_CORRUPT = Error, "rsli.unpack-corrupt",
        "a payload cannot be unpacked",
        "the packed bytes are damaged; they are kept";
    UNPACK_REST = Note, "rsli.unpack-rest",
        "packed bytes are left over behind the content",
        "the game does not look at them";
    CONTENT_LIMIT = Error, "rsli.content-limit",
        "a content is larger than allowed",
        "allow more if the archive can be trusted";
    NOT_TRIED = Warning, "rsli.not-tried",
        "payloads were left packed because all of them would be too much work",
        "payloads share bytes or claim far more than the file; unpack them one by one";
    NAME_EMPTY = Error, "rsli.name-empty",
        "an entry has no name",
        "rename the entry";
    NAME_CASE = Warning, "rsli.name-case",
        "a name has small letters",
        "the game looks for large ones and does not find it; rename the entry";
    NAME_TAIL = Note, "rsli.name-tail",
        "bytes behind the NUL of a name are not zero",
        "the bytes are kept; the plain form zeroes them";
    SORT_TABLE_BROKEN = Warning, "rsli.sort-table-broken",
        "the sort table does not list every entry once",
        "the game goes entry by entry; build the table anew";
    SORT_TABLE_ORDER = Warning, "rsli.sort-table-order",
        "the sort table is not in the order of the names",
        "the game may not find this entry at once; build the table anew";
    UNINDEXED = Note, "rsli.unindexed-region",
        "no entry owns these bytes",
        "the bytes are kept; the plain form drops them";
    PAYLOAD_ORDER = Note, "rsli.payload-order",
        "the payloads are not in the order of the table",
        "the game does not mind; the plain form puts them in order";
    LOST_BYTES = Warning, "rsli.lost-bytes",
        "bytes that no entry owns were dropped",
        "keep the original if they may matter";
    NO_ENTRY = Error, "rsli.no-entry",
        "there is no such entry",
        "entries are counted from 0";
    NAME_REFUSED = Error, "rsli.name-refused",
        "a name must have at least one byte and no NUL",
        "give another name";
    NAME_TOO_LONG = Error, "rsli.name-too-long",
        "a name is longer than 12 bytes",
        "give a shorter name";
    PAYLOAD_STRAY = Error, "rsli.payload-stray",
        "a record that pointed nowhere would point into other entries' bytes",
        "replace its content or remove the entry first";
    PAYLOAD_LOST = Error, "rsli.payload-lost",
        "an entry points at bytes that the document does not have, or before the overlay",
        "the document was put together wrongly; its edits keep this right";
    TRAILER_LOOK = Error, "rsli.trailer-look",
        "the payloads end in what would be taken for a trailer",
        "give the document an overlay of 0, as its edits do";
    TOO_LARGE = Error, "rsli.too-large",
        "the archive would be larger than the format or its input allows",
        "remove or shrink entries, or give overlapping payloads bytes of their own one by one";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Bytes that are unpacked to check an archive, whatever its size; far more than the game's archives hold.
const WORK: usize = 1 << 26;

/// And as many times its size. Payloads that share bytes must not take time without end.
const WORK_FACTOR: usize = 16;

/// More bytes of content than a packed byte gives under any method.
const MOST_PER_BYTE: usize = 1100;

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    header(document, &mut report);
    payloads(document, Severity::Warning, &mut report);
    names(document, &mut report);
    for alias in archive::overlaps(&document.entries, &document.positions()) {
        let found = format!("{} of its {} bytes belong to entries before it", alias.shared, alias.len);
        report.push(PAYLOAD_OVERLAP.at(alias.path).saying(found));
    }
    if document.is_presorted() {
        sort_table(document, &mut report);
    }
    layout(document, &mut report);
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    frame(document, report);
    payloads(document, Severity::Error, report);
}

fn frame(document: &Document, report: &mut Report) {
    if document.version != VERSION {
        let [first, second] = document.version;
        let found = format!("0 and 1 wanted, {first} and {second} found");
        report.push(VERSION_UNKNOWN.at(Path::named("header").field("version")).saying(found));
    }
    let len = document.file_len();
    if let Some(overlay) = document.overlay
        && usize::try_from(overlay).is_ok_and(|overlay| overlay > len)
    {
        let found = format!("at most {len} wanted, {overlay} found");
        report.push(OVERLAY.at(Path::named("trailer").field("overlay")).saying(found));
    }
}

fn header(document: &Document, report: &mut Report) {
    frame(document, report);
    let path = |field| Path::named("header").field(field);
    let (count, again) = (document.entries.len(), document.count_again);
    if usize::try_from(again) != Ok(count) {
        report.push(COUNT_AGAIN.at(path("count_again")).saying(format!("{count} wanted, {again} found")));
    }
    let (total, said) = (document.content_total(), document.unpacked_total);
    if total != said {
        report
            .push(UNPACKED_TOTAL.at(path("unpacked_total")).saying(format!("{total} wanted, {said} found")));
    }
    if document.unknown_18 != [0; 2] {
        let [a, b] = document.unknown_18;
        report.push(RESERVED.at(path("unknown_18")).saying(format!("0x{a:x} and 0x{b:x} found")));
    }
}

/// Every payload is there and gives its content; `beyond` is how bad a byte behind the end is.
fn payloads(document: &Document, beyond: Severity, report: &mut Report) {
    let mut left = document.file_len().saturating_mul(WORK_FACTOR).saturating_add(WORK);
    let mut not_tried = None;
    for (i, (entry, key)) in document.entries.iter().zip(document.keys()).enumerate() {
        let path = Path::named("entries").index(i);
        let Some(packed) = document.packed(i) else {
            report.push(outside(path, entry));
            continue;
        };
        if entry.method().is_none() {
            report.push(unknown_method(path, entry));
            continue;
        }
        if matches!(entry.payload, Payload::Held { beyond: true, .. }) {
            let mut finding = BEYOND_END.at(path.field("packed_size"));
            finding.severity = beyond;
            report.push(finding.saying(format!("{} bytes there, one more counted", packed.len())));
        }
        let stated = usize::try_from(entry.unpacked_size).unwrap_or(usize::MAX);
        let work = stated.min(packed.len().saturating_mul(MOST_PER_BYTE)).max(packed.len());
        let Some(rest) = left.checked_sub(work) else {
            not_tried.get_or_insert(i);
            continue;
        };
        left = rest;
        match document.unpacked(i, key, MOST_CONTENT) {
            Ok(unpacked) if unpacked.used < packed.len() => {
                let found = format!("{} of {} bytes needed", unpacked.used, packed.len());
                report.push(UNPACK_REST.at(Path::named("payloads").index(i)).saying(found));
            }
            Ok(_) => {}
            Err(finding) => report.push(*finding),
        }
    }
    if let Some(first) = not_tried {
        report.push(
            NOT_TRIED.at(Path::named("payloads").index(first)).saying(format!("from entry {first} on")),
        );
    }
}

fn names(document: &Document, report: &mut Report) {
    for (i, entry) in document.entries.iter().enumerate() {
        let path = || Path::named("entries").index(i).field("name");
        let name = entry.name.text();
        let tail = entry.name.0.get(name.len()..).unwrap_or_default();
        if ![0; NAME_LEN].ends_with(tail) {
            let tail = text::hex(tail);
            report.push(NAME_TAIL.at(path()).saying(format!("behind `{}` stands {tail}", entry.name)));
        }
        if name.is_empty() {
            report.push(NAME_EMPTY.at(path()).saying("at least one byte before the NUL wanted, none found"));
        }
        if name.iter().any(u8::is_ascii_lowercase) {
            report.push(NAME_CASE.at(path()).saying(format!("`{}`", entry.name)));
        }
    }
}

fn sort_table(document: &Document, report: &mut Report) {
    let entries = &document.entries;
    let path = |i| Path::named("entries").index(i).field("sort_index");
    let slots = || entries.iter().map(|entry| usize::try_from(entry.sort_index).ok());
    let flaws = archive::flaws(slots());
    for &(i, flaw) in &flaws {
        let named = entries.get(i).map_or(0, |entry| entry.sort_index);
        let problem = match flaw {
            Flaw::Outside => format!("entry {named} of {} named", entries.len()),
            Flaw::Repeated => format!("entry {named} named a second time"),
        };
        report.push(SORT_TABLE_BROKEN.at(path(i)).saying(problem));
    }
    if !flaws.is_empty() {
        return;
    }
    let mut before: &[u8] = &[];
    for (i, entry) in slots().filter_map(|slot| entries.get(slot?)).enumerate() {
        let name = entry.name.text();
        if before > name {
            let (name, before) = (text::shown(name), text::shown(before));
            report.push(SORT_TABLE_ORDER.at(path(i)).saying(format!("`{name}` after `{before}`")));
        }
        before = name;
    }
}

fn layout(document: &Document, report: &mut Report) {
    let mut last_block = 0;
    for (i, (entry, at)) in document.entries.iter().zip(document.offsets()).enumerate() {
        let Payload::Held { block, .. } = entry.payload else { continue };
        if block < last_block {
            let found = format!("at 0x{at:x}, before the payload of an earlier entry");
            let path = Path::named("entries").index(i).field("data_offset");
            report.push(PAYLOAD_ORDER.at(path).saying(found).pedantic());
        }
        last_block = last_block.max(block);
    }
    for (i, (start, gap)) in document.layout().gaps().enumerate() {
        let found = format!("{} bytes at 0x{start:x}", gap.len());
        report.push(UNINDEXED.at(Path::named("gaps").index(i)).saying(found));
    }
}
