//! Heads and keys of tracks (docs/formats/mdx-tracks.md#heads, #keys).

use galvani_core::record;
use galvani_core::record::Tag;
use zerocopy::little_endian::{F32, I32, U32};

record! {
    /// The head that real files have.
    pub struct Head: 16 {
        /// What is animated.
        pub tag: Tag,
        /// Keys.
        pub count: U32,
        /// 0 step, 1 linear, 2 hermite, 3 bezier.
        pub interpolation: U32,
        /// The global sequence that it runs by, or −1.
        pub global: I32,
    }
}

record! {
    /// The head without interpolation: events, and perhaps textures in WoW.
    pub struct SimpleHead: 12 {
        /// What is animated.
        pub tag: Tag,
        /// Keys.
        pub count: U32,
        /// The global sequence that it runs by, or −1.
        pub global: I32,
    }
}

record! {
    /// The head as the 0.9.0 document has it.
    pub struct BareHead: 8 {
        /// What is animated.
        pub tag: Tag,
        /// Keys.
        pub count: U32,
    }
}

record! {
    /// A moment without a value.
    pub struct EventKey: 4 {
        /// Milliseconds.
        pub time: I32,
    }
}

macro_rules! keys {
    ($( $plain:ident: $plain_size:literal, $spline:ident: $spline_size:literal = $value:ty; )*) => { $(
        record! {
            /// A key.
            pub struct $plain: $plain_size {
                /// Milliseconds.
                pub time: I32,
                /// Its value.
                pub value: $value,
            }
        }

        record! {
            /// A key with tangents.
            pub struct $spline: $spline_size {
                /// Milliseconds.
                pub time: I32,
                /// Its value.
                pub value: $value,
                /// How the curve arrives.
                pub in_tangent: $value,
                /// How the curve leaves.
                pub out_tangent: $value,
            }
        }
    )* };
}
keys! {
    Float: 8, FloatSpline: 16 = F32;
    Number: 8, NumberSpline: 16 = U32;
    Pair: 12, PairSpline: 28 = [F32; 2];
    Vector: 16, VectorSpline: 40 = [F32; 3];
    Quaternion: 20, QuaternionSpline: 52 = [F32; 4];
    Packed: 12, PackedSpline: 28 = [U32; 2];
}
