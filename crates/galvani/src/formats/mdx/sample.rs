//! Poses and properties of a model, for `sample`.

use galvani_core::{Path, Report, SampleError, text};
use galvani_mdx::glam::{DQuat, Mat4, Quat};
use galvani_mdx::sample::{
    self, CAMERA, Clip, Cursor, Moment, NO_NODE, NO_SEQUENCE, Poses, Rig, Sampled, TIME, TOO_MANY,
};
use galvani_mdx::track::Floats;
use galvani_mdx::{Document, Placed};

use super::select;
use crate::formats::{
    ClipLabel, Edges, NodePose, Pose, PoseKind, PoseSource, Property, PropertyValue, Samples, Sampling,
    Selector, Space,
};

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
    let (all, mut poses) = (document.sequences(), Vec::new());
    for (sequence, clip) in clips.iter().zip(Clip::each(document, clips.iter().copied(), edges)) {
        let (clip, mut cursor) = (clip?, Cursor::default());
        let name = sequence.and_then(|index| all.get(index)).map(|row| document.sequence_name(*row));
        for &time in &times {
            let moment = Moment { time, global: wanted.global_time.unwrap_or(time) };
            let label = ClipLabel { index: *sequence, name: name.as_deref().map(str::to_owned) };
            poses.push(asked.pose(&clip, label, moment, &mut cursor));
        }
    }
    poses.sort_by(|a, b| a.time.unwrap_or_default().total_cmp(&b.time.unwrap_or_default()));
    Ok(Samples { poses, notes })
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
    fn pose(&mut self, clip: &Clip, label: ClipLabel, moment: Moment, cursor: &mut Cursor) -> Pose {
        clip.pose(&self.rig, moment, self.camera, cursor, &mut self.poses);
        let properties = self.wanted.tracks.then(|| properties(clip, moment, cursor));
        Pose {
            clip: Some(label),
            time: Some(moment.time),
            nodes: self.shown.iter().filter_map(|i| self.node(*i)).collect(),
            kind: PoseKind::Sequence { global_time: moment.global, properties },
        }
    }

    fn node(&self, index: usize) -> Option<NodePose> {
        let (placed, local) = self.nodes.get(index).zip(self.poses.local.get(index))?;
        let matrix = match self.wanted.space.unwrap_or(Space::Model) {
            Space::Model => *self.poses.model.get(index)?,
            Space::Local => self.rig.local(index, local),
        };
        Some(NodePose {
            index,
            id: placed.node.fixed.object_id.get().into(),
            name: Some(text::shown(&placed.node.fixed.name.0).into_owned()),
            position: Some(matrix.transform_point3(self.rig.pivot(index).unwrap_or_default())),
            translation: local.translation,
            rotation: local.rotation,
            scale: local.scale,
            matrix: Some(Mat4::from(matrix)),
            source: PoseSource::Curves,
        })
    }
}

/// Every animated property.
fn properties(clip: &Clip, moment: Moment, cursor: &mut Cursor) -> Vec<Property> {
    let mut values = Vec::new();
    clip.values(moment, cursor, &mut values);
    let rows = clip.properties().iter().zip(values).enumerate();
    let property = |(i, (property, value)): (usize, (&sample::Property, Sampled))| Property {
        path: property.path.to_string(),
        value: match value {
            Sampled::Index(index) => PropertyValue::Index(index),
            Sampled::Floats(Floats::One(number)) => PropertyValue::Number(number),
            Sampled::Floats(Floats::Four(xyzw)) => PropertyValue::Rotation(Quat::from_array(xyzw)),
            Sampled::Floats(floats) => PropertyValue::Numbers(floats.as_slice().to_vec()),
        },
        keyed: clip.has_keys(i),
    };
    rows.map(property).collect()
}
