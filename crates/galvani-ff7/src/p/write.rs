//! [`Document`] → bytes.

use galvani_core::{Path, WriteError, Writer};

use super::{Document, HEADER_LEN, check};

/// Writes a polygon file from its document alone.
///
/// The header's counts must be what is there; only a file that ends early may have fewer records, and then none
/// in the sections behind them.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let sections = document.sections();
    let len =
        sections.iter().fold(document.rest.len(), |len, section| len.saturating_add(section.bytes.len()));
    let mut w = Writer::with_capacity(len.saturating_add(HEADER_LEN))?;
    w.record(&document.header);
    let mut cut = None;
    for section in sections {
        let (wanted, found) = (usize::try_from(section.wanted).unwrap_or(usize::MAX), section.found());
        if found > wanted || (cut.is_some() && found > 0) {
            let said = format!("{} records counted, {found} there", section.wanted);
            return Err(check::COUNT
                .at(Path::named("header").field(section.count_field))
                .saying(said)
                .into());
        }
        cut = cut.or((found < wanted).then_some(section));
        w.bytes(section.bytes);
    }
    if let Some(section) = cut.filter(|section| document.rest.len() >= section.stride) {
        let said = format!("{} records counted, {} there", section.wanted, section.found());
        return Err(check::COUNT.at(Path::named("header").field(section.count_field)).saying(said).into());
    }
    w.bytes(&document.rest);
    Ok(w.finish())
}
