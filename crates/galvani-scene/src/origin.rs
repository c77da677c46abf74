//! Where the values of a scene lie in the file that they come from: what the way back stands on.
//!
//! A lift says of the lists it makes which places of the file each was read from, and by which codec. What a file says beyond
//! its scene, and how both make the file again, is the business of those who have the bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use galvani_core::Path;
use galvani_core::maths::single_count;
use glam::{Vec3, Vec4};

use crate::{
    AlphaMode, Clip, Extras, Fact, Interp, Light, LightForm, Material, Node, Primitive, Scene, Track, Wrap,
};

mod beyond;
mod pull;

pub use beyond::{beyond, differing};
pub use pull::{Pulls, first_alike, packed_parts, unpacked};

/// A list of values in a scene. Primitives are numbered as the scene has them, clips and nodes as the file does, meshes as the scene
/// has them in an [`Origin`], and by [`mesh_order`] where they are [looked for](SceneLists).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Values {
    /// Where the vertices of a primitive of a mesh are.
    Positions(usize, usize),
    /// Their normals.
    Normals(usize, usize),
    /// Their tangents.
    Tangents(usize, usize),
    /// The directions of their tangents, where a file says in another way on which side the third axis lies.
    Alongs(usize, usize),
    /// On which side of their tangents the third axis lies.
    Sides(usize, usize),
    /// A set of their coordinates.
    Uvs(usize, usize, usize),
    /// Their colours.
    Colors(usize, usize),
    /// What pulls at them, as [`Pulls`] say it.
    Pulls(usize, usize),
    /// The corners of triangles.
    Indices(usize, usize),
    /// Where a node is over a clip.
    Places(usize, usize),
    /// How it is turned.
    Turns(usize, usize),
    /// How large it is.
    Sizes(usize, usize),
    /// When it is somewhere.
    PlaceTimes(usize, usize),
    /// When it is turned somehow.
    TurnTimes(usize, usize),
    /// When it is how large.
    SizeTimes(usize, usize),
    /// Where a node is at rest; one value for any number of places in a file.
    Place(usize),
    /// How it is turned at rest.
    Turn(usize),
    /// The number of the node that it hangs on; [`NOWHERE`] if it hangs on none.
    Parent(usize),
    /// What the camera of that number sees: how high, from where, and up to where.
    Sight(usize),
    /// Where it is at rest.
    EyePlace(usize),
    /// How it is turned at rest.
    EyeTurn(usize),
    /// The colour of the light of a node, and how bright it is.
    Shine(usize),
    /// How far it shines; 0 for no end.
    Reach(usize),
    /// 0 for a light that shines from a point, 1 for one from far away.
    Form(usize),
    /// Whether the back is seen of what a layer of a material shows.
    Back(usize, usize),
    /// What its alpha means: 0 nothing, 1 that it is seen from that much on, 2 how much it covers.
    Cover(usize, usize),
    /// What is beyond the edges of one of its pictures: 0 its last pixels, 1 the picture again, 2 mirrored.
    Edges(usize, usize, usize),
    /// How a node goes from key to key: 0 by steps, 1 straight.
    PlaceSteps(usize, usize),
    /// How it turns from key to key.
    TurnSteps(usize, usize),
    /// How its size changes from key to key.
    SizeSteps(usize, usize),
}

/// The number of what a node hangs on that hangs on nothing.
pub const NOWHERE: f32 = -1.0;

