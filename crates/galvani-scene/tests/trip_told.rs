//! What a trip changes beside vertices and motions: each is taken, or told by name and by how much; unchanged, nothing is told.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common {
    pub(crate) mod reconciled;
}

use common::reconciled::reconcile;
use galvani_scene::trip::Tolerances;
use galvani_scene::{
    Camera, Clip, Curve, Extras, Fact, Id, Influences, Joint, Light, LightForm, Mesh, Node, Primitive, Pull,
    Scene, Skin, Track, Variant,
};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

const SIZE: f32 = 2.0;

fn numbered(name: &str, parent: Option<usize>, number: i32) -> Node {
    let extras = Extras::from([("id".to_owned(), Fact::Int(number))]);
    Node { name: name.to_owned(), parent: parent.map(Id::new), extras, ..Node::default() }
}

/// A triangle that is so high.
fn triangle(name: &str, height: f32, influences: Influences) -> Mesh {
    let primitive = Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y * height],
        normals: vec![Vec3::Z; 3],
        uvs: vec![vec![Vec2::ZERO; 3]],
        colors: vec![Vec4::ONE; 3],
        indices: vec![0, 1, 2],
        influences,
        ..Primitive::default()
    };
    Mesh { name: name.to_owned(), primitives: vec![primitive], ..Mesh::default() }
}

fn pulls(weights: [f32; 2]) -> Vec<Pull> {
    let pulls = weights.into_iter().enumerate().map(|(joint, weight)| Pull { joint, weight });
    pulls.filter(|pull| pull.weight > 0.0).collect()
}

/// A flag that two bones bend, a hull with a coarser level and a damaged state, an eye, a lamp, and a gull that hides.
fn ship() -> Scene {
    let bent: Influences = [[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]].into_iter().map(pulls).collect();
    let meshes = [("flag", bent), ("hull", Influences::default()), ("coarse", Influences::default())];
    let meshes = meshes.into_iter().chain([("hole", Influences::default()), ("gull", Influences::default())]);
    let meshes: Vec<Mesh> = (1_u8..)
        .zip(meshes)
        .map(|(height, (name, pulls))| triangle(name, f32::from(height), pulls))
        .collect();
    let mut nodes = vec![
        numbered("lower", None, 0),
        numbered("upper", Some(0), 1),
        numbered("flag", None, 2),
        numbered("hull", None, 3),
        numbered("eye", None, 4),
        numbered("lamp", None, 5),
        numbered("gull", None, 6),
    ];
    (nodes[2].mesh, nodes[2].skin) = (Some(Id::new(0)), Some(Id::new(0)));
    (nodes[3].mesh, nodes[6].mesh) = (Some(Id::new(1)), Some(Id::new(4)));
    (nodes[4].camera, nodes[5].light) = (Some(Id::new(0)), Some(Id::new(0)));
    nodes[3].extras.insert("flags".to_owned(), Fact::Int(3));
    let joint = |node| Joint { node: Id::new(node), inverse_bind: Affine3A::IDENTITY };
    let variant = |name: &str, state, level, mesh| Variant {
        name: name.to_owned(),
        state,
        level,
        shows: vec![(Id::new(3), Some(Id::new(mesh)))],
    };
    let hides = Curve::step(vec![0.0, 0.5, 1.0], vec![true, false, true]);
    let clip = Clip {
        name: "Fly".to_owned(),
        duration: 2.0,
        tracks: vec![Track::Visibility(Id::new(6), hides)],
        ..Clip::default()
    };
    Scene {
        name: "ship".to_owned(),
        nodes,
        meshes,
        skins: vec![Skin { name: "bones".to_owned(), joints: vec![joint(0), joint(1)] }],
        cameras: vec![Camera {
            name: "eye".to_owned(),
            fov_y: 0.5,
            near: 1.0,
            far: None,
            extras: Extras::new(),
        }],
        lights: vec![Light {
            name: "lamp".to_owned(),
            form: LightForm::Point,
            color: Vec3::ONE,
            intensity: 4.0,
            range: Some(9.0),
            extras: Extras::new(),
        }],
        variants: vec![variant("", 0, 1, 2), variant("damaged", 1, 0, 3)],
        clips: vec![clip],
        ..Scene::default()
    }
}

