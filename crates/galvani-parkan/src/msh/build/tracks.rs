//! Keys of all nodes in one pool, and the map from frames to keys.

use galvani_core::Reading;
use galvani_core::maths::Wxyz;
use zerocopy::little_endian::{F32, I16, U16};

use super::index16;
use super::plan::{KeyPlan, NodePlan};
use crate::msh::{NONE, values, wire};

/// Streams 8 and 19, and what the nodes say of them.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    pub(super) keys: Vec<wire::Key>,
    pub(super) map: Vec<wire::MapWord>,
    /// Frames of the timeline: one more than the last key's time.
    pub(super) frame_count: u32,
    /// Per node.
    pub(super) runs: Vec<Run>,
}

/// Where the keys and the map of a node are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Its first key: the rest pose.
    pub(super) first_key: usize,
    /// Its last key.
    pub(super) fallback_key: u16,
    /// Its first word of the map, or [`NONE`].
    pub(super) map_start: u16,
}

impl Tracks {
    /// The tracks of nodes that passed [`refuse`](super::refuse).
    pub(super) fn new(nodes: &[NodePlan], reading: Reading) -> Self {
        let last_time = |node: &NodePlan| node.track.last().map_or(0, |key| key.time);
        let frame_count = nodes.iter().map(last_time).max().unwrap_or(0).saturating_add(1);
        let mut tracks = Tracks { frame_count, ..Tracks::default() };
        for node in nodes {
            match node.track.as_slice() {
                [] => tracks.add(&[KeyPlan::default()], reading),
                track => tracks.add(track, reading),
            }
        }
        tracks
    }

    fn add(&mut self, track: &[KeyPlan], reading: Reading) {
        let first_key = self.keys.len();
        self.keys.extend(track.iter().map(|plan| key(plan, reading)));
        let fallback_key = index16(self.keys.len().saturating_sub(1));
        let moves = track.len() > 1;
        let map_start = if moves { index16(self.map.len()) } else { NONE };
        self.runs.push(Run { first_key, fallback_key, map_start });
        if moves {
            self.map.extend(words(track, first_key, self.frame_count));
        }
    }
}

/// Frame by frame the key whose segment the frame is in; from the last key's time on the last key.
fn words(track: &[KeyPlan], first_key: usize, frame_count: u32) -> impl Iterator<Item = wire::MapWord> {
    let mut reached = 0_usize;
    (0..frame_count).map(move |frame| {
        while track.get(reached.saturating_add(1)).is_some_and(|next| next.time <= frame) {
            reached = reached.saturating_add(1);
        }
        wire::MapWord { key: U16::new(index16(first_key.saturating_add(reached))) }
    })
}

fn key(plan: &KeyPlan, reading: Reading) -> wire::Key {
    wire::Key {
        position: plan.position.map(F32::new),
        time: F32::new(exact(plan.time)),
        rotation: rotation(plan.rotation, reading).map(I16::new),
    }
}

/// A half turn about x, written with w last, looks like an identity with w first, and enough of them would
/// sway the verdict on the file. Its negative is the same rotation and looks like neither.
fn rotation(wxyz: Wxyz<f32>, reading: Reading) -> [i16; 4] {
    let packed = values::pack_rotation(wxyz, reading);
    match (reading, packed) {
        (Reading::Documented, [i16::MAX, ..]) => packed.map(i16::saturating_neg),
        _ => packed,
    }
}

/// A time that passed [`LAST_TIME`](super::refuse::LAST_TIME) is exact.
#[allow(clippy::cast_precision_loss, clippy::as_conversions, reason = "whole numbers below 2^24 are exact")]
fn exact(time: u32) -> f32 {
    time as f32
}
