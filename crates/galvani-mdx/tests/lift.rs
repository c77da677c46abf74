//! What a scene says of a model: materials, faces, levels, fading, and everything that it does not say.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]
#![allow(clippy::float_cmp, reason = "where it is used the same numbers must come out")]

mod common;

use std::collections::BTreeSet;

use common::make::{KINDS, Make};
use common::raw::{bytes, chunk, floats, head, node, sequence_warcraft, sized, vectors};
use common::shown::{Shown, bone, geoset, geoset_with, layer, layer_with, material, pixel, texture, tint};
use galvani_core::image::Additive;
use galvani_core::{Report, Severity};
use galvani_mdx::glam::{Vec2, Vec3, Vec4};
use galvani_mdx::lift::{ALL, Layers, Options, Picture, lift};
use galvani_mdx::{Document, read};
use galvani_scene::{AlphaMode, Fact, Interp, Looping, Material, Moment, Sampler, Scene, Track, Wrap, check};

/// The picture of all layers unless a test says otherwise.
const PICTURE: [u8; 4] = [200, 100, 50, 128];

fn lifted(document: &Document, pictures: &[Picture], options: &Options) -> (Scene, Report) {
    let (scene, report) = lift(document, pictures, options).unwrap();
    let found = check(&scene);
    assert_eq!(found.tally(Severity::Error), 0, "{:?}", found.findings());
    (scene, report)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.findings().iter().map(|finding| finding.code.name).collect()
}

/// The material and picture of a model with one material.
fn look(shown: &Shown, options: &Options) -> (Material, Option<[u8; 4]>) {
    let pictures = vec![pixel(PICTURE); shown.textures.len()];
    let (scene, _) = lifted(&shown.document(), &pictures, options);
    let material = scene.materials[scene.meshes[0].primitives[0].material.unwrap().index()].clone();
    let image = material.texture.as_ref().map(|texture| scene.images[texture.image.index()].pixels.rgba[0]);
    (material, image)
}

fn with_layers(layers: &[Vec<u8>]) -> Shown {
    Shown { materials: vec![material(layers)], ..Shown::default() }
}

#[test]
fn every_filter_mode_has_its_alpha_and_its_picture() {
    // Brightest is 200: 255, 127.5, 63.75 of it, and 200 · 128 / 255 = 100.39 of its alpha.
    let added = [255, 128, 64, 100];
    // 0.2126 · 200 + 0.7152 · 100 + 0.0722 · 50 = 117.65; the rest of 255 is 137.35.
    let multiplied = [0, 0, 0, 137];
    let rows = [
        (0, AlphaMode::Opaque, 1.0, PICTURE),
        (1, AlphaMode::Mask(0.75), 0.5, PICTURE),
        (2, AlphaMode::Blend, 0.5, PICTURE),
        (3, AlphaMode::Blend, 0.5, added),
        (4, AlphaMode::Blend, 0.5, added),
        (5, AlphaMode::Blend, 0.5, multiplied),
        (6, AlphaMode::Blend, 0.5, multiplied),
        (9, AlphaMode::Blend, 0.5, PICTURE),
    ];
    for (filter, mode, alpha, image) in rows {
        let (material, found) = look(&with_layers(&[layer(filter, 0, 0, 0.5)]), &Options::default());
        assert_eq!((material.alpha_mode, material.base_color.w), (mode, alpha), "filter {filter}");
        assert_eq!(found, Some(image), "filter {filter}");
        let plain = Options { additive: Additive::Plain, ..Options::default() };
        assert_eq!(
            look(&with_layers(&[layer(filter, 0, 0, 0.5)]), &plain).1,
            Some(PICTURE),
            "filter {filter}"
        );
    }
}

#[test]
fn bits_of_layers_and_textures_are_those_of_the_material() {
    let mut shown = with_layers(&[layer(0, 0x11, 0, 1.0)]);
    shown.textures = vec![texture(0, "Skin.blp", 2)];
    let (material, _) = look(&shown, &Options::default());
    assert!(material.two_sided && material.unlit);
    assert_eq!(material.texture.unwrap().wrap, [Wrap::Clamp, Wrap::Repeat]);
    let (material, _) = look(&with_layers(&[layer(0, 0x100, 0, 1.0)]), &Options::default());
    assert!(material.unlit && !material.two_sided, "the later bit of Warcraft III");
    let extras =
        [("filter", Fact::Text("none".to_owned())), ("material", Fact::Int(0)), ("flags", Fact::Int(256))];
    for (name, fact) in extras {
        assert_eq!(material.extras[name], fact);
    }
}

