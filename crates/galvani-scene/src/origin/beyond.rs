//! A digest of all of a scene that no list and no name speaks of: what is changed there is told, since no file follows it.

use std::collections::BTreeSet;
use std::fmt::{self, Debug, Write};

use super::{Named, Values, clip_of, digest, eye_of, layers, mesh_order, number_of, seal};
use crate::{
    AlphaMode, Blend, Camera, Clip, Curve, Id, Light, LightForm, Material, Node, Primitive, Scene, Track,
    Wrap,
};

/// The digest of what these lists and names do not say: other names, the tree, places at rest, materials, eyes and lights, what
/// pulls at vertices, other tracks, how long clips are, other states and looks, what else is known of nodes. Pictures are told by others.
pub fn beyond(scene: &Scene, stated: &BTreeSet<Values>, named: &BTreeSet<Named>) -> u32 {
    let mut beyond = Beyond { scene, stated, named, sum: 0 };
    // Writing into a digest does not fail.
    beyond.all().map_or(0, |()| beyond.sum)
}

struct Beyond<'s> {
    scene: &'s Scene,
    stated: &'s BTreeSet<Values>,
    named: &'s BTreeSet<Named>,
    sum: u32,
}

impl Write for Beyond<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.sum = digest(std::iter::once(self.sum).chain(text.bytes().map(u32::from)));
        Ok(())
    }
}

/// A node by its number, or by its name if it has none: programs may change the order.
fn key(node: &Node) -> (Option<usize>, &str) {
    let number = number_of(node);
    (number, if number.is_none() { node.name.as_str() } else { "" })
}

impl<'s> Beyond<'s> {
    fn all(&mut self) -> fmt::Result {
        let scene = self.scene;
        let mut nodes: Vec<&Node> = scene.nodes.iter().collect();
        nodes.sort_by_key(|node| number_of(node).unwrap_or(usize::MAX));
        nodes.into_iter().try_for_each(|node| self.node(node))?;
        for (place, mesh) in mesh_order(scene).into_iter().enumerate() {
            let Some(mesh) = scene.meshes.get(mesh) else { continue };
            write!(self, "{:?}", mesh.name)?;
            for (at, primitive) in mesh.primitives.iter().enumerate() {
                self.primitive((place, at), primitive)?;
            }
        }
        for skin in &scene.skins {
            write!(self, "{:?}", skin.name)?;
            for joint in &skin.joints {
                write!(self, "{:?} {:?}", self.key_of(joint.node), joint.inverse_bind)?;
            }
        }
        let pictures: Vec<&str> = scene.images.iter().map(|image| image.name.as_str()).collect();
        write!(self, "{:?} {pictures:?}", scene.name)?;
        scene.clips.iter().try_for_each(|clip| self.clip(clip))?;
        for variant in &scene.variants {
            write!(self, "{:?} {} {}", variant.name, variant.state, variant.level)?;
            for (node, mesh) in &variant.shows {
                write!(self, "{:?} {mesh:?}", self.key_of(*node))?;
            }
        }
        let (materials, lights, cameras) = (self.materials(), self.lights(), self.cameras());
        write!(self, "{materials:?} {lights:?} {cameras:?} {:?}", scene.looks)
    }

    fn is_stated(&self, values: Values) -> bool {
        self.stated.contains(&values)
    }

    /// The materials without what lists speak of.
    fn materials(&self) -> Vec<Material> {
        let mut left = self.scene.materials.clone();
        for ((number, layer), place) in layers(self.scene) {
            let Some(material) = left.get_mut(place) else { continue };
            material.two_sided &= !self.is_stated(Values::Back(number, layer));
            if self.is_stated(Values::Cover(number, layer)) {
                material.alpha_mode = AlphaMode::Opaque;
            }
            let Material { texture, normal, orm, glow, .. } = material;
            for (i, texture) in [texture, normal, orm, glow].into_iter().enumerate() {
                let is_stated = self.is_stated(Values::Edges(number, layer, i));
                if let Some(texture) = texture.as_mut().filter(|_| is_stated) {
                    texture.wrap = [Wrap::Clamp; 2];
                }
            }
        }
        left
    }

    /// The lights without what lists speak of.
    fn lights(&self) -> Vec<Light> {
        let mut left = self.scene.lights.clone();
        for node in &self.scene.nodes {
            let light = node.light.and_then(|light| left.get_mut(light.index()));
            let (Some(number), Some(light)) = (number_of(node), light) else { continue };
            if self.is_stated(Values::Shine(number)) {
                (light.color, light.intensity) = (glam::Vec3::ZERO, 0.0);
            }
            if self.is_stated(Values::Reach(number)) {
                light.range = None;
            }
            if self.is_stated(Values::Form(number)) {
                light.form = LightForm::Point;
            }
        }
        left
    }

