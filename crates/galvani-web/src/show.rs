//! A model as it is drawn: the scene, and for every moment one list of numbers.
//!
//! The list is made once and filled again and again: places of nodes, looks of materials, what joints do to vertices. Its
//! parts stand behind each other as [`Layout`] says.

use galvani::Report;
use galvani::formats::Opened;
use galvani::glam::{Affine3A, Mat3A, Quat, Vec3A};
use galvani::scene::{Clip, Id, Mesh, Moment, Pull, Sampler, Scene};
use serde::Serialize;

use crate::play::{Instant, Over, Runtime, rate};
use crate::refusal::Refusal;

/// A vertex in a browser is pulled at by so many joints; where there are more, they are brought together first.
pub(crate) const PULLS: usize = 4;

/// A model as it is drawn.
#[derive(Debug)]
pub struct Show {
    pub(crate) scene: Scene,
    /// What is not seen of it.
    pub(crate) report: Report,
    /// Units of the file's times in a second.
    pub(crate) rate: f64,
    pub(crate) layout: Layout,
    /// For each skin, joints that pull together.
    pub(crate) crowds: Vec<Crowds>,
    runtime: Runtime,
    sampler: Sampler,
    moment: Moment,
    /// What is blended over it.
    other: Moment,
    models: Vec<Affine3A>,
    frame: Vec<f32>,
}

/// Where the parts of a frame begin, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// A matrix for each node, column by column: its place in the model.
    pub nodes: usize,
    /// Whether each node's mesh is seen: 1 or 0.
    pub visible: usize,
    /// For each material its colour: red, green, blue, alpha.
    pub colors: usize,
    /// For each material its picture, or -1.
    pub images: usize,
    /// For each material what becomes of texture coordinates: of u, v and what is added, to u and then to v.
    pub uvs: usize,
    /// For each skin a matrix for each joint, and for each crowd.
    pub skins: Vec<usize>,
    /// How long it is.
    pub len: usize,
}

/// Numbers of a matrix, a colour and texture coordinates in a frame.
const MATRIX: usize = 16;
const COLOR: usize = 4;
const UV: usize = 6;

/// How a moment is reckoned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// As the game has it.
    Game,
    /// As other programs have it that are given the model as glTF.
    Curves,
}

/// What is to be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// Which clip of the scene; none, the model at rest.
    pub clip: Option<usize>,
    /// When, in the file's own units.
    pub time: f64,
    /// What is blended over it: a clip of the scene.
    pub over: Option<Over>,
    /// Whose account counts.
    pub account: Account,
    /// The turn from the scene's space into the viewer's, for what follows the viewer.
    pub camera: Option<Quat>,
}

/// Joints of a skin that pull together at vertices at which more pull than a browser has room for.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Crowds {
    pub(crate) pulls: Vec<Vec<Pull>>,
}

impl Show {
    /// Makes a scene ready.
    pub(crate) fn new(opened: &Opened, scene: Scene, report: Report) -> Result<Self, Refusal> {
        if let Some(wrong) = galvani::scene::check(&scene)
            .findings()
            .iter()
            .find(|found| found.severity == galvani::Severity::Error)
        {
            return Err(wrong.clone().into());
        }
        let crowds = crowds(&scene);
        let layout = Layout::new(&scene, &crowds);
        let runtime = Runtime::new(opened, &scene)?;
        Ok(Show {
            rate: rate(opened),
            runtime,
            sampler: Sampler::new(&scene),
            moment: Moment::at_rest(&scene),
            other: Moment::at_rest(&scene),
            models: vec![Affine3A::IDENTITY; scene.nodes.len()],
            frame: vec![0.0; layout.len],
            scene,
            report,
            layout,
            crowds,
        })
    }

    /// The numbers of a moment. Nothing is allocated.
    pub(crate) fn frame(&mut self, opened: &Opened, asked: Asked) -> &[f32] {
        self.pose(opened, asked);
        self.fill();
        &self.frame
    }

