//! What `KHR_animation_pointer` moves: colours, texture coordinates, and whether nodes are seen.

use galvani_scene::{Curve, Id, Material, Track};
use glam::{Vec2, Vec3, Vec4};

use super::curve::Keys;
use super::node::Tree;
use super::{From, Outcome};
use crate::document::view::Shape;

/// What a pointer moves, if a scene can move it.
pub(super) fn tracks(
    from: &From<'_, '_>,
    tree: &Tree,
    pointer: &str,
    keys: &Keys<'_, '_>,
) -> Outcome<Vec<Track>> {
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    let [list, index, rest @ ..] = steps.as_slice() else { return Ok(Vec::new()) };
    let Ok(index) = index.parse::<usize>() else { return Ok(Vec::new()) };
    if *list == "nodes" && *rest == ["extensions", "KHR_node_visibility", "visible"] {
        let Some(node) = tree.place(index) else { return Ok(Vec::new()) };
        return Ok(vec![Track::Visibility(node, keys.flags(from)?)]);
    }
    let is_material = *list == "materials" && index < from.scene.materials.len();
    match rest {
        _ if !is_material => Ok(Vec::new()),
        ["pbrMetallicRoughness", rest @ ..] => of_material(from, Id::new(index), rest, keys),
        _ => Ok(Vec::new()),
    }
}

fn of_material(
    from: &From<'_, '_>,
    material: Id<Material>,
    rest: &[&str],
    keys: &Keys<'_, '_>,
) -> Outcome<Vec<Track>> {
    Ok(match rest {
        ["baseColorFactor"] => {
            let Curve { times, values, tangents, interp } =
                keys.curve(from, Shape::Vec4, Vec4::from_array)?;
            let alpha = Curve {
                times: times.clone(),
                values: values.iter().map(|color| color.w).collect(),
                tangents: tangents.iter().map(|both| both.map(|color| color.w)).collect(),
                interp,
            };
            let color: Curve<Vec3> = Curve {
                times,
                values: values.iter().map(|color| color.truncate()).collect(),
                tangents: tangents.iter().map(|both| both.map(Vec4::truncate)).collect(),
                interp,
            };
            vec![Track::Color(material, color), Track::Alpha(material, alpha)]
        }
        ["baseColorTexture", "extensions", "KHR_texture_transform", what] => match *what {
            "offset" => vec![Track::UvOffset(material, keys.curve(from, Shape::Vec2, Vec2::from_array)?)],
            "scale" => vec![Track::UvScale(material, keys.curve(from, Shape::Vec2, Vec2::from_array)?)],
            "rotation" => {
                vec![Track::UvRotation(material, keys.curve(from, Shape::Scalar, |[turn]: [f32; 1]| turn)?)]
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    })
}
