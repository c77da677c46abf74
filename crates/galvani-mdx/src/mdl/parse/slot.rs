//! The textures of a layer, each in a slot of its shader (docs/formats/mdl.md#slots).

use zerocopy::FromZeros;
use zerocopy::little_endian::I32;

use super::super::lex::{Kind, Token};
use super::super::print::SLOTS;
use super::super::words::{Block, Still, Tracks, Whole, Words, low};
use super::note::placed;
use super::{Parser, Phase};
use crate::Family;
use crate::held::Held;
use crate::model::{Layer, LayerTexture, LayerTextures};
use crate::track::{Owner, Track, place_of};
use crate::wire::Shader;

/// From this version on materials have shaders that take several textures.
const SHADED: u32 = 900;

/// What a comment says of a texture of a layer.
#[derive(Debug)]
pub(super) enum SlotNote {
    /// That there is one.
    Slot(LayerTexture),
    /// How it changes.
    Track(Option<Track>),
    /// Which one it is where nothing animates it.
    Still(i64),
    /// How it goes from key to key.
    Interpolation(u32),
}

/// What one layer says of those that follow it, and of the material.
#[derive(Debug, Default)]
pub(super) struct Folded<'a> {
    textures: Vec<LayerTexture>,
    shader: Option<Token<'a>>,
}

/// What a slot is called.
fn slot_of(word: &[u8]) -> Option<(&'static str, u32)> {
    SLOTS.iter().copied().zip(0..).find(|(name, _)| name.as_bytes() == word)
}

impl Parser<'_> {
    pub(super) fn parse_slots(&mut self, textures: &mut LayerTextures, before: &mut I32) {
        if self.phase == Phase::End {
            self.apply_slots(&mut textures.list);
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
            self.parse_slot(&mut textures.list, slot);
        } else if self.is_note("SlotStill") {
            let (at, id) = (self.slot_at(), self.integer());
            self.notes.slots.extend(id.map(|id| (at, SlotNote::Still(id))));
        } else if self.is_note("SlotInterpolation") {
            let (at, number) = (self.slot_at(), self.integer());
            self.notes.slots.extend(number.map(|number| (at, SlotNote::Interpolation(low(number)))));
        } else if self.is_note("Slot") {
            let at = self.slot_at();
            let (slot, id) = (self.integer(), self.integer());
            let texture = self.layer_texture(low(slot.unwrap_or(0)), id.unwrap_or(0));
            self.notes.slots.push((at, SlotNote::Slot(texture)));
        } else if self.is_note("SlotTrack") {
            let at = self.slot_at();
            let track = self.track(Owner::LayerTexture, "KMTF");
            self.notes.slots.push((at, SlotNote::Track(track)));
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

    /// The number of a texture of a layer.
    fn slot_at(&mut self) -> usize {
        self.count().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX)
    }

    /// A texture in a slot.
    fn layer_texture(&mut self, slot: u32, id: i64) -> LayerTexture {
        self.charge(size_of::<LayerTexture>());
        let mut texture = LayerTexture { fixed: FromZeros::new_zeroed(), track: None };
        texture.fixed.slot = slot.into();
        texture.fixed.texture_id.take(id);
        texture
    }

    /// What comments say of the textures of a layer: which there are beside those that words name, then what those are.
    fn apply_slots(&mut self, list: &mut Vec<LayerTexture>) {
        let notes = std::mem::take(&mut self.notes.slots);
        let (mut more, mut changes) = (Vec::new(), Vec::new());
        for (at, note) in notes {
            match note {
                SlotNote::Slot(texture) => more.push((at, texture)),
                other => changes.push((at, other)),
            }
        }
        placed(list, more);
        for (at, change) in changes {
            let Some(texture) = list.get_mut(at) else { continue };
            match change {
                SlotNote::Slot(_) => {}
                SlotNote::Still(id) => texture.fixed.texture_id.take(id),
                SlotNote::Track(track) => texture.track = track,
                SlotNote::Interpolation(number) => {
                    if let Some(track) = texture.track.as_mut().filter(|track| track.interpolation == 3) {
                        track.interpolation = number;
                    }
                }
            }
        }
    }

    fn parse_slot(&mut self, textures: &mut Vec<LayerTexture>, slot: u32) {
        let mut texture = self.layer_texture(slot, 0);
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
        self.keep(textures, Some(texture));
    }

    /// The texture of a layer that has one. From version 900 on other tools say all six layers of a material in one, as
    /// they do where a layer has slots: those become layers again.
    pub(super) fn parse_texture(&mut self, id: &mut I32, tracks: Tracks<'_>) {
        if self.phase == Phase::End || self.is_taken || self.word.is_noted || self.context.version < SHADED {
            return self.animated("TextureID", "KMTF", Still::Index(id, 0), true, tracks);
        }
        let mut textures = std::mem::take(&mut self.folded.textures);
        match slot_of(self.word.bytes) {
            Some((word, 0)) => {
                let before = *id;
                self.animated(word, "KMTF", Still::Index(id, 0), true, tracks);
                if self.take_if(Kind::Slot).is_some()
                    && let Some(slot @ 1..) = self.integer()
                {
                    let texture = self.layer_texture(low(slot), id.get().into());
                    self.keep(&mut textures, Some(texture));
                    *id = before;
                }
            }
            Some((word, slot)) if self.is(word) => self.parse_slot(&mut textures, slot),
            _ if self.is("Shader") => self.folded.shader = self.text_value(),
            _ => {}
        }
        self.folded.textures = textures;
    }

    /// Layers that were said in one, each for itself; what is missing between them has the first texture.
    pub(super) fn parse_unfold(&mut self, shader: Option<&mut Shader>, layers: &mut Vec<Held<Layer>>) {
        let Folded { textures, shader: name } = std::mem::take(&mut self.folded);
        if let Some((shader, name)) = shader.zip(name) {
            self.fill(&mut shader.shader.0, name);
        }
        let last = textures.iter().map(|texture| texture.fixed.slot.get()).max().unwrap_or(0);
        let Some(Held::Typed(first)) = layers.last().cloned() else { return };
        for (slot, _) in (0..=last).zip(SLOTS).skip(1) {
            let own = textures.iter().rev().find(|texture| texture.fixed.slot.get() == slot);
            let mut layer = first.clone();
            layer.fixed.texture_id.take(own.map_or(0, |texture| texture.fixed.texture_id.get().into()));
            layer.tracks.retain(|track| track.tag != *b"KMTF");
            layer.tracks.extend(own.and_then(|texture| texture.track.clone()));
            layer.tracks.sort_by_key(|track| place_of(Owner::Layer, Family::Warcraft, track.tag));
            self.charge(Layer::LEN);
            self.keep(layers, Some(Held::Typed(layer)));
        }
    }
}
