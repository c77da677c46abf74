//! Meshes and skins.

use galvani_core::Path;
use galvani_scene::{Id, Influences, Material, Mesh, Primitive, Pull, Skin, Texture, UvTransform};
use glam::{Vec2, Vec4};
use serde_json::json;

use crate::export::Writer;
use crate::{Extension, FOUR, extras, schema};

/// How many joints a set of attributes names.
const SET: usize = 4;

/// Where a mesh stands; it is written once as it is and once for skins.
pub(crate) fn place_of(writer: &mut Writer<'_>, id: Id<Mesh>, is_skinned: bool) -> Option<usize> {
    if let Some(known) = writer.meshes.get(&(id, is_skinned)) {
        return Some(*known);
    }
    let mesh = id.find_in(&writer.scene.meshes)?;
    let path = Path::named("meshes").index(id.index());
    let primitives = mesh.primitives.iter().map(|of| write_primitive(writer, of, is_skinned, path)).collect();
    let (name, extras) = (mesh.name.clone(), extras::scalars(&mesh.extras));
    let new = writer.root.meshes.len();
    writer.root.meshes.push(schema::Mesh { name, primitives, extras });
    writer.meshes.insert((id, is_skinned), new);
    Some(new)
}

fn write_primitive(
    writer: &mut Writer<'_>,
    of: &Primitive,
    is_skinned: bool,
    path: Path,
) -> schema::Primitive {
    let mut attributes = schema::Extras::new();
    let mut add = |name: String, accessor: usize| attributes.insert(name, json!(accessor));
    add("POSITION".to_owned(), writer.bytes.positions(&of.positions));
    if !of.normals.is_empty() {
        add("NORMAL".to_owned(), writer.bytes.normals(&of.normals));
        if !of.tangents.is_empty() {
            add("TANGENT".to_owned(), writer.bytes.fours(of.tangents.iter().map(Vec4::to_array)));
        }
    }
    for set in 0..uv_sets(writer, of) {
        add(format!("TEXCOORD_{set}"), write_uvs(writer, of, set));
    }
    if !of.colors.is_empty() {
        add("COLOR_0".to_owned(), writer.bytes.fours(of.colors.iter().map(Vec4::to_array)));
    }
    if is_skinned {
        for (set, (joints, weights)) in influence_sets(&of.influences).into_iter().enumerate() {
            if set == 1 {
                writer.report.push(FOUR.at(path));
            }
            add(format!("JOINTS_{set}"), writer.bytes.joints(&joints));
            add(format!("WEIGHTS_{set}"), writer.bytes.fours(weights.into_iter()));
        }
    }
    schema::Primitive {
        attributes,
        indices: writer.bytes.indices(&of.indices),
        material: of.material.map(Id::index),
        extensions: looks(writer, of),
    }
}

/// The textures of a primitive's material.
fn textures<'s>(writer: &Writer<'s>, of: &Primitive) -> impl Iterator<Item = &'s Texture> {
    let material = of.material.and_then(|material| material.find_in(&writer.scene.materials));
    let all = material.map(|material| [&material.texture, &material.normal, &material.orm, &material.glow]);
    all.into_iter().flatten().flatten()
}

/// How many sets of texture coordinates: as many as there are, and as many as the material asks for.
fn uv_sets(writer: &Writer<'_>, of: &Primitive) -> usize {
    let wanted = textures(writer, of).map(|texture| texture.uv_set.saturating_add(1)).max();
    wanted.unwrap_or_default().max(of.uvs.len())
}

/// Writes a set of texture coordinates. Core glTF cannot move them: what the material does to them at rest is done here,
/// unless an extension says it.
fn write_uvs(writer: &mut Writer<'_>, of: &Primitive, set: usize) -> usize {
    let none;
    let uvs = if let Some(uvs) = of.uvs.get(set) {
        uvs
    } else {
        none = vec![Vec2::ZERO; of.positions.len()];
        &none
    };
    let transform =
        textures(writer, of).find(|texture| texture.uv_set == set).map(|texture| texture.transform);
    let transform = transform
        .filter(|_| !writer.options.uses(Extension::Pointer))
        .filter(|it| *it != UvTransform::default());
    match transform {
        Some(transform) => writer.bytes.uvs(uvs.iter().map(|uv| transform.apply(*uv))),
        None => writer.bytes.uvs(uvs.iter().copied()),
    }
}

type Set = (Vec<[u16; SET]>, Vec<[f32; SET]>);

/// The pulls of all vertices, four by four, largest first; unused places are joint 0 with weight 0.
fn influence_sets(influences: &Influences) -> Vec<Set> {
    let most = influences.iter().map(<[Pull]>::len).max().unwrap_or_default();
    let four = |pulls: &[Pull], set: usize| {
        let (mut joints, mut weights) = ([0; SET], [0.0; SET]);
        let places = joints.iter_mut().zip(&mut weights);
        for (pull, (joint, weight)) in pulls.iter().skip(set.saturating_mul(SET)).zip(places) {
            *joint = u16::try_from(pull.joint).unwrap_or_default();
            *weight = pull.weight;
        }
        (joints, weights)
    };
    (0..most.div_ceil(SET)).map(|set| influences.iter().map(|pulls| four(pulls, set)).unzip()).collect()
}

/// Which material stands in for a primitive's in which looks.
fn looks(writer: &mut Writer<'_>, of: &Primitive) -> schema::Extras {
    let others = of.material.and_then(|material| writer.stand_ins.get(&material));
    let Some(others) = others.filter(|_| writer.options.uses(Extension::Variants)) else {
        return schema::Extras::new();
    };
    let mapping =
        |(look, other): (&usize, &Id<Material>)| json!({"material": other.index(), "variants": [look]});
    let mappings: Vec<_> = others.iter().map(mapping).collect();
    let name = writer.use_extension("KHR_materials_variants");
    schema::Extras::from_iter([(name, json!({"mappings": mappings}))])
}

/// A skin of nodes that were written from `first` on, all below `skeleton`.
pub(crate) fn write_skin(writer: &mut Writer<'_>, skin: &Skin, first: usize, skeleton: usize) -> usize {
    let matrix = |joint: &galvani_scene::Joint| glam::Mat4::from(joint.inverse_bind).to_cols_array();
    let joints = skin.joints.iter().map(|joint| first.saturating_add(joint.node.index())).collect();
    let inverse_bind_matrices = writer.bytes.matrices(skin.joints.iter().map(matrix));
    let new = writer.root.skins.len();
    writer.root.skins.push(schema::Skin { name: skin.name.clone(), inverse_bind_matrices, skeleton, joints });
    new
}
