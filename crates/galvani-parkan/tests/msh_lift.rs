//! Models as scenes: what the engine shows is what the scene says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]
#![allow(clippy::cast_precision_loss, reason = "counts are small")]
#![allow(clippy::float_cmp, reason = "what is copied is the same")]

mod common {
    #[path = "../common/msh.rs"]
    pub mod msh;
    #[path = "../common/msh_build_plans.rs"]
    pub mod plans;
}

use std::collections::{BTreeMap, BTreeSet};

use common::msh::{cases, found};
use common::plans::plans;
use galvani_core::image::Additive;
use galvani_core::maths::Wxyz;
use galvani_core::{LiftError, Reading, Report, WantedReading};
use galvani_parkan::mat0::edit::word;
use galvani_parkan::mat0::{self, Fade, Mode, Phase, PhaseKey, Track};
use galvani_parkan::msh::build::{self, GeometryPlan, KeyPlan, NodePlan, PartPlan, Plan, TrianglePlan};
use galvani_parkan::msh::lift::{self, Attire, Coat, MaterialRow, Options, axes, lift};
use galvani_parkan::msh::sample::{RootTranslation, model_matrices, sample_node_pose};
use galvani_parkan::msh::{Document, ModelView, Stream, wire};
use galvani_parkan::texm::edit::set_page;
use galvani_parkan::texm::{self, Rect};
use galvani_scene::{AlphaMode, Blend, Material, Matrices, Moment, Sampler, Scene, check, to_model};
use galvani_testkit::every_code_is_provoked;
use glam::{Quat, Vec2, Vec3, Vec4};
use proptest::prelude::*;
use zerocopy::FromZeros;
use zerocopy::little_endian::F32;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_built_model_gives_a_good_scene(plan in plans(), lod in 0..3_u8, group in 0..5_u8) {
        let document = build::build(&plan).unwrap().document;
        let options = Options { lod, group, ..Options::default() };
        let (scene, _) = lift(&document.model(), &Attire::default(), options).unwrap();
        let found = check(&scene);
        prop_assert_eq!(found.findings(), []);
        prop_assert_eq!(scene.nodes.len(), plan.nodes.len());
        let (again, _) = lift(&document.model(), &Attire::default(), options).unwrap();
        prop_assert_eq!(scene, again);
    }

    #[test]
    fn the_scene_moves_as_the_engine_does(plan in plans(), part in 0.0..1.0_f32) {
        let document = build::build(&plan).unwrap().document;
        let model = document.model();
        let options = Options { frame_rate: 1.0, ..Options::default() };
        let (scene, report) = lift(&model, &Attire::default(), options).unwrap();
        prop_assert!(report.findings().iter().all(|finding| finding.code.name != "msh.baked"));
        let last = model.frame_count().saturating_sub(1) as f32;
        let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
        for time in [part * last, (part * last).floor(), last, 0.0] {
            if let Some(clip) = scene.clips.first() {
                sampler.sample(clip, time, &mut moment);
            }
            for node in 0..scene.nodes.len() {
                let (pose, _) = sample_node_pose(&model, node, time).unwrap();
                let (place, turn) = (moment.translations.get(node), moment.rotations.get(node));
                let [qw, qx, qy, qz] = pose.rotation.0;
                let [qx, qy, qz] = axes([-qx, -qy, -qz]);
                let wanted = Quat::from_xyzw(qx, qy, qz, qw).normalize();
                // Files tell rotations in sixteen bits, so that few are of length 1: what comes of that between keys is less than this.
                let off = Blend::distance(wanted, turn.normalize());
                prop_assert!(off < 1e-4, "off by {off} rad at {time}");
                let wanted = Vec3::from_array(axes(pose.position));
                prop_assert!(place.distance(wanted) <= 1e-5 * wanted.length().max(1.0), "{place} for {wanted}");
            }
        }
    }
}

#[test]
fn every_case_gives_a_good_scene_or_a_reason() {
    let mut refused = BTreeSet::new();
    for (name, file) in cases() {
        for reading in WantedReading::ALL {
            let Ok(read) = std::panic::catch_unwind(|| found(&file, reading)) else { continue };
            match lift(&read.document.model(), &Attire::default(), Options::default()) {
                Ok((scene, _)) => assert_eq!(check(&scene).findings(), [], "{name}"),
                Err(error) => {
                    refused.insert(error.cause.code.name);
                }
            }
        }
    }
    assert_eq!(refused, BTreeSet::from(["msh.lift-legacy-nodes"]));
}

