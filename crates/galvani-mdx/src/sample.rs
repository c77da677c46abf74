//! A model as it moves: what every animated property is at a moment, and where that puts nodes and vertices
//! (docs/notes/mdx-runtime.md#time).
//!
//! A sequence is made ready once, as a [`Clip`]; sampling it at any time then allocates nothing. What
//! remembers where playback stands is a [`Cursor`] and belongs to the caller. A [`Rig`] puts the nodes of a
//! pose into the model's space, a [`GeosetSkin`] the vertices of a geoset. A [`Player`] holds a whole playback:
//! which sequence, how far, what it fades from, which events it passed.

mod choice;
mod clip;
mod curve;
mod events;
mod player;
mod property;
mod rig;
mod skin;
mod source;
mod still;
mod window;

pub use choice::{Random, Variations, animation_name};
pub use clip::{Clip, ClockTimes, Cursor};
pub use events::{Crossing, Events};
pub use player::{Animations, Player};
pub use property::{Property, Sampled};
pub use rig::{Billboard, Local, Poses, Rig};
pub use skin::{GeosetSkin, Influences, Skinned};
pub use window::{Window, WindowEdges};

pub(crate) use curve::{Animated, Keys};
pub(crate) use source::{AnyKeys, Loaded, PropertyPart, Source};
pub(crate) use still::Still;

use galvani_core::codes;

codes! {
    NO_SEQUENCE = Error, "mdx.sample-no-sequence",
        "there is no such sequence",
        "the outline lists the sequences";
    NO_NODE = Error, "mdx.sample-no-node",
        "there is no such node",
        "the outline lists the nodes; a number is the node's own, not its place in the list";
    TOO_MANY = Error, "mdx.sample-too-many",
        "more is asked for at once than fits a machine",
        "name a sequence, a node, or fewer times";
    CAMERA = Error blaming Request, "mdx.sample-camera",
        "a camera is turned nowhere",
        "give a quaternion w, x, y, z of any length but 0";
    TIME = Error blaming Request, "mdx.sample-time",
        "a time is no number",
        "give milliseconds";
}
