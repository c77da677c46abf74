//! Damaged models: cut at every byte, every word overwritten, the malformed cases that other readers accept
//! (docs/formats/mdx.md#damage), and models made to be costly.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use std::time::{Duration, Instant};

use common::make::{KINDS, Make};
use common::raw::{bytes, chunk, file, head, modl_warcraft, modl_wow, node, sized, vers};
use common::{case, cases, found, report, strictly};
use galvani_core::{Severity, Strictness};
use galvani_mdx::{read, write};
use galvani_testkit::{reads_or_refuses, truncations, word_damage};

/// Whether a file reads; if so it must come back, and if not say why.
fn reads(file: &[u8], strictness: Strictness) -> bool {
    let options = strictly(strictness);
    reads_or_refuses("mdx", file, |file| read(file, &options), write).is_some()
}

/// Whether something cannot be read, or is reported as an error with a place.
fn is_told(file: &[u8]) -> bool {
    match read(file, &strictly(Strictness::Tolerant)) {
        Err(_) => true,
        Ok(found) => report(&found)
            .findings()
            .iter()
            .any(|finding| finding.severity == Severity::Error && finding.offset.is_some()),
    }
}

/// Where the chunks of a file end.
fn boundaries(file: &[u8]) -> Vec<usize> {
    let mut ends = vec![4];
    while let Some(size) = file.get(ends[ends.len() - 1] + 4..ends[ends.len() - 1] + 8) {
        let size = usize::try_from(u32::from_le_bytes(size.try_into().unwrap())).unwrap();
        ends.push(ends[ends.len() - 1] + 8 + size);
    }
    ends
}

#[test]
fn a_model_cut_inside_a_chunk_is_told_and_at_a_boundary_it_reads() {
    let plain = ["plain-warcraft", "plain-wow", "plain-1500", "plain-900"].map(case);
    for file in &plain {
        let ends = boundaries(file);
        assert_eq!(ends.last(), Some(&file.len()));
        for cut in truncations(file) {
            let whole = ends.contains(&cut.len());
            assert_eq!(reads(cut, Strictness::Tolerant), cut.len() >= 4, "cut at {}", cut.len());
            // Up to three bytes of a tag, or one whose bytes are all zero: never here.
            assert_eq!(reads(cut, Strictness::Strict), whole, "cut at {}", cut.len());
            assert!(whole || is_told(cut), "cut at {}", cut.len());
        }
    }
}

#[test]
fn made_models_cut_anywhere_are_told() {
    for kind in KINDS {
        let file = Make::new(*kind, 7, 2).model();
        let ends = boundaries(&file);
        for cut in truncations(&file).step_by(7).filter(|cut| !ends.contains(&cut.len())) {
            assert!(is_told(cut), "{kind:?} cut at {}", cut.len());
        }
    }
}

#[test]
fn a_model_with_any_word_damaged_comes_back_or_is_refused() {
    let mut outcomes = [0_u32; 2];
    for (name, file) in cases().into_iter().filter(|(_, file)| file.len() < 10_000) {
        // Most cases are a plain model with a few other bytes.
        let step = if name.starts_with("plain") { 1 } else { 61 };
        word_damage(&file, |at, damaged| {
            if at % step == 0 {
                let tolerant = reads(damaged, Strictness::Tolerant);
                let strict = read(damaged, &strictly(Strictness::Strict)).is_ok();
                assert!(tolerant || !strict, "strictness read more");
                outcomes[usize::from(strict)] += 1;
            }
        });
    }
    let [refused, read] = outcomes;
    assert!(refused > 1_000 && read > 10_000, "{refused} refused, {read} read");
}

#[test]
fn findings_of_damaged_models_have_a_place() {
    for name in ["plain-warcraft", "plain-wow"] {
        let mut seen = 0;
        word_damage(&case(name), |at, damaged| {
            if at % 11 == 0
                && let Ok(found) = read(damaged, &strictly(Strictness::Tolerant))
            {
                for finding in report(&found).findings() {
                    let absent = finding.path.to_string() == "chunks" || finding.path.to_string() == "MODL";
                    let absent = absent || finding.path.to_string() == "PIVT";
                    assert!(finding.offset.is_some() || absent, "{name} at {at}: {finding}");
                    seen += 1;
                }
            }
        });
        assert!(seen > 1_000, "{seen}");
    }
}

/// The size word of the first chunk of a tag.
fn size_of(file: &[u8], tag: &str) -> usize {
    let mut at = 4;
    while &file[at..at + 4] != tag.as_bytes() {
        at += 8 + usize::try_from(u32::from_le_bytes(file[at + 4..at + 8].try_into().unwrap())).unwrap();
    }
    at + 4
}

