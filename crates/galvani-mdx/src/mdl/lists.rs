//! The records of a model by kind, as a text has them, and how they are dealt out to chunks again.

use std::collections::BTreeMap;

use zerocopy::little_endian::U32;

use crate::held::{Held, Raw, Records};
use crate::model::{
    Attachment, Bone, Camera, CollisionShape, Emitter, Emitter2, Event, Geoset, GeosetAnimation, Light,
    Material, ModelChunk, Node, Popcorn, Ribbon, Sequences, TextureAnimation,
};
use crate::wire::{BindPose, FaceFx, SequenceWarcraft, Texture, Vec3};
use crate::{Chunk, Content, chunk};

/// Everything a text says, in its order.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) versions: Vec<u32>,
    pub(super) models: Vec<ModelChunk>,
    pub(super) sequences: Vec<SequenceWarcraft>,
    pub(super) globals: Vec<U32>,
    pub(super) materials: Vec<Held<Material>>,
    pub(super) textures: Vec<Texture>,
    pub(super) texture_animations: Vec<Held<TextureAnimation>>,
    pub(super) geosets: Vec<Held<Box<Geoset>>>,
    pub(super) geoset_animations: Vec<Held<GeosetAnimation>>,
    pub(super) bones: Vec<Held<Bone>>,
    pub(super) lights: Vec<Held<Light>>,
    pub(super) helpers: Vec<Held<Node>>,
    pub(super) attachments: Vec<Held<Box<Attachment>>>,
    pub(super) pivots: Vec<Vec3>,
    pub(super) emitters: Vec<Held<Box<Emitter>>>,
    pub(super) emitters2: Vec<Held<Emitter2>>,
    pub(super) popcorn: Vec<Held<Popcorn>>,
    pub(super) ribbons: Vec<Held<Ribbon>>,
    pub(super) cameras: Vec<Held<Camera>>,
    pub(super) events: Vec<Held<Event>>,
    pub(super) shapes: Vec<Held<CollisionShape>>,
    pub(super) face_fx: Vec<FaceFx>,
    pub(super) bind_poses: Vec<BindPose>,
}

/// How chunks lie where that is not as it follows from the records.
#[derive(Debug, Default)]
pub(super) struct Laid {
    pub(super) chunks: Vec<LaidChunk>,
    /// Chunks that are kept as their bytes, in order.
    pub(super) raw: Vec<([u8; 4], Vec<u8>)>,
    /// What stands behind the records of a chunk, by its number.
    pub(super) rests: Vec<(usize, Vec<u8>)>,
}

/// A chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaidChunk {
    /// Its records: so many, or all that are left.
    Records([u8; 4], Option<usize>),
    /// The next of those that are kept as their bytes.
    Raw,
}

/// The last of a list, from the so manieth on.
fn last<T>(list: &mut Vec<T>, from: usize) -> Vec<T> {
    list.split_off(from.min(list.len()))
}

fn records<T>(list: &mut Vec<Held<T>>, from: usize, rest: Raw) -> Records<T> {
    Records { count: None, unused: None, items: last(list, from), rest }
}

impl Lists {
    /// A chunk of a tag with all records that are left from one on, and what stands behind them; of versions and models each has
    /// one, or there is none.
    fn content(&mut self, tag: [u8; 4], from: usize, rest: Raw) -> Option<Content> {
        Some(match &tag {
            b"VERS" => Content::Version(last(&mut self.versions, from).into_iter().next()?),
            b"MODL" => Content::Model(Box::new(last(&mut self.models, from).into_iter().next()?)),
            b"SEQS" => Content::Sequences(Sequences::Warcraft(last(&mut self.sequences, from))),
            b"GLBS" => Content::Globals(last(&mut self.globals, from)),
            b"MTLS" => Content::Materials(records(&mut self.materials, from, rest)),
            b"TEXS" => Content::Textures(last(&mut self.textures, from)),
            b"TXAN" => Content::TextureAnimations(records(&mut self.texture_animations, from, rest)),
            b"GEOS" => Content::Geosets(records(&mut self.geosets, from, rest)),
            b"GEOA" => Content::GeosetAnimations(records(&mut self.geoset_animations, from, rest)),
            b"BONE" => Content::Bones(records(&mut self.bones, from, rest)),
            b"LITE" => Content::Lights(records(&mut self.lights, from, rest)),
            b"HELP" => Content::Helpers(records(&mut self.helpers, from, rest)),
            b"ATCH" => Content::Attachments(records(&mut self.attachments, from, rest)),
            b"PIVT" => Content::Pivots(last(&mut self.pivots, from)),
            b"PREM" => Content::Emitters(records(&mut self.emitters, from, rest)),
            b"PRE2" => Content::Emitters2(records(&mut self.emitters2, from, rest)),
            b"CORN" => Content::Popcorn(records(&mut self.popcorn, from, rest)),
            b"RIBB" => Content::Ribbons(records(&mut self.ribbons, from, rest)),
            b"CAMS" => Content::Cameras(records(&mut self.cameras, from, rest)),
            b"EVTS" => Content::Events(records(&mut self.events, from, rest)),
            b"CLID" => Content::CollisionShapes(records(&mut self.shapes, from, rest)),
            b"FAFX" => Content::FaceFx(last(&mut self.face_fx, from)),
            b"BPOS" => Content::BindPoses(last(&mut self.bind_poses, from)),
            _ => Content::Raw(Raw::default()),
        })
    }

