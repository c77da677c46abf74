//! Batches: material and flags.

use galvani_core::{EditError, Path, Reading, room};
use zerocopy::IntoBytes;

use super::{Document, FLAGS, MATERIAL, NO_BATCH, held, joined};
use crate::msh::streams::BATCHES;
use crate::msh::wire;

/// Gives a batch another material: under the observed reading the row of 8 bits at +4, else the index of 16
/// bits at +2. No node is looked at, so nodes of the older form are no hindrance.
pub fn set_material(document: &mut Document, batch: usize, material: u32) -> Result<(), EditError> {
    let observed = document.reading == Reading::Observed;
    change(document, batch, |place, row| {
        let [_, index, word, _] = &mut row.head;
        if observed {
            let [_, lightmap] = word.get().to_le_bytes();
            let row =
                u8::try_from(material).map_err(|_| too_large(place.field("material"), material, 255))?;
            word.set(u16::from_le_bytes([row, lightmap]));
        } else {
            let place = place.field("material_index");
            index.set(u16::try_from(material).map_err(|_| too_large(place, material, 65_535))?);
        }
        Ok(())
    })
}

/// Gives a batch other flags: 32 bits under the observed reading, else 16.
pub fn set_batch_flags(document: &mut Document, batch: usize, flags: u32) -> Result<(), EditError> {
    let observed = document.reading == Reading::Observed;
    change(document, batch, |place, row| {
        let [low, high, ..] = &mut row.head;
        let [a, b, c, d] = flags.to_le_bytes();
        if !observed && flags > u32::from(u16::MAX) {
            let found = format!("0x{flags:x}, 16 bits are there");
            return Err(FLAGS.at(place.field("flags")).saying(found).into());
        }
        low.set(u16::from_le_bytes([a, b]));
        if observed {
            high.set(u16::from_le_bytes([c, d]));
        }
        Ok(())
    })
}

/// Changes the record of a batch and nothing else.
fn change(
    document: &mut Document,
    batch: usize,
    change: impl FnOnce(Path, &mut wire::Batch) -> Result<(), EditError>,
) -> Result<(), EditError> {
    held(document, BATCHES)?;
    let model = document.model();
    let batches = model.batches.as_ref();
    let mut rows = room::copied(batches.map_or(&[][..], |batches| batches.rows))?;
    let (place, count) = (Path::named("batches").index(batch), rows.len());
    let Some(row) = rows.get_mut(batch) else {
        return Err(NO_BATCH.at(place).saying(format!("batch {batch} of {count}")).into());
    };
    change(place, row)?;
    let bytes = joined(&[rows.as_bytes(), batches.map_or(&[], |batches| batches.rest)])?;
    document.set_stream(BATCHES, bytes, [None; 3])
}

fn too_large(place: Path, material: u32, most: u32) -> EditError {
    MATERIAL.at(place).saying(format!("material {material}, the last is {most}")).into()
}
