//! Where the nodes of a model are at a time, as its game has it.
//!
//! A scene's own curves are what becomes of a model as glTF. What plays is the format's own sampling, whose nodes stand in
//! the game's axes: here they are put in the scene's.

use galvani::formats::{ClipSpan, Opened};
use galvani::glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use galvani::mdx::Document as Sequenced;
use galvani::mdx::sample::{Clip, ClockTimes, Cursor, Local, Poses, Rig, WindowEdges};
use galvani::parkan::msh::sample::{LocalPose, blend_pose, parent_of, sample_node_pose};
use galvani::parkan::msh::{self, ModelView};
use galvani::scene::{Fact, Scene};
use galvani::{SampleError, ff7, mdx};

/// A moment of a clip, by its place in the file, in the file's own units; and another one that is blended over it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instant {
    pub(crate) clip: Option<usize>,
    pub(crate) time: f64,
    pub(crate) over: Option<Over>,
}

/// What is blended over a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Over {
    /// Another clip, or the same one.
    pub clip: usize,
    /// Its time.
    pub time: f64,
    /// How much it counts, from 0 to 1.
    pub weight: f32,
}

/// How a model is posed.
#[derive(Debug)]
pub(crate) enum Runtime {
    /// By the scene's own curves: there is no other account of it.
    Curves,
    /// By whole frames, which the game never blends: the curves have a key on each.
    Frames,
    /// Nodes with key tracks on one timeline.
    Keyed(Keyed),
    /// Nodes with tracks in sequences.
    Sequences(Box<Sequences>),
}

/// What a unit of time is: of a file's own times, so many make a second.
pub(crate) fn rate(opened: &Opened) -> f64 {
    let clips = opened.as_animated().ok().and_then(|animated| animated.clips().ok());
    if let Some(clip) = clips.as_deref().and_then(<[ClipSpan]>::first) {
        return clip.rate;
    }
    // What does not move by itself may have motions beside it.
    let is_of_field = opened.downcast::<ff7::field::hrc::Document>().is_some()
        || opened.downcast::<ff7::field::rsd::Document>().is_some();
    if is_of_field {
        f64::from(ff7::field::a::FRAME_RATE)
    } else if is_of_frames(opened) {
        f64::from(ff7::lift::FRAME_RATE)
    } else {
        1.0
    }
}

/// Whether a model's game shows whole frames only.
fn is_of_frames(opened: &Opened) -> bool {
    opened.format.info().id.starts_with("ff7-")
}

impl Runtime {
    /// What poses a document.
    pub(crate) fn new(opened: &Opened, scene: &Scene) -> Result<Self, SampleError> {
        if let Some(document) = opened.downcast::<msh::Document>() {
            return Ok(Keyed::new(&document.model()).map_or(Runtime::Curves, Runtime::Keyed));
        }
        if let Some(document) = opened.downcast::<Sequenced>() {
            return Ok(Runtime::Sequences(Box::new(Sequences::new(document, scene)?)));
        }
        Ok(if is_of_frames(opened) { Runtime::Frames } else { Runtime::Curves })
    }

    /// Makes the places of a moment ready.
    pub(crate) fn pose(&mut self, opened: &Opened, instant: Instant, camera: Option<Quat>) {
        match self {
            Runtime::Curves | Runtime::Frames => {}
            Runtime::Keyed(keyed) => {
                if let Some(document) = opened.downcast::<msh::Document>() {
                    keyed.pose(&document.model(), instant);
                }
            }
            Runtime::Sequences(sequences) => sequences.pose(instant, camera),
        }
    }

    /// Where a node of the scene is in the model, in the scene's axes; nothing where only the scene knows.
    pub(crate) fn place(&self, node: usize) -> Option<Affine3A> {
        match self {
            Runtime::Curves | Runtime::Frames => None,
            Runtime::Keyed(keyed) => keyed.places.get(node).copied(),
            Runtime::Sequences(sequences) => sequences.place(node),
        }
    }
}

/// Axes of a game as those of the scene.
#[derive(Debug, Clone, Copy)]
struct Axes(Mat3A);

impl Axes {
    fn new(axes: impl Fn(Vec3) -> Vec3) -> Self {
        Axes(Mat3A::from_cols(axes(Vec3::X).into(), axes(Vec3::Y).into(), axes(Vec3::Z).into()))
    }

    /// The same place in the scene's axes.
    fn of(self, place: Affine3A) -> Affine3A {
        let back = self.0.transpose();
        Affine3A { matrix3: self.0 * place.matrix3 * back, translation: self.0 * place.translation }
    }
}

