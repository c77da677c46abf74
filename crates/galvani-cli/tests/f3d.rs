//! What f3d, which draws with OpenGL, covers of the `.glb` that we export, beside our own pictures from the same place.
//!
//! Python must be there, and what draws without a graphics card (`xtask/packages libegl1 libegl-mesa0 libgl1-mesa-dri`); f3d is
//! installed into the target folder, as `tests/f3d` pins it.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::path::Path;
use std::sync::OnceLock;

use common::Desk;
use galvani::OpenOptions;
use galvani::formats::{self, Opened, Settings, Site};
use galvani::pictures::{self, Direction, Eye, Fit, Lens, Meter, Shot, Stage, Wear};
use galvani_testkit::Python;
use serde_json::{Value, json};

/// Width and height of pictures.
const SIZE: (u32, u32) = (320, 256);

/// As much of all pixels that either covers must both cover.
const ALIKE: f64 = 0.97;

/// What is as opaque as this is covered: light that is added, too, which fades in f3d as its picture does and with us as the game has it.
const COVERED: u8 = 16;

fn f3d() -> &'static Python {
    static F3D: OnceLock<Python> = OnceLock::new();
    F3D.get_or_init(|| Python::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "f3d"))
}

/// Where an eye is and how it looks, as f3d is told.
fn camera(eye: &Eye) -> Value {
    let placed = eye.view().inverse();
    let (at, up, back) = (placed.translation, placed.matrix3.y_axis, placed.matrix3.z_axis);
    let angle = eye.halves(1.0)[1].atan().to_degrees() * 2.0;
    json!({"at": at.to_array(), "towards": (at - back).to_array(), "up": up.to_array(), "angle": angle})
}

/// What both cover of one picture.
struct Compared {
    what: String,
    ours: Vec<bool>,
    theirs: Vec<bool>,
}

impl Compared {
    fn alike(&self) -> f64 {
        let count = |is: fn(bool, bool) -> bool| {
            let pairs = self.ours.iter().zip(&self.theirs).filter(|(a, b)| is(**a, **b));
            f64::from(u32::try_from(pairs.count()).unwrap())
        };
        count(|a, b| a && b) / count(|a, b| a || b)
    }
}

/// Pictures of all clips of a `.glb` at some times and from some sides.
fn compared(file: &Path) -> Vec<Compared> {
    let meter = Meter::unlimited();
    let bytes = std::fs::read(file).unwrap();
    let opened: Opened = formats::by_id("gltf").unwrap().open(&bytes, &OpenOptions::default()).unwrap();
    let (scene, _) = pictures::scene(&opened, &Site::NOWHERE, &Settings::default(), &meter).unwrap();
    let stage = Stage::new(&scene, &Wear::default(), &meter).unwrap();
    let (mut ours, mut requests) = (Vec::new(), Vec::new());
    let moving = scene.clips.iter().filter(|clip| clip.duration > 0.0).map(Some);
    let clips: Vec<_> = if scene.clips.is_empty() { vec![None] } else { moving.collect() };
    for clip in clips {
        for (part, azimuth, elevation) in [(0.0, 0.0, 0.0), (0.37, 35.0, 20.0), (0.81, -110.0, 60.0)] {
            let time = clip.map_or(0.0, |clip| clip.duration * part);
            let stance = stage.stance(clip, time);
            let aspect = f64::from(SIZE.0) / f64::from(SIZE.1);
            let mut fit = Fit::new(Direction { azimuth, elevation }, Lens::Perspective, aspect);
            stage.fit(&stance, &mut fit);
            let eye = fit.eye(1.0);
            // As f3d has it, a pixel is what is in its middle.
            let shot = Shot { smooth: 1, ..Shot::new(SIZE.0, SIZE.1, eye) };
            let picture = stage.picture(&stance, &shot, &meter).unwrap().image;
            let name = clip.map(|clip| &clip.name);
            let mut request = camera(&eye);
            (request["clip"], request["time"]) = (json!(name), json!(time));
            request["size"] = json!([SIZE.0, SIZE.1]);
            requests.push(request);
            ours.push((
                format!("{name:?} at {time} from {azimuth},{elevation}"),
                picture.rgba.iter().map(|pixel| pixel[3] >= COVERED).collect(),
            ));
        }
    }
    let told = f3d().ask("shapes.py", &[&file.display().to_string()], &json!(requests).to_string());
    let shapes: Vec<String> = serde_json::from_str(&told).unwrap();
    assert_eq!(shapes.len(), ours.len());
    let theirs = shapes.iter().map(|hex| galvani::text::from_hex(hex).unwrap());
    let covered = |alpha: Vec<u8>| alpha.into_iter().map(|alpha| alpha >= COVERED).collect();
    let both = ours.into_iter().zip(theirs);
    both.map(|((what, ours), theirs)| Compared { what, ours, theirs: covered(theirs) }).collect()
}

#[test]
fn f3d_covers_what_we_cover() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    for (input, flags) in [
        ("walker.msh", &[][..]),
        ("walker.msh", &["--rig", "skin"]),
        ("lantern.mdx", &[]),
        ("lantern-wow.mdx", &[]),
        ("frog/zgaa", &[]),
        ("boat.hrc", &[]),
        ("windmill.glb", &[]),
    ] {
        let done = desk.run(&[&["convert", input, "-o", "there.glb"], flags].concat());
        assert_eq!(done.code, 0, "{input}: {}", done.stderr);
        let all = compared(&desk.path("there.glb"));
        let least = all.iter().map(Compared::alike).fold(1.0, f64::min);
        eprintln!("{input} {flags:?}: {} pictures, alike in {:.2} % or more", all.len(), least * 100.0);
        for one in all {
            let alike = one.alike();
            assert!(alike >= ALIKE, "{input} {flags:?}, {}: alike in {:.2} %", one.what, alike * 100.0);
        }
    }
}
