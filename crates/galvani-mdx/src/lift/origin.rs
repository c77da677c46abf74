//! Which bytes of a model the values of its scene are, and how a value becomes bytes again.

use std::collections::BTreeMap;
use std::ops::Range;

use galvani_core::codec::{BaseBytes, CORNER, PARENT, UV, numbers, write_parts};
use galvani_core::{Codec, Path, Reading, image};
use galvani_scene::origin::{Base, Groups, NameRoom, ParentTable, packed_parts, runs, unpacked};
use galvani_scene::{Clip, NameOrigin, Named, Origin, Track, Values};
use glam::{Quat, Vec3, Vec4};

use super::eye::looking;
use super::facts::linear_color;
use super::look::CUTOFF;
use super::run::Clock;
use super::surface::Drawn;
use super::{Lift, axes, axes_back, milliseconds, seconds, turned, turned_back};
use crate::model::{Geoset, StoredSkin};
use crate::quaternion;
use crate::sample::{Animated, AnyKeys, Loaded, PropertyPart};
use crate::track::{Form, TrackValue};
use crate::{Family, NodeKind};

/// Ways in which values of a scene lie in a model.
pub static CODECS: &[Codec] = &[
    POINT,
    NORMAL,
    TANGENT,
    UV,
    CORNER,
    PIVOT,
    PLACE,
    TURN,
    PACKED_TURN,
    TIME,
    PARENT,
    GROUP,
    SKIN,
    BATCH_SKIN,
    SIGHT,
    EYE_TURN,
    SHINE,
    SHINE_WOW,
    REACH,
    WORD,
    BACK,
    FILTER,
    EDGES,
];

/// How high a camera sees, and from where to where; the far end stands before the near one.
const SIGHT: Codec = Codec {
    name: "sight",
    len: 12,
    lift: |bytes, _| {
        let [angle, far, near] = numbers(bytes);
        [angle, near, far, 0.0]
    },
    lower: |[angle, near, far, _], _, bytes| put_numbers([angle, far, near], bytes),
    is_signless: false,
    spelled: None,
};

/// What a camera looks at, from where it is.
const EYE_TURN: Codec = Codec {
    name: "eye-turn",
    len: 12,
    lift: |bytes, bases| {
        let from = bases.first().map_or(Vec3::ZERO, |it| vector(it));
        looking(axes(from), axes(vector(bytes)), 0.0).to_array()
    },
    lower: |value, bases, bytes| {
        let from = bases.first().map_or(Vec3::ZERO, |it| vector(it));
        let ahead = Quat::from_array(value) * Vec3::NEG_Z * LOOK;
        put_numbers((from + axes_back(ahead)).to_array(), bytes);
    },
    is_signless: true,
    spelled: None,
};

/// How far away the point is that a turned camera looks at: about as far as models are high.
const LOOK: f32 = 100.0;

/// The colour of a light and how bright it is.
const SHINE: Codec = Codec {
    name: "shine",
    len: 16,
    lift: |bytes, _| {
        let [red, green, blue, intensity] = numbers(bytes);
        linear_color(Vec3::new(red, green, blue)).extend(intensity).to_array()
    },
    lower: |[red, green, blue, intensity], _, bytes| {
        let [red, green, blue] = [red, green, blue].map(image::shown);
        put_numbers([red, green, blue, intensity], bytes);
    },
    is_signless: false,
    spelled: None,
};

/// The same, blue first.
const SHINE_WOW: Codec = Codec {
    name: "shine-wow",
    lift: |bytes, _| {
        let [blue, green, red, intensity] = numbers(bytes);
        linear_color(Vec3::new(red, green, blue)).extend(intensity).to_array()
    },
    lower: |[red, green, blue, intensity], _, bytes| {
        let [red, green, blue] = [red, green, blue].map(image::shown);
        put_numbers([blue, green, red, intensity], bytes);
    },
    ..SHINE
};

/// Where a light has faded; what is no such place is none.
const REACH: Codec = Codec {
    name: "reach",
    len: 4,
    lift: |bytes, _| {
        let [end] = numbers(bytes);
        [if end > 0.0 && end.is_finite() { end } else { 0.0 }, 0.0, 0.0, 0.0]
    },
    lower: |[end, ..], _, bytes| put_numbers([end], bytes),
    is_signless: false,
    spelled: None,
};

