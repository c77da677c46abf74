//! Models of several megabytes, as large as their formats let them be or larger than any of the games.

use galvani::core::maths::Wxyz;
use galvani::ff7::pack::{self, AngleKey, codec::Frames};
use galvani::ff7::{lgp, skeleton};
use galvani::parkan::msh::build::{GeometryPlan, KeyPlan, NodePlan, PartPlan, Plan, TrianglePlan, build};
use galvani::parkan::msh::write;
use galvani::{ReadOptions, samples};

/// A model of Parkan with nearly as many triangles, keys and frames as it can have, each corner a vertex of its own.
pub(crate) fn walls(shift: u8) -> Vec<u8> {
    const NODES: usize = 60;
    let nodes = (0..NODES).map(|node| wall(node, f32::from(shift))).collect();
    let plan = Plan { name: b"walls".to_vec(), nodes, ..Plan::default() };
    write(&build(&plan).unwrap().document).unwrap()
}

fn wall(node: usize, shift: f32) -> NodePlan {
    const TRIANGLES: usize = 1000;
    const KEYS: usize = 1000;
    let place = |i: usize| {
        let turn = float(i * 7 + node);
        [turn.sin() * float(i) * 0.01 + shift, turn.cos() * float(i) * 0.01, float(i % 91) + float(node)]
    };
    let triangle = |i: u32| TrianglePlan { vertices: [3 * i, 3 * i + 1, 3 * i + 2], flags: 0 };
    let geometry = GeometryPlan {
        positions: (0..TRIANGLES * 3).map(place).collect(),
        uv: (0..TRIANGLES * 3).map(|i| [float(i % 17) / 17.0, float(i % 23) / 23.0]).collect(),
        parts: vec![PartPlan {
            triangles: (0..u32::try_from(TRIANGLES).unwrap()).map(triangle).collect(),
            ..PartPlan::default()
        }],
        ..GeometryPlan::default()
    };
    let key = |i: usize| {
        let (sin, cos) = (float(i * (node + 3)) * 0.01).sin_cos();
        KeyPlan {
            time: u32::try_from(i).unwrap(),
            position: [float(i) * 0.1, shift, float(node)],
            rotation: Wxyz([cos, sin, 0.0, 0.0]),
        }
    };
    let name = format!("wall {node}").into_bytes();
    let mut node = NodePlan { name, track: (0..KEYS).map(key).collect(), ..NodePlan::default() };
    node.slots[0][0] = Some(geometry);
    node
}

/// The archive of the frog, who has learned so many long dances.
pub(crate) fn dances() -> Vec<u8> {
    const DANCES: u32 = 80;
    const FRAMES: u32 = 500;
    let file = samples::all().into_iter().find(|sample| sample.name == "frog.lgp").unwrap().bytes;
    let options = ReadOptions::default();
    let mut archive = lgp::read(&file, &options).unwrap().document;
    let place = |archive: &lgp::Document, name: &str| archive.find(name.as_bytes()).unwrap();
    let bones = place(&archive, "zgaa");
    let mut frog = skeleton::read(archive.payload(bones).unwrap(), &options).unwrap().document;
    frog.body_animation_count = DANCES;
    archive.replace(bones, &skeleton::write(&frog).unwrap()).unwrap();
    let dance = |dance: u32| {
        let mut frames = Frames::new(frog.bones.len() + 1);
        for frame in 0..FRAMES {
            let angle = |seed: u32| i16::try_from((seed * 2_654_435 + frame * (dance + 17)) % 4096).unwrap();
            let turns: Vec<[i16; 3]> = (0..u32::try_from(frames.rotations()).unwrap())
                .map(|bone| [1, 2, 3].map(|axis| angle(bone * axis)))
                .collect();
            frames.push([0, angle(dance), 0], &turns);
        }
        pack::edit::new_entry(&frames, AngleKey::Zero).unwrap()
    };
    let dances = pack::Document { entries: (0..DANCES).map(dance).collect(), ..pack::Document::default() };
    let pack = place(&archive, "zgda");
    archive.replace(pack, &pack::write(&dances).unwrap()).unwrap();
    lgp::write(&archive).unwrap()
}

fn float(i: usize) -> f32 {
    f32::from(u16::try_from(i % 60_000).unwrap())
}