/// The same as programs have it that know one scene: other states and levels stand beside the others.
fn beside(mut scene: Scene) -> Scene {
    for variant in std::mem::take(&mut scene.variants) {
        let end = if variant.state == 0 { String::new() } else { format!("_{}", variant.name) };
        let count = scene.nodes.len();
        for i in 0..7 {
            let mut node = scene.nodes[i].clone();
            node.name = format!("{}{end}_LOD{}", node.name, variant.level);
            node.parent = node.parent.map(|parent| Id::new(count + parent.index()));
            (node.camera, node.light) = (None, None);
            if let Some((_, mesh)) = variant.shows.iter().find(|(shown, _)| shown.index() == i) {
                node.mesh = *mesh;
            }
            scene.nodes.push(node);
        }
    }
    scene
}

fn told(base: &Scene, found: &Scene) -> Vec<String> {
    let (made, report) = reconcile(base, found, Tolerances::of_size(SIZE)).unwrap();
    assert!(made == *base, "nothing of that is taken");
    report.findings().iter().map(|it| format!("{}: {}: {}", it.code.name, it.path, it.message)).collect()
}

/// What is told of a change, whichever way the other states came back.
fn both(change: impl Fn(&mut Scene)) -> Vec<String> {
    let base = ship();
    let [kept, put_beside] = [base.clone(), beside(base.clone())].map(|mut found| {
        change(&mut found);
        told(&base, &found)
    });
    assert_eq!(kept, put_beside);
    kept
}

#[test]
fn unchanged_nothing_is_told() {
    assert_eq!(both(|_| {}), Vec::<String>::new());
}

#[test]
fn other_weights_are_taken() {
    let base = ship();
    let weighed = |scene: &Scene, weights: [f32; 2]| {
        let mut scene = scene.clone();
        let bent: Influences = [[1.0, 0.0], weights, [0.5, 0.5]].into_iter().map(pulls).collect();
        scene.meshes[0].primitives[0].influences = bent;
        scene
    };
    for weights in [[0.5, 0.5], [0.0, 1.0]] {
        for found in [base.clone(), beside(base.clone())] {
            let (made, report) =
                reconcile(&base, &weighed(&found, weights), Tolerances::of_size(SIZE)).unwrap();
            assert_eq!(report.findings(), []);
            assert!(made == weighed(&base, weights));
        }
    }
    let more = both(|found| *found = weighed(found, [0.5, 1.5]));
    assert_eq!(
        more,
        ["scene.not-taken: skins: `flag`: the weights of 1 vertices, 7.5e-1 off at most"],
        "twice as much of the same"
    );
    let near = both(|found| *found = weighed(found, [0.250_05, 0.749_95]));
    assert_eq!(near.len(), 1);
    assert!(
        near[0].starts_with("scene.rounded: scene: 1 of sizes, colours, coordinates and weights"),
        "{near:?}"
    );
    let bare = both(|found| {
        for node in &mut found.nodes {
            node.skin = None;
        }
    });
    assert_eq!(bare, ["scene.not-taken: skins: `flag` follows no joints any more"]);
}

/// Programs number joints anew; by one that the skin had not nothing is taken.
#[test]
fn weights_of_other_joints_are_told() {
    let base = ship();
    let joint = |node| Joint { node: Id::new(node), inverse_bind: Affine3A::IDENTITY };
    let mut found = base.clone();
    found.skins[0].joints = vec![joint(3), joint(1), joint(0)];
    let pull = |joint, weight| Pull { joint, weight };
    let runs = [vec![pull(2, 0.5), pull(1, 0.5)], vec![pull(0, 1.0)], vec![pull(1, 0.5), pull(2, 0.5)]];
    found.meshes[0].primitives[0].influences = runs.into_iter().collect();
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(SIZE)).unwrap();
    let said: Vec<&str> = report.findings().iter().map(|it| it.message.as_str()).collect();
    assert_eq!(said, ["`flag`: the weights of 1 vertices, 1.0e0 off at most"]);
    let wanted: Influences = [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]].into_iter().map(pulls).collect();
    assert!(made.meshes[0].primitives[0].influences == wanted);
}

