//! MTLS, TXAN and GEOA (docs/formats/mdx-records.md#mtls, #txan, #geoa).

use galvani_core::{Path, room};

use super::Write;
use crate::Family;
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::held::{Held, Raw};
use crate::out::Out;
use crate::track::{Form, Owner, Track, track, tracks, write_all};
use crate::visit::{At, Lists, Room, Rooms, Stills, Texts, Visit, texts_of, visit};
use crate::wire;

/// A material.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Drawing order.
    pub priority_plane: i32,
    /// Bits; only in Warcraft III.
    pub flags: Option<u32>,
    /// Its shader; only in versions 900 to 1099.
    pub shader: Option<wire::Shader>,
    /// Its layers, from the bottom up.
    pub layers: Vec<Held<Layer>>,
}

impl ReadPart for Material {
    const LEAST: usize = 12;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let (priority_plane, flags, shader, count) = match c.context.family {
            Family::Warcraft => {
                let fixed: wire::MaterialWarcraft = c.fixed()?;
                let has_shader = c.context.since(900) && c.context.version < 1100;
                let shader = has_shader.then(|| c.fixed()).transpose()?;
                (fixed.priority_plane.get(), Some(fixed.flags.get()), shader, c.list_head("LAYS")?)
            }
            Family::Wow => {
                let fixed: wire::MaterialWow = c.fixed()?;
                let count: wire::Count = c.record("LAYS")?;
                (fixed.priority_plane.get(), None, None, count.count.get())
            }
        };
        let count = c.counted("LAYS", count, Layer::LEAST)?;
        let mut layers = room::with_capacity(count)?;
        for i in 0..count {
            let place = c.element("LAYS", i);
            let len = c.frame(place, Layer::LEAST)?;
            layers.push(c.held(place, len, |c| {
                c.fixed::<wire::Size>()?;
                Layer::read(c)
            })?);
        }
        Ok(Material { priority_plane, flags, shader, layers })
    }
}

impl Write for Material {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            out.bytes(&self.priority_plane.to_le_bytes());
            if let Some(flags) = self.flags {
                out.u32(flags);
                if let Some(shader) = &self.shader {
                    out.record(shader);
                }
                out.bytes(b"LAYS");
            }
            out.count(self.layers.len());
            for layer in &self.layers {
                out.held(layer, Layer::write);
            }
        });
    }
}

impl Visit for Material {
    fn own_tracks<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        for (i, layer) in self.layers.iter().enumerate() {
            let Held::Typed(layer) = layer else { continue };
            let at = || at().field("LAYS").index(i);
            let textures = layer.textures.iter().flat_map(|textures| textures.list.iter().enumerate());
            for (i, texture) in textures {
                each(&|| at().field("textures").index(i), texture.track.as_slice());
            }
            each(&at, &layer.tracks);
        }
    }

    fn own_mut(&mut self, path: Path, each: Rooms<'_>) {
        for (i, layer) in self.layers.iter_mut().enumerate() {
            let (path, Some(layer)) = (path.field("LAYS").index(i), layer.typed_mut()) else { continue };
            let textures = layer.textures.iter_mut().flat_map(|textures| textures.list.iter_mut());
            for (i, texture) in textures.enumerate() {
                each(path.field("textures").index(i), Owner::LayerTexture, Room::One(&mut texture.track));
            }
            each(path, Owner::Layer, Room::List(&mut layer.tracks));
            // Behind the last texture a track is read as that texture's: so it is from now on.
            if let Some(last) = layer.textures.as_mut().and_then(|textures| textures.list.last_mut())
                && last.track.is_none()
                && layer.tracks.first().is_some_and(|track| track.tag == *b"KMTF")
            {
                last.track = Some(layer.tracks.remove(0));
            }
        }
    }

    fn stills<'a>(&'a self, at: At<'_>, each: Stills<'_, 'a>) {
        for (i, layer) in self.layers.iter().enumerate() {
            let Held::Typed(layer) = layer else { continue };
            let path = at().field("LAYS").index(i);
            each(path, layer);
            let textures = layer.textures.iter().flat_map(|textures| &textures.list);
            for (i, texture) in textures.enumerate() {
                each(path.field("textures").index(i), texture);
            }
        }
    }

    fn texts<'a>(&'a self, each: Texts<'_, 'a>) {
        if let Some(shader) = &self.shader {
            texts_of(shader, each);
        }
    }

    fn broken<'a>(&'a self, at: At<'_>, each: &mut dyn FnMut(At<'_>, &'a Raw)) {
        for (i, layer) in self.layers.iter().enumerate() {
            if let Held::Raw(raw) = layer {
                each(&|| at().field("LAYS").index(i), raw);
            }
        }
    }
}

