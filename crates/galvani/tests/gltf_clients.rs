//! Models that ship, as other programs write them: quantised, resampled, sparse, with WebP, compressed by Meshopt and Draco, and
//! exported by three.js. Each is read and stands where the original stands, or is refused and says why.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;
#[path = "../../galvani-scene/tests/common/shown.rs"]
mod shown;

use std::path::{Path, PathBuf};

use common::beside::{SAMPLES, Samples as Shipped, own_name};
use galvani::convert::{self, ModelTarget, ModelWish};
use galvani::formats::{Settings, Site, by_id, recognise};
use galvani::gltf::{Options, WORDS, glb};
use galvani::scene::{Clip, Matrices, Moment, Sampler, Scene, check, to_model};
use galvani::{Meter, OpenOptions, Severity};
use galvani_testkit::Clients;
use glam::Vec3;

/// How far a corner may be from where it was, of the model's size, by what was done to the file.
fn near(way: &str) -> f32 {
    match way {
        "copy" | "sparse" | "webp" => 1e-5,
        "three" => 1e-4,
        // Keys are left out that are less than this from the line between others.
        "resample" => 1e-3,
        // Places of 14 bits, turns of 12 or more.
        _ => 4e-3,
    }
}

/// A folder for the files of a test.
fn desk(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn lift(file: &[u8]) -> Result<Scene, String> {
    let format = by_id(WORDS[1]).unwrap();
    let opened = format.open(file, &OpenOptions::default()).unwrap();
    assert!(opened.document.write().unwrap() == file, "written back differently");
    let (scene, _) = opened
        .as_model()
        .unwrap()
        .lift(&Settings::default(), &Site::NOWHERE)
        .map_err(|error| error.cause.code.name.to_owned())?;
    assert_eq!(check(&scene).tally(Severity::Error), 0, "{:?}", check(&scene).findings());
    Ok(scene)
}

/// A model of each kind that ships.
fn models() -> Vec<(String, Scene)> {
    let names = ["walker.msh", "lantern.mdx", "boat.hrc", "windmill.glb"];
    let model = |name: &str| {
        let sample = SAMPLES.iter().find(|sample| sample.name == name).unwrap();
        let site = Site::named(own_name(sample), &Shipped);
        let format = recognise(&sample.bytes, Some(name)).unwrap();
        let opened = format.open_at(&sample.bytes, &OpenOptions::default(), &site).unwrap();
        let (mut scene, _) = opened.as_model().unwrap().lift(&Settings::default(), &site).unwrap();
        site.stem().clone_into(&mut scene.name);
        (site.stem().to_owned(), scene)
    };
    names.map(model).into_iter().collect()
}

/// The corners of everything that is seen.
fn corners(scene: &Scene, clip: &Clip, time: f32) -> Vec<Vec3> {
    let mut moment = Moment::at_rest(scene);
    Sampler::new(scene).sample(clip, time, &mut moment);
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &moment, &mut models);
    let mut all = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate().filter(|(i, _)| moment.visible[*i]) {
        let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
        all.extend(shown::vertices(scene, i, mesh, &models, usize::MAX));
    }
    all.sort_by(|a, b| a.x.total_cmp(&b.x));
    all
}

/// How far the farthest corner of one is from the nearest of the other; both are sorted by their first coordinate.
fn distance(from: &[Vec3], to: &[Vec3], most: f32) -> f32 {
    let nearest = |corner: &Vec3| {
        let start = to.partition_point(|other| other.x < corner.x - most);
        let beside = to[start..].iter().take_while(|other| other.x <= corner.x + most);
        beside.map(|other| other.distance(*corner)).fold(f32::INFINITY, f32::min)
    };
    from.iter().map(nearest).fold(0.0, f32::max)
}

