//! Text → [`Document`].

use galvani_core::budget::{Allowance, Share};
use galvani_core::record::FieldKind;
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, room};

use super::lex::{Kind, Lexer, Token};
use super::lists::{Laid, LaidChunk, Lists};
use super::parse::{Item, Parser, shown};
use super::words::{Block, Context, Words};
use super::{Document, Start, check};
use crate::held::{Held, Raw};
use crate::wire::{BindPose, Vec3};
use crate::{Evidence, Family, FamilyVerdict, readings};
use galvani_core::Reading;

/// The version of a text that names none.
pub(super) const FIRST: u32 = 800;

/// What the records of a text may take: more than those of any text that was printed, whose shortest block is `Bitmap`.
const ALLOWANCE: Allowance =
    Allowance { memory: Share { base: 64 << 20, per_byte: 16 }, work: Share { base: 0, per_byte: 0 } };

/// Tokens of the first block that are looked at to know a model.
const HEAD: usize = 4;

/// Whether a text begins as models do: with a block of theirs.
pub fn is_shaped(file: &[u8]) -> bool {
    let mut lexer = Lexer::new(file);
    let first = lexer.next();
    if first.is_noted {
        return true;
    }
    if first.kind != Kind::Word || !super::parse::is_top(first.bytes) {
        return false;
    }
    let mut head = std::iter::repeat_with(|| lexer.next()).take(HEAD);
    head.find(|token| !matches!(token.kind, Kind::Text | Kind::Number))
        .is_some_and(|token| token.kind == Kind::Open)
}

/// Reads a model. What is not understood stays in the text and is left to [`check`](super::check()); under
/// strictness the first of it ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let text = room::copied(file)?;
    let inherit = readings::inherit(&options.readings);
    let version = version(file);
    let context = Context { version: version.unwrap_or(FIRST), inherit: inherit.taken };
    let mut parser = Parser::new(file, context, options.budget.meter(&ALLOWANCE, file.len()));
    let mut found = Found::default();
    found.all(&mut parser);
    if let Some(end) = parser.exhausted {
        return Err(end.into());
    }
    if !found.has_blocks {
        let said = "a block of a model wanted, such as `Version { … }`, none found";
        return Err(check::NO_MODEL.at(Path::root()).offset(0).in_line(1, 1).saying(said).into());
    }
    if version.is_none() && found.laid.is_none() {
        parser.place = Path::named("VERS");
        parser.tell(&check::VERSION_MISSING, 0, format!("{FIRST} is taken"));
    }
    let findings = parser.findings;
    let Found { mut lists, laid, tail, starts, .. } = found;
    if laid.is_none() {
        // What every model has.
        if lists.versions.is_empty() {
            lists.versions.push(context.version);
        }
        if lists.models.is_empty() {
            lists.models.push(super::words::fresh(context));
        }
    }
    let model = crate::Document {
        family_verdict: FamilyVerdict { family: Family::Warcraft, by: Evidence::TextForm, against: None },
        version: context.version,
        chunks: lists.into_chunks(laid),
        tail: Raw { bytes: tail, damage: None },
        seqs: Reading::Observed,
        tracks: Reading::Observed,
        new_tracks: Reading::Observed,
        inherit: context.inherit,
    };
    let map = map(file.len(), &starts);
    options.strictness.enforce(|report| report.append(findings.clone()), || map.clone())?;
    let document = Document { text, model, said: None, findings, starts };
    Ok(Read { document, map, report: galvani_core::Report::default(), readings: vec![inherit] })
}

/// The version that a text says it has, wherever it does: all layouts follow from it.
fn version(file: &[u8]) -> Option<u32> {
    let mut lexer = Lexer::new(file);
    let mut depth: usize = 0;
    let mut is_in = false;
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::End => return None,
            Kind::Open => depth = depth.saturating_add(1),
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Word if depth == 0 && token.is_noted && token.bytes == b"Layout" => {
                return number(&lexer.next());
            }
            Kind::Word if depth == 0 && !token.is_noted => is_in = token.bytes == b"Version",
            Kind::Word if depth == 1 && is_in && token.bytes == b"FormatVersion" => {
                return number(&lexer.next());
            }
            _ => {}
        }
    }
}

