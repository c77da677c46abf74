//! A model seen through its bytes: typed slices, borrowed from a file or from a document.

use galvani_core::record::Record;
use galvani_core::{Reading, text};
use zerocopy::FromBytes;

use super::streams::{
    BATCHES, BOUNDS_LEN, EXTRA15, FACES, FRAME_MAP, HALLWAYS, INDICES, KEYS, LABELS, LEGACY_NODE, NAMES,
    NODES, NORMALS, POSITIONS, PROBES, SLOTS, STREAM18, TANGENTS, UV0,
};
use super::wire;

/// How many labels are told apart in a model without nodes.
const SURPLUS_LABELS: usize = 64;

/// One stream of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream<'a> {
    /// Its place in the directory.
    pub entry: usize,
    /// Its number.
    pub type_id: u32,
    /// `attr1`, `attr2`, `attr3` of its record.
    pub attr: [u32; 3],
    /// All of it.
    pub bytes: &'a [u8],
}

/// A stream as records.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StreamTable<'a, T> {
    /// The stream.
    pub stream: Stream<'a>,
    /// Its whole records.
    pub rows: &'a [T],
    /// Bytes behind the last whole record.
    pub rest: &'a [u8],
}

/// The streams of a model, typed. Of several streams of one number the first counts, as in the game.
#[derive(Debug, Clone, Default)]
pub struct ModelView<'a> {
    /// Documented or observed.
    pub reading: Reading,
    /// Stream 1, unless of the older form.
    pub nodes: Option<StreamTable<'a, wire::Node>>,
    /// Stream 1 of the older form: `attr3` is 24, and nobody knows the records.
    pub legacy_nodes: Option<Stream<'a>>,
    /// Stream 2, first part.
    pub bounds: Option<&'a wire::Bounds>,
    /// Stream 2, second part.
    pub slots: Option<StreamTable<'a, wire::Slot>>,
    /// Stream 3.
    pub positions: Option<StreamTable<'a, wire::Position>>,
    /// Stream 4.
    pub normals: Option<StreamTable<'a, wire::Normal>>,
    /// Stream 5.
    pub uv0: Option<StreamTable<'a, wire::Uv>>,
    /// Stream 6.
    pub indices: Option<StreamTable<'a, wire::Index>>,
    /// Stream 7.
    pub faces: Option<StreamTable<'a, wire::Face>>,
    /// Stream 8.
    pub keys: Option<StreamTable<'a, wire::Key>>,
    /// Stream 9.
    pub names: Option<StreamTable<'a, wire::NodeName>>,
    /// Stream 10.
    pub labels: Option<Labels<'a>>,
    /// Stream 13.
    pub batches: Option<StreamTable<'a, wire::Batch>>,
    /// Stream 15.
    pub extra15: Option<StreamTable<'a, wire::Extra15>>,
    /// Stream 16.
    pub tangents: Option<StreamTable<'a, wire::Tangents>>,
    /// Stream 17, first part.
    pub waypoints: Option<StreamTable<'a, wire::Waypoint>>,
    /// Stream 17, second part.
    pub hallways: Option<StreamTable<'a, wire::Hallway>>,
    /// Stream 18.
    pub stream18: Option<StreamTable<'a, wire::Uv>>,
    /// Stream 19.
    pub frame_map: Option<StreamTable<'a, wire::MapWord>>,
    /// Stream 20.
    pub probes: Option<StreamTable<'a, wire::Probe>>,
    /// Streams of other numbers, and repeated ones.
    pub others: Vec<Stream<'a>>,
    /// Numbers of streams that the directory lists, but whose bytes are not in the file.
    pub outside: Vec<u32>,
}

/// Stream 10: a label per node, as far as it can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels<'a> {
    /// The stream.
    pub stream: Stream<'a>,
    /// One per node.
    pub rows: Vec<Label<'a>>,
    /// Bytes behind the last whole label.
    pub rest: &'a [u8],
}

