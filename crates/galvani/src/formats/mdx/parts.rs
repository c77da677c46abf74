//! A model as named parts, for `diff`: sequences, nodes, cameras and textures by name, materials by their textures.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use galvani_core::map::{InOrder, MapRow, Region, Shape};
use galvani_core::record::{Field, FieldKind};
use galvani_core::{Exhausted, Path, text};
use galvani_mdx::{Content, Document};
use serde_json::{Value, json};

use super::laid::Laid;
use crate::diff::{ComparedPart, Fields, PartField, Parts, Tell, by_parts};
use crate::formats::{records, tag_value};

/// What differs between two models, by name, in file order.
pub(super) fn compare(a: &Document, b: &Document, tell: &mut Tell<'_>) -> Result<(), Exhausted> {
    let laid = (Laid::new(a)?, Laid::new(b)?);
    let (a, b) = (Side::new(a, &laid.0), Side::new(b, &laid.1));
    let (of_a, of_b) = (|part| a.fields(part), |part| b.fields(part));
    by_parts(
        &Parts { all: &a.found.parts, fields: &of_a },
        &Parts { all: &b.found.parts, fields: &of_b },
        tell,
    );
    Ok(())
}

/// What a part is one of, and its name.
type PartName = (&'static str, String);

/// A record by the first step of its path.
type RecordName = (&'static str, Option<u32>);

/// One model of two.
struct Side<'d> {
    document: &'d Document,
    laid: &'d Laid,
    order: InOrder<'d>,
    names: Names,
    found: Found,
}

/// Where some fields of a part are.
enum Piece {
    /// The tags of chunks.
    Tags(Range<usize>),
    /// The bytes of a chunk that nobody knows.
    Chunk(usize),
    /// Records of a region of the map.
    Records(usize, Range<usize>),
    /// Regions of the map with all their records.
    Regions(Range<usize>),
    /// What stands behind the last chunk.
    Tail,
}

impl<'d> Side<'d> {
    /// Goes over the whole file once and sees where each part is.
    fn new(document: &'d Document, laid: &'d Laid) -> Self {
        let (order, names) = (laid.map.in_file_order(), Names::new(document));
        let mut side = Side { document, laid, order, names, found: Found::default() };
        let (mut found, mut places) = (Found::default(), BTreeMap::new());
        let (mut chunk, mut heads) = (0, 0);
        for number in 0..side.order.len() {
            let Some(region) = side.order.region(number).filter(|region| region.len > 0) else { continue };
            while laid.chunks.get(chunk).is_some_and(|chunk| region.start >= chunk.payload.end) {
                chunk = chunk.saturating_add(1);
            }
            if laid.chunks.get(chunk).is_none_or(|chunk| region.start < chunk.payload.start) {
                continue;
            }
            while heads <= chunk {
                side.head(heads, &mut |part, piece| found.add(&mut places, part, piece));
                heads = heads.saturating_add(1);
            }
            if !side.is_raw(chunk) {
                side.region(number, &region, &mut |part, piece| found.add(&mut places, part, piece));
            }
        }
        for head in heads..laid.chunks.len() {
            side.head(head, &mut |part, piece| found.add(&mut places, part, piece));
        }
        if !document.tail.bytes.is_empty() {
            found.add(&mut places, ("", "tail".to_owned()), Piece::Tail);
        }
        side.found = found;
        side
    }

    /// The tag of a chunk, and its bytes if nobody knows them.
    fn head(&self, index: usize, add: &mut dyn FnMut(PartName, Piece)) {
        let Some(chunk) = self.laid.chunks.get(index) else { return };
        add(("", "chunks".to_owned()), Piece::Tags(index..index.saturating_add(1)));
        if self.is_raw(index) {
            add(("chunks", format!("{} {index}", text::shown(&chunk.tag))), Piece::Chunk(index));
        }
    }

    /// The records of a region: those of a list at the top are parts of their own.
    fn region(&self, number: usize, region: &Region, add: &mut dyn FnMut(PartName, Piece)) {
        let first = |path: Path| path.first().unwrap_or_default();
        if !matches!(region.shape, Shape::Table { .. }) || !region.path.parent().is_root() {
            add(self.names.part(first(region.path)), Piece::Regions(number..number.saturating_add(1)));
            return;
        }
        for record in 0..self.order.records(number) {
            let part = self.names.part(first(region.path.index(record)));
            add(part, Piece::Records(number, record..record.saturating_add(1)));
        }
    }

    /// Whether nobody knows what a chunk holds.
    fn is_raw(&self, index: usize) -> bool {
        matches!(self.document.chunks.get(index).map(|chunk| &chunk.content), Some(Content::Raw(_)))
    }

    /// The fields of a part in file order, made as they are asked for.
    fn fields(&self, part: usize) -> Fields<'_> {
        let pieces = self.found.pieces.get(part).map(Vec::as_slice).unwrap_or_default();
        Box::new(pieces.iter().flat_map(|piece| self.piece(piece)))
    }

    fn piece(&self, piece: &Piece) -> Fields<'_> {
        let of_region = move |number: usize, records: Range<usize>| {
            records.flat_map(move |record| self.record(number, record))
        };
        match piece {
            Piece::Tags(chunks) => Box::new(chunks.clone().filter_map(|index| self.tag(index))),
            Piece::Chunk(index) => {
                let payload = self.laid.chunks.get(*index).map(|chunk| self.laid.payload(chunk));
                Box::new(payload.map(whole).into_iter())
            }
            Piece::Records(number, records) => Box::new(of_region(*number, records.clone())),
            Piece::Regions(numbers) => {
                let numbers = numbers.clone();
                Box::new(numbers.flat_map(move |number| of_region(number, 0..self.order.records(number))))
            }
            Piece::Tail => Box::new(std::iter::once(whole(&self.document.tail.bytes))),
        }
    }

    /// The tag of a chunk.
    fn tag(&self, index: usize) -> Option<PartField<'_>> {
        let chunk = self.laid.chunks.get(index)?;
        let bytes = chunk.tag.as_slice();
        let kind = Field { size: bytes.len(), ..WHOLE };
        Some(PartField { path: format!("[{index}].tag"), bytes, kind, say: |tag, _| json!(text::shown(tag)) })
    }

    /// The fields of a record that have bytes.
    fn record(&self, region: usize, record: usize) -> Vec<PartField<'_>> {
        let mut fields: Vec<PartField<'_>> = Vec::new();
        // All of a path but the name of the field is the same in a record.
        let mut above: Option<String> = None;
        self.order.rows(&self.laid.file, region, record, |row| {
            if row.len == 0 {
                return;
            }
            let own = row.path.first().unwrap_or_default();
            let name = row.path.ends().map_or("", |(_, name)| name);
            let path = match &above {
                Some(above) => [above.as_str(), name].concat(),
                None => field_path(own, &row, self.names.0.contains_key(&own)),
            };
            if above.is_none() {
                above = path.strip_suffix(name).map(str::to_owned);
            }
            let bytes =
                self.laid.file.get(row.offset..row.offset.saturating_add(row.len)).unwrap_or_default();
            let kind = Field { size: row.len, kind: row.kind, count: row.count, ..WHOLE };
            fields.push(PartField { path, bytes, kind, say: say(own, &row) });
        });
        fields
    }
}

