//! A lantern of our own that walks, in both families: metal, glass that glows, sparks and a trail.

mod mesh;
mod timeline;

use galvani_core::Reading;
use galvani_core::record::Text;
use galvani_mdx::model::{
    Attachment, AttachmentFixed, Block2, Bone, Camera, CollisionMesh, CollisionShape, Emitter2, Event,
    Geoset, GeosetAnimation, GeosetAnimationFixed, HitTest, Layer, Light, Material, ModelChunk, ModelEnd,
    Node, Ribbon, Sequences, TextureAnimation,
};
use galvani_mdx::track::Track;
use galvani_mdx::wire::{self, node};
use galvani_mdx::{
    Chunk, Content, Document, Evidence, Family, FamilyVerdict, Held, Raw, Records, mdl, write,
};
use zerocopy::little_endian::{F32, I32, U16, U32};

use mesh::{STANCE, vec3};
use timeline::SEQUENCES;

/// Which lantern.
#[derive(Debug, Clone, Copy)]
struct LanternKind {
    family: Family,
    version: u32,
    /// Units to one of Warcraft III.
    scale: f32,
}

/// The lantern of Warcraft III.
const WARCRAFT: LanternKind = LanternKind { family: Family::Warcraft, version: 800, scale: 1.0 };

/// The model of Warcraft III.
pub(super) fn warcraft() -> Vec<u8> {
    write(&model(WARCRAFT)).unwrap_or_default()
}

/// The same as text.
pub(super) fn as_text() -> Vec<u8> {
    mdl::print(&model(WARCRAFT)).unwrap_or_default()
}

/// The model of WoW, whose units are yards.
pub(super) fn wow() -> Vec<u8> {
    write(&model(LanternKind { family: Family::Wow, version: 1300, scale: 1.0 / 32.0 })).unwrap_or_default()
}

/// Numbers of the nodes that others name.
const ROOT: i32 = 0;
const BODY: i32 = 1;
const HANDLE: i32 = 2;
const FOOT_LEFT: i32 = 3;
const FOOT_RIGHT: i32 = 4;
const LIGHT: i32 = 5;
const WICK: i32 = 6;
const OVERHEAD: i32 = 7;
const ORIGIN: i32 = 8;
const SPARKS: i32 = 9;
const TRAIL: i32 = 10;
const STEPS: i32 = 11;
const SHAPE: i32 = 12;

/// Where the nodes turn, by their numbers.
const PIVOTS: [[f32; 3]; 13] = [
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 12.0],
    [0.0, 0.0, 68.0],
    [2.0, STANCE, 9.0],
    [2.0, -STANCE, 9.0],
    [0.0, 0.0, 36.0],
    [0.0, 0.0, 30.0],
    [0.0, 0.0, 90.0],
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 32.0],
    [0.0, 0.0, 79.0],
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 34.0],
];

/// What is not there.
const NONE: i32 = -1;

/// Textures, and the materials made of them.
const METAL: i32 = 0;
const GLOW: i32 = 1;
const TEAM: i32 = 2;

/// Filter modes of layers.
const OPAQUE: u32 = 0;
const BLEND: u32 = 2;
const ADDITIVE: u32 = 3;

/// Flags of layers.
const UNSHADED: u32 = 1;
const TWO_SIDED: u32 = 0x10;

/// Bytes of a ribbon's block in WoW, its size included.
const RIBBON_BLOCK: u32 = 56;

/// Corners of a box's triangles, two to a side, all seen from outside.
const BOX: [u16; 36] = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7,
    5,
];