fn number(token: &Token<'_>) -> Option<u32> {
    std::str::from_utf8(token.bytes).ok()?.parse().ok()
}

/// The map of a text: the records and what lies between them.
fn map(len: usize, starts: &[Start]) -> FileMap {
    let mut map = FileMap::new(len);
    let (mut at, mut gaps) = (0, 0);
    let mut gap = |map: &mut FileMap, from: usize, to: usize| {
        if from < to {
            map.run(Path::named("text").index(gaps), from, to.saturating_sub(from), FieldKind::Text);
            gaps = gaps.saturating_add(1);
        }
    };
    for start in starts.iter().take(MOST) {
        gap(&mut map, at, start.at);
        map.run(start.path(), start.at, start.end.saturating_sub(start.at), FieldKind::Text);
        at = start.end;
    }
    gap(&mut map, at, len);
    map
}

/// How many records have regions of their own in the map of a text.
const MOST: usize = 1 << 16;

/// What a text says.
#[derive(Default)]
struct Found {
    lists: Lists,
    laid: Option<Laid>,
    tail: Vec<u8>,
    starts: Vec<Start>,
    /// Whether there is any block of a model, or a comment of ours.
    has_blocks: bool,
}

impl Found {
    fn all(&mut self, parser: &mut Parser<'_>) {
        loop {
            parser.place = Path::root();
            match parser.item() {
                Item::Word(word) if word.is_noted => {
                    self.has_blocks = true;
                    self.note(parser, word);
                }
                Item::Word(word) => {
                    let at = word.at;
                    parser.offer(word, &mut |parser| self.top(parser, at));
                }
                Item::End => {}
                Item::TextEnd => return parser.tell_pending(),
            }
            if parser.exhausted.is_some() {
                return;
            }
        }
    }

    /// A block, at the top.
    fn top(&mut self, parser: &mut Parser<'_>, at: usize) {
        let word = parser.word;
        parser.is_taken = true;
        self.has_blocks |= super::parse::is_top(word.bytes);
        self.block(parser, word, at);
        parser.tell_pending();
    }

    fn block(&mut self, parser: &mut Parser<'_>, word: Token<'_>, at: usize) {
        let Found { lists, starts, .. } = self;
        match word.bytes {
            b"Version" => version_block(parser, &mut lists.versions),
            b"Model" => plain(parser, starts, &mut lists.models, ("MODL", at)),
            b"Sequences" => listed(parser, |parser, index, at| {
                is_one(parser, ("Anim", index), |parser| {
                    plain(parser, starts, &mut lists.sequences, ("SEQS", at));
                });
            }),
            b"Textures" => listed(parser, |parser, index, at| {
                is_one(parser, ("Bitmap", index), |parser| {
                    plain(parser, starts, &mut lists.textures, ("TEXS", at));
                });
            }),
            b"Materials" => {
                listed(parser, |parser, index, at| {
                    held(parser, starts, &mut lists.materials, ("MTLS", ("Material", index), at));
                });
                parser.place_raws("Material", &mut lists.materials);
            }
            b"TextureAnims" => {
                listed(parser, |parser, index, at| {
                    held(parser, starts, &mut lists.texture_animations, ("TXAN", ("TVertexAnim", index), at));
                });
                parser.place_raws("TVertexAnim", &mut lists.texture_animations);
            }
            b"GlobalSequences" => listed(parser, |parser, index, at| {
                let durations = &mut lists.globals;
                is_one(parser, ("Duration", index), |parser| {
                    starts.push(Start::new("GLBS", durations.len(), at, at));
                    let duration = parser.integer().map(|read| super::words::low(read).into());
                    parser.keep(durations, duration);
                });
            }),
            b"Geoset" => one(parser, starts, &mut lists.geosets, ("GEOS", at)),
            b"GeosetAnim" => one(parser, starts, &mut lists.geoset_animations, ("GEOA", at)),
            b"Bone" => one(parser, starts, &mut lists.bones, ("BONE", at)),
            b"Light" => one(parser, starts, &mut lists.lights, ("LITE", at)),
            b"Helper" => one(parser, starts, &mut lists.helpers, ("HELP", at)),
            b"Attachment" => one(parser, starts, &mut lists.attachments, ("ATCH", at)),
            b"PivotPoints" => {
                parser.take_nans();
                let rows: Vec<Vec3> = parser.rows();
                starts.push(Start::new("PIVT", lists.pivots.len(), at, parser.peek().at));
                lists.pivots.extend(rows);
            }
            b"ParticleEmitter" => one(parser, starts, &mut lists.emitters, ("PREM", at)),
            b"ParticleEmitter2" => one(parser, starts, &mut lists.emitters2, ("PRE2", at)),
            b"ParticleEmitterPopcorn" => one(parser, starts, &mut lists.popcorn, ("CORN", at)),
            b"RibbonEmitter" => one(parser, starts, &mut lists.ribbons, ("RIBB", at)),
            b"Camera" => one(parser, starts, &mut lists.cameras, ("CAMS", at)),
            b"EventObject" => one(parser, starts, &mut lists.events, ("EVTS", at)),
            b"CollisionShape" => one(parser, starts, &mut lists.shapes, ("CLID", at)),
            b"FaceFX" => plain(parser, starts, &mut lists.face_fx, ("FAFX", at)),
            b"BindPose" => bind_pose(parser, starts, &mut lists.bind_poses, at),
            _ => parser.is_taken = false,
        }
    }

