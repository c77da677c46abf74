//! What the readings change, what decides between them, and what a survey finds in entries that lie.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "common/pack.rs"]
mod common;

use common::raw::{Bits, Coder, RawEntry, RawFrame, RawPack, padding, payload, short_payload, stream};
use common::{case, found};
use galvani_core::{ReadOptions, Reading, Readings, Report, Scrutiny, Severity, Strictness, WantedReading};
use galvani_ff7::pack::codec::Stop;
use galvani_ff7::pack::{
    AngleKey, Damage, Document, EntryContent, FRAMES, Header, KnownSkeleton, ModelHints, Role, Surveyed,
    WALK, check, edit, read, read_of, survey,
};
use galvani_ff7::skeleton;

/// A clip of so many frames and rotations.
fn clip(frames: i16, rotations: i16) -> Vec<RawFrame> {
    let rotation = |f: i16, b: i16| [16 * (f + b), -16 * f, 64 * b];
    (0..frames)
        .map(|f| RawFrame {
            position: [f, -400, 3 * f],
            rotations: (0..rotations).map(|b| rotation(f, b)).collect(),
        })
        .collect()
}

fn animation(frames: i16, rotations: i16) -> RawEntry {
    RawEntry::animation(&clip(frames, rotations), AngleKey::Four, Coder::Shortest)
}

/// The walk taken for a file by its own evidence, and why.
fn walk(raw: &RawPack) -> (Reading, String) {
    let found = found(&raw.bytes(), WantedReading::Auto);
    assert_eq!(found.readings[0].topic, WALK);
    assert_eq!(found.document.walk, found.readings[0].taken);
    (found.document.walk, found.readings[0].why.clone())
}

/// An empty slot that says 4 and takes so many bytes.
fn slot(len: usize) -> RawEntry {
    RawEntry::empty(2, 4, [&[0x30, 0x1a][..], &vec![0; len - 2]].concat())
}

#[test]
fn the_two_walks_find_different_entries_in_the_same_bytes() {
    let file = RawPack::of(vec![slot(4), animation(3, 2)]).bytes();
    let sizes = |reading| {
        let document = found(&file, reading).document;
        let sizes: Vec<usize> = document.entries.iter().map(|entry| entry.payload.len()).collect();
        (sizes, document.missing)
    };
    let whole = animation(3, 2).payload.len();
    assert_eq!(sizes(Reading::Observed), (vec![4, whole], 0));
    assert_eq!(sizes(Reading::Documented), (vec![8], 1));
}

#[test]
fn a_walk_that_leaves_the_file_is_out() {
    let by_size = RawPack::of(vec![slot(4), animation(3, 2)]);
    let why = "by size it ends with the file, by 8 bytes it leaves the file behind entry 1".to_owned();
    assert_eq!(walk(&by_size), (Reading::Observed, why));
    // The same count of a slot that is stepped over by 8: then the other one leaves.
    let by_eight = RawPack::of(vec![slot(8), slot(8), animation(3, 2)]);
    let (taken, why) = walk(&by_eight);
    assert_eq!(taken, Reading::Documented, "{why}");
    assert!(why.starts_with("by size it leaves the file behind entry "), "{why}");
    // That counts even if the one that stays ends early.
    let early = RawPack { rest: vec![7; 3], ..by_eight };
    assert_eq!(walk(&early).0, Reading::Documented);
}

#[test]
fn of_two_walks_in_the_file_the_one_that_ends_with_it_is_taken() {
    let by_eight = RawPack::of(vec![animation(3, 2), slot(8)]);
    let why = "by size it ends 4 bytes before the file does, by 8 bytes it ends with the file".to_owned();
    assert_eq!(walk(&by_eight), (Reading::Documented, why));
    let by_size = RawPack::of(vec![animation(3, 2), RawEntry::empty(2, 10, vec![1; 10])]);
    let why = "by size it ends with the file, by 8 bytes it ends 2 bytes before the file does".to_owned();
    assert_eq!(walk(&by_size), (Reading::Observed, why));
}

#[test]
fn of_two_walks_that_end_early_the_one_with_more_sound_animations_is_taken() {
    let by_eight = RawPack { rest: vec![0; 9], ..RawPack::of(vec![slot(8), animation(3, 2)]) };
    let (taken, why) = walk(&by_eight);
    assert_eq!(taken, Reading::Documented, "{why}");
    assert!(why.ends_with("sound animations 0 and 1"), "{why}");
    // One byte early, the size of the animation is read as 256 times what it is.
    let nine = RawEntry::empty(2, 9, vec![1; 9]);
    let by_size = RawPack { rest: vec![0; 20_000], ..RawPack::of(vec![nine, animation(3, 2)]) };
    let (taken, why) = walk(&by_size);
    assert_eq!(taken, Reading::Observed, "{why}");
    assert!(why.ends_with("sound animations 1 and 0"), "{why}");
}