#[test]
fn the_teams_colour_lies_under_a_picture() {
    let mut shown = with_layers(&[layer(0, 0, 1, 1.0), layer(2, 0, 0, 1.0)]);
    shown.textures = vec![texture(0, "Skin.blp", 3), texture(1, "", 0)];
    // (200 · 128 + 255 · 127) / 255 = 227.39, (100 · 128 + 3 · 127) / 255 = 51.69, (50 · 128 + 3 · 127) / 255 = 26.59.
    let (material, image) = look(&shown, &Options::default());
    assert_eq!((material.alpha_mode, image), (AlphaMode::Opaque, Some([227, 52, 27, 255])));
    // With the colour 0, 0, 255: 100.39, 50.2, 152.1.
    let blue = Options { team: [0, 0, 255], ..Options::default() };
    assert_eq!(look(&shown, &blue).1, Some([100, 50, 152, 255]));
}

#[test]
fn a_lone_team_colour_is_a_colour_and_a_lone_glow_a_spot() {
    let mut shown = Shown { textures: vec![texture(1, "", 0)], ..Shown::default() };
    let team = Options { team: [255, 0, 128], ..Options::default() };
    let (material, image) = look(&shown, &team);
    assert_eq!(image, None);
    // 128 / 255 = 0.50196, ((0.50196 + 0.055) / 1.055)^2.4 = 0.21586.
    assert!(
        material.base_color.distance(Vec4::new(1.0, 0.0, 0.21586, 1.0)) < 1e-5,
        "{}",
        material.base_color
    );
    shown = Shown { textures: vec![texture(2, "", 0)], ..with_layers(&[layer(2, 0, 0, 1.0)]) };
    let (scene, report) = lifted(&shown.document(), &[], &team);
    let glow = &scene.images[0].pixels;
    let at = |x: u32, y: u32| glow.rgba[usize::try_from(y * glow.width + x).unwrap()];
    let (middle, corner) = (at(glow.width / 2, glow.height / 2), at(0, 0));
    assert!(middle[0] > 250 && middle[1] == 0 && corner[..3] == [0; 3], "{middle:?} {corner:?}");
    assert_eq!(codes(&report), [""; 0], "nothing is missed");
}

#[test]
fn the_layer_that_shows_most_is_taken() {
    let lost = Picture { image: None, looked: vec!["here/Skin.blp".to_owned()] };
    let pictures = [pixel([1; 4]), pixel([2; 4]), lost];
    let rows: [(&[(u32, i32)], u8); 6] = [
        (&[(2, 0), (0, 1)], 2),
        (&[(3, 0), (1, 1)], 2),
        (&[(3, 0), (2, 1), (4, 0)], 2),
        (&[(3, 0), (4, 1)], 255),
        (&[(0, 2), (2, 1)], 2),
        (&[(0, 0), (0, 1)], 1),
    ];
    for (layers, wanted) in rows {
        let layers: Vec<_> = layers.iter().map(|&(filter, texture)| layer(filter, 0, texture, 1.0)).collect();
        let textures = ["A.blp", "B.blp", "C.blp"].map(|path| texture(0, path, 0)).to_vec();
        let shown = Shown { textures, ..with_layers(&layers) };
        let (scene, report) = lifted(&shown.document(), &pictures, &Options::default());
        assert_eq!(scene.images[0].pixels.rgba[0][0], wanted);
        assert!(codes(&report).contains(&"mdx.lost-layers"));
    }
}

#[test]
fn stacked_layers_are_surfaces_of_their_own() {
    let mut shown = with_layers(&[layer(0, 0, 1, 1.0), layer(2, 0, 0, 0.25)]);
    shown.textures = vec![texture(0, "Skin.blp", 3), texture(1, "", 0)];
    let stack = Options { layers: Layers::Stack, ..Options::default() };
    let (scene, report) = lifted(&shown.document(), &[pixel(PICTURE), Picture::default()], &stack);
    let primitives = &scene.meshes[0].primitives;
    assert_eq!((primitives.len(), &primitives[0].positions), (2, &primitives[1].positions));
    let modes = primitives.iter().map(|it| scene.materials[it.material.unwrap().index()].alpha_mode);
    assert_eq!(modes.collect::<Vec<_>>(), [AlphaMode::Opaque, AlphaMode::Blend]);
    assert_eq!(codes(&report), [""; 0]);
}

