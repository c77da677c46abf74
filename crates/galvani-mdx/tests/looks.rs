//! The looks of other teams: which materials they replace, by what, and where there are none.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]
#![allow(clippy::float_cmp, reason = "where it is used the same numbers must come out")]

mod common;

use common::raw::{bytes, floats, head, sized, vectors};
use common::shown::{Shown, geoset, layer, layer_with, material, pixel, texture, tint};
use galvani_core::{Report, Severity};
use galvani_mdx::lift::{Options, Picture, TEAMS, lift};
use galvani_scene::{AlphaMode, Look, Material, Moment, Sampler, Scene, check};

/// The other teams as looks.
fn asked() -> Options {
    Options { looks: true, ..Options::default() }
}

fn lifted(shown: &Shown, pictures: &[Picture], options: &Options) -> (Scene, Report) {
    let (scene, report) = lift(&shown.document(), pictures, options).unwrap();
    let found = check(&scene);
    assert_eq!(found.tally(Severity::Error), 0, "{:?}", found.findings());
    (scene, report)
}

/// A model with these textures, one geoset for each material.
fn model(textures: &[(u32, &str)], materials: &[Vec<Vec<u8>>]) -> Shown {
    Shown {
        textures: textures.iter().map(|(id, path)| texture(*id, path, 0)).collect(),
        materials: materials.iter().map(|layers| material(layers)).collect(),
        geosets: (0..).zip(materials).map(|(i, _)| geoset(i)).collect(),
        ..Shown::default()
    }
}

/// A picture over the team's colour, and one by itself.
fn dressed() -> Shown {
    let over = vec![layer(0, 0, 1, 1.0), layer(2, 0, 0, 1.0)];
    model(&[(0, "Skin.blp"), (1, "")], &[over, vec![layer(0, 0, 0, 1.0)]])
}

fn skin(alpha: u8) -> [Picture; 2] {
    [pixel([200, 100, 50, alpha]), Picture::default()]
}

/// Materials of a look, each as its own index and what stands in for it.
fn swaps<'s>(scene: &'s Scene, look: &Look) -> Vec<(usize, &'s Material)> {
    look.swaps.iter().map(|(own, other)| (own.index(), &scene.materials[other.index()])).collect()
}

/// The first pixel of what a material shows.
fn shown(scene: &Scene, material: &Material) -> [u8; 4] {
    scene.images[material.texture.as_ref().unwrap().image.index()].pixels.rgba[0]
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.looks.iter().map(|look| look.name.as_str()).collect()
}

#[test]
fn other_teams_have_their_colour_under_a_picture() {
    let (scene, _) = lifted(&dressed(), &skin(128), &asked());
    assert_eq!(names(&scene), (1..13).map(|team| format!("team {team}")).collect::<Vec<_>>());
    for look in &scene.looks {
        let own: Vec<usize> = look.swaps.iter().map(|(own, _)| own.index()).collect();
        assert_eq!(own, [0], "what shows no team stays as it is");
    }
    let [(_, blue)] = swaps(&scene, &scene.looks[0])[..] else { panic!("{:?}", scene.looks[0]) };
    // 0042ff: (200 · 128 + 0 · 127) / 255 = 100.39, (100 · 128 + 66 · 127) / 255 = 83.07, (50 · 128 + 255 · 127) / 255 = 152.1.
    assert_eq!(shown(&scene, blue), [100, 83, 152, 255]);
    assert_eq!((blue.name.as_str(), blue.alpha_mode), ("material 0 team 1", AlphaMode::Opaque));
    assert_eq!(blue.extras, scene.materials[0].extras);
    assert_eq!(
        (scene.materials.len(), scene.images.len()),
        (2 + 12, 2 + 12),
        "what is the same is there once"
    );
}

#[test]
fn whoever_does_not_ask_gets_none() {
    let (scene, report) = lifted(&dressed(), &skin(128), &Options::default());
    assert_eq!((scene.looks.len(), scene.materials.len(), scene.images.len()), (0, 2, 2));
    let (more, told) = lifted(&dressed(), &skin(128), &asked());
    assert_eq!(more.materials[..2], scene.materials, "what was there is where it was");
    assert_eq!(told.findings(), report.findings(), "nothing is told twice");
}

#[test]
fn what_no_team_changes_is_no_look() {
    let (scene, _) = lifted(&dressed(), &skin(255), &asked());
    assert!(scene.looks.is_empty(), "the picture covers the colour");
    assert_eq!((scene.materials.len(), scene.images.len()), (2, 2));
    let plain = model(&[(0, "Skin.blp")], &[vec![layer(0, 0, 0, 1.0)]]);
    assert!(lifted(&plain, &skin(128), &asked()).0.looks.is_empty(), "there is no colour");
    let (scene, _) = lifted(&reforged(), &surfaces(0), &asked());
    assert!(scene.looks.is_empty(), "the mask hides it");
}

#[test]
fn the_own_team_is_no_other() {
    let [.., nobody] = TEAMS;
    let (scene, _) = lifted(&dressed(), &skin(128), &Options { team: nobody, ..asked() });
    assert_eq!((scene.looks.len(), names(&scene)[0], names(&scene)[11]), (12, "team 0", "team 11"));
    let (scene, _) = lifted(&dressed(), &skin(128), &Options { team: [1, 2, 3], ..asked() });
    assert_eq!(scene.looks.len(), 13, "a colour of its own is no team's");
}