/// A triangle of one material.
fn triangle(material: u16) -> GeometryPlan {
    GeometryPlan {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 3.0]],
        uv: vec![[0.0, 0.0], [0.5, 0.0], [0.0, 0.25]],
        parts: vec![PartPlan {
            material,
            triangles: vec![TrianglePlan { vertices: [0, 1, 2], flags: 0 }],
            ..PartPlan::default()
        }],
        ..GeometryPlan::default()
    }
}

fn node(name: &str, cells: &[(usize, u16)]) -> NodePlan {
    let mut node = NodePlan { name: name.as_bytes().to_vec(), ..NodePlan::default() };
    for &(cell, material) in cells {
        node.slots[cell / 5][cell % 5] = Some(triangle(material));
    }
    node
}

fn built(reading: Reading, nodes: Vec<NodePlan>) -> Document {
    build::build(&Plan { name: b"m".to_vec(), reading, nodes, ..Plan::default() }).unwrap().document
}

/// The streams of a document, to be damaged.
#[derive(Clone)]
struct Streams {
    reading: Reading,
    all: BTreeMap<u32, ([u32; 3], Vec<u8>)>,
}

impl Streams {
    fn new(document: &Document) -> Self {
        let mut all = BTreeMap::new();
        for entry in 0..document.archive.entries.len() {
            let record = &document.archive.entries[entry];
            let bytes = document.archive.payload(entry).unwrap().to_vec();
            all.insert(record.type_id, ([record.attr1, record.attr2, record.attr3], bytes));
        }
        Streams { reading: document.reading, all }
    }