/// Where the values of a list come from: those that it speaks of, each from its row of a table of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Which list.
    pub values: Values,
    /// What it lies in bytes by; nothing if the scene says it in another way, and a change of it has no place to go.
    pub codec: &'static str,
    /// What the file is called, if it is not the model's own.
    pub file: String,
    /// The table, by its path in the file.
    pub table: Path,
    /// Bytes from a row to the next, if that is not how the file has it.
    pub stride: Option<usize>,
    /// Where in a row.
    pub field: usize,
    /// Places in the list, in order; nothing for all of it.
    pub picks: Option<Vec<Range<usize>>>,
    /// Their rows.
    pub rows: Vec<Range<usize>>,
    /// What they count from.
    pub bases: Vec<Base>,
    /// Of indices: which vertex of the file each of the scene is, and from which on the file counts.
    pub vertices: Option<(Vec<Range<usize>>, usize)>,
    /// Of a place: what the node that it hangs on has to do with it.
    pub above: Option<ParentTable>,
    /// Of a parent: its number must be below this.
    pub most: Option<usize>,
    /// Of pulls: the groups of nodes that the file counts them by.
    pub groups: Option<Groups>,
}

/// What the node that one hangs on has to do with its place: a row for each number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParentTable {
    /// The table, by its path in the file.
    pub table: Path,
    /// The number of the node that row 0 is of.
    pub first: usize,
    /// How many rows.
    pub count: usize,
    /// Where in a row.
    pub field: usize,
    /// Whether the row is where the place lies, and not what it counts from.
    pub is_row: bool,
}

/// Groups of nodes: how many each has, and the numbers of all, group after group. All are words of four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups {
    /// How many nodes each has, by its path in the file, and how many groups.
    pub sizes: (Path, usize),
    /// The numbers of the nodes, and how many.
    pub nodes: (Path, usize),
}

/// A value of the file that others count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base {
    /// Its table, by its path in the file.
    pub table: Path,
    /// Its row.
    pub row: usize,
    /// Where in the row.
    pub field: usize,
}

impl Origin {
    /// The origin of a list in a field of a table's rows.
    pub fn new(
        values: Values,
        codec: &'static str,
        (table, field): (Path, usize),
        rows: Vec<Range<usize>>,
    ) -> Self {
        Origin {
            values,
            codec,
            file: String::new(),
            table,
            stride: None,
            field,
            picks: None,
            rows,
            bases: Vec::new(),
            vertices: None,
            above: None,
            most: None,
            groups: None,
        }
    }

    /// A list that the file says in another way: it must stay as it is.
    pub fn fixed(values: Values) -> Self {
        Origin::new(values, "", (Path::root(), 0), Vec::new())
    }
}

/// Something that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// The node of that number.
    Node(usize),
    /// The clip of that number.
    Clip(usize),
}

/// Where a name lies in a file. One that lies at several places is the same everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameOrigin {
    /// Whose.
    pub of: Named,
    /// What the file is called, if it is not the model's own.
    pub file: String,
    /// The table, by its path in the file.
    pub table: Path,
    /// Its row.
    pub row: usize,
    /// Where in the row.
    pub field: usize,
    /// What room it has there.
    pub room: NameRoom,
}

/// What room a name has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameRoom {
    /// So many bytes, the last of which is 0.
    Field(usize),
    /// As many as it takes: the file is a text.
    Text,
    /// As many as it takes, and the file says elsewhere how many: its format has to rename it.
    Counted,
}

/// A digest of a list, short because there are many: of the bits of its numbers.
pub fn seal(list: &[[f32; 4]]) -> u32 {
    mixed(digest(list.iter().flatten().map(|part| part.to_bits()))) >> 8
}

/// A digest of which each part depends on all words: what was last does not reach all of a digest by itself.
pub fn mixed(digest: u32) -> u32 {
    let once = (digest ^ (digest >> 16)).wrapping_mul(0x85EB_CA6B);
    let twice = (once ^ (once >> 13)).wrapping_mul(0xC2B2_AE35);
    twice ^ (twice >> 16)
}

/// A digest of words.
pub fn digest(words: impl Iterator<Item = u32>) -> u32 {
    words.fold(0x811C_9DC5, |seal, word| (seal ^ word).wrapping_mul(0x0100_0193).rotate_left(5))
}

