//! What a trip changes of surfaces, of how those move, and of other looks: nothing of that goes back, so that all of it is told.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common {
    pub(crate) mod reconciled;
}

use common::reconciled::reconcile;
use galvani_scene::trip::Tolerances;
use galvani_scene::{
    AlphaMode, Clip, Curve, Filter, Id, Image, Look, Material, Mesh, Node, Primitive, Scene, SceneImage,
    Texture, Track, Wrap,
};
use glam::{Vec2, Vec3, Vec4};

/// A kite of two surfaces, each with a picture, that fades and drifts, and may be worn by another team.
fn kite() -> Scene {
    let image = |name: &str| SceneImage {
        name: name.to_owned(),
        pixels: Image { width: 1, height: 1, rgba: vec![[255; 4]] },
    };
    let material = |name: &str, image: usize| Material {
        name: name.to_owned(),
        texture: Some(Texture::plain(Id::new(image))),
        ..Material::default()
    };
    let mut materials = vec![material("silk", 0), material("tail", 1), material("silk of others", 2)];
    materials[0].orm = Some(Texture::plain(Id::new(1)));
    let part = |material: usize, count: usize| {
        let number = |i: usize| f32::from(u8::try_from(i).unwrap());
        let at = |i: usize| Vec3::new(number(i), number(material), 0.0);
        Primitive {
            material: Some(Id::new(material)),
            positions: (0..count * 3)
                .map(|i| at(i) + if i % 3 == 2 { Vec3::Z } else { Vec3::ZERO })
                .collect(),
            indices: (0..u32::try_from(count * 3).unwrap()).collect(),
            ..Primitive::default()
        }
    };
    let times = || vec![0.0, 0.5, 1.0];
    let alpha = Curve::linear(times(), vec![1.0, 0.5, 1.0]);
    let drift = Curve::linear(times(), [0.0, 0.25, 1.0].map(|x| Vec2::new(x, 0.0)).to_vec());
    let shown = Curve::step(times(), vec![Some(Id::new(0)), Some(Id::new(1)), Some(Id::new(0))]);
    let silk = Id::new(0);
    let tracks =
        vec![Track::Alpha(silk, alpha), Track::UvOffset(silk, drift), Track::Texture(Id::new(1), shown)];
    Scene {
        nodes: vec![Node { name: "kite".to_owned(), mesh: Some(Id::new(0)), ..Node::default() }],
        meshes: vec![Mesh {
            name: "kite".to_owned(),
            primitives: vec![part(0, 1), part(1, 2)],
            ..Mesh::default()
        }],
        materials,
        images: ["silk.png", "tail.png", "others.png"].map(image).to_vec(),
        clips: vec![Clip { name: "Fly".to_owned(), duration: 1.0, tracks, ..Clip::default() }],
        looks: vec![Look { name: "others".to_owned(), swaps: vec![(silk, Id::new(2))] }],
        ..Scene::default()
    }
}

/// What is told of a change of which nothing is taken.
fn told(change: impl Fn(&mut Scene)) -> Vec<String> {
    let base = kite();
    let mut found = base.clone();
    change(&mut found);
    let (made, report) = reconcile(&base, &found, Tolerances::of_size(4.0)).unwrap();
    assert!(made == base, "nothing of that is taken");
    report.findings().iter().map(|it| format!("{}: {}: {}", it.code.name, it.path, it.message)).collect()
}

/// The same as programs have it that put materials, and with them all that names them, in another order.
fn reordered(mut scene: Scene) -> Scene {
    let last = scene.materials.len() - 1;
    let other = |id: Id<Material>| Id::new(last - id.index());
    scene.materials.reverse();
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = primitive.material.map(other);
    }
    for (of, with) in scene.looks.iter_mut().flat_map(|look| &mut look.swaps) {
        (*of, *with) = (other(*of), other(*with));
    }
    scene
}

#[test]
fn unchanged_nothing_is_told() {
    assert_eq!(told(|_| {}), Vec::<String>::new());
    // What only the extras say of motions names materials by numbers, which other programs do not follow.
    assert_eq!(told(|found| *found = reordered(found.clone())), Vec::<String>::new());
}

#[test]
fn other_surfaces_are_told() {
    type Change = fn(&mut Material);
    let changes: [(Change, &str); 9] = [
        (|it| it.base_color = Vec4::new(0.5, 1.0, 1.0, 1.0), "another colour"),
        (|it| it.alpha_mode = AlphaMode::Blend, "another way to cover what is behind"),
        (|it| it.two_sided = true, "another back"),
        (|it| it.texture.as_mut().unwrap().wrap[1] = Wrap::Clamp, "another edge of a picture"),
        (|it| it.texture.as_mut().unwrap().filter = Filter::Nearest, "other pixels of a picture"),
        (|it| it.texture.as_mut().unwrap().uv_set = 1, "other coordinates of a picture"),
        (|it| it.texture.as_mut().unwrap().transform.offset.x = 0.5, "a picture that lies elsewhere"),
        (|it| it.texture.as_mut().unwrap().transform.rotation = 0.5, "a picture that lies elsewhere"),
        (|it| it.orm.as_mut().unwrap().transform.scale.y = 2.0, "a picture that lies elsewhere"),
    ];
    for (change, what) in changes {
        let said = format!("scene.not-taken: materials: `silk` has {what}");
        assert_eq!(told(|found| change(&mut found.materials[0])), [said]);
    }
}

