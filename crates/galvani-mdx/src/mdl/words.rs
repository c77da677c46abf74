//! What a block may say, declared once per block: printed in that order, parsed in any.

use galvani_core::Reading;
use galvani_core::record::Record;
use zerocopy::little_endian::{F32, I32, U16, U32};

use crate::held::Held;
use crate::model::{Layer, LayerTextures, StoredSkin};
use crate::track::{Owner, Track};
use crate::wire::Shader;
use crate::wire::geoset::Vec2;

/// What every block has to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) version: u32,
    /// Which account of two bits of nodes counts.
    pub(super) inherit: Reading,
}

/// When a word is written, and what stands where it is missing.
#[derive(Debug, Clone, Copy)]
pub(super) enum When<T> {
    /// Always; missing, this.
    Always(T),
    /// If it is anything but this.
    Unless(T),
}

impl<T: Copy> When<T> {
    pub(super) fn missing(self) -> T {
        match self {
            When::Always(missing) | When::Unless(missing) => missing,
        }
    }
}

/// A block of a text and what it becomes.
pub(super) trait Block: Sized {
    /// Bytes that one of them takes however little it says.
    const LEN: usize = size_of::<Self>();

    /// What it is where nothing is said, apart from what [`Block::words`] says of that.
    fn blank(context: Context) -> Self;

    /// The room of the name that stands behind its word.
    fn name(&mut self) -> Option<&mut [u8]> {
        None
    }

    /// What it may say.
    fn words<W: Words>(&mut self, words: &mut W);
}

impl<T: Block> Block for Box<T> {
    const LEN: usize = T::LEN.saturating_add(size_of::<Self>());

    fn blank(context: Context) -> Self {
        Box::new(T::blank(context))
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        T::name(self)
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        T::words(self, words);
    }
}

/// The tracks of a record, and whose they are.
pub(super) type Tracks<'t> = (Owner, &'t mut Vec<Track>);

