//! Triangles for collision: one per three indices, and neighbours that are.

use galvani_core::{Path, Report};

use super::geometry::{Mesh, point};
use super::ranges::places;
use super::{FACE_COUNT, NEIGHBOUR_APART, NEIGHBOUR_RANGE, SELECTOR_EDGE, SELECTOR_NONE};
use crate::msh::{ModelView, NONE, values, wire};

/// One record for every three indices.
pub(super) fn count(model: &ModelView<'_>, report: &mut Report) {
    let (Some(faces), Some(indices)) = (&model.faces, &model.indices) else { return };
    let (wanted, found) = (indices.rows.len() / 3, faces.rows.len());
    if wanted != found {
        let path = Path::named("entries").index(faces.stream.entry).field("size");
        report.push(FACE_COUNT.at(path).saying(format!("{wanted} records wanted, {found} found")));
    }
}

/// Corners of a triangle.
type Corners = [[f32; 3]; 3];

/// Neighbours are there, share an edge, and selectors say which.
pub(super) fn neighbours(model: &ModelView<'_>, mesh: &Mesh<'_>, report: &mut Report) {
    let Some(faces) = model.faces.as_ref().map(|faces| faces.rows) else { return };
    let corners = corners(mesh);
    for (i, face) in faces.iter().enumerate() {
        for (edge, link) in face.link.iter().map(|link| link.get()).enumerate() {
            let selector = values::selector(face.selectors.get(), edge);
            let path = |field| Path::named("faces").index(i).field(field);
            if (link == NONE) != (selector == NONE) {
                let found = format!("edge {edge}: neighbour {}, selector {}", shown(link), shown(selector));
                report.push(SELECTOR_NONE.at(path("selectors")).saying(found));
            }
            if link == NONE {
                continue;
            }
            let neighbour = usize::from(link);
            if neighbour >= faces.len() {
                let found = format!("a triangle below {} wanted, {link} found", faces.len());
                report.push(NEIGHBOUR_RANGE.at(path("link").index(edge)).saying(found));
                continue;
            }
            let (Some(own), Some(other)) = (whole(&corners, i), whole(&corners, neighbour)) else { continue };
            let common = own.iter().filter(|corner| other.contains(corner)).count();
            if common < 2 {
                let found = format!("2 positions of triangle {link} wanted, {common} found");
                report.push(NEIGHBOUR_APART.at(path("link").index(edge)).saying(found));
            } else if selector != NONE && !same_edge(own, edge, other, usize::from(selector)) {
                let found = format!("edge {edge} wanted in triangle {link}, its edge {selector} found");
                report.push(SELECTOR_EDGE.at(path("selectors")).saying(found));
            }
        }
    }
}

fn shown(index: u16) -> String {
    if index == NONE { "none".to_owned() } else { index.to_string() }
}

/// The corners of every triangle of stream 6, where a batch has it.
fn corners(mesh: &Mesh<'_>) -> Vec<Option<Corners>> {
    let mut corners = vec![None; mesh.indices.len() / 3];
    for batch in mesh.batches {
        let Some(places) = places(batch, mesh.indices.len()) else { continue };
        if !places.start.is_multiple_of(3) {
            continue;
        }
        let vertices: Vec<usize> = mesh.vertices(batch).collect();
        let own = corners.iter_mut().skip(places.start / 3);
        for (triangle, vertices) in own.zip(vertices.chunks_exact(3)) {
            *triangle = triangle_of(mesh.positions, vertices);
        }
    }
    corners
}

fn triangle_of(positions: &[wire::Position], vertices: &[usize]) -> Option<Corners> {
    let &[a, b, c] = vertices else { return None };
    Some([point(positions.get(a)?), point(positions.get(b)?), point(positions.get(c)?)])
}

fn whole(corners: &[Option<Corners>], triangle: usize) -> Option<&Corners> {
    corners.get(triangle)?.as_ref()
}

/// Whether two edges join the same positions. Edge n joins the corners n and n + 1.
fn same_edge(a: &Corners, edge_a: usize, b: &Corners, edge_b: usize) -> bool {
    let ends = |corners: &Corners, edge: usize| {
        let &[p, q, r] = corners;
        match edge {
            0 => [p, q],
            1 => [q, r],
            _ => [r, p],
        }
    };
    let ([from, to], other) = (ends(a, edge_a), ends(b, edge_b));
    [[from, to], [to, from]].contains(&other)
}
