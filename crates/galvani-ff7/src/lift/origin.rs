//! Which bytes of a model's files the values of its scene are, and how a value becomes bytes again.

use galvani_core::codec::{COLOUR, CORNER, PARENT, UV, numbers, write_parts};
use galvani_core::maths::single;
use galvani_core::{Codec, Path};
use galvani_scene::origin::{Base, NameRoom, ParentTable, runs};
use galvani_scene::{NameOrigin, Named, Origin, Values};
use glam::{DQuat, Quat, Vec3};

use super::mesh::Corner;
use super::{axes, turned};
use crate::field::a::sample::rotation;
use crate::field::a::{self, ORDER};
use crate::pack::AngleKey;
use crate::pack::codec::Frames;
use crate::pack::rotation::{euler, from_degrees, from_raw};

/// Ways in which values of a scene lie in the files of a model.
pub static CODECS: &[Codec] =
    &[PLACE, NORMAL, UV, COLOUR, CORNER, TURN, BATTLE_PLACE, BATTLE_TURN, BONE, BATTLE_BONE, BONE_PARENT];

const PLACE: Codec = Codec {
    name: "place",
    len: 12,
    lift: |bytes, _| axes(numbers(bytes)).extend(0.0).to_array(),
    lower: |[x, y, z, _], _, bytes| write_parts(&axes([x, y, z]).to_array().map(f32::to_le_bytes), bytes),
    is_signless: false,
    spelled: None,
};

const NORMAL: Codec = Codec {
    name: "normal",
    lift: |bytes, _| axes(numbers(bytes)).try_normalize().unwrap_or(Vec3::ZERO).extend(0.0).to_array(),
    ..PLACE
};

/// Degrees about X, Y and Z, in the order of the game's own files.
const TURN: Codec = Codec {
    name: "turn",
    len: 12,
    lift: |bytes, _| turned(rotation(numbers(bytes), ORDER)).to_array(),
    lower: |value, _, bytes| write_parts(&degrees(value).map(f32::to_le_bytes), bytes),
    is_signless: true,
    spelled: None,
};

/// Whole units.
const BATTLE_PLACE: Codec = Codec {
    name: "battle-place",
    len: 6,
    lift: |bytes, _| axes(words(bytes).map(f32::from)).extend(0.0).to_array(),
    lower: |[x, y, z, _], _, bytes| {
        write_parts(&axes([x, y, z]).to_array().map(|part| whole(part).to_le_bytes()), bytes);
    },
    is_signless: false,
    spelled: None,
};

/// Units of which 4096 make a turn, as fine as the key at the base has them.
const BATTLE_TURN: Codec = Codec {
    name: "battle-turn",
    len: 6,
    lift: |bytes, _| turned(from_raw(words(bytes))).to_array(),
    lower: |value, bases, bytes| {
        let key = bases.first().and_then(|[key, ..]| AngleKey::from_byte(*key)).unwrap_or(AngleKey::Zero);
        let angle = |degrees: f64| key.nearest(from_degrees(degrees).unwrap_or_default());
        write_parts(&euler(game(value)).map(angle).map(i16::to_le_bytes), bytes);
    },
    is_signless: true,
    spelled: None,
};

/// Where the children of a bone are, which is all that its length says: that far along one axis. In a text.
const BONE: Codec = Codec {
    name: "bone",
    len: 0,
    lift: |bytes, _| {
        let length = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
        end(-length.unwrap_or(f32::NAN))
    },
    lower: |[.., z, _], _, bytes| {
        let text = spelled(z);
        let point = if text.contains('.') { "" } else { "." };
        let filled = text.bytes().chain(point.bytes()).chain(std::iter::repeat(b'0'));
        bytes.iter_mut().zip(filled).for_each(|(byte, letter)| *byte = letter);
    },
    is_signless: false,
    spelled: Some(|[.., z, _]| spelled(z).into_bytes()),
};

