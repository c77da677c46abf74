//! Material tables: cases with their reports, what they say beside a slow reference, edits, laws and damage.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::{EditError, Severity, Strictness};
use galvani_parkan::wear::edit::{add_row, make_canonical, remove_row, renumber, set_name};
use galvani_parkan::wear::{
    Document, WearTable, Which, check, has_lightmaps, is_shaped, read, row_count, write,
};
use galvani_testkit::{Subject, snapshot_beside};
use proptest::prelude::*;

const WEAR: Subject<Document> = Subject { id: "wear", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/wear", "*/build.txt", |listing| {
        snapshot_beside!(listing, WEAR.report_text(listing));
    });
}

fn code<T: std::fmt::Debug>(result: Result<T, EditError>) -> &'static str {
    result.unwrap_err().cause.code.name
}

fn document(text: &str) -> Document {
    Document { text: text.as_bytes().to_vec() }
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let mut plain = WEAR.document(&WEAR.case("plain"));
    let lost = make_canonical(&mut WEAR.document(&WEAR.case("more-words"))).unwrap();
    WEAR.every_code_is_provoked(&[
        code(set_name(&mut plain, Which::Materials, 2, b"X")),
        code(set_name(&mut plain, Which::Materials, 0, b"two words")),
        code(add_row(&mut document(""), Which::Materials, b"X")),
        code(remove_row(&mut document("1\n0 A\n"), Which::Materials, 0)),
        lost.findings()[0].code.name,
    ]);
}

#[test]
fn good_tables_have_no_findings() {
    for case in ["plain", "lightmaps", "crlf"] {
        assert_eq!(WEAR.outcome(&WEAR.case(case)).findings(), [], "{case}");
        assert!(WEAR.obeys(&WEAR.case(case), Strictness::Strict), "{case}");
    }
}

#[test]
fn only_a_table_without_a_flaw_is_known_by_its_shape() {
    for case in ["plain", "lightmaps", "crlf"] {
        assert!(is_shaped(&WEAR.case(case)), "{case}");
    }
    let others: [&[u8]; 5] = [b"", b"2\n0 A\n", b"1\n1 A\n", b"1\n0 A\nmore\n", b"2\nof these\nand those\n"];
    assert!(!others.into_iter().any(is_shaped));
}

#[test]
fn a_text_cut_anywhere_keeps_what_is_there() {
    WEAR.stands_truncation(0);
}

#[test]
fn a_text_with_any_word_damaged_comes_back() {
    WEAR.stands_word_damage();
}

#[test]
fn a_table_says_its_rows_in_order() {
    let document = WEAR.document(&WEAR.case("crlf"));
    let table = document.table();
    let names = |rows: &galvani_parkan::wear::WearRows<'_>| -> Vec<String> {
        rows.rows.iter().map(|row| format!("{}={}", row.id.shown(), row.name.shown())).collect()
    };
    assert_eq!(names(&table.materials), ["0=RUST", "1=GLASS"]);
    assert_eq!(names(&table.lightmaps.unwrap().rows), ["0=GLOW"]);
    assert_eq!((row_count(&document.text), has_lightmaps(&document.text)), (Some(2), true));
}

/// What one edit makes of a text.
fn edited(text: &str, edit: impl FnOnce(&mut Document) -> Result<(), EditError>) -> String {
    let mut document = document(text);
    edit(&mut document).unwrap();
    String::from_utf8(document.text).unwrap()
}

#[test]
fn a_name_is_replaced_and_nothing_else() {
    let text = " 2\r\n 0\t RUST  \r\n1 GLASS";
    let made = edited(text, |table| set_name(table, Which::Materials, 0, b"CHROME"));
    assert_eq!(made, " 2\r\n 0\t CHROME  \r\n1 GLASS");
    let made = edited("1\n0\n", |table| set_name(table, Which::Materials, 0, b"CHROME"));
    assert_eq!(made, "1\n0 CHROME\n");
}

#[test]
fn a_row_is_added_behind_the_last_and_counted() {
    let add = |text, which| edited(text, |table| add_row(table, which, b"NEW"));
    assert_eq!(
        add("1\r\n0 A\r\n\r\nLIGHTMAPS\r\n", Which::Materials),
        "2\r\n0 A\r\n1 NEW\r\n\r\nLIGHTMAPS\r\n"
    );
    assert_eq!(add("1\n0 A", Which::Materials), "2\n0 A\n1 NEW");
    assert_eq!(add("0\n", Which::Materials), "1\n0 NEW\n");
    assert_eq!(add("1\n0 A\n", Which::Lightmaps), "1\n0 A\n\nLIGHTMAPS\n1\n0 NEW\n");
    assert_eq!(add("1\n0 A", Which::Lightmaps), "1\n0 A\n\nLIGHTMAPS\n1\n0 NEW\n");
    assert_eq!(
        add("1\n0 A\n\nLIGHTMAPS\n1\n0 B\n", Which::Lightmaps),
        "1\n0 A\n\nLIGHTMAPS\n2\n0 B\n1 NEW\n"
    );
}

#[test]
fn a_row_is_removed_and_those_behind_it_keep_their_places() {
    let remove = |text, which, row| edited(text, |table| remove_row(table, which, row));
    assert_eq!(remove("3\n0 A\n1 B\n2 C\n", Which::Materials, 0), "2\n0 B\n1 C\n");
    assert_eq!(remove("3\n0 A\n7 B\n2 C\n", Which::Materials, 0), "2\n7 B\n1 C\n");
    assert_eq!(remove("1\n0 A\n\nLIGHTMAPS\n1\n0 B\n", Which::Lightmaps, 0), "1\n0 A\n");
    assert_eq!(
        remove("1\n0 A\n\nLIGHTMAPS\n2\n0 B\n1 C\n", Which::Lightmaps, 1),
        "1\n0 A\n\nLIGHTMAPS\n1\n0 B\n"
    );
}

