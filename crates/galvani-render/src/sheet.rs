//! Many pictures on one.

use galvani_core::{Image, Meter, Path, room};

use crate::check::{RenderError, SIZE};
use crate::letters::{letters, width_of};
use crate::stage::Background;

/// A picture and what stands beneath it.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetCell {
    /// The picture; all of a sheet are of one size.
    pub image: Image,
    /// Lines beneath it.
    pub lines: Vec<String>,
}

/// Many pictures on one, row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// Rows, each with what stands above it; nothing, if nothing does.
    pub rows: Vec<(String, Vec<SheetCell>)>,
    /// What is behind all of them.
    pub background: Background,
}

/// Most pixels of a sheet in a row, and most rows.
const MOST_SIDE: u32 = 32_768;

const LETTER_SIZE: f32 = 13.0;
const LINE: u32 = 16;
const GAP: u32 = 8;

impl Sheet {
    /// Rows of so many cells each.
    pub fn in_columns(cells: Vec<SheetCell>, columns: usize, background: Background) -> Self {
        let mut rows: Vec<(String, Vec<SheetCell>)> = Vec::new();
        for cell in cells {
            match rows.last_mut() {
                Some((_, row)) if row.len() < columns.max(1) => row.push(cell),
                _ => rows.push((String::new(), vec![cell])),
            }
        }
        Sheet { rows, background }
    }

    /// As many columns as make a sheet of so many cells a little wider than high.
    pub fn columns(cells: usize) -> usize {
        (1..=cells).find(|columns| columns * columns * 3 >= cells * 4).unwrap_or(1)
    }

    /// The sheet as a picture. What it takes is charged first.
    pub fn image(&self, meter: &Meter) -> Result<Image, RenderError> {
        let cells = || self.rows.iter().flat_map(|(_, row)| row);
        let cell = cells().fold((0, 0), |(width, height), cell| {
            (width.max(cell.image.width), height.max(cell.image.height))
        });
        let columns = self.rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        let heights: Vec<u64> = self.rows.iter().map(|row| row_height(row, cell.1)).collect();
        let width = columns as u64 * u64::from(cell.0 + GAP) + u64::from(GAP);
        let height = heights.iter().sum::<u64>() + u64::from(GAP);
        let most = u64::from(MOST_SIDE);
        if columns == 0 || width > most || height > most {
            let said = format!("a sheet of {width} × {height} pixels; at most {MOST_SIDE} are wanted");
            return Err(SIZE.at(Path::root()).saying(said).into());
        }
        meter.result(&format!("a sheet of {width} × {height} pixels"), width * height * 4)?;
        let (under, ink) = match self.background {
            Background::Transparent => ([0; 4], [128, 128, 128, 255]),
            Background::Plain([r, g, b]) => {
                let is_light = u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) > 1275;
                ([r, g, b, 255], if is_light { [40, 40, 40, 255] } else { [225, 225, 225, 255] })
            }
        };
        let rgba = room::filled(under, (width * height) as usize)?;
        let mut image = Image { width: width as u32, height: height as u32, rgba };
        let mut top = GAP;
        for (row, height) in self.rows.iter().zip(heights) {
            let (title, cells) = row;
            let end = top + height as u32;
            if !title.is_empty() {
                let words = fitting(title, width as u32 - 2 * GAP);
                letters(&mut image, &words, (GAP as i32, top as i32), LETTER_SIZE, ink);
                top += LINE;
            }
            for (i, own) in cells.iter().enumerate() {
                let left = GAP + i as u32 * (cell.0 + GAP);
                put(&own.image, &mut image, left, top);
                for (line, words) in (0..).zip(&own.lines) {
                    let words = fitting(words, cell.0);
                    let middle = left + cell.0.saturating_sub(width_of(&words, LETTER_SIZE)) / 2;
                    let at = (middle as i32, (top + cell.1 + line * LINE) as i32);
                    letters(&mut image, &words, at, LETTER_SIZE, ink);
                }
            }
            top = end;
        }
        Ok(image)
    }
}

fn row_height((title, cells): &(String, Vec<SheetCell>), cell: u32) -> u64 {
    let lines = cells.iter().map(|cell| cell.lines.len()).max().unwrap_or(0) as u64;
    let lines = lines + u64::from(!title.is_empty());
    u64::from(cell + GAP) + lines * u64::from(LINE)
}

/// As much of some words as fits; where something is left out are dots.
fn fitting(words: &str, width: u32) -> String {
    if width_of(words, LETTER_SIZE) <= width {
        return words.to_owned();
    }
    let count = words.chars().count();
    let cut = |left: usize| words.chars().take(left).chain(['…']).collect::<String>();
    let fits = (0..count).rev().map(cut).find(|words| width_of(words, LETTER_SIZE) <= width);
    fits.unwrap_or_default()
}

/// Puts a picture on another.
fn put(image: &Image, on: &mut Image, left: u32, top: u32) {
    for (y, row) in image.rgba.chunks_exact((image.width as usize).max(1)).enumerate() {
        let start = (top as usize + y) * on.width as usize + left as usize;
        on.rgba[start..start + row.len()].copy_from_slice(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(color: [u8; 4], words: &str) -> SheetCell {
        let image = Image { width: 40, height: 30, rgba: vec![color; 1200] };
        SheetCell { image, lines: vec![words.to_owned()] }
    }

    #[test]
    fn pictures_stand_in_their_cells_with_words_beneath() {
        let cells = vec![cell([1, 1, 1, 255], "a"), cell([2, 2, 2, 255], "b"), cell([3, 3, 3, 255], "")];
        let sheet = Sheet::in_columns(cells, 2, Background::Plain([255; 3]));
        let image = sheet.image(&Meter::unlimited()).unwrap();
        assert_eq!((image.width, image.height), (2 * 48 + 8, 2 * (38 + 16) + 8));
        let at = |x: u32, y: u32| image.rgba[(y * image.width + x) as usize];
        assert_eq!([at(8, 8), at(56, 8), at(8, 62), at(56, 62)].map(|pixel| pixel[0]), [1, 2, 3, 255]);
        let is_inked = |left: u32| (38..54).any(|y| (left..left + 40).any(|x| at(x, y)[0] < 128));
        assert!(is_inked(8) && is_inked(56));
    }

    #[test]
    fn words_that_do_not_fit_end_in_dots() {
        assert_eq!(fitting("short", 100), "short");
        let cut = fitting("a name that is far too long", 60);
        assert!(cut.ends_with('…') && width_of(&cut, LETTER_SIZE) <= 60);
    }

    #[test]
    fn a_sheet_of_nothing_and_one_beyond_all_bounds_are_refused() {
        let none = Sheet::default().image(&Meter::unlimited()).unwrap_err();
        assert_eq!(none.cause.code.name, "render.size");
        let wide = Sheet::in_columns(vec![cell([0; 4], ""); 1000], 1000, Background::Transparent);
        assert_eq!(wide.image(&Meter::unlimited()).unwrap_err().cause.code.name, "render.size");
    }

    #[test]
    fn sheets_are_a_little_wider_than_high() {
        assert_eq!([0, 1, 2, 3, 12, 100].map(Sheet::columns), [1, 1, 2, 2, 4, 12]);
    }
}