fn patched(file: &[u8], at: usize, word: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    file
}

#[test]
fn what_other_readers_accept_in_silence_is_told() {
    for file in [case("plain-warcraft"), case("plain-wow")] {
        let size = |tag: &str| {
            let at = size_of(&file, tag);
            (at, u32::from_le_bytes(file[at..at + 4].try_into().unwrap()))
        };
        let (seqs, len) = size("SEQS");
        assert!(is_told(&patched(&file, seqs, len - 1)), "SEQS size off by one");
        for tag in ["SEQS", "MTLS", "TEXS", "GEOS", "BONE", "PIVT", "CLID", "EVTS", "CAMS"] {
            let (at, len) = size(tag);
            assert!(is_told(&patched(&file, at, len - 4)), "{tag} four bytes short");
            assert!(is_told(&patched(&file, at, 0x7fff_ffff)), "{tag} too large");
        }
        let mut bad_magic = file.clone();
        bad_magic[0] = b'X';
        assert!(read(&bad_magic, &strictly(Strictness::Tolerant)).is_err());
        assert!(is_told(&file[..file.len() - 1]), "one byte cut off");
    }
    for name in [
        "interpolation",
        "interpolation-fits",
        "key-count",
        "key-count-one",
        "parent-self",
        "parent-cycle",
        "key-not-finite",
    ] {
        assert!(is_told(&case(name)), "{name}");
    }
}

/// No check of a few hundred kilobytes may take longer, not even unoptimised and on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads, checks and writes a file made to be costly.
fn stands(file: &[u8]) {
    let clock = Instant::now();
    let found = found(file);
    report(&found);
    assert_eq!(write(&found.document).unwrap(), file);
    assert!(clock.elapsed() < PATIENCE, "took {:?}", clock.elapsed());
}

#[test]
fn models_made_to_be_costly_stand() {
    let base =
        |model: Vec<u8>, version, more: Vec<Vec<u8>>| file(&[vec![vers(version), model], more].concat());
    // Chunks of no bytes, tens of thousands.
    stands(&base(modl_wow(), 1300, vec![chunk("ABCD", []); 30_000]));
    stands(&base(modl_warcraft(), 800, vec![chunk("TEXS", []); 30_000]));
    // Sequences that all overlap, and keys that lie in none.
    let rows: Vec<u8> = (0..2_000).flat_map(|i| common::raw::sequence_warcraft("a", i, 100_000).0).collect();
    let keys: Vec<u8> = (0..40_000).flat_map(|_| bytes().i32(-1).f32s(&[1.]).0).collect();
    let track = head("KGAO", 40_000, 1, -1).raw(keys).0;
    let animation = sized(bytes().f32s(&[1.]).u32(0).f32s(&[1., 1., 1.]).i32(0).raw(track));
    stands(&base(modl_warcraft(), 800, vec![chunk("SEQS", rows), chunk("GEOA", animation)]));
    // A chain of parents as long as the file.
    let nodes: Vec<u8> = (0..5_000).flat_map(|i| node("n", i, i + 1, 0, [])).collect();
    stands(&base(modl_warcraft(), 800, vec![chunk("HELP", nodes)]));
    // Empty tracks without end, in a record where every form is tried.
    let empty: Vec<u8> = (0..20_000).flat_map(|_| head("KMTA", 0, 9, -1).0).collect();
    let layer = sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(empty));
    let material = sized(bytes().i32(0).u32(1).raw(layer));
    stands(&base(modl_wow(), 1300, vec![chunk("MTLS", bytes().u32(1).u32(0).raw(material))]));
    // Texture animations of four bytes, and of less than nothing.
    let smallest: Vec<u8> = (0..50_000).flat_map(|_| sized([])).collect();
    stands(&base(modl_warcraft(), 800, vec![chunk("TXAN", smallest)]));
    // Two billion sets of no places.
    let lists = bytes().tag("VRTX").u32(0).tag("NRMS").u32(0).tag("UVAS").u32(0x7fff_ffff);
    let lists = ["PTYP", "PCNT", "PVTX", "GNDX", "MTGC", "MATS", "BIDX", "BWGT"]
        .iter()
        .fold(lists, |lists, tag| lists.tag(tag).u32(0));
    let geoset = sized(lists.raw([0; 12]).raw([0; 28]).u32(0));
    stands(&base(modl_wow(), 1300, vec![chunk("GEOS", bytes().u32(1).raw(geoset))]));
}
