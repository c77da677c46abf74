//! Archives for the laws, from plain to absurd, and edits. All made without our writer.

use galvani_parkan::nres::{Attribute, Name, NewEntry};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::raw::{RawArchive, RawRecord, number, room};

/// An archive of some kind, of at most `most` entries.
pub fn archive(most: usize) -> impl Strategy<Value = RawArchive> {
    let layout = prop_oneof![placed(most), overlapping(most), wild(most)];
    let version = prop_oneof![9 => Just(0x100), 1 => any::<u32>()];
    let tail = prop_oneof![4 => Just(Vec::new()), 1 => vec(byte(), 1..80)];
    (layout, version, tail, slots()).prop_map(|(layout, version, tail, slots)| {
        let (data, records) = layout;
        let mut archive = RawArchive { version, data, records, tail };
        slots.fill(&mut archive);
        archive
    })
}

type Layout = (Vec<u8>, Vec<RawRecord>);

/// Payloads one after the other with gaps of any bytes, the directory in an order of its own.
fn placed(most: usize) -> BoxedStrategy<Layout> {
    let part = (record(), vec(byte(), 0..20), gap());
    (gap(), vec(part, 0..=most), any::<bool>())
        .prop_map(|(lead, parts, aligned)| {
            let mut data = lead;
            let mut records = Vec::new();
            for (record, payload, gap) in parts {
                if aligned {
                    data.resize(data.len().next_multiple_of(8), 0);
                }
                let (data_offset, size) = (number(16 + data.len()), number(payload.len()));
                records.push(RawRecord { size, data_offset, ..record });
                data.extend(payload);
                data.extend(gap);
            }
            (data, records)
        })
        .prop_flat_map(|(data, records)| {
            let shuffled = Just(records.clone()).prop_shuffle();
            (Just(data), prop_oneof![Just(records), shuffled])
        })
        .boxed()
}

/// Every payload somewhere in the same few bytes: apart, partial, whole, nested, empty.
fn overlapping(most: usize) -> BoxedStrategy<Layout> {
    (vec(byte(), 0..120), vec((record(), any::<Index>(), any::<Index>()), 0..=most))
        .prop_map(|(data, claims)| {
            let records = claims.into_iter().map(|(record, a, b)| {
                let (a, b) = (a.index(data.len() + 1), b.index(data.len() + 1));
                let (data_offset, size) = (number(16 + a.min(b)), number(a.abs_diff(b)));
                RawRecord { size, data_offset, ..record }
            });
            let records = records.collect();
            (data, records)
        })
        .boxed()
}

/// Records that point anywhere, mostly near the data.
fn wild(most: usize) -> BoxedStrategy<Layout> {
    let place = || prop_oneof![8 => 0..200_u32, 1 => any::<u32>(), 1 => select(vec![15, 16, u32::MAX])];
    let claim = (record(), place(), place());
    (vec(byte(), 0..150), vec(claim, 0..=most))
        .prop_map(|(data, claims)| {
            let records = claims.into_iter().map(|(record, data_offset, size)| RawRecord {
                size,
                data_offset,
                ..record
            });
            (data, records.collect())
        })
        .boxed()
}

/// What the slots of the sort table hold.
#[derive(Debug, Clone)]
enum Slots {
    /// What is right.
    Right,
    /// The right table backwards: every entry once, in the wrong order.
    Backwards,
    /// Any entry, some twice.
    AnyEntry(Vec<Index>),
    /// Any number.
    AnyNumber(Vec<u32>),
}

fn slots() -> impl Strategy<Value = Slots> {
    prop_oneof![
        3 => Just(Slots::Right),
        1 => Just(Slots::Backwards),
        1 => vec(any::<Index>(), 1..20).prop_map(Slots::AnyEntry),
        1 => vec(any::<u32>(), 1..20).prop_map(Slots::AnyNumber),
    ]
}

