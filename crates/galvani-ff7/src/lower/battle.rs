//! A scene as a battle model: skeleton, parts, perhaps a weapon, and a pack of animations (docs/formats/ff7-skeleton.md#lower).

use galvani_core::maths::single;
use galvani_core::{EditError, LowerError, Meter, Path, Report, room};
use galvani_scene::{Id, LoweredScene, Scene, SceneImage};
use glam::{DQuat, DVec3};

use super::bones::BonePlace;
use super::findings::{in_battle, steps};
use super::motion::Motion;
use super::part::Parts;
use super::ready::{Ready, ready};
use super::weapon::Weapon;
use super::{Form, Options, Target};
use crate::lift::FRAME_RATE;
use crate::names::{self, BattleModelName, File};
use crate::pack::edit::{TOO_LONG, new_entry};
use crate::pack::quantise::{FreeFrame, Precision, Quantised, Rounding, from_quaternions};
use crate::pack::read::MOST_ENTRIES;
use crate::pack::{self, AngleKey, EMPTY_PAYLOAD, Entry};
use crate::{p, skeleton};

const TARGET: Target =
    Target { codes: &in_battle::MODEL_CODES, fps: FRAME_RATE, most_bones: names::PARTS, form: Form::Steps };

/// The files of a new battle model.
pub fn battle(scene: &Scene, options: &Options, meter: &Meter) -> Result<LoweredScene, LowerError> {
    let model = model(scene, options)?;
    let mut made = ready(scene, options, &TARGET, meter)?;
    let mut report = std::mem::take(&mut made.report);
    tell_names(&made, &mut report);
    let mut shown = Shown { model, parts: Vec::new(), textures: Vec::new() };
    let mut parts = Parts::new(&made.scene, &scene.images, &TARGET, options.scale);
    let mut has_model = Vec::new();
    for (i, bone) in made.rig.bones.iter().enumerate() {
        let path = Path::named("nodes").index(bone.node);
        let part = parts.part(&bone.shows, &mut shown.textures, path, &mut report)?;
        has_model.push(part.is_some());
        shown.add(File::Part(i), part)?;
    }
    let weapons = made.weapon.as_ref().map_or(&[][..], |weapon| &weapon.meshes);
    for (i, mesh) in weapons.iter().enumerate() {
        let path = Path::named("meshes").index(mesh.index());
        let part = parts.part(&[(*mesh, BonePlace::HERE)], &mut shown.textures, path, &mut report)?;
        shown.add(File::Weapon(i), part)?;
    }
    let pack = pack(&made, options, &mut report)?;
    let mut skeleton = skeleton(&made, &has_model, shown.textures.len());
    skeleton.kind = options.kind;
    let mut files = vec![(shown.name(File::Skeleton), skeleton::write(&skeleton)?)];
    let pack = (shown.name(File::Pack), pack::write(&pack)?);
    let pictures = shown.pictures()?;
    files.extend(shown.parts);
    files.push(pack);
    Ok(LoweredScene { files, pictures, report })
}

/// What the model is called: two letters.
fn model(scene: &Scene, options: &Options) -> Result<BattleModelName, LowerError> {
    let stem = options.stem.as_ref().map_or_else(|| own_stem(scene), |stem| stem.to_ascii_lowercase());
    let named = BattleModelName::from_file_name(&format!("{stem}aa")).filter(|_| stem.len() == STEM);
    named.map(|(model, _)| model).ok_or_else(|| {
        let said = format!("`{stem}`: {STEM} letters wanted");
        TARGET.codes.option.at(Path::named("stem")).saying(said).into()
    })
}

/// The first letters of the scene's name.
fn own_stem(scene: &Scene) -> String {
    let letters = scene.name.chars().filter(char::is_ascii_alphabetic).take(STEM);
    let own: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    if own.len() == STEM { own } else { "aa".to_owned() }
}

/// Letters of a model.
const STEM: usize = 2;

