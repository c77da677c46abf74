//! The way back: what a scene does not say of the file it was made of travels along as a text, and makes the file again.

use std::collections::BTreeMap;
use std::ops::Range;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use galvani_core::{Exhausted, Meter, Path, Report, room, text as core_text};
use galvani_gltf::import::{Imported, RecordedFile};
use galvani_gltf::{Document, Options, SCHEMA, glb, import};
use galvani_scene::origin::{beyond, differing, mesh_order};
use galvani_scene::{Image, Named, Scene, SceneImage, Values};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ConvertError;
use super::model::TakenFiles;
use super::names::{self, KeptName, Renamed};
use super::part::{Misfit, Part, PutBack, Tables, Ties, put_back, tables, taken_out};
use super::pictures::{Found, Pictures, Supply};
use crate::formats::{FORMATS, Folded, Format, OpenOptions, Opened, Site, Unfolded, WayBack, gltf_pictures};
use crate::{Code, codes};

/// How hard texts are packed: as hard as it goes.
const LEVEL: u8 = 9;

/// How many times as long as its text the index may be: numbers of rows and digests do not deflate further.
const MOST_TIMES: usize = 64;

/// What a scene does not say of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The files one behind the other, without what the scene says, and behind them what is kept of pictures' files; deflated, in
    /// base 64.
    rest: String,
    /// What it is made of: an [`Index`] as JSON, deflated, in base 64.
    index: String,
    /// A digest of what that does not speak of.
    beyond: u32,
}

/// What the bytes of a model are.
#[derive(Debug, Serialize, Deserialize)]
struct Index {
    /// What the files are called, the own one first, bytes of each, and by which format it is to be folded.
    files: Vec<(String, usize, String)>,
    /// Where the values of the scene lie in them.
    origins: Vec<Row>,
    /// Where its names do.
    names: Vec<KeptName>,
    /// What its pictures do not say of their files.
    pictures: Pictures,
}

/// List, its numbers, codec; start, stride; length, picks, rows, bases; what few have; seals.
type Row = (
    String,
    Vec<usize>,
    String,
    [usize; 2],
    usize,
    Option<Vec<i64>>,
    Vec<i64>,
    Vec<usize>,
    Option<Few>,
    [u32; 3],
);

/// Vertices and their base, and ties to others.
type Few = (Vertices, Option<Ties>);

/// Which vertex of the file each of the scene is, and from which on the file counts.
type Vertices = Option<(Vec<i64>, usize)>;

/// Files with their names.
pub type NamedFiles = Vec<(String, Vec<u8>)>;

/// A file that was made again.
#[derive(Debug)]
pub struct Restored {
    /// Of which format.
    pub format: &'static dyn Format,
    /// Its files with their names, the own one first.
    pub files: NamedFiles,
    /// What was changed and not taken.
    pub report: Report,
}

/// A model as a reader of its glTF finds it.
pub(super) struct AsRead {
    /// Its pictures are of one pixel each.
    pub(super) scene: Scene,
    /// What those are called, and digests of their pixels.
    pub(super) pictures: Vec<(String, String)>,
}