#[test]
fn colours_and_glows_by_themselves_change_too() {
    let both = model(&[(1, ""), (2, "")], &[vec![layer(0, 0, 0, 1.0)], vec![layer(3, 0, 1, 1.0)]]);
    let (scene, _) = lifted(&both, &[], &asked());
    let [(0, color), (1, glow)] = swaps(&scene, &scene.looks[0])[..] else { panic!("{:?}", scene.looks[0]) };
    assert!(color.texture.is_none());
    // 66 / 255 = 0.25882, ((0.25882 + 0.055) / 1.055)^2.4 = 0.05448.
    let [red, green, blue, _] = color.base_color.to_array();
    assert!(red == 0.0 && (green - 0.05448).abs() < 1e-5 && blue == 1.0, "{}", color.base_color);
    let glow = &scene.images[glow.texture.as_ref().unwrap().image.index()];
    assert_eq!(glow.name, "replaceable 2 team 1");
    let middle = glow.pixels.rgba[glow.pixels.rgba.len() / 2 + 32];
    // Added, its brightest part is all of it.
    assert!(middle[0] == 0 && middle[1].abs_diff(66) < 2 && middle[2] == 255, "{middle:?}");
    let stacked = Options { layers: galvani_mdx::lift::Layers::Stack, ..asked() };
    let (scene, _) = lifted(&dressed(), &skin(128), &stacked);
    let own: Vec<usize> = scene.looks[0].swaps.iter().map(|(own, _)| own.index()).collect();
    assert_eq!(own, [0], "of stacked layers the one that is the colour");
}

/// A material of Reforged by six pictures.
fn reforged() -> Shown {
    let layers: Vec<Vec<u8>> = (0..6)
        .map(|texture| {
            let fixed = bytes().u32(0).u32(0).i32(texture).i32(-1).i32(0).f32s(&[1.0, 0.5]);
            sized(fixed)
        })
        .collect();
    let head = bytes().i32(0).u32(0).text(80, "Shader_HD_DefaultUnit").tag("LAYS").u32(6);
    let textures: Vec<String> = (0..6).map(|i| format!("{i}.dds")).collect();
    let textures: Vec<(u32, &str)> = textures.iter().map(|path| (0, path.as_str())).collect();
    Shown {
        version: 900,
        materials: vec![sized(head.raw(layers.concat()))],
        geosets: vec![common::shown::geoset_with(0, &[4], &[3], &[0, 1, 2], Some(0))],
        ..model(&textures, &[])
    }
}

/// Its pictures, so much of it being the team's.
fn surfaces(part: u8) -> [Picture; 6] {
    [[100, 100, 100, 255], [128, 191, 0, 7], [10, 20, 30, part], [9; 4], [0; 4], [0; 4]].map(pixel)
}

#[test]
fn masks_of_reforged_take_every_teams_colour() {
    let (scene, _) = lifted(&reforged(), &surfaces(51), &asked());
    let [(0, blue)] = swaps(&scene, &scene.looks[0])[..] else { panic!("{:?}", scene.looks) };
    // A fifth (51 / 255) is 100 times 0042ff: 0, 25.88, 100 of it; so 80, 85.2, 100.
    assert_eq!(shown(&scene, blue), [80, 85, 100, 255]);
    let own = &scene.materials[0];
    assert_eq!((&blue.normal, &blue.orm, &blue.glow), (&own.normal, &own.orm, &own.glow));
    assert_eq!(scene.images.len(), 4 + 12, "directions, surface and glow are everybody's");
}

/// What a scene shows at a time of its first clip.
fn at(scene: &Scene, time: f32) -> Moment {
    let (mut sampler, mut moment) = (Sampler::new(scene), Moment::at_rest(scene));
    sampler.sample(&scene.clips[0], time, &mut moment);
    moment
}

#[test]
fn what_stands_in_fades_and_changes_as_what_it_stands_for() {
    let fades = floats("KMTA", &[(0, 1.0), (1000, 0.0)]);
    let tinted = vectors("KGAC", &[(0, [1.0; 3]), (1000, [0.0; 3])]);
    let both =
        model(&[(1, ""), (2, "")], &[vec![layer(0, 0, 0, 1.0)], vec![layer_with(2, 0, 1, -1, 1.0, fades)]]);
    let shown = Shown { tints: vec![tint(0, 1.0, 2, [1.0; 3], tinted)], ..both };
    let (scene, _) = lifted(&shown, &[], &asked());
    let [(_, color), (_, glow)] = scene.looks[0].swaps[..] else { panic!("{:?}", scene.looks) };
    let moment = at(&scene, 0.5);
    let alpha = moment.colors.get(glow.index()).w;
    assert!((alpha - 0.5).abs() < 1e-3 && alpha == moment.colors.get(1).w, "{alpha}");
    let (red, blue) = (moment.colors.red[color.index()], moment.colors.blue[color.index()]);
    // Half of it is 0.214 as light.
    assert!(red == 0.0 && (blue - 0.214).abs() < 2e-3, "{red} {blue}");
}

#[test]
fn flip_books_show_the_glow_of_their_team() {
    let keys = head("KMTF", 2, 0, -1).i32(0).u32(1).i32(500).u32(0);
    let flips = model(&[(2, ""), (0, "A.blp")], &[vec![layer_with(2, 0, 0, -1, 1.0, keys)]]);
    let (scene, _) = lifted(&flips, &[Picture::default(), pixel([1, 2, 3, 255])], &asked());
    let [(own, blue)] = scene.looks[0].swaps[..] else { panic!("{:?}", scene.looks) };
    let (first, then) = (at(&scene, 0.1), at(&scene, 0.6));
    assert_eq!(first.images[own.index()], first.images[blue.index()], "a picture is everybody's");
    let name = |material: galvani_scene::Id<Material>| {
        then.images[material.index()].map(|image| scene.images[image.index()].name.as_str())
    };
    assert_eq!((name(own), name(blue)), (Some("replaceable 2"), Some("replaceable 2 team 1")));
}
