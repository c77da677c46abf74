//! Damaged models: cut at every byte, every word overwritten, and models made to be costly.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh.rs"]
mod common;

use std::time::{Duration, Instant};

use common::raw::{RawStream, archive, number, table};
use common::{case, cases, found, report, strictly};
use galvani_core::{Reading, Readings, Strictness, WantedReading};
use galvani_parkan::msh::{check, read, view, write};
use galvani_parkan::nres::Archive;
use galvani_testkit::{reads_or_refuses, truncations, word_damage};

/// Whether a file reads; if so it must come back with every finding in its place, and if not say why.
fn reads(file: &[u8], strictness: Strictness) -> bool {
    let options = strictly(strictness);
    let found = reads_or_refuses("msh", file, |file| read(file, &options), write);
    found.inspect(|found| drop(report(found, file))).is_some()
}

#[test]
fn a_model_cut_anywhere_is_refused() {
    for (name, file) in cases() {
        assert!(
            Archive::open(&file).is_ok_and(|archive| archive.tail().is_empty())
                || !reads(&file, Strictness::Tolerant)
        );
        for cut in truncations(&file) {
            for strictness in [Strictness::Tolerant, Strictness::Strict] {
                assert!(!reads(cut, strictness), "{name} cut at {}", cut.len());
            }
        }
    }
}

#[test]
fn a_model_with_any_word_damaged_comes_back_or_is_refused() {
    let mut outcomes = [0_u32; 2];
    for (name, file) in cases() {
        // Most cases are the plain model with a few other bytes.
        let step = if ["plain", "documented", "entangled"].contains(&name.as_str()) { 1 } else { 5 };
        word_damage(&file, |at, damaged| {
            if at % step == 0 {
                let tolerant = reads(damaged, Strictness::Tolerant);
                let strict = reads(damaged, Strictness::Strict);
                assert!(tolerant || !strict, "strictness read more");
                outcomes[usize::from(tolerant)] += 1;
            }
        });
    }
    let [refused, read] = outcomes;
    assert!(refused > 100 && read > 10_000, "{refused} refused, {read} read");
}

/// No check of a few hundred kilobytes may take longer, not even unoptimised and on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// Checks a file made to be costly; the codes found.
fn stands(streams: &[RawStream]) -> Vec<&'static str> {
    let file = archive(streams);
    let clock = Instant::now();
    let found = found(&file, Reading::Observed);
    let told = report(&found, &file);
    assert!(clock.elapsed() < PATIENCE, "took {:?}", clock.elapsed());
    told.findings().iter().map(|finding| finding.code.name).collect()
}

/// Records of one kind over and over.
fn repeated(id: u32, count: usize, record: &[u8]) -> RawStream {
    table(id, record.len(), &record.repeat(count))
}

fn batch(count: u16, start: u32) -> Vec<u8> {
    [&[0; 8][..], &count.to_le_bytes(), &start.to_le_bytes(), &[0; 6]].concat()
}