    /// The same of cameras.
    fn cameras(&self) -> Vec<Camera> {
        let mut left = self.scene.cameras.clone();
        for node in &self.scene.nodes {
            let camera = node.camera.and_then(|camera| left.get_mut(camera.index()));
            let stated = eye_of(node).filter(|eye| self.is_stated(Values::Sight(*eye)));
            if let Some(camera) = camera.filter(|_| stated.is_some()) {
                (camera.fov_y, camera.near, camera.far) = (0.0, 0.0, None);
            }
        }
        left
    }

    fn key_of(&self, node: Id<Node>) -> Option<(Option<usize>, &'s str)> {
        node.find_in(&self.scene.nodes).map(key)
    }

    fn node(&mut self, node: &Node) -> fmt::Result {
        let number = number_of(node);
        let is_stated =
            |values: fn(usize) -> Values| number.is_some_and(|it| self.stated.contains(&values(it)));
        let above = node.parent.and_then(|above| self.key_of(above)).filter(|_| !is_stated(Values::Parent));
        let is_eye = |values: fn(usize) -> Values| eye_of(node).is_some_and(|it| self.is_stated(values(it)));
        let is_placed = is_stated(Values::Place) || is_eye(Values::EyePlace);
        let is_turned = is_stated(Values::Turn) || is_eye(Values::EyeTurn);
        let (place, turn) = ((!is_placed).then_some(node.translation), (!is_turned).then_some(node.rotation));
        let is_named = number.is_some_and(|number| self.named.contains(&Named::Node(number)));
        let name = (!is_named).then_some(&node.name);
        write!(self, "{number:?} {name:?} {above:?} {place:?} {turn:?} {:?} {}", node.scale, node.visible)?;
        let known: Vec<_> = node.extras.iter().map(|(key, fact)| (key, fact.canonical())).collect();
        write!(self, "{:?} {:?} {:?} {:?} {known:?}", node.mesh, node.skin, node.light, node.camera)
    }

    /// The lists of a primitive, those that are spoken of aside.
    fn primitive(&mut self, (mesh, at): (usize, usize), of: &Primitive) -> fmt::Result {
        let is_stated = |values: fn(usize, usize) -> Values| self.stated.contains(&values(mesh, at));
        let threes = |list: &[glam::Vec3]| {
            seal(&list.iter().map(|value| value.extend(0.0).into()).collect::<Vec<[f32; 4]>>())
        };
        let fours =
            |list: &[glam::Vec4]| seal(&list.iter().map(|it| (*it).into()).collect::<Vec<[f32; 4]>>());
        let tangents = is_stated(Values::Tangents) || is_stated(Values::Alongs) && is_stated(Values::Sides);
        let mut sums = vec![
            (!is_stated(Values::Positions)).then(|| threes(&of.positions)),
            (!is_stated(Values::Normals)).then(|| threes(&of.normals)),
            (!tangents).then(|| fours(&of.tangents)),
            (!is_stated(Values::Colors)).then(|| fours(&of.colors)),
            (!is_stated(Values::Indices)).then(|| digest(of.indices.iter().copied())),
        ];
        for (set, uvs) in of.uvs.iter().enumerate() {
            let is_stated = self.stated.contains(&Values::Uvs(mesh, at, set));
            let words = uvs.iter().flat_map(|uv| [uv.x.to_bits(), uv.y.to_bits()]);
            sums.push((!is_stated).then(|| digest(words)));
        }
        let pulls = (!is_stated(Values::Pulls)).then_some(&of.influences);
        write!(self, "{:?} {sums:?} {pulls:?}", of.material)
    }

    fn clip(&mut self, clip: &Clip) -> fmt::Result {
        let name = (!self.named.contains(&clip_of(clip))).then_some(&clip.name);
        write!(self, "{name:?} {:?} {:?}", clip.duration, clip.looping)?;
        clip.tracks.iter().try_for_each(|track| match track {
            Track::Translation(node, curve) | Track::Scale(node, curve) => {
                self.track(clip, (track, *node), curve)
            }
            Track::Rotation(node, curve) => self.track(clip, (track, *node), curve),
            Track::Visibility(node, curve) => write!(self, "{:?} {curve:?}", self.key_of(*node)),
            other => write!(self, "{other:?}"),
        })
    }

