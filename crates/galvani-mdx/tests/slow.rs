//! The slow reference of how models move, held against what can be worked out by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use common::found;
use common::make::Dice;
use common::raw::{
    Bytes, bytes, chunk, file, modl_warcraft, node, sequence_warcraft, sequence_wow, sized, vers,
};
use common::slow::{
    Edges, Moment, Node, events, inverse, listed_skin, pose, product, skin, tracks, turned, unit,
};
use galvani_mdx::Document;

const NEAR: f64 = 1e-6;

/// Start, end, and 1 if it does not loop.
type Row = (u32, u32, u8);

const LOOPING: Row = (100, 200, 0);
const ONCE: Row = (100, 200, 1);

fn at(time: f64) -> Moment {
    Moment { time, global: time }
}

/// A track; a key is its time, its value, and tangents behind it if there are any.
fn track(tag: &str, interpolation: u32, global: i32, keys: &[(i32, &[f32])]) -> Bytes {
    let count = u32::try_from(keys.len()).unwrap();
    let head = bytes().tag(tag).u32(count).u32(interpolation).i32(global);
    keys.iter().fold(head, |all, (time, numbers)| all.i32(*time).f32s(numbers))
}

fn seqs(rows: &[Row]) -> Vec<u8> {
    let row = |(start, end, flags): &Row| {
        let mut row = sequence_warcraft("Stand", *start, *end).0;
        row[0x5c] = *flags;
        row
    };
    chunk("SEQS", rows.iter().flat_map(row).collect::<Vec<u8>>())
}

fn warcraft(rows: &[Row], globals: &[u32], more: &[Vec<u8>]) -> Document {
    let lengths = globals.iter().fold(bytes(), |all, length| all.u32(*length));
    let fixed = [vers(800), modl_warcraft(), seqs(rows), chunk("GLBS", lengths)];
    found(&file(&[fixed.as_slice(), more].concat())).document
}

/// A camera that has a track of floats.
fn floats(row: Row, globals: &[u32], track: &Bytes) -> Document {
    let camera = sized(bytes().raw(vec![0; 116]).raw(track));
    warcraft(&[row], globals, &[chunk("CAMS", camera)])
}

/// The only track at a moment.
fn value(document: &Document, time: f64, edges: Edges) -> Option<Vec<f64>> {
    let mut all = tracks(document, Some(0), at(time), edges);
    assert_eq!(all.len(), 1);
    all.remove(0).1
}

fn one(document: &Document, time: f64) -> f64 {
    value(document, time, Edges::ByFlag).unwrap()[0]
}

fn helpers(rows: &[Row], nodes: &[Vec<u8>], pivots: &[[f32; 3]]) -> Document {
    let points = pivots.iter().fold(bytes(), |all, point| all.f32s(point));
    warcraft(rows, &[], &[chunk("HELP", nodes.concat()), chunk("PIVT", points)])
}

/// A track whose one value stands always.
fn still(tag: &str, numbers: &[f32]) -> Bytes {
    track(tag, 1, -1, &[(100, numbers)])
}

fn rest(document: &Document) -> Vec<Node> {
    pose(document, Some(0), at(0.0), Edges::ByFlag, None)
}

fn moved(node: &Node, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let row = node.matrix[i];
        row[0] * x + row[1] * y + row[2] * z + row[3]
    })
}

#[track_caller]
fn same(found: impl AsRef<[f64]>, wanted: impl AsRef<[f64]>) {
    let (found, wanted) = (found.as_ref(), wanted.as_ref());
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= NEAR * b.abs().max(1.0);
    assert!(
        found.len() == wanted.len() && found.iter().zip(wanted).all(near),
        "{wanted:?} wanted, {found:?} found"
    );
}

/// A turn about z.
fn about_z(angle: f64) -> [f64; 4] {
    [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()]
}

#[allow(clippy::cast_possible_truncation, reason = "numbers for a file")]
fn narrow<const N: usize>(numbers: [f64; N]) -> [f32; N] {
    numbers.map(|number| number as f32)
}

fn quarter_turn() -> [f32; 4] {
    narrow(about_z(std::f64::consts::FRAC_PI_2))
}

#[test]
fn hermite_with_the_tangents_of_a_line_is_the_line() {
    let document =
        floats(ONCE, &[], &track("KCRL", 2, -1, &[(100, &[3.0, 9.0, 4.0]), (200, &[7.0, 4.0, 9.0])]));
    for time in [0.0, 12.5, 50.0, 99.0, 100.0] {
        same([one(&document, time)], [3.0 + 4.0 * time / 100.0]);
    }
}