#[test]
fn a_picture_that_is_nowhere_is_told_with_every_place() {
    let looked = vec!["models/Skin.blp".to_owned(), "models/Skin.dds".to_owned()];
    let picture = Picture { image: None, looked };
    let (scene, report) = lifted(&Shown::default().document(), &[picture], &Options::default());
    let [finding] = report.findings() else { panic!("{:?}", report.findings()) };
    assert_eq!((finding.code.name, finding.path.to_string()), ("mdx.lost-texture", "TEXS[0]".to_owned()));
    assert_eq!(finding.message, "`Skin` is none of models/Skin.blp, models/Skin.dds");
    assert!(scene.materials[0].texture.is_none() && scene.materials[0].base_color.x < 1.0);
}

#[test]
fn each_distinct_tint_has_a_material_of_its_own() {
    let shown = Shown {
        geosets: vec![geoset(0); 4],
        tints: vec![
            tint(0, 0.5, 2, [0.5, 0.0, 1.0], []),
            tint(1, 0.5, 2, [0.5, 0.0, 1.0], []),
            tint(2, 0.0, 0, [0.5, 0.0, 1.0], []),
        ],
        ..with_layers(&[layer(2, 0, 0, 0.5)])
    };
    let (scene, _) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    let material = |mesh: usize| scene.meshes[mesh].primitives[0].material.unwrap().index();
    assert_eq!(material(0), material(1));
    assert_eq!(scene.materials.len(), 3);
    // ((0.5 + 0.055) / 1.055)^2.4 = 0.21404.
    let wanted = Vec4::new(0.21404, 0.0, 1.0, 0.25);
    assert!(scene.materials[material(0)].base_color.distance(wanted) < 1e-5);
    assert_eq!(scene.materials[material(3)].base_color, Vec4::new(1.0, 1.0, 1.0, 0.5));
    let seen: Vec<bool> =
        scene.nodes.iter().filter(|node| node.mesh.is_some()).map(|node| node.visible).collect();
    assert_eq!(seen, [true, true, false, true]);
}

/// A material of Reforged: six layers and the name of their shader.
fn hd_material() -> Vec<u8> {
    let layers: Vec<u8> = (0..6)
        .flat_map(|texture| {
            let fixed = bytes().u32(0).u32(0).i32(texture).i32(-1).i32(0).f32s(&[1.0]);
            sized(fixed.f32s(&[0.5]))
        })
        .collect();
    let head = bytes().i32(0).u32(0).text(80, "Shader_HD_DefaultUnit").tag("LAYS").u32(6);
    sized(head.raw(layers))
}

/// A square of version 900 with tangents.
fn hd_geoset() -> Vec<u8> {
    let plain = geoset_with(0, &[4], &[3], &[0, 1, 2], Some(0));
    let uvs = plain.len() - (8 + 8 + 32);
    let tangents = (0..4).fold(bytes().tag("TANG").u32(4), |all, _| all.f32s(&[1.0, 0.0, 0.0, -1.0]));
    sized([&plain[4..uvs], &tangents.0, &plain[uvs..]].concat())
}

#[test]
fn reforged_shows_one_surface_by_several_pictures() {
    let textures = (0..6).map(|i| texture(0, &format!("{i}.dds"), 0)).collect();
    let shown = Shown {
        version: 900,
        materials: vec![hd_material()],
        geosets: vec![hd_geoset()],
        textures,
        ..Shown::default()
    };
    let pictures =
        [[100, 100, 100, 255], [128, 191, 0, 7], [10, 20, 30, 51], [9; 4], [0; 4], [0; 4]].map(pixel);
    let team = Options { team: [255, 0, 128], ..Options::default() };
    let (scene, _) = lifted(&shown.document(), &pictures, &team);
    let material = &scene.materials[0];
    let image = |texture: &Option<galvani_scene::Texture>| {
        scene.images[texture.as_ref().unwrap().image.index()].pixels.rgba[0]
    };
    // A fifth (51 / 255) is 100 times the team's colour: 100, 0, 50.2 of it; so 100, 80, 90.04.
    assert_eq!(image(&material.texture), [100, 80, 90, 255]);
    // x = 1 / 255, y = 127 / 255, z = √(1 − x² − y²) = 0.8671; (0.8671 + 1) / 2 · 255 = 238.06.
    assert_eq!(image(&material.normal), [128, 191, 238, 255]);
    assert_eq!((image(&material.orm), image(&material.glow)), ([10, 20, 30, 51], [9; 4]));
    assert_eq!(material.emissive, Vec3::splat(0.5));
    // Forward, left, up become left, up, forward.
    assert_eq!(scene.meshes[0].primitives[0].tangents[0], Vec4::new(0.0, 0.0, 1.0, -1.0));
    let bare = Shown { geosets: vec![geoset_with(0, &[4], &[3], &[0, 1, 2], Some(0))], ..shown };
    let (scene, _) = lifted(&bare.document(), &pictures, &team);
    assert!(scene.materials[0].normal.is_some(), "a geoset without tangents keeps its directions");
}

