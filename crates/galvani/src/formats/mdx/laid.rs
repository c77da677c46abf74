//! A model as it lies in its file: chunks and fields at their places.

use std::ops::Range;

use galvani_core::budget::unless_exhausted;
use galvani_core::map::MapRow;
use galvani_core::record::Field;
use galvani_core::{Exhausted, FileMap, Path, ReadOptions, Readings};
use galvani_mdx::{Document, SEQS, TRACKS, read, write};

/// Bytes of a chunk before its payload.
const HEAD_LEN: usize = 8;

/// A model as it lies in its file.
pub(super) struct Laid {
    pub(super) file: Vec<u8>,
    pub(super) chunks: Vec<LaidChunk>,
    pub(super) map: FileMap,
}

/// Where a chunk lies.
pub(super) struct LaidChunk {
    pub(super) tag: [u8; 4],
    pub(super) payload: Range<usize>,
}

impl Laid {
    /// What a document is written as, read again for the places.
    pub(super) fn new(document: &Document) -> Result<Self, Exhausted> {
        let file = unless_exhausted(write(document).map_err(|error| error.cause))?.unwrap_or_default();
        let topics =
            vec![(SEQS.to_owned(), document.seqs.into()), (TRACKS.to_owned(), document.tracks.into())];
        let readings = Readings { topics, ..Readings::default() };
        let again = read(&file, &ReadOptions { readings, ..ReadOptions::default() });
        let again = unless_exhausted(again.map_err(|error| error.cause))?;
        let map = again.map_or_else(|| FileMap::new(file.len()), |again| again.map);
        let chunks = chunks(document, &map);
        Ok(Laid { file, chunks, map })
    }

    pub(super) fn payload(&self, chunk: &LaidChunk) -> &[u8] {
        self.file.get(chunk.payload.clone()).unwrap_or_default()
    }

    /// Every field that has bytes, in file order, with the number of its chunk.
    pub(super) fn each_field<'s>(&'s self, mut each: impl FnMut(usize, &MapRow<'s>, &Field, &'s [u8])) {
        let mut at = 0;
        self.map.rows(&self.file, |row| {
            while self.chunks.get(at).is_some_and(|chunk| row.offset >= chunk.payload.end) {
                at = at.saturating_add(1);
            }
            let Some(chunk) = self.chunks.get(at) else { return };
            if row.offset < chunk.payload.start || row.len == 0 {
                return;
            }
            let bytes = self.file.get(row.offset..row.offset.saturating_add(row.len)).unwrap_or_default();
            let field = Field { name: "", offset: 0, size: row.len, kind: row.kind, count: row.count };
            each(at, &row, &field, bytes);
        });
    }
}

/// The chunks of a document at the places that the map of its file gives them.
pub(super) fn chunks(document: &Document, map: &FileMap) -> Vec<LaidChunk> {
    let mut heads: Vec<usize> = Vec::with_capacity(document.chunks.len());
    for region in map.regions() {
        if region.path == Path::named("chunks").index(heads.len()) {
            heads.push(region.start);
        }
    }
    // Behind the last chunk lies what is none.
    let end = map.len().saturating_sub(document.tail.bytes.len());
    let ends = heads.iter().copied().skip(1).chain([end]);
    let places = heads.iter().map(|head| head.saturating_add(HEAD_LEN)).zip(ends);
    let chunks = document.chunks.iter().zip(places);
    chunks.map(|(chunk, (start, end))| LaidChunk { tag: chunk.tag, payload: start..end }).collect()
}

impl LaidChunk {
    /// Where its head begins.
    pub(super) fn offset(&self) -> usize {
        self.payload.start.saturating_sub(HEAD_LEN)
    }
}
