//! Models as scenes: bones as nodes, a rigid mesh on each, every animation as a clip
//! (docs/formats/ff7-skeleton.md#scene, docs/formats/ff7-field.md#scene).
//!
//! Y points down in the game and up in the scene: [`axes`] and [`turned`] are the one place where that changes. Units
//! stay what they are.

mod clip;
pub mod field;
mod mesh;
mod origin;
pub mod still;

use galvani_core::image::Additive;
use galvani_core::{Code, Image, LiftError, Path, Report, codes};
use galvani_scene::{Extras, Fact, Id, Node, Scene, Track, Variant};
use glam::{DQuat, Quat, Vec3};

use crate::skeleton::Parent;
use crate::{p, pack, pose, skeleton};
use mesh::Looks;
pub use origin::CODECS;

codes! {
    LOST_TEXTURE = Warning, "ff7-skeleton.lost-texture",
        "a texture that polygons are to show is not there: they show their colours only",
        "put the textures of the model beside it";
    LOST_BLENDING = Note, "ff7-skeleton.lost-blending",
        "polygons are added to, or subtracted from, what is behind them, which other programs cannot do",
        "they are shown as nearly as can be; what the game does stands with the material";
    LOST_POLYGONS = Warning, "ff7-skeleton.lost-polygons",
        "polygons lead out of the lists of their file, or have corners that are no numbers",
        "they were left out; the part's own findings say where";
    LOST_ANIMATION = Warning, "ff7-skeleton.lost-animation",
        "an entry of the pack is damaged or has rotations for another number of bones",
        "it was left out; the pack's own findings say why";
    LOST_WEAPON = Note, "ff7-skeleton.lost-weapon",
        "the pack moves a weapon, and there is none",
        "put the weapons of the model beside it";
}

/// What is told of the parts of a model: findings have the name of the file that was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartCodes {
    texture: &'static Code,
    blending: &'static Code,
    polygons: &'static Code,
}

const PART_CODES: PartCodes =
    PartCodes { texture: &LOST_TEXTURE, blending: &LOST_BLENDING, polygons: &LOST_POLYGONS };

/// A picture of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// What its file is called.
    pub name: String,
    /// Its pixels, if it was found.
    pub image: Option<Image>,
    /// Its pixels by its other palettes, from the second on: each is another look of the model.
    pub palettes: Vec<Image>,
    /// Every place where it was looked for.
    pub looked: Vec<String>,
}

/// Frames a second of a battle.
pub const FRAME_RATE: f32 = 15.0;

/// The files of one battle model.
#[derive(Debug, Clone, Default)]
pub struct Battle {
    /// What it is called.
    pub name: String,
    /// The bones.
    pub skeleton: skeleton::Document,
    /// The part of each bone that has one, and what its file is called.
    pub parts: Vec<Option<(String, p::Document)>>,
    /// Its pictures, by number.
    pub textures: Vec<Picture>,
    /// Its weapons, of which it holds one at a time, and what their files are called.
    pub weapons: Vec<(String, p::Document)>,
    /// Its animations, and what their file is called.
    pub pack: Option<(String, pack::Document)>,
}

/// From the game's axes to the scene's: half a turn about X. Nothing is mirrored.
pub fn axes([x, y, z]: [f32; 3]) -> Vec3 {
    // Adding zero leaves no negative ones.
    Vec3::new(x, -y + 0.0, -z + 0.0)
}

/// A rotation of the game in the scene's axes.
pub fn turned(rotation: DQuat) -> Quat {
    DQuat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w).as_quat()
}

/// The scene of a battle model, and what it does not say.
pub fn battle(model: &Battle, additive: Additive) -> Result<(Scene, Report), LiftError> {
    let mut lift = Lift { model, scene: Scene::default(), report: Report::default(), bones: Vec::new() };
    lift.scene.name.clone_from(&model.name);
    lift.nodes()?;
    lift.meshes(additive)?;
    clip::all(&mut lift);
    stand(&mut lift.scene);
    Ok((lift.scene, lift.report))
}

/// The number of a node, by which the way back knows it: the root is the first.
fn numbered(number: usize) -> Extras {
    Extras::from([("id".to_owned(), Fact::Int(number.try_into().unwrap_or(i32::MAX)))])
}