/// A layer of a material.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// How it is drawn.
    pub fixed: wire::Layer,
    /// Versions 900 and above.
    pub emissive: Option<wire::Emissive>,
    /// Versions 1000 and above.
    pub fresnel: Option<wire::Fresnel>,
    /// Versions 1100 and above.
    pub textures: Option<LayerTextures>,
    /// How that changes.
    pub tracks: Vec<Track>,
}

/// The textures of a layer, versions 1100 and above.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerTextures {
    /// Which shader.
    pub shader_type: u32,
    /// Its textures.
    pub list: Vec<LayerTexture>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerTexture {
    /// Which one and what for.
    pub fixed: wire::LayerTexture,
    /// How that changes.
    pub track: Option<Track>,
}

impl ReadPart for Layer {
    const LEAST: usize = 28;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let fixed = c.fixed()?;
        let emissive = c.context.since(900).then(|| c.fixed()).transpose()?;
        let fresnel = c.context.since(1000).then(|| c.fixed()).transpose()?;
        let textures = c.context.since(1100).then(|| layer_textures(c)).transpose()?;
        Ok(Layer { fixed, emissive, fresnel, textures, tracks: tracks(c, Owner::Layer)? })
    }
}

fn layer_textures(c: &mut Cursor<'_, '_>) -> Outcome<LayerTextures> {
    let head: wire::LayerTextures = c.fixed()?;
    let count = c.counted("textures", head.texture_count.get(), size_of::<wire::LayerTexture>())?;
    let outer = c.place;
    let mut list = room::with_capacity(count)?;
    for i in 0..count {
        c.place = outer;
        c.place = c.element("textures", i);
        let fixed = c.fixed()?;
        // A track behind the last texture is taken as that texture's: it writes back the same.
        let animated = c.peek() == Some(*b"KMTF");
        let track = animated.then(|| track(c, Owner::Layer, Form::Generic)).transpose()?;
        list.push(LayerTexture { fixed, track });
    }
    c.place = outer;
    Ok(LayerTextures { shader_type: head.shader_type.get(), list })
}

impl Write for Layer {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            out.record(&self.fixed);
            if let Some(emissive) = &self.emissive {
                out.record(emissive);
            }
            if let Some(fresnel) = &self.fresnel {
                out.record(fresnel);
            }
            if let Some(textures) = &self.textures {
                out.u32(textures.shader_type);
                out.count(textures.list.len());
                for texture in &textures.list {
                    out.record(&texture.fixed);
                    write_all(texture.track.as_slice(), out);
                }
            }
            write_all(&self.tracks, out);
        });
    }
}

/// How texture coordinates move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextureAnimation {
    /// Translation, rotation, scale.
    pub tracks: Vec<Track>,
}

impl ReadPart for TextureAnimation {
    const LEAST: usize = 4;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        Ok(TextureAnimation { tracks: tracks(c, Owner::TextureAnimation)? })
    }
}

impl Write for TextureAnimation {
    fn write(&self, out: &mut Out) {
        out.sized(|out| write_all(&self.tracks, out));
    }
}

impl Visit for TextureAnimation {
    visit!(tracks: TextureAnimation);
}

/// How a geoset appears and is tinted.
#[derive(Debug, Clone, PartialEq)]
pub struct GeosetAnimation {
    /// Which geoset, and how it looks without tracks.
    pub fixed: GeosetAnimationFixed,
    /// How that changes.
    pub tracks: Vec<Track>,
}

/// Its fixed part by family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GeosetAnimationFixed {
    /// In Warcraft III.
    Warcraft(wire::GeosetAnimationWarcraft),
    /// In WoW.
    Wow(wire::GeosetAnimationWow),
}

impl GeosetAnimation {
    /// The geoset.
    pub fn geoset_id(&self) -> i32 {
        match &self.fixed {
            GeosetAnimationFixed::Warcraft(fixed) => fixed.geoset_id.get(),
            GeosetAnimationFixed::Wow(fixed) => fixed.geoset_id.get(),
        }
    }
}

impl ReadPart for GeosetAnimation {
    const LEAST: usize = 28;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let fixed = match c.context.family {
            Family::Warcraft => GeosetAnimationFixed::Warcraft(c.fixed()?),
            Family::Wow => GeosetAnimationFixed::Wow(c.fixed()?),
        };
        Ok(GeosetAnimation { fixed, tracks: tracks(c, Owner::GeosetAnimation)? })
    }
}

impl Write for GeosetAnimation {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            match &self.fixed {
                GeosetAnimationFixed::Warcraft(fixed) => out.record(fixed),
                GeosetAnimationFixed::Wow(fixed) => out.record(fixed),
            }
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for GeosetAnimation {
    visit!(tracks: GeosetAnimation);
    visit!(still);
}
