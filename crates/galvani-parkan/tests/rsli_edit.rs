//! Edits of RsLi archives: what they change, what they leave, what they refuse; many in a row beside a plain list.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "common/rsli_reference.rs"]
#[allow(unreachable_pub, dead_code, reason = "shared by tests")]
mod reference;

use galvani_core::ReadOptions;
use galvani_parkan::rsli::{Document, Method, Name, NewEntry, Payload, check, read, write};
use galvani_testkit::{Dice, case, differences};
use proptest::prelude::*;

fn document(file: &[u8]) -> Document {
    read(file, &ReadOptions::default()).unwrap().document
}

fn example(name: &str) -> Document {
    document(&case("rsli", name))
}

fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

fn new(text: &str, method: Method) -> NewEntry {
    NewEntry::new(name(text), method)
}

/// The written document reads back as itself, and as the reference reads it.
fn comes_back(edited: &Document) {
    let file = write(edited).unwrap();
    assert_eq!(&document(&file), edited);
    let contents: Vec<_> = (0..edited.entries.len())
        .map(|i| (edited.entries[i].name.text().to_vec(), edited.content(i).ok()))
        .collect();
    assert_eq!(reference::contents(&file), contents);
}

/// An archive with an entry of every method, under a key.
fn every_method() -> Document {
    let mut made = Document { seed: 0x5eed_1234, ..Document::default() };
    for (i, method) in Method::ALL.into_iter().enumerate() {
        let content = format!("content {i} ").repeat(20);
        made.push(
            new(&format!("{}.TEX", char::from(b'G' - u8::try_from(i).unwrap())), method),
            content.as_bytes(),
        )
        .unwrap();
    }
    made
}

#[test]
fn an_archive_of_every_method_is_good() {
    let made = every_method();
    comes_back(&made);
    assert_eq!(check(&made).findings(), []);
    assert!(made.has_canonical_layout());
    assert_eq!((made.count_again, made.unpacked_total), (7, 7 * 200));
}

#[test]
fn the_same_content_leaves_every_byte() {
    let mut edited = example("plain");
    edited.replace(1, b"ABCABCABC   ").unwrap();
    assert_eq!(edited, example("plain"));
    let mut quirk = example("beyond-end");
    quirk.replace(1, b"hello").unwrap();
    assert_eq!(quirk, example("beyond-end"));
}

#[test]
fn another_content_is_packed_as_the_old_one_was_and_the_others_keep_their_bytes() {
    for index in 0..7 {
        let (before, mut edited) = (every_method(), every_method());
        edited.replace(index, b"something else").unwrap();
        assert_eq!(edited.content(index).unwrap(), b"something else");
        assert_eq!(edited.entries[index].flags, before.entries[index].flags);
        for other in (0..7).filter(|&other| other != index) {
            assert_eq!(edited.packed(other), before.packed(other));
        }
        comes_back(&edited);
        assert_eq!(check(&edited).findings(), []);
    }
}

#[test]
fn replacing_with_as_many_packed_bytes_changes_exactly_those() {
    let (before, mut edited) = (example("plain"), example("plain"));
    edited.replace(0, b"PLAIN").unwrap();
    assert_eq!(differences(&write(&before).unwrap(), &write(&edited).unwrap()), [128, 129, 130, 131, 132]);
}

#[test]
fn packed_bytes_can_be_given_as_they_are() {
    let mut edited = example("plain");
    edited.replace_packed(1, vec![0xff, 1, 2, 3], 3).unwrap();
    assert_eq!(edited.content(1).unwrap(), [1, 2, 3]);
    comes_back(&edited);
}

#[test]
fn names_that_change_their_order_change_keys_and_no_content() {
    let (before, mut edited) = (every_method(), every_method());
    edited.rename(0, name("A0")).unwrap();
    edited.remove(2).unwrap();
    edited.reorder(0, 5).unwrap();
    comes_back(&edited);
    assert_eq!(check(&edited).findings(), []);
    let content = |text: &[u8]| edited.content(edited.find(text).unwrap()).unwrap();
    assert_eq!(content(b"F.TEX"), before.content(1).unwrap());
    assert_eq!(content(b"D.TEX"), before.content(3).unwrap());
    assert_eq!(content(b"B.TEX"), before.content(5).unwrap());
    // What is not under the cipher keeps its packed bytes.
    assert_eq!(edited.packed(edited.find(b"A.TEX").unwrap()), before.packed(6));
}