fn model(kind: LanternKind) -> Document {
    let wow = kind.family == Family::Wow;
    let mut chunks = vec![
        chunk(*b"VERS", Content::Version(kind.version)),
        chunk(*b"MODL", header(kind)),
        chunk(*b"SEQS", sequences(kind)),
        chunk(*b"GLBS", Content::Globals(vec![U32::new(timeline::DRIFT_LEN.into())])),
        chunk(*b"MTLS", Content::Materials(with_unused(kind, 0, materials(kind)))),
        chunk(*b"TEXS", Content::Textures(textures(kind))),
        chunk(
            *b"TXAN",
            Content::TextureAnimations(records(kind, vec![TextureAnimation { tracks: timeline::drift() }])),
        ),
        chunk(*b"GEOS", Content::Geosets(geosets(kind))),
        chunk(*b"GEOA", Content::GeosetAnimations(records(kind, vec![glow(kind)]))),
        chunk(*b"BONE", Content::Bones(records(kind, bones(kind)))),
        chunk(*b"LITE", Content::Lights(records(kind, vec![light(kind)]))),
        chunk(*b"HELP", Content::Helpers(records(kind, vec![named(WICK, BODY, "Wick", 0, Vec::new())]))),
        chunk(*b"ATCH", Content::Attachments(attachments(kind))),
        chunk(*b"PIVT", Content::Pivots(PIVOTS.iter().map(|place| vec3(scaled(kind, *place))).collect())),
        chunk(*b"PRE2", Content::Emitters2(records(kind, vec![sparks(kind)]))),
        chunk(*b"RIBB", Content::Ribbons(records(kind, vec![trail(kind)]))),
        chunk(*b"CAMS", Content::Cameras(records(kind, vec![camera(kind)]))),
        chunk(*b"EVTS", Content::Events(records(kind, vec![steps(kind)]))),
    ];
    if wow {
        chunks.push(chunk(*b"HTST", Content::HitTests(records(kind, vec![hit_test(kind)]))));
        chunks.push(chunk(*b"CLID", Content::CollisionMesh(collision_mesh(kind))));
    } else {
        chunks.push(chunk(*b"CLID", Content::CollisionShapes(records(kind, vec![collision(kind)]))));
    }
    let family_verdict = FamilyVerdict { family: kind.family, by: Evidence::ModelSize, against: None };
    let (seqs, tracks, inherit) = (Reading::Observed, Reading::Observed, Reading::Observed);
    Document {
        family_verdict,
        version: kind.version,
        chunks,
        tail: Raw::default(),
        seqs,
        tracks,
        new_tracks: tracks,
        inherit,
    }
}

fn chunk(tag: [u8; 4], content: Content) -> Chunk {
    Chunk { tag, content }
}

/// Records behind their count, where the family has one.
fn records<T>(kind: LanternKind, items: Vec<T>) -> Records<T> {
    let count = (kind.family == Family::Wow).then(|| u32::try_from(items.len()).unwrap_or(0));
    Records { count, items: items.into_iter().map(Held::Typed).collect(), ..Records::default() }
}

/// The same with another number behind the count.
fn with_unused<T>(kind: LanternKind, unused: u32, items: Vec<T>) -> Records<T> {
    let unused = (kind.family == Family::Wow).then_some(unused);
    Records { unused, ..records(kind, items) }
}

/// Text in its room, zeros behind it.
fn text<const N: usize>(word: &str) -> Text<N> {
    let mut room = [0; N];
    room.iter_mut().zip(word.bytes()).for_each(|(place, byte)| *place = byte);
    Text(room)
}

fn floats<const N: usize>(list: [f32; N]) -> [F32; N] {
    list.map(F32::new)
}

fn scaled<const N: usize>(kind: LanternKind, list: [f32; N]) -> [f32; N] {
    list.map(|part| part * kind.scale)
}

fn either<T>(kind: LanternKind, warcraft: T, wow: T) -> T {
    match kind.family {
        Family::Warcraft => warcraft,
        Family::Wow => wow,
    }
}

/// A colour as the family stores it: red first in Warcraft III, blue first in WoW.
fn colour(kind: LanternKind, [red, green, blue]: [f32; 3]) -> [f32; 3] {
    either(kind, [red, green, blue], [blue, green, red])
}

fn header(kind: LanternKind) -> Content {
    let bounds = mesh::metal().bounds(kind);
    let fixed = wire::Model {
        name: text("Lantern"),
        animation_file: text(""),
        radius: bounds.radius,
        min: bounds.min,
        max: bounds.max,
    };
    let nodes = U32::new(u32::try_from(PIVOTS.len()).unwrap_or(0));
    let end = either(
        kind,
        ModelEnd::Warcraft(wire::ModelWarcraft { blend_time: U32::new(150) }),
        ModelEnd::Wow(wire::ModelWow { flags: 0, unknown_171: nodes }),
    );
    Content::Model(Box::new(ModelChunk { fixed, end }))
}

