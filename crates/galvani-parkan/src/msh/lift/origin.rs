//! Which bytes of a model the values of its scene are, and how a value becomes bytes again.

use std::ops::{Range, RangeInclusive};

use galvani_core::codec::{BaseBytes, COLOUR, CORNER, write_parts};
use galvani_core::maths::Wxyz;
use galvani_core::{Codec, Path, Reading};
use galvani_scene::origin::{NOWHERE, NameRoom, runs};
use galvani_scene::{NameOrigin, Named, Origin, Track, Values};
use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, I16};

use super::mesh::{UP, direction};
use super::{FRAME_RATE, Lift, axes, from_axes, nearest, turned};
use crate::msh::{NONE, values, wire};

/// Ways in which values of a scene lie in a model.
pub static CODECS: &[Codec] = &[
    PLACE,
    NORMAL,
    TANGENT,
    UV_OBSERVED,
    UV_DOCUMENTED,
    COLOUR,
    CORNER,
    FRAME,
    TURN_OBSERVED,
    TURN_DOCUMENTED,
    NODE_PARENT,
];

const PLACE: Codec = Codec {
    name: "place",
    len: 12,
    lift: |bytes, _| {
        let Ok(row) = wire::Position::read_from_bytes(bytes) else { return [0.0; 4] };
        let [x, y, z] = axes(row.position.map(F32::get));
        [x, y, z, 0.0]
    },
    lower: |[x, y, z, _], _, bytes| write_parts(&from_axes([x, y, z]).map(f32::to_le_bytes), bytes),
    is_signless: false,
    spelled: None,
};

const NORMAL: Codec = Codec {
    name: "normal",
    len: 3,
    lift: lift_normal,
    lower: lower_normal,
    is_signless: false,
    spelled: None,
};

const TANGENT: Codec = Codec {
    name: "tangent",
    len: 3,
    lift: lift_normal,
    lower: lower_normal,
    is_signless: false,
    spelled: None,
};

const UV_OBSERVED: Codec = Codec {
    name: "uv-observed",
    len: 4,
    lift: |bytes, _| lift_uv(bytes, Reading::Observed),
    lower: |value, _, bytes| lower_uv(value, bytes, Reading::Observed),
    is_signless: false,
    spelled: None,
};

const UV_DOCUMENTED: Codec = Codec {
    name: "uv-documented",
    len: 4,
    lift: |bytes, _| lift_uv(bytes, Reading::Documented),
    lower: |value, _, bytes| lower_uv(value, bytes, Reading::Documented),
    is_signless: false,
    spelled: None,
};

/// Frames at the rate that files are lifted with unless somebody says otherwise.
const FRAME: Codec = Codec {
    name: "frame",
    len: 4,
    lift: |bytes, _| {
        let frames = bytes.first_chunk().map_or(0.0, |bytes| f32::from_le_bytes(*bytes));
        [super::clip::in_seconds(frames, FRAME_RATE), 0.0, 0.0, 0.0]
    },
    lower: |[seconds, ..], _, bytes| write_parts(&[(seconds * FRAME_RATE).round().to_le_bytes()], bytes),
    is_signless: false,
    spelled: None,
};

const TURN_OBSERVED: Codec = Codec {
    name: "turn-observed",
    len: 8,
    lift: |bytes, _| lift_turn(bytes, Reading::Observed),
    lower: |value, _, bytes| lower_turn(value, bytes, Reading::Observed),
    is_signless: true,
    spelled: None,
};

const TURN_DOCUMENTED: Codec = Codec {
    name: "turn-documented",
    len: 8,
    lift: |bytes, _| lift_turn(bytes, Reading::Documented),
    lower: |value, _, bytes| lower_turn(value, bytes, Reading::Documented),
    is_signless: true,
    spelled: None,
};

/// The number of the node that one hangs on.
const NODE_PARENT: Codec = Codec {
    name: "node-parent",
    len: 2,
    lift: |bytes, _| {
        let number = bytes.first_chunk().map_or(NONE, |word| u16::from_le_bytes(*word));
        [if number == NONE { NOWHERE } else { number.into() }, 0.0, 0.0, 0.0]
    },
    lower: |[number, ..], _, bytes| {
        let number = if number < 0.0 { NONE } else { small(number) };
        write_parts(&[number.to_le_bytes()], bytes);
    },
    is_signless: false,
    spelled: None,
};

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is no such number is the nearest"
)]
fn small(number: f32) -> u16 {
    number as u16
}

/// What a node hangs on, which stands before it, and where it is if nothing moves it.
pub(super) fn of_node(lift: &mut Lift<'_, '_>, node: usize) {
    let table = Path::named("nodes");
    let parent = Origin::new(Values::Parent(node), NODE_PARENT.name, (table, PARENT), runs([node]));
    lift.scene.origins.push(Origin { most: Some(node), ..parent });
}

/// Where the parent is in a record of a node.
const PARENT: usize = 2;

/// What a node is called.
pub(super) fn of_name(lift: &mut Lift<'_, '_>, node: usize) {
    let is_observed = lift.model.reading == Reading::Observed;
    let (table, row, room) = if is_observed {
        (Path::named("names"), node, NameRoom::Field(size_of::<wire::NodeName>()))
    } else {
        (Path::named("labels").index(node).field("text"), 0, NameRoom::Counted)
    };
    let of = Named::Node(node);
    lift.scene.names.push(NameOrigin { of, file: String::new(), table, row, field: 0, room });
}