/// Programs keep the four strongest joints of a vertex.
#[test]
fn the_strongest_of_many_weights_are_the_same() {
    let mut base = ship();
    for number in 7..10 {
        base.skins[0]
            .joints
            .push(Joint { node: Id::new(base.nodes.len()), inverse_bind: Affine3A::IDENTITY });
        base.nodes.push(numbered(&format!("bone {number}"), None, number));
    }
    let run = |weights: &[f32]| -> Vec<Pull> {
        weights.iter().enumerate().map(|(joint, weight)| Pull { joint, weight: *weight }).collect()
    };
    let bent = |first: &[f32]| -> Influences { [first, &[1.0], &[1.0]].into_iter().map(run).collect() };
    base.meshes[0].primitives[0].influences = bent(&[0.4, 0.2, 0.2, 0.15, 0.05]);
    let mut found = base.clone();
    let kept = [0.4, 0.2, 0.2, 0.15].map(|weight| weight / 0.95);
    found.meshes[0].primitives[0].influences = bent(&kept);
    assert!(told(&base, &found).iter().all(|told| told.starts_with("scene.rounded")));
    found.meshes[0].primitives[0].influences = bent(&[0.6, 0.2, 0.2]);
    let (made, _) = reconcile(&base, &found, Tolerances::of_size(SIZE)).unwrap();
    assert!(made == found, "of what was changed all counts");
}

#[test]
fn vertices_of_other_states_and_levels_are_taken() {
    let base = ship();
    for found in [base.clone(), beside(base.clone())] {
        for mesh in [2, 3] {
            let mut found = found.clone();
            found.meshes[mesh].primitives[0].positions[1].z = 0.5;
            let (made, report) = reconcile(&base, &found, Tolerances::of_size(SIZE)).unwrap();
            assert_eq!(report.findings(), []);
            let mut wanted = base.clone();
            wanted.meshes[mesh].primitives[0].positions[1].z = 0.5;
            assert!(made == wanted, "mesh {mesh}");
        }
    }
}

/// A vertex whose corners have coordinates of their own now, as programs write it: twice.
#[test]
fn a_vertex_that_was_split_is_told() {
    let mut base = ship();
    let hull = &mut base.meshes[1].primitives[0];
    hull.positions.push(Vec3::NEG_X);
    (hull.normals, hull.colors, hull.uvs) = (vec![Vec3::Z; 4], vec![Vec4::ONE; 4], vec![vec![Vec2::ZERO; 4]]);
    hull.indices = vec![0, 1, 2, 0, 2, 3];
    let split = |change: &dyn Fn(&mut Primitive)| {
        let mut found = base.clone();
        let hull = &mut found.meshes[1].primitives[0];
        hull.positions.push(Vec3::ZERO);
        hull.normals.push(Vec3::Z);
        hull.colors.push(Vec4::ONE);
        hull.uvs[0].push(Vec2::ZERO);
        hull.indices[3] = 4;
        change(hull);
        told(&base, &found)
    };
    assert_eq!(split(&|_| {}), Vec::<String>::new());
    let said = ["scene.not-taken: meshes: `hull` differs at corners of one vertex: 1 values, 5.0e-1 at most"];
    assert_eq!(split(&|hull| hull.uvs[0][4].x = 0.5), said);
    assert_eq!(split(&|hull| hull.colors[4].y = 0.5), said);
    assert_eq!(split(&|hull| hull.normals[4] = Vec3::X), Vec::<String>::new());
}

