//! Poses and properties of a model, for `sample`.

use galvani_core::maths::Wxyz;
use galvani_core::{Path, Report, SampleError, text};
use galvani_mdx::glam::{DQuat, Mat4, Quat};
use galvani_mdx::sample::{
    self, CAMERA, Clip, ClockTimes, Cursor, NO_NODE, NO_SEQUENCE, Player, Poses, Rig, Sampled, TIME, Window,
};
use galvani_mdx::track::Floats;
use galvani_mdx::{Document, Placed, Sequence};

use super::{Posing, select};
use crate::formats::{
    ClipLabel, ClipSpan, EdgesOption, NodePose, Pose, PoseKind, PoseProperty, PoseSource, PropertyValue,
    Samples, Sampling, Selector, Space, Times,
};

/// The samples, by time and then by sequence. Without a clip all sequences, without a time their beginnings.
pub(super) fn run<'a>(
    document: &'a Document,
    wanted: &'a Sampling,
    posing: Posing,
) -> Result<Samples<'a>, SampleError> {
    check_times(wanted, &posing)?;
    let edges = edges(posing.edges);
    let mut notes = Report::default();
    let mut query = PoseQuery::new(document, wanted.node.as_ref(), posing, &mut notes)?;
    let sequences = sequences(document, wanted.clip.as_ref(), &mut notes)?;
    let mut clips = Vec::with_capacity(sequences.len());
    let all = document.sequences();
    for (index, clip) in sequences.iter().zip(Clip::each(document, sequences.iter().copied(), edges)?) {
        let name =
            index.and_then(|index| all.get(index)).map(|row| document.sequence_name(*row).into_owned());
        clips.push((clip?, ClipLabel { index: *index, name }, Cursor::default()));
    }
    let poses = times(&wanted.times).flat_map(move |time| {
        let moment = ClockTimes { time, global: query.posing.global_time.unwrap_or(time) };
        let one = |(clip, label, cursor): &mut (Clip, ClipLabel, Cursor)| {
            Ok(query.pose(clip, label.clone(), moment, cursor))
        };
        clips.iter_mut().map(one).collect::<Vec<_>>()
    });
    Ok(Samples { notes, poses: Box::new(poses) })
}

/// The sequences.
pub(super) fn clips(document: &Document) -> Vec<ClipSpan> {
    let clip = |(index, sequence): (usize, &Sequence<'_>)| {
        let (name, window) =
            (document.sequence_name(*sequence).into_owned(), Window::from_sequence(*sequence));
        let (start, end) = (window.start, window.end());
        ClipSpan { index, name, start, end, looping: window.is_looping, rate: 1000.0 }
    };
    document.sequences().iter().enumerate().map(clip).collect()
}

/// What lies outside the keys of a sequence.
pub(super) fn edges(wanted: Option<EdgesOption>) -> sample::WindowEdges {
    match wanted {
        None => sample::WindowEdges::Auto,
        Some(EdgesOption::Wrap) => sample::WindowEdges::Wrap,
        Some(EdgesOption::Hold) => sample::WindowEdges::Hold,
    }
}

/// Times are moments of a clock.
fn check_times(wanted: &Sampling, posing: &Posing) -> Result<(), SampleError> {
    match wanted.times.ends().chain(posing.global_time).find(|time| !time.is_finite()) {
        Some(wrong) => Err(TIME.at(Path::root()).saying(format!("{wrong}")).into()),
        None => Ok(()),
    }
}

/// The times in order, each once; without any, 0.
pub(super) fn times(wanted: &Times) -> impl Iterator<Item = f64> + use<> {
    let beginning = wanted.is_empty().then_some(0.0);
    // Adding 0 makes of −0 what it is.
    let mut last = None;
    let times = wanted.in_order().map(|time| time + 0.0).filter(move |&time| {
        let is_new = last != Some(time);
        last = Some(time);
        is_new
    });
    beginning.into_iter().chain(times)
}

