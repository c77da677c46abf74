//! Geosets as meshes with one skin for all; levels of detail as variants.

use std::collections::BTreeMap;
use std::ops::Range;

use galvani_core::{Exhausted, LiftError, Path, room, text};
use galvani_scene::{
    Extras, Fact, Id, Influences, Joint, MOST_UV_SETS, Mesh, Node, Primitive, Pull, Skin, Variant,
};
use glam::{Affine3A, Vec2, Vec3, Vec4};
use zerocopy::little_endian::{F32, U16};

use super::look::Looks;
use super::surface::{SEEN, Surface, Tint};
use super::{LOST_FACES, LOST_LISTS, Lift, axes, facts, origin};
use crate::model::{Batch, Geoset, GeosetAnimation, GeosetAnimationFixed, Texcoords};
use crate::{Content, Document, Family};

/// What a face is, as PTYP has it.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;
const QUADS: u32 = 7;
const QUAD_STRIP: u32 = 8;
const POLYGON: u32 = 9;

/// Bits of geoset animations by which their colour counts.
const COLORED_WARCRAFT: u32 = 2;
const COLORED_WOW: u32 = 1;

/// A geoset of either form.
#[derive(Clone, Copy)]
enum Form<'m> {
    Record(&'m Geoset),
    Batch(&'m Batch),
}

/// A mesh of the scene and where it goes.
struct Made {
    mesh: Id<Mesh>,
    geoset: usize,
    /// Its level of detail; nothing if it is there at every one.
    level: Option<i32>,
    is_skinned: bool,
    surface: Surface,
}

/// Adds every geoset; what clips may change of those that are shown.
pub(super) fn all(lift: &mut Lift<'_>) -> Result<(Vec<Surface>, Looks), LiftError> {
    let (forms, tints) = (forms(lift.document), tints(lift.document));
    let (mut looks, mut joints) = (Looks::default(), Joints::default());
    let mut made = Vec::new();
    for (geoset, form) in forms.into_iter().enumerate() {
        let Some(form) = form else { continue };
        let tint = tints.get(&geoset).copied().unwrap_or(Tint::NONE);
        made.extend(of_geoset(lift, geoset, form, tint, &mut looks, &mut joints)?);
    }
    let skin = joints.skin(lift);
    Ok((place(lift, made, skin), looks))
}

/// Every geoset in order; nothing in place of those that could not be read.
fn forms(document: &Document) -> Vec<Option<Form<'_>>> {
    let mut all = Vec::new();
    for chunk in &document.chunks {
        match &chunk.content {
            Content::Geosets(rows) => {
                all.extend(rows.items.iter().map(|item| item.typed().map(|it| Form::Record(it))));
            }
            Content::Batches(rows) => all.extend(rows.iter().map(|batch| Some(Form::Batch(batch)))),
            _ => {}
        }
    }
    all
}

/// How each geoset is tinted: of several animations the first counts.
fn tints(document: &Document) -> BTreeMap<usize, Tint> {
    let mut tints = BTreeMap::new();
    for (_, first, chunk) in document.placed() {
        let Content::GeosetAnimations(rows) = &chunk.content else { continue };
        for (i, animation) in rows.typed() {
            let path = Path::named("GEOA").index(first.saturating_add(i));
            if let Ok(geoset) = usize::try_from(animation.geoset_id()) {
                tints.entry(geoset).or_insert_with(|| tint(animation, path));
            }
        }
    }
    tints
}

fn tint(animation: &GeosetAnimation, path: Path) -> Tint {
    let (alpha, color, family, counts) = match &animation.fixed {
        GeosetAnimationFixed::Warcraft(fixed) => {
            let counts = fixed.flags.get() & COLORED_WARCRAFT != 0;
            (fixed.alpha.get(), fixed.color, Family::Warcraft, counts)
        }
        GeosetAnimationFixed::Wow(fixed) => {
            (fixed.alpha.get(), fixed.color, Family::Wow, fixed.flags.get() & COLORED_WOW != 0)
        }
    };
    let has = |tag: &[u8; 4]| animation.tracks.iter().any(|track| track.tag == *tag);
    let color = if counts || has(b"KGAC") { facts::color(color, family) } else { Vec3::ONE };
    // Where no key counts a geoset that has some is opaque (docs/notes/mdx-runtime.md#defaults).
    let alpha = if has(b"KGAO") { 1.0 } else { alpha };
    Tint { path: Some(path), is_animated: !animation.tracks.is_empty(), color, alpha }
}