/// The same, as battle models have it.
const BATTLE_BONE: Codec = Codec {
    name: "battle-bone",
    len: 4,
    lift: |bytes, _| {
        let [length] = numbers(bytes);
        end(length)
    },
    lower: |[.., z, _], _, bytes| write_parts(&[(-z).to_le_bytes()], bytes),
    is_signless: false,
    spelled: None,
};

/// The bone that one hangs on: bones are counted from the node behind the root on.
const BONE_PARENT: Codec = Codec {
    name: "bone-parent",
    lift: |bytes, bases| {
        let [parent, ..] = (PARENT.lift)(bytes, bases);
        [parent + 1.0, 0.0, 0.0, 0.0]
    },
    lower: |[number, ..], bases, bytes| {
        (PARENT.lower)([(number - 1.0).max(-1.0), 0.0, 0.0, 0.0], bases, bytes);
    },
    ..PARENT
};

/// Where something is that is so far down the game's third axis.
fn end(length: f32) -> [f32; 4] {
    axes([0.0, 0.0, length]).extend(0.0).to_array()
}

fn spelled(length: f32) -> String {
    (length + 0.0).to_string()
}

fn words(bytes: &[u8]) -> [i16; 3] {
    let mut words = [0; 3];
    for (word, stored) in words.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *word = i16::from_le_bytes(*stored);
    }
    words
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "what is no such number is the nearest"
)]
fn whole(number: f32) -> i16 {
    number.round() as i16
}

/// A rotation of the scene in the game's axes.
fn game(value: [f32; 4]) -> DQuat {
    let [x, y, z, w] = value.map(f64::from);
    DQuat::from_xyzw(x, -y, -z, w).normalize()
}

/// The step of angles that most files have: 4096 make a turn.
const STEP: f64 = 360.0 / 4096.0;

/// Degrees about X, Y and Z that make a rotation: on the grid of most files, if that makes the very same.
fn degrees(value: [f32; 4]) -> [f32; 3] {
    let exact = euler(game(value));
    let on_grid = exact.map(|angle| single((angle / STEP).round() * STEP));
    let made = turned(rotation(on_grid, ORDER));
    let wanted = Quat::from_array(value);
    if made == wanted || -made == wanted { on_grid } else { exact.map(single) }
}

/// A group of polygons in a file.
pub(super) struct Group<'g> {
    /// The file.
    pub(super) file: &'g str,
    /// What each vertex of the primitive is in it: place, point in the picture, normal.
    pub(super) corners: &'g [Corner],
    /// Where the corners of the triangles stand, counted in words from the start of the polygons.
    pub(super) words: &'g [usize],
    /// The first of its vertices.
    pub(super) base: usize,
}

/// The lists of a primitive.
pub(super) fn of_group((mesh, at): (usize, usize), group: &Group<'_>) -> Vec<Origin> {
    let rows = |row: fn(&Corner) -> Option<usize>| -> Option<Vec<_>> {
        group.corners.iter().map(row).collect::<Option<Vec<usize>>>().map(runs)
    };
    let places = rows(|(vertex, ..)| Some(*vertex));
    let lists = [
        (Values::Positions(mesh, at), &PLACE, "verts", places.clone()),
        (Values::Normals(mesh, at), &NORMAL, "normals", rows(|(.., normal)| *normal)),
        (Values::Uvs(mesh, at, 0), &UV, "texcoords", rows(|(_, uv, _)| *uv)),
        (Values::Colors(mesh, at), &COLOUR, "vertex_colours", places.clone()),
    ];
    let lists = lists.into_iter().filter_map(|(values, codec, table, rows)| {
        Some(Origin::new(values, codec.name, (Path::named(table), 0), rows?))
    });
    let words = runs(group.words.iter().copied());
    let corners = Origin {
        stride: Some(size_of::<u16>()),
        vertices: places.map(|places| (places, group.base)),
        ..Origin::new(Values::Indices(mesh, at), CORNER.name, (Path::named("polys"), 0), words)
    };
    let in_file = |origin: Origin| Origin { file: group.file.to_owned(), ..origin };
    lists.chain(std::iter::once(corners)).map(in_file).collect()
}

