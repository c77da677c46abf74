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

impl Fact {
    /// The same as programs may write it that know one kind of number.
    #[must_use]
    pub(crate) fn canonical(&self) -> Self {
        match self {
            Fact::Int(number) => Fact::Float(f64::from(*number)),
            other => other.clone(),
        }
    }
}