#[test]
fn of_two_walks_that_leave_the_file_the_one_with_more_sound_animations_is_taken() {
    let by_eight = RawPack { missing: 9, ..RawPack::of(vec![slot(8), animation(3, 2), animation(3, 2)]) };
    let (taken, why) = walk(&by_eight);
    assert_eq!(taken, Reading::Documented, "{why}");
    // One byte early, the size of the animation is read as 256 times what it is, and that just reaches the end
    // of the file: but a walk that still misses an entry has not ended.
    let entry = animation(3, 2);
    let rest = vec![0xff; 255 * entry.payload.len() - 1];
    let nine = RawEntry::empty(2, 9, vec![1; 9]);
    let (taken, why) = walk(&RawPack { missing: 1, entries: vec![nine, entry], rest });
    assert_eq!(taken, Reading::Observed, "{why}");
    assert!(why.ends_with("sound animations 1 and 0"), "{why}");
}

#[test]
fn where_nothing_tells_the_walks_apart_the_observed_one_is_taken() {
    let either = RawPack { rest: vec![0; 30], ..RawPack::of(vec![slot(4)]) };
    let (taken, why) = walk(&either);
    assert_eq!(taken, Reading::Observed, "{why}");
    assert!(why.ends_with("sound animations 0 and 0"), "{why}");
    let eight = RawPack::of(vec![RawEntry::empty(2, 8, vec![0; 8]), animation(3, 2)]);
    assert_eq!(walk(&eight).0, Reading::Observed);
    let none = RawPack::of(vec![animation(3, 2)]);
    assert_eq!(walk(&none), (Reading::Observed, "no empty slot: both walks are the same".to_owned()));
}

#[test]
fn the_printed_rule_finds_a_frame_of_nonsense_that_the_game_does_not() {
    let file = case("plain");
    for (reading, counts) in [
        (WantedReading::Auto, [3, 3]),
        (Reading::Observed.into(), [3, 3]),
        (Reading::Documented.into(), [4, 3]),
    ] {
        let readings = Readings { all: WantedReading::Auto, topics: vec![(FRAMES.to_owned(), reading)] };
        let document = read(&file, &ReadOptions { readings, ..ReadOptions::default() }).unwrap().document;
        let survey = survey(&document, None);
        // The body's stream ends with a bit of slack, the weapon's with none.
        let frames = [0, 2].map(|i: usize| {
            survey.entries[i].clip().unwrap().frames(&document.entries[i], document.stop()).len()
        });
        assert_eq!(frames, counts, "{reading:?}");
    }
}

#[test]
fn each_topic_is_asked_for_by_itself() {
    let file = RawPack::of(vec![slot(4), animation(3, 2)]).bytes();
    for (topic, wanted) in
        [(WALK, (Reading::Documented, Reading::Observed)), (FRAMES, (Reading::Observed, Reading::Documented))]
    {
        let readings = Readings {
            all: WantedReading::Auto,
            topics: vec![(topic.to_owned(), Reading::Documented.into())],
        };
        let found = read(&file, &ReadOptions { readings, ..ReadOptions::default() }).unwrap();
        assert_eq!((found.document.walk, found.document.frames), wanted, "{topic}");
        let verdict = found.readings.iter().find(|verdict| verdict.topic == topic).unwrap();
        assert_eq!((verdict.taken, &*verdict.why), (Reading::Documented, "asked for"));
    }
}

fn document(entries: Vec<RawEntry>) -> Document {
    found(&RawPack::of(entries).bytes(), Reading::Observed).document
}

/// What the first entry of a pack is.
fn first(entries: Vec<RawEntry>, skeleton: Option<&KnownSkeleton>) -> Surveyed {
    survey(&document(entries), skeleton).entries.remove(0)
}

/// Rotations of every entry that has some.
fn rotations(entries: Vec<RawEntry>, skeleton: Option<&KnownSkeleton>) -> Vec<usize> {
    let survey = survey(&document(entries), skeleton);
    survey.entries.iter().filter_map(Surveyed::clip).map(|clip| clip.rotations).collect()
}

