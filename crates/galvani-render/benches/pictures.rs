//! Pictures of models of 2000 triangles, and of others: how long they take by pixels and by triangles, on one core and on two, and how
//! long f3d takes for the same.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]
#![allow(clippy::disallowed_methods, reason = "benchmarks look at the disk themselves")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "small numbers"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use common::{Sight, ball, patches, shown, with};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_render::{Image, Meter, Stage, Stance, Wear};
use galvani_scene::{Id, Material, Node, Scene, Texture};
use galvani_testkit::Python;

/// A ball with a picture, of so many triangles.
fn model(triangles: usize) -> Scene {
    // Twice as many segments as rings, two triangles each.
    let rings = ((triangles / 4) as f64).sqrt().round() as usize;
    let material = Material { texture: Some(Texture::plain(Id::new(0))), ..Material::default() };
    shown(vec![(with(0, ball(rings, rings * 2)), Node::default())], vec![material], vec![patches(128, false)])
}

/// Everything from a scene to the pixels of a thumbnail.
fn thumbnail(scene: &Scene, side: u32) -> Image {
    let meter = Meter::unlimited();
    let stage = Stage::new(scene, &Wear::default(), &meter).unwrap();
    let stance = Stance::at_rest(scene);
    let shot = Sight { size: (side, side), ..Sight::default() }.shot(&stage, &stance);
    stage.picture(&stance, &shot, &meter).unwrap().image
}

/// How long so many thumbnails take on so many cores together.
fn together(scene: &Scene, side: u32, (cores, rounds): (usize, u64)) -> Duration {
    let start = Instant::now();
    thread::scope(|scope| {
        for core in 0..cores as u64 {
            let own = rounds / cores as u64 + u64::from(core < rounds % cores as u64);
            scope.spawn(move || (0..own).for_each(|_| drop(black_box(thumbnail(scene, side)))));
        }
    });
    start.elapsed()
}

/// What f3d takes for pictures of a file.
fn by_f3d(python: &Python, file: &Path, side: u32, (cores, rounds): (usize, u64)) -> Duration {
    let words = [file.display().to_string(), side.to_string(), cores.to_string(), rounds.to_string()];
    let said = python.ask("time.py", &words.each_ref().map(String::as_str), "");
    Duration::from_nanos(said.trim().parse().unwrap())
}

fn pictures(c: &mut Criterion) {
    let all = thread::available_parallelism().map_or(1, NonZero::get).min(2);
    let scene = model(2000);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (python, file) = (Python::in_folder(folder, "f3d"), folder.join("ball.glb"));
    std::fs::write(&file, galvani_gltf::glb(&scene, &galvani_gltf::Options::default()).unwrap().0).unwrap();
    let mut group = c.benchmark_group("pictures of 2000 triangles");
    group.throughput(Throughput::Elements(1));
    for side in [256, 512, 1024] {
        for (name, cores) in [("one core", 1), ("two cores", all)] {
            let ours = format!("{side} x {side} on {name}");
            group.sample_size(100);
            group.bench_function(ours, |b| b.iter_custom(|rounds| together(&scene, side, (cores, rounds))));
            // Each sample begins with starting it.
            group.sample_size(10);
            group.bench_function(format!("{side} x {side} by f3d on {name}"), |b| {
                b.iter_custom(|rounds| by_f3d(&python, &file, side, (cores, rounds)));
            });
        }
    }
    group.finish();
    let mut group = c.benchmark_group("pictures of 256 x 256");
    for triangles in [2000, 8000, 32_000, 128_000] {
        let scene = model(triangles);
        group.throughput(Throughput::Elements(triangles as u64));
        group.bench_function(format!("{triangles} triangles"), |b| {
            b.iter(|| black_box(thumbnail(&scene, 256)));
        });
    }
    group.finish();
}

criterion_group!(benches, pictures);
criterion_main!(benches);