    /// What words cannot say of the file as a whole (docs/formats/mdl.md#notes).
    fn note<'a>(&mut self, parser: &mut Parser<'a>, word: Token<'a>) {
        match word.bytes {
            b"Layout" => drop(parser.integer()),
            b"Chunks" => self.laid.get_or_insert_default().chunks.extend(chunks(parser)),
            b"Raw" => {
                let tag = parser.text_value().map(|token| token.bytes.to_vec()).unwrap_or_default();
                let tag = tag_of(&tag);
                match tag.zip(parser.hex()) {
                    Some(raw) => self.laid.get_or_insert_default().raw.push(raw),
                    None => parser.tell(&check::NOTE, word.at, "a tag and bytes in hex wanted"),
                }
            }
            b"Rest" => {
                let (chunk, bytes) = (parser.count().and_then(|at| usize::try_from(at).ok()), parser.hex());
                self.laid.get_or_insert_default().rests.extend(chunk.zip(bytes));
            }
            b"Record" => self.raw_record(parser, word.at),
            b"Tail" => self.tail = parser.hex().unwrap_or_default(),
            _ => parser.keep_note(word),
        }
    }

    /// A record that could not be read, in its place among those of its kind.
    fn raw_record(&mut self, parser: &mut Parser<'_>, at: usize) {
        let tag = parser.text_value().map(|token| token.bytes.to_vec()).unwrap_or_default();
        let Some(bytes) = parser.hex() else { return };
        let lists = &mut self.lists;
        macro_rules! keep {
            ($($tag:literal => $list:ident)*) => {
                match tag.as_slice() {
                    $($tag => {
                        let raw = Held::Raw(Raw { bytes, damage: None });
                        parser.keep(&mut lists.$list, Some(raw));
                    })*
                    _ => parser.tell(&check::NOTE, at, format!("`{}` has no records", shown(&tag))),
                }
            };
        }
        keep! {
            b"GEOS" => geosets
            b"GEOA" => geoset_animations
            b"BONE" => bones
            b"LITE" => lights
            b"HELP" => helpers
            b"ATCH" => attachments
            b"PREM" => emitters
            b"PRE2" => emitters2
            b"CORN" => popcorn
            b"RIBB" => ribbons
            b"CAMS" => cameras
            b"EVTS" => events
            b"CLID" => shapes
        }
    }
}