impl Slots {
    fn fill(&self, archive: &mut RawArchive) {
        archive.sort();
        let count = archive.records.len();
        let right: Vec<u32> = archive.records.iter().map(|record| record.sort_index).collect();
        for (i, record) in archive.records.iter_mut().enumerate() {
            record.sort_index = match self {
                Slots::Right => right[i],
                Slots::Backwards => right[count - 1 - i],
                Slots::AnyEntry(indices) => number(indices[i % indices.len()].index(count)),
                Slots::AnyNumber(numbers) => numbers[i % numbers.len()],
            };
        }
    }
}

/// A record without a payload.
fn record() -> impl Strategy<Value = RawRecord> {
    (any::<[u32; 3]>(), 0..4_u32, name()).prop_map(|([attr1, attr2, attr3], type_id, name)| RawRecord {
        type_id,
        attr1,
        attr2,
        size: 0,
        attr3,
        name,
        data_offset: 16,
        sort_index: 0,
    })
}

/// Names that meet each other often, and all the odd ones.
pub fn name() -> impl Strategy<Value = [u8; 36]> {
    let tailed = (short_name(), vec(any::<u8>(), 36)).prop_map(|(text, tail)| {
        let mut name = room(&text);
        name[text.len() + 1..].copy_from_slice(&tail[text.len() + 1..]);
        name
    });
    prop_oneof![
        8 => short_name().prop_map(|text| room(&text)),
        2 => good_name().prop_map(|name| name.0),
        1 => Just([0; 36]),
        1 => vec(1..=255_u8, 36).prop_map(|text| room(&text)),
        1 => tailed,
    ]
}

/// A name that an edit may give.
pub fn good_name() -> impl Strategy<Value = Name> {
    let any_name = vec(1..=255_u8, 1..=35);
    prop_oneof![4 => short_name(), 1 => any_name].prop_map(|text| Name::new(&text).unwrap())
}

/// Few letters in both cases, what stands around them in ASCII, and bytes beyond it.
fn short_name() -> impl Strategy<Value = Vec<u8>> {
    vec(select(b"aAbBzZ_.[`{1@\xe0\xff".to_vec()), 1..4)
}

/// Nothing, zeros, or anything.
fn gap() -> impl Strategy<Value = Vec<u8>> {
    let zeros = (0..17_usize).prop_map(|len| vec![0; len]);
    prop_oneof![3 => Just(Vec::new()), 2 => zeros, 2 => vec(byte(), 0..17)]
}

/// Zeros are what gaps and padding are about.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![1 => Just(0), 2 => any::<u8>()]
}

/// One edit; places are settled when it is made.
#[derive(Debug, Clone)]
pub enum Edit {
    Insert(Index, NewEntry, Vec<u8>),
    Remove(Index),
    Replace(Index, Vec<u8>),
    Rename(Index, Name),
    Reorder(Index, Index),
    Set(Index, Attribute, u32),
    RebuildSortTable,
    MakeCanonical,
}

/// Any edit. Canonical layout is rare, for it ends what is odd about an archive.
pub fn edit() -> impl Strategy<Value = Edit> {
    let attribute = select(vec![Attribute::TypeId, Attribute::Attr1, Attribute::Attr2, Attribute::Attr3]);
    let index = any::<Index>;
    prop_oneof![
        6 => (index(), new_entry(), vec(byte(), 0..20))
            .prop_map(|(i, entry, bytes)| Edit::Insert(i, entry, bytes)),
        4 => index().prop_map(Edit::Remove),
        6 => (index(), vec(byte(), 0..20)).prop_map(|(i, bytes)| Edit::Replace(i, bytes)),
        3 => (index(), good_name()).prop_map(|(i, name)| Edit::Rename(i, name)),
        4 => (index(), index()).prop_map(|(from, to)| Edit::Reorder(from, to)),
        2 => (index(), attribute, any::<u32>()).prop_map(|(i, attribute, to)| Edit::Set(i, attribute, to)),
        1 => Just(Edit::RebuildSortTable),
        1 => Just(Edit::MakeCanonical),
    ]
}

fn new_entry() -> impl Strategy<Value = NewEntry> {
    (any::<[u32; 4]>(), good_name()).prop_map(|([type_id, attr1, attr2, attr3], name)| NewEntry {
        type_id,
        attr1,
        attr2,
        attr3,
        name,
    })
}