/// Leaves with a scene what it does not say of its file. What counts is what a reader of the glTF finds, so it is read; that is
/// given.
pub(super) fn keep(
    scene: &mut Scene,
    (whole, taken): (Whole, &TakenFiles),
    options: &Options,
    (way, meter): (WayBack, &Meter),
) -> Result<AsRead, ConvertError> {
    let mut origins = std::mem::take(&mut scene.origins);
    // No picture has a say in this.
    let images = std::mem::take(&mut scene.images);
    scene.images = images.iter().map(dot).collect();
    let written = glb(&*scene, options);
    scene.images = images;
    let (written, _) = written?;
    let read = Document::read(&written).map_err(|error| ConvertError { cause: error.cause })?;
    // Of a large model each of these is as large: no two are there that one does without.
    drop(written);
    let found = import(&read, &import::Options::default(), meter)?.scene;
    drop(read);
    let order = mesh_order(&found);
    let places: BTreeMap<usize, usize> = order.into_iter().enumerate().map(|(at, mesh)| (mesh, at)).collect();
    for origin in &mut origins {
        origin.values = origin.values.of_mesh(|mesh| places.get(&mesh).copied().unwrap_or(usize::MAX));
    }
    let Whole { bytes: mut rest, files, tables } = whole;
    let parts = taken_out(&mut rest, &found, (origins, &tables), way.codecs);
    let names = names::taken_out(&mut rest, &found, &scene.names, &tables);
    let beyond = untold(&found, &parts, &names);
    let origins = parts.into_iter().map(row).collect();
    let called = found.images.iter().map(|image| image.name.clone());
    let is_other = |(name, _): &(&String, &Vec<u8>)| files.iter().all(|(own, ..)| own != *name);
    let beside = taken.iter().filter(is_other);
    let pictures = Pictures::keep(&scene.images, called, beside, (&mut rest, meter))?;
    let seals = pictures.seals();
    let index = serde_json::to_vec(&Index { files, origins, names, pictures }).unwrap_or_default();
    let text = Kept { rest: packed(&rest), index: packed(&index), beyond };
    scene.source = serde_json::to_string(&text).ok();
    Ok(AsRead { scene: found, pictures: seals })
}

/// An image of one pixel in place of another.
fn dot(image: &SceneImage) -> SceneImage {
    let pixels = Image { width: 1, height: 1, rgba: vec![[u8::MAX; 4]] };
    SceneImage { name: image.name.clone(), pixels }
}

/// The files that a glTF was made of, with what was changed since. Files of pictures that do not come back from it are looked for
/// where it stands.
pub fn restored(opened: &Opened, site: &Site<'_>, meter: &Meter) -> Result<Restored, ConvertError> {
    let document: &Document = opened.downcast().ok_or_else(|| {
        refused(&codes::NO_WAY_BACK, format!("glTF wanted, {} found", opened.format.info().name))
    })?;
    let own = import::kept_by_export(document).map_err(|error| ConvertError { cause: error.cause })?;
    let own = own.ok_or_else(|| refused(&codes::NO_WAY_BACK, "no extras of ours"))?;
    if own.schema() != Some(SCHEMA) {
        let said = format!("extras of form {SCHEMA} wanted, {:?} found", own.schema());
        return Err(refused(&codes::BROKEN_WAY_BACK, said));
    }
    let format = FORMATS.iter().find(|format| format.info().id == own.format);
    let (Some(format), Some(text)) = (format, &own.source) else {
        return Err(refused(&codes::NO_WAY_BACK, format!("format `{}`", own.format)));
    };
    let Imported { scene, report: unsaid, .. } = import(document, &import::Options::default(), meter)?;
    let pictures = gltf_pictures(document, site, meter)?;
    let files = own.files();
    let supply = |name: &str| supplied(files.iter().find(|file| file.name == name)?, site);
    let came = CameBack { scene: &scene, base: None, pictures: &pictures, beside: &[], supply: &supply };
    let mut made = restore_by(&came, *format, text, meter)?;
    made.report.append(losses(&unsaid));
    Ok(made)
}

/// What a scene does not say of a glTF, and so no file does. Pictures go back by themselves, and what our own files say as well as
/// others is no loss.
pub(super) fn losses(unsaid: &Report) -> Report {
    let of_itself = [&import::LOST_PICTURE, &import::LOST_SURFACE, &import::BAKED_TURNS, &import::FLAT];
    let mut losses = Report::default();
    for finding in unsaid.findings().iter().filter(|finding| !of_itself.contains(&finding.code)) {
        losses.push(finding.clone());
    }
    losses
}

