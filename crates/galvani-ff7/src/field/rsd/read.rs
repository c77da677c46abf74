//! Bytes → [`Document`].

use galvani_core::text::piece::{MOST, Piece, map};
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Report, room};

use super::{Document, Resource, check, view};

/// Whether a file starts as resources do.
pub fn is_marked(file: &[u8]) -> bool {
    view::is_magic(file)
}

/// Reads a resource. Any text is one; what is wrong with it is left to [`check`](check::check), and ends the
/// reading under strictness.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let document = Document { text: room::copied(file)? };
    let map = map_of(file.len(), &document.resource());
    options.strictness.enforce(|report| check::damage(&document.resource(), report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

fn map_of(len: usize, resource: &Resource<'_>) -> FileMap {
    let mut named: Vec<(Path, Piece<'_>)> = Vec::new();
    named.extend(resource.magic.map(|magic| (Path::named("magic"), magic)));
    for (name, line) in [
        ("ply", resource.ply),
        ("mat", resource.mat),
        ("grp", resource.grp),
        ("texture_count", resource.texture_count),
    ] {
        named.extend(line.map(|line| (Path::named(name), line.value)));
    }
    for (i, texture) in resource.textures.iter().take(MOST).enumerate() {
        named.push((Path::named("textures").index(i), texture.line.value));
    }
    named.retain(|(_, piece)| !piece.bytes.is_empty());
    // Lines may stand in any order.
    named.sort_by_key(|(_, piece)| piece.start);
    map(len, &named)
}
