//! A model as named parts, for `diff`: sequences, nodes, cameras and textures by name, materials by their textures.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use galvani_core::record::{Field, FieldKind};
use galvani_core::{Exhausted, text};
use galvani_mdx::{Content, Document};
use serde_json::{Value, json};

use super::laid::Laid;
use crate::diff::Part;
use crate::formats::{records, tag_value};

/// Everything in two models, by name, in file order. Parts that are the same in both are named and have no fields:
/// most of two large models is alike, and nobody looks at it.
pub(super) fn pair(a: &Document, b: &Document) -> Result<[Vec<Part>; 2], Exhausted> {
    let sides = [Side::new(a)?, Side::new(b)?];
    let [old, new] = sides.each_ref().map(Side::imprints);
    let [old_file, new_file] = sides.each_ref().map(|side| side.laid.file.as_slice());
    let unlike = |key: &PartName| match (old.get(key), new.get(key)) {
        (Some(old), Some(new)) => !old.is_same(old_file, new, new_file),
        _ => true,
    };
    Ok(sides.each_ref().map(|side| side.parts(&unlike)))
}

/// What a part is one of, and its name.
type PartName = (&'static str, String);

/// One model of two.
struct Side<'d> {
    document: &'d Document,
    laid: Laid,
    names: Names,
}

/// A field of a part.
struct PartField<'a> {
    /// Its path in the part.
    path: &'a str,
    bytes: Range<usize>,
    /// What is said of these bytes.
    value: &'a dyn Fn() -> Value,
}

impl<'d> Side<'d> {
    fn new(document: &'d Document) -> Result<Self, Exhausted> {
        Ok(Side { document, laid: Laid::new(document)?, names: Names::new(document) })
    }

    fn imprints(&self) -> BTreeMap<PartName, Imprint> {
        let mut imprints = Numbered::<Imprint>::new(&|_| true);
        self.walk(&mut imprints);
        imprints.keys.into_iter().zip(imprints.parts).collect()
    }

    fn parts(&self, wanted: &dyn Fn(&PartName) -> bool) -> Vec<Part> {
        let mut parts = Numbered::<Vec<(String, Value)>>::new(wanted);
        self.walk(&mut parts);
        let parts = parts.keys.into_iter().zip(parts.parts);
        parts.map(|((group, name), fields)| Part { group, name, fields }).collect()
    }

    /// Every field of every part, in file order.
    fn walk(&self, taker: &mut Numbered<'_, impl OfFields>) {
        let (mut record, mut path, mut heads) = (None, String::new(), 0..self.laid.chunks.len());
        let (mut is_named, mut is_wanted) = (false, false);
        self.laid.each_field(|i, row, field, bytes| {
            while heads.start <= i
                && let Some(head) = heads.next()
            {
                self.head(head, taker);
                record = None;
            }
            let is_next = record != row.path.first();
            if self.is_raw(i) || (!is_next && !is_wanted) {
                return;
            }
            path.clear();
            let _ = write!(path, "{}", row.path);
            let (own, rest) = path.split_once('.').unwrap_or((&path, ""));
            if is_next {
                record = row.path.first();
                let key = self.names.0.get(own).cloned();
                is_named = key.is_some();
                is_wanted = taker.part(key.unwrap_or_else(|| ("", own.to_owned())));
            }
            if is_wanted {
                let (place, value) = (field_path(own, rest, is_named), || value(&path, field, bytes));
                let bytes = row.offset..row.offset.saturating_add(row.len);
                taker.field(&PartField { path: &place, bytes, value: &value });
            }
        });
        heads.for_each(|head| self.head(head, taker));
        let tail = &self.document.tail.bytes;
        if !tail.is_empty() && taker.part(("", "tail".to_owned())) {
            let bytes = self.laid.file.len().saturating_sub(tail.len())..self.laid.file.len();
            taker.field(&PartField { path: "bytes", bytes, value: &|| json!(text::hex(tail)) });
        }
    }

    /// The tag of a chunk, and its bytes if nobody knows them.
    fn head(&self, index: usize, taker: &mut Numbered<'_, impl OfFields>) {
        let Some(chunk) = self.laid.chunks.get(index) else { return };
        let tag = text::shown(&chunk.tag);
        if taker.part(("", "chunks".to_owned())) {
            let bytes = chunk.offset()..chunk.offset().saturating_add(chunk.tag.len());
            taker.field(&PartField { path: &format!("[{index}].tag"), bytes, value: &|| json!(tag) });
        }
        if self.is_raw(index) && taker.part(("chunks", format!("{tag} {index}"))) {
            let value = || json!(text::hex(self.laid.payload(chunk)));
            taker.field(&PartField { path: "bytes", bytes: chunk.payload.clone(), value: &value });
        }
    }

    /// Whether nobody knows what a chunk holds.
    fn is_raw(&self, index: usize) -> bool {
        matches!(self.document.chunks.get(index).map(|chunk| &chunk.content), Some(Content::Raw(_)))
    }
}

/// What is said of a field: a tag is a word, and times have signs.
fn value(path: &str, field: &Field, bytes: &[u8]) -> Value {
    let value = records::field_to_json(bytes, field);
    match (field.kind, path.rsplit_once('.')) {
        (FieldKind::Tag, _) => bytes.first_chunk().map_or(value, |tag| tag_value(u32::from_le_bytes(*tag))),
        (_, Some((record, "start" | "end"))) if record.starts_with("SEQS[") => signed(&value),
        _ => value,
    }
}