/// Whether it is one that was on another surface, or a new one.
#[test]
fn another_picture_on_a_surface_is_told() {
    let said = ["scene.not-taken: materials: `silk` has another picture"];
    assert_eq!(told(|found| found.materials[0].texture.as_mut().unwrap().image = Id::new(1)), said);
    assert_eq!(told(|found| found.materials[0].orm.as_mut().unwrap().image = Id::new(0)), said);
    let new = |found: &mut Scene| {
        let name = "new.png".to_owned();
        found.images.push(SceneImage { name, ..found.images[0].clone() });
        found.materials[0].texture.as_mut().unwrap().image = Id::new(3);
    };
    assert_eq!(told(new), said);
    assert_eq!(
        told(|found| found.materials[0].texture = None),
        ["scene.not-taken: materials: `silk` has other pictures than before"]
    );
}

#[test]
fn other_motions_of_surfaces_are_told() {
    let changed = |at: usize| {
        told(move |found| match &mut found.clips[0].tracks[at] {
            Track::Alpha(_, curve) => curve.values[1] = 0.25,
            Track::UvOffset(_, curve) => curve.values[1].y = 0.5,
            Track::Texture(_, curve) => curve.values[1] = None,
            _ => {}
        })
    };
    assert_eq!(changed(0), ["scene.not-taken: clips: the alpha of `silk` in `Fly`, 2.5e-1 off"]);
    assert_eq!(changed(1), ["scene.not-taken: clips: the uv_offset of `silk` in `Fly`, 5.0e-1 off"]);
    assert_eq!(changed(2), ["scene.not-taken: clips: the texture of `tail` in `Fly`, for 0.5 s"]);
    let times = told(|found| {
        if let Track::Alpha(_, curve) = &mut found.clips[0].tracks[0] {
            curve.times[1] = 0.75;
        }
    });
    assert_eq!(times, ["scene.not-taken: clips: the alpha of `silk` in `Fly`, 2.5e-1 off"]);
    let gone = told(|found| drop(found.clips[0].tracks.remove(1)));
    assert_eq!(gone, ["scene.not-taken: clips: the uv_offset of `silk` in `Fly` is gone"]);
    let new = told(|found| {
        let red = Curve::linear(vec![0.0, 1.0], vec![Vec3::ONE, Vec3::X]);
        found.clips[0].tracks.push(Track::Color(Id::new(1), red));
    });
    assert_eq!(new, ["scene.not-taken: clips: the color of `tail` in `Fly` is new"]);
    let none = told(|found| found.clips[0].tracks.clear());
    assert_eq!(none, ["scene.absent: clips: how surfaces move"]);
    let sampled = told(|found| {
        let times: Vec<f32> = (0..=24_u8).map(|frame| f32::from(frame) / 24.0).collect();
        let Track::Alpha(id, curve) = found.clips[0].tracks[0].clone() else { return };
        let values = times.iter().map(|time| curve.at(*time).unwrap()).collect();
        found.clips[0].tracks[0] = Track::Alpha(id, Curve::linear(times, values));
    });
    assert!(sampled.iter().all(|told| told.starts_with("scene.resampled")), "{sampled:?}");
}

#[test]
fn other_looks_are_told() {
    let renamed = told(|found| found.looks[0].name = "mine".to_owned());
    assert_eq!(renamed, ["scene.not-taken: looks: `others` is gone; `mine` is new"]);
    let swapped = told(|found| found.looks[0].swaps[0].1 = Id::new(1));
    assert_eq!(swapped, ["scene.not-taken: looks: `others` shows `tail` instead of `silk of others`"]);
    let more = told(|found| found.looks[0].swaps.push((Id::new(1), Id::new(0))));
    assert_eq!(more, ["scene.not-taken: looks: `others` shows `silk` instead of `tail`"]);
    let fewer = told(|found| found.looks[0].swaps.clear());
    assert_eq!(fewer, ["scene.not-taken: looks: `others` shows `silk` instead of `silk of others`"]);
    let none = told(|found| found.looks.clear());
    assert_eq!(none, ["scene.absent: looks: `others` is gone"]);
}

/// Which triangles show a surface is known by its name, in any spelling; one of another name by its triangles.
#[test]
fn other_names_of_surfaces_are_no_other_shapes() {
    assert_eq!(told(|found| found.materials[1].name = "tail.001".to_owned()), Vec::<String>::new());
    let renamed = told(|found| found.materials[1].name = "ribbon".to_owned());
    assert_eq!(renamed, ["scene.not-taken: materials: `tail` is called `ribbon`"]);
    let both = told(|found| {
        found.materials[0].name = "a".to_owned();
        found.materials[1].name = "b".to_owned();
        found.materials[1].two_sided = true;
    });
    assert_eq!(
        both,
        ["scene.not-taken: materials: `silk` is called `a`; `tail` is called `b`; `tail` has another back"]
    );
    let other = told(|found| {
        found.meshes[0].primitives[1].material = None;
    });
    assert_eq!(other, ["scene.not-taken: materials: `kite` shows no surface instead of `tail`"]);
}

/// Where several have as many triangles, where those are tells which is which.
#[test]
fn renamed_surfaces_of_as_many_triangles_are_known_by_their_places() {
    let mut base = kite();
    base.meshes[0].primitives[1].indices.truncate(3);
    let mut found = base.clone();
    (found.materials[0].name, found.materials[1].name) = ("z".to_owned(), "a".to_owned());
    found.meshes[0].primitives[1].positions[0].z = 0.5;
    let mut wanted = base.clone();
    wanted.meshes[0].primitives[1].positions[0].z = 0.5;
    let (made, _) = reconcile(&base, &found, Tolerances::of_size(4.0)).unwrap();
    assert!(made == wanted);
}