#[test]
fn faces_of_every_kind_are_triangles() {
    let rows: [(u32, &[u16], &[u32]); 6] = [
        (4, &[0, 1, 2, 0, 2, 3], &[0, 1, 2, 0, 2, 3]),
        (5, &[0, 1, 3, 2], &[0, 1, 3, 3, 1, 2]),
        (6, &[0, 1, 2, 3], &[0, 1, 2, 0, 2, 3]),
        (7, &[0, 1, 2, 3], &[0, 1, 2, 0, 2, 3]),
        (8, &[0, 1, 3, 2], &[0, 1, 2, 0, 2, 3]),
        (9, &[0, 1, 2, 3], &[0, 1, 2, 0, 2, 3]),
    ];
    for (kind, corners, wanted) in rows {
        let count = u32::try_from(corners.len()).unwrap();
        let shown =
            Shown { geosets: vec![geoset_with(0, &[kind], &[count], corners, None)], ..Shown::default() };
        let (scene, report) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
        let primitive = &scene.meshes[0].primitives[0];
        assert_eq!(primitive.indices, wanted, "kind {kind}");
        assert_eq!(codes(&report), [""; 0]);
        assert_eq!((primitive.positions[1], primitive.normals[1]), (Vec3::Z, Vec3::Y));
        assert_eq!(primitive.uvs, [[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]]);
    }
    let points =
        Shown { geosets: vec![geoset_with(0, &[0, 4], &[1, 3], &[3, 0, 1, 2], None)], ..Shown::default() };
    let (scene, report) = lifted(&points.document(), &[pixel(PICTURE)], &Options::default());
    assert_eq!((scene.meshes[0].primitives[0].indices.len(), codes(&report)), (3, vec!["mdx.lost-faces"]));
}

#[test]
fn levels_of_detail_are_variants() {
    let level = |level: i32| geoset_with(0, &[4], &[3], &[0, 1, 2], Some(level));
    let shader = sized(
        bytes()
            .i32(0)
            .u32(0)
            .text(80, "")
            .tag("LAYS")
            .u32(1)
            .raw(sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.0, 0.0]))),
    );
    let geosets = vec![level(1), level(0), level(0), level(2), level(2), level(2), level(-1)];
    let shown = Shown { version: 900, geosets, materials: vec![shader], ..Shown::default() };
    let (scene, _) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    let shows: Vec<i32> = scene
        .nodes
        .iter()
        .filter(|node| node.mesh.is_some())
        .map(|node| if let Fact::Int(geoset) = node.extras["geoset"] { geoset } else { panic!() })
        .collect();
    assert_eq!(shows, [1, 2, 6]);
    let variant = |i: usize| {
        let shows = scene.variants[i].shows.iter();
        (
            scene.variants[i].level,
            shows.map(|(node, mesh)| (node.index(), mesh.map(galvani_scene::Id::index))),
        )
    };
    let (level, one) = variant(0);
    assert_eq!((level, one.collect::<Vec<_>>()), (1, vec![(1, Some(0)), (2, None)]));
    let (level, two) = variant(1);
    assert_eq!((level, two.collect::<Vec<_>>()), (2, vec![(1, Some(3)), (2, Some(4)), (4, Some(5))]));
}

/// What a scene shows at a time of its first clip.
fn at(scene: &Scene, time: f32) -> Moment {
    let (mut sampler, mut moment) = (Sampler::new(scene), Moment::at_rest(scene));
    sampler.sample(&scene.clips[0], time, &mut moment);
    moment
}

