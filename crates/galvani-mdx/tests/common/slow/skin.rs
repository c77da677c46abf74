//! Where vertices go with the nodes (docs/formats/mdx-records.md#geos, docs/notes/mdx-runtime.md#vertices).

use galvani_mdx::model::{Batch, Geoset, StoredSkin};
use galvani_mdx::{Content, Document, Held};

use super::Node;
use super::math::moved;

/// A geoset of either layout.
enum Shape<'a> {
    Grouped(&'a Geoset),
    Batch(&'a Batch),
}

/// Node numbers and how much each counts.
type Influences = Vec<(i64, f64)>;

/// The vertices of a geoset where the game puts them; none for a geoset that could not be read.
pub fn skin(document: &Document, geoset: usize, nodes: &[Node]) -> Vec<[f64; 3]> {
    let (points, influences): (Vec<[f64; 3]>, Vec<Influences>) = match find(document, geoset) {
        Some(Shape::Grouped(geoset)) => {
            let by_vertex = |v: usize| match &geoset.skin {
                Some(StoredSkin::Bytes(bytes)) => {
                    eight(&bytes.iter().map(|byte| u16::from(*byte)).collect::<Vec<u16>>(), v)
                }
                Some(StoredSkin::Words(words)) => {
                    eight(&words.iter().map(|word| word.get()).collect::<Vec<u16>>(), v)
                }
                None => group(geoset, v),
            };
            (rest(geoset), (0..geoset.vertices.len()).map(by_vertex).collect())
        }
        Some(Shape::Batch(batch)) => {
            let points = batch.vertices.iter().map(|vertex| vertex.position.map(|x| f64::from(x.get())));
            let each = |i: usize| {
                let vertex = &batch.vertices[i];
                (0..4).map(|k| (i64::from(vertex.bones[k]), f64::from(vertex.weights[k]))).collect()
            };
            (points.collect(), (0..batch.vertices.len()).map(each).collect())
        }
        None => return Vec::new(),
    };
    let blended = points.into_iter().zip(influences);
    blended.map(|(point, influences)| blend(document, nodes, point, &influences)).collect()
}

/// The same by the lists that WoW has beside the groups.
pub fn listed_skin(document: &Document, geoset: usize, nodes: &[Node]) -> Vec<[f64; 3]> {
    let geoset = match find(document, geoset) {
        Some(Shape::Grouped(geoset)) => geoset,
        Some(Shape::Batch(batch)) => {
            return batch.vertices.iter().map(|vertex| vertex.position.map(|x| f64::from(x.get()))).collect();
        }
        None => return Vec::new(),
    };
    let mut points = rest(geoset);
    let Some(lists) = &geoset.weights else { return points };
    let mut order: Vec<usize> = (0..points.len().min(geoset.vertex_groups.len())).collect();
    order.sort_by_key(|v| geoset.vertex_groups[*v]);
    for ((v, bones), weights) in order.into_iter().zip(&lists.bones).zip(&lists.weights) {
        let influences: Influences =
            (0..4).map(|k| (i64::from(bones.bytes[k]), f64::from(weights.bytes[3 - k]))).collect();
        points[v] = blend(document, nodes, points[v], &influences);
    }
    points
}

/// Geosets are counted over all GEOS chunks, those that could not be read among them.
fn find(document: &Document, index: usize) -> Option<Shape<'_>> {
    let mut all = Vec::new();
    for chunk in &document.chunks {
        match &chunk.content {
            Content::Geosets(records) => all.extend(records.items.iter().map(|item| match item {
                Held::Typed(geoset) => Some(Shape::Grouped(geoset)),
                Held::Raw(_) => None,
            })),
            Content::Batches(batches) => all.extend(batches.iter().map(|batch| Some(Shape::Batch(batch)))),
            _ => {}
        }
    }
    all.into_iter().nth(index).flatten()
}

fn rest(geoset: &Geoset) -> Vec<[f64; 3]> {
    let point = |x: f32, y: f32, z: f32| [x, y, z].map(f64::from);
    geoset.vertices.iter().map(|vertex| point(vertex.x.get(), vertex.y.get(), vertex.z.get())).collect()
}

/// The nodes of a vertex's group, all alike.
fn group(geoset: &Geoset, vertex: usize) -> Influences {
    let Some(group) = geoset.vertex_groups.get(vertex).map(|group| usize::from(*group)) else {
        return Vec::new();
    };
    let Some(size) = geoset.group_sizes.get(group) else { return Vec::new() };
    let before: u64 = geoset.group_sizes[..group].iter().map(|size| u64::from(size.get())).sum();
    let skipped = usize::try_from(before).unwrap();
    let size = usize::try_from(size.get()).unwrap();
    geoset.matrices.iter().skip(skipped).take(size).map(|id| (i64::from(id.get()), 1.0)).collect()
}

/// Four nodes and then four weights.
fn eight(numbers: &[u16], vertex: usize) -> Influences {
    let Some(own) = numbers.get(8 * vertex..8 * vertex + 8) else { return Vec::new() };
    (0..4).map(|k| (i64::from(own[k]), f64::from(own[4 + k]))).collect()
}

/// A point moved by the nodes that are there.
fn blend(document: &Document, nodes: &[Node], point: [f64; 3], influences: &[(i64, f64)]) -> [f64; 3] {
    let (mut sum, mut whole) = ([0.0; 3], 0.0);
    for (id, weight) in influences {
        let placed = document.nodes();
        let found = placed.iter().position(|placed| i64::from(placed.node.fixed.object_id.get()) == *id);
        let Some(found) = found else { continue };
        let there = moved(&nodes[found].matrix, point);
        sum = [0, 1, 2].map(|i| sum[i] + weight * there[i]);
        whole += weight;
    }
    if whole > 0.0 { sum.map(|part| part / whole) } else { point }
}
