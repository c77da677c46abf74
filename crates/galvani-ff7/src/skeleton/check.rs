//! What can be wrong with a skeleton.

use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes};

use super::{BONE_LEN, Document, LOCATION_KIND, Parent};
use crate::names::{self, File};

codes! {
    TRUNCATED = Error, "ff7-skeleton.truncated",
        "the bytes end inside a field",
        "the file was cut short";
    COUNT = Error, "ff7-skeleton.count",
        "the file has fewer bones than its header says",
        "the file was cut short; what could not be read is kept as it is";
    KIND = Warning, "ff7-skeleton.kind",
        "the kind of model is not 0, 1 or 2",
        "0 is an enemy, 1 a location, 2 a player's character";
    HEADER = Note, "ff7-skeleton.header",
        "a field of the header is not what all of the game's own files have",
        "its meaning is not known; it is kept";
    LOCATION = Warning, "ff7-skeleton.location",
        "a location has bones, or something else has none",
        "locations have pieces and no bones, all other models bones";
    PARENT = Error, "ff7-skeleton.parent",
        "the parent of a bone does not stand before it",
        "the parent is -1 for the root, or the index of an earlier bone";
    LENGTH = Warning, "ff7-skeleton.length",
        "the length of a bone is above 0, or no number",
        "bones reach to -Z: lengths are negative in the game's own files";
    LIMIT = Warning, "ff7-skeleton.limit",
        "there are more files than names for them",
        "a model has names for 50 parts, 10 textures and 16 weapons";
    APPENDED = Note, "ff7-skeleton.appended",
        "a location has 12 bytes behind its header for each piece",
        "an editor appends them; the game does not look; the canonical form drops them";
    REST = Warning, "ff7-skeleton.rest",
        "bytes follow the last bone",
        "the game does not look at them; they are kept, the canonical form drops them";
    MISSING = Warning, "ff7-skeleton.missing",
        "a file that the skeleton counts on is not beside it",
        "the game looks for it by name; copy it there, or change the count";
    ANIMATIONS = Warning, "ff7-skeleton.animations",
        "the pack beside it has another number of entries",
        "body and weapon animations together are the entries of the pack";
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
    header(document, &mut report);
    bones(document, &mut report);
    rest(document, &mut report);
    report
}

fn header(document: &Document, report: &mut Report) {
    if document.kind > 2 {
        report.push(KIND.at(Path::named("kind")).saying(format!("{} found", document.kind)));
    }
    let always = [
        ("unknown_04", document.unknown_04, 1),
        ("unknown_08", document.unknown_08, 1),
        ("unknown_10", document.unknown_10, 0),
        ("unknown_2c", document.unknown_2c, 0),
    ];
    for (field, found, wanted) in always {
        if found != wanted {
            report.push(HEADER.at(Path::named(field)).saying(format!("{wanted} wanted, {found} found")));
        }
    }
    let (bones, missing) = (document.bones.len(), document.missing);
    if (document.kind == LOCATION_KIND) != (bones == 0 && missing == 0) {
        let found = format!("kind {} with {bones} bones", document.kind);
        report.push(LOCATION.at(Path::named("bone_count")).saying(found));
    }
    let parts = match document.kind {
        LOCATION_KIND => ("piece_count", document.piece_count, names::PARTS),
        _ => ("bone_count", count(bones), names::PARTS),
    };
    let limits = [
        parts,
        ("texture_count", document.texture_count, names::TEXTURES),
        ("weapon_count", document.weapon_count, names::WEAPONS),
    ];
    for (field, found, most) in limits {
        if found > count(most) {
            report.push(LIMIT.at(Path::named(field)).saying(format!("{most} at most, {found} found")));
        }
    }
}

fn bones(document: &Document, report: &mut Report) {
    for (i, (bone, parent)) in document.bones.iter().zip(document.parents()).enumerate() {
        let path = Path::named("bones").index(i);
        let is_sound = match parent {
            Parent::Root => true,
            Parent::Bone(parent) => parent < i,
            Parent::Nowhere => false,
        };
        if !is_sound {
            let found = format!("-1 or less than {i} wanted, {} found", bone.parent);
            report.push(PARENT.at(path.field("parent")).saying(found));
        }
        if !(bone.length <= 0.0 && bone.length.is_finite()) {
            report.push(LENGTH.at(path.field("length")).saying(format!("{} found", bone.length)));
        }
    }
}

/// Bytes behind the bones: those that an editor appends to locations, or others.
fn rest(document: &Document, report: &mut Report) {
    let len = document.rest.len();
    if len == 0 || document.missing > 0 {
        return;
    }
    let pieces = usize::try_from(document.piece_count).ok().and_then(|pieces| pieces.checked_mul(BONE_LEN));
    let found = format!("{len} bytes");
    let is_appended = document.kind == LOCATION_KIND && pieces == Some(len);
    let code = if is_appended { &APPENDED } else { &REST };
    report.push(code.at(Path::named("rest")).saying(found));
}

/// The files of a model held against its skeleton; `has` says whether there is one. Where none of them is at hand,
/// nothing is said: whoever animates a model needs only skeleton and pack. Weapons may be fewer than counted in the
/// game's own files (docs/formats/ff7-skeleton.md#header).
pub fn files(document: &Document, has: &dyn Fn(File) -> bool, report: &mut Report) {
    let pieces = usize::try_from(document.piece_count).unwrap_or(usize::MAX).min(names::PARTS);
    let parts: Vec<(usize, &'static str)> = if document.kind == LOCATION_KIND {
        (0..pieces).map(|piece| (piece, "piece_count")).collect()
    } else {
        let bones = document.bones.iter().enumerate().filter(|(_, bone)| bone.has_model != 0);
        bones.map(|(i, _)| (i, "has_model")).collect()
    };
    let counted = |count: u32, most: usize| 0..usize::try_from(count).unwrap_or(usize::MAX).min(most);
    let textures = counted(document.texture_count, names::TEXTURES);
    let weapons = counted(document.weapon_count, names::WEAPONS);
    let wanted = parts.into_iter().map(|(i, field)| (File::Part(i), field));
    let wanted = wanted.chain(textures.map(|i| (File::Texture(i), "texture_count")));
    let wanted: Vec<_> = wanted.chain(weapons.map(|i| (File::Weapon(i), "weapon_count"))).collect();
    if !wanted.iter().any(|&(file, _)| has(file)) {
        return;
    }
    for (file, field) in wanted.into_iter().filter(|&(file, _)| !has(file)) {
        let path = match (file, field) {
            (File::Part(i), "has_model") => Path::named("bones").index(i).field(field),
            _ => Path::named(field),
        };
        let found = MISSING.at(path).saying(format!("{file} is not there"));
        report.push(if matches!(file, File::Weapon(_)) { found.as_note() } else { found });
    }
}

/// The entries of the pack are those of the body and of the weapon.
pub fn animations(document: &Document, entries: usize, report: &mut Report) {
    let (body, weapon) = (document.body_animation_count, document.weapon_animation_count);
    if u64::try_from(entries) != Ok(u64::from(body).saturating_add(u64::from(weapon))) {
        let found = format!("{body} and {weapon} wanted, {entries} found");
        report.push(ANIMATIONS.at(Path::named("body_animation_count")).saying(found));
    }
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    if document.missing > 0 {
        let found = document.bones.len();
        let counted = u64::from(document.missing).saturating_add(u64::try_from(found).unwrap_or(0));
        let found = format!("{counted} bones wanted, {found} found");
        report.push(COUNT.at(Path::named("bone_count")).saying(found));
    }
}
