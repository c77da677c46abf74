//! Files that others make: what they say in ways that our own export does not, worked out by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::float_cmp, reason = "exactly these numbers are wanted")]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use galvani_core::budget::Share;
use galvani_core::{Allowance, Budget, LiftError, Meter, Report, Severity};
use galvani_gltf::import::{self, Options};
use galvani_gltf::{Document, Imported};
use galvani_scene::{AlphaMode, Blend, Filter, Id, Interp, LightForm, Scene, Track, Wrap, check};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use glam::{Quat, Vec2, Vec3, Vec4};
use serde_json::{Value, json};

/// A file in the making: lists in one buffer, and the JSON.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn list(&mut self, component: u32, shape: &str, count: usize, bytes: &[u8], normalized: bool) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "type": shape, "count": count,
            "normalized": normalized,
        }));
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let shape = ["", "SCALAR", "VEC2", "VEC3", "VEC4"].get(N).copied().unwrap_or("MAT4");
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        self.list(5126, shape, rows.len(), &bytes, false)
    }

    fn indices(&mut self, indices: &[u8]) -> usize {
        self.list(5121, "SCALAR", indices.len(), indices, false)
    }

    /// The file with what else is said in it.
    fn with(self, mut rest: Value) -> Document {
        rest["asset"] = json!({"version": "2.0"});
        rest["accessors"] = json!(self.accessors);
        rest["bufferViews"] = json!(self.views);
        let uri = format!("data:;base64,{}", BASE64_STANDARD.encode(&self.bytes));
        rest["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": uri}]);
        Document::read(rest.to_string().as_bytes()).unwrap()
    }
}

fn refused(document: &Document) -> LiftError {
    galvani_gltf::import(document, &Options::default(), &Meter::unlimited()).unwrap_err()
}

fn imported(document: &Document) -> (Scene, Report) {
    let Imported { scene, report, .. } =
        galvani_gltf::import(document, &Options::default(), &Meter::unlimited()).unwrap();
    let found = check(&scene);
    assert_eq!(found.tally(Severity::Error), 0, "{:#?}", found.findings());
    (scene, report)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.findings().iter().map(|finding| finding.code.name).collect()
}

/// A square of four corners in the plane.
const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
const UP: [[f32; 3]; 4] = [[0.0, 0.0, 1.0]; 4];

fn square(mode: u32, indices: Option<&[u8]>) -> Vec<u32> {
    let mut file = File::default();
    let mut primitive =
        json!({"mode": mode, "attributes": {"POSITION": file.floats(&SQUARE), "NORMAL": file.floats(&UP)}});
    if let Some(indices) = indices {
        primitive["indices"] = json!(file.indices(indices));
    }
    let document = file.with(json!({"meshes": [{"primitives": [primitive]}], "nodes": [{"mesh": 0}]}));
    imported(&document).0.meshes[0].primitives[0].indices.clone()
}

#[test]
fn strips_and_fans_are_triangles_that_all_show_the_same_side() {
    assert_eq!(square(5, None), [0, 1, 2, 2, 1, 3]);
    assert_eq!(square(5, Some(&[3, 2, 1, 0])), [3, 2, 1, 1, 2, 0]);
    assert_eq!(square(6, None), [1, 2, 0, 2, 3, 0]);
    assert_eq!(square(4, Some(&[0, 1, 2, 2, 1, 3, 0])), [0, 1, 2, 2, 1, 3], "half a triangle is none");
    assert_eq!(square(4, None), [0, 1, 2]);
}