/// Bones and entries of a pack have numbers and no names.
fn tell_names(made: &Ready, report: &mut Report) {
    let nodes = &made.scene.nodes;
    for (i, bone) in made.rig.bones.iter().enumerate().filter(|(_, bone)| !bone.is_connector()) {
        let own = nodes.get(bone.node).map_or("", |node| node.name.as_str());
        if !own.is_empty() && own != format!("bone {i}") {
            let path = Path::named("nodes").index(bone.node).field("name");
            report.push(TARGET.codes.renamed.at(path).saying(format!("`{own}` is bone {i}")));
        }
    }
    for (i, motion) in made.motions.iter().enumerate() {
        if !motion.name.is_empty() && motion.name != format!("animation {i}") {
            let said = format!("`{}` is entry {i}", motion.name);
            report.push(TARGET.codes.renamed.at(Path::named("clips").index(i).field("name")).saying(said));
        }
    }
}

/// Parts in the making.
struct Shown {
    model: BattleModelName,
    parts: Vec<(String, Vec<u8>)>,
    textures: Vec<Id<SceneImage>>,
}

impl Shown {
    fn add(&mut self, file: File, part: Option<p::Document>) -> Result<(), LowerError> {
        if let Some(part) = part {
            self.parts.push((self.name(file), p::write(&part)?));
        }
        Ok(())
    }

    /// What a file is called. There are no more bones, weapons and textures than names.
    fn name(&self, file: File) -> String {
        self.model.name(file).unwrap_or_default()
    }

    fn pictures(&self) -> Result<Vec<(String, Id<SceneImage>)>, LowerError> {
        let count = self.textures.len();
        if count > names::TEXTURES {
            let said = format!("{count} pictures, {} at most", names::TEXTURES);
            return Err(TARGET.codes.textures.at(Path::named("images")).saying(said).into());
        }
        Ok(self.textures.iter().enumerate().map(|(i, image)| (self.name(File::Texture(i)), *image)).collect())
    }
}

/// Entries of a pack are sections of a file of the first console's, two others before them.
const BEFORE: usize = 2;

fn skeleton(made: &Ready, has_model: &[bool], textures: usize) -> skeleton::Document {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let bones = made.rig.bones.iter().zip(has_model).map(|(bone, has_model)| skeleton::Bone {
        parent: bone.parent.map_or(-1, |parent| i32::try_from(parent).unwrap_or(i32::MAX)),
        length: single(0.0 - bone.length),
        has_model: u32::from(*has_model),
    });
    let weapons = made.weapon.as_ref().map_or(0, |weapon| weapon.meshes.len());
    let body = made.motions.len();
    skeleton::Document {
        unknown_04: 1,
        unknown_08: 1,
        bones: bones.collect(),
        texture_count: count(textures),
        body_animation_count: count(body),
        weapon_animation_start: count(body.saturating_add(BEFORE)),
        weapon_count: count(weapons),
        weapon_animation_count: if weapons > 0 { count(body) } else { 0 },
        ..skeleton::Document::default()
    }
}

/// The animations: those of the body, then those of the weapon.
fn pack(made: &Ready, options: &Options, report: &mut Report) -> Result<pack::Document, LowerError> {
    let body = made.motions.len();
    let count = if made.weapon.is_some() { body.saturating_mul(2) } else { body };
    if count > MOST_ENTRIES {
        let said = format!("{count} entries, {MOST_ENTRIES} at most");
        return Err(steps::ENTRIES.at(Path::named("clips")).saying(said).into());
    }
    let coding = Coding { scale: f64::from(options.scale), options, size: f64::from(made.scene.size()) };
    let mut entries = room::with_capacity(count)?;
    for (i, motion) in made.motions.iter().enumerate() {
        let turns = |frame: usize| made.rig.bones.iter().map(move |bone| bone.turn(motion, frame));
        let root = |frame: usize| made.rig.root(motion, frame, coding.scale);
        let path = Path::named("clips").index(i);
        let poses = coding.poses(motion, made.rig.bones.len(), root, turns, path, report)?;
        entries.push(coding.entry(&poses, &motion.name, path, report)?);
    }
    for (i, motion) in made.motions.iter().enumerate() {
        let Some(Weapon { node, .. }) = made.weapon else { break };
        if motion.visible.get(node) != Some(&true) {
            entries.push(Entry::new(1, 1, room::copied(&EMPTY_PAYLOAD)?));
            continue;
        }
        let place = |frame: usize| BonePlace {
            turn: motion.turn(frame, node),
            at: motion.place(frame, node) * coding.scale,
        };
        let path = Path::named("clips").index(i);
        let poses = coding.poses(motion, 0, place, |_| std::iter::empty(), path, report)?;
        entries.push(coding.entry(&poses, &motion.name, path, report)?);
    }
    Ok(pack::Document { entries, ..pack::Document::default() })
}