#[test]
fn what_fades_away_is_hidden_and_comes_again() {
    let fades = floats("KGAO", &[(0, 1.0), (400, 1.0), (500, 0.0), (600, 0.0), (700, 1.0)]);
    let shown =
        Shown { tints: vec![tint(0, 1.0, 0, [1.0; 3], fades)], ..with_layers(&[layer(2, 0, 0, 0.5)]) };
    let (scene, _) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    let node = scene.nodes.iter().position(|node| node.mesh.is_some()).unwrap();
    // Its own opacity and that of its layer make 1 / 255 where its own is 2 / 255, which takes 0.78 milliseconds; whole ones
    // are taken, and hidden is hidden.
    let rows = [(0.0, true), (0.4985, true), (0.499, false), (0.6005, false), (0.601, true), (1.0, true)];
    for (time, is_seen) in rows {
        assert_eq!(at(&scene, time).visible[node], is_seen, "at {time}");
    }
    let alpha = |time: f32| at(&scene, time).colors.get(0).w;
    assert!(
        (alpha(0.45) - 0.25).abs() < 1e-6 && (alpha(0.0) - 0.5).abs() < 1e-6,
        "the layer's own counts, too"
    );
}

#[test]
fn layers_that_fade_are_hidden_and_products_are_baked() {
    let own = floats("KMTA", &[(0, 1.0), (1000, 0.0)]);
    let fades = floats("KGAO", &[(0, 1.0), (1000, 0.5)]);
    let mut sequence = sequence_warcraft("Stand", 0, 1000);
    sequence.0[0x5c] = 1;
    let shown = Shown {
        sequences: vec![sequence],
        tints: vec![tint(0, 1.0, 0, [1.0; 3], fades)],
        ..with_layers(&[layer_with(2, 0, 0, -1, 1.0, own)])
    };
    let (scene, report) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    assert_eq!(scene.clips[0].looping, Looping::Hold);
    for i in 0_u8..=100 {
        let time = f32::from(i) / 100.0;
        let wanted = (1.0 - time) * (1.0 - time / 2.0);
        assert!((at(&scene, time).colors.get(0).w - wanted).abs() <= 1e-3, "at {time}");
    }
    let node = scene.nodes.iter().position(|node| node.mesh.is_some()).unwrap();
    assert!(at(&scene, 0.99).visible[node] && !at(&scene, 1.0).visible[node]);
    assert!(codes(&report).contains(&"mdx.baked"));
}

#[test]
fn a_flip_book_shows_one_picture_after_another() {
    let keys = head("KMTF", 3, 0, -1).i32(0).u32(1).i32(500).u32(0).i32(900).u32(7);
    let shown = Shown {
        textures: vec![texture(0, "A.blp", 0), texture(0, "B.blp", 0)],
        ..with_layers(&[layer_with(3, 0, 0, -1, 1.0, keys)])
    };
    let (scene, report) =
        lifted(&shown.document(), &[pixel([90, 0, 0, 255]), pixel([0, 60, 0, 255])], &Options::default());
    let image =
        |time: f32| at(&scene, time).images[0].map(|image| scene.images[image.index()].pixels.rgba[0]);
    assert_eq!([0.0, 0.6, 0.95].map(image), [Some([0, 255, 0, 60]), Some([255, 0, 0, 90]), None]);
    assert!(codes(&report).contains(&"mdx.lost-texture"), "texture 7 is not there");
}

