//! Nodes, and what most records that begin with one add.

use galvani_core::Reading;

use super::super::words::{Block, Context, Still, When, Words};
use super::zeroed;
use crate::NodeKind;
use crate::model::{Attachment, AttachmentFixed, Bone, CollisionShape, Event, Light, Node};
use crate::track::Owner;
use crate::wire::node::{LightCasting, LightFalloff, LightShadow};

/// Words for bits that a record with a node has beside those of every node.
pub(super) type NodeFlags = &'static [(&'static str, u32)];

/// Bits of every node.
const FLAGS: NodeFlags = &[
    ("Billboarded", 8),
    ("BillboardedLockX", 0x10),
    ("BillboardedLockY", 0x20),
    ("BillboardedLockZ", 0x40),
    ("CameraAnchored", 0x80),
];

/// What of the parent a node does not take over (docs/formats/mdx-records.md#node).
fn not_inherited(inherit: Reading) -> [(&'static str, u32); 3] {
    let (rotation, scaling) = match inherit {
        Reading::Documented => (2, 4),
        Reading::Observed => (4, 2),
    };
    [("Translation", 1), ("Rotation", rotation), ("Scaling", scaling)]
}

/// Bits that are said by [`not_inherited`].
const NOT_INHERITED: u32 = 7;

pub(super) fn blank() -> Node {
    Node { fixed: zeroed(), tracks: Vec::new() }
}

/// The words of a node of a kind, which may have bits of its own.
pub(super) fn words<W: Words>(node: &mut Node, kind: NodeKind, own: NodeFlags, words: &mut W) {
    let Node { fixed, tracks } = node;
    let inherit = words.context().inherit;
    words.name_bytes(&mut fixed.name.0);
    words.whole("ObjectId", &mut fixed.object_id, When::Always(0));
    words.whole("Parent", &mut fixed.parent_id, When::Unless(-1));
    words.flags("DontInherit", &mut fixed.flags, &not_inherited(inherit));
    let mut known = NOT_INHERITED;
    for (word, bit) in FLAGS.iter().chain(own) {
        words.flag(word, &mut fixed.flags, *bit);
        known |= bit;
    }
    words.bits("Flags", &mut fixed.flags, known, kind.bit().unwrap_or(0));
    words.animated("Translation", "KGTR", Still::None, false, (Owner::Node, tracks));
    words.animated("Rotation", "KGRT", Still::None, false, (Owner::Node, tracks));
    words.animated("Scaling", "KGSC", Still::None, false, (Owner::Node, tracks));
    words.order("NodeOrder", (Owner::Node, tracks));
}

impl Block for Node {
    fn blank(_: Context) -> Self {
        blank()
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        Some(&mut self.fixed.name.0)
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        self::words(self, NodeKind::Helper, &[], words);
    }
}

impl Block for Bone {
    fn blank(_: Context) -> Self {
        Bone { node: blank(), fixed: zeroed() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        self::words(&mut self.node, NodeKind::Bone, &[], words);
        let none = When::Always(-1);
        let [several, nothing] = [("Multiple", -1), ("None", -1)];
        words.named("GeosetId", &[several, nothing], &mut self.fixed.geoset_id, none);
        words.named("GeosetAnimId", &[nothing, several], &mut self.fixed.geoset_animation_id, none);
    }
}

impl Block for Light {
    fn blank(context: Context) -> Self {
        let since = |version: u32| context.version >= version;
        Light {
            node: blank(),
            fixed: zeroed(),
            shadow: since(1200).then(zeroed::<LightShadow>),
            casting: since(1300).then(zeroed::<LightCasting>),
            falloff: since(1600).then(zeroed::<LightFalloff>),
            tracks: Vec::new(),
        }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        self::words(&mut self.node, NodeKind::Light, &[], words);
        let (fixed, tracks) = (&mut self.fixed, &mut self.tracks);
        words.choice("Kind", &["Omnidirectional", "Directional", "Ambient"], &mut fixed.kind);
        let black = [0.0; 3];
        let stills = [
            ("AttenuationStart", "KLAS", Still::Float(&mut fixed.attenuation_start, 0.0)),
            ("AttenuationEnd", "KLAE", Still::Float(&mut fixed.attenuation_end, 0.0)),
            ("Intensity", "KLAI", Still::Float(&mut fixed.intensity, 0.0)),
            ("Color", "KLAC", Still::Reversed(&mut fixed.color, black)),
            ("AmbIntensity", "KLBI", Still::Float(&mut fixed.ambient_intensity, 0.0)),
            ("AmbColor", "KLBC", Still::Reversed(&mut fixed.ambient_color, black)),
        ];
        for (word, tag, still) in stills {
            words.animated(word, tag, still, true, (Owner::Light, tracks));
        }
        words.animated("Visibility", "KLAV", Still::None, false, (Owner::Light, tracks));
        words.noted(&mut |words| {
            let (shadow, casting, falloff) = (&mut self.shadow, &mut self.casting, &mut self.falloff);
            if let Some(shadow) = shadow {
                words.float("ShadowIntensity", &mut shadow.shadow_intensity, When::Unless(0.0));
            }
            let mut own = Vec::new();
            if let Some(casting) = casting {
                words.whole("ShadowCasting", &mut casting.shadow_casting, When::Unless(0));
                own.push(("ShadowStart", "KLSS", Still::Float(&mut casting.shadow_start, 0.0)));
                own.push(("ShadowEnd", "KLSE", Still::Float(&mut casting.shadow_end, 0.0)));
            } else {
                own.push(("ShadowStart", "KLSS", Still::None));
                own.push(("ShadowEnd", "KLSE", Still::None));
            }
            if let Some(falloff) = falloff {
                own.push(("QuadraticFalloff", "KLQF", Still::Float(&mut falloff.quadratic, 0.0)));
                own.push(("LinearFalloff", "KLLF", Still::Float(&mut falloff.linear, 0.0)));
                own.push(("DampingFalloff", "KLDA", Still::Float(&mut falloff.damping, 0.0)));
            } else {
                let names =
                    [("QuadraticFalloff", "KLQF"), ("LinearFalloff", "KLLF"), ("DampingFalloff", "KLDA")];
                own.extend(names.map(|(word, tag)| (word, tag, Still::None)));
            }
            for (word, tag, still) in own {
                words.animated(word, tag, still, false, (Owner::Light, tracks));
            }
        });
        words.order("Order", (Owner::Light, &mut self.tracks));
    }
}

impl Block for Attachment {
    fn blank(_: Context) -> Self {
        Attachment { node: blank(), fixed: AttachmentFixed::Warcraft(zeroed()), tracks: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        self::words(&mut self.node, NodeKind::Attachment, &[], words);
        if let AttachmentFixed::Warcraft(fixed) = &mut self.fixed {
            words.whole("AttachmentID", &mut fixed.attachment_id, When::Always(0));
            words.text("Path", &mut fixed.path.0, false);
        }
        words.animated("Visibility", "KATV", Still::None, false, (Owner::Attachment, &mut self.tracks));
        words.order("Order", (Owner::Attachment, &mut self.tracks));
    }
}

impl Block for Event {
    fn blank(_: Context) -> Self {
        Event { node: blank(), track: None, is_sized: false }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        self::words(&mut self.node, NodeKind::Event, &[], words);
        words.moments(&mut self.track);
    }
}

impl Block for CollisionShape {
    fn blank(_: Context) -> Self {
        CollisionShape { node: blank(), kind: 0, measures: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        self::words(&mut self.node, NodeKind::CollisionShape, &[], words);
        words.shape(&mut self.kind, &mut self.measures);
    }
}
