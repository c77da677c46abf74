//! Scenes written and read again by somebody else's reader.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

use galvani_gltf::export;
use galvani_scene::{Clip, Curve, Extras, Fact, Id, Interp, Material, Mesh, Node, Primitive, Scene, Track};
use gltf::Gltf;

/// Two nodes, a triangle shown twice, a clip of two tracks on the same times.
fn scene() -> Scene {
    let triangle = Primitive {
        material: Some(Id::new(0)),
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.5, -2.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.25, 1.0]],
        indices: vec![0, 1, 2],
    };
    let extras = Extras::from([("id".to_owned(), Fact::Int(7))]);
    let root = Node { name: "same".to_owned(), mesh: Some(Id::new(0)), extras, ..Node::default() };
    let child = Node { parent: Some(Id::new(0)), translation: [0.1, 2.0, 3.0], ..root.clone() };
    let times = vec![0.0, 0.1, 1.0];
    let places =
        Curve { times: times.clone(), values: vec![[0.0; 3], [1.0; 3], [2.0; 3]], interp: Interp::Step };
    let turns = Curve { times, values: vec![[0.0, 0.0, 0.0, 1.0]; 3], interp: Interp::Linear };
    let tracks = vec![Track::Translation(Id::new(0), places), Track::Rotation(Id::new(1), turns)];
    Scene {
        name: "test".to_owned(),
        nodes: vec![root, child],
        meshes: vec![Mesh { name: "mesh".to_owned(), primitives: vec![triangle] }],
        materials: vec![Material {
            name: "red".to_owned(),
            base_color: [1.0, 0.0, 0.0, 1.0],
            two_sided: true,
        }],
        clips: vec![Clip { name: "walk".to_owned(), duration: 1.0, tracks }, Clip::default()],
        extras: Extras::new(),
    }
}

#[test]
fn another_reader_finds_what_was_written() {
    let scene = scene();
    let Gltf { document, blob } = Gltf::from_slice(&export(&scene, "test").unwrap()).unwrap();
    let blob = blob.unwrap();
    let names: Vec<_> = document.nodes().map(|node| node.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["same", "same_2"]);
    let root = document.nodes().next().unwrap();
    assert_eq!(root.children().map(|child| child.index()).collect::<Vec<_>>(), [1]);
    let primitive = root.mesh().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let wanted = &scene.meshes[0].primitives[0];
    assert_eq!(reader.read_positions().unwrap().collect::<Vec<_>>(), wanted.positions);
    assert_eq!(reader.read_normals().unwrap().collect::<Vec<_>>(), wanted.normals);
    assert_eq!(reader.read_tex_coords(0).unwrap().into_f32().collect::<Vec<_>>(), wanted.uvs);
    assert_eq!(reader.read_indices().unwrap().into_u32().collect::<Vec<_>>(), wanted.indices);
    let clips: Vec<_> = document.animations().collect();
    assert_eq!(clips.len(), 1, "a clip in which nothing moves is left out");
    let inputs: Vec<_> = clips[0].channels().map(|channel| channel.sampler().input().index()).collect();
    assert_eq!(inputs[0], inputs[1], "one list of times for both");
    for (channel, track) in clips[0].channels().zip(&scene.clips[0].tracks) {
        let reader = channel.reader(|_| Some(&blob));
        assert_eq!(reader.read_inputs().unwrap().collect::<Vec<_>>(), track.times());
        assert_eq!(channel.target().node().index(), track.node().index());
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    assert_eq!(export(&scene(), "test").unwrap(), export(&scene(), "test").unwrap());
}

#[test]
fn an_empty_scene_is_a_file_too() {
    let file = export(&Scene::default(), "test").unwrap();
    assert_eq!(file.len() % 4, 0);
    assert_eq!(Gltf::from_slice(&file).unwrap().document.nodes().count(), 0);
}

#[test]
fn a_broken_scene_is_refused() {
    let mut scene = scene();
    scene.meshes[0].primitives[0].indices[1] = 3;
    let error = export(&scene, "test").unwrap_err().to_string();
    assert_eq!(error, "file: gltf.scene: meshes[0]: primitives[0]: an index names no vertex");
}