/// Two frames, whether of one rotation (123 bits) or of two (126).
fn both_ways(dw_bones: u32) -> RawEntry {
    let mut bits = Bits::default();
    bits.put(0, 16).put(-400, 16).put(0, 16).put(0x11_22_33, 24);
    bits.text("1").put(300, 16).text("1").put(-32768, 16).text("0 0000000  1000 1000 0");
    let bytes = bits.bytes(0);
    assert_eq!(bytes.len(), 16);
    RawEntry::new(dw_bones, 2, payload(2, 4, &bytes, &padding(5, 16)))
}

/// The same entry under another number of bones.
fn under(dw_bones: u32, entry: RawEntry) -> RawEntry {
    RawEntry { dw_bones, ..entry }
}

#[test]
fn an_animation_that_ends_well_with_two_numbers_of_rotations_has_the_headers() {
    assert_eq!(rotations(vec![both_ways(2)], None), [2]);
    assert_eq!(rotations(vec![both_ways(1)], None), [1]);
    assert_eq!(
        rotations(vec![both_ways(2)], Some(&KnownSkeleton::beside(0, 1))),
        [1],
        "the skeleton goes first"
    );
    assert_eq!(
        rotations(vec![both_ways(1)], Some(&KnownSkeleton::beside(1, 1))),
        [1],
        "of one bone both are common"
    );
}

#[test]
fn entries_of_one_header_vote_on_its_rotations() {
    // As Kimera writes models of one bone: the header says 2, the streams have 1.
    let kimera = |frames| under(2, animation(frames, 1));
    assert_eq!(rotations(vec![both_ways(2), kimera(5), kimera(7)], None), [1, 1, 1]);
    assert_eq!(rotations(vec![both_ways(2), animation(5, 2), animation(7, 2)], None), [2, 2, 2]);
    // One that differs from the others is still read with what it has.
    assert_eq!(
        rotations(vec![both_ways(2), kimera(5), animation(7, 2), animation(8, 2)], None),
        [2, 1, 2, 2]
    );
    // Other headers have no say.
    let others = vec![both_ways(2), under(9, animation(5, 1)), under(9, animation(7, 1))];
    assert_eq!(rotations(others, None), [2, 1, 1]);
}

#[test]
fn a_skeleton_offers_its_bones_and_the_root() {
    let lying = || vec![under(9, animation(4, 4))];
    let skeleton = KnownSkeleton::beside(3, 1);
    assert_eq!(rotations(lying(), Some(&skeleton)), [4]);
    assert!(matches!(first(lying(), Some(&skeleton)).content, EntryContent::Animation(_)));
    assert!(matches!(first(lying(), None).content, EntryContent::Damaged { .. }));
}

#[test]
fn what_somebody_says_about_the_bones_is_all_that_is_tried() {
    let told = |bones| KnownSkeleton::counted(bones);
    assert_eq!(rotations(vec![both_ways(2)], Some(&told(0))), [1]);
    assert_eq!(rotations(vec![under(9, animation(4, 4)), animation(4, 1)], Some(&told(3))), [4, 1]);
    // Not even what its own header says, though it fits.
    assert!(matches!(first(vec![animation(4, 4)], Some(&told(2))).content, EntryContent::Damaged { .. }));
    assert_eq!(rotations(vec![animation(4, 4)], Some(&KnownSkeleton::beside(2, 1))), [4]);
    assert_eq!(rotations(vec![under(2, animation(5, 1)), animation(5, 2)], Some(&told(1))), [1, 2]);
}

#[test]
fn what_is_told_goes_before_the_skeleton_beside_and_that_before_the_header() {
    let file = RawPack::of(vec![under(9, animation(4, 4))]).bytes();
    let bones = |model: ModelHints| {
        let read = read_of(&file, &ReadOptions::default(), model).unwrap();
        let first = survey(&read.document, read.document.skeleton.as_ref()).entries.remove(0);
        (first.kind(), read.document.skeleton.map(|skeleton| skeleton.bones))
    };
    let bone = skeleton::Bone { parent: -1, length: -1.0, has_model: 0 };
    let of = |bones| {
        Some(skeleton::Document { bones: vec![bone; bones], body_animation_count: 1, ..Default::default() })
    };
    let (right, wrong) = (of(3), of(5));
    assert_eq!(bones(ModelHints::default()), ("damaged", None));
    let beside = || ModelHints { beside: right.clone(), ..ModelHints::default() };
    assert_eq!(bones(beside()), ("body", Some(3)));
    let told = ModelHints { named: right.clone(), beside: wrong, bones: None };
    assert_eq!(bones(told), ("body", Some(3)));
    let counted = ModelHints { bones: Some(5), named: right.clone(), beside: None };
    assert_eq!(bones(counted), ("damaged", Some(5)));
    let strict = ReadOptions { strictness: Strictness::Strict, ..ReadOptions::default() };
    assert!(read(&file, &strict).is_err());
    assert!(read_of(&file, &strict, beside()).is_ok());
}

