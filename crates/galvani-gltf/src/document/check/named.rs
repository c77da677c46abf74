//! What things name: each other, extensions, and their own places.

use std::collections::BTreeSet;

use galvani_core::{Code, Exhausted, Path, Report, room};
use galvani_scene::check::is_unit;

use super::{
    DRACO, EMPTY, EXTENSION, INDEX, NOT_FINITE, NOT_UNIT, REQUIRED, TRANSFORM, TREE, TWICE, UNDECLARED,
    VERSION,
};
use crate::document::view::typed::shortened;
use crate::document::view::{At, Material, TargetPath, TextureInfo};
use crate::document::{JsonValue, View, matrix};

/// Extensions that are understood.
pub(crate) const KNOWN: [&str; 13] = [
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_transform",
    "MSFT_lod",
    "KHR_draco_mesh_compression",
];

pub(super) fn check(view: &View<'_>, base: usize, report: &mut Report) -> Result<(), Exhausted> {
    let mut named = Named { view, base, report };
    named.extensions();
    named.scenes();
    named.nodes();
    named.tree()?;
    named.meshes();
    named.looks();
    named.animations()?;
    named.bytes();
    Ok(())
}

struct Named<'v, 'a, 'r> {
    view: &'v View<'a>,
    base: usize,
    report: &'r mut Report,
}

