//! Which record may have which tracks, and what their values are (docs/formats/mdx-tracks.md#tags).

use super::TrackValue;
use crate::Family;

/// What has tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A node.
    Node,
    /// A layer of a material.
    Layer,
    /// A texture of a layer, versions 1100 and above.
    LayerTexture,
    /// A texture animation.
    TextureAnimation,
    /// A geoset animation.
    GeosetAnimation,
    /// A light.
    Light,
    /// An attachment.
    Attachment,
    /// An emitter of models.
    Emitter,
    /// A particle emitter.
    Emitter2,
    /// A ribbon.
    Ribbon,
    /// A camera.
    Camera,
    /// A PopcornFX emitter.
    Popcorn,
    /// An event.
    Event,
}

/// Which families have a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum In {
    Both,
    Warcraft,
    Wow,
}

use In::{Both, Warcraft, Wow};
use TrackValue::{Float, Moment, Number, Quaternion, Vector};

/// Owner, families, tag, value; those of an owner in the order in which its table lists them
/// (docs/formats/mdx-tracks.md#tags), which is that of files. Quaternions are packed in WoW.
const TAGS: &[(Owner, In, &str, TrackValue)] = &[
    (Owner::Node, Both, "KGTR", Vector),
    (Owner::Node, Both, "KGRT", Quaternion),
    (Owner::Node, Both, "KGSC", Vector),
    (Owner::Layer, Both, "KMTF", Number),
    (Owner::Layer, Both, "KMTA", Float),
    (Owner::Layer, Warcraft, "KMTE", Float),
    (Owner::Layer, Warcraft, "KFC3", Vector),
    (Owner::Layer, Warcraft, "KFCA", Float),
    (Owner::Layer, Warcraft, "KFTC", Float),
    (Owner::LayerTexture, Warcraft, "KMTF", Number),
    (Owner::TextureAnimation, Both, "KTAT", Vector),
    (Owner::TextureAnimation, Both, "KTAR", Quaternion),
    (Owner::TextureAnimation, Both, "KTAS", Vector),
    (Owner::GeosetAnimation, Both, "KGAO", Float),
    (Owner::GeosetAnimation, Both, "KGAC", Vector),
    (Owner::Light, Both, "KLAS", Float),
    (Owner::Light, Both, "KLAE", Float),
    (Owner::Light, Both, "KLAC", Vector),
    (Owner::Light, Both, "KLAI", Float),
    (Owner::Light, Both, "KLBC", Vector),
    (Owner::Light, Both, "KLBI", Float),
    (Owner::Light, Warcraft, "KLAV", Float),
    (Owner::Light, Warcraft, "KLSS", Float),
    (Owner::Light, Warcraft, "KLSE", Float),
    (Owner::Light, Warcraft, "KLQF", Float),
    (Owner::Light, Warcraft, "KLLF", Float),
    (Owner::Light, Warcraft, "KLDA", Float),
    (Owner::Light, Wow, "KVIS", Float),
    (Owner::Attachment, Warcraft, "KATV", Float),
    (Owner::Attachment, Wow, "KVIS", Float),
    (Owner::Emitter, Both, "KPEE", Float),
    (Owner::Emitter, Both, "KPEG", Float),
    (Owner::Emitter, Both, "KPLN", Float),
    (Owner::Emitter, Both, "KPLT", Float),
    (Owner::Emitter, Both, "KPEL", Float),
    (Owner::Emitter, Both, "KPES", Float),
    (Owner::Emitter, Warcraft, "KPEV", Float),
    (Owner::Emitter, Wow, "KVIS", Float),
    (Owner::Emitter2, Both, "KP2S", Float),
    (Owner::Emitter2, Both, "KP2R", Float),
    (Owner::Emitter2, Both, "KP2L", Float),
    (Owner::Emitter2, Wow, "KPLN", Float),
    (Owner::Emitter2, Both, "KP2G", Float),
    (Owner::Emitter2, Wow, "KLIF", Float),
    (Owner::Emitter2, Both, "KP2E", Float),
    (Owner::Emitter2, Warcraft, "KP2N", Float),
    (Owner::Emitter2, Both, "KP2W", Float),
    (Owner::Emitter2, Warcraft, "KP2V", Float),
    (Owner::Emitter2, Wow, "KP2N", Float),
    (Owner::Emitter2, Wow, "KP2Z", Float),
    (Owner::Emitter2, Wow, "KVIS", Float),
    (Owner::Ribbon, Both, "KRHA", Float),
    (Owner::Ribbon, Both, "KRHB", Float),
    (Owner::Ribbon, Both, "KRAL", Float),
    (Owner::Ribbon, Both, "KRCO", Vector),
    (Owner::Ribbon, Both, "KRTX", Number),
    (Owner::Ribbon, Warcraft, "KRVS", Float),
    (Owner::Ribbon, Wow, "KVIS", Float),
    (Owner::Camera, Both, "KCTR", Vector),
    (Owner::Camera, Both, "KTTR", Vector),
    (Owner::Camera, Both, "KCRL", Float),
    (Owner::Camera, Wow, "KVIS", Float),
    (Owner::Popcorn, Warcraft, "KPPA", Float),
    (Owner::Popcorn, Warcraft, "KPPC", Vector),
    (Owner::Popcorn, Warcraft, "KPPE", Float),
    (Owner::Popcorn, Warcraft, "KPPL", Float),
    (Owner::Popcorn, Warcraft, "KPPS", Float),
    (Owner::Popcorn, Warcraft, "KPPV", Float),
    (Owner::Event, Both, "KEVT", Moment),
];

/// The name and value of a track that such a record of such a family may have.
pub fn value_of(owner: Owner, family: Family, tag: [u8; 4]) -> Option<(&'static str, TrackValue)> {
    rows(owner, family).find(|(name, _)| name.as_bytes() == tag)
}

/// The tracks that such a record of a family may have in a version, in order: names and values.
pub(crate) fn tracks_of(
    owner: Owner,
    family: Family,
    version: u32,
) -> impl Iterator<Item = (&'static str, TrackValue)> {
    let is_there = move |name: &str| match (owner, name) {
        _ if family == Family::Wow => true,
        (Owner::Layer, "KMTE") => version >= 900,
        (Owner::Layer, "KFC3" | "KFCA" | "KFTC") => version >= 1000,
        // From then on the textures of the layer have it.
        (Owner::Layer, "KMTF") => version < 1100,
        (Owner::Light, "KLSS" | "KLSE") => version >= 1300,
        (Owner::Light, "KLQF" | "KLLF" | "KLDA") => version >= 1600,
        _ => true,
    };
    rows(owner, family).filter(move |(name, _)| is_there(name))
}

fn rows(owner: Owner, family: Family) -> impl Iterator<Item = (&'static str, TrackValue)> {
    let known = move |families: In| match families {
        Both => true,
        Warcraft => family == Family::Warcraft,
        Wow => family == Family::Wow,
    };
    let packed = move |value: TrackValue| match (family, value) {
        (Family::Wow, Quaternion) => TrackValue::Packed,
        _ => value,
    };
    TAGS.iter()
        .filter(move |(of, families, ..)| *of == owner && known(*families))
        .map(move |(_, _, name, value)| (*name, packed(*value)))
}

/// The name of a tag that some record may have.
pub fn name_of(tag: [u8; 4]) -> Option<&'static str> {
    TAGS.iter().map(|(_, _, name, _)| *name).find(|name| name.as_bytes() == tag)
}
