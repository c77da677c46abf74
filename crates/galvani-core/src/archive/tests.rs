use super::*;
use crate::{EditError, codes};

codes! {
    REFUSED = Error, "toy.name-refused", "a name is empty or has a NUL inside", "give another name";
    TOO_LONG = Error, "toy.name-too-long", "a name has no room for its NUL", "give a shorter name";
    LOST = Note, "toy.lost-bytes", "bytes are lost", "nothing";
    NO_ENTRY = Error, "toy.no-entry", "there is no such entry", "name one that is there";
    TOO_LARGE = Error, "toy.too-large", "the archive would be too large", "share bytes";
}

crate::fixed_name! {
    /// A name in its 4 bytes.
    pub struct Name: 4;
    refused: REFUSED;
    too_long: TOO_LONG;
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row(Name, Option<Extent>);

impl Entry for Row {
    fn name(&self) -> &[u8] {
        &self.0.0
    }

    fn extent(&self) -> Option<Extent> {
        self.1
    }

    fn move_to(&mut self, block: usize, start: usize) {
        if let Some(extent) = &mut self.1 {
            *extent = Extent { block, start, end: start + extent.end - extent.start };
        }
    }
}

/// An archive of 4 bytes before its lead and nothing behind its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Toy {
    lead: Vec<u8>,
    blocks: Vec<Block>,
    rows: Vec<Row>,
}

const START: usize = 4;

fn row(block: usize, start: usize, end: usize) -> Row {
    Row(Name(*b"row\0"), Some(Extent { block, start, end }))
}

/// The archive of a file: rows by their first byte and end in it.
fn toy(file: &[u8], ranges: &[(usize, usize)]) -> Toy {
    let mut rows: Vec<Row> = ranges.iter().map(|&(start, end)| row(0, start, end)).collect();
    let mut sorted: Vec<&mut Row> = rows.iter_mut().collect();
    sorted.sort_by_key(place_in_file);
    let (mut lead, mut blocks) = (Vec::new(), Vec::new());
    fill(&mut lead, &mut blocks, &mut sorted, file, START..file.len()).unwrap();
    Toy { lead, blocks, rows }
}

impl Toy {
    fn layout(&self) -> Layout<'_> {
        Layout { start: START, lead: &self.lead, blocks: &self.blocks }
    }

    fn edit(&mut self, align: usize) -> Edit<'_, Row> {
        let Toy { lead, blocks, rows } = self;
        Edit { start: START, align, lead, blocks, entries: rows }
    }

    fn bytes(&self) -> Vec<u8> {
        let blocks = self.blocks.iter().flat_map(|block| [block.bytes.as_slice(), &block.gap]);
        [&b"head"[..], &self.lead].into_iter().chain(blocks).collect::<Vec<_>>().concat()
    }

    fn payload(&self, row: usize) -> Option<&[u8]> {
        bytes_at(&self.blocks, self.rows[row].1?)
    }
}

fn claim(start: usize, end: usize, entry: usize) -> EntryClaim {
    EntryClaim { start, end, entry }
}

