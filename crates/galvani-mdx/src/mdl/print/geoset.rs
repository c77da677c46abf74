//! The lists of geosets, and shapes.

use galvani_core::record::Record;
use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, U16, U32};

use super::super::words::Words;
use super::Printer;
use crate::model::StoredSkin;

/// Triangles, the only kind of faces that words have.
pub(in super::super) const TRIANGLES: u32 = 4;

/// Bones and weights of a vertex.
pub(in super::super) const SKIN_ROW: usize = 8;

/// From this version on bones and weights take two bytes each.
pub(in super::super) const WIDE_SKIN: u32 = 1400;

impl Printer {
    /// Rows of numbers behind their count.
    pub(in super::super) fn rows<T: Record>(&mut self, word: &str, rows: &[T]) {
        self.counted(word, rows.len());
        for row in rows {
            self.start();
            let floats = <[F32]>::ref_from_bytes(row.as_bytes()).unwrap_or_default();
            self.tuple(floats.iter().copied());
            self.end();
        }
        self.close();
    }

    /// Whole numbers, separated.
    fn list(&mut self, values: impl Iterator<Item = u32>) {
        for (i, value) in values.enumerate() {
            if i > 0 {
                self.put(b", ");
            }
            self.number(value.into());
        }
    }

    pub(super) fn print_vertex_groups(&mut self, word: &str, groups: &[u8]) {
        if groups.is_empty() {
            return;
        }
        self.word(word);
        self.open();
        for group in groups {
            self.start();
            self.number((*group).into());
            self.end();
        }
        self.close();
    }

    pub(super) fn print_skin(&mut self, skin: Option<&StoredSkin>) {
        let Some(skin) = skin else { return };
        let values = skin.values();
        self.counted("SkinWeights", values.len() / SKIN_ROW);
        for row in values.chunks(SKIN_ROW) {
            self.start();
            if row.len() == SKIN_ROW {
                self.put(b"{ ");
                self.list(row.iter().copied());
                self.put(b" }");
            } else {
                self.list(row.iter().copied());
            }
            self.end();
        }
        self.close();
        if matches!(skin, StoredSkin::Bytes(_)) && self.context().version >= WIDE_SKIN {
            self.note("NarrowSkin", &[]);
        }
    }

    pub(super) fn print_faces(&mut self, kinds: &[U32], counts: &[U32], corners: &[U16]) {
        let all = u32::try_from(corners.len()).unwrap_or(u32::MAX);
        let is_usual = kinds == [U32::new(TRIANGLES)] && counts == [U32::new(all)];
        if kinds.is_empty() && counts.is_empty() && corners.is_empty() {
            return;
        }
        self.head("Faces");
        self.number(1);
        self.put(b" ");
        self.number(all.into());
        self.open();
        self.word("Triangles");
        self.open();
        self.start();
        self.put(b"{ ");
        self.list(corners.iter().map(|corner| corner.get().into()));
        self.put(b" }");
        self.end();
        self.close();
        self.close();
        if !is_usual {
            // How the corners are divided, as long as there are as many.
            self.in_notes(|out| {
                out.head("FaceKinds");
                out.number(all.into());
                out.put(b" { ");
                out.list(kinds.iter().map(|kind| kind.get()));
                out.put(b" } { ");
                out.list(counts.iter().map(|count| count.get()));
                out.put(b" }");
                out.end();
            });
        }
    }

    pub(super) fn print_groups(&mut self, sizes: &[U32], matrices: &[U32]) {
        if sizes.is_empty() && matrices.is_empty() {
            return;
        }
        self.head("Groups");
        self.number(i64::try_from(sizes.len()).unwrap_or(i64::MAX));
        self.put(b" ");
        self.number(i64::try_from(matrices.len()).unwrap_or(i64::MAX));
        self.open();
        let (mut rest, mut is_even) = (matrices, true);
        for size in sizes {
            let size = usize::try_from(size.get()).unwrap_or(usize::MAX);
            let (group, behind) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            is_even &= group.len() == size;
            self.matrices(group);
            rest = behind;
        }
        if !rest.is_empty() {
            self.matrices(rest);
            is_even = false;
        }
        self.close();
        if !is_even {
            // The sizes that words cannot say, as long as there are as many matrices.
            self.in_notes(|out| {
                out.head("GroupSizes");
                out.number(i64::try_from(matrices.len()).unwrap_or(i64::MAX));
                out.put(b" { ");
                out.list(sizes.iter().map(|size| size.get()));
                out.put(b" }");
                out.end();
            });
        }
    }

    fn matrices(&mut self, group: &[U32]) {
        self.head("Matrices");
        self.put(b"{ ");
        self.list(group.iter().map(|node| node.get()));
        self.put(b" }");
        self.end();
    }

    /// What a shape is and its measures (docs/formats/mdl.md#shapes).
    pub(super) fn print_shape(&mut self, kind: u32, measures: &[F32]) {
        let (word, corners, radius) = match (kind, measures) {
            (2, [corner @ .., radius]) => ("Sphere", corner, Some(radius)),
            (1, [corner @ .., _, radius]) if measures.len() == 5 => ("Cylinder", corner, Some(radius)),
            (3, [corners @ .., radius]) if measures.len() == 7 => ("Cylinder", corners, Some(radius)),
            (3, [_, _]) => ("Plane", &[][..], None),
            (1, corners) => ("Plane", corners, None),
            (_, corners) => ("Box", corners, None),
        };
        self.word(word);
        self.end();
        if !corners.is_empty() {
            self.counted("Vertices", corners.len() / 3);
            for corner in corners.chunks(3) {
                self.start();
                self.tuple(corner.iter().copied());
                self.end();
            }
            self.close();
        }
        if let Some(radius) = radius {
            self.head("BoundsRadius");
            self.real(*radius);
            self.end();
        }
        // The game's own cylinders and planes have measures that text has no words for.
        let own: &[F32] = match (kind, measures) {
            (1, [_, _, _, height, _]) => std::slice::from_ref(height),
            (3, measures @ [_, _]) => measures,
            _ => &[],
        };
        if !own.is_empty() {
            self.in_notes(|out| {
                out.head("Measures");
                out.tuple(own.iter().copied());
                out.end();
            });
        }
    }
}
