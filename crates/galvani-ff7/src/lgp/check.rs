//! What can be wrong with an archive.

use galvani_core::archive::{Entry as _, EntryClaim, Extent, claims, clusters};
use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes, text};

use super::layout::offset;
use super::lookup::ungrouped;
use super::{
    CHECK, Document, MAGIC, NAME_LEN, RECORD_LEN, RecordPlace, TERMINATOR, USUAL_NAME_LEN, build_lookup,
    slot_of,
};

codes! {
    TRUNCATED = Error, "lgp.truncated",
        "the bytes end inside a field",
        "the file was cut short, or the number of files in its header is damaged";
    MAGIC_UNKNOWN = Error, "lgp.magic",
        "the file does not start with two zeros and `SQUARESOFT`",
        "let its format be recognised to see what it is; the rest is read as if it were an archive";
    CONFLICTS_UNREADABLE = Error, "lgp.conflict-table",
        "the conflict table does not end before the records",
        "its bytes are kept; the canonical form writes an empty one";
    RECORD_OUTSIDE = Error, "lgp.record-outside",
        "no record is where the table of contents says",
        "the file was cut short or the row is damaged; the operation `replace` or `remove` mends it";
    RECORD_CUT = Error, "lgp.record-cut",
        "a record reaches behind the end of the file",
        "the file was cut short or the record's size is damaged; its bytes are kept where they are";
    CONFLICT_GROUP = Error, "lgp.conflict-group",
        "an entry names a group that the conflict table does not have",
        "the row is damaged, or the table is";
    CONFLICT_INDEX = Error, "lgp.conflict-index",
        "the conflict table names an entry that is not there",
        "the table is damaged or was not kept in step with the table of contents";
    CONFLICT_ENTRY = Warning, "lgp.conflict-entry",
        "an entry and its group of the conflict table do not name each other",
        "the game may take another file of that name";
    CHECK_BYTE = Warning, "lgp.check-byte",
        "the check byte of an entry is not 14",
        "the canonical form sets it";
    NAME_UNTERMINATED = Warning, "lgp.name-unterminated",
        "a name fills its 20 bytes without a NUL",
        "rename the entry to at most 15 bytes";
    NAME_EMPTY = Warning, "lgp.name-empty",
        "an entry has no name",
        "the game never looks for it; rename or remove the entry";
    NAME_CHARACTER = Warning, "lgp.name-character",
        "a name does not start with two characters that the lookup table knows",
        "the game does not find it; rename it to start with letters, digits, `_` or `-`";
    NAME_LONG = Note, "lgp.name-long",
        "a name is longer than 15 bytes",
        "some packers refuse it; rename the entry";
    NAME_TAIL = Note, "lgp.name-tail",
        "bytes behind the NUL of a name are not zero",
        "the bytes are kept; the canonical form zeroes them";
    DUPLICATE = Warning, "lgp.name-duplicate",
        "an entry has the name of an earlier one, and the conflict table does not tell them apart",
        "the game finds only the first; rename or remove one of them";
    UNGROUPED = Warning, "lgp.toc-order",
        "entries of one slot of the lookup table do not stand together",
        "a slot lists one run of entries, so the game does not find the others; the canonical form groups them";
    NOT_LISTED = Warning, "lgp.not-listed",
        "the lookup table does not list an entry where its name belongs",
        "the game does not find it; the operation `rebuild-lookup` mends the table, `canonical` also the order";
    LOOKUP = Warning, "lgp.lookup",
        "a slot of the lookup table is not what the names say",
        "the operation `rebuild-lookup` mends it";
    RECORD_OVERLAP = Warning, "lgp.record-overlap",
        "two records share some of their bytes",
        "the canonical form gives each its own";
    RECORD_SHARED = Note, "lgp.record-shared",
        "several entries have one record",
        "the game does not mind; replacing one of them gives it a record of its own";
    RECORD_NAME = Note, "lgp.record-name",
        "a record has another name than its entry",
        "the game looks only at the entry's; the record's is kept";
    RECORD_ORDER = Note, "lgp.record-order",
        "the records are not in the order of the table of contents",
        "the game does not mind; the canonical form puts them in order";
    GAP = Note, "lgp.gap",
        "no entry owns these bytes",
        "the bytes are kept; the canonical form drops them";
    NO_TERMINATOR = Warning, "lgp.no-terminator",
        "the text `FINAL FANTASY7` does not stand behind the last record",
        "the file may have been cut short; the canonical form puts it there";
    TAIL = Note, "lgp.tail",
        "bytes follow the end of the archive",
        "the bytes are kept; the canonical form drops them";
    LOST_BYTES = Warning, "lgp.lost-bytes",
        "bytes were dropped or set to what the game's own archives have",
        "keep the original if they may matter; in any but the canonical form they stay";
    NO_ENTRY = Error, "lgp.no-entry",
        "there is no such entry",
        "the list of its members shows names and indices";
    NAME_REFUSED = Error, "lgp.name-refused",
        "a name must have at least one byte and no NUL",
        "give another name";
    NAME_TOO_LONG = Error, "lgp.name-too-long",
        "a name is longer than 19 bytes",
        "give a shorter name, best of at most 15 bytes";
    NAME_TAKEN = Error, "lgp.name-taken",
        "another entry has that name already",
        "give another name, or replace the entry that has it";
    RECORD_STRAY = Error, "lgp.record-stray",
        "an entry without its record would come to point into other entries' bytes",
        "replace or remove the entry first";
    RECORD_LOST = Error, "lgp.record-lost",
        "an entry points at a record that the document does not have",
        "the document was put together wrongly; its edits keep this right";
    TOO_LARGE = Error, "lgp.too-large",
        "the archive would be larger than the format or its input allows",
        "remove or shrink entries, or give overlapping records bytes of their own one by one";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    damage(document, &mut report);
    rows(document, &mut report);
    duplicates(document, &mut report);
    lookup(document, &mut report);
    conflicts(document, &mut report);
    overlaps(document, &mut report);
    records(document, &mut report);
    layout(document, &mut report);
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    if document.magic != MAGIC {
        let found = format!("{} wanted, {} found", text::hex(&MAGIC), text::hex(&document.magic));
        report.push(MAGIC_UNKNOWN.at(Path::named("header").field("creator")).saying(found));
    }
    if document.conflicts.is_none() {
        let room = document.lead.len();
        let found = format!("{room} bytes up to the first record or the end, more wanted");
        report.push(CONFLICTS_UNREADABLE.at(Path::named("conflicts")).saying(found));
    }
    let positions = document.positions();
    let (first, len) = (document.records_offset(), document.file_len(&positions));
    for (i, entry) in document.entries.iter().enumerate() {
        let path = Path::named("entries").index(i).field("offset");
        let at = offset(entry, &positions);
        match entry.place {
            RecordPlace::Held { .. } if document.payload(i).is_none() => {
                report.push(RECORD_LOST.at(Path::named("records").index(i)));
            }
            RecordPlace::Held { .. } => {}
            RecordPlace::Cut { size, .. } => {
                let left = len.saturating_sub(at).saturating_sub(RECORD_LEN);
                let found = format!("{size} bytes wanted behind the record at 0x{at:x}, {left} left");
                report.push(RECORD_CUT.at(Path::named("records").index(i).field("size")).saying(found));
            }
            RecordPlace::Outside { .. } => {
                let found = format!("at 0x{at:x}; records of 24 bytes or more lie in 0x{first:x}..0x{len:x}");
                report.push(RECORD_OUTSIDE.at(path).saying(found));
            }
        }
    }
}