/// A number that means one of a few things.
const WORD: Codec = Codec {
    name: "word",
    len: 4,
    lift: |bytes, _| [bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)), 0, 0, 0].map(few),
    lower: |[number, ..], _, bytes| write_parts(&[u32::from(small(number)).to_le_bytes()], bytes),
    is_signless: false,
    spelled: None,
};

/// The bit of a layer by which backs are seen.
const BACK: Codec = Codec {
    name: "back",
    len: 1,
    lift: |bytes, _| [bits(bytes, TWO_SIDED), 0.0, 0.0, 0.0],
    lower: |[is_seen, ..], _, bytes| put_bits(bytes, &[(TWO_SIDED, is_seen)]),
    is_signless: false,
    spelled: None,
};

/// How a layer is drawn, as far as alpha says it.
const FILTER: Codec = Codec {
    name: "filter",
    lift: |bytes, _| {
        let [mode, ..] = (WORD.lift)(bytes, &[]);
        [mode, if mode.to_bits() == 1.0_f32.to_bits() { CUTOFF } else { 0.0 }, 0.0, 0.0]
    },
    ..WORD
};

/// Whether a texture begins again at its edges, across and down.
const EDGES: Codec = Codec {
    name: "edges",
    len: 1,
    lift: |bytes, _| [bits(bytes, 1), bits(bytes, 2), 0.0, 0.0],
    lower: |[across, down, ..], _, bytes| put_bits(bytes, &[(1, across), (2, down)]),
    is_signless: false,
    spelled: None,
};

/// The bit of layers by which backs are seen.
const TWO_SIDED: u8 = 0x10;

/// Whether a bit is there, as 0 or 1.
fn bits(bytes: &[u8], bit: u8) -> f32 {
    f32::from(u8::from(bytes.first().is_some_and(|byte| byte & bit != 0)))
}

/// Puts bits there or takes them away; others stay.
fn put_bits(bytes: &mut [u8], bits: &[(u8, f32)]) {
    let Some(byte) = bytes.first_mut() else { return };
    for (bit, is_there) in bits {
        *byte = if *is_there > 0.5 { *byte | bit } else { *byte & !bit };
    }
}

/// A small number; others are none.
fn few(number: u32) -> f32 {
    u8::try_from(number).map_or(f32::NAN, f32::from)
}

/// A point, or how large something is.
const POINT: Codec = Codec {
    name: "point",
    len: 12,
    lift: |bytes, _| three(axes(vector(bytes))),
    lower: |value, _, bytes| put_numbers(axes_back(first_three(value)).to_array(), bytes),
    is_signless: false,
    spelled: None,
};

const NORMAL: Codec =
    Codec { name: "normal", lift: |bytes, _| three(super::mesh::unit(axes(vector(bytes)))), ..POINT };

const TANGENT: Codec = Codec {
    name: "tangent",
    len: 16,
    lift: |bytes, _| super::mesh::tangent(Vec4::from_array(numbers(bytes))).to_array(),
    lower: |value, _, bytes| {
        let [x, y, z] = axes_back(first_three(value)).to_array();
        put_numbers([x, y, z, value[3]], bytes);
    },
    is_signless: false,
    spelled: None,
};

/// Where a node turns, from where its parent does.
const PIVOT: Codec = Codec {
    name: "pivot",
    lift: |bytes, bases| three(axes(vector(bytes) - bases.first().map_or(Vec3::ZERO, |it| vector(it)))),
    lower: |value, bases, bytes| {
        let above = bases.first().map_or(Vec3::ZERO, |it| vector(it));
        put_numbers((axes_back(first_three(value)) + above).to_array(), bytes);
    },
    ..POINT
};

/// Where a node goes, from where it is at rest: its own pivot and its parent's.
const PLACE: Codec = Codec {
    name: "place",
    lift: |bytes, bases| three(axes(vector(bytes)) + rest(bases)),
    lower: |value, bases, bytes| put_numbers(axes_back(first_three(value) - rest(bases)).to_array(), bytes),
    ..POINT
};

const TURN: Codec = Codec {
    name: "turn",
    len: 16,
    lift: |bytes, _| lift_turn(TrackValue::Quaternion, &numbers::<4>(bytes).map(f32::to_bits)),
    lower: |value, _, bytes| put_numbers(turned_back(Quat::from_array(value)).to_array(), bytes),
    is_signless: true,
    spelled: None,
};