fn sequences(kind: LanternKind) -> Content {
    let bounds = mesh::metal().bounds(kind);
    let warcraft = SEQUENCES.iter().map(|&(name, start, end, loops, speed, often)| wire::SequenceWarcraft {
        name: text(name),
        start: U32::new(start.into()),
        end: U32::new(end.into()),
        move_speed: F32::new(speed),
        flags: U32::new(u32::from(!loops)),
        rarity: F32::new(if often < 5.0 { 4.0 } else { 0.0 }),
        sync_point: U32::new(0),
        radius: bounds.radius,
        min: bounds.min,
        max: bounds.max,
    });
    let wow = SEQUENCES.iter().map(|&(name, start, end, loops, speed, often)| wire::SequenceWow {
        name: text(name),
        start: I32::new(start.into()),
        end: I32::new(end.into()),
        move_speed: F32::new(speed * kind.scale),
        flags: U32::new(u32::from(!loops)),
        radius: bounds.radius,
        min: bounds.min,
        max: bounds.max,
        frequency: F32::new(often / 10.0),
        replay_min: U32::new(0),
        replay_max: U32::new(0),
        blend_time: U32::new(150),
    });
    Content::Sequences(either(kind, Sequences::Warcraft(warcraft.collect()), Sequences::Wow(wow.collect())))
}

fn textures(kind: LanternKind) -> Vec<wire::Texture> {
    let team = either(kind, 1, 11);
    let rows = [(0, "Textures\\Lantern.blp"), (0, "Textures\\LanternGlow.blp"), (team, "")];
    let texture = |(replaceable, path): (u32, &str)| wire::Texture {
        replaceable_id: U32::new(replaceable),
        path: text(path),
        flags: U32::new(3),
    };
    rows.map(texture).to_vec()
}

/// Metal over the team's colour, and glow.
fn materials(kind: LanternKind) -> Vec<Material> {
    let layer = |filter: u32, flags: u32, texture: i32, animation: i32, tracks: Vec<Track>| {
        let fixed = wire::Layer {
            filter_mode: U32::new(filter),
            flags: U32::new(flags),
            texture_id: I32::new(texture),
            texture_animation_id: I32::new(animation),
            coord_id: I32::new(0),
            alpha: F32::new(1.0),
        };
        Held::Typed(Layer { fixed, emissive: None, fresnel: None, textures: None, tracks })
    };
    let metal = vec![
        layer(OPAQUE, TWO_SIDED, TEAM, NONE, Vec::new()),
        layer(BLEND, TWO_SIDED, METAL, NONE, Vec::new()),
    ];
    let glow = vec![layer(ADDITIVE, UNSHADED | TWO_SIDED, GLOW, 0, timeline::pulse())];
    let material = |(priority_plane, layers)| Material {
        priority_plane,
        flags: either(kind, Some(0), None),
        shader: None,
        layers,
    };
    [(0, metal), (1, glow)].map(material).into()
}

fn geosets(kind: LanternKind) -> Records<Box<Geoset>> {
    let geosets = [(mesh::metal(), 0), (mesh::glass(), 1)];
    let geosets = geosets.map(|(mesh, material)| Box::new(mesh.geoset(kind, material, SEQUENCES.len())));
    records(kind, geosets.into())
}

/// The glass flickers.
fn glow(kind: LanternKind) -> GeosetAnimation {
    let (alpha, color) = (F32::new(1.0), floats(colour(kind, [1.0, 0.8, 0.45])));
    let fixed = either(
        kind,
        GeosetAnimationFixed::Warcraft(wire::GeosetAnimationWarcraft {
            alpha,
            flags: U32::new(2),
            color,
            geoset_id: I32::new(1),
        }),
        GeosetAnimationFixed::Wow(wire::GeosetAnimationWow {
            geoset_id: I32::new(1),
            alpha,
            color,
            flags: U32::new(1),
        }),
    );
    GeosetAnimation { fixed, tracks: timeline::glow() }
}

/// A node with the bits that say what it belongs to.
fn named(id: i32, parent: i32, name: &str, flags: u32, tracks: Vec<Track>) -> Node {
    let fixed = node::Node {
        name: text(name),
        object_id: I32::new(id),
        parent_id: I32::new(parent),
        flags: U32::new(flags),
    };
    Node { fixed, tracks }
}

