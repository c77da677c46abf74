//! Skins taken apart and scales done away with: everything stays where it was.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common {
    pub(crate) mod scenes;
    #[allow(dead_code, reason = "another test needs the rest")]
    pub(crate) mod slow;
}

use common::scenes::scenes;
use common::slow;
use galvani_scene::lower::{like, rigid, unit_turns, unscaled};
use galvani_scene::{Clip, Curve, Extras, Fact, Id, Node, Primitive, Scene, Track, check};
use glam::{DMat4, DVec3, Quat, Vec3};
use proptest::prelude::*;

/// How far single precision may be from double, for numbers of about 100, scaled and back.
const NEAR: f64 = 2e-3;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn triangles_follow_the_joint_that_pulls_most(scene in scenes(), part in 0.0..1.0_f64) {
        let (made, _) = rigid(&scene);
        let report = check(&made);
        prop_assert_eq!(report.findings(), []);
        prop_assert!(made.skins.is_empty());
        for clip in &scene.clips {
            let time = part * f64::from(clip.duration);
            let (mut wanted, mut found) = (skinned(&scene, clip, time), shown(&made, clip, time));
            wanted.extend(shown(&scene, clip, time));
            near(&mut wanted, &mut found)?;
        }
    }

    #[test]
    fn without_scales_everything_rests_where_it_did(scene in scenes()) {
        let (plain, _) = rigid(&scene);
        let (made, told) = unscaled(&plain);
        let report = check(&made);
        prop_assert_eq!(report.findings(), []);
        prop_assert!(made.nodes.iter().all(|node| node.scale == Vec3::ONE));
        let still = Clip::default();
        near(&mut shown(&plain, &still, 0.0), &mut shown(&made, &still, 0.0))?;
        let tracks = |scene: &Scene| scene.clips.iter().flat_map(|clip| clip.tracks.clone()).collect::<Vec<_>>();
        let changes = |track: &Track| match track {
            Track::Scale(node, curve) => {
                let rest = node.find_in(&plain.nodes).unwrap().scale;
                curve.values.iter().any(|size| size.distance(rest) > 1e-4 * rest.length())
            }
            _ => false,
        };
        let scales = tracks(&plain).iter().any(changes);
        prop_assert_eq!(told.findings().iter().any(|it| it.code.name == "scene.no-scaling"), scales);
        prop_assert!(!tracks(&made).iter().any(|track| matches!(track, Track::Scale(..))));
    }
}

/// The triangles of everything that hangs on nodes, in the model's space.
fn shown(scene: &Scene, clip: &Clip, time: f64) -> Vec<[DVec3; 3]> {
    let models = slow::models(scene, clip, time);
    let mut all = Vec::new();
    for (node, model) in scene.nodes.iter().zip(&models).filter(|(node, _)| node.skin.is_none()) {
        let mesh = node.mesh.map(|mesh| mesh.find_in(&scene.meshes).unwrap());
        for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
            all.extend(triangles(primitive).map(|it| placed(primitive, it, *model)));
        }
    }
    all
}

/// The triangles of skins, each where the joint that pulls at it most puts it.
fn skinned(scene: &Scene, clip: &Clip, time: f64) -> Vec<[DVec3; 3]> {
    let models = slow::models(scene, clip, time);
    let mut all = Vec::new();
    for node in scene.nodes.iter().filter(|node| node.visible) {
        let Some(skin) = node.skin.map(|skin| skin.find_in(&scene.skins).unwrap()) else { continue };
        for primitive in &node.mesh.unwrap().find_in(&scene.meshes).unwrap().primitives {
            let pulls: Vec<_> = primitive.influences.iter().collect();
            for corners in triangles(primitive) {
                let mut weights = vec![0.0; skin.joints.len()];
                for pull in corners.iter().flat_map(|corner| pulls[*corner]) {
                    weights[pull.joint] += pull.weight;
                }
                let most =
                    (0..weights.len()).rev().max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap();
                let joint = skin.joints[most];
                let bind = glam::Mat4::from(joint.inverse_bind).as_dmat4();
                all.push(placed(primitive, corners, models[joint.node.index()] * bind));
            }
        }
    }
    all
}

fn triangles(primitive: &Primitive) -> impl Iterator<Item = [usize; 3]> {
    primitive.indices.as_chunks::<3>().0.iter().map(|it| it.map(|corner| usize::try_from(corner).unwrap()))
}

fn placed(primitive: &Primitive, corners: [usize; 3], model: DMat4) -> [DVec3; 3] {
    corners.map(|corner| model.transform_point3(primitive.positions[corner].as_dvec3()))
}

