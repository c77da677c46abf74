//! A model as a scene: nodes about their pivots, geosets with one skin, materials by their layers, a clip for each
//! sequence (docs/formats/mdx.md#scene).
//!
//! The games have Z up and +X ahead, the scene Y up and +Z ahead: [`axes`] is the one place where that changes. A unit
//! stays a unit, since no game says how long one is; times are milliseconds here and seconds there.

mod clip;
mod eye;
mod facts;
mod fade;
mod hd;
mod look;
mod mesh;
mod node;
mod origin;
#[allow(clippy::arithmetic_side_effects, reason = "sums and products of bytes fit 32 bits")]
mod paint;
mod place;
mod run;
mod spend;
mod surface;
mod team;
mod uv;

use std::sync::Arc;

use galvani_core::image::Additive;
use galvani_core::maths::single;
use galvani_core::{Image, LiftError, Path, Report, codes, room};
use galvani_scene::{Fact, Id, Node, Scene};
use glam::{Quat, Vec3};

use crate::model::Material;
use crate::sample::{GeosetSkin, Influences, Rig, Source};
use crate::wire::Texture;
use crate::{Content, Document, Family, Held, Placed};
pub use origin::CODECS;
use spend::Spent;

codes! {
    TOO_MUCH = Error, "mdx.lift-too-much",
        "keys repeat so often, or curves are so wild, that the scene would be out of proportion",
        "no model of the games does this; the file is damaged";
    LOST_TEXTURE = Warning, "mdx.lost-texture",
        "a picture that a layer shows was not found",
        "put it beside the model, or name the folder or archive that has it; another layer or a plain colour stands in";
    LOST_MATERIAL = Warning, "mdx.lost-material",
        "a geoset names a material that is not there or has no layer that could be read",
        "its surfaces have no material; the model's own findings say why";
    LOST_LAYERS = Note, "mdx.lost-layers",
        "a material has more layers than a scene shows at once",
        "the one that shows most was taken; stacked, each is a surface of its own";
    LOST_BLENDING = Note, "mdx.lost-blending",
        "a layer is added to or multiplied with what is behind it, which other programs cannot do",
        "its picture was made to look nearly so where that was asked for; what the game does stands with the material";
    LOST_FILTER = Warning, "mdx.lost-filter",
        "nobody knows how a layer is drawn",
        "it was blended";
    LOST_UVS = Warning, "mdx.lost-uvs",
        "a texture animation turns a picture and stretches it unevenly, which a scene cannot say",
        "the picture is turned and stretched as nearly as can be";
    LOST_FACES = Warning, "mdx.lost-faces",
        "corners make no whole triangles, name vertices that are not there, or are points and lines",
        "they were left out; the model's own findings say where";
    LOST_LISTS = Warning, "mdx.lost-lists",
        "a list of a geoset does not fit its vertices, or is one set of texture coordinates too many",
        "it was left out; the model's own findings say where";
    LOST_RECORDS = Warning, "mdx.lost-records",
        "records could not be read",
        "they were left out; the model's own findings say why";
    LOST_PARENT = Warning, "mdx.lost-parent",
        "the parent of a node is not there, or hangs on the node itself",
        "the node has no parent, as in the game";
    LOST_INHERITANCE = Note, "mdx.lost-inheritance",
        "a node does not take over everything from its parent, which a scene cannot say",
        "it hangs on no other, and its keys are those of its place in the model";
    LOST_SHEAR = Warning, "mdx.lost-shear",
        "a node that does not take over everything is sheared, which a scene cannot say",
        "it is turned and scaled as nearly as can be";
    LOST_BILLBOARD = Note, "mdx.lost-billboard",
        "a node follows the camera, which a scene cannot say",
        "it is a node like any other";
    LOST_PARTICLES = Note, "mdx.lost-particles",
        "emitters and bands have no place in a scene",
        "each is a node that carries their numbers";
    LOST_COLLISION = Note, "mdx.lost-collision",
        "a collision mesh has no place in a scene",
        "it was left out";
    LOST_LIGHT = Note, "mdx.lost-light",
        "a light comes from everywhere, or is of a kind that nobody knows",
        "it is a node that carries its numbers";
    LOST_TRACKS = Note, "mdx.lost-tracks",
        "properties are animated that a scene has no place for",
        "they are left out; what the source says of them is kept with the scene";
    LOST_KEYS = Warning, "mdx.lost-keys",
        "keys lie closer together than seconds of single precision can tell",
        "of those the last was taken; sequences of such length are damage";
    BAKED = Note, "mdx.baked",
        "curves that a scene cannot say were put on straight lines",
        "nothing is to be done; the tolerance says how far they may be from the source";
}

