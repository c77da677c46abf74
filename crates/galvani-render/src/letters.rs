//! Words on pictures.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use galvani_core::Image;

use crate::blend::times;

/// Hack, a free font for screens; all its letters are of one width. What it has not is a box.
static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR).ok());

/// How wide words are, in pixels.
pub fn width_of(words: &str, size: f32) -> u32 {
    let Some(font) = &*FONT else { return 0 };
    let font = font.as_scaled(PxScale::from(size));
    words.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum::<f32>().ceil() as u32
}

/// Writes words in a colour whose last part is how much it covers; the place is the upper left of the first letter.
pub fn letters(image: &mut Image, words: &str, (x, y): (i32, i32), size: f32, color: [u8; 4]) {
    let Some(font) = &*FONT else { return };
    let font = font.as_scaled(PxScale::from(size));
    let baseline = y as f32 + font.ascent().round();
    let mut pen = x as f32;
    for letter in words.chars() {
        let id: GlyphId = font.glyph_id(letter);
        // Letters stand on whole pixels, so that each looks the same wherever it is.
        let glyph = id.with_scale_and_position(PxScale::from(size), point(pen.round(), baseline));
        pen += font.h_advance(id);
        if pen > image.width as f32 + size {
            break;
        }
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, part| {
            let (x, y) = (corner.x as i32 + x as i32, corner.y as i32 + y as i32);
            let alpha = times((part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8, color[3]);
            lay(image, (x, y), color, alpha);
        });
    }
}

/// Lays a colour over a pixel, if there is one.
pub(crate) fn lay(image: &mut Image, (x, y): (i32, i32), [r, g, b, _]: [u8; 4], alpha: u8) {
    let is_inside = (0..image.width as i32).contains(&x) && (0..image.height as i32).contains(&y);
    if !is_inside || alpha == 0 {
        return;
    }
    let pixel = &mut image.rgba[y as usize * image.width as usize + x as usize];
    let under = times(pixel[3], u8::MAX - alpha);
    let whole = u32::from(alpha) + u32::from(under);
    let channel = |own: u8, other: u8| {
        ((u32::from(own) * u32::from(alpha) + u32::from(other) * u32::from(under) + whole / 2) / whole) as u8
    };
    *pixel = [channel(r, pixel[0]), channel(g, pixel[1]), channel(b, pixel[2]), whole.min(255) as u8];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_where_they_are_put_and_nowhere_else() {
        let mut image = Image { width: 40, height: 20, rgba: vec![[0; 4]; 800] };
        letters(&mut image, "Жg!", (4, 3), 12.0, [255, 0, 0, 255]);
        let inked = |x: u32, y: u32| image.rgba[(y * 40 + x) as usize][3] > 0;
        assert!((0..20).all(|y| (0..4).chain(4 + width_of("Жg!", 12.0)..40).all(|x| !inked(x, y))));
        assert!((0..3).all(|y| (0..40).all(|x| !inked(x, y))));
        assert!(image.rgba.iter().any(|pixel| pixel[0] == 255 && pixel[3] > 200));
    }

    #[test]
    fn words_beyond_the_edges_are_cut() {
        let mut image = Image { width: 3, height: 3, rgba: vec![[9; 4]; 9] };
        for at in [(-500, -500), (500, 500), (i32::MIN / 2, i32::MAX / 2), (-5, -3)] {
            letters(&mut image, "Words", at, 12.0, [255; 4]);
        }
        assert_eq!(image.rgba.len(), 9);
    }
}
