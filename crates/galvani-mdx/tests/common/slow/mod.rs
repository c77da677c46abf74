//! How a model moves, by the letter of docs/notes/mdx-runtime.md#time, #keys, #curves, #nodes, #vertices and
//! #playing and nothing else: slow, plain, in f64, and
//! with no line of the crate's own arithmetic in it. The sampler is held against this.
#![allow(unused_imports, reason = "each test file uses its part of this")]

mod clock;
mod curve;
mod events;
mod math;
mod node;
mod skin;

pub use clock::{Window, at};
pub use events::events;
pub use math::{inverse, moved, product, turned, unit, was_doubtful};
pub use node::pose;
pub use skin::{listed_skin, skin};

use galvani_mdx::Document;

/// What stands before the first key of a window and after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    /// `Wrap` in what loops, `Hold` in what does not.
    ByFlag,
    /// The way from the last key to the first.
    Wrap,
    /// The nearest key.
    Hold,
}

/// A moment of both clocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Milliseconds from the start of the sequence.
    pub time: f64,
    /// Milliseconds of the clock that global sequences run by.
    pub global: f64,
}

/// Where a node is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// What its track of translations says.
    pub translation: [f64; 3],
    /// What its track of rotations says: x, y, z, w.
    pub rotation: [f64; 4],
    /// What its track of scales says.
    pub scale: [f64; 3],
    /// From where it rests to where it is, in model space: rows, for columns to its right.
    pub matrix: [[f64; 4]; 4],
}

/// The path and value of every track with values, in file order; no value where no key applies.
pub fn tracks(
    document: &Document,
    sequence: Option<usize>,
    moment: Moment,
    edges: Edges,
) -> Vec<(String, Option<Vec<f64>>)> {
    let mut found = Vec::new();
    document.each_track(|path, track| {
        if track.tag != *b"KEVT" {
            found.push((path.to_string(), clock::sample(document, track, sequence, moment, edges)));
        }
    });
    found
}
