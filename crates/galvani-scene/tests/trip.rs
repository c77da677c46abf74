//! Trips through other programs: what they merely write in another way comes back as it was, what was changed is taken.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common {
    pub(crate) mod reconciled;
    pub(crate) mod scenes;
}

use common::reconciled::reconcile;
use common::scenes::scenes;
use galvani_scene::trip::Tolerances;
use galvani_scene::{
    AlphaMode, Blend, Clip, Curve, Extras, Fact, Id, Image, Interp, Material, Mesh, Node, Primitive, Scene,
    SceneImage, Texture, Track, Variant,
};
use glam::{Quat, Vec2, Vec3};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_in_another_way_comes_back(scene in scenes(), fps in 15..60_u16, by_parts in any::<bool>()) {
        let scene = steady(scene);
        let (made, report) = reconcile(&scene, &travelled(&scene, fps, by_parts), Tolerances::of_size(4.0)).unwrap();
        prop_assert!(made == scene);
        let loud: Vec<_> = report.findings().iter().filter(|it| it.severity > galvani_core::Severity::Note).collect();
        prop_assert!(loud.is_empty(), "{loud:?}");
    }

    #[test]
    fn nothing_changes_without_a_trip(scene in scenes()) {
        let (made, report) = reconcile(&scene, &scene, Tolerances::of_size(4.0)).unwrap();
        prop_assert!(made == scene);
        prop_assert_eq!(report.findings(), []);
    }
}

/// The scene as far as programs that sample it show it: no jumps, no squad, names and turns of their own.
fn steady(mut scene: Scene) -> Scene {
    for clip in &mut scene.clips {
        clip.tracks.retain(|track| match track {
            Track::Rotation(_, curve) => !curve.interp.has_tangents() && curve.interp != Interp::Step,
            Track::Translation(_, curve) | Track::Scale(_, curve) => curve.interp != Interp::Step,
            _ => false,
        });
    }
    let mut names = std::collections::BTreeSet::new();
    scene.clips.retain(|clip| names.insert(clip.name.clone()));
    scene
}

/// Sampled at so many frames a second, meshes and vertices in another order, last digits lost.
fn travelled(scene: &Scene, fps: u16, by_parts: bool) -> Scene {
    let mut made = scene.clone();
    made.materials.reverse();
    let count = made.materials.len();
    for primitive in made.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = primitive.material.map(|it| Id::new(count - 1 - it.index()));
        reversed(primitive);
        primitive.positions.iter_mut().for_each(|it| *it *= 1.0 + 1e-7);
        primitive.uvs.iter_mut().flatten().for_each(|it| it.y = 1.0 - (1.0 - it.y));
    }
    made.meshes.reverse();
    for node in &mut made.nodes {
        node.mesh = node.mesh.map(|mesh| Id::new(scene.meshes.len() - 1 - mesh.index()));
        node.rotation = -node.rotation;
    }
    for clip in &mut made.clips {
        let frames = (clip.duration * f32::from(fps)).ceil();
        let times: Vec<f32> = (0..=u16::MAX)
            .map(f32::from)
            .take_while(|it| *it <= frames)
            .map(|it| it / f32::from(fps))
            .collect();
        for track in &mut clip.tracks {
            *track = sampled(track, &times, by_parts);
        }
    }
    made
}

fn reversed(primitive: &mut Primitive) {
    let last = u32::try_from(primitive.positions.len() - 1).unwrap();
    primitive.positions.reverse();
    primitive.normals.reverse();
    primitive.colors.reverse();
    primitive.uvs.iter_mut().for_each(|set| set.reverse());
    let mut pulls: Vec<_> = primitive.influences.iter().map(<[_]>::to_vec).collect();
    pulls.reverse();
    primitive.influences = pulls.into_iter().collect();
    primitive.indices.iter_mut().for_each(|it| *it = last - *it);
}