#[test]
fn keys_of_an_archive_without_a_sort_table_follow_the_names_too() {
    let mut edited = example("unsorted");
    edited.rename(1, name("Z")).unwrap();
    assert_eq!(
        (edited.content(0).unwrap(), edited.content(1).unwrap()),
        (b"hello".to_vec(), b"world".to_vec())
    );
    assert_eq!(
        (edited.entries[0].sort_index, edited.entries[1].sort_index),
        (99, -7),
        "nobody looks at them"
    );
    comes_back(&edited);
    edited.rebuild_sort_table().unwrap();
    assert!(edited.is_presorted());
    comes_back(&edited);
    assert_eq!(check(&edited).findings(), []);
}

#[test]
fn a_method_is_changed_and_the_content_stays() {
    for from in 0..7 {
        for to in Method::ALL {
            let mut edited = every_method();
            edited.set_method(from, to).unwrap();
            assert_eq!(edited.entries[from].method(), Some(to));
            assert_eq!(edited.content(from).unwrap(), every_method().content(from).unwrap());
            comes_back(&edited);
        }
    }
}

#[test]
fn flags_and_unknown_bytes_are_set_alone() {
    let (before, mut edited) = (example("plain"), example("plain"));
    edited.set_flags(1, 0xffff).unwrap();
    edited.set_unknown(1, [1, 2, 3, 4]).unwrap();
    assert_eq!(edited.entries[1].flags, !0x1e0 | 0x40);
    assert_eq!(differences(&write(&before).unwrap(), &write(&edited).unwrap()), [76, 77, 78, 79, 80, 81]);
}

#[test]
fn a_byte_counted_behind_the_end_is_counted_right_when_it_would_be_anothers() {
    let mut edited = example("beyond-end");
    edited.push(new("Z", Method::Stored), b"zz").unwrap();
    assert!(matches!(edited.entries[1].payload, Payload::Held { beyond: false, len: 10, .. }));
    comes_back(&edited);
    let mut kept = example("beyond-end");
    kept.replace(0, b"a longer one").unwrap();
    assert!(matches!(kept.entries[1].payload, Payload::Held { beyond: true, len: 10, .. }));
    comes_back(&kept);
}

#[test]
fn a_payload_that_ends_like_a_trailer_gets_one_behind_it() {
    let mut edited = Document::default();
    edited.push(new("A", Method::Stored), b"AO1234").unwrap();
    assert_eq!(edited.overlay, Some(0));
    comes_back(&edited);
    edited.make_canonical().unwrap();
    assert_eq!((edited.overlay, edited.content(0).unwrap()), (Some(0), b"AO1234".to_vec()));
}

#[test]
fn places_before_the_overlay_are_counted_from_the_start() {
    let mut edited = example("trailer");
    edited.make_canonical().unwrap();
    assert_eq!(edited.overlay, None);
    comes_back(&edited);
    let mut short = example("trailer");
    short.lead.clear();
    assert!(write(&short).is_err());
    short.replace(0, b"AAAA").unwrap();
    assert_eq!(short.overlay, Some(0));
    comes_back(&short);
}

#[test]
fn header_counts_that_were_wrong_stay_until_the_plain_form() {
    let mut edited = example("count-again");
    edited.remove(0).unwrap();
    assert_eq!((edited.count_again, edited.unpacked_total), (7, 1));
    edited.make_canonical().unwrap();
    assert_eq!((edited.count_again, edited.unpacked_total), (2, 17));
    assert_eq!(check(&edited).findings(), []);
}

