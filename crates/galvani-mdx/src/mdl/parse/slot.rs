//! The textures of a layer, each in a slot of its shader (docs/formats/mdl.md#slots).

use zerocopy::FromZeros;
use zerocopy::little_endian::I32;

use super::super::lex::Kind;
use super::super::print::SLOTS;
use super::super::words::{Whole, low};
use super::{Parser, Phase};
use crate::model::{LayerTexture, LayerTextures};
use crate::track::Owner;

/// What a slot is called.
fn slot_of(word: &[u8]) -> Option<(&'static str, u32)> {
    SLOTS.iter().copied().zip(0..).find(|(name, _)| name.as_bytes() == word)
}

impl Parser<'_> {
    pub(super) fn parse_slots(&mut self, textures: &mut LayerTextures, before: &mut I32) {
        if self.phase == Phase::End {
            if !self.notes.has_layer_texture {
                let first = textures.list.first().map_or(0, |texture| texture.fixed.texture_id.get());
                *before = first.cast_signed().into();
            }
            self.notes.has_layer_texture = false;
            return;
        }
        if let Some((word, slot)) = slot_of(self.word.bytes)
            && self.is(word)
        {
            self.parse_slot(textures, slot);
        } else if self.is_note("SlotStill") {
            if let (Some(texture), Some(id)) = (self.slot_at(textures), self.integer()) {
                texture.fixed.texture_id.take(id);
            }
        } else if self.is_note("SlotInterpolation") {
            if let (Some(texture), Some(number)) = (self.slot_at(textures), self.integer())
                && let Some(track) = texture.track.as_mut().filter(|track| track.interpolation == 3)
            {
                track.interpolation = low(number);
            }
        } else if self.is_note("Slot") {
            let at = self.count().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
            let (slot, id) = (self.integer(), self.integer());
            let mut texture = LayerTexture { fixed: FromZeros::new_zeroed(), track: None };
            texture.fixed.slot.take(slot.unwrap_or(0));
            texture.fixed.texture_id.take(id.unwrap_or(0));
            textures.list.insert(at.min(textures.list.len()), texture);
        } else if self.is_note("SlotTrack") {
            let at = self.count().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
            let track = self.track(Owner::LayerTexture, "KMTF");
            if let Some(texture) = textures.list.get_mut(at) {
                texture.track = track;
            }
        } else if self.is_note("LayerTexture")
            && let Some(id) = self.integer()
        {
            before.take(id);
            self.notes.has_layer_texture = true;
        } else if self.is("Shader") {
            // Other tools name the shader where ours number it: this one is the only other there is.
            let name = self.text_value();
            textures.shader_type = u32::from(name.is_some_and(|name| name.bytes == b"Shader_HD_DefaultUnit"));
        }
    }

    /// The texture of a layer whose number stands there.
    fn slot_at<'t>(&mut self, textures: &'t mut LayerTextures) -> Option<&'t mut LayerTexture> {
        let at = self.count().and_then(|at| usize::try_from(at).ok())?;
        textures.list.get_mut(at)
    }

    fn parse_slot(&mut self, textures: &mut LayerTextures, slot: u32) {
        let mut texture = LayerTexture { fixed: FromZeros::new_zeroed(), track: None };
        texture.fixed.slot = slot.into();
        if self.is_track() {
            texture.track = self.track(Owner::LayerTexture, "KMTF");
        } else if let Some(id) = self.integer() {
            texture.fixed.texture_id.take(id);
            // `static TextureID 3 <= 1`: texture 3 in slot 1.
            if self.take_if(Kind::Slot).is_some()
                && let Some(slot) = self.integer()
            {
                texture.fixed.slot.take(slot);
            }
        }
        self.keep(&mut textures.list, Some(texture));
    }
}
