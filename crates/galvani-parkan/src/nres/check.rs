//! What can be wrong with an archive. Rules: the game's own, as far as they are known.

use galvani_core::archive::{self, Flaw};
use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes, text};

use super::name::folded_cmp;
use super::{ALIGN, Document, Entry, HEADER_LEN, NAME_LEN, Payload, VERSION, is_padding, padding};

codes! {
    TRUNCATED = Error, "nres.truncated",
        "the bytes end inside a field",
        "the file was cut short";
    MAGIC = Error, "nres.magic",
        "the file does not start with `NRes`",
        "this is no NRes archive; let its format be recognised to see what it is";
    VERSION_UNKNOWN = Error, "nres.version",
        "the version is not 0x100",
        "the game knows no other version; the rest is read as if it were 0x100";
    ENTRY_COUNT = Error, "nres.entry-count",
        "the number of entries is negative",
        "the header is damaged";
    TOTAL_SIZE = Error, "nres.total-size",
        "the size in the header is not the size of the file",
        "the game refuses the file; the canonical form drops what stands behind the directory";
    DIRECTORY_START = Error, "nres.directory-start",
        "the directory would start inside the header",
        "the number of entries or the size in the header is damaged";
    DIRECTORY_END = Error, "nres.directory-end",
        "the directory does not end where the file does",
        "the file was cut short or something was appended to it";
    PAYLOAD_BEFORE = Error, "nres.payload-before-data",
        "a payload starts inside the header",
        "the record is damaged; its payload cannot be had";
    PAYLOAD_PAST = Error, "nres.payload-past-directory",
        "a payload reaches into or behind the directory",
        "the record is damaged; its payload cannot be had";
    PAYLOAD_OVERLAP = Error, "nres.payload-overlap",
        "two payloads share bytes",
        "no game archive does this; the canonical form gives each its own bytes";
    NAME_UNTERMINATED = Error, "nres.name-unterminated",
        "a name fills its 36 bytes without a NUL",
        "rename the entry to at most 35 bytes";
    NAME_EMPTY = Error, "nres.name-empty",
        "an entry has no name",
        "rename the entry";
    SORT_TABLE_BROKEN = Warning, "nres.sort-table-broken",
        "the sort table does not list every entry once",
        "searches go entry by entry; the operation `rebuild-sort-table` mends it";
    SORT_TABLE_ORDER = Warning, "nres.sort-table-order",
        "the sort table is not in the order of the names",
        "the game may not find this entry; the operation `rebuild-sort-table` mends it";
    PAYLOAD_UNALIGNED = Note, "nres.payload-unaligned",
        "a payload does not start at a multiple of 8",
        "every payload of the game does; the canonical form moves it";
    PADDING = Note, "nres.padding",
        "the zeros behind a payload do not end at the next multiple of 8",
        "the bytes are kept; the canonical form pads as the game does";
    UNINDEXED = Note, "nres.unindexed-region",
        "no entry owns these bytes, and they are not all zero",
        "the bytes are kept; the canonical form drops them";
    NAME_TAIL = Note, "nres.name-tail",
        "bytes behind the NUL of a name are not zero",
        "the bytes are kept; the canonical form zeroes them";
    PAYLOAD_ORDER = Note, "nres.payload-order",
        "the payloads are not in directory order",
        "the game does not mind; the canonical form puts them in order";
    LOST_BYTES = Warning, "nres.lost-bytes",
        "bytes that no entry owns were dropped",
        "keep the original if they may matter; in any but the canonical form they stay";
    NO_ENTRY = Error, "nres.no-entry",
        "there is no such entry",
        "the list of its members shows names and indices";
    NAME_REFUSED = Error, "nres.name-refused",
        "a name must have at least one byte and no NUL",
        "give another name";
    NAME_TOO_LONG = Error, "nres.name-too-long",
        "a name is longer than 35 bytes",
        "give a shorter name";
    PAYLOAD_STRAY = Error, "nres.payload-stray",
        "a record that pointed nowhere would point into other entries' bytes",
        "replace its payload or remove the entry first";
    PAYLOAD_LOST = Error, "nres.payload-lost",
        "an entry points at bytes that the document does not have",
        "the document was put together wrongly; its edits keep this right";
    TOO_LARGE = Error, "nres.too-large",
        "the archive would be larger than the format or its input allows",
        "remove or shrink entries, or give overlapping payloads bytes of their own one by one";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    damage(document, &mut report);
    names(document, &mut report);
    let positions = document.positions();
    overlaps(document, &positions, &mut report);
    sort_table(document, &mut report);
    layout(document, &positions, &mut report);
    report
}

