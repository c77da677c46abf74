//! [`Document`] → bytes.

use galvani_core::{Code, Path, WriteError, Writer};

use super::{Document, HEADER_LEN, TexPart, Wanted, check, wanted};

/// Writes a texture from its document alone.
///
/// The header must count what is there; only a file that ends early may have less, and then nothing in the parts
/// behind it.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    counted(document)?;
    let colours = size_of_val(document.palette.as_slice());
    let parts = [HEADER_LEN, colours, document.pixels.len(), document.colour_keys.len(), document.rest.len()];
    let mut w = Writer::with_capacity(parts.into_iter().fold(0, usize::saturating_add))?;
    w.record(&document.header);
    w.record(document.palette.as_slice());
    w.bytes(&document.pixels);
    w.record(document.colour_keys.as_slice());
    w.bytes(&document.rest);
    Ok(w.finish())
}

/// Refuses a document that would be read back as another one.
fn counted(document: &Document) -> Result<(), WriteError> {
    let Wanted { colours, pixels, stride, keys } = wanted(&document.header);
    let whole_pixels = document.pixels.len().checked_div(stride).unwrap_or(0);
    let parts = [
        (TexPart::Palette, u128::from(colours), document.palette.len(), 4),
        (TexPart::Pixels, pixels, whole_pixels, stride),
        (TexPart::ColourKeys, u128::from(keys), document.colour_keys.len(), 1),
    ];
    let refuse = |code: &'static Code, part: TexPart, wanted: u128, found: usize| {
        let said = format!("{wanted} records counted, {found} there");
        Err(code.at(Path::named(part.name())).saying(said).into())
    };
    let mut cut = false;
    for (part, wanted, found, stride) in parts {
        let there = u128::try_from(found).unwrap_or(u128::MAX);
        let leads_on = there < wanted && document.rest.len() >= stride && !cut;
        if there > wanted || (cut && found > 0) || leads_on {
            return refuse(&check::COUNT, part, wanted, found);
        }
        cut |= there < wanted;
    }
    if !document.pixels.len().is_multiple_of(stride) {
        return refuse(&check::COUNT, TexPart::Pixels, pixels, whole_pixels);
    }
    Ok(())
}
