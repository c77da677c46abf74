//! Tracks: values over time, as every animated property has them (docs/formats/mdx-tracks.md#heads).

mod fit;
mod read;
mod shape;
mod tags;
mod write;

pub(crate) use read::{track, tracks};
pub use shape::Shape;
pub(crate) use shape::is_visibility;
pub use tags::{Owner, name_of, value_of};
pub(crate) use tags::{place_of, tracks_of};
pub(crate) use write::write_all;

use galvani_core::record::{Field, Record};
use glam::Quat;

use crate::quaternion;
use crate::wire::key;

/// One animated property.
///
/// Values and tangents lie flat, in words of the file: key *i* has the words from `i * value.words()` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// What is animated.
    pub tag: [u8; 4],
    /// What its head looks like.
    pub form: Form,
    /// 0 step, 1 linear, 2 hermite, 3 bezier. Where the head does not say: 0 in the simple form, 1 in the
    /// document's.
    pub interpolation: u32,
    /// The global sequence that it runs by, or −1.
    pub global: i32,
    /// What a value is.
    pub value: TrackValue,
    /// Milliseconds, in file order.
    pub times: Vec<i32>,
    /// The values.
    pub values: Vec<u32>,
    /// How the curve arrives at each key; nothing if there are no tangents.
    pub in_tangents: Vec<u32>,
    /// How the curve leaves each key; nothing if there are no tangents.
    pub out_tangents: Vec<u32>,
}

/// What the head of a track looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Count, interpolation, global sequence: every track of every file seen.
    Generic,
    /// Count, global sequence: events, and perhaps textures in WoW.
    Simple,
    /// Count alone, as the 0.9.0 document has it.
    Documented,
}

impl Form {
    /// The word for this form.
    pub fn word(self) -> &'static str {
        match self {
            Form::Generic => "generic",
            Form::Simple => "simple",
            Form::Documented => "documented",
        }
    }
}

/// What one value of a track is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrackValue {
    /// Nothing: the moment is all there is.
    Moment,
    /// A float.
    Float,
    /// An index.
    Number,
    /// Two floats; only as documented.
    Pair,
    /// A vector or a colour.
    Vector,
    /// A quaternion of four floats, w last.
    Quaternion,
    /// A quaternion in 64 bits, low half first.
    Packed,
}

impl TrackValue {
    /// Words of a value.
    pub const fn words(self) -> usize {
        match self {
            TrackValue::Moment => 0,
            TrackValue::Float | TrackValue::Number => 1,
            TrackValue::Pair | TrackValue::Packed => 2,
            TrackValue::Vector => 3,
            TrackValue::Quaternion => 4,
        }
    }

    /// Whether it is a rotation.
    pub const fn is_rotation(self) -> bool {
        matches!(self, TrackValue::Quaternion | TrackValue::Packed)
    }

    /// The fields of a key and its bytes.
    pub(crate) fn layout(self, tangents: bool) -> (&'static [Field], usize) {
        fn fields_of<T: Record>() -> (&'static [Field], usize) {
            (T::FIELDS, size_of::<T>())
        }
        match (self, tangents) {
            (TrackValue::Moment, _) => fields_of::<key::EventKey>(),
            (TrackValue::Float, false) => fields_of::<key::Float>(),
            (TrackValue::Float, true) => fields_of::<key::FloatSpline>(),
            (TrackValue::Number, false) => fields_of::<key::Number>(),
            (TrackValue::Number, true) => fields_of::<key::NumberSpline>(),
            (TrackValue::Pair, false) => fields_of::<key::Pair>(),
            (TrackValue::Pair, true) => fields_of::<key::PairSpline>(),
            (TrackValue::Vector, false) => fields_of::<key::Vector>(),
            (TrackValue::Vector, true) => fields_of::<key::VectorSpline>(),
            (TrackValue::Quaternion, false) => fields_of::<key::Quaternion>(),
            (TrackValue::Quaternion, true) => fields_of::<key::QuaternionSpline>(),
            (TrackValue::Packed, false) => fields_of::<key::Packed>(),
            (TrackValue::Packed, true) => fields_of::<key::PackedSpline>(),
        }
    }
}

impl Track {
    /// A track without keys: linear, run by the sequences.
    pub fn new(tag: [u8; 4], form: Form, value: TrackValue) -> Self {
        Track {
            tag,
            form,
            interpolation: 1,
            global: -1,
            value,
            times: Vec::new(),
            values: Vec::new(),
            in_tangents: Vec::new(),
            out_tangents: Vec::new(),
        }
    }

    /// The name of what is animated; `K???` for a tag that no table has.
    pub fn name(&self) -> &'static str {
        name_of(self.tag).unwrap_or("K???")
    }

    /// Whether its head says that keys have tangents.
    pub fn has_tangents(&self) -> bool {
        self.form == Form::Generic && self.interpolation >= 2 && self.value != TrackValue::Moment
    }

    /// Bytes of its keys in memory.
    pub(crate) fn byte_len(&self) -> usize {
        let lists = [self.values.len(), self.in_tangents.len(), self.out_tangents.len()];
        lists.into_iter().fold(self.times.len(), usize::saturating_add).saturating_mul(size_of::<u32>())
    }

    /// The words of a key's value.
    pub fn words(&self, key: usize) -> Option<&[u32]> {
        words_at(&self.values, self.value, key)
    }

    /// The words of a key's tangents, arriving and leaving.
    pub fn tangents(&self, key: usize) -> Option<(&[u32], &[u32])> {
        Some((words_at(&self.in_tangents, self.value, key)?, words_at(&self.out_tangents, self.value, key)?))
    }

    /// The value of a key as floats: one, three, or a quaternion. Nothing for indices and moments.
    pub fn floats(&self, key: usize) -> Option<Floats> {
        floats(self.value, self.words(key)?)
    }
}

/// A value as floats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Floats {
    /// One.
    One(f32),
    /// Two.
    Two([f32; 2]),
    /// A vector or a colour.
    Three([f32; 3]),
    /// A rotation.
    Rotation(Quat),
}

impl Floats {
    /// The floats in order.
    pub fn as_slice(&self) -> &[f32] {
        match self {
            Floats::One(value) => std::slice::from_ref(value),
            Floats::Two(value) => value,
            Floats::Three(value) => value,
            Floats::Rotation(value) => value.as_ref(),
        }
    }
}

/// The words of a value as floats.
pub fn floats(value: TrackValue, words: &[u32]) -> Option<Floats> {
    Some(match (value, words) {
        (TrackValue::Float, &[word]) => Floats::One(f32::from_bits(word)),
        (TrackValue::Pair, &[x, y]) => Floats::Two([x, y].map(f32::from_bits)),
        (TrackValue::Vector, &[x, y, z]) => Floats::Three([x, y, z].map(f32::from_bits)),
        (TrackValue::Quaternion, &[x, y, z, w]) => {
            Floats::Rotation(Quat::from_array([x, y, z, w].map(f32::from_bits)))
        }
        (TrackValue::Packed, &[low, high]) => {
            Floats::Rotation(quaternion::decode(quaternion::from_words([low, high])))
        }
        _ => return None,
    })
}

fn words_at(words: &[u32], value: TrackValue, key: usize) -> Option<&[u32]> {
    let start = key.checked_mul(value.words())?;
    words.get(start..start.checked_add(value.words())?)
}