/// Two lists of triangles are the same, whatever their order, and whichever corner comes first.
fn near(wanted: &mut [[DVec3; 3]], found: &mut [[DVec3; 3]]) -> Result<(), TestCaseError> {
    let middle = |triangle: &[DVec3; 3]| triangle.iter().sum::<DVec3>();
    let by_place = |a: &[DVec3; 3], b: &[DVec3; 3]| {
        let [a, b] = [a, b].map(|it| middle(it).dot(DVec3::new(1.0, 1.37, 2.11)));
        a.total_cmp(&b)
    };
    wanted.sort_by(by_place);
    found.sort_by(by_place);
    prop_assert_eq!(wanted.len(), found.len());
    let is_near = |a: &[DVec3; 3], b: &[DVec3; 3]| {
        a.iter().all(|corner| b.iter().any(|other| corner.distance(*other) < NEAR * corner.length().max(1.0)))
    };
    for (i, triangle) in wanted.iter().enumerate() {
        // Of those that lie nearly at one place the order may differ.
        let around = &found[i.saturating_sub(8)..(i + 9).min(found.len())];
        prop_assert!(around.iter().any(|other| is_near(triangle, other)), "{triangle:?} not in {around:?}");
    }
    Ok(())
}

#[test]
fn what_turns_below_a_mirror_image_is_told() {
    let above = Node { scale: Vec3::new(-1.0, 1.0, 1.0), ..Node::default() };
    let below = Node { parent: Some(Id::new(0)), ..Node::default() };
    let turn = Track::Rotation(Id::new(1), Curve::still(Quat::from_rotation_z(1.0)));
    let clip = Clip { tracks: vec![turn], ..Clip::default() };
    let mut scene = Scene { nodes: vec![above, below], clips: vec![clip], ..Scene::default() };
    let codes =
        |scene: &Scene| unscaled(scene).1.findings().iter().map(|it| it.code.name).collect::<Vec<_>>();
    assert_eq!(codes(&scene), ["scene.uneven"]);
    // One through the middle is the same whichever way one turns.
    scene.nodes[0].scale = Vec3::splat(-2.0);
    assert!(codes(&scene).is_empty());
}

#[test]
fn turns_without_a_direction_are_none() {
    let mut scene = Scene { nodes: vec![Node::default(); 2], ..Scene::default() };
    scene.nodes[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    scene.nodes[1].rotation = Quat::from_xyzw(0.0, 3.0, 0.0, 4.0);
    unit_turns(&mut scene);
    assert_eq!(scene.nodes[0].rotation, Quat::IDENTITY);
    assert_eq!(scene.nodes[1].rotation, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8));
}

/// A tree whose nodes are called so, each with the place of its parent.
fn tree(format: &str, nodes: &[(&str, Option<usize>)]) -> Scene {
    let node = |(name, parent): &(&str, Option<usize>)| Node {
        name: (*name).to_owned(),
        parent: parent.map(Id::new),
        extras: Extras::from([("flags".to_owned(), Fact::Text(format!("{format} {name}")))]),
        ..Node::default()
    };
    let extras = Extras::from([("format".to_owned(), Fact::Text(format.to_owned()))]);
    Scene { nodes: nodes.iter().map(node).collect(), extras, ..Scene::default() }
}

/// Nodes stand as in the example, and know what it knows; what hangs on another stays behind that.
#[test]
fn a_scene_has_the_structure_of_an_example() {
    let example =
        tree("game", &[("Root", None), ("Left_Arm", Some(0)), ("Head", Some(0)), ("Tail", Some(0))]);
    let mut scene =
        tree("other", &[("hand", None), ("root", None), ("head", Some(1)), ("left arm", Some(0))]);
    let clip = |name: &str, node: usize| Clip {
        name: name.to_owned(),
        tracks: vec![Track::Translation(Id::new(node), Curve::still(Vec3::X))],
        ..Clip::default()
    };
    scene.clips = vec![clip("Walk", 3), clip("Stand", 1)];
    let mut led = example.clone();
    led.clips = vec![clip("stand", 0)];
    let (made, report) = like(&scene, &led);
    assert_eq!(check(&made).findings(), []);
    let rows: Vec<(&str, Option<usize>)> =
        made.nodes.iter().map(|node| (node.name.as_str(), node.parent.map(Id::index))).collect();
    // The example has no hand, but the arm hangs on it.
    assert_eq!(rows, [("root", None), ("hand", None), ("left arm", Some(1)), ("head", Some(0))]);
    let flags = |node: &Node| node.extras.get("flags").cloned();
    let known = made.nodes.iter().map(flags).collect::<Vec<_>>();
    let text = |words: &str| Some(Fact::Text(words.to_owned()));
    assert_eq!(known, [text("game Root"), None, text("game Left_Arm"), text("game Head")]);
    let clips: Vec<(&str, usize)> =
        made.clips.iter().map(|clip| (clip.name.as_str(), clip.tracks[0].node().unwrap().index())).collect();
    assert_eq!(clips, [("Stand", 0), ("Walk", 2)]);
    assert_eq!(report.findings()[0].message, "`Tail`");
}
