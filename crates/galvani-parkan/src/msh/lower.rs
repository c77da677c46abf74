//! A new model of any scene: the way of [`lift`](super::lift) backwards (docs/formats/msh.md#lower).
//!
//! Skins are taken apart and scales done away with first; then every node of the scene is a node of the model, what it
//! shows is a slot, its motion is keys on whole frames. Materials and pictures become the table and the libraries that
//! the game looks for beside a model. What a model cannot hold is reduced or refused, and told either way.

mod look;
mod motion;
mod names;
mod nodes;
mod shape;
mod states;

use galvani_core::{EditError, LowerError, Path, Report, codes};
use galvani_scene::lower::usable;
use galvani_scene::{Clip, Id, LoweredScene, Scene};

use super::build::{Plan, build};
use super::lift::{FRAME_RATE, FRAME_RATES};
use super::write;
use look::Wardrobe;

codes! {
    OPTION = Error, "msh.lower-option",
        "there is no such clip, frame rate or tolerance",
        "clips are those of the scene, frame rates 0.001 to 10000, tolerances above 0";
    FRAMES = Error, "msh.lower-frames",
        "the clip has more frames than a timeline can tell apart",
        "shorten it, or take fewer frames a second";
    MATERIALS = Error, "msh.lower-materials",
        "there are more materials than a batch can name",
        "let surfaces that look alike share a material";
    NAME = Note, "msh.lower-name",
        "a name was made, cut, or told apart from another",
        "names of nodes have 31 bytes, of materials 35 without blanks, of textures 13, each once, in Cyrillic or Latin letters";
    ROOT = Note, "msh.lower-root",
        "an empty node was put before all others",
        "the game puts the first node at the origin, so that it must be there, and alone";
    MADE = Note, "msh.lower-made",
        "normals or texture coordinates that a mesh has not were made",
        "normals are those of the triangles, coordinates 0";
    LOST_CLIP = Warning, "msh.lost-clip",
        "a model has one timeline: another clip was left out",
        "choose the clip to be taken, or put all of them one after the other into one";
    LOST_REST = Note, "msh.lost-rest",
        "nodes rest elsewhere than they are when the clip begins",
        "a model rests as its first frame is";
    LOST_TRACK = Warning, "msh.lost-track",
        "the clip changes something that a timeline cannot",
        "nodes are moved and turned, nothing else; it stays as it is at rest";
    OFF_GRID = Warning, "msh.off-grid",
        "between frames the motion is farther off than the tolerance",
        "keys stand on whole frames, and lines go straight between them; take more frames a second";
    LOST_VARIANT = Warning, "msh.lost-variant",
        "a state or level of detail has no place in the model",
        "there are three states and four levels; what a node shows in one state it must show something of in the one before";
    LOST_VERTEX_DATA = Warning, "msh.lost-vertex-data",
        "something of the vertices has no place in the model",
        "vertices have a place, a normal and the coordinates of the picture that is shown";
    LOST_WRAP = Warning, "msh.lost-wrap",
        "a picture ends or is mirrored at its edges, and here it begins again",
        "keep the coordinates between 0 and 1";
    LOST_LOOK = Warning, "msh.lost-look",
        "something of how a surface looks has no place in a material",
        "materials have colours, one picture, and light of their own over it";
    MASKED = Note, "msh.masked",
        "what is seen or not by alpha is blended, with alpha of all or nothing",
        "it looks the same but for the smoothing of edges";
    ONE_SIDED = Note, "msh.one-sided",
        "surfaces are seen from both sides",
        "the game hides no backs";
    LOST_PART = Warning, "msh.lost-part",
        "something of the scene has no place in a model",
        "nodes stay where it was";
}

/// How far motions may be off, of the model's size and in radians, unless somebody says otherwise.
const TOLERANCE: f32 = 1e-4;

/// What to lower, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The clip that is the timeline; without a choice the first.
    pub clip: Option<Id<Clip>>,
    /// Frames a second: keys stand on frames.
    pub fps: f32,
    /// How far a node may be off at a frame: a part of the model's size, and radians.
    pub tolerance: f32,
}

impl Default for Options {
    fn default() -> Self {
        Options { clip: None, fps: FRAME_RATE, tolerance: TOLERANCE }
    }
}

/// The files of a scene: its model, under the scene's name, the table of its materials, and libraries of the materials and
/// textures.
pub fn lower(scene: &Scene, options: &Options) -> Result<LoweredScene, LowerError> {
    let clip = chosen(scene, options)?;
    let mut report = usable(scene)?;
    let stem = stem(&scene.name);
    let wardrobe = Wardrobe::new(scene, &mut report)?;
    shape::tell(scene, &mut report);
    left_out(scene, clip, &mut report);
    let plan = Plan {
        name: names::archive_name(&stem),
        nodes: nodes::plans(scene, clip, &wardrobe, options, &mut report)?,
        ..Plan::default()
    };
    let built = build(&plan).map_err(refused)?;
    report.append(built.report);
    let mut files =
        vec![(format!("{stem}.msh"), write(&built.document)?), (format!("{stem}.wea"), wardrobe.table())];
    files.extend(wardrobe.libraries(scene)?);
    Ok(LoweredScene { files, pictures: Vec::new(), report })
}

/// The clip to take; nothing of a scene without clips.
fn chosen<'s>(scene: &'s Scene, options: &Options) -> Result<Option<&'s Clip>, LowerError> {
    let Options { clip, fps, tolerance } = *options;
    let known = clip.is_none_or(|clip| clip.index() < scene.clips.len());
    if !(known && FRAME_RATES.contains(&fps) && tolerance > 0.0 && tolerance.is_finite()) {
        let clips = scene.clips.len();
        let said = format!("clip {clip:?} of {clips}, {fps} frames a second, tolerance {tolerance}");
        return Err(OPTION.at(Path::root()).saying(said).into());
    }
    Ok(clip.map_or(scene.clips.first(), |clip| clip.find_in(&scene.clips)))
}

/// Says which parts of a scene no model has.
fn left_out(scene: &Scene, clip: Option<&Clip>, report: &mut Report) {
    for (i, other) in scene.clips.iter().enumerate() {
        if !clip.is_some_and(|clip| std::ptr::eq(clip, other)) {
            report.push(LOST_CLIP.at(Path::named("clips").index(i)).saying(format!("`{}`", other.name)));
        }
    }
    let events = clip.map_or(0, |clip| clip.events.len());
    let named = |socket: &&galvani_scene::Socket| {
        let node = socket.node.find_in(&scene.nodes);
        node.is_none_or(|node| node.name != socket.name || !super::lift::is_socket_name(&node.name))
    };
    let sockets = scene.sockets.iter().filter(named).count();
    let parts = [
        ("lights", scene.lights.len()),
        ("cameras", scene.cameras.len()),
        ("looks", scene.looks.len()),
        ("sockets", sockets),
        ("events", events),
    ];
    for (name, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
        report.push(LOST_PART.at(Path::named(name)).saying(format!("{count} of them")));
    }
}

/// What the files are called: the scene's name without its folders, or a word where it has none.
fn stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let kept: String =
        last.chars().filter(|letter| !letter.is_control() && !"<>\"|?*".contains(*letter)).collect();
    match kept.trim_matches([' ', '.']) {
        "" => "model".to_owned(),
        stem => stem.to_owned(),
    }
}

fn refused(error: EditError) -> LowerError {
    LowerError { cause: error.cause }
}