fn of_geoset(
    lift: &mut Lift<'_>,
    geoset: usize,
    form: Form<'_>,
    tint: Tint,
    looks: &mut Looks,
    joints: &mut Joints,
) -> Result<Option<Made>, LiftError> {
    let path = Path::named("GEOS").index(geoset);
    let ((mut primitive, corners), material) = match form {
        Form::Record(record) => (of_record(lift, record, path)?, record.traits.material_id.get()),
        Form::Batch(batch) => (of_batch(lift, batch, path)?, batch.head.material_id.get()),
    };
    if primitive.indices.is_empty() {
        return Ok(None);
    }
    let is_skinned = joints.pull(lift, geoset, &mut primitive);
    let drawn = looks.drawn(lift, material, tint, path)?;
    let mut primitives = Vec::new();
    let (later, first) =
        drawn.split_last().map_or((&drawn[..], None), |(last, all)| (all, Some(last.material)));
    for drawn in later {
        let bytes = primitive.positions.len().saturating_mul(super::VERTEX);
        room::probe(bytes)?;
        primitives.push(Primitive { material: Some(drawn.material), ..primitive.clone() });
    }
    primitives.push(Primitive { material: first, ..primitive });
    let (name, level, extras) = name_and_extras(geoset, form);
    let mesh = Id::new(lift.scene.meshes.len());
    for (at, primitive) in primitives.iter().enumerate() {
        let (place, vertices) = ((mesh.index(), at), primitive.positions.len());
        match form {
            Form::Record(record) => {
                let is_flat = matches!(record.texcoords, Texcoords::Flat { .. });
                origin::of_lists(lift, path, place, (vertices, primitive.uvs.len(), is_flat), &corners);
                if is_skinned {
                    origin::of_pulls(lift, path, place, record);
                }
            }
            Form::Batch(_) => origin::of_batch(lift, path, place, vertices, &corners),
        }
    }
    lift.scene.meshes.push(Mesh { name, primitives, extras });
    let surface = Surface { node: Id::new(0), tint, drawn, others: Vec::new() };
    Ok(Some(Made { mesh, geoset, level, is_skinned, surface }))
}

/// What a geoset is called, its level of detail, and what else it says.
fn name_and_extras(geoset: usize, form: Form<'_>) -> (String, Option<i32>, Extras) {
    let whole = |number: usize| facts::whole(u32::try_from(number).unwrap_or(u32::MAX));
    let mut extras = Extras::from([("geoset".to_owned(), whole(geoset))]);
    let (group, flags, detail) = match form {
        Form::Record(record) => (record.traits.selection_group, record.traits.flags, record.detail),
        Form::Batch(batch) => (batch.head.selection_group, batch.head.flags, None),
    };
    extras.insert("selection_group".to_owned(), facts::whole(group.get()));
    extras.insert("flags".to_owned(), facts::whole(flags.get()));
    if let Some(detail) = &detail {
        extras.insert("lod".to_owned(), Fact::Int(detail.lod.get()));
    }
    let name = detail.map(|detail| text::shown(&detail.lod_name.0).into_owned());
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("geoset {geoset}"));
    (name, detail.map(|detail| detail.lod.get()).filter(|lod| *lod >= 0), extras)
}

