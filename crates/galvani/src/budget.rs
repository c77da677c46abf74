//! What each operation may take by default (docs/notes/strength.md#budgets), and what it is charged.

#[cfg(feature = "gltf")]
use std::collections::BTreeMap;

use galvani_core::budget::{Allowance, Share};
use galvani_core::{Exhausted, Meter};
#[cfg(feature = "gltf")]
use galvani_scene::{Id, Material, Scene};

use crate::formats::Folder;

/// Room that anything may take, however small its input is.
const ROOM: Share = Share { base: 64 << 20, per_byte: 4 };

/// Reading a file and whatever looks at it in passing: checking, dumping, listing.
pub const READING: Allowance = Allowance { memory: ROOM, work: Share { base: 1 << 20, per_byte: 8 } };

/// Looking into the members of an archive: recognising each, reading and checking it, reading what lies beside it, on
/// each of the levels that games use. Members that do not overlap take half of that.
pub const LOOKING: Allowance = Allowance { memory: ROOM, work: Share { base: 1 << 20, per_byte: 8 } };

/// Copying members out of an archive, onto the disk or into memory; those that overlap are copied more than once.
pub const EXTRACTING: Allowance = Allowance { memory: ROOM, work: Share { base: 0, per_byte: 16 } };

/// Changing a file: what multiplies its content may make it so much larger.
pub const EDITING: Allowance = Allowance {
    memory: Share { base: 64 << 20, per_byte: 64 },
    work: Share { base: 1 << 28, per_byte: 1 << 10 },
};

/// Taking a file apart, where every value is text on the way, or comparing two by what they hold, their pictures among it.
pub const COMPARING: Allowance =
    Allowance { memory: Share { base: 64 << 20, per_byte: 64 }, work: Share { base: 1 << 20, per_byte: 64 } };

/// Making a file of another format. Pictures are packed a thousandfold, so that their own sizes count: the largest that
/// games have is 4096 pixels wide and high, and takes six times its pixels.
pub const CONVERTING: Allowance = Allowance {
    memory: Share { base: 512 << 20, per_byte: 64 },
    work: Share { base: 1 << 30, per_byte: 1 << 10 },
};

/// Building a file from a folder of values and files. Pictures in it are packed as those are that are converted.
pub const PACKING: Allowance = CONVERTING;

/// Posing a model: a step is a node at a time. Poses are not held, so that only patience ends it.
pub const SAMPLING: Allowance = Allowance { memory: ROOM, work: Share { base: 1 << 32, per_byte: 1 << 10 } };

/// Saying what is drawn of a model, or what a ray meets: a step is a batch or a triangle, of which many nodes may show the same.
pub const QUERYING: Allowance = Allowance { memory: ROOM, work: Share { base: 1 << 22, per_byte: 64 } };
/// Making pictures of a model: those that follow each other are all held before they become a file.
pub const RENDERING: Allowance = Allowance {
    memory: Share { base: 1 << 30, per_byte: 64 },
    work: Share { base: 1 << 33, per_byte: 1 << 10 },
};

/// How often a file is held while it is read: its bytes, and the document beside its map.
const READ: usize = 2;

/// How often the bytes of a file are held as values and texts when it is taken apart.
pub(crate) const FOLDED: usize = 24;

/// Bytes of a row that says what one draw call is.
#[cfg(feature = "parkan")]
const CALL: usize = 1 << 10;

/// How often the bytes of two files are held while they are compared.
const COMPARED: usize = 2;

/// How often the bytes of a model are held when it becomes a scene, and that a file.
#[cfg(any(feature = "gltf", feature = "render"))]
const LIFTED: usize = 32;

/// Bytes of all materials that show one picture of another look, however its surfaces are drawn.
#[cfg(feature = "ff7")]
const STAND_INS: usize = 1 << 16;

/// Bytes that it takes to say what a surface shows in another look.
#[cfg(feature = "gltf")]
const ROW: usize = 1 << 10;

/// How often the pixels of a picture are held when it becomes a file: as they are, as levels, as what is made of those.
const ENCODED: u64 = 5;

/// Charges reading, and whatever is done in passing, of so many bytes.
pub fn charge_reading(meter: &Meter, len: usize) -> Result<(), Exhausted> {
    meter.memory(len.saturating_mul(READ))?;
    meter.work(len)
}

/// Charges taking so many bytes apart.
pub fn charge_folder(meter: &Meter, len: usize) -> Result<(), Exhausted> {
    meter.memory(len.saturating_mul(FOLDED))?;
    meter.work(len.saturating_mul(FOLDED))
}

/// Charges a folder that a file is built from: its files, and its manifest as values.
pub fn charge_packing(meter: &Meter, folder: &Folder) -> Result<(), Exhausted> {
    charge_folder(meter, folder.manifest_size())?;
    let files = folder.size().saturating_sub(folder.manifest_size());
    meter.memory(files)?;
    meter.work(files)
}

/// Charges what is said of one draw call.
#[cfg(feature = "parkan")]
pub(crate) fn charge_call(meter: &Meter, name: &str) -> Result<(), Exhausted> {
    meter.memory(name.len().saturating_add(CALL))
}

/// Charges comparing so many bytes: both files as they are written, and where everything lies in them. What differs is not
/// held.
pub fn charge_comparing(meter: &Meter, len: usize) -> Result<(), Exhausted> {
    meter.memory(len.saturating_mul(COMPARED))?;
    meter.work(len.saturating_mul(FOLDED))
}

/// Charges the scene of a model of so many bytes, and the file made of that.
#[cfg(any(feature = "gltf", feature = "render"))]
pub(crate) fn charge_scene(meter: &Meter, len: usize) -> Result<(), Exhausted> {
    meter.memory(len.saturating_mul(LIFTED))?;
    meter.work(len.saturating_mul(LIFTED))
}

/// Charges a picture of so many pixels before it is decoded.
pub(crate) fn charge_picture(meter: &Meter, width: u32, height: u32) -> Result<(), Exhausted> {
    let bytes = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
    meter.result(&format!("{width} × {height} pixels of {bytes} bytes"), bytes)
}

/// Charges a picture of so many pixels that another look shows, and what stands in for the materials with it.
#[cfg(feature = "ff7")]
pub(crate) fn charge_look(meter: &Meter, width: u32, height: u32) -> Result<(), Exhausted> {
    meter.memory(STAND_INS)?;
    charge_picture(meter, width, height)
}

/// Charges what other looks add to a file: a row for each surface that one of them changes.
#[cfg(feature = "gltf")]
pub(crate) fn charge_looks(meter: &Meter, scene: &Scene) -> Result<(), Exhausted> {
    let mut changes: BTreeMap<Id<Material>, usize> = BTreeMap::new();
    for (own, _) in scene.looks.iter().flat_map(|look| &look.swaps) {
        let count = changes.entry(*own).or_default();
        *count = count.saturating_add(1);
    }
    let surfaces = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let rows = surfaces
        .filter_map(|surface| changes.get(&surface.material?))
        .fold(0, |sum, rows| rows.saturating_add(sum));
    meter.memory(rows.saturating_mul(ROW))?;
    meter.work(rows)
}

/// Charges what a picture of so many pixels becomes.
pub(crate) fn charge_encoding(meter: &Meter, width: u32, height: u32) -> Result<(), Exhausted> {
    let pixels = u64::from(width).saturating_mul(height.into());
    let bytes = pixels.saturating_mul(4).saturating_mul(ENCODED);
    meter.result(&format!("a file of {width} × {height} pixels and what makes it"), bytes)
}
