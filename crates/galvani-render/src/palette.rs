//! A few colours for all of those that pictures have.

use std::borrow::Borrow;

use galvani_core::{Exhausted, Image, room};

/// Most colours; one more is nothing.
const MOST_COLORS: usize = 255;

/// What is as opaque as this is there.
pub(crate) const THERE: u8 = 128;

/// Bits of each channel by which cells of colours are told apart.
const BITS: u32 = 6;

/// A picture in at most 255 colours: red, green and blue of each, and for each pixel the number of its own; none where it is
/// more transparent than not.
#[allow(clippy::type_complexity, reason = "colours and pixels")]
pub fn few_colors(image: &Image) -> Result<(Vec<[u8; 3]>, Vec<Option<u8>>), Exhausted> {
    let palette = Palette::new(&[(image, 0)])?;
    let mut colors: Vec<[u8; 3]> = palette.colors.as_chunks().0.to_vec();
    colors.truncate(usize::from(palette.nothing));
    let number = |pixel: &[u8; 4]| Some(palette.index(*pixel)).filter(|number| *number != palette.nothing);
    Ok((colors, room::collected(image.rgba.iter().map(number))?))
}

/// The colours of some pictures.
pub(crate) struct Palette {
    /// Red, green and blue of each.
    pub(crate) colors: Vec<u8>,
    /// What stands for nothing.
    pub(crate) nothing: u8,
    lookup: Lookup,
}

/// How the colour of a pixel is found.
enum Lookup {
    /// There are few: their numbers are their places in this list.
    Few(Vec<u32>),
    /// Whatever is in a cell.
    Cells(Vec<u8>),
}

/// What is in a cell: how many pixels, and the sums of their channels.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    number: u32,
    count: u64,
    sums: [u64; 3],
}

impl Palette {
    pub(crate) fn new<I: Borrow<Image>>(frames: &[(I, u32)]) -> Result<Self, Exhausted> {
        let pixels =
            || frames.iter().flat_map(|(image, _)| &image.borrow().rgba).filter(|pixel| pixel[3] >= THERE);
        let mut cells = room::filled(Cell::default(), 1 << (3 * BITS))?;
        let mut few: Vec<u32> = Vec::new();
        for pixel in pixels() {
            let [r, g, b, _] = *pixel;
            let number = u32::from_be_bytes([0, r, g, b]);
            if few.len() <= MOST_COLORS
                && let Err(place) = few.binary_search(&number)
            {
                few.insert(place, number);
            }
            let cell = &mut cells[cell_of([r, g, b])];
            cell.count += 1;
            cell.sums = std::array::from_fn(|i| cell.sums[i] + u64::from(pixel[i]));
        }
        if few.len() <= MOST_COLORS {
            let mut colors: Vec<u8> =
                few.iter().flat_map(|it| it.to_be_bytes().into_iter().skip(1)).collect();
            colors.extend([0; 3]);
            return Ok(Palette { colors, nothing: few.len() as u8, lookup: Lookup::Few(few) });
        }
        (0..).zip(&mut cells).for_each(|(number, cell)| cell.number = number);
        cells.retain(|cell| cell.count > 0);
        let mut table = room::filled(0, 1 << (3 * BITS))?;
        let mut colors = Vec::new();
        for (i, part) in divided(&mut cells).into_iter().enumerate() {
            let (count, sums) = whole(part);
            colors.extend(sums.map(|sum| ((sum + count / 2) / count) as u8));
            for cell in part.iter() {
                table[cell.number as usize] = i as u8;
            }
        }
        let nothing = (colors.len() / 3) as u8;
        colors.extend([0; 3]);
        Ok(Palette { colors, nothing, lookup: Lookup::Cells(table) })
    }

    /// The number of a pixel's colour.
    pub(crate) fn index(&self, [r, g, b, a]: [u8; 4]) -> u8 {
        match &self.lookup {
            _ if a < THERE => self.nothing,
            Lookup::Few(few) => few.binary_search(&u32::from_be_bytes([0, r, g, b])).unwrap_or(0) as u8,
            Lookup::Cells(table) => table[cell_of([r, g, b])],
        }
    }
}

