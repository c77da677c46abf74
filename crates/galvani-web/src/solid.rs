//! What rays and bodies meet: faces of MSH with what lies across their edges, shapes and meshes of MDX. They are lines in
//! the space of a node, in the scene's axes.

use galvani::Meter;
use galvani::core::Exhausted;
use galvani::formats::Opened;
use galvani::glam::Vec3;
use galvani::mdx::sample::Rig;
use galvani::mdx::{self, Content, Document as Sequenced};
use galvani::parkan::msh::wire::{Index, Slot};
use galvani::parkan::msh::{self, ModelView};

/// Lines of what hangs on a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solid {
    /// The node, as its file counts them; none, the model itself.
    pub node: Option<i64>,
    /// Ends of sides, two by two.
    pub sides: Vec<[f32; 3]>,
    /// Ends of what leads from the middle of a face to that of its neighbour, two by two.
    pub links: Vec<[f32; 3]>,
}

/// Everything solid of a document. What it takes is charged first.
pub(crate) fn solids(opened: &Opened, meter: &Meter) -> Result<Vec<Solid>, Exhausted> {
    if let Some(document) = opened.downcast::<msh::Document>() {
        return of_nodes(&document.model(), meter);
    }
    Ok(opened.downcast::<Sequenced>().map(of_shapes).unwrap_or_default())
}

/// The faces of every node as it is when it is new, at its finest.
fn of_nodes(model: &ModelView<'_>, meter: &Meter) -> Result<Vec<Solid>, Exhausted> {
    let mut all = Vec::new();
    for node in 0..model.node_count() {
        let Some(slot) = slot_of(model, node) else { continue };
        // In a small file every node may show all faces.
        let faces = u64::from(slot.tri_count.get());
        meter.result(&format!("{faces} faces"), faces.saturating_mul(BYTES))?;
        all.push(of_slot(model, node, slot));
    }
    Ok(all)
}

/// What a face takes: three sides and three links.
const BYTES: u64 = 12 * 12;

fn slot_of<'a>(model: &ModelView<'a>, node: usize) -> Option<&'a Slot> {
    let record = model.nodes.as_ref()?.rows.get(node)?;
    let [index, ..] = record.slot_index;
    model.slots.as_ref()?.rows.get(usize::from(index.get()))
}

fn of_slot(model: &ModelView<'_>, node: usize, slot: &Slot) -> Solid {
    let corners = corners(model, slot);
    let first = usize::from(slot.tri_start.get());
    let middle = |triangle: &[Vec3; 3]| (triangle.iter().sum::<Vec3>() / 3.0).to_array();
    let mut solid = Solid { node: i64::try_from(node).ok(), ..Solid::default() };
    for (i, triangle) in corners.iter().enumerate() {
        let [a, b, c] = triangle.map(|corner| corner.to_array());
        solid.sides.extend([a, b, b, c, c, a]);
        let face = model.faces.as_ref().and_then(|faces| faces.rows.get(first + i));
        for link in face.into_iter().flat_map(|face| face.link) {
            // Each is told of twice; the lower face says it.
            let other = usize::from(link.get()).checked_sub(first).filter(|other| *other > i);
            if let Some(other) = other.and_then(|other| corners.get(other)) {
                solid.links.extend([middle(triangle), middle(other)]);
            }
        }
    }
    solid
}

/// The corners of a slot's triangles, in the order of its faces.
fn corners(model: &ModelView<'_>, slot: &Slot) -> Vec<[Vec3; 3]> {
    let start = usize::from(slot.batch_start.get());
    let end = start + usize::from(slot.batch_count.get());
    let batches = model.batches.as_ref().and_then(|batches| batches.rows.get(start..end));
    let mut all = Vec::new();
    for batch in batches.unwrap_or_default() {
        let corner = |index: &Index| {
            let vertex = batch.base_vertex.get().checked_add(u32::from(index.index.get()))?;
            let position = model.positions.as_ref()?.rows.get(usize::try_from(vertex).ok()?)?;
            let [x, y, z] = position.position;
            Some(Vec3::from_array(msh::lift::axes([x.get(), y.get(), z.get()])))
        };
        let start = usize::try_from(batch.index_start.get()).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::from(batch.index_count.get()));
        let indices = model.indices.as_ref().and_then(|indices| indices.rows.get(start..end));
        let (triples, _) = indices.unwrap_or_default().as_chunks::<3>();
        all.extend(triples.iter().filter_map(|[a, b, c]| Some([corner(a)?, corner(b)?, corner(c)?])));
    }
    all.truncate(usize::from(slot.tri_count.get()));
    all
}

