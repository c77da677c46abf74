//! Plans for the tests of building, and what is drawn of a built model.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "exact here"
)]
#![allow(clippy::cast_sign_loss, reason = "times are not negative")]

use galvani_core::{ReadOptions, Reading};
use galvani_parkan::msh::build::{
    Built, COCKPIT_FLAG, GeometryPlan, KeyPlan, NodePlan, Normals, PartPlan, Plan, TrianglePlan, build,
};
use galvani_parkan::msh::{Document, ModelView, read, values, wire, write};
use galvani_testkit::round_trips;
use zerocopy::little_endian::F32;

/// A part of these triangles.
pub fn part(triangles: &[[u32; 3]]) -> PartPlan {
    let triangles = triangles.iter().map(|&vertices| TrianglePlan { vertices, flags: 0 }).collect();
    PartPlan { triangles, ..PartPlan::default() }
}

/// Geometry of one part.
pub fn geometry(positions: Vec<[f32; 3]>, triangles: &[[u32; 3]]) -> GeometryPlan {
    GeometryPlan { positions, parts: vec![part(triangles)], ..GeometryPlan::default() }
}

/// A model of one node that shows this.
pub fn showing(geometry: GeometryPlan) -> Plan {
    let mut node = NodePlan { name: b"node".to_vec(), ..NodePlan::default() };
    node.slots[0][0] = Some(geometry);
    Plan { name: b"test".to_vec(), nodes: vec![node], ..Plan::default() }
}

/// A cube of side 2 around the origin: 8 vertices, 12 triangles.
pub fn cube() -> GeometryPlan {
    let side = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    let positions = (0..8_u32).map(|i| [side(i & 1), side(i >> 1 & 1), side(i >> 2 & 1)]).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    geometry(positions, &triangles)
}

pub fn built(plan: &Plan) -> Built {
    build(plan).unwrap_or_else(|error| panic!("refused: {error}"))
}

/// Builds, writes, reads by evidence alone, and finds the same document again.
pub fn come_back(plan: &Plan) -> Document {
    let document = built(plan).document;
    let file = write(&document).unwrap();
    let found = round_trips(&file, |file| read(file, &ReadOptions::default()), write);
    assert_eq!(found.document, document);
    document
}

/// A triangle of a model with all that is drawn of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    pub positions: [[f32; 3]; 3],
    pub normals: [[i8; 3]; 3],
    pub uv: [[f32; 2]; 3],
    pub extra15: [[u8; 8]; 3],
    pub material: u16,
    pub flags: u16,
}

/// What a node draws from a slot, by the runtime's walk: batches, indices, vertices.
pub fn drawn(model: &ModelView<'_>, slot: u16) -> Vec<Drawn> {
    let slot = &model.slots.as_ref().unwrap().rows[usize::from(slot)];
    let batches = model.batches.as_ref().unwrap().rows;
    let indices = model.indices.as_ref().unwrap().rows;
    let faces = model.faces.as_ref().unwrap().rows;
    let first = usize::from(slot.batch_start.get());
    let mut drawn = Vec::new();
    for batch in &batches[first..first + usize::from(slot.batch_count.get())] {
        let start = batch.index_start.get() as usize;
        let indices = &indices[start..start + usize::from(batch.index_count.get())];
        for corner in indices.chunks_exact(3) {
            let at: [usize; 3] = std::array::from_fn(|i| {
                batch.base_vertex.get() as usize + usize::from(corner[i].index.get())
            });
            let face = &faces[usize::from(slot.tri_start.get()) + drawn.len()];
            drawn.push(Drawn {
                positions: at.map(|v| position(model, v)),
                normals: at.map(|v| model.normals.as_ref().unwrap().rows[v].normal),
                uv: at.map(|v| uv(model, v)),
                extra15: at.map(|v| model.extra15.as_ref().unwrap().rows[v].unknown_00.0),
                material: material(batch, model.reading),
                flags: face.flags.get(),
            });
        }
    }
    assert_eq!(drawn.len(), usize::from(slot.tri_count.get()));
    drawn
}

fn position(model: &ModelView<'_>, vertex: usize) -> [f32; 3] {
    model.positions.as_ref().unwrap().rows[vertex].position.map(F32::get)
}

fn uv(model: &ModelView<'_>, vertex: usize) -> [f32; 2] {
    model.uv0.as_ref().unwrap().rows[vertex].uv.map(|word| values::uv(word.get(), model.reading))
}