#[test]
fn faces_without_normals_are_flat() {
    let mut file = File::default();
    let uvs = file.floats(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    let attributes = json!({"POSITION": file.floats(&SQUARE), "TEXCOORD_0": uvs});
    let indices = file.indices(&[0, 1, 2, 1, 2, 3]);
    let document = file.with(json!({
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}], "nodes": [{"mesh": 0}],
    }));
    let (scene, report) = imported(&document);
    let found = &scene.meshes[0].primitives[0];
    assert_eq!(found.normals, [Vec3::Z, Vec3::Z, Vec3::Z, -Vec3::Z, -Vec3::Z, -Vec3::Z]);
    assert_eq!(found.indices, [0, 1, 2, 3, 4, 5]);
    assert_eq!(found.positions[3..], [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)]);
    assert_eq!(found.uvs[0][5], Vec2::ONE);
    assert_eq!(codes(&report), ["gltf.flat-normals"]);
}

#[test]
fn points_lines_and_morphs_are_told() {
    let mut file = File::default();
    let attributes = json!({"POSITION": file.floats(&SQUARE), "NORMAL": file.floats(&UP)});
    let indices = file.indices(&[0, 1, 2]);
    let document = file.with(json!({
        "meshes": [
            {"primitives": [{"attributes": attributes, "mode": 0}, {"attributes": attributes, "mode": 3}]},
            {"primitives": [{"attributes": attributes, "indices": indices, "targets": [{"POSITION": 0}]}], "weights": [0.5]},
        ],
        "nodes": [{"mesh": 0}, {"mesh": 1}],
    }));
    let (scene, report) = imported(&document);
    assert_eq!((scene.meshes.len(), scene.nodes[0].mesh.is_none()), (1, true));
    assert_eq!(codes(&report), ["gltf.lost-shape", "gltf.lost-morph"]);
}

#[test]
fn quantised_lists_are_what_they_stand_for() {
    let mut file = File::default();
    let words =
        |rows: &[[i16; 4]]| rows.iter().flatten().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let positions = words(&[[0, 100, -200, 0], [300, 0, 0, 0], [0, 0, 32767, 0]]);
    file.list(5122, "VEC3", 3, &positions, false);
    file.views[0]["byteStride"] = json!(8);
    let normals = file.list(5120, "VEC3", 3, &[0, 0, 127, 0, 90, 90, 0, 0, 128, 0, 0, 0], true);
    file.views[normals]["byteStride"] = json!(4);
    let uvs = file.list(5123, "VEC2", 3, &[0, 0, 255, 255, 255, 127, 0, 0, 0, 0, 0, 0], true);
    let colors = file.list(5121, "VEC3", 3, &[255, 0, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0], true);
    file.views[colors]["byteStride"] = json!(4);
    let attributes = json!({"POSITION": 0, "NORMAL": normals, "TEXCOORD_0": uvs, "COLOR_0": colors});
    let document = file.with(json!({
        "extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"],
        "meshes": [{"primitives": [{"attributes": attributes}]}],
        "nodes": [{"mesh": 0, "scale": [0.01, 0.01, 0.01]}],
    }));
    let (scene, report) = imported(&document);
    let found = &scene.meshes[0].primitives[0];
    assert_eq!(found.positions, [Vec3::new(0.0, 100.0, -200.0), Vec3::X * 300.0, Vec3::Z * 32767.0]);
    assert_eq!(found.normals[0], Vec3::Z);
    assert!(found.normals[1].abs_diff_eq(Vec3::new(0.5_f32.sqrt(), 0.5_f32.sqrt(), 0.0), 1e-6));
    assert_eq!(found.normals[2], -Vec3::X);
    assert_eq!(found.uvs[0][0], Vec2::Y);
    assert_eq!(found.colors[0], Vec4::new(1.0, 0.0, 0.2, 1.0));
    assert!(report.findings().is_empty());
}

