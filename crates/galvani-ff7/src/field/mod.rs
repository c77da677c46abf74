//! Models on the game's fields: a skeleton and its resources as text, animations as numbers.

pub mod a;
pub mod hrc;
pub mod rsd;
