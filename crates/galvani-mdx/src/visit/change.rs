//! Every node and every track of a document for editing, in the order of [`Document::nodes`] and
//! [`Document::each_track`].

use crate::held::Records;
use crate::model::{
    Attachment, Bone, Camera, CollisionShape, Emitter, Emitter2, Event, GeosetAnimation, HitTest, Light,
    Material, Node, Popcorn, Ribbon, TextureAnimation,
};
use crate::track::Track;
use crate::{Content, Document};

/// What is called with a track and says whether it stays.
type Each<'a> = &'a mut dyn FnMut(&mut Track) -> bool;

/// A record whose node and tracks change.
trait Change {
    /// Its node, if it begins with one.
    fn node(&mut self) -> Option<&mut Node> {
        None
    }

    /// Its own tracks, those of its node aside.
    fn own(&mut self, each: Each<'_>);
}

impl Document {
    /// Calls `each` with every track, and removes those for which it says no. `KEVT` of Warcraft III stays:
    /// its events have no size that could tell that it is missing.
    pub(crate) fn change_tracks(&mut self, mut each: impl FnMut(&mut Track) -> bool) {
        self.change_records(&mut |record| {
            if let Some(node) = record.node() {
                node.tracks.retain_mut(&mut each);
            }
            record.own(&mut each);
        });
    }

    /// Calls `each` with every node.
    pub(crate) fn change_nodes(&mut self, mut each: impl FnMut(&mut Node)) {
        self.change_records(&mut |record| {
            if let Some(node) = record.node() {
                each(node);
            }
        });
    }

    fn change_records(&mut self, each: &mut dyn FnMut(&mut dyn Change)) {
        for chunk in &mut self.chunks {
            match &mut chunk.content {
                Content::Materials(records) => all(records, each),
                Content::TextureAnimations(records) => all(records, each),
                Content::GeosetAnimations(records) => all(records, each),
                Content::Bones(records) => all(records, each),
                Content::Helpers(records) => all(records, each),
                Content::Lights(records) => all(records, each),
                Content::Attachments(records) => all(records, each),
                Content::Emitters(records) => all(records, each),
                Content::Emitters2(records) => all(records, each),
                Content::Ribbons(records) => all(records, each),
                Content::Cameras(records) => all(records, each),
                Content::Events(records) => all(records, each),
                Content::CollisionShapes(records) => all(records, each),
                Content::HitTests(records) => all(records, each),
                Content::Popcorn(records) => all(records, each),
                _ => {}
            }
        }
    }
}

fn all<T: Change>(records: &mut Records<T>, each: &mut dyn FnMut(&mut dyn Change)) {
    records.typed_mut().for_each(|(_, record)| each(record));
}

impl<T: Change> Change for Box<T> {
    fn node(&mut self) -> Option<&mut Node> {
        T::node(self)
    }

    fn own(&mut self, each: Each<'_>) {
        T::own(self, each);
    }
}

impl Change for Node {
    fn node(&mut self) -> Option<&mut Node> {
        Some(self)
    }

    fn own(&mut self, _: Each<'_>) {}
}

impl Change for Material {
    fn own(&mut self, each: Each<'_>) {
        for layer in self.layers.iter_mut().filter_map(|layer| layer.typed_mut()) {
            for texture in layer.textures.iter_mut().flat_map(|textures| &mut textures.list) {
                texture.track.take_if(|track| !each(track));
            }
            layer.tracks.retain_mut(&mut *each);
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

    fn own(&mut self, each: Each<'_>) {
        let is_sized = self.is_sized;
        self.track.take_if(|track| !each(track) && is_sized);
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
            fn own(&mut self, each: Each<'_>) {
                $( self.$tracks.retain_mut(each); )?
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
            fn own(&mut self, each: Each<'_>) {
                self.tracks.retain_mut(each);
            }
        }
    )* };
}
without_node! {
    TextureAnimation;
    GeosetAnimation;
    Camera;
}
