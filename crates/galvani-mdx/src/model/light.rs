//! Lights and attachments (docs/formats/mdx-records.md#node-records).

use super::{Node, Write};
use crate::Family;
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::out::Out;
use crate::track::{Owner, Track, tracks, write_all};
use crate::visit::{Texts, Visit, texts_of, visit};
use crate::wire::node as wire;

/// A light.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Its node.
    pub node: Node,
    /// How it shines.
    pub fixed: wire::Light,
    /// Versions 1200 and above.
    pub shadow: Option<wire::LightShadow>,
    /// Versions 1300 and above.
    pub casting: Option<wire::LightCasting>,
    /// Versions 1600 and above.
    pub falloff: Option<wire::LightFalloff>,
    /// How that changes.
    pub tracks: Vec<Track>,
}

impl ReadPart for Light {
    const LEAST: usize = 144;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        Ok(Light {
            node: Node::read(c)?,
            fixed: c.fixed()?,
            shadow: c.context.since(1200).then(|| c.fixed()).transpose()?,
            casting: c.context.since(1300).then(|| c.fixed()).transpose()?,
            falloff: c.context.since(1600).then(|| c.fixed()).transpose()?,
            tracks: tracks(c, Owner::Light)?,
        })
    }
}

impl Write for Light {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            out.record(&self.fixed);
            if let Some(shadow) = &self.shadow {
                out.record(shadow);
            }
            if let Some(casting) = &self.casting {
                out.record(casting);
            }
            if let Some(falloff) = &self.falloff {
                out.record(falloff);
            }
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Light {
    visit!(node: Light);
    visit!(tracks: Light);
    visit!(still);
}

/// A place where other models are attached.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Its node.
    pub node: Node,
    /// Its number and model.
    pub fixed: AttachmentFixed,
    /// When it is shown.
    pub tracks: Vec<Track>,
}

/// Its fixed part by family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AttachmentFixed {
    /// In Warcraft III.
    Warcraft(wire::AttachmentWarcraft),
    /// In WoW.
    Wow(wire::AttachmentWow),
}

impl Attachment {
    /// Its number.
    pub fn attachment_id(&self) -> i32 {
        match &self.fixed {
            AttachmentFixed::Warcraft(fixed) => fixed.attachment_id.get(),
            AttachmentFixed::Wow(fixed) => fixed.attachment_id.get(),
        }
    }

    /// The model that is shown there, with its whole room.
    pub fn path(&self) -> &[u8; 260] {
        match &self.fixed {
            AttachmentFixed::Warcraft(fixed) => &fixed.path.0,
            AttachmentFixed::Wow(fixed) => &fixed.path.0,
        }
    }
}

impl ReadPart for Attachment {
    const LEAST: usize = 364;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let node = Node::read(c)?;
        let fixed = match c.context.family {
            Family::Warcraft => AttachmentFixed::Warcraft(c.fixed()?),
            Family::Wow => AttachmentFixed::Wow(c.fixed()?),
        };
        Ok(Attachment { node, fixed, tracks: tracks(c, Owner::Attachment)? })
    }
}

impl Write for Attachment {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            match &self.fixed {
                AttachmentFixed::Warcraft(fixed) => out.record(fixed),
                AttachmentFixed::Wow(fixed) => out.record(fixed),
            }
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Attachment {
    visit!(node: Attachment);
    visit!(tracks: Attachment);

    fn texts<'a>(&'a self, each: Texts<'_, 'a>) {
        match &self.fixed {
            AttachmentFixed::Warcraft(fixed) => texts_of(fixed, each),
            AttachmentFixed::Wow(fixed) => texts_of(fixed, each),
        }
    }
}
