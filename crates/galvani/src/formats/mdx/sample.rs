//! Poses and properties of a model, for `sample`.

use galvani_core::{Path, SampleError, text};
use galvani_mdx::glam::{Affine3A, Mat4, Quat};
use galvani_mdx::sample::{
    self, Clip, Cursor, Moment, NO_NODE, NO_SEQUENCE, Pose, Rig, Sampled, TIME, TOO_MANY,
};
use galvani_mdx::track::Floats;
use galvani_mdx::{Document, Placed};
use serde_json::{Map, Value, json};

use crate::formats::{Edges, EntryRef, Sampling, Space};
use crate::render::json::float;

/// Nodes and properties at moments in one answer; each is some hundred bytes of JSON.
const MOST: usize = 1 << 21;

/// The samples, by sequence and then by time. Without a clip all sequences, without a time their beginnings.
pub(super) fn run(document: &Document, wanted: &Sampling) -> Result<Vec<Value>, SampleError> {
    let edges = match wanted.edges {
        None => sample::Edges::Auto,
        Some(Edges::Wrap) => sample::Edges::Wrap,
        Some(Edges::Hold) => sample::Edges::Hold,
    };
    let nodes = document.nodes();
    let mut asked = Asked {
        document,
        wanted,
        node: wanted.node.as_ref().map(|node| find_node(&nodes, node)).transpose()?,
        nodes,
        rig: Rig::new(document),
        pose: Pose::default(),
    };
    let mut times = wanted.times.clone();
    times.sort_by(f64::total_cmp);
    times.dedup_by_key(|time| time.to_bits());
    if times.is_empty() {
        times.push(0.0);
    }
    let wrong = times.iter().chain(&wanted.global_time).find(|time| !time.is_finite());
    if let Some(wrong) = wrong {
        return Err(TIME.at(Path::root()).saying(format!("{wrong}")).into());
    }
    let (clips, mut samples) = (sequences(document, wanted.clip.as_ref())?, Vec::new());
    let rows = [clips.len(), times.len(), asked.rows()].into_iter().fold(1, usize::saturating_mul);
    if rows > MOST {
        return Err(TOO_MANY.at(Path::root()).saying(format!("at most {MOST}, not {rows}")).into());
    }
    for sequence in clips {
        let clip = Clip::new(document, sequence, edges)?;
        let mut cursor = Cursor::default();
        for &time in &times {
            let moment = Moment { time, global: wanted.global_time.unwrap_or(time) };
            samples.push(asked.row(sequence, &clip, moment, &mut cursor));
        }
    }
    Ok(samples)
}

/// The sequence asked for, or all; a model without any has one pose.
fn sequences(document: &Document, clip: Option<&EntryRef>) -> Result<Vec<Option<usize>>, SampleError> {
    let count = document.sequences().len();
    match clip {
        None if count == 0 => Ok(vec![None]),
        None => Ok((0..count).map(Some).collect()),
        Some(EntryRef::Index(index)) => Ok(vec![Some(*index)]),
        Some(EntryRef::Name(name)) => {
            let name = text::shown(name);
            let Some(found) = document.find_sequence(&name) else {
                return Err(NO_SEQUENCE.at(Path::of("SEQS")).saying(format!("no sequence `{name}`")).into());
            };
            Ok(vec![Some(found)])
        }
    }
}

/// The first node of a number of its own, or of a name in any case of letters.
fn find_node(nodes: &[Placed<'_>], node: &EntryRef) -> Result<usize, SampleError> {
    let (found, asked) = match node {
        EntryRef::Index(id) => {
            let is_it = |placed: &Placed<'_>| {
                usize::try_from(placed.node.fixed.object_id.get()).is_ok_and(|own| own == *id)
            };
            (nodes.iter().position(is_it), id.to_string())
        }
        EntryRef::Name(name) => {
            let name = text::shown(name).to_lowercase();
            let is_it = |placed: &Placed<'_>| text::shown(&placed.node.fixed.name.0).to_lowercase() == name;
            (nodes.iter().position(is_it), format!("`{name}`"))
        }
    };
    let missing = || NO_NODE.at(Path::of("nodes")).saying(format!("no node {asked}")).into();
    found.ok_or_else(missing)
}

