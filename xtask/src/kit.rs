//! How many files a format touches outside its own: what CONTRIBUTING.md promises to those who add one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use galvani::formats::FORMATS;

use crate::root;

/// Files that a new format may touch, whatever it is; the root of its family's crate, or of the folder it is in there, comes to them.
const SHARED: &[&str] = &[
    "crates/galvani/src/formats/mod.rs",
    "crates/galvani/src/samples.rs",
    "docs/formats/README.md",
    "CHANGELOG.md",
];

/// Most files that a new format may touch.
const MOST: usize = 5;

pub(crate) fn run(_: &[String]) -> Result<()> {
    let root = root();
    let sources = sources(&root)?;
    let mut worst = 0;
    for info in FORMATS.iter().map(|format| format.info()) {
        let touched = touched(info.id, &sources);
        let strangers: Vec<&String> = touched.iter().filter(|file| !is_expected(file)).collect();
        ensure!(strangers.is_empty(), "{} is named in {strangers:?}", info.id);
        ensure!(touched.len() <= MOST, "{} touches {} files: {touched:?}", info.id, touched.len());
        worst = worst.max(touched.len());
    }
    println!("{} formats touch at most {worst} files outside their own", FORMATS.len());
    Ok(())
}

fn is_expected(file: &str) -> bool {
    SHARED.contains(&file)
        || (file.starts_with("crates/galvani-") && (file.ends_with("/lib.rs") || file.ends_with("/mod.rs")))
}

/// The files outside a format's own that must name it: the registry and what lists formats in sources.
fn touched(id: &str, sources: &[(String, String)]) -> BTreeSet<String> {
    let module = id.replace('-', "_");
    let room = id.rsplit('-').next().unwrap_or(id);
    let declares =
        [format!("mod {module};"), format!("&{module}::"), format!("mod {room};"), format!("\"{id}\"")];
    let named = sources.iter().filter(|(file, text)| {
        !is_room(file, id) && declares.iter().any(|word| text.contains(word.as_str()))
    });
    named
        .map(|(file, _)| file.clone())
        .chain(["docs/formats/README.md", "CHANGELOG.md", "crates/galvani/src/samples.rs"].map(str::to_owned))
        .collect()
}

/// Whether a file is in the room of a format: of this one, or of another, which may stand on it.
fn is_room(file: &str, id: &str) -> bool {
    let ids = FORMATS.iter().map(|format| format.info().id).chain([id]);
    let rooms: Vec<String> =
        ids.flat_map(|id| [id.replace('-', "_"), id.rsplit('-').next().unwrap_or(id).to_owned()]).collect();
    file.split('/').any(|part| rooms.iter().any(|room| room == part.trim_end_matches(".rs")))
}

/// Every source that ships, with its text: no tests, no benchmarks, none that are made.
fn sources(root: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let shown = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            let skips = ["tests", "benches", "examples", "samples", "galvani-testkit"];
            if path.is_dir() && !skips.iter().any(|skip| shown.ends_with(skip)) {
                folders.push(path);
            } else if shown.contains("/src/") && path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path)?;
                // Extensions, features and comments are no ids, though they may read the same.
                let is_other = |line: &str| {
                    let line = line.trim_start();
                    line.starts_with("extensions:") || line.starts_with("//") || line.contains("feature = ")
                };
                let told = text.split("#[cfg(test)]").next().unwrap_or_default().lines();
                let told: Vec<&str> = told.filter(|line| !is_other(line)).collect();
                found.push((shown, told.join("\n")));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_formats_elsewhere_is_noticed() {
        let source = |file: &str, text: &str| (file.to_owned(), text.to_owned());
        let sources = [
            source("crates/galvani/src/formats/mod.rs", "mod toy_box;\n&toy_box::Box,"),
            source("crates/galvani-toy/src/lib.rs", "pub mod box;"),
            source("crates/galvani-toy/src/box/mod.rs", "const ID: &str = \"toy-box\";"),
            source("crates/galvani-cli/src/verbs/info.rs", "match id { \"toy-box\" => () }"),
        ];
        let touched = touched("toy-box", &sources);
        assert_eq!(touched.len(), MOST + 1);
        let strangers: Vec<&String> = touched.iter().filter(|file| !is_expected(file)).collect();
        assert_eq!(strangers, ["crates/galvani-cli/src/verbs/info.rs"]);
    }
}
