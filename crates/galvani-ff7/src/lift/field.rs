//! A field model as a scene: its bones as nodes, what its resources show, and animations that fit
//! (docs/formats/ff7-field.md#scene).

use std::collections::BTreeMap;

use galvani_core::image::Additive;
use galvani_core::{LiftError, Path, Report, codes, room};
use galvani_scene::{Clip, Curve, Extras, Fact, Id, Looping, Node, Scene, Track};

use super::clip::{continuous, seconds, times};
use super::mesh::Looks;
use super::{PartCodes, Picture, axes, origin, stand};
use crate::field::a::sample::rotation;
use crate::field::a::{self, FRAME_RATE};
use crate::field::hrc;
use crate::p;
use crate::skeleton::Parent;

codes! {
    LOST_TEXTURE = Warning, "ff7-hrc.lost-texture",
        "a texture that polygons are to show is not there: they show their colours only",
        "put the textures of the model beside it, or point at the folder or archive that has them";
    LOST_BLENDING = Note, "ff7-hrc.lost-blending",
        "polygons are added to, or subtracted from, what is behind them, which other programs cannot do",
        "they are shown as nearly as can be; what the game does stands with the material";
    LOST_POLYGONS = Warning, "ff7-hrc.lost-polygons",
        "polygons lead out of the lists of their file, or have corners that are no numbers",
        "they were left out; the mesh's own findings say where";
    LOST_PART = Warning, "ff7-hrc.lost-part",
        "a resource or its mesh is not there, or does not read: its bone shows less",
        "put the resources and meshes of the model beside it";
    LOST_BONE = Warning, "ff7-hrc.lost-bone",
        "a bone hangs on nothing that stands before it, or has no length",
        "it hangs on the root, or is 0 long; the skeleton's own findings say where";
    LOST_ANIMATION = Warning, "ff7-hrc.lost-animation",
        "an animation has rotations for another number of bones, no frames, or numbers that are none",
        "it was left out; convert it with the skeleton that it moves";
}

const PART_CODES: PartCodes =
    PartCodes { texture: &LOST_TEXTURE, blending: &LOST_BLENDING, polygons: &LOST_POLYGONS };

/// The files of one field model.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// The bones.
    pub skeleton: hrc::Document,
    /// What bones show, by name in lower case.
    pub resources: BTreeMap<String, Resource>,
    /// Pictures of all resources.
    pub pictures: Vec<Picture>,
    /// What moves it.
    pub animations: Vec<Animation>,
}

/// A mesh, and the pictures that its textures are.
#[derive(Debug, Clone, Default)]
pub struct Resource {
    /// What the file of the mesh is called.
    pub file: String,
    /// The mesh.
    pub part: p::Document,
    /// Places in the list of pictures, by number of the texture.
    pub textures: Vec<usize>,
}

/// An animation by its file.
#[derive(Debug, Clone)]
pub struct Animation {
    /// What the file is called, without its extension.
    pub name: String,
    /// What the file is called.
    pub file: String,
    /// Its frames.
    pub document: a::Document,
}

/// Whether an animation moves a skeleton: it has a rotation for each of its bones.
pub fn fits(animation: &a::Document, bones: usize) -> bool {
    let found = usize::try_from(animation.frames.bones()).unwrap_or(usize::MAX);
    found == bones && !animation.frames.is_empty()
}

/// The scene of a field model, and what it does not say.
pub fn field(model: &Field, additive: Additive) -> Result<(Scene, Report), LiftError> {
    let (mut scene, mut report) = (Scene::default(), Report::default());
    scene.name.clone_from(&model.name);
    nodes(model, &mut scene, &mut report);
    meshes(model, additive, &mut scene, &mut report)?;
    for (i, animation) in model.animations.iter().enumerate() {
        let path = Path::named("animations").index(i);
        let bones = scene.nodes.len().saturating_sub(FIRST_BONE);
        let frames = animation.document.frames.len();
        // A track for each bone: a time and a rotation for each frame.
        room::probe(frames.saturating_mul(bones.saturating_add(2)).saturating_mul(size_of::<[f32; 5]>()))?;
        match clip(animation, i, bones) {
            Ok(clip) => {
                scene.clips.push(clip);
                scene.origins.extend(origin::of_animation(&animation.file, i, &animation.document));
            }
            Err(reason) => {
                let said = format!("`{}`: {reason}", animation.name);
                report.push(LOST_ANIMATION.at(path).saying(said).apart());
            }
        }
    }
    stand(&mut scene);
    Ok((scene, report))
}

/// The node that everything hangs on, and the place of the first bone behind it.
const ROOT: Id<Node> = Id::new(0);
const FIRST_BONE: usize = 1;