    /// Poses the nodes and looks.
    fn pose(&mut self, opened: &Opened, Asked { clip, time, over, account, camera }: Asked) {
        let whole = account == Account::Game && matches!(self.runtime, Runtime::Frames);
        let own = |time: f64| if whole { time.floor() } else { time };
        let place = |clip: usize, scene: &Scene| scene.clips.get(clip).map(|clip| clip.index as usize);
        sample(&mut self.sampler, &self.scene, (clip, own(time) / self.rate), &mut self.moment);
        if let Some(over) = over {
            let other = (Some(over.clip), own(over.time) / self.rate);
            sample(&mut self.sampler, &self.scene, other, &mut self.other);
            blend(&mut self.moment, &self.other, over.weight, self.scene.nodes.len());
        }
        if account == Account::Game {
            let over = over.and_then(|over| Some(Over { clip: place(over.clip, &self.scene)?, ..over }));
            let instant = Instant { clip: clip.and_then(|clip| place(clip, &self.scene)), time, over };
            self.runtime.pose(opened, instant, camera);
        }
        for (i, node) in self.scene.nodes.iter().enumerate() {
            let placed = (account == Account::Game).then(|| self.runtime.place(i)).flatten();
            let local = self.moment.local(i);
            self.models[i] = placed
                .unwrap_or_else(|| node.parent.map_or(local, |parent| self.models[parent.index()] * local));
        }
    }

    /// Writes everything down.
    fn fill(&mut self) {
        let Show { frame, layout, models, moment, scene, crowds, .. } = self;
        for (i, model) in models.iter().enumerate() {
            put_matrix(frame, layout.nodes + i * MATRIX, model);
            frame[layout.visible + i] = f32::from(u8::from(moment.visible[i]));
        }
        for i in 0..scene.materials.len() {
            let at = layout.colors + i * COLOR;
            frame[at..at + COLOR].copy_from_slice(&moment.colors.get(i).to_array());
            #[allow(clippy::cast_precision_loss, reason = "no model has 2^24 pictures")]
            let image = moment.images[i].map_or(-1.0, |image| image.index() as f32);
            frame[layout.images + i] = image;
            let uv = moment.uvs.get(i);
            let (sin, cos) = uv.rotation.sin_cos();
            let (scale, offset) = (uv.scale, uv.offset);
            let rows = [cos * scale.x, sin * scale.y, offset.x, -sin * scale.x, cos * scale.y, offset.y];
            let at = layout.uvs + i * UV;
            frame[at..at + UV].copy_from_slice(&rows);
        }
        for ((skin, crowds), &start) in scene.skins.iter().zip(crowds).zip(&layout.skins) {
            let does = |joint: usize| {
                let joint = &skin.joints[joint];
                models[joint.node.index()] * joint.inverse_bind
            };
            for joint in 0..skin.joints.len() {
                put_matrix(frame, start + joint * MATRIX, &does(joint));
            }
            for (i, pulls) in crowds.pulls.iter().enumerate() {
                let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
                for pull in pulls {
                    let own = does(pull.joint);
                    sum.matrix3 += own.matrix3 * pull.weight;
                    sum.translation += own.translation * pull.weight;
                }
                put_matrix(frame, start + (skin.joints.len() + i) * MATRIX, &sum);
            }
        }
    }

    /// The place of a node in the model, as it was posed last.
    pub fn model(&self, node: usize) -> Option<Affine3A> {
        self.models.get(node).copied()
    }
}

/// The scene at a second of a clip, or at rest.
#[allow(clippy::cast_possible_truncation, reason = "seconds of a scene are of single precision")]
fn sample(sampler: &mut Sampler, scene: &Scene, (clip, time): (Option<usize>, f64), into: &mut Moment) {
    match clip.and_then(|clip| scene.clips.get(clip)) {
        Some(clip) => sampler.sample(clip, time as f32, into),
        None => sampler.sample(&Clip::default(), 0.0, into),
    }
}