    fn put(&mut self, stream: u32, at: usize, bytes: &[u8]) {
        self.all.get_mut(&stream).unwrap().1[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn lift(&self, attire: &Attire, options: Options) -> Result<(Scene, Report), LiftError> {
        let streams = self.all.iter().enumerate().map(|(entry, (&type_id, (attr, bytes)))| Stream {
            entry,
            type_id,
            attr: *attr,
            bytes,
        });
        lift(&ModelView::new(streams, self.reading), attire, options)
    }
}

/// A texture of 4 × 2 pixels whose halves are red and green, with these alphas, and two rectangles.
fn texture(alpha: [u8; 2]) -> texm::Document {
    let [red, green] = [[200, 100, 0, alpha[0]], [0, 40, 0, alpha[1]]];
    let rgba = [[red; 2], [green; 2]].concat().repeat(2);
    let image = galvani_core::Image { width: 4, height: 2, rgba };
    let (format, levels) = (texm::Format::Argb8888, texm::edit::Levels::Count(1));
    let mut made = texm::Document::from_image(&image, format, levels, texm::Match::Nearest).unwrap();
    let rect = |x: i16, y: i16| Rect { x: x.into(), width: 2.into(), y: y.into(), height: 1.into() };
    set_page(&mut made, Some(vec![rect(0, 0), rect(2, 1)])).unwrap();
    made
}

fn phase(name: &str) -> Phase {
    let mut phase = Phase { ambient_alpha: 100, diffuse: [255, 188, 0], cell: -1, ..Phase::new_zeroed() };
    phase.texture.0[..name.len()].copy_from_slice(name.as_bytes());
    phase
}

/// A material of one phase.
fn coat(flags: impl Into<Option<u32>>, phase: Phase) -> Coat {
    Coat {
        flags: flags.into(),
        material: mat0::Document { phases: vec![phase], ..mat0::Document::default() },
    }
}

fn attire(coats: Vec<Coat>) -> Attire {
    let row = |(i, coat)| MaterialRow { name: format!("ROW{i}"), coat: Some(coat) };
    Attire {
        rows: coats.into_iter().enumerate().map(row).collect(),
        lightmaps: vec!["GLOW.0".to_owned()],
        textures: BTreeMap::from([("skin.0".to_owned(), texture([100, 255]))]),
    }
}

/// The materials that a coat becomes, its pictures, and what was told.
fn dressed(coat: Coat, options: Options) -> (Material, Vec<[u8; 4]>, Vec<&'static str>) {
    let document = built(Reading::Observed, vec![node("a", &[(0, 0)])]);
    let (scene, report) = lift(&document.model(), &attire(vec![coat]), options).unwrap();
    assert_eq!(check(&scene).findings(), []);
    let told = names(&report).into_iter().filter(|name| !name.starts_with("msh.lift-")).collect();
    let pixels = scene.images.first().map_or_else(Vec::new, |image| image.pixels.rgba[1..3].to_vec());
    (scene.materials[0].clone(), pixels, told)
}

fn names(report: &Report) -> Vec<&'static str> {
    report.findings().iter().map(|finding| finding.code.name).collect()
}

#[test]
fn an_ordinary_skin_covers_and_its_alpha_is_gloss() {
    for flags in [0, 2, 6] {
        let (material, pixels, told) = dressed(coat(flags, phase("SKIN.0")), Options::default());
        assert_eq!((material.alpha_mode, material.two_sided), (AlphaMode::Opaque, true));
        assert_eq!(pixels, [[200, 100, 0, 255], [0, 40, 0, 255]]);
        // 188 of 255 is half of the light, as sRGB has it.
        assert!((material.base_color - Vec4::new(1.0, 0.502_886, 0.0, 1.0)).length() < 1e-5);
        assert_eq!((material.emissive, material.glow), (Vec3::ZERO, None));
        assert!(told.is_empty(), "{told:?}");
    }
}

#[test]
fn glass_is_seen_through_by_its_alpha() {
    for flags in [4, 5] {
        let (material, pixels, told) = dressed(coat(flags, phase("SKIN.0")), Options::default());
        assert_eq!(material.alpha_mode, AlphaMode::Blend);
        assert_eq!(pixels, [[200, 100, 0, 100], [0, 40, 0, 255]]);
        assert!(told.is_empty(), "{told:?}");
    }
}

#[test]
fn what_is_added_is_as_transparent_as_it_is_dark() {
    let (material, pixels, told) = dressed(coat(8, phase("SKIN.0")), Options::default());
    assert_eq!(material.alpha_mode, AlphaMode::Blend);
    // 200 is the most of red: 255 · 200 / 200, 255 · 100 / 200, and 200 · 100 / 255 of alpha.
    assert_eq!(pixels, [[255, 128, 0, 78], [0, 255, 0, 40]]);
    assert_eq!(told, ["msh.lost-blending"]);
    let plain = Options { additive: Additive::Plain, ..Options::default() };
    let (_, pixels, told) = dressed(coat(8, phase("SKIN.0")), plain);
    assert_eq!((pixels, told), (vec![[200, 100, 0, 100], [0, 40, 0, 255]], vec!["msh.lost-blending"]));
}

#[test]
fn what_is_multiplied_is_as_transparent_as_it_is_bright() {
    for flags in [12, 16] {
        let (_, pixels, told) = dressed(coat(flags, phase("SKIN.0")), Options::default());
        // Of 256: 54 parts of red, 183 of green, 19 of blue.
        let bright = |red: u32, green: u32| u8::try_from((red * 54 + green * 183) / 256).unwrap();
        let wanted = [[0, 0, 0, 255 - bright(200, 100)], [0, 0, 0, 255 - bright(0, 40)]];
        assert_eq!((pixels, told), (wanted.to_vec(), vec!["msh.lost-blending"]));
    }
}

#[test]
fn ways_that_nobody_knows_are_told() {
    for flags in [Some(20), None] {
        let (material, _, told) = dressed(coat(flags, phase("SKIN.0")), Options::default());
        let wanted = if flags.is_some() { AlphaMode::Blend } else { AlphaMode::Opaque };
        assert_eq!((material.alpha_mode, told), (wanted, vec!["msh.lost-blending"]));
    }
}

#[test]
fn the_light_of_its_own_is_seen_and_its_alpha_counts_percent() {
    let lit = Phase { ambient: [0, 188, 255], ambient_alpha: 25, ..phase("SKIN.0") };
    let (material, pixels, _) = dressed(coat(2, lit), Options::default());
    assert!((material.emissive - Vec3::new(0.0, 0.502_886, 1.0)).length() < 1e-5);
    assert_eq!(material.glow, material.texture);
    assert_eq!((material.alpha_mode, material.base_color.w), (AlphaMode::Blend, 0.25));
    assert_eq!(pixels[0][3], 255, "gloss is no alpha");
}

#[test]
fn a_rectangle_moves_the_coordinates() {
    let (material, ..) = dressed(coat(2, Phase { cell: 1, ..phase("SKIN.0") }), Options::default());
    let transform = material.texture.unwrap().transform;
    assert_eq!((transform.offset, transform.scale), (Vec2::new(0.5, 0.5), Vec2::new(0.5, 0.5)));
    assert_eq!(transform.apply(Vec2::new(1.0, 0.5)), Vec2::new(1.0, 0.75));
    let (material, _, told) = dressed(coat(2, Phase { cell: 2, ..phase("SKIN.0") }), Options::default());
    assert_eq!(material.texture.unwrap().transform.scale, Vec2::ONE);
    assert_eq!(told, ["msh.lost-texture"]);
}

#[test]
fn index_0_is_transparent_only_where_there_is_alpha() {
    let palette = [[9, 9, 9], [7, 8, 9]];
    let levels = texm::edit::Levels::Count(1);
    let mut keyed = texm::Document::from_indices([2, 2], &palette, vec![0, 0, 1, 1], levels).unwrap();
    for (flags, header, wanted) in [(4, 0, 255), (4, 0x0100_0000, 0), (2, 0x0100_0000, 255)] {
        keyed.header.flags_14 = header.into();
        let mut attire = attire(vec![coat(flags, phase("SKIN.0"))]);
        attire.textures.insert("skin.0".to_owned(), keyed.clone());
        let document = built(Reading::Observed, vec![node("a", &[(0, 0)])]);
        let (scene, _) = lift(&document.model(), &attire, Options::default()).unwrap();
        assert_eq!(scene.images[0].pixels.rgba[0], [9, 9, 9, wanted], "{flags} {header:x}");
    }
}

#[test]
fn the_first_phase_is_that_of_the_first_key() {
    let key =
        |phase: u16, time: u16| PhaseKey { phase: phase.into(), time: time.into(), unknown_04: 0.into() };
    let fade = Fade { diffuse: true, ..Fade::default() };
    let track = Track { word: word(Mode::PingPong, fade), keys: vec![key(1, 40), key(0, 90)] };
    let phases = vec![phase(""), Phase { diffuse: [0, 255, 0], ..phase("") }];
    let material = mat0::Document { phases, tracks: vec![track], ..mat0::Document::default() };
    let (material, _, told) = dressed(Coat { flags: Some(2), material }, Options::default());
    assert_eq!(material.base_color, Vec4::new(0.0, 1.0, 0.0, 1.0));
    assert_eq!(told, ["msh.lost-phases"]);
    let tracks = format!("{:?}", material.extras["tracks"]);
    assert!(tracks.contains("ping-pong, fades 0x2: 1 until 40 ms, 0 until 90 ms"), "{tracks}");
}

#[test]
fn states_and_levels_are_variants_by_the_reading() {
    let cells = [(0, 0), (1, 1), (4, 2), (5, 3), (10, 4)];
    let nodes = || vec![node("a", &cells), node("b", &[(0, 5)])];
    let scene = |reading| {
        let document = built(reading, nodes());
        lift(&document.model(), &Attire::default(), Options::default()).unwrap().0
    };
    let seen = |scene: &Scene| -> Vec<(String, u32, u32, Vec<Option<i32>>)> {
        let row = |mesh: galvani_scene::Id<galvani_scene::Mesh>| {
            let material = scene.meshes[mesh.index()].primitives[0].material.unwrap();
            match scene.materials[material.index()].extras["row"] {
                galvani_scene::Fact::Int(row) => row,
                _ => panic!("no number"),
            }
        };
        let shows = |variant: &galvani_scene::Variant| {
            let mut all: Vec<_> = scene.nodes.iter().map(|node| node.mesh.map(row)).collect();
            variant.shows.iter().for_each(|(node, mesh)| all[node.index()] = mesh.map(row));
            (variant.name.clone(), variant.state, variant.level, all)
        };
        scene.variants.iter().map(shows).collect()
    };
    let wanted = |name: &str, state, level, row| (name.to_owned(), state, level, vec![Some(row), None]);
    let observed = scene(Reading::Observed);
    assert_eq!(observed.nodes[0].mesh.map(galvani_scene::Id::index), Some(0));
    assert_eq!(
        seen(&observed),
        [
            wanted("", 0, 1, 1),
            wanted("cockpit", 3, 0, 2),
            wanted("damaged", 1, 0, 3),
            wanted("destroyed", 2, 0, 4),
        ]
    );
    assert_eq!(
        seen(&scene(Reading::Documented)),
        [wanted("group1", 1, 0, 1), wanted("group4", 4, 0, 2), wanted("", 0, 1, 3), wanted("", 0, 2, 4),]
    );
}

#[test]
fn a_choice_of_slots_shows_those_alone() {
    let document = built(Reading::Observed, vec![node("a", &[(0, 0), (5, 1)])]);
    let options = Options { lod: 1, ..Options::default() };
    let (scene, report) = lift(&document.model(), &Attire::default(), options).unwrap();
    assert!(scene.variants.is_empty());
    assert_eq!((scene.meshes.len(), scene.materials[0].name.as_str()), (1, "material_1"));
    assert!(names(&report).contains(&"msh.lift-other-slots"));
}

#[test]
fn tangents_stand_on_the_side_of_their_bitangents() {
    let mut geometry = triangle(0);
    geometry.normals = build::Normals::Given(vec![[0.0, 0.0, 1.0]; 3]);
    let tangent = |tangent: [i8; 4], bitangent: [i8; 4]| wire::Tangents { tangent, bitangent };
    geometry.tangents = vec![
        tangent([127, 0, 0, 0], [0, 127, 0, 0]),
        tangent([127, 0, 0, 0], [0, -127, 0, 0]),
        tangent([0; 4], [0; 4]),
    ];
    let mut plan = node("a", &[]);
    plan.slots[0][0] = Some(geometry);
    let (scene, report) =
        lift(&built(Reading::Observed, vec![plan]).model(), &Attire::default(), Options::default()).unwrap();
    assert_eq!(check(&scene).findings(), []);
    let tangents = &scene.meshes[0].primitives[0].tangents;
    // Z up is Y up here, and what was y is -z: y × x is z, the other way round than x × y.
    assert_eq!(tangents[..2], [Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(1.0, 0.0, 0.0, -1.0)]);
    assert!(names(&report).contains(&"msh.lost-tangent"));
}

#[test]
fn stream_18_is_coordinates_or_colours_by_the_reading() {
    let mut plan = node("a", &[]);
    let mut geometry = triangle(0);
    geometry.lightmap_uv = vec![[0.25, 0.5]; 3];
    geometry.parts[0].lightmap = Some(0);
    plan.slots[0][0] = Some(geometry);
    let mut streams = Streams::new(&built(Reading::Observed, vec![plan]));
    let (scene, report) = streams.lift(&attire(vec![coat(2, phase(""))]), Options::default()).unwrap();
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!((primitive.uvs.len(), primitive.uvs[1][0]), (2, Vec2::new(0.25, 0.5)));
    assert!(primitive.colors.is_empty());
    assert_eq!(scene.materials[0].extras["lightmap"], galvani_scene::Fact::Text("GLOW.0".to_owned()));
    assert!(names(&report).contains(&"msh.lost-lightmap"));

    streams.reading = Reading::Documented;
    streams.put(18, 0, &[255, 188, 0, 51]);
    let (scene, _) = streams.lift(&Attire::default(), Options::default()).unwrap();
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.uvs.len(), 1);
    assert!((primitive.colors[0] - Vec4::new(0.0, 0.502_886, 1.0, 0.2)).length() < 1e-5);
}

