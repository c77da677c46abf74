//! What an operation may take: members that share their bytes cost what one costs, and those that overlap otherwise come to an
//! end.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common;

use galvani::edit::{self, Refusals};
use galvani::formats::{self, Format, Site, Step};
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

/// A pack of one animation as long as a header can say, of 255 bones.
fn pack() -> Vec<u8> {
    use galvani::ff7::pack::{self, AngleKey, Document, codec::Frames, edit};
    let mut frames = Frames::new(256);
    for i in 0..90_i16 {
        let bones: Vec<[i16; 3]> = (0..256_i16).map(|bone| [i.wrapping_mul(bone), bone, i]).collect();
        frames.push([i, 0, 0], &bones);
    }
    let entry = edit::new_entry(&frames, AngleKey::Zero).unwrap();
    let file = pack::write(&Document { entries: vec![entry], ..Document::default() }).unwrap();
    assert!(file.len() > 1 << 15, "{}", file.len());
    file
}

/// An archive of packed entries that all lead to one payload.
fn shared_contents(content: &[u8]) -> Vec<u8> {
    use galvani::parkan::rsli::{Document, Method, Name, NewEntry, write};
    let mut archive = Document::default();
    archive.push(NewEntry::new(Name::new(b"M0").unwrap(), Method::Deflate), content).unwrap();
    for i in 1..COUNT {
        let name = Name::new(format!("M{i}").as_bytes()).unwrap();
        let row = galvani::parkan::rsli::Entry { name, ..archive.entries[0].clone() };
        archive.entries.push(row);
    }
    archive.rebuild_sort_table().unwrap();
    write(&archive).unwrap()
}

/// An archive of each kind whose rows all lead to one payload, and how many bytes of memory reading it takes beside.
fn crowds(payload: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    [
        ("nres", sharing(payload, |_| (0, payload.len()))),
        ("lgp", shared_packs(payload)),
        ("rsli", shared_contents(payload)),
    ]
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
    let pack = pack();
    for (id, file) in crowds(&pack) {
        let format = is_of(id, &file);
        // Once to recognise it, once to read and check it. What is unpacked has a measure of its own.
        let looked = 2 * pack.len();
        let enough = if id == "rsli" { looked.max(file.len()) } else { file.len() + looked };
        let rows = check(format, &file, &with_work(enough));
        assert_eq!((rows.len(), has_run_out(&rows)), (1 + COUNT, false), "{id}");
        assert!(has_run_out(&check(format, &file, &with_work(enough - 1))), "{id}");

        let opened = format.open(&file, &OpenOptions::default()).unwrap();
        let told = |work| {
            serde_json::to_string(&contents::outline(&opened, &with_work(work), &Site::NOWHERE).to_json())
                .unwrap()
        };
        assert!(!told(looked).contains("not looked into"), "{id}");
        assert!(told(looked - 1).contains("not looked into"), "{id}");

        let made = edited(format, &file, &["canonical"], &with_work(looked)).unwrap();
        assert_eq!(made.operations.len(), COUNT, "{id}");
        let short = edited(format, &file, &["canonical"], &with_work(looked - 1));
        assert_eq!(short.unwrap_err().cause.code, &codes::OUT_OF_WORK, "{id}");
    }
}

#[test]
fn rows_that_share_a_payload_take_the_memory_of_one() {
    let pack = pack();
    for (id, file) in crowds(&pack) {
        let format = is_of(id, &file);
        let one = allocated(|| drop(check(is_of("ff7-pack", &pack), &pack, &OpenOptions::default())));
        let most = 16 * u64::try_from(file.len()).unwrap() + 4 * one;
        let used = allocated(|| drop(check(format, &file, &OpenOptions::default())));
        assert!(used < most, "{id}: {used} bytes, {most} at most; one takes {one}");
    }
}

/// The most bytes that were held at once.
fn allocated(act: impl FnOnce()) -> u64 {
    allocation_counter::measure(act).bytes_max
}

#[test]
fn edited_rows_that_shared_a_payload_share_again() {
    let pack = pack();
    for (id, file) in crowds(&pack) {
        let format = is_of(id, &file);
        let mut opened = format.open(&file, &OpenOptions::default()).unwrap();
        let steps = steps("ff7-pack", &["scale-position", "0", "2"]);
        let all = |format: &'static dyn Format| (format.info().id == "ff7-pack").then_some(&steps[..]);
        let archive = opened.document.as_archive_mut().unwrap();
        edit::members(archive, &all, Refusals::End, file.len(), &OpenOptions::default()).unwrap();
        let written = opened.document.write().unwrap();
        assert!(written.len() < file.len() + pack.len(), "{id}: {} → {}", file.len(), written.len());
        let again = format.open(&written, &OpenOptions::default()).unwrap();
        let archive = again.as_archive().unwrap();
        let first = archive.member(0).unwrap();
        assert!(first != pack, "{id}");
        assert!((1..COUNT).all(|i| archive.member(i) == Some(first)), "{id}");
    }
}

fn steps(id: &str, words: &[&str]) -> Vec<Step> {
    vec![Step::from_words(formats::by_id(id).unwrap(), words).unwrap()]
}

fn edited(
    format: &'static dyn Format,
    file: &[u8],
    words: &[&str],
    options: &OpenOptions,
) -> Result<edit::MembersEdited, galvani::EditError> {
    let mut opened = format.open(file, &OpenOptions::default()).unwrap();
    let steps = steps("ff7-pack", words);
    let all = |format: &'static dyn Format| (format.info().id == "ff7-pack").then_some(&steps[..]);
    edit::members(opened.document.as_archive_mut().unwrap(), &all, Refusals::End, file.len(), options)
}

#[test]
fn the_rows_of_a_shared_payload_say_what_each_would() {
    let (inner, other) = (archive(&[("x", b"payload")]), b"NRes\x00\x01\x00\x00\x09");
    let run = [&inner[..], other].concat();
    let file = sharing(&run, |i| if i % 2 == 0 { (0, inner.len()) } else { (inner.len(), other.len()) });
    let mut rows = check(is_of("nres", &file), &file, &OpenOptions::default());
    rows.sort_by_key(|row| row.path.strip_prefix("file/m").and_then(|number| number.parse::<usize>().ok()));
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