/// Puts a scene at rest as its first clip begins: no skeleton has a pose of its own, and without one it is a stick.
fn stand(scene: &mut Scene) {
    for track in scene.clips.iter().take(1).flat_map(|clip| &clip.tracks) {
        match track {
            Track::Translation(node, curve) => {
                if let (Some(node), Some(&first)) = (scene.nodes.get_mut(node.index()), curve.values.first())
                {
                    node.translation = first;
                }
            }
            Track::Rotation(node, curve) => {
                if let (Some(node), Some(&first)) = (scene.nodes.get_mut(node.index()), curve.values.first())
                {
                    node.rotation = first;
                }
            }
            _ => {}
        }
    }
}

/// A scene in the making.
struct Lift<'m> {
    model: &'m Battle,
    scene: Scene,
    report: Report,
    /// The nodes of the bones.
    bones: Vec<Id<Node>>,
}

/// The node that everything hangs on.
const ROOT: Id<Node> = Id::new(0);

impl Lift<'_> {
    /// The root, and a node for each bone where the one it hangs on ends.
    fn nodes(&mut self) -> Result<(), LiftError> {
        let skeleton = &self.model.skeleton;
        self.scene.nodes.push(Node { name: "root".to_owned(), extras: numbered(0), ..Node::default() });
        for (i, parent) in skeleton.parents().into_iter().enumerate() {
            let (parent, length) = match parent {
                Parent::Root => (ROOT, 0.0),
                Parent::Bone(above) if above < i => {
                    let length = skeleton.bones.get(above).map_or(0.0, |bone| bone.length);
                    (self.bones.get(above).copied().unwrap_or(ROOT), length)
                }
                Parent::Bone(_) | Parent::Nowhere => {
                    return Err(pose::CHAIN.at(Path::named("bones").index(i).field("parent")).into());
                }
            };
            let mut extras = numbered(i.saturating_add(1));
            extras.insert("bone".to_owned(), Fact::Int(i.try_into().unwrap_or(i32::MAX)));
            let (name, translation) = (format!("bone {i}"), axes([0.0, 0.0, length]));
            self.bones.push(Id::new(self.scene.nodes.len()));
            self.scene.origins.extend(origin::of_bone(i, skeleton.bones.len()));
            self.scene.nodes.push(Node {
                name,
                parent: Some(parent),
                translation,
                extras,
                ..Node::default()
            });
        }
        Ok(())
    }

    /// What the bones show, and the first weapon; the others are other looks of its node.
    fn meshes(&mut self, additive: Additive) -> Result<(), LiftError> {
        let model = self.model;
        let mut looks = Looks::new(&model.textures, PART_CODES, additive, &mut self.scene, &mut self.report);
        let numbers: Vec<usize> = (0..model.textures.len()).collect();
        let mut parts = Vec::new();
        for (i, (&node, part)) in self.bones.iter().zip(&model.parts).enumerate() {
            let Some((file, part)) = part else { continue };
            let path = Path::named("parts").index(i);
            let mesh = looks.mesh(format!("part {i}"), &[(file, part, &numbers)], path)?;
            parts.extend(mesh.map(|mesh| (node, mesh)));
        }
        let mut weapons = Vec::new();
        for (i, (file, part)) in model.weapons.iter().enumerate() {
            let path = Path::named("weapons").index(i);
            weapons.extend(looks.mesh(format!("weapon {i}"), &[(file, part, &numbers)], path)?);
        }
        looks.add_palettes()?;
        for (node, mesh) in parts {
            if let Some(node) = self.scene.nodes.get_mut(node.index()) {
                node.mesh = Some(mesh);
            }
        }
        let Some((&first, others)) = weapons.split_first() else { return Ok(()) };
        let node = Id::new(self.scene.nodes.len());
        let name = "weapon".to_owned();
        // It is held only while an animation moves it.
        let extras = numbered(node.index());
        self.scene.nodes.push(Node { name, mesh: Some(first), visible: false, extras, ..Node::default() });
        for (i, &mesh) in (1..).zip(others) {
            let shows = vec![(node, Some(mesh))];
            self.scene.variants.push(Variant { name: format!("weapon {i}"), state: i, level: 0, shows });
        }
        Ok(())
    }

    /// The node of the weapon, if there is one.
    fn weapon(&self) -> Option<Id<Node>> {
        let last = self.scene.nodes.len().checked_sub(1)?;
        (last > self.bones.len()).then(|| Id::new(last))
    }
}
