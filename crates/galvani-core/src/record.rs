//! Fixed records: declared once, and read, written and shown from that declaration.

use zerocopy::little_endian::{F32, I16, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// What a run of bytes means, as `dump` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Unsigned byte.
    U8,
    /// Signed byte.
    I8,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 32-bit integer.
    I32,
    /// 32-bit float.
    F32,
    /// Text up to a NUL.
    Text,
    /// A FourCC, or a small number in its place.
    Tag,
    /// The bytes of a contained file.
    Payload,
    /// A string of bits that is read across its bytes.
    Bits,
    /// Zeros that only align what follows.
    Padding,
    /// Bytes nobody can explain. Kept.
    Raw,
}

impl FieldKind {
    /// The word for this kind.
    pub fn word(self) -> &'static str {
        match self {
            FieldKind::U8 => "u8",
            FieldKind::I8 => "i8",
            FieldKind::U16 => "u16",
            FieldKind::I16 => "i16",
            FieldKind::U32 => "u32",
            FieldKind::I32 => "i32",
            FieldKind::F32 => "f32",
            FieldKind::Text => "text",
            FieldKind::Tag => "tag",
            FieldKind::Payload => "payload",
            FieldKind::Bits => "bits",
            FieldKind::Padding => "padding",
            FieldKind::Raw => "raw",
        }
    }
}

/// One field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Bytes from the start of the record.
    pub offset: usize,
    /// Bytes it takes.
    pub size: usize,
    /// What one element is.
    pub kind: FieldKind,
    /// How many elements, 1 for a plain value.
    pub count: usize,
}

/// A record as it lies in a file: little-endian, unaligned, without padding.
pub trait Record: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + 'static {
    /// Its fields in order, covering every byte.
    const FIELDS: &'static [Field];
}

/// A type that may be a field of a [`Record`].
pub trait FieldType {
    /// What one element is.
    const KIND: FieldKind;
    /// How many elements.
    const COUNT: usize = 1;
}

macro_rules! field_types {
    ($($type:ty = $kind:ident),*) => { $(impl FieldType for $type { const KIND: FieldKind = FieldKind::$kind; })* };
}
field_types!(u8 = U8, i8 = I8, U16 = U16, I16 = I16, U32 = U32, I32 = I32, F32 = F32, Tag = Tag);

impl<T: FieldType, const N: usize> FieldType for [T; N] {
    const KIND: FieldKind = T::KIND;
    const COUNT: usize = N.saturating_mul(T::COUNT);
}

/// A type id that may be a FourCC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Tag(pub U32);

/// Text of a fixed room, with whatever stands behind its NUL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Text<const N: usize>(pub [u8; N]);

impl<const N: usize> FieldType for Text<N> {
    const KIND: FieldKind = FieldKind::Text;
}

/// Bytes that nobody can explain. Kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Raw<const N: usize>(pub [u8; N]);

impl<const N: usize> FieldType for Raw<N> {
    const KIND: FieldKind = FieldKind::Raw;
}

/// Declares a fixed record: the struct, its size, and its fields for maps and dumps.
#[macro_export]
macro_rules! record {
    (
        $(#[$doc:meta])*
        pub struct $name:ident: $size:literal {
            $( $(#[$field_doc:meta])* pub $field:ident: $type:ty, )*
        }
    ) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, zerocopy::FromBytes, zerocopy::IntoBytes,
            zerocopy::Immutable, zerocopy::KnownLayout, zerocopy::Unaligned,
        )]
        #[repr(C)]
        pub struct $name {
            $( $(#[$field_doc])* pub $field: $type, )*
        }

        const _: () = assert!(size_of::<$name>() == $size);

        impl $crate::record::Record for $name {
            const FIELDS: &'static [$crate::record::Field] = &[
                $( $crate::record::Field {
                    name: stringify!($field),
                    offset: std::mem::offset_of!($name, $field),
                    size: size_of::<$type>(),
                    kind: <$type as $crate::record::FieldType>::KIND,
                    count: <$type as $crate::record::FieldType>::COUNT,
                }, )*
            ];
        }
    };
}