#[test]
fn the_packs_own_word_is_a_guess_unless_all_its_entries_fit_it() {
    let guesses = |entries: Vec<RawEntry>, skeleton: Option<&KnownSkeleton>| {
        let survey = survey(&document(entries), skeleton);
        (0..survey.entries.len()).map(|i| survey.is_guess(i)).collect::<Vec<_>>()
    };
    let cut = || {
        let mut entry = animation(4, 4);
        entry.payload[2] -= 1;
        entry
    };
    assert_eq!(guesses(vec![animation(4, 4), slot(4), animation(4, 1)], None), [false; 3]);
    assert_eq!(guesses(vec![animation(4, 4), cut()], None), [true; 2]);
    assert_eq!(guesses(vec![under(9, animation(4, 1))], None), [true]);
    assert_eq!(guesses(vec![animation(4, 4), cut()], Some(&KnownSkeleton::beside(3, 2))), [false; 2]);
    assert_eq!(guesses(vec![animation(4, 4)], Some(&KnownSkeleton::beside(2, 1))), [true]);
}

/// What anybody is told of a document.
fn told(document: &Document) -> Report {
    check(document, None).seen(Scrutiny::Usual)
}

#[test]
fn as_documented_a_header_may_say_more_frames_than_there_are() {
    let mut long = animation(4, 3);
    long.payload[0] = 9;
    let file = RawPack::of(vec![long, animation(4, 3)]).bytes();
    let mut documented = found(&file, Reading::Documented).document;
    assert_eq!(survey(&documented, None).entries[0].kind(), "body");
    let report = told(&documented);
    let [note] = report.findings() else { panic!("{report:?}") };
    assert_eq!((note.code, note.severity), (&check::FRAME_COUNT, Severity::Note));
    edit::set_position(&mut documented, 0, 0, [5; 3]).unwrap();
    assert_eq!(told(&documented).findings(), [], "an edit sets the count");
    let observed = found(&file, Reading::Observed).document;
    assert_eq!(told(&observed).tally(Severity::Error), 1);
    // Fewer are damage under either reading.
    let mut short = animation(4, 3);
    short.payload[0] = 3;
    let file = RawPack::of(vec![short]).bytes();
    for reading in [Reading::Documented, Reading::Observed] {
        assert_eq!(told(&found(&file, reading).document).tally(Severity::Error), 1);
    }
}

#[test]
fn as_documented_the_frames_played_are_the_least_there_are() {
    let severity = |dw_frames, reading| {
        let file = RawPack::of(vec![RawEntry { dw_frames, ..animation(4, 3) }]).bytes();
        told(&found(&file, reading).document).findings()[0].severity
    };
    assert_eq!(severity(2, Reading::Documented), Severity::Note);
    assert_eq!(severity(9, Reading::Documented), Severity::Warning);
    assert_eq!(severity(2, Reading::Observed), Severity::Warning);
}

#[test]
fn the_weapon_starts_where_the_skeleton_says_or_where_the_bones_drop_to_one() {
    let entries = || vec![animation(3, 2), slot(4), animation(4, 2), animation(3, 1), under(1, slot(4))];
    let document = document(entries());
    let roles = |skeleton: Option<&KnownSkeleton>| {
        let survey = survey(&document, skeleton);
        let weapons = survey.entries.iter().filter(|entry| entry.role == Role::Weapon).count();
        assert_eq!(survey.border(), survey.entries.len() - weapons);
        survey.border()
    };
    assert_eq!(roles(None), 3);
    assert_eq!(roles(Some(&KnownSkeleton::beside(1, 2))), 2);
    assert_eq!(roles(Some(&KnownSkeleton::beside(1, 0))), 0);
    assert_eq!(roles(Some(&KnownSkeleton::beside(1, 99))), 5);
    let kinds: Vec<&str> = survey(&document, None).entries.iter().map(Surveyed::kind).collect();
    assert_eq!(kinds, ["body", "empty", "body", "weapon", "empty"]);
}

#[test]
fn in_a_pack_of_one_rotation_everything_is_the_body() {
    let document = document(vec![animation(3, 1), animation(4, 1)]);
    assert_eq!(survey(&document, None).border(), 2);
    assert_eq!(survey(&document, Some(&KnownSkeleton::beside(1, 1))).border(), 1);
}

