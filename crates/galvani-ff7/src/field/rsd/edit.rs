//! Edits of a resource: each changes the words it is about, and no other byte.

use galvani_core::text::piece::{is_plain, replaced};
use galvani_core::{EditError, Path, text};

use super::check::{NO_LINE, NO_TEXTURE, VALUE};
use super::{Document, Line, Resource};

/// Which file of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RsdFile {
    /// `PLY`: the mesh.
    Ply,
    /// `MAT`: its materials.
    Mat,
    /// `GRP`: its groups.
    Grp,
}

/// Names another file of the mesh.
pub fn set_part(document: &mut Document, part: RsdFile, name: &[u8]) -> Result<(), EditError> {
    let resource = document.resource();
    let (path, line) = match part {
        RsdFile::Ply => ("ply", resource.ply),
        RsdFile::Mat => ("mat", resource.mat),
        RsdFile::Grp => ("grp", resource.grp),
    };
    plain(name, Path::named(path))?;
    let line = line.ok_or_else(|| NO_LINE.at(Path::named(path)))?;
    document.text = replaced(&document.text, &[(line.value.range(), name.to_vec())])?;
    Ok(())
}

/// Names another file for the texture of an index.
pub fn set_texture(document: &mut Document, index: usize, name: &[u8]) -> Result<(), EditError> {
    let path = Path::named("textures").index(index);
    plain(name, path)?;
    let resource = document.resource();
    let texture = resource.textures.iter().find(|texture| texture.index == index);
    let Some(texture) = texture else {
        let found = format!("TEX[{index}] of {}", resource.textures.len());
        return Err(NO_TEXTURE.at(path).saying(found).into());
    };
    document.text = replaced(&document.text, &[(texture.line.value.range(), name.to_vec())])?;
    Ok(())
}

/// Adds a texture behind the last, on a line that ends as the one before; `NTEX` follows.
pub fn add_texture(document: &mut Document, name: &[u8]) -> Result<(), EditError> {
    let resource = document.resource();
    let free = resource.textures.iter().map(|texture| texture.index.saturating_add(1)).max().unwrap_or(0);
    plain(name, Path::named("textures").index(free))?;
    let counted = counted(&resource)?;
    let before = resource.textures.last().map_or(counted, |texture| texture.line).whole;
    let entry = [format!("TEX[{free}]=").as_bytes(), name].concat();
    let line = match before.line_end() {
        b"" => [b"\r\n", entry.as_slice()].concat(),
        end => [entry.as_slice(), end].concat(),
    };
    let count = resource.textures.len().saturating_add(1).to_string().into_bytes();
    let mut changes = [(counted.value.range(), count), (before.end()..before.end(), line)];
    changes.sort_by_key(|(range, _)| range.start);
    document.text = replaced(&document.text, &changes)?;
    Ok(())
}

/// Removes the last texture and its line; `NTEX` follows.
pub fn remove_texture(document: &mut Document) -> Result<(), EditError> {
    let resource = document.resource();
    let counted = counted(&resource)?;
    let Some(last) = resource.textures.last() else {
        return Err(NO_TEXTURE.at(Path::named("textures")).saying("there is none").into());
    };
    let count = resource.textures.len().saturating_sub(1).to_string().into_bytes();
    let mut changes = [(counted.value.range(), count), (last.line.whole.range(), Vec::new())];
    changes.sort_by_key(|(range, _)| range.start);
    document.text = replaced(&document.text, &changes)?;
    Ok(())
}

/// The line that counts the textures. What it says does not matter: it is written anew.
fn counted<'a>(resource: &Resource<'a>) -> Result<Line<'a>, EditError> {
    resource.texture_count.ok_or_else(|| NO_LINE.at(Path::named("texture_count")).into())
}

fn plain(value: &[u8], path: Path) -> Result<(), EditError> {
    if is_plain(value) {
        return Ok(());
    }
    Err(VALUE.at(path).saying(format!("{:?}", text::shown(value))).into())
}
