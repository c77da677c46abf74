//! Meshes and skins.

use galvani_core::Path;
use galvani_scene::{Id, Influences, Mesh, Primitive, Pull, Skin, UvTransform};
use glam::{Vec2, Vec3, Vec4};
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
    let positions = rows(&of.positions, Vec3::to_array);
    let mut attributes = schema::Extras::new();
    let mut add = |name: String, accessor: usize| attributes.insert(name, json!(accessor));
    add("POSITION".to_owned(), writer.bytes.positions(&positions));
    if !of.normals.is_empty() {
        add("NORMAL".to_owned(), writer.bytes.normals(&rows(&of.normals, Vec3::to_array)));
        if !of.tangents.is_empty() {
            add("TANGENT".to_owned(), writer.bytes.fours(&rows(&of.tangents, Vec4::to_array)));
        }
    }
    for (set, uvs) in uv_sets(writer, of).into_iter().enumerate() {
        add(format!("TEXCOORD_{set}"), writer.bytes.uvs(&uvs));
    }
    if !of.colors.is_empty() {
        add("COLOR_0".to_owned(), writer.bytes.fours(&rows(&of.colors, Vec4::to_array)));
    }
    if is_skinned {
        for (set, (joints, weights)) in influence_sets(&of.influences).into_iter().enumerate() {
            if set == 1 {
                writer.report.push(FOUR.at(path));
            }
            add(format!("JOINTS_{set}"), writer.bytes.joints(&joints));
            add(format!("WEIGHTS_{set}"), writer.bytes.fours(&weights));
        }
    }
    schema::Primitive {
        attributes,
        indices: writer.bytes.indices(&of.indices),
        material: of.material.map(Id::index),
        extensions: looks(writer, of),
    }
}

fn rows<V: Copy, const N: usize>(values: &[V], row: impl Fn(&V) -> [f32; N]) -> Vec<[f32; N]> {
    values.iter().map(row).collect()
}

/// The texture coordinates, as many sets as the material asks for. Core glTF cannot move them: what the material does
/// to them at rest is done here, unless an extension says it.
fn uv_sets(writer: &Writer<'_>, of: &Primitive) -> Vec<Vec<[f32; 2]>> {
    let material = of.material.and_then(|material| material.find_in(&writer.scene.materials));
    let textures =
        material.map(|material| [&material.texture, &material.normal, &material.orm, &material.glow]);
    let textures = || textures.into_iter().flatten().flatten();
    let wanted = textures().map(|texture| texture.uv_set.saturating_add(1)).max().unwrap_or_default();
    let none = vec![Vec2::ZERO; of.positions.len()];
    let moved = |set: usize| {
        let transform = textures().find(|texture| texture.uv_set == set).map(|texture| texture.transform);
        transform
            .filter(|_| !writer.options.uses(Extension::Pointer))
            .filter(|it| *it != UvTransform::default())
    };
    let set = |set: usize| {
        let uvs = of.uvs.get(set).unwrap_or(&none);
        let transform = moved(set);
        rows(uvs, |uv| transform.map_or(*uv, |transform| transform.apply(*uv)).to_array())
    };
    (0..wanted.max(of.uvs.len())).map(set).collect()
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
    let looks = writer.scene.looks.iter().enumerate();
    let swap =
        |look: &galvani_scene::Look| look.swaps.iter().find(|(from, _)| Some(*from) == of.material).copied();
    let mappings: Vec<_> = looks
        .filter_map(|(i, look)| swap(look).map(|(_, to)| json!({"material": to.index(), "variants": [i]})))
        .collect();
    if mappings.is_empty() || !writer.options.uses(Extension::Variants) {
        return schema::Extras::new();
    }
    let name = writer.use_extension("KHR_materials_variants");
    schema::Extras::from_iter([(name, json!({"mappings": mappings}))])
}

/// A skin of nodes that were written from `first` on, all below `skeleton`.
pub(crate) fn write_skin(writer: &mut Writer<'_>, skin: &Skin, first: usize, skeleton: usize) -> usize {
    let matrix = |joint: &galvani_scene::Joint| glam::Mat4::from(joint.inverse_bind).to_cols_array();
    let matrices: Vec<[f32; 16]> = skin.joints.iter().map(matrix).collect();
    let joints = skin.joints.iter().map(|joint| first.saturating_add(joint.node.index())).collect();
    let inverse_bind_matrices = writer.bytes.matrices(&matrices);
    let new = writer.root.skins.len();
    writer.root.skins.push(schema::Skin { name: skin.name.clone(), inverse_bind_matrices, skeleton, joints });
    new
}
