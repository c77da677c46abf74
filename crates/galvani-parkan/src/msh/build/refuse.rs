//! What no model can be built from, found before anything is made.

use galvani_core::{Code, Diagnostic, EditError, Path, Reading, text};

use super::plan::{
    COCKPIT_FLAG, COCKPIT_GROUP, GROUP_COUNT, GeometryPlan, KeyPlan, NodePlan, Normals, PartPlan, Plan,
};
use super::{
    COCKPIT, EMPTY, INDEX_RANGE, KEY_TIME, MATERIAL, NAME, NO_NODES, NOT_FINITE, NOT_UNIT, PARENT,
    TOO_MANY_FRAMES, TOO_MANY_KEYS, TOO_MANY_TRIANGLES, VARIANT_ORDER, VERTEX_COUNT,
};

/// Keys at most: the last index must not be 0xFFFF. So many nodes too, for each has a key.
const MOST_KEYS: usize = 65_535;
/// Triangles at most: a neighbour's index must not be 0xFFFF. So many batches and slots too, for each has a
/// triangle.
const MOST_TRIANGLES: usize = 65_535;
/// Where a node's run in the map starts at the latest: 0xFFFF says that there is none.
const LAST_MAP_START: usize = 65_534;
/// The latest time: up to it a frame is picked exactly in single precision.
pub(super) const LAST_TIME: u32 = 1 << 23;
/// Bytes of a name beside its NUL, as observed.
const NAME_LEN: usize = 31;
/// How far from 1 the length of a rotation or normal may be; those of the game are within it.
const UNIT_TOLERANCE: f32 = 0.001;

type Refusal = Result<(), EditError>;

/// Refuses a plan that cannot be built. `geometries` are those to be stored.
pub(super) fn refuse(plan: &Plan, geometries: &[&GeometryPlan]) -> Refusal {
    let nodes = Path::named("nodes");
    if plan.nodes.is_empty() {
        return Err(NO_NODES.at(nodes).into());
    }
    for (i, node) in plan.nodes.iter().enumerate() {
        refuse_node(plan, i, node, nodes.index(i))?;
    }
    let key_count = plan.nodes.iter().map(|node| node.track.len().max(1)).fold(0, usize::saturating_add);
    refuse_keys(key_count)?;
    let last_time = plan.nodes.iter().filter_map(|node| node.track.last()).map(|key| key.time).max();
    let moving = plan.nodes.iter().filter(|node| node.track.len() > 1).count();
    refuse_map(moving, last_time.unwrap_or(0).saturating_add(1))?;
    let triangles = geometries.iter().flat_map(|geometry| &geometry.parts).map(|part| part.triangles.len());
    refuse_triangles(triangles.fold(0, usize::saturating_add))?;
    refuse_extras(plan)
}

/// Refuses more keys than 16 bits can tell apart.
pub(in crate::msh) fn refuse_keys(count: usize) -> Refusal {
    most(&TOO_MANY_KEYS, Path::named("nodes"), "keys", count, MOST_KEYS)
}

/// Refuses more triangles than 16 bits can tell apart.
pub(in crate::msh) fn refuse_triangles(count: usize) -> Refusal {
    most(&TOO_MANY_TRIANGLES, Path::named("nodes"), "triangles", count, MOST_TRIANGLES)
}

fn most(code: &'static Code, path: Path, what: &str, count: usize, most: usize) -> Refusal {
    ensure(count <= most, || code.at(path).saying(format!("{count} {what}, at most {most} fit")))
}

fn ensure(holds: bool, refusal: impl FnOnce() -> Diagnostic) -> Refusal {
    if holds { Ok(()) } else { Err(refusal().into()) }
}

fn refuse_node(plan: &Plan, index: usize, node: &NodePlan, path: Path) -> Refusal {
    let has_nul = |text: &[u8]| text.contains(&0);
    let shown = text::shown(&node.name);
    let fits = plan.reading == Reading::Documented || node.name.len() <= NAME_LEN;
    ensure(fits && !has_nul(&node.name), || {
        let found = format!("`{shown}`: {} bytes, {NAME_LEN} fit beside the NUL", node.name.len());
        NAME.at(path.field("name")).saying(found)
    })?;
    ensure(!has_nul(&node.label), || NAME.at(path.field("label")).saying("a NUL inside"))?;
    ensure(node.parent.is_none_or(|parent| parent < index), || {
        let found = format!("node {index} has the parent {}", node.parent.unwrap_or_default());
        PARENT.at(path.field("parent")).saying(found)
    })?;
    refuse_track(&node.track, path.field("track"))?;
    if plan.reading == Reading::Observed {
        refuse_variants(node, path)?;
    }
    for (i, geometry) in node.slots.iter().flatten().enumerate() {
        if let Some(geometry) = geometry {
            refuse_geometry(plan, geometry, path.field("slots").index(i))?;
        }
    }
    Ok(())
}

/// As observed, damage states are filled in order, and a cockpit node has nothing but its cockpit.
fn refuse_variants(node: &NodePlan, path: Path) -> Refusal {
    let filled = node.slots.each_ref().map(|groups| groups.iter().any(Option::is_some));
    for (state, before) in (1_usize..).zip(filled.windows(2)) {
        ensure(before != [false, true], || {
            let found = format!("state {state} without state {}", state.saturating_sub(1));
            VARIANT_ORDER.at(path.field("slots").index(state.saturating_mul(GROUP_COUNT))).saying(found)
        })?;
    }
    ensure(node.flags & COCKPIT_FLAG == 0 || node.is_cockpit(), || {
        let found = format!("flag 0x20, but not only geometry of group {COCKPIT_GROUP}");
        COCKPIT.at(path.field("flags")).saying(found)
    })
}

