//! What models show, node by node, to be held against what they showed.

use std::collections::BTreeSet;

use galvani::formats::{Format, Opened, Sampling, Selector};
use galvani::mdx;

use crate::open;

/// One moment of one node: place, turn and size, as bits.
type Shown = (Option<String>, [u32; 10]);

/// The clips of a model: by what `sample` takes for each, nothing for the only one.
fn clips(opened: &Opened) -> Vec<Option<Selector>> {
    let count = opened.downcast::<mdx::Document>().map_or(0, |model| model.sequences().len());
    if count == 0 {
        return vec![None];
    }
    (0..count).map(|i| Some(Selector::new(&format!("#{i}")))).collect()
}

/// Every node of a clip at some moments, in the file's order.
fn shown(opened: &Opened, clip: Option<Selector>) -> Option<Vec<Shown>> {
    let wanted = Sampling { times: "0..1000:125".parse().unwrap(), clip, ..Sampling::default() };
    let poses: Result<Vec<_>, _> = opened.as_animated().ok()?.sample(&wanted).ok()?.poses.collect();
    let nodes = poses.ok()?.into_iter().flat_map(|pose| pose.nodes);
    let bits = nodes.map(|node| {
        let parts = [node.translation.to_array(), node.scale.to_array()].concat();
        let all: Vec<u32> = parts.into_iter().chain(node.rotation.to_array()).map(f32::to_bits).collect();
        (node.name, all.try_into().unwrap())
    });
    Some(bits.collect())
}

/// The places of nodes that show something else in one file than in the other, by themselves, whatever carries them; nothing
/// if one of them cannot be posed, or they have other nodes.
pub(crate) fn differing(format: &'static dyn Format, a: &[u8], b: &[u8]) -> Option<BTreeSet<usize>> {
    let (a, b) = (open(format, a), open(format, b));
    let mut differ = BTreeSet::new();
    for clip in clips(&a) {
        let (was, is) = (shown(&a, clip.clone())?, shown(&b, clip)?);
        let count = was.len() / 9;
        if was.len() != is.len() || count == 0 {
            return None;
        }
        differ.extend((0..was.len()).filter(|i| was[*i] != is[*i]).map(|i| i % count));
    }
    Some(differ)
}