const PACKED_TURN: Codec = Codec {
    name: "packed-turn",
    len: 8,
    lift: |bytes, _| lift_turn(TrackValue::Packed, &numbers::<2>(bytes).map(f32::to_bits)),
    lower: |value, _, bytes| {
        let words = quaternion::words(quaternion::encode(turned_back(Quat::from_array(value))));
        write_parts(&words.map(u32::to_le_bytes), bytes);
    },
    is_signless: true,
    spelled: None,
};

/// Milliseconds, from the start of a sequence.
const TIME: Codec = Codec {
    name: "time",
    len: 4,
    lift: |bytes, bases| [seconds(moment(bytes) - start(bases)), 0.0, 0.0, 0.0],
    lower: |[time, ..], bases, bytes| {
        write_parts(&[nearest(milliseconds(time) + start(bases)).to_le_bytes()], bytes);
    },
    is_signless: false,
    spelled: None,
};

/// The group of nodes that a vertex follows; which of them say the same lies at the bases.
const GROUP: Codec = Codec {
    name: "group",
    len: 1,
    lift: |bytes, bases| {
        let group = bytes.first().copied().unwrap_or_default();
        let first = bases.as_flattened().get(usize::from(group)).copied().unwrap_or(group);
        [first.into(), 0.0, 0.0, 0.0]
    },
    lower: |[group, ..], _, bytes| write_parts(&[[small(group)]], bytes),
    is_signless: false,
    spelled: None,
};

/// Four nodes and four weights, each a byte.
const SKIN: Codec = Codec {
    name: "skin",
    len: 8,
    lift: |bytes, _| {
        let [nodes, weights] = fours(bytes);
        packed_parts(nodes.map(u16::from), weights.map(u16::from))
    },
    lower: |value, _, bytes| {
        let [nodes, weights] = skin_bytes(value);
        write_parts(&[nodes, weights], bytes);
    },
    is_signless: false,
    spelled: None,
};

/// The same, weights first.
const BATCH_SKIN: Codec = Codec {
    name: "batch-skin",
    lift: |bytes, _| {
        let [weights, nodes] = fours(bytes);
        packed_parts(nodes.map(u16::from), weights.map(u16::from))
    },
    lower: |value, _, bytes| {
        let [nodes, weights] = skin_bytes(value);
        write_parts(&[weights, nodes], bytes);
    },
    ..SKIN
};

/// Four nodes and four weights as bytes, neither above 255.
fn skin_bytes(value: [f32; 4]) -> [[u8; 4]; 2] {
    let (nodes, weights) = unpacked(value);
    [nodes, weights].map(|four| four.map(|part| u8::try_from(part).unwrap_or(u8::MAX)))
}

fn fours(bytes: &[u8]) -> [[u8; 4]; 2] {
    let mut fours = [[0; 4]; 2];
    fours.iter_mut().zip(bytes.as_chunks::<4>().0).for_each(|(four, found)| *four = *found);
    fours
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is no such number is the nearest"
)]
fn small(number: f32) -> u8 {
    number as u8
}

fn lift_turn(value: TrackValue, words: &[u32]) -> [f32; 4] {
    Quat::read(value, words).map_or([0.0; 4], |rotation| turned(rotation).to_array())
}

fn put_numbers<const N: usize>(numbers: [f32; N], bytes: &mut [u8]) {
    write_parts(&numbers.map(f32::to_le_bytes), bytes);
}

fn vector(bytes: &[u8]) -> Vec3 {
    Vec3::from_array(numbers(bytes))
}

fn three(vector: Vec3) -> [f32; 4] {
    vector.extend(0.0).to_array()
}