/// Chunks in order: the tag of each, and how many records it has where its kind is there several times.
fn chunks(parser: &mut Parser<'_>) -> Vec<LaidChunk> {
    let mut chunks = Vec::new();
    loop {
        let token = parser.peek();
        match token.kind {
            Kind::Text if token.bytes.is_empty() => {
                parser.next();
                chunks.push(LaidChunk::Raw);
            }
            Kind::Text => {
                parser.next();
                let count = if parser.peek().kind == Kind::Number { parser.count() } else { None };
                match tag_of(token.bytes) {
                    Some(tag) => {
                        chunks.push(LaidChunk::Records(
                            tag,
                            count.and_then(|count| usize::try_from(count).ok()),
                        ));
                    }
                    None => parser.tell(&check::NOTE, token.at, "a tag wanted"),
                }
            }
            _ => return chunks,
        }
    }
}

/// A tag: four letters, or four bytes in hex.
fn tag_of(text: &[u8]) -> Option<[u8; 4]> {
    let hex = || galvani_core::text::from_hex(std::str::from_utf8(text).ok()?)?.try_into().ok();
    text.try_into().ok().or_else(hex)
}

fn version_block(parser: &mut Parser<'_>, versions: &mut Vec<u32>) {
    let mut version = FIRST;
    if parser.open() {
        parser.items(|parser| {
            parser.whole("FormatVersion", &mut version, super::words::When::Always(0));
        });
        parser.is_taken = true;
        versions.push(version);
    }
}

/// The blocks of a list behind its count, each read by `each`, which is told its number; held against the count.
fn listed(parser: &mut Parser<'_>, mut each: impl FnMut(&mut Parser<'_>, usize, usize)) {
    let (at, count) = (parser.peek().at, parser.count());
    if !parser.open() {
        return;
    }
    let mut found: usize = 0;
    parser.items(|parser| {
        let at = parser.word.at;
        each(parser, found, at);
        found = found.saturating_add(usize::from(parser.is_taken));
    });
    parser.apply_notes(&mut |parser| each(parser, usize::MAX, 0));
    parser.is_taken = true;
    parser.place = Path::root();
    parser.compare(at, count, found);
}

/// Reads something if it is that word which stands there.
fn is_one(parser: &mut Parser<'_>, (word, index): (&'static str, usize), read: impl FnOnce(&mut Parser<'_>)) {
    if parser.is(word) {
        parser.within(word, Some(index), read);
        parser.is_taken = true;
    }
}

/// A record whose word was taken.
fn plain<T: Block>(
    parser: &mut Parser<'_>,
    starts: &mut Vec<Start>,
    list: &mut Vec<T>,
    (tag, at): (&'static str, usize),
) {
    let start = Start::new(tag, list.len(), at, at);
    parser.place = start.path();
    let (block, is_whole) = parser.record();
    if is_whole {
        starts.push(Start { end: parser.peek().at, ..start });
        parser.keep(list, Some(block));
    }
}

/// The same where it may be one that could not be read.
fn one<T: Block>(
    parser: &mut Parser<'_>,
    starts: &mut Vec<Start>,
    list: &mut Vec<Held<T>>,
    (tag, at): (&'static str, usize),
) {
    let start = Start::new(tag, list.len(), at, at);
    parser.place = start.path();
    let (block, is_whole) = parser.record();
    if is_whole {
        starts.push(Start { end: parser.peek().at, ..start });
        parser.keep(list, Some(Held::Typed(block)));
    }
}

/// The same in a list, where a comment may have the bytes of one that could not be read.
fn held<T: Block>(
    parser: &mut Parser<'_>,
    starts: &mut Vec<Start>,
    list: &mut Vec<Held<T>>,
    (tag, (word, index), at): (&'static str, (&'static str, usize), usize),
) {
    if parser.is(word) {
        parser.within(word, Some(index), |parser| one(parser, starts, list, (tag, at)));
    } else {
        parser.raw_in(word);
    }
}

fn bind_pose(parser: &mut Parser<'_>, starts: &mut Vec<Start>, list: &mut Vec<BindPose>, at: usize) {
    if !parser.open() {
        return;
    }
    parser.take_nans();
    let first = list.len();
    parser.items(|parser| is_one(parser, ("Matrices", 0), |parser| list.extend(parser.rows::<BindPose>())));
    parser.is_taken = true;
    starts.push(Start::new("BPOS", first, at, parser.peek().at));
}
