//! Buffers, views of them, and lists in those.

use std::borrow::Cow;

use super::typed::{JsonPlace, ReadFindings, Typed, choice, object};
use crate::document::{JsonKind, JsonValue};

object! {
    /// Bytes.
    object Buffer {
        /// Where they are: a file beside this one, or the bytes themselves; without it the second chunk.
        uri "uri": Option<Cow<'a, str>> = None;
        /// How many.
        byte_length "byteLength": usize = 0, required;
        /// What people call it.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What extensions say.
        extensions "extensions": BufferExtensions<'a> = BufferExtensions::default();
    }
}

object! {
    /// What extensions say of a buffer.
    bag BufferExtensions {
        /// Whether its bytes are only there for readers that cannot decompress.
        meshopt "EXT_meshopt_compression": Option<Fallback<'a>> = None;
        /// The same in the words of the extension that came of it.
        later_meshopt "KHR_meshopt_compression": Option<Fallback<'a>> = None;
    }
}

impl BufferExtensions<'_> {
    /// Whether nobody who decompresses needs the bytes.
    pub fn is_fallback(&self) -> bool {
        [&self.meshopt, &self.later_meshopt].into_iter().flatten().any(|it| it.fallback)
    }
}

object! {
    /// Whether bytes stand in for compressed ones.
    object Fallback {
        /// They do.
        fallback "fallback": bool = false;
    }
}

object! {
    /// A run of bytes in a buffer.
    object BufferView {
        /// Which buffer.
        buffer "buffer": Option<usize> = None, required;
        /// Where it begins.
        byte_offset "byteOffset": usize = 0;
        /// How long it is.
        byte_length "byteLength": usize = 0, required;
        /// From one element to the next.
        byte_stride "byteStride": Option<usize> = None;
        /// What graphics cards are told that it is for.
        target "target": Option<usize> = None;
        /// What people call it.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What extensions say.
        extensions "extensions": ViewExtensions<'a> = ViewExtensions::default();
    }
}

object! {
    /// What extensions say of a view.
    bag ViewExtensions {
        /// How its bytes are compressed.
        meshopt "EXT_meshopt_compression": Option<Box<Meshopt<'a>>> = None;
        /// The same in the words of the extension that came of it.
        later_meshopt "KHR_meshopt_compression": Option<Box<Meshopt<'a>>> = None;
    }
}

impl<'a> ViewExtensions<'a> {
    /// How its bytes are compressed, in whatever words.
    pub fn packed(&self) -> Option<&Meshopt<'a>> {
        self.later_meshopt.as_deref().or(self.meshopt.as_deref())
    }
}

object! {
    /// Bytes compressed by `EXT_meshopt_compression` or `KHR_meshopt_compression`.
    object Meshopt {
        /// Which buffer.
        buffer "buffer": Option<usize> = None, required;
        /// Where they begin.
        byte_offset "byteOffset": usize = 0;
        /// How many.
        byte_length "byteLength": usize = 0, required;
        /// Bytes of an element.
        byte_stride "byteStride": usize = 0, required;
        /// Elements.
        count "count": usize = 0, required;
        /// What they are of.
        mode "mode": Option<MeshoptMode> = None, required;
        /// What is done to them afterwards.
        filter "filter": MeshoptFilter = MeshoptFilter::None;
    }
}

choice! {
    /// What compressed bytes are of.
    MeshoptMode by text, "`ATTRIBUTES`, `TRIANGLES` or `INDICES`" {
        /// Anything.
        Attributes = "ATTRIBUTES";
        /// Indices, three to a triangle.
        Triangles = "TRIANGLES";
        /// Indices.
        Indices = "INDICES";
    }
}

choice! {
    /// What is done to bytes after they were decompressed.
    MeshoptFilter by text, "`NONE`, `OCTAHEDRAL`, `QUATERNION`, `EXPONENTIAL` or `COLOR`" {
        /// Nothing.
        None = "NONE";
        /// Directions are unfolded.
        Octahedral = "OCTAHEDRAL";
        /// Turns get their largest component back.
        Quaternion = "QUATERNION";
        /// Numbers get their exponents.
        Exponential = "EXPONENTIAL";
        /// Colours are made of brightness and two differences; only in `KHR_meshopt_compression`.
        Color = "COLOR";
    }
}

