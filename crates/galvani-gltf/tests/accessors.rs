//! Lists of numbers, however they lie in their bytes, held against a slow reading of one number at a time.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "what the numbers are"
)]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use galvani_core::Meter;
use galvani_gltf::document::{Data, Document, check};
use proptest::prelude::*;
use serde_json::json;

const COMPONENTS: [(u32, usize); 6] = [(5120, 1), (5121, 1), (5122, 2), (5123, 2), (5125, 4), (5126, 4)];
const SHAPES: [(&str, usize, usize); 7] = [
    ("SCALAR", 1, 1),
    ("VEC2", 1, 2),
    ("VEC3", 1, 3),
    ("VEC4", 1, 4),
    ("MAT2", 2, 2),
    ("MAT3", 3, 3),
    ("MAT4", 4, 4),
];

/// A list and all that is said of it.
#[derive(Debug, Clone)]
struct Case {
    component: usize,
    shape: usize,
    normalized: bool,
    count: usize,
    /// Bytes between two elements, if that is said.
    gap: Option<usize>,
    offset: usize,
    has_base: bool,
    /// Elements that are different.
    others: Vec<usize>,
    /// What an index of these is.
    index: usize,
    bytes: Vec<u8>,
}

fn cases() -> impl Strategy<Value = Case> {
    let others = prop::collection::btree_set(0..6_usize, 0..4);
    let first =
        (0..COMPONENTS.len(), 0..SHAPES.len(), any::<bool>(), 1..6_usize, prop::option::of(0..9_usize));
    let second = (0..5_usize, any::<bool>(), others, prop::sample::select(vec![1_usize, 3, 4]));
    (first, second, prop::collection::vec(any::<u8>(), 1500)).prop_map(|(first, second, bytes)| {
        let (component, shape, normalized, count, gap) = first;
        let (offset, has_base, others, index) = second;
        let others = others.into_iter().filter(|other| *other < count).collect();
        Case { component, shape, normalized, count, gap, offset, has_base, others, index, bytes }
    })
}

impl Case {
    fn size(&self) -> usize {
        COMPONENTS[self.component].1
    }

    /// Where each number of an element lies, and how long one is without and with what aligns the next.
    fn layout(&self) -> (Vec<usize>, usize, usize) {
        let (_, columns, rows) = SHAPES[self.shape];
        let column = if columns == 1 { rows * self.size() } else { (rows * self.size()).div_ceil(4) * 4 };
        let places = (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r)));
        let places: Vec<usize> = places.map(|(c, r)| c * column + r * self.size()).collect();
        let len = places.last().unwrap() + self.size();
        (places, len, column * columns)
    }

    fn stride(&self) -> usize {
        let (_, _, packed) = self.layout();
        self.gap.map_or(packed, |gap| packed + gap)
    }

    /// The document: first the list, then the indices of the others, then these.
    fn document(&self) -> Document {
        self.document_saying(None)
    }

    /// The same that says what its least and greatest numbers are.
    fn document_saying(&self, bounds: Option<&[Vec<f64>; 2]>) -> Document {
        let (_, len, packed) = self.layout();
        let (index_type, index_size) = COMPONENTS[self.index];
        let base_len = self.offset + self.stride() * (self.count - 1) + len;
        let values_len = packed * self.others.len();
        let mut bytes = self.bytes[..base_len].to_vec();
        for other in &self.others {
            bytes.extend(&other.to_le_bytes()[..index_size]);
        }
        let indices_end = bytes.len();
        bytes.extend(&self.bytes[700..700 + values_len]);
        let mut view = json!({"buffer": 0, "byteLength": base_len});
        if self.gap.is_some() {
            view["byteStride"] = json!(self.stride());
        }
        let (component, shape) = (COMPONENTS[self.component].0, SHAPES[self.shape].0);
        let mut accessor = json!({
            "componentType": component, "type": shape, "count": self.count, "normalized": self.normalized,
        });
        if let Some([least, most]) = bounds {
            (accessor["min"], accessor["max"]) = (json!(least), json!(most));
        }
        if self.has_base {
            accessor["bufferView"] = json!(0);
            accessor["byteOffset"] = json!(self.offset);
        }
        if !self.others.is_empty() {
            accessor["sparse"] = json!({
                "count": self.others.len(),
                "indices": {"bufferView": 1, "componentType": index_type},
                "values": {"bufferView": 2},
            });
        }
        let text = json!({
            "asset": {"version": "2.0"},
            "accessors": [accessor],
            "bufferViews": [
                view,
                {"buffer": 0, "byteOffset": base_len, "byteLength": indices_end - base_len},
                {"buffer": 0, "byteOffset": indices_end, "byteLength": values_len},
            ],
            "buffers": [{
                "byteLength": bytes.len(),
                "uri": format!("data:;base64,{}", BASE64_STANDARD.encode(&bytes)),
            }],
        });
        Document::read(text.to_string().as_bytes()).unwrap()
    }

    /// Every number, one after the other.
    fn slow(&self) -> Vec<f32> {
        let (places, _, packed) = self.layout();
        let mut all = Vec::new();
        for i in 0..self.count {
            let other = self.others.iter().position(|other| *other == i);
            let start = other.map_or(self.offset + i * self.stride(), |other| 700 + other * packed);
            let is_zero = other.is_none() && !self.has_base;
            all.extend(places.iter().map(|place| if is_zero { 0.0 } else { self.number(start + place) }));
        }
        all
    }

    fn number(&self, at: usize) -> f32 {
        let mut word = [0; 4];
        word[..self.size()].copy_from_slice(&self.bytes[at..at + self.size()]);
        let bits = u32::from_le_bytes(word);
        let (value, most) = match COMPONENTS[self.component].0 {
            5120 => (f32::from(bits as u8 as i8), 127.0),
            5121 => (f32::from(bits as u8), 255.0),
            5122 => (f32::from(bits as u16 as i16), 32767.0),
            5123 => (f32::from(bits as u16), 65535.0),
            5125 => return bits as f32,
            _ => return f32::from_bits(bits),
        };
        if self.normalized { (value / most).max(-1.0) } else { value }
    }
}

