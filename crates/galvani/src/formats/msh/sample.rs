//! Poses of a model, for `sample`.

use galvani_core::{Path, Report, SampleError, text};
use galvani_parkan::msh::engine::{self, Matrix};
use galvani_parkan::msh::sample::{
    self, Branch, LocalPose, NO_NODE, blend_pose, parent_of, rest_pose, sample_node_pose,
};
use galvani_parkan::msh::{Document, ModelView, lift};
use glam::Vec3;

use super::Posing;
use crate::codes;
use crate::formats::pose::from_rows;
use crate::formats::select::Candidates;
use crate::formats::{
    self, ClipSpan, NodePose, PoseKind, PoseSource, RestOption, RootOption, Samples, Sampling, Selector,
    Space,
};
use galvani_core::maths::{Wxyz, single};

/// A moment that is asked for; `None` is rest.
type Moment = Option<f32>;

/// The samples, by time and then by node.
pub(super) fn run<'a>(
    document: &'a Document,
    wanted: &Sampling,
    posing: Posing,
) -> Result<Samples<'a>, SampleError> {
    // The only animation there is may be asked for.
    if let Some(clip) = &wanted.clip {
        let only = Candidates::named("clip", Path::root(), &codes::NO_CLIPS, [lift::TIMELINE]);
        only.one::<SampleError>(clip, &mut Report::default())?;
    }
    let model = document.model();
    if model.legacy_nodes.is_some() {
        return Err(refusal(&model));
    }
    let blend = blend(&posing, wanted)?;
    let mut notes = Report::default();
    let nodes = find(&model, wanted.node.as_ref().unwrap_or(&Selector::All), &mut notes)?;
    let query = PoseQuery { model, nodes, posing, blend };
    let poses = moments(wanted, query.posing.rest).map(move |moment| query.pose(moment));
    Ok(Samples { notes, poses: Box::new(poses) })
}

/// The timeline, if there is one.
pub(super) fn clips(document: &Document) -> Vec<ClipSpan> {
    let frames = document.model().frame_count();
    let end = f64::from(frames.saturating_sub(1));
    let name = lift::TIMELINE.to_owned();
    let clip = ClipSpan { index: 0, name, start: 0.0, end, looping: false, rate: lift::FRAME_RATE.into() };
    (frames > 0).then_some(clip).into_iter().collect()
}

/// The other side of a blend and its weight, both or neither.
fn blend(posing: &Posing, wanted: &Sampling) -> Result<Option<(f32, f32)>, SampleError> {
    match (posing.time_b, posing.blend) {
        (None, None) => Ok(None),
        (Some(time_b), Some(blend)) if !wanted.times.is_empty() => Ok(Some((time_b, blend))),
        _ => Err(codes::HALF_BLEND.at(Path::root()).into()),
    }
}

/// The moments in order, each once: times that are one in single precision are one.
fn moments(wanted: &Sampling, rest: RestOption) -> impl Iterator<Item = Moment> + use<> {
    let still = match rest {
        RestOption::Frame0 => Some(0.0),
        RestOption::Fallback => None,
    };
    let still = wanted.times.is_empty().then_some(still);
    let mut last: Option<u32> = None;
    let times = wanted.times.in_order().map(single).filter(move |time| {
        let is_new = last != Some(time.to_bits());
        last = Some(time.to_bits());
        is_new
    });
    still.into_iter().chain(times.map(Some))
}

/// What is asked of a model.
struct PoseQuery<'a> {
    model: ModelView<'a>,
    nodes: Vec<usize>,
    posing: Posing,
    blend: Option<(f32, f32)>,
}

/// The nodes that a word means.
fn find(model: &ModelView<'_>, nodes: &Selector, notes: &mut Report) -> Result<Vec<usize>, SampleError> {
    let names = (0..model.node_count()).map(|i| text::shown(model.node_name(i)));
    Candidates::named("node", Path::named("nodes"), &NO_NODE, names).every(nodes, notes)
}

fn refusal(model: &ModelView<'_>) -> SampleError {
    match parent_of(model, 0) {
        Err(error) => error,
        Ok(_) => NO_NODE.at(Path::named("nodes")).into(),
    }
}

