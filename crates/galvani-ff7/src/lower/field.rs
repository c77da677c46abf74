//! A scene as a field model: skeleton, resources, their meshes, and animations (docs/formats/ff7-field.md#lower).

use std::fmt::Write;

use galvani_core::maths::single;
use galvani_core::text::piece::MOST as MOST_BONES;
use galvani_core::{LowerError, Meter, Path, Report};
use galvani_scene::{Id, LoweredScene, Scene, SceneImage};
use glam::{DQuat, DVec3};

use super::findings::on_field;
use super::motion::Motion;
use super::names::{Names, word};
use super::part::Parts;
use super::ready::{Ready, ready};
use super::{Form, Options, Target};
use crate::field::a::{self, FRAME_RATE, Frames};
use crate::lift::axes;
use crate::p;
use crate::pack::rotation::euler_near;

const TARGET: Target =
    Target { codes: &on_field::MODEL_CODES, fps: FRAME_RATE, most_bones: MOST_BONES, form: Form::Free };

/// Most letters of a stem: with a number of four digits and an extension, the 15 that packers of archives take.
const STEM: usize = 7;

/// Most letters of a bone's name.
const BONE: usize = 32;

/// Most letters of an animation's name, before `.a`.
const ANIMATION: usize = 13;

/// Most pictures: those with three digits.
const PICTURES: usize = 1000;

/// The files of a new field model.
pub fn field(scene: &Scene, options: &Options, meter: &Meter) -> Result<LoweredScene, LowerError> {
    let stem = stem(scene, options)?;
    let mut made = ready(scene, options, &TARGET, meter)?;
    let names = bone_names(&mut made);
    let mut files = Files { stem: &stem, pictures: Vec::new(), made: Vec::new() };
    let mut parts = Parts::new(&made.scene, &scene.images, &TARGET, options.scale);
    let mut shown = Vec::new();
    for (i, bone) in made.rig.bones.iter().enumerate() {
        let mut textures = Vec::new();
        let path = Path::named("nodes").index(bone.node);
        let part = parts.part(&bone.shows, &mut textures, path, &mut made.report)?;
        shown.push(part.is_some());
        if let Some(part) = part {
            files.part(i, &part, &textures)?;
        }
    }
    let text = skeleton(&stem, &made, &names, &shown);
    files.made.insert(0, (format!("{stem}.hrc"), text.into_bytes()));
    let mut taken = Names::default();
    for motion in &made.motions {
        let name = animation_name(motion, &stem, &mut taken, &mut made.report);
        let document = a::Document::new(frames(&made, motion, options)?);
        files.made.push((format!("{name}.a"), a::write(&document)?));
    }
    let pictures = files.pictures.iter().enumerate().map(|(i, image)| (picture(&stem, i), *image)).collect();
    Ok(LoweredScene { files: files.made, pictures, report: made.report })
}

fn stem(scene: &Scene, options: &Options) -> Result<String, LowerError> {
    let Some(stem) = &options.stem else {
        let own = word(&scene.name, STEM).unwrap_or_else(|| "model".to_owned());
        return Ok(own.to_ascii_lowercase());
    };
    if word(stem, STEM).as_ref() != Some(stem) {
        let said = format!("`{stem}`: {STEM} letters and digits at most wanted");
        return Err(TARGET.codes.option.at(Path::named("stem")).saying(said).into());
    }
    Ok(stem.to_ascii_lowercase())
}

/// Names of the bones: those of their nodes, as far as the game can have them.
fn bone_names(made: &mut Ready) -> Vec<String> {
    let mut names = Names::but(&["root"]);
    let mut all = Vec::new();
    for (i, bone) in made.rig.bones.iter().enumerate() {
        let own = made.scene.nodes.get(bone.node).map_or("", |node| node.name.as_str());
        let plain = word(own, BONE).unwrap_or_else(|| format!("bone{i}"));
        let wanted = if bone.is_connector() { format!("to_{plain}") } else { plain };
        let name = names.take(&wanted, BONE);
        if name != own && !own.is_empty() && !bone.is_connector() {
            let path = Path::named("nodes").index(bone.node).field("name");
            made.report.push(TARGET.codes.renamed.at(path).saying(format!("`{own}` is `{name}`")));
        }
        all.push(name);
    }
    all
}

/// Files in the making.
struct Files<'a> {
    stem: &'a str,
    pictures: Vec<Id<SceneImage>>,
    made: Vec<(String, Vec<u8>)>,
}

