//! Who may use what: ARCHITECTURE.md's table, held against the manifests and sources.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::root;

/// A crate and the only project crates it may depend on outside its tests.
const CRATES: &[(&str, &[&str])] = &[
    ("galvani-core", &[]),
    ("galvani-testkit", &["galvani-core"]),
    ("galvani-scene", &[]),
    ("galvani-parkan", &["galvani-core", "galvani-scene"]),
    ("galvani-ff7", &["galvani-core", "galvani-scene"]),
    ("galvani-mdx", &["galvani-core", "galvani-scene"]),
    ("galvani-texture", &["galvani-core"]),
    ("galvani-gltf", &["galvani-core", "galvani-scene"]),
    (
        "galvani",
        &[
            "galvani-core",
            "galvani-scene",
            "galvani-parkan",
            "galvani-ff7",
            "galvani-mdx",
            "galvani-texture",
            "galvani-gltf",
        ],
    ),
    ("galvani-cli", &["galvani"]),
];

/// A part of the tree (a folder, or a file name in every format's folder) and words its code may not hold.
const ROOMS: &[(Room, &[&str])] = &[
    (
        Room::Folder("crates/galvani-core/src"),
        &["std::fs", "std::net", "std::env", "serde", "glam", "nres", "ff7", "println!"],
    ),
    (
        Room::Folder("crates/galvani-scene/src"),
        &["std::fs", "std::env", "serde", "zerocopy", "u8", "msh", "nres", "ff7", "println!"],
    ),
    (Room::Folder("crates/galvani-parkan/src"), &["std::fs", "std::env", "serde", "println!"]),
    (Room::Folder("crates/galvani-ff7/src"), &["std::fs", "std::env", "serde", "println!"]),
    (Room::Folder("crates/galvani-mdx/src"), &["std::fs", "std::env", "serde", "println!"]),
    (Room::Folder("crates/galvani-texture/src"), &["std::fs", "std::env", "serde", "println!"]),
    (Room::Folder("crates/galvani-gltf/src"), &["std::fs", "std::env", "msh", "nres", "ff7", "println!"]),
    (Room::Folder("crates/galvani/src"), &["println!", "clap"]),
    (
        Room::Folder("crates/galvani-cli/src"),
        &[
            "std::fs",
            "galvani_core",
            "galvani_scene",
            "galvani_parkan",
            "galvani_ff7",
            "galvani_mdx",
            "galvani_gltf",
        ],
    ),
    (Room::InFormats("wire.rs"), &["super::", "crate::"]),
    (Room::InFormats("check.rs"), &["wire", "Reader", "Writer"]),
    (Room::InFormats("edit.rs"), &["wire", "Reader", "Writer"]),
    (Room::InFormats("sample.rs"), &["wire", "Reader", "Writer"]),
    (Room::InFormats("lift.rs"), &["wire", "Reader", "Writer"]),
    (Room::InFormats("lower.rs"), &["wire", "Reader", "Writer"]),
];

#[derive(Clone, Copy)]
enum Room {
    Folder(&'static str),
    InFormats(&'static str),
}

/// The crates whose folders are formats.
const FAMILIES: &[&str] = &[
    "crates/galvani-parkan/src",
    "crates/galvani-ff7/src",
    "crates/galvani-mdx/src",
    "crates/galvani-texture/src",
];

/// Longest file, pure tables aside.
const MOST_LINES: usize = 800;

pub(crate) fn run(_: &[String]) -> Result<()> {
    let mut problems = Vec::new();
    manifests(&mut problems)?;
    let sources = sources(&root().join("crates"))?;
    for path in &sources {
        let text = std::fs::read_to_string(path)?;
        let shown = path.strip_prefix(root())?.to_string_lossy().replace('\\', "/");
        for (room, words) in ROOMS {
            if room.holds(&shown) {
                problems.extend(forbidden(&text, words).map(|found| format!("{shown}: {found}")));
            }
        }
        if text.lines().count() > MOST_LINES {
            problems.push(format!("{shown}: longer than {MOST_LINES} lines"));
        }
        if shown.starts_with("crates/galvani/src") && !shown.starts_with("crates/galvani/src/fs") {
            problems.extend(forbidden(&text, &["std::fs"]).map(|found| format!("{shown}: {found}")));
        }
    }
    ensure!(problems.is_empty(), "\n  {}", problems.join("\n  "));
    println!("{} sources keep to their rooms", sources.len());
    Ok(())
}

impl Room {
    fn holds(self, path: &str) -> bool {
        match self {
            Room::Folder(folder) => path.starts_with(&format!("{folder}/")),
            Room::InFormats(name) => {
                FAMILIES.iter().any(|family| path.starts_with(family)) && path.ends_with(&format!("/{name}"))
            }
        }
    }
}

/// Words of the code that are forbidden there; comments and what follows `mod tests` may hold them.
fn forbidden(text: &str, words: &[&str]) -> impl Iterator<Item = String> {
    let code = text.split("\n#[cfg(test)]").next().unwrap_or(text);
    let lines = (1..).zip(code.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"));
    let hits = lines.flat_map(|(number, line)| {
        words
            .iter()
            .filter(|word| holds_word(line, word))
            .map(move |word| format!("line {number} uses `{word}`"))
    });
    hits.collect::<Vec<_>>().into_iter()
}

/// Whether a line holds a word that is not part of a longer one.
fn holds_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let pieces: Vec<&str> = line.split(word).collect();
    pieces.windows(2).any(|around| {
        let starts = !around[0].ends_with(is_part) || word.starts_with(|c| !is_part(c));
        let ends = !around[1].starts_with(is_part) || word.ends_with(|c| !is_part(c));
        starts && ends
    })
}

fn manifests(problems: &mut Vec<String>) -> Result<()> {
    for (name, allowed) in CRATES {
        let text = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml"))?;
        let outside_tests = text.split("[dev-dependencies]").next().unwrap_or_default();
        let dependencies = outside_tests.split("[dependencies]").nth(1).unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("galvani")) {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !allowed.contains(&dependency) {
                problems.push(format!("{name} may not depend on {dependency}"));
            }
        }
    }
    let listed = |name: &str| CRATES.iter().any(|(known, _)| *known == name);
    for entry in std::fs::read_dir(root().join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !listed(&name) {
            problems.push(format!("{name} stands in no room: add it to xtask/src/arch.rs"));
        }
    }
    Ok(())
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{forbidden, holds_word};

    #[test]
    fn a_forbidden_word_is_found_in_code_only() {
        let text = "// wire is fine here\nuse super::wire;\nlet wired = 1;\n\n#[cfg(test)]\nuse wire;";
        assert_eq!(forbidden(text, &["wire"]).collect::<Vec<_>>(), ["line 2 uses `wire`"]);
    }

    #[test]
    fn a_word_is_not_found_inside_another() {
        assert!(holds_word("use std::fs::File;", "std::fs"));
        assert!(!holds_word("let rewire = 1;", "wire"));
        assert!(holds_word("use super::check;", "super::"));
    }
}