#[test]
fn joints_may_come_in_several_sets() {
    let mut file = File::default();
    let first = file.list(5121, "VEC4", 3, &[0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0], false);
    let second = file.list(
        5123,
        "VEC4",
        3,
        &[4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        false,
    );
    let weights = file.list(5121, "VEC4", 3, &[51, 51, 51, 51, 255, 0, 0, 0, 255, 0, 0, 0], true);
    let more = file.floats(&[[0.2, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]]);
    let attributes = json!({
        "POSITION": file.floats(&SQUARE[..3]), "NORMAL": file.floats(&UP[..3]),
        "JOINTS_0": first, "JOINTS_1": second, "WEIGHTS_0": weights, "WEIGHTS_1": more,
    });
    let document = file.with(json!({
        "meshes": [{"primitives": [{"attributes": attributes}]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"children": [2, 3, 4, 5]}, {}, {}, {}, {}],
        "skins": [{"joints": [1, 2, 3, 4, 5]}],
    }));
    let (scene, _) = imported(&document);
    let pulls: Vec<Vec<(usize, f32)>> = scene.meshes[0].primitives[0]
        .influences
        .iter()
        .map(|run| run.iter().map(|pull| (pull.joint, pull.weight)).collect())
        .collect();
    assert_eq!(pulls[0], [(0, 0.2), (1, 0.2), (2, 0.2), (3, 0.2), (4, 0.2)]);
    assert_eq!(pulls[1..], [vec![(4, 1.0)], vec![(0, 1.0)]]);
    assert_eq!(scene.skins[0].joints.len(), 5);
}

#[test]
fn nodes_come_in_any_order_and_as_matrices() {
    let turn = Quat::from_rotation_z(0.5);
    let matrix =
        glam::Mat4::from_scale_rotation_translation(Vec3::new(2.0, 3.0, 4.0), turn, Vec3::new(1.0, 2.0, 3.0));
    let mirrored = glam::Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let sheared = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let document = File::default().with(json!({
        "scene": 1,
        "scenes": [{"nodes": [4]}, {"name": "shown", "nodes": [3]}],
        "nodes": [
            {"name": "leaf", "matrix": matrix.to_cols_array()},
            {"name": "twig", "children": [0], "rotation": [0, 0, 0, 2]},
            {"name": "mirror", "matrix": mirrored.to_cols_array()},
            {"name": "root", "children": [1, 2, 5]},
            {"name": "elsewhere"},
            {"name": "lean", "matrix": sheared},
        ],
    }));
    let Imported { scene, report, nodes, .. } =
        galvani_gltf::import(&document, &Options::default(), &Meter::unlimited()).unwrap();
    assert_eq!(nodes, [3, 1, 0, 2, 5]);
    let parents: Vec<_> = scene.nodes.iter().map(|node| node.parent.map(Id::index)).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(0), Some(0)]);
    let leaf = &scene.nodes[2];
    assert!(leaf.rotation.abs_diff_eq(turn, 1e-6) && leaf.scale.abs_diff_eq(Vec3::new(2.0, 3.0, 4.0), 1e-5));
    assert_eq!(leaf.translation, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(scene.nodes[1].rotation, Quat::IDENTITY);
    assert_eq!(glam::Mat4::from(scene.nodes[3].local()), mirrored);
    assert_eq!(
        (scene.name.as_str(), codes(&report)),
        ("shown", vec!["gltf.nearest-transform", "gltf.lost-scene"])
    );
}