/// Blends the nodes of another moment over one; looks stay.
fn blend(moment: &mut Moment, other: &Moment, weight: f32, nodes: usize) {
    for i in 0..nodes {
        moment.translations.set(i, moment.translations.get(i).lerp(other.translations.get(i), weight));
        moment.scales.set(i, moment.scales.get(i).lerp(other.scales.get(i), weight));
        moment.rotations.set(i, moment.rotations.get(i).slerp(other.rotations.get(i), weight));
    }
}

fn put_matrix(frame: &mut [f32], at: usize, matrix: &Affine3A) {
    let Affine3A { matrix3, translation } = matrix;
    let columns = [matrix3.x_axis, matrix3.y_axis, matrix3.z_axis, *translation];
    for (i, column) in columns.into_iter().enumerate() {
        let last = if i == 3 { 1.0 } else { 0.0 };
        frame[at + i * 4..at + i * 4 + 4].copy_from_slice(&column.extend(last).to_array());
    }
}

impl Layout {
    fn new(scene: &Scene, crowds: &[Crowds]) -> Self {
        let mut len = 0;
        let mut part = |count: usize| {
            len += count;
            len - count
        };
        let (nodes, materials) = (scene.nodes.len(), scene.materials.len());
        let mut layout = Layout {
            nodes: part(nodes * MATRIX),
            visible: part(nodes),
            colors: part(materials * COLOR),
            images: part(materials),
            uvs: part(materials * UV),
            skins: Vec::new(),
            len: 0,
        };
        let joints = scene.skins.iter().zip(crowds);
        layout.skins =
            joints.map(|(skin, crowds)| part((skin.joints.len() + crowds.pulls.len()) * MATRIX)).collect();
        layout.len = len;
        layout
    }
}

/// What a node may show: its mesh, and those that stand in for it.
pub(crate) fn shown(scene: &Scene, node: usize) -> impl Iterator<Item = Id<Mesh>> {
    let others = scene.variants.iter().flat_map(|variant| &variant.shows);
    let others = others.filter(move |(shows, _)| shows.index() == node).filter_map(|(_, mesh)| *mesh);
    scene.nodes.get(node).and_then(|node| node.mesh).into_iter().chain(others)
}

/// The skin that bends each mesh, if one does.
pub(crate) fn skins_of_meshes(scene: &Scene) -> Vec<Option<usize>> {
    let mut skins = vec![None; scene.meshes.len()];
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(skin) = node.skin else { continue };
        for mesh in shown(scene, i) {
            skins[mesh.index()] = Some(skin.index());
        }
    }
    skins
}

/// Every run of more pulls than there is room for, once for each skin.
fn crowds(scene: &Scene) -> Vec<Crowds> {
    let mut all = vec![Crowds::default(); scene.skins.len()];
    for (mesh, skin) in scene.meshes.iter().zip(skins_of_meshes(scene)) {
        let Some(crowds) = skin.and_then(|skin| all.get_mut(skin)) else { continue };
        let pulls = mesh.primitives.iter().flat_map(|primitive| primitive.influences.iter());
        for pulls in pulls.filter(|pulls| pulls.len() > PULLS) {
            if crowds.find(pulls).is_none() {
                crowds.pulls.push(pulls.to_vec());
                crowds.pulls.sort_by(|a, b| compare(a, b));
            }
        }
    }
    all
}

impl Crowds {
    /// Which of them is this.
    pub(crate) fn find(&self, pulls: &[Pull]) -> Option<usize> {
        self.pulls.binary_search_by(|other| compare(other, pulls)).ok()
    }
}

fn compare(a: &[Pull], b: &[Pull]) -> std::cmp::Ordering {
    let key = |pull: &Pull| (pull.joint, pull.weight.to_bits());
    a.iter().map(key).cmp(b.iter().map(key))
}