fn first_three([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Where a node is at rest in its parent.
fn rest(bases: &[BaseBytes]) -> Vec3 {
    let pivot = |at: usize| bases.get(at).map_or(Vec3::ZERO, |it| vector(it));
    axes(pivot(0) - pivot(1))
}

fn moment(bytes: &[u8]) -> f64 {
    bytes.first_chunk().map_or(0.0, |word| i32::from_le_bytes(*word).into())
}

fn start(bases: &[BaseBytes]) -> f64 {
    bases.first().map_or(0.0, |base| moment(base))
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "what is no such number is the nearest"
)]
fn nearest(number: f64) -> i32 {
    number.round() as i32
}

/// A primitive of a geoset that is a record of lists, and the rows of its corners.
pub(super) fn of_lists(
    lift: &mut Lift<'_>,
    path: Path,
    (mesh, at): (usize, usize),
    (vertices, uvs, is_flat): (usize, usize, bool),
    corners: &[Range<usize>],
) {
    let rows = |from: usize| runs(from..from.saturating_add(vertices));
    let all = [
        (Values::Positions(mesh, at), &POINT, "VRTX"),
        (Values::Normals(mesh, at), &NORMAL, "NRMS"),
        (Values::Tangents(mesh, at), &TANGENT, "TANG"),
    ];
    let all = all.map(|(values, codec, tag)| Origin::new(values, codec.name, (path.field(tag), 0), rows(0)));
    let uvs = (0..uvs).map(|set| {
        let (table, first) = if is_flat {
            (path.field("UVAS"), set.saturating_mul(vertices))
        } else {
            (path.field("UVAS").index(set).field("UVBS"), 0)
        };
        Origin::new(Values::Uvs(mesh, at, set), UV.name, (table, 0), rows(first))
    });
    lift.scene.origins.extend(all.into_iter().chain(uvs));
    let table = (path.field("PVTX"), 0);
    lift.scene.origins.push(Origin::new(Values::Indices(mesh, at), CORNER.name, table, corners.to_vec()));
}

/// What pulls at the vertices of a geoset that is a record of lists: SKIN where it is there, else groups.
pub(super) fn of_pulls(lift: &mut Lift<'_>, path: Path, (mesh, at): (usize, usize), record: &Geoset) {
    let (values, vertices) = (Values::Pulls(mesh, at), record.vertices.len());
    let origin = if record.skin.is_some() {
        let skin = Origin::new(values, SKIN.name, (path.field("SKIN"), 0), runs(0..vertices));
        Origin { stride: Some(SKIN.len), ..skin }
    } else {
        let groups = Groups {
            sizes: (path.field("MTGC"), record.group_sizes.len()),
            nodes: (path.field("MATS"), record.matrices.len()),
        };
        let group = Origin::new(values, GROUP.name, (path.field("GNDX"), 0), runs(0..vertices));
        Origin { groups: Some(groups), ..group }
    };
    let is_whole = match &record.skin {
        Some(StoredSkin::Bytes(bytes)) => bytes.len() / SKIN.len >= vertices,
        Some(StoredSkin::Words(_)) => false,
        None => record.vertex_groups.len() >= vertices,
    };
    lift.scene.origins.push(if is_whole { origin } else { Origin::fixed(values) });
}

/// A primitive of a geoset whose vertices are records.
pub(super) fn of_batch(
    lift: &mut Lift<'_>,
    path: Path,
    (mesh, at): (usize, usize),
    vertices: usize,
    corners: &[Range<usize>],
) {
    let all = [
        (Values::Positions(mesh, at), &POINT, 0),
        (Values::Normals(mesh, at), &NORMAL, 20),
        (Values::Uvs(mesh, at, 0), &UV, 32),
        (Values::Uvs(mesh, at, 1), &UV, 40),
        (Values::Pulls(mesh, at), &BATCH_SKIN, 12),
    ];
    let table = path.field("vertices");
    let all =
        all.map(|(values, codec, field)| Origin::new(values, codec.name, (table, field), runs(0..vertices)));
    lift.scene.origins.extend(all);
    let table = (path.field("indices"), 0);
    lift.scene.origins.push(Origin::new(Values::Indices(mesh, at), CORNER.name, table, corners.to_vec()));
}

/// Where a node is at rest, and what it is called.
pub(super) fn of_node(lift: &mut Lift<'_>, index: usize) {
    let Some(number) = number(lift, index) else { return };
    if let Some(record) = lift.placed.get(index) {
        let table = record.path.field("node");
        // Behind its size.
        lift.scene.names.push(name(Named::Node(number), (table, 0, size_of::<u32>())));
    }
    if let Some(record) = lift.placed.get(index) {
        let parent = (record.path.field("node"), PARENT_ID);
        let parent = Origin::new(Values::Parent(number), PARENT.name, parent, runs([0]));
        let (is_light, path) = (record.kind == NodeKind::Light, record.path);
        lift.scene.origins.push(parent);
        if is_light {
            of_light(lift, number, path);
        }
    }
    let Some(above) = pivots(lift, index).map(|_| above(lift)) else { return };
    let rows = runs([number]);
    let origin = Origin::new(Values::Place(number), PIVOT.name, (Path::named("PIVT"), 0), rows);
    lift.scene.origins.push(Origin { above: Some(above), ..origin });
}

/// What a camera sees, where it is, and what it looks at; the latter of one that stands still: clips begin where it stands.
pub(super) fn of_camera(lift: &mut Lift<'_>, eye: usize, path: Path, is_still: bool) {
    let one =
        |values, codec: &Codec, field| Origin::new(values, codec.name, (path.field(field), 0), runs([0]));
    let base = Base { table: path.field("position"), row: 0, field: 0 };
    let turn = Origin { bases: vec![base], ..one(Values::EyeTurn(eye), &EYE_TURN, "target") };
    let sight = one(Values::Sight(eye), &SIGHT, "fov");
    let place = one(Values::EyePlace(eye), &POINT, "position");
    lift.scene.origins.push(sight);
    lift.scene.origins.extend(is_still.then_some([place, turn]).into_iter().flatten());
}

/// What a light at a node shines like.
fn of_light(lift: &mut Lift<'_>, number: usize, path: Path) {
    let shine = if lift.document.family() == Family::Warcraft { SHINE } else { SHINE_WOW };
    let all = [
        (Values::Shine(number), shine, "color"),
        (Values::Reach(number), REACH, "attenuation_end"),
        (Values::Form(number), WORD, "kind"),
    ];
    let all =
        all.map(|(values, codec, field)| Origin::new(values, codec.name, (path.field(field), 0), runs([0])));
    lift.scene.origins.extend(all);
}

/// How a layer of a material is drawn, and the edges of its pictures.
pub(super) fn of_layer(lift: &mut Lift<'_>, material: usize, drawn: &Drawn) {
    let (path, layer) = (drawn.path, drawn.layer);
    let all = [
        (Values::Back(material, layer), BACK, "flags"),
        (Values::Cover(material, layer), FILTER, "filter_mode"),
    ];
    let own =
        all.map(|(values, codec, field)| Origin::new(values, codec.name, (path.field(field), 0), runs([0])));
    let edges = drawn.textures.iter().enumerate().filter_map(|(at, texture)| {
        let (values, table) = (Values::Edges(material, layer, at), (Path::named("TEXS"), TEXTURE_FLAGS));
        Some(Origin::new(values, EDGES.name, table, runs([(*texture)?])))
    });
    lift.scene.origins.extend(own.into_iter().chain(edges));
}

/// Where a texture has its bits, behind what the game puts there and its file.
const TEXTURE_FLAGS: usize = size_of::<u32>() + 260;

/// Where a node has the number of its parent, behind its size, its name and its own.
const PARENT_ID: usize = size_of::<u32>() + NAME + size_of::<u32>();

/// Places count from where the parent turns.
fn above(lift: &Lift<'_>) -> ParentTable {
    let count = lift.document.pivots().len();
    ParentTable { table: Path::named("PIVT"), first: 0, count, field: 0, is_row: false }
}

/// Where a name lies: names of nodes and sequences have rooms of one size.
fn name(of: Named, (table, row, field): (Path, usize, usize)) -> NameOrigin {
    NameOrigin { of, file: String::new(), table, row, field, room: NameRoom::Field(NAME) }
}

/// Bytes of the room of a name.
const NAME: usize = 80;

/// What a sequence is called; as documented it has no name.
pub(super) fn of_sequence(lift: &mut Lift<'_>, sequence: usize) {
    if lift.document.seqs != Reading::Documented {
        lift.scene.names.push(name(Named::Clip(sequence), (Path::named("SEQS"), sequence, 0)));
    }
}

/// The number of a node of the file.
fn number(lift: &Lift<'_>, index: usize) -> Option<usize> {
    usize::try_from(lift.placed.get(index)?.node.fixed.object_id.get()).ok()
}

/// Where a node turns; nothing if that is nowhere, or where the one that it hangs on does.
fn pivots(lift: &Lift<'_>, index: usize) -> Option<Base> {
    let count = lift.document.pivots().len();
    let base = |index: usize| {
        let row = number(lift, index).filter(|row| *row < count)?;
        Some(Base { table: Path::named("PIVT"), row, field: 0 })
    };
    if let Some(above) = lift.rig.parent(index).filter(|_| !lift.is_detached(index)) {
        base(above)?;
    }
    base(index)
}

/// What is known of a track as the file has it.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    value: TrackValue,
    is_sorted: bool,
    /// Whether it says how it goes from key to key.
    has_steps: bool,
}

