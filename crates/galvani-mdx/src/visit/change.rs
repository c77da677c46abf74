//! Every node and every track of a document for editing, in the order of [`Document::nodes`] and
//! [`Document::each_track`].

use std::collections::BTreeMap;

use galvani_core::Path;

use super::Visit;
use crate::Document;
use crate::model::Node;
use crate::track::{Owner, Track};

/// Where a record keeps tracks.
pub(crate) enum Room<'a> {
    /// Any number of them.
    List(&'a mut Vec<Track>),
    /// One.
    One(&'a mut Option<Track>),
    /// One that stays once it is there: the record has no size that could tell that it is missing.
    Fixed(&'a mut Option<Track>),
}

impl Room<'_> {
    /// The tracks in it.
    pub(crate) fn list(&self) -> &[Track] {
        match self {
            Room::List(tracks) => tracks,
            Room::One(track) | Room::Fixed(track) => track.as_slice(),
        }
    }
}

/// What is called with every room, its path and what it belongs to.
pub(crate) type Rooms<'a> = &'a mut dyn FnMut(Path, Owner, Room<'_>);

impl Document {
    /// Calls `each` with every track, and removes those for which it says no. `KEVT` of Warcraft III stays:
    /// its events have no size that could tell that it is missing.
    pub(crate) fn change_tracks(&mut self, mut each: impl FnMut(&mut Track) -> bool) {
        self.change_rooms(|_, _, room| match room {
            Room::List(tracks) => tracks.retain_mut(&mut each),
            Room::One(track) => drop(track.take_if(|track| !each(track))),
            Room::Fixed(track) => {
                track.as_mut().map(&mut each);
            }
        });
    }

    /// Calls `each` with every room for tracks.
    pub(crate) fn change_rooms(&mut self, mut each: impl FnMut(Path, Owner, Room<'_>)) {
        self.change_records(&mut |path, record| {
            if let Some(node) = record.node_mut() {
                each(path.field("node"), Owner::Node, Room::List(&mut node.tracks));
            }
            record.own_mut(path, &mut each);
        });
    }

    /// Calls `each` with every node.
    pub(crate) fn change_nodes(&mut self, mut each: impl FnMut(&mut Node)) {
        self.change_records(&mut |_, record| {
            if let Some(node) = record.node_mut() {
                each(node);
            }
        });
    }

    fn change_records(&mut self, each: &mut dyn FnMut(Path, &mut dyn Visit)) {
        let mut before: BTreeMap<[u8; 4], usize> = BTreeMap::new();
        for chunk in &mut self.chunks {
            let next = before.entry(chunk.tag).or_default();
            let (path, first) = (Path::named(chunk.content.name().unwrap_or_default()), *next);
            *next = next.saturating_add(chunk.content.len());
            if let Some(records) = chunk.content.records_mut() {
                records.change(path, first, each);
            }
        }
    }
}