/// The vertices of a primitive, by their rows.
pub(super) fn of_vertices(lift: &mut Lift<'_, '_>, (mesh, at): (usize, usize), vertices: &[usize]) {
    let rows = runs(vertices.iter().copied());
    let model = lift.model;
    let is_observed = model.reading == Reading::Observed;
    let uv = if is_observed { UV_OBSERVED } else { UV_DOCUMENTED };
    let lightmap = model.stream18.as_ref().filter(|_| is_observed);
    let colours = model.stream18.as_ref().filter(|_| !is_observed);
    let origins = [
        (Values::Positions(mesh, at), &PLACE, model.positions.is_some(), "positions"),
        (Values::Normals(mesh, at), &NORMAL, model.normals.is_some(), "normals"),
        (Values::Alongs(mesh, at), &TANGENT, model.tangents.is_some(), "tangents"),
        (Values::Uvs(mesh, at, 0), &uv, model.uv0.is_some(), "uv0"),
        (Values::Uvs(mesh, at, 1), &uv, lightmap.is_some(), "lightmap_uv"),
        (Values::Colors(mesh, at), &COLOUR, colours.is_some(), "colours"),
    ];
    let origins = origins.into_iter().filter(|(.., is_there, _)| *is_there);
    let origin = |(values, codec, _, name): (Values, &Codec, bool, &'static str)| {
        Origin::new(values, codec.name, (Path::named(name), 0), rows.clone())
    };
    lift.scene.origins.extend(origins.map(origin));
    // The side is the bitangent's business, whose directions the scene does not hold.
    let sides = model.tangents.is_some().then(|| Origin::fixed(Values::Sides(mesh, at)));
    lift.scene.origins.extend(sides);
}

/// The corners of a primitive's triangles, by their rows; its vertices are those of the file.
pub(super) fn of_indices(
    lift: &mut Lift<'_, '_>,
    (mesh, at): (usize, usize),
    rows: Range<usize>,
    (vertices, base): (&[usize], usize),
) {
    let table = (Path::named("indices"), 0);
    let vertices = Some((runs(vertices.iter().copied()), base));
    let origin = Origin::new(Values::Indices(mesh, at), CORNER.name, table, vec![rows]);
    lift.scene.origins.push(Origin { vertices, ..origin });
}

/// The keys of a node: those that move it are on its tracks, those that do not are how it rests.
pub(super) fn of_keys(lift: &mut Lift<'_, '_>, node: usize, keys: RangeInclusive<usize>, tracks: &[Track]) {
    let rows = runs(keys);
    let turn = if lift.model.reading == Reading::Observed { TURN_OBSERVED } else { TURN_DOCUMENTED };
    let places = tracks.iter().any(|track| matches!(track, Track::Translation(..)));
    let turns = tracks.iter().any(|track| matches!(track, Track::Rotation(..)));
    let mut stated = vec![
        (if places { Values::Places(0, node) } else { Values::Place(node) }, PLACE, POSITION),
        (if turns { Values::Turns(0, node) } else { Values::Turn(node) }, turn, ROTATION),
    ];
    if is_usual(lift.options.frame_rate) {
        stated.extend(places.then_some((Values::PlaceTimes(0, node), FRAME, TIME)));
        stated.extend(turns.then_some((Values::TurnTimes(0, node), FRAME, TIME)));
    }
    let origin = |(values, codec, field): (Values, Codec, usize)| {
        Origin::new(values, codec.name, (Path::named("keys"), field), rows.clone())
    };
    lift.scene.origins.extend(stated.into_iter().map(origin));
}

/// The key of a node that does not move: how it rests.
pub(super) fn of_still(lift: &mut Lift<'_, '_>, node: usize, key: usize) {
    of_keys(lift, node, key..=key, &[]);
}

/// Where the fields of a key are.
const POSITION: usize = 0;
const TIME: usize = 12;
const ROTATION: usize = 16;

#[allow(clippy::float_cmp, reason = "the very number")]
fn is_usual(frame_rate: f32) -> bool {
    frame_rate == FRAME_RATE
}

fn lift_normal(bytes: &[u8], _: &[BaseBytes]) -> [f32; 4] {
    let Some(packed) = bytes.first_chunk::<3>() else { return [0.0; 4] };
    let normal = packed.map(|byte| values::normal(byte.cast_signed()));
    direction(normal).unwrap_or(UP).extend(0.0).into()
}

fn lower_normal([x, y, z, _]: [f32; 4], _: &[BaseBytes], bytes: &mut [u8]) {
    let packed = from_axes([x, y, z]).map(|part| [values::pack_normal(part).cast_unsigned()]);
    write_parts(&packed, bytes);
}

fn lift_uv(bytes: &[u8], reading: Reading) -> [f32; 4] {
    let Ok(row) = wire::Uv::read_from_bytes(bytes) else { return [0.0; 4] };
    let [u, v] = row.uv.map(|word| values::uv(word.get(), reading));
    [u, v, 0.0, 0.0]
}

fn lower_uv([u, v, ..]: [f32; 4], bytes: &mut [u8], reading: Reading) {
    write_parts(&[u, v].map(|part| values::pack_uv(part, reading).to_le_bytes()), bytes);
}

fn lift_turn(bytes: &[u8], reading: Reading) -> [f32; 4] {
    let Ok(raw) = <[I16; 4]>::read_from_bytes(bytes) else { return [0.0; 4] };
    let rotation = values::rotation_of(raw.map(I16::get), reading);
    turned(nearest(rotation).unwrap_or_else(|nearest| nearest)).into()
}

fn lower_turn([x, y, z, w]: [f32; 4], bytes: &mut [u8], reading: Reading) {
    let [x, y, z] = from_axes([x, y, z]).map(|part| -part);
    let packed = values::pack_rotation(Wxyz([w, x, y, z]), reading);
    write_parts(&packed.map(i16::to_le_bytes), bytes);
}
