//! Emitters of models, particles, ribbons and PopcornFX (docs/formats/mdx-records.md#node-records).

use super::{Node, Write};
use crate::Family;
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::out::Out;
use crate::track::{Owner, Track, tracks, write_all};
use crate::visit::{Texts, Visit, texts_of, visit};
use crate::wire::node as wire;
use crate::wire::{Vec3, node};

/// PREM: throws models.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitter {
    /// Its node.
    pub node: Node,
    /// What it throws and how.
    pub fixed: wire::Emitter,
    /// How that changes.
    pub tracks: Vec<Track>,
}

impl ReadPart for Emitter {
    const LEAST: usize = 384;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        Ok(Emitter { node: Node::read(c)?, fixed: c.fixed()?, tracks: tracks(c, Owner::Emitter)? })
    }
}

impl Write for Emitter {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            out.record(&self.fixed);
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Emitter {
    visit!(node: Emitter);
    visit!(tracks: Emitter);
    visit!(still);
    visit!(texts: fixed);
}

/// PRE2: throws particles.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitter2 {
    /// Its node.
    pub node: Node,
    /// What it throws and how.
    pub block: Block2,
    /// How that changes.
    pub tracks: Vec<Track>,
}

/// The fixed part of a particle emitter by family.
#[derive(Debug, Clone, PartialEq)]
pub enum Block2 {
    /// In Warcraft III.
    Warcraft(Box<wire::Emitter2Warcraft>),
    /// In WoW.
    Wow {
        /// Up to the spline.
        fixed: Box<wire::Emitter2Wow>,
        /// The spline that particles start from.
        spline: Vec<Vec3>,
        /// Whether all particles come at once.
        squirts: u32,
    },
}

impl Block2 {
    /// Bytes of the block, in WoW its size included.
    pub fn len(&self) -> usize {
        match self {
            Block2::Warcraft(_) => size_of::<wire::Emitter2Warcraft>(),
            Block2::Wow { spline, .. } => [
                size_of::<wire::Emitter2Wow>(),
                size_of::<node::SplineCount>(),
                size_of_val(spline.as_slice()),
                size_of::<node::Squirts>(),
            ]
            .into_iter()
            .fold(0, usize::saturating_add),
        }
    }

    /// Never: a block has fields.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Its texture.
    pub fn texture_id(&self) -> i32 {
        match self {
            Block2::Warcraft(fixed) => fixed.texture_id.get(),
            Block2::Wow { fixed, .. } => fixed.texture_id.get(),
        }
    }
}

impl ReadPart for Emitter2 {
    const LEAST: usize = 271;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let node = Node::read(c)?;
        let block = match c.context.family {
            Family::Warcraft => Block2::Warcraft(Box::new(c.fixed()?)),
            Family::Wow => {
                let fixed = Box::new(c.fixed()?);
                let count: wire::SplineCount = c.fixed()?;
                let count = usize::try_from(count.spline_count.get()).unwrap_or(usize::MAX);
                let spline = c.table("spline", count)?;
                Block2::Wow { fixed, spline, squirts: c.fixed::<wire::Squirts>()?.squirts.get() }
            }
        };
        Ok(Emitter2 { node, block, tracks: tracks(c, Owner::Emitter2)? })
    }
}

impl Write for Emitter2 {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            match &self.block {
                Block2::Warcraft(fixed) => out.record(fixed.as_ref()),
                Block2::Wow { fixed, spline, squirts } => {
                    out.record(fixed.as_ref());
                    out.count(spline.len());
                    out.record(spline.as_slice());
                    out.u32(*squirts);
                }
            }
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Emitter2 {
    visit!(node: Emitter2);
    visit!(tracks: Emitter2);
    visit!(still);

    fn texts<'a>(&'a self, each: Texts<'_, 'a>) {
        if let Block2::Wow { fixed, .. } = &self.block {
            texts_of(fixed.as_ref(), each);
        }
    }
}

/// RIBB: draws a band behind itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Ribbon {
    /// Its node.
    pub node: Node,
    /// Bytes of the block as it counts them; only in WoW.
    pub emitter_size: Option<u32>,
    /// What the band looks like.
    pub fixed: wire::Ribbon,
    /// How that changes.
    pub tracks: Vec<Track>,
}

impl ReadPart for Ribbon {
    const LEAST: usize = 152;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let node = Node::read(c)?;
        let emitter_size = match c.context.family {
            Family::Warcraft => None,
            Family::Wow => Some(c.fixed::<wire::EmitterSize>()?.emitter_size.get()),
        };
        Ok(Ribbon { node, emitter_size, fixed: c.fixed()?, tracks: tracks(c, Owner::Ribbon)? })
    }
}

impl Write for Ribbon {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            if let Some(size) = self.emitter_size {
                out.u32(size);
            }
            out.record(&self.fixed);
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Ribbon {
    visit!(node: Ribbon);
    visit!(tracks: Ribbon);
    visit!(still);
}

/// CORN: a PopcornFX effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Popcorn {
    /// Its node.
    pub node: Node,
    /// Which effect and how.
    pub fixed: Box<wire::Popcorn>,
    /// How that changes.
    pub tracks: Vec<Track>,
}

impl ReadPart for Popcorn {
    const LEAST: usize = 652;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let (node, fixed) = (Node::read(c)?, Box::new(c.fixed()?));
        Ok(Popcorn { node, fixed, tracks: tracks(c, Owner::Popcorn)? })
    }
}

impl Write for Popcorn {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            out.record(self.fixed.as_ref());
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Popcorn {
    visit!(node: Popcorn);
    visit!(tracks: Popcorn);
    visit!(still);

    fn texts<'a>(&'a self, each: Texts<'_, 'a>) {
        texts_of(self.fixed.as_ref(), each);
    }
}