/// A node's label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'a> {
    /// Where its length stands in the stream.
    pub start: usize,
    /// Its bytes; with `len` 0 there are none, else `len` and one that should be NUL.
    pub room: &'a [u8],
}

impl<'a> Label<'a> {
    /// The label; empty if the node has none.
    pub fn text(&self) -> &'a [u8] {
        text::before_nul(self.room)
    }
}

impl<'a> ModelView<'a> {
    /// Types the streams. What does not fit its record stays in `rest`.
    pub fn new(streams: impl Iterator<Item = Stream<'a>>, reading: Reading) -> Self {
        let mut model = ModelView { reading, ..ModelView::default() };
        for stream in streams {
            if !model.take(stream) {
                model.others.push(stream);
            }
        }
        model
    }

    /// Types the first stream of each number and leaves out the others.
    pub(super) fn of_first(streams: impl Iterator<Item = Stream<'a>>) -> Self {
        let mut model = ModelView::default();
        for stream in streams {
            model.take(stream);
        }
        model
    }

    /// Puts a stream in its place; false if it has none or that place is taken.
    fn take(&mut self, stream: Stream<'a>) -> bool {
        match stream.type_id {
            NODES if stream.attr[2] == LEGACY_NODE => {
                self.nodes.is_none() && fill_once(&mut self.legacy_nodes, || Some(stream))
            }
            NODES => {
                self.legacy_nodes.is_none() && fill_once(&mut self.nodes, || Some(StreamTable::new(stream)))
            }
            SLOTS => fill_once(&mut self.slots, || Some(slots(stream, &mut self.bounds))),
            POSITIONS => fill_once(&mut self.positions, || Some(StreamTable::new(stream))),
            NORMALS => fill_once(&mut self.normals, || Some(StreamTable::new(stream))),
            UV0 => fill_once(&mut self.uv0, || Some(StreamTable::new(stream))),
            INDICES => fill_once(&mut self.indices, || Some(StreamTable::new(stream))),
            FACES => fill_once(&mut self.faces, || Some(StreamTable::new(stream))),
            KEYS => fill_once(&mut self.keys, || Some(StreamTable::new(stream))),
            NAMES => fill_once(&mut self.names, || Some(StreamTable::new(stream))),
            LABELS => fill_once(&mut self.labels, || Some(Labels::new(stream))),
            BATCHES => fill_once(&mut self.batches, || Some(StreamTable::new(stream))),
            EXTRA15 => fill_once(&mut self.extra15, || Some(StreamTable::new(stream))),
            TANGENTS => fill_once(&mut self.tangents, || Some(StreamTable::new(stream))),
            HALLWAYS => self.take_hallways(stream),
            STREAM18 => fill_once(&mut self.stream18, || Some(StreamTable::new(stream))),
            FRAME_MAP => fill_once(&mut self.frame_map, || Some(StreamTable::new(stream))),
            PROBES => fill_once(&mut self.probes, || Some(StreamTable::new(stream))),
            _ => false,
        }
    }

    /// Stream 17 has two parts, and only its attributes say how long they are.
    fn take_hallways(&mut self, stream: Stream<'a>) -> bool {
        let [points, links, _] = stream.attr;
        let len = |count: u32, size: usize| usize::try_from(count).ok()?.checked_mul(size);
        let point_len = len(points, size_of::<wire::Waypoint>());
        let whole = point_len.zip(len(links, size_of::<wire::Hallway>())).and_then(|(a, b)| a.checked_add(b));
        if self.waypoints.is_some() {
            return false;
        }
        let fits = whole == Some(stream.bytes.len());
        let Some((points, links)) =
            point_len.filter(|_| fits).and_then(|len| stream.bytes.split_at_checked(len))
        else {
            // Nobody can tell the parts apart: all of it is rest.
            self.waypoints = Some(StreamTable { stream, rows: &[], rest: stream.bytes });
            return true;
        };
        self.waypoints = Some(StreamTable::from_stream(stream, points));
        self.hallways = Some(StreamTable::from_stream(stream, links));
        true
    }