#[test]
fn clips_of_every_kind_are_taken() {
    let mut file = File::default();
    let times = file.floats(&[[0.5], [1.5], [3.5]]);
    let places = file.floats(&[[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]);
    let turns = file.list(
        5122,
        "VEC4",
        3,
        &[0, 0, 0, 0, 0, 0, 255, 127, 0, 0, 0, 0, 255, 127, 0, 0, 0, 0, 0, 0, 0, 0, 1, 128],
        true,
    );
    let row = |x: f32| [x, 0.0, 0.0];
    let cubic = file.floats(&[
        row(9.0),
        row(1.0),
        row(2.0),
        row(3.0),
        row(5.0),
        row(4.0),
        row(6.0),
        row(7.0),
        row(9.0),
    ]);
    let four = |x: f32, w: f32| [x, 0.0, 0.0, w];
    let half = 0.5_f32.sqrt();
    let turned = file.floats(&[
        four(0.0, 0.0),
        four(0.0, 1.0),
        four(0.0, 0.0),
        four(0.0, 0.0),
        four(half, half),
        four(0.0, 0.0),
        four(0.0, 0.0),
        four(1.0, 0.0),
        four(0.0, 0.0),
    ]);
    let sampler = |output: usize, interpolation: &str| json!({"input": times, "output": output, "interpolation": interpolation});
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let document = file.with(json!({
        "nodes": [{}, {}, {}],
        "animations": [
            {"name": "walk", "channels": [channel(0, 0, "translation"), channel(1, 0, "rotation"), channel(2, 0, "scale")],
             "samplers": [sampler(places, "LINEAR"), sampler(turns, "STEP"), sampler(cubic, "CUBICSPLINE")]},
            {"channels": [channel(0, 1, "rotation"), channel(1, 2, "weights")],
             "samplers": [sampler(turned, "CUBICSPLINE"), sampler(times, "LINEAR")]},
        ],
    }));
    let (scene, report) = imported(&document);
    let [walk, other] = &scene.clips[..] else { panic!("{:?}", scene.clips) };
    assert_eq!((walk.name.as_str(), walk.index, walk.duration), ("walk", 0, 3.5));
    let [Track::Translation(_, moves), Track::Rotation(_, turns), Track::Scale(_, grows)] = &walk.tracks[..]
    else {
        panic!("{:?}", walk.tracks)
    };
    assert_eq!(moves.at(1.0), Some(Vec3::new(0.5, 1.0, 1.5)));
    assert_eq!(
        (turns.interp, turns.at(1.0), turns.values[2]),
        (Interp::Step, Some(Quat::IDENTITY), -Quat::IDENTITY)
    );
    // Halfway over two seconds: (5 + 7) / 2 + (4 - 6) * 2 / 8, by the formula of the specification.
    assert_eq!(grows.at(2.5).unwrap().x, 6.0 + (4.0 - 6.0) * 2.0 / 8.0);
    // Halfway over one second: (1 + 5) / 2 + (2 - 3) / 8.
    assert_eq!(grows.at(1.0).unwrap().x, 3.0 - 1.0 / 8.0);
    let Track::Rotation(_, baked) = &other.tracks[0] else { panic!("{:?}", other.tracks) };
    // Without slopes the numbers are blended by 3t² - 2t³, 5/32 at a quarter, and made of length 1.
    let part = 5.0 / 32.0;
    let wanted = Quat::from_xyzw(half * part, 0.0, 0.0, 1.0 - part + half * part).normalize();
    assert!(baked.at(0.75).unwrap().distance(wanted) < 2e-4);
    assert_eq!(codes(&report), ["gltf.lost-channel", "gltf.baked-turns"]);
}

#[test]
fn looks_lamps_and_cameras_are_taken() {
    let document = File::default().with(json!({
        "extensions": {
            "KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {"outerConeAngle": 0.5}, "range": 4}, {"type": "directional", "color": [1, 0, 0]}]},
            "KHR_materials_variants": {"variants": [{"name": "night"}]},
        },
        "nodes": [
            {"camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"camera": 1, "extensions": {"KHR_lights_punctual": {"light": 1}, "KHR_node_visibility": {"visible": false}}},
        ],
        "cameras": [
            {"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}},
            {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "zfar": 9, "znear": 0}},
        ],
        "images": [{"uri": "a.png"}, {"uri": "a.webp", "mimeType": "image/webp"}],
        "samplers": [{"magFilter": 9728, "wrapS": 33071, "wrapT": 33648}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}],
        "materials": [
            {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "texCoord": 2}}}, "metallicFactor": 0},
             "alphaMode": "MASK", "extensions": {"KHR_materials_unlit": {}}},
            {"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}, "alphaMode": "BLEND", "doubleSided": true},
        ],
    }));
    let (scene, report) = imported(&document);
    assert_eq!(scene.lights[0].form, LightForm::Spot { inner: 0.0, outer: 0.5 });
    assert_eq!((scene.lights[0].range, scene.lights[1].color), (Some(4.0), Vec3::X));
    assert_eq!((scene.nodes[0].camera.is_some(), scene.nodes[1].camera.is_some()), (true, false));
    assert!(scene.nodes[0].visible && !scene.nodes[1].visible);
    let [first, second] = &scene.materials[..] else { panic!() };
    let texture = first.texture.as_ref().unwrap();
    assert_eq!(
        (texture.uv_set, texture.wrap, texture.filter),
        (2, [Wrap::Clamp, Wrap::Mirror], Filter::Nearest)
    );
    assert_eq!((texture.transform.offset, texture.transform.scale), (Vec2::new(0.5, 0.0), Vec2::ONE));
    assert_eq!((first.alpha_mode, first.unlit, second.two_sided), (AlphaMode::Mask(0.5), true, true));
    assert_eq!(second.texture.as_ref().unwrap().image.index(), 1, "the WebP, which is preferred");
    assert_eq!(scene.looks[0].name, "night");
    assert_eq!(codes(&report), ["gltf.lost-picture", "gltf.lost-surface", "gltf.lost-camera"]);
}