impl Values {
    /// The word for the list, and its numbers.
    pub fn named(self) -> (&'static str, Vec<usize>) {
        match self {
            Values::Positions(mesh, at) => ("positions", vec![mesh, at]),
            Values::Normals(mesh, at) => ("normals", vec![mesh, at]),
            Values::Tangents(mesh, at) => ("tangents", vec![mesh, at]),
            Values::Alongs(mesh, at) => ("alongs", vec![mesh, at]),
            Values::Sides(mesh, at) => ("sides", vec![mesh, at]),
            Values::Uvs(mesh, at, set) => ("uvs", vec![mesh, at, set]),
            Values::Colors(mesh, at) => ("colors", vec![mesh, at]),
            Values::Pulls(mesh, at) => ("pulls", vec![mesh, at]),
            Values::Indices(mesh, at) => ("indices", vec![mesh, at]),
            Values::Places(clip, node) => ("places", vec![clip, node]),
            Values::Turns(clip, node) => ("turns", vec![clip, node]),
            Values::Sizes(clip, node) => ("sizes", vec![clip, node]),
            Values::PlaceTimes(clip, node) => ("place-times", vec![clip, node]),
            Values::TurnTimes(clip, node) => ("turn-times", vec![clip, node]),
            Values::SizeTimes(clip, node) => ("size-times", vec![clip, node]),
            Values::Place(node) => ("place", vec![node]),
            Values::Turn(node) => ("turn", vec![node]),
            Values::Parent(node) => ("parent", vec![node]),
            Values::Sight(eye) => ("sight", vec![eye]),
            Values::EyePlace(eye) => ("eye-place", vec![eye]),
            Values::EyeTurn(eye) => ("eye-turn", vec![eye]),
            Values::Shine(node) => ("shine", vec![node]),
            Values::Reach(node) => ("reach", vec![node]),
            Values::Form(node) => ("form", vec![node]),
            Values::Back(material, layer) => ("back", vec![material, layer]),
            Values::Cover(material, layer) => ("cover", vec![material, layer]),
            Values::Edges(material, layer, at) => ("edges", vec![material, layer, at]),
            Values::PlaceSteps(clip, node) => ("place-steps", vec![clip, node]),
            Values::TurnSteps(clip, node) => ("turn-steps", vec![clip, node]),
            Values::SizeSteps(clip, node) => ("size-steps", vec![clip, node]),
        }
    }

    /// The list of that word and those numbers.
    pub fn from_named(word: &str, numbers: &[usize]) -> Option<Self> {
        Some(match (word, numbers) {
            ("positions", &[mesh, at]) => Values::Positions(mesh, at),
            ("normals", &[mesh, at]) => Values::Normals(mesh, at),
            ("tangents", &[mesh, at]) => Values::Tangents(mesh, at),
            ("alongs", &[mesh, at]) => Values::Alongs(mesh, at),
            ("sides", &[mesh, at]) => Values::Sides(mesh, at),
            ("uvs", &[mesh, at, set]) => Values::Uvs(mesh, at, set),
            ("colors", &[mesh, at]) => Values::Colors(mesh, at),
            ("pulls", &[mesh, at]) => Values::Pulls(mesh, at),
            ("indices", &[mesh, at]) => Values::Indices(mesh, at),
            ("places", &[clip, node]) => Values::Places(clip, node),
            ("turns", &[clip, node]) => Values::Turns(clip, node),
            ("sizes", &[clip, node]) => Values::Sizes(clip, node),
            ("place-times", &[clip, node]) => Values::PlaceTimes(clip, node),
            ("turn-times", &[clip, node]) => Values::TurnTimes(clip, node),
            ("size-times", &[clip, node]) => Values::SizeTimes(clip, node),
            ("place", &[node]) => Values::Place(node),
            ("turn", &[node]) => Values::Turn(node),
            ("parent", &[node]) => Values::Parent(node),
            ("sight", &[eye]) => Values::Sight(eye),
            ("eye-place", &[eye]) => Values::EyePlace(eye),
            ("eye-turn", &[eye]) => Values::EyeTurn(eye),
            ("shine", &[node]) => Values::Shine(node),
            ("reach", &[node]) => Values::Reach(node),
            ("form", &[node]) => Values::Form(node),
            ("back", &[material, layer]) => Values::Back(material, layer),
            ("cover", &[material, layer]) => Values::Cover(material, layer),
            ("edges", &[material, layer, at]) => Values::Edges(material, layer, at),
            ("place-steps", &[clip, node]) => Values::PlaceSteps(clip, node),
            ("turn-steps", &[clip, node]) => Values::TurnSteps(clip, node),
            ("size-steps", &[clip, node]) => Values::SizeSteps(clip, node),
            _ => return None,
        })
    }

