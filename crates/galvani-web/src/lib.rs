//! The galvani library in a browser: the page calls `Library`, which is [`Session`] behind what browsers can pass.
//!
//! A worker holds one. What it tells is JSON, what it hands over are bytes and lists of numbers. Nothing is fetched and
//! nothing is sent: files are what the page was given.

mod describe;
mod file;
mod film;
mod forms;
mod inspect;
// What it needs would have to be built for every test of the workspace.
#[cfg(target_arch = "wasm32")]
mod library;
mod place;
mod play;
mod refusal;
mod session;
mod shelf;
mod show;
mod solid;
mod states;
mod tracks;

pub use file::File;
pub use inspect::Part;
#[cfg(target_arch = "wasm32")]
pub use library::{Library, start};
pub use play::Over;
pub use refusal::Refusal;
pub use session::{Made, Session};
pub use shelf::Dropped;
pub use show::{Account, Asked, Layout, Show};
pub use solid::Solid;
pub use states::States;
pub use tracks::{Timeline, TrackKeys};
