//! RsLi archives: cases with their reports, laws over generated files, damage.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "common/rsli_reference.rs"]
#[allow(unreachable_pub, dead_code, reason = "shared by tests")]
mod reference;

use galvani_core::map::FieldValue;
use galvani_core::{EditError, Severity, Strictness};
use galvani_parkan::rsli::{
    Block, Document, Entry, Method, Name, Payload, check, in_the_clear, is_marked, read, write,
};
use galvani_testkit::{Dice, Subject, options, snapshot_beside, truncations};
use proptest::prelude::*;

const RSLI: Subject<Document> = Subject { id: "rsli", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/rsli", "*/build.txt", |listing| {
        snapshot_beside!(listing, RSLI.report_text(listing));
    });
}

fn code<T: std::fmt::Debug>(result: Result<T, EditError>) -> &'static str {
    result.unwrap_err().cause.code.name
}

fn refusal(document: &Document) -> &'static str {
    write(document).unwrap_err().cause.code.name
}

/// An archive of many entries that all claim the same packed bytes.
fn crowd(count: usize, method: Method, packed: Vec<u8>, unpacked_size: u32) -> Document {
    let payload = Payload::Held { block: 0, start: 0, len: packed.len(), beyond: false };
    let entry = |i: usize| Entry {
        name: Name::new(format!("{i:05}").as_bytes()).unwrap(),
        unknown_0c: [0; 4],
        flags: method.bits(),
        sort_index: i16::try_from(i).unwrap(),
        unpacked_size,
        payload,
    };
    Document {
        entries: (0..count).map(entry).collect(),
        blocks: vec![Block { bytes: packed, gap: vec![] }],
        count_again: i16::try_from(count).unwrap(),
        unpacked_total: unpacked_size.wrapping_mul(u32::try_from(count).unwrap()),
        ..Document::default()
    }
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let mut plain = RSLI.document(&RSLI.case("plain"));
    let lost = RSLI.document(&RSLI.case("unindexed")).make_canonical().unwrap();
    let mut torn = plain.clone();
    torn.entries[1].payload = Payload::Held { block: 1, start: 1, len: 8, beyond: false };
    let mut stray = plain.clone();
    stray.entries[1].payload = Payload::Outside { offset: 128, size: 8 };
    let mut trailer = plain.clone();
    trailer.blocks[2].bytes = b"AO1234".to_vec();
    trailer.entries[2].payload = Payload::Held { block: 2, start: 0, len: 6, beyond: false };
    let bomb = check(&crowd(100, Method::Lzss, vec![0; 1 << 20], 8 << 20));
    let not_tried = bomb.findings().iter().find(|finding| finding.code == &check::NOT_TRIED).unwrap();
    RSLI.every_code_is_provoked(&[
        code(plain.remove(3)),
        code(Name::new(b"")),
        code(Name::new(b"THIRTEEN.TEXT")),
        code(crowd(100, Method::Stored, vec![7; 6400], 6400).make_canonical()),
        lost.findings()[0].code.name,
        refusal(&torn),
        refusal(&stray),
        refusal(&trailer),
        not_tried.code.name,
    ]);
}

#[test]
fn good_archives_have_no_findings() {
    for case in ["plain", "empty", "ciphered"] {
        assert_eq!(RSLI.outcome(&RSLI.case(case)).findings(), [], "{case}");
        assert!(RSLI.obeys(&RSLI.case(case), Strictness::Strict), "{case}");
    }
}

#[test]
fn contents_come_out() {
    let contents = |case: &str| -> Vec<(String, Vec<u8>)> {
        let document = RSLI.document(&RSLI.case(case));
        let name = |i: usize| document.entries[i].name.to_string();
        (0..document.entries.len()).map(|i| (name(i), document.content(i).unwrap())).collect()
    };
    let wanted = |rows: &[(&str, &[u8])]| -> Vec<(String, Vec<u8>)> {
        rows.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect()
    };
    let plain: &[(&str, &[u8])] =
        &[("B.TEX", b"plain"), ("A.TEX", b"ABCABCABC   "), ("TWELVE.LETTR", b"hello")];
    assert_eq!(contents("plain"), wanted(plain));
    assert_eq!(contents("ciphered"), wanted(&[("SECRET.TEX", b"hello"), ("OPEN.TEX", b"ABCABCABC   ")]));
    assert_eq!(contents("unsorted"), wanted(&[("B", b"hello"), ("A", b"world")]));
    assert_eq!(contents("trailer"), wanted(&[("A", b"aaaa"), ("B", b"bbbb")]));
    assert_eq!(contents("beyond-end"), wanted(&[("A", b"aa"), ("INTERF8.TEX", b"hello")]));
}

