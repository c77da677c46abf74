//! Two ways to the same thing that must agree, of any format.

use galvani::formats::{Format, OpenOptions, Opened, Site};
use galvani::nested::{self, Checked};
use galvani::{Diagnostic, ReadOptions, Reading, Readings, Scrutiny, Strictness, codes};

use crate::laws;

#[path = "../../crates/galvani/tests/common/archive.rs"]
#[allow(dead_code, unreachable_pub, reason = "tests use the rest of it")]
mod pushed;

/// What strictness lets pass tolerance reads to the same document, and says the same of it.
pub(crate) fn strictness(format: &'static dyn Format, data: &[u8]) {
    laws::strict_agrees(format, data);
    let strict = ReadOptions { strictness: Strictness::Strict, ..ReadOptions::default() };
    if let Ok(strict) = format.open(data, &strict.into()) {
        let tolerant = format.open(data, &OpenOptions::default()).expect("tolerance refuses no more");
        is_the_same(&strict, &tolerant, data);
    }
}

/// The reading that a file gives evidence for is the one that it gives when asked for; of a format without disputes all
/// are the same.
pub(crate) fn readings(format: &'static dyn Format, data: &[u8]) {
    let Ok(auto) = format.open(data, &OpenOptions::default()) else { return };
    let taken =
        auto.readings.iter().map(|verdict| (verdict.topic.to_owned(), verdict.taken.into())).collect();
    let mut others = vec![Readings { topics: taken, ..Readings::default() }];
    if format.info().topics.is_empty() {
        others.extend(
            [Reading::Documented, Reading::Observed].map(|all| Readings { all: all.into(), topics: vec![] }),
        );
    }
    for readings in others {
        let asked = ReadOptions { readings, ..ReadOptions::default() };
        let asked = format.open(data, &asked.into()).expect("what reads reads as it was taken");
        is_the_same(&auto, &asked, data);
    }
    for all in [Reading::Documented, Reading::Observed] {
        let readings = Readings { all: all.into(), topics: vec![] };
        let fixed = format.open(data, &ReadOptions { readings, ..ReadOptions::default() }.into());
        if let Ok(fixed) = fixed {
            assert!(
                fixed.document.write().expect("what reads is written") == data,
                "{all}: written differently"
            );
        }
    }
}

/// Findings about how sure a reading is: there are none where it was asked for.
const DOUBTS: &[&str] = &["mdx.tracks-evidence"];

/// Two documents of a file: the same values, rows and findings.
fn is_the_same(a: &Opened, b: &Opened, file: &[u8]) {
    let folders = [a, b].map(|one| one.document.unpack().expect("there is room"));
    assert!(folders[0] == folders[1], "other values");
    let rows = [a, b].map(|one| {
        let mut rows = Vec::new();
        one.map.rows(&one.document.in_the_clear(file).expect("there is room"), |row| {
            rows.push(format!("{row:?}"))
        });
        rows
    });
    assert_eq!(rows[0], rows[1], "other rows");
    let told = [a, b].map(|one| {
        let report = one.check();
        let sure = |finding: &&Diagnostic| !DOUBTS.contains(&finding.code.name);
        report.findings().iter().filter(sure).map(|finding| format!("{finding:?}")).collect::<Vec<_>>()
    });
    assert_eq!(told[0], told[1], "other findings");
}

/// A member of an archive is told what it would be told as a file of that name, and so are its own members. Only what lies
/// beside either is looked for in places of their own.
pub(crate) fn member(format: &'static dyn Format, data: &[u8]) {
    let name = format!("a.{}", format.info().extensions.first().copied().unwrap_or("x"));
    let archive = pushed::archive(&[(&name, data)]);
    let check = |path: &str, site: &Site<'_>, format, file: &[u8]| {
        nested::check(path, site, format, file, &OpenOptions::default(), Scrutiny::Pedantic)
    };
    let outer = galvani::formats::by_id("nres").expect("archives of Parkan");
    let members = check("x", &Site::NOWHERE, outer, &archive);
    let declared = nested_declared(outer, &archive);
    let site = Site { name: &name, declared, ..Site::NOWHERE };
    let alone = check(&format!("x/{name}"), &site, format, data);
    let Some((_, members)) = members.split_first() else { return };
    // Nobody said of the member what it is: other formats may look likelier, and budgets are of the whole.
    let is_other = members.first().is_none_or(|first| first.format != Some(format.info().id));
    if is_other || [members, &alone].iter().any(|rows| rows.iter().any(has_run_out)) {
        return;
    }
    let own = |finding: &Diagnostic| !finding.code.name.starts_with("file.");
    let told =
        |rows: &[Checked]| rows.iter().map(|row| format!("{:?}", row.clone().only(own))).collect::<Vec<_>>();
    assert_eq!(told(members), told(&alone), "another member than file");
}

/// What the archive says of its only member.
fn nested_declared(format: &'static dyn Format, archive: &[u8]) -> Option<galvani::formats::Declared> {
    let opened = format.open(archive, &OpenOptions::default()).ok()?;
    opened.as_archive().ok()?.members().first()?.declared
}

fn has_run_out(row: &Checked) -> bool {
    let limits = [&codes::OUT_OF_WORK, &codes::TOO_DEEP];
    row.report.findings().iter().any(|finding| limits.contains(&finding.code))
}