fn sampled(track: &Track, times: &[f32], by_parts: bool) -> Track {
    fn along<V: Blend>(curve: &Curve<V>, times: &[f32]) -> Curve<V> {
        Curve::linear(times.to_vec(), times.iter().map(|time| curve.at(*time).unwrap()).collect())
    }
    match track {
        Track::Translation(node, curve) => Track::Translation(*node, along(curve, times)),
        Track::Scale(node, curve) => Track::Scale(*node, along(curve, times)),
        Track::Rotation(node, curve) if !by_parts => Track::Rotation(*node, along(curve, times)),
        Track::Rotation(node, curve) => {
            let values = times.iter().map(|time| by_components(curve, *time)).collect();
            Track::Rotation(*node, Curve::linear(times.to_vec(), values))
        }
        other => other.clone(),
    }
}

/// A rotation whose parts are blended one by one.
fn by_components(curve: &Curve<Quat>, time: f32) -> Quat {
    let behind = curve.times.iter().position(|at| *at > time);
    let (before, after) = match behind {
        Some(0) => return curve.values[0],
        None => return *curve.values.last().unwrap(),
        Some(behind) => (behind - 1, behind),
    };
    let part = (time - curve.times[before]) / (curve.times[after] - curve.times[before]);
    let (a, b) = (curve.values[before], curve.values[after]);
    let b = if a.dot(b) < 0.0 { -b } else { b };
    Quat::from_xyzw(
        a.x + (b.x - a.x) * part,
        a.y + (b.y - a.y) * part,
        a.z + (b.z - a.z) * part,
        a.w + (b.w - a.w) * part,
    )
    .normalize()
}

/// Two triangles on a node that turns by three keys.
fn sail() -> Scene {
    let primitive = Primitive {
        material: Some(Id::new(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE],
        normals: vec![Vec3::Z; 4],
        uvs: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE]],
        indices: vec![0, 1, 2, 2, 1, 3],
        ..Primitive::default()
    };
    let turns = [0.0, 0.5, -0.25, 0.1].map(Quat::from_rotation_x).to_vec();
    let clip = Clip {
        name: "Turn".to_owned(),
        duration: 3.0 / 15.0 * 4.0,
        tracks: vec![Track::Rotation(
            Id::new(0),
            Curve::linear(vec![0.0, 4.0 / 15.0, 8.0 / 15.0, 12.0 / 15.0], turns),
        )],
        ..Clip::default()
    };
    Scene {
        nodes: vec![Node { name: "sail".to_owned(), mesh: Some(Id::new(0)), ..Node::default() }],
        meshes: vec![Mesh { name: "cloth".to_owned(), primitives: vec![primitive], ..Mesh::default() }],
        materials: vec![Material { name: "cloth".to_owned(), ..Material::default() }],
        clips: vec![clip],
        ..Scene::default()
    }
}

fn said(base: &Scene, found: &Scene) -> Vec<String> {
    match reconcile(base, found, Tolerances::of_size(2.0)) {
        Ok((_, report)) => {
            report.findings().iter().map(|it| format!("{}: {}", it.code.name, it.message)).collect()
        }
        Err(refused) => vec![format!("{}: {}", refused.code.name, refused.message)],
    }
}

fn turns(scene: &Scene) -> &Curve<Quat> {
    match &scene.clips[0].tracks[0] {
        Track::Rotation(_, curve) => curve,
        other => unreachable!("{other:?}"),
    }
}

fn turns_mut(scene: &mut Scene) -> &mut Curve<Quat> {
    match &mut scene.clips[0].tracks[0] {
        Track::Rotation(_, curve) => curve,
        other => unreachable!("{other:?}"),
    }
}

