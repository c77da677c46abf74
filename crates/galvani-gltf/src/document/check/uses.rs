//! Lists as meshes, skins and animations use them.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Exhausted, room};
use galvani_scene::check::is_unit;

use super::data::Found;
use super::{ATTRIBUTE, INDICES, JOINTS, MIN_MAX, NOT_UNIT, TIMES, WEIGHTS};
use crate::document::view::{
    Animation, AnimationSampler, At, Component, Interpolation, Mode, Primitive, Shape, TargetPath,
};
use crate::document::{Items, View};

/// How far the weights of a vertex may be from 1 together, as its check of scenes has it.
const WEIGHT_TOLERANCE: f32 = 1e-2;

/// Lists and what they are used for: each pair is looked at once.
pub(super) struct Uses<'d, 'a, 'r> {
    found: Found<'d, 'a, 'r>,
    view: &'d View<'a>,
    /// For each list what it was looked at for, a bit each.
    seen: Vec<u8>,
    /// Sets of weights that were looked at.
    weighed: BTreeSet<Vec<usize>>,
    /// The greatest number of lists that were looked at for it.
    most: BTreeMap<usize, u32>,
}

/// What a list is looked at for.
#[derive(Debug, Clone, Copy)]
enum Use {
    Normals,
    Tangents,
    Times,
    Turns,
}

impl Use {
    fn bit(self) -> u8 {
        match self {
            Use::Normals => 1,
            Use::Tangents => 2,
            Use::Times => 4,
            Use::Turns => 8,
        }
    }
}

impl<'d, 'a, 'r> Uses<'d, 'a, 'r> {
    pub(super) fn new(found: Found<'d, 'a, 'r>, view: &'d View<'a>) -> Result<Self, Exhausted> {
        let seen = room::filled(0, view.accessors.len())?;
        Ok(Uses { found, view, seen, weighed: BTreeSet::new(), most: BTreeMap::new() })
    }