fn bones(kind: LanternKind) -> Vec<Bone> {
    let bits = either(kind, 0x100, 0);
    let bone = |(id, parent, name, tracks, geoset): (i32, i32, &str, Vec<Track>, i32)| Bone {
        node: named(id, parent, name, bits, tracks),
        fixed: node::Bone { geoset_id: I32::new(geoset), geoset_animation_id: I32::new(NONE) },
    };
    let rows = [
        (ROOT, NONE, "Root", timeline::root(kind), NONE),
        (BODY, ROOT, "Body", timeline::body(kind), NONE),
        (HANDLE, BODY, "Handle", timeline::handle(kind), 0),
        (FOOT_LEFT, ROOT, "Foot Left", timeline::foot(kind, false), 0),
        (FOOT_RIGHT, ROOT, "Foot Right", timeline::foot(kind, true), 0),
    ];
    rows.map(bone).into()
}

fn light(kind: LanternKind) -> Light {
    let fixed = node::Light {
        kind: U32::new(0),
        attenuation_start: F32::new(80.0 * kind.scale),
        attenuation_end: F32::new(200.0 * kind.scale),
        color: floats(colour(kind, [1.0, 0.8, 0.45])),
        intensity: F32::new(4.0),
        ambient_color: floats([1.0; 3]),
        ambient_intensity: F32::new(0.0),
    };
    let mut tracks = vec![timeline::flicker()];
    tracks.extend(timeline::lit(*either(kind, b"KLAV", b"KVIS")));
    let node = named(LIGHT, BODY, "Light", either(kind, 0x200, 0x100), Vec::new());
    Light { node, fixed, shadow: None, casting: None, falloff: None, tracks }
}

fn attachments(kind: LanternKind) -> Records<Box<Attachment>> {
    let attachment = |(id, parent, name, attachment): (i32, i32, &str, i32)| {
        let attachment_id = I32::new(attachment);
        let fixed = either(
            kind,
            AttachmentFixed::Warcraft(node::AttachmentWarcraft { path: text(""), attachment_id }),
            AttachmentFixed::Wow(node::AttachmentWow { attachment_id, pad: u8::MAX, path: text("") }),
        );
        let node = named(id, parent, name, either(kind, 0x800, 0x400), Vec::new());
        Box::new(Attachment { node, fixed, tracks: Vec::new() })
    };
    let rows = [(OVERHEAD, HANDLE, "Overhead Ref", 0), (ORIGIN, ROOT, "Origin Ref", 1)];
    // The number behind the count is the largest attachment's, as in the one file seen.
    with_unused(kind, 1, rows.map(attachment).into())
}

/// Sparks rise from the wick.
fn sparks(kind: LanternKind) -> Emitter2 {
    let node = named(SPARKS, WICK, "Sparks", either(kind, 0x1000, 0x800), Vec::new());
    let tracks = timeline::lit(*either(kind, b"KP2V", b"KVIS"));
    let segments = [[1.0, 0.9, 0.5], [1.0, 0.5, 0.1], [0.4, 0.1, 0.0]].map(|one| colour(kind, one));
    let mut segment_color = [F32::new(0.0); 9];
    segment_color.iter_mut().zip(segments.into_iter().flatten()).for_each(|(to, from)| to.set(from));
    let segment_scale = floats(scaled(kind, [3.0, 2.0, 1.0]));
    let [speed, gravity, side] = scaled(kind, [40.0, -20.0, 6.0]).map(F32::new);
    let life = [0, 0, 1].map(U32::new);
    let block = match kind.family {
        Family::Warcraft => Block2::Warcraft(Box::new(node::Emitter2Warcraft {
            speed,
            variation: F32::new(0.3),
            latitude: F32::new(20.0),
            gravity,
            lifespan: F32::new(1.2),
            emission_rate: F32::new(14.0),
            width: side,
            length: side,
            filter_mode: U32::new(1),
            rows: U32::new(1),
            columns: U32::new(1),
            head_or_tail: U32::new(0),
            tail_length: F32::new(1.0),
            time: F32::new(0.4),
            segment_color,
            segment_alpha: [255, 200, 0],
            segment_scale,
            head_life: life,
            head_decay: life,
            tail_life: life,
            tail_decay: life,
            texture_id: I32::new(GLOW),
            squirt: U32::new(0),
            priority_plane: I32::new(0),
            replaceable_id: U32::new(0),
        })),
        Family::Wow => wow_sparks(&node::Emitter2Wow {
            emitter_type: U32::new(1),
            speed,
            variation: F32::new(0.3),
            latitude: F32::new(0.35),
            gravity,
            lifespan: F32::new(1.2),
            emission_rate: F32::new(14.0),
            length: side,
            width: side,
            rows: U32::new(1),
            columns: U32::new(1),
            tail_length: F32::new(1.0),
            middle_time: F32::new(0.4),
            segment_color,
            segment_alpha: [255, 200, 0],
            segment_scale,
            uv_animation: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1].map(U32::new),
            blend_mode: U32::new(1),
            texture_id: I32::new(GLOW),
            velocity_scale: F32::new(1.0),
            twinkle_scale_min: F32::new(1.0),
            twinkle_scale_max: F32::new(1.0),
            ..zerocopy::FromZeros::new_zeroed()
        }),
    };
    Emitter2 { node, block, tracks }
}