#[test]
fn other_states_that_lack_something_are_told() {
    let base = ship();
    let mut alone = base.clone();
    alone.variants.clear();
    assert_eq!(told(&base, &alone), ["scene.absent: variants: `LOD1` is gone; `damaged_LOD0` is gone"]);
    let mut found = base.clone();
    found.variants[1].shows[0].1 = None;
    found.variants.push(Variant { level: 2, ..Variant::default() });
    assert_eq!(
        told(&base, &found),
        ["scene.not-taken: variants: `hull_damaged_LOD0` shows nothing any more; `LOD2` is new"]
    );
    let mut found = beside(base.clone());
    let hull = |found: &Scene| found.nodes.iter().position(|node| node.name == "hull_LOD1").unwrap();
    let at = hull(&found);
    found.nodes[at].translation.x = 0.5;
    found.nodes[at].rotation = Quat::from_rotation_x(0.25);
    let clip = &mut found.clips[0].tracks;
    clip.push(Track::Scale(Id::new(at), Curve::linear(vec![0.0, 1.0], vec![Vec3::ONE, Vec3::ZERO])));
    assert_eq!(
        told(&base, &found),
        [
            "scene.not-taken: clips: `hull_LOD1` did not move in `Fly`",
            "scene.not-taken: variants: `hull_LOD1` is moved by 5.0e-1; `hull_LOD1` is turned by 2.5e-1"
        ]
    );
    let mut found = beside(base.clone());
    let at = hull(&found);
    found.nodes.remove(at);
    assert_eq!(told(&base, &found), ["scene.not-taken: variants: `hull_LOD1` is gone"]);
}

/// What nodes show together is taken if it was changed in one place, or everywhere alike.
#[test]
fn copies_of_a_mesh_that_differ_are_told() {
    let mut base = ship();
    base.nodes.push(Node { mesh: Some(Id::new(1)), ..numbered("twin", None, 7) });
    let mut found = base.clone();
    let mut twin = found.meshes[1].clone();
    twin.primitives[0].positions[1].z = 0.5;
    found.meshes.push(twin);
    found.nodes[7].mesh = Some(Id::new(5));
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(SIZE)).unwrap();
    assert_eq!((report.findings(), made.meshes[1].primitives[0].positions[1].z), (&[][..], 0.5));
    found.meshes[1].primitives[0].positions[1].z = 0.25;
    let (_, report) = reconcile(&base, &found, Tolerances::of_size(SIZE)).unwrap();
    let said: Vec<&str> = report.findings().iter().map(|it| it.message.as_str()).collect();
    assert_eq!(said, ["`twin` differs from what shows the same: 1 values, 2.5e-1 at most"]);
}

#[test]
fn other_lists_of_vertices_are_told() {
    let bare = both(|found| {
        found.meshes[1].primitives[0].colors.clear();
        found.meshes[1].primitives[0].uvs.push(vec![Vec2::ONE; 3]);
    });
    assert_eq!(
        bare,
        [
            "scene.absent: meshes: `hull` has no colours",
            "scene.not-taken: meshes: `hull` has new coordinates"
        ]
    );
    let shown = both(|found| found.nodes[4].mesh = Some(Id::new(1)));
    assert_eq!(shown, ["scene.not-taken: meshes: `eye` shows something now"]);
}

