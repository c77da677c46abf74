#![allow(unreachable_pub, reason = "the macros declare for other crates")]

use proptest::prelude::*;

use super::*;
use crate::record::Text;
use zerocopy::little_endian::{F32, U16};

crate::record! {
    /// A toy record.
    pub struct Toy: 12 {
        /// Name.
        pub name: Text<4>,
        /// Two words.
        pub words: [U16; 2],
        /// Weight.
        pub weight: F32,
    }
}

fn text_rows(map: &FileMap, file: &[u8]) -> Vec<String> {
    let mut rows = Vec::new();
    map.rows(file, |row| {
        rows.push(format!("{} {} {} {} {:?}", row.offset, row.len, row.path, row.kind.word(), row.value));
    });
    rows
}

#[test]
fn a_table_is_one_region_and_many_rows() {
    let mut map = FileMap::new(25);
    map.table::<Toy>(Path::named("toys"), 1, 2);
    map.run(Path::named("head"), 0, 1, FieldKind::Raw);
    assert_eq!(map.regions().len(), 2);
    let mut file = vec![9; 25];
    file[1..13].copy_from_slice(&[b'a', 0, 0, 0, 1, 0, 2, 0, 0, 0, 0x80, 0x3f]);
    let rows = text_rows(&map, &file);
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0], "0 1 head raw Bytes([9])");
    assert_eq!(rows[1], "1 4 toys[0].name text Text([97, 0, 0, 0])");
    assert_eq!(rows[2], "5 4 toys[0].words u16 List([Int(1), Int(2)])");
    assert_eq!(rows[3], "9 4 toys[0].weight f32 Float(1.0)");
    assert!(rows[6].starts_with("21 4 toys[1].weight"));
}

#[test]
fn a_path_into_a_table_has_an_offset_by_arithmetic() {
    let mut map = FileMap::new(100);
    map.table::<Toy>(Path::named("toys"), 10, 2);
    map.record::<Toy>(Path::named("header"), 50);
    map.run(Path::named("payloads").index(3), 80, 5, FieldKind::Payload);
    let offset = |path: Path| map.offset_of(&path);
    assert_eq!(offset(Path::named("toys").index(1).field("weight")), Some(30));
    assert_eq!(offset(Path::named("toys").index(1)), Some(22));
    assert_eq!(offset(Path::named("toys")), Some(10));
    assert_eq!(offset(Path::named("toys").index(2)), None);
    assert_eq!(offset(Path::named("toys").index(1).field("colour")), None);
    assert_eq!(offset(Path::named("header").field("words")), Some(54));
    assert_eq!(offset(Path::named("payloads").index(3)), Some(80));
    assert_eq!(offset(Path::named("payloads").index(4)), None);
}

#[test]
fn the_first_claimant_owns_and_later_ones_are_aliases() {
    let mut map = FileMap::new(30);
    map.run(Path::named("a"), 5, 10, FieldKind::Payload);
    map.run(Path::named("b"), 0, 20, FieldKind::Payload);
    map.run(Path::named("c"), 7, 2, FieldKind::Payload);
    let owned: Vec<_> = map.regions().map(|r| (r.path.to_string(), r.start, r.len)).collect();
    assert_eq!(owned, [("a".to_owned(), 5, 10), ("b".to_owned(), 0, 5), ("b".to_owned(), 15, 5)]);
    let aliases: Vec<_> = map.aliases().map(|a| (a.path.to_string(), a.start, a.shared)).collect();
    assert_eq!(aliases, [("b".to_owned(), 0, 10), ("c".to_owned(), 7, 2)]);
    assert_eq!(map.gaps(), [(20, 30)]);
    assert_eq!(map.offset_of(&Path::named("c")), Some(7));
    map.run(Path::named("d"), 18, 6, FieldKind::Payload);
    assert_eq!(map.regions().last().map(|region| region.start), Some(20));
    assert_eq!(map.offset_of(&Path::named("d")), Some(18), "where the claim starts, not the part it owns");
}

proptest! {
    /// Against an array with one owner per byte.
    #[test]
    fn every_byte_has_one_owner(claims in prop::collection::vec((0_usize..70, 0_usize..40), 0..40)) {
        let mut map = FileMap::new(64);
        let mut owners = [None; 64];
        for (i, &(start, len)) in claims.iter().enumerate() {
            map.run(Path::named("claim").index(i), start, len, FieldKind::Raw);
            for owner in owners.iter_mut().take(start + len).skip(start) {
                owner.get_or_insert(i);
            }
        }
        let mut mapped = [None; 64];
        for region in map.regions() {
            prop_assert!(region.len > 0 || claims.iter().any(|&(start, len)| (start, len) == (region.start, 0)));
            for (byte, slot) in mapped.iter_mut().enumerate().skip(region.start).take(region.len) {
                prop_assert!(slot.replace(region.path).is_none(), "byte {byte} owned twice");
            }
        }
        for (byte, owner) in owners.iter().enumerate() {
            prop_assert_eq!(mapped[byte], owner.map(|i| Path::named("claim").index(i)), "byte {}", byte);
        }
        let free: usize = map.gaps().iter().map(|(start, end)| end - start).sum();
        prop_assert_eq!(free, owners.iter().filter(|owner| owner.is_none()).count());
    }
}

/// The same claims one by one, and as a list that a reader made.
fn both_ways(claims: &[(usize, usize)]) -> [FileMap; 2] {
    let (mut one_by_one, mut places, mut list) = (FileMap::new(64), Places::default(), Vec::new());
    for (i, &(start, len)) in claims.iter().enumerate() {
        one_by_one.run(Path::named("claim").index(i), start, len, FieldKind::Raw);
        let place = places.element(PlaceId::ROOT, "claim", i);
        list.push(Claim { place, start, len, shape: Shape::Run(FieldKind::Raw) });
    }
    [one_by_one, FileMap::from_claims(64, places, list)]
}

proptest! {
    #[test]
    fn a_list_of_claims_gives_the_same_map(
        anywhere in prop::collection::vec((0_usize..70, 0_usize..40), 0..10),
        lengths in prop::collection::vec(0_usize..9, 0..10),
    ) {
        let ends = lengths.iter().scan(0, |end, len| { *end += len; Some(*end) });
        let in_order: Vec<_> = lengths.iter().zip(ends).map(|(&len, end)| (end - len, len)).collect();
        for claims in [anywhere, in_order] {
            let [one_by_one, listed] = both_ways(&claims);
            prop_assert_eq!(one_by_one.gaps(), listed.gaps());
            prop_assert_eq!(one_by_one, listed);
        }
    }
}

#[test]
fn a_table_on_bytes_of_others_still_has_its_places() {
    let mut map = FileMap::new(40);
    map.run(Path::named("first"), 0, 15, FieldKind::Raw);
    map.table::<Toy>(Path::named("toys"), 10, 2);
    assert_eq!(map.offset_of(&Path::named("toys").index(1).field("weight")), Some(30));
    assert_eq!(map.offset_of(&Path::named("toys").index(2)), None);
}

#[test]
fn an_empty_claim_inside_another_has_its_place_and_takes_nothing() {
    let mut map = FileMap::new(24);
    map.run(Path::named("empty"), 7, 0, FieldKind::Raw);
    map.table::<Toy>(Path::named("toys"), 0, 2);
    assert_eq!(map.regions().len(), 2);
    assert_eq!(map.offset_of(&Path::named("empty")), Some(7));
    assert_eq!(map.offset_of(&Path::named("toys").index(1).field("weight")), Some(20));
}
