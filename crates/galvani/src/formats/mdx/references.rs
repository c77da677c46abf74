//! The pictures that a model names (docs/formats/lookup.md#names).

use galvani_core::{Path, text};
use galvani_mdx::wire::Texture;
use galvani_mdx::{Document, Family};

use super::outline::replaced_by;
use crate::formats::reference::candidates;
use crate::formats::{Reference, Referring, Role};

/// Extensions of pictures in the order in which the game tries them.
const CLASSIC: &[&str] = &["blp", "dds", "tga", "tif", "png"];

/// The same from version 900 on.
const REFORGED: &[&str] = &["dds", "blp", "tif", "tga", "png"];

impl Referring for Document {
    fn references(&self, _name: &str) -> Vec<Reference> {
        let is_reforged = self.family() == Family::Warcraft && self.version >= 900;
        let extensions = if is_reforged { REFORGED } else { CLASSIC };
        let textures = self.textures();
        textures
            .iter()
            .enumerate()
            .map(|(i, texture)| reference(self.family(), i, texture, extensions))
            .collect()
    }
}

fn reference(family: Family, index: usize, texture: &Texture, extensions: &[&str]) -> Reference {
    let path = Path::named("TEXS").index(index);
    match replaced_by(family, texture) {
        None => {
            let written = text::shown(&texture.path.0).into_owned();
            let candidates = candidates(&written, extensions);
            Reference { candidates, ..Reference::new(path, Role::Texture, written) }
        }
        Some(word) => {
            let default = default_picture(family, texture.replaceable_id.get());
            let written = default.map(|name| format!("ReplaceableTextures/{name}.{}", extensions[0]));
            let candidates = written.map(|written| candidates(&written, extensions)).unwrap_or_default();
            // The game chooses; a colour needs no file.
            Reference { candidates, is_optional: true, ..Reference::new(path, Role::Texture, word) }
        }
    }
}

/// What stands in for a replaceable picture where nobody chooses one (docs/formats/lookup.md#replaceable).
fn default_picture(family: Family, id: u32) -> Option<&'static str> {
    if family != Family::Warcraft {
        return None;
    }
    Some(match id {
        1 => "TeamColor/TeamColor00",
        2 => "TeamGlow/TeamGlow00",
        11 => "Cliff/Cliff0",
        31 => "LordaeronTree/LordaeronSummerTree",
        32 => "AshenvaleTree/AshenTree",
        33 => "BarrensTree/BarrensTree",
        34 => "NorthrendTree/NorthTree",
        35 => "Mushroom/MushroomTree",
        36 => "RuinsTree/RuinsTree",
        37 => "OutlandMushroomTree/MushroomTree",
        _ => return None,
    })
}