#[test]
fn pictures_are_moved_then_turned_and_stretched_about_their_middle() {
    let turn = head("KTAR", 2, 1, -1).i32(0).f32s(&[0., 0., 0., 1.]).i32(1000).f32s(&[0., 0., 0.6, 0.8]);
    let tracks = [
        vectors("KTAT", &[(0, [0.0; 3]), (1000, [0.5, 0.25, 0.0])]).0,
        turn.0,
        vectors("KTAS", &[(0, [1.0; 3]), (1000, [2.0, 2.0, 1.0])]).0,
    ];
    let model = |tracks: &[Vec<u8>]| Shown {
        animations: vec![sized(tracks.concat())],
        ..with_layers(&[layer_with(0, 0, 0, 0, 1.0, [])])
    };
    let (scene, report) = lifted(&model(&tracks).document(), &[pixel(PICTURE)], &Options::default());
    let moved = |time: f32, [u, v]: [f32; 2]| at(&scene, time).uvs.get(0).apply(Vec2::new(u, v));
    // At the end: moved by (0.5, 0.25); turned by twice the angle of cosine 0.8, whose cosine is 0.28 and sine 0.96;
    // twice as large; all but the first about (0.5, 0.5).
    let (u, v) = (0.2 + 0.5 - 0.5, 0.9 + 0.25 - 0.5);
    let wanted = Vec2::new(2.0 * (0.28 * u - 0.96 * v) + 0.5, 2.0 * (0.96 * u + 0.28 * v) + 0.5);
    assert!(moved(1.0, [0.2, 0.9]).distance(wanted) < 1e-4, "{} {wanted}", moved(1.0, [0.2, 0.9]));
    assert!(!codes(&report).contains(&"mdx.lost-uvs"));
    let (scene, report) = lifted(&model(&tracks[..1]).document(), &[pixel(PICTURE)], &Options::default());
    let [Track::UvOffset(_, curve)] = &scene.clips[0].tracks[..] else {
        panic!("{:?}", scene.clips[0].tracks)
    };
    assert_eq!((curve.times.as_slice(), curve.interp), (&[0.0, 1.0][..], Interp::Linear));
    assert_eq!(codes(&report), [""; 0], "a picture that only moves is exact");
}

#[test]
fn clips_are_the_sequences() {
    let event =
        bytes().raw(node("SNDxAAAA", 1, -1, 0x400, [])).tag("KEVT").u32(3).i32(-1).i32(100).i32(350).i32(900);
    let global = bytes().raw(node("SNDxBBBB", 2, -1, 0x400, [])).tag("KEVT").u32(1).i32(0).i32(150);
    let shown = Shown {
        sequences: vec![sequence_warcraft("Stand", 100, 400), sequence_warcraft("Walk", 900, 900)],
        globals: vec![200],
        pivots: vec![[0.0; 3]; 3],
        more: vec![chunk("EVTS", event.raw(global))],
        ..Shown::default()
    };
    let (scene, _) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    let clips: Vec<_> =
        scene.clips.iter().map(|clip| (clip.name.as_str(), clip.index, clip.duration)).collect();
    assert_eq!(clips, [("Stand", 0, 0.3), ("Walk", 1, 0.0)]);
    assert_eq!(scene.clips[0].looping, Looping::Wrap);
    let events = |clip: usize| -> Vec<(&str, f32)> {
        scene.clips[clip].events.iter().map(|event| (event.name.as_str(), event.time)).collect()
    };
    assert_eq!(events(0), [("SNDxAAAA", 0.0), ("SNDxBBBB", 0.15), ("SNDxAAAA", 0.25)]);
    assert_eq!(events(1), [("SNDxAAAA", 0.0)]);
    assert_eq!(scene.clips[0].extras["start"], Fact::Int(100));
    assert!(
        scene.clips.iter().all(|clip| clip.tracks.is_empty()),
        "what moves nothing is a clip all the same"
    );
}

#[test]
fn global_sequences_go_round_from_the_start_of_every_clip() {
    let mut track = vectors("KGTR", &[(0, [0.0; 3]), (200, [0.0, 0.0, 4.0])]);
    track.0[12..16].copy_from_slice(&0_i32.to_le_bytes());
    let shown = Shown { globals: vec![200], bones: vec![bone("Bone", 0, -1, 0, track)], ..Shown::default() };
    let (scene, _) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    let height = |time: f32| at(&scene, time).translations.get(0).y;
    for (time, wanted) in [(0.0, 0.0), (0.1, 2.0), (0.199, 3.98), (0.2, 0.0), (0.95, 3.0), (1.0, 0.0)] {
        assert!((height(time) - wanted).abs() < 1e-3, "{} at {time}", height(time));
    }
    let alone = Shown { sequences: Vec::new(), ..shown };
    let (scene, _) = lifted(&alone.document(), &[pixel(PICTURE)], &Options::default());
    assert_eq!((scene.clips.len(), scene.clips[0].duration), (1, 0.2));
}

