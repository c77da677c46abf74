//! Edits of a skeleton.

use galvani_core::{EditError, Path, Report, codes};

use super::{Bone, Document};

codes! {
    NO_BONE = Error, "ff7-skeleton.no-bone",
        "there is no such bone",
        "the outline lists the bones, counted from 0";
    PARENT_REFUSED = Error, "ff7-skeleton.parent-refused",
        "a bone can only hang on one that stands before it",
        "give an earlier bone, or `root`";
    VALUE = Error, "ff7-skeleton.value",
        "a length is no finite number",
        "give a number; lengths are negative";
    LOST_BYTES = Warning, "ff7-skeleton.lost-bytes",
        "bytes behind the last bone were dropped",
        "the game does not look at them; some editors leave them there";
}

/// Hangs a bone on an earlier one, or on the root.
pub fn reparent(document: &mut Document, bone: usize, parent: Option<usize>) -> Result<(), EditError> {
    get(document, bone)?;
    let parent = match parent {
        None => -1,
        Some(parent) if parent < bone => i32::try_from(parent).unwrap_or(i32::MAX),
        Some(parent) => {
            let path = Path::named("bones").index(bone).field("parent");
            let found = format!("less than {bone} wanted, {parent} found");
            return Err(PARENT_REFUSED.at(path).saying(found).into());
        }
    };
    change(document, bone, |bone| bone.parent = parent)
}

/// Gives a bone another length.
pub fn set_length(document: &mut Document, bone: usize, length: f32) -> Result<(), EditError> {
    if !length.is_finite() {
        let path = Path::named("bones").index(bone).field("length");
        return Err(VALUE.at(path).saying(format!("{length} found")).into());
    }
    change(document, bone, |bone| bone.length = length)
}

/// Says whether a part belongs to a bone. A number that says so already is kept.
pub fn set_model(document: &mut Document, bone: usize, has_model: bool) -> Result<(), EditError> {
    change(document, bone, |bone| {
        if (bone.has_model != 0) != has_model {
            bone.has_model = u32::from(has_model);
        }
    })
}

/// Drops what follows the last bone. A file that was cut short keeps it.
pub fn make_canonical(document: &mut Document) -> Report {
    let mut report = Report::default();
    if document.missing == 0 && !document.rest.is_empty() {
        let found = format!("{} bytes", document.rest.len());
        report.push(LOST_BYTES.at(Path::named("rest")).saying(found));
        document.rest.clear();
    }
    report
}

fn get(document: &Document, bone: usize) -> Result<&Bone, EditError> {
    document.bones.get(bone).ok_or_else(|| {
        let found = format!("bone {bone} of {}", document.bones.len());
        NO_BONE.at(Path::named("bones").index(bone)).saying(found).into()
    })
}

fn change(document: &mut Document, bone: usize, change: impl FnOnce(&mut Bone)) -> Result<(), EditError> {
    get(document, bone)?;
    if let Some(bone) = document.bones.get_mut(bone) {
        change(bone);
    }
    Ok(())
}