/// Every number of the only list.
fn fast<const N: usize>(document: &Document) -> Vec<f32> {
    let view = document.view().unwrap();
    let data = Data::new(document, &view, &Meter::unlimited()).unwrap();
    let rows = data.items(0).unwrap().floats(&Meter::unlimited(), |row: [f32; N]| row).unwrap();
    rows.into_flattened()
}

proptest! {
    #[test]
    fn every_list_is_read_as_it_lies(case in cases()) {
        let document = case.document();
        let (_, columns, rows) = SHAPES[case.shape];
        let found = match columns * rows {
            1 => fast::<1>(&document),
            2 => fast::<2>(&document),
            3 => fast::<3>(&document),
            4 => fast::<4>(&document),
            9 => fast::<9>(&document),
            _ => fast::<16>(&document),
        };
        let bits = |numbers: &[f32]| numbers.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&found), bits(&case.slow()));
    }
}

/// What a check says of the only list, by the names of the codes.
fn said(document: &Document) -> Vec<&'static str> {
    check(document).findings().iter().map(|found| found.code.name).collect()
}

proptest! {
    #[test]
    fn bounds_are_those_of_the_numbers(case in cases(), at in any::<prop::sample::Index>(), is_most: bool) {
        // Numbers that nobody wrote down are not looked at.
        prop_assume!(case.has_base || !case.others.is_empty());
        let numbers = Case { normalized: false, ..case.clone() }.slow();
        if numbers.iter().any(|number| !number.is_finite()) {
            prop_assert!(said(&case.document()).contains(&"gltf.not-finite"));
            return Ok(());
        }
        let (_, columns, rows) = SHAPES[case.shape];
        let of = |part: usize| numbers.iter().skip(part).step_by(columns * rows).map(|it| f64::from(*it));
        let least = (0..columns * rows).map(|part| of(part).fold(f64::INFINITY, f64::min)).collect();
        let most = (0..columns * rows).map(|part| of(part).fold(f64::NEG_INFINITY, f64::max)).collect();
        let mut bounds: [Vec<f64>; 2] = [least, most];
        let found = said(&case.document_saying(Some(&bounds)));
        prop_assert!(!found.contains(&"gltf.min-max") && !found.contains(&"gltf.not-finite"), "{:?}", found);
        let wrong = &mut bounds[usize::from(is_most)];
        let at = at.index(wrong.len());
        wrong[at] += 1.0 + wrong[at].abs();
        prop_assert!(said(&case.document_saying(Some(&bounds))).contains(&"gltf.min-max"), "{:?}", bounds);
    }
}

#[test]
fn a_list_without_bytes_is_charged_before_it_is_made() {
    let text = r#"{"asset":{"version":"2.0"},"accessors":[{"componentType":5126,"type":"MAT4","count":4294967295}]}"#;
    let document = Document::read(text.as_bytes()).unwrap();
    let view = document.view().unwrap();
    let meter = galvani_core::Budget { memory: Some(1 << 20), work: None }
        .meter(&galvani_core::Allowance { memory: NONE, work: NONE }, 0);
    let data = Data::new(&document, &view, &meter).unwrap();
    let refused = data.items(0).unwrap().floats(&meter, |row: [f32; 16]| row).unwrap_err();
    assert_eq!(refused.cause.code, &galvani_core::budget::OUT_OF_MEMORY);
}

const NONE: galvani_core::budget::Share = galvani_core::budget::Share { base: 0, per_byte: 0 };