#[test]
fn rows_are_numbered_by_their_places() {
    let mut table = document("2\n5 A\n5 B\n\nLIGHTMAPS\n1\n3 C\n");
    renumber(&mut table).unwrap();
    assert_eq!(table, document("2\n0 A\n1 B\n\nLIGHTMAPS\n1\n0 C\n"));
}

#[test]
fn the_plain_form_is_the_games_own_and_says_what_it_drops() {
    let mut table = document(" 3\r\n4  A b\r\n1 B\r\n\r\n?\r\n\r\nLIGHTMAPS\r\n1\r\n0\tC\r\n");
    let report = make_canonical(&mut table).unwrap();
    assert_eq!(table, document("2\r\n0 A\r\n1 B\r\n\r\nLIGHTMAPS\r\n1\r\n0 C\r\n"));
    assert_eq!(report.tally(Severity::Warning), 1);
    let before = table.clone();
    assert_eq!(make_canonical(&mut table).unwrap().findings(), []);
    assert_eq!(table, before);
    assert_eq!(code(make_canonical(&mut document("1\nx y\n"))), check::ROW.name);
}

/// The names of both tables, word by word from docs/formats/wear.md#rows, lines split by hand.
fn slowly(text: &str) -> (Vec<String>, Option<Vec<String>>) {
    fn rows(lines: &[String], at: &mut usize) -> Vec<String> {
        let mut names = Vec::new();
        if *at == lines.len() || lines[*at] == "LIGHTMAPS" {
            return names;
        }
        let wanted: u64 = match lines[*at].parse() {
            Ok(0) | Err(_) => u64::MAX,
            Ok(count) => count,
        };
        *at += 1;
        while *at < lines.len() && (names.len() as u64) < wanted {
            if lines[*at].is_empty() || lines[*at] == "LIGHTMAPS" {
                break;
            }
            names.push(lines[*at].split_ascii_whitespace().nth(1).unwrap_or("").to_owned());
            *at += 1;
        }
        names
    }
    let mut lines: Vec<String> = text.split('\n').map(|line| line.trim().to_owned()).collect();
    if text.is_empty() || text.ends_with('\n') {
        lines.pop();
    }
    let mut at = 0;
    let materials = rows(&lines, &mut at);
    while at < lines.len() && lines[at] != "LIGHTMAPS" {
        at += 1;
    }
    if at == lines.len() {
        return (materials, None);
    }
    at += 1;
    let lightmaps = rows(&lines, &mut at);
    (materials, Some(lightmaps))
}

fn names(table: &WearTable<'_>) -> (Vec<String>, Option<Vec<String>>) {
    let of = |rows: &galvani_parkan::wear::WearRows<'_>| -> Vec<String> {
        rows.rows.iter().map(|row| row.name.shown().into_owned()).collect()
    };
    (of(&table.materials), table.lightmaps.as_ref().map(|lightmaps| of(&lightmaps.rows)))
}

/// Something like a table.
fn text() -> impl Strategy<Value = String> {
    const WORDS: &[&str] =
        &["0", "1", "2", "9", "-1", "0 A", "1 B", "2 C", "0 A b", "LIGHTMAPS", "", "", "x", " 1 ", "0\tD"];
    let line = (proptest::sample::select(WORDS), proptest::sample::select(&["\n", "\n", "\r\n", ""][..]));
    proptest::collection::vec(line.prop_map(|(word, end)| format!("{word}{end}")), 0..14)
        .prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_obeys_the_laws_and_reads_as_the_reference_does(text in text()) {
        WEAR.obeys(text.as_bytes(), Strictness::Tolerant);
        WEAR.obeys(text.as_bytes(), Strictness::Strict);
        prop_assert_eq!(names(&document(&text).table()), slowly(&text));
    }

    #[test]
    fn edits_do_what_they_say_to_any_text(text in text(), row in 0..4_usize, lightmap in any::<bool>()) {
        let which = if lightmap { Which::Lightmaps } else { Which::Materials };
        let before = document(&text);
        let list = |document: &Document| {
            let (materials, lightmaps) = names(&document.table());
            if lightmap { lightmaps.unwrap_or_default() } else { materials }
        };
        let mut named = before.clone();
        if set_name(&mut named, which, row, b"NEW").is_ok() {
            let mut wanted = list(&before);
            wanted[row] = "NEW".to_owned();
            prop_assert_eq!(list(&named), wanted);
        }
        let mut removed = before.clone();
        let is_plain = text.matches("LIGHTMAPS").count() < 2;
        if remove_row(&mut removed, which, row).is_ok() && is_plain {
            let mut wanted = list(&before);
            wanted.remove(row);
            prop_assert_eq!(list(&removed), wanted);
        }
        let mut added = before.clone();
        if add_row(&mut added, which, b"NEW").is_ok() {
            let mut wanted = list(&before);
            wanted.push("NEW".to_owned());
            prop_assert_eq!(list(&added), wanted);
            remove_row(&mut added, which, list(&before).len()).ok();
        }
        let mut plain = before.clone();
        if make_canonical(&mut plain).is_ok() {
            prop_assert_eq!(list(&plain), list(&before));
            prop_assert_eq!(WEAR.outcome(&plain.text).findings().len(), 0);
        }
    }
}