/// Gives every mesh a node. The finest level stands by itself; meshes of a coarser one stand in for them in order.
fn place(lift: &mut Lift<'_>, made: Vec<Made>, skin: Option<Id<Skin>>) -> Vec<Surface> {
    let finest = made.iter().filter_map(|one| one.level).min();
    let (shown, others): (Vec<Made>, Vec<Made>) =
        made.into_iter().partition(|one| one.level.is_none_or(|level| Some(level) == finest));
    let mut surfaces = Vec::new();
    // Those that are skinned, and those that are not.
    let mut finest_nodes: [Vec<Id<Node>>; 2] = Default::default();
    for one in shown {
        let node = add_node(lift, &one, skin, Some(one.mesh));
        if one.level.is_some() {
            let [skinned, rigid] = &mut finest_nodes;
            if one.is_skinned { skinned } else { rigid }.push(node);
        }
        surfaces.push(Surface { node, ..one.surface });
    }
    let mut coarser: BTreeMap<i32, Vec<Made>> = BTreeMap::new();
    for one in others {
        coarser.entry(one.level.unwrap_or_default()).or_default().push(one);
    }
    for (level, made) in (1..).zip(coarser.into_values()) {
        let mut free = finest_nodes.each_ref().map(|nodes| nodes.iter().copied());
        let mut shows = Vec::new();
        for one in made {
            let [skinned, rigid] = &mut free;
            let next = if one.is_skinned { skinned } else { rigid }.next();
            let node = next.unwrap_or_else(|| add_node(lift, &one, skin, None));
            shows.push((node, Some(one.mesh)));
            surfaces.push(Surface { node, tint: Tint::NONE, ..one.surface });
        }
        shows.extend(free.into_iter().flatten().map(|node| (node, None)));
        lift.scene.variants.push(Variant { name: String::new(), state: 0, level, shows });
    }
    surfaces
}

fn add_node(lift: &mut Lift<'_>, one: &Made, skin: Option<Id<Skin>>, mesh: Option<Id<Mesh>>) -> Id<Node> {
    let id = Id::new(lift.scene.nodes.len());
    let name = one.mesh.find_in(&lift.scene.meshes).map(|mesh| mesh.name.clone()).unwrap_or_default();
    let geoset = facts::whole(u32::try_from(one.geoset).unwrap_or(u32::MAX));
    lift.scene.nodes.push(Node {
        name,
        visible: one.surface.tint.alpha >= SEEN,
        mesh,
        skin: skin.filter(|_| one.is_skinned),
        extras: Extras::from([("geoset".to_owned(), geoset)]),
        ..Node::default()
    });
    id
}

/// The joints of the one skin.
#[derive(Default)]
struct Joints {
    /// By the places of their nodes in the file; nothing is what no node moves.
    places: BTreeMap<Option<usize>, usize>,
    nodes: Vec<Option<usize>>,
}

impl Joints {
    fn place(&mut self, node: Option<usize>) -> usize {
        let nodes = &mut self.nodes;
        *self.places.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len().saturating_sub(1)
        })
    }

    /// Adds what pulls at the vertices of a geoset, if anything does.
    fn pull(&mut self, lift: &Lift<'_>, geoset: usize, primitive: &mut Primitive) -> bool {
        let Some(skin) = lift.skins.get(geoset) else { return false };
        let vertices = 0..primitive.positions.len();
        if vertices.clone().all(|vertex| skin.pulls(vertex).is_empty()) {
            return false;
        }
        let mut influences = Influences::default();
        for vertex in vertices {
            let pulls = skin.pulls(vertex);
            if pulls.is_empty() {
                influences.push([Pull { joint: self.place(None), weight: 1.0 }]);
                continue;
            }
            influences
                .push(pulls.iter().map(|&(node, weight)| Pull { joint: self.place(Some(node)), weight }));
        }
        primitive.influences = influences;
        true
    }

    /// The skin, if anything is bent. What no node moves hangs on one that stands still.
    fn skin(self, lift: &mut Lift<'_>) -> Option<Id<Skin>> {
        if self.nodes.is_empty() {
            return None;
        }
        let mut joints = Vec::with_capacity(self.nodes.len());
        for node in self.nodes {
            let pivot = node.and_then(|node| lift.rig.pivot(node)).unwrap_or_default();
            let id = node.and_then(|node| lift.node_of(node)).unwrap_or_else(|| {
                let extras = Extras::from([("made".to_owned(), Fact::Flag(true))]);
                lift.scene.nodes.push(Node { name: "still".to_owned(), extras, ..Node::default() });
                Id::new(lift.scene.nodes.len().saturating_sub(1))
            });
            joints.push(Joint { node: id, inverse_bind: Affine3A::from_translation(-axes(pivot)) });
        }
        lift.scene.skins.push(Skin { name: "skin".to_owned(), joints });
        Some(Id::new(0))
    }
}