impl Files<'_> {
    /// The resource of a bone, and its mesh.
    fn part(
        &mut self,
        bone: usize,
        part: &p::Document,
        textures: &[Id<SceneImage>],
    ) -> Result<(), LowerError> {
        let name = format!("{}{bone}", self.stem);
        let upper = name.to_ascii_uppercase();
        let mut text = "@RSD940102\r\n".to_owned();
        for key in ["PLY", "MAT", "GRP"] {
            let _ = write!(text, "{key}={upper}.{key}\r\n");
        }
        let _ = write!(text, "NTEX={}\r\n", textures.len());
        for (i, image) in textures.iter().enumerate() {
            let number = self.picture(*image)?;
            let picture = picture(self.stem, number).to_ascii_uppercase();
            let _ = write!(text, "TEX[{i}]={}.TIM\r\n", picture.trim_end_matches(".TEX"));
        }
        self.made.push((format!("{name}.rsd"), text.into_bytes()));
        self.made.push((format!("{name}.p"), p::write(part)?));
        Ok(())
    }

    /// The number of a picture among those of all parts.
    fn picture(&mut self, image: Id<SceneImage>) -> Result<usize, LowerError> {
        if let Some(known) = self.pictures.iter().position(|known| *known == image) {
            return Ok(known);
        }
        if self.pictures.len() >= PICTURES {
            let said = format!("more than {PICTURES}");
            return Err(TARGET.codes.textures.at(Path::named("images")).saying(said).into());
        }
        self.pictures.push(image);
        Ok(self.pictures.len().saturating_sub(1))
    }
}

/// What the file of a picture is called.
fn picture(stem: &str, number: usize) -> String {
    format!("{stem}t{number}.tex")
}

/// The skeleton's text.
fn skeleton(stem: &str, made: &Ready, names: &[String], shown: &[bool]) -> String {
    let bones = &made.rig.bones;
    let mut text = format!(":HEADER_BLOCK 2\r\n:SKELETON {stem}\r\n:BONES {}\r\n", bones.len());
    for (i, ((bone, name), shown)) in bones.iter().zip(names).zip(shown).enumerate() {
        let parent = bone.parent.and_then(|parent| names.get(parent)).map_or("root", String::as_str);
        let length = single(bone.length);
        let part = if *shown { format!("1 {}{i}", stem.to_ascii_uppercase()) } else { "0".to_owned() };
        let _ = write!(text, "\r\n{name}\r\n{parent}\r\n{length:?}\r\n{part}\r\n");
    }
    text
}

fn animation_name(motion: &Motion, stem: &str, names: &mut Names, report: &mut Report) -> String {
    let wanted = word(&motion.name, ANIMATION).unwrap_or_else(|| stem.to_owned()).to_ascii_lowercase();
    let name = names.take(&wanted, ANIMATION);
    if name != motion.name && !motion.name.is_empty() {
        let said = format!("`{}` is `{name}.a`", motion.name);
        report.push(TARGET.codes.renamed.at(Path::named("clips")).saying(said));
    }
    name
}

/// The frames of a motion. Angles go on from the frame before, so that none jumps by a turn.
fn frames(made: &Ready, motion: &Motion, options: &Options) -> Result<Frames, LowerError> {
    let (rig, scale) = (&made.rig, f64::from(options.scale));
    let count = u32::try_from(rig.bones.len()).unwrap_or(u32::MAX);
    let mut frames = Frames::with_room(count, u64::try_from(motion.frames).unwrap_or(u64::MAX))?;
    let mut before = vec![[0.0; 3]; rig.bones.len().saturating_add(1)];
    for frame in 0..motion.frames {
        let root = rig.root(motion, frame, scale);
        let turns = std::iter::once(root.turn).chain(rig.bones.iter().map(|bone| bone.turn(motion, frame)));
        for (angles, turn) in before.iter_mut().zip(turns) {
            *angles = euler_near(game(turn), *angles);
        }
        let degrees: Vec<[f32; 3]> = before.iter().map(|angles| angles.map(single)).collect();
        let (first, bones) = degrees.split_first().unwrap_or((&[0.0; 3], &[]));
        frames.push(*first, place(root.at), bones);
    }
    Ok(frames)
}

/// A rotation of the scene in the game's axes.
fn game(turn: DQuat) -> DQuat {
    DQuat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}

/// A place of the scene in the game's axes.
fn place(at: DVec3) -> [f32; 3] {
    axes(at.to_array().map(|part| single(part.clamp(-FARTHEST, FARTHEST)))).to_array()
}

/// The farthest place that single precision holds.
const FARTHEST: f64 = 3e38;