/// Every track of a model, by its path; of two of a path the first.
pub(super) fn stored(lift: &Lift<'_>) -> BTreeMap<Path, Stored> {
    let mut all = BTreeMap::new();
    lift.document.each_track(|path, track| {
        let is_sorted = track.times.is_sorted();
        let has_steps = track.form == Form::Generic && track.interpolation <= 1;
        all.entry(path).or_insert(Stored { value: track.value, is_sorted, has_steps });
    });
    all
}

/// A list of a track, by its clip and its node.
type OfTrack = fn(usize, usize) -> Values;

/// The keys of the tracks of a clip.
pub(super) fn of_track(
    lift: &mut Lift<'_>,
    clip: &Clip,
    (track, path, stored): (&Loaded, Path, Stored),
    clock: &Clock,
) {
    let Some((node, part)) = track.moves.filter(|(node, _)| stored.is_sorted && !lift.is_detached(*node))
    else {
        return;
    };
    let (Some(id), Some(number)) = (lift.node_of(node), number(lift, node)) else { return };
    let is_meant = |curve: &&Track| {
        curve.node() == Some(id)
            && matches!(
                (part, curve),
                (PropertyPart::Translation, Track::Translation(..))
                    | (PropertyPart::Rotation, Track::Rotation(..))
                    | (PropertyPart::Scale, Track::Scale(..))
            )
    };
    let Some(curve) = clip.tracks.iter().find(is_meant) else { return };
    let keys = match &track.keys {
        AnyKeys::Vector(keys) => &keys.times,
        AnyKeys::Rotation(keys) => &keys.times,
        AnyKeys::Float(_) | AnyKeys::Index(_) | AnyKeys::Pair(_) => return,
    };
    let index = usize::try_from(clip.index).unwrap_or(usize::MAX);
    let turn = if stored.value == TrackValue::Packed { PACKED_TURN } else { TURN };
    let (of, codec): ([OfTrack; 3], Codec) = match part {
        PropertyPart::Translation => ([Values::Places, Values::PlaceTimes, Values::PlaceSteps], PLACE),
        PropertyPart::Rotation => ([Values::Turns, Values::TurnTimes, Values::TurnSteps], turn),
        PropertyPart::Scale => ([Values::Sizes, Values::SizeTimes, Values::SizeSteps], POINT),
    };
    let [values, times, steps] = of.map(|of| of(index, number));
    let is_place = part == PropertyPart::Translation;
    let bases = if is_place { pivots(lift, node).map(|own| vec![own]) } else { Some(Vec::new()) };
    let Some(bases) = bases else { return };
    let (picks, rows): (Vec<usize>, Vec<usize>) = rows(keys, curve.times(), clock).into_iter().unzip();
    let (picks, rows, table) = (Some(runs(picks)), runs(rows), path.field("keys"));
    let steps = Origin::new(steps, WORD.name, (path, INTERPOLATION), runs([0]));
    lift.scene.origins.extend(stored.has_steps.then_some(steps));
    let origin = Origin {
        picks: picks.clone(),
        bases,
        above: is_place.then(|| above(lift)),
        ..Origin::new(values, codec.name, (table, VALUE), rows.clone())
    };
    let is_global = clock.is_global;
    let from = Base { table: Path::named("SEQS"), row: index, field: START };
    let bases = if is_global { Vec::new() } else { vec![from] };
    let moments = Origin { picks, bases, ..Origin::new(times, TIME.name, (table, 0), rows) };
    lift.scene.origins.extend([origin, moments]);
}

/// Where the head of a track says how it goes from key to key, behind its tag and its count.
const INTERPOLATION: usize = 8;

/// Where a key has its value, and a sequence its start.
const VALUE: usize = 4;
const START: usize = 80;

/// Which of the times of a curve are those of keys, and of which.
fn rows(keys: &[i32], times: &[f32], clock: &Clock) -> Vec<(usize, usize)> {
    let row = |time: f64| {
        let row = keys.partition_point(|key| f64::from(*key) <= time).checked_sub(1)?;
        keys.get(row).filter(|key| (f64::from(**key) - time).abs() < 0.5).map(|_| row)
    };
    let window = &clock.window;
    let found = |time: &f32| {
        let time = milliseconds(*time) + window.start;
        row(time).or_else(|| row(time.rem_euclid(window.length)).filter(|_| clock.is_global))
    };
    if let [_] = times {
        let held = keys.partition_point(|key| f64::from(*key) <= window.end()).saturating_sub(1);
        return vec![(0, held)];
    }
    times.iter().enumerate().filter_map(|(i, time)| Some((i, found(time)?))).collect()
}
