//! Unpacked documents and extracted members on disk.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use galvani_core::{Limits, Path, ReadOptions};
use serde_json::Value;
use walkdir::WalkDir;

use super::place::{Overwrite, SaveError, Saved};
use super::tree::{Follow, Tree};
use super::{OpenError, read};
use crate::formats::{Folder, NamedFile};
use crate::{budget, codes};

/// The file that names everything in an unpacked folder.
pub const MANIFEST: &str = "manifest.json";

/// Writes an unpacked document, the manifest last. Files of an earlier one that are no longer wanted stay.
pub fn write_folder(folder: &Folder, to: &Tree, overwrite: &Overwrite) -> Result<Vec<Saved>, SaveError> {
    let manifest = serde_json::to_string_pretty(&folder.manifest).unwrap_or_default() + "\n";
    let files = folder.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    files
        .chain([(MANIFEST, manifest.as_bytes())])
        .map(|(name, bytes)| to.write_file(name, bytes, overwrite))
        .collect()
}

/// Reads an unpacked document. Its files are plain ones below its folder, unless links are followed. What its manifest becomes is
/// charged.
pub fn read_folder(from: &FilePath, follow: Follow, options: &ReadOptions) -> Result<Folder, OpenError> {
    let limits = &options.limits;
    let tree = Tree::new(from);
    let bytes = |name: &str| match follow {
        Follow::No => tree.read(FilePath::new(name), limits),
        Follow::Yes => Some(from.join(name)).filter(|path| path.is_file()).map(|path| read(&path, limits)),
    };
    let none =
        || Err(codes::NOT_FOUND.at(Path::root()).saying(from.join(MANIFEST).display().to_string()).into());
    let text = bytes(MANIFEST).unwrap_or_else(none)?;
    budget::charge_folder(&options.budget.meter(&budget::PACKING, text.len()), text.len())?;
    let manifest = serde_json::from_slice(&text).map_err(|error| {
        let found = codes::MANIFEST.at(Path::named("manifest"));
        OpenError::from(found.saying(format!("{MANIFEST}: {error}")))
    })?;
    let mut folder = Folder { manifest, files: BTreeMap::new() };
    let mut names = BTreeSet::new();
    texts(&folder.manifest, &mut names);
    for name in names.into_iter().filter(|name| is_inside(name)) {
        if let Some(bytes) = bytes(&name) {
            folder.files.insert(name, bytes?);
        }
    }
    Ok(folder)
}

/// The plain files right inside a folder, in the order of their names. Links are passed over unless they are followed, folders in any
/// case.
pub fn files_in(from: &FilePath, follow: Follow, limits: &Limits) -> Result<Vec<NamedFile>, OpenError> {
    let wrong = |why: String| -> OpenError {
        codes::UNREADABLE.at(Path::root()).saying(format!("`{}`: {why}", from.display())).into()
    };
    if !from.is_dir() {
        return Err(codes::NOT_FOUND
            .at(Path::root())
            .saying(format!("`{}` is no folder", from.display()))
            .into());
    }
    let tree = Tree::new(from);
    let walk = WalkDir::new(from).min_depth(1).max_depth(1).follow_links(follow == Follow::Yes);
    let mut files = Vec::new();
    for entry in walk.sort_by_file_name() {
        let entry = entry.map_err(|error| wrong(error.to_string()))?;
        if !entry.file_type().is_file() {
            continue;
        }
        let name = entry.file_name().to_str().ok_or_else(|| wrong("a name is no text".to_owned()))?;
        let bytes = match follow {
            Follow::No => {
                tree.read(FilePath::new(name), limits).unwrap_or_else(|| Err(wrong(name.to_owned())))?
            }
            Follow::Yes => read(entry.path(), limits)?,
        };
        files.push(NamedFile { name: name.to_owned(), bytes });
    }
    Ok(files)
}

/// Every text in a manifest: some of them name files.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(found.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(parts) => parts.values().for_each(|part| texts(part, found)),
        _ => {}
    }
}

/// Whether a text may be a relative path with `/` below a folder.
fn is_inside(name: &str) -> bool {
    let plain =
        |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':', '\0']);
    name.split('/').all(plain)
}

/// Writes members of archives into one folder, never outside it and no two over each other.
#[derive(Debug)]
pub struct Extraction {
    to: Tree,
    names: FreeNames,
}

