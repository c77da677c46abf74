//! Playing: fading, turns of variations, events, clocks, and that none of it allocates.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::float_cmp, reason = "the same numbers must come out, not near ones")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::found;
use common::make::Dice;
use galvani_core::{ReadOptions, Reading, Readings, WantedReading};
use galvani_mdx::edit::set_key;
use galvani_mdx::glam::{Affine3A, Quat, Vec3};
use galvani_mdx::model::{ModelEnd, Sequences};
use galvani_mdx::sample::{
    Animations, Clip, ClockTimes, Crossing, Cursor, GeosetSkin, Influences, NO_SEQUENCE, Player, Poses, Rig,
    Skinned, TOO_MANY, Variations, WindowEdges, animation_name,
};
use galvani_mdx::{Content, Document, read};
use zerocopy::little_endian::{F32, U32};

const STAND: usize = 0;
const WALK: usize = 2;
const DEATH: usize = 3;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

/// The lantern of WoW, its sequences as the document has them.
fn documented() -> Document {
    let readings =
        Readings { all: WantedReading::Auto, topics: vec![("seqs".into(), Reading::Documented.into())] };
    let options = ReadOptions { readings, ..ReadOptions::default() };
    read(&bytes("lantern-wow.mdx"), &options).unwrap().document
}

fn warcraft() -> Document {
    found(&bytes("lantern.mdx")).document
}

/// The lantern of WoW with other numbers in its sequences.
fn wow(change: impl Fn(usize, &mut galvani_mdx::wire::SequenceWow)) -> Document {
    let mut document = found(&bytes("lantern-wow.mdx")).document;
    for chunk in &mut document.chunks {
        if let Content::Sequences(Sequences::Wow(rows)) = &mut chunk.content {
            rows.iter_mut().enumerate().for_each(|(i, row)| change(i, row));
        }
    }
    document
}

/// Numbers from 0 to 1, the same for a seed.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut dice = Dice::new(seed);
    move || f64::from(dice.word()) / 4_294_967_296.0
}

fn never() -> f64 {
    panic!("nobody asked for chance")
}

fn ready(document: &Document) -> Animations {
    Animations::new(document, WindowEdges::Auto).unwrap()
}

fn pose(player: &mut Player<'_>) -> Poses {
    let mut pose = Poses::default();
    player.pose(None, &mut pose);
    pose
}

/// Steps, and what they passed.
fn told(player: &mut Player<'_>, steps: &[f64]) -> Vec<(usize, i32, u64)> {
    let mut told = Vec::new();
    for step in steps {
        player.advance(*step, &mut never, |Crossing { event, time, count }| told.push((event, time, count)));
    }
    told
}

#[test]
fn a_player_shows_what_its_sequence_shows() {
    let document = warcraft();
    let animations = ready(&document);
    let (mut player, mut out) = (Player::new(&animations), Poses::default());
    player.play(WALK).unwrap();
    player.advance(250.0, &mut never, |_| {});
    let clip = Clip::new(&document, Some(WALK), WindowEdges::Auto).unwrap();
    clip.nodes(ClockTimes { time: 250.0, global: 250.0 }, &mut Cursor::default(), &mut out.local);
    Rig::new(&document).place(&mut out, None);
    assert_eq!(pose(&mut player), out);
    assert_eq!(player.sequence(), Some(WALK));
    let error = player.play(4).unwrap_err();
    assert_eq!(error.cause.code, &NO_SEQUENCE);
    let error = player.play_animation("Dance", &mut never).unwrap_err();
    assert_eq!(error.cause.code, &NO_SEQUENCE);
}

