//! Field models as scenes: posed as the game poses them, with what their resources show.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]
#![allow(clippy::float_cmp, reason = "what is copied is the same")]

#[path = "common/triangle.rs"]
mod triangle;

use std::collections::BTreeMap;
use std::fmt::Write;

use galvani_core::image::Additive;
use galvani_core::{Image, Report};
use galvani_ff7::field::a::sample::rotation;
use galvani_ff7::field::a::{self, FRAME_RATE, Frames, ORDER};
use galvani_ff7::field::hrc;
use galvani_ff7::lift::Picture;
use galvani_ff7::lift::field::{self, Animation, Field, Resource};
use galvani_ff7::lift::still::{self, StillSource};
use galvani_ff7::p::{self, Poly};
use galvani_scene::{Matrices, Moment, Sampler, Scene, check, to_model};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use glam::{DMat4, DQuat, DVec3, Vec3};
use proptest::collection::vec;
use proptest::prelude::*;
use zerocopy::FromZeros;

/// A skeleton of bones by the place of their parents, lengths and resources.
fn skeleton(bones: &[(Option<usize>, f32, &str)]) -> hrc::Document {
    let mut text = format!(":HEADER_BLOCK 2\r\n:SKELETON test\r\n:BONES {}\r\n", bones.len());
    for (i, (parent, length, part)) in bones.iter().enumerate() {
        let parent = parent.map_or("root".to_owned(), |parent| format!("bone{parent}"));
        let parts = part.split_whitespace().count();
        write!(text, "\r\nbone{i}\r\n{parent}\r\n{length}\r\n{parts} {part}\r\n").unwrap();
    }
    hrc::Document { text: text.into_bytes() }
}

/// What each bone hangs on, how long it is, and what it shows.
type Bones = Vec<(Option<usize>, f32, &'static str)>;

/// Rotation and place of the root, and the rotations of the bones.
type Pose = ([f32; 3], [f32; 3], Vec<[f32; 3]>);

fn animation(name: &str, order: [u8; 3], poses: &[Pose]) -> Animation {
    let bones = poses.first().map_or(0, |(.., bones)| bones.len());
    let mut frames = Frames::new(u32::try_from(bones).unwrap());
    for (turn, place, bones) in poses {
        frames.push(*turn, *place, bones);
    }
    let document = a::Document { rotation_order: order, ..a::Document::new(frames) };
    Animation { name: name.to_owned(), file: format!("{name}.a"), document }
}

/// Where the game has the root and the bones, plainly: root, then bone by bone along -Z of what it hangs on.
fn wanted(bones: &[(Option<usize>, f32, &str)], order: [u8; 3], pose: &Pose) -> Vec<DMat4> {
    let turned = |degrees: [f32; 3]| DMat4::from_quat(rotation(degrees, order));
    let place = DVec3::from_array(pose.1.map(f64::from));
    let mut all = vec![DMat4::from_translation(place) * turned(pose.0)];
    for ((parent, ..), degrees) in bones.iter().zip(&pose.2) {
        let (above, length) = match parent {
            Some(parent) => (all[parent + 1], f64::from(bones[*parent].1)),
            None => (all[0], 0.0),
        };
        all.push(above * DMat4::from_translation(DVec3::new(0.0, 0.0, -length)) * turned(*degrees));
    }
    all
}

fn places(scene: &Scene, clip: usize, time: f32) -> Vec<DMat4> {
    let (mut sampler, mut moment) = (Sampler::new(scene), Moment::at_rest(scene));
    sampler.sample(&scene.clips[clip], time, &mut moment);
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &moment, &mut models);
    (0..scene.nodes.len()).map(|node| glam::Mat4::from(models.matrix(node)).as_dmat4()).collect()
}

/// Bones that hang on bones before them, and poses of them.
fn models() -> impl Strategy<Value = (Bones, Vec<Pose>)> {
    (1_usize..12).prop_flat_map(|count| {
        let bone = (any::<prop::sample::Index>(), 0.0..40.0_f32);
        let degrees = || prop::array::uniform3(-400.0..400.0_f32);
        let pose = (degrees(), prop::array::uniform3(-100.0..100.0_f32), vec(degrees(), count));
        (vec(bone, count), vec(pose, 1..6)).prop_map(|(bones, poses)| {
            let bone = |(i, (parent, length)): (usize, (prop::sample::Index, f32))| {
                (parent.index(i + 1).checked_sub(1), length, "")
            };
            (bones.into_iter().enumerate().map(bone).collect(), poses)
        })
    })
}