/// A field that is all there is.
const WHOLE: Field = Field { name: "", offset: 0, size: 0, kind: FieldKind::Raw, count: 1 };

/// Bytes of which nobody knows what they are.
fn whole(bytes: &[u8]) -> PartField<'_> {
    let kind = Field { size: bytes.len(), ..WHOLE };
    PartField { path: "bytes".to_owned(), bytes, kind, say: |bytes, _| json!(text::hex(bytes)) }
}

/// What is said of a field: a tag is a word, and times have signs.
fn say(own: RecordName, row: &MapRow<'_>) -> fn(&[u8], &Field) -> Value {
    match (row.kind, own, row.path.ends()) {
        (FieldKind::Tag, ..) => |bytes, field| {
            let tag = bytes.first_chunk().map(|tag| tag_value(u32::from_le_bytes(*tag)));
            tag.unwrap_or_else(|| records::field_to_json(bytes, field))
        },
        (_, ("SEQS", Some(_)), Some((_, "start" | "end"))) => {
            |bytes, field| signed(&records::field_to_json(bytes, field))
        }
        _ => records::field_to_json,
    }
}

/// What was found of a model's parts.
#[derive(Default)]
struct Found {
    parts: Vec<ComparedPart>,
    /// Where the fields of each are.
    pieces: Vec<Vec<Piece>>,
}

impl Found {
    /// A piece of a part, in the order in which they come up.
    fn add(&mut self, places: &mut BTreeMap<PartName, usize>, part: PartName, piece: Piece) {
        let number = match places.entry(part) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let (group, name) = new.key().clone();
                self.parts.push(ComparedPart { group, name });
                self.pieces.push(Vec::new());
                *new.insert(self.parts.len().saturating_sub(1))
            }
        };
        let Some(pieces) = self.pieces.get_mut(number) else { return };
        match (pieces.last_mut(), &piece) {
            (Some(Piece::Tags(last)), Piece::Tags(next)) => last.end = next.end,
            (Some(Piece::Regions(last)), Piece::Regions(next)) if last.end == next.start => {
                last.end = next.end;
            }
            _ => pieces.push(piece),
        }
    }
}

