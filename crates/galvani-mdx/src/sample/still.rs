//! What a property is where no key counts: what its record says, or what the client takes
//! (docs/notes/mdx-runtime.md#defaults).

use glam::Quat;
use zerocopy::little_endian::F32;

use super::property::Sampled;
use crate::Family;
use crate::model::{
    Block2, Emitter, Emitter2, GeosetAnimation, GeosetAnimationFixed, Layer, LayerTexture, Light, Popcorn,
    Ribbon,
};
use crate::track::{Floats, Track, TrackValue};

/// A record that says what its properties are when nothing animates them.
pub(crate) trait Still {
    /// What it says of one; nothing if it does not say.
    fn still(&self, tag: [u8; 4], family: Family) -> Option<Sampled>;
}

/// The value of a track where no key counts.
pub(super) fn resting(track: &Track, owner: Option<(&dyn Still, Family)>) -> Sampled {
    let said = owner.and_then(|(owner, family)| owner.still(track.tag, family));
    said.unwrap_or_else(|| usual(track))
}

/// What the client takes where no record says anything.
fn usual(track: &Track) -> Sampled {
    // What is shown without keys; as documented it may have two or three numbers.
    let shown = matches!(&track.tag, b"KMTA" | b"KGAO" | b"KPPV") || track.is_visibility();
    Sampled::Floats(match (track.value, &track.tag) {
        (TrackValue::Number | TrackValue::Moment, _) => return Sampled::Index(0),
        (TrackValue::Quaternion | TrackValue::Packed, _) => Floats::Rotation(Quat::IDENTITY),
        (TrackValue::Vector, b"KGSC" | b"KTAS") => Floats::Three([1.0; 3]),
        (TrackValue::Vector, _) => Floats::Three([if shown { 1.0 } else { 0.0 }; 3]),
        (TrackValue::Pair, _) => Floats::Two([if shown { 1.0 } else { 0.0 }; 2]),
        (TrackValue::Float, _) => Floats::One(if shown { 1.0 } else { 0.0 }),
    })
}

fn one(number: F32) -> Sampled {
    Sampled::Floats(Floats::One(number.get()))
}

/// A colour as keys have it, blue first. Warcraft III writes those that stand still red first.
fn color(color: [F32; 3], family: Family) -> Sampled {
    let [a, b, c] = color.map(F32::get);
    Sampled::Floats(Floats::Three(match family {
        Family::Warcraft => [c, b, a],
        Family::Wow => [a, b, c],
    }))
}

impl Still for Layer {
    fn still(&self, tag: [u8; 4], family: Family) -> Option<Sampled> {
        Some(match (&tag, self.emissive, self.fresnel) {
            (b"KMTF", _, _) => Sampled::Index(self.fixed.texture_id.get().into()),
            (b"KMTE", Some(emissive), _) => one(emissive.emissive_gain),
            (b"KFC3", _, Some(fresnel)) => color(fresnel.fresnel_color, family),
            (b"KFCA", _, Some(fresnel)) => one(fresnel.fresnel_opacity),
            (b"KFTC", _, Some(fresnel)) => one(fresnel.fresnel_team_color),
            _ => return None,
        })
    }
}

impl Still for LayerTexture {
    fn still(&self, _: [u8; 4], _: Family) -> Option<Sampled> {
        Some(Sampled::Index(self.fixed.texture_id.get().into()))
    }
}

impl Still for GeosetAnimation {
    fn still(&self, tag: [u8; 4], family: Family) -> Option<Sampled> {
        let of = match &self.fixed {
            GeosetAnimationFixed::Warcraft(fixed) => fixed.color,
            GeosetAnimationFixed::Wow(fixed) => fixed.color,
        };
        (tag == *b"KGAC").then(|| color(of, family))
    }
}

