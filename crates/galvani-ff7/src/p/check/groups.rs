//! Rules about groups and what they name.

use galvani_core::{Path, Report};
use zerocopy::little_endian::U32;

use super::super::{Document, Group, LAST_TEXTURE, POLY_TYPES};
use super::{
    EDGE_VERTEX, GROUP_ORDER, GROUP_OVERLAP, GROUP_RANGE, NORMAL_INDEX, POLY_EDGE, POLY_NORMAL, POLY_TYPE,
    POLY_VERTEX, TEXTURE_ID, TEXTURE_NUMBER,
};

/// Groups lie inside the sections and name what is known.
pub(super) fn groups(document: &Document, report: &mut Report) {
    let header = &document.header;
    for (i, group) in document.groups.iter().enumerate() {
        let path = |field| Path::named("groups").index(i).field(field);
        let textured = group.textured.get() != 0;
        let mut range = |field, what: &str, start: U32, count: U32, all: U32| {
            let end = u64::from(start.get()).saturating_add(u64::from(count.get()));
            if end > u64::from(all.get()) {
                let found = format!("an end within {all} {what} wanted, {end} found");
                report.push(GROUP_RANGE.at(path(field)).saying(found));
            }
        };
        range("poly_start", "polygons", group.poly_start, group.poly_count, header.polys);
        range("vertex_start", "vertices", group.vertex_start, group.vertex_count, header.verts);
        range("edge_start", "edges", group.edge_start, group.edge_count, header.edges);
        if textured {
            let all = header.texcoords;
            range("texcoord_start", "texture coordinates", group.texcoord_start, group.vertex_count, all);
        }
        let kind = group.poly_type.get();
        if !POLY_TYPES.contains(&kind) {
            report.push(POLY_TYPE.at(path("poly_type")).saying(format!("1, 2 or 3 wanted, {kind} found")));
        }
        if textured {
            texture(document, i, group, report);
        }
    }
}

fn texture(document: &Document, i: usize, group: &Group, report: &mut Report) {
    let number = group.texture_number.get();
    if number > LAST_TEXTURE {
        let path = Path::named("groups").index(i).field("texture_number");
        report.push(TEXTURE_NUMBER.at(path).saying(format!("{LAST_TEXTURE} at most wanted, {number} found")));
    }
    let taken = document.hundreds.get(i).map(|hundred| hundred.texture_id.get());
    if let Some(taken) = taken.filter(|&taken| taken != number) {
        let found = format!("{number} wanted, as the group has it, {taken} found");
        report.push(TEXTURE_ID.at(Path::named("hundreds").index(i).field("texture_id")).saying(found));
    }
}

/// Every polygon belongs to one group and names what is there.
///
/// Groups are walked by their first polygon and each polygon is looked at once, so that groups that all have
/// all polygons cost no more than their file.
pub(super) fn polys(document: &Document, report: &mut Report) {
    let place = |word: U32| usize::try_from(word.get()).unwrap_or(usize::MAX);
    let count = document.polys.len();
    let mut spans: Vec<_> =
        (0..).zip(&document.groups).filter(|(_, group)| group.poly_count.get() > 0).collect();
    spans.sort_by_key(|(i, group)| (group.poly_start.get(), *i));
    let mut reached = 0;
    for (i, group) in spans {
        let path = Path::named("groups").index(i).field("poly_start");
        let start = place(group.poly_start);
        let end = start.saturating_add(place(group.poly_count)).min(count);
        if start > reached && start <= count {
            report.push(GROUP_ORDER.at(path).saying(format!("polygon {reached} wanted next, {start} found")));
        }
        if start < reached {
            report
                .push(GROUP_OVERLAP.at(path).saying(format!("polygon {reached} wanted next, {start} found")));
        }
        let first = start.max(reached);
        for (i, poly) in document.polys.get(first..end).unwrap_or_default().iter().enumerate() {
            let high = poly.vertices.iter().map(|vertex| vertex.get()).max().unwrap_or(0);
            if u32::from(high) >= group.vertex_count.get() {
                let found = format!("a vertex below {} wanted, {high} found", group.vertex_count);
                let path = Path::named("polys").index(first.saturating_add(i)).field("vertices");
                report.push(POLY_VERTEX.at(path).saying(found));
            }
        }
        reached = reached.max(end);
    }
    if reached < count && document.cut().is_none() {
        let found = format!("groups up to polygon {count} wanted, up to {reached} found");
        report.push(GROUP_ORDER.at(Path::named("polys").index(reached)).saying(found));
    }
    names(document, report);
}

/// Normals and edges that polygons name. Files without normals have none to name.
fn names(document: &Document, report: &mut Report) {
    let (normals, edges) = (document.header.normals.get(), document.header.edges.get());
    for (i, poly) in document.polys.iter().enumerate() {
        let path = |field| Path::named("polys").index(i).field(field);
        let normal = poly.normals.iter().map(|normal| u32::from(normal.get())).max().unwrap_or(0);
        if normals > 0 && normal >= normals {
            let found = format!("a normal below {normals} wanted, {normal} found");
            report.push(POLY_NORMAL.at(path("normals")).saying(found));
        }
        let edge = poly.edges.iter().map(|edge| u32::from(edge.get())).max().unwrap_or(0);
        if edges > 0 && edge >= edges {
            report.push(
                POLY_EDGE.at(path("edges")).saying(format!("an edge below {edges} wanted, {edge} found")),
            );
        }
    }
}

/// The ends of edges.
pub(super) fn edges(document: &Document, report: &mut Report) {
    let verts = document.header.verts.get();
    for (i, edge) in document.edges.iter().enumerate() {
        let high = edge.vertices.iter().map(|vertex| u32::from(vertex.get())).max().unwrap_or(0);
        if high >= verts {
            let found = format!("a vertex below {verts} wanted, {high} found");
            report.push(EDGE_VERTEX.at(Path::named("edges").index(i).field("vertices")).saying(found));
        }
    }
}

/// The normal of each vertex.
pub(super) fn normal_index(document: &Document, report: &mut Report) {
    let normals = document.header.normals.get();
    for (i, entry) in document.normal_index.iter().enumerate().filter(|_| normals > 0) {
        if entry.normal.get() >= normals {
            let found = format!("a normal below {normals} wanted, {} found", entry.normal);
            report.push(NORMAL_INDEX.at(Path::named("normal_index").index(i)).saying(found));
        }
    }
}