fn rows(document: &Document, report: &mut Report) {
    for (i, entry) in document.entries.iter().enumerate() {
        let row = Path::named("entries").index(i);
        let path = row.field("name");
        let name = &entry.name;
        let len = name.text().len();
        let behind = name.0.get(len..).unwrap_or_default();
        if len == NAME_LEN {
            report.push(NAME_UNTERMINATED.at(path).saying(format!("`{name}`")));
        } else if len > USUAL_NAME_LEN {
            report.push(NAME_LONG.at(path).saying(format!("`{name}` has {len}")));
        }
        if behind.iter().any(|&byte| byte != 0) {
            let found = format!("behind `{name}` stands {}", text::hex(behind));
            report.push(NAME_TAIL.at(path).saying(found));
        }
        if len == 0 {
            report.push(NAME_EMPTY.at(path).saying("at least one byte before the NUL wanted, none found"));
        } else if slot_of(name.text()).is_none() {
            report.push(NAME_CHARACTER.at(path).saying(format!("`{name}` has no slot")));
        }
        if entry.check != CHECK {
            let found = format!("{CHECK} wanted, {} found", entry.check);
            report.push(CHECK_BYTE.at(row.field("check")).saying(found));
        }
    }
}

/// One finding per entry whose name an earlier one has, unless both are of one group.
fn duplicates(document: &Document, report: &mut Report) {
    let key = |i: usize| {
        let entry = document.entries.get(i);
        entry.map(|entry| (entry.name.text().to_ascii_lowercase(), entry.conflict))
    };
    let mut order: Vec<usize> = (0..document.entries.len()).collect();
    order.sort_by_cached_key(|&i| {
        (document.entries.get(i).map(|entry| entry.name.text().to_ascii_lowercase()), i)
    });
    let mut found = Vec::new();
    let mut first: Option<(usize, (Vec<u8>, u16))> = None;
    for i in order {
        let Some((name, conflict)) = key(i) else { continue };
        match &first {
            Some((earlier, (same, group))) if *same == name => {
                let told_apart = conflict != 0 && conflict == *group;
                if !told_apart && !name.is_empty() {
                    found.push((i, *earlier));
                }
            }
            _ => first = Some((i, (name, conflict))),
        }
    }
    found.sort_unstable();
    for (i, earlier) in found {
        let name = document.entries.get(i).map(|entry| entry.name.to_string()).unwrap_or_default();
        let path = Path::named("entries").index(i).field("name");
        report.push(DUPLICATE.at(path).saying(format!("`{name}` is also entry {earlier}")));
    }
}