/// One key is changed before the program samples, on the grid of the keys and beside it: it is found, and no other.
#[test]
fn a_changed_key_is_found_among_samples() {
    let base = sail();
    for (fps, by_parts, is_off) in
        [(15, true, false), (60, false, false), (24, true, true), (24, false, true)]
    {
        let mut edited = base.clone();
        let wanted = Quat::from_rotation_y(0.4);
        if let Track::Rotation(_, curve) = &mut edited.clips[0].tracks[0] {
            curve.values[1] = wanted;
        }
        let (made, report) =
            reconcile(&base, &travelled(&edited, fps, by_parts), Tolerances::of_size(2.0)).unwrap();
        let (old, new) = (turns(&base), turns(&made));
        assert_eq!(new.times, old.times);
        assert!(new.values[1].angle_between(wanted) < 2e-3, "{fps}: {}", new.values[1]);
        for key in [0, 2, 3] {
            assert_eq!(new.values[key], old.values[key], "{fps}");
        }
        let codes: Vec<&str> = report.findings().iter().map(|it| it.code.name).collect();
        assert_eq!(codes.contains(&"scene.off-grid"), is_off, "{fps}: {codes:?}");
    }
}

#[test]
fn a_moved_vertex_is_taken_and_the_others_are_not() {
    let base = sail();
    let mut found = travelled(&base, 15, false);
    found.meshes[0].primitives[0].positions[0] += Vec3::new(0.0, 0.0, 0.5);
    let (made, _) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    let (old, new) = (&base.meshes[0].primitives[0], &made.meshes[0].primitives[0]);
    assert_eq!(new.positions[..3], old.positions[..3]);
    assert!((new.positions[3].z - 1.5).abs() < 1e-5);
    assert_eq!((&new.uvs, &new.normals, &new.indices), (&old.uvs, &old.normals, &old.indices));
}

#[test]
fn triangles_in_another_order_are_the_same() {
    let base = sail();
    let mut found = base.clone();
    let primitive = &mut found.meshes[0].primitives[0];
    primitive.indices = vec![1, 3, 2, 1, 2, 0];
    assert_eq!(said(&base, &found), Vec::<String>::new());
}

/// A hilly cloth of many triangles, seen from both sides.
fn cloth() -> Scene {
    let mut scene = sail();
    let primitive = &mut scene.meshes[0].primitives[0];
    let (rows, step) = (9_u8, 0.137_f32);
    let place = |x: u8, y: u8| {
        let (x, y) = (f32::from(x) * step, f32::from(y) * step);
        Vec3::new(x, y, (x * 5.0).sin() * (y * 3.0).cos() * 0.3)
    };
    primitive.positions = (0..rows).flat_map(|y| (0..rows).map(move |x| place(x, y))).collect();
    let count = primitive.positions.len();
    (primitive.normals, primitive.uvs) = (vec![Vec3::Z; count], vec![vec![Vec2::ZERO; count]]);
    primitive.indices.clear();
    let rows = u32::from(rows);
    for corner in (0..rows * (rows - 1)).filter(|corner| corner % rows + 1 < rows) {
        let square = [corner, corner + 1, corner + rows, corner + rows, corner + 1, corner + rows + 1];
        primitive.indices.extend(square);
        primitive.indices.extend(square.into_iter().rev());
    }
    scene
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    /// Triangles in any order, begun at any corner, with vertices of their own that are a little off: the same, and of a vertex that
    /// was moved everything else is.
    #[test]
    fn meshes_are_sets_of_triangles(seed in any::<u64>(), moved in 0..81_usize, far in prop_oneof![Just(0.0), Just(0.5_f32)]) {
        let base = cloth();
        let mut edited = base.clone();
        edited.meshes[0].primitives[0].positions[moved].z += far;
        let of = &edited.meshes[0].primitives[0];
        let mut dice = seed | 1;
        let mut roll = move |most: usize| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(dice >> 33).unwrap() % most
        };
        let mut triangles = of.indices.as_chunks::<3>().0.to_vec();
        for i in (1..triangles.len()).rev() {
            triangles.swap(i, roll(i + 1));
        }
        let mut found = edited.clone();
        let made = &mut found.meshes[0].primitives[0];
        let corners = triangles.iter().flat_map(|it| { let turn = roll(3); [0, 1, 2].map(|i| it[(i + turn) % 3]) });
        let corners: Vec<usize> = corners.map(|it| usize::try_from(it).unwrap()).collect();
        made.positions = corners.iter().map(|it| of.positions[*it] * (1.0 + 2e-6)).collect();
        (made.normals, made.uvs) = (vec![Vec3::Z; corners.len()], vec![vec![Vec2::ZERO; corners.len()]]);
        made.indices = (0..u32::try_from(corners.len()).unwrap()).collect();
        let (made, report) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
        let codes: Vec<&str> = report.findings().iter().map(|it| it.code.name).collect();
        prop_assert_eq!(codes, ["scene.rounded"]);
        for (i, (new, old)) in made.meshes[0].primitives[0].positions.iter().zip(&base.meshes[0].primitives[0].positions).enumerate() {
            if i == moved && far > 0.0 {
                prop_assert!((new.z - old.z - far).abs() < 1e-4, "{i}: {new} for {old}");
            } else {
                prop_assert_eq!(new, old, "{}", i);
            }
        }
    }
}

