//! The records of a model by kind, as a text has them, and how they are dealt out to chunks again.

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
    pub(super) raw: std::collections::VecDeque<([u8; 4], Vec<u8>)>,
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

/// The first so many of a list; without a number, all.
fn first<T>(list: &mut Vec<T>, count: Option<usize>) -> Vec<T> {
    let count = count.unwrap_or(list.len()).min(list.len());
    let behind = list.split_off(count);
    std::mem::replace(list, behind)
}

fn records<T>(list: &mut Vec<Held<T>>, count: Option<usize>, rest: Raw) -> Records<T> {
    Records { count: None, unused: None, items: first(list, count), rest }
}

impl Lists {
    /// A chunk of a tag with its first records, and what stands behind them.
    fn content(&mut self, tag: [u8; 4], count: Option<usize>, rest: Raw) -> Content {
        match &tag {
            b"VERS" if !self.versions.is_empty() => Content::Version(self.versions.remove(0)),
            b"MODL" if !self.models.is_empty() => Content::Model(Box::new(self.models.remove(0))),
            b"SEQS" => Content::Sequences(Sequences::Warcraft(first(&mut self.sequences, count))),
            b"GLBS" => Content::Globals(first(&mut self.globals, count)),
            b"MTLS" => Content::Materials(records(&mut self.materials, count, rest)),
            b"TEXS" => Content::Textures(first(&mut self.textures, count)),
            b"TXAN" => Content::TextureAnimations(records(&mut self.texture_animations, count, rest)),
            b"GEOS" => Content::Geosets(records(&mut self.geosets, count, rest)),
            b"GEOA" => Content::GeosetAnimations(records(&mut self.geoset_animations, count, rest)),
            b"BONE" => Content::Bones(records(&mut self.bones, count, rest)),
            b"LITE" => Content::Lights(records(&mut self.lights, count, rest)),
            b"HELP" => Content::Helpers(records(&mut self.helpers, count, rest)),
            b"ATCH" => Content::Attachments(records(&mut self.attachments, count, rest)),
            b"PIVT" => Content::Pivots(first(&mut self.pivots, count)),
            b"PREM" => Content::Emitters(records(&mut self.emitters, count, rest)),
            b"PRE2" => Content::Emitters2(records(&mut self.emitters2, count, rest)),
            b"CORN" => Content::Popcorn(records(&mut self.popcorn, count, rest)),
            b"RIBB" => Content::Ribbons(records(&mut self.ribbons, count, rest)),
            b"CAMS" => Content::Cameras(records(&mut self.cameras, count, rest)),
            b"EVTS" => Content::Events(records(&mut self.events, count, rest)),
            b"CLID" => Content::CollisionShapes(records(&mut self.shapes, count, rest)),
            b"FAFX" => Content::FaceFx(first(&mut self.face_fx, count)),
            b"BPOS" => Content::BindPoses(first(&mut self.bind_poses, count)),
            _ => Content::Raw(Raw::default()),
        }
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
        if chunks.is_empty() {
            chunks.extend(
                chunk::tags().filter(|tag| self.len(*tag) > 0).map(|tag| LaidChunk::Records(tag, None)),
            );
        }
        for tag in chunk::tags() {
            let is_its = |chunk: &LaidChunk| matches!(chunk, LaidChunk::Records(own, _) if *own == tag);
            match chunks.iter().rposition(is_its) {
                Some(last) => {
                    if let Some(LaidChunk::Records(_, count)) = chunks.get_mut(last) {
                        *count = None;
                    }
                }
                None if self.len(tag) > 0 => chunks.push(LaidChunk::Records(tag, None)),
                None => {}
            }
        }
        let mut made = Vec::with_capacity(chunks.len());
        for (i, laid) in chunks.into_iter().enumerate() {
            let (tag, content) = match laid {
                // There is one of each, or there is none.
                LaidChunk::Records(tag, _) if matches!(&tag, b"VERS" | b"MODL") && self.len(tag) == 0 => {
                    continue;
                }
                LaidChunk::Records(tag, count) => {
                    let rest = rests.iter().find(|(at, _)| *at == i).map(|(_, bytes)| bytes.clone());
                    let rest = Raw { bytes: rest.unwrap_or_default(), damage: None };
                    (tag, self.content(tag, count, rest))
                }
                LaidChunk::Raw => {
                    let Some((tag, bytes)) = raw.pop_front() else { continue };
                    (tag, Content::Raw(Raw { bytes, damage: None }))
                }
            };
            made.push(Chunk { tag, content });
        }
        made.extend(
            raw.into_iter()
                .map(|(tag, bytes)| Chunk { tag, content: Content::Raw(Raw { bytes, damage: None }) }),
        );
        made
    }
}