/// What is shown of a property that nothing animates.
pub(super) enum Still<'s> {
    /// Nothing: it has no value of its own.
    None,
    /// A number.
    Float(&'s mut F32, f32),
    /// A colour in the order of the file.
    Straight(&'s mut [F32; 3], [f32; 3]),
    /// A colour that the text has the other way round (docs/formats/mdl.md#colours).
    Reversed(&'s mut [F32; 3], [f32; 3]),
    /// An index.
    Index(&'s mut dyn Whole, i64),
}

/// A whole number of a file.
pub(super) trait Whole {
    fn value(&self) -> i64;
    /// Takes the low bits of a number.
    fn take(&mut self, value: i64);
}

/// The low 32 bits of a number.
pub(super) fn low(value: i64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

impl Whole for U32 {
    fn value(&self) -> i64 {
        self.get().into()
    }

    fn take(&mut self, value: i64) {
        *self = low(value).into();
    }
}

impl Whole for u32 {
    fn value(&self) -> i64 {
        (*self).into()
    }

    fn take(&mut self, value: i64) {
        *self = low(value);
    }
}

impl Whole for I32 {
    fn value(&self) -> i64 {
        self.get().into()
    }

    fn take(&mut self, value: i64) {
        *self = low(value).cast_signed().into();
    }
}

impl Whole for i32 {
    fn value(&self) -> i64 {
        (*self).into()
    }

    fn take(&mut self, value: i64) {
        *self = low(value).cast_signed();
    }
}

impl Whole for u8 {
    fn value(&self) -> i64 {
        (*self).into()
    }

    fn take(&mut self, value: i64) {
        let [low, ..] = value.to_le_bytes();
        *self = low;
    }
}

impl Whole for U16 {
    fn value(&self) -> i64 {
        self.get().into()
    }

    fn take(&mut self, value: i64) {
        let [low, high, ..] = value.to_le_bytes();
        *self = u16::from_le_bytes([low, high]).into();
    }
}

/// Whoever goes through the words of a block: to print them, to parse one of them, to set what is missing.
pub(super) trait Words: Sized {
    /// What every block has to know.
    fn context(&self) -> Context;

    /// A whole number.
    fn whole(&mut self, word: &'static str, value: &mut dyn Whole, when: When<i64>);

    /// A whole number some of whose values have names.
    fn named(
        &mut self,
        word: &'static str,
        names: &[(&'static str, i64)],
        value: &mut dyn Whole,
        when: When<i64>,
    );

    /// Several whole numbers in braces.
    fn wholes<T: Whole>(&mut self, word: &'static str, values: &mut [T], when: When<i64>);

    /// A number.
    fn float(&mut self, word: &'static str, value: &mut F32, when: When<f32>);

    /// Several numbers in braces.
    fn floats(&mut self, word: &'static str, values: &mut [F32], when: When<f32>);

    /// A text with a room of its own.
    fn text(&mut self, word: &'static str, room: &mut [u8], is_always: bool);

    /// What a name that stands behind the word of its block cannot say.
    fn name_bytes(&mut self, room: &mut [u8]);

    /// A bit that a bare word says.
    fn flag(&mut self, word: &'static str, bits: &mut dyn Whole, bit: u32);

    /// The same in a word of other tools, which is only read.
    fn other_flag(&mut self, _word: &'static str, _bits: &mut dyn Whole, _bit: u32) {}

    /// Bits as a number in a word of other tools, which is only read.
    fn other_bits(&mut self, _word: &'static str, _bits: &mut dyn Whole) {}

    /// A block of bare words for bits.
    fn flags(&mut self, word: &'static str, bits: &mut U32, names: &[(&'static str, u32)]);

    /// The bits that no word says, in a comment: all but `known`; `implied` are those that go without saying.
    fn bits(&mut self, word: &'static str, bits: &mut dyn Whole, known: u32, implied: u32);

    /// A number of which bare words say the first values.
    fn choice(&mut self, name: &'static str, words: &[&'static str], value: &mut U32);

    /// A property: `static` and its value, or a track.
    fn animated(
        &mut self,
        word: &'static str,
        tag: &'static str,
        still: Still<'_>,
        is_always: bool,
        tracks: Tracks<'_>,
    );

    /// The order of tracks where it is not the usual one.
    fn order(&mut self, word: &'static str, tracks: Tracks<'_>);

    /// Words in braces behind a word; without any of them it is not written unless `is_there`.
    fn inside(&mut self, word: &'static str, is_there: bool, inner: &mut dyn FnMut(&mut Self));

    /// Words that stand only in comments.
    fn noted(&mut self, inner: &mut dyn FnMut(&mut Self));

    /// Blocks of one kind.
    fn blocks<T: Block + Clone>(&mut self, word: &'static str, list: &mut Vec<T>);

    /// The same where each may be one that could not be read.
    fn held_blocks<T: Block + Clone>(&mut self, word: &'static str, list: &mut Vec<Held<T>>);

    /// How many records of each kind the model has, for readers that want to know.
    fn counts(&mut self);

    /// Colour and track of a geoset animation, of which a bit says whether they count.
    fn tint(&mut self, bits: &mut U32, color: &mut [F32; 3], tracks: Tracks<'_>);

    /// The texture of a layer that has one. Other tools say several layers in one.
    fn texture(&mut self, id: &mut I32, tracks: Tracks<'_>) {
        self.animated("TextureID", "KMTF", Still::Index(id, 0), true, tracks);
    }

    /// Layers that were said in one, each for itself.
    fn unfold(&mut self, _shader: Option<&mut Shader>, _layers: &mut Vec<Held<Layer>>) {}

    /// The textures of a layer by what its shader does with them, and the one that it had before.
    fn slots(&mut self, textures: &mut LayerTextures, before: &mut I32);

    /// Rows of numbers, counted.
    fn table<T: Record>(&mut self, word: &'static str, rows: &mut Vec<T>);

    /// The same where none is not the same as no rows.
    fn optional_table<T: Record>(&mut self, word: &'static str, rows: &mut Option<Vec<T>>);

    /// Sets of texture coordinates.
    fn sets(&mut self, word: &'static str, sets: &mut Vec<Vec<Vec2>>);

    /// The matrix group of each vertex.
    fn vertex_groups(&mut self, word: &'static str, groups: &mut Vec<u8>);

    /// Bones and weights of each vertex.
    fn skin(&mut self, skin: &mut Option<StoredSkin>);

    /// Faces: their kinds, their counts, their corners.
    fn faces(&mut self, kinds: &mut Vec<U32>, counts: &mut Vec<U32>, corners: &mut Vec<U16>);

    /// Matrix groups: their sizes, and nodes.
    fn groups(&mut self, sizes: &mut Vec<U32>, matrices: &mut Vec<U32>);

    /// The three colours of particles.
    fn segment_colors(&mut self, word: &'static str, colors: &mut [F32; 9]);

    /// The moments of an event.
    fn moments(&mut self, track: &mut Option<Track>);

    /// What a collision shape is, and its measures.
    fn shape(&mut self, kind: &mut u32, measures: &mut Vec<F32>);
}

/// Sets what is missing.
pub(super) struct Missing(pub(super) Context);

impl Words for Missing {
    fn context(&self) -> Context {
        self.0
    }

    fn whole(&mut self, _: &'static str, value: &mut dyn Whole, when: When<i64>) {
        value.take(when.missing());
    }

    fn named(&mut self, _: &'static str, _: &[(&'static str, i64)], value: &mut dyn Whole, when: When<i64>) {
        value.take(when.missing());
    }

    fn wholes<T: Whole>(&mut self, _: &'static str, values: &mut [T], when: When<i64>) {
        for value in values {
            value.take(when.missing());
        }
    }

    fn float(&mut self, _: &'static str, value: &mut F32, when: When<f32>) {
        *value = when.missing().into();
    }

    fn floats(&mut self, _: &'static str, values: &mut [F32], when: When<f32>) {
        values.fill(when.missing().into());
    }

    fn text(&mut self, _: &'static str, _: &mut [u8], _: bool) {}

    fn name_bytes(&mut self, _: &mut [u8]) {}

    fn flag(&mut self, _: &'static str, _: &mut dyn Whole, _: u32) {}

    fn flags(&mut self, _: &'static str, _: &mut U32, _: &[(&'static str, u32)]) {}

    fn bits(&mut self, _: &'static str, bits: &mut dyn Whole, _: u32, implied: u32) {
        bits.take(implied.into());
    }

    fn choice(&mut self, _: &'static str, _: &[&'static str], _: &mut U32) {}

    fn animated(&mut self, _: &'static str, _: &'static str, still: Still<'_>, _: bool, _: Tracks<'_>) {
        match still {
            Still::None => {}
            Still::Float(value, missing) => *value = missing.into(),
            Still::Straight(color, missing) | Still::Reversed(color, missing) => {
                *color = missing.map(F32::new);
            }
            Still::Index(value, missing) => value.take(missing),
        }
    }

    fn order(&mut self, _: &'static str, _: Tracks<'_>) {}

    fn inside(&mut self, _: &'static str, _: bool, inner: &mut dyn FnMut(&mut Self)) {
        inner(self);
    }

    fn noted(&mut self, inner: &mut dyn FnMut(&mut Self)) {
        inner(self);
    }

    fn blocks<T: Block + Clone>(&mut self, _: &'static str, _: &mut Vec<T>) {}

    fn held_blocks<T: Block + Clone>(&mut self, _: &'static str, _: &mut Vec<Held<T>>) {}

    fn counts(&mut self) {}

    fn tint(&mut self, _: &mut U32, color: &mut [F32; 3], _: Tracks<'_>) {
        *color = [F32::new(1.0); 3];
    }

    fn slots(&mut self, _: &mut LayerTextures, _: &mut I32) {}

    fn table<T: Record>(&mut self, _: &'static str, _: &mut Vec<T>) {}

    fn optional_table<T: Record>(&mut self, _: &'static str, _: &mut Option<Vec<T>>) {}

    fn sets(&mut self, _: &'static str, _: &mut Vec<Vec<Vec2>>) {}

    fn vertex_groups(&mut self, _: &'static str, _: &mut Vec<u8>) {}

    fn skin(&mut self, _: &mut Option<StoredSkin>) {}

    fn faces(&mut self, _: &mut Vec<U32>, _: &mut Vec<U32>, _: &mut Vec<U16>) {}

    fn groups(&mut self, _: &mut Vec<U32>, _: &mut Vec<U32>) {}

    fn segment_colors(&mut self, _: &'static str, colors: &mut [F32; 9]) {
        colors.fill(F32::new(1.0));
    }

    fn moments(&mut self, _: &mut Option<Track>) {}

    fn shape(&mut self, _: &mut u32, _: &mut Vec<F32>) {}
}

/// What a block is where nothing is said.
pub(super) fn fresh<T: Block>(context: Context) -> T {
    let mut block = T::blank(context);
    block.words(&mut Missing(context));
    block
}
