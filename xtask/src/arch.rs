//! Who may use what: ARCHITECTURE.md's table, held against the manifests and sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::{names, root};

/// A crate and the only project crates it may depend on outside its tests.
const CRATES: &[(&str, &[&str])] = &[
    ("galvani-core", &[]),
    ("galvani-testkit", &["galvani-core"]),
    ("galvani-scene", &["galvani-core"]),
    ("galvani-parkan", &["galvani-core", "galvani-scene"]),
    ("galvani-ff7", &["galvani-core", "galvani-scene"]),
    ("galvani-mdx", &["galvani-core", "galvani-scene"]),
    ("galvani-texture", &["galvani-core"]),
    ("galvani-gltf", &["galvani-core", "galvani-scene"]),
    ("galvani-render", &["galvani-core", "galvani-scene"]),
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
            "galvani-render",
        ],
    ),
    ("galvani-survey", &["galvani"]),
    ("galvani-cli", &["galvani", "galvani-survey"]),
    ("galvani-py", &["galvani"]),
    ("galvani-web", &["galvani"]),
];

/// A part of the tree (a folder, or a file name in every format's folder) and words its code may not hold.
const ROOMS: &[(Room, &[&str])] = &[
    (
        Room::Folder("crates/galvani-core/src"),
        &["std::fs", "std::net", "std::env", "serde", "nres", "ff7", "println!"],
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
    (
        Room::Folder("crates/galvani-render/src"),
        &["std::fs", "std::env", "serde", "msh", "nres", "ff7", "println!", "mul_add", "powf", "sin_cos()"],
    ),
    (Room::Folder("crates/galvani/src"), &["println!", "clap"]),
    (Room::Folder("crates/galvani-survey/src"), &["std::fs", "std::env", "println!", "nres", "ff7", "mdx"]),
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
            "galvani_render",
        ],
    ),
    (
        Room::Folder("crates/galvani-py/src"),
        &[
            "std::fs",
            "galvani_core",
            "galvani_scene",
            "galvani_parkan",
            "galvani_ff7",
            "galvani_mdx",
            "galvani_gltf",
            "galvani_render",
        ],
    ),
    (
        Room::Folder("crates/galvani-web/src"),
        &["std::fs", "std::net", "std::env", "println!", "galvani_core", "galvani_scene", "galvani_render"],
    ),
    (Room::File("wire"), &["super::", "crate::"]),
    // Records in a folder of their own may name each other.
    (Room::Below("wire"), &["super::super::", "crate::"]),
    (Room::InFormats("check"), &["Reader", "Writer"]),
    (Room::InFormats("edit"), &["Reader", "Writer"]),
    (Room::InFormats("sample"), &["Reader", "Writer"]),
    (Room::InFormats("lift"), &["Reader", "Writer"]),
    (Room::InFormats("lower"), &["Reader", "Writer"]),
    (Room::OverValues("check"), &["wire"]),
    (Room::OverValues("edit"), &["wire"]),
    (Room::OverValues("sample"), &["wire"]),
    (Room::OverValues("lift"), &["wire"]),
    (Room::OverValues("lower"), &["wire"]),
];

/// Formats whose documents are records as they lie in the file (ARCHITECTURE.md, "Where this differs"): whoever looks at
/// such a document names them.
const OVER_RECORDS: &[&str] = &["crates/galvani-parkan/src/msh/", "crates/galvani-mdx/src/"];