/// The rules without which a part cannot be read.
pub(crate) fn damage(document: &Document, report: &mut Report) {
    let header = |field| Path::named("header").field(field);
    if document.version != VERSION {
        let found = format!("0x{VERSION:x} wanted, 0x{:x} found", document.version);
        report.push(VERSION_UNKNOWN.at(header("version")).saying(found));
    }
    let directory = document.directory_offset();
    if !document.tail.is_empty() {
        let extra = document.tail.len();
        let found = format!("the file is {extra} bytes longer than its header says");
        report.push(TOTAL_SIZE.at(header("total_size")).saying(found));
        report.push(
            DIRECTORY_END.at(Path::named("tail")).saying(format!("{extra} bytes follow the directory")),
        );
    }
    for (i, entry) in document.entries.iter().enumerate() {
        if matches!(entry.payload, Payload::Held { .. }) && document.payload(i).is_none() {
            report.push(PAYLOAD_LOST.at(Path::named("payloads").index(i)));
        }
        if let Payload::Outside { offset, size } = entry.payload {
            let path = Path::named("entries").index(i).field("data_offset");
            let found =
                format!("{size} bytes at 0x{offset:x}; payloads lie in 0x{HEADER_LEN:x}..0x{directory:x}");
            let before = usize::try_from(offset).is_ok_and(|offset| offset < HEADER_LEN);
            let code = if before { &PAYLOAD_BEFORE } else { &PAYLOAD_PAST };
            report.push(code.at(path).saying(found));
        }
    }
}

fn names(document: &Document, report: &mut Report) {
    for (i, entry) in document.entries.iter().enumerate() {
        let path = || Path::named("entries").index(i).field("name");
        let len = entry.name.text().len();
        let tail = entry.name.0.get(len..).unwrap_or_default();
        if len == NAME_LEN {
            report.push(NAME_UNTERMINATED.at(path()).saying(format!("`{}`", entry.name)));
        } else if ![0; NAME_LEN].ends_with(tail) {
            let tail = text::hex(tail);
            report.push(NAME_TAIL.at(path()).saying(format!("behind `{}` stands {tail}", entry.name)));
        }
        if len == 0 {
            report.push(NAME_EMPTY.at(path()).saying("at least one byte before the NUL wanted, none found"));
        }
    }
}

/// One finding per payload that claims bytes which an earlier entry owns: what the file map calls an alias.
fn overlaps(document: &Document, positions: &[usize], report: &mut Report) {
    for alias in archive::overlaps(&document.entries, positions) {
        let found = format!("{} of its {} bytes belong to entries before it", alias.shared, alias.len);
        report.push(PAYLOAD_OVERLAP.at(alias.path).saying(found));
    }
}

fn sort_table(document: &Document, report: &mut Report) {
    let entries = &document.entries;
    let path = |i| Path::named("entries").index(i).field("sort_index");
    let flaws = archive::flaws(entries.iter().map(|entry| usize::try_from(entry.sort_index).ok()));
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
    let named = |slot: &Entry| entries.get(usize::try_from(slot.sort_index).ok()?);
    let mut before: &[u8] = &[];
    for (i, entry) in entries.iter().map_while(named).enumerate() {
        let name = entry.name.text();
        if folded_cmp(before, name).is_gt() {
            let (name, before) = (text::shown(name), text::shown(before));
            report.push(SORT_TABLE_ORDER.at(path(i)).saying(format!("`{name}` after `{before}`")));
        }
        before = name;
    }
}

fn layout(document: &Document, positions: &[usize], report: &mut Report) {
    let mut last_block = 0;
    for (i, entry) in document.entries.iter().enumerate() {
        let Payload::Held { block, start, .. } = entry.payload else { continue };
        let at = positions.get(block).copied().unwrap_or_default().saturating_add(start);
        let path = || Path::named("entries").index(i).field("data_offset");
        if !at.is_multiple_of(ALIGN) {
            report.push(PAYLOAD_UNALIGNED.at(path()).saying(format!("at 0x{at:x}")));
        }
        if block < last_block {
            // A reader goes by offsets, in any order.
            let found = format!("at 0x{at:x}, before the payload of an earlier entry");
            report.push(PAYLOAD_ORDER.at(path()).saying(found).pedantic());
        }
        last_block = last_block.max(block);
    }
    gaps(document, report);
}

fn gaps(document: &Document, report: &mut Report) {
    for (i, (start, gap)) in document.layout().gaps().enumerate() {
        let (path, size) = (|| Path::named("gaps").index(i), gap.len());
        if gap.iter().any(|&byte| byte != 0) {
            report.push(UNINDEXED.at(path()).saying(format!("{size} bytes at 0x{start:x}")));
        } else if !is_padding(start, gap) {
            let wanted = padding(start);
            // A reader goes by offsets: zeros more or fewer are nothing to it.
            let found = format!("{wanted} zeros wanted at 0x{start:x}, {size} found");
            report.push(PADDING.at(path()).saying(found).pedantic());
        }
    }
}