/// The frames of an entry of a pack that is unfolded: where a node is and how it and so many bones are turned.
pub(super) fn of_entry(
    file: &str,
    (clip, entry): (usize, usize),
    (node, bones): (usize, usize),
    frames: &Frames,
) -> Vec<Origin> {
    let path = Path::named("entries").index(entry);
    let key = Base { table: path.field("key"), row: 0, field: 0 };
    let origin = |values: Values, codec: &Codec, field: usize| Origin {
        file: file.to_owned(),
        ..Origin::new(values, codec.name, (path.field("frames"), field), runs(0..frames.len()))
    };
    let turn = |bone: usize| {
        let field = bone.saturating_add(1).saturating_mul(BATTLE_TURN.len);
        let values = Values::Turns(clip, node.saturating_add(bone));
        Origin { bases: vec![key], ..origin(values, &BATTLE_TURN, field) }
    };
    let place = origin(Values::Places(clip, node), &BATTLE_PLACE, 0);
    std::iter::once(place).chain((0..=bones).map(turn)).collect()
}

/// Bytes of a frame before its bones: the root's rotation and place.
const ROOT: usize = 24;

/// The frames of an animation: where the root is, and how it and every bone are turned. Axes in another order than that of
/// the game's own files must stay as they are.
pub(super) fn of_animation(file: &str, clip: usize, document: &a::Document) -> Vec<Origin> {
    let bones = usize::try_from(document.frames.bones()).unwrap_or(usize::MAX);
    let origin = |values: Values, codec: &Codec, field: usize| Origin {
        file: file.to_owned(),
        stride: Some(ROOT.saturating_add(bones.saturating_mul(TURN.len))),
        ..Origin::new(
            values,
            codec.name,
            (Path::named("frames").index(0), field),
            runs(0..document.frames.len()),
        )
    };
    let turn = |bone: usize| {
        let values = Values::Turns(clip, bone);
        let before = bone.checked_sub(1).map(|bone| ROOT.saturating_add(bone.saturating_mul(TURN.len)));
        if document.rotation_order == ORDER {
            origin(values, &TURN, before.unwrap_or(0))
        } else {
            Origin::fixed(values)
        }
    };
    let place = origin(Values::Places(clip, 0), &PLACE, TURN.len);
    std::iter::once(place).chain((0..=bones).map(turn)).collect()
}

/// What a bone of a battle model hangs on, and where it is there: as long as that one is away. One stands before what hangs on it.
pub(super) fn of_bone(bone: usize, bones: usize) -> [Origin; 2] {
    let (number, table) = (bone.saturating_add(1), Path::named("bones"));
    let parent = (table, BONE_FIELDS[0]);
    let parent = Origin::new(Values::Parent(number), BONE_PARENT.name, parent, runs([bone]));
    let place = Origin::new(Values::Place(number), BATTLE_BONE.name, (table, 0), Vec::new());
    let above = ParentTable { table, first: 1, count: bones, field: BONE_FIELDS[1], is_row: true };
    [Origin { most: Some(number), ..parent }, Origin { above: Some(above), ..place }]
}

/// Where a bone of a battle model has its parent and its length.
const BONE_FIELDS: [usize; 2] = [0, 4];

/// Where a bone of a field model is: as long as its parent is away.
pub(super) fn of_length(node: usize, parent: usize, letters: usize) -> Origin {
    let table = Path::named("bones").index(parent).field("length");
    Origin { stride: Some(letters), ..Origin::new(Values::Place(node), BONE.name, (table, 0), runs([0])) }
}

/// What a bone of a field model is called: where it stands itself, and where another hangs on it.
pub(super) fn of_bone_name(node: usize, bone: usize, field: &'static str) -> NameOrigin {
    let table = Path::named("bones").index(bone).field(field);
    NameOrigin { of: Named::Node(node), file: String::new(), table, row: 0, field: 0, room: NameRoom::Text }
}