/// A time that Warcraft III writes without a sign, as it is meant: 4294967129 is −167.
fn signed(value: &Value) -> Value {
    let word = value.as_u64().and_then(|word| u32::try_from(word).ok());
    word.map_or_else(|| value.clone(), |word| json!(word.cast_signed()))
}

/// The names of records, by the first steps of their paths.
struct Names(BTreeMap<RecordName, PartName>);

impl Names {
    fn new(document: &Document) -> Self {
        let mut names = Names(BTreeMap::new());
        let mut taken = BTreeMap::new();
        let mut add = |list: &'static str, index: usize, group: &'static str, name: String| {
            // Of several of one name each but the first says which one it is.
            let count = taken.entry((group, name.clone())).or_insert(0_usize);
            *count = count.saturating_add(1);
            let name = if *count == 1 { name } else { format!("{name} ({count})") };
            names.0.insert((list, u32::try_from(index).ok()), (group, name));
        };
        for (i, row) in document.sequences().into_iter().enumerate() {
            add("SEQS", i, "sequences", document.sequence_name(row).into_owned());
        }
        let textures: Vec<String> = document.textures().iter().map(|texture| texture_name(texture)).collect();
        for (i, path) in textures.iter().enumerate() {
            add("TEXS", i, "textures", path.clone());
        }
        let (mut materials, mut cameras) = (0, 0);
        for chunk in &document.chunks {
            match &chunk.content {
                Content::Materials(records) => {
                    for (i, material) in records.typed() {
                        add("MTLS", materials + i, "materials", material_name(material, &textures));
                    }
                    materials += records.items.len();
                }
                Content::Cameras(records) => {
                    for (i, camera) in records.typed() {
                        let name = text::shown(&camera.fixed.name.0).into_owned();
                        add("CAMS", cameras + i, "cameras", name);
                    }
                    cameras += records.items.len();
                }
                _ => {}
            }
        }
        let mut pivots = Vec::new();
        for placed in document.nodes() {
            let fixed = &placed.node.fixed;
            let Some((list, Some(index))) = placed.path.first() else { continue };
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            add(list, index, "nodes", text::shown(&fixed.name.0).into_owned());
            pivots.push((u32::try_from(fixed.object_id.get()).ok(), placed.path.first()));
        }
        for (pivot, record) in pivots {
            if let (Some(pivot), Some(node)) =
                (pivot, record.and_then(|record| names.0.get(&record)).cloned())
            {
                names.0.entry(("PIVT", Some(pivot))).or_insert(node);
            }
        }
        names
    }

    /// The part that a record is of; one without a name is one of its own.
    fn part(&self, record: RecordName) -> PartName {
        let own = || match record {
            (list, Some(index)) => format!("{list}[{index}]"),
            (list, None) => list.to_owned(),
        };
        self.0.get(&record).cloned().unwrap_or_else(|| ("", own()))
    }
}

/// The path of a field in the part of its record, which has a name or none.
fn field_path((list, _): RecordName, row: &MapRow<'_>, is_named: bool) -> String {
    let mut path = row.path.to_string();
    path.drain(..path.find('.').map_or(path.len(), |dot| dot.saturating_add(1)));
    match path.strip_prefix("node.") {
        _ if is_named && list == "PIVT" => format!("pivot.{path}"),
        Some(field) if is_named => field.to_owned(),
        _ => path,
    }
}

/// A texture by its file, or by what the game puts there.
fn texture_name(texture: &galvani_mdx::wire::Texture) -> String {
    let path = text::shown(&texture.path.0);
    if path.is_empty() { format!("replaceable {}", texture.replaceable_id.get()) } else { path.into_owned() }
}

/// A material by the textures of its layers.
fn material_name(material: &galvani_mdx::model::Material, textures: &[String]) -> String {
    let layers = material.layers.iter().filter_map(galvani_mdx::Held::typed);
    let texture = |layer: &galvani_mdx::model::Layer| {
        let listed = layer.textures.as_ref().and_then(|textures| textures.list.first());
        let id =
            listed.map_or(i64::from(layer.fixed.texture_id.get()), |one| one.fixed.texture_id.get().into());
        let name = usize::try_from(id).ok().and_then(|id| textures.get(id));
        name.map_or_else(|| format!("texture {id}"), Clone::clone)
    };
    layers.map(texture).collect::<Vec<_>>().join(", ")
}
