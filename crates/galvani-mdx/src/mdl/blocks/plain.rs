//! The model itself, sequences, textures, cameras, faces that speak.

use zerocopy::little_endian::F32;

use super::super::words::{Block, Context, Still, When, Words};
use super::zeroed;
use crate::model::{Camera, ModelChunk, ModelEnd};
use crate::track::Owner;
use crate::wire::{self, Bounds};

/// How far something reaches.
fn extent<W: Words>(words: &mut W, radius: &mut F32, min: &mut [F32; 3], max: &mut [F32; 3]) {
    words.floats("MinimumExtent", min, When::Unless(0.0));
    words.floats("MaximumExtent", max, When::Unless(0.0));
    words.float("BoundsRadius", radius, When::Unless(0.0));
}

impl Block for Bounds {
    fn blank(_: Context) -> Self {
        zeroed()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        extent(words, &mut self.radius, &mut self.min, &mut self.max);
    }
}

impl Block for ModelChunk {
    fn blank(_: Context) -> Self {
        ModelChunk { fixed: zeroed(), end: ModelEnd::Warcraft(zeroed()) }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        Some(&mut self.fixed.name.0)
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        words.name_bytes(&mut self.fixed.name.0);
        words.counts();
        if let ModelEnd::Warcraft(end) = &mut self.end {
            words.whole("BlendTime", &mut end.blend_time, When::Always(0));
        }
        extent(words, &mut self.fixed.radius, &mut self.fixed.min, &mut self.fixed.max);
        words.text("AnimationFile", &mut self.fixed.animation_file.0, false);
    }
}

impl Block for wire::SequenceWarcraft {
    fn blank(_: Context) -> Self {
        zeroed()
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        Some(&mut self.name.0)
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        words.name_bytes(&mut self.name.0);
        // A window may begin before the timeline does: then its numbers are negative (docs/formats/mdl.md#numbers).
        let mut interval = [self.start.get().cast_signed(), self.end.get().cast_signed()];
        words.wholes("Interval", &mut interval, When::Always(0));
        [self.start, self.end] = interval.map(|moment| moment.cast_unsigned().into());
        words.flag("NonLooping", &mut self.flags, 1);
        words.float("Rarity", &mut self.rarity, When::Unless(0.0));
        words.float("MoveSpeed", &mut self.move_speed, When::Unless(0.0));
        words.whole("SyncPoint", &mut self.sync_point, When::Unless(0));
        extent(words, &mut self.radius, &mut self.min, &mut self.max);
        words.bits("Flags", &mut self.flags, 1, 0);
    }
}

impl Block for wire::Texture {
    fn blank(_: Context) -> Self {
        zeroed()
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        words.text("Image", &mut self.path.0, true);
        words.whole("ReplaceableId", &mut self.replaceable_id, When::Unless(0));
        words.flag("WrapWidth", &mut self.flags, 1);
        words.flag("WrapHeight", &mut self.flags, 2);
        words.bits("Flags", &mut self.flags, 3, 0);
    }
}

impl Block for Camera {
    fn blank(_: Context) -> Self {
        Camera { fixed: zeroed(), tracks: Vec::new() }
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        Some(&mut self.fixed.name.0)
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let (fixed, tracks) = (&mut self.fixed, &mut self.tracks);
        words.name_bytes(&mut fixed.name.0);
        words.floats("Position", &mut fixed.position, When::Always(0.0));
        words.animated("Translation", "KCTR", Still::None, false, (Owner::Camera, tracks));
        words.animated("Rotation", "KCRL", Still::None, false, (Owner::Camera, tracks));
        words.float("FieldOfView", &mut fixed.fov, When::Always(0.0));
        words.float("FarClip", &mut fixed.far_clip, When::Always(0.0));
        words.float("NearClip", &mut fixed.near_clip, When::Always(0.0));
        words.inside("Target", true, &mut |words| {
            words.floats("Position", &mut fixed.target, When::Always(0.0));
            words.animated("Translation", "KTTR", Still::None, false, (Owner::Camera, tracks));
        });
        words.order("Order", (Owner::Camera, &mut self.tracks));
    }
}

impl Block for wire::FaceFx {
    fn blank(_: Context) -> Self {
        zeroed()
    }

    fn name(&mut self) -> Option<&mut [u8]> {
        Some(&mut self.name.0)
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        words.name_bytes(&mut self.name.0);
        words.text("Path", &mut self.path.0, true);
    }
}
