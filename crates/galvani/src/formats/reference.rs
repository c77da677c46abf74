//! Files that documents name: pictures, materials, parts.

use galvani_core::Path;

/// What a named file is to the document that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A picture.
    Texture,
    /// A picture of light.
    Lightmap,
    /// A material, which names pictures itself.
    Material,
    /// A table of materials.
    MaterialTable,
    /// A piece of a model.
    Part,
}

impl Role {
    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Role::Texture => "texture",
            Role::Lightmap => "lightmap",
            Role::Material => "material",
            Role::MaterialTable => "material-table",
            Role::Part => "part",
        }
    }

    /// Whether it names nothing more.
    pub fn is_picture(self) -> bool {
        matches!(self, Role::Texture | Role::Lightmap)
    }
}

/// A file that a document names.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Where it is named.
    pub path: Path,
    /// What it is.
    pub role: Role,
    /// Its name as it stands there, or what the game puts in its place.
    pub name: String,
    /// What its file may be called, the likeliest first; `/` between folders.
    pub candidates: Vec<String>,
    /// The archive that the game takes it from.
    pub library: Option<&'static str>,
    /// Members of that archive that the game takes where none has the name; `#0` is its first.
    pub fallbacks: &'static [&'static str],
    /// Whether the document is whole without it.
    pub is_optional: bool,
}

impl Reference {
    /// A file that is called as it is named.
    pub fn new(path: Path, role: Role, name: impl Into<String>) -> Self {
        let name = name.into();
        Reference {
            path,
            role,
            candidates: vec![name.clone()],
            name,
            library: None,
            fallbacks: &[],
            is_optional: false,
        }
    }
}

/// What a file may be called that a game names by a path: as written, with other extensions, and each of these without its
/// folders. Either slash parts folders, and whatever leads out of the folder is dropped.
pub(super) fn candidates(written: &str, extensions: &[&str]) -> Vec<String> {
    let whole = inside(written);
    let base = whole.rsplit('/').next().unwrap_or(&whole).to_owned();
    let mut all: Vec<String> = Vec::new();
    for name in [whole, base].into_iter().filter(|name| !name.is_empty()) {
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
        let others = extensions.iter().map(|extension| format!("{stem}.{extension}"));
        for candidate in std::iter::once(name).chain(others) {
            if !all.contains(&candidate) {
                all.push(candidate);
            }
        }
    }
    all
}

/// A path with `/` between its parts, without a drive and without steps upwards.
fn inside(written: &str) -> String {
    let parts =
        written.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..") && !part.ends_with(':'));
    parts.collect::<Vec<&str>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_tried_as_written_then_by_other_extensions_then_by_its_base_name() {
        let found = candidates(r"Units\Orc\Grunt.blp", &["blp", "dds"]);
        assert_eq!(found, ["Units/Orc/Grunt.blp", "Units/Orc/Grunt.dds", "Grunt.blp", "Grunt.dds"]);
        assert_eq!(candidates("skin", &["png"]), ["skin", "skin.png"]);
    }

    #[test]
    fn nothing_leads_out() {
        assert_eq!(candidates(r"..\..\a.blp", &[]), ["a.blp"]);
        assert_eq!(candidates(r"C:\b\a.blp", &[]), ["b/a.blp", "a.blp"]);
        assert_eq!(candidates("/etc/passwd", &[]), ["etc/passwd", "passwd"]);
        assert!(candidates("..", &["png"]).is_empty());
    }
}
