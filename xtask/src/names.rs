//! Names of public types: a noun stands for one type, unless every format has one of its own under that name.

use std::collections::{BTreeMap, BTreeSet};

/// Names that several rooms have, each its own: what every format has, and what games and scenes both call so. The path tells
/// them apart (`nres::Document`, `scene::Texture`). No other name may stand twice.
const IN_SEVERAL_ROOMS: &[&str] = &[
    "Archive",
    "Blend",
    "Bone",
    "Camera",
    "Chunk",
    "Clip",
    "Damage",
    "Document",
    "Entry",
    "Event",
    "Fact",
    "Field",
    "File",
    "Filter",
    "Format",
    "Frame",
    "Frames",
    "Header",
    "Influences",
    "Layout",
    "Lifting",
    "Light",
    "Material",
    "Mips",
    "Name",
    "NewEntry",
    "Node",
    "Options",
    "Payload",
    "Picture",
    "Plane",
    "Player",
    "Poses",
    "Posing",
    "Raw",
    "Ray",
    "Resource",
    "Role",
    "Section",
    "Shape",
    "Stream",
    "Texture",
    "Track",
    "Unfolded",
    "View",
];

/// Public types of these sources, by their paths from the top, that share a name and may not; names that may and do not.
/// Records mirror their files, whatever these call them.
pub(crate) fn problems(sources: &[(String, String)]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| !is_apart(path)) {
        for name in declared(text) {
            rooms.entry(name).or_default().insert(path);
        }
    }
    let of = |name: &str| rooms.get(name).map_or(0, BTreeSet::len);
    let shared = rooms.iter().filter(|(name, paths)| paths.len() > 1 && !IN_SEVERAL_ROOMS.contains(*name));
    let shared = shared.map(|(name, paths)| {
        let paths: Vec<&str> = paths.iter().copied().collect();
        format!("`{name}` is a public type in {}: a noun stands for one", paths.join(" and "))
    });
    let alone = IN_SEVERAL_ROOMS.iter().filter(|name| of(name) < 2);
    let alone =
        alone.map(|name| format!("`{name}` stands in one room: take it off the list in xtask/src/names.rs"));
    shared.chain(alone).collect()
}

/// Whether nobody asks for the names of a source: records, and what only tests see.
fn is_apart(path: &str) -> bool {
    let is_test = path.ends_with("/tests.rs") || path.starts_with("crates/galvani-testkit/");
    is_test || !path.contains("/src/") || path.contains("/wire/") || path.ends_with("/wire.rs")
}

/// The public types that a source declares.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("\n#[cfg(test)]").next().unwrap_or(text);
    code.lines().filter_map(|line| {
        let mut words = line.trim_start().strip_prefix("pub ")?.split(' ');
        words.next().filter(|word| ["struct", "enum", "trait", "type"].contains(word))?;
        let name = words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        // Macros name theirs `$name`.
        Some(name).filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::{IN_SEVERAL_ROOMS, problems};

    /// What is told of two sources beside those that make the list true.
    fn told(one: (&str, &str), other: (&str, &str)) -> Vec<String> {
        let all: Vec<String> = IN_SEVERAL_ROOMS.iter().map(|name| format!("pub struct {name};")).collect();
        let all = all.join("\n");
        let sources = [("crates/a/src/a.rs", &*all), ("crates/b/src/b.rs", &*all), one, other];
        problems(&sources.map(|(path, text)| (path.to_owned(), text.to_owned())))
    }

    #[test]
    fn a_noun_that_stands_for_two_types_is_told() {
        let (one, two) = ("crates/c/src/one.rs", "crates/d/src/two.rs");
        assert_eq!(
            told((one, "pub struct Gadget<'a> {"), (two, "    pub enum Gadget {")),
            [format!("`Gadget` is a public type in {one} and {two}: a noun stands for one")]
        );
        assert_eq!(
            told((one, "pub struct Gadget;"), (two, "struct Gadget;\npub(crate) struct Gadget;")),
            [""; 0]
        );
        assert_eq!(
            told((one, "pub struct Gadget;"), ("crates/d/src/wire.rs", "pub struct Gadget;")),
            [""; 0]
        );
        assert_eq!(told((one, "pub struct Document;"), (two, "pub trait Document {")), [""; 0]);
    }

    #[test]
    fn a_name_on_the_list_that_stands_alone_is_told() {
        assert_eq!(problems(&[]).len(), IN_SEVERAL_ROOMS.len());
    }
}