    /// Every list that can be looked at.
    pub(super) fn into_lists(self) -> Vec<Option<Items<'d>>> {
        self.found.lists
    }

    pub(super) fn check(&mut self) -> Result<(), Exhausted> {
        let view = self.view;
        for mesh in view.meshes.iter() {
            for (i, primitive) in mesh.primitives.iter().enumerate() {
                self.primitive(&primitive, mesh.primitives.at(i))?;
            }
        }
        for (i, skin) in view.skins.iter().enumerate() {
            let Some(items) = self.used(skin.inverse_bind_matrices)? else { continue };
            if (items.shape(), items.component()) != (Shape::Mat4, Component::F32)
                || items.count() < skin.joints.len()
            {
                let said =
                    format!("{} MAT4 of f32 wanted, {} found", skin.joints.len(), list_in_words(&items));
                self.found.push_at(&ATTRIBUTE, view.skins.at(i), "inverseBindMatrices", said);
            }
        }
        self.worn()?;
        for animation in view.animations.iter() {
            self.animation(&animation)?;
        }
        Ok(())
    }

    fn used(&self, accessor: Option<usize>) -> Result<Option<Items<'d>>, Exhausted> {
        accessor.map_or(Ok(None), |accessor| self.found.items(accessor))
    }

    fn is_new(&mut self, accessor: usize, bit: Use) -> bool {
        let Some(seen) = self.seen.get_mut(accessor) else { return false };
        let bit = bit.bit();
        let is_new = *seen & bit == 0;
        *seen |= bit;
        is_new
    }

    fn primitive(&mut self, primitive: &Primitive<'_>, at: At<'_, '_>) -> Result<(), Exhausted> {
        if primitive.extensions.draco.is_some() {
            return Ok(());
        }
        let mut count = None;
        for (name, index) in primitive.all_attributes() {
            let Some(accessor) = index.index() else { continue };
            let Some(items) = self.used(Some(accessor))? else { continue };
            let step = semantic(&name);
            if !fits(&name, &items) {
                let said =
                    format!("`{}` of {}", super::super::view::typed::shortened(&name), list_in_words(&items));
                self.found.push_at(&ATTRIBUTE, at, step, said);
            }
            let first = *count.get_or_insert(items.count());
            if items.count() != first {
                let said = format!("{first} vertices wanted, {} found", items.count());
                self.found.push_at(&ATTRIBUTE, at, step, said);
            }
            if name == "POSITION" {
                let accessor = self.view.accessors.get(accessor).unwrap_or_default();
                if accessor.min.is_none() || accessor.max.is_none() {
                    self.found.push_at(&MIN_MAX, at, step, "they are not said".to_owned());
                }
            }
            if name == "NORMAL" && self.is_new(accessor, Use::Normals) {
                self.found.charge(&items)?;
                self.directions::<3>(&items, at, step);
            }
            if name == "TANGENT" && self.is_new(accessor, Use::Tangents) {
                self.found.charge(&items)?;
                self.directions::<4>(&items, at, step);
            }
        }
        self.weights(primitive, at)?;
        self.indices(primitive, count, at)
    }

    /// Whether all are of length 1, apart from the side of a tangent.
    fn directions<const N: usize>(&mut self, items: &Items<'_>, at: At<'_, '_>, step: &'static str) {
        // Integers of eight bits are that far from what they stand for.
        let tolerance = if items.component() == Component::F32 { 0.0 } else { 0.02 };
        let wrong = items.first_wrong(|row: [f32; N]| {
            let mut direction = [0.0; 3];
            direction.iter_mut().zip(row).for_each(|(to, from)| *to = from);
            let square: f32 = direction.iter().map(|part| part * part).sum();
            is_unit(direction) || is_near_one(square, tolerance)
        });
        if let Some(wrong) = wrong {
            self.found.push_at(&NOT_UNIT, at, step, format!("{wrong:?}"));
        }
    }

    fn weights(&mut self, primitive: &Primitive<'_>, at: At<'_, '_>) -> Result<(), Exhausted> {
        let sets = primitive.sets("WEIGHTS");
        if !self.weighed.insert(sets.clone()) {
            return Ok(());
        }
        let mut sums: Vec<f32> = Vec::new();
        for accessor in sets {
            let Some(items) = self.used(Some(accessor))? else { return Ok(()) };
            self.found.charge(&items)?;
            if sums.is_empty() {
                sums = room::filled(0.0, items.count())?;
            }
            let mut sums = sums.iter_mut();
            items.each_float(|row: [f32; 4]| {
                let is_sound = row.iter().all(|weight| *weight >= 0.0);
                if let Some(sum) = sums.next() {
                    *sum += if is_sound { row.iter().sum() } else { f32::NAN };
                }
            });
        }
        if let Some(sum) = sums.iter().find(|sum| !is_near_one(**sum, WEIGHT_TOLERANCE)) {
            self.found.push_at(&WEIGHTS, at, "WEIGHTS_0", format!("{sum} together"));
        }
        Ok(())
    }

    fn indices(
        &mut self,
        primitive: &Primitive<'_>,
        count: Option<usize>,
        at: At<'_, '_>,
    ) -> Result<(), Exhausted> {
        let vertices = count.unwrap_or(0);
        let mut joined = vertices;
        if let Some(accessor) = primitive.indices
            && let Some(items) = self.used(Some(accessor))?
        {
            joined = items.count();
            let is_unsigned = matches!(items.component(), Component::U8 | Component::U16 | Component::U32);
            if items.shape() != Shape::Scalar || !is_unsigned || items.is_normalized() {
                self.found.push_at(&ATTRIBUTE, at, "indices", list_in_words(&items));
                return Ok(());
            }
            let most = self.greatest(accessor, &items)?;
            if count.is_some() && usize::try_from(most).is_ok_and(|most| most >= vertices) {
                self.found.push_at(&INDICES, at, "indices", format!("vertex {most} of {vertices}"));
            }
        }
        let is_whole = match primitive.mode {
            Mode::Triangles => joined.is_multiple_of(3) && joined > 0,
            Mode::TriangleStrip | Mode::TriangleFan => joined >= 3,
            Mode::Lines => joined.is_multiple_of(2) && joined > 0,
            Mode::LineLoop | Mode::LineStrip => joined >= 2,
            Mode::Points => joined > 0,
        };
        if !is_whole && count.is_some() {
            self.found.push_at(&INDICES, at, "indices", format!("{joined} vertices are joined"));
        }
        Ok(())
    }

    /// The greatest number of a list.
    fn greatest(&mut self, accessor: usize, items: &Items<'_>) -> Result<u32, Exhausted> {
        if let Some(known) = self.most.get(&accessor) {
            return Ok(*known);
        }
        self.found.charge(items)?;
        let mut most = 0;
        items.each_integer(|row: [u32; 4]| most = row.into_iter().fold(most, u32::max));
        self.most.insert(accessor, most);
        Ok(most)
    }

    /// The joints of meshes that nodes show with a skin are among the skin's.
    fn worn(&mut self) -> Result<(), Exhausted> {
        let view = self.view;
        let pairs: BTreeSet<(usize, usize)> =
            view.nodes.iter().filter_map(|node| Some((node.mesh?, node.skin?))).collect();
        for (mesh, skin) in pairs {
            let (Some(mesh), Some(skin)) = (view.meshes.get(mesh), view.skins.get(skin)) else { continue };
            for (i, primitive) in mesh.primitives.iter().enumerate() {
                for accessor in primitive.sets("JOINTS") {
                    let Some(items) = self.used(Some(accessor))? else { continue };
                    let most = self.greatest(accessor, &items)?;
                    if usize::try_from(most).is_ok_and(|most| most >= skin.joints.len()) {
                        let said = format!("joint {most} of {}", skin.joints.len());
                        self.found.push_at(&JOINTS, mesh.primitives.at(i), "JOINTS_0", said);
                    }
                }
            }
        }
        Ok(())
    }

    fn animation(&mut self, animation: &Animation<'_>) -> Result<(), Exhausted> {
        let samplers = &animation.samplers;
        // For each sampler what is moved by it, a bit each.
        let mut moved: Vec<u8> = room::filled(0, samplers.len())?;
        for channel in animation.channels.iter() {
            let bit = channel.target.path.map_or(0, TargetPath::bit);
            if let Some(moved) = channel.sampler.and_then(|sampler| moved.get_mut(sampler)) {
                *moved |= bit;
            }
        }
        for ((i, sampler), moved) in samplers.iter().enumerate().zip(moved) {
            let at = samplers.at(i);
            let times = self.times(&sampler, at)?;
            let values = self.used(sampler.output)?;
            let Some((keys, values)) = times.zip(values) else { continue };
            for moves in TargetPath::ALL.into_iter().filter(|moves| moved & moves.bit() != 0) {
                self.values(&sampler, at, &values, keys, moves)?;
            }
        }
        Ok(())
    }

    /// The values of something that moves.
    fn values(
        &mut self,
        sampler: &AnimationSampler<'_>,
        at: At<'_, '_>,
        values: &Items<'_>,
        keys: usize,
        moves: TargetPath,
    ) -> Result<(), Exhausted> {
        let per_key = if sampler.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let wanted = keys.saturating_mul(per_key);
        let (shape, is_exact) = match moves {
            TargetPath::Translation | TargetPath::Scale => (Some(Shape::Vec3), true),
            TargetPath::Rotation => (Some(Shape::Vec4), true),
            TargetPath::Weights => (Some(Shape::Scalar), false),
            TargetPath::Pointer => (None, false),
        };
        let counts = if is_exact {
            values.count() == wanted
        } else {
            wanted > 0 && values.count().is_multiple_of(wanted)
        };
        if !counts || shape.is_some_and(|shape| shape != values.shape()) {
            let said = format!("{} for {keys} keys of {moves:?}", list_in_words(values));
            self.found.push_at(&ATTRIBUTE, at, "output", said);
        }
        let is_plain = per_key == 1 && moves == TargetPath::Rotation && counts;
        if is_plain && self.is_new(sampler.output.unwrap_or(0), Use::Turns) {
            self.found.charge(values)?;
            self.turns(values, at);
        }
        Ok(())
    }

    fn turns(&mut self, values: &Items<'_>, at: At<'_, '_>) {
        let tolerance = if values.component() == Component::F32 { 1e-3 } else { 0.02 };
        let wrong = values.first_wrong(|row: [f32; 4]| {
            let square: f32 = row.iter().map(|part| part * part).sum();
            is_near_one(square, tolerance)
        });
        if let Some(wrong) = wrong {
            self.found.push_at(&NOT_UNIT, at, "output", format!("{wrong:?}"));
        }
    }

    /// How many times there are; nothing if they cannot be looked at.
    fn times(&mut self, sampler: &AnimationSampler<'_>, at: At<'_, '_>) -> Result<Option<usize>, Exhausted> {
        let Some(items) = self.used(sampler.input)? else { return Ok(None) };
        if (items.shape(), items.component()) != (Shape::Scalar, Component::F32) {
            let said = format!("SCALAR of f32 wanted, {} found", list_in_words(&items));
            self.found.push_at(&ATTRIBUTE, at, "input", said);
            return Ok(None);
        }
        if self.is_new(sampler.input.unwrap_or(0), Use::Times) {
            self.found.charge(&items)?;
            let (mut last, mut wrong) = (f32::NEG_INFINITY, None);
            items.each_float(|[time]: [f32; 1]| {
                let rises = time > last && time >= 0.0;
                if !rises {
                    wrong.get_or_insert((last, time));
                }
                last = time;
            });
            if let Some((before, time)) = wrong {
                self.found.push_at(&TIMES, at, "input", format!("{time} behind {before}"));
            }
        }
        Ok(Some(items.count()))
    }
}

