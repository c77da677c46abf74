//! Materials, held against the table beside the model.

use galvani_core::{Path, Reading, Report};

use super::MATERIAL_ROW;
use crate::msh::{Model, draw};

/// Every batch names one of so many rows of the model's WEAR: `facts/parkan.md` §12, rule 9. Only the observed
/// reading knows that a batch names a row.
pub fn materials(model: &Model<'_>, wear_rows: usize, report: &mut Report) {
    let Some(batches) = model.batches.as_ref().filter(|_| model.reading == Reading::Observed) else { return };
    for (i, batch) in batches.rows.iter().enumerate() {
        let row = draw::material(batch, model.reading);
        if usize::from(row) >= wear_rows {
            let found = format!("a row below {wear_rows} wanted, {row} found");
            report.push(MATERIAL_ROW.at(Path::of("batches").index(i).field("material")).saying(found));
        }
    }
}
