//! What once grew with the square of its input, over sizes that double.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a failed step is a failed measurement")]

use std::ffi::OsString;
use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use galvani::formats::{self, Site};
use galvani::fs::{Follow, FreeNames, expand};
use galvani::mdx::{self, edit};
use galvani::parkan::nres;
use galvani::{OpenOptions, ReadOptions, Scrutiny, nested};

/// How many parts there are of each thing.
const SIZES: [u32; 4] = [500, 1000, 2000, 4000];

fn doubled(c: &mut Criterion) {
    let mut group = c.benchmark_group("doubled");
    let folder = tempfile::tempdir().unwrap();
    for count in SIZES {
        let name = format!("{count} parts");
        group.bench_function(BenchmarkId::new("extract namesakes", &name), |b| {
            b.iter(|| {
                let mut names = FreeNames::default();
                (0..count).for_each(|_| drop(black_box(names.take("same"))));
            });
        });
        let file = folder.path().join(format!("{count}.lib"));
        std::fs::write(&file, archive(count)).unwrap();
        let word = [OsString::from(file.join("*"))];
        group.bench_function(BenchmarkId::new("find ARCHIVE-*", &name), |b| {
            b.iter(|| expand(black_box(&word), Follow::No, &OpenOptions::default()).len());
        });
        let moving = mdx::read(&moving(count), &ReadOptions::default()).unwrap().document;
        let track = "BONE[0].KGTR".parse().unwrap();
        group.bench_function(BenchmarkId::new("reduce keys", &name), |b| {
            let reduce = |mut document| edit::reduce(&mut document, &track, 0.01).unwrap();
            b.iter_batched(|| moving.clone(), reduce, BatchSize::LargeInput);
        });
        let file = overlapping(count);
        let format = formats::recognise(&file, None).unwrap();
        group.bench_function(BenchmarkId::new("check overlapping entries", &name), |b| {
            let options = OpenOptions::default();
            b.iter(|| nested::check("a", &Site::NOWHERE, format, &file, &options, Scrutiny::Pedantic));
        });
    }
    group.finish();
}

/// An archive of so many members, all of one name.
fn archive(count: u32) -> Vec<u8> {
    let mut made = nres::Document::default();
    for block in 0..usize::try_from(count).unwrap() {
        made.blocks.push(nres::Block { bytes: b"payload!".to_vec(), gap: Vec::new() });
        made.entries.push(nres::Entry {
            type_id: u32::from_le_bytes(*b"DATA"),
            attr1: 0,
            attr2: 0,
            attr3: 1,
            name: nres::Name::new(b"same").unwrap(),
            payload: nres::Payload::Held { block, start: 0, len: 8 },
            sort_index: 0,
        });
    }
    made.rebuild_sort_table();
    nres::write(&made).unwrap()
}

/// Bytes of the header, and of a row of the directory, which is the last thing in the file.
const HEADER: usize = 16;
const ROW: usize = 64;

/// Where a row says how large a member is, and where it lies.
const SIZE: usize = 12;
const OFFSET: usize = 56;

/// An archive of which all members lie over each other.
fn overlapping(count: u32) -> Vec<u8> {
    let mut file = archive(count);
    let count = usize::try_from(count).unwrap();
    let first = file.len() - count * ROW;
    for i in 0..count {
        for (field, number) in [(SIZE, 8 + i % 2000), (OFFSET, HEADER)] {
            let at = first + i * ROW + field;
            file[at..at + 4].copy_from_slice(&u32::try_from(number).unwrap().to_le_bytes());
        }
    }
    file
}

/// A model of one bone with so many keys (docs/formats/mdx-records.md#bone).
fn moving(keys: u32) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut record = b"bone".to_vec();
    record.resize(80, 0);
    record.extend(words(&[0, u32::MAX, 0x100]));
    record.extend(b"KGTR");
    record.extend(words(&[keys, 1, u32::MAX]));
    for key in 0..keys {
        #[allow(clippy::cast_precision_loss, reason = "keys are few")]
        let at = (key as f32 / 40.0).sin();
        record.extend(words(&[key * 10, at.to_bits(), (at * 2.0).to_bits(), 0]));
    }
    let mut chunk = words(&[u32::try_from(record.len() + 4).unwrap()]);
    chunk.extend(record);
    chunk.extend(words(&[0, u32::MAX]));
    let mut file = b"MDLXVERS".to_vec();
    file.extend(words(&[4, 800]));
    file.extend(b"BONE");
    file.extend(words(&[u32::try_from(chunk.len()).unwrap()]));
    file.extend(chunk);
    file
}

criterion_group!(benches, doubled);
criterion_main!(benches);
