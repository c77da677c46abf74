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

/// A track that a record may have: families, tag, value. Quaternions are packed in WoW.
type Row = (In, &'static str, TrackValue);

/// The tracks of each owner in the order in which its table lists them (docs/formats/mdx-tracks.md#tags), which is that of
/// files. Owners with most tracks come first: each track of a file is looked up here.
const TAGS: &[(Owner, &[Row])] = &[
    (Owner::Node, &[(Both, "KGTR", Vector), (Both, "KGRT", Quaternion), (Both, "KGSC", Vector)]),
    (
        Owner::Layer,
        &[
            (Both, "KMTF", Number),
            (Both, "KMTA", Float),
            (Warcraft, "KMTE", Float),
            (Warcraft, "KFC3", Vector),
            (Warcraft, "KFCA", Float),
            (Warcraft, "KFTC", Float),
        ],
    ),
    (Owner::LayerTexture, &[(Warcraft, "KMTF", Number)]),
    (Owner::TextureAnimation, &[(Both, "KTAT", Vector), (Both, "KTAR", Quaternion), (Both, "KTAS", Vector)]),
    (Owner::GeosetAnimation, &[(Both, "KGAO", Float), (Both, "KGAC", Vector)]),
    (
        Owner::Light,
        &[
            (Both, "KLAS", Float),
            (Both, "KLAE", Float),
            (Both, "KLAC", Vector),
            (Both, "KLAI", Float),
            (Both, "KLBC", Vector),
            (Both, "KLBI", Float),
            (Warcraft, "KLAV", Float),
            (Warcraft, "KLSS", Float),
            (Warcraft, "KLSE", Float),
            (Warcraft, "KLQF", Float),
            (Warcraft, "KLLF", Float),
            (Warcraft, "KLDA", Float),
            (Wow, "KVIS", Float),
        ],
    ),
    (Owner::Attachment, &[(Warcraft, "KATV", Float), (Wow, "KVIS", Float)]),
    (
        Owner::Emitter,
        &[
            (Both, "KPEE", Float),
            (Both, "KPEG", Float),
            (Both, "KPLN", Float),
            (Both, "KPLT", Float),
            (Both, "KPEL", Float),
            (Both, "KPES", Float),
            (Warcraft, "KPEV", Float),
            (Wow, "KVIS", Float),
        ],
    ),
    (
        Owner::Emitter2,
        &[
            (Both, "KP2S", Float),
            (Both, "KP2R", Float),
            (Both, "KP2L", Float),
            (Wow, "KPLN", Float),
            (Both, "KP2G", Float),
            (Wow, "KLIF", Float),
            (Both, "KP2E", Float),
            (Warcraft, "KP2N", Float),
            (Both, "KP2W", Float),
            (Warcraft, "KP2V", Float),
            (Wow, "KP2N", Float),
            (Wow, "KP2Z", Float),
            (Wow, "KVIS", Float),
        ],
    ),
    (
        Owner::Ribbon,
        &[
            (Both, "KRHA", Float),
            (Both, "KRHB", Float),
            (Both, "KRAL", Float),
            (Both, "KRCO", Vector),
            (Both, "KRTX", Number),
            (Warcraft, "KRVS", Float),
            (Wow, "KVIS", Float),
        ],
    ),
    (
        Owner::Camera,
        &[(Both, "KCTR", Vector), (Both, "KTTR", Vector), (Both, "KCRL", Float), (Wow, "KVIS", Float)],
    ),
    (
        Owner::Popcorn,
        &[
            (Warcraft, "KPPA", Float),
            (Warcraft, "KPPC", Vector),
            (Warcraft, "KPPE", Float),
            (Warcraft, "KPPL", Float),
            (Warcraft, "KPPS", Float),
            (Warcraft, "KPPV", Float),
        ],
    ),
    (Owner::Event, &[(Both, "KEVT", Moment)]),
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
    let of_owner = TAGS.iter().find(|(of, _)| *of == owner).map_or(&[][..], |(_, rows)| *rows);
    of_owner
        .iter()
        .filter(move |(families, ..)| known(*families))
        .map(move |(_, name, value)| (*name, packed(*value)))
}

/// The name of a tag that some record may have.
pub fn name_of(tag: [u8; 4]) -> Option<&'static str> {
    let names = TAGS.iter().flat_map(|(_, rows)| rows.iter().map(|(_, name, _)| *name));
    { names }.find(|name| name.as_bytes() == tag)
}

/// Where a tag stands among those of its owner; one that it does not have, behind them.
pub(crate) fn place_of(owner: Owner, family: Family, tag: [u8; 4]) -> usize {
    rows(owner, family).position(|(name, _)| name.as_bytes() == tag).unwrap_or(usize::MAX)
}
