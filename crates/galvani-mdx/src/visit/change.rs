//! Every node and every track of a document for editing, in the order of [`Document::nodes`] and
//! [`Document::each_track`].

use std::collections::BTreeMap;

use galvani_core::Path;

use crate::held::Records;
use crate::model::{
    Attachment, Bone, Camera, CollisionShape, Emitter, Emitter2, Event, GeosetAnimation, HitTest, Light,
    Material, Node, Popcorn, Ribbon, TextureAnimation,
};
use crate::track::{Owner, Track};
use crate::{Content, Document};

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
type Each<'a> = &'a mut dyn FnMut(Path, Owner, Room<'_>);

/// A record whose node and tracks change.
trait Change {
    /// Its node, if it begins with one.
    fn node(&mut self) -> Option<&mut Node> {
        None
    }

    /// Its own tracks, those of its node aside.
    fn own(&mut self, path: Path, each: Each<'_>);
}

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
            if let Some(node) = record.node() {
                each(path.field("node"), Owner::Node, Room::List(&mut node.tracks));
            }
            record.own(path, &mut each);
        });
    }

    /// Calls `each` with every node.
    pub(crate) fn change_nodes(&mut self, mut each: impl FnMut(&mut Node)) {
        self.change_records(&mut |_, record| {
            if let Some(node) = record.node() {
                each(node);
            }
        });
    }

    fn change_records(&mut self, each: &mut dyn FnMut(Path, &mut dyn Change)) {
        let mut before: BTreeMap<[u8; 4], usize> = BTreeMap::new();
        for chunk in &mut self.chunks {
            let next = before.entry(chunk.tag).or_default();
            let (path, first) = (Path::of(chunk.content.name().unwrap_or_default()), *next);
            *next = next.saturating_add(chunk.content.len());
            match &mut chunk.content {
                Content::Materials(records) => all(records, path, first, each),
                Content::TextureAnimations(records) => all(records, path, first, each),
                Content::GeosetAnimations(records) => all(records, path, first, each),
                Content::Bones(records) => all(records, path, first, each),
                Content::Helpers(records) => all(records, path, first, each),
                Content::Lights(records) => all(records, path, first, each),
                Content::Attachments(records) => all(records, path, first, each),
                Content::Emitters(records) => all(records, path, first, each),
                Content::Emitters2(records) => all(records, path, first, each),
                Content::Ribbons(records) => all(records, path, first, each),
                Content::Cameras(records) => all(records, path, first, each),
                Content::Events(records) => all(records, path, first, each),
                Content::CollisionShapes(records) => all(records, path, first, each),
                Content::HitTests(records) => all(records, path, first, each),
                Content::Popcorn(records) => all(records, path, first, each),
                _ => {}
            }
        }
    }
}

fn all<T: Change>(
    records: &mut Records<T>,
    path: Path,
    first: usize,
    each: &mut dyn FnMut(Path, &mut dyn Change),
) {
    records.typed_mut().for_each(|(i, record)| each(path.index(first.saturating_add(i)), record));
}

impl<T: Change> Change for Box<T> {
    fn node(&mut self) -> Option<&mut Node> {
        T::node(self)
    }

    fn own(&mut self, path: Path, each: Each<'_>) {
        T::own(self, path, each);
    }
}

impl Change for Node {
    fn node(&mut self) -> Option<&mut Node> {
        Some(self)
    }

    fn own(&mut self, _: Path, _: Each<'_>) {}
}

impl Change for Material {
    fn own(&mut self, path: Path, each: Each<'_>) {
        for (i, layer) in self.layers.iter_mut().enumerate() {
            let (path, Some(layer)) = (path.field("LAYS").index(i), layer.typed_mut()) else { continue };
            let textures = layer.textures.iter_mut().flat_map(|textures| textures.list.iter_mut());
            for (i, texture) in textures.enumerate() {
                each(path.field("textures").index(i), Owner::LayerTexture, Room::One(&mut texture.track));
            }
            each(path, Owner::Layer, Room::List(&mut layer.tracks));
            // Behind the last texture a track is read as that texture's: so it is from now on.
            if let Some(last) = layer.textures.as_mut().and_then(|textures| textures.list.last_mut())
                && last.track.is_none()
                && layer.tracks.first().is_some_and(|track| track.tag == *b"KMTF")
            {
                last.track = Some(layer.tracks.remove(0));
            }
        }
    }
}

impl Change for Event {
    fn node(&mut self) -> Option<&mut Node> {
        Some(&mut self.node)
    }

    fn own(&mut self, path: Path, each: Each<'_>) {
        let room = if self.is_sized { Room::One(&mut self.track) } else { Room::Fixed(&mut self.track) };
        each(path, Owner::Event, room);
    }
}

/// Records that have a node, and tracks or none.
macro_rules! with_node {
    ($( $record:ident $(: $tracks:ident)?; )*) => { $(
        impl Change for $record {
            fn node(&mut self) -> Option<&mut Node> {
                Some(&mut self.node)
            }

            #[allow(unused_variables, reason = "not every record has tracks of its own")]
            fn own(&mut self, path: Path, each: Each<'_>) {
                $( each(path, Owner::$record, Room::List(&mut self.$tracks)); )?
            }
        }
    )* };
}
with_node! {
    Bone;
    Light: tracks;
    Attachment: tracks;
    Emitter: tracks;
    Emitter2: tracks;
    Ribbon: tracks;
    CollisionShape;
    HitTest;
    Popcorn: tracks;
}

/// Records that have tracks and no node.
macro_rules! without_node {
    ($( $record:ident; )*) => { $(
        impl Change for $record {
            fn own(&mut self, path: Path, each: Each<'_>) {
                each(path, Owner::$record, Room::List(&mut self.tracks));
            }
        }
    )* };
}
without_node! {
    TextureAnimation;
    GeosetAnimation;
    Camera;
}