/// A camera of length 1.
fn camera(turned: Wxyz<f64>) -> Result<Quat, SampleError> {
    let turn = DQuat::from(turned);
    let length = turn.length();
    if length > 0.0 && length.is_finite() {
        Ok((turn / length).as_quat())
    } else {
        Err(CAMERA.at(Path::root()).saying(format!("{:?}", turned.0)).into())
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
pub(super) struct PoseQuery<'a> {
    posing: Posing,
    nodes: Vec<Placed<'a>>,
    shown: Vec<usize>,
    camera: Option<Quat>,
    rig: Rig,
    poses: Poses,
}

impl<'a> PoseQuery<'a> {
    /// The nodes that are asked for, all of them where none is named.
    pub(super) fn new(
        document: &'a Document,
        node: Option<&Selector>,
        posing: Posing,
        notes: &mut Report,
    ) -> Result<Self, SampleError> {
        let shown =
            select::nodes(document, &NO_NODE).every::<SampleError>(node.unwrap_or(&Selector::All), notes)?;
        Ok(PoseQuery {
            camera: posing.camera.map(camera).transpose()?,
            posing,
            shown,
            nodes: document.nodes(),
            rig: Rig::new(document),
            poses: Poses::default(),
        })
    }

    /// How many nodes are shown.
    pub(super) fn shown_count(&self) -> usize {
        self.shown.len()
    }

    /// What a clip shows at a moment.
    fn pose(&mut self, clip: &Clip, label: ClipLabel, moment: ClockTimes, cursor: &mut Cursor) -> Pose {
        clip.pose(&self.rig, moment, self.camera, cursor, &mut self.poses);
        let properties = self.posing.tracks.then(|| {
            let mut values = Vec::new();
            clip.values(moment, cursor, &mut values);
            properties(clip, values)
        });
        self.shown(label, moment, properties)
    }

    /// What a player shows, of a clip if it plays one, at a time since it began.
    pub(super) fn played(
        &mut self,
        player: &mut Player<'_>,
        clip: Option<&Clip>,
        label: ClipLabel,
        time: f64,
    ) -> Pose {
        player.pose(self.camera, &mut self.poses);
        let properties = clip.filter(|_| self.posing.tracks).map(|clip| {
            let mut values = Vec::new();
            player.values(&mut values);
            properties(clip, values)
        });
        self.shown(label, ClockTimes { time, global: player.moment().global }, properties)
    }

    /// The pose that was made last, as it is told.
    fn shown(&self, label: ClipLabel, moment: ClockTimes, properties: Option<Vec<PoseProperty>>) -> Pose {
        Pose {
            clip: Some(label),
            time: Some(moment.time),
            nodes: self.shown.iter().filter_map(|i| self.node(*i)).collect(),
            kind: PoseKind::Sequence { global_time: moment.global, properties },
        }
    }

    fn node(&self, index: usize) -> Option<NodePose> {
        let (placed, local) = self.nodes.get(index).zip(self.poses.local.get(index))?;
        let matrix = match self.posing.space {
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

/// Every animated property with its value.
fn properties(clip: &Clip, values: Vec<Sampled>) -> Vec<PoseProperty> {
    let rows = clip.properties().iter().zip(values).enumerate();
    let property = |(i, (property, value)): (usize, (&sample::Property, Sampled))| PoseProperty {
        path: property.path.to_string(),
        value: match value {
            Sampled::Index(index) => PropertyValue::Index(index),
            Sampled::Floats(Floats::One(number)) => PropertyValue::Number(number),
            Sampled::Floats(Floats::Rotation(rotation)) => PropertyValue::Rotation(rotation),
            Sampled::Floats(floats) => PropertyValue::Numbers(floats.as_slice().to_vec()),
        },
        keyed: clip.has_keys(i),
    };
    rows.map(property).collect()
}