fn refuse_track(track: &[KeyPlan], path: Path) -> Refusal {
    let mut wanted = 0;
    for (i, key) in track.iter().enumerate() {
        let path = path.index(i);
        let late = key.time > LAST_TIME;
        ensure(key.time >= wanted && !late && (i > 0 || key.time == 0), || {
            let bounds = if i == 0 { "0".to_owned() } else { format!("{wanted} to {LAST_TIME}") };
            KEY_TIME.at(path.field("time")).saying(format!("{} instead of {bounds}", key.time))
        })?;
        wanted = key.time.saturating_add(1);
        finite(&key.position, path.field("position"))?;
        unit(&key.rotation.0, path.field("rotation"))?;
    }
    Ok(())
}

/// Refuses maps that are too long together: that of each moving node starts where that of the one before it ends.
pub(in crate::msh) fn refuse_map(moving: usize, frame_count: u32) -> Refusal {
    let frame_count = usize::try_from(frame_count).unwrap_or(usize::MAX);
    let last_start = moving.saturating_sub(1).saturating_mul(frame_count);
    ensure(last_start <= LAST_MAP_START, || {
        let found = format!(
            "with {moving} moving nodes and {frame_count} frames the last map starts at {last_start}, \
             at most {LAST_MAP_START} fits"
        );
        TOO_MANY_FRAMES.at(Path::named("nodes")).saying(found)
    })
}

fn refuse_geometry(plan: &Plan, geometry: &GeometryPlan, path: Path) -> Refusal {
    let count = geometry.positions.len();
    let given = match &geometry.normals {
        Normals::Given(normals) => Some(("normals", normals.len())),
        Normals::Smooth | Normals::Flat => None,
    };
    let rows = [
        ("uv", geometry.uv.len()),
        ("lightmap_uv", geometry.lightmap_uv.len()),
        ("extra15", geometry.extra15.len()),
        ("tangents", geometry.tangents.len()),
    ];
    for (name, rows) in rows.into_iter().filter(|(_, rows)| *rows > 0).chain(given) {
        ensure(rows == count, || {
            VERTEX_COUNT.at(path.field(name)).saying(format!("{rows} of them for {count} vertices"))
        })?;
    }
    for (i, position) in geometry.positions.iter().enumerate() {
        finite(position, path.field("positions").index(i))?;
    }
    if let Normals::Given(normals) = &geometry.normals {
        for (i, normal) in normals.iter().enumerate() {
            unit(normal, path.field("normals").index(i))?;
        }
    }
    for (name, rows) in [("uv", &geometry.uv), ("lightmap_uv", &geometry.lightmap_uv)] {
        for (i, row) in rows.iter().enumerate() {
            finite(row, path.field(name).index(i))?;
        }
    }
    ensure(!geometry.parts.is_empty(), || EMPTY.at(path).saying("geometry without a part"))?;
    for (i, part) in geometry.parts.iter().enumerate() {
        refuse_part(plan, part, count, path.field("parts").index(i))?;
    }
    Ok(())
}

fn refuse_part(plan: &Plan, part: &PartPlan, vertex_count: usize, path: Path) -> Refusal {
    ensure(!part.triangles.is_empty(), || EMPTY.at(path).saying("a part without a triangle"))?;
    ensure(plan.reading == Reading::Documented || u8::try_from(part.material).is_ok(), || {
        MATERIAL.at(path.field("material")).saying(format!("row {}, at most 255 fits", part.material))
    })?;
    if let Some(portal) = part.portal {
        below(u32::from(portal), plan.nodes.len(), "nodes", path.field("portal"))?;
    }
    for (i, triangle) in part.triangles.iter().enumerate() {
        for vertex in triangle.vertices {
            below(vertex, vertex_count, "vertices", path.field("triangles").index(i))?;
        }
    }
    Ok(())
}

fn refuse_extras(plan: &Plan) -> Refusal {
    let node_count = plan.nodes.len();
    for (i, point) in plan.waypoints.iter().enumerate() {
        let path = Path::named("waypoints").index(i);
        below(point.node.get(), node_count, "nodes", path.field("node"))?;
        finite(&point.position.map(zerocopy::little_endian::F32::get), path.field("position"))?;
    }
    for (i, link) in plan.hallways.iter().enumerate() {
        for (name, end) in [("a", link.a), ("b", link.b)] {
            let path = Path::named("hallways").index(i).field(name);
            below(end.get(), plan.waypoints.len(), "waypoints", path)?;
        }
    }
    for (i, probe) in plan.probes.iter().enumerate() {
        let path = Path::named("probes").index(i);
        let node = u32::try_from(probe.node.get()).unwrap_or(u32::MAX);
        below(node, node_count, "nodes", path.field("node"))?;
        let numbers =
            probe.position.iter().chain(&probe.direction).chain(&probe.colour).chain([&probe.intensity]);
        finite(&numbers.map(|number| number.get()).collect::<Vec<f32>>(), path)?;
    }
    Ok(())
}

fn below(index: u32, count: usize, what: &str, path: Path) -> Refusal {
    ensure(usize::try_from(index).is_ok_and(|index| index < count), || {
        INDEX_RANGE.at(path).saying(format!("{index} of {count} {what}"))
    })
}

pub(super) fn finite(numbers: &[f32], path: Path) -> Refusal {
    ensure(numbers.iter().all(|number| number.is_finite()), || {
        NOT_FINITE.at(path).saying(format!("{numbers:?}"))
    })
}

fn unit(vector: &[f32], path: Path) -> Refusal {
    finite(vector, path)?;
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    ensure((length - 1.0).abs() <= UNIT_TOLERANCE, || {
        NOT_UNIT.at(path).saying(format!("length {length} instead of 1"))
    })
}