/// How far baked curves may be from the source unless something else is asked for, as [`Options::tolerance`].
pub const TOLERANCE: f32 = 1e-4;

/// The colours of the teams in red, green and blue; the last is nobody's (docs/formats/mdx.md#scene-team).
pub const TEAMS: [[u8; 3]; 13] = [
    [0xff, 0x03, 0x03],
    [0x00, 0x42, 0xff],
    [0x1c, 0xe6, 0xb9],
    [0x54, 0x00, 0x81],
    [0xff, 0xfc, 0x01],
    [0xfe, 0x8a, 0x0e],
    [0x20, 0xc0, 0x00],
    [0xe5, 0x5b, 0xb0],
    [0x95, 0x96, 0x97],
    [0x7e, 0xbf, 0xf1],
    [0x10, 0x62, 0x46],
    [0x4e, 0x2a, 0x04],
    [0x28, 0x28, 0x28],
];

/// How a model is lifted.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The colour of the team: red, green, blue.
    pub team: [u8; 3],
    /// Whether the other teams are looks of the scene.
    pub looks: bool,
    /// What becomes of several layers.
    pub layers: Layers,
    /// What becomes of pictures that are added to what is behind them.
    pub additive: Additive,
    /// How far baked curves may be from the source: of the model's size, in radians, of sides of pictures;
    /// colours and opacities ten times that, and never more than 10⁻³.
    pub tolerance: f32,
}

impl Default for Options {
    fn default() -> Self {
        let [team, ..] = TEAMS;
        Options { team, looks: false, layers: Layers::Merge, additive: Additive::Bake, tolerance: TOLERANCE }
    }
}

/// What becomes of several layers of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    /// One material that shows most of them.
    Merge,
    /// A surface for each, in order.
    Stack,
}

/// The picture of one texture of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    /// Its pixels, if it was found.
    pub image: Option<Image>,
    /// Every place looked at.
    pub looked: Vec<String>,
}

/// From the games' axes to the scene's: forward, left, up become left, up, forward. Nothing is mirrored, so that scales
/// and the vector parts of rotations go the same way (docs/formats/mdx.md#scene-axes).
pub fn axes(place: Vec3) -> Vec3 {
    let Vec3 { x, y, z } = place;
    Vec3::new(y, z, x)
}

/// A rotation in the scene's axes.
pub fn turned(rotation: Quat) -> Quat {
    let Vec3 { x, y, z } = axes(Vec3::new(rotation.x, rotation.y, rotation.z));
    Quat::from_xyzw(x, y, z, rotation.w)
}

/// The way back from the scene's axes.
pub(crate) fn axes_back(place: Vec3) -> Vec3 {
    let Vec3 { x, y, z } = place;
    Vec3::new(z, x, y)
}

/// A rotation in the games' axes.
pub(crate) fn turned_back(rotation: Quat) -> Quat {
    let Vec3 { x, y, z } = axes_back(Vec3::new(rotation.x, rotation.y, rotation.z));
    Quat::from_xyzw(x, y, z, rotation.w)
}

/// Milliseconds in seconds.
pub fn seconds(milliseconds: f64) -> f32 {
    single(milliseconds / 1000.0)
}

/// Seconds in milliseconds: whole ones where the seconds are theirs.
pub fn milliseconds(time: f32) -> f64 {
    let milliseconds = f64::from(time) * 1000.0;
    let whole = milliseconds.round();
    if seconds(whole).to_bits() == time.to_bits() { whole } else { milliseconds }
}