#[derive(Clone, Copy)]
enum Room {
    /// Everything below a folder.
    Folder(&'static str),
    /// A module of every format: its file, and its folder.
    InFormats(&'static str),
    /// The same where documents hold values and not records.
    OverValues(&'static str),
    /// Only the file of such a module.
    File(&'static str),
    /// Only its folder.
    Below(&'static str),
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
    let (mut problems, sources) = problems(&root())?;
    problems.extend(names::problems(&sources));
    ensure!(problems.is_empty(), "\n  {}", problems.join("\n  "));
    println!("{} sources keep to their rooms", sources.len());
    Ok(())
}

/// Paths and texts of sources.
type Sources = Vec<(String, String)>;

/// What is wrong with a tree, and its sources.
fn problems(root: &Path) -> Result<(Vec<String>, Sources)> {
    let (mut problems, mut texts) = (Vec::new(), Vec::new());
    manifests(root, &mut problems)?;
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md"))?;
    table(&page, &mut problems);
    for (name, _) in CRATES {
        let manifest = std::fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"))?;
        used(&page, name, &manifest, &mut problems);
    }
    let sources = sources(&root.join("crates"))?;
    for path in &sources {
        let text = std::fs::read_to_string(path)?;
        let shown = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        for (room, words) in ROOMS {
            if room.holds(&shown) {
                problems.extend(forbidden(&text, words).map(|found| format!("{shown}: {found}")));
            }
        }
        if is_library(&shown) {
            problems.extend(flags(&text).map(|number| format!("{shown}: line {number} names a flag")));
        }
        if text.lines().count() > MOST_LINES {
            problems.push(format!("{shown}: longer than {MOST_LINES} lines"));
        }
        if shown.starts_with("crates/galvani/src") && !shown.starts_with("crates/galvani/src/fs") {
            problems.extend(forbidden(&text, &["std::fs"]).map(|found| format!("{shown}: {found}")));
        }
        texts.push((shown, text));
    }
    Ok((problems, texts))
}

/// Holds the table of ARCHITECTURE.md against [`CRATES`]: every crate has a row, and what the row lets it use of the
/// project is what its manifest may name.
fn table(page: &str, problems: &mut Vec<String>) {
    for (name, allowed) in CRATES.iter().filter(|(name, _)| *name != "galvani-testkit") {
        let own = short(name);
        let Some(may) = row(page, own) else {
            problems.push(format!("ARCHITECTURE.md: no row for {own}"));
            continue;
        };
        let told = |room: &str| may == ALL_ABOVE || may.split(", ").any(|word| word == room);
        let rooms = CRATES.iter().map(|(name, _)| *name).filter(|other| other != name);
        for other in rooms.filter(|other| *other != "galvani-testkit") {
            let (is_told, is_allowed) = (told(short(other)), allowed.contains(&other));
            let is_told = is_told && !(may == ALL_ABOVE && OVER_FACADE.contains(&other));
            if is_told != is_allowed {
                let may = if is_told { "may" } else { "may not" };
                problems.push(format!(
                    "ARCHITECTURE.md: {own} {may} use {}, xtask/src/arch.rs disagrees",
                    short(other)
                ));
            }
        }
    }
}

/// Holds the row of a crate against its manifest: what it depends on outside its tests is what the row lets it use, word
/// for word. The facade and those who use it stand above this: their rows speak of the project alone.
fn used(page: &str, name: &'static str, manifest: &str, problems: &mut Vec<String>) {
    let own = short(name);
    let speaks_of_all = |may: &&str| *may != ALL_ABOVE && !["cli", "py", "web"].contains(&own);
    let Some(may) = row(page, own).filter(speaks_of_all) else { return };
    let may: BTreeSet<&str> = may.split(", ").collect();
    let does: BTreeSet<&str> = dependencies(manifest).map(short).collect();
    let missing = does
        .difference(&may)
        .map(|word| format!("ARCHITECTURE.md: {own} uses {word}, its row does not say so"));
    let idle =
        may.difference(&does).map(|word| format!("ARCHITECTURE.md: {own} may use {word} and does not"));
    problems.extend(missing.chain(idle));
}

/// Crates that stand on the facade, which is not above them.
const OVER_FACADE: &[&str] = &["galvani-survey", "galvani-cli", "galvani-py", "galvani-web"];

/// What a row says of a crate that may use everything.
const ALL_ABOVE: &str = "all above";

/// What the page's table lets a crate use, by its short name.
fn row<'p>(page: &'p str, own: &str) -> Option<&'p str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let mut rows = rows.map(|row| row.split('|').map(str::trim));
    let is_own = |rooms: &str| rooms.split(", ").any(|room| room == own);
    rows.find_map(|mut row| row.next().filter(|rooms| is_own(rooms)).and_then(|_| row.next()))
}

/// What a crate of the project is called for short.
fn short(name: &str) -> &str {
    name.strip_prefix("galvani-").unwrap_or(name)
}

/// What a manifest depends on outside tests, on every machine.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let behind = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = behind.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_alphanumeric()));
    names.map(|line| line.split(['.', ' ', '=']).next().unwrap_or_default())
}

impl Room {
    fn holds(self, path: &str) -> bool {
        let is_format = || FAMILIES.iter().any(|family| path.starts_with(family));
        let is_file = |name: &str| is_format() && path.ends_with(&format!("/{name}.rs"));
        let is_below = |name: &str| is_format() && path.contains(&format!("/{name}/"));
        match self {
            Room::Folder(folder) => path.starts_with(&format!("{folder}/")),
            Room::File(name) => is_file(name),
            Room::Below(name) => is_below(name),
            Room::InFormats(name) => is_file(name) || is_below(name),
            Room::OverValues(name) => {
                !OVER_RECORDS.iter().any(|folder| path.starts_with(folder))
                    && (is_file(name) || is_below(name))
            }
        }
    }
}

/// Whether a source is of a library: its texts speak of what it does, the command's of flags.
fn is_library(path: &str) -> bool {
    let speaks = ["crates/galvani-cli/", "crates/galvani-testkit/"].iter().any(|room| path.starts_with(room));
    path.contains("/src/") && !speaks
}

/// Lines of code that hold a flag of a command line.
fn flags(text: &str) -> impl Iterator<Item = usize> {
    let is_flag = |piece: &str| piece.starts_with(|c: char| c.is_ascii_lowercase());
    code(text).filter(move |(_, line)| line.split("--").skip(1).any(is_flag)).map(|(number, _)| number)
}

/// Lines of code with their numbers; comments and what follows `mod tests` are none.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split("\n#[cfg(test)]").next().unwrap_or(text);
    (1..).zip(code.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Words of the code that are forbidden there; comments and what follows `mod tests` may hold them.
fn forbidden(text: &str, words: &[&str]) -> impl Iterator<Item = String> {
    let hits = code(text).flat_map(|(number, line)| {
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

fn manifests(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    for (name, allowed) in CRATES {
        let text = std::fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"))?;
        for dependency in dependencies(&text).filter(|dependency| dependency.starts_with("galvani")) {
            if !allowed.contains(&dependency) {
                problems.push(format!("{name} may not depend on {dependency}"));
            }
        }
    }
    let listed = |name: &str| CRATES.iter().any(|(known, _)| *known == name);
    for entry in std::fs::read_dir(root.join("crates"))? {
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
    #![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a failed step is a failed test")]

    use super::{CRATES, forbidden, holds_word, problems, table, used};

    /// A tree of the crates that there are, with a file more and this page.
    fn problems_with(page: &str, path: &str, source: &str) -> Vec<String> {
        let root = std::env::temp_dir().join(format!(
            "galvani-arch-{}-{}",
            std::process::id(),
            path.replace('/', "-")
        ));
        for (name, _) in CRATES {
            std::fs::create_dir_all(root.join("crates").join(name).join("src")).unwrap();
            let manifest = root.join("crates").join(name).join("Cargo.toml");
            std::fs::copy(crate::root().join("crates").join(name).join("Cargo.toml"), manifest).unwrap();
        }
        std::fs::write(root.join("ARCHITECTURE.md"), page).unwrap();
        let file = root.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, source).unwrap();
        let found = problems(&root).unwrap().0;
        std::fs::remove_dir_all(root).unwrap();
        found
    }

    fn page() -> String {
        std::fs::read_to_string(crate::root().join("ARCHITECTURE.md")).unwrap()
    }

    #[test]
    fn a_broken_tree_is_told_down_to_its_submodules() {
        let told = |path: &str, source: &str| problems_with(&page(), path, source);
        let wire = "crates/galvani-ff7/src/tex/edit/palette.rs";
        assert_eq!(told(wire, "use crate::tex::wire;"), [format!("{wire}: line 1 uses `wire`")]);
        let reader = "crates/galvani-parkan/src/msh/check/deep/er.rs";
        assert_eq!(told(reader, "use wire;\nuse core::Reader;"), [format!("{reader}: line 2 uses `Reader`")]);
        let record = "crates/galvani-mdx/src/wire/node.rs";
        assert_eq!(
            told(record, "use super::Bounds;\nuse crate::read;"),
            [format!("{record}: line 2 uses `crate::`")]
        );
        assert_eq!(told("crates/galvani-ff7/src/tex/edit.rs", "fn sound() {}"), [""; 0]);
        let text = "// --force is fine here\nlet help = \"say --force\";\nlet two = 2 - -1;";
        let library = "crates/galvani-ff7/src/tex/check/size.rs";
        assert_eq!(told(library, text), [format!("{library}: line 2 names a flag")]);
        assert_eq!(told("crates/galvani-cli/src/args/force.rs", text), [""; 0]);
    }

    #[test]
    fn the_table_on_the_page_is_the_one_that_is_held() {
        let told = |page: &str| {
            let mut found = Vec::new();
            table(page, &mut found);
            found
        };
        assert_eq!(told(&page()), [""; 0]);
        let wrong = page().replace("| texture | core,", "| texture | core, scene,");
        assert_eq!(told(&wrong), ["ARCHITECTURE.md: texture may use scene, xtask/src/arch.rs disagrees"]);
        let missing = page().replace("| scene |", "| stage |");
        assert!(told(&missing).contains(&"ARCHITECTURE.md: no row for scene".to_owned()));
    }

    #[test]
    fn a_row_says_all_that_a_crate_uses_and_nothing_else() {
        let told = |manifest: &str| {
            let mut found = Vec::new();
            used("| scene | core, glam |", "galvani-scene", manifest, &mut found);
            found
        };
        let with = |more: &str| {
            format!(
                "[dependencies]\ngalvani-core.workspace = true\nglam = \"1\"\n{more}\n[dev-dependencies]\npng = \"1\""
            )
        };
        assert_eq!(told(&with("")), [""; 0]);
        assert_eq!(
            told(&with("serde.workspace = true")),
            ["ARCHITECTURE.md: scene uses serde, its row does not say so"]
        );
        assert_eq!(
            told("[dependencies]\ngalvani-core.workspace = true"),
            ["ARCHITECTURE.md: scene may use glam and does not"]
        );
    }

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
