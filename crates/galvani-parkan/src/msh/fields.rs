//! How each reading names the fields of a stream's records (docs/formats/msh.md#readings).

use galvani_core::Reading;
use galvani_core::record::{Field, Record};

use super::streams::{
    BATCHES, EXTRA15, FACES, FRAME_MAP, INDICES, KEYS, NAMES, NODES, NORMALS, POSITIONS, PROBES, SLOTS,
    STREAM18, TANGENTS, UV0,
};
use super::wire::{self, documented, observed};

/// The records of a stream under a reading: name of the list, fields and bytes of one. For stream 2 the slots;
/// `None` for streams whose records vary.
pub fn fields_of(stream: u32, reading: Reading) -> Option<(&'static str, &'static [Field], usize)> {
    let seen = reading == Reading::Observed;
    Some(match stream {
        NODES => row::<wire::Node>("nodes"),
        SLOTS if seen => row::<observed::ObservedSlot>("slots"),
        SLOTS => row::<documented::DocumentedSlot>("slots"),
        POSITIONS => row::<wire::Position>("positions"),
        NORMALS => row::<wire::Normal>("normals"),
        UV0 if seen => row::<observed::ObservedUv>("uv0"),
        UV0 => row::<documented::DocumentedUv>("uv0"),
        INDICES => row::<wire::Index>("indices"),
        FACES => row::<wire::Face>("faces"),
        KEYS if seen => row::<observed::ObservedKey>("keys"),
        KEYS => row::<documented::DocumentedKey>("keys"),
        NAMES => row::<wire::NodeName>("names"),
        BATCHES if seen => row::<observed::ObservedBatch>("batches"),
        BATCHES => row::<documented::DocumentedBatch>("batches"),
        EXTRA15 => row::<wire::Extra15>("extra15"),
        TANGENTS => row::<wire::Tangents>("tangents"),
        STREAM18 if seen => row::<observed::LightmapUv>("lightmap_uv"),
        STREAM18 => row::<documented::VertexColour>("colours"),
        FRAME_MAP => row::<wire::MapWord>("frame_map"),
        PROBES => row::<wire::Probe>("probes"),
        _ => return None,
    })
}

fn row<T: Record>(name: &'static str) -> (&'static str, &'static [Field], usize) {
    (name, T::FIELDS, size_of::<T>())
}
