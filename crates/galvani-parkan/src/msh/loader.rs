//! The game's own view of a model: the structure of 0xA4 bytes that its loader fills
//! (docs/formats/msh-streams.md#loader).
//!
//! The loader asks for streams by number, in the order of [`LOAD_ORDER`]; the order in the file is free. Streams 15, 16,
//! 18 and 20 may be missing. Then it derives the rest: where slots start, and pointer and stride of every vertex
//! stream. Strides of stream 16 are not cleared when it is missing; its pointers are null then, so nobody looks.

use super::ModelView;
use super::streams::{
    BATCHES, BOUNDS_LEN, EXTRA15, FACES, FRAME_MAP, INDICES, KEYS, LABELS, NODES, NORMALS, POSITIONS, PROBES,
    SLOTS, STREAM18, TANGENTS, UV0,
};

/// Bytes of the structure.
pub const STRUCT_LEN: u8 = 0xA4;

/// Streams in the order the loader asks for them, and where it puts their pointers.
pub const LOAD_ORDER: [(u32, u8); 15] = [
    (NODES, 0x00),
    (SLOTS, 0x04),
    (POSITIONS, 0x0C),
    (NORMALS, 0x10),
    (UV0, 0x14),
    (LABELS, 0x20),
    (KEYS, 0x18),
    (FRAME_MAP, 0x1C),
    (FACES, 0x24),
    (BATCHES, 0x28),
    (INDICES, 0x2C),
    (EXTRA15, 0x34),
    (TANGENTS, 0x38),
    (STREAM18, 0x64),
    (PROBES, 0x30),
];

/// What the loader puts into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadedValue {
    /// A pointer into a stream.
    Pointer {
        /// The stream.
        stream: u32,
        /// Bytes from its start.
        at: usize,
    },
    /// No pointer: the stream is missing.
    Null,
    /// A number.
    Number(u32),
    /// Whatever was there before: the loader does not touch it.
    Untouched,
}

/// A field of the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Where it stands.
    pub offset: u8,
    /// What it is.
    pub name: &'static str,
    /// What the loader puts there.
    pub value: LoadedValue,
}

/// Every field the loader fills, by offset.
pub fn fields(model: &ModelView<'_>) -> Vec<Field> {
    let mut fields: Vec<Field> = LOAD_ORDER
        .iter()
        .map(|&(stream, offset)| Field { offset, name: name(stream), value: pointer(model, stream, 0) })
        .chain(derived(model))
        .collect();
    fields.sort_by_key(|field| field.offset);
    fields
}

fn derived(model: &ModelView<'_>) -> [Field; 17] {
    let field = |offset, name, value| Field { offset, name, value };
    let has = |stream| attributes(model, stream).is_some();
    let tangent_stride = if has(TANGENTS) { LoadedValue::Number(8) } else { LoadedValue::Untouched };
    let attr = |stream, which: usize| {
        attributes(model, stream).and_then(|attr| attr.get(which).copied()).unwrap_or(0)
    };
    [
        field(0x08, "slot table", pointer(model, SLOTS, BOUNDS_LEN)),
        field(0x3C, "positions stream", pointer(model, POSITIONS, 0)),
        field(0x40, "positions stride", LoadedValue::Number(12)),
        field(0x44, "normals stream", pointer(model, NORMALS, 0)),
        field(0x48, "normals stride", LoadedValue::Number(4)),
        field(0x4C, "tangents stream", pointer(model, TANGENTS, 0)),
        field(0x50, "tangents stride", tangent_stride),
        field(0x54, "bitangents stream", pointer(model, TANGENTS, 4)),
        field(0x58, "bitangents stride", tangent_stride),
        field(0x5C, "uv0 stream", pointer(model, UV0, 0)),
        field(0x60, "uv0 stride", LoadedValue::Number(4)),
        field(0x68, "stream 18 stride", LoadedValue::Number(if has(STREAM18) { 4 } else { 0 })),
        field(0x8C, "stream 15", pointer(model, EXTRA15, 0)),
        field(0x90, "stream 15 stride", LoadedValue::Number(8)),
        field(0x94, "always 0", LoadedValue::Number(0)),
        field(0x9C, "frames: attr2 of stream 19", LoadedValue::Number(attr(FRAME_MAP, 1))),
        field(0xA0, "probes: attr1 of stream 20, 0 without it", LoadedValue::Number(attr(PROBES, 0))),
    ]
}

