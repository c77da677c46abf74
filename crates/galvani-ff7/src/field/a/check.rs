//! What can be wrong with an animation.

use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes};

use super::{Document, ORDER, VERSION};

codes! {
    TRUNCATED = Error, "ff7-a.truncated",
        "the bytes end inside a field",
        "the file was cut short";
    VERSION_UNKNOWN = Error, "ff7-a.version",
        "the version is not 1",
        "the game's own files all have 1; the rest is read as if it were that";
    FRAMES = Error, "ff7-a.frames",
        "the file ends before its last frame does",
        "the file was cut short; whole frames can be used, the rest is kept; the canonical form drops it";
    NO_FRAMES = Note, "ff7-a.no-frames",
        "there are no frames",
        "nothing moves";
    ORDER_UNKNOWN = Warning, "ff7-a.rotation-order",
        "the axes are not in the order 1, 0, 2",
        "the order is kept; the game's own files all have 1, 0, 2";
    NOT_FINITE = Warning, "ff7-a.not-finite",
        "an angle or a position is not a finite number",
        "set it to a number";
    PADDING = Note, "ff7-a.padding",
        "the byte behind the axes is not 0",
        "the byte is kept; it is 0 in the game's own files";
    REST = Warning, "ff7-a.rest",
        "bytes follow the last frame",
        "the bytes are kept; the canonical form drops them";
    LOST = Warning, "ff7-a.lost-bytes",
        "bytes behind the last whole frame were dropped",
        "keep the original if they may matter; in any but the canonical form they stay";
    TOO_LARGE = Error, "ff7-a.too-large",
        "there are more frames than a file can hold",
        "take a smaller factor";
    NO_FRAME = Error, "ff7-a.no-frame",
        "there is no such frame",
        "frames are counted from 0; the outline shows how many there are";
    LAST_FRAME = Error, "ff7-a.last-frame",
        "no frame would be left",
        "leave one";
    NO_BONE = Error, "ff7-a.no-bone",
        "there is no such bone",
        "0 is the root, the first bone is 1; the outline shows how many there are";
    VALUE = Error, "ff7-a.value",
        "a value is not a finite number",
        "give a number";
    FACTOR = Error, "ff7-a.factor",
        "the factor is below 2",
        "2 doubles the frames";
    ORDER_REFUSED = Error, "ff7-a.order-refused",
        "nothing can be put between frames whose axes are in another order than 1, 0, 2",
        "only the order of the game's own files is understood well enough";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    damage(document, &mut report);
    if document.rotation_order != ORDER {
        let found = format!("{ORDER:?} wanted, {:?} found", document.rotation_order);
        report.push(ORDER_UNKNOWN.at(Path::named("rotation_order")).saying(found));
    }
    if document.unknown_0f != 0 {
        let found = format!("0 wanted, {} found", document.unknown_0f);
        report.push(PADDING.at(Path::named("unknown_0f")).saying(found));
    }
    if document.frames.is_empty() && document.missing == 0 {
        report.push(NO_FRAMES.at(Path::named("frame_count")));
    }
    numbers(document, &mut report);
    if document.missing == 0 && !document.rest.is_empty() {
        report.push(REST.at(Path::named("rest")).saying(format!("{} bytes", document.rest.len())));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    if document.version != VERSION {
        let found = format!("{VERSION} wanted, {} found", document.version);
        report.push(VERSION_UNKNOWN.at(Path::named("version")).saying(found));
    }
    if document.missing > 0 {
        let found = document.frames.len();
        let counted = u64::from(document.missing).saturating_add(u64::try_from(found).unwrap_or(0));
        let bones = document.frames.bones();
        let found = format!("{counted} frames of {bones} bones wanted, {found} found");
        report.push(FRAMES.at(Path::named("frame_count")).saying(found));
    }
}

fn numbers(document: &Document, report: &mut Report) {
    for (i, frame) in document.frames.iter().enumerate() {
        let path = Path::named("frames").index(i);
        let root = [("rotation", frame.rotation), ("position", frame.position)];
        for (name, values) in root.into_iter().filter(|(_, values)| !is_finite(*values)) {
            report.push(NOT_FINITE.at(path.field(name)).saying(format!("{values:?}")));
        }
        for (bone, &values) in frame.bones.iter().enumerate().filter(|(_, values)| !is_finite(**values)) {
            let path = path.field("bones").index(bone).field("rotation");
            report.push(NOT_FINITE.at(path).saying(format!("{values:?}")));
        }
    }
}

fn is_finite(values: [f32; 3]) -> bool {
    values.iter().all(|value| value.is_finite())
}
