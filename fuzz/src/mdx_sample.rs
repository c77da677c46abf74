//! MDX models moving under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::ReadOptions;
use galvani_mdx::Document;
use galvani_mdx::glam::Quat;
use galvani_mdx::sample::{
    Animations, Clip, ClockTimes, Cursor, GeosetSkin, Influences, Local, Player, Poses, Rig, Skinned,
    WindowEdges,
};

/// Sequences of a model that are tried; more of them are more of the same.
const MOST: usize = 6;

/// How far from 1 the length of a rotation may be.
const OFF: f32 = 1e-4;

/// When, and with what.
#[derive(Debug, Arbitrary)]
struct Wanted {
    times: [f64; 4],
    small: [u16; 4],
    global: f64,
    edges: u8,
    camera: [i8; 4],
    chance: u8,
}

/// Whatever the model and the moment: every node has a place, every rotation length 1, every vertex stays in
/// the list, and a cursor that was anywhere before finds what a fresh one does.
pub(crate) fn sample(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok(wanted) = Wanted::arbitrary(&mut data) else { return };
    let Ok(found) = galvani_mdx::read(data.take_rest(), &ReadOptions::default()) else { return };
    let document = found.document;
    let edges = [WindowEdges::Auto, WindowEdges::Wrap, WindowEdges::Hold][usize::from(wanted.edges % 3)];
    let times = wanted.times.into_iter().chain(wanted.small.map(f64::from));
    let times: Vec<f64> = times.collect();
    let rig = Rig::new(&document);
    let [x, y, z, w] = wanted.camera.map(f32::from);
    let camera = Some(Quat::from_xyzw(x, y, z, w).normalize()).filter(|turn| turn.is_finite());
    let sequences = document.sequences().len().min(MOST);
    for sequence in (0..sequences).map(Some).chain([None]) {
        let clip = Clip::new(&document, sequence, edges).expect("a sequence that is there");
        moments(&document, &rig, &clip, &times, wanted.global, camera);
    }
    if sequences < MOST {
        play(&document, edges, &times, wanted.chance);
    }
}

fn moments(document: &Document, rig: &Rig, clip: &Clip, times: &[f64], global: f64, camera: Option<Quat>) {
    let skins = GeosetSkin::all(document, rig, Influences::Game);
    let (mut cursor, mut pose, mut values) = (Cursor::default(), Poses::default(), Vec::new());
    let mut skinned = Skinned::default();
    for &time in times {
        let moment = ClockTimes { time, global };
        clip.nodes(moment, &mut cursor, &mut pose.local);
        let mut afresh = Vec::new();
        clip.nodes(moment, &mut Cursor::default(), &mut afresh);
        assert!(afresh.iter().map(bits).eq(pose.local.iter().map(bits)), "a cursor forgot where it was");
        assert!(afresh.iter().all(|local| (local.rotation.length() - 1.0).abs() < OFF));
        rig.place(&mut pose, camera);
        assert_eq!(pose.model.len(), rig.len());
        clip.values(moment, &mut cursor, &mut values);
        assert_eq!(values.len(), clip.properties().len());
        for skin in &skins {
            skin.apply(&pose.model, &mut skinned);
            assert_eq!(skinned.positions.len(), skin.len());
        }
    }
}

/// What compares not-a-numbers, too.
fn bits(local: &Local) -> [u32; 10] {
    let ([a, b, c], [d, e, f, g], [h, i, j]) =
        (local.translation.to_array(), local.rotation.to_array(), local.scale.to_array());
    [a, b, c, d, e, f, g, h, i, j].map(f32::to_bits)
}

fn play(document: &Document, edges: WindowEdges, times: &[f64], chance: u8) {
    let animations = Animations::new(document, edges).expect("every sequence is there");
    let (mut player, mut pose) = (Player::new(&animations), Poses::default());
    let mut random = || f64::from(chance) / 256.0;
    let _ = player.play_animation("stand", &mut random);
    for (i, time) in times.iter().enumerate() {
        let _ = player.play(i % 3);
        player.advance(*time, &mut random, |crossing| assert!(crossing.count > 0));
        player.pose(None, &mut pose);
    }
}
