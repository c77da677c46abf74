//! A scene as a `.glb`.

use galvani_core::{Path, WriteError};
use galvani_scene::{Clip, Extras, Fact, Id, Interp, Material, Mesh, Primitive, Scene, Track, check};
use serde_json::{Value, json};

use crate::buffer::Bytes;
use crate::names::Names;
use crate::{SCENE, glb, schema};

/// What our own values are called by in `extras`.
const PREFIX: &str = "galvani_";

/// The bytes of a `.glb`. `generator` says who made it.
pub fn export(scene: &Scene, generator: &str) -> Result<Vec<u8>, WriteError> {
    if let Some(wrong) = check(scene).into_iter().next() {
        return Err(SCENE.at(Path::root()).saying(wrong).into());
    }
    let mut bytes = Bytes::default();
    let nodes = nodes(scene);
    let meshes = scene.meshes.iter().map(|of| mesh(of, &mut bytes)).collect();
    let materials = scene.materials.iter().map(material).collect();
    let mut names = Names::default();
    // glTF knows no motion in which nothing moves.
    let moving = scene.clips.iter().filter(|clip| !clip.tracks.is_empty());
    let animations = moving.map(|clip| animation(clip, &mut names, &mut bytes)).collect();
    let buffer = bytes.finish();
    let scenes: Vec<schema::Scene> = scenery(scene).into_iter().collect();
    let root = schema::Root {
        asset: schema::Asset { version: "2.0", generator: generator.to_owned() },
        scene: scenes.first().map(|_| 0),
        scenes,
        nodes,
        meshes,
        materials,
        animations,
        accessors: buffer.accessors,
        buffer_views: buffer.buffer_views,
        buffers: buffer.buffers,
    };
    let json = serde_json::to_vec(&root).map_err(|error| SCENE.at(Path::root()).saying(error.to_string()))?;
    glb::frame(json, buffer.bin)
}

/// What stands at the top; nothing for a scene without nodes, which some readers refuse.
fn scenery(scene: &Scene) -> Option<schema::Scene> {
    let roots = scene.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
    (!scene.nodes.is_empty()).then(|| schema::Scene {
        name: Names::default().give(&scene.name, "scene"),
        nodes: roots.map(|(i, _)| i).collect(),
        extras: extras(&scene.extras),
    })
}

fn nodes(scene: &Scene) -> Vec<schema::Node> {
    let mut children = vec![Vec::new(); scene.nodes.len()];
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(siblings) = node.parent.and_then(|parent| children.get_mut(parent.index())) {
            siblings.push(i);
        }
    }
    let mut names = Names::default();
    let node = |(i, (node, children)): (usize, (&galvani_scene::Node, Vec<usize>))| {
        let name = names.give(&node.name, &format!("node_{i}"));
        let mut extras = extras(&node.extras);
        if name != node.name && !node.name.is_empty() {
            extras.insert(format!("{PREFIX}name"), json!(node.name));
        }
        schema::Node {
            name,
            children,
            translation: node.translation,
            rotation: node.rotation,
            mesh: node.mesh.map(Id::index),
            extras,
        }
    };
    scene.nodes.iter().zip(children).enumerate().map(node).collect()
}

fn mesh(mesh: &Mesh, bytes: &mut Bytes) -> schema::Mesh {
    let primitive = |of: &Primitive| schema::Primitive {
        attributes: schema::Attributes {
            position: bytes.positions(&of.positions),
            normal: bytes.normals(&of.normals),
            uv: bytes.uvs(&of.uvs),
        },
        indices: bytes.indices(&of.indices),
        material: of.material.map(Id::index),
    };
    schema::Mesh { name: mesh.name.clone(), primitives: mesh.primitives.iter().map(primitive).collect() }
}

fn material(material: &Material) -> schema::Material {
    schema::Material {
        name: material.name.clone(),
        pbr: schema::Pbr { base_color: material.base_color, metallic: 0.0, roughness: 1.0 },
        double_sided: material.two_sided,
    }
}

fn animation(clip: &Clip, names: &mut Names, bytes: &mut Bytes) -> schema::Animation {
    let mut channels = Vec::new();
    let mut samplers = Vec::new();
    for track in &clip.tracks {
        let input = bytes.times(track.times());
        let (path, output) = match track {
            Track::Translation(_, curve) => ("translation", bytes.translations(&curve.values)),
            Track::Rotation(_, curve) => ("rotation", bytes.rotations(&curve.values)),
        };
        let interpolation = match track.interp() {
            Interp::Step => "STEP",
            Interp::Linear => "LINEAR",
        };
        let target = schema::Target { node: track.node().index(), path };
        channels.push(schema::Channel { sampler: samplers.len(), target });
        samplers.push(schema::Sampler { input, output, interpolation });
    }
    schema::Animation { name: names.give(&clip.name, "clip"), channels, samplers }
}

/// Numbers and words only: some readers fail on anything else at a node.
fn extras(extras: &Extras) -> schema::Extras {
    let value = |fact: &Fact| -> Value {
        match fact {
            Fact::Int(number) => json!(number),
            Fact::Float(number) => json!(number),
            Fact::Text(words) => json!(words),
        }
    };
    extras.iter().map(|(key, fact)| (format!("{PREFIX}{key}"), value(fact))).collect()
}