/// The root, and a node for each bone where the one it hangs on ends, which is at -Z of it.
fn nodes(model: &Field, scene: &mut Scene, report: &mut Report) {
    let skeleton = model.skeleton.skeleton();
    scene.nodes.push(Node { name: "root".to_owned(), extras: super::numbered(0), ..Node::default() });
    for (i, (bone, parent)) in skeleton.bones.iter().zip(skeleton.parents()).enumerate() {
        let path = Path::named("bones").index(i);
        let (parent, length) = match parent {
            Parent::Root => (ROOT, 0.0),
            Parent::Bone(above) if above < i => {
                let letters = skeleton.bones.get(above).map_or(0, |bone| bone.length.bytes.len());
                scene.origins.push(origin::of_length(i.saturating_add(FIRST_BONE), above, letters));
                let length = skeleton.bones.get(above).and_then(hrc::Bone::length);
                (Id::new(above.saturating_add(FIRST_BONE)), length.unwrap_or(0.0))
            }
            Parent::Bone(_) | Parent::Nowhere => {
                let said = format!("parent `{}`", bone.parent.shown());
                report.push(LOST_BONE.at(path.field("parent")).saying(said));
                (ROOT, 0.0)
            }
        };
        if bone.length().is_none() {
            let said = format!("length `{}`", bone.length.shown());
            report.push(LOST_BONE.at(path.field("length")).saying(said));
        }
        let node = i.saturating_add(FIRST_BONE);
        scene.names.push(origin::of_bone_name(node, i, "name"));
        if parent != ROOT {
            scene.names.push(origin::of_bone_name(parent.index(), i, "parent"));
        }
        let mut extras = super::numbered(node);
        extras.insert("bone".to_owned(), Fact::Int(i.try_into().unwrap_or(i32::MAX)));
        let (name, translation) = (bone.name.shown().into_owned(), axes([0.0, 0.0, -length]));
        scene.nodes.push(Node { name, parent: Some(parent), translation, extras, ..Node::default() });
    }
}

/// What the bones show: of several resources one mesh.
fn meshes(
    model: &Field,
    additive: Additive,
    scene: &mut Scene,
    report: &mut Report,
) -> Result<(), LiftError> {
    let skeleton = model.skeleton.skeleton();
    let mut shown = Vec::new();
    let mut looks = Looks::new(&model.pictures, PART_CODES, additive, scene, report);
    for (i, bone) in skeleton.bones.iter().enumerate() {
        let names = bone.parts.words().map(|part| galvani_core::text::shown(part).to_lowercase());
        let parts: Vec<(&str, &p::Document, &[usize])> = names
            .filter_map(|name| model.resources.get(&name))
            .map(|resource| (resource.file.as_str(), &resource.part, resource.textures.as_slice()))
            .collect();
        let name = bone.name.shown().into_owned();
        shown.push(looks.mesh(name, &parts, Path::named("bones").index(i))?);
    }
    looks.add_palettes()?;
    for (node, mesh) in scene.nodes.iter_mut().skip(FIRST_BONE).zip(shown) {
        node.mesh = mesh;
    }
    Ok(())
}

/// An animation as a clip, or why it is none.
fn clip(animation: &Animation, index: usize, bones: usize) -> Result<Clip, String> {
    let Animation { name, document, .. } = animation;
    let frames = &document.frames;
    if !fits(document, bones) {
        let found = frames.bones();
        return Err(format!("{} frames of {found} bones for a skeleton of {bones}", frames.len()));
    }
    let is_number = |frame: &a::Frame<'_>| {
        let root = frame.rotation.iter().chain(&frame.position);
        root.chain(frame.bones.as_flattened()).all(|number| number.is_finite())
    };
    if let Some(wrong) = frames.iter().position(|frame| !is_number(&frame)) {
        return Err(format!("frame {wrong} has numbers that are none"));
    }
    let order = document.rotation_order;
    let places = frames.iter().map(|frame| axes(frame.position)).collect();
    let mut tracks = vec![Track::Translation(ROOT, Curve::linear(times(frames.len(), FRAME_RATE), places))];
    for bone in 0..=bones {
        let degrees = frames.iter().map(|frame| frame.degrees(bone).unwrap_or_default());
        let values = continuous(degrees.map(|degrees| rotation(degrees, order)));
        tracks.push(Track::Rotation(Id::new(bone), Curve::linear(times(frames.len(), FRAME_RATE), values)));
    }
    let count = Fact::Int(frames.len().try_into().unwrap_or(i32::MAX));
    Ok(Clip {
        name: name.clone(),
        index: u32::try_from(index).unwrap_or(u32::MAX),
        duration: seconds(frames.len().saturating_sub(1), FRAME_RATE),
        looping: Looping::Hold,
        tracks,
        extras: Extras::from([("frames".to_owned(), count)]),
        ..Clip::default()
    })
}