#[test]
fn the_old_pose_fades_over_the_blend_time() {
    for (document, blend) in [(warcraft(), 150.0), (wow(|_, row| row.blend_time = U32::new(400)), 400.0)] {
        let animations = ready(&document);
        let mut player = Player::new(&animations);
        player.play(DEATH).unwrap();
        player.advance(1600.0, &mut never, |_| {});
        let old = pose(&mut player);
        assert_ne!(old.local[1].scale, Vec3::ONE, "something to fade from");
        player.play(STAND).unwrap();
        assert_eq!(pose(&mut player).local, old.local);
        player.advance(blend / 4.0, &mut never, |_| {});
        let mut new = Poses::default();
        let clip = Clip::new(&document, Some(STAND), WindowEdges::Auto).unwrap();
        let moment = ClockTimes { time: blend / 4.0, global: 1600.0 + blend / 4.0 };
        clip.nodes(moment, &mut Cursor::default(), &mut new.local);
        for (i, local) in pose(&mut player).local.iter().enumerate() {
            let wanted = new.local[i].translation.lerp(old.local[i].translation, 0.75);
            assert!((local.translation - wanted).length() < 1e-4, "node {i}");
            let wanted = new.local[i].rotation.slerp(old.local[i].rotation, 0.75);
            assert!(local.rotation.angle_between(wanted) < 1e-3, "node {i}");
            let wanted = new.local[i].scale.lerp(old.local[i].scale, 0.75);
            assert!((local.scale - wanted).length() < 1e-5, "node {i}");
        }
        assert_ne!(pose(&mut player).local, new.local);
        player.advance(blend * 0.75, &mut never, |_| {});
        let moment = ClockTimes { time: blend, global: 1600.0 + blend };
        clip.nodes(moment, &mut Cursor::default(), &mut new.local);
        assert_eq!(pose(&mut player).local, new.local);
    }
}

#[test]
fn blend_times_are_those_of_the_reading() {
    // As documented the float at 0x78 is the blend time: the greatest corner's z as observed.
    let document = documented();
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play(STAND).unwrap();
    let old = pose(&mut player);
    player.play(DEATH).unwrap();
    player.advance(2.0, &mut never, |_| {});
    let (fading, mut new) = (pose(&mut player), Poses::default());
    let clip = Clip::new(&document, Some(DEATH), WindowEdges::Auto).unwrap();
    clip.nodes(ClockTimes { time: 2.0, global: 2.0 }, &mut Cursor::default(), &mut new.local);
    assert_ne!(fading.local, new.local);
    assert_ne!(fading.local, old.local);
    player.advance(0.5, &mut never, |_| {});
    clip.nodes(ClockTimes { time: 2.5, global: 2.5 }, &mut Cursor::default(), &mut new.local);
    assert_eq!(pose(&mut player).local, new.local);
}

#[test]
fn a_fade_that_is_cut_short_goes_on_from_what_was_shown() {
    let document = warcraft();
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play(STAND).unwrap();
    player.advance(700.0, &mut never, |_| {});
    player.play(WALK).unwrap();
    player.advance(60.0, &mut never, |_| {});
    let shown = pose(&mut player);
    player.play(DEATH).unwrap();
    assert_eq!(pose(&mut player).local, shown.local);
}

#[test]
fn a_sequence_that_does_not_loop_holds_its_end() {
    let document = warcraft();
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play(DEATH).unwrap();
    player.advance(1599.0, &mut never, |_| {});
    assert!(!player.is_over());
    player.advance(1.0, &mut never, |_| {});
    assert!(player.is_over());
    let end = pose(&mut player);
    player.advance(5000.0, &mut never, |_| {});
    assert_eq!(pose(&mut player).model[..5], end.model[..5]);
    player.play(STAND).unwrap();
    player.advance(1e6, &mut never, |_| {});
    assert!(!player.is_over());
}

#[test]
fn a_sequence_that_loops_shows_its_end_and_only_beyond_it_its_start() {
    let mut document = warcraft();
    // Where first and last key differ, so do start and end.
    let end = document.sequences()[WALK].end();
    let track = "BONE[1].KGTR".parse().unwrap();
    let key = set_key(&mut document, &track, i32::try_from(end).unwrap(), &[9.0, 8.0, 7.0]);
    assert!(key.is_ok());
    let animations = ready(&document);
    let moved = |time: f64| {
        let mut player = Player::new(&animations);
        player.play(WALK).unwrap();
        player.advance(time, &mut never, |_| {});
        pose(&mut player).local[1].translation
    };
    assert_eq!(moved(800.0), Vec3::new(9.0, 8.0, 7.0));
    assert_eq!(moved(1600.0), moved(0.0));
    assert_eq!(moved(930.0), moved(130.0));
    assert_ne!(moved(0.0), moved(800.0));
    let clip = Clip::new(&document, Some(WALK), WindowEdges::Auto).unwrap();
    let mut nodes = Vec::new();
    clip.nodes(ClockTimes { time: 800.0, global: 0.0 }, &mut Cursor::default(), &mut nodes);
    assert_eq!(nodes[1].translation, Vec3::new(9.0, 8.0, 7.0));
}

