//! Whole models posed again and again: prepared once, shared by any number of instances, no allocation per
//! sample.
//!
//! Every bit is that of [`sample_node_pose`](super::sample::sample_node_pose) and
//! [`model_matrices`](super::sample::model_matrices). The frame map finds the key of any time in one step, so
//! times in order need no cursor: a [`Player`] has no state, and what an instance keeps are its [`Poses`].

use galvani_core::maths::single;
use galvani_core::{Path, SampleError, room};

use super::engine::{self, Arc, Matrix};
use super::sample::{self, Branch, LocalPose, RestPose, RootTranslation};
use super::{ModelView, NONE};

/// A model made ready for sampling: rotations decoded, arcs between keys worked out, every index checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    frame_count: u32,
    nodes: Vec<Track>,
    keys: Vec<PlayedKey>,
    /// The frame map; a word that does not lie below its node's fallback says fallback.
    words: Vec<u16>,
}

/// How a node is animated.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Track {
    parent: Option<usize>,
    /// First word of its run in the frame map.
    start: Option<usize>,
    /// Its last key; none in a still model.
    fallback: Option<u16>,
}

/// A key, and the arc to the next one in the pool.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PlayedKey {
    time: f32,
    pose: LocalPose,
    arc: Arc,
}

/// One of the many things that show a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayInstance {
    /// What to do with the translation of the first node.
    pub root: RootTranslation,
    /// By what the axes are multiplied; of a pose, the places of the nodes. The game scales scenery only.
    pub scale: [f32; 3],
}

impl Default for PlayInstance {
    fn default() -> Self {
        PlayInstance::from(RootTranslation::default())
    }
}

impl From<RootTranslation> for PlayInstance {
    fn from(root: RootTranslation) -> Self {
        PlayInstance { root, scale: [1.0; 3] }
    }
}

/// The pose of a whole model: what an instance owns and a [`Player`] fills.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Poses {
    /// Each node relative to its parent.
    pub local: Vec<LocalPose>,
    /// How each came about; of a blend, the side that counts more.
    pub branches: Vec<Branch>,
    /// Each node in the model's space.
    pub model: Vec<Matrix>,
}

impl Player {
    /// Makes a model ready. One that could lead out of its tables at any time is refused.
    pub fn new(model: &ModelView<'_>) -> Result<Self, SampleError> {
        let (words, frame_count) =
            (model.frame_map.as_ref().map_or(&[][..], |map| map.rows), model.frame_count());
        let frames = usize::try_from(frame_count).unwrap_or(usize::MAX);
        let mut nodes = Vec::new();
        for i in 0..sample::node_count(model)? {
            let track = sample::track(model, i)?;
            let fallback = (!model.is_still()).then_some(track.fallback);
            if let Some(fallback) = fallback {
                // Every other key of the node stands before this one.
                sample::key(model, fallback.into(), || Path::named("nodes").index(i).field("fallback_key"))?;
            }
            let has_map = track.start != NONE && frame_count > 0 && fallback.is_some();
            let start = has_map.then_some(usize::from(track.start));
            let end = start.map_or(0, |start| start.saturating_add(frames));
            if end > words.len() {
                return Err(sample::map_outside(i, end.saturating_sub(1), words.len()));
            }
            room::push(&mut nodes, Track { parent: sample::parent_of(model, i)?, start, fallback })?;
        }
        let words = room::collected(words.iter().map(|word| word.key.get()))?;
        Ok(Player { frame_count, nodes, keys: keys(model)?, words })
    }

    /// How many nodes the model has.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The pose at a time. Allocates only if `out` has never held a pose of this size.
    pub fn sample(&self, time: f32, instance: impl Into<PlayInstance>, out: &mut Poses) {
        let frame = self.frame(time);
        self.fill(instance.into(), out, |track| self.track(track, frame, time));
    }

    /// The pose when nobody gives a time.
    pub fn rest(&self, rest: RestPose, instance: impl Into<PlayInstance>, out: &mut Poses) {
        match rest {
            RestPose::Frame0 => self.sample(0.0, instance, out),
            RestPose::Fallback => self.fill(instance.into(), out, |track| self.fallback(track)),
        }
    }

    /// Two times blended, as the engine does; false, and `out` as it was, with neither side.
    #[must_use]
    pub fn blend(
        &self,
        (time_a, time_b): (f32, f32),
        blend: f32,
        instance: impl Into<PlayInstance>,
        out: &mut Poses,
    ) -> bool {
        let (frame_a, frame_b) = (self.frame(time_a), self.frame(time_b));
        match sample::sides((time_a, time_b), blend) {
            (false, false) => return false,
            (true, false) => self.sample(time_a, instance, out),
            (false, true) => self.sample(time_b, instance, out),
            (true, true) => self.fill(instance.into(), out, |track| {
                let (a, branch_a) = self.track(track, frame_a, time_a)?;
                let (b, branch_b) = self.track(track, frame_b, time_b)?;
                Some((a.blend(&b, blend), if blend > 0.5 { branch_b } else { branch_a }))
            }),
        }
        true
    }