/// What is made of the fields of a part.
trait OfFields: Default {
    fn add(&mut self, field: &PartField<'_>);
}

impl OfFields for Vec<(String, Value)> {
    fn add(&mut self, field: &PartField<'_>) {
        self.push((field.path.to_owned(), (field.value)()));
    }
}

/// What is made of each part, in the order in which they come up.
struct Numbered<'w, T> {
    keys: Vec<PartName>,
    parts: Vec<T>,
    places: BTreeMap<PartName, usize>,
    /// The part that fields are of now.
    at: usize,
    wanted: &'w dyn Fn(&PartName) -> bool,
}

impl<'w, T: OfFields> Numbered<'w, T> {
    fn new(wanted: &'w dyn Fn(&PartName) -> bool) -> Self {
        Numbered { keys: Vec::new(), parts: Vec::new(), places: BTreeMap::new(), at: 0, wanted }
    }

    /// The part that the next fields are of; says whether anybody wants them.
    fn part(&mut self, key: PartName) -> bool {
        let is_wanted = (self.wanted)(&key);
        self.at = *self.places.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            self.parts.push(T::default());
            self.parts.len().saturating_sub(1)
        });
        is_wanted
    }

    fn field(&mut self, field: &PartField<'_>) {
        self.parts.get_mut(self.at).into_iter().for_each(|part| part.add(field));
    }
}

/// Enough of a part to see whether two are the same.
#[derive(Default)]
struct Imprint {
    /// The paths of its fields.
    shape: DefaultHasher,
    /// Its bytes: those of fields that follow each other are one run.
    runs: Vec<Range<usize>>,
}

impl OfFields for Imprint {
    fn add(&mut self, field: &PartField<'_>) {
        (field.path, field.bytes.len()).hash(&mut self.shape);
        match self.runs.last_mut() {
            Some(run) if run.end == field.bytes.start => run.end = field.bytes.end,
            _ => self.runs.push(field.bytes.clone()),
        }
    }
}

impl Imprint {
    fn is_same(&self, file: &[u8], other: &Imprint, other_file: &[u8]) -> bool {
        let bytes = |runs: &[Range<usize>], file: &[u8]| -> Vec<u8> {
            runs.iter().filter_map(|run| file.get(run.clone())).flatten().copied().collect()
        };
        self.shape.finish() == other.shape.finish()
            && bytes(&self.runs, file) == bytes(&other.runs, other_file)
    }
}

/// A time that Warcraft III writes without a sign, as it is meant: 4294967129 is −167.
fn signed(value: &Value) -> Value {
    let word = value.as_u64().and_then(|word| u32::try_from(word).ok());
    word.map_or_else(|| value.clone(), |word| json!(word.cast_signed()))
}

/// The names of records, by the first steps of their paths.
struct Names(BTreeMap<String, (&'static str, String)>);

impl Names {
    fn new(document: &Document) -> Self {
        let mut names = Names(BTreeMap::new());
        let mut taken = BTreeMap::new();
        let mut add = |record: String, group: &'static str, name: String| {
            // Of several of one name each but the first says which one it is.
            let count = taken.entry((group, name.clone())).or_insert(0_usize);
            *count = count.saturating_add(1);
            let name = if *count == 1 { name } else { format!("{name} ({count})") };
            names.0.insert(record, (group, name));
        };
        for (i, row) in document.sequences().into_iter().enumerate() {
            add(format!("SEQS[{i}]"), "sequences", document.sequence_name(row).into_owned());
        }
        let textures: Vec<String> = document.textures().iter().map(|texture| texture_name(texture)).collect();
        for (i, path) in textures.iter().enumerate() {
            add(format!("TEXS[{i}]"), "textures", path.clone());
        }
        let (mut materials, mut cameras) = (0, 0);
        for chunk in &document.chunks {
            match &chunk.content {
                Content::Materials(records) => {
                    for (i, material) in records.typed() {
                        add(
                            format!("MTLS[{}]", materials + i),
                            "materials",
                            material_name(material, &textures),
                        );
                    }
                    materials += records.items.len();
                }
                Content::Cameras(records) => {
                    for (i, camera) in records.typed() {
                        let name = text::shown(&camera.fixed.name.0).into_owned();
                        add(format!("CAMS[{}]", cameras + i), "cameras", name);
                    }
                    cameras += records.items.len();
                }
                _ => {}
            }
        }
        let mut pivots = Vec::new();
        for placed in document.nodes() {
            let fixed = &placed.node.fixed;
            let record = placed.path.to_string();
            add(record.clone(), "nodes", text::shown(&fixed.name.0).into_owned());
            pivots.push((format!("PIVT[{}]", fixed.object_id.get()), record));
        }
        for (pivot, record) in pivots {
            if let Some(node) = names.0.get(&record).cloned() {
                names.0.entry(pivot).or_insert(node);
            }
        }
        names
    }
}

/// The path of a field in the part of its record, which has a name or none.
fn field_path<'a>(record: &str, field: &'a str, is_named: bool) -> Cow<'a, str> {
    if !is_named {
        Cow::Borrowed(field)
    } else if record.starts_with("PIVT[") {
        Cow::Owned(format!("pivot.{field}"))
    } else {
        Cow::Borrowed(field.strip_prefix("node.").unwrap_or(field))
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