fn lookup(document: &Document, report: &mut Report) {
    let names = || document.entries.iter().map(|entry| entry.name.text());
    for row in ungrouped(names()) {
        let found = document.entries.get(row).map(|entry| format!("`{}` stands apart", entry.name));
        report.push(UNGROUPED.at(Path::named("entries").index(row)).saying(found.unwrap_or_default()));
    }
    for (i, name) in names().enumerate() {
        let Some(number) = slot_of(name) else { continue };
        let rows = document.lookup.get(number).map_or(0..0, |slot| slot.rows());
        if !rows.contains(&i) {
            let name = text::shown(name);
            let found = match rows.end.checked_sub(1).filter(|_| !rows.is_empty()) {
                Some(last) => format!("`{name}`: slot {number} lists entries {} to {last}", rows.start),
                None => format!("`{name}`: slot {number} lists nothing"),
            };
            report.push(NOT_LISTED.at(Path::named("entries").index(i).field("name")).saying(found));
        }
    }
    for (i, (wanted, found)) in build_lookup(names()).iter().zip(document.lookup.iter()).enumerate() {
        if wanted != found {
            let found = format!(
                "first {} and count {} wanted, {} and {} found",
                wanted.first, wanted.count, found.first, found.count
            );
            report.push(LOOKUP.at(Path::named("lookup").index(i)).saying(found));
        }
    }
}

