//! Everything a change must pass. What waits for Node, Python and Blender runs beside what is Rust alone.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, anyhow, bail, ensure};

use crate::{long, root};

/// A name and a cargo command.
type Step = (&'static str, &'static [&'static str]);

/// What is soon said, and what builds the command without what the tests want of it: before everything else.
const FIRST: &[Step] = &[
    ("format", &["fmt", "--all", "--check"]),
    ("architecture", &["xtask", "arch"]),
    ("citations", &["xtask", "links"]),
    ("kit for formats", &["xtask", "kit"]),
    ("dependencies", &["xtask", "deps"]),
    ("codes page", &["xtask", "codes", "--check"]),
    ("pictures page", &["xtask", "docs", "--check"]),
];

/// What is Rust alone.
const RUST: &[Step] = &[
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
];

/// What waits for other programs most of the time: Node, Python, Blender.
const OTHERS: &[Step] = &[
    ("WebAssembly", &["xtask", "wasm"]),
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
    all(FIRST, blender, Told::AtOnce)?;
    // Side by side: what runs there uses a core or none, and what is built waits for its turn.
    let (rust, others) = std::thread::scope(|scope| {
        let others = scope.spawn(|| all(OTHERS, blender, Told::Afterwards));
        (all(RUST, blender, Told::AtOnce), others.join())
    });
    rust?;
    others.map_err(|_| anyhow!("what runs beside the tests panicked"))??;
    if blender.is_some() {
        println!("== BLENDER WAS NOT ASKED: nobody knows whether it shows our files right");
    }
    Ok(())
}

/// When what a step prints is shown.
#[derive(Clone, Copy)]
enum Told {
    AtOnce,
    /// So that what two steps print is not mixed.
    Afterwards,
}

/// One step after the other, up to the first that fails.
fn all(steps: &[Step], blender: Option<&str>, told: Told) -> Result<()> {
    for (name, words) in steps {
        let line = format!("== {name}: cargo {}", words.join(" "));
        let start = Instant::now();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(*words).current_dir(root());
        // A snapshot that differs fails; nothing is written beside it.
        cargo.env("INSTA_UPDATE", "no");
        // A change passes or fails by what it is, not by what was made up today: new models are made by the second command.
        cargo.env("PROPTEST_RNG_SEED", SEED);
        cargo.env("RUSTDOCFLAGS", "-D warnings");
        // A clean clone builds once: what would help to build it again only fills the disk.
        cargo.env("CARGO_INCREMENTAL", "0");
        cargo.envs(blender.map(|yes| ("GALVANI_NO_BLENDER", yes)));
        let is_passed = match told {
            Told::AtOnce => {
                println!("{line}");
                cargo.status()?.success()
            }
            Told::Afterwards => {
                let made = cargo.output()?;
                let (out, err) =
                    (String::from_utf8_lossy(&made.stdout), String::from_utf8_lossy(&made.stderr));
                println!("{line}\n{out}{err}");
                made.status.success()
            }
        };
        println!("== {name}: {} s", start.elapsed().as_secs());
        ensure!(is_passed, "{name} failed");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_readme_shows_the_main_job_first_and_this_command_second() {
        let readme = std::fs::read_to_string(crate::root().join("README.md")).unwrap();
        let blocks: Vec<&str> = readme.split("```").skip(1).step_by(2).take(2).collect();
        let [job, tests] = blocks[..] else { panic!("{blocks:?}") };
        assert_eq!(job, "text\ncargo run --release -- convert samples/walker.msh -o walker.glb\n");
        // `.ci/run` runs what stands here.
        assert_eq!(tests, "text\ncargo xtask ci\n");
    }
}