#[test]
fn a_node_that_was_moved_is_taken() {
    let base = sail();
    let mut found = base.clone();
    found.nodes[0].translation = Vec3::Y;
    let (made, _) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    assert_eq!(made.nodes[0].translation, Vec3::Y);
}

#[test]
fn small_changes_are_told() {
    let base = sail();
    let mut found = base.clone();
    found.nodes[0].translation = Vec3::Y * 1e-6;
    assert_eq!(said(&base, &found), ["scene.rounded: 1 of places, 1.0e-6 off at most, 2.0e-5 allowed"]);
    let sampled = &said(&base, &travelled(&base, 15, true))[0];
    assert!(sampled.starts_with("scene.resampled: 1 of turns, "), "{sampled}");
    // A key that was turned by less than counts is told, and how far that was.
    let mut found = base.clone();
    if let Track::Rotation(_, curve) = &mut found.clips[0].tracks[0] {
        curve.values[1] *= Quat::from_rotation_y(3e-4);
    }
    assert_eq!(said(&base, &found), ["scene.resampled: 1 of turns, 3.0e-4 off at most, 5.0e-4 allowed"]);
    let (made, _) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    assert!(made == base);
}

/// A frame for every key, as FF7 has them, sampled at Blender's own rate: no key but the changed one is touched.
#[test]
fn a_key_is_found_among_many() {
    let mut base = sail();
    let frames = (0..40_u8).map(f32::from);
    let turned = |it: f32| Quat::from_euler(glam::EulerRot::XYZ, it.sin(), it * 0.2, it.cos() * 0.5);
    let values = frames.clone().map(turned).collect();
    let times = frames.map(|it| it / 15.0).collect();
    base.clips[0].duration = 39.0 / 15.0;
    base.clips[0].tracks = vec![Track::Rotation(Id::new(0), Curve::linear(times, values))];
    for (changed, by_parts) in (0..40).flat_map(|key| [(key, false), (key, true)]) {
        let mut edited = base.clone();
        let wanted = turns_mut(&mut edited);
        wanted.values[changed] *= Quat::from_rotation_z(0.35);
        let wanted = wanted.values[changed];
        let (made, _) =
            reconcile(&base, &travelled(&edited, 24, by_parts), Tolerances::of_size(2.0)).unwrap();
        for (key, (old, new)) in turns(&base).values.iter().zip(&turns(&made).values).enumerate() {
            if key == changed {
                assert!(new.distance(wanted) < 2e-3, "{key}: {} off", new.distance(wanted));
            } else {
                assert_eq!(old, new, "key {key}, {changed} was changed");
            }
        }
    }
}