impl PoseQuery<'_> {
    /// The nodes wanted at a moment.
    fn pose(&self, moment: Moment) -> Result<formats::Pose, SampleError> {
        let mut placements = Placements::default();
        let one = |&node: &usize| {
            let sample = self.sample(node, moment)?;
            let placement = match self.posing.space {
                Space::Local => Placement::from_pose(&sample.pose),
                Space::Model => placements.placement(self, node, moment)?,
            };
            Ok(node_pose(&self.model, node, &sample, &placement))
        };
        let nodes = self.nodes.iter().map(one).collect::<Result<_, SampleError>>()?;
        let kind = PoseKind::Keyed { blend: self.blend.filter(|_| moment.is_some()) };
        Ok(formats::Pose { clip: None, time: moment.map(f64::from), nodes, kind })
    }

    /// The pose of a node at a moment, relative to its parent.
    fn sample(&self, node: usize, moment: Moment) -> Result<NodeSample, SampleError> {
        let model = &self.model;
        let (mut pose, branch, branch_b) = match (moment, self.blend) {
            (Some(time), Some((time_b, blend))) => blend_pose(model, node, (time, time_b), blend)?,
            (Some(time), None) => one_sided(sample_node_pose(model, node, time)?),
            (None, _) => one_sided(rest_pose(model, node, sample::RestPose::Fallback)?),
        };
        if node == 0 && self.posing.root == RootOption::Clear && parent_of(model, node)?.is_none() {
            pose.position = [0.0; 3];
        }
        Ok(NodeSample { pose, branch, branch_b })
    }
}

/// A pose and how it came about, on both sides of a blend.
struct NodeSample {
    pose: LocalPose,
    branch: Option<Branch>,
    branch_b: Option<Branch>,
}

fn one_sided((pose, branch): (LocalPose, Branch)) -> (LocalPose, Option<Branch>, Option<Branch>) {
    (pose, Some(branch), None)
}

/// A pose in some space: what is printed of it.
#[derive(Clone, Copy)]
struct Placement {
    rotation: Wxyz<f32>,
    matrix: Matrix,
}

impl Placement {
    fn from_pose(pose: &LocalPose) -> Self {
        Placement { rotation: pose.rotation, matrix: pose.matrix() }
    }

    /// What hangs here, in the space of this. The engine's rotations turn as their conjugates, so they
    /// multiply the other way round.
    fn compose(&self, below: &Placement) -> Self {
        let (Wxyz([w, x, y, z]), Wxyz([pw, px, py, pz])) = (below.rotation, self.rotation);
        let rotation = Wxyz([
            w * pw - x * px - y * py - z * pz,
            w * px + x * pw + y * pz - z * py,
            w * py - x * pz + y * pw + z * px,
            w * pz + x * py - y * px + z * pw,
        ]);
        Placement { rotation, matrix: engine::compose(&self.matrix, &below.matrix) }
    }
}

/// Nodes whose place in the model is known: at one moment each is worked out once.
#[derive(Default)]
struct Placements(Vec<Option<Placement>>);

impl Placements {
    /// Where a node is in the model. Only it and what it hangs under are looked at.
    fn placement(
        &mut self,
        query: &PoseQuery<'_>,
        node: usize,
        moment: Moment,
    ) -> Result<Placement, SampleError> {
        let (mut chain, mut above, mut at) = (Vec::new(), None, Some(node));
        while let Some(node) = at {
            above = self.0.get(node).copied().flatten();
            if above.is_some() {
                break;
            }
            chain.push((node, Placement::from_pose(&query.sample(node, moment)?.pose)));
            at = parent_of(&query.model, node)?;
        }
        let mut placement = above;
        for (node, local) in chain.into_iter().rev() {
            let here = placement.map_or(local, |above| above.compose(&local));
            if self.0.len() <= node {
                self.0.resize(node.saturating_add(1), None);
            }
            if let Some(place) = self.0.get_mut(node) {
                *place = Some(here);
            }
            placement = Some(here);
        }
        placement.ok_or_else(|| refusal(&query.model))
    }
}

fn node_pose(model: &ModelView<'_>, node: usize, sample: &NodeSample, placement: &Placement) -> NodePose {
    let [_, _, _, x, _, _, _, y, _, _, _, z, ..] = placement.matrix;
    NodePose {
        index: node,
        id: i64::try_from(node).unwrap_or(i64::MAX),
        name: Some(text::shown(model.node_name(node)).into_owned()),
        position: Some(Vec3::new(x, y, z)),
        translation: Vec3::new(x, y, z),
        rotation: placement.rotation.into(),
        scale: Vec3::ONE,
        matrix: Some(from_rows(&placement.matrix)),
        source: PoseSource::Branches(sample.branch.map(branch), sample.branch_b.map(branch)),
    }
}

fn branch(branch: Branch) -> formats::PoseBranch {
    match branch {
        Branch::Still => formats::PoseBranch::Still,
        Branch::Fallback => formats::PoseBranch::Fallback,
        Branch::Key => formats::PoseBranch::Key,
        Branch::Segment => formats::PoseBranch::Segment,
    }
}
