//! The files that ship with galvani: our own, made by our own code.

mod depot;
mod frog;
mod frog_part;
mod frog_skin;
mod lgp;
mod shapes;
mod walker;

/// A file that ships with galvani.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Its file name.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Every sample.
pub fn all() -> Vec<Sample> {
    vec![
        Sample {
            name: "depot.rlb",
            about: "an NRes archive with an archive inside",
            bytes: depot::archive(),
        },
        Sample {
            name: "walker.msh",
            about: "an MSH model: a walking machine with three states of damage",
            bytes: walker::model(),
        },
        Sample {
            name: "zgda",
            about: "an FF7 battle animation pack: a frog that breathes, hops and twitches, and its spear",
            bytes: frog::pack(),
        },
        Sample {
            name: "zgaa",
            about: "an FF7 battle skeleton: the frog's seventeen bones",
            bytes: frog::skeleton(),
        },
        Sample { name: "notes.lgp", about: "an LGP archive of a few notes", bytes: lgp::archive() },
        Sample { name: "zgam", about: "an FF7 polygon file: the head of a frog", bytes: frog_part::head() },
        Sample { name: "zgac", about: "an FF7 texture: a frog's skin", bytes: frog_skin::skin() },
    ]
}