    /// How many nodes the model has; none of the older form are counted.
    pub fn node_count(&self) -> usize {
        self.nodes.as_ref().map_or(0, |nodes| nodes.rows.len())
    }

    /// How many vertices the model has.
    pub fn vertex_count(&self) -> usize {
        self.positions.as_ref().map_or(0, |positions| positions.rows.len())
    }

    /// Whether the model has no stream 8: then every node stays at its parent's origin. A stream that is only
    /// out of reach makes no still model, for nobody knows its keys.
    pub fn is_still(&self) -> bool {
        self.keys.is_none() && !self.outside.contains(&KEYS)
    }

    /// Frames of the timeline: `attr2` of stream 19.
    pub fn frame_count(&self) -> u32 {
        self.frame_map.as_ref().map_or(0, |map| map.stream.attr[1])
    }

    /// The name of a node: under the observed reading from stream 9, else its label.
    pub fn node_name(&self, node: usize) -> &'a [u8] {
        match (self.reading, &self.names) {
            (Reading::Observed, Some(names)) => {
                names.rows.get(node).map_or(&[], |row| text::before_nul(&row.name.0))
            }
            (Reading::Observed, None) => &[],
            _ => self.label(node),
        }
    }

    /// The labels that belong to nodes. Surplus ones, of which a hostile file may have one per four bytes, are
    /// bytes without a name.
    pub fn named_labels(&self) -> &[Label<'a>] {
        let labels = self.labels.as_ref().map_or(&[][..], |labels| &labels.rows);
        labels.get(..self.node_count().max(SURPLUS_LABELS)).unwrap_or(labels)
    }

    /// The label of a node in stream 10.
    pub fn label(&self, node: usize) -> &'a [u8] {
        self.labels.as_ref().and_then(|labels| labels.rows.get(node)).map_or(&[], Label::text)
    }
}

/// Fills an empty place; false if it is taken.
fn fill_once<T>(place: &mut Option<T>, value: impl FnOnce() -> Option<T>) -> bool {
    let empty = place.is_none();
    if empty {
        *place = value();
    }
    empty
}

fn slots<'a>(stream: Stream<'a>, bounds: &mut Option<&'a wire::Bounds>) -> StreamTable<'a, wire::Slot> {
    match stream.bytes.split_at_checked(BOUNDS_LEN) {
        Some((head, slots)) => {
            *bounds = wire::Bounds::ref_from_bytes(head).ok();
            StreamTable::from_stream(stream, slots)
        }
        None => StreamTable { stream, rows: &[], rest: stream.bytes },
    }
}

impl<'a, T: Record> StreamTable<'a, T> {
    /// All of a stream as records.
    pub fn new(stream: Stream<'a>) -> Self {
        StreamTable::from_stream(stream, stream.bytes)
    }

    /// Part of a stream as records.
    fn from_stream(stream: Stream<'a>, bytes: &'a [u8]) -> Self {
        let count = bytes.len().checked_div(size_of::<T>()).unwrap_or(0);
        match <[T]>::ref_from_prefix_with_elems(bytes, count) {
            Ok((rows, rest)) => StreamTable { stream, rows, rest },
            Err(_) => StreamTable { stream, rows: &[], rest: bytes },
        }
    }
}

impl<'a> Labels<'a> {
    /// Reads label after label until one does not fit.
    pub fn new(stream: Stream<'a>) -> Self {
        let mut labels = Labels { stream, rows: Vec::new(), rest: stream.bytes };
        while let Ok((head, behind)) = wire::LabelHead::ref_from_prefix(labels.rest) {
            let len = usize::try_from(head.len.get()).unwrap_or(usize::MAX);
            let room = if len == 0 { 0 } else { len.saturating_add(1) };
            let Some((room, rest)) = behind.split_at_checked(room) else { break };
            let start = stream.bytes.len().saturating_sub(labels.rest.len());
            labels.rows.push(Label { start, room });
            labels.rest = rest;
        }
        labels
    }
}