impl Still for Light {
    fn still(&self, tag: [u8; 4], family: Family) -> Option<Sampled> {
        Some(match (&tag, self.casting, self.falloff) {
            (b"KLAS", _, _) => one(self.fixed.attenuation_start),
            (b"KLAE", _, _) => one(self.fixed.attenuation_end),
            (b"KLAC", _, _) => color(self.fixed.color, family),
            (b"KLAI", _, _) => one(self.fixed.intensity),
            (b"KLBC", _, _) => color(self.fixed.ambient_color, family),
            (b"KLBI", _, _) => one(self.fixed.ambient_intensity),
            (b"KLSS", Some(casting), _) => one(casting.shadow_start),
            (b"KLSE", Some(casting), _) => one(casting.shadow_end),
            (b"KLQF", _, Some(falloff)) => one(falloff.quadratic),
            (b"KLLF", _, Some(falloff)) => one(falloff.linear),
            (b"KLDA", _, Some(falloff)) => one(falloff.damping),
            _ => return None,
        })
    }
}

impl Still for Emitter {
    fn still(&self, tag: [u8; 4], _: Family) -> Option<Sampled> {
        Some(one(match &tag {
            b"KPEE" => self.fixed.emission_rate,
            b"KPEG" => self.fixed.gravity,
            b"KPLN" => self.fixed.longitude,
            b"KPLT" => self.fixed.latitude,
            b"KPEL" => self.fixed.lifespan,
            b"KPES" => self.fixed.speed,
            _ => return None,
        }))
    }
}

impl Still for Emitter2 {
    fn still(&self, tag: [u8; 4], _: Family) -> Option<Sampled> {
        Some(one(match (&self.block, &tag) {
            (Block2::Warcraft(fixed), b"KP2S") => fixed.speed,
            (Block2::Warcraft(fixed), b"KP2R") => fixed.variation,
            (Block2::Warcraft(fixed), b"KP2L") => fixed.latitude,
            (Block2::Warcraft(fixed), b"KP2G") => fixed.gravity,
            (Block2::Warcraft(fixed), b"KP2E") => fixed.emission_rate,
            (Block2::Warcraft(fixed), b"KP2N") => fixed.length,
            (Block2::Warcraft(fixed), b"KP2W") => fixed.width,
            (Block2::Wow { fixed, .. }, b"KP2S") => fixed.speed,
            (Block2::Wow { fixed, .. }, b"KP2R") => fixed.variation,
            (Block2::Wow { fixed, .. }, b"KP2L") => fixed.latitude,
            (Block2::Wow { fixed, .. }, b"KPLN") => fixed.longitude,
            (Block2::Wow { fixed, .. }, b"KP2G") => fixed.gravity,
            (Block2::Wow { fixed, .. }, b"KLIF") => fixed.lifespan,
            (Block2::Wow { fixed, .. }, b"KP2E") => fixed.emission_rate,
            (Block2::Wow { fixed, .. }, b"KP2N") => fixed.length,
            (Block2::Wow { fixed, .. }, b"KP2W") => fixed.width,
            (Block2::Wow { fixed, .. }, b"KP2Z") => fixed.z_source,
            _ => return None,
        }))
    }
}

impl Still for Ribbon {
    fn still(&self, tag: [u8; 4], family: Family) -> Option<Sampled> {
        Some(match &tag {
            b"KRHA" => one(self.fixed.height_above),
            b"KRHB" => one(self.fixed.height_below),
            b"KRAL" => one(self.fixed.alpha),
            b"KRCO" => color(self.fixed.color, family),
            b"KRTX" => Sampled::Index(self.fixed.texture_slot.get().into()),
            _ => return None,
        })
    }
}

impl Still for Popcorn {
    fn still(&self, tag: [u8; 4], family: Family) -> Option<Sampled> {
        Some(match &tag {
            b"KPPA" => one(self.fixed.alpha),
            b"KPPC" => color(self.fixed.color, family),
            b"KPPE" => one(self.fixed.emission_rate),
            b"KPPL" => one(self.fixed.lifespan),
            b"KPPS" => one(self.fixed.speed),
            _ => return None,
        })
    }
}