/// What is asked of a model.
struct Asked<'a> {
    document: &'a Document,
    wanted: &'a Sampling,
    nodes: Vec<Placed<'a>>,
    node: Option<usize>,
    rig: Rig,
    pose: Pose,
}

impl Asked<'_> {
    /// How many nodes and properties are shown at each moment.
    fn rows(&self) -> usize {
        let mut rows = if self.node.is_some() { 1 } else { self.nodes.len() };
        if self.wanted.tracks {
            self.document.each_track(|_, _| rows = rows.saturating_add(1));
        }
        rows
    }

    fn row(&mut self, sequence: Option<usize>, clip: &Clip, moment: Moment, cursor: &mut Cursor) -> Value {
        clip.nodes(moment, cursor, &mut self.pose.locals);
        let camera = self.wanted.camera.map(|[w, x, y, z]| Quat::from_xyzw(x, y, z, w).normalize());
        self.rig.place(&mut self.pose, camera);
        let sequences = self.document.sequences();
        let name = sequence.and_then(|index| sequences.get(index)).map(|row| text::shown(row.name()));
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        put("clip", json!(sequence));
        put("name", json!(name));
        put("time", milliseconds(moment.time));
        put("global_time", milliseconds(moment.global));
        let wanted = |i: &usize| self.node.is_none_or(|node| node == *i);
        put("nodes", (0..self.nodes.len()).filter(wanted).map(|i| self.node_row(i)).collect());
        if self.wanted.tracks {
            put("tracks", tracks(clip, moment, cursor));
        }
        Value::Object(object)
    }

    fn node_row(&self, index: usize) -> Value {
        let rows = self.nodes.get(index).zip(self.pose.locals.get(index)).zip(self.pose.world.get(index));
        let Some(((placed, local), world)) = rows else { return Value::Null };
        let matrix = match self.wanted.space.unwrap_or(Space::Model) {
            Space::Model => *world,
            Space::Local => self.rig.local(index, local),
        };
        let [x, y, z, w] = local.rotation.to_array();
        json!({
            "node": placed.node.fixed.object_id.get(),
            "index": index,
            "name": text::shown(&placed.node.fixed.name.0),
            "translation": list(&local.translation.to_array()),
            "rotation": list(&[w, x, y, z]),
            "scale": list(&local.scale.to_array()),
            "matrix": list(&rows_of(&matrix)),
        })
    }
}

/// A time: whole ones as whole numbers.
#[allow(clippy::cast_possible_truncation, reason = "a whole number that is small enough")]
fn milliseconds(time: f64) -> Value {
    let is_whole = time.fract() == 0.0 && time.abs() < 1e15;
    if is_whole { json!(time as i64) } else { json!(time) }
}

/// Sixteen numbers, row by row.
fn rows_of(matrix: &Affine3A) -> [f32; 16] {
    Mat4::from(*matrix).transpose().to_cols_array()
}

fn list(numbers: &[f32]) -> Value {
    numbers.iter().map(|&number| float(number)).collect()
}

/// Every animated property.
fn tracks(clip: &Clip, moment: Moment, cursor: &mut Cursor) -> Value {
    let mut values = Vec::new();
    clip.values(moment, cursor, &mut values);
    let rows = clip.properties().iter().zip(values);
    rows.enumerate()
        .map(|(i, (property, value))| {
            let value = match value {
                Sampled::Index(index) => json!(index),
                Sampled::Floats(Floats::One(number)) => float(number),
                Sampled::Floats(Floats::Four([x, y, z, w])) => list(&[w, x, y, z]),
                Sampled::Floats(floats) => list(floats.as_slice()),
            };
            json!({"path": property.path.to_string(), "value": value, "keyed": clip.has_keys(i)})
        })
        .collect()
}
