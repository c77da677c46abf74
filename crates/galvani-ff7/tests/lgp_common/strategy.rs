//! Archives for the laws, from plain to absurd. All made without our writer.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::raw::{RawArchive, RawRow, number, number_16, record, room, tables};

/// An archive of some kind, of at most `most` entries.
pub fn archive(most: usize) -> impl Strategy<Value = RawArchive> {
    let magic = prop_oneof![9 => Just(*b"\0\0SQUARESOFT"), 1 => any::<[u8; 12]>()];
    (prop_oneof![3 => placed(most), 1 => wild(most)], magic, slots()).prop_map(
        |(mut archive, magic, slots)| {
            archive.magic = magic;
            slots.fill(&mut archive);
            archive
        },
    )
}

/// Records one after the other with gaps of any bytes, shared by some rows, the rows in an order of their own.
fn placed(most: usize) -> BoxedStrategy<RawArchive> {
    let part = (name(), name(), any::<bool>(), vec(byte(), 0..20), gap());
    let sharer = (name(), any::<Index>());
    (conflicts(), gap(), vec(part, 0..=most), vec(sharer, 0..=most.min(3)), ending(), any::<bool>())
        .prop_map(|(conflicts, lead, parts, sharers, ending, has_sharers)| {
            let sharers = if has_sharers && !parts.is_empty() { sharers } else { Vec::new() };
            let count = parts.len() + sharers.len();
            let mut rest = conflicts;
            rest.extend(lead);
            let mut rows = Vec::new();
            for (name, other, same, bytes, gap) in parts {
                rows.push(row(name, tables(count) + rest.len()));
                rest.extend(record(if same { name } else { other }, &bytes));
                rest.extend(gap);
            }
            let own = rows.len();
            for (name, with) in sharers {
                let offset = rows[with.index(own)].offset;
                rows.push(RawRow { offset, ..row(name, 0) });
            }
            rest.extend(ending);
            RawArchive { magic: [0; 12], rows, lookup: vec![[0, 0]; 900], rest }
        })
        .prop_flat_map(|archive| {
            let rows = archive.rows.clone();
            let shuffled = Just(rows.clone()).prop_shuffle();
            (Just(archive), prop_oneof![Just(rows), shuffled], vec((0..3_u16, check()), 8))
        })
        .prop_map(|(mut archive, mut rows, odd)| {
            for (i, row) in rows.iter_mut().enumerate() {
                (row.conflict, row.check) = odd[i % odd.len()];
            }
            archive.rows = rows;
            archive
        })
        .boxed()
}

/// Rows that point anywhere, mostly near bytes that may be anything, small numbers among them.
fn wild(most: usize) -> BoxedStrategy<RawArchive> {
    let place = prop_oneof![8 => 0..200_u32, 1 => any::<u32>()];
    let rest = vec(prop_oneof![3 => Just(0), 2 => 0..9_u8, 1 => any::<u8>()], 0..180);
    (rest, vec((name(), place, check(), any::<u16>()), 0..=most))
        .prop_map(|(rest, rows)| {
            let base = number(tables(rows.len()));
            let row = |(name, place, check, conflict)| {
                // A few lead into the tables.
                let offset = if place < 190 { base + place } else { place };
                RawRow { name, offset, check, conflict }
            };
            let rows = rows.into_iter().map(row).collect();
            RawArchive { magic: [0; 12], rows, lookup: vec![[0, 0]; 900], rest }
        })
        .boxed()
}

fn row(name: [u8; 20], offset: usize) -> RawRow {
    RawRow { name, offset: number(offset), check: 14, conflict: 0 }
}

fn check() -> impl Strategy<Value = u8> {
    prop_oneof![8 => Just(14), 1 => any::<u8>()]
}

/// A conflict table: mostly empty, some with rows, some that never ends.
fn conflicts() -> impl Strategy<Value = Vec<u8>> {
    let groups = vec(vec(0..6_u16, 0..3), 1..3).prop_map(|groups| {
        let mut bytes = number_16(groups.len()).to_le_bytes().to_vec();
        for rows in groups {
            bytes.extend(number_16(rows.len()).to_le_bytes());
            for index in rows {
                bytes.extend([b'd'; 128]);
                bytes.extend(index.to_le_bytes());
            }
        }
        bytes
    });
    prop_oneof![5 => Just(vec![0, 0]), 3 => groups, 1 => Just(vec![1, 0, 0xff, 0xff])]
}

/// The end as it should be, missing, or with bytes behind it.
fn ending() -> impl Strategy<Value = Vec<u8>> {
    let more = vec(any::<u8>(), 1..30).prop_map(|bytes| [&b"FINAL FANTASY7"[..], &bytes].concat());
    let twice = Just(b"FINAL FANTASY7FINAL FANTASY7".to_vec());
    prop_oneof![4 => Just(b"FINAL FANTASY7".to_vec()), 1 => Just(Vec::new()), 1 => more, 1 => twice]
}

/// What the lookup table holds.
#[derive(Debug, Clone)]
enum Slots {
    /// What is right.
    Right,
    /// What is right, but for some slots.
    Odd(Vec<(usize, [u16; 2])>),
}

fn slots() -> impl Strategy<Value = Slots> {
    let odd = (prop_oneof![0..900_usize, 0..40_usize], [0..6_u16, 0..6_u16]);
    let wild = (0..900_usize, any::<[u16; 2]>());
    prop_oneof![
        2 => Just(Slots::Right),
        1 => vec(odd, 1..8).prop_map(Slots::Odd),
        1 => vec(wild, 1..8).prop_map(Slots::Odd),
    ]
}

impl Slots {
    fn fill(&self, archive: &mut RawArchive) {
        archive.index();
        if let Slots::Odd(odd) = self {
            for &(number, slot) in odd {
                archive.lookup[number] = slot;
            }
        }
    }
}

/// Names that meet each other often, and all the odd ones.
pub fn name() -> impl Strategy<Value = [u8; 20]> {
    let tailed = (short_name(), vec(any::<u8>(), 20)).prop_map(|(text, tail)| {
        let mut name = room(&text);
        name[text.len() + 1..].copy_from_slice(&tail[text.len() + 1..]);
        name
    });
    prop_oneof![
        8 => short_name().prop_map(|text| room(&text)),
        1 => Just([0; 20]),
        1 => vec(1..=255_u8, 20).prop_map(|text| room(&text)),
        1 => tailed,
    ]
}

/// Few characters of every kind that a slot knows, and some that it does not.
pub fn short_name() -> impl Strategy<Value = Vec<u8>> {
    vec(select(b"aAbBzZ_-.09 \xe9".to_vec()), 1..4)
}

/// Nothing, zeros, or anything.
fn gap() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => Just(Vec::new()), 1 => (0..9_usize).prop_map(|len| vec![0; len]), 1 => vec(byte(), 0..17)]
}

fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![1 => Just(0), 2 => any::<u8>()]
}