/// The bytes of a file: those that travelled along, or those of one of its name that is still the same.
fn supplied(file: &RecordedFile, site: &Site<'_>) -> Option<Vec<u8>> {
    if let Some(bytes) = &file.bytes {
        return room::copied(bytes).ok();
    }
    let base = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name);
    let shelves = site.around.first.iter().chain(site.around.after).map(|shelf| shelf.links);
    let found = std::iter::once(site.links).chain(shelves).find_map(|links| {
        let all = [file.name.as_str(), base].into_iter().filter_map(|name| links.find(name));
        all.into_iter().find(|bytes| BASE64_STANDARD_NO_PAD.encode(Sha256::digest(bytes)) == file.sha256)
    })?;
    room::copied(&found).ok()
}

/// What came back of a model that had become glTF.
#[derive(Clone, Copy)]
pub(super) struct CameBack<'a> {
    pub(super) scene: &'a Scene,
    /// What it was, if somebody knows.
    pub(super) base: Option<&'a Scene>,
    pub(super) pictures: &'a Found,
    /// Pictures that only looks show which the base was lifted without.
    pub(super) beside: &'a [String],
    /// Where the files of pictures may be had.
    pub(super) supply: Supply<'a>,
}

/// The file of that format that a scene was made of, by the text that says how.
pub(super) fn restore_by(
    came: &CameBack<'_>,
    format: &'static dyn Format,
    text: &str,
    meter: &Meter,
) -> Result<Restored, ConvertError> {
    let found = came.scene;
    let Some(way) = format.info().way_back else {
        return Err(refused(&codes::NO_WAY_BACK, format!("format `{}`", format.info().id)));
    };
    let broken = |what: &str| refused(&codes::BROKEN_WAY_BACK, what);
    let text: Kept = serde_json::from_str(text).map_err(|error| broken(&error.to_string()))?;
    let most = text.index.len().saturating_mul(MOST_TIMES);
    let Index { mut files, origins, names, pictures } = unpacked(&text.index, most, meter)?
        .and_then(|json| serde_json::from_slice(&json).ok())
        .ok_or_else(|| broken("what it is made of"))?;
    let len = files.iter().map(|(_, len, _)| *len).fold(0, usize::saturating_add);
    let all = len.saturating_add(pictures.len());
    let mut bytes = unpacked(&text.rest, all, meter)?.ok_or_else(|| broken("the file"))?;
    let painted = if len <= bytes.len() { bytes.split_off(len) } else { Vec::new() };
    let parts: Option<Vec<Part>> = origins.into_iter().map(|row| part(row, bytes.len())).collect();
    let parts = parts.ok_or_else(|| broken("where values lie"))?;
    meter.work(parts.iter().map(Part::cost).fold(0, usize::saturating_add))?;
    let put = put_back(&mut bytes, found, &parts, way.codecs).map_err(|found| misfit(&found))?;
    let (PutBack { lost, texts: mut spelled }, mut report) = (put, Report::default());
    if !lost.is_empty() {
        let lists: Vec<String> = lost.into_iter().map(shown).collect();
        let found = format!("{}: the file has the nearest that it can tell apart", lists.join("; "));
        report.push(codes::LOST_CHANGE.at(Path::named("scene")).saying(found).apart());
    }
    if untold(found, &parts, &names) != text.beyond {
        let found = said_beyond(came, &parts, &names);
        report.push(codes::LOST_CHANGE.at(Path::named("scene")).saying(found).apart());
    }
    let Renamed { texts, counted, fitted } = names::put_back(&mut bytes, found, &names, way.reserved);
    for (wanted, given) in fitted.values() {
        let said = format!("`{}` for `{}`", core_text::shown(given), core_text::shown(wanted.as_bytes()));
        report.push(codes::FITTED_NAME.at(Path::named("scene")).saying(said).apart());
    }
    spelled.extend(texts);
    spelled.sort_by_key(|(range, _)| range.start);
    let bytes = names::spliced(bytes, &spelled, &mut files)?;
    let mut files = apart(bytes, files)?.ok_or_else(|| broken("the files"))?;
    rename(&mut files, format, way, &counted)?;
    let (painted, told) = pictures.restored(&painted, (came.pictures, came.beside), (came.supply, meter))?;
    files.extend(painted);
    report.append(told);
    Ok(Restored { format, files, report })
}

