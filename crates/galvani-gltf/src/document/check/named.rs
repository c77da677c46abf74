//! What things name: each other, extensions, and their own places.

use std::collections::BTreeSet;

use galvani_core::{Code, Exhausted, Path, Report, room};
use galvani_scene::check::is_unit;

use super::{
    DRACO, EMPTY, EXTENSION, INDEX, NOT_FINITE, NOT_UNIT, REQUIRED, TRANSFORM, TREE, TWICE, UNDECLARED,
    VERSION,
};
use crate::document::view::typed::shortened;
use crate::document::view::{Material, TextureInfo};
use crate::document::{Value, View, matrix};

/// Extensions that are understood.
pub(crate) const KNOWN: [&str; 11] = [
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
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
    named.animations();
    named.bytes();
    Ok(())
}

struct Named<'v, 'a, 'r> {
    view: &'v View<'a>,
    base: usize,
    report: &'r mut Report,
}

impl Named<'_, '_, '_> {
    fn push(&mut self, code: &'static Code, path: Path, value: Option<Value<'_>>, said: String) {
        let offset = self.base.saturating_add(value.map_or(0, |value| value.range().start));
        self.report.push(code.at(path).offset(offset).saying(said));
    }

    /// What is named must be there.
    fn named(
        &mut self,
        index: impl IntoIterator<Item = usize>,
        count: usize,
        path: Path,
        value: Option<Value<'_>>,
    ) {
        for index in index.into_iter().filter(|index| *index >= count) {
            self.push(&INDEX, path, value, format!("{index} of {count}"));
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
        let count = self.view.nodes.len();
        self.named(self.view.scene, self.view.scenes.len(), Path::named("scene"), None);
        for (i, scene) in self.view.scenes.iter().enumerate() {
            let (path, value) = (self.view.scenes.path(i), self.view.scenes.value(i));
            self.named(scene.nodes, count, path.field("nodes"), value);
        }
    }

    fn nodes(&mut self) {
        let view = self.view;
        for (i, node) in view.nodes.iter().enumerate() {
            let (path, value) = (view.nodes.path(i), view.nodes.value(i));
            let light = node.extensions.light.as_ref().and_then(|light| light.light);
            self.named(node.mesh, view.meshes.len(), path.field("mesh"), value);
            self.named(node.skin, view.skins.len(), path.field("skin"), value);
            self.named(node.camera, view.cameras.len(), path.field("camera"), value);
            self.named(light, view.extensions.lights.lights.len(), path.field("light"), value);
            self.named(node.children.iter().copied(), view.nodes.len(), path.field("children"), value);
            let lods = node.extensions.lods.iter().flat_map(|lods| lods.ids.iter().copied());
            self.named(lods, view.nodes.len(), path.field("MSFT_lod"), value);
            let parts = [node.translation, node.scale].into_iter().flatten().flatten();
            let parts =
                parts.chain(node.rotation.into_iter().flatten()).chain(node.matrix.into_iter().flatten());
            if parts.into_iter().any(|part| !part.is_finite()) {
                self.push(&NOT_FINITE, path, value, "its place".to_owned());
            }
            if let Some(rotation) = node.rotation.filter(|rotation| !is_unit(*rotation)) {
                self.push(&NOT_UNIT, path.field("rotation"), value, format!("{rotation:?}"));
            }
            let has_parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
            if let Some(columns) = node.matrix {
                let (is_sound, said) = match matrix::taken_apart(&columns) {
                    _ if has_parts => (false, "as a matrix and in parts".to_owned()),
                    Some(_) => (true, String::new()),
                    None => (false, format!("{columns:?}")),
                };
                if !is_sound {
                    self.push(&TRANSFORM, path.field("matrix"), value, said);
                }
            }
        }
    }

    /// Every node hangs on at most one other, and none on itself.
    fn tree(&mut self) -> Result<(), Exhausted> {
        let nodes = &self.view.nodes;
        let mut parents: Vec<Option<u32>> = room::filled(None, nodes.len())?;
        for (i, node) in nodes.iter().enumerate() {
            for child in node.children {
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
                self.push(
                    &EMPTY,
                    view.meshes.path(i).field("primitives"),
                    view.meshes.value(i),
                    String::new(),
                );
            }
            for (j, primitive) in mesh.primitives.iter().enumerate() {
                let (path, value) = (mesh.primitives.path(j), mesh.primitives.value(j));
                let attributes = primitive.all_attributes().filter_map(|(_, value)| value.index());
                self.named(attributes, accessors, path.field("attributes"), value);
                self.named(primitive.indices, accessors, path.field("indices"), value);
                self.named(primitive.material, materials, path.field("material"), value);
                for mapping in primitive.extensions.variants.mappings.iter() {
                    self.named(mapping.material, materials, path.field("mappings"), value);
                    let variants = view.extensions.variants.variants.len();
                    self.named(mapping.variants, variants, path.field("mappings"), value);
                }
                if primitive.extensions.draco.is_some() {
                    self.push(&DRACO, path, value, String::new());
                }
            }
        }
        for (i, skin) in view.skins.iter().enumerate() {
            let (path, value) = (view.skins.path(i), view.skins.value(i));
            if skin.joints.is_empty() {
                self.push(&EMPTY, path.field("joints"), value, String::new());
            }
            self.named(skin.joints, view.nodes.len(), path.field("joints"), value);
            self.named(skin.skeleton, view.nodes.len(), path.field("skeleton"), value);
            self.named(skin.inverse_bind_matrices, accessors, path.field("inverseBindMatrices"), value);
        }
    }

    fn looks(&mut self) {
        let view = self.view;
        for (i, material) in view.materials.iter().enumerate() {
            let (path, value) = (view.materials.path(i), view.materials.value(i));
            let textures = textures(&material).into_iter().flatten().filter_map(|texture| texture.index);
            self.named(textures, view.textures.len(), path, value);
        }
        for (i, texture) in view.textures.iter().enumerate() {
            let (path, value) = (view.textures.path(i), view.textures.value(i));
            let webp = texture.extensions.webp.and_then(|webp| webp.source);
            self.named(
                texture.source.into_iter().chain(webp),
                view.images.len(),
                path.field("source"),
                value,
            );
            self.named(texture.sampler, view.samplers.len(), path.field("sampler"), value);
        }
        for (i, image) in view.images.iter().enumerate() {
            let (path, value) = (view.images.path(i), view.images.value(i));
            self.named(image.buffer_view, view.buffer_views.len(), path.field("bufferView"), value);
        }
    }

    fn animations(&mut self) {
        let view = self.view;
        for animation in view.animations.iter() {
            let mut moved = BTreeSet::new();
            for (i, channel) in animation.channels.iter().enumerate() {
                let (path, value) = (animation.channels.path(i), animation.channels.value(i));
                self.named(channel.sampler, animation.samplers.len(), path.field("sampler"), value);
                self.named(channel.target.node, view.nodes.len(), path.field("target").field("node"), value);
                let target = (channel.target.node, channel.target.path);
                if channel.target.node.is_some() && !moved.insert(target) {
                    self.push(
                        &TWICE,
                        path.field("target"),
                        value,
                        format!("node {:?}", target.0.unwrap_or(0)),
                    );
                }
            }
            for (i, sampler) in animation.samplers.iter().enumerate() {
                let (path, value) = (animation.samplers.path(i), animation.samplers.value(i));
                self.named(sampler.input, view.accessors.len(), path.field("input"), value);
                self.named(sampler.output, view.accessors.len(), path.field("output"), value);
            }
        }
    }

    fn bytes(&mut self) {
        let View { accessors, buffer_views: views, buffers, .. } = self.view;
        for (i, accessor) in accessors.iter().enumerate() {
            let (path, value) = (accessors.path(i), accessors.value(i));
            let sparse = accessor.sparse.as_ref();
            let sparse = sparse.map(|sparse| [sparse.indices.buffer_view, sparse.values.buffer_view]);
            let named = sparse.into_iter().flatten().chain([accessor.buffer_view]).flatten();
            self.named(named, views.len(), path.field("bufferView"), value);
            if accessor.count == 0 {
                self.push(&EMPTY, path.field("count"), value, String::new());
            }
        }
        for (i, view) in views.iter().enumerate() {
            let (path, value) = (views.path(i), views.value(i));
            let packed = view.extensions.meshopt.as_ref().and_then(|packed| packed.buffer);
            self.named(view.buffer.into_iter().chain(packed), buffers.len(), path.field("buffer"), value);
        }
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