proptest! {
    #[test]
    fn every_bone_is_where_the_game_has_it((bones, poses) in models(), order in prop_oneof![Just(ORDER), Just([0, 1, 2]), Just([2, 0, 1])]) {
        let model = Field { skeleton: skeleton(&bones), animations: vec![animation("rock", order, &poses)], ..Field::default() };
        let (scene, report) = field::field(&model, Additive::Bake).unwrap();
        prop_assert!(report.findings().is_empty(), "{:?}", report.findings());
        let wrong = check(&scene);
        prop_assert_eq!(wrong.findings(), []);
        prop_assert_eq!(scene.nodes.len(), bones.len() + 1);
        // Both sides turned half about X.
        let half = DMat4::from_diagonal(DVec3::new(1.0, -1.0, -1.0).extend(1.0));
        for (frame, pose) in poses.iter().enumerate() {
            let time = f32::from(u16::try_from(frame).unwrap()) / FRAME_RATE;
            for (found, wanted) in places(&scene, 0, time).into_iter().zip(wanted(&bones, order, pose)) {
                let off = (found - half * wanted * half).to_cols_array().map(f64::abs);
                prop_assert!(off.into_iter().all(|part| part < 1e-5 * 600.0), "{found} found");
            }
        }
        let last = poses.len() - 1;
        prop_assert_eq!(scene.clips[0].duration, f32::from(u16::try_from(last).unwrap()) / FRAME_RATE);
    }
}

#[test]
fn between_frames_bones_take_the_shorter_arc() {
    let poses =
        [([0.0, 350.0, 0.0], [0.0; 3], vec![[0.0; 3]]), ([0.0, 10.0, 0.0], [6.0, 0.0, 0.0], vec![[0.0; 3]])];
    let bones = [(None, 1.0, "")];
    let model = Field {
        skeleton: skeleton(&bones),
        animations: vec![animation("a", ORDER, &poses)],
        ..Field::default()
    };
    let (scene, _) = field::field(&model, Additive::Bake).unwrap();
    let root = places(&scene, 0, 0.5 / FRAME_RATE)[0];
    let wanted = DMat4::from_rotation_translation(DQuat::IDENTITY, DVec3::new(3.0, 0.0, 0.0));
    assert!((root - wanted).to_cols_array().into_iter().all(|part| part.abs() < 1e-6), "{root}");
}

/// One triangle, perhaps with a texture, and with a normal.
fn triangle(texture: Option<u32>, blend_mode: u32) -> p::Document {
    triangle::triangle(texture, blend_mode, [0, 188, 255, 51], Some([0.0, 2.0, 0.0]))
}

fn picture(name: &str, is_there: bool) -> Picture {
    let image = Image { width: 1, height: 1, rgba: vec![[9, 8, 7, 255]] };
    let (name, looked) = (name.to_owned(), vec![format!("here/{name}")]);
    Picture { name, image: is_there.then_some(image), looked, ..Picture::default() }
}

/// A picture with a second palette.
fn dyed(name: &str) -> Picture {
    let red = Image { width: 1, height: 1, rgba: vec![[255, 0, 0, 255]] };
    Picture { palettes: vec![red], ..picture(name, true) }
}

fn names(report: &Report) -> Vec<&'static str> {
    report.findings().iter().map(|finding| finding.code.name).collect()
}

#[test]
fn bones_show_their_resources_each_with_its_own_textures() {
    let part = triangle(Some(0), 4);
    let resource =
        |textures: Vec<usize>| Resource { file: "part.p".to_owned(), part: part.clone(), textures };
    let resources =
        BTreeMap::from([("aaab".to_owned(), resource(vec![1])), ("aaac".to_owned(), resource(vec![0]))]);
    let model = Field {
        skeleton: skeleton(&[(None, 5.0, "AAAB aaac"), (Some(0), 5.0, "")]),
        resources,
        pictures: vec![picture("a.tex", true), dyed("b.tex")],
        ..Field::default()
    };
    let (scene, report) = field::field(&model, Additive::Bake).unwrap();
    assert_eq!((names(&report), check(&scene).findings()), (vec![], &[][..]));
    let mesh = &scene.meshes[scene.nodes[1].mesh.unwrap().index()];
    assert_eq!((scene.nodes[1].name.as_str(), scene.nodes[2].mesh), ("bone0", None));
    let shown: Vec<&str> = mesh
        .primitives
        .iter()
        .map(|primitive| scene.materials[primitive.material.unwrap().index()].name.as_str())
        .collect();
    assert_eq!(shown, ["b.tex", "a.tex"]);
    let [look] = &scene.looks[..] else { panic!("{:?}", scene.looks) };
    let [(own, red)] = look.swaps[..] else { panic!("{look:?}") };
    assert_eq!((look.name.as_str(), Some(own)), ("palette 1", mesh.primitives[0].material));
    assert_eq!(scene.materials[red.index()].name, "b.tex palette 1", "only one of them has another");
    let primitive = &mesh.primitives[0];
    assert_eq!(primitive.positions[1], Vec3::new(0.0, -2.0, -3.0), "the corners in the other order");
    assert_eq!(primitive.normals, [Vec3::new(0.0, -1.0, 0.0); 3]);
    let colour = primitive.colors[0];
    assert!((colour - glam::Vec4::new(1.0, 0.502_886, 0.0, 0.2)).length() < 1e-5, "{colour}");
    assert_eq!(scene.nodes[2].translation, Vec3::new(0.0, 0.0, 5.0), "−Z of the game is +Z here");
}

