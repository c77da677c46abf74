//! What a scene is made of: a description for the page, and one block of bytes that its numbers lie in.

use galvani::glam::{Vec2, Vec3, Vec4};
use galvani::scene::{
    AlphaMode, Clip, Extras, Fact, Filter, Id, LightForm, Looping, Material, Primitive, Texture, Wrap,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::show::{Crowds, Layout, PULLS, Show, skins_of_meshes};
use crate::solid::Solid;

/// What a scene is made of.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    name: String,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    /// For each skin, how many joints it has, crowds included.
    skins: Vec<usize>,
    materials: Vec<Value>,
    images: Vec<Value>,
    lights: Vec<Value>,
    cameras: Vec<Value>,
    sockets: Vec<Value>,
    clips: Vec<Value>,
    variants: Vec<Value>,
    looks: Vec<Value>,
    layout: Layout,
    /// Units of the file's times in a second.
    rate: f64,
}

/// A run of numbers in the block: where it begins, in bytes, and how many there are.
#[derive(Debug, Clone, Copy, Serialize)]
struct Run {
    at: usize,
    len: usize,
}

/// The block: all numbers of four bytes, pictures four bytes to a pixel.
#[derive(Debug, Default)]
struct Block(Vec<u8>);

impl Block {
    fn run(&mut self, len: usize, bytes: impl Iterator<Item = [u8; 4]>) -> Option<Run> {
        let at = self.0.len();
        self.0.extend(bytes.flatten());
        (len > 0).then_some(Run { at, len })
    }

    fn floats(&mut self, numbers: &[f32]) -> Option<Run> {
        self.run(numbers.len(), numbers.iter().map(|number| number.to_le_bytes()))
    }

    fn wholes(&mut self, numbers: &[u32]) -> Option<Run> {
        self.run(numbers.len(), numbers.iter().map(|number| number.to_le_bytes()))
    }
}

/// The description of a model, and the block.
pub(crate) fn describe(show: &Show) -> (Description, Vec<u8>) {
    let (scene, mut block) = (&show.scene, Block::default());
    let skins = skins_of_meshes(scene);
    let mut meshes = Vec::new();
    for (mesh, skin) in scene.meshes.iter().zip(skins) {
        let crowds = skin.map(|skin| (scene.skins[skin].joints.len(), &show.crowds[skin]));
        let primitives: Vec<Value> =
            mesh.primitives.iter().map(|primitive| geometry(primitive, crowds, &mut block)).collect();
        meshes.push(json!({"name": mesh.name, "primitives": primitives, "extras": facts(&mesh.extras)}));
    }
    let mut images = Vec::new();
    for image in &scene.images {
        let pixels = &image.pixels;
        let run = block.run(pixels.rgba.len(), pixels.rgba.iter().copied());
        images
            .push(json!({"name": image.name, "width": pixels.width, "height": pixels.height, "pixels": run}));
    }
    let description = Description {
        name: scene.name.clone(),
        nodes: scene.nodes.iter().map(node).collect(),
        meshes,
        skins: scene
            .skins
            .iter()
            .zip(&show.crowds)
            .map(|(skin, crowds)| skin.joints.len() + crowds.pulls.len())
            .collect(),
        materials: scene.materials.iter().map(material).collect(),
        images,
        lights: scene.lights.iter().map(light).collect(),
        cameras: scene.cameras.iter().map(camera).collect(),
        sockets: scene.sockets.iter().map(|it| json!({"name": it.name, "node": it.node.index()})).collect(),
        clips: scene.clips.iter().map(|clip| self::clip(clip, show.rate)).collect(),
        variants: scene.variants.iter().map(variant).collect(),
        looks: scene.looks.iter().map(look).collect(),
        layout: show.layout.clone(),
        rate: show.rate,
    };
    (description, block.0)
}

/// What is solid, and the block.
pub(crate) fn solids(solids: &[Solid]) -> (Value, Vec<u8>) {
    let mut block = Block::default();
    let mut row = |solid: &Solid| {
        let (sides, links) =
            (block.floats(solid.sides.as_flattened()), block.floats(solid.links.as_flattened()));
        json!({"node": solid.node, "sides": sides, "links": links})
    };
    let rows: Vec<Value> = solids.iter().map(&mut row).collect();
    (Value::Array(rows), block.0)
}

fn index<T>(id: Option<Id<T>>) -> Value {
    id.map_or(Value::Null, |id| json!(id.index()))
}

/// What else is known, by name.
fn facts(extras: &Extras) -> Value {
    let value = |fact: &Fact| match fact {
        Fact::Flag(is_so) => json!(is_so),
        Fact::Int(number) => json!(number),
        Fact::Float(number) => json!(number),
        Fact::Text(text) => json!(text),
    };
    Value::Object(extras.iter().map(|(name, fact)| (name.clone(), value(fact))).collect())
}

fn node(node: &galvani::scene::Node) -> Value {
    json!({
        "name": node.name,
        "parent": index(node.parent),
        "mesh": index(node.mesh),
        "skin": index(node.skin),
        "light": index(node.light),
        "camera": index(node.camera),
        "extras": facts(&node.extras),
    })
}