fn of_shapes(document: &Sequenced) -> Vec<Solid> {
    let (mut all, rig) = (Vec::new(), Rig::new(document));
    let pivot = |id: i32| rig.find(id).and_then(|node| rig.pivot(node)).unwrap_or_default();
    for chunk in &document.chunks {
        match &chunk.content {
            Content::CollisionShapes(rows) => all.extend(rows.typed().map(|(_, it)| {
                let id = it.node.fixed.object_id.get();
                of_shape((id, pivot(id)), it.kind, it.measures.iter().map(|part| part.get()))
            })),
            Content::HitTests(rows) => all.extend(rows.typed().map(|(_, it)| {
                let id = it.node.fixed.object_id.get();
                of_shape((id, pivot(id)), it.kind.into(), it.measures.iter().map(|part| part.get()))
            })),
            Content::CollisionMesh(mesh) => {
                let corner = |index: usize| {
                    let place = mesh.vertices.get(usize::from(mesh.indices.get(index)?.get()))?;
                    Some(axes(Vec3::new(place.x.get(), place.y.get(), place.z.get())))
                };
                let triangles = (0..mesh.indices.len() / 3)
                    .filter_map(|i| Some([corner(i * 3)?, corner(i * 3 + 1)?, corner(i * 3 + 2)?]));
                let sides = triangles.flat_map(|[a, b, c]| [a, b, b, c, c, a]).collect();
                all.push(Solid { sides, ..Solid::default() });
            }
            _ => {}
        }
    }
    all
}

fn axes(place: Vec3) -> [f32; 3] {
    mdx::lift::axes(place).to_array()
}

/// Lines around a box, a cylinder, a sphere or a plane (docs/formats/mdx-records.md#shapes), whose measures are those of the
/// model at rest; a plane lies around its node.
fn of_shape((node, pivot): (i32, Vec3), kind: u32, measures: impl Iterator<Item = f32>) -> Solid {
    let measures: Vec<f32> = measures.collect();
    let sides = match (kind, measures.as_slice()) {
        (0, &[ax, ay, az, bx, by, bz]) => {
            cuboid(Vec3::new(ax, ay, az) - pivot, Vec3::new(bx, by, bz) - pivot)
        }
        (1, &[x, y, z, height, radius]) => {
            let base = Vec3::new(x, y, z) - pivot;
            let top = base + Vec3::Z * height;
            let rings = [circle(base, (Vec3::X, Vec3::Y), radius), circle(top, (Vec3::X, Vec3::Y), radius)];
            let posts = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y];
            let posts = posts.map(|way| [base + way * radius, top + way * radius]);
            [rings.concat(), posts.concat()].concat()
        }
        (2, &[x, y, z, radius]) => {
            let middle = Vec3::new(x, y, z) - pivot;
            let planes = [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)];
            planes.map(|plane| circle(middle, plane, radius)).concat()
        }
        (3, &[length, width]) => {
            let half = Vec3::new(length / 2.0, width / 2.0, 0.0);
            cuboid(-half, half)
        }
        _ => Vec::new(),
    };
    Solid { node: Some(node.into()), sides: sides.into_iter().map(axes).collect(), links: Vec::new() }
}

/// The twelve sides of a box.
fn cuboid(low: Vec3, high: Vec3) -> Vec<Vec3> {
    let corner =
        |i: u8| Vec3::select(galvani::glam::BVec3::new(i & 1 != 0, i & 2 != 0, i & 4 != 0), high, low);
    let sides = (0..8_u8).flat_map(|i| [1, 2, 4].map(|bit| (i, bit))).filter(|(i, bit)| i & bit == 0);
    sides.flat_map(|(i, bit)| [corner(i), corner(i | bit)]).collect()
}

/// How many sides a circle has.
const SIDES: u8 = 24;

fn circle(middle: Vec3, (a, b): (Vec3, Vec3), radius: f32) -> Vec<Vec3> {
    let point = |i: u8| {
        let (sin, cos) = (f32::from(i) / f32::from(SIDES) * std::f32::consts::TAU).sin_cos();
        middle + (a * cos + b * sin) * radius
    };
    (0..SIDES).flat_map(|i| [point(i), point((i + 1) % SIDES)]).collect()
}