#[test]
fn hermite_and_bezier_are_the_cubic_they_are_made_from() {
    // p(u) = 2u³ − 5u² + 3u − 1, whose ends are −1, −1 and whose slopes there are 3, −1.
    let cubic = |u: f64| 2.0 * u.powi(3) - 5.0 * u.powi(2) + 3.0 * u - 1.0;
    let hermite = track("KCRL", 2, -1, &[(100, &[-1.0, 9.0, 3.0]), (200, &[-1.0, -1.0, 9.0])]);
    // Control points stand a third of the slope from the ends.
    let bezier = track("KCRL", 3, -1, &[(100, &[-1.0, 9.0, 0.0]), (200, &[-1.0, -2.0 / 3.0, 9.0])]);
    for track in [hermite, bezier] {
        let document = floats(ONCE, &[], &track);
        for time in [0.0, 10.0, 33.0, 75.0, 100.0] {
            same([one(&document, time)], [cubic(time / 100.0)]);
        }
    }
}

#[test]
fn bezier_lies_between_its_points_by_the_weights_of_bernstein() {
    let document =
        floats(ONCE, &[], &track("KCRL", 3, -1, &[(100, &[0.0, 9.0, 8.0]), (200, &[0.0, 16.0, 9.0])]));
    same([one(&document, 50.0)], [3.0 / 8.0 * 8.0 + 3.0 / 8.0 * 16.0]);
    same([one(&document, 25.0)], [27.0 / 64.0 * 8.0 + 9.0 / 64.0 * 16.0]);
}

#[test]
fn squad_about_one_axis_is_the_formula_of_angles() {
    let angles = [[0.2, 5.0, 0.9], [1.4, 1.1, 5.0]];
    for interpolation in [2, 3] {
        let [a, b] = angles.map(|key| narrow::<12>(key.map(about_z).concat().try_into().unwrap()));
        let rotations = track("KTAR", interpolation, -1, &[(100, &a), (200, &b)]);
        let document = warcraft(&[ONCE], &[], &[chunk("TXAN", sized(rotations))]);
        for time in [0.0, 20.0, 50.0, 90.0] {
            let t = time / 100.0;
            let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
            let angle = mix(mix(0.2, 1.4, t), mix(0.9, 1.1, t), 2.0 * t * (1.0 - t));
            same(value(&document, time, Edges::ByFlag).unwrap(), about_z(angle));
        }
    }
}

#[test]
fn turns_take_the_shorter_way_and_broken_ones_are_none() {
    let turns = |a: [f32; 4], b: [f32; 4]| {
        let rotations = track("KTAR", 1, -1, &[(100, &a), (200, &b)]);
        let document = warcraft(&[ONCE], &[], &[chunk("TXAN", sized(rotations))]);
        value(&document, 25.0, Edges::ByFlag).unwrap()
    };
    let far = about_z(1.2);
    same(turns([0.0, 0.0, 0.0, 1.0], narrow(far.map(|part| -part))), about_z(0.3));
    same(turns([0.0, 0.0, 0.0, 5.0], narrow(far.map(|part| part * 7.0))), about_z(0.3));
    same(turns([0.0; 4], narrow(far)), about_z(0.3));
    same(turns([f32::NAN, 0.0, 0.0, 1.0], narrow(far)), about_z(0.3));
    // So near that the way is straight; it is as long as one all the same.
    let near = turns([0.0, 0.0, 0.0, 1.0], narrow(about_z(0.002)));
    same(&near, about_z(0.0005));
    same([near.iter().map(|part| part * part).sum::<f64>()], [1.0]);
}

#[test]
fn what_loops_goes_from_its_last_key_to_its_first() {
    let keys = track("KCRL", 1, -1, &[(120, &[10.0]), (180, &[20.0]), (250, &[99.0]), (20, &[99.0])]);
    let document = floats(LOOPING, &[], &keys);
    for (time, wanted) in [(20.0, 10.0), (50.0, 15.0), (80.0, 20.0), (90.0, 17.5), (0.0, 15.0), (10.0, 12.5)]
    {
        same([one(&document, time)], [wanted]);
        same([one(&document, time + 300.0)], [wanted]);
        same([one(&document, time - 100.0)], [wanted]);
    }
    same(value(&document, 90.0, Edges::Hold).unwrap(), [20.0]);
    same(value(&document, 110.0, Edges::Hold).unwrap(), [10.0]);
    let once = floats(ONCE, &[], &keys);
    for (time, wanted) in [(-50.0, 10.0), (10.0, 10.0), (90.0, 20.0), (150.0, 20.0)] {
        same([one(&once, time)], [wanted]);
    }
    // The clock stands at the end, twenty of forty milliseconds behind the last key.
    same(value(&once, 150.0, Edges::Wrap).unwrap(), [15.0]);
}

#[test]
fn hermite_wraps_with_the_tangents_of_both_ends() {
    let keys = track("KCRL", 2, -1, &[(100, &[1.0, 4.0, 0.0]), (150, &[1.0, 0.0, 8.0])]);
    // Half way from the last to the first: 1/2 + 1/8 · 8 − 1/8 · 4 + 1/2.
    same([one(&floats(LOOPING, &[], &keys), 75.0)], [1.5]);
}

