//! Where the nodes are (docs/notes/mdx-runtime.md#nodes).

use galvani_mdx::{Document, Placed, Track};

use super::math::{
    Matrix, NO_TURN, about, inverse, less, moved, product, rotation, scaling, sum, times, translation, turned,
};
use super::{Edges, Moment, Node, clock};

/// It faces the viewer.
const BILLBOARD: u32 = 8;

/// It faces the viewer as far as a turn about one axis can: about X, about Y, about Z.
const LOCKS: [u32; 3] = [0x10, 0x20, 0x40];

/// The axes of a model as those of a view: x to z, y to x, z to y.
const TO_VIEW: [f64; 4] = [-0.5, -0.5, -0.5, 0.5];

/// Every record with a node in file order.
pub fn pose(
    document: &Document,
    sequence: Option<usize>,
    moment: Moment,
    edges: Edges,
    camera: Option<[f64; 4]>,
) -> Vec<Node> {
    let nodes = document.nodes();
    let stage = Stage { document, parents: parents(&nodes), nodes, sequence, moment, edges, camera };
    (0..stage.nodes.len()).map(|i| stage.world(i).node).collect()
}

/// All that a pose depends on.
struct Stage<'a> {
    document: &'a Document,
    nodes: Vec<Placed<'a>>,
    parents: Vec<Option<usize>>,
    sequence: Option<usize>,
    moment: Moment,
    edges: Edges,
    camera: Option<[f64; 4]>,
}

/// A node as its children see it.
struct World {
    node: Node,
    pivot: [f64; 3],
    turn: [f64; 4],
    size: [f64; 3],
}

impl Stage<'_> {
    fn world(&self, index: usize) -> World {
        let node = self.nodes[index].node;
        let flags = node.fixed.flags.get();
        let parent = self.parents[index].map(|parent| self.world(parent));
        let pivot = self.pivot(index);
        let [t, s] = [(b"KGTR", 0.0), (b"KGSC", 1.0)].map(|(tag, rest)| {
            self.sampled(&node.tracks, *tag).map_or([rest; 3], |found| [found[0], found[1], found[2]])
        });
        let r = self.sampled(&node.tracks, *b"KGRT");
        let r = r.map_or(NO_TURN, |found| [found[0], found[1], found[2], found[3]]);

        let (mut turn, mut size) = (r, s);
        let parent_turn = parent.as_ref().map_or(NO_TURN, |parent| parent.turn);
        let inherits = self.document.inherits(node);
        if let Some(parent) = &parent {
            if !inherits.rotation {
                turn = product(inverse(parent.turn), r);
            }
            if !inherits.scaling {
                size = [0, 1, 2].map(|i| if parent.size[i] == 0.0 { s[i] } else { s[i] / parent.size[i] });
            }
        }
        if let Some(camera) = self.camera {
            let lock = LOCKS.iter().position(|bit| flags & bit != 0);
            if flags & BILLBOARD != 0 {
                turn = product(product(inverse(parent_turn), inverse(camera)), product(TO_VIEW, r));
            } else if let Some(axis) = lock {
                let viewer = turned(inverse(parent_turn), turned(inverse(camera), [0.0, 0.0, 1.0]));
                turn = product(about(axis, towards(axis, viewer)), r);
                size[2] *= if axis == 0 { -1.0 } else { 1.0 };
            }
        }

        let local =
            [translation(sum(pivot, t)), rotation(turn), scaling(size), translation(pivot.map(|x| -x))];
        let mut matrix: Matrix = local.into_iter().reduce(times).unwrap();
        if let Some(parent) = &parent {
            matrix = times(parent.node.matrix, matrix);
            if !inherits.translation {
                let shift = less(moved(&parent.node.matrix, parent.pivot), parent.pivot);
                matrix = times(translation(shift.map(|x| -x)), matrix);
            }
        }
        let parent_size = parent.as_ref().map_or([1.0; 3], |parent| parent.size);
        World {
            node: Node { translation: t, rotation: r, scale: s, matrix },
            pivot,
            turn: product(parent_turn, turn),
            size: [0, 1, 2].map(|i| parent_size[i] * size[i]),
        }
    }

    fn pivot(&self, index: usize) -> [f64; 3] {
        let id = usize::try_from(self.nodes[index].node.fixed.object_id.get()).ok();
        let pivots = self.document.pivots();
        let point = id.and_then(|id| pivots.get(id));
        point.map_or([0.0; 3], |point| [point.x, point.y, point.z].map(|part| f64::from(part.get())))
    }

    /// What the first track of that tag says.
    fn sampled(&self, tracks: &[Track], tag: [u8; 4]) -> Option<Vec<f64>> {
        let track = tracks.iter().find(|track| track.tag == tag)?;
        clock::sample(self.document, track, self.sequence, self.moment, self.edges)
    }
}

/// How far to turn about an axis so that the node faces the viewer.
fn towards(axis: usize, [x, y, z]: [f64; 3]) -> f64 {
    let (across, along) = match axis {
        0 => (z, y),
        1 => (-z, x),
        _ => (y, x),
    };
    // From the axis itself every side looks the same.
    if across * across + along * along < 1e-8 { 0.0 } else { across.atan2(along) }
}

/// The parent of each node; none for the nodes of a circle.
fn parents(nodes: &[Placed<'_>]) -> Vec<Option<usize>> {
    let named = |index: usize| {
        let wanted = nodes[index].node.fixed.parent_id.get();
        let is_it = |placed: &Placed<'_>| placed.node.fixed.object_id.get() == wanted;
        if wanted < 0 { None } else { nodes.iter().position(is_it) }
    };
    let circles = |index: usize| {
        let mut above = named(index);
        for _ in 0..nodes.len() {
            match above {
                Some(parent) if parent == index => return true,
                Some(parent) => above = named(parent),
                None => return false,
            }
        }
        false
    };
    (0..nodes.len()).map(|index| if circles(index) { None } else { named(index) }).collect()
}
