//! Small models that show something, put together by hand.

use galvani_core::Image;
use galvani_mdx::Document;
use galvani_mdx::lift::Picture;

use super::found;
use super::raw::{Bytes, bytes, chunk, file, modl_warcraft, node, sequence_warcraft, sized, vers};

/// A model of Warcraft III before it is written.
#[derive(Clone)]
pub struct Shown {
    pub version: u32,
    pub sequences: Vec<Bytes>,
    pub globals: Vec<u32>,
    pub materials: Vec<Vec<u8>>,
    pub textures: Vec<Bytes>,
    pub animations: Vec<Vec<u8>>,
    pub geosets: Vec<Vec<u8>>,
    pub tints: Vec<Vec<u8>>,
    pub bones: Vec<Vec<u8>>,
    pub pivots: Vec<[f32; 3]>,
    /// Chunks as they are.
    pub more: Vec<Vec<u8>>,
}

impl Default for Shown {
    /// A triangle on a bone, with one opaque layer and a sequence of a second.
    fn default() -> Self {
        Shown {
            version: 800,
            sequences: vec![sequence_warcraft("Stand", 0, 1000)],
            globals: Vec::new(),
            materials: vec![material(&[layer(0, 0, 0, 1.0)])],
            textures: vec![texture(0, "Skin.blp", 3)],
            animations: Vec::new(),
            geosets: vec![geoset(0)],
            tints: Vec::new(),
            bones: vec![bone("Bone", 0, -1, 0, [])],
            pivots: vec![[0.0; 3]],
            more: Vec::new(),
        }
    }
}

impl Shown {
    pub fn document(&self) -> Document {
        found(&self.file()).document
    }

    pub fn file(&self) -> Vec<u8> {
        let joined = |rows: &[Vec<u8>]| rows.concat();
        let texts = |rows: &[Bytes]| rows.iter().flat_map(|row| row.0.clone()).collect::<Vec<u8>>();
        let globals = self.globals.iter().fold(bytes(), |all, length| all.u32(*length));
        let pivots = self.pivots.iter().fold(bytes(), |all, pivot| all.f32s(pivot));
        let mut chunks = vec![vers(self.version), modl_warcraft(), chunk("SEQS", texts(&self.sequences))];
        chunks.push(chunk("GLBS", globals));
        chunks.push(chunk("MTLS", joined(&self.materials)));
        chunks.push(chunk("TEXS", texts(&self.textures)));
        chunks.push(chunk("TXAN", joined(&self.animations)));
        chunks.push(chunk("GEOS", joined(&self.geosets)));
        chunks.push(chunk("GEOA", joined(&self.tints)));
        chunks.push(chunk("BONE", joined(&self.bones)));
        chunks.push(chunk("PIVT", pivots));
        chunks.extend(self.more.iter().cloned());
        file(&chunks)
    }
}

/// A texture: which one the game puts there, its file, how it repeats.
pub fn texture(replaceable: u32, path: &str, flags: u32) -> Bytes {
    bytes().u32(replaceable).text(260, path).u32(flags)
}

/// A layer: how it is drawn, its bits, its texture, how opaque it is.
pub fn layer(filter: u32, flags: u32, texture: i32, alpha: f32) -> Vec<u8> {
    layer_with(filter, flags, texture, -1, alpha, [])
}

/// The same with a texture animation and tracks.
pub fn layer_with(
    filter: u32,
    flags: u32,
    texture: i32,
    animation: i32,
    alpha: f32,
    tracks: impl AsRef<[u8]>,
) -> Vec<u8> {
    let fixed = bytes().u32(filter).u32(flags).i32(texture).i32(animation).i32(0).f32s(&[alpha]);
    sized(fixed.raw(tracks))
}

pub fn material(layers: &[Vec<u8>]) -> Vec<u8> {
    let head = bytes().i32(0).u32(0).tag("LAYS").u32(u32::try_from(layers.len()).unwrap());
    sized(head.raw(layers.concat()))
}

/// A triangle that moves with node 0.
pub fn geoset(material: u32) -> Vec<u8> {
    geoset_with(material, &[4], &[3], &[0, 1, 2], None)
}

/// Four corners of a square, faces of any kind, perhaps a level of detail.
pub fn geoset_with(
    material: u32,
    types: &[u32],
    counts: &[u32],
    corners: &[u16],
    level: Option<i32>,
) -> Vec<u8> {
    let count = |len: usize| u32::try_from(len).unwrap();
    let places = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let mut all = bytes().tag("VRTX").u32(4).f32s(&places).tag("NRMS").u32(4);
    all = (0..4).fold(all, |all, _| all.f32s(&[0.0, 0.0, 2.0]));
    all = types.iter().fold(all.tag("PTYP").u32(count(types.len())), |all, kind| all.u32(*kind));
    all = counts.iter().fold(all.tag("PCNT").u32(count(counts.len())), |all, one| all.u32(*one));
    all = corners.iter().fold(all.tag("PVTX").u32(count(corners.len())), |all, corner| all.u16(*corner));
    all = all.tag("GNDX").u32(4).raw([0; 4]).tag("MTGC").u32(1).u32(1).tag("MATS").u32(1).u32(0);
    all = all.u32(material).u32(0).u32(0);
    if let Some(level) = level {
        all = all.i32(level).text(80, "Level");
    }
    all = all.f32s(&[0.0; 7]).u32(0);
    sized(all.tag("UVAS").u32(1).tag("UVBS").u32(4).f32s(&[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]))
}

/// How a geoset is tinted: its opacity, its bits, red, green and blue, and its tracks.
pub fn tint(geoset: i32, alpha: f32, flags: u32, color: [f32; 3], tracks: impl AsRef<[u8]>) -> Vec<u8> {
    sized(bytes().f32s(&[alpha]).u32(flags).f32s(&color).i32(geoset).raw(tracks))
}

pub fn bone(name: &str, id: i32, parent: i32, flags: u32, tracks: impl AsRef<[u8]>) -> Vec<u8> {
    bytes().raw(node(name, id, parent, flags | 0x100, tracks)).i32(-1).i32(-1).0
}

/// A picture of one pixel.
pub fn pixel(rgba: [u8; 4]) -> Picture {
    Picture { image: Some(Image { width: 1, height: 1, rgba: vec![rgba] }), looked: Vec::new() }
}