#[test]
fn the_global_clock_goes_on_when_the_sequence_changes() {
    let document = warcraft();
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    let values = |player: &mut Player<'_>| {
        let mut values = Vec::new();
        player.values(&mut values);
        let rows = animations.clip(STAND).unwrap().properties().iter().zip(values);
        rows.filter(|(property, _)| property.tag == *b"KTAT").map(|(_, value)| value).next().unwrap()
    };
    let still = values(&mut player);
    player.play(STAND).unwrap();
    player.advance(1000.0, &mut never, |_| {});
    let before = values(&mut player);
    player.play(WALK).unwrap();
    assert_eq!(values(&mut player), before);
    assert_ne!(before, still);
    assert_eq!(player.moment(), ClockTimes { time: 0.0, global: 1000.0 });
}

#[test]
fn events_are_told_when_playback_passes_them() {
    let document = warcraft();
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play(WALK).unwrap();
    // Steps at 4800 and 5200 of a walk from 4600 to 5400.
    assert_eq!(told(&mut player, &[199.0]), []);
    assert_eq!(told(&mut player, &[1.0]), [(0, 4800, 1)]);
    assert_eq!(told(&mut player, &[0.0, 1.0, 398.0]), []);
    assert_eq!(told(&mut player, &[1.0, 399.0, 2.0]), [(0, 5200, 1), (0, 4800, 1)]);
    assert_eq!(told(&mut player, &[8000.0]), [(0, 5200, 10), (0, 4800, 10)]);
    player.play(STAND).unwrap();
    assert_eq!(told(&mut player, &[10_000.0]), []);
    assert_eq!(told(&mut player, &[f64::NAN, -5.0, f64::INFINITY]), []);
    assert_eq!(player.moment().time, 10_000.0);
}

/// The walk's events at the ends of its window, and one that runs by the global sequence.
#[test]
fn both_ends_of_a_round_are_passed_at_its_seam() {
    let mut document = warcraft();
    for chunk in &mut document.chunks {
        if let Content::Events(rows) = &mut chunk.content {
            let first = rows.items[0].clone();
            rows.items.push(first);
            let other = rows.items[0].clone();
            rows.items.push(other);
            let mut events = rows.typed_mut().map(|(_, event)| event).collect::<Vec<_>>();
            let [ends, global, missing] = &mut events[..] else { panic!() };
            // A global sequence that is not there stands at its beginning.
            let track = missing.track.as_mut().unwrap();
            (track.times, track.global) = (vec![0, 100], 9);
            ends.track.as_mut().unwrap().times = vec![4600, 5400];
            let track = global.track.as_mut().unwrap();
            (track.times, track.global) = (vec![100], 0);
        }
    }
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play(WALK).unwrap();
    assert_eq!(told(&mut player, &[0.0]), [(0, 4600, 1), (2, 0, 1)]);
    assert_eq!(told(&mut player, &[90.0, 10.0]), [(1, 100, 1)]);
    assert_eq!(told(&mut player, &[690.0, 10.0]), [(0, 5400, 1), (0, 4600, 1)]);
    assert_eq!(told(&mut player, &[2300.0]), [(0, 5400, 2), (0, 4600, 2), (1, 100, 1)]);
}

