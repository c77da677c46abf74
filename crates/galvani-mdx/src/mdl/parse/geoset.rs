//! The lists of geosets, and shapes.

use galvani_core::room;
use zerocopy::little_endian::{F32, U16, U32};

use super::super::check;
use super::super::lex::Kind;
use super::super::print::{SKIN_ROW, TRIANGLES, WIDE_SKIN};
use super::{Parser, Phase, ShapeNotes};
use crate::model::{MEASURES, OTHER_MEASURES, StoredSkin};
use crate::wire::Vec3;

impl Parser<'_> {
    pub(super) fn parse_skin(&mut self, skin: &mut Option<StoredSkin>) {
        if self.phase == Phase::End {
            if let (Some(StoredSkin::Words(words)), true) = (&skin, self.notes.is_skin_narrow) {
                let bytes: Result<Vec<u8>, _> = words.iter().map(|word| u8::try_from(word.get())).collect();
                // Where a number no longer fits a byte, words win.
                *skin = bytes.ok().map(StoredSkin::Bytes).or_else(|| skin.take());
            }
            return;
        }
        if self.is_note("NarrowSkin") {
            self.notes.is_skin_narrow = true;
        } else if self.is("SkinWeights") {
            let (at, count) = (self.peek().at, self.count());
            let (read, len) = if self.context.version >= WIDE_SKIN {
                let words: Vec<U16> = self.whole_list(Some(u16::MAX.into()));
                let len = words.len();
                (StoredSkin::Words(words), len)
            } else {
                let bytes: Vec<u8> = self.whole_list(None);
                let len = bytes.len();
                (StoredSkin::Bytes(bytes), len)
            };
            self.compare(at, count, len / SKIN_ROW);
            *skin = Some(read);
        }
    }

    pub(super) fn parse_faces(
        &mut self,
        kinds: &mut Vec<U32>,
        counts: &mut Vec<U32>,
        corners: &mut Vec<U16>,
    ) {
        if self.phase == Phase::End {
            if let Some((len, noted_kinds, noted_counts)) = self.notes.face_kinds.take()
                && len == corners.len()
            {
                (*kinds, *counts) = (noted_kinds, noted_counts);
            }
            return;
        }
        if self.is_note("FaceKinds") {
            let len = self.count().and_then(|len| usize::try_from(len).ok());
            let kinds = self.whole_list(Some(u32::MAX.into()));
            let counts = self.whole_list(Some(u32::MAX.into()));
            self.notes.face_kinds = len.map(|len| (len, kinds, counts));
        } else if self.is("Faces") {
            let at = self.peek().at;
            let (_, total) = (self.count(), self.count());
            if !self.open() {
                return;
            }
            let mut all: Vec<U16> = Vec::new();
            self.items(|parser| {
                if parser.is("Triangles") {
                    let mut more = parser.whole_list(Some(u16::MAX.into()));
                    let reserved = room::reserve(&mut all, more.len());
                    if parser.room(reserved).is_some() {
                        all.append(&mut more);
                    }
                }
            });
            self.is_taken = true;
            self.compare(at, total, all.len());
            *kinds = vec![U32::new(TRIANGLES)];
            *counts = vec![u32::try_from(all.len()).unwrap_or(u32::MAX).into()];
            *corners = all;
        }
    }

    pub(super) fn parse_groups(&mut self, sizes: &mut Vec<U32>, matrices: &mut Vec<U32>) {
        if self.phase == Phase::End {
            if let Some((len, noted)) = self.notes.group_sizes.take()
                && len == matrices.len()
            {
                *sizes = noted;
            }
            return;
        }
        if self.is_note("GroupSizes") {
            let len = self.count().and_then(|len| usize::try_from(len).ok());
            let sizes = self.whole_list(Some(u32::MAX.into()));
            self.notes.group_sizes = len.map(|len| (len, sizes));
        } else if self.is("Groups") {
            let (at, groups) = (self.peek().at, self.count());
            let (behind, total) = (self.peek().at, self.count());
            if !self.open() {
                return;
            }
            let (mut found_sizes, mut found): (Vec<U32>, Vec<U32>) = (Vec::new(), Vec::new());
            self.items(|parser| {
                if parser.is("Matrices") {
                    let mut group = parser.whole_list(Some(u32::MAX.into()));
                    let size = u32::try_from(group.len()).unwrap_or(u32::MAX);
                    parser.keep(&mut found_sizes, Some(U32::new(size)));
                    let reserved = room::reserve(&mut found, group.len());
                    if parser.room(reserved).is_some() {
                        found.append(&mut group);
                    }
                }
            });
            self.is_taken = true;
            self.compare(at, groups, found_sizes.len());
            self.compare(behind, total, found.len());
            (*sizes, *matrices) = (found_sizes, found);
        }
    }

    pub(super) fn parse_shape(&mut self, kind: &mut u32, measures: &mut Vec<F32>) {
        if self.phase == Phase::End {
            let notes = std::mem::take(&mut self.notes.shape);
            (*kind, *measures) = notes.shape();
            return;
        }
        for word in ["Box", "Plane", "Sphere", "Cylinder"] {
            if self.is(word) {
                self.notes.shape.word = Some(word);
            }
        }
        if self.is("Vertices") {
            let rows: Vec<Vec3> = self.rows();
            self.notes.shape.corners = rows.iter().flat_map(|row| [row.x, row.y, row.z]).collect();
        } else if self.is("BoundsRadius") {
            if let Some(radius) = self.real() {
                self.notes.shape.radius = radius;
            }
        } else if self.is_note("Measures") {
            let mut own = Vec::new();
            let start = self.peek();
            if self.take_if(Kind::Open).is_none() {
                self.tell(&check::NOTE, start.at, "numbers in braces wanted");
                return;
            }
            while self.peek().kind != Kind::Close && own.len() < 2 {
                let Some(value) = self.real() else { break };
                own.push(value);
            }
            self.take_if(Kind::Close);
            self.notes.shape.measures = own;
        }
    }
}

impl ShapeNotes {
    /// The type and measures of what was said (docs/formats/mdl.md#shapes).
    fn shape(self) -> (u32, Vec<F32>) {
        let ShapeNotes { word, mut corners, radius, measures } = self;
        let mut filled = |count: usize| {
            corners.resize(count, F32::new(0.0));
            std::mem::take(&mut corners)
        };
        let [boxed, game_cylinder, sphere, game_plane] = MEASURES;
        let [_, plane, _, cylinder] = OTHER_MEASURES;
        match (word, measures.as_slice()) {
            (Some("Sphere"), _) => (2, [filled(sphere.saturating_sub(1)), vec![radius]].concat()),
            (Some("Cylinder"), [height]) => {
                let base = filled(game_cylinder.saturating_sub(2));
                (1, [base, vec![*height, radius]].concat())
            }
            (Some("Cylinder"), _) => (3, [filled(cylinder.saturating_sub(1)), vec![radius]].concat()),
            (Some("Plane"), own) if own.len() == game_plane => (3, own.to_vec()),
            (Some("Plane"), _) => (1, filled(plane)),
            _ => (0, filled(boxed)),
        }
    }
}
