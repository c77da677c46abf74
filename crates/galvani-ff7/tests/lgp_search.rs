//! Looking entries up: as the game does through the lookup table, and row by row where it does not list them.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod lgp_common;

use std::collections::BTreeMap;

use galvani_ff7::lgp::{Archive, Document, Name, write};
use lgp_common::raw::{RawArchive, before_nul, slot};
use lgp_common::strategy::{archive, name};
use lgp_common::{case, document};
use proptest::prelude::*;

/// The rows that the table gives a name, looked at one by one.
fn listed(raw: &RawArchive, name: &[u8]) -> Option<usize> {
    let [first, count] = raw.lookup[slot(name)?].map(usize::from);
    if first == 0 {
        return None;
    }
    (first - 1..first - 1 + count)
        .find(|&row| raw.rows.get(row).is_some_and(|row| before_nul(&row.name).eq_ignore_ascii_case(name)))
}

fn first_of_name(raw: &RawArchive, name: &[u8]) -> Option<usize> {
    raw.rows.iter().position(|row| before_nul(&row.name).eq_ignore_ascii_case(name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn a_search_goes_through_the_table_and_then_through_the_rows(
        raw in archive(20),
        others in prop::collection::vec(name(), 10),
    ) {
        let file = raw.bytes();
        let (archive, document) = (Archive::open(&file).unwrap(), document(&file));
        for name in raw.rows.iter().map(|row| row.name).chain(others) {
            let name = before_nul(&name).to_ascii_uppercase();
            let by_table = listed(&raw, &name);
            prop_assert_eq!(archive.find_listed(&name), by_table);
            prop_assert_eq!(archive.find(&name), by_table.or(first_of_name(&raw, &name)));
            prop_assert_eq!(document.find(&name), first_of_name(&raw, &name));
        }
    }
}

/// Names of every shape that has a slot, in an order that has nothing to do with it.
fn five_thousand_names() -> Vec<String> {
    let characters: Vec<char> = "abcdefghijklmnopqrstuvwxyz0123456789_-".chars().collect();
    let at = |i: usize| characters[i % characters.len()];
    let named = |i: usize| match i % 7 {
        0 => format!("{}.{i}", at(i / 7)),
        1 => format!("{}{}", at(i), format_args!("{}{i}.TEX", at(i / 38))),
        _ => format!("{}{}{i}", at(i * 5), at(i / 11)),
    };
    (0..5000).map(|i| named((i * 2909) % 5000)).collect()
}

#[test]
fn each_of_five_thousand_names_is_found_where_the_rule_says() {
    let names = five_thousand_names();
    let mut built = Document::default();
    for name in &names {
        built.add(Name::new(name.as_bytes()).unwrap(), name.as_bytes()).unwrap();
    }
    let file = write(&built).unwrap();
    let archive = Archive::open(&file).unwrap();
    let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (row, entry) in archive.entries().iter().enumerate() {
        rows.entry(slot(before_nul(&entry.name.0)).unwrap()).or_default().push(row);
    }
    for number in 0..900 {
        let found = &archive.lookup()[number];
        let wanted = rows.get(&number).map_or((0, 0), |rows| (rows[0] + 1, rows.len()));
        assert_eq!((usize::from(found.first.get()), usize::from(found.count.get())), wanted, "slot {number}");
        if let Some(rows) = rows.get(&number) {
            assert!(rows.windows(2).all(|pair| pair[0] + 1 == pair[1]), "slot {number} is torn");
        }
    }
    for name in &names {
        let row = archive.find_listed(name.to_uppercase().as_bytes()).unwrap();
        assert_eq!(archive.payload(row), Some(name.as_bytes()));
        assert!(rows[&slot(name.as_bytes()).unwrap()].contains(&row));
    }
    assert_eq!(archive.find(b"nobody"), None);
}

#[test]
fn what_the_table_does_not_list_is_found_among_the_rows() {
    let file = case("toc-order");
    let archive = Archive::open(&file).unwrap();
    assert_eq!((archive.find_listed(b"abd"), archive.find(b"abd")), (None, Some(2)));
    let file = case("names");
    let archive = Archive::open(&file).unwrap();
    assert_eq!((archive.find(b"z"), archive.find(b"A B"), archive.find(b"")), (Some(5), Some(4), Some(3)));
}

#[test]
fn of_equal_names_the_first_is_found() {
    let file = case("duplicate");
    assert_eq!(Archive::open(&file).unwrap().find(b"aBc"), Some(0));
}