#[test]
fn every_loss_is_told() {
    let mut torn = triangle(None, 4);
    torn.polys[0].vertices[2] = 9.into();
    let resource = |part: p::Document| Resource { file: "part.p".to_owned(), part, textures: vec![0] };
    let resources = BTreeMap::from([
        ("lost".to_owned(), resource(triangle(Some(0), 4))),
        ("none".to_owned(), resource(triangle(Some(7), 4))),
        ("glow".to_owned(), resource(triangle(None, 1))),
        ("torn".to_owned(), resource(torn)),
    ]);
    let mut text = skeleton(&[(None, 5.0, "LOST NONE GLOW TORN"), (Some(0), 1.0, "")]);
    text.text =
        String::from_utf8(text.text).unwrap().replace("bone0\r\n1\r\n", "nobody\r\nlong\r\n").into_bytes();
    let pose = |number: f32| ([0.0; 3], [number, 0.0, 0.0], vec![[0.0; 3]; 2]);
    let other = ([0.0; 3], [0.0; 3], vec![[0.0; 3]; 3]);
    let model = Field {
        skeleton: text,
        resources,
        pictures: vec![picture("a.tex", false)],
        animations: vec![
            animation("other", ORDER, &[other]),
            animation("damaged", ORDER, &[pose(0.0), pose(f32::NAN)]),
            animation("sound", ORDER, &[pose(1.0)]),
        ],
        ..Field::default()
    };
    let (scene, report) = field::field(&model, Additive::Bake).unwrap();
    assert_eq!(check(&scene).findings(), []);
    assert_eq!((scene.clips.len(), scene.clips[0].name.as_str(), scene.clips[0].index), (1, "sound", 2));
    let told: Vec<String> = report.findings().iter().map(|finding| finding.message.clone()).collect();
    assert!(told.iter().any(|one| one.contains("`a.tex` is none of here/a.tex")), "{told:?}");
    assert!(told.iter().any(|one| one.contains("`damaged`: frame 1")), "{told:?}");
    // Whoever gathers the files tells of parts.
    every_code_is_provoked(field::ALL, [report], ["ff7-hrc.lost-part"]);
    codes_are_sound("ff7-hrc", field::ALL);
}

#[test]
fn a_part_by_itself_stands_still() {
    for (asked, all, gathered) in [
        (StillSource::Part, still::part::ALL, None),
        (StillSource::Resource, still::resource::ALL, Some("ff7-rsd.lost-part")),
    ] {
        let (scene, report) =
            still::still("a", ("", &triangle(Some(0), 4)), &[picture("a.tex", true)], asked, Additive::Bake)
                .unwrap();
        assert_eq!((names(&report), check(&scene).findings()), (vec![], &[][..]));
        assert_eq!((scene.nodes.len(), scene.images.len(), scene.clips.len()), (1, 1, 0));
        let (scene, _) =
            still::still("a", ("", &triangle(Some(0), 4)), &[dyed("a.tex")], asked, Additive::Bake).unwrap();
        assert_eq!(scene.looks.len(), 1);
        let mut torn = triangle(Some(0), 1);
        torn.polys.push(Poly { vertices: [0.into(), 1.into(), 99.into()], ..Poly::new_zeroed() });
        torn.groups[0].poly_count = 2.into();
        let (scene, report) =
            still::still("a", ("", &torn), &[picture("a.tex", false)], asked, Additive::Bake).unwrap();
        assert_eq!(check(&scene).findings(), []);
        every_code_is_provoked(all, [report], gathered);
    }
}
