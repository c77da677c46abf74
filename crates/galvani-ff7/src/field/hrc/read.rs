//! Bytes → [`Document`].

use galvani_core::text::piece::{Piece, map};
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Report, room};

use super::{Document, HrcText, MAGIC, check};

/// Whether a file starts as skeletons do.
pub fn is_marked(file: &[u8]) -> bool {
    file.get(..MAGIC.len()).is_some_and(|start| start.eq_ignore_ascii_case(MAGIC))
}

/// Reads a skeleton. Any text is one; what is wrong with it is left to [`check`](check::check), and ends the
/// reading under strictness.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let document = Document { text: room::copied(file)? };
    let map = map_of(file.len(), &document.skeleton());
    options.strictness.enforce(|report| check::damage(&document.skeleton(), report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

fn map_of(len: usize, skeleton: &HrcText<'_>) -> FileMap {
    let mut named: Vec<(Path, Piece<'_>)> = Vec::new();
    for (name, value) in
        [("version", skeleton.version), ("name", skeleton.name), ("bone_count", skeleton.count)]
    {
        named.extend(value.map(|value| (Path::named(name), value)));
    }
    for (i, bone) in skeleton.bones.iter().enumerate() {
        let path = Path::named("bones").index(i);
        named.push((path.field("name"), bone.name));
        named.push((path.field("parent"), bone.parent));
        named.push((path.field("length"), bone.length));
        named.push((path.field("part_count"), bone.part_count));
        named.push((path.field("parts"), bone.parts));
    }
    named.retain(|(_, piece)| !piece.bytes.is_empty());
    // Headers may stand anywhere.
    named.sort_by_key(|(_, piece)| piece.start);
    map(len, &named)
}
