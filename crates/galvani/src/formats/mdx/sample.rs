//! Poses and properties of a model, for `sample`.

use galvani_core::{Path, Report, SampleError, text};
use galvani_mdx::glam::{Affine3A, DQuat, Mat4, Quat};
use galvani_mdx::sample::{
    self, CAMERA, Clip, Cursor, Moment, NO_NODE, NO_SEQUENCE, Poses, Rig, Sampled, TIME, TOO_MANY,
};
use galvani_mdx::track::Floats;
use galvani_mdx::{Document, Placed};
use serde_json::{Map, Value, json};

use super::select;
use crate::formats::{Edges, Samples, Sampling, Selector, Space};
use crate::render::json::float;

/// Nodes and properties at moments in one answer; each takes some thousand bytes before it is text.
const MOST: usize = 1 << 17;

/// The samples, by time and then by sequence. Without a clip all sequences, without a time their beginnings.
pub(super) fn run(document: &Document, wanted: &Sampling) -> Result<Samples, SampleError> {
    wanted.only(&["--clip", "--node", "--space", "--global-time", "--edges", "--tracks", "--camera"])?;
    let edges = match wanted.edges {
        None => sample::Edges::Auto,
        Some(Edges::Wrap) => sample::Edges::Wrap,
        Some(Edges::Hold) => sample::Edges::Hold,
    };
    let mut notes = Report::default();
    let node = wanted.node.as_ref().unwrap_or(&Selector::All);
    let shown = select::nodes(document, &NO_NODE).every::<SampleError>(node, &mut notes)?;
    let mut asked = Asked {
        wanted,
        shown,
        nodes: document.nodes(),
        camera: wanted.camera.map(camera).transpose()?,
        rig: Rig::new(document),
        poses: Poses::default(),
    };
    let times = times(wanted)?;
    let clips = sequences(document, wanted.clip.as_ref(), &mut notes)?;
    let rows = [clips.len(), times.len(), asked.rows(document)].into_iter().fold(1, usize::saturating_mul);
    if rows > MOST {
        return Err(TOO_MANY.at(Path::root()).saying(format!("at most {MOST}, not {rows}")).into());
    }
    let (all, mut samples) = (document.sequences(), Vec::new());
    for (sequence, clip) in clips.iter().zip(Clip::each(document, clips.iter().copied(), edges)) {
        let (clip, mut cursor) = (clip?, Cursor::default());
        let name = sequence.and_then(|index| all.get(index)).map(|row| document.sequence_name(*row));
        for &time in &times {
            let moment = Moment { time, global: wanted.global_time.unwrap_or(time) };
            let mut row = Map::new();
            row.insert("clip".to_owned(), json!(sequence));
            row.insert("name".to_owned(), json!(name));
            asked.put(&mut row, &clip, moment, &mut cursor);
            samples.push((time, Value::Object(row)));
        }
    }
    samples.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(Samples { rows: samples.into_iter().map(|(_, row)| row).collect(), notes })
}

/// The times in order, each once; without any, 0.
fn times(wanted: &Sampling) -> Result<Vec<f64>, SampleError> {
    let wrong = wanted.times.iter().chain(&wanted.global_time).find(|time| !time.is_finite());
    if let Some(wrong) = wrong {
        return Err(TIME.at(Path::root()).saying(format!("{wrong}")).into());
    }
    // Adding 0 makes of −0 what it is.
    let mut times: Vec<f64> = wanted.times.iter().map(|time| time + 0.0).collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by_key(|time| time.to_bits());
    Ok(if times.is_empty() { vec![0.0] } else { times })
}

/// A camera of length 1.
fn camera(numbers: [f32; 4]) -> Result<Quat, SampleError> {
    let [w, x, y, z] = numbers.map(f64::from);
    let turn = DQuat::from_xyzw(x, y, z, w);
    let length = turn.length();
    if length > 0.0 && length.is_finite() {
        Ok((turn / length).as_quat())
    } else {
        Err(CAMERA.at(Path::root()).saying(format!("{numbers:?}")).into())
    }
}

/// The sequence asked for, or all; a model without any has one pose.
fn sequences(
    document: &Document,
    clip: Option<&Selector>,
    notes: &mut Report,
) -> Result<Vec<Option<usize>>, SampleError> {
    let all = select::sequences(document, &NO_SEQUENCE);
    let found: Vec<usize> = all.every::<SampleError>(clip.unwrap_or(&Selector::All), notes)?;
    Ok(if found.is_empty() { vec![None] } else { found.into_iter().map(Some).collect() })
}

/// What is asked of a model.
struct Asked<'a> {
    wanted: &'a Sampling,
    nodes: Vec<Placed<'a>>,
    shown: Vec<usize>,
    camera: Option<Quat>,
    rig: Rig,
    poses: Poses,
}

impl Asked<'_> {
    /// How many nodes and properties are shown at each moment; a moment without any is a row, too.
    fn rows(&self, document: &Document) -> usize {
        let mut rows = self.shown.len().max(1);
        if self.wanted.tracks {
            document.each_track(|_, _| rows = rows.saturating_add(1));
        }
        rows
    }

    /// What a clip shows at a moment.
    fn put(&mut self, row: &mut Map<String, Value>, clip: &Clip, moment: Moment, cursor: &mut Cursor) {
        clip.pose(&self.rig, moment, self.camera, cursor, &mut self.poses);
        let mut put = |key: &str, value: Value| drop(row.insert(key.to_owned(), value));
        put("time", milliseconds(moment.time));
        put("global_time", milliseconds(moment.global));
        put("nodes", self.shown.iter().map(|i| self.node_row(*i)).collect());
        if self.wanted.tracks {
            put("tracks", tracks(clip, moment, cursor));
        }
    }

    fn node_row(&self, index: usize) -> Value {
        let rows = self.nodes.get(index).zip(self.poses.local.get(index)).zip(self.poses.model.get(index));
        let Some(((placed, local), model)) = rows else { return Value::Null };
        let matrix = match self.wanted.space.unwrap_or(Space::Model) {
            Space::Model => *model,
            Space::Local => self.rig.local(index, local),
        };
        let place = matrix.transform_point3(self.rig.pivot(index).unwrap_or_default());
        let [x, y, z, w] = local.rotation.to_array();
        json!({
            "node": placed.node.fixed.object_id.get(),
            "index": index,
            "name": text::shown(&placed.node.fixed.name.0),
            "position": list(&place.to_array()),
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
