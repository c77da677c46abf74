//! What the chunks hold, record by record: each file has a record, how it is read and how it is written.

mod emitter;
mod geoset;
mod light;
mod material;
mod node;
mod shape;
mod static_parts;

pub use emitter::{Block2, Emitter, Emitter2, Popcorn, Ribbon};
pub use geoset::{Batch, CollisionMesh, Geoset, PrimitiveTypes, StoredSkin, Texcoords, Weights};
pub use light::{Attachment, AttachmentFixed, Light};
pub use material::{
    GeosetAnimation, GeosetAnimationFixed, Layer, LayerTexture, LayerTextures, Material, TextureAnimation,
};
pub use node::{Bone, Event, Node};
pub use shape::{CollisionShape, HitTest};
pub use static_parts::{Camera, ModelChunk, ModelEnd, Sequences};

pub(crate) use shape::{MEASURES, OTHER_MEASURES};

use crate::out::Out;

/// Writes a record as it lies in the file.
pub(crate) trait Write {
    /// Writes all of it, its frame included.
    fn write(&self, out: &mut Out);
}

impl<T: Write> Write for Box<T> {
    fn write(&self, out: &mut Out) {
        T::write(self, out);
    }
}