fn is_near_one(number: f32, tolerance: f32) -> bool {
    (number - 1.0).abs() <= tolerance
}

/// What a list is, in words.
fn list_in_words(items: &Items<'_>) -> String {
    format!("{} {} of {}", items.count(), items.shape().word(), items.component().word())
}

/// The name of what vertices have, as far as it is known.
fn semantic(name: &str) -> &'static str {
    let known = ["POSITION", "NORMAL", "TANGENT", "TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"];
    known.into_iter().find(|known| name.starts_with(known)).unwrap_or("attributes")
}

/// Whether a list can be what its name says, quantised or not.
fn fits(name: &str, items: &Items<'_>) -> bool {
    let (shape, component) = (items.shape(), items.component());
    let is_integer = !matches!(component, Component::F32 | Component::U32);
    let is_unsigned = matches!(component, Component::U8 | Component::U16);
    let is_float = component == Component::F32;
    match semantic(name) {
        "POSITION" => shape == Shape::Vec3 && (is_float || is_integer),
        "NORMAL" => shape == Shape::Vec3 && (is_float || (is_integer && items.is_normalized())),
        "TANGENT" => shape == Shape::Vec4 && (is_float || (is_integer && items.is_normalized())),
        "TEXCOORD" => shape == Shape::Vec2 && (is_float || is_integer),
        "COLOR" => {
            matches!(shape, Shape::Vec3 | Shape::Vec4) && (is_float || (is_unsigned && items.is_normalized()))
        }
        "JOINTS" => shape == Shape::Vec4 && is_unsigned && !items.is_normalized(),
        "WEIGHTS" => shape == Shape::Vec4 && (is_float || (is_unsigned && items.is_normalized())),
        _ => true,
    }
}
