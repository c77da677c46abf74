//! Edits of a skeleton: each changes the words it is about, and no other byte.

use galvani_core::EditError;
use galvani_core::text::piece::{is_plain, replaced};

use super::check::{NAME_TAKEN, NO_BONE, NO_NAME, PARENT_REFUSED, VALUE, called, place};
use super::{Bone, Document, ROOT};
use crate::skeleton::Parent;

/// Gives the whole skeleton another name.
pub fn set_name(document: &mut Document, name: &[u8]) -> Result<(), EditError> {
    let path = galvani_core::Path::named("name");
    plain(name, path)?;
    let found = document.skeleton().name.filter(|name| !name.bytes.is_empty());
    let range = found.ok_or_else(|| NO_NAME.at(path))?.range();
    document.text = replaced(&document.text, &[(range, name.to_vec())])?;
    Ok(())
}

/// Gives a bone another name; the bones that hang on it follow.
pub fn rename(document: &mut Document, bone: usize, name: &[u8]) -> Result<(), EditError> {
    let path = place(bone, "name");
    plain(name, path)?;
    let skeleton = document.skeleton();
    let renamed = found(&skeleton.bones, bone)?;
    let mut others = skeleton.bones.iter().enumerate().filter(|&(i, _)| i != bone);
    if let Some((i, other)) = others.find(|(_, other)| other.name.bytes == name) {
        return Err(NAME_TAKEN.at(path).saying(called(other, i)).into());
    }
    if name.eq_ignore_ascii_case(ROOT) {
        return Err(NAME_TAKEN.at(path).saying("`root` is what bones without a parent hang on").into());
    }
    let mut changes = vec![(renamed.name.range(), name.to_vec())];
    for (child, parent) in skeleton.bones.iter().zip(skeleton.parents()) {
        if parent == Parent::Bone(bone) {
            changes.push((child.parent.range(), name.to_vec()));
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    document.text = replaced(&document.text, &changes)?;
    Ok(())
}

/// Hangs a bone on another that stands before it, or on the root.
pub fn reparent(document: &mut Document, bone: usize, parent: Option<usize>) -> Result<(), EditError> {
    let path = place(bone, "parent");
    let skeleton = document.skeleton();
    let moved = found(&skeleton.bones, bone)?;
    let name = match parent {
        None => ROOT.to_vec(),
        Some(parent) => {
            let above = found(&skeleton.bones, parent)?;
            let first = skeleton.bones.iter().position(|other| other.name.bytes == above.name.bytes);
            if parent >= bone || first != Some(parent) {
                let told = format!("{} for {}", called(above, parent), called(moved, bone));
                return Err(PARENT_REFUSED.at(path).saying(told).into());
            }
            above.name.bytes.to_vec()
        }
    };
    document.text = replaced(&document.text, &[(moved.parent.range(), name)])?;
    Ok(())
}

/// Gives a bone another length.
pub fn set_length(document: &mut Document, bone: usize, length: f32) -> Result<(), EditError> {
    if !length.is_finite() {
        return Err(VALUE
            .at(place(bone, "length"))
            .saying(format!("a number wanted, {length} found"))
            .into());
    }
    let range = found(&document.skeleton().bones, bone)?.length.range();
    document.text = replaced(&document.text, &[(range, length.to_string().into_bytes())])?;
    Ok(())
}

/// Gives a bone other resources; their number follows.
pub fn set_parts(document: &mut Document, bone: usize, parts: &[&[u8]]) -> Result<(), EditError> {
    for part in parts {
        plain(part, place(bone, "parts"))?;
        if part.contains(&b' ') {
            return Err(VALUE.at(place(bone, "parts")).saying("a name without spaces is wanted").into());
        }
    }
    let skeleton = document.skeleton();
    let changed = found(&skeleton.bones, bone)?;
    let mut line = parts.len().to_string().into_bytes();
    for part in parts {
        line.push(b' ');
        line.extend_from_slice(part);
    }
    let range = changed.part_count.start..changed.parts.end();
    document.text = replaced(&document.text, &[(range, line)])?;
    Ok(())
}

fn found<'s, 'a>(bones: &'s [Bone<'a>], bone: usize) -> Result<&'s Bone<'a>, EditError> {
    let wanted = || NO_BONE.at(galvani_core::Path::named("bones").index(bone));
    bones.get(bone).ok_or_else(|| wanted().saying(format!("bone {bone} of {}", bones.len())).into())
}

fn plain(value: &[u8], path: galvani_core::Path) -> Result<(), EditError> {
    if is_plain(value) && !value.starts_with(b"#") && !value.starts_with(b":") {
        return Ok(());
    }
    Err(VALUE.at(path).saying(format!("{:?}", galvani_core::text::shown(value))).into())
}
