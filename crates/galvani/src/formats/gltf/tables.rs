//! A model as rows of tables.

use std::borrow::Cow;

use galvani_core::FileMap;
use galvani_gltf::Document;
use galvani_gltf::document::view::{AlphaMode, Animation, Channel, Interpolation, TargetPath, View};

use super::outline::parents;
use crate::formats::Tabular;
use crate::formats::outline::wide;
use crate::formats::tabular::{ClipRow, LayerRow, NodeRow, TableRow, TimeUnit, TrackRow};

impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        let Ok(view) = self.view() else { return };
        for (node, parent) in view.nodes.iter().zip(parents(&view)) {
            let kind = match (node.camera, node.mesh) {
                (Some(_), _) => "camera",
                (None, Some(_)) => "mesh",
                (None, None) => "node",
            };
            let name = Cow::Borrowed(&*node.name);
            tell(TableRow::Node(NodeRow { name, kind, parent: parent.map(wide), flags: None }));
        }
        for animation in view.animations.iter() {
            clip(&view, &animation, tell);
        }
        for (i, material) in view.materials.iter().enumerate() {
            let blend = match material.alpha_mode {
                AlphaMode::Opaque => "opaque",
                AlphaMode::Mask => "alpha key",
                AlphaMode::Blend => "blend",
            };
            let (name, blend) = (Cow::Borrowed(&*material.name), blend.into());
            tell(TableRow::Material(LayerRow { material: wide(i), layer: None, name, blend, flags: None }));
        }
    }
}

fn clip(view: &View<'_>, animation: &Animation<'_>, tell: &mut dyn FnMut(TableRow<'_>)) {
    let mut tracks: Vec<TrackRow<'_>> = Vec::new();
    let mut nodes: Vec<usize> = Vec::new();
    for channel in animation.channels.iter() {
        nodes.extend(channel.target.node);
        tracks.extend(track(view, animation, &channel));
    }
    nodes.sort_unstable();
    nodes.dedup();
    let ends = |time: fn(&TrackRow<'_>) -> Option<f64>| tracks.iter().filter_map(time);
    let keys = tracks.iter().fold(0_u64, |keys, track| keys.saturating_add(track.keys));
    tell(TableRow::Clip(ClipRow {
        name: Cow::Borrowed(&*animation.name),
        start: ends(|track| track.first).reduce(f64::min).unwrap_or(0.0),
        end: ends(|track| track.last).reduce(f64::max).unwrap_or(0.0),
        unit: TimeUnit::Seconds,
        is_looping: None,
        keys,
        animated_nodes: wide(nodes.len()),
    }));
    for track in tracks {
        tell(TableRow::Track(track));
    }
}

/// What a channel moves, by the times that its accessor says it has.
fn track(view: &View<'_>, animation: &Animation<'_>, channel: &Channel<'_>) -> Option<TrackRow<'static>> {
    let sampler = animation.samplers.get(channel.sampler?)?;
    let times = view.accessors.get(sampler.input?)?;
    let path = channel.target.path?;
    let owner = match (channel.target.node, &channel.target.extensions.pointer) {
        (Some(node), _) => format!("nodes[{node}]"),
        (None, Some(pointer)) => pointer.pointer.clone().into_owned(),
        (None, None) => String::new(),
    };
    let end = |ends: &Option<Vec<f64>>| ends.as_ref().and_then(|ends| ends.first()).copied();
    Some(TrackRow {
        owner: owner.into(),
        tag: word(path).into(),
        interpolation: match sampler.interpolation {
            Interpolation::Linear => "linear",
            Interpolation::Step => "step",
            Interpolation::CubicSpline => "cubic",
        }
        .into(),
        keys: wide(times.count),
        first: end(&times.min),
        last: end(&times.max),
    })
}

fn word(path: TargetPath) -> &'static str {
    match path {
        TargetPath::Translation => "translation",
        TargetPath::Rotation => "rotation",
        TargetPath::Scale => "scale",
        TargetPath::Weights => "weights",
        TargetPath::Pointer => "pointer",
    }
}