#[test]
fn vertices_stand_in_the_order_of_the_file() {
    let mut plan = node("a", &[(0, 0)]);
    let geometry = plan.slots[0][0].as_mut().unwrap();
    geometry.parts[0].triangles = vec![TrianglePlan { vertices: [2, 0, 1], flags: 0 }];
    let document = built(Reading::Observed, vec![plan]);
    let (scene, _) = lift(&document.model(), &Attire::default(), Options::default()).unwrap();
    let model = document.model();
    let wanted: Vec<Vec3> = model
        .positions
        .unwrap()
        .rows
        .iter()
        .map(|row| Vec3::from_array(axes(row.position.map(F32::get))))
        .collect();
    assert_eq!(scene.meshes[0].primitives[0].positions, wanted);
}

#[test]
fn nodes_that_others_are_put_on_are_sockets() {
    let document = built(Reading::Observed, vec![node("Base_gun", &[]), node("BASE_hull", &[(0, 0)])]);
    let (scene, _) = lift(&document.model(), &Attire::default(), Options::default()).unwrap();
    let sockets: Vec<_> = scene.sockets.iter().map(|one| (one.name.as_str(), one.node.index())).collect();
    assert_eq!(sockets, [("Base_gun", 0)]);
}

/// A node that turns and moves, of four keys on twelve frames, and one that stays.
fn moving() -> Streams {
    let turn =
        |angle: f32| Wxyz([(angle / 2.0).cos(), 0.0, (angle / 2.0).sin() * 0.6, (angle / 2.0).sin() * 0.8]);
    let key =
        |time: u32, x: f32, angle: f32| KeyPlan { time, position: [x, 2.0 * x, -x], rotation: turn(angle) };
    let mut moved = node("a", &[(0, 0)]);
    moved.track = vec![key(0, 0.0, 0.0), key(4, 1.0, 1.0), key(7, -1.0, -1.5), key(11, 3.0, 2.5)];
    Streams::new(&built(Reading::Observed, vec![moved, node("b", &[(0, 0)])]))
}

