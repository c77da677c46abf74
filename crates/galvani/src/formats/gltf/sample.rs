//! Poses of a file of glTF, for `sample`.

use std::collections::BTreeMap;

use galvani_core::{Path, Report, SampleError, codes};
use galvani_gltf::import::{self, AddedNodes, Options};
use galvani_gltf::{Document, Imported};
use galvani_scene::{Clip, Looping, Matrices, Moment, Sampler, Scene, to_model};
use glam::{Mat4, Vec3};

use super::lift;
use crate::formats::select::Candidates;
use crate::formats::{
    ClipLabel, ClipSpan, NodePose, Pose, PoseKind, PoseSource, Samples, Sampling, Selector, Space,
};

codes! {
    NO_NODE = Error blaming Request, "gltf.no-node",
        "there is no such node in the scene that is shown",
        "nodes go by name or by their index in the file";
    NO_CLIP = Error blaming Request, "gltf.no-clip",
        "there is no such animation",
        "animations go by name or by their index in the file";
    TIME = Error blaming Request, "gltf.time",
        "a time must be a number",
        "give seconds from the beginning of the animation";
}

/// The samples, by time and then by animation. Without a clip all of them, without a time their beginnings. Times are
/// in seconds.
pub(super) fn run<'a>(
    document: &'a Document,
    wanted: &'a Sampling,
    space: Space,
) -> Result<Samples<'a>, SampleError> {
    if let Some(wrong) = wanted.times.ends().find(|time| !time.is_finite()) {
        return Err(TIME.at(Path::root()).saying(format!("{wrong}")).into());
    }
    let options = Options { made: AddedNodes::Kept, ..Options::default() };
    let imported = import::import(document, &options, &lift::meter(document));
    let Imported { scene, nodes, clips, .. } =
        imported.map_err(|error| SampleError { cause: error.cause })?;
    let mut notes = Report::default();
    let shown = shown_nodes(&scene, &nodes, wanted.node.as_ref(), &mut notes)?;
    let clips = wanted_clips(document, &clips, wanted.clip.as_ref(), &mut notes)?;
    let models = Matrices::identity(scene.nodes.len());
    let moment = Moment::at_rest(&scene);
    let sampler = Sampler::new(&scene);
    let mut query = PoseQuery { scene, nodes, shown, sampler, moment, models, space };
    let beginning = wanted.times.is_empty().then_some(0.0);
    let times = beginning.into_iter().chain(wanted.times.in_order());
    let poses =
        times.flat_map(move |time| clips.iter().map(|clip| Ok(query.pose(clip, time))).collect::<Vec<_>>());
    Ok(Samples { notes, poses: Box::new(poses) })
}

/// The animations that move something, in seconds.
pub(super) fn clips(document: &Document) -> Result<Vec<ClipSpan>, SampleError> {
    let imported = import::import(document, &Options::default(), &lift::meter(document));
    let Imported { scene, clips, .. } = imported.map_err(|error| SampleError { cause: error.cause })?;
    let names = names(document)?;
    let clip = |(clip, index): (&Clip, Option<usize>)| {
        let (index, end) = (index?, clip.duration.into());
        let (name, looping) = (names.get(index)?.clone(), clip.looping == Looping::Wrap);
        Some(ClipSpan { index, name, start: 0.0, end, looping, rate: 1.0 })
    };
    let mut all: Vec<ClipSpan> = scene.clips.iter().zip(clips).filter_map(clip).collect();
    all.sort_by_key(|clip| clip.index);
    Ok(all)
}

/// The nodes that are meant, as places in the scene.
fn shown_nodes(
    scene: &Scene,
    nodes: &[usize],
    wanted: Option<&Selector>,
    notes: &mut Report,
) -> Result<Vec<usize>, SampleError> {
    // In the order of the file, so that a number is the file's.
    let count = nodes.iter().max().map_or(0, |most| most.saturating_add(1));
    let mut places = vec![None; count];
    for (place, node) in nodes.iter().enumerate() {
        if let Some(slot) = places.get_mut(*node) {
            *slot = Some(place);
        }
    }
    let name = |place: &Option<usize>| {
        place.and_then(|place| scene.nodes.get(place)).map_or("", |node| node.name.as_str()).to_owned()
    };
    let names = places.iter().map(name);
    let candidates = Candidates::named("node", Path::named("nodes"), &NO_NODE, names);
    let found = candidates.every::<SampleError>(wanted.unwrap_or(&Selector::All), notes)?;
    Ok(found.into_iter().filter_map(|node| places.get(node).copied().flatten()).collect())
}

/// What the animations are called.
fn names(document: &Document) -> Result<Vec<String>, SampleError> {
    let view = document.view()?;
    Ok(view.animations.iter().map(|animation| animation.name.clone().into_owned()).collect())
}

/// A clip of the scene, and what the file calls it; without any the pose of rest.
type WantedClip = Option<(usize, ClipLabel)>;

fn wanted_clips(
    document: &Document,
    clips: &[Option<usize>],
    wanted: Option<&Selector>,
    notes: &mut Report,
) -> Result<Vec<WantedClip>, SampleError> {
    let names = names(document)?;
    let all = names.iter().map(String::as_str);
    let candidates = Candidates::named("animation", Path::named("animations"), &NO_CLIP, all);
    let found = candidates.every::<SampleError>(wanted.unwrap_or(&Selector::All), notes)?;
    let places = clips.iter().enumerate().filter_map(|(place, animation)| Some(((*animation)?, place)));
    let places: BTreeMap<usize, usize> = places.collect();
    let asked = found.into_iter().map(|animation| {
        let name = names.get(animation).cloned().filter(|name| !name.is_empty());
        places.get(&animation).map(|place| (*place, ClipLabel { index: Some(animation), name }))
    });
    let asked: Vec<WantedClip> = asked.flatten().map(Some).collect();
    Ok(if asked.is_empty() { vec![None] } else { asked })
}

/// What is asked of a scene.
struct PoseQuery {
    scene: Scene,
    /// For each node of the scene its number in the file.
    nodes: Vec<usize>,
    shown: Vec<usize>,
    sampler: Sampler,
    moment: Moment,
    models: Matrices,
    space: Space,
}

impl PoseQuery {
    fn pose(&mut self, asked: &WantedClip, time: f64) -> Pose {
        let still = Clip::default();
        let clip = asked.as_ref().and_then(|(clip, _)| self.scene.clips.get(*clip)).unwrap_or(&still);
        self.sampler.sample(clip, galvani_core::maths::single(time), &mut self.moment);
        to_model(&self.scene, &self.moment, &mut self.models);
        let label = asked.as_ref().map(|(_, label)| label.clone());
        Pose {
            clip: Some(label.unwrap_or(ClipLabel { index: None, name: None })),
            time: Some(time),
            nodes: self.shown.iter().filter_map(|place| self.node(*place)).collect(),
            kind: PoseKind::Sequence { global_time: time, properties: None },
        }
    }

    fn node(&self, place: usize) -> Option<NodePose> {
        let (node, index) = (self.scene.nodes.get(place)?, *self.nodes.get(place)?);
        let matrix = match self.space {
            Space::Model => self.models.matrix(place),
            Space::Local => self.moment.local(place),
        };
        Some(NodePose {
            index,
            id: i64::try_from(index).unwrap_or(i64::MAX),
            name: Some(node.name.clone()),
            position: Some(Vec3::from(matrix.translation)),
            translation: self.moment.translations.get(place),
            rotation: self.moment.rotations.get(place),
            scale: self.moment.scales.get(place),
            matrix: Some(Mat4::from(matrix)),
            source: PoseSource::Curves,
        })
    }
}
