//! Layers of materials: how opaque they are and how they are drawn.

use galvani_core::{EditError, Path};
use zerocopy::little_endian::{F32, U32};

use super::{DAMAGED, FILTER, NO_LAYER, VALUE};
use crate::model::Layer;
use crate::{Content, Document, Held};

/// The last filter mode.
const FILTERS: u32 = 6;

/// Says how opaque a layer is where no track says it, from 0 to 1.
pub fn set_layer_alpha(
    document: &mut Document,
    material: usize,
    layer: usize,
    alpha: f32,
) -> Result<(), EditError> {
    if !(0.0..=1.0).contains(&alpha) {
        let found = format!("0 to 1 wanted, {alpha} found");
        return Err(VALUE.at(place(material, layer).field("alpha")).saying(found).into());
    }
    layer_mut(document, material, layer)?.fixed.alpha = F32::new(alpha);
    Ok(())
}

/// Says how a layer is drawn over what is there, 0 to 6.
pub fn set_layer_filter(
    document: &mut Document,
    material: usize,
    layer: usize,
    filter: u32,
) -> Result<(), EditError> {
    if filter > FILTERS {
        let found = format!("0 to {FILTERS} wanted, {filter} found");
        return Err(FILTER.at(place(material, layer).field("filter_mode")).saying(found).into());
    }
    layer_mut(document, material, layer)?.fixed.filter_mode = U32::new(filter);
    Ok(())
}

fn layer_mut(document: &mut Document, material: usize, layer: usize) -> Result<&mut Layer, EditError> {
    let path = place(material, layer);
    let materials = document.chunks.iter_mut().flat_map(|chunk| match &mut chunk.content {
        Content::Materials(records) => records.items.iter_mut(),
        _ => [].iter_mut(),
    });
    match { materials }.nth(material) {
        Some(Held::Typed(found)) => match found.layers.get_mut(layer) {
            Some(Held::Typed(layer)) => Ok(layer),
            Some(Held::Raw(_)) => Err(DAMAGED.at(path).into()),
            None => Err(NO_LAYER.at(path).into()),
        },
        Some(Held::Raw(_)) => Err(DAMAGED.at(Path::named("MTLS").index(material)).into()),
        None => Err(NO_LAYER.at(path).into()),
    }
}

fn place(material: usize, layer: usize) -> Path {
    Path::named("MTLS").index(material).field("LAYS").index(layer)
}
