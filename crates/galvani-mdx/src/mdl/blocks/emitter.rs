//! Emitters of models, particles, bands and PopcornFX.

use super::super::words::{Block, Context, Still, When, Words};
use super::node::{self, NodeFlags};
use super::zeroed;
use crate::NodeKind;
use crate::model::{Block2, Emitter, Emitter2, Popcorn, Ribbon};
use crate::track::Owner;
use crate::wire::node::{self as wire, Emitter2Warcraft};

impl Block for Emitter {
    fn blank(_: Context) -> Self {
        Emitter { node: node::blank(), fixed: zeroed(), tracks: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let own: NodeFlags = &[("EmitterUsesMDL", 0x8000), ("EmitterUsesTGA", 0x10000)];
        node::words(&mut self.node, NodeKind::Emitter, own, words);
        let (fixed, tracks) = (&mut self.fixed, &mut self.tracks);
        let stills = [
            ("EmissionRate", "KPEE", Still::Float(&mut fixed.emission_rate, 0.0)),
            ("Gravity", "KPEG", Still::Float(&mut fixed.gravity, 0.0)),
            ("Longitude", "KPLN", Still::Float(&mut fixed.longitude, 0.0)),
            ("Latitude", "KPLT", Still::Float(&mut fixed.latitude, 0.0)),
        ];
        for (word, tag, still) in stills {
            words.animated(word, tag, still, true, (Owner::Emitter, tracks));
        }
        words.animated("Visibility", "KPEV", Still::None, false, (Owner::Emitter, tracks));
        words.inside("Particle", true, &mut |words| {
            let life = Still::Float(&mut fixed.lifespan, 0.0);
            words.animated("LifeSpan", "KPEL", life, true, (Owner::Emitter, tracks));
            let speed = Still::Float(&mut fixed.speed, 0.0);
            words.animated("InitVelocity", "KPES", speed, true, (Owner::Emitter, tracks));
            words.text("Path", &mut fixed.path.0, true);
        });
        words.order("Order", (Owner::Emitter, &mut self.tracks));
    }
}

impl Block for Emitter2 {
    const LEN: usize = size_of::<Self>().saturating_add(size_of::<Emitter2Warcraft>());