/// A digest of what neither lists nor names speak of.
fn untold(scene: &Scene, parts: &[Part], names: &[KeptName]) -> u32 {
    let stated = parts.iter().map(|part| part.values).collect();
    beyond(scene, &stated, &names.iter().map(KeptName::named).collect())
}

/// What of that was changed, as far as somebody knows what it was.
fn said_beyond(came: &CameBack<'_>, parts: &[Part], names: &[KeptName]) -> String {
    let stated = parts.iter().map(|part| part.values).collect();
    let named = names.iter().map(KeptName::named).collect();
    let known = came.base.map(|base| differing(base, came.scene, &stated, &named));
    known.filter(|all| !all.is_empty()).map_or_else(
        || {
            "other names, the tree, places at rest, weights, materials, cameras, lights, looks or lengths of clips"
                .to_owned()
        },
        |all| all.join("; "),
    )
}

/// Has the format of the model's own file rename what has other names now.
fn rename(
    files: &mut NamedFiles,
    format: &'static dyn Format,
    way: WayBack,
    counted: &[(Named, Vec<u8>)],
) -> Result<(), ConvertError> {
    let (Some(rename), Some((_, file))) = (way.rename.filter(|_| !counted.is_empty()), files.first_mut())
    else {
        return Ok(());
    };
    let opened = format.open(file, &OpenOptions::default());
    let mut opened = opened.map_err(|error| ConvertError { cause: error.cause })?;
    for (of, name) in counted {
        if let Named::Node(node) = of {
            rename(&mut *opened.document, *node, name)?;
        }
    }
    *file = opened.document.write()?;
    Ok(())
}

/// The files of a model one behind the other.
#[derive(Debug, Default)]
pub(super) struct Whole {
    bytes: Vec<u8>,
    files: Vec<(String, usize, String)>,
    tables: Tables,
}

impl Whole {
    /// Adds a file, unfolded if it can be; the first is the model's own.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8], opened: &Opened) -> Result<(), Exhausted> {
        let info = opened.format.info();
        let unfolded = info.folding.map_or(Ok(None), |folding| (folding.unfold)(&*opened.document))?;
        match unfolded {
            Some(Unfolded { bytes, tables }) => self.append(name, &bytes, tables, info.id),
            None => self.append(name, bytes, tables(&opened.map), ""),
        }
    }

    fn append(
        &mut self,
        name: &str,
        bytes: &[u8],
        tables: Vec<(Path, usize, usize)>,
        folding: &str,
    ) -> Result<(), Exhausted> {
        let known = if self.files.is_empty() { String::new() } else { name.to_lowercase() };
        for (path, start, stride) in tables {
            let start = start.saturating_add(self.bytes.len());
            self.tables.entry((known.clone(), path)).or_insert((start, stride));
        }
        room::append(&mut self.bytes, bytes)?;
        self.files.push((name.to_owned(), bytes.len(), folding.to_owned()));
        Ok(())
    }
}

/// Files that stand one behind the other; nothing if they are not as long as all of it, or cannot be folded.
fn apart(bytes: Vec<u8>, files: Vec<(String, usize, String)>) -> Result<Option<NamedFiles>, Exhausted> {
    let (mut rest, mut all) = (bytes, Vec::new());
    for (name, len, folding) in files.into_iter().rev() {
        let Some(start) = rest.len().checked_sub(len) else { return Ok(None) };
        let file = rest.split_off(start);
        let Some(file) = folded(file, &folding)? else { return Ok(None) };
        all.push((name, file));
    }
    all.reverse();
    Ok(Some(all).filter(|all| rest.is_empty() && !all.is_empty()))
}

/// A file folded as a format does; as it is if none does.
fn folded(file: Vec<u8>, format: &str) -> Folded {
    if format.is_empty() {
        return Ok(Some(file));
    }
    let folding = FORMATS.iter().map(|it| it.info()).find(|info| info.id == format).and_then(|it| it.folding);
    folding.map_or(Ok(None), |folding| (folding.fold)(&file))
}

