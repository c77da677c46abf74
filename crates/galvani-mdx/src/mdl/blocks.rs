//! What each block says (docs/formats/mdl.md#blocks): its words, their values and what stands where they are missing.

mod emitter;
mod geoset;
mod material;
mod node;
mod plain;

use galvani_core::record::Record;

/// A record whose every byte is zero.
fn zeroed<T: Record>() -> T {
    T::new_zeroed()
}