/// A glow up to 1 is taken; beyond that, and what scenes have no number for, is told.
#[test]
fn shadows_and_glows_are_taken_or_told() {
    let told = |material: Value| {
        let mut material = material;
        material["pbrMetallicRoughness"] = json!({"metallicFactor": 0});
        let document = File::default().with(json!({
            "images": [{"uri": "a.png"}], "textures": [{"source": 0}], "materials": [material],
        }));
        let (scene, report) = imported(&document);
        let told = report.findings().iter().find(|it| it.code.name == "gltf.lost-shading");
        (scene.materials[0].emissive, told.map(|it| it.message.clone()))
    };
    let glowing = |strength: f32| {
        told(json!({
            "emissiveFactor": [0.5, 0.25, 0],
            "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": strength}},
        }))
    };
    assert_eq!(glowing(2.0), (Vec3::new(1.0, 0.5, 0.0), None));
    assert_eq!(glowing(4.0), (Vec3::new(1.0, 1.0, 0.0), Some("a glow of 2".to_owned())));
    let shaded = told(json!({"occlusionTexture": {"index": 0, "strength": 0.5}}));
    assert_eq!(shaded, (Vec3::ZERO, Some("shadows of their own, shadows 0.5 times".to_owned())));
    let bumpy = told(json!({"normalTexture": {"index": 0, "scale": 2}}));
    assert_eq!(bumpy.1.as_deref(), Some("directions 2 times"));
    assert_eq!(told(json!({"emissiveFactor": [1, 1, 1]})), (Vec3::ONE, None));
}

/// Everything that an import can lose, once more, for the table.
#[test]
fn every_code_of_the_import_is_provoked() {
    let mut file = File::default();
    let positions = file.floats(&SQUARE);
    let uvs = file.floats(&[[0.0, 0.0]; 4]);
    let turned = file.floats(&[[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0; 4]]);
    let time = file.floats(&[[0.0]]);
    let attributes = json!({"POSITION": positions, "COLOR_1": positions});
    let mapping = |material: usize| json!({"KHR_materials_variants": {"mappings": [{"variants": [0], "material": material}]}});
    let sheared = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let document = file.with(json!({
        "extensions": {"KHR_materials_variants": {"variants": [{"name": "night"}]}},
        "scenes": [{"nodes": [0]}, {"nodes": [1]}],
        "nodes": [{"mesh": 0, "camera": 0, "matrix": sheared}, {}],
        "meshes": [{"primitives": [
            {"attributes": attributes, "targets": [{}], "material": 0, "extensions": mapping(1)},
            {"attributes": {"POSITION": positions, "TEXCOORD_0": uvs}, "material": 0, "extensions": mapping(0)},
            {"attributes": attributes, "mode": 1},
        ]}],
        "materials": [{}, {"emissiveFactor": [0.5, 0, 0], "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}}}],
        "images": [{}],
        "cameras": [{"type": "orthographic"}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}, {"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": time, "output": turned, "interpolation": "CUBICSPLINE"}],
        }],
    }));
    let (_, report) = imported(&document);
    // Only our own files have states: tests/import.rs moves a node of one.
    every_code_is_provoked(import::ALL, [report], ["gltf.lost-place"]);
    codes_are_sound("gltf", import::ALL);
}