/// Where the corners of a primitive stand in the list of its geoset.
type Rows = Vec<Range<usize>>;

fn of_record(lift: &mut Lift<'_>, record: &Geoset, path: Path) -> Result<(Primitive, Rows), LiftError> {
    let count = record.vertices.len();
    let point = |row: &crate::wire::Vec3| axes(Vec3::new(row.x.get(), row.y.get(), row.z.get()));
    let counts: Vec<u32> = record.primitive_counts.iter().map(|count| count.get()).collect();
    let mut lists = Lists { lift, path, count };
    let normals = lists.fitting("NRMS", &record.normals, |row| unit(point(row)))?;
    let tangents = lists.fitting("TANG", record.tangents.as_deref().unwrap_or_default(), |row| {
        tangent(Vec4::new(row.x.get(), row.y.get(), row.z.get(), row.w.get()))
    })?;
    let mut uvs = Vec::new();
    for set in 0.. {
        let Some(rows) = record.texcoords.set(set, count) else { break };
        if set == MOST_UV_SETS {
            lists.lose("UVAS", format!("{MOST_UV_SETS} sets at most are shown"));
            break;
        }
        let fitting = lists.fitting("UVAS", rows, |row| Vec2::new(row.u.get(), row.v.get()))?;
        // Later sets keep their numbers.
        uvs.push(if fitting.is_empty() { room::filled(Vec2::ZERO, count)? } else { fitting });
        if count == 0 {
            break;
        }
    }
    let (indices, rows) =
        faces(lift, &record.primitive_types.values(), &counts, &record.indices, count, path)?;
    let positions = room::collected(record.vertices.iter().map(point))?;
    Ok((Primitive { positions, normals, tangents, uvs, indices, ..Primitive::default() }, rows))
}

fn of_batch(lift: &mut Lift<'_>, batch: &Batch, path: Path) -> Result<(Primitive, Rows), LiftError> {
    let vertices = &batch.vertices;
    let vec3 = |place: [F32; 3]| axes(Vec3::from_array(place.map(F32::get)));
    let vec2 = |place: [F32; 2]| Vec2::from_array(place.map(F32::get));
    let count = u32::try_from(batch.indices.len()).unwrap_or(u32::MAX);
    let (indices, rows) = faces(lift, &[TRIANGLES], &[count], &batch.indices, vertices.len(), path)?;
    let primitive = Primitive {
        positions: room::collected(vertices.iter().map(|vertex| vec3(vertex.position)))?,
        normals: room::collected(vertices.iter().map(|vertex| unit(vec3(vertex.normal))))?,
        uvs: vec![
            room::collected(vertices.iter().map(|vertex| vec2(vertex.uv0)))?,
            room::collected(vertices.iter().map(|vertex| vec2(vertex.uv1)))?,
        ],
        indices,
        ..Primitive::default()
    };
    Ok((primitive, rows))
}

/// A direction of length 1; what is none stays what it is.
pub(super) fn unit(direction: Vec3) -> Vec3 {
    direction.normalize_or(direction)
}

/// A tangent, and which way the other one goes.
pub(super) fn tangent(stored: Vec4) -> Vec4 {
    let side = if stored.w < 0.0 { -1.0 } else { 1.0 };
    unit(axes(stored.truncate())).extend(side)
}

/// Lists of a geoset that should have one entry per vertex.
struct Lists<'l, 'm> {
    lift: &'l mut Lift<'m>,
    path: Path,
    count: usize,
}

impl Lists<'_, '_> {
    /// A list that fits the vertices, or none.
    fn fitting<T, V>(
        &mut self,
        tag: &'static str,
        rows: &[T],
        value: impl Fn(&T) -> V,
    ) -> Result<Vec<V>, Exhausted> {
        if rows.len() != self.count {
            if !rows.is_empty() {
                self.lose(tag, format!("{} wanted, {} found", self.count, rows.len()));
            }
            return Ok(Vec::new());
        }
        room::collected(rows.iter().map(value))
    }