impl Named<'_, '_, '_> {
    fn push(&mut self, code: &'static Code, path: Path, value: Option<JsonValue<'_>>, said: String) {
        let offset = self.base.saturating_add(value.map_or(0, |value| value.range().start));
        self.report.push(code.at(path).offset(offset).saying(said));
    }

    /// The same of something in a list, or of a part of it.
    fn push_at(&mut self, code: &'static Code, at: At<'_, '_>, steps: &[&'static str], said: String) {
        let path = steps.iter().fold(at.path(), |path, step| path.field(step));
        self.push(code, path, at.value(), said);
    }

    /// What is named must be there.
    fn named(
        &mut self,
        index: impl IntoIterator<Item = usize>,
        count: usize,
        at: At<'_, '_>,
        steps: &[&'static str],
    ) {
        for index in index.into_iter().filter(|index| *index >= count) {
            self.push_at(&INDEX, at, steps, format!("{index} of {count}"));
        }
    }

    fn extensions(&mut self) {
        let View { asset, extensions_used: used, extensions_required: required, .. } = self.view;
        let path = Path::named("extensionsRequired");
        let declared: BTreeSet<&str> = used.iter().map(|name| &**name).collect();
        if !asset.version.is_empty() && asset.version.split('.').next() != Some("2") {
            let said = format!("2.0 wanted, `{}` found", shortened(&asset.version));
            self.push(&VERSION, Path::named("asset").field("version"), None, said);
        }
        for (i, name) in required.iter().enumerate() {
            let said = format!("`{}`", shortened(name));
            if !KNOWN.contains(&&**name) {
                self.push(&REQUIRED, path.index(i), None, said.clone());
            }
            if !declared.contains(&**name) {
                self.push(&UNDECLARED, path.index(i), None, said);
            }
        }
        for (i, name) in used.iter().enumerate().filter(|(_, name)| !KNOWN.contains(&&***name)) {
            self.push(
                &EXTENSION,
                Path::named("extensionsUsed").index(i),
                None,
                format!("`{}`", shortened(name)),
            );
        }
    }

    fn scenes(&mut self) {
        let View { nodes, scenes, scene, .. } = self.view;
        for index in scene.iter().filter(|index| **index >= scenes.len()) {
            self.push(&INDEX, Path::named("scene"), None, format!("{index} of {}", scenes.len()));
        }
        for (i, scene) in scenes.iter().enumerate() {
            self.named(scene.nodes.iter().copied(), nodes.len(), scenes.at(i), &["nodes"]);
        }
    }

    fn nodes(&mut self) {
        let view = self.view;
        for (i, node) in view.nodes.iter().enumerate() {
            let at = view.nodes.at(i);
            let light = node.extensions.light.as_ref().and_then(|light| light.light);
            self.named(node.mesh, view.meshes.len(), at, &["mesh"]);
            self.named(node.skin, view.skins.len(), at, &["skin"]);
            self.named(node.camera, view.cameras.len(), at, &["camera"]);
            self.named(light, view.extensions.lights.lights.len(), at, &["light"]);
            self.named(node.children.iter().copied(), view.nodes.len(), at, &["children"]);
            let lods = node.extensions.lods.iter().flat_map(|lods| lods.ids.iter().copied());
            self.named(lods, view.nodes.len(), at, &["MSFT_lod"]);
            let parts = [node.translation, node.scale].into_iter().flatten().flatten();
            let turn = node.rotation.map(|rotation| rotation.to_array());
            let parts = parts.chain(turn.into_iter().flatten()).chain(node.matrix.into_iter().flatten());
            if parts.into_iter().any(|part| !part.is_finite()) {
                self.push_at(&NOT_FINITE, at, &[], "its place".to_owned());
            }
            if let Some(rotation) = turn.filter(|rotation| !is_unit(*rotation)) {
                self.push_at(&NOT_UNIT, at, &["rotation"], format!("{rotation:?}"));
            }
            let has_parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
            if let Some(columns) = node.matrix {
                let (is_sound, said) = match matrix::taken_apart(&columns) {
                    _ if has_parts => (false, "as a matrix and in parts".to_owned()),
                    Some(_) => (true, String::new()),
                    None => (false, format!("{columns:?}")),
                };
                if !is_sound {
                    self.push_at(&TRANSFORM, at, &["matrix"], said);
                }
            }
        }
    }

    /// Every node hangs on at most one other, and none on itself.
    fn tree(&mut self) -> Result<(), Exhausted> {
        let nodes = &self.view.nodes;
        let mut parents: Vec<Option<u32>> = room::filled(None, nodes.len())?;
        for (i, node) in nodes.iter().enumerate() {
            for &child in &node.children {
                let Some(parent) = parents.get_mut(child) else { continue };
                if let Some(first) = *parent {
                    let said = format!("node {child} hangs on {first} and on {i}");
                    self.push(&TREE, nodes.path(i).field("children"), nodes.value(i), said);
                } else {
                    *parent = u32::try_from(i).ok();
                }
            }
        }
        // From any node upwards, until one that was seen before: then it is of this walk, and so of a circle.
        let mut walks: Vec<u32> = room::filled(0, nodes.len())?;
        for start in 0..nodes.len() {
            let walk = u32::try_from(start).unwrap_or(u32::MAX).saturating_add(1);
            let mut at = Some(start);
            while let Some(node) = at {
                let Some(seen) = walks.get_mut(node) else { break };
                if *seen == walk {
                    self.push(&TREE, nodes.path(node), nodes.value(node), "it hangs on itself".to_owned());
                }
                if *seen != 0 {
                    break;
                }
                *seen = walk;
                let parent = parents.get(node).copied().flatten();
                at = parent.and_then(|parent| usize::try_from(parent).ok());
            }
        }
        Ok(())
    }

    fn meshes(&mut self) {
        let view = self.view;
        let (accessors, materials) = (view.accessors.len(), view.materials.len());
        for (i, mesh) in view.meshes.iter().enumerate() {
            if mesh.primitives.is_empty() {
                self.push_at(&EMPTY, view.meshes.at(i), &["primitives"], String::new());
            }
            for (j, primitive) in mesh.primitives.iter().enumerate() {
                let at = mesh.primitives.at(j);
                let attributes = primitive.all_attributes().filter_map(|(_, value)| value.index());
                self.named(attributes, accessors, at, &["attributes"]);
                self.named(primitive.indices, accessors, at, &["indices"]);
                self.named(primitive.material, materials, at, &["material"]);
                for mapping in primitive.extensions.variants.mappings.iter() {
                    self.named(mapping.material, materials, at, &["mappings"]);
                    let variants = view.extensions.variants.variants.len();
                    self.named(mapping.variants.iter().copied(), variants, at, &["mappings"]);
                }
                if primitive.extensions.draco.is_some() {
                    self.push_at(&DRACO, at, &[], String::new());
                }
            }
        }
        for (i, skin) in view.skins.iter().enumerate() {
            let at = view.skins.at(i);
            if skin.joints.is_empty() {
                self.push_at(&EMPTY, at, &["joints"], String::new());
            }
            self.named(skin.joints.iter().copied(), view.nodes.len(), at, &["joints"]);
            self.named(skin.skeleton, view.nodes.len(), at, &["skeleton"]);
            self.named(skin.inverse_bind_matrices, accessors, at, &["inverseBindMatrices"]);
        }
    }

    fn looks(&mut self) {
        let view = self.view;
        for (i, material) in view.materials.iter().enumerate() {
            let textures = textures(&material).into_iter().flatten().filter_map(|texture| texture.index);
            self.named(textures, view.textures.len(), view.materials.at(i), &[]);
        }
        for (i, texture) in view.textures.iter().enumerate() {
            let at = view.textures.at(i);
            let webp = texture.extensions.webp.as_ref().and_then(|webp| webp.source);
            self.named(texture.source.into_iter().chain(webp), view.images.len(), at, &["source"]);
            self.named(texture.sampler, view.samplers.len(), at, &["sampler"]);
        }
        for (i, image) in view.images.iter().enumerate() {
            self.named(image.buffer_view, view.buffer_views.len(), view.images.at(i), &["bufferView"]);
        }
    }

    fn animations(&mut self) -> Result<(), Exhausted> {
        let view = self.view;
        let mut moved = Moved { nodes: room::filled((0, 0), view.nodes.len())?, strays: BTreeSet::new() };
        for (number, animation) in (1..).zip(view.animations.iter()) {
            moved.strays.clear();
            for (i, channel) in animation.channels.iter().enumerate() {
                let (at, target) = (animation.channels.at(i), &channel.target);
                self.named(channel.sampler, animation.samplers.len(), at, &["sampler"]);
                self.named(target.node, view.nodes.len(), at, &["target", "node"]);
                if let Some(node) = target.node
                    && !moved.is_new(number, node, target.path)
                {
                    self.push_at(&TWICE, at, &["target"], format!("node {node}"));
                }
            }
            for (i, sampler) in animation.samplers.iter().enumerate() {
                let at = animation.samplers.at(i);
                self.named(sampler.input, view.accessors.len(), at, &["input"]);
                self.named(sampler.output, view.accessors.len(), at, &["output"]);
            }
        }
        Ok(())
    }

    fn bytes(&mut self) {
        let View { accessors, buffer_views: views, buffers, .. } = self.view;
        for (i, accessor) in accessors.iter().enumerate() {
            let at = accessors.at(i);
            let sparse = accessor.sparse.as_deref();
            let sparse = sparse.map(|sparse| [sparse.indices.buffer_view, sparse.values.buffer_view]);
            let named = sparse.into_iter().flatten().chain([accessor.buffer_view]).flatten();
            self.named(named, views.len(), at, &["bufferView"]);
            if accessor.count == 0 {
                self.push_at(&EMPTY, at, &["count"], String::new());
            }
        }
        for (i, view) in views.iter().enumerate() {
            let packed = view.extensions.packed().and_then(|packed| packed.buffer);
            self.named(view.buffer.into_iter().chain(packed), buffers.len(), views.at(i), &["buffer"]);
        }
    }
}

/// What an animation moves.
struct Moved {
    /// For each node the animation that moved it last, and what of it, a bit each.
    nodes: Vec<(u32, u8)>,
    /// Nodes that are not there.
    strays: BTreeSet<(usize, Option<TargetPath>)>,
}

impl Moved {
    /// Whether nothing of this animation moved the same before.
    fn is_new(&mut self, animation: u32, node: usize, path: Option<TargetPath>) -> bool {
        let Some(moved) = self.nodes.get_mut(node) else { return self.strays.insert((node, path)) };
        let before = if moved.0 == animation { moved.1 } else { 0 };
        let bit = path.map_or(1, TargetPath::bit);
        *moved = (animation, before | bit);
        before & bit == 0
    }
}

/// Every texture of a material.
pub(crate) fn textures<'m, 'a>(material: &'m Material<'a>) -> [Option<&'m TextureInfo<'a>>; 5] {
    let pbr = &material.pbr;
    [
        pbr.base_color.as_ref(),
        pbr.metallic_roughness.as_ref(),
        material.normal.as_ref(),
        material.occlusion.as_ref(),
        material.emissive.as_ref(),
    ]
}