    fn blank(_: Context) -> Self {
        Emitter2 { node: node::blank(), block: Block2::Warcraft(Box::new(zeroed())), tracks: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let own: NodeFlags = &[
            ("Unshaded", 0x8000),
            ("SortPrimsFarZ", 0x10000),
            ("LineEmitter", 0x20000),
            ("Unfogged", 0x40000),
            ("ModelSpace", 0x80000),
            ("XYQuad", 0x100000),
        ];
        node::words(&mut self.node, NodeKind::Emitter2, own, words);
        let tracks = &mut self.tracks;
        let Block2::Warcraft(fixed) = &mut self.block else { return };
        let stills = [
            ("Speed", "KP2S", Still::Float(&mut fixed.speed, 0.0)),
            ("Variation", "KP2R", Still::Float(&mut fixed.variation, 0.0)),
            ("Latitude", "KP2L", Still::Float(&mut fixed.latitude, 0.0)),
            ("Gravity", "KP2G", Still::Float(&mut fixed.gravity, 0.0)),
            ("EmissionRate", "KP2E", Still::Float(&mut fixed.emission_rate, 0.0)),
            ("Width", "KP2W", Still::Float(&mut fixed.width, 0.0)),
            ("Length", "KP2N", Still::Float(&mut fixed.length, 0.0)),
        ];
        for (word, tag, still) in stills {
            words.animated(word, tag, still, true, (Owner::Emitter2, tracks));
        }
        words.animated("Visibility", "KP2V", Still::None, false, (Owner::Emitter2, tracks));
        let filters = &["Blend", "Additive", "Modulate", "Modulate2x", "AlphaKey"];
        words.choice("Filter", filters, &mut fixed.filter_mode);
        words.whole("Rows", &mut fixed.rows, When::Always(0));
        words.whole("Columns", &mut fixed.columns, When::Always(0));
        words.choice("Parts", &["Head", "Tail", "Both"], &mut fixed.head_or_tail);
        words.float("TailLength", &mut fixed.tail_length, When::Always(0.0));
        words.float("LifeSpan", &mut fixed.lifespan, When::Always(0.0));
        words.float("Time", &mut fixed.time, When::Always(0.0));
        words.segment_colors("SegmentColor", &mut fixed.segment_color);
        words.wholes("Alpha", &mut fixed.segment_alpha, When::Always(255));
        words.floats("ParticleScaling", &mut fixed.segment_scale, When::Always(1.0));
        words.wholes("LifeSpanUVAnim", &mut fixed.head_life, When::Always(0));
        words.wholes("DecayUVAnim", &mut fixed.head_decay, When::Always(0));
        words.wholes("TailUVAnim", &mut fixed.tail_life, When::Always(0));
        words.wholes("TailDecayUVAnim", &mut fixed.tail_decay, When::Always(0));
        words.whole("TextureID", &mut fixed.texture_id, When::Always(0));
        words.flag("Squirt", &mut fixed.squirt, 1);
        words.bits("SquirtBits", &mut fixed.squirt, 1, 0);
        words.whole("PriorityPlane", &mut fixed.priority_plane, When::Unless(0));
        words.whole("ReplaceableId", &mut fixed.replaceable_id, When::Unless(0));
        words.order("Order", (Owner::Emitter2, &mut self.tracks));
    }
}

impl Block for Ribbon {
    fn blank(_: Context) -> Self {
        Ribbon { node: node::blank(), emitter_size: None, fixed: zeroed(), tracks: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        node::words(&mut self.node, NodeKind::Ribbon, &[], words);
        let (fixed, tracks) = (&mut self.fixed, &mut self.tracks);
        let stills = [
            ("HeightAbove", "KRHA", Still::Float(&mut fixed.height_above, 0.0)),
            ("HeightBelow", "KRHB", Still::Float(&mut fixed.height_below, 0.0)),
            ("Alpha", "KRAL", Still::Float(&mut fixed.alpha, 1.0)),
            ("Color", "KRCO", Still::Reversed(&mut fixed.color, [1.0; 3])),
            ("TextureSlot", "KRTX", Still::Index(&mut fixed.texture_slot, 0)),
        ];
        for (word, tag, still) in stills {
            words.animated(word, tag, still, true, (Owner::Ribbon, tracks));
        }
        words.animated("Visibility", "KRVS", Still::None, false, (Owner::Ribbon, tracks));
        words.whole("EmissionRate", &mut fixed.emission_rate, When::Always(0));
        words.float("LifeSpan", &mut fixed.lifespan, When::Always(0.0));
        words.float("Gravity", &mut fixed.gravity, When::Unless(0.0));
        words.whole("Rows", &mut fixed.rows, When::Always(0));
        words.whole("Columns", &mut fixed.columns, When::Always(0));
        words.whole("MaterialID", &mut fixed.material_id, When::Always(0));
        words.order("Order", (Owner::Ribbon, &mut self.tracks));
    }
}

impl Block for Popcorn {
    const LEN: usize = size_of::<Self>().saturating_add(size_of::<wire::Popcorn>());

    fn blank(_: Context) -> Self {
        Popcorn { node: node::blank(), fixed: Box::new(zeroed()), tracks: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        self.node.name()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let own: NodeFlags = &[("Unshaded", 0x8000), ("SortPrimsFarZ", 0x10000), ("Unfogged", 0x40000)];
        node::words(&mut self.node, NodeKind::Popcorn, own, words);
        words.other_flag("PopcornScaling", &mut self.node.fixed.flags, 0x40000);
        let (fixed, tracks) = (self.fixed.as_mut(), &mut self.tracks);
        let stills = [
            ("LifeSpan", "KPPL", Still::Float(&mut fixed.lifespan, 0.0)),
            ("EmissionRate", "KPPE", Still::Float(&mut fixed.emission_rate, 0.0)),
            ("Speed", "KPPS", Still::Float(&mut fixed.speed, 0.0)),
            ("Color", "KPPC", Still::Straight(&mut fixed.color, [1.0; 3])),
            ("Alpha", "KPPA", Still::Float(&mut fixed.alpha, 1.0)),
        ];
        for (word, tag, still) in stills {
            words.animated(word, tag, still, true, (Owner::Popcorn, tracks));
        }
        words.animated("Visibility", "KPPV", Still::None, false, (Owner::Popcorn, tracks));
        words.whole("ReplaceableId", &mut fixed.replaceable_id, When::Unless(0));
        words.text("Path", &mut fixed.path.0, true);
        words.text("AnimVisibilityGuide", &mut fixed.visibility_guide.0, true);
        words.order("Order", (Owner::Popcorn, &mut self.tracks));
    }
}
