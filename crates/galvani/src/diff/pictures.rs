//! What differs between two pictures as they are shown: the same for every format that has some.

use galvani_core::budget::unless_exhausted;
use galvani_core::image::difference;
use galvani_core::{Exhausted, Meter};
use serde_json::{Value, json};

use super::{Change, as_f64};
use crate::convert;
use crate::formats::{Opened, Settings};
use crate::image::Image;
use crate::render::text::counted;

/// How unlike the pictures of two documents are; nothing where both show the same, or one shows none.
pub(super) fn compare(
    path: String,
    a: &Opened,
    b: &Opened,
    meter: &Meter,
) -> Result<Option<Change>, Exhausted> {
    let image = |opened| {
        unless_exhausted(convert::image(opened, &Settings::default(), meter).map_err(|error| error.cause))
    };
    let Some((a, b)) = image(a)?.zip(image(b)?) else { return Ok(None) };
    Ok(differing(path, &a, &b))
}

fn differing(path: String, a: &Image, b: &Image) -> Option<Change> {
    let side = |image: &Image| json!({"width": image.width, "height": image.height});
    let Some(found) = difference(a, b) else {
        let said = format!("{} × {} → {} × {} pixels", a.width, a.height, b.width, b.height);
        return Some(Change { summary: Some(said), ..Change::new(path, side(a), side(b)) });
    };
    if found.pixels == 0 {
        return None;
    }
    let pixels = counted(u64::try_from(found.pixels).unwrap_or(u64::MAX), "pixel");
    let verb = if found.pixels == 1 { "differs" } else { "differ" };
    let said = format!(
        "{pixels} of {} {verb}, by {} of 255 at most ({:.2} dB)",
        a.rgba.len(),
        found.most,
        found.psnr
    );
    let mut new = side(b);
    new["pixels"] = json!(found.pixels);
    new["most"] = json!(found.most);
    new["psnr"] = Value::from(found.psnr);
    let distance = Some(as_f64(found.pixels));
    Some(Change { distance, summary: Some(said), ..Change::new(path, side(a), new) })
}
