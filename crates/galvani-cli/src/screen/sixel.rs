//! Pictures as DEC's terminals took them: six rows at once, colour by colour.

use std::fmt::Write;

use galvani::Exhausted;
use galvani::image::Image;
use galvani::pictures::few_colors;

/// Rows that are told at once.
const ROWS: usize = 6;

/// A picture; what is transparent stays as it is.
pub(crate) fn sixel(image: &Image) -> Result<String, Exhausted> {
    let (colors, pixels) = few_colors(image)?;
    let width = usize::try_from(image.width).unwrap_or(1).max(1);
    let mut out = format!("\x1bP0;1q\"1;1;{};{}", image.width, image.height);
    for (number, color) in colors.iter().enumerate() {
        // Parts of 100.
        let [r, g, b] = color.map(|channel| (u32::from(channel) * 100 + 127) / 255);
        let _ = write!(out, "#{number};2;{r};{g};{b}");
    }
    for band in pixels.chunks(width * ROWS) {
        let mut lines = vec![Vec::new(); colors.len()];
        for (place, number) in band.iter().enumerate() {
            let Some(line) = number.and_then(|number| lines.get_mut(usize::from(number))) else { continue };
            if line.is_empty() {
                line.resize(width, 0_u8);
            }
            line[place % width] |= 1 << (place / width);
        }
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            let _ = write!(out, "#{number}");
            run_lengths(&mut out, line);
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\x1b\\");
    Ok(out)
}

/// Letters for columns of six pixels; many of the same are counted.
fn run_lengths(out: &mut String, line: &[u8]) {
    for run in line.chunk_by(|a, b| a == b) {
        let letter = char::from(run.first().copied().unwrap_or(0) + b'?');
        if run.len() > 3 {
            let _ = write!(out, "!{}{letter}", run.len());
        } else {
            out.extend(std::iter::repeat_n(letter, run.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_rows_are_told_at_once() {
        let (red, none) = ([255, 0, 0, 255], [0; 4]);
        let mut rgba = vec![none; 5 * 7];
        rgba[..5].fill(red);
        rgba[5 * 5 + 4] = red;
        rgba[5 * 6] = [0, 0, 255, 255];
        let told = sixel(&Image { width: 5, height: 7, rgba }).unwrap();
        assert_eq!(told, "\x1bP0;1q\"1;1;5;7#0;2;0;0;100#1;2;100;0;0#1!4@`$-#0@!4?$-\x1b\\");
    }
}
