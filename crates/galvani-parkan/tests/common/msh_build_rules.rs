//! What every model of the game obeys (docs/formats/msh-streams.md#rules), said plainly and slowly.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "exact here"
)]
#![allow(clippy::cast_sign_loss, reason = "times are not negative")]

use galvani_core::Reading;
use galvani_parkan::msh::{ModelView, wire};

use super::common::{Drawn, cross, drawn};

/// Rules that hold for every model of the game: docs/formats/msh-streams.md#rules.
pub fn obeys_the_rules(model: &ModelView<'_>) {
    let vertex_count = model.vertex_count();
    let slots = model.slots.as_ref().unwrap().rows;
    let batches = model.batches.as_ref().unwrap().rows;
    let indices = model.indices.as_ref().unwrap().rows;
    let faces = model.faces.as_ref().unwrap().rows;
    assert_eq!(faces.len() * 3, indices.len());

    // Batches tile the indices, and reach every vertex.
    let mut reached = 0;
    let mut used = vec![false; vertex_count];
    for batch in batches {
        assert_eq!(batch.index_start.get() as usize, reached);
        let count = usize::from(batch.index_count.get());
        assert!(count > 0 && count % 3 == 0);
        let run = indices[reached..reached + count].iter().map(|index| index.index.get());
        let most = run.clone().max().unwrap();
        if model.reading == Reading::Observed {
            assert_eq!(batch.word_0e.get(), most + 1);
        }
        for index in run {
            used[batch.base_vertex.get() as usize + usize::from(index)] = true;
        }
        reached += count;
    }
    assert_eq!(reached, indices.len());
    assert!(used.iter().all(|used| *used), "a vertex that nobody draws");

    // Slots tile faces and batches, and their bounds are exact.
    let (mut face, mut batch) = (0, 0);
    for (i, slot) in slots.iter().enumerate() {
        assert_eq!((usize::from(slot.tri_start.get()), usize::from(slot.batch_start.get())), (face, batch));
        face += usize::from(slot.tri_count.get());
        batch += usize::from(slot.batch_count.get());
        let drawn = drawn(model, u16::try_from(i).unwrap());
        bounds_are_exact(slot, &drawn, model.reading);
        faces_are_right(slot, faces, &drawn);
    }
    assert_eq!((face, batch), (faces.len(), batches.len()));
    each_vertex_has_one_node(model);
    maps_are_canonical(model);
}

fn bounds_are_exact(slot: &wire::Slot, drawn: &[Drawn], reading: Reading) {
    let points: Vec<[f32; 3]> = drawn.iter().flat_map(|triangle| triangle.positions).collect();
    for axis in 0..3 {
        let values = || points.iter().map(move |point| point[axis]);
        assert_eq!(slot.aabb_min[axis].get(), values().fold(f32::INFINITY, f32::min));
        assert_eq!(slot.aabb_max[axis].get(), values().fold(f32::NEG_INFINITY, f32::max));
    }
    let centre = slot.sphere_center.map(|x| f64::from(x.get()));
    let distance =
        |point: &[f32; 3]| (0..3).map(|i| (f64::from(point[i]) - centre[i]).powi(2)).sum::<f64>().sqrt();
    let farthest = points.iter().map(distance).fold(0.0, f64::max);
    let radius = f64::from(slot.sphere_radius.get());
    assert!(radius >= farthest && radius <= farthest * 1.000_001, "{radius} for {farthest}");
    let [area, volume] = [slot.tail[0], slot.tail[1]].map(|word| f64::from(f32::from_bits(word.get())));
    if reading == Reading::Documented {
        assert_eq!((area, volume), (0.0, 0.0));
        return;
    }
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
    let heron = |t: &Drawn| {
        let side = |i: usize, j: usize| {
            (0..3).map(|k| f64::from(t.positions[i][k] - t.positions[j][k]).powi(2)).sum::<f64>().sqrt()
        };
        let (a, b, c) = (side(0, 1), side(1, 2), side(2, 0));
        let s = (a + b + c) / 2.0;
        (s * (s - a) * (s - b) * (s - c)).max(0.0).sqrt()
    };
    assert!(near(area, drawn.iter().map(heron).sum()), "area {area}");
    let box_volume: f64 =
        (0..3).map(|i| f64::from(slot.aabb_max[i].get()) - f64::from(slot.aabb_min[i].get())).product();
    assert!(near(volume, box_volume), "volume {volume}");
}