    /// Whether it is one value that stands at many places.
    pub fn is_one(self) -> bool {
        let is_of_node = matches!(self, Values::Place(_) | Values::Turn(_) | Values::Parent(_));
        let is_of_eye = matches!(self, Values::Sight(_) | Values::EyePlace(_) | Values::EyeTurn(_));
        let is_of_light = matches!(self, Values::Shine(_) | Values::Reach(_) | Values::Form(_));
        let is_of_layer = matches!(self, Values::Back(..) | Values::Cover(..) | Values::Edges(..));
        let steps = matches!(self, Values::PlaceSteps(..) | Values::TurnSteps(..) | Values::SizeSteps(..));
        is_of_node || is_of_eye || is_of_light || is_of_layer || steps
    }

    /// The node that it is of, if it is one value of a node or moves one.
    pub fn node(self) -> Option<usize> {
        match self {
            Values::Place(node)
            | Values::Turn(node)
            | Values::Parent(node)
            | Values::Places(_, node)
            | Values::Turns(_, node)
            | Values::Sizes(_, node) => Some(node),
            _ => None,
        }
    }
}

/// What an origin may ask a scene for, found once: nodes go by the number in their extras, clips by their own.
#[derive(Debug)]
pub struct SceneLists<'s> {
    scene: &'s Scene,
    meshes: Vec<usize>,
    /// What bends each mesh.
    skins: BTreeMap<usize, usize>,
    /// Places of nodes in the scene, by their numbers.
    nodes: BTreeMap<usize, usize>,
    tracks: BTreeMap<(usize, usize, &'static str), &'s Track>,
    /// The nodes of cameras, by their numbers.
    eyes: BTreeMap<usize, &'s Node>,
    /// Places of materials, by the layers that they show.
    layers: BTreeMap<(usize, usize), usize>,
}

/// What everything in a scene is called that has a number.
pub fn names(scene: &Scene) -> BTreeMap<Named, &str> {
    let node = |node: &'_ Node| number_of(node).map(Named::Node);
    let nodes = scene.nodes.iter().filter_map(|it| Some((node(it)?, it.name.as_str())));
    let clips = scene.clips.iter().map(|clip| (clip_of(clip), clip.name.as_str()));
    // Of several nodes of a number, which are there for levels of detail, the first counts.
    let mut names = BTreeMap::new();
    for (of, name) in nodes.chain(clips) {
        names.entry(of).or_insert(name);
    }
    names
}

fn clip_of(clip: &Clip) -> Named {
    Named::Clip(usize::try_from(clip.index).unwrap_or(usize::MAX))
}

impl<'s> SceneLists<'s> {
    /// The lists of a scene.
    pub fn new(scene: &'s Scene) -> Self {
        let numbers: Vec<Option<usize>> = scene.nodes.iter().map(number_of).collect();
        let mut tracks = BTreeMap::new();
        for clip in &scene.clips {
            let index = usize::try_from(clip.index).unwrap_or(usize::MAX);
            for track in &clip.tracks {
                let node = track.node().and_then(|node| *numbers.get(node.index())?);
                tracks.extend(node.map(|node| ((index, node, track.word()), track)));
            }
        }
        // Of several nodes of a number the first counts, which stands before all that hangs on any of them.
        let places = numbers.into_iter().enumerate().rev();
        SceneLists {
            scene,
            meshes: mesh_order(scene),
            skins: pull::skins(scene),
            nodes: places.filter_map(|(place, number)| Some((number?, place))).collect(),
            tracks,
            eyes: scene.nodes.iter().rev().filter_map(|node| Some((eye_of(node)?, node))).collect(),
            layers: layers(scene),
        }
    }

