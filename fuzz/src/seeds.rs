//! What a target begins with: the cases and samples of its format, and whatever was ever found.

use std::fs;
use std::path::Path;

use galvani_testkit::cases;

use crate::Target;

/// What the inputs of a target look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A file.
    File,
    /// How many bytes decide what is done to the file, those bytes, and the file.
    Dice,
    /// The same; the first corpus has each file several times, with other bytes before it.
    ManyDice,
    /// Moments of a model, and its file.
    Moments,
}

/// The first inputs of a target, by name: the cases of its format, the samples that are of it, and past findings.
pub fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut files = cases(target.format, 0);
    let is_one = |file: &[u8]| {
        galvani::formats::recognise(file, None).is_some_and(|one| one.info().id == target.format)
    };
    let shipped = galvani::samples::all().into_iter().filter(|sample| is_one(&sample.bytes));
    files.extend(shipped.map(|sample| (sample.name.replace('/', "-"), sample.bytes)));
    let shaped = files.iter().flat_map(|(name, file)| shaped(target.shape, name, file));
    shaped.chain(findings(&target.name)).collect()
}

/// What was found by a target and is mended, by name.
pub fn findings(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("findings").join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let found = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("a folder that can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, fs::read(&path).expect("a finding that can be read"))
    };
    let mut all: Vec<_> = entries.map(found).collect();
    all.sort();
    all
}

/// A file as the inputs of a target.
fn shaped(shape: Shape, name: &str, file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let with = |start: &[u8]| vec![(name.to_owned(), [start, file].concat())];
    match shape {
        Shape::File => with(&[]),
        Shape::Dice => {
            let dice: Vec<u8> = (0..96_u8).map(|i| i.wrapping_mul(151) ^ 0x35).collect();
            with(&[&[96][..], &dice].concat())
        }
        Shape::ManyDice => many_dice(name, file),
        Shape::Moments => with(&moments()),
    }
}

/// The same file several times, with other dice each.
fn many_dice(name: &str, file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut state =
        file.iter().fold(1_u32, |state, byte| state.wrapping_mul(31).wrapping_add((*byte).into()));
    let mut next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let mut one = |len: u8| {
        let dice: Vec<u8> = (0..len).map(&mut next).collect();
        (format!("{name}-{len}"), [&[len][..], &dice, file].concat())
    };
    (192..204).map(&mut one).collect()
}

/// Bytes that come out as four times of some hundred milliseconds, four small ones, a global time and the rest.
fn moments() -> Vec<u8> {
    let times = [0.0, 99.5, 250.0, 1e5].map(f64::to_le_bytes).concat();
    let small = [1_u16, 33, 500, 4000].map(u16::to_le_bytes).concat();
    [times, small, 120.0_f64.to_le_bytes().to_vec(), vec![0, 40, 10, 0, 90, 77]].concat()
}