#[test]
fn lights_sockets_cameras_and_emitters_are_nodes() {
    let light = sized(
        bytes()
            .raw(node("Lamp", 1, 0, 0x200, []))
            .u32(0)
            .f32s(&[1.0, 9.0, 1.0, 0.0, 0.5, 3.0, 0.0, 0.0, 0.0, 0.0]),
    );
    let place = sized(
        bytes()
            .raw(node("Hand", 2, 0, 0x800, []))
            .text(260, "Sword.mdx")
            .i32(4)
            .raw(floats("KATV", &[(0, 1.0), (500, 0.0)])),
    );
    let eye = sized(
        bytes()
            .text(80, "Portrait")
            .f32s(&[5.0, 0.0, 0.0])
            .f32s(&[0.5, 100.0, 1.0])
            .f32s(&[0.0; 3])
            .raw(vectors("KTTR", &[(0, [0.0; 3]), (1000, [0.0, 5.0, 0.0])])),
    );
    let shown = Shown {
        pivots: vec![[1.0, 2.0, 3.0], [1.0, 2.0, 5.0], [0.0; 3]],
        more: vec![chunk("LITE", light), chunk("ATCH", place), chunk("CAMS", eye)],
        ..Shown::default()
    };
    let (scene, _) = lifted(&shown.document(), &[pixel(PICTURE)], &Options::default());
    assert_eq!(scene.nodes[0].translation, Vec3::new(2.0, 3.0, 1.0));
    assert_eq!(
        (scene.nodes[1].translation, scene.nodes[1].light.is_some()),
        (Vec3::new(0.0, 2.0, 0.0), true)
    );
    assert_eq!((scene.lights[0].intensity, scene.lights[0].range), (3.0, Some(9.0)));
    assert_eq!((scene.sockets[0].name.as_str(), scene.sockets[0].node.index()), ("Hand", 2));
    assert_eq!(scene.nodes[2].extras["path"], Fact::Text("Sword.mdx".to_owned()));
    assert!(at(&scene, 0.4).visible[2] && !at(&scene, 0.6).visible[2]);
    let eye = scene.nodes.iter().position(|node| node.camera.is_some()).unwrap();
    let ahead = |time: f32| at(&scene, time).rotations.get(eye) * -Vec3::Z;
    // From 5 ahead of the middle it looks back, then to 5 at the left, too.
    assert!(ahead(0.0).distance(-Vec3::Z) < 1e-5);
    assert!(ahead(1.0).distance(Vec3::new(1.0, 0.0, -1.0).normalize()) < 1e-3);
}