fn node(parent: u16, map: u16, fallback: u16, slot: u16) -> Vec<u8> {
    let words = [[0, parent, map, fallback].as_slice(), &[slot; 15]].concat();
    words.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn slots(count: usize, slot: [u16; 4]) -> RawStream {
    let head: Vec<u8> = slot.into_iter().flat_map(u16::to_le_bytes).collect();
    let record = [&head[..], &[0; 60]].concat();
    let bytes = [&[0; 140][..], &record.repeat(count)].concat();
    RawStream { id: 2, attr: [number(count), 0, 68], bytes }
}

#[test]
fn batches_that_all_draw_everything_cost_no_more_than_their_file() {
    let codes = stands(&[
        repeated(3, 60_000, &[0; 12]),
        repeated(6, 65_535, &[1, 0]),
        repeated(13, 20_000, &batch(65_535, 0)),
    ]);
    assert!(codes.contains(&check::ENTANGLED.name), "{codes:?}");
    assert!(!codes.contains(&check::VERTEX_RANGE.name), "{codes:?}");
}

#[test]
fn the_highest_index_is_found_in_entangled_batches_too() {
    let mut indices = [1, 0].repeat(65_535);
    indices[40_000 * 2] = 9;
    let codes =
        stands(&[repeated(3, 9, &[0; 12]), table(6, 2, &indices), repeated(13, 20_000, &batch(65_535, 0))]);
    assert!(codes.contains(&check::VERTEX_RANGE.name), "{codes:?}");
}

#[test]
fn nodes_that_all_have_all_batches_cost_no_more_than_their_file() {
    let codes = stands(&[
        repeated(1, 10_000, &node(0xffff, 0xffff, 0, 0)),
        slots(1, [0, 0, 0, 60_000]),
        repeated(3, 3, &[0; 12]),
        repeated(6, 3, &[1, 0]),
        repeated(13, 60_000, &batch(0, 0)),
        repeated(8, 1, &[0; 24]),
    ]);
    assert!(codes.contains(&check::ENTANGLED.name), "{codes:?}");
}

#[test]
fn nodes_with_all_frames_each_cost_no_more_than_their_file() {
    let mut map = repeated(19, 60_000, &[0, 0]);
    map.attr[1] = 60_000;
    let codes = stands(&[repeated(1, 20_000, &node(0xffff, 0, 9, 0xffff)), repeated(8, 10, &[0; 24]), map]);
    assert!(codes.contains(&check::ENTANGLED.name), "{codes:?}");
}

#[test]
fn fallbacks_that_go_back_and_forth_cost_no_more_than_their_file() {
    let pair = [node(0xffff, 0xffff, 0, 0xffff), node(0xffff, 0xffff, 59_999, 0xffff)].concat();
    let codes = stands(&[table(1, 38, &pair.repeat(10_000)), repeated(8, 60_000, &[0; 24])]);
    assert!(codes.contains(&check::KEY_TIMES.name), "{codes:?}");
}

#[test]
fn a_long_chain_of_parents_costs_no_more_than_its_file() {
    let chain = (1..=50_000_u16).flat_map(|parent| node(parent % 50_000, 0xffff, 0, 0xffff));
    let codes = stands(&[table(1, 38, &chain.collect::<Vec<u8>>())]);
    let cycles = codes.iter().filter(|&&code| code == check::PARENT_CYCLE.name).count();
    assert_eq!(cycles, 1, "{codes:?}");
}

#[test]
fn labels_without_nodes_cost_no_more_than_their_file() {
    let labels = RawStream { id: 10, attr: [0; 3], bytes: vec![0; 4_000_000] };
    let file = archive(&[labels]);
    let found = found(&file, WantedReading::Auto);
    assert!(found.map.regions().len() < 100);
    assert_eq!(found.document.model().labels.unwrap().rows.len(), 1_000_000);
}

#[test]
fn attributes_that_promise_the_world_are_only_compared() {
    let mut streams: Vec<RawStream> = (1..=20).map(|id| table(id, 4, &[0xff; 8])).collect();
    for stream in &mut streams {
        stream.attr = [u32::MAX; 3];
    }
    let codes = stands(&streams);
    assert!(codes.contains(&check::ATTR1.name) && codes.contains(&check::HALLWAYS_SIZE.name), "{codes:?}");
}

#[test]
fn every_circle_of_parents_is_found_once() {
    let parents = [1_u16, 0, 3, 4, 2, 5, 5, 0xffff, 7];
    let nodes: Vec<u8> = parents.into_iter().flat_map(|parent| node(parent, 0xffff, 0, 0xffff)).collect();
    let file = archive(&[table(1, 38, &nodes)]);
    let model = view(&file, &Readings::default()).unwrap();
    let told = check::model(&model);
    let cycle = told.findings().iter().find(|finding| finding.code == &check::PARENT_CYCLE).unwrap();
    let paths: Vec<String> = cycle.more.iter().map(|spot| spot.path.to_string()).collect();
    assert_eq!(cycle.path.to_string(), "nodes[0].parent");
    assert_eq!(paths, ["nodes[2].parent", "nodes[5].parent"]);
}

#[test]
fn a_stream_whose_payload_is_outside_is_missing_and_the_archive_says_why() {
    let mut file = case("plain");
    let record = file.len() - 64 * 12 + 56;
    file[record..record + 4].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    let found = found(&file, WantedReading::Auto);
    let codes: Vec<&str> = report(&found, &file).findings().iter().map(|finding| finding.code.name).collect();
    assert!(
        codes.contains(&"nres.payload-past-directory") && codes.contains(&check::MISSING.name),
        "{codes:?}"
    );
    let error = read(&file, &strictly(Strictness::Strict)).unwrap_err();
    assert_eq!(error.cause.code, &check::FRAME);
    assert!(error.cause.message.starts_with("nres.payload-past-directory: "), "{error}");
}
