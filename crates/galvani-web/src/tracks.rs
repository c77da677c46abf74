//! Keys as a file has them, for curves and dope sheets.

use galvani::formats::Opened;
use galvani::mdx::track::{Track, TrackValue};
use galvani::mdx::{self, Document as Sequenced};
use galvani::parkan::msh::animation::AnimKey;
use galvani::parkan::msh::{self, Document as Keyed, values};
use serde::Serialize;

use crate::refusal::Refusal;

/// Something that keys move, and its keys.
#[derive(Debug, Serialize)]
pub struct TrackKeys {
    /// By this operations call it: the path of a track, or a node.
    name: String,
    /// What people call it.
    label: String,
    /// What each value is, number by number.
    parts: &'static [&'static str],
    /// In the file's own units, from the beginning of its timeline.
    times: Vec<f64>,
    /// For each key its numbers.
    values: Vec<Vec<f32>>,
    /// How values lie between keys.
    interpolation: &'static str,
}

/// Everything that keys move, and where each clip begins on the timeline.
#[derive(Debug, Serialize)]
pub struct Timeline {
    tracks: Vec<TrackKeys>,
    starts: Vec<i64>,
}

/// The keys of a document; none, where it has no keys of its own.
pub(crate) fn timeline(opened: &Opened) -> Result<Timeline, Refusal> {
    if let Some(document) = opened.downcast::<Sequenced>() {
        return Ok(of_sequences(document));
    }
    match opened.downcast::<Keyed>() {
        Some(document) => of_nodes(document),
        None => Ok(Timeline { tracks: Vec::new(), starts: Vec::new() }),
    }
}

const INTERPOLATIONS: [&str; 4] = ["step", "linear", "hermite", "bezier"];

fn of_sequences(document: &Sequenced) -> Timeline {
    let mut tracks = Vec::new();
    let nodes = document.nodes();
    document.each_track(|path, track| {
        let owner = path.parent();
        let node = nodes.iter().find(|placed| placed.path == owner);
        let node = node.map(|placed| galvani::text::shown(&placed.node.fixed.name.0).into_owned());
        let name = path.to_string();
        let value = |key: usize| match track.floats(key) {
            Some(floats) => floats.as_slice().to_vec(),
            None => index_of(track, key),
        };
        tracks.push(TrackKeys {
            label: node.map_or_else(|| name.clone(), |node| format!("{node} {}", track.name())),
            name,
            parts: match track.value {
                value if value.is_rotation() => &["x", "y", "z", "w"],
                TrackValue::Vector => &["x", "y", "z"],
                TrackValue::Moment => &[],
                _ => &["value"],
            },
            times: track.times.iter().map(|time| f64::from(*time)).collect(),
            values: (0..track.times.len()).map(value).collect(),
            interpolation: usize::try_from(track.interpolation)
                .ok()
                .and_then(|at| INTERPOLATIONS.get(at))
                .copied()
                .unwrap_or("unknown"),
        });
    });
    Timeline { tracks, starts: document.sequences().into_iter().map(mdx::Sequence::start).collect() }
}

/// Of an index, itself.
#[allow(clippy::cast_precision_loss, reason = "no model has 2^24 textures")]
fn index_of(track: &Track, key: usize) -> Vec<f32> {
    track.words(key).unwrap_or_default().iter().map(|word| *word as f32).collect()
}

fn of_nodes(document: &Keyed) -> Result<Timeline, Refusal> {
    let model = document.model();
    if model.legacy_nodes.is_some() {
        return Ok(Timeline { tracks: Vec::new(), starts: Vec::new() });
    }
    let mut tracks = Vec::new();
    for track in msh::animation::read(&model)?.tracks {
        let node = track.node_index;
        let value = |key: &AnimKey| {
            let [x, y, z] = key.position;
            let rotation = values::rotation_of(key.rotation, model.reading);
            [&[x, y, z], &rotation.0[..]].concat()
        };
        tracks.push(TrackKeys {
            name: format!("#{node}"),
            label: galvani::text::shown(model.node_name(node)).into_owned(),
            parts: &["x", "y", "z", "rotation w", "rotation x", "rotation y", "rotation z"],
            times: track.keys.iter().map(|key| f64::from(key.time)).collect(),
            values: track.keys.iter().map(value).collect(),
            interpolation: "linear",
        });
    }
    Ok(Timeline { tracks, starts: vec![0] })
}