    /// The node of a number.
    fn node(&self, number: usize) -> Option<&'s Node> {
        self.scene.nodes.get(*self.nodes.get(&number)?)
    }

    /// Where the node of a number stands in the scene: behind what it hangs on.
    pub fn place(&self, number: usize) -> Option<usize> {
        self.nodes.get(&number).copied()
    }

    /// The number of the node that one hangs on; what has none does not count.
    pub fn parent(&self, number: usize) -> Option<usize> {
        let place = *self.nodes.get(&number)?;
        self.scene.ancestors(place).find_map(|above| number_of(self.scene.nodes.get(above)?))
    }

    /// What pulls at the vertices of a primitive.
    pub fn pulls(&self, mesh: usize, at: usize) -> Option<Pulls> {
        let skin = self.skins.get(self.meshes.get(mesh)?)?;
        let joints = &self.scene.skins.get(*skin)?.joints;
        Some(Pulls::new(self.scene, joints, &self.primitive(mesh, at)?.influences))
    }

    /// A digest of what a list rounds; 0 of those that say everything.
    pub fn fine(&self, values: Values) -> u32 {
        match values {
            Values::Pulls(mesh, at) => self.pulls(mesh, at).map_or(0, |pulls| pulls.digest()),
            _ => 0,
        }
    }

    fn primitive(&self, mesh: usize, primitive: usize) -> Option<&'s Primitive> {
        self.scene.meshes.get(*self.meshes.get(mesh)?)?.primitives.get(primitive)
    }

    /// The first material that shows a layer of a material of the file.
    fn material(&self, number: usize, layer: usize) -> Option<&'s Material> {
        self.scene.materials.get(*self.layers.get(&(number, layer))?)
    }

    /// What shines at the node of a number.
    fn light(&self, number: usize) -> Option<&'s Light> {
        self.node(number)?.light?.find_in(&self.scene.lights)
    }

    /// How a curve goes from key to key; nothing if by slopes.
    fn steps(&self, clip: usize, node: usize, word: &'static str) -> Option<Vec<[f32; 4]>> {
        match self.track(clip, node, word)?.interp() {
            Interp::Step => Some(one(0.0)),
            Interp::Linear => Some(one(1.0)),
            Interp::Hermite | Interp::Bezier => None,
        }
    }

    fn track(&self, clip: usize, node: usize, word: &'static str) -> Option<&'s Track> {
        self.tracks.get(&(clip, node, word)).copied()
    }

    /// The values of a list, each with as many numbers as it has; nothing if the scene has no such list.
    pub fn get(&self, values: Values) -> Option<Vec<[f32; 4]>> {
        let threes = |list: &[Vec3]| list.iter().map(|value| value.extend(0.0).into()).collect();
        let fours = |list: &[Vec4]| list.iter().map(|value| (*value).into()).collect();
        Some(match values {
            Values::Positions(mesh, at) => threes(&self.primitive(mesh, at)?.positions),
            Values::Normals(mesh, at) => threes(&self.primitive(mesh, at)?.normals),
            Values::Tangents(mesh, at) => fours(&self.primitive(mesh, at)?.tangents),
            Values::Alongs(mesh, at) => {
                let tangents = self.primitive(mesh, at)?.tangents.iter();
                tangents.map(|tangent| tangent.truncate().extend(0.0).into()).collect()
            }
            Values::Sides(mesh, at) => {
                self.primitive(mesh, at)?.tangents.iter().map(|tangent| [tangent.w, 0.0, 0.0, 0.0]).collect()
            }
            Values::Pulls(mesh, at) => self.pulls(mesh, at)?.four(),
            Values::Colors(mesh, at) => fours(&self.primitive(mesh, at)?.colors),
            Values::Indices(mesh, at) => {
                let index = |index: &u32| Some([single_count(usize::try_from(*index).ok()?), 0.0, 0.0, 0.0]);
                return self.primitive(mesh, at)?.indices.iter().map(index).collect();
            }
            Values::Uvs(mesh, at, set) => {
                let uvs = self.primitive(mesh, at)?.uvs.get(set)?;
                uvs.iter().map(|uv| [uv.x, uv.y, 0.0, 0.0]).collect()
            }
            Values::Places(clip, node) => match self.track(clip, node, "translation")? {
                Track::Translation(_, curve) => threes(&curve.values),
                _ => return None,
            },
            Values::Sizes(clip, node) => match self.track(clip, node, "scale")? {
                Track::Scale(_, curve) => threes(&curve.values),
                _ => return None,
            },
            Values::Turns(clip, node) => match self.track(clip, node, "rotation")? {
                Track::Rotation(_, curve) => curve.values.iter().map(|turn| (*turn).into()).collect(),
                _ => return None,
            },
            Values::PlaceTimes(clip, node) => seconds(self.track(clip, node, "translation")?),
            Values::TurnTimes(clip, node) => seconds(self.track(clip, node, "rotation")?),
            Values::SizeTimes(clip, node) => seconds(self.track(clip, node, "scale")?),
            Values::Place(node) => vec![self.node(node)?.translation.extend(0.0).into()],
            Values::Turn(node) => vec![self.node(node)?.rotation.into()],
            Values::Parent(node) => {
                self.node(node)?;
                vec![[self.parent(node).map_or(NOWHERE, single_count), 0.0, 0.0, 0.0]]
            }
            Values::Sight(eye) => {
                let camera = self.eyes.get(&eye)?.camera?.find_in(&self.scene.cameras)?;
                vec![[camera.fov_y, camera.near, camera.far.unwrap_or(0.0), 0.0]]
            }
            Values::EyePlace(eye) => vec![self.eyes.get(&eye)?.translation.extend(0.0).into()],
            Values::EyeTurn(eye) => vec![self.eyes.get(&eye)?.rotation.into()],
            Values::Shine(node) => {
                let light = self.light(node)?;
                vec![light.color.extend(light.intensity).into()]
            }
            Values::Reach(node) => one(self.light(node)?.range.unwrap_or(0.0)),
            Values::Form(node) => one(match self.light(node)?.form {
                LightForm::Point => 0.0,
                LightForm::Directional => 1.0,
                LightForm::Spot { .. } => f32::NAN,
            }),
            Values::Back(number, layer) => {
                one(if self.material(number, layer)?.two_sided { 1.0 } else { 0.0 })
            }
            Values::Cover(number, layer) => match self.material(number, layer)?.alpha_mode {
                AlphaMode::Opaque => one(0.0),
                AlphaMode::Mask(cutoff) => vec![[1.0, cutoff, 0.0, 0.0]],
                AlphaMode::Blend => one(2.0),
            },
            Values::Edges(number, layer, at) => {
                let material = self.material(number, layer)?;
                let pictures = [&material.texture, &material.normal, &material.orm, &material.glow];
                let [across, down] = pictures.get(at)?.as_ref()?.wrap.map(|wrap| match wrap {
                    Wrap::Clamp => 0.0,
                    Wrap::Repeat => 1.0,
                    Wrap::Mirror => 2.0,
                });
                vec![[across, down, 0.0, 0.0]]
            }
            Values::PlaceSteps(clip, node) => self.steps(clip, node, "translation")?,
            Values::TurnSteps(clip, node) => self.steps(clip, node, "rotation")?,
            Values::SizeSteps(clip, node) => self.steps(clip, node, "scale")?,
        })
    }
}