fn material(batch: &wire::Batch, reading: Reading) -> u16 {
    match reading {
        Reading::Documented => batch.head[1].get(),
        Reading::Observed => batch.head[2].get() & 0xFF,
    }
}

/// What a plan wants drawn.
pub fn wanted(geometry: &GeometryPlan) -> Vec<Drawn> {
    let mut wanted = Vec::new();
    for part in &geometry.parts {
        for triangle in &part.triangles {
            let at = triangle.vertices.map(|vertex| vertex as usize);
            let positions = at.map(|v| geometry.positions[v]);
            wanted.push(Drawn {
                positions,
                normals: at.map(|v| normal(geometry, v, positions)),
                uv: at.map(|v| geometry.uv.get(v).copied().unwrap_or_default()),
                extra15: at.map(|v| geometry.extra15.get(v).copied().unwrap_or_default()),
                material: part.material,
                flags: triangle.flags,
            });
        }
    }
    wanted
}

fn normal(geometry: &GeometryPlan, vertex: usize, triangle: [[f32; 3]; 3]) -> [i8; 3] {
    let sum = match &geometry.normals {
        Normals::Given(normals) => return normals[vertex].map(values::pack_normal),
        Normals::Flat => cross(triangle),
        Normals::Smooth => {
            let mut sum = [0.0; 3];
            for face in geometry.parts.iter().flat_map(|part| &part.triangles) {
                for corner in face.vertices.iter().filter(|&&corner| corner as usize == vertex) {
                    let _ = corner;
                    let normal = cross(face.vertices.map(|v| geometry.positions[v as usize]));
                    sum = std::array::from_fn(|i| sum[i] + normal[i]);
                }
            }
            sum
        }
    };
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
    let sum = if length == 0.0 { [0.0, 0.0, 1.0] } else { sum.map(|x| x / length) };
    sum.map(|x| values::pack_normal(x as f32))
}

/// Twice the area of a triangle along its normal.
pub fn cross([a, b, c]: [[f32; 3]; 3]) -> [f64; 3] {
    let side = |p: [f32; 3]| -> [f64; 3] { std::array::from_fn(|i| f64::from(p[i]) - f64::from(a[i])) };
    let (u, v) = (side(b), side(c));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Everything that a plan says, found again in the model.
pub fn says_what_the_plan_says(plan: &Plan, model: &ModelView<'_>) {
    let nodes = model.nodes.as_ref().unwrap().rows;
    assert_eq!(nodes.len(), plan.nodes.len());
    let mut key = 0;
    for (i, (node, wanted_node)) in nodes.iter().zip(&plan.nodes).enumerate() {
        let text = if model.reading == Reading::Documented && wanted_node.name.is_empty() {
            &wanted_node.label
        } else {
            &wanted_node.name
        };
        assert_eq!(model.node_name(i), text);
        if model.reading == Reading::Observed {
            assert_eq!(model.label(i), wanted_node.label);
        }
        assert_eq!(
            node.parent.get(),
            wanted_node.parent.map_or(0xFFFF, |parent| u16::try_from(parent).unwrap())
        );
        assert_eq!(node.flags.get() & !COCKPIT_FLAG, wanted_node.flags);
        for (slot, geometry) in node.slot_index.iter().zip(wanted_node.slots.iter().flatten()) {
            match geometry {
                None => assert_eq!(slot.get(), 0xFFFF),
                Some(geometry) => assert_eq!(drawn(model, slot.get()), wanted(geometry)),
            }
        }
        let track = if wanted_node.track.is_empty() { &[KeyPlan::default()][..] } else { &wanted_node.track };
        for wanted_key in track {
            says_the_key(&model.keys.as_ref().unwrap().rows[key], wanted_key, model.reading);
            key += 1;
        }
        assert_eq!(usize::from(node.fallback_key.get()) + 1, key);
    }
    assert_eq!(model.keys.as_ref().unwrap().rows.len(), key);
}

fn says_the_key(key: &wire::Key, wanted: &KeyPlan, reading: Reading) {
    assert_eq!(key.time.get(), wanted.time as f32);
    assert_eq!(key.position.map(F32::get), wanted.position);
    let found = values::rotation(key, reading);
    let near = |sign: f32| found.0.iter().zip(wanted.rotation.0).all(|(a, b)| (a - sign * b).abs() < 2e-5);
    assert!(near(1.0) || (reading == Reading::Documented && near(-1.0)), "{found:?} for {wanted:?}");
}
