//! Materials, held against the table beside the model.

use galvani_core::{Path, Reading, Report};

use super::{LIGHTMAP_TABLE, MATERIAL_ROW};
use crate::msh::streams::{PROBES, STREAM18};
use crate::msh::{ModelView, draw};
use crate::wear;

/// A model held against the WEAR beside it. A table that cannot be counted is refused by the game and says nothing.
pub fn materials(model: &ModelView<'_>, table: &[u8], report: &mut Report) {
    if let Some(rows) = wear::row_count(table) {
        material_rows(model, rows, report);
        lightmaps(model, wear::has_lightmaps(table), report);
    }
}

/// The streams of lightmaps are there exactly if the WEAR has a table of them:
/// docs/formats/msh-streams.md#rules, rule 1. Only the observed reading knows what stream 18 is.
fn lightmaps(model: &ModelView<'_>, has_table: bool, report: &mut Report) {
    let lit = model.stream18.as_ref().map(|table| table.stream.entry);
    let lit = lit.or(model.probes.as_ref().map(|table| table.stream.entry));
    if model.reading != Reading::Observed || lit.is_some() == has_table {
        return;
    }
    let path = Path::named("entries");
    let (path, found) = if let Some(entry) = lit {
        let found = "a table of lightmaps wanted in the WEAR, none found".to_owned();
        (path.index(entry).field("type_id"), found)
    } else {
        (path, format!("the WEAR has a table of lightmaps; streams {STREAM18} and {PROBES} wanted"))
    };
    report.push(LIGHTMAP_TABLE.at(path).saying(found));
}

/// Every batch names one of so many rows of the model's WEAR: docs/formats/msh-streams.md#rules, rule 9. Only
/// the observed reading knows that a batch names a row.
fn material_rows(model: &ModelView<'_>, wear_rows: usize, report: &mut Report) {
    let Some(batches) = model.batches.as_ref().filter(|_| model.reading == Reading::Observed) else { return };
    for (i, batch) in batches.rows.iter().enumerate() {
        let row = draw::material(batch, model.reading);
        if usize::from(row) >= wear_rows {
            let found = format!("a row below {wear_rows} wanted, {row} found");
            report.push(MATERIAL_ROW.at(Path::named("batches").index(i).field("material")).saying(found));
        }
    }
}