    fn lose(&mut self, tag: &'static str, said: String) {
        self.lift.report.push(LOST_LISTS.at(self.path.field(tag)).saying(said));
    }
}

/// The corners of whole triangles whose vertices are there, and where they stand.
fn faces(
    lift: &mut Lift<'_>,
    kinds: &[u32],
    counts: &[u32],
    corners: &[U16],
    vertices: usize,
    path: Path,
) -> Result<(Vec<u32>, Rows), LiftError> {
    let (mut made, mut rows): (Vec<u32>, Rows) = (Vec::new(), Vec::new());
    let (mut rest, mut lost) = (corners, 0_usize);
    let whole = [u32::try_from(corners.len()).unwrap_or(u32::MAX)];
    let (kinds, counts) =
        if kinds.is_empty() && counts.is_empty() { (&[TRIANGLES][..], &whole[..]) } else { (kinds, counts) };
    for (kind, count) in kinds.iter().zip(counts) {
        let count = usize::try_from(*count).unwrap_or(usize::MAX).min(rest.len());
        let first = corners.len().saturating_sub(rest.len());
        let group: Vec<usize> = room::collected(first..first.saturating_add(count))?;
        rest = rest.get(count..).unwrap_or_default();
        for face in triangles(*kind, &group, &mut lost)? {
            let named = face.map(|row| corners.get(row).map_or(u32::MAX, |corner| corner.get().into()));
            let is_there = named.iter().all(|corner| usize::try_from(*corner).is_ok_and(|it| it < vertices));
            if is_there {
                room::extend(&mut made, named)?;
                add_rows(&mut rows, face)?;
            } else {
                lost = lost.saturating_add(face.len());
            }
        }
    }
    lost = lost.saturating_add(rest.len());
    if lost > 0 {
        lift.report.push(LOST_FACES.at(path.field("PVTX")).saying(format!("{lost} corners")));
    }
    Ok((made, rows))
}

/// Rows one after the other become runs.
fn add_rows(rows: &mut Rows, more: [usize; 3]) -> Result<(), Exhausted> {
    for row in more {
        match rows.last_mut() {
            Some(run) if run.end == row => run.end = row.saturating_add(1),
            _ => room::push(rows, row..row.saturating_add(1))?,
        }
    }
    Ok(())
}

/// The triangles of a group of corners, all turning the same way.
fn triangles(kind: u32, corners: &[usize], lost: &mut usize) -> Result<Vec<[usize; 3]>, Exhausted> {
    let mut lose = |count: usize| *lost = lost.saturating_add(count);
    Ok(match kind {
        TRIANGLES => {
            let (whole, rest) = corners.as_chunks::<3>();
            lose(rest.len());
            room::copied(whole)?
        }
        TRIANGLE_STRIP => room::collected(corners.windows(3).enumerate().filter_map(|(i, it)| match it {
            &[a, b, c] => Some(if i % 2 == 0 { [a, b, c] } else { [b, a, c] }),
            _ => None,
        }))?,
        TRIANGLE_FAN | POLYGON => {
            let first = corners.first().copied().unwrap_or_default();
            let pairs = corners.get(1..).unwrap_or_default().windows(2);
            room::collected(pairs.filter_map(|it| match it {
                &[b, c] => Some([first, b, c]),
                _ => None,
            }))?
        }
        QUADS => {
            let (whole, rest) = corners.as_chunks::<4>();
            lose(rest.len());
            room::collected(whole.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]))?
        }
        QUAD_STRIP => {
            let (pairs, rest) = corners.as_chunks::<2>();
            lose(rest.len());
            let quads = pairs.windows(2).filter_map(|it| match it {
                &[[a, b], [c, d]] => Some([[a, b, d], [a, d, c]]),
                _ => None,
            });
            room::collected(quads.flatten())?
        }
        _ => {
            lose(corners.len());
            Vec::new()
        }
    })
}
