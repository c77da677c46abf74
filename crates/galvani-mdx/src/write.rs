//! [`Document`] → bytes.

use galvani_core::{Path, WriteError};

use crate::held::Records;
use crate::model::{Write, write_batches};
use crate::out::Out;
use crate::{Content, Document, MAGIC, check};

/// Writes a model from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let mut out = Out::default();
    out.bytes(&MAGIC);
    for chunk in &document.chunks {
        out.bytes(&chunk.tag);
        out.chunk(|out| chunk.content.write(out));
    }
    out.raw(&document.tail);
    if let Some(problem) = out.problem {
        return Err(problem.into());
    }
    // Every size and count in the file is smaller than the file.
    if u32::try_from(out.bytes.len()).is_err() {
        let found = format!("{} bytes", out.bytes.len());
        return Err(check::TOO_LARGE.at(Path::of("chunks")).saying(found).into());
    }
    Ok(out.bytes)
}

impl Write for Content {
    fn write(&self, out: &mut Out) {
        match self {
            Content::Version(version) => out.u32(*version),
            Content::Model(model) => model.write(out),
            Content::Sequences(sequences) => sequences.write(out),
            Content::Globals(lengths) => out.record(lengths.as_slice()),
            Content::Textures(textures) => out.record(textures.as_slice()),
            Content::Materials(records) => records.write(out),
            Content::TextureAnimations(records) => records.write(out),
            Content::Geosets(records) => records.write(out),
            Content::Batches(batches) => write_batches(batches, out),
            Content::GeosetAnimations(records) => records.write(out),
            Content::Bones(records) => records.write(out),
            Content::Helpers(records) => records.write(out),
            Content::Lights(records) => records.write(out),
            Content::Attachments(records) => records.write(out),
            Content::Pivots(pivots) => out.record(pivots.as_slice()),
            Content::Emitters(records) => records.write(out),
            Content::Emitters2(records) => records.write(out),
            Content::Ribbons(records) => records.write(out),
            Content::Cameras(records) => records.write(out),
            Content::Events(records) => records.write(out),
            Content::CollisionShapes(records) => records.write(out),
            Content::CollisionMesh(mesh) => mesh.write(out),
            Content::HitTests(records) => records.write(out),
            Content::Popcorn(records) => records.write(out),
            Content::FaceFx(rows) => out.record(rows.as_slice()),
            Content::BindPoses(poses) => {
                out.count(poses.len());
                out.record(poses.as_slice());
            }
            Content::Raw(raw) => out.raw(raw),
        }
    }
}

impl<T: Write> Write for Records<T> {
    fn write(&self, out: &mut Out) {
        for number in [self.count, self.unused].into_iter().flatten() {
            out.u32(number);
        }
        for item in &self.items {
            out.held(item, T::write);
        }
        out.raw(&self.rest);
    }
}

impl<T: Write> Write for Box<T> {
    fn write(&self, out: &mut Out) {
        T::write(self, out);
    }
}
