//! Poses in Python beside the same poses in Rust: many times in one call.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a failed step is a failed measurement"
)]

use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani::formats::{self, OpenOptions, Sampling, Selector, Times};
use galvani::samples;

/// How many poses are asked for at once.
const POSES: u32 = 10_000;

/// A sample, one of its clips, and how far its times are apart.
const MODELS: [(&str, &str, &str, f64); 2] = [
    ("10 000 poses of MDX", "lantern.mdx", "Walk", 0.08),
    ("10 000 poses of MSH", "walker.msh", "timeline", 0.0008),
];

/// What Python does: the same number of times as here, measured there, without the time that Python takes to start.
const SCRIPT: &str = "\
import sys, time, galvani, numpy
name, clip, step, poses, rounds = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
model = galvani.open(galvani.samples()[name], name=name)
times = numpy.arange(poses) * step
model.sample(clip, times)
start = time.perf_counter_ns()
for _ in range(rounds):
    model.sample(clip, times)
print(time.perf_counter_ns() - start)
";

fn poses(c: &mut Criterion) {
    let python = std::env::var_os("GALVANI_PYTHON");
    let python = python.unwrap_or_else(|| panic!("GALVANI_PYTHON names a Python that has the wheel"));
    for (group, name, clip, step) in MODELS {
        let mut group = c.benchmark_group(group);
        group.throughput(Throughput::Elements(POSES.into())).sample_size(10);
        let file = samples::all().into_iter().find(|sample| sample.name == name).unwrap().bytes;
        let format = formats::recognise(&file, Some(name)).unwrap();
        let opened = format.open(&file, &OpenOptions::default()).unwrap();
        let times: Times = (0..POSES).map(|i| f64::from(i) * step).collect();
        let wanted = Sampling { times, clip: Some(Selector::new(clip)), ..Sampling::default() };
        group.bench_function("in Rust", |b| {
            b.iter(|| {
                let samples = opened.as_animated().unwrap().sample(black_box(&wanted)).unwrap();
                samples.poses.for_each(|pose| drop(black_box(pose.unwrap())));
            });
        });
        group.bench_function("in Python", |b| {
            b.iter_custom(|rounds| {
                let words = [name, clip, &step.to_string(), &POSES.to_string(), &rounds.to_string()];
                let ran = Command::new(&python).arg("-c").arg(SCRIPT).args(words).output().unwrap();
                assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
                Duration::from_nanos(String::from_utf8(ran.stdout).unwrap().trim().parse().unwrap())
            });
        });
        group.finish();
    }
}

criterion_group!(benches, poses);
criterion_main!(benches);
