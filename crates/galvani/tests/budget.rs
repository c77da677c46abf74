//! What an operation may take: members that share their bytes cost what one costs, and those that overlap otherwise come to an
//! end.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common;

use galvani::edit::{self, Refusals};
use galvani::formats::{self, ArgumentValue, Format, Operation, Site, Step};
use galvani::nested::{self, Checked};
use galvani::{Budget, OpenOptions, ReadOptions, Scrutiny, codes, contents};

use common::archive::{DATA_OFFSET, SIZE, archive, poke, record};

const COUNT: usize = 1600;

/// Options with so much work allowed.
fn with_work(work: usize) -> OpenOptions {
    let budget = Budget { work: Some(work.try_into().unwrap()), memory: None };
    ReadOptions { budget, ..ReadOptions::default() }.into()
}

/// An archive whose rows all lie in one run of bytes; each says where and how long it is.
fn sharing(run: &[u8], extent: impl Fn(usize) -> (usize, usize)) -> Vec<u8> {
    let names: Vec<String> = (0..COUNT).map(|i| format!("m{i}")).collect();
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    entries[0].1 = run;
    let mut file = archive(&entries);
    for i in 0..COUNT {
        let ((start, len), at) = (extent(i), record(&file, i));
        poke(&mut file, at + SIZE, len);
        poke(&mut file, at + DATA_OFFSET, 16 + start);
    }
    file
}

/// A table of contents of LGP whose rows all lead to one record, called as animation packs are.
fn shared_packs(pack: &[u8]) -> Vec<u8> {
    let mut file = b"\0\0SQUARESOFT".to_vec();
    file.extend(u32::try_from(COUNT).unwrap().to_le_bytes());
    let toc = 16 + 27 * COUNT;
    let record = u32::try_from(toc + 900 * 4 + 2).unwrap();
    for i in 0..COUNT {
        let letter = |n: usize| b'a' + u8::try_from(n % 26).unwrap();
        let mut row = [0; 27];
        row[..4].copy_from_slice(&[letter(i / 26), letter(i), b'd', b'a']);
        row[20..24].copy_from_slice(&record.to_le_bytes());
        row[24] = 14;
        file.extend(row);
    }
    file.resize(usize::try_from(record).unwrap(), 0);
    file.extend(*b"aada\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    file.extend(u32::try_from(pack.len()).unwrap().to_le_bytes());
    file.extend(pack);
    file.extend(*b"FINAL FANTASY7");
    file
}

/// A small pack that is recognised by its shape.
fn pack() -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ff7-pack/plain");
    galvani_testkit::assemble_file(&folder.join("build.txt"))
}

fn check(format: &'static dyn Format, file: &[u8], options: &OpenOptions) -> Vec<Checked> {
    nested::check("file", &Site::NOWHERE, format, file, options, Scrutiny::Usual)
}

fn has_run_out(rows: &[Checked]) -> bool {
    rows[0].report.findings().iter().any(|finding| finding.code == &codes::OUT_OF_WORK)
}

fn is_of(id: &str, file: &[u8]) -> &'static dyn Format {
    formats::recognise(file, None).filter(|format| format.info().id == id).unwrap()
}

#[test]
fn rows_that_share_a_payload_cost_what_one_costs() {
    let inner = archive(&[("x", b"payload")]);
    let pack = pack();
    for (id, file, len) in [
        ("nres", sharing(&inner, |_| (0, inner.len())), inner.len()),
        ("lgp", shared_packs(&pack), pack.len()),
    ] {
        let format = is_of(id, &file);
        // Once to recognise it, once to read and check it.
        let rows = check(format, &file, &with_work(2 * len));
        assert_eq!((rows.len(), has_run_out(&rows)), (1 + COUNT, false), "{id}");
        assert!(has_run_out(&check(format, &file, &with_work(2 * len - 1))), "{id}");

        let opened = format.open(&file, &OpenOptions::default()).unwrap();
        let told = |work| {
            serde_json::to_string(&contents::outline(&opened, &with_work(work), &Site::NOWHERE).to_json())
                .unwrap()
        };
        assert!(!told(2 * len).contains("not looked into"), "{id}");
        assert!(told(2 * len - 1).contains("not looked into"), "{id}");
    }
}

#[test]
fn the_rows_of_a_shared_payload_say_what_each_would() {
    let (inner, other) = (archive(&[("x", b"payload")]), b"NRes\x00\x01\x00\x00\x09");
    let run = [&inner[..], other].concat();
    let file = sharing(&run, |i| if i % 2 == 0 { (0, inner.len()) } else { (inner.len(), other.len()) });
    let rows = check(is_of("nres", &file), &file, &OpenOptions::default());
    for (i, row) in rows.iter().skip(1).enumerate() {
        assert_eq!((row.path.clone(), row.readable), (format!("file/m{i}"), i % 2 == 0));
    }
}

#[test]
fn payloads_that_overlap_otherwise_come_to_an_end() {
    let mut run = archive(&[("x", b"payload")]).repeat(40);
    run.resize(run.len() + COUNT * 8, 0);
    let len = run.len();
    let file = sharing(&run, |i| (i, len - i));
    let format = is_of("nres", &file);
    let rows = check(format, &file, &OpenOptions::default());
    assert!(has_run_out(&rows), "{} rows", rows.len());
    let enough = with_work(file.len() * COUNT * 2);
    assert!(!has_run_out(&check(format, &file, &enough)), "somebody allows it");
}

#[test]
fn edits_of_members_are_charged_too() {
    let inner = archive(&[("x", b"payload")]);
    let file = sharing(&inner, |_| (0, inner.len()));
    let operations = is_of("nres", &inner).info().operations;
    let operation: &'static Operation = operations.iter().find(|one| one.name == "canonical").unwrap();
    let steps = [Step { operation, values: Vec::<ArgumentValue>::new() }];
    let edited = |work| {
        let mut opened = is_of("nres", &file).open(&file, &OpenOptions::default()).unwrap();
        let archive = opened.document.as_archive_mut().unwrap();
        let all = |_: &'static dyn Format| Some(&steps[..]);
        edit::members(archive, &all, Refusals::End, file.len(), &with_work(work)).map(|_| ())
    };
    assert_eq!(edited(inner.len() * 10).unwrap_err().cause.code, &codes::OUT_OF_WORK);
    assert!(edited(inner.len() * (COUNT + 1)).is_ok());
}