    /// The frame of a time, unless it lies outside the timeline.
    fn frame(&self, time: f32) -> Option<usize> {
        let frame = Some(engine::frame(time)).filter(|&frame| frame < self.frame_count);
        frame.and_then(|frame| usize::try_from(frame).ok())
    }

    /// Poses every node; parents stand before their children.
    fn fill(
        &self,
        PlayInstance { root, scale: [sx, sy, sz] }: PlayInstance,
        out: &mut Poses,
        pose_of: impl Fn(&Track) -> Option<(LocalPose, Branch)>,
    ) {
        let Poses { local, branches, model } = out;
        local.resize(self.nodes.len(), LocalPose::IDENTITY);
        branches.resize(self.nodes.len(), Branch::Still);
        model.resize(self.nodes.len(), [0.0; 16]);
        for (i, ((track, local), came)) in self.nodes.iter().zip(local).zip(branches).enumerate() {
            // Every index was checked when the player was made.
            let Some((mut pose, branch)) = pose_of(track) else { return };
            let [x, y, z] = pose.position;
            pose.position = [x * sx, y * sy, z * sz];
            if i == 0 && track.parent.is_none() && root == RootTranslation::Clear {
                pose.position = [0.0; 3];
            }
            let Some((above, [room, ..])) = model.split_at_mut_checked(i) else { return };
            let matrix = pose.matrix();
            let above = track.parent.and_then(|parent| above.get(parent));
            *room = above.map_or(matrix, |above| engine::compose(above, &matrix));
            (*local, *came) = (pose, branch);
        }
    }

    /// A node at a time whose frame is known.
    #[allow(clippy::float_cmp, reason = "the engine compares so, without an epsilon")]
    #[inline(always)]
    fn track(&self, track: &Track, frame: Option<usize>, time: f32) -> Option<(LocalPose, Branch)> {
        let word =
            track.start.zip(frame).and_then(|(start, frame)| self.words.get(start.saturating_add(frame)));
        let Some(&word) = word.filter(|&&word| Some(word) < track.fallback) else {
            return self.fallback(track);
        };
        let [a, b] = self.keys.get(usize::from(word)..)?.first_chunk()?;
        if time == a.time {
            return Some((a.pose, Branch::Key));
        }
        if time == b.time {
            return Some((b.pose, Branch::Key));
        }
        let alpha = (time - a.time) / (b.time - a.time);
        let position = engine::lerp(a.pose.position, b.pose.position, alpha);
        let rotation = engine::turn(a.pose.rotation, b.pose.rotation, a.arc, alpha);
        Some((LocalPose { position, rotation }, Branch::Segment))
    }

    fn fallback(&self, track: &Track) -> Option<(LocalPose, Branch)> {
        match track.fallback {
            Some(key) => self.keys.get(usize::from(key)).map(|key| (key.pose, Branch::Fallback)),
            None => Some((LocalPose::IDENTITY, Branch::Still)),
        }
    }
}

/// The keys of a model, each with the arc to the next; from the last it leads nowhere.
fn keys(model: &ModelView<'_>) -> Result<Vec<PlayedKey>, SampleError> {
    let count = model.keys.as_ref().map_or(0, |keys| keys.rows.len());
    let decoded = (0..count).map(|i| sample::key(model, i, || Path::named("keys").index(i)));
    let decoded: Vec<_> = room::try_collected::<_, SampleError>(decoded)?;
    let nexts = decoded.iter().skip(1).chain(decoded.last());
    let keys = decoded.iter().zip(nexts).map(|(key, next)| {
        let arc = Arc::between(key.pose.rotation, next.pose.rotation);
        PlayedKey { time: key.time, pose: key.pose, arc }
    });
    Ok(room::collected(keys)?)
}

/// Where an object stands: turned about x, then y, then z, in radians, then moved. A positive angle about z
/// turns x towards y. A node is in the world where this, composed with its matrix in the model's space, puts it.
pub fn placement([tx, ty, tz]: [f32; 3], angles: [f32; 3]) -> Matrix {
    let [(sx, cx), (sy, cy), (sz, cz)] = angles.map(|angle| {
        let (sine, cosine) = f64::from(angle).sin_cos();
        (single(sine), single(cosine))
    });
    let x = [1.0, 0.0, 0.0, 0.0, 0.0, cx, -sx, 0.0, 0.0, sx, cx, 0.0, 0.0, 0.0, 0.0, 1.0];
    let y = [cy, 0.0, sy, 0.0, 0.0, 1.0, 0.0, 0.0, -sy, 0.0, cy, 0.0, 0.0, 0.0, 0.0, 1.0];
    let z = [cz, -sz, 0.0, tx, sz, cz, 0.0, ty, 0.0, 0.0, 1.0, tz, 0.0, 0.0, 0.0, 1.0];
    engine::compose(&z, &engine::compose(&y, &x))
}
