//! Models of every kind, built from plans by a small generator of numbers.

use galvani::Reading;
use galvani::core::maths::Wxyz;
use galvani_parkan::msh::build::{GeometryPlan, KeyPlan, NodePlan, PartPlan, Plan, TrianglePlan, build};
use galvani_parkan::msh::write;

/// Name and bytes of each.
pub(crate) fn models() -> Vec<(String, Vec<u8>)> {
    let mut models = Vec::new();
    for reading in [Reading::Observed, Reading::Documented] {
        for (kind, nodes, keys, parts) in
            [("static", 3, 1, 1), ("moving", 6, 9, 2), ("still", 1, 0, 1), ("parts", 2, 4, 30)]
        {
            let mut numbers = Numbers(models.len() as u64 + 1);
            let nodes = (0..nodes).map(|i| node(i, keys, parts, &mut numbers)).collect();
            let plan = Plan { name: kind.as_bytes().to_vec(), reading, nodes, ..Plan::default() };
            let bytes = write(&build(&plan).unwrap().document).unwrap();
            models.push((format!("{kind}-{}", reading.word()), bytes));
        }
    }
    models
}

fn node(index: usize, keys: usize, parts: usize, numbers: &mut Numbers) -> NodePlan {
    let mut time = 0;
    let mut key = |i: usize| {
        time += if i == 0 { 0 } else { 1 + numbers.below(7) };
        // The first is no rotation: by that the reading is told.
        let rotation = if i == 0 { [1.0, 0.0, 0.0, 0.0] } else { numbers.rotation() };
        KeyPlan { time, position: [(); 3].map(|()| numbers.between(-4.0, 4.0)), rotation: Wxyz(rotation) }
    };
    let track = (0..keys).map(&mut key).collect();
    let parent = (index > 0).then(|| numbers.below(u32::try_from(index).unwrap()) as usize);
    // Names that readers fall over: twice the same, Cyrillic, with spaces and dots.
    let name = ["part.1", "part.1", "ствол", "a b/c", "", "узел"][index % 6].as_bytes().to_vec();
    let mut node = NodePlan { name, parent, track, ..NodePlan::default() };
    node.slots[0][0] = Some(geometry(parts, numbers));
    node.slots[0][4] = Some(geometry(1, numbers));
    node
}

/// A tent per part, each of its own material.
fn geometry(parts: usize, numbers: &mut Numbers) -> GeometryPlan {
    let mut plan = GeometryPlan::default();
    for part in 0..parts {
        let first = u32::try_from(plan.positions.len()).unwrap();
        plan.positions.extend((0..4).map(|_| [(); 3].map(|()| numbers.between(-5.0, 5.0))));
        plan.uv.extend((0..4).map(|_| [(); 2].map(|()| numbers.between(0.0, 8.0))));
        let triangle = |vertices: [u32; 3]| TrianglePlan { vertices: vertices.map(|v| v + first), flags: 0 };
        plan.parts.push(PartPlan {
            triangles: vec![triangle([0, 1, 2]), triangle([0, 2, 3]), triangle([0, 3, 1])],
            material: u16::try_from(part).unwrap(),
            ..PartPlan::default()
        });
    }
    plan
}

/// Numbers that look random and are the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(end)).unwrap()
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.below(1 << 20) as f32 / (1 << 20) as f32
    }

    fn rotation(&mut self) -> [f32; 4] {
        let parts = [(); 4].map(|()| self.between(-1.0, 1.0));
        let length = parts.iter().map(|part| part * part).sum::<f32>().sqrt();
        if length < 0.1 { [0.0, 1.0, 0.0, 0.0] } else { parts.map(|part| part / length) }
    }
}
