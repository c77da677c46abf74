//! What takes longer than a change can wait for: fuzz targets, tests on machines of other kinds, the page in Chromium.
//!
//! A Debian machine with Rust is enough: compilers for the other machines are Debian's, their standard libraries and what plays
//! them come from `xtask/cross`.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::root;

/// A machine of another kind.
struct Machine {
    target: &'static str,
    linker: &'static str,
    /// What plays it, in the folder of [`cross`], where it is not this machine.
    runner: Option<&'static str>,
}

/// 32 bits, and the other order of bytes.
const MACHINES: &[Machine] = &[
    Machine { target: "i686-unknown-linux-gnu", linker: "i686-linux-gnu-gcc", runner: None },
    Machine { target: "s390x-unknown-linux-gnu", linker: "s390x-linux-gnu-gcc", runner: Some("qemu-s390x") },
];

/// Systems that nothing is run on, but everything is built for, up to linking.
const SYSTEMS: &[&str] = &["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Tests that do nothing but pose generated models over and over. The order of bytes is nothing to them, and a machine that is played
/// takes a quarter of an hour for each.
const POSES: &[&str] = &[
    "a_scene_stands_as_the_game_has_it",
    "every_property_is_what_the_reference_says",
    "nodes_stand_where_the_reference_puts_them",
    "vertices_follow_their_nodes",
    "events_are_told_as_the_reference_tells_them",
];

/// Tests that ask programs of others, which want Node: what those say of a file is the same wherever it was made.
const CLIENTS: &[&str] = &["khronos_finds_nothing_wrong", "three_js_shows_what_the_sampler_says"];

/// Crates in which bytes become numbers and numbers bytes, and the one whose pictures are the same everywhere.
const CRATES: &[&str] = &[
    "galvani-core",
    "galvani-parkan",
    "galvani-ff7",
    "galvani-mdx",
    "galvani-texture",
    "galvani-gltf",
    "galvani-render",
];

/// Packages of Debian: the compiler that fuzzers are linked with, those of the other machines, and what makes lists of functions for
/// Windows.
const PACKAGES: &[&str] = &[
    "g++",
    "gcc-i686-linux-gnu",
    "libc6-dev-i386-cross",
    "gcc-s390x-linux-gnu",
    "libc6-dev-s390x-cross",
    "binutils-mingw-w64-x86-64",
];

/// Every step, whether or not one before it failed; the words go to `fuzz/run`.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let mut done: Vec<(String, Result<()>, Duration)> = Vec::new();
    let mut step = |name: &str, run: &dyn Fn() -> Result<()>| {
        println!("== {name}");
        let start = Instant::now();
        let result = run();
        if let Err(error) = &result {
            println!("{name}: {error:#}");
        }
        done.push((name.to_owned(), result, start.elapsed()));
    };
    step("packages", &packages);
    step("other machines", &libraries);
    for machine in MACHINES {
        step(machine.target, &|| tests(machine));
    }
    for system in SYSTEMS {
        step(system, &|| check(system));
    }
    // Poses in Node, with lanes of 128 bits and without.
    step("wasm32-unknown-unknown", &|| succeeds(&mut Command::new("tests/wasm/run")));
    // The page in Chromium; the command is made anew, with the page in it.
    step("page", &|| succeeds(Command::new(env!("CARGO")).args(["xtask", "web", "--test"])));
    step("fuzz targets", &|| fuzz(words));
    println!("== results");
    for (name, result, time) in &done {
        let verdict = if result.is_ok() { "passed" } else { "FAILED" };
        println!("{name:<26} {verdict} after {} s", time.as_secs());
    }
    let failed = done.iter().filter(|(_, result, _)| result.is_err()).count();
    ensure!(failed == 0, "{failed} of {} steps failed", done.len());
    Ok(())
}

fn packages() -> Result<()> {
    succeeds(Command::new("xtask/packages").args(PACKAGES))
}

/// Where the other machines' libraries and everything built for them lies.
fn cross() -> PathBuf {
    root().join("target/cross")
}

fn libraries() -> Result<()> {
    let targets = MACHINES.iter().map(|machine| machine.target).chain(SYSTEMS.iter().copied());
    succeeds(Command::new("xtask/cross").arg(cross()).args(targets))
}

/// Runs the tests of a machine: natively, or played. Programs are linked whole, so that they need nothing beside them.
fn tests(machine: &Machine) -> Result<()> {
    let name = machine.target.replace('-', "_").to_uppercase();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--locked", "--no-fail-fast", "--lib", "--tests", "--target", machine.target]);
    cargo.args(CRATES.iter().flat_map(|name| ["--package", name]));
    cargo.env("RUSTC", cross().join("rustc")).env("CARGO_TARGET_DIR", cross().join("build"));
    cargo.env(format!("CARGO_TARGET_{name}_LINKER"), machine.linker);
    cargo.env(format!("CARGO_TARGET_{name}_RUSTFLAGS"), "-C target-feature=+crt-static");
    cargo.env("INSTA_UPDATE", "no");
    cargo.arg("--").args(CLIENTS.iter().flat_map(|test| ["--skip", test]));
    if let Some(runner) = machine.runner {
        cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), cross().join(runner));
        cargo.args(POSES.iter().flat_map(|test| ["--skip", test]));
    }
    succeeds(&mut cargo)
}

/// Builds the command for a system as far as that goes without its linker; a warning is an error.
fn check(system: &str) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--locked", "--target", system, "--package", "galvani", "--package", "galvani-cli"]);
    cargo.env("RUSTC", cross().join("rustc")).env("CARGO_TARGET_DIR", cross().join("build"));
    succeeds(cargo.env("RUSTFLAGS", "-D warnings"))
}

fn fuzz(words: &[String]) -> Result<()> {
    succeeds(Command::new("fuzz/run").args(words))
}

/// Runs a command at the top of the repository; anything but success is an error.
fn succeeds(command: &mut Command) -> Result<()> {
    let status = command.current_dir(root()).status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{status}");
    Ok(())
}