#[test]
fn shared_payloads_get_their_own_bytes_when_one_changes() {
    for index in 0..3 {
        let (before, mut edited) = (example("payload-overlap"), example("payload-overlap"));
        edited.replace(index, b"own").unwrap();
        for other in 0..3 {
            let wanted = if other == index { b"own".to_vec() } else { before.content(other).unwrap() };
            assert_eq!(edited.content(other).unwrap(), wanted);
        }
        comes_back(&edited);
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let refused = |edit: &dyn Fn(&mut Document) -> Result<(), galvani_core::EditError>, on: &str| {
        let mut edited = example(on);
        let error = edit(&mut edited).unwrap_err();
        assert_eq!(edited, example(on));
        error.to_string()
    };
    let none = "entries[9]: rsli.no-entry: entry 9 of 3";
    assert_eq!(refused(&|archive| archive.remove(9), "plain"), none);
    assert_eq!(refused(&|archive| archive.replace(9, b""), "plain"), none);
    assert_eq!(refused(&|archive| archive.rename(9, name("X")), "plain"), none);
    assert_eq!(refused(&|archive| archive.reorder(0, 9), "plain"), none);
    assert_eq!(refused(&|archive| archive.insert(9, new("X", Method::Stored), b""), "plain"), none);
    assert_eq!(
        refused(&|archive| archive.replace(0, b"new"), "method"),
        "entries[0].flags: rsli.method: 0x0c0 in flags 0x00c0"
    );
    assert_eq!(
        refused(&|archive| archive.set_method(0, Method::Stored), "unpack-short"),
        "payloads[0]: rsli.unpack-short: lzss: 4000 bytes wanted, 12 come of 8"
    );
}

#[test]
fn no_more_entries_than_a_header_can_count() {
    let mut full = Document::default();
    full.push(new("A", Method::Stored), b"").unwrap();
    let entry = full.entries[0].clone();
    full.entries = vec![entry; 32767];
    assert_eq!(full.push(new("B", Method::Stored), b"").unwrap_err().cause.code, &check::TOO_LARGE);
}

/// One edit of an archive and of a plain list of names and contents.
fn edit(dice: &mut Dice, document: &mut Document, model: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>) {
    let text = |dice: &mut Dice| -> Vec<u8> {
        let len = 1 + dice.below(5);
        (0..len).map(|_| b"ABO"[dice.below(3) as usize]).collect()
    };
    let content = |dice: &mut Dice| -> Vec<u8> {
        let len = dice.below(12);
        (0..len).map(|_| b"AO1 "[dice.below(4) as usize]).collect()
    };
    let method = Method::ALL[dice.below(7) as usize];
    let count = u32::try_from(model.len()).unwrap();
    let at = dice.below(count.max(1)) as usize;
    match dice.below(8) {
        0 | 1 => {
            let at = dice.below(count + 1) as usize;
            let (text, content) = (text(dice), content(dice));
            let entry = NewEntry::new(Name::new(&text).unwrap(), method);
            document.insert(at, entry, &content).unwrap();
            model.insert(at, (text, Some(content)));
        }
        _ if model.is_empty() => {}
        2 => {
            document.remove(at).unwrap();
            model.remove(at);
        }
        3 => {
            let content = content(dice);
            if document.replace(at, &content).is_ok() {
                model[at].1 = Some(content);
            }
        }
        4 => {
            let text = text(dice);
            document.rename(at, Name::new(&text).unwrap()).unwrap();
            model[at].0 = text;
        }
        5 => {
            let to = dice.below(count) as usize;
            document.reorder(at, to).unwrap();
            let moved = model.remove(at);
            model.insert(to, moved);
        }
        6 => drop(document.set_method(at, method)),
        _ => drop(document.make_canonical().unwrap()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn many_edits_do_to_an_archive_what_they_do_to_a_list(seed in any::<u64>(), start in 0..7_usize) {
        let cases = ["empty", "plain", "ciphered", "unsorted", "trailer", "payload-overlap", "payload-order"];
        let mut edited = example(cases[start]);
        let mut model = reference::contents(&write(&edited).unwrap());
        let mut dice = Dice(seed);
        for _ in 0..12 {
            edit(&mut dice, &mut edited, &mut model);
            let file = write(&edited).unwrap();
            prop_assert_eq!(&document(&file), &edited);
            prop_assert_eq!(&reference::contents(&file), &model);
        }
    }
}