#[test]
fn between_the_largest_empty_slot_and_the_smallest_animation_is_damage() {
    let smallest = RawEntry::animation(&clip(1, 1), AngleKey::Four, Coder::Shortest);
    let mut exact = smallest.clone();
    exact.payload.truncate(14);
    exact.dw_chunk_size = 14;
    assert!(matches!(first(vec![exact.clone()], None).content, EntryContent::Animation(_)));
    for size in 0..14 {
        let mut entry = exact.clone();
        entry.payload.truncate(size);
        entry.dw_chunk_size = u32::try_from(size).unwrap();
        let wanted = match size {
            0..11 => EntryContent::Empty,
            _ => EntryContent::Damaged { why: Damage::Short, clip: None },
        };
        assert_eq!(first(vec![entry], None).content, wanted, "{size}");
    }
}

#[test]
fn every_precision_but_three_is_damage() {
    for byte in 0..=255_u8 {
        let mut entry = animation(3, 2);
        entry.payload[4] = byte;
        let content = first(vec![entry], None).content;
        let is_key = [0, 2, 4].contains(&byte);
        assert_eq!(
            content == EntryContent::Damaged { why: Damage::Key(byte), clip: None },
            !is_key,
            "{byte}"
        );
    }
}

#[test]
fn a_stream_cut_anywhere_gives_its_whole_frames() {
    let frames = clip(5, 3);
    let bits = |count: usize| stream(&frames[..count], AngleKey::Four, Coder::Shortest).0.len();
    let bytes = stream(&frames, AngleKey::Four, Coder::Shortest).bytes(0);
    let mut read = 0;
    for cut in bits(1).div_ceil(8)..bytes.len() {
        // In one file sSize is short, in the other it is right and the payload is short.
        for size in [cut, bytes.len()] {
            let mut payload = payload(5, 4, &bytes[..cut], &[]);
            payload[2..4].copy_from_slice(&u16::try_from(size).unwrap().to_le_bytes());
            let document = document(vec![RawEntry::new(3, 5, payload)]);
            let surveyed = survey(&document, None).entries.remove(0);
            let whole = (0..=5).rev().find(|&count| count == 0 || bits(count) <= 8 * cut).unwrap();
            // By chance the bytes may end well with one rotation; that is then what they are.
            let clip = match surveyed.clip() {
                Some(clip) if clip.rotations == 3 => clip,
                _ => continue,
            };
            let EntryContent::Damaged { why, .. } = surveyed.content else { panic!("sound at {cut}") };
            read += 1;
            assert_eq!(clip.engine.frames, whole, "cut at {cut}");
            // With no byte begun behind the last whole frame only the count is wrong.
            let is_cut = bits(whole).div_ceil(8) < size;
            assert_eq!(why, if is_cut { Damage::Cut } else { Damage::FrameCount }, "cut at {cut}");
            let decoded = clip.frames(&document.entries[0], Stop::Engine);
            for (frame, wanted) in decoded.iter().zip(&frames) {
                assert_eq!((frame.position, frame.bones), (wanted.position, &wanted.rotations[..]));
            }
        }
    }
    assert!(read > 40, "{read} streams were read with their rotations");
}

#[test]
fn a_header_without_its_frame_count_is_found_and_read() {
    let frames = clip(9, 22);
    let bytes = stream(&frames, AngleKey::Four, Coder::Shortest).bytes(0x55);
    let document = document(vec![RawEntry::new(22, 1, short_payload(4, &bytes, &padding(3, bytes.len())))]);
    let surveyed = survey(&document, None).entries.remove(0);
    let EntryContent::Damaged { why: Damage::NoFrameCount, clip: Some(clip) } = surveyed.content else {
        panic!("{surveyed:?}")
    };
    assert_eq!((clip.header, clip.engine.frames), (Header::Short, 9));
    for (frame, wanted) in clip.frames(&document.entries[0], Stop::Engine).iter().zip(&frames) {
        assert_eq!((frame.position, frame.bones), (wanted.position, &wanted.rotations[..]));
    }
}

#[test]
fn a_walk_that_leaves_the_file_at_its_only_empty_slot_is_out() {
    let mut file: Vec<u8> = [1_u32, 1, 1, 10].iter().flat_map(|word| word.to_le_bytes()).collect();
    file.extend([0; 8]);
    let found = read(&file, &ReadOptions::default()).unwrap();
    assert_eq!(found.readings[0].taken, Reading::Documented, "{}", found.readings[0].why);
    assert_eq!((found.document.entries.len(), found.document.missing), (1, 0));
}