fn pointer(model: &ModelView<'_>, stream: u32, at: usize) -> LoadedValue {
    attributes(model, stream).map_or(LoadedValue::Null, |_| LoadedValue::Pointer { stream, at })
}

/// The attributes of a stream, if the model has it.
fn attributes(model: &ModelView<'_>, stream: u32) -> Option<[u32; 3]> {
    let all = [
        model.nodes.as_ref().map(|table| table.stream),
        model.legacy_nodes,
        model.slots.as_ref().map(|table| table.stream),
        model.positions.as_ref().map(|table| table.stream),
        model.normals.as_ref().map(|table| table.stream),
        model.uv0.as_ref().map(|table| table.stream),
        model.indices.as_ref().map(|table| table.stream),
        model.faces.as_ref().map(|table| table.stream),
        model.keys.as_ref().map(|table| table.stream),
        model.labels.as_ref().map(|labels| labels.stream),
        model.batches.as_ref().map(|table| table.stream),
        model.extra15.as_ref().map(|table| table.stream),
        model.tangents.as_ref().map(|table| table.stream),
        model.stream18.as_ref().map(|table| table.stream),
        model.frame_map.as_ref().map(|table| table.stream),
        model.probes.as_ref().map(|table| table.stream),
    ];
    all.into_iter().flatten().find(|found| found.type_id == stream).map(|found| found.attr)
}

fn name(stream: u32) -> &'static str {
    super::streams::by_id(stream).map_or("", |spec| spec.name)
}

#[cfg(test)]
mod tests {
    use galvani_core::Reading;

    use super::*;
    use crate::msh::Stream;

    fn model(streams: &[(u32, [u32; 3])]) -> Vec<Field> {
        let stream = |(entry, &(type_id, attr)): (usize, &(u32, [u32; 3]))| Stream {
            entry,
            type_id,
            attr,
            bytes: &[],
        };
        fields(&ModelView::new(streams.iter().enumerate().map(stream), Reading::Documented))
    }

    fn at(fields: &[Field], offset: u8) -> LoadedValue {
        fields.iter().find(|field| field.offset == offset).unwrap().value
    }

    #[test]
    fn every_field_lies_inside_the_structure_once() {
        let fields = model(&[]);
        assert_eq!(fields.len(), 32);
        assert!(fields.is_sorted_by(|a, b| a.offset < b.offset));
        assert!(fields.iter().all(|field| field.offset <= STRUCT_LEN - 4));
    }

    #[test]
    fn slots_start_behind_the_bounds() {
        assert_eq!(at(&model(&[(2, [0, 0, 68])]), 0x08), LoadedValue::Pointer { stream: 2, at: 0x8C });
        assert_eq!(at(&model(&[]), 0x08), LoadedValue::Null);
    }

    #[test]
    fn frames_are_the_second_attribute_of_stream_19() {
        assert_eq!(at(&model(&[(19, [64, 32, 2])]), 0x9C), LoadedValue::Number(32));
    }

    #[test]
    fn probes_are_counted_only_when_stream_20_is_there() {
        assert_eq!(at(&model(&[(20, [3, 7, 48])]), 0xA0), LoadedValue::Number(3));
        assert_eq!(at(&model(&[(19, [3, 7, 48])]), 0xA0), LoadedValue::Number(0));
    }

    #[test]
    fn strides_of_stream_16_are_left_alone_when_it_is_missing() {
        let without = model(&[]);
        assert_eq!((at(&without, 0x4C), at(&without, 0x50)), (LoadedValue::Null, LoadedValue::Untouched));
        let with = model(&[(16, [0, 0, 8])]);
        assert_eq!(at(&with, 0x54), LoadedValue::Pointer { stream: 16, at: 4 });
        assert_eq!((at(&with, 0x50), at(&with, 0x58)), (LoadedValue::Number(8), LoadedValue::Number(8)));
    }
}