#[test]
fn one_key_stands_always_and_none_is_no_value() {
    for row in [LOOPING, ONCE, (150, 150, 0)] {
        let document =
            floats(row, &[], &track("KCRL", 2, -1, &[(150, &[5.0, 1.0, 2.0]), (300, &[1.0, 1.0, 2.0])]));
        for time in [-10.0, 0.0, 60.0, 1000.0] {
            same([one(&document, time)], [5.0]);
        }
    }
    for row in [(0, 99, 0), (200, 100, 0), (200, 100, 1)] {
        assert_eq!(value(&floats(row, &[], &still("KCRL", &[5.0])), 0.0, Edges::ByFlag), None);
    }
    let document = floats(LOOPING, &[], &still("KCRL", &[5.0]));
    assert_eq!(tracks(&document, None, at(0.0), Edges::Wrap)[0].1, None);
    assert_eq!(value(&floats(LOOPING, &[], &track("KCRL", 1, -1, &[])), 0.0, Edges::ByFlag), None);
    let odd = track("KCRL", 4, -1, &[(100, &[5.0, 5.0, 5.0])]);
    assert_eq!(value(&floats(LOOPING, &[], &odd), 0.0, Edges::ByFlag), None);
}

#[test]
fn of_keys_at_one_moment_the_way_there_ends_at_the_first_and_starts_at_the_last() {
    let keys: [(i32, &[f32]); 5] =
        [(150, &[10.0]), (100, &[0.0]), (150, &[77.0]), (150, &[20.0]), (200, &[30.0])];
    let document = floats(ONCE, &[], &track("KCRL", 1, -1, &keys));
    for (time, wanted) in [(25.0, 5.0), (50.0, 20.0), (75.0, 25.0)] {
        same([one(&document, time)], [wanted]);
    }
    // In a circle, too: 30 at the end goes to 0 at the start, and no time is left for it. The end is its own pose;
    // beyond it the circle begins again.
    let document = floats(LOOPING, &[], &track("KCRL", 1, -1, &keys));
    for (time, wanted) in [(99.0, 29.8), (100.0, 30.0), (100.5, 0.1), (125.0, 5.0), (200.0, 0.0)] {
        same([one(&document, time)], [wanted]);
    }
    // A hair before the start is the start, not the end.
    same([one(&document, -1e-20)], [0.0]);
    // Two keys at one moment of a loop go from the last around to the first.
    let document = floats(LOOPING, &[], &track("KCRL", 1, -1, &[(150, &[0.0]), (150, &[8.0])]));
    for (time, wanted) in [(50.0, 8.0), (75.0, 6.0), (0.0, 4.0), (25.0, 2.0)] {
        same([one(&document, time)], [wanted]);
    }
    // A moment that is a whole sequence.
    let document = floats((150, 150, 0), &[], &track("KCRL", 1, -1, &keys));
    same([one(&document, 3.0)], [20.0]);
}

#[test]
fn steps_hold_and_switches_and_indices_are_steps() {
    let document = floats(LOOPING, &[], &track("KCRL", 0, -1, &[(120, &[1.0]), (180, &[2.0])]));
    for (time, wanted) in [(20.0, 1.0), (79.9, 1.0), (80.0, 2.0), (5.0, 2.0)] {
        same([one(&document, time)], [wanted]);
    }
    same(value(&document, 5.0, Edges::Hold).unwrap(), [1.0]);
    let seen = track("KATV", 1, -1, &[(120, &[0.0]), (180, &[1.0])]);
    let attachment = sized(bytes().raw(node("A", 0, -1, 0, [])).raw(vec![0; 264]).raw(seen));
    let document = warcraft(&[LOOPING], &[], &[chunk("ATCH", attachment)]);
    same(value(&document, 79.0, Edges::ByFlag).unwrap(), [0.0]);
    let pictures = bytes().tag("KMTF").u32(2).u32(1).i32(-1).i32(100).u32(7).i32(200).u32(u32::MAX);
    let layer = sized(bytes().raw(vec![0; 24]).raw(pictures));
    let material = sized(bytes().u32(0).u32(0).tag("LAYS").u32(1).raw(layer));
    let document = warcraft(&[ONCE], &[], &[chunk("MTLS", material)]);
    same(value(&document, 99.0, Edges::ByFlag).unwrap(), [7.0]);
    same(value(&document, 100.0, Edges::ByFlag).unwrap(), [f64::from(u32::MAX)]);
}

