//! Bytes of models put together by hand: an independent second hand, which knows nothing of the writer.

/// A list of bytes that grows by fields.
#[derive(Debug, Clone, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    pub fn u16(mut self, value: u16) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn i32(mut self, value: i32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn f32s(mut self, values: &[f32]) -> Self {
        for value in values {
            self.0.extend(value.to_le_bytes());
        }
        self
    }

    pub fn tag(mut self, tag: &str) -> Self {
        assert_eq!(tag.len(), 4);
        self.0.extend(tag.as_bytes());
        self
    }

    pub fn text(mut self, room: usize, text: &str) -> Self {
        self.0.extend(text.as_bytes());
        self.0.resize(self.0.len() + room - text.len(), 0);
        self
    }

    pub fn raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.0.extend(bytes.as_ref());
        self
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Nothing yet.
pub fn bytes() -> Bytes {
    Bytes::default()
}

/// A size that counts itself, and what it counts.
pub fn sized(inner: impl AsRef<[u8]>) -> Vec<u8> {
    let inner = inner.as_ref();
    bytes().u32(u32::try_from(inner.len() + 4).unwrap()).raw(inner).0
}

/// A chunk.
pub fn chunk(tag: &str, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let payload = payload.as_ref();
    bytes().tag(tag).u32(u32::try_from(payload.len()).unwrap()).raw(payload).0
}

/// A file of chunks.
pub fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    [b"MDLX".as_slice(), &chunks.concat()].concat()
}

pub fn vers(version: u32) -> Vec<u8> {
    chunk("VERS", bytes().u32(version))
}

/// MODL of Warcraft III, 372 bytes.
pub fn modl_warcraft() -> Vec<u8> {
    chunk("MODL", bytes().text(80, "Model").text(260, "").f32s(&[1., -1., -1., -1., 1., 1., 1.]).u32(150))
}

/// MODL of WoW, 373 bytes.
pub fn modl_wow() -> Vec<u8> {
    chunk(
        "MODL",
        bytes().text(80, "Model").text(260, "").f32s(&[1., -1., -1., -1., 1., 1., 1.]).u8(1).u32(57),
    )
}

/// A sequence of WoW.
pub fn sequence_wow(name: &str, start: i32, end: i32) -> Bytes {
    let head = bytes().text(80, name).i32(start).i32(end).f32s(&[0.]).u32(0);
    head.f32s(&[2., -1., -1., -1., 1., 1., 1., 1.]).u32(0).u32(0).u32(0)
}

/// A sequence of Warcraft III.
pub fn sequence_warcraft(name: &str, start: u32, end: u32) -> Bytes {
    let head = bytes().text(80, name).u32(start).u32(end).f32s(&[0.]).u32(0);
    head.f32s(&[0.]).u32(0).f32s(&[2., -1., -1., -1., 1., 1., 1.])
}

/// A node with its size.
pub fn node(name: &str, id: i32, parent: i32, flags: u32, tracks: impl AsRef<[u8]>) -> Vec<u8> {
    sized(bytes().text(80, name).i32(id).i32(parent).u32(flags).raw(tracks))
}

/// The head that real files have.
pub fn head(tag: &str, count: u32, interpolation: u32, global: i32) -> Bytes {
    bytes().tag(tag).u32(count).u32(interpolation).i32(global)
}

/// A linear track of floats.
pub fn floats(tag: &str, keys: &[(i32, f32)]) -> Bytes {
    let count = u32::try_from(keys.len()).unwrap();
    keys.iter().fold(head(tag, count, 1, -1), |track, (time, value)| track.i32(*time).f32s(&[*value]))
}

/// A linear track of vectors.
pub fn vectors(tag: &str, keys: &[(i32, [f32; 3])]) -> Bytes {
    let count = u32::try_from(keys.len()).unwrap();
    keys.iter().fold(head(tag, count, 1, -1), |track, (time, value)| track.i32(*time).f32s(value))
}