    fn track<V: Debug>(
        &mut self,
        clip: &Clip,
        (track, node): (&Track, Id<Node>),
        curve: &Curve<V>,
    ) -> fmt::Result {
        let lists = named(self.scene, clip, track);
        let is_stated = |list: usize| lists.is_some_and(|lists| self.stated.contains(&lists[list]));
        let values = (!is_stated(0)).then_some(&curve.values);
        let times = (!is_stated(1)).then_some(&curve.times);
        let (tangents, interp) = (&curve.tangents, (!is_stated(2)).then_some(curve.interp));
        write!(self, "{} {:?} {values:?} {times:?}", track.word(), self.key_of(node))?;
        write!(self, "{tangents:?} {interp:?}")
    }
}

/// The lists of a track: its values, its times, and how it goes from one to the next.
fn named(scene: &Scene, clip: &Clip, track: &Track) -> Option<[Values; 3]> {
    let node = track.node().and_then(|node| number_of(node.find_in(&scene.nodes)?))?;
    let index = usize::try_from(clip.index).unwrap_or(usize::MAX);
    Some(match track {
        Track::Translation(..) => {
            [Values::Places(index, node), Values::PlaceTimes(index, node), Values::PlaceSteps(index, node)]
        }
        Track::Rotation(..) => {
            [Values::Turns(index, node), Values::TurnTimes(index, node), Values::TurnSteps(index, node)]
        }
        Track::Scale(..) => {
            [Values::Sizes(index, node), Values::SizeTimes(index, node), Values::SizeSteps(index, node)]
        }
        _ => return None,
    })
}

/// What of that differs between a scene and the same with changes: names, places at rest, what hangs on what, weights, motions, each by
/// how much.
pub fn differing(
    base: &Scene,
    made: &Scene,
    stated: &BTreeSet<Values>,
    named: &BTreeSet<Named>,
) -> Vec<String> {
    let mut all = Vec::new();
    for (old, new) in base.nodes.iter().zip(&made.nodes) {
        let number = number_of(old);
        let is_stated = |values: fn(usize) -> Values| number.is_some_and(|it| stated.contains(&values(it)));
        let is_named = number.is_some_and(|it| named.contains(&Named::Node(it)));
        let offs = [
            ("place", old.translation.distance(new.translation), is_stated(Values::Place)),
            ("turn", old.rotation.distance(new.rotation), is_stated(Values::Turn)),
            ("size", old.scale.distance(new.scale), false),
        ];
        let offs = offs.into_iter().filter(|(_, off, is_stated)| *off != 0.0 && !is_stated);
        all.extend(offs.map(|(what, off, _)| format!("the {what} of `{}` at rest, {off:.1e} off", old.name)));
        all.extend(renamed(&old.name, &new.name, is_named));
        let is_hung = old.parent != new.parent && !is_stated(Values::Parent);
        all.extend(is_hung.then(|| format!("what `{}` hangs on", old.name)));
    }
    all.extend(pulled(base, made, stated));
    for (old, new) in base.clips.iter().zip(&made.clips) {
        all.extend(renamed(&old.name, &new.name, named.contains(&clip_of(old))));
        for (was, is) in old.tracks.iter().zip(&new.tracks) {
            if was != is && !is_told(base, old, was, stated) {
                let node = was.node().and_then(|node| node.find_in(&base.nodes)).map_or("", |it| &it.name);
                all.push(format!("the {} of `{node}` in `{}`", was.word(), old.name));
            }
        }
    }
    all
}

/// The meshes at whose vertices something else pulls.
fn pulled(base: &Scene, made: &Scene, stated: &BTreeSet<Values>) -> Vec<String> {
    let mut all = Vec::new();
    for (place, mesh) in mesh_order(base).into_iter().enumerate() {
        let (Some(old), Some(new)) = (base.meshes.get(mesh), made.meshes.get(mesh)) else { continue };
        let both = old.primitives.iter().zip(&new.primitives).enumerate();
        let both = both.filter(|(at, _)| !stated.contains(&Values::Pulls(place, *at)));
        let others = |(_, (old, new)): (usize, (&Primitive, &Primitive))| {
            old.influences.iter().zip(new.influences.iter()).filter(|(old, new)| old != new).count()
        };
        let count: usize = both.map(others).sum();
        all.extend((count > 0).then(|| format!("the weights of {count} vertices of `{}`", old.name)));
    }
    all
}

fn renamed(old: &str, new: &str, is_named: bool) -> Option<String> {
    (old != new && !is_named).then(|| format!("the name of `{old}`, `{new}`"))
}

/// Whether the values of a track are among those that are spoken of.
fn is_told(scene: &Scene, clip: &Clip, track: &Track, stated: &BTreeSet<Values>) -> bool {
    named(scene, clip, track).is_some_and(|[values, ..]| stated.contains(&values))
}