object! {
    /// A list of numbers or of several together.
    object Accessor {
        /// Which view they lie in; without one all are 0.
        buffer_view "bufferView": Option<usize> = None;
        /// Where in it they begin.
        byte_offset "byteOffset": usize = 0;
        /// What a number is.
        component "componentType": Option<Component> = None, required;
        /// Whether integers stand for parts of 1.
        normalized "normalized": bool = false;
        /// How many.
        count "count": usize = 0, required;
        /// How many numbers belong together.
        shape "type": Option<Shape> = None, required;
        /// The lowest of each.
        min "min": Option<Vec<f64>> = None;
        /// The highest of each.
        max "max": Option<Vec<f64>> = None;
        /// Elements that are different.
        sparse "sparse": Option<Box<Sparse<'a>>> = None;
        /// What people call it.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

/// Extensions none of which is known. Lists of thousands have them: they take no room.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoExtensions;

impl<'a> Typed<'a> for NoExtensions {
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        let is_object = value.kind() == JsonKind::Object;
        if !is_object {
            told.wrong(place, value, "an object");
        }
        is_object.then_some(NoExtensions)
    }
}

object! {
    /// Elements of a list that are different.
    object Sparse {
        /// How many.
        count "count": usize = 0, required;
        /// Which.
        indices "indices": SparseIndices<'a> = SparseIndices::default(), required;
        /// What they are.
        values "values": SparseValues<'a> = SparseValues::default(), required;
    }
}

object! {
    /// Which elements are different.
    object SparseIndices {
        /// Which view they lie in.
        buffer_view "bufferView": Option<usize> = None, required;
        /// Where in it they begin.
        byte_offset "byteOffset": usize = 0;
        /// What a number is.
        component "componentType": Option<Component> = None, required;
    }
}

object! {
    /// What the elements are that are different.
    object SparseValues {
        /// Which view they lie in.
        buffer_view "bufferView": Option<usize> = None, required;
        /// Where in it they begin.
        byte_offset "byteOffset": usize = 0;
    }
}

choice! {
    /// What a number is.
    Component by index, "5120, 5121, 5122, 5123, 5125 or 5126" {
        /// A signed byte.
        I8 = 5120;
        /// A byte.
        U8 = 5121;
        /// Two signed bytes.
        I16 = 5122;
        /// Two bytes.
        U16 = 5123;
        /// Four bytes.
        U32 = 5125;
        /// A float.
        F32 = 5126;
    }
}

impl Component {
    /// Bytes of one.
    pub fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Component::I8 => "i8",
            Component::U8 => "u8",
            Component::I16 => "i16",
            Component::U16 => "u16",
            Component::U32 => "u32",
            Component::F32 => "f32",
        }
    }
}

choice! {
    /// How many numbers belong together.
    Shape by text, "`SCALAR`, `VEC2`, `VEC3`, `VEC4`, `MAT2`, `MAT3` or `MAT4`" {
        /// One.
        Scalar = "SCALAR";
        /// Two.
        Vec2 = "VEC2";
        /// Three.
        Vec3 = "VEC3";
        /// Four.
        Vec4 = "VEC4";
        /// Two columns of two.
        Mat2 = "MAT2";
        /// Three columns of three.
        Mat3 = "MAT3";
        /// Four columns of four.
        Mat4 = "MAT4";
    }
}

impl Shape {
    /// Columns, and numbers in each.
    pub fn columns(self) -> (usize, usize) {
        match self {
            Shape::Scalar => (1, 1),
            Shape::Vec2 => (1, 2),
            Shape::Vec3 => (1, 3),
            Shape::Vec4 => (1, 4),
            Shape::Mat2 => (2, 2),
            Shape::Mat3 => (3, 3),
            Shape::Mat4 => (4, 4),
        }
    }

    /// Numbers in one.
    pub fn numbers(self) -> usize {
        let (columns, rows) = self.columns();
        columns.saturating_mul(rows)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Scalar => "SCALAR",
            Shape::Vec2 => "VEC2",
            Shape::Vec3 => "VEC3",
            Shape::Vec4 => "VEC4",
            Shape::Mat2 => "MAT2",
            Shape::Mat3 => "MAT3",
            Shape::Mat4 => "MAT4",
        }
    }
}
