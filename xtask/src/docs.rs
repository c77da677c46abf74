//! The moving pictures of the README, made by the command itself.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::root;

/// Pictures, and what makes them of the samples.
const PICTURES: &[(&str, &[&str])] = &[
    ("walker.gif", &["walker.msh"]),
    ("frog.gif", &["frog.lgp/zgda", "--clip", "#2", "--view", "20,12"]),
    ("lantern.gif", &["lantern.mdx", "--clip", "Walk"]),
];

/// What all of them have in common: as large as the page shows them, before a colour on which what shines is seen.
const ALIKE: &[&str] = &["--size", "240x240", "--background", "#2b3038"];

pub(crate) fn run(words: &[String]) -> Result<()> {
    let is_check = match words {
        [] => false,
        [word] if word == "--check" => true,
        _ => bail!("`--check` or nothing wanted, {words:?} found"),
    };
    let root = root();
    let folder = root.join("docs/pictures");
    let made = root.join("target/pictures");
    std::fs::create_dir_all(&made)?;
    std::fs::create_dir_all(&folder)?;
    for (name, words) in PICTURES {
        let [input, flags @ ..] = words else { continue };
        let output = made.join(name);
        let status = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--locked", "--package", "galvani-cli", "--", "render"])
            .arg(root.join("samples").join(input))
            .arg("-o")
            .arg(&output)
            .args(ALIKE)
            .args(flags)
            .current_dir(&root)
            .status()?;
        ensure!(status.success(), "{name}: {status}");
        settle(&output, &folder.join(name), is_check)?;
    }
    println!("{} pictures are what the command makes", PICTURES.len());
    Ok(())
}

/// Puts a picture in its place, or only says whether it is there.
fn settle(made: &Path, place: &Path, is_check: bool) -> Result<()> {
    let bytes = std::fs::read(made)?;
    if std::fs::read(place).ok().as_ref() == Some(&bytes) {
        return Ok(());
    }
    ensure!(!is_check, "{} is not what the command makes: cargo xtask docs", place.display());
    std::fs::write(place, bytes)?;
    Ok(())
}