/// The meshes of a scene in an order that no program changes: as the nodes show them that have numbers, then the other nodes, then
/// what stands in for these.
pub fn mesh_order(scene: &Scene) -> Vec<usize> {
    let mut nodes: Vec<(usize, &Node)> =
        scene.nodes.iter().map(|node| (number_of(node).unwrap_or(usize::MAX), node)).collect();
    nodes.sort_by_key(|(number, _)| *number);
    let shown = nodes.into_iter().filter_map(|(_, node)| node.mesh);
    let others = scene.variants.iter().flat_map(|it| it.shows.iter().filter_map(|(_, mesh)| *mesh));
    let all = shown.chain(others).map(crate::Id::index).chain(0..scene.meshes.len());
    let mut known = BTreeSet::new();
    all.filter(|mesh| known.insert(*mesh)).collect()
}

impl Values {
    /// The same list of the mesh of another number; what is of no mesh stays as it is.
    #[must_use]
    pub fn of_mesh(self, number: impl Fn(usize) -> usize) -> Self {
        match self {
            Values::Positions(mesh, at) => Values::Positions(number(mesh), at),
            Values::Normals(mesh, at) => Values::Normals(number(mesh), at),
            Values::Tangents(mesh, at) => Values::Tangents(number(mesh), at),
            Values::Alongs(mesh, at) => Values::Alongs(number(mesh), at),
            Values::Sides(mesh, at) => Values::Sides(number(mesh), at),
            Values::Pulls(mesh, at) => Values::Pulls(number(mesh), at),
            Values::Uvs(mesh, at, set) => Values::Uvs(number(mesh), at, set),
            Values::Colors(mesh, at) => Values::Colors(number(mesh), at),
            Values::Indices(mesh, at) => Values::Indices(number(mesh), at),
            other => other,
        }
    }
}