impl Extraction {
    /// Into that folder.
    pub fn new(to: &FilePath) -> Self {
        Extraction { to: Tree::new(to), names: FreeNames::default() }
    }

    /// Writes one member under its name, or as close to it as is safe and free.
    pub fn write_member(
        &mut self,
        name: &str,
        bytes: &[u8],
        overwrite: &Overwrite,
    ) -> Result<Saved, SaveError> {
        let safe = safe_name(name);
        let name = self.names.take(if safe.is_empty() { "_" } else { &safe });
        self.to.write_file(&name, bytes, overwrite)
    }
}

/// Names of files in one folder, no two of them alike in any case of letters: some file systems know no other.
#[derive(Debug, Default)]
pub struct FreeNames {
    /// Names in lower case, each with the number that its next namesake gets.
    taken: BTreeMap<String, u32>,
}

impl FreeNames {
    /// The name, or one with a number behind it if somebody has it.
    pub fn take(&mut self, name: &str) -> String {
        self.take_with(name, "")
    }

    /// The same of a name in two parts; a number stands between them.
    pub fn take_with(&mut self, stem: &str, end: &str) -> String {
        let name = format!("{stem}{end}");
        let Some(mut number) = self.taken.get(&name.to_lowercase()).copied() else {
            self.taken.insert(name.to_lowercase(), 2);
            return name;
        };
        loop {
            let numbered = format!("{stem}~{number}{end}");
            number = number.saturating_add(1);
            if let Entry::Vacant(free) = self.taken.entry(numbered.to_lowercase()) {
                free.insert(2);
                self.taken.insert(name.to_lowercase(), number);
                return numbered;
            }
        }
    }
}

/// A member's name as one file name of every system: no folders, no devices, nothing hidden behind a dot.
pub fn safe_name(name: &str) -> String {
    let keep = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let name: String = name.chars().map(keep).collect();
    let name = name.trim_end_matches(['.', ' ']);
    let stem = name.split('.').next().unwrap_or("").to_ascii_uppercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']));
    let device = ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str()) || numbered("COM") || numbered("LPT");
    if device || name.starts_with('.') { format!("_{name}") } else { name.to_owned() }
}

/// A name with folders before it, each as a file name of every system; `/` is between them, and it never leads out.
pub fn safe_path(name: &str) -> String {
    let parts = name.split(['/', '\\']).map(safe_name).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{FreeNames, safe_name, safe_path};

    #[test]
    fn every_name_is_taken_once() {
        let mut names = FreeNames::default();
        let mut take = |name| names.take(name);
        assert_eq!([take("a"), take("A"), take("a~2"), take("a")], ["a", "A~2", "a~2~2", "a~3"]);
        let mut pictures = || names.take_with("skin", ".png");
        assert_eq!([pictures(), pictures()], ["skin.png", "skin~2.png"]);
    }

    /// Each namesake looks where the one before it stopped.
    #[test]
    fn twice_as_many_namesakes_cost_twice_as_much() {
        let cost = |count: u64| {
            let mut names = FreeNames::default();
            let taken = || (0..count).for_each(|_| drop(names.take("same")));
            allocation_counter::measure(taken).count_total
        };
        let (one, two) = (cost(2_000), cost(4_000));
        assert!(two < one * 5 / 2, "{one} allocations, then {two}");
    }

    #[test]
    fn no_name_leaves_the_folder_or_opens_a_device() {
        assert_eq!(safe_name("TANK.MSH"), "TANK.MSH");
        assert_eq!(safe_name("../../etc/passwd"), "_.._.._etc_passwd");
        assert_eq!(safe_name("..\\x"), "_.._x");
        assert_eq!(safe_name(".."), "");
        assert_eq!(safe_name("c:\\x"), "c__x");
        assert_eq!(safe_name("con.txt"), "_con.txt");
        assert_eq!(safe_name("COM1"), "_COM1");
        assert_eq!(safe_path("Textures\\Lantern.blp"), "Textures/Lantern.blp");
        assert_eq!(safe_path("/../a:/./b"), "a_/b");
        assert_eq!(safe_name("comb.tex"), "comb.tex");
        assert_eq!(safe_name(".hidden"), "_.hidden");
        assert_eq!(safe_name("танк"), "танк");
        assert_eq!(safe_name("a\nb"), "a_b");
    }
}