/// How motions become entries.
struct Coding<'o> {
    options: &'o Options,
    scale: f64,
    size: f64,
}

impl Coding<'_> {
    /// The frames of a motion in the game's axes; places that are too far away are brought near.
    fn poses<T: Iterator<Item = DQuat>>(
        &self,
        motion: &Motion,
        bones: usize,
        root: impl Fn(usize) -> BonePlace,
        turns: impl Fn(usize) -> T,
        path: Path,
        report: &mut Report,
    ) -> Result<Vec<FreeFrame<DQuat>>, LowerError> {
        let rotations = bones.saturating_add(1).saturating_mul(size_of::<DQuat>());
        room::probe(motion.frames.saturating_mul(rotations).saturating_mul(2))?;
        let mut poses = room::with_capacity(motion.frames)?;
        let (mut off, mut far) = (0.0_f64, 0.0_f64);
        for frame in 0..motion.frames {
            let root = root(frame);
            let place = DVec3::new(root.at.x, -root.at.y, -root.at.z);
            let held = place.clamp(DVec3::splat(f64::from(i16::MIN)), DVec3::splat(f64::from(i16::MAX)));
            far = far.max(if held == place { 0.0 } else { place.abs().max_element() });
            off = off.max((held - held.round()).length());
            let rotations = std::iter::once(root.turn).chain(turns(frame)).map(game).collect();
            poses.push(FreeFrame { position: held.to_array(), rotations });
        }
        if far > 0.0 {
            let said = format!("`{}`: {far}, {} at most", motion.name, i16::MAX);
            report.push(steps::FAR.at(path).saying(said));
        }
        if off > f64::from(self.options.tolerance) * self.size * self.scale {
            let said = format!("`{}`: up to {off:.4} units away", motion.name);
            report.push(steps::PLACES.at(path).saying(said));
        }
        Ok(poses)
    }

    /// The entry of frames: at the coarsest key within the tolerance, else at the finest, and coarser if it is too long so.
    fn entry(
        &self,
        poses: &[FreeFrame<DQuat>],
        name: &str,
        path: Path,
        report: &mut Report,
    ) -> Result<Entry, LowerError> {
        let tolerance = f64::from(self.options.tolerance).to_degrees();
        let at = |precision: Precision| from_quaternions(poses, precision, Rounding::Nearest);
        let best = match at(Precision::Tolerance(tolerance)) {
            Ok(best) => best,
            Err(_) => at(Precision::Key(AngleKey::Zero)).map_err(refused)?,
        };
        let first = best.key;
        for key in AngleKey::ALL.into_iter().filter(|key| *key >= first) {
            let made = if key == first { best.clone() } else { at(Precision::Key(key)).map_err(refused)? };
            match new_entry(&made.frames, key) {
                Ok(entry) => {
                    tell(&made, first, tolerance, (name, path), report);
                    return Ok(entry);
                }
                Err(error) if error.cause.code == &TOO_LONG => {}
                Err(error) => return Err(refused(error)),
            }
        }
        let said = format!("`{name}`: {} frames of {} rotations", poses.len(), best.frames.rotations());
        Err(steps::TOO_LONG.at(path).saying(said).into())
    }
}

fn tell(made: &Quantised, first: AngleKey, tolerance: f64, (name, path): (&str, Path), report: &mut Report) {
    let said = format!("`{name}`: key {}, up to {:.4} degrees away", made.key, made.error);
    if made.key > first {
        report.push(steps::COARSER.at(path).saying(said));
    } else if made.error > tolerance {
        report.push(steps::ANGLES.at(path).saying(said));
    }
}

fn refused(error: EditError) -> LowerError {
    (*error.cause).into()
}

/// A rotation of the scene in the game's axes.
fn game(turn: DQuat) -> DQuat {
    DQuat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}