fn seconds(track: &Track) -> Vec<[f32; 4]> {
    track.times().iter().map(|time| [*time, 0.0, 0.0, 0.0]).collect()
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lists are whole"
)]
fn whole(number: f32) -> Option<usize> {
    (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
}

/// Corners as the file counts them, given which vertex of the file each of the scene is, and from which on the file counts.
pub fn corners(list: &[[f32; 4]], (vertices, base): &(Vec<Range<usize>>, usize)) -> Option<Vec<[f32; 4]>> {
    let vertices: Vec<usize> = vertices.iter().cloned().flatten().collect();
    let named =
        |[index, ..]: &[f32; 4]| Some(single_count(vertices.get(whole(*index)?)?.checked_sub(*base)?));
    list.iter().map(|value| Some([named(value)?, 0.0, 0.0, 0.0])).collect()
}

/// The number that a node has in its file; nothing if it was made for the scene.
pub(crate) fn number_of(node: &Node) -> Option<usize> {
    whole_of(&node.extras, "id")
}

/// The number that a camera's node has in its file.
pub(crate) fn eye_of(node: &Node) -> Option<usize> {
    whole_of(&node.extras, EYE)
}

/// What the number of a camera is called in the extras of its node.
pub const EYE: &str = "eye";

/// The first material of a scene that shows each layer of a material of the file.
pub(crate) fn layers(scene: &Scene) -> BTreeMap<(usize, usize), usize> {
    let layer =
        |material: &Material| whole_of(&material.extras, "material").zip(whole_of(&material.extras, "layer"));
    // Of several the first counts.
    let all = scene.materials.iter().enumerate().rev();
    all.filter_map(|(place, material)| Some((layer(material)?, place))).collect()
}

fn whole_of(extras: &Extras, key: &str) -> Option<usize> {
    match extras.get(key)? {
        Fact::Int(number) => usize::try_from(*number).ok(),
        _ => None,
    }
}

fn one(number: f32) -> Vec<[f32; 4]> {
    vec![[number, 0.0, 0.0, 0.0]]
}

/// The rows in order as runs.
pub fn runs(rows: impl IntoIterator<Item = usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some(run) if run.end == row => run.end = row.saturating_add(1),
            _ => runs.push(row..row.saturating_add(1)),
        }
    }
    runs
}