/// Two keys beside each other, on the grid of no frame.
#[test]
fn neighbours_are_found_too() {
    let base = sail();
    let mut edited = base.clone();
    let wanted = [Quat::from_rotation_y(0.4), Quat::from_rotation_z(-0.3)];
    turns_mut(&mut edited).values[1..3].copy_from_slice(&wanted);
    let (made, _) = reconcile(&base, &travelled(&edited, 24, true), Tolerances::of_size(2.0)).unwrap();
    let (old, new) = (turns(&base), turns(&made));
    assert!(new.values[1].distance(wanted[0]) < 2e-3 && new.values[2].distance(wanted[1]) < 2e-3);
    assert_eq!([new.values[0], new.values[3]], [old.values[0], old.values[3]]);
}

/// What nothing moves any more stays at rest all the time.
#[test]
fn a_motion_that_was_taken_away_is_no_motion() {
    let base = sail();
    let mut found = base.clone();
    found.clips[0].tracks = vec![Track::Translation(Id::new(0), Curve::still(Vec3::ZERO))];
    let (made, _) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    assert_eq!(turns(&made).values, [Quat::IDENTITY; 4]);
}

#[test]
fn what_cannot_be_taken_is_told() {
    let base = sail();
    let mut found = base.clone();
    found.nodes.push(Node { name: "flag".to_owned(), mesh: Some(Id::new(0)), ..Node::default() });
    found.clips.push(Clip {
        name: "Fold".to_owned(),
        tracks: base.clips[0].tracks.clone(),
        ..Clip::default()
    });
    assert_eq!(said(&base, &found), ["scene.not-taken: `Fold` is new", "scene.not-taken: `flag` is new"]);
    let mut eyed = base.clone();
    eyed.cameras.push(galvani_scene::Camera {
        name: String::new(),
        fov_y: 1.0,
        near: 0.1,
        far: None,
        extras: Extras::new(),
    });
    eyed.nodes.push(Node { name: "eye".to_owned(), camera: Some(Id::new(0)), ..Node::default() });
    assert_eq!(said(&eyed, &base), ["scene.absent: `eye` is gone"]);
    let mut found = base.clone();
    found.nodes.clear();
    found.clips.clear();
    assert_eq!(said(&base, &found), ["scene.not-taken: `Turn` is gone", "scene.not-taken: `sail` is gone"]);
    let mut found = base.clone();
    found.nodes[0].mesh = None;
    assert_eq!(said(&base, &found), ["scene.not-taken: `sail` shows nothing any more"]);
}

/// Nodes that begin to move, clips of another length and surfaces of another colour do not go back, which is told.
#[test]
fn what_is_new_in_a_clip_or_on_a_surface_is_told() {
    let mut base = ship();
    base.materials.push(Material { name: "linen".to_owned(), ..Material::default() });
    let mut found = base.clone();
    let rest = base.nodes[2].translation;
    let still = Curve::linear(vec![0.0, 1.0], vec![rest; 2]);
    found.clips[0].tracks.push(Track::Translation(Id::new(2), still));
    assert_eq!(said(&base, &found), Vec::<String>::new());
    let moving = Curve::linear(vec![0.0, 1.0], vec![rest, rest + Vec3::X]);
    *found.clips[0].tracks.last_mut().unwrap() = Track::Translation(Id::new(2), moving);
    let name = &base.clips[0].name;
    assert_eq!(said(&base, &found), [format!("scene.not-taken: `mast` did not move in `{name}`")]);
    let mut found = base.clone();
    found.clips[0].duration += 1.0;
    assert!(said(&base, &found)[0].contains("instead of"), "{:?}", said(&base, &found));
    let mut found = base.clone();
    found.materials.last_mut().unwrap().base_color.x = 0.5;
    assert_eq!(said(&base, &found), ["scene.not-taken: `linen` has another colour"]);
    let mut found = base.clone();
    let linen = found.materials.last_mut().unwrap();
    (linen.alpha_mode, linen.two_sided, linen.unlit) = (AlphaMode::Blend, true, true);
    linen.emissive = Vec3::X;
    let all = "another glow, another way to cover what is behind, another back, another light";
    assert_eq!(said(&base, &found), [format!("scene.not-taken: `linen` has {all}")]);
}