/// Models that lose something, each with what they lose first of all.
fn losing() -> Vec<(&'static str, Shown)> {
    let usual = Shown::default;
    let moving = vectors("KGTR", &[(0, [0.0; 3]), (1000, [4.0, 0.0, 0.0])]).0;
    let scaling = vectors("KGSC", &[(0, [1.0; 3]), (1000, [1.0, 3.0, 1.0])]).0;
    let turning = |global: i32| {
        head("KGRT", 2, 1, global).i32(0).f32s(&[0., 0., 0., 1.]).i32(1000).f32s(&[0., 0., 0.6, 0.8]).0
    };
    let two = |flags: u32, tracks: Vec<u8>| {
        let bones = vec![bone("Top", 0, -1, 0, &tracks), bone("Low", 1, 0, flags, turning(-1))];
        Shown { bones, pivots: vec![[0.0; 3], [0.0, 0.0, 1.0]], ..usual() }
    };
    let uneven =
        [turning(-1).as_slice(), &vectors("KTAS", &[(0, [1.0; 3]), (1000, [1.0, 2.0, 1.0])]).0].concat();
    let uneven = [b"KTAR", &uneven[4..]].concat();
    let dim = sized(
        bytes().raw(node("Sun", 1, 0, 0x200, [])).u32(2).f32s(&[0.0; 10]).raw(floats("KLAI", &[(0, 1.0)])),
    );
    let ribbon = sized(bytes().raw(node("Band", 1, 0, 0x4000, [])).f32s(&[0.0; 7]).raw([0; 24]));
    let mut torn = usual().geosets.concat();
    torn[4] = b'X';
    let long = sequence_warcraft("Long", 0, 2_000_000_000);
    let crowded = floats("KGAO", &[(1_999_999_990, 1.0), (1_999_999_991, 0.5), (1_999_999_999, 0.0)]);
    let short = geoset_with(0, &[4], &[3], &[0, 1, 2], None);
    let at = short.windows(4).position(|four| four == b"NRMS").unwrap();
    let cut = sized([&short[4..at + 4], &3_u32.to_le_bytes(), &short[at + 20..]].concat());
    let mut wild = vectors("KGTR", &[(0, [0.0; 3]), (1, [4.0, 0.0, 0.0])]);
    wild.0[12..16].copy_from_slice(&0_i32.to_le_bytes());
    vec![
        ("mdx.lost-material", Shown { geosets: vec![geoset(3)], ..usual() }),
        ("mdx.lost-filter", with_layers(&[layer(7, 0, 0, 1.0)])),
        ("mdx.lost-blending", with_layers(&[layer(3, 0, 0, 1.0)])),
        ("mdx.lost-layers", with_layers(&[layer(0, 0, 0, 1.0), layer(3, 0, 0, 1.0)])),
        ("mdx.lost-texture", with_layers(&[layer(0, 0, 5, 1.0)])),
        (
            "mdx.lost-uvs",
            Shown { animations: vec![sized(uneven)], ..with_layers(&[layer_with(0, 0, 0, 0, 1.0, [])]) },
        ),
        (
            "mdx.lost-faces",
            Shown { geosets: vec![geoset_with(0, &[4], &[5], &[0, 1, 2, 0, 9], None)], ..usual() },
        ),
        ("mdx.lost-lists", Shown { geosets: vec![cut], ..usual() }),
        ("mdx.lost-records", Shown { geosets: vec![torn], ..usual() }),
        ("mdx.lost-parent", Shown { bones: vec![bone("Own", 0, 0, 0, [])], ..usual() }),
        ("mdx.lost-inheritance", two(1, moving.clone())),
        ("mdx.lost-shear", two(1, scaling)),
        ("mdx.lost-billboard", Shown { bones: vec![bone("Face", 0, -1, 8, [])], ..usual() }),
        ("mdx.lost-particles", Shown { more: vec![chunk("RIBB", ribbon)], ..usual() }),
        ("mdx.lost-light", Shown { more: vec![chunk("LITE", dim.clone())], ..usual() }),
        ("mdx.lost-tracks", Shown { more: vec![chunk("LITE", dim)], ..usual() }),
        (
            "mdx.lost-keys",
            Shown {
                sequences: vec![long.clone()],
                tints: vec![tint(0, 1.0, 0, [1.0; 3], crowded)],
                ..usual()
            },
        ),
        ("mdx.baked", two(4, [moving, turning(-1)].concat())),
        (
            "mdx.lift-too-much",
            Shown {
                sequences: vec![long],
                globals: vec![1],
                bones: vec![bone("Wild", 0, -1, 0, wild)],
                ..usual()
            },
        ),
    ]
}

#[test]
fn every_loss_is_told() {
    let mut told = BTreeSet::new();
    for (code, shown) in losing() {
        let found = match lift(&shown.document(), &[pixel(PICTURE)], &Options::default()) {
            Ok((scene, report)) => {
                assert_eq!(check(&scene).tally(Severity::Error), 0, "{code}");
                codes(&report)
            }
            Err(refused) => vec![refused.cause.code.name],
        };
        assert!(found.contains(&code), "{code} wanted, {found:?} found");
        told.extend(found);
    }
    let wow = Make::new(KINDS[9], 3, 2).model();
    let (_, report) = lift(&common::found(&wow).document, &[], &Options::default()).unwrap();
    told.extend(codes(&report));
    let all: BTreeSet<&str> = ALL.iter().map(|code| code.name).collect();
    let missing: Vec<_> = all.difference(&told).collect();
    assert!(missing.is_empty(), "{missing:?} were never told");
}

#[test]
fn whatever_reads_lifts_or_is_refused() {
    for &kind in KINDS {
        for seed in 0..24 {
            let file = Make::new(kind, seed, 3).model();
            let Ok(found) = read(&file, &galvani_core::ReadOptions::default()) else { continue };
            let pictures = vec![pixel(PICTURE); 2];
            match lift(&found.document, &pictures, &Options { looks: true, ..Options::default() }) {
                Ok((scene, _)) => {
                    let found = check(&scene);
                    assert_eq!(found.tally(Severity::Error), 0, "{kind:?} {seed}: {:?}", found.findings());
                }
                Err(refused) => assert_eq!(refused.cause.code.name, "mdx.lift-too-much", "{kind:?} {seed}"),
            }
        }
    }
}
