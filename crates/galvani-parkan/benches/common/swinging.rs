//! The model that benchmarks pose.

use crate::msh_sampling::Raw;

/// As many nodes as the largest model of the game has, all of them moving.
pub(crate) const NODES: u16 = 38;
pub(crate) const FRAMES: u16 = 128;
const FRAMES_PER_KEY: u16 = 4;
pub(crate) const TIMES: u16 = 1000;

/// A chain of limbs, three to a level, each swinging about its own axis.
pub(crate) fn swinging() -> Raw {
    let keys_per_node = FRAMES / FRAMES_PER_KEY + 1;
    let frame_count = u32::from(FRAMES) + 1;
    let mut raw = Raw { nodes: Vec::new(), keys: Vec::new(), words: Vec::new(), frame_count, observed: true };
    for node in 0..NODES {
        let first = node * keys_per_node;
        let start = u16::try_from(raw.words.len()).unwrap();
        for key in 0..keys_per_node {
            let angle = f32::from(key * 37 % 90 + node).to_radians();
            let [x, y] = [f32::from(node).sin(), f32::from(node).cos()];
            #[allow(clippy::cast_possible_truncation, reason = "a unit in words")]
            let words =
                [angle.cos(), x * angle.sin(), y * angle.sin(), 0.0].map(|part| (part * 32767.0) as i16);
            let floats = [x, y, f32::from(key), f32::from(key * FRAMES_PER_KEY)];
            raw.keys.push((floats, words));
        }
        raw.words.extend((0..=FRAMES).map(|frame| first + frame / FRAMES_PER_KEY));
        let parent = if node == 0 { 0xFFFF } else { (node - 1) / 3 };
        raw.nodes.push([parent, start, first + keys_per_node - 1]);
    }
    raw
}