#[test]
fn global_sequences_run_by_their_own_clock() {
    let keys: [(i32, &[f32]); 3] = [(0, &[0.0]), (50, &[10.0]), (900, &[99.0])];
    let document = floats(ONCE, &[100], &track("KCRL", 1, 0, &keys));
    for (global, wanted) in [(25.0, 5.0), (75.0, 5.0), (100.0, 0.0), (1030.0, 6.0), (-10.0, 2.0)] {
        let moment = Moment { time: 7.0, global };
        for sequence in [None, Some(0), Some(5)] {
            same(tracks(&document, sequence, moment, Edges::ByFlag)[0].1.clone().unwrap(), [wanted]);
        }
    }
    same(tracks(&document, None, at(75.0), Edges::Hold)[0].1.clone().unwrap(), [10.0]);
    // No length, or no such sequence: its one moment is 0.
    for global in [0, 3] {
        let document = floats(ONCE, &[0], &track("KCRL", 1, global, &keys));
        same([one(&document, 77.0)], [0.0]);
    }
    // All keys lie beyond: the first in time stands.
    let beyond: [(i32, &[f32]); 2] = [(300, &[3.0]), (200, &[2.0])];
    for (global, wanted) in [(0, 2.0), (1, 2.0), (9, 2.0)] {
        same([one(&floats(ONCE, &[100, 0], &track("KCRL", 1, global, &beyond)), 10.0)], [wanted]);
    }
    let before = track("KCRL", 1, 0, &[(-5, &[1.0])]);
    assert_eq!(value(&floats(ONCE, &[100], &before), 0.0, Edges::Wrap), None);
    let astride = track("KCRL", 1, 0, &[(-5, &[1.0]), (101, &[2.0])]);
    assert_eq!(value(&floats(ONCE, &[100], &astride), 0.0, Edges::Wrap), None);
    // Below 0 there is no global sequence, whichever number it is.
    same([one(&floats(ONCE, &[100], &track("KCRL", 1, -7, &[(100, &[4.0])])), 0.0)], [4.0]);
}

#[test]
fn always_animate_makes_every_way_of_wow_straight() {
    let curves = [
        track("KCRL", 3, -1, &[(0, &[0.0, 9.0, 9.0]), (100, &[10.0, 9.0, 9.0])]),
        track("KVIS", 3, -1, &[(0, &[0.0, 9.0, 9.0]), (100, &[10.0, 9.0, 9.0])]),
        track("KCTR", 0, -1, &[(0, &[0.0; 3]), (100, &[10.0; 3])]),
    ];
    let sampled = |flags: u8| {
        let modl = bytes().text(80, "").text(260, "").f32s(&[0.0; 7]).u8(flags).u32(0);
        let camera = sized(bytes().raw(vec![0; 116]).raw(curves.each_ref().map(AsRef::as_ref).concat()));
        let rows = bytes().u32(1).raw(sequence_wow("Stand", 0, 100));
        let chunks =
            [vers(1300), chunk("MODL", modl), chunk("SEQS", rows), chunk("CAMS", bytes().u32(1).raw(camera))];
        let document = found(&file(&chunks)).document;
        tracks(&document, Some(0), at(20.0), Edges::ByFlag).into_iter().map(|(_, value)| value.unwrap()[0])
    };
    same(sampled(4).collect::<Vec<f64>>(), [2.0, 0.0, 2.0]);
    same(sampled(3).collect::<Vec<f64>>(), [0.48 * 9.0 + 0.008 * 10.0, 0.0, 0.0]);
}