/// Normals, neighbours and selectors by comparing every edge with every other.
fn faces_are_right(slot: &wire::Slot, faces: &[wire::Face], drawn: &[Drawn]) {
    let first = usize::from(slot.tri_start.get());
    let expected = neighbours(drawn);
    for (i, triangle) in drawn.iter().enumerate() {
        let face = &faces[first + i];
        let normal = cross(triangle.positions);
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        for (found, wanted) in face.normal.iter().zip(normal) {
            let wanted = if length == 0.0 { 0.0 } else { wanted / length * 32767.0 };
            assert!((f64::from(found.get()) - wanted).abs() <= 0.51, "{found:?} for {wanted}");
        }
        for (edge, beyond) in expected[i].into_iter().enumerate() {
            let (link, selector) = (face.link[edge].get(), face.selectors.get() >> (2 * edge) & 3);
            match beyond {
                None => assert_eq!((link, selector), (0xFFFF, 3)),
                Some((there, its_edge)) => {
                    assert_eq!((usize::from(link), usize::from(selector)), (first + there, its_edge));
                }
            }
        }
        assert_eq!(face.selectors.get() >> 6, 0);
    }
}

/// For every edge of every triangle the face beyond it and that face's edge: opposite sides are paired in
/// order, then the rest.
fn neighbours(drawn: &[Drawn]) -> Vec<[Option<(usize, usize)>; 3]> {
    let sound = |t: &Drawn| {
        t.positions[0] != t.positions[1]
            && t.positions[1] != t.positions[2]
            && t.positions[2] != t.positions[0]
    };
    let ends = |(face, edge): (usize, usize)| {
        let p = drawn[face].positions;
        (p[edge], p[(edge + 1) % 3])
    };
    let sides: Vec<(usize, usize)> = (0..drawn.len())
        .filter(|&face| sound(&drawn[face]))
        .flat_map(|face| (0..3).map(move |edge| (face, edge)))
        .collect();
    let mut found = vec![[None; 3]; drawn.len()];
    for opposite in [true, false] {
        for &(face, edge) in &sides {
            if found[face][edge].is_some() {
                continue;
            }
            let (a, b) = ends((face, edge));
            let wanted = if opposite { (b, a) } else { (a, b) };
            let beyond = sides.iter().find(|&&other| {
                other != (face, edge) && found[other.0][other.1].is_none() && ends(other) == wanted
            });
            if let Some(&(there, its_edge)) = beyond {
                found[face][edge] = Some((there, its_edge));
                found[there][its_edge] = Some((face, edge));
            }
        }
    }
    found
}

fn each_vertex_has_one_node(model: &ModelView<'_>) {
    let mut owner = vec![None; model.vertex_count()];
    let (slots, batches) = (model.slots.as_ref().unwrap().rows, model.batches.as_ref().unwrap().rows);
    for (i, node) in model.nodes.as_ref().unwrap().rows.iter().enumerate() {
        for slot in node.slot_index.iter().filter(|slot| slot.get() != 0xFFFF) {
            let slot = &slots[usize::from(slot.get())];
            let first = usize::from(slot.batch_start.get());
            for batch in &batches[first..first + usize::from(slot.batch_count.get())] {
                let start = batch.index_start.get() as usize;
                let run = start..start + usize::from(batch.index_count.get());
                for index in &model.indices.as_ref().unwrap().rows[run] {
                    let vertex = batch.base_vertex.get() as usize + usize::from(index.index.get());
                    assert_eq!(*owner[vertex].get_or_insert(i), i, "vertex {vertex} of two nodes");
                }
            }
        }
    }
}

/// Frame by frame: the last key not after the frame, but the fallback once the last key is reached.
fn maps_are_canonical(model: &ModelView<'_>) {
    let (keys, map) = (model.keys.as_ref().unwrap().rows, model.frame_map.as_ref().unwrap());
    let frame_count = model.frame_count() as usize;
    let latest = keys.iter().map(|key| key.time.get()).fold(0.0, f32::max);
    assert_eq!(frame_count, latest as usize + 1);
    let (mut first, mut cursor) = (0, 0);
    for node in model.nodes.as_ref().unwrap().rows {
        let fallback = usize::from(node.fallback_key.get());
        let run = &keys[first..=fallback];
        assert_eq!(run[0].time.get(), 0.0);
        assert!(run.windows(2).all(|pair| pair[0].time.get() < pair[1].time.get()));
        if run.len() == 1 {
            assert_eq!(node.map_start.get(), 0xFFFF);
        } else {
            assert_eq!(usize::from(node.map_start.get()), cursor);
            for frame in 0..frame_count {
                let left = (0..run.len()).filter(|&k| run[k].time.get() <= frame as f32).max().unwrap();
                let wanted =
                    if frame as f32 >= run[run.len() - 1].time.get() { fallback } else { first + left };
                assert_eq!(usize::from(map.rows[cursor + frame].key.get()), wanted, "frame {frame}");
            }
            cursor += frame_count;
        }
        first = fallback + 1;
    }
    assert_eq!(map.rows.len(), cursor);
}