#[test]
fn what_is_damaged_is_refused() {
    let cause = |document: &Document| refused(document).cause;
    let mut file = File::default();
    let positions = file.floats(&SQUARE);
    let outside = file.indices(&[0, 1, 4]);
    let times = file.floats(&[[1.0], [0.5]]);
    let places = file.floats(&[[0.0; 3], [0.0; 3]]);
    let File { bytes, views, accessors } = file;
    let with = |rest: Value| {
        File { bytes: bytes.clone(), views: views.clone(), accessors: accessors.clone() }.with(rest)
    };
    let mesh = |primitive: Value| with(json!({"meshes": [{"primitives": [primitive]}]}));
    let named = |document: &Document| cause(document).code.name;
    let position = json!({"POSITION": positions});
    assert_eq!(named(&mesh(json!({"attributes": position, "indices": outside}))), "gltf.indices");
    assert_eq!(named(&mesh(json!({"attributes": position, "indices": positions}))), "gltf.attribute");
    assert_eq!(named(&mesh(json!({"attributes": {"POSITION": 99}}))), "gltf.index");
    assert_eq!(
        named(&mesh(json!({"attributes": {"POSITION": positions, "NORMAL": places}}))),
        "gltf.attribute"
    );
    assert_eq!(named(&mesh(json!({"attributes": position, "material": 0}))), "gltf.index");
    let draco = json!({"attributes": {}, "extensions": {"KHR_draco_mesh_compression": {}}});
    let found = cause(&mesh(draco));
    assert!(found.code.name == "gltf.draco" && found.help.contains("gltf-transform copy"), "{found}");
    assert_eq!(
        named(&with(json!({"nodes": [{"children": [1]}, {"children": [0]}], "scenes": [{"nodes": [0]}]}))),
        "gltf.tree"
    );
    assert_eq!(named(&with(json!({"nodes": [{"children": [2]}, {"children": [2]}, {}]}))), "gltf.tree");
    assert_eq!(named(&with(json!({"nodes": [{"mesh": 3}]}))), "gltf.index");
    assert_eq!(named(&with(json!({"scenes": [{"nodes": [7]}]}))), "gltf.index");
    assert_eq!(named(&with(json!({"extensionsRequired": ["ACME_lasers"]}))), "gltf.required-extension");
    let moving = |input: usize, output: usize| {
        with(json!({"nodes": [{}], "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}], "samplers": [{"input": input, "output": output}],
        }]}))
    };
    assert_eq!(named(&moving(times, places)), "gltf.times");
    assert_eq!(named(&moving(positions, places)), "gltf.attribute");
    assert_eq!(named(&moving(times, 99)), "gltf.times");
}

#[test]
fn what_takes_too_much_is_refused() {
    // A hundred meshes of one list that has no bytes.
    let text = json!({
        "asset": {"version": "2.0"},
        "accessors": [{"componentType": 5126, "type": "VEC3", "count": 1_000_000}],
        "meshes": vec![json!({"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0}}]}); 100],
    });
    let document = Document::read(text.to_string().as_bytes()).unwrap();
    let allowance = Allowance {
        memory: Share { base: 64 << 20, per_byte: 64 },
        work: Share { base: 1 << 30, per_byte: 0 },
    };
    let meter = Budget::default().meter(&allowance, document.file_len());
    let refused = galvani_gltf::import(&document, &Options::default(), &meter).unwrap_err();
    assert_eq!(refused.cause.code, &galvani_core::budget::OUT_OF_MEMORY);
}
