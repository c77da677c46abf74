//! A scene made ready: without skins and scales, and with its motions frame by frame.

use galvani_core::{LowerError, Meter, Path, Report, Severity, room};
use galvani_scene::{Scene, lower};

use super::bones::{self, Rig};
use super::motion::{self, Motion};
use super::weapon::{self, Weapon};
use super::{Form, Options, Target, lost, sound};

/// What a model is made of.
pub(super) struct Ready {
    /// Nodes, meshes, materials and the clips that are wanted; nothing bends, nothing is scaled. Pictures are left out.
    pub(super) scene: Scene,
    /// One for each clip; a single frame if there are none.
    pub(super) motions: Vec<Motion>,
    /// Its bones.
    pub(super) rig: Rig,
    /// What it holds, in battle.
    pub(super) weapon: Option<Weapon>,
    /// What could not be held so far.
    pub(super) report: Report,
}

/// Makes a scene ready.
pub(super) fn ready(
    scene: &Scene,
    options: &Options,
    target: &Target,
    meter: &Meter,
) -> Result<Ready, LowerError> {
    let fps = checked(scene, options, target)?;
    let mut report = Report::default();
    let mut own = copied(scene, options)?;
    let before = sound::make(&mut own);
    let (own, told) = lower::rigid(&own);
    report.append(told);
    let (mut own, told) = lower::unscaled(&own);
    report.append(told);
    // Scales upon scales may have led beyond all bounds.
    let lacking = sound::make(&mut own).saturating_add(before);
    if lacking > 0 {
        report.push(target.codes.values.at(Path::root()).saying(format!("{lacking} numbers")));
    }
    let weapon = if target.form == Form::Steps { weapon::weapon(scene, &own) } else { None };
    lost::scene(scene, &own, weapon.as_ref(), target.codes, &mut report);
    let motions = motion::all(&own, (fps, options), target, meter, &mut report)?;
    let rig = bones::rig(&own, &motions, options, target, &mut report)?;
    Ok(Ready { scene: own, motions, rig, weapon, report })
}

/// The frames a second, if everything that was asked for can be done.
fn checked(scene: &Scene, options: &Options, target: &Target) -> Result<f32, LowerError> {
    let wrong = galvani_scene::check(scene);
    if let Some(error) = wrong.findings().iter().find(|found| found.severity == Severity::Error) {
        return Err(error.clone().into());
    }
    let fps = options.fps.unwrap_or(target.fps);
    for (name, number) in [("fps", fps), ("scale", options.scale), ("tolerance", options.tolerance)] {
        let is_sound = (0.0..=MOST).contains(&number) && (number > 0.0 || name == "tolerance");
        if !is_sound {
            return Err(target.codes.option.at(Path::named(name)).saying(format!("{name} {number}")).into());
        }
    }
    let count = scene.clips.len();
    if let Some(none) = options.clips.iter().flatten().find(|clip| clip.index() >= count) {
        let said = format!("clip {} of {count}", none.index());
        return Err(target.codes.option.at(Path::named("clips")).saying(said).into());
    }
    Ok(fps)
}

/// The most that somebody may ask for.
const MOST: f32 = 1e6;

/// What is looked at of a scene.
fn copied(scene: &Scene, options: &Options) -> Result<Scene, LowerError> {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let bytes =
        primitives.map(|one| one.positions.len().saturating_mul(VERTEX)).fold(0, usize::saturating_add);
    // Skins and scales each take a copy.
    room::probe(bytes.saturating_mul(3))?;
    let clips = match &options.clips {
        None => scene.clips.clone(),
        Some(clips) => clips.iter().filter_map(|clip| clip.find_in(&scene.clips)).cloned().collect(),
    };
    Ok(Scene {
        name: scene.name.clone(),
        nodes: scene.nodes.clone(),
        meshes: scene.meshes.clone(),
        skins: scene.skins.clone(),
        materials: scene.materials.clone(),
        variants: scene.variants.clone(),
        clips,
        ..Scene::default()
    })
}

/// Bytes of a vertex with all that it may have, roughly.
const VERTEX: usize = 96;
