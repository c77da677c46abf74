//! What can be wrong with a skeleton.

use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes};

use super::{Document, Parent};

codes! {
    TRUNCATED = Error, "ff7-skeleton.truncated",
        "the bytes end inside a field",
        "the file was cut short";
    COUNT = Error, "ff7-skeleton.count",
        "the file has fewer bones than its header says",
        "the file was cut short; what could not be read is kept as it is";
    PARENT = Error, "ff7-skeleton.parent",
        "the parent of a bone does not stand before it",
        "the parent is -1 for the root, or the index of an earlier bone";
    TOO_LARGE = Error, "ff7-skeleton.too-large",
        "there are more bones than a skeleton can count",
        "remove bones";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    damage(document, &mut report);
    for (i, parent) in document.parents().into_iter().enumerate() {
        let is_sound = match parent {
            Parent::Root => true,
            Parent::Bone(parent) => parent < i,
            Parent::Nowhere => false,
        };
        if !is_sound {
            let found = document.bones.get(i).map_or(0, |bone| bone.parent);
            let path = Path::of("bones").index(i).field("parent");
            report.push(PARENT.at(path).saying(format!("-1 or less than {i} wanted, {found} found")));
        }
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    if document.missing > 0 {
        let found = document.bones.len();
        let counted = u64::from(document.missing).saturating_add(u64::try_from(found).unwrap_or(0));
        let found = format!("{counted} bones wanted, {found} found");
        report.push(COUNT.at(Path::of("bone_count")).saying(found));
    }
}