/// An MSH model: its nodes are the scene's.
#[derive(Debug)]
pub(crate) struct Keyed {
    axes: Axes,
    engine: Vec<msh::engine::Matrix>,
    places: Vec<Affine3A>,
}

impl Keyed {
    /// Nothing where the model's nodes are of a form that nobody knows.
    fn new(model: &ModelView<'_>) -> Option<Self> {
        let count = model.node_count();
        let axes = Axes::new(|axis| Vec3::from_array(msh::lift::axes(axis.to_array())));
        model.legacy_nodes.is_none().then(|| Keyed {
            axes,
            engine: vec![[0.0; 16]; count],
            places: vec![Affine3A::IDENTITY; count],
        })
    }

    /// A node that cannot be posed stands where its parent is, as in the scene.
    #[allow(clippy::cast_possible_truncation, reason = "the engine's times are of single precision")]
    fn pose(&mut self, model: &ModelView<'_>, Instant { clip, time, over }: Instant) {
        let time = if clip.is_some() { time as f32 } else { 0.0 };
        for node in 0..self.engine.len() {
            let pose = match over {
                None => sample_node_pose(model, node, time).map(|(pose, _)| pose),
                Some(over) => {
                    let times = (time, over.time as f32);
                    blend_pose(model, node, times, over.weight).map(|(pose, ..)| pose)
                }
            };
            let local = pose.unwrap_or(LocalPose::IDENTITY).matrix();
            let above = parent_of(model, node).ok().flatten().map(|parent| self.engine[parent]);
            let matrix = above.map_or(local, |above| msh::engine::compose(&above, &local));
            self.engine[node] = matrix;
            self.places[node] = self.axes.of(from_rows(&matrix));
        }
    }
}

/// Sixteen numbers, row by row.
fn from_rows(m: &[f32; 16]) -> Affine3A {
    let column = |i: usize| Vec3A::new(m[i], m[i + 4], m[i + 8]);
    Affine3A { matrix3: Mat3A::from_cols(column(0), column(1), column(2)), translation: column(3) }
}

/// An MDX model: its sequences made ready, and what poses them.
#[derive(Debug)]
pub(crate) struct Sequences {
    axes: Axes,
    rig: Rig,
    /// The node of the file that each node of the scene is, if it is one.
    nodes: Vec<Option<usize>>,
    /// One for each sequence, and behind them the one without any.
    clips: Vec<Clip>,
    cursor: Cursor,
    poses: Poses,
    /// What the tracks of a second clip say.
    other: Vec<Local>,
}

impl Sequences {
    fn new(document: &Sequenced, scene: &Scene) -> Result<Self, SampleError> {
        let rig = Rig::new(document);
        let node = |node: &galvani::scene::Node| match (node.extras.get("id"), node.extras.get("kind")) {
            (Some(Fact::Int(id)), Some(_)) => rig.find(*id),
            _ => None,
        };
        let nodes = scene.nodes.iter().map(node).collect();
        let all = (0..document.sequences().len()).map(Some).chain([None]);
        let clips = Clip::each(document, all, WindowEdges::Auto)?.collect::<Result<Vec<_>, _>>()?;
        let mut cursor = Cursor::default();
        for clip in &clips {
            cursor.fit(clip);
        }
        let axes = Axes::new(mdx::lift::axes);
        Ok(Sequences { axes, rig, nodes, clips, cursor, poses: Poses::default(), other: Vec::new() })
    }

    fn pose(&mut self, Instant { clip, time, over }: Instant, camera: Option<Quat>) {
        let Sequences { axes, rig, clips, cursor, poses, other, .. } = self;
        let at = |clip: Option<usize>| &clips[clip.unwrap_or(usize::MAX).min(clips.len() - 1)];
        at(clip).nodes(ClockTimes { time, global: time }, cursor, &mut poses.local);
        if let Some(Over { clip, time, weight }) = over {
            at(Some(clip)).nodes(ClockTimes { time, global: time }, cursor, other);
            for (local, other) in poses.local.iter_mut().zip(other.iter()) {
                *local = local.blend(other, weight);
            }
        }
        rig.place(poses, camera.map(|camera| camera * Quat::from_mat3a(&axes.0)));
    }

    fn place(&self, node: usize) -> Option<Affine3A> {
        let node = self.nodes.get(node).copied().flatten()?;
        let about = Affine3A::from_translation(self.rig.pivot(node).unwrap_or_default());
        Some(self.axes.of(*self.poses.model.get(node)? * about))
    }
}