fn conflicts(document: &Document, report: &mut Report) {
    let Some(groups) = &document.conflicts else { return };
    let mut named: Vec<(usize, usize)> = Vec::new();
    for (g, rows) in groups.iter().enumerate() {
        for (k, row) in rows.iter().enumerate() {
            let path = Path::named("groups").index(g).field("rows").index(k).field("toc_index");
            let i = usize::from(row.entry_index);
            let Some(entry) = document.entries.get(i) else {
                let found = format!("entry {i} of {}", document.entries.len());
                report.push(CONFLICT_INDEX.at(path).saying(found));
                continue;
            };
            named.push((i, g));
            let group = g.saturating_add(1);
            if usize::from(entry.conflict) != group {
                let found = format!("group {group} lists entry {i}, which names group {}", entry.conflict);
                report.push(CONFLICT_ENTRY.at(path).saying(found));
            }
        }
    }
    named.sort_unstable();
    for (i, entry) in document.entries.iter().enumerate() {
        let Some(g) = usize::from(entry.conflict).checked_sub(1) else { continue };
        let path = Path::named("entries").index(i).field("conflict");
        if g >= groups.len() {
            let found = format!("group {} of {}", entry.conflict, groups.len());
            report.push(CONFLICT_GROUP.at(path).saying(found));
        } else if named.binary_search(&(i, g)).is_err() {
            let found = format!("entry {i} names group {}, which does not list it", entry.conflict);
            report.push(CONFLICT_ENTRY.at(path).saying(found));
        }
    }
}

/// One finding per entry whose record another has, and per record that begins inside another.
fn overlaps(document: &Document, report: &mut Report) {
    let mut claims = claims(&document.entries, &document.positions());
    let (mut shared, mut overlapping) = (Vec::new(), Vec::new());
    for (_, cluster) in clusters(&mut claims) {
        let mut before: Option<&EntryClaim> = None;
        for claim in cluster {
            match before {
                Some(first) if first.start == claim.start => shared.push((claim.entry, first.entry)),
                Some(_) => {
                    overlapping.push((claim.entry, claim.start));
                    before = Some(claim);
                }
                None => before = Some(claim),
            }
        }
    }
    shared.sort_unstable();
    overlapping.sort_unstable();
    let path = |i| Path::named("entries").index(i).field("offset");
    for (i, first) in shared {
        report.push(RECORD_SHARED.at(path(i)).saying(format!("the record of entry {first}")));
    }
    for (i, at) in overlapping {
        report.push(RECORD_OVERLAP.at(path(i)).saying(format!("at 0x{at:x}, inside another record")));
    }
}

fn records(document: &Document, report: &mut Report) {
    let mut reached = 0;
    for (i, entry) in document.entries.iter().enumerate() {
        let Some(Extent { block, .. }) = entry.extent() else { continue };
        if let Some(name) = document.record_name(i)
            && !name.text().eq_ignore_ascii_case(entry.name.text())
        {
            let found = format!("`{name}` in the record of `{}`", entry.name);
            report.push(RECORD_NAME.at(Path::named("records").index(i).field("name")).saying(found));
        }
        if block < reached {
            let found = "the record stands before that of an earlier entry";
            report.push(RECORD_ORDER.at(Path::named("entries").index(i).field("offset")).saying(found));
        }
        reached = reached.max(block);
    }
}

fn layout(document: &Document, report: &mut Report) {
    for (i, (start, gap)) in document.layout().gaps().enumerate() {
        // An unreadable conflict table was named already.
        if document.conflicts.is_some() || start != document.records_offset() {
            let found = format!("{} bytes at 0x{start:x}", gap.len());
            report.push(GAP.at(Path::named("gaps").index(i)).saying(found));
        }
    }
    match &document.tail {
        None => {
            let found = format!("{} bytes wanted, none found", TERMINATOR.len());
            report.push(NO_TERMINATOR.at(Path::named("terminator")).saying(found));
        }
        Some(tail) if !tail.is_empty() => {
            report.push(TAIL.at(Path::named("tail")).saying(format!("{} bytes", tail.len())));
        }
        Some(_) => {}
    }
}