fn cell_of(color: [u8; 3]) -> usize {
    color.iter().fold(0, |cell, channel| cell << BITS | usize::from(channel >> (8 - BITS)))
}

/// How many pixels cells hold, and the sums of their channels.
fn whole(cells: &[Cell]) -> (u64, [u64; 3]) {
    cells.iter().fold((0, [0; 3]), |(count, sums), cell| {
        (count + cell.count, std::array::from_fn(|i| sums[i] + cell.sums[i]))
    })
}

/// How cells differ: the channel in which they do most, its mean, and how much, as a sum of squares.
#[derive(Clone, Copy)]
struct Spread {
    channel: usize,
    mean: f64,
    squares: f64,
}

/// How well each channel is seen: green best and blue least.
const SEEN: [f64; 3] = [0.8, 1.0, 0.6];

fn spread(cells: &[Cell]) -> Spread {
    let (count, sums) = whole(cells);
    let of = |channel: usize| {
        let mean = sums[channel] as f64 / count as f64;
        let far = |cell: &Cell| cell.sums[channel] as f64 / cell.count as f64 - mean;
        let squares: f64 = cells.iter().map(|cell| far(cell) * far(cell) * cell.count as f64).sum();
        Spread { channel, mean, squares: squares * SEEN[channel] }
    };
    let [red, green, blue] = [of(0), of(1), of(2)];
    [red, blue].into_iter().fold(green, |most, one| if one.squares > most.squares { one } else { most })
}

/// Cells in as many parts as there may be colours, always dividing at its mean what differs most.
fn divided(cells: &mut [Cell]) -> Vec<&mut [Cell]> {
    let mut parts = vec![(spread(cells), cells)];
    while parts.len() < MOST_COLORS {
        let squares = |at: usize| -> f64 { parts[at].0.squares };
        let most = (0..parts.len()).fold(0, |most, at| if squares(at) > squares(most) { at } else { most });
        let (of, part) = parts.swap_remove(most);
        let value = |cell: &Cell| cell.sums[of.channel] as f64 / cell.count as f64;
        part.sort_by(|a, b| value(a).total_cmp(&value(b)));
        let middle = part.partition_point(|cell| value(cell) <= of.mean);
        if of.squares <= 0.0 || middle == 0 || middle == part.len() {
            parts.push((of, part));
            break;
        }
        let (low, high) = part.split_at_mut(middle);
        parts.push((spread(low), low));
        parts.push((spread(high), high));
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(rgba: &[[u8; 4]]) -> Palette {
        let image = Image { width: rgba.len() as u32, height: 1, rgba: rgba.to_vec() };
        Palette::new(&[(image, 0)]).unwrap()
    }

    #[test]
    fn few_colours_stay_what_they_are() {
        let palette = palette(&[[1, 2, 3, 255], [9, 9, 9, 0], [1, 2, 2, 255]]);
        assert_eq!(palette.colors, [1, 2, 2, 1, 2, 3, 0, 0, 0]);
        assert_eq!([[1, 2, 3, 255], [1, 2, 2, 128], [0; 4]].map(|pixel| palette.index(pixel)), [1, 0, 2]);
    }

    #[test]
    fn many_colours_stay_near() {
        let rgba: Vec<[u8; 4]> =
            (0..4096).map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 90, 255]).collect();
        let palette = palette(&rgba);
        assert_eq!((palette.colors.len(), palette.nothing), (256 * 3, 255));
        let far = rgba.iter().map(|pixel| {
            let found = usize::from(palette.index(*pixel)) * 3;
            (0..3).map(|i| palette.colors[found + i].abs_diff(pixel[i])).max().unwrap()
        });
        assert!(far.max().unwrap() <= 16);
    }

    #[test]
    fn what_is_in_one_cell_is_one_colour() {
        let near = (0..16).map(|i| [100 + (i & 3), 100 + (i >> 2), 100, 255]);
        let rgba: Vec<[u8; 4]> = (0..=255).map(|i| [i, 7, 7, 255]).chain(near).collect();
        let palette = palette(&rgba);
        assert!((0..16).all(|i| palette.index(rgba[256]) == palette.index(rgba[256 + i])));
    }
}
