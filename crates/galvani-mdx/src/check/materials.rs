//! TEXS, MTLS, and who uses them.

use std::collections::BTreeSet;

use galvani_core::{Path, Report, text};

use super::sequences::flags;
use super::summary::Summary;
use super::{
    FILTER_MODE, MATERIAL_EMPTY, MATERIAL_RANGE, MATERIAL_UNUSED, TEXTURE_ANIMATION_RANGE, TEXTURE_PATH,
    TEXTURE_RANGE, TEXTURE_UNUSED,
};
use crate::model::{Block2, Layer};
use crate::track::{Track, TrackValue};
use crate::{Content, Document, Family, Held};

/// Bits of a texture that are known.
const TEXTURE_FLAGS: u32 = 3;

/// Bits of a material that are known.
const MATERIAL_FLAGS: u32 = 0x3b;

/// Bits of a layer that are known in every version.
const LAYER_FLAGS: u32 = 0xff;

/// The bit of a layer that newer versions add.
const NEWER_LAYER_FLAG: u32 = 0x100;

/// The last filter mode of a layer.
const LAYER_FILTERS: u32 = 6;

/// The last filter mode of an emitter.
const EMITTER_FILTERS: u32 = 4;

pub(super) fn textures(summary: &Summary<'_>, report: &mut Report) {
    let mut used = BTreeSet::new();
    for &(_, first, chunk) in &summary.chunks {
        match &chunk.content {
            Content::Textures(rows) => {
                for (i, row) in (first..).zip(rows) {
                    let path = Path::named("TEXS").index(i);
                    flags(|| path, row.flags.get(), TEXTURE_FLAGS, report);
                    if row.replaceable_id.get() == 0 && text::before_nul(&row.path.0).is_empty() {
                        report.push(TEXTURE_PATH.at(path.field("path")));
                    }
                }
            }
            Content::Emitters2(records) => {
                for (i, emitter) in records.typed() {
                    let path = Path::named("PRE2").index(first.saturating_add(i));
                    texture(path, i64::from(emitter.block.texture_id()), summary, &mut used, report);
                    let (field, mode) = match &emitter.block {
                        Block2::Warcraft(fixed) => ("filter_mode", fixed.filter_mode.get()),
                        Block2::Wow { fixed, .. } => ("blend_mode", fixed.blend_mode.get()),
                    };
                    filter(path.field(field), mode, EMITTER_FILTERS, report);
                }
            }
            Content::Materials(records) => {
                for (i, material) in records.typed() {
                    let path = Path::named("MTLS").index(first.saturating_add(i)).field("LAYS");
                    for (j, layer) in material.layers.iter().enumerate() {
                        if let Held::Typed(layer) = layer {
                            layer_textures(path.index(j), layer, summary, &mut used, report);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let all_known = summary.is_whole(&[b"TEXS", b"MTLS", b"PRE2"]);
    for i in (0..summary.textures).filter(|i| all_known && !used.contains(i)) {
        report.push(TEXTURE_UNUSED.at(Path::named("TEXS").index(i)));
    }
}

fn layer_textures(
    path: Path,
    layer: &Layer,
    summary: &Summary<'_>,
    used: &mut BTreeSet<usize>,
    report: &mut Report,
) {
    let textures = layer.textures.iter().flat_map(|textures| textures.list.iter().enumerate());
    let mut has_list = false;
    for (i, listed) in textures {
        has_list = true;
        let path = path.field("textures").index(i);
        texture(path, i64::from(listed.fixed.texture_id.get()), summary, used, report);
        listed.track.iter().for_each(|track| animated(path, track, summary, used, report));
    }
    let track = layer.tracks.iter().find(|track| track.value == TrackValue::Number);
    match track {
        Some(track) => {
            animated(path, track, summary, used, report);
            // What is shown where no key says another.
            used.extend(usize::try_from(layer.fixed.texture_id.get()).ok().filter(|_| !has_list));
        }
        // From 1100 on the list says it, and the old field is left over.
        None if has_list => {}
        None => texture(path, i64::from(layer.fixed.texture_id.get()), summary, used, report),
    }
}

/// The textures that a track names, the first that is not there reported.
fn animated(
    path: Path,
    track: &Track,
    summary: &Summary<'_>,
    used: &mut BTreeSet<usize>,
    report: &mut Report,
) {
    let mut wrong = None;
    for &id in &track.values {
        match usize::try_from(id).ok().filter(|id| *id < summary.textures) {
            Some(id) => {
                used.insert(id);
            }
            None => {
                wrong.get_or_insert(id);
            }
        }
    }
    if let Some(id) = wrong.filter(|_| summary.is_whole(&[b"TEXS"])) {
        let found = format!("a key names {id}, there are {}", summary.textures);
        report.push(TEXTURE_RANGE.at(path.field(track.name())).saying(found));
    }
}

fn texture(path: Path, id: i64, summary: &Summary<'_>, used: &mut BTreeSet<usize>, report: &mut Report) {
    if let Some(id) = usize::try_from(id).ok().filter(|id| *id < summary.textures) {
        used.insert(id);
        return;
    }
    if !summary.is_whole(&[b"TEXS"]) {
        return;
    }
    let found = format!("{id} named, there are {}", summary.textures);
    report.push(TEXTURE_RANGE.at(path.field("texture_id")).saying(found));
}

fn filter(path: Path, mode: u32, most: u32, report: &mut Report) {
    if mode > most {
        report.push(FILTER_MODE.at(path).saying(format!("0 to {most} wanted, {mode} found")));
    }
}

pub(super) fn materials(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    let mut used = BTreeSet::new();
    for &(_, first, chunk) in &summary.chunks {
        let path = |tag, i: usize| Path::named(tag).index(first.saturating_add(i));
        match &chunk.content {
            Content::Materials(records) => {
                for (i, material) in records.typed() {
                    let path = path("MTLS", i);
                    flags(|| path, material.flags.unwrap_or(0), MATERIAL_FLAGS, report);
                    if material.layers.is_empty() {
                        report.push(MATERIAL_EMPTY.at(path));
                    }
                    for (j, layer) in material.layers.iter().enumerate() {
                        if let Held::Typed(layer) = layer {
                            self::layer(document, path.field("LAYS").index(j), layer, summary, report);
                        }
                    }
                }
            }
            Content::Geosets(records) => {
                for (i, geoset) in records.typed() {
                    let id = i64::from(geoset.traits.material_id.get());
                    material(path("GEOS", i), id, summary, &mut used, report);
                }
            }
            Content::Batches(batches) => {
                for (i, batch) in batches.iter().enumerate() {
                    let id = i64::from(batch.head.material_id.get());
                    material(path("GEOS", i), id, summary, &mut used, report);
                }
            }
            Content::Ribbons(records) => {
                for (i, ribbon) in records.typed() {
                    let id = i64::from(ribbon.fixed.material_id.get());
                    material(path("RIBB", i), id, summary, &mut used, report);
                }
            }
            _ => {}
        }
    }
    let all_known = summary.is_whole(&[b"MTLS", b"GEOS", b"RIBB"]);
    for i in (0..summary.materials).filter(|i| all_known && !used.contains(i)) {
        report.push(MATERIAL_UNUSED.at(Path::named("MTLS").index(i)));
    }
}

fn layer(document: &Document, path: Path, layer: &Layer, summary: &Summary<'_>, report: &mut Report) {
    let newer = match document.family() {
        Family::Warcraft => document.version >= 1000,
        Family::Wow => document.version >= 1500,
    };
    let known = LAYER_FLAGS | if newer { NEWER_LAYER_FLAG } else { 0 };
    flags(|| path, layer.fixed.flags.get(), known, report);
    filter(path.field("filter_mode"), layer.fixed.filter_mode.get(), LAYER_FILTERS, report);
    let id = layer.fixed.texture_animation_id.get();
    let is_there = usize::try_from(id).is_ok_and(|id| id < summary.texture_animations);
    if id != -1 && !is_there && summary.is_whole(&[b"TXAN"]) {
        let found = format!("{id} named, there are {}", summary.texture_animations);
        report.push(TEXTURE_ANIMATION_RANGE.at(path.field("texture_animation_id")).saying(found));
    }
}

fn material(path: Path, id: i64, summary: &Summary<'_>, used: &mut BTreeSet<usize>, report: &mut Report) {
    if let Some(id) = usize::try_from(id).ok().filter(|id| *id < summary.materials) {
        used.insert(id);
        return;
    }
    if !summary.is_whole(&[b"MTLS"]) {
        return;
    }
    let found = format!("{id} named, there are {}", summary.materials);
    report.push(MATERIAL_RANGE.at(path.field("material_id")).saying(found));
}
