//! Everything a change must pass.

use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::{long, root};

/// A name and a cargo command.
const STEPS: &[(&str, &[&str])] = &[
    ("format", &["fmt", "--all", "--check"]),
    ("architecture", &["xtask", "arch"]),
    ("citations", &["xtask", "links"]),
    ("kit for formats", &["xtask", "kit"]),
    ("dependencies", &["xtask", "deps"]),
    ("codes page", &["xtask", "codes", "--check"]),
    ("pictures page", &["xtask", "docs", "--check"]),
    ("WebAssembly", &["xtask", "wasm"]),
    (
        "lints",
        &[
            "clippy",
            "--workspace",
            "--features",
            SURVEYS,
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
    ),
    ("no features", &["check", "--package", "galvani", "--no-default-features", "--locked"]),
    (
        "formats without files",
        &["check", "--package", "galvani", "--no-default-features", "--features", "parkan"],
    ),
    (
        "glTF without files",
        &["check", "--package", "galvani", "--no-default-features", "--features", "parkan,gltf", "--locked"],
    ),
    ("documentation", &["doc", "--workspace", "--no-deps", "--locked"]),
    ("tests", &["test", "--workspace", "--features", SURVEYS, "--locked"]),
    ("Python", &["xtask", "python"]),
    ("Blender", &["xtask", "blender"]),
];

/// Packages of Debian by which f3d draws where there is no graphics card.
const PACKAGES: &[&str] = &["libegl1", "libegl-mesa0", "libgl1-mesa-dri"];
/// What the command has only if somebody asks for it.
pub(crate) const SURVEYS: &str = "galvani-cli/survey";

/// What generated models begin from.
const SEED: &str = "20";

/// Does without Blender where it cannot be had.
const NO_BLENDER: &str = "--no-blender";

pub(crate) fn run(words: &[String]) -> Result<()> {
    if let [first, rest @ ..] = words
        && first == "--long"
    {
        return long::run(rest);
    }
    let blender = match words {
        [] => None,
        [word] if word == NO_BLENDER => Some("1"),
        _ => bail!("`--long` or `{NO_BLENDER}` wanted, {words:?} found"),
    };
    println!("== packages: xtask/packages {}", PACKAGES.join(" "));
    let status = Command::new("xtask/packages").args(PACKAGES).current_dir(root()).status()?;
    ensure!(status.success(), "packages failed");
    for (name, words) in STEPS {
        println!("== {name}: cargo {}", words.join(" "));
        let status = Command::new(env!("CARGO"))
            .args(*words)
            .current_dir(root())
            // A snapshot that differs fails; nothing is written beside it.
            .env("INSTA_UPDATE", "no")
            // A change passes or fails by what it is, not by what was made up today: new models are made by the second command.
            .env("PROPTEST_RNG_SEED", SEED)
            .env("RUSTDOCFLAGS", "-D warnings")
            // A clean clone builds once: what would help to build it again only fills the disk.
            .env("CARGO_INCREMENTAL", "0")
            .envs(blender.map(|yes| ("GALVANI_NO_BLENDER", yes)))
            .status()?;
        ensure!(status.success(), "{name} failed");
    }
    if blender.is_some() {
        println!("== BLENDER WAS NOT ASKED: nobody knows whether it shows our files right");
    }
    Ok(())
}