/// The block of WoW knows how long it is.
fn wow_sparks(fixed: &node::Emitter2Wow) -> Block2 {
    let block = |emitter_size| {
        let fixed = Box::new(node::Emitter2Wow { emitter_size: U32::new(emitter_size), ..*fixed });
        Block2::Wow { fixed, spline: Vec::new(), squirts: 0 }
    };
    block(u32::try_from(block(0).len()).unwrap_or(0))
}

/// The handle leaves a trail where it walks.
fn trail(kind: LanternKind) -> Ribbon {
    let [height_above, height_below] = scaled(kind, [4.0, 4.0]).map(F32::new);
    let fixed = node::Ribbon {
        height_above,
        height_below,
        alpha: F32::new(0.5),
        color: floats(colour(kind, [1.0, 0.8, 0.45])),
        lifespan: F32::new(0.6),
        texture_slot: U32::new(0),
        emission_rate: U32::new(20),
        rows: U32::new(1),
        columns: U32::new(1),
        material_id: I32::new(1),
        gravity: F32::new(0.0),
    };
    Ribbon {
        node: named(TRAIL, HANDLE, "Trail", either(kind, 0x4000, 0x2000), Vec::new()),
        emitter_size: either(kind, None, Some(RIBBON_BLOCK)),
        fixed,
        tracks: timeline::walking(*either(kind, b"KRVS", b"KVIS")),
    }
}

fn camera(kind: LanternKind) -> Camera {
    let fixed = wire::Camera {
        name: text("Portrait"),
        position: floats(scaled(kind, [150.0, 0.0, 60.0])),
        fov: F32::new(0.75),
        far_clip: F32::new(2000.0 * kind.scale),
        near_clip: F32::new(8.0 * kind.scale),
        target: floats(scaled(kind, [0.0, 0.0, 40.0])),
    };
    Camera { fixed, tracks: timeline::camera(kind) }
}

/// It can be heard walking.
fn steps(kind: LanternKind) -> Event {
    let node = named(STEPS, ROOT, "SNDxSTEP", either(kind, 0x400, 0x200), Vec::new());
    Event { node, track: Some(timeline::moments()), is_sized: kind.family == Family::Wow }
}

/// A sphere around it.
fn collision(kind: LanternKind) -> CollisionShape {
    let measures = scaled(kind, [0.0, 0.0, 34.0, 36.0]).map(F32::new).to_vec();
    CollisionShape { node: named(SHAPE, ROOT, "Collision Sphere", 0x2000, Vec::new()), kind: 2, measures }
}

/// Half the sides of a box around it, and its height.
const CORNER: [f32; 3] = [22.0, 22.0, 80.0];

fn hit_test(kind: LanternKind) -> HitTest {
    let [x, y, z] = scaled(kind, CORNER);
    let measures = [-x, -y, 0.0, x, y, z].map(F32::new).to_vec();
    HitTest { node: named(SHAPE, ROOT, "Hit Box", 0x1000, Vec::new()), kind: 0, measures }
}

fn collision_mesh(kind: LanternKind) -> CollisionMesh {
    let [x, y, z] = scaled(kind, CORNER);
    let corner = |i: u8| {
        let side = |bit: u8, near: f32, far: f32| if i & bit == 0 { near } else { far };
        vec3([side(1, -x, x), side(2, -y, y), side(4, 0.0, z)])
    };
    let faces = [
        [0.0, 0.0, -1.0],
        [0.0, 0.0, 1.0],
        [0.0, -1.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
    ];
    CollisionMesh {
        vertices: (0..8).map(corner).collect(),
        indices: BOX.iter().copied().map(U16::new).collect(),
        normals: faces.into_iter().flat_map(|normal| [vec3(normal); 2]).collect(),
    }
}