/// A surface with the picture of another one; pictures that are merely called otherwise are the same.
#[test]
fn another_picture_on_a_surface_is_told() {
    let mut base = ship();
    let image = |name: &str| SceneImage {
        name: name.to_owned(),
        pixels: Image { width: 1, height: 1, rgba: vec![[255; 4]] },
    };
    base.images = vec![image("cloth"), image("wood")];
    base.materials[0].texture = Some(Texture::plain(Id::new(0)));
    let mut found = base.clone();
    found.images[0].name = "cloth.png".to_owned();
    assert_eq!(said(&base, &found), Vec::<String>::new());
    found.materials[0].texture = Some(Texture::plain(Id::new(1)));
    assert_eq!(said(&base, &found), ["scene.not-taken: `cloth` has another picture"]);
    found.materials[0].texture = None;
    assert_eq!(said(&base, &found), ["scene.not-taken: `cloth` has other pictures than before"]);
}

/// The sail on a mast on a ship, each with its number.
fn ship() -> Scene {
    let mut scene = sail();
    let id = |number: i32| Extras::from([("id".to_owned(), Fact::Int(number))]);
    scene.nodes[0].extras = id(0);
    for (name, parent, number) in [("ship", None, 1), ("mast", Some(1), 2)] {
        let parent = parent.map(Id::new);
        scene.nodes.push(Node { name: name.to_owned(), parent, extras: id(number), ..Node::default() });
    }
    scene
}

/// Nodes are known by their numbers, whatever they are called and wherever they stand.
#[test]
fn other_names_and_another_order_are_taken() {
    let base = ship();
    let mut found = base.clone();
    found.nodes.swap(1, 2);
    (found.nodes[1].parent, found.nodes[2].parent) = (Some(Id::new(2)), None);
    found.nodes[0].name = "sail.001".to_owned();
    found.nodes[2].name = "boat".to_owned();
    found.clips[0].name = "Swing".to_owned();
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    assert_eq!(report.findings(), []);
    let names: Vec<&str> = made.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["sail", "boat", "mast"]);
    assert_eq!(made.clips[0].name, "Swing");
    let mut wanted = base.clone();
    (wanted.nodes[1].name, wanted.clips[0].name) = ("boat".to_owned(), "Swing".to_owned());
    assert!(made == wanted);
}

/// Levels of detail have the numbers of what they stand in for.
#[test]
fn a_renamed_node_is_not_taken_for_a_level_of_detail() {
    let mut base = ship();
    base.variants.push(Variant { level: 1, shows: vec![(Id::new(2), None)], ..Variant::default() });
    let mut found = base.clone();
    found.variants.clear();
    let level = Node { name: "mast_LOD1".to_owned(), ..found.nodes[2].clone() };
    found.nodes.insert(2, level);
    found.nodes[3].name = "pole".to_owned();
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    assert_eq!((report.findings(), made.nodes[2].name.as_str()), (&[][..], "pole"));
    // Of a level that there never was it is a new node.
    found.nodes[2].name = "mast_LOD2".to_owned();
    assert_eq!(said(&base, &found), ["scene.absent: `LOD1` is gone", "scene.not-taken: `mast_LOD2` is new"]);
}

