//! What the scene has no place for.

use std::collections::BTreeMap;

/// What the scene has no place for, by name.
pub type Extras = BTreeMap<String, Fact>;

/// A value that every tool carries through: no list, no object.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Int(i32),
    /// A number.
    Float(f64),
    /// Words.
    Text(String),
}