#[test]
fn claims_that_share_bytes_are_one_cluster_and_neighbours_are_two() {
    let mut claims = [claim(4, 6, 0), claim(0, 3, 1), claim(2, 4, 2), claim(4, 4, 3)];
    let found: Vec<_> = clusters(&mut claims).map(|(cluster, own)| (cluster, own.to_vec())).collect();
    let wanted = [
        (Cluster { start: 0, end: 4, count: 2 }, vec![claim(0, 3, 1), claim(2, 4, 2)]),
        (Cluster { start: 4, end: 4, count: 1 }, vec![claim(4, 4, 3)]),
        (Cluster { start: 4, end: 6, count: 1 }, vec![claim(4, 6, 0)]),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_file_fills_blocks_and_gaps_and_comes_back() {
    let file = b"headL.aabb..cc!";
    let archive = toy(file, &[(12, 14), (6, 9), (8, 10)]);
    assert_eq!(archive.lead, b"L.");
    assert_eq!(archive.rows, [row(1, 0, 2), row(0, 0, 3), row(0, 2, 4)]);
    assert_eq!(
        [archive.payload(0), archive.payload(1), archive.payload(2)],
        [Some(&b"cc"[..]), Some(b"aab"), Some(b"bb")]
    );
    assert_eq!(archive.bytes(), file);
}

#[test]
fn entries_without_bytes_fill_nothing() {
    let mut entries = [Row(Name(*b"row\0"), None)];
    let (mut lead, mut blocks) = (Vec::new(), Vec::new());
    fill(&mut lead, &mut blocks, &mut entries, b"headlead", START..8).unwrap();
    assert_eq!((lead.as_slice(), blocks.len(), entries[0].1), (&b"lead"[..], 0, None));
}

#[test]
fn blocks_and_gaps_have_their_offsets() {
    let archive = toy(b"headL.aabb..cc!", &[(6, 10), (12, 14)]);
    assert_eq!(archive.layout().positions(), [6, 12, 15]);
    assert_eq!(archive.layout().end(), 15);
    let gaps: Vec<_> = archive.layout().gaps().collect();
    assert_eq!(gaps, [(4, &b"L."[..]), (10, b".."), (14, b"!")]);
    assert_eq!(claims(&archive.rows, &archive.layout().positions()), [claim(6, 10, 0), claim(12, 14, 1)]);
}

#[test]
fn a_new_block_is_aligned_and_moves_those_behind_it() {
    let mut archive = toy(b"headaabb", &[(4, 6), (6, 8)]);
    archive.edit(4).insert(1, b"new".to_vec());
    assert_eq!(archive.bytes(), b"headaa\0\0new\0bb");
    assert_eq!(archive.rows, [row(0, 0, 2), row(2, 0, 2)]);
    archive.edit(1).insert(9, b"end".to_vec());
    assert_eq!(archive.bytes(), b"headaa\0\0new\0bbend");
}

#[test]
fn a_block_of_another_size_keeps_what_follows_aligned() {
    let mut archive = toy(b"headaa\0\0!.bb", &[(4, 6), (10, 12)]);
    archive.edit(4).resize(0, b"aaaaa".to_vec());
    assert_eq!(archive.bytes(), b"headaaaaa\0\0\0!.bb");
    let mut anywhere = toy(b"headaa\0\0!.bb", &[(4, 6), (10, 12)]);
    anywhere.edit(1).resize(0, b"a".to_vec());
    assert_eq!(anywhere.bytes(), b"heada\0\0!.bb");
}

#[test]
fn what_nobody_uses_falls_out_of_a_block() {
    let mut archive = toy(b"headabcdefgh!zz", &[(4, 12), (5, 7), (10, 11), (13, 15)]);
    archive.rows.remove(0);
    assert_eq!(users(&archive.rows, 0).len(), 2);
    archive.edit(1).settle(0);
    assert_eq!(archive.bytes(), b"headbcg!zz");
    assert_eq!(archive.rows, [row(0, 0, 2), row(1, 0, 1), row(2, 0, 2)]);
}

#[test]
fn runs_of_a_settled_block_are_aligned() {
    let mut archive = toy(b"headabcdefghzz", &[(4, 12), (5, 7), (10, 11), (12, 14)]);
    archive.rows.remove(0);
    archive.edit(4).settle(0);
    assert_eq!(archive.bytes(), b"headbc\0\0g\0\0\0zz");
}

#[test]
fn a_block_without_users_goes_away_and_leaves_its_gap() {
    let mut archive = toy(b"headaa!bb", &[(4, 6), (7, 9)]);
    archive.rows.remove(0);
    archive.edit(1).settle(0);
    assert_eq!((archive.bytes(), archive.rows), (b"head!bb".to_vec(), vec![row(0, 0, 2)]));
}

#[test]
fn padding_reaches_the_next_multiple() {
    assert_eq!([padding(0, 8), padding(1, 8), padding(8, 8), padding(5, 1)], [0, 7, 0, 0]);
    assert!(is_padding(6, &[0, 0], 8));
    assert!(!is_padding(6, &[0, 1], 8));
    assert!(!is_padding(6, &[0], 8));
}

#[test]
fn a_name_is_refused_if_empty_with_a_nul_or_without_room_for_one() {
    let refused = |name: &[u8]| Name::new(name).map_err(|EditError { cause }| cause.code);
    assert_eq!(refused(b"abc"), Ok(Name(*b"abc\0")));
    assert_eq!(refused(b""), Err(&REFUSED));
    assert_eq!(refused(b"a\0b"), Err(&REFUSED));
    assert_eq!(refused(b"abcd"), Err(&TOO_LONG));
    assert_eq!(refused(b"abcdefgh"), Err(&TOO_LONG));
    let told = Name::new(b"abcde").map_err(|error| error.cause.message.clone());
    assert_eq!(told.unwrap_err(), "5 bytes, 3 fit beside the NUL");
}

#[test]
fn a_name_shows_its_text_and_its_bytes_where_they_say_more() {
    let name = Name(*b"a\0b\0");
    assert_eq!((name.to_string(), name.text()), ("a".to_owned(), &b"a"[..]));
    assert_eq!(format!("{name:?} {:?}", name.zero_filled()), r#"Name("a" 61006200) Name("a")"#);
}

#[test]
fn an_entry_is_found_in_any_case_of_letters() {
    let rows = [Row(Name(*b"one\0"), None), Row(Name(*b"tWo\0"), None), Row(Name(*b"TWO\0"), None)];
    assert_eq!(find(&rows, b"two"), Some(1));
    assert_eq!(find(&rows, b"tw"), None);
    assert_eq!(entry_at(&rows, 3, &NO_ENTRY).unwrap_err().cause.message, "entry 3 of 3");
}

#[test]
fn unsharing_is_refused_out_of_proportion() {
    assert!(allow_unsharing("payloads", 10, 160, &TOO_LARGE).is_ok());
    let refused = allow_unsharing("payloads", 10, 161, &TOO_LARGE).unwrap_err().cause;
    assert_eq!(refused.message, "overlapping payloads of 10 bytes would become 161 bytes");
}

#[test]
fn only_bytes_that_say_something_are_a_loss() {
    assert!(dropped_bytes([&[0, 0][..], &[]], &LOST).is_none());
    assert_eq!(dropped_bytes([&[0, 1][..], &[0], &[2]], &LOST).unwrap().message, "3 bytes dropped");
    assert!(zeroed_name(0, &Row(Name(*b"a\0\0\0"), None), &LOST).is_none());
    let lost = zeroed_name(7, &Row(Name(*b"a\0b\0"), None), &LOST).unwrap();
    assert_eq!(lost.message, "bytes behind the NUL of `a` zeroed");
    assert_eq!(lost.path.to_string(), "entries[7].name");
}