/// The farthest that the scene is from the engine, in radians or metres, all over the timeline.
fn farthest(streams: &Streams, scene: &Scene) -> f32 {
    let all = streams.all.iter().enumerate().map(|(entry, (&type_id, (attr, bytes)))| Stream {
        entry,
        type_id,
        attr: *attr,
        bytes,
    });
    let model = ModelView::new(all, streams.reading);
    let (mut sampler, mut moment) = (Sampler::new(scene), Moment::at_rest(scene));
    let last = model.frame_count().saturating_sub(1);
    let mut far = 0.0_f32;
    for step in 0..=last * 64 {
        // Frames are whole seconds here.
        let time = step as f32 / 64.0;
        sampler.sample(&scene.clips[0], time, &mut moment);
        let (pose, _) = sample_node_pose(&model, 0, time).unwrap();
        let place = moment.translations.get(0);
        far = far.max(place.distance(Vec3::from_array(axes(pose.position))));
        let [qw, qx, qy, qz] = pose.rotation.0;
        let wanted = Vec4::new(-qx, -qz, qy, qw).normalize();
        let shown = Vec4::from(moment.rotations.get(0)).normalize();
        far = far.max(2.0 * wanted.distance(shown).min(wanted.distance(-shown)));
    }
    far
}

#[test]
fn maps_that_no_game_has_are_baked_within_the_tolerance() {
    let options = Options { frame_rate: 1.0, ..Options::default() };
    for words in [
        // Jumps forward and back, behind the end of a pair, before its start, and the fallback in between.
        [0_u16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 2, 2, 3, 3, 1, 0, 2, 9],
        [3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0],
        [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    ] {
        let mut streams = moving();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        streams.put(19, 0, &bytes);
        let (scene, report) = streams.lift(&Attire::default(), options).unwrap();
        assert_eq!(check(&scene).findings(), []);
        let baked = report.findings().iter().find(|one| one.code.name == "msh.baked").unwrap();
        assert!(baked.message.contains("keys of places") && baked.message.contains("radians"), "{baked}");
        let far = farthest(&streams, &scene);
        assert!(far <= 1e-4, "{words:?}: off by {far}");
        let last = scene.clips[0].duration;
        assert_eq!(last, 11.0);
    }
}

/// How many nodes hang on one another in [`chain`], and how many frames and keys each has.
const CHAIN: usize = 5;
const FRAMES: u32 = 12;
const KEYS: u16 = 4;

/// Nodes that hang on one another and all move by a map that no game has.
fn chain() -> Streams {
    const WORDS: [u16; FRAMES as usize] = [1, 1, 0, 0, 2, 2, 3, 3, 1, 0, 2, 9];
    let link = |i: usize| {
        let key = |time: u32, angle: f32| {
            let (sine, cosine) = (angle / 2.0 + i as f32).sin_cos();
            let position = [2.0 + time as f32 * 0.1, i as f32 * 0.01, angle];
            KeyPlan { time, position, rotation: Wxyz([cosine, 0.0, sine * 0.6, sine * 0.8]) }
        };
        let track = vec![key(0, 0.0), key(4, 1.0), key(7, -1.5), key(FRAMES - 1, 2.5)];
        NodePlan { parent: i.checked_sub(1), track, ..node(&format!("link {i}"), &[(0, 0)]) }
    };
    let mut streams = Streams::new(&built(Reading::Observed, (0..CHAIN).map(link).collect()));
    let of_link = |i: usize| WORDS.map(|word| word + KEYS * u16::try_from(i).unwrap());
    let bytes: Vec<u8> = (0..CHAIN).flat_map(of_link).flat_map(u16::to_le_bytes).collect();
    streams.put(19, 0, &bytes);
    streams
}

/// What is off by a little in each of several nodes is not off by more together, at any time and at either end.
#[test]
fn the_end_of_a_chain_is_within_the_tolerance_too() {
    let (streams, options) = (chain(), Options { frame_rate: 1.0, ..Options::default() });
    let (scene, report) = streams.lift(&Attire::default(), options).unwrap();
    assert_eq!(names(&report).iter().filter(|name| **name == "msh.baked").count(), 1, "{report:?}");
    let all = streams.all.iter().enumerate().map(|(entry, (&type_id, (attr, bytes)))| Stream {
        entry,
        type_id,
        attr: *attr,
        bytes,
    });
    let model = ModelView::new(all, streams.reading);
    let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
    let mut models = Matrices::identity(scene.nodes.len());
    for step in 0..=(FRAMES - 1) * 64 {
        // Frames are whole seconds here.
        let time = step as f32 / 64.0;
        sampler.sample(&scene.clips[0], time, &mut moment);
        to_model(&scene, &moment, &mut models);
        let engine =
            model_matrices(&model, RootTranslation::Keep, |node| Ok(sample_node_pose(&model, node, time)?.0));
        let (engine, mut off, mut reach) = (engine.unwrap(), 0.0_f32, 1.0_f32);
        for (node, matrix) in engine.iter().enumerate() {
            for corner in triangle(0).positions {
                let row = |row: usize| {
                    let at = |column: usize| matrix[4 * row + column];
                    at(0) * corner[0] + at(1) * corner[1] + at(2) * corner[2] + at(3)
                };
                let wanted = Vec3::from_array(axes([row(0), row(1), row(2)]));
                let found = models.matrix(node).transform_point3(Vec3::from_array(axes(corner)));
                (off, reach) = (off.max(found.distance(wanted)), reach.max(wanted.length()));
            }
        }
        assert!(off <= 1e-4 * reach, "at {time}: off by {off} in a model of {reach}");
    }
}

#[test]
fn the_tolerance_counts() {
    let keys = |tolerance: f32| {
        let mut streams = moving();
        // A key that is not of length 1 leaves the shorter arc.
        streams.put(8, 24 + 16, &[0x00, 0x20, 0x00, 0x10]);
        streams.put(19, 0, &[1, 0, 1, 0]);
        let options = Options { frame_rate: 1.0, tolerance, ..Options::default() };
        let (scene, _) = streams.lift(&Attire::default(), options).unwrap();
        scene.clips[0].tracks.iter().map(|track| track.times().len()).max().unwrap()
    };
    assert!(keys(1e-5) > keys(1e-2), "{} and {}", keys(1e-5), keys(1e-2));
}

#[test]
fn wild_maps_cost_no_more_than_their_frames() {
    let mut streams = moving();
    // Key 1 is hardly behind key 0: in a frame the engine turns a million times.
    streams.put(8, 24 + 12, &1e-6_f32.to_le_bytes());
    streams.put(19, 0, &[0; 24]);
    let (scene, report) = streams.lift(&Attire::default(), Options::default()).unwrap();
    assert!(scene.clips[0].tracks.iter().all(|track| track.times().len() < 40));
    assert!(names(&report).contains(&"msh.baked"));
    assert_eq!(check(&scene).findings(), []);
}

#[test]
fn every_loss_is_told_and_the_rest_is_shown() {
    let mut reports = Vec::new();
    let mut refused = Vec::new();
    let mut damaged = |act: &dyn Fn(&mut Streams), wanted: &str| {
        let mut streams = moving();
        act(&mut streams);
        let attire = attire(vec![coat(2, phase("SKIN.0"))]);
        let (scene, report) =
            streams.lift(&attire, Options { root: RootTranslation::Clear, ..Options::default() }).unwrap();
        assert!(names(&report).contains(&wanted), "{wanted} wanted, {:?} found", names(&report));
        assert_eq!(check(&scene).findings(), [], "{wanted}");
        assert_eq!(scene.nodes.len(), 2);
        reports.push(report);
    };
    let nan = f32::NAN.to_le_bytes();
    damaged(&|streams| streams.put(1, 2, &[1, 0]), "msh.lost-parent");
    damaged(&|streams| streams.put(1, 8, &[99, 0]), "msh.lost-slot");
    damaged(&|streams| streams.put(2, 0x8c + 6, &[99, 0]), "msh.lost-slot");
    damaged(&|streams| streams.put(13, 8, &[255, 255]), "msh.lost-batch");
    damaged(&|streams| streams.put(13, 16, &[255, 255]), "msh.lost-triangles");
    damaged(&|streams| streams.put(3, 0, &nan), "msh.lost-triangles");
    damaged(&|streams| streams.put(13, 8, &[2, 0]), "msh.lost-indices");
    damaged(&|streams| streams.put(4, 0, &[0; 4]), "msh.lost-normal");
    damaged(&|streams| streams.put(8, 4 * 24, &nan), "msh.lost-position");
    damaged(&|streams| streams.put(8, 16, &[0; 8]), "msh.lost-rotation");
    damaged(&|streams| streams.put(1, 4, &[9, 0]), "msh.lost-motion");
    damaged(&|streams| streams.put(1, 6, &[99, 0]), "msh.lost-motion");
    damaged(&|streams| streams.put(19, 2, &[1, 0]), "msh.baked");
    damaged(&|streams| streams.put(13, 4, &[7]), "msh.lost-row");
    damaged(&|streams| drop(streams.all.insert(99, ([0; 3], vec![1]))), "msh.lost-streams");
    damaged(&|_| {}, "msh.lift-left-streams");
    let mut refuse = |act: &dyn Fn(&mut Streams), options: Options| {
        let mut streams = moving();
        act(&mut streams);
        refused.push(streams.lift(&Attire::default(), options).unwrap_err().cause.code.name);
    };
    let plain = Options::default();
    refuse(&|streams| streams.all.get_mut(&1).unwrap().0[2] = 24, plain);
    for wrong in [
        Options { lod: 3, ..plain },
        Options { frame_rate: f32::NAN, ..plain },
        Options { tolerance: 0.0, ..plain },
    ] {
        refuse(&|_| {}, wrong);
    }
    refuse(
        &|streams| {
            let nodes = &mut streams.all.get_mut(&1).unwrap().1;
            *nodes = nodes[..38].repeat(9);
        },
        plain,
    );
    assert_eq!(refused[0], "msh.lift-legacy-nodes");
    assert!(refused[1..4].iter().all(|name| *name == "msh.lift-option"), "{refused:?}");
    assert_eq!(refused[4], "msh.lift-entangled");
    let told_above =
        ["msh.lost-tangent", "msh.lost-texture", "msh.lost-blending", "msh.lost-lightmap", "msh.lost-phases"];
    let told_above = told_above.into_iter().chain(["msh.lift-other-slots"]);
    every_code_is_provoked(lift::ALL, reports, refused.into_iter().chain(told_above));
}

#[test]
fn a_texture_that_does_not_decode_is_told() {
    let mut attire = attire(vec![coat(2, phase("SKIN.0"))]);
    attire.textures.get_mut("skin.0").unwrap().pixels.clear();
    let document = built(Reading::Observed, vec![node("a", &[(0, 0)])]);
    let (scene, report) = lift(&document.model(), &attire, Options::default()).unwrap();
    assert!(scene.images.is_empty());
    assert!(names(&report).contains(&"msh.lost-texture"));
}