#[test]
fn nodes_that_are_added_doubled_or_removed_are_told() {
    let base = ship();
    let mut found = base.clone();
    found.nodes.push(Node { name: "gull".to_owned(), parent: Some(Id::new(1)), ..Node::default() });
    assert_eq!(said(&base, &found), ["scene.not-taken: `gull` is new"]);
    // What only carries others is of the program's own making.
    let mut found = base.clone();
    found.nodes.insert(0, Node { name: "Armature".to_owned(), ..Node::default() });
    for node in &mut found.nodes[1..] {
        node.parent = Some(Id::new(node.parent.map_or(0, |parent| parent.index() + 1)));
    }
    for track in &mut found.clips[0].tracks {
        *track = track.clone().on(Id::new(1));
    }
    assert_eq!(said(&base, &found), Vec::<String>::new());
    let mut found = base.clone();
    found.nodes.push(Node { name: "mast.001".to_owned(), ..found.nodes[2].clone() });
    assert_eq!(said(&base, &found), ["scene.not-taken: `mast.001` is new"]);
    let mut found = base.clone();
    found.nodes.pop();
    assert_eq!(said(&base, &found), ["scene.not-taken: `mast` is gone"]);
}

/// What hangs on another is taken as long as that stands before it.
#[test]
fn nodes_that_hang_on_another_are_taken() {
    let base = ship();
    for parent in [None, Some(0)] {
        let mut wanted = base.clone();
        (wanted.nodes[2].parent, wanted.nodes[2].translation.x) = (parent.map(Id::new), 0.5);
        let mut found = wanted.clone();
        // What was put in between does not count.
        found
            .nodes
            .insert(2, Node { name: "Empty".to_owned(), parent: parent.map(Id::new), ..Node::default() });
        found.nodes[3].parent = Some(Id::new(2));
        let (made, report) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
        assert_eq!(report.findings(), []);
        assert!(made == wanted);
    }
    let mut found = base.clone();
    found.nodes.rotate_left(1);
    (found.nodes[1].parent, found.nodes[2].parent) = (Some(Id::new(0)), Some(Id::new(1)));
    found.clips[0].tracks[0] = found.clips[0].tracks[0].clone().on(Id::new(2));
    let told = ["scene.not-taken: `sail` hangs on another, which stands behind it"];
    assert_eq!(said(&base, &found), told);
}

/// Of several clips those belong together that move alike.
#[test]
fn renamed_clips_are_known_by_their_motions() {
    let mut base = sail();
    let mut other = base.clips[0].clone();
    (other.name, other.index) = ("Flap".to_owned(), 1);
    if let Track::Rotation(_, curve) = &mut other.tracks[0] {
        curve.values.reverse();
    }
    base.clips.push(other);
    let mut found = base.clone();
    found.clips.reverse();
    found.clips[0].name = "B".to_owned();
    found.clips[1].name = "A".to_owned();
    (found.clips[0].index, found.clips[1].index) = (0, 1);
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(2.0)).unwrap();
    assert_eq!(report.findings(), []);
    assert_eq!([&made.clips[0].name, &made.clips[1].name], ["A", "B"]);
    assert_eq!(made.clips[0].tracks, base.clips[0].tracks);
}

#[test]
fn another_shape_or_more_keys_are_refused() {
    let base = sail();
    let mut found = base.clone();
    found.meshes[0].primitives[0].indices.truncate(3);
    assert_eq!(said(&base, &found), ["scene.other-shape: `cloth`: 2 triangles wanted, 1 found"]);
    let mut found = base.clone();
    found.meshes[0].primitives[0].positions.push(Vec3::new(5.0, 0.0, 0.0));
    found.meshes[0].primitives[0].indices[3] = 4;
    assert_eq!(said(&base, &found), ["scene.other-shape: `cloth`: vertex 2 is torn apart"]);
    let mut found = base.clone();
    found.clips[0].tracks = vec![Track::Rotation(
        Id::new(0),
        Curve::linear(
            vec![0.0, 0.1, 0.2, 0.3, 0.4],
            [0.0, 1.0, -1.0, 1.0, 0.0].map(Quat::from_rotation_z).to_vec(),
        ),
    )];
    assert_eq!(said(&base, &found), ["scene.other-keys: `sail` in `Turn`"]);
}

