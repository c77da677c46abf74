//! What tests and fuzz targets share: a byte assembler that is independent of every writer, ways to damage
//! a file, the laws that every format obeys, and other people's readers. Everything here panics when a law is broken.
#![allow(clippy::panic, clippy::missing_panics_doc, reason = "a broken law is a failed test")]

mod asm;
mod cases;
mod clients;
mod codes;
mod damage;
mod laws;
mod outcome;
mod python;
mod subject;

pub use asm::{assemble, assemble_file};
pub use cases::{case, cases};
pub use clients::Clients;
pub use codes::{codes_are_sound, every_code_is_provoked};
pub use damage::{truncations, word_damage};
pub use laws::{
    differences, dumps_every_byte, every_byte_is_owned, findings_are_placed, reads_or_refuses, round_trips,
};
pub use outcome::{located, options, outcome, report_text};
pub use python::Python;
pub use subject::{Dice, Subject};