    /// How many records of a tag there are.
    fn len(&self, tag: [u8; 4]) -> usize {
        match &tag {
            b"VERS" => self.versions.len(),
            b"MODL" => self.models.len(),
            b"SEQS" => self.sequences.len(),
            b"GLBS" => self.globals.len(),
            b"MTLS" => self.materials.len(),
            b"TEXS" => self.textures.len(),
            b"TXAN" => self.texture_animations.len(),
            b"GEOS" => self.geosets.len(),
            b"GEOA" => self.geoset_animations.len(),
            b"BONE" => self.bones.len(),
            b"LITE" => self.lights.len(),
            b"HELP" => self.helpers.len(),
            b"ATCH" => self.attachments.len(),
            b"PIVT" => self.pivots.len(),
            b"PREM" => self.emitters.len(),
            b"PRE2" => self.emitters2.len(),
            b"CORN" => self.popcorn.len(),
            b"RIBB" => self.ribbons.len(),
            b"CAMS" => self.cameras.len(),
            b"EVTS" => self.events.len(),
            b"CLID" => self.shapes.len(),
            b"FAFX" => self.face_fx.len(),
            b"BPOS" => self.bind_poses.len(),
            _ => 0,
        }
    }

    /// The chunks of all records: one of a kind, in the order of the games' own tools, or as a note lays them. Whatever
    /// that leaves over goes into the last chunk of its kind.
    pub(super) fn into_chunks(mut self, laid: Option<Laid>) -> Vec<Chunk> {
        let Laid { mut chunks, mut raw, rests } = laid.unwrap_or_default();
        for tag in chunk::tags() {
            let is_its = |chunk: &LaidChunk| matches!(chunk, LaidChunk::Records(own, _) if *own == tag);
            if self.len(tag) > 0 && !chunks.iter().any(is_its) {
                chunks.push(LaidChunk::Records(tag, None));
            }
        }
        let mut rests: BTreeMap<usize, Vec<u8>> = rests.into_iter().rev().collect();
        let behind = raw.split_off(raws(&chunks).min(raw.len()));
        let (mut made, mut places) = (Vec::with_capacity(chunks.len()), places(&chunks));
        // From the last on, each takes what the ones before it leave: nothing is moved more than once.
        for (i, laid) in chunks.into_iter().enumerate().rev() {
            made.extend(match laid {
                LaidChunk::Records(tag, _) => {
                    let from = places.pop().unwrap_or(0);
                    let rest = Raw { bytes: rests.remove(&i).unwrap_or_default(), damage: None };
                    self.content(tag, from, rest).map(|content| Chunk { tag, content })
                }
                LaidChunk::Raw => raw.pop().map(raw_chunk),
            });
        }
        made.reverse();
        made.extend(behind.into_iter().map(raw_chunk));
        made
    }
}

fn raw_chunk((tag, bytes): ([u8; 4], Vec<u8>)) -> Chunk {
    Chunk { tag, content: Content::Raw(Raw { bytes, damage: None }) }
}

/// How many chunks are kept as their bytes.
fn raws(chunks: &[LaidChunk]) -> usize {
    chunks.iter().filter(|chunk| matches!(chunk, LaidChunk::Raw)).count()
}

/// Of every chunk with records, which one of its kind is its first.
fn places(chunks: &[LaidChunk]) -> Vec<usize> {
    let mut before: BTreeMap<[u8; 4], usize> = BTreeMap::new();
    let mut places = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let LaidChunk::Records(tag, count) = chunk else { continue };
        let before = before.entry(*tag).or_default();
        places.push(*before);
        let count = if matches!(tag, b"VERS" | b"MODL") { 1 } else { count.unwrap_or(usize::MAX) };
        *before = before.saturating_add(count);
    }
    places
}