/// A sail that swings from side to side, level at each.
fn swing() -> Scene {
    let mut base = sail();
    let times = vec![0.0, 0.3, 0.9, 1.5];
    let values = [0.0, 2.0, -1.0, 0.5].map(|x| Vec3::new(x, 0.0, 1.0)).to_vec();
    let swing = Curve { times, values, tangents: vec![[Vec3::ZERO; 2]; 4], interp: Interp::Hermite };
    base.clips[0].duration = 1.5;
    base.clips[0].tracks = vec![Track::Translation(Id::new(0), swing)];
    base
}

fn places_mut(scene: &mut Scene) -> &mut Curve<Vec3> {
    match &mut scene.clips[0].tracks[0] {
        Track::Translation(_, curve) => curve,
        _ => panic!("it moves"),
    }
}

/// The same sampled by a program that gives its keys other tangents first.
fn sampled_with(tangents: [[f32; 2]; 4], change: impl Fn(&mut Curve<Vec3>)) -> Scene {
    let mut found = swing();
    let curve = places_mut(&mut found);
    curve.tangents = tangents.map(|sides| sides.map(|x| Vec3::X * x)).to_vec();
    change(curve);
    travelled(&found, 30, false)
}

/// How Blender leads these keys, without a jerk: of each key how it arrives and leaves.
const BLENDERS: [[f32; 2]; 4] =
    [[0.0, 0.0], [SLOPES[0] * 0.3, SLOPES[0] * 0.6], [SLOPES[1] * 0.6; 2], [0.0, 0.0]];

/// The slopes of the two keys within, a second: ways a second are 20/3, -5, 5/2, and of two spans beside each other
/// `m/h + 2m(1/h + 1/g) + n/g = 3(d/h + e/g)`.
const SLOPES: [f32; 2] = [4.673_913, -3.043_478];

/// Programs that sample cubic motions give their keys tangents of their own; an edit between two keys is none of those.
#[test]
fn an_edit_between_the_keys_of_a_cubic_motion_is_told() {
    let base = swing();
    for tangents in [[[0.0; 2]; 4], BLENDERS] {
        let found = sampled_with(tangents, |_| {});
        let known = ["scene.rounded", "scene.resampled", "scene.smoothed"];
        let told = said(&base, &found);
        let is_note = |told: &String| known.iter().any(|code| told.starts_with(code));
        assert!(told.len() == 2 && told.iter().all(is_note), "{told:?}");
        let edited = sampled_with(tangents, |curve| curve.tangents[1][1] += Vec3::X * 4.0);
        let (made, _) = reconcile(&base, &edited, Tolerances::of_size(2.0)).unwrap();
        assert!(made == base);
        let told = said(&base, &edited);
        let is_told = |told: &String| {
            told.starts_with("scene.not-taken: `sail` in `Turn` is ")
                && told.ends_with(" off between its keys")
        };
        assert!(told.iter().any(is_told), "{told:?}");
    }
}

/// A motion with its own keys that goes another way between them.
#[test]
fn another_way_between_the_same_keys_is_told() {
    let base = swing();
    let mut found = base.clone();
    places_mut(&mut found).tangents[1][1] = Vec3::X;
    assert_eq!(
        said(&base, &found),
        ["scene.not-taken: `sail` in `Turn` goes from key to key in another way, 1.4e-1 off"]
    );
    let mut found = base.clone();
    *places_mut(&mut found) =
        Curve { interp: Interp::Step, tangents: Vec::new(), ..places_mut(&mut found).clone() };
    assert!(said(&base, &found)[0].contains("in another way"), "{:?}", said(&base, &found));
    *places_mut(&mut found) = Curve { interp: Interp::Linear, ..places_mut(&mut found).clone() };
    assert!(said(&base, &found)[0].starts_with("scene.resampled"), "{:?}", said(&base, &found));
    let mut base = base;
    *places_mut(&mut base) =
        Curve { interp: Interp::Linear, tangents: Vec::new(), ..places_mut(&mut found).clone() };
    places_mut(&mut found).interp = Interp::Step;
    assert!(said(&base, &found)[0].contains("in another way"), "{:?}", said(&base, &found));
}