/// The lists of a primitive. What many joints pull at is pulled at by one crowd.
fn geometry(primitive: &Primitive, crowds: Option<(usize, &Crowds)>, block: &mut Block) -> Value {
    let three = |list: &[Vec3]| list.iter().flat_map(Vec3::to_array).collect::<Vec<f32>>();
    let four = |list: &[Vec4]| list.iter().flat_map(Vec4::to_array).collect::<Vec<f32>>();
    let two = |list: &[Vec2]| list.iter().flat_map(Vec2::to_array).collect::<Vec<f32>>();
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    if let Some((count, crowds)) = crowds {
        for pulls in primitive.influences.iter() {
            let crowd = (pulls.len() > PULLS).then(|| crowds.find(pulls)).flatten();
            let one = crowd.map(|crowd| (count + crowd, 1.0));
            let all = pulls.iter().map(|pull| (pull.joint, pull.weight));
            let mut row: Vec<(usize, f32)> = one.map_or_else(|| all.collect(), |one| vec![one]);
            row.resize(PULLS, (0, 0.0));
            joints.extend(row.iter().map(|(joint, _)| u32::try_from(*joint).unwrap_or(0)));
            weights.extend(row.iter().map(|(_, weight)| *weight));
        }
    }
    json!({
        "material": index(primitive.material),
        "positions": block.floats(&three(&primitive.positions)),
        "normals": block.floats(&three(&primitive.normals)),
        "uvs": primitive.uvs.iter().map(|set| block.floats(&two(set))).collect::<Vec<_>>(),
        "colors": block.floats(&four(&primitive.colors)),
        "joints": block.wholes(&joints),
        "weights": block.floats(&weights),
        "indices": block.wholes(&primitive.indices),
    })
}

fn texture(texture: &Texture) -> Value {
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Clamp => "clamp",
        Wrap::Mirror => "mirror",
    };
    json!({
        "image": texture.image.index(),
        "uv_set": texture.uv_set,
        "wrap": texture.wrap.map(wrap),
        "smooth": texture.filter == Filter::Linear,
    })
}

fn material(material: &Material) -> Value {
    let (mode, cutoff) = match material.alpha_mode {
        AlphaMode::Opaque => ("opaque", 0.0),
        AlphaMode::Mask(cutoff) => ("mask", cutoff),
        AlphaMode::Blend => (blending(material), 0.0),
    };
    json!({
        "name": material.name,
        "texture": material.texture.as_ref().map(texture),
        "glow": material.glow.as_ref().map(texture),
        "emissive": material.emissive.to_array(),
        "mode": mode,
        "cutoff": cutoff,
        "two_sided": material.two_sided,
        "unlit": material.unlit,
        "extras": facts(&material.extras),
    })
}

/// How a surface lies over what is behind it, as its game has it: what glTF cannot say stands beside.
fn blending(material: &Material) -> &'static str {
    let filter = match material.extras.get("filter") {
        Some(Fact::Text(word)) => word.as_str(),
        _ => "",
    };
    let number = |name| match material.extras.get(name) {
        Some(Fact::Int(number)) => Some(*number),
        _ => None,
    };
    let flags = number("blend_flags").map(|flags| flags >> 2 & 0xf);
    match (filter, flags, number("blend_mode")) {
        ("additive" | "add alpha", ..) | (_, Some(2), _) | (_, _, Some(1)) => "add",
        ("modulate" | "modulate 2x", ..) | (_, Some(3 | 4), _) => "multiply",
        (_, _, Some(2)) => "subtract",
        (_, _, Some(3)) => "add quarter",
        _ => "over",
    }
}

fn light(light: &galvani::scene::Light) -> Value {
    let form = match light.form {
        LightForm::Point => "point",
        LightForm::Directional => "directional",
        LightForm::Spot { .. } => "spot",
    };
    json!({"name": light.name, "form": form, "color": light.color.to_array(), "intensity": light.intensity, "range": light.range})
}

fn camera(camera: &galvani::scene::Camera) -> Value {
    json!({"name": camera.name, "fov_y": camera.fov_y, "near": camera.near, "far": camera.far})
}

/// A clip with its times in the file's own units.
fn clip(clip: &Clip, rate: f64) -> Value {
    // Seconds are of single precision: whole units come back whole.
    let own = |seconds: f32| {
        let time = f64::from(seconds) * rate;
        let whole = time.round();
        if (time - whole).abs() <= whole.abs() * 1e-6 { whole } else { time }
    };
    let events: Vec<Value> =
        clip.events.iter().map(|event| json!({"name": event.name, "time": own(event.time)})).collect();
    json!({
        "name": clip.name,
        "index": clip.index,
        "length": own(clip.duration),
        "looping": clip.looping == Looping::Wrap,
        "events": events,
    })
}

fn variant(variant: &galvani::scene::Variant) -> Value {
    let shows: Vec<Value> =
        variant.shows.iter().map(|(node, mesh)| json!([node.index(), index(*mesh)])).collect();
    json!({"name": variant.name, "state": variant.state, "level": variant.level, "shows": shows})
}

fn look(look: &galvani::scene::Look) -> Value {
    let swaps: Vec<[usize; 2]> = look.swaps.iter().map(|(a, b)| [a.index(), b.index()]).collect();
    json!({"name": look.name, "swaps": swaps})
}
