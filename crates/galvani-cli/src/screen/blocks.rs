//! Pictures as characters: each shows two pixels, one above the other.

use std::fmt::Write;

use galvani::image::Image;

/// What is as opaque as this is there.
const THERE: u8 = 128;

/// A picture as lines of characters, with this behind each.
pub(crate) fn blocks(image: &Image, end: &str) -> String {
    let width = usize::try_from(image.width).unwrap_or(1).max(1);
    let rows: Vec<&[[u8; 4]]> = image.rgba.chunks(width).collect();
    let mut out = String::new();
    for pair in rows.chunks(2) {
        let mut before = None;
        for x in 0..width {
            let upper = pair.first().and_then(|row| row.get(x)).filter(|pixel| pixel[3] >= THERE);
            let lower = pair.get(1).and_then(|row| row.get(x)).filter(|pixel| pixel[3] >= THERE);
            let (letter, colors) = match (upper, lower) {
                (Some(upper), Some(lower)) => ('▀', (Some(upper), Some(lower))),
                (Some(upper), None) => ('▀', (Some(upper), None)),
                (None, Some(lower)) => ('▄', (Some(lower), None)),
                (None, None) => (' ', (None, None)),
            };
            if before != Some(colors) {
                paint(&mut out, colors);
                before = Some(colors);
            }
            out.push(letter);
        }
        out.push_str("\x1b[0m");
        out.push_str(end);
    }
    out
}

/// Sets the colours of what follows.
fn paint(out: &mut String, (ink, paper): (Option<&[u8; 4]>, Option<&[u8; 4]>)) {
    out.push_str("\x1b[0m");
    for (kind, color) in [(38, ink), (48, paper)] {
        if let Some([r, g, b, _]) = color {
            let _ = write!(out, "\x1b[{kind};2;{r};{g};{b}m");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pixels_are_a_character() {
        let (a, b, none) = ([1, 2, 3, 255], [4, 5, 6, 255], [9, 9, 9, 0]);
        let image = Image { width: 2, height: 4, rgba: vec![a, none, b, none, none, a, none, none] };
        let told = "\x1b[0m\x1b[38;2;1;2;3m\x1b[48;2;4;5;6m▀\x1b[0m \x1b[0m\n\x1b[0m \x1b[0m\x1b[38;2;1;2;3m▀\x1b[0m\n";
        assert_eq!(blocks(&image, "\n"), told);
    }
}