/// The scene of a model, and what it does not say. `pictures` are those of its textures, in order.
pub fn lift(
    document: &Document,
    pictures: &[Picture],
    options: &Options,
) -> Result<(Scene, Report), LiftError> {
    let rig = Rig::new(document);
    let skins = GeosetSkin::all(document, &rig, Influences::Game);
    room::probe(skins.iter().map(GeosetSkin::len).fold(0, usize::saturating_add).saturating_mul(VERTEX))?;
    let mut lift = Lift {
        document,
        pictures,
        options,
        source: Arc::new(Source::from_document(document)?),
        rig,
        skins,
        scene: Scene::default(),
        report: Report::default(),
        spent: Spent::new(document),
        placed: document.nodes(),
        textures: document.textures(),
        materials: materials(document),
        nodes: Vec::new(),
        detached: Vec::new(),
        size: 1.0,
        share: 1.0,
    };
    lift.keep_facts();
    node::all(&mut lift);
    let (mut surfaces, mut looks) = mesh::all(&mut lift)?;
    if options.looks {
        team::all(&mut lift, &mut looks, &mut surfaces)?;
    }
    lift.size = lift.size_at_rest();
    lift.share = node::share_of_each(&lift);
    let eyes = eye::all(&mut lift);
    clip::all(&mut lift, &surfaces, &eyes, &mut looks)?;
    looks.tell(&mut lift.report);
    lift.spent.tell(&mut lift.report, lift.size);
    Ok((lift.scene, lift.report))
}

/// Bytes that a vertex takes in a scene, its triangles and influences included.
const VERTEX: usize = 256;

/// A scene in the making.
struct Lift<'m> {
    document: &'m Document,
    pictures: &'m [Picture],
    options: &'m Options,
    source: Arc<Source>,
    rig: Rig,
    /// The geosets made ready.
    skins: Vec<GeosetSkin>,
    scene: Scene,
    report: Report,
    spent: Spent,
    /// The nodes of the file.
    placed: Vec<Placed<'m>>,
    textures: Vec<&'m Texture>,
    /// Nothing in place of those that could not be read.
    materials: Vec<Option<&'m Material>>,
    /// The nodes of the scene, by their places in the file.
    nodes: Vec<Id<Node>>,
    /// Nodes that cannot hang on their parents.
    detached: Vec<bool>,
    /// The model's, at rest.
    size: f32,
    /// The part of the tolerance that each baked motion of a node may take.
    share: f32,
}

fn materials(document: &Document) -> Vec<Option<&Material>> {
    let rows = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::Materials(rows) => Some(&rows.items),
        _ => None,
    });
    rows.flatten().map(Held::typed).collect()
}

impl Lift<'_> {
    /// What is known of the model as a whole, and what of it has no place in a scene.
    fn keep_facts(&mut self) {
        let document = self.document;
        let family = match document.family() {
            Family::Warcraft => "warcraft",
            Family::Wow => "wow",
        };
        let facts = [
            ("family", Fact::Text(family.to_owned())),
            ("version", facts::whole(document.version)),
            ("frame_rate", Fact::Int(1000)),
        ];
        self.scene.extras = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
        for (chunk, first) in document.placed().map(|(_, first, chunk)| (chunk, first)) {
            let mut lost: usize = 0;
            chunk.content.held(first, &mut |_, held| {
                lost = lost.saturating_add(usize::from(matches!(held, crate::visit::Seen::Raw(_))));
            });
            let Some(name) = chunk.content.name() else { continue };
            if lost > 0 {
                self.report.push(LOST_RECORDS.at(Path::named(name)).saying(format!("{lost} records")));
            }
            if matches!(chunk.content, Content::CollisionMesh(_)) {
                self.report.push(LOST_COLLISION.at(Path::named(name)));
            }
        }
    }

    /// How large the model is: what it shows, or where its nodes are.
    fn size_at_rest(&self) -> f32 {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let pivots = (0..self.nodes.len()).filter_map(|node| self.rig.pivot(node));
        for pivot in pivots.filter(|pivot| pivot.is_finite()) {
            (low, high) = (low.min(pivot), high.max(pivot));
        }
        let pivots = Some(low.distance(high)).filter(|size| size.is_finite()).unwrap_or(0.0);
        let size = self.scene.size().max(pivots);
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    }

    /// Whether a node cannot hang on its parent.
    fn is_detached(&self, index: usize) -> bool {
        self.detached.get(index) == Some(&true)
    }

    /// The node of the scene that a node of the file became.
    fn node_of(&self, index: usize) -> Option<Id<Node>> {
        self.nodes.get(index).copied()
    }
}
