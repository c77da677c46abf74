//! Nodes, bones, helpers and events (docs/formats/mdx-records.md#node, #node-records).

use galvani_core::Path;

use super::Write;
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::out::Out;
use crate::track::{Form, Owner, Track, track, tracks, write_all};
use crate::visit::{At, Lists, Room, Rooms, Visit, visit};
use crate::wire::node as wire;
use crate::{Family, NodeKind};

/// A node; a helper is one and nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Name, number, parent, bits.
    pub fixed: wire::Node,
    /// How it moves.
    pub tracks: Vec<Track>,
}

impl ReadPart for Node {
    const LEAST: usize = 96;

    /// Reads a node with its size, under `node`.
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let place = c.field("node");
        let mut c = c.sized(place, Node::LEAST)?;
        Ok(Node { fixed: c.fixed()?, tracks: tracks(&mut c, Owner::Node)? })
    }
}

impl Write for Node {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            out.record(&self.fixed);
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Node {
    fn node(&self) -> Option<(NodeKind, &Node)> {
        Some((NodeKind::Helper, self))
    }

    fn node_mut(&mut self) -> Option<&mut Node> {
        Some(self)
    }
}

/// A bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Its node.
    pub node: Node,
    /// What it moves.
    pub fixed: wire::Bone,
}

impl ReadPart for Bone {
    const LEAST: usize = 104;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        Ok(Bone { node: Node::read(c)?, fixed: c.fixed()? })
    }
}

impl Write for Bone {
    fn write(&self, out: &mut Out) {
        self.node.write(out);
        out.record(&self.fixed);
    }
}

impl Visit for Bone {
    visit!(node: Bone);
}

/// Something that happens at moments of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its node; the name says what happens.
    pub node: Node,
    /// When: `KEVT`, which some events lack.
    pub track: Option<Track>,
    /// Whether the record begins with its own size, as in WoW.
    pub is_sized: bool,
}

impl ReadPart for Event {
    const LEAST: usize = 100;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let node = Node::read(c)?;
        let has_track = c.peek() == Some(*b"KEVT");
        let track = has_track.then(|| track(c, Owner::Event, Form::Simple)).transpose()?;
        Ok(Event { node, track, is_sized: c.context.family == Family::Wow })
    }
}

impl Write for Event {
    fn write(&self, out: &mut Out) {
        let inner = |out: &mut Out| {
            self.node.write(out);
            write_all(self.track.as_slice(), out);
        };
        if self.is_sized { out.sized(inner) } else { inner(out) }
    }
}

impl Visit for Event {
    visit!(node: Event);

    fn own_tracks<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        each(at, self.track.as_slice());
    }

    fn own_mut(&mut self, path: Path, each: Rooms<'_>) {
        let room = if self.is_sized { Room::One(&mut self.track) } else { Room::Fixed(&mut self.track) };
        each(path, Owner::Event, room);
    }
}