/// Bytes as a text.
pub(super) fn packed(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(compress_to_vec(bytes, LEVEL))
}

/// What was packed into a text, of so many bytes at most, which are charged first; nothing if it is no such text.
pub(super) fn unpacked(text: &str, most: usize, meter: &Meter) -> Result<Option<Vec<u8>>, Exhausted> {
    meter.memory(most)?;
    room::probe(most)?;
    let Ok(packed) = BASE64_STANDARD.decode(text) else { return Ok(None) };
    Ok(decompress_to_vec_with_limit(&packed, most).ok())
}

fn row(part: Part) -> Row {
    let Part { values, codec, start, stride, len, picks, rows, bases, vertices, ties, seals } = part;
    let (word, numbers) = values.named();
    let vertices = vertices.map(|(rows, base)| (flat(&rows), base));
    let picks = picks.map(|picks| flat(&picks));
    let [own, others, bytes] = seals;
    // What most have alike stands side by side.
    let seals = [others, own, bytes];
    let few = (vertices.is_some() || ties.is_some()).then_some((vertices, ties));
    (word.to_owned(), numbers, codec, [start, stride], len, picks, flat(&rows), bases, few, seals)
}

/// A part of a file of so many bytes; nothing if it would be more than the file can hold.
fn part(row: Row, file: usize) -> Option<Part> {
    let (word, numbers, codec, [start, stride], len, picks, rows, bases, few, seals) = row;
    let (vertices, ties) = few.unwrap_or_default();
    let [others, own, bytes] = seals;
    let seals = [own, others, bytes];
    let picks = match picks {
        Some(picks) => Some(ranges(&picks, file)?),
        None => None,
    };
    let vertices = match vertices {
        Some((rows, base)) => Some((ranges(&rows, file)?, base)),
        None => None,
    };
    let (values, rows) = (Values::from_named(&word, &numbers)?, ranges(&rows, file)?);
    Some(Part { values, codec, start, stride, len, picks, rows, bases, vertices, ties, seals })
}

/// How far behind the end of the one before it every run begins, and how long it is.
fn flat(rows: &[Range<usize>]) -> Vec<i64> {
    let signed = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let mut end = 0;
    let mut flat = Vec::with_capacity(rows.len().saturating_mul(2));
    for run in rows {
        flat.extend([signed(run.start).saturating_sub(end), signed(run.len())]);
        end = signed(run.end);
    }
    flat
}

fn ranges(flat: &[i64], len: usize) -> Option<Vec<Range<usize>>> {
    let (pairs, odd) = flat.as_chunks::<2>();
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(pairs.len());
    let (mut before, mut count) = (0_i64, 0_usize);
    for &[after, run] in pairs {
        let start = before.checked_add(after)?;
        before = start.checked_add(run)?;
        ranges.push(usize::try_from(start).ok()?..usize::try_from(before).ok()?);
        count = count.checked_add(usize::try_from(run).ok()?)?;
    }
    (odd.is_empty() && count <= len).then_some(ranges)
}

/// A list in words.
fn shown(values: Values) -> String {
    let (word, numbers) = values.named();
    format!("{word} {numbers:?}")
}

fn misfit(misfit: &Misfit) -> ConvertError {
    match *misfit {
        Misfit::Count { values, wanted, found } => {
            refused(&codes::OTHER_COUNT, format!("{}: {wanted} wanted, {found} found", shown(values)))
        }
        Misfit::Copies { values, index } => {
            refused(&codes::COPIES_DIFFER, format!("{}, number {index}", shown(values)))
        }
        Misfit::Fixed(values) => refused(&codes::CHANGE_NOT_TAKEN, shown(values)),
        Misfit::Broken(values) => refused(&codes::BROKEN_WAY_BACK, shown(values)),
    }
}

fn refused(code: &'static Code, found: impl Into<String>) -> ConvertError {
    ConvertError { cause: Box::new(code.at(Path::named("extras")).saying(found.into())) }
}