#[test]
fn children_follow_their_parents_about_their_pivots() {
    let nodes = [
        node(
            "Child",
            1,
            0,
            0,
            [still("KGTR", &[0.0, 1.0, 0.0]).0, still("KGSC", &[2.0, 1.0, 1.0]).0].concat(),
        ),
        node("Parent", 0, -1, 0, still("KGRT", &quarter_turn())),
    ];
    let document = helpers(&[ONCE], &nodes, &[[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    let found = rest(&document);
    same(found[0].translation, [0.0, 1.0, 0.0]);
    same(found[0].scale, [2.0, 1.0, 1.0]);
    same(found[1].rotation, quarter_turn().map(f64::from));
    // (3,0,0) is lifted to (3,1,0), that is (2,1,0) from the parent's pivot, turned (−1,2,0).
    same(moved(&found[0], [3.0, 0.0, 0.0]), [0.0, 2.0, 0.0]);
    // One more along x is two more after scaling, and points up y after turning.
    same(moved(&found[0], [4.0, 0.0, 0.0]), [0.0, 4.0, 0.0]);
    same(moved(&found[1], [1.0, 0.0, 5.0]), [1.0, 0.0, 5.0]);
    same(moved(&found[1], [2.0, 0.0, 0.0]), [1.0, 1.0, 0.0]);
}

#[test]
fn the_first_track_and_the_first_node_of_a_number_count() {
    let step = |x: f32| still("KGTR", &[x, 0.0, 0.0]).0;
    let nodes = [
        node("A", 0, -1, 0, [step(1.0), step(50.0)].concat()),
        node("A", 0, 0, 0, step(2.0)),
        node("Child", 1, 0, 0, step(4.0)),
        node("Orphan", 2, 77, 0, step(8.0)),
        node("Low", -3, -1, 0, step(16.0)),
        node("Below", 3, -3, 0, step(32.0)),
    ];
    let found = rest(&helpers(&[ONCE], &nodes, &[]));
    let places: Vec<f64> = found.iter().map(|node| moved(node, [0.0; 3])[0]).collect();
    same(places, [1.0, 3.0, 5.0, 8.0, 16.0, 32.0]);
}

#[test]
fn nodes_of_a_circle_have_no_parents_and_those_below_keep_theirs() {
    let step = |x: f32| still("KGTR", &[x, 0.0, 0.0]);
    let nodes = [
        node("A", 0, 1, 0, step(1.0)),
        node("B", 1, 2, 0, step(2.0)),
        node("C", 2, 0, 0, step(4.0)),
        node("Self", 3, 3, 0, step(8.0)),
        node("Below", 4, 1, 0, step(16.0)),
        node("Lower", 5, 4, 0, step(32.0)),
    ];
    let found = rest(&helpers(&[ONCE], &nodes, &[]));
    let places: Vec<f64> = found.iter().map(|node| moved(node, [0.0; 3])[0]).collect();
    same(places, [1.0, 2.0, 4.0, 8.0, 18.0, 50.0]);
}

const NO_TRANSLATION: u32 = 1;
const NO_SCALING: u32 = 2;
const NO_ROTATION: u32 = 4;

/// A child at (3,0,0) of a parent at (1,0,0).
fn child(parent: impl AsRef<[u8]>, flags: u32, own: impl AsRef<[u8]>) -> Node {
    let nodes = [node("Parent", 0, -1, 0, parent), node("Child", 1, 0, flags, own)];
    rest(&helpers(&[ONCE], &nodes, &[[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]))[1]
}

#[test]
fn without_translation_a_child_stays_where_its_parent_leaves() {
    let away = still("KGTR", &[5.0, 6.0, 7.0]);
    same(moved(&child(&away, 0, []), [3.0, 0.0, 0.0]), [8.0, 6.0, 7.0]);
    same(moved(&child(&away, NO_TRANSLATION, []), [3.0, 0.0, 0.0]), [3.0, 0.0, 0.0]);
    // It still turns about the parent's pivot where that was.
    let both = [away.0, still("KGRT", &quarter_turn()).0].concat();
    same(moved(&child(&both, NO_TRANSLATION, []), [3.0, 0.0, 0.0]), [1.0, 2.0, 0.0]);
}

#[test]
fn without_rotation_a_child_keeps_its_heading_while_its_pivot_goes_around() {
    let turn = still("KGRT", &quarter_turn());
    let free = child(&turn, NO_ROTATION, []);
    same(moved(&free, [3.0, 0.0, 0.0]), [1.0, 2.0, 0.0]);
    same(moved(&free, [4.0, 0.0, 0.0]), [2.0, 2.0, 0.0]);
    same(moved(&child(&turn, 0, []), [4.0, 0.0, 0.0]), [1.0, 3.0, 0.0]);
    // Its own turn is all it shows.
    same(moved(&child(&turn, NO_ROTATION, &turn), [4.0, 0.0, 0.0]), [1.0, 3.0, 0.0]);
}

#[test]
fn without_scaling_a_child_keeps_its_size_while_its_pivot_goes_out() {
    let grow = still("KGSC", &[2.0, 4.0, 1.0]);
    let free = child(&grow, NO_SCALING, []);
    same(moved(&free, [3.0, 0.0, 0.0]), [5.0, 0.0, 0.0]);
    same(moved(&free, [4.0, 1.0, 0.0]), [6.0, 1.0, 0.0]);
    same(moved(&child(&grow, 0, []), [4.0, 1.0, 0.0]), [7.0, 4.0, 0.0]);
    // What is flat stays flat: nothing divides by zero.
    let flat = still("KGSC", &[0.0, 4.0, 1.0]);
    same(moved(&child(&flat, NO_SCALING, []), [4.0, 1.0, 0.0]), [1.0, 1.0, 0.0]);
}

#[test]
fn size_is_counted_over_all_parents() {
    let grow = still("KGSC", &[2.0; 3]);
    let nodes = [
        node("A", 0, -1, 0, &grow),
        node("B", 1, 0, 0, &grow),
        node("C", 2, 1, NO_SCALING, &grow),
        node("D", 3, 2, 0, []),
    ];
    let found = rest(&helpers(&[ONCE], &nodes, &[]));
    let sizes: Vec<f64> = found.iter().map(|node| node.matrix[0][0]).collect();
    same(sizes, [2.0, 4.0, 2.0, 2.0]);
}

#[test]
fn turns_are_counted_over_all_parents() {
    let mut dice = Dice::new(7);
    let turns = [0; 4].map(|_| any_turn(&mut dice));
    let flags = [0, 0, NO_ROTATION, 0];
    let tracks = turns.map(|turn| still("KGRT", &narrow(turn)));
    let nodes: Vec<Vec<u8>> =
        (0..4).zip(flags).zip(&tracks).map(|((i, flags), track)| node("N", i, i - 1, flags, track)).collect();
    let found = rest(&helpers(&[ONCE], &nodes, &[]));
    let wanted = [turns[0], product(turns[0], turns[1]), turns[2], product(turns[2], turns[3])];
    for (node, turn) in found.iter().zip(wanted) {
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            same(heading(node, axis), turned(turn, axis));
        }
    }
}

fn any_turn(dice: &mut Dice) -> [f64; 4] {
    unit([0; 4].map(|_| f64::from(dice.below(2001)) / 1000.0 - 1.0))
}

/// Where a direction points after a matrix.
fn heading(node: &Node, direction: [f64; 3]) -> [f64; 3] {
    let (from, to) = (moved(node, [0.0; 3]), moved(node, direction));
    [0, 1, 2].map(|i| to[i] - from[i])
}

#[test]
fn billboards_face_the_viewer_upright_whatever_their_parents_do() {
    let mut dice = Dice::new(8);
    for _ in 0..50 {
        let (camera, turn) = (any_turn(&mut dice), any_turn(&mut dice));
        let nodes = [
            node("Parent", 0, -1, 0, still("KGRT", &narrow(turn))),
            node("Child", 1, 0, 8 | NO_ROTATION, []),
            node("Alone", 2, -1, 8 | 0x10, []),
            node("Turned", 3, 0, 8, still("KGRT", &quarter_turn())),
        ];
        let document = helpers(&[ONCE], &nodes, &[]);
        let found = pose(&document, Some(0), at(0.0), Edges::ByFlag, Some(camera));
        for node in &found[1..3] {
            same(turned(camera, heading(node, [1.0, 0.0, 0.0])), [0.0, 0.0, 1.0]);
            same(turned(camera, heading(node, [0.0, 1.0, 0.0])), [1.0, 0.0, 0.0]);
            same(turned(camera, heading(node, [0.0, 0.0, 1.0])), [0.0, 1.0, 0.0]);
        }
        // Its own turn comes first: −Y lies where X was, and faces the viewer.
        same(turned(camera, heading(&found[3], [0.0, -1.0, 0.0])), [0.0, 0.0, 1.0]);
        same(found[3].rotation, quarter_turn().map(f64::from));
        // Without a camera only the parent turns them, or nobody.
        let blind = pose(&document, Some(0), at(0.0), Edges::ByFlag, None);
        same(heading(&blind[1], [1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]);
        same(heading(&blind[2], [1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]);
    }
}

#[test]
fn locked_billboards_turn_about_one_axis_of_the_parent_as_near_to_the_viewer_as_that_goes() {
    let mut dice = Dice::new(9);
    for _ in 0..50 {
        let (camera, turn) = (any_turn(&mut dice), any_turn(&mut dice));
        let nodes = [
            node("Parent", 0, -1, 0, still("KGRT", &narrow(turn))),
            node("X", 1, 0, 0x10 | 0x20, []),
            node("Y", 2, 0, 0x20 | 0x40 | NO_ROTATION, []),
            node("Z", 3, 0, 0x40, []),
        ];
        let found = pose(&helpers(&[ONCE], &nodes, &[]), Some(0), at(0.0), Edges::ByFlag, Some(camera));
        let viewer = turned(inverse(camera), [0.0, 0.0, 1.0]);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for (i, (front, side, sign)) in [(1, 2, -1.0), (0, 2, 1.0), (0, 1, 1.0)].into_iter().enumerate() {
            let node = &found[i + 1];
            // The axis stays the parent's; the side is square to the viewer; the front looks their way.
            same(heading(node, axes[i]), turned(turn, axes[i]));
            same([dot(heading(node, axes[side]), viewer)], [0.0]);
            assert!(dot(heading(node, axes[front]), viewer) > 0.0, "{i}");
            // Lock X mirrors z.
            let m = node.matrix;
            let columns = [0, 1, 2].map(|c| [m[0][c], m[1][c], m[2][c]]);
            let [a, b, c] = columns;
            let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            same([dot(cross, c)], [sign]);
        }
        assert_eq!(found[1].scale.map(f64::to_bits), [1.0_f64; 3].map(f64::to_bits));
    }
}

#[test]
fn quaternions_multiply_as_turns_follow_each_other() {
    let mut dice = Dice::new(10);
    for _ in 0..20 {
        let (a, b, v) = (any_turn(&mut dice), any_turn(&mut dice), [1.0, -2.0, 3.0]);
        same(turned(product(a, b), v), turned(a, turned(b, v)));
        same(turned(inverse(a), turned(a, v)), v);
    }
    same(turned(quarter_turn().map(f64::from), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
}

/// Three nodes that have moved by 1, 10 and 100 along x, numbered 0 to 2.
fn three() -> Vec<u8> {
    let step = |x: f32| still("KGTR", &[x, 0.0, 0.0]);
    let nodes = [(0, 1.0), (1, 10.0), (2, 100.0), (0, 1000.0)];
    nodes.map(|(id, x)| node("N", id, -1, 0, step(x))).concat()
}

fn list<const N: usize>(tag: &str, numbers: [u32; N]) -> Bytes {
    let all = bytes().tag(tag).u32(u32::try_from(N).unwrap());
    numbers.into_iter().fold(all, Bytes::u32)
}

fn byte_list<const N: usize>(tag: &str, width: u32, numbers: [u8; N]) -> Bytes {
    bytes().tag(tag).u32(u32::try_from(N).unwrap() / width).raw(numbers)
}

/// Vertices at the origin up to `SKIN` or `BIDX`, without faces.
fn vertices(count: u32, is_wow: bool) -> Bytes {
    let room = vec![0; 12 * count as usize];
    let all = bytes().tag("VRTX").u32(count).raw(&room).tag("NRMS").u32(count).raw(&room);
    let all = if is_wow { all.tag("UVAS").u32(0) } else { all };
    all.tag("PTYP").u32(0).tag("PCNT").u32(0).tag("PVTX").u32(0)
}

fn places(vertices: &[[f64; 3]]) -> Vec<f64> {
    vertices.iter().map(|vertex| vertex[0]).collect()
}

#[test]
fn vertices_are_the_average_of_the_nodes_of_their_group_that_are_there() {
    // Groups: {0}, {0,1}, {1,7}, {7}, {}, {2, cut off}; the last vertex has no group.
    let geoset = vertices(8, false)
        .raw(byte_list("GNDX", 1, [0, 1, 2, 3, 4, 5, 6]))
        .raw(list("MTGC", [1, 2, 2, 1, 0, 2]))
        .raw(list("MATS", [0, 0, 1, 1, 7, 7, 2]));
    let geoset = sized(geoset.raw(vec![0; 40]).u32(0).tag("UVAS").u32(0));
    let document = warcraft(&[ONCE], &[], &[chunk("GEOS", geoset), chunk("HELP", three())]);
    let nodes = rest(&document);
    same(places(&skin(&document, 0, &nodes)), [1.0, 5.5, 10.0, 0.0, 0.0, 100.0, 0.0, 0.0]);
    assert_eq!(skin(&document, 1, &nodes), Vec::<[f64; 3]>::new());
}

#[test]
fn skin_wins_over_groups_and_leaves_out_nodes_that_are_not_there() {
    let weights = [0, 1, 2, 2, 1, 2, 1, 0, 0, 9, 9, 9, 1, 250, 0, 0, 9, 0, 0, 0, 7, 0, 0, 0];
    for version in [900, 1400] {
        let geoset = vertices(4, false)
            .raw(byte_list("GNDX", 1, [0; 4]))
            .raw(list("MTGC", [1]))
            .raw(list("MATS", [2]))
            .raw(vec![0; 12 + 84 + 28])
            .u32(0);
        let geoset = if version < 1400 {
            geoset.raw(byte_list("SKIN", 1, weights))
        } else {
            weights.iter().fold(geoset.tag("SKIN").u32(24), |all, weight| all.u16(u16::from(*weight)))
        };
        let chunks = [
            vers(version),
            modl_warcraft(),
            seqs(&[ONCE]),
            chunk("GEOS", sized(geoset.tag("UVAS").u32(0))),
            chunk("HELP", three()),
        ];
        let document = found(&file(&chunks)).document;
        let wanted = [(1.0 + 20.0 + 100.0) / 4.0, 1.0, 0.0, 0.0];
        same(places(&skin(&document, 0, &rest(&document))), wanted);
    }
}

fn wow(version: u32, geosets: impl AsRef<[u8]>) -> Document {
    let modl = bytes().text(80, "").text(260, "").f32s(&[0.0; 7]).u8(0).u32(0);
    let rows = bytes().u32(1).raw(sequence_wow("Stand", 100, 200));
    let chunks = [
        vers(version),
        chunk("MODL", modl),
        chunk("SEQS", rows),
        chunk("GEOS", geosets),
        chunk("HELP", bytes().u32(4).raw(three())),
    ];
    found(&file(&chunks)).document
}

#[test]
fn listed_weights_go_from_group_to_group_and_from_last_to_first() {
    let geoset = vertices(4, true)
        .raw(byte_list("GNDX", 1, [2, 0, 2, 1]))
        .raw(list("MTGC", [1, 1, 1]))
        .raw(list("MATS", [0, 1, 2]))
        // Vertex 1, then 3, then 0, then 2.
        .raw(byte_list("BIDX", 4, [0, 9, 9, 9, 1, 0, 9, 9, 2, 1, 0, 9, 2, 1, 0, 9]))
        .raw(byte_list("BWGT", 4, [5, 0, 0, 1, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 9]));
    let document = wow(1300, bytes().u32(1).raw(sized(geoset.raw(vec![0; 40]).u32(0))));
    let nodes = rest(&document);
    same(places(&skin(&document, 0, &nodes)), [100.0, 1.0, 100.0, 10.0]);
    same(places(&listed_skin(&document, 0, &nodes)), [0.0, 1.0, 100.0, 31.0 / 4.0]);
}

#[test]
fn vertices_of_1500_have_their_own_bones_and_weights() {
    let head = bytes().u32(1).raw(vec![0; 32]).tag("PVTX").u32(3).tag("PTYP").u32(1).tag("PVTX");
    let vertex = |weights: [u8; 4], bones: [u8; 4]| {
        bytes().f32s(&[1.0, 2.0, 3.0]).raw(weights).raw(bones).raw(vec![0; 28]).0
    };
    let batches = head.u32(0).u32(0).u32(0);
    let batches = batches.raw(vertex([3, 1, 0, 50], [0, 1, 2, 9])).raw(vertex([0; 4], [0, 1, 2, 3]));
    let batches = batches.raw(vertex([1, 1, 1, 1], [9, 8, 7, 6])).u32(3).raw(vec![0; 12]);
    let document = wow(1500, batches);
    let nodes = rest(&document);
    let found = skin(&document, 0, &nodes);
    same(found.concat(), [1.0 + 13.0 / 4.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    same(places(&listed_skin(&document, 0, &nodes)), [1.0; 3]);
}

fn happening(row: Row, events: &[(i32, &[i32])]) -> Document {
    let record = |(global, times): &(i32, &[i32])| {
        let all = bytes().raw(node("E", 0, -1, 0, [])).tag("KEVT");
        let all = all.u32(u32::try_from(times.len()).unwrap()).i32(*global);
        times.iter().fold(all, |all, time| all.i32(*time)).0
    };
    warcraft(&[row], &[1000], &[chunk("EVTS", events.iter().flat_map(record).collect::<Vec<u8>>())])
}

#[test]
fn events_fire_when_they_are_passed_and_both_ends_of_a_seam_do() {
    let document = happening(LOOPING, &[(-1, &[200, 150]), (-1, &[100, 99, 201]), (0, &[150])]);
    let none: Vec<(usize, f64, u64)> = vec![];
    assert_eq!(events(&document, 0, -1.0, 0.0), [(1, 100.0, 1)]);
    assert_eq!(events(&document, 0, 0.0, 49.0), none);
    assert_eq!(events(&document, 0, 0.0, 50.0), [(0, 150.0, 1)]);
    assert_eq!(events(&document, 0, 50.0, 99.5), none);
    assert_eq!(events(&document, 0, 99.0, 100.0), [(0, 200.0, 1), (1, 100.0, 1)]);
    assert_eq!(events(&document, 0, -1.0, 250.0), [(1, 100.0, 3), (0, 150.0, 3), (0, 200.0, 2)]);
    assert_eq!(events(&document, 0, 120.0, 320.0), [(0, 150.0, 2), (0, 200.0, 2), (1, 100.0, 2)]);
    assert_eq!(events(&document, 1, -1.0, 320.0), none);
    // At one moment the keys of one event stand in order of time, whatever their order in the file.
    let both = happening(LOOPING, &[(-1, &[200, 100])]);
    assert_eq!(events(&both, 0, 0.0, 100.0), [(0, 100.0, 1), (0, 200.0, 1)]);
}

#[test]
fn what_plays_once_fires_once_and_a_moment_does_too() {
    let events_of: &[(i32, &[i32])] = &[(-1, &[100, 150, 200, 150])];
    let once = happening(ONCE, events_of);
    assert_eq!(events(&once, 0, -5.0, 1e6), [(0, 100.0, 1), (0, 150.0, 2), (0, 200.0, 1)]);
    assert_eq!(events(&once, 0, 100.0, 1e6), []);
    let moment = happening((150, 150, 0), events_of);
    assert_eq!(events(&moment, 0, -5.0, 1e6), [(0, 150.0, 2)]);
    assert_eq!(events(&happening((200, 100, 0), events_of), 0, -5.0, 1e6), []);
}
