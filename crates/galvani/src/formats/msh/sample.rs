//! Poses of a model, for `sample`.

use galvani_core::{Path, Report, SampleError, text};
use galvani_parkan::msh::engine::{self, Matrix};
use galvani_parkan::msh::sample::{
    self, Branch, NO_NODE, Pose, blend_pose, parent_of, rest_pose, sample_node_pose,
};
use galvani_parkan::msh::{Document, Model};
use glam::Vec3;

use crate::codes;
use crate::formats::pose::{from_rows, from_wxyz};
use crate::formats::sampling::single;
use crate::formats::select::Candidates;
use crate::formats::{self, NodePose, PoseKind, PoseSource, Rest, Root, Samples, Sampling, Selector, Space};

/// A moment that is asked for; `None` is rest.
type Moment = Option<f32>;

/// The samples, by time and then by node.
pub(super) fn run(document: &Document, wanted: &Sampling) -> Result<Samples, SampleError> {
    if wanted.clip.is_some() {
        return Err(codes::NO_CLIPS.at(Path::root()).into());
    }
    wanted.only(&["--node", "--blend", "--space", "--root", "--rest"])?;
    let model = document.model();
    if model.legacy_nodes.is_some() {
        return Err(refusal(&model));
    }
    let mut notes = Report::default();
    let nodes = find(&model, wanted.node.as_ref().unwrap_or(&Selector::All), &mut notes)?;
    let mut times: Vec<f32> = wanted.times.iter().map(|&time| single(time)).collect();
    times.sort_by(f32::total_cmp);
    times.dedup_by_key(|time| time.to_bits());
    let moments: Vec<Moment> = match (times.as_slice(), wanted.rest) {
        ([], Rest::Frame0) => vec![Some(0.0)],
        ([], Rest::Fallback) => vec![None],
        (times, _) => times.iter().copied().map(Some).collect(),
    };
    let mut poses = Vec::new();
    for moment in moments {
        let mut placed = Placed::default();
        let one = |node: usize| {
            let taken = take(&model, node, moment, wanted)?;
            let spot = match wanted.space.unwrap_or_default() {
                Space::Local => Spot::of(&taken.pose),
                Space::Model => placed.spot(&model, node, moment, wanted)?,
            };
            Ok(node_pose(&model, node, &taken, &spot))
        };
        let nodes = nodes.iter().copied().map(one).collect::<Result<_, SampleError>>()?;
        let kind = PoseKind::Keyed { blend: wanted.blend.filter(|_| moment.is_some()) };
        poses.push(formats::Pose { clip: None, time: moment.map(f64::from), nodes, kind });
    }
    Ok(Samples { poses, notes })
}

/// The nodes that a word means.
fn find(model: &Model<'_>, nodes: &Selector, notes: &mut Report) -> Result<Vec<usize>, SampleError> {
    let names = (0..model.node_count()).map(|i| text::shown(model.node_name(i)));
    Candidates::named("node", Path::of("nodes"), &NO_NODE, names).every(nodes, notes)
}

fn refusal(model: &Model<'_>) -> SampleError {
    match parent_of(model, 0) {
        Err(error) => error,
        Ok(_) => NO_NODE.at(Path::of("nodes")).into(),
    }
}

/// A pose and how it came about, on both sides of a blend.
struct Taken {
    pose: Pose,
    branch: Option<Branch>,
    branch_b: Option<Branch>,
}

/// The pose of a node at a moment, relative to its parent.
fn take(model: &Model<'_>, node: usize, moment: Moment, wanted: &Sampling) -> Result<Taken, SampleError> {
    let (mut pose, branch, branch_b) = match (moment, wanted.blend) {
        (Some(time), Some((time_b, blend))) => blend_pose(model, node, (time, time_b), blend)?,
        (Some(time), None) => one_sided(sample_node_pose(model, node, time)?),
        (None, _) => one_sided(rest_pose(model, node, sample::Rest::Fallback)?),
    };
    if node == 0 && wanted.root == Root::Clear && parent_of(model, node)?.is_none() {
        pose.position = [0.0; 3];
    }
    Ok(Taken { pose, branch, branch_b })
}

fn one_sided((pose, branch): (Pose, Branch)) -> (Pose, Option<Branch>, Option<Branch>) {
    (pose, Some(branch), None)
}

/// A pose in some space: what is printed of it.
#[derive(Clone, Copy)]
struct Spot {
    rotation: [f32; 4],
    matrix: Matrix,
}

impl Spot {
    fn of(pose: &Pose) -> Self {
        Spot { rotation: pose.rotation, matrix: pose.matrix() }
    }

    /// What hangs here, in the space of this. The engine's rotations turn as their conjugates, so they
    /// multiply the other way round.
    fn compose(&self, below: &Spot) -> Self {
        let ([w, x, y, z], [pw, px, py, pz]) = (below.rotation, self.rotation);
        let rotation = [
            w * pw - x * px - y * py - z * pz,
            w * px + x * pw + y * pz - z * py,
            w * py - x * pz + y * pw + z * px,
            w * pz + x * py - y * px + z * pw,
        ];
        Spot { rotation, matrix: engine::compose(&self.matrix, &below.matrix) }
    }
}

/// Nodes whose place in the model is known: at one moment each is worked out once.
#[derive(Default)]
struct Placed(Vec<Option<Spot>>);

impl Placed {
    /// Where a node is in the model. Only it and what it hangs under are looked at.
    fn spot(
        &mut self,
        model: &Model<'_>,
        node: usize,
        moment: Moment,
        wanted: &Sampling,
    ) -> Result<Spot, SampleError> {
        let (mut chain, mut above, mut at) = (Vec::new(), None, Some(node));
        while let Some(node) = at {
            above = self.0.get(node).copied().flatten();
            if above.is_some() {
                break;
            }
            chain.push((node, Spot::of(&take(model, node, moment, wanted)?.pose)));
            at = parent_of(model, node)?;
        }
        let mut spot = above;
        for (node, local) in chain.into_iter().rev() {
            let here = spot.map_or(local, |above| above.compose(&local));
            if self.0.len() <= node {
                self.0.resize(node.saturating_add(1), None);
            }
            if let Some(place) = self.0.get_mut(node) {
                *place = Some(here);
            }
            spot = Some(here);
        }
        spot.ok_or_else(|| refusal(model))
    }
}

fn node_pose(model: &Model<'_>, node: usize, taken: &Taken, spot: &Spot) -> NodePose {
    let [_, _, _, x, _, _, _, y, _, _, _, z, ..] = spot.matrix;
    NodePose {
        index: node,
        id: i64::try_from(node).unwrap_or(i64::MAX),
        name: Some(text::shown(model.node_name(node)).into_owned()),
        position: Some(Vec3::new(x, y, z)),
        translation: Vec3::from_array(taken.pose.position),
        rotation: from_wxyz(spot.rotation),
        scale: Vec3::ONE,
        matrix: Some(from_rows(&spot.matrix)),
        source: PoseSource::Branches(taken.branch.map(branch), taken.branch_b.map(branch)),
    }
}

fn branch(branch: Branch) -> formats::Branch {
    match branch {
        Branch::Still => formats::Branch::Still,
        Branch::Fallback => formats::Branch::Fallback,
        Branch::Key => formats::Branch::Key,
        Branch::Segment => formats::Branch::Segment,
    }
}
