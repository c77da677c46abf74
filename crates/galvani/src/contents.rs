//! What a document holds, and in an archive what each member holds, in a line.

use crate::formats::{self, Cell, Look, OpenOptions, Opened, Outline, Site};

/// What a document holds. Members of an archive are recognised and read, not decoded; one that does not read says so.
pub fn outline(opened: &Opened, options: &OpenOptions, site: &Site<'_>) -> Outline {
    let mut outline = opened.outline(site);
    let Some(archive) = opened.document.as_archive() else { return outline };
    let members = archive.members();
    // Members that do not overlap hold at most the file's own bytes; of those that do, the rest stays closed.
    let mut budget = opened.map.len();
    for section in outline.sections.iter_mut().filter(|section| section.look == Look::Members) {
        for (i, (row, member)) in section.rows.iter_mut().zip(&members).enumerate() {
            let [.., format, summary] = row.as_mut_slice() else { continue };
            let Some(bytes) = archive.member(i) else {
                *summary = "lies outside the file".into();
                continue;
            };
            let Some(left) = budget.checked_sub(bytes.len()) else { continue };
            budget = left;
            if let Some(found) = formats::recognise_content(bytes, Some(&member.shown())) {
                *format = found.info().id.into();
                *summary = match found.open(bytes, options) {
                    Ok(opened) => opened.document.summary().into(),
                    Err(error) => Cell::text(format!("does not read: {}", error.cause.message)),
                };
            }
        }
    }
    outline
}
