//! The streams of a model: numbers, names, sizes and attributes (docs/formats/msh.md#streams).

use std::array::from_fn;
use std::sync::LazyLock;

/// Nodes.
pub const NODES: u32 = 1;
/// Bounds of the model, and slots.
pub const SLOTS: u32 = 2;
/// Positions.
pub const POSITIONS: u32 = 3;
/// Normals.
pub const NORMALS: u32 = 4;
/// Texture coordinates.
pub const UV0: u32 = 5;
/// Indices.
pub const INDICES: u32 = 6;
/// Triangles for collision and picking.
pub const FACES: u32 = 7;
/// Keys.
pub const KEYS: u32 = 8;
/// Names of nodes.
pub const NAMES: u32 = 9;
/// Labels of nodes.
pub const LABELS: u32 = 10;
/// Batches.
pub const BATCHES: u32 = 13;
/// Eight bytes per vertex.
pub const EXTRA15: u32 = 15;
/// Tangents and bitangents.
pub const TANGENTS: u32 = 16;
/// The hall-way graph.
pub const HALLWAYS: u32 = 17;
/// Lightmap coordinates, or colours.
pub const STREAM18: u32 = 18;
/// The frame map.
pub const FRAME_MAP: u32 = 19;
/// Light probes.
pub const PROBES: u32 = 20;

/// What `Res1.attr3` is in the one model of an older form.
pub const LEGACY_NODE: u32 = 24;

/// Bytes of the bounds before the slots.
pub const BOUNDS_LEN: usize = 0x8C;

/// How much a model needs a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// There is no model without it.
    Must,
    /// Every game model has it.
    Should,
    /// Nearly every game model has it.
    May,
    /// Only some models have it.
    Rare,
}

/// What is known of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// Its number.
    pub id: u32,
    /// Its name in paths.
    pub name: &'static str,
    /// Bytes of a record, 0 where they vary.
    pub stride: usize,
    /// How much a model needs it.
    pub need: Need,
    /// `attr2` of every game model, where it is not a value of its own.
    pub attr2: Option<u32>,
    /// `attr3` of every game model.
    pub attr3: Option<u32>,
    /// Whether it has one record per vertex.
    pub per_vertex: bool,
}

/// Every stream, in the order of the game's files.
pub const ALL: &[Spec] = &[
    spec(NODES, "nodes", 38, Need::Must, None, Some(38), false),
    spec(SLOTS, "slots", 68, Need::Must, Some(0), Some(68), false),
    spec(POSITIONS, "positions", 12, Need::Must, Some(0), Some(12), false),
    spec(NORMALS, "normals", 4, Need::Should, Some(0), Some(4), true),
    spec(UV0, "uv0", 4, Need::Should, Some(0), Some(4), true),
    spec(STREAM18, "stream18", 4, Need::Rare, Some(0), Some(4), true),
    spec(EXTRA15, "extra15", 8, Need::May, Some(0), Some(8), true),
    spec(BATCHES, "batches", 20, Need::Must, Some(0), Some(20), false),
    spec(INDICES, "indices", 2, Need::Must, Some(0), Some(2), false),
    spec(FACES, "faces", 16, Need::Should, Some(0), Some(16), false),
    spec(KEYS, "keys", 24, Need::Should, Some(0), Some(4), false),
    spec(FRAME_MAP, "frame_map", 2, Need::Should, None, Some(2), false),
    spec(NAMES, "names", 32, Need::May, None, None, false),
    spec(LABELS, "labels", 0, Need::Should, Some(0), Some(0), false),
    spec(HALLWAYS, "hallways", 0, Need::May, None, None, false),
    spec(PROBES, "probes", 48, Need::Rare, None, Some(48), false),
    spec(TANGENTS, "tangents", 8, Need::Rare, None, Some(8), true),
];

const fn spec(
    id: u32,
    name: &'static str,
    stride: usize,
    need: Need,
    attr2: Option<u32>,
    attr3: Option<u32>,
    per_vertex: bool,
) -> Spec {
    Spec { id, name, stride, need, attr2, attr3, per_vertex }
}

/// What is known of a stream with that number.
pub fn by_id(id: u32) -> Option<&'static Spec> {
    usize::try_from(id).ok().and_then(|id| BY_ID.get(id).copied().flatten())
}

/// [`ALL`] by number: every stream of every model is looked up several times.
static BY_ID: LazyLock<[Option<&Spec>; 32]> =
    LazyLock::new(|| from_fn(|id| ALL.iter().find(|spec| usize::try_from(spec.id) == Ok(id))));