fn stand_alike(a: &Scene, b: &Scene, way: &str, name: &str) {
    let most = near(way) * a.size().max(1.0);
    let moving = a.clips.iter().filter(|clip| clip.tracks.iter().any(|track| track.node().is_some()));
    let still = Clip::default();
    for clip in moving.chain([&still]) {
        let other = b.clips.iter().find(|other| other.name == clip.name).unwrap_or(&still);
        assert!(other.name == clip.name, "{name} {way}: {} is gone", clip.name);
        for part in 0..=8_u8 {
            let time = clip.duration * f32::from(part) / 8.0;
            let (one, two) = (corners(a, clip, time), corners(b, other, time));
            let off = distance(&one, &two, most).max(distance(&two, &one, most));
            assert!(off <= most, "{name} {way} {} at {time}: {off} off, {most} at most", clip.name);
        }
    }
}

/// What another program exports becomes a model of every game, sound in every file.
#[test]
fn what_three_js_exports_becomes_a_model_of_every_game() {
    let clients = Clients::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let (settings, meter) = (Settings::default(), Meter::unlimited());
    for (name, scene) in models() {
        let desk = desk(&format!("{name}-game"));
        let [source, made] = ["source.glb", "three.glb"].map(|file| desk.join(file));
        std::fs::write(&source, glb(&scene, &Options::default()).unwrap().0).unwrap();
        let words = [&source, &made].map(|path| path.display().to_string());
        clients.ask("three-export.mjs", &[&words[0], &words[1]], "");
        let three = by_id(WORDS[1]).unwrap();
        let three = three.open(&std::fs::read(&made).unwrap(), &OpenOptions::default()).unwrap();
        let wish = ModelWish { stem: Some(&name), ..ModelWish::default() };
        for target in ModelTarget::all().filter(|target| target.format.info().lowering.is_some()) {
            let made = convert::model(&three, &Site::NOWHERE, target, &wish, (&settings, &meter));
            let made = made.unwrap_or_else(|error| panic!("{name} to {}: {error}", target.word));
            assert!(!made.files.is_empty());
            for (file, bytes) in &made.files {
                let format = recognise(bytes, Some(file)).unwrap_or_else(|| panic!("{file}"));
                let opened = format.open(bytes, &OpenOptions::default()).unwrap();
                let mut found = opened.report;
                found.append(opened.document.check());
                let loud = found.findings().iter().filter(|it| it.severity > Severity::Note);
                let loud: Vec<String> = loud.map(ToString::to_string).collect();
                assert_eq!(loud, Vec::<String>::new(), "{name} to {}: {file}", target.word);
            }
        }
    }
}

#[test]
fn models_that_others_have_written_stand_where_ours_do() {
    let clients = Clients::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")));
    for (name, scene) in models() {
        let desk = desk(&name);
        let source = desk.join("source.glb");
        std::fs::write(&source, glb(&scene, &Options::default()).unwrap().0).unwrap();
        let (webp, three) = (desk.join("picture.webp"), desk.join("three.glb"));
        let mut picture = Vec::new();
        let pixels = [[9, 90, 200, 255]].repeat(64).concat();
        image_webp::WebPEncoder::new(&mut picture)
            .encode(&pixels, 8, 8, image_webp::ColorType::Rgba8)
            .unwrap();
        std::fs::write(&webp, picture).unwrap();
        let word = |path: &Path| path.display().to_string();
        let told = clients.ask("hostile.mjs", &[&word(&source), &word(&desk), &word(&webp)], "");
        let more = clients.ask("three-export.mjs", &[&word(&source), &word(&three)], "");
        let files = told.lines().chain(more.lines()).filter(|line| line.ends_with("glb"));
        let mut ways = Vec::new();
        for file in files.map(Path::new) {
            let way = file.file_stem().unwrap().to_str().unwrap();
            ways.push(way.to_owned());
            let found = lift(&std::fs::read(file).unwrap());
            if way == "draco" {
                assert_eq!(found.unwrap_err(), "gltf.draco");
                continue;
            }
            let found = found.unwrap_or_else(|code| panic!("{name} {way}: {code}"));
            stand_alike(&scene, &found, way, &name);
            if way == "webp" {
                assert!(found.images.iter().all(|image| image.pixels.rgba == [[9, 90, 200, 255]; 64]));
            }
        }
        assert_eq!(ways.len(), 9, "{ways:?}");
    }
}
