//! What a document holds as rows of tables over many documents, whatever their formats.

use std::borrow::Cow;
use std::collections::BTreeMap;

use galvani_core::FileMap;
use galvani_core::map::Shape;

use super::outline::wide;

/// A document that can say more of itself in tables than its bytes and findings.
pub trait Tabular {
    /// Which kind of its format it is.
    fn variety(&self) -> Variety {
        Variety::default()
    }
    /// Tells its rows, table by table, each in the order of the file.
    fn rows(&self, map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>));
}

/// Which kind of its format a document is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Variety {
    /// Whose it is, where several families share the format.
    pub family: Option<&'static str>,
    /// Which version.
    pub version: Option<u32>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum TableRow<'a> {
    /// A chunk, stream or entry.
    Section(SectionRow<'a>),
    /// A sequence, animation or entry of a pack.
    Clip(ClipRow<'a>),
    /// The keys of one property of one thing.
    Track(TrackRow<'a>),
    /// A node or bone.
    Node(NodeRow<'a>),
    /// A layer of a material, or a material without layers.
    Material(LayerRow<'a>),
}

/// A chunk, stream or entry.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionRow<'a> {
    /// Four letters, or a number.
    pub tag: Cow<'a, str>,
    /// Where its payload begins.
    pub offset: Option<u64>,
    /// Bytes of its payload.
    pub size: u64,
    /// Records in it, where its format counts them.
    pub count: Option<u64>,
}

/// A sequence, animation or entry of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipRow<'a> {
    /// What it is called; packs number theirs.
    pub name: Cow<'a, str>,
    /// Where it begins.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// What the two count.
    pub unit: TimeUnit,
    /// Whether it begins again, where its file says so.
    pub is_looping: Option<bool>,
    /// Keys or frames in it.
    pub keys: u64,
    /// Nodes that move in it.
    pub animated_nodes: u64,
}

/// What times count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    /// Frames of a rate that the file does not say.
    Frames,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
}

impl TimeUnit {
    /// The word for it in tables.
    pub fn word(self) -> &'static str {
        match self {
            TimeUnit::Frames => "frames",
            TimeUnit::Milliseconds => "ms",
            TimeUnit::Seconds => "s",
        }
    }
}

/// The keys of one property of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackRow<'a> {
    /// Whose it is: a path in the document.
    pub owner: Cow<'a, str>,
    /// Which property.
    pub tag: Cow<'a, str>,
    /// What is between the keys.
    pub interpolation: Cow<'a, str>,
    /// How many keys.
    pub keys: u64,
    /// When the first is, in the unit of the document's clips.
    pub first: Option<f64>,
    /// When the last is.
    pub last: Option<f64>,
}

/// A node or bone.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeRow<'a> {
    /// What it is called.
    pub name: Cow<'a, str>,
    /// What it is.
    pub kind: &'static str,
    /// The row of what it hangs on.
    pub parent: Option<u64>,
    /// Its flags, where it has some.
    pub flags: Option<u32>,
}

/// A layer of a material, or a material without layers.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerRow<'a> {
    /// Which material.
    pub material: u64,
    /// Which of its layers.
    pub layer: Option<u64>,
    /// What it is called.
    pub name: Cow<'a, str>,
    /// How it is drawn.
    pub blend: Cow<'a, str>,
    /// Its flags, where it has some.
    pub flags: Option<u32>,
}

/// The clip of animations that are one whole pose after another.
pub(super) fn frames_clip(frames: usize, nodes: usize) -> ClipRow<'static> {
    ClipRow {
        name: "".into(),
        start: 0.0,
        end: last_frame(frames),
        unit: TimeUnit::Frames,
        is_looping: None,
        keys: wide(frames),
        animated_nodes: if frames > 1 { wide(nodes) } else { 0 },
    }
}

/// Its one track.
pub(super) fn frames_track(owner: String, frames: usize) -> TrackRow<'static> {
    TrackRow {
        owner: owner.into(),
        tag: "frames".into(),
        interpolation: "step".into(),
        keys: wide(frames),
        first: (frames > 0).then_some(0.0),
        last: (frames > 0).then(|| last_frame(frames)),
    }
}

#[allow(clippy::cast_precision_loss, reason = "nobody has so many frames")]
fn last_frame(frames: usize) -> f64 {
    frames.saturating_sub(1) as f64
}

/// A bone on another.
#[cfg(feature = "ff7")]
pub(super) fn bone_row(name: Cow<'_, str>, parent: galvani_ff7::skeleton::Parent) -> NodeRow<'_> {
    use galvani_ff7::skeleton::Parent;
    let parent = match parent {
        Parent::Bone(bone) => Some(wide(bone)),
        Parent::Root | Parent::Nowhere => None,
    };
    NodeRow { name, kind: "bone", parent, flags: None }
}

/// Where tables of records begin, and how many records each has.
pub(super) fn counts_at(map: &FileMap) -> BTreeMap<usize, u64> {
    let tables = map.regions().filter_map(|region| match region.shape {
        Shape::Table { stride, .. } => {
            Some((region.start, wide(region.len.checked_div(stride).unwrap_or(0))))
        }
        Shape::Record(_) | Shape::Run(_) => None,
    });
    tables.collect()
}