#[test]
fn a_content_beyond_a_limit_is_refused_before_it_is_unpacked() {
    let document = RSLI.document(&RSLI.case("plain"));
    let refused = document.content_within(1, 11).unwrap_err();
    assert_eq!(refused.to_string(), "entries[1].unpacked_size: rsli.content-limit: 12 bytes, 11 at most");
    assert_eq!(document.content_within(1, 12).unwrap().len(), 12);
}

#[test]
fn names_are_found_in_any_case_of_letters() {
    let document = RSLI.document(&RSLI.case("plain"));
    assert_eq!(document.find(b"a.tex"), Some(1));
    assert_eq!(document.find(b"TWELVE.LETTR"), Some(2));
    assert_eq!(document.find(b"TWELVE"), None);
}

#[test]
fn a_dump_of_the_table_is_in_the_clear() {
    let file = RSLI.case("ciphered");
    let clear = in_the_clear(&file).unwrap();
    assert!(is_marked(&file) && clear[32..42] == *b"SECRET.TEX" && clear[64..72] == *b"OPEN.TEX");
    assert_eq!((clear.len(), &clear[96..]), (file.len(), &file[96..]));
    let mut named = false;
    let found = read(&file, &options(Strictness::Strict)).unwrap();
    found.map.rows(&clear, |row| {
        let is_name = row.path.to_string() == "entries[1].name";
        named |= is_name && matches!(row.value, FieldValue::Text(text) if text == b"OPEN.TEX\0\0\0\0");
    });
    assert!(named);
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there_if_its_table_is() {
    for (case, file) in RSLI.cases() {
        let reads = |file: &[u8]| RSLI.obeys(file, Strictness::Tolerant);
        let table = if reads(&file) { 32 + 32 * RSLI.document(&file).entries.len() } else { file.len() + 1 };
        for cut in truncations(&file) {
            assert_eq!(reads(cut), cut.len() >= table, "{case} cut at {}", cut.len());
            RSLI.obeys(cut, Strictness::Strict);
        }
    }
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    RSLI.stands_word_damage();
}

#[test]
fn strictness_stops_at_damage() {
    let wanted = [
        ("version", "rsli.version"),
        ("overlay", "rsli.overlay"),
        ("method", "rsli.method"),
        ("payload-outside", "rsli.payload-outside"),
        ("beyond-end", "rsli.beyond-end"),
        ("unpack-long", "rsli.unpack-long"),
        ("content-limit", "rsli.content-limit"),
    ];
    for (case, code) in wanted {
        let error = read(&RSLI.case(case), &options(Strictness::Strict)).unwrap_err();
        assert_eq!((error.cause.code.name, error.cause.severity), (code, Severity::Error), "{case}");
        assert!(error.cause.offset.is_some(), "{case}");
    }
}

#[test]
fn a_crowd_that_claims_the_same_bytes_costs_no_more_than_its_file() {
    let crowd = crowd(30_000, Method::Deflate, vec![7; 1 << 16], u32::MAX);
    let file = write(&crowd).unwrap();
    assert_eq!(RSLI.round_trip(&file), crowd);
    let report = check(&crowd);
    let overlaps = report.findings().iter().find(|finding| finding.code == &check::PAYLOAD_OVERLAP).unwrap();
    assert_eq!(overlaps.count, 29_999);
}

/// An archive file before it is bytes. Nothing in it has to be right.
fn archive() -> impl Strategy<Value = Vec<u8>> {
    (any::<u64>(), 0..6_usize, 0..60_usize)
        .prop_map(|(seed, count, data)| file_of(&mut Dice(seed), count, data))
}

fn file_of(dice: &mut Dice, count: usize, data: usize) -> Vec<u8> {
    let mut file = b"NL".to_vec();
    let count_word = u16::try_from(count).unwrap();
    file.extend(if dice.below(8) == 0 { [9, 9] } else { [0, 1] });
    file.extend(count_word.to_le_bytes());
    file.extend(if dice.below(4) == 0 { [1, 2] } else { count_word.to_le_bytes() });
    file.extend([0; 6].map(|_: u8| dice.byte()));
    file.extend(if dice.below(3) == 0 { [0, 0] } else { [0xba, 0xab] });
    file.extend(dice.below(100).to_le_bytes());
    let seed = if dice.below(2) == 0 { 0 } else { dice.word() };
    file.extend(seed.to_le_bytes());
    file.extend([0; 8]);
    let has_trailer = dice.below(4) == 0;
    let overlay = if has_trailer { dice.below(140) } else { 0 };
    let start = 32 + 32 * u32::try_from(count).unwrap();
    let mut table = Vec::new();
    for _ in 0..count {
        let letters = dice.below(13);
        let mut name: Vec<u8> = (0..letters).map(|_| b'A' + dice.byte() % 4).collect();
        name.resize(12, if dice.below(6) == 0 { dice.byte() } else { 0 });
        table.extend(name);
        table.extend(dice.word().to_le_bytes());
        let method = [0, 0x20, 0x40, 0x60, 0x80, 0xa0, 0x100, 0xc0][dice.below(8) as usize];
        table.extend((method | u16::try_from(dice.below(32)).unwrap()).to_le_bytes());
        table.extend(u16::try_from(dice.below(8)).unwrap().to_le_bytes());
        let size = dice.below(20);
        let wild = dice.below(10) == 0;
        table.extend((if dice.below(2) == 0 { size } else { dice.below(40) }).to_le_bytes());
        let place = (start + dice.below(u32::try_from(data).unwrap() + 2)).wrapping_sub(overlay);
        table.extend((if wild { dice.word() } else { place }).to_le_bytes());
        table.extend(size.to_le_bytes());
    }
    let key = u16::from_le_bytes([seed.to_le_bytes()[0], seed.to_le_bytes()[1]]);
    file.extend(reference::xor(key, &table));
    // Bytes that LZSS and Deflate make something of.
    file.extend(
        (0..data)
            .map(|_| if dice.below(2) == 0 { dice.byte() } else { [1, 0, 0xff, 7][dice.below(4) as usize] }),
    );
    if has_trailer {
        file.extend(b"AO");
        file.extend(overlay.to_le_bytes());
    }
    file
}

/// Name and content of every entry.
fn contents(document: &Document) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
    let content = |i| document.content(i).ok();
    document.entries.iter().enumerate().map(|(i, entry)| (entry.name.text().to_vec(), content(i))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn every_archive_that_reads_is_written_back_and_unpacks_as_the_reference_does(file in archive()) {
        prop_assert!(RSLI.obeys(&file, Strictness::Tolerant));
        RSLI.obeys(&file, Strictness::Strict);
        let document = RSLI.document(&file);
        prop_assert_eq!(contents(&document), reference::contents(&file));
        let held: usize = document.blocks.iter().map(|block| block.bytes.len() + block.gap.len()).sum();
        prop_assert!(held + document.lead.len() <= file.len());
    }

    #[test]
    fn the_plain_form_holds_the_same_and_stays(file in archive()) {
        let before = RSLI.document(&file);
        let mut plain = before.clone();
        plain.make_canonical().unwrap();
        let again = plain.clone();
        prop_assert_eq!(plain.make_canonical().unwrap().findings().len(), 0);
        prop_assert_eq!(&plain, &again);
        prop_assert_eq!(contents(&plain), contents(&before));
        if let Ok(file) = write(&plain) {
            let all_held = plain.entries.iter().all(|entry| matches!(entry.payload, Payload::Held { .. }));
            if all_held {
                prop_assert_eq!(&RSLI.document(&file), &plain);
                prop_assert_eq!(reference::contents(&file), contents(&before));
            }
        }
    }
}