#[test]
fn other_cameras_and_lights_are_told() {
    let eye = both(|found| (found.cameras[0].fov_y, found.cameras[0].far) = (0.75, Some(100.0)));
    assert_eq!(
        eye,
        ["scene.not-taken: cameras: `eye` has an angle of 0.75 instead of 0.5; \
             `eye` has a far end at 100 instead of inf"]
    );
    let near = both(|found| found.cameras[0].fov_y = 0.500_01);
    assert!(near.len() == 1 && near[0].starts_with("scene.rounded: scene: 1 of"), "{near:?}");
    let lamp = both(|found| (found.lights[0].intensity, found.lights[0].color.y) = (5.0, 0.5));
    assert_eq!(
        lamp,
        [
            "scene.not-taken: lights: `lamp` has a strength of 5 instead of 4; `lamp` has green of 0.5 instead of 1"
        ]
    );
    let sun = both(|found| found.lights[0].form = LightForm::Directional);
    assert_eq!(sun, ["scene.not-taken: lights: `lamp` shines as Directional instead of Point"]);
    let dark = both(|found| (found.nodes[4].camera, found.nodes[5].light) = (None, None));
    assert_eq!(
        dark,
        ["scene.absent: cameras: the camera of `eye`", "scene.absent: lights: the light of `lamp`"]
    );
    let more =
        both(|found| (found.nodes[3].camera, found.nodes[0].light) = (Some(Id::new(0)), Some(Id::new(0))));
    assert_eq!(
        more,
        [
            "scene.not-taken: cameras: `hull` has a camera now",
            "scene.not-taken: lights: `lower` has a light now"
        ]
    );
}

#[test]
fn what_is_hidden_otherwise_is_told() {
    let rest = both(|found| found.nodes[3].visible = false);
    assert_eq!(rest, ["scene.not-taken: nodes: `hull` is hidden at rest"]);
    let hidden = |until: f32| {
        both(move |found| {
            let curve = Curve::step(vec![0.0, 0.5, until], vec![true, false, true]);
            found.clips[0].tracks = vec![Track::Visibility(Id::new(6), curve)];
        })
    };
    assert_eq!(hidden(1.5), ["scene.not-taken: clips: `gull` is hidden otherwise in `Fly`, for 0.5 s"]);
    let frame = hidden(1.0 + 1.0 / 24.0);
    assert!(frame.len() == 1 && frame[0].starts_with("scene.rounded: scene: 1 of moments"), "{frame:?}");
    let never = both(|found| found.clips[0].tracks.clear());
    assert_eq!(never, ["scene.not-taken: clips: `gull` is hidden otherwise in `Fly`, for 0.5 s"]);
}

/// What has no name any more keeps the one that it had.
#[test]
fn a_name_that_is_gone_stays() {
    let nameless =
        both(|found| (found.nodes[3].name, found.clips[0].name) = (String::new(), "\0".to_owned()));
    assert_eq!(
        nameless,
        [
            "scene.not-taken: clips: `Fly` has no name any more",
            "scene.not-taken: nodes: `hull` has no name any more"
        ]
    );
}

/// A skin that holds its mesh elsewhere is told; where its joint was moved, that is taken.
#[test]
fn another_binding_is_told() {
    let shifted = Affine3A::from_translation(Vec3::new(0.0, 0.5, 0.0));
    let bound = both(|found| found.skins[0].joints[1].inverse_bind = shifted);
    assert_eq!(bound, ["scene.not-taken: skins: `upper` is bound 5.0e-1 off"]);
    let base = ship();
    let mut found = base.clone();
    found.nodes[1].translation.y = -0.5;
    found.skins[0].joints[1].inverse_bind = shifted;
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(SIZE)).unwrap();
    assert_eq!((report.findings(), made.nodes[1].translation.y), (&[][..], -0.5));
}

/// What else files say of a node.
#[test]
fn other_extras_are_told() {
    let flags = |fact: Option<Fact>| {
        both(move |found| {
            let extras = &mut found.nodes[3].extras;
            extras.remove("flags");
            extras.extend(fact.clone().map(|fact| ("flags".to_owned(), fact)));
        })
    };
    assert_eq!(flags(Some(Fact::Float(3.0))), Vec::<String>::new());
    let said = "scene.not-taken: nodes: `hull` does not say any more that `flags` is Int(3)";
    assert_eq!(flags(Some(Fact::Int(4))), [said]);
    assert_eq!(flags(None), [said]);
    // Programs that drop the number drop all of that.
    let bare = both(|found| found.nodes.iter_mut().for_each(|node| node.extras.clear()));
    assert_eq!(bare, Vec::<String>::new());
}