#[test]
fn the_same_seed_plays_the_same() {
    let document = wow(|_, row| row.replay_max = U32::new(3));
    let animations = ready(&document);
    let run = |seed: u64| {
        let (mut player, mut random) = (Player::new(&animations), random(seed));
        player.play_animation(" stand ", &mut random).unwrap();
        let mut shown = Vec::new();
        for _ in 0..400 {
            player.advance(333.0, &mut random, |_| {});
            shown.push((player.sequence(), player.moment(), pose(&mut player)));
        }
        shown
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

/// How often each sequence is chosen of so many.
fn chosen(variations: &Variations, count: usize) -> Vec<usize> {
    let (mut random, mut sums) = (random(99), vec![0; 4]);
    for _ in 0..count {
        sums[variations.choose(&mut random).unwrap()] += 1;
    }
    sums
}

#[test]
fn wow_chooses_by_frequency() {
    let sums = chosen(&Variations::of_animation(&wow(|_, _| {}), "Stand"), 10_000);
    assert!((7700..8300).contains(&sums[0]) && sums[0] + sums[1] == 10_000, "{sums:?}");
    // All of nothing: each as likely.
    let sums =
        chosen(&Variations::of_animation(&wow(|_, row| row.frequency = F32::new(0.0)), "Stand"), 10_000);
    assert!((4700..5300).contains(&sums[0]), "{sums:?}");
    let broken = wow(|i, row| row.frequency = F32::new(if i == 0 { f32::NAN } else { -1.0 }));
    let sums = chosen(&Variations::of_animation(&broken, "Stand"), 10_000);
    assert!((4700..5300).contains(&sums[0]), "{sums:?}");
    assert_eq!(Variations::of_animation(&wow(|_, _| {}), "Dance").choose(&mut never), None);
}

#[test]
fn warcraft_asks_the_rare_first() {
    // Stand - 2 has rarity 4: six rolls of ten are above it.
    let sums = chosen(&Variations::of_animation(&warcraft(), "STAND"), 10_000);
    assert!((5700..6300).contains(&sums[1]) && sums[0] + sums[1] == 10_000, "{sums:?}");
    let variations = Variations::of_animation(&warcraft(), "Stand");
    let mut rolls = [0.41, 0.5].into_iter();
    assert_eq!(variations.choose(&mut || rolls.next().unwrap()), Some(1));
    let mut rolls = [0.39, 0.5].into_iter();
    assert_eq!(variations.choose(&mut || rolls.next().unwrap()), Some(0));
}

#[test]
fn where_sequences_have_no_names_they_have_ids() {
    let document = documented();
    let name = animation_name(&document, document.sequences()[0]);
    assert_eq!(name, u32::from_le_bytes(*b"Stan").to_string());
    let sums = chosen(&Variations::of_animation(&document, &name), 10_000);
    assert!((4700..5300).contains(&sums[0]) && sums[0] + sums[1] == 10_000, "{sums:?}");
}

#[test]
fn a_variation_is_repeated_as_often_as_it_says_before_another_takes_its_turn() {
    // Only the second Stand is ever chosen, and repeated two or three times.
    let document = wow(|i, row| {
        row.frequency = F32::new(if i == 1 { 1.0 } else { 0.0 });
        (row.replay_min, row.replay_max) = (U32::new(2), U32::new(3));
    });
    let animations = ready(&document);
    for (roll, rounds) in [(0.0, 3.0), (0.99, 4.0)] {
        let mut asked = 0;
        let mut random = || {
            asked += 1;
            roll
        };
        let mut player = Player::new(&animations);
        player.play_animation("Stand", &mut random).unwrap();
        // A round takes 2400 milliseconds. Each turn asks for the variation and for the repetitions.
        player.advance(2400.0 * rounds - 1.0, &mut random, |_| {});
        player.advance(1.0, &mut random, |_| {});
        assert_eq!(player.moment().time, 0.0);
        assert_eq!(asked, 4);
    }
}

/// A lantern whose two Stands have events at their starts and in their middle.
fn ticking() -> Document {
    let mut document = wow(|_, row| (row.replay_min, row.replay_max) = (U32::new(0), U32::new(2)));
    set_events(&mut document, &[0, 500, 2100, 3000]);
    document
}

fn set_events(document: &mut Document, times: &[i32]) {
    for chunk in &mut document.chunks {
        if let Content::Events(rows) = &mut chunk.content {
            rows.typed_mut().next().unwrap().1.track.as_mut().unwrap().times = times.to_vec();
        }
    }
}

/// What a playback came to: events by their moments, what plays, how far it is, and the pose.
#[derive(Debug)]
struct End {
    events: Vec<(i32, u64)>,
    sequence: Option<usize>,
    time: f64,
    poses: Poses,
}

fn run(animations: &Animations, steps: impl Iterator<Item = f64>) -> End {
    let (mut player, mut random, mut sums) = (Player::new(animations), random(5), BTreeMap::new());
    player.play_animation("Stand", &mut random).unwrap();
    for step in steps {
        player.advance(step, &mut random, |told| *sums.entry(told.time).or_default() += told.count);
    }
    let (sequence, time) = (player.sequence(), player.moment().time);
    End { events: sums.into_iter().collect(), sequence, time, poses: pose(&mut player) }
}

#[test]
fn it_does_not_matter_how_time_is_cut_into_steps() {
    let document = ticking();
    let animations = ready(&document);
    let small = run(&animations, (0..3750).map(|_| 16.0));
    let uneven = run(&animations, (0..60).flat_map(|_| [1.0, 899.0, 100.0]));
    let long = run(&animations, [60_000.0].into_iter());
    assert!(small.events.iter().map(|(_, count)| count).sum::<u64>() > 40, "{small:?}");
    for other in [uneven, long] {
        assert_eq!(other.events, small.events);
        assert_eq!((other.sequence, other.time), (small.sequence, small.time));
        for (a, b) in other.poses.model.iter().zip(&small.poses.model) {
            assert!(a.abs_diff_eq(*b, 1e-4));
        }
    }
}

#[test]
fn a_turn_passes_its_last_end_and_not_another_start() {
    // The first Stand alone, once a turn: its event at the start is told once a round.
    let mut document = wow(|i, row| row.frequency = F32::new(if i == 0 { 1.0 } else { 0.0 }));
    set_events(&mut document, &[0, 2000]);
    let animations = ready(&document);
    let (mut player, mut told) = (Player::new(&animations), Vec::new());
    player.play_animation("Stand", &mut || 0.5).unwrap();
    for _ in 0..9 {
        player.advance(1000.0, &mut || 0.5, |crossing| told.push((crossing.time, crossing.count)));
    }
    assert_eq!(told, [(0, 1), (2000, 1), (0, 1), (2000, 1), (0, 1), (2000, 1), (0, 1), (2000, 1), (0, 1)]);
}

#[test]
fn a_very_long_step_ends() {
    let document = warcraft();
    let animations = ready(&document);
    let (mut player, mut rolls) = (Player::new(&animations), 0);
    let mut random = || {
        rolls += 1;
        0.0
    };
    player.play_animation("Stand", &mut random).unwrap();
    player.advance(1e15 + 300.0, &mut random, |_| {});
    assert_eq!(player.moment(), ClockTimes { time: 300.0, global: 1e15 + 300.0 });
    player.advance(200.0, &mut random, |_| {});
    assert_eq!(player.moment().time, 500.0);
    // Two rolls for each of a thousand turns and the first.
    assert_eq!(rolls, 2002);
    assert!(pose(&mut player).model.iter().all(Affine3A::is_finite));
}

#[test]
fn what_was_shown_at_the_end_of_a_turn_is_what_fades() {
    let document = warcraft();
    let animations = ready(&document);
    let mut shown = Vec::new();
    for steps in [&[1900.0, 100.0, 60.0][..], &[1900.0, 160.0], &[2060.0]] {
        let mut player = Player::new(&animations);
        // 0.3 leaves the first Stand to be chosen, 0.9 takes the second.
        player.play_animation("Stand", &mut || 0.3).unwrap();
        for step in steps {
            player.advance(*step, &mut || 0.9, |_| {});
        }
        assert_eq!(player.sequence(), Some(1));
        shown.push(pose(&mut player).local);
    }
    assert_eq!(shown[0], shown[1]);
    assert_eq!(shown[0], shown[2]);
}

#[test]
fn a_variation_that_does_not_loop_stays_and_playing_a_sequence_ends_all_turns() {
    let document = wow(|i, row| row.flags = U32::new(u32::from(i < 2)));
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play_animation("Stand", &mut || 0.0).unwrap();
    player.advance(1e5, &mut never, |_| {});
    assert!(player.is_over());
    let looping = wow(|_, _| {});
    let animations = ready(&looping);
    let mut player = Player::new(&animations);
    player.play_animation("Stand", &mut || 0.0).unwrap();
    player.play(WALK).unwrap();
    player.advance(1e5, &mut never, |_| {});
    assert_eq!(player.sequence(), Some(WALK));
}

#[test]
fn as_documented_nothing_repeats() {
    let mut document = ticking();
    document.seqs = Reading::Documented;
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    let mut asked = 0;
    let name = animation_name(&document, document.sequences()[0]);
    player.play_animation(&name, &mut || 0.0).unwrap();
    let mut random = || {
        asked += 1;
        0.0
    };
    player.advance(4000.0, &mut random, |_| {});
    assert_eq!(asked, 2);
}

#[test]
fn a_documented_blend_time_that_is_no_time_is_none() {
    for corner in [f32::NAN, f32::INFINITY, -3.0] {
        // The greatest corner's z, where the document has the blend time.
        let mut document = wow(|_, row| row.max[2] = F32::new(corner));
        document.seqs = Reading::Documented;
        let animations = ready(&document);
        let mut player = Player::new(&animations);
        player.play(STAND).unwrap();
        player.advance(700.0, &mut never, |_| {});
        player.play(DEATH).unwrap();
        let mut new = Vec::new();
        let clip = animations.clip(DEATH).unwrap();
        clip.nodes(ClockTimes { time: 0.0, global: 700.0 }, &mut Cursor::default(), &mut new);
        assert_eq!(pose(&mut player).local, new, "{corner}");
    }
}

#[test]
fn a_player_goes_by_the_edges_it_was_made_with() {
    let document = warcraft();
    let [wrap, hold] =
        [WindowEdges::Wrap, WindowEdges::Hold].map(|edges| Animations::new(&document, edges).unwrap());
    let at_the_end = |animations: &Animations| {
        let (mut player, mut values) = (Player::new(animations), Vec::new());
        player.play(DEATH).unwrap();
        player.advance(1590.0, &mut never, |_| {});
        player.values(&mut values);
        values
    };
    assert_ne!(at_the_end(&wrap), at_the_end(&hold));
    assert_eq!(at_the_end(&wrap).len(), wrap.properties().len());
}

#[test]
fn the_rarest_is_asked_first_and_one_of_them_is_taken_at_last() {
    let rare = |rarities: [f32; 2]| {
        let mut document = warcraft();
        for chunk in &mut document.chunks {
            if let Content::Sequences(Sequences::Warcraft(rows)) = &mut chunk.content {
                rows[0].rarity = F32::new(rarities[0]);
                rows[1].rarity = F32::new(rarities[1]);
            }
        }
        Variations::of_animation(&document, "Stand")
    };
    let choose = |variations: &Variations, rolls: &[f64]| {
        let mut rolls = rolls.iter().copied();
        let chosen = variations.choose(&mut || rolls.next().unwrap());
        assert_eq!(rolls.next(), None, "every roll was asked for");
        chosen
    };
    // 0.6 is above 5 and 4 of ten, 0.45 only above 4.
    for (rarities, first) in [([4.0, 5.0], 1), ([5.0, 4.0], 0)] {
        let variations = rare(rarities);
        assert_eq!(choose(&variations, &[0.6]), Some(first));
        assert_eq!(choose(&variations, &[0.45, 0.45]), Some(1 - first));
        assert_eq!(choose(&variations, &[0.1, 0.1, 0.9]), Some(1 - first));
    }
    // What is no rarity counts as none.
    assert_eq!(choose(&rare([f32::NAN, -2.0]), &[0.0]), Some(0));
}

#[test]
fn more_sequences_with_tracks_than_fit_a_machine_are_refused() {
    let mut document = warcraft();
    for chunk in &mut document.chunks {
        if let Content::Sequences(Sequences::Warcraft(rows)) = &mut chunk.content {
            let first = rows[0];
            rows.resize(100_000, first);
        }
    }
    let error = Animations::new(&document, WindowEdges::Auto).unwrap_err();
    assert_eq!(error.cause.code, &TOO_MANY);
}

#[test]
fn sequences_without_a_length_stay() {
    let document = wow(|i, row| {
        if i < 2 {
            row.end = row.start;
        }
    });
    let animations = ready(&document);
    let (mut player, mut random) = (Player::new(&animations), random(1));
    player.play_animation("Stand", &mut random).unwrap();
    let sequence = player.sequence();
    for _ in 0..50 {
        player.advance(1000.0, &mut random, |_| {});
        assert_eq!(player.sequence(), sequence);
    }
    assert!(pose(&mut player).model.iter().all(Affine3A::is_finite));
}

#[test]
fn a_model_without_sequences_plays_only_its_global_ones() {
    let mut document = warcraft();
    document.chunks.retain(|chunk| chunk.tag != *b"SEQS");
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    let mut values = Vec::new();
    player.values(&mut values);
    let before = values.clone();
    player.advance(100.0, &mut never, |_| {});
    player.values(&mut values);
    assert_ne!(values, before);
    let resting = pose(&mut player);
    assert!(resting.local.iter().all(|local| local.translation == Vec3::ZERO));
}

#[test]
fn nothing_allocates_once_it_has_run() {
    for document in [warcraft(), wow(|_, row| row.replay_max = U32::new(1))] {
        let animations = ready(&document);
        let rig = Rig::new(&document);
        let skins = GeosetSkin::all(&document, &rig, Influences::Game);
        let mut skinned = vec![Skinned::default(); skins.len()];
        let (mut pose, mut values) = (Poses::default(), Vec::new());
        let (mut player, mut random) = (Player::new(&animations), random(3));
        let camera = Some(Quat::from_rotation_z(1.0));
        let mut run = |player: &mut Player<'_>| {
            for i in 0..300 {
                if i % 50 == 0 {
                    player.play(if i % 100 == 0 { WALK } else { DEATH }).unwrap();
                }
                player.advance(117.0, &mut random, |_| {});
                player.pose(camera, &mut pose);
                player.values(&mut values);
                skins.iter().zip(&mut skinned).for_each(|(skin, out)| skin.apply(&pose.model, out));
            }
        };
        run(&mut player);
        // A new player has room for every sequence; buffers are the caller's.
        let mut player = Player::new(&animations);
        let cost = allocation_counter::measure(|| run(&mut player));
        assert_eq!(cost.count_total, 0, "{cost:?}");
        // Variations take turns without it, too.
        player.play_animation("stand", &mut || 0.3).unwrap();
        let cost = allocation_counter::measure(|| {
            for _ in 0..300 {
                player.advance(117.0, &mut || 0.5, |_| {});
            }
        });
        assert_eq!(cost.count_total, 0, "{cost:?}");
    }
}

#[test]
fn a_blend_time_of_the_model_that_is_not_there_is_none() {
    let mut document = warcraft();
    for chunk in &mut document.chunks {
        if let Content::Model(model) = &mut chunk.content
            && let ModelEnd::Warcraft(end) = &mut model.end
        {
            end.blend_time = U32::new(0);
        }
    }
    let animations = ready(&document);
    let mut player = Player::new(&animations);
    player.play(STAND).unwrap();
    player.advance(500.0, &mut never, |_| {});
    player.play(WALK).unwrap();
    let mut new = Poses::default();
    let moment = ClockTimes { time: 0.0, global: 500.0 };
    animations.clip(WALK).unwrap().nodes(moment, &mut Cursor::default(), &mut new.local);
    assert_eq!(pose(&mut player).local, new.local);
}
