//! A scene as a model: the way into the games for models of any origin (docs/formats/mdx.md#lower).
//!
//! Nodes stand about their pivots and turn from rest, geosets lie in the model's space, clips stand one behind the other on one
//! timeline. What the games cannot hold is reduced by stated rules, each a finding.

mod clip;
mod evidence;
mod geoset;
mod look;
mod node;
mod reach;
mod skin;

use std::collections::BTreeMap;

use galvani_core::record::Text;
use galvani_core::{LowerError, Path, Reading, Report, codes};
use galvani_scene::lower::usable;
use galvani_scene::{Clip, Id, LoweredScene, Scene};
use zerocopy::little_endian::{F32, I32, U32};

use crate::model::{ModelChunk, ModelEnd, Sequences};
use crate::{Chunk, Content, Document, Evidence, Family, FamilyVerdict, Held, Raw, Records, wire, write};
use clip::{Span, TrackIndex};
use geoset::Surface;
use node::Rig;
use reach::Reach;

codes! {
    NO_VERSION = Error, "mdx.no-such-version",
        "models of this version are not made",
        "800, 900, 1000 and 1100 of Warcraft III, 1300, 1400 and 1500 of World of Warcraft are";
    TOO_LONG = Error, "mdx.too-long",
        "the clips are longer together than a timeline of milliseconds",
        "take fewer clips";
    BEYOND = Error, "mdx.beyond-numbers",
        "places or sizes are so large together that no number can say them",
        "apply the scales of nodes before exporting";
    TOO_MANY_NODES = Error, "mdx.too-many-nodes",
        "vertices follow more nodes than a byte can count",
        "version 1400 of World of Warcraft, or 800 of Warcraft III, have room for more";
    EVEN_WEIGHTS = Warning, "mdx.even-weights",
        "vertices follow several nodes by different amounts, which the version cannot hold",
        "each follows the nodes that pull at it most, all of them alike; versions 900 and above hold weights";
    FOUR_WEIGHTS = Warning, "mdx.four-weights",
        "vertices follow more than four nodes",
        "the four that pull most were taken";
    OTHER_REST = Warning, "mdx.other-rest",
        "joints rest in another pose than that in which they were bound to the mesh, each in its own way",
        "the mesh is as it is at rest; apply the pose before exporting if it looks wrong in motion";
    SHEARED = Warning, "mdx.sheared",
        "a node is stretched across its own axes, which the games cannot hold",
        "it is scaled as nearly as can be";
    PARTED = Note, "mdx.parted",
        "a surface became several geosets",
        "one has 65535 vertices at most and 256 groups of nodes, in version 1500 of World of Warcraft 65535 corners";
    CUT_NAME = Note, "mdx.cut-name",
        "a name is longer than its room",
        "its beginning was taken";
    NOT_HELD = Warning, "mdx.not-held",
        "the games have no place for this",
        "it was left out";
    MOVED_KEYS = Note, "mdx.moved-keys",
        "keys do not lie on whole milliseconds",
        "they were moved to the nearest";
    BAKED_CURVES = Note, "mdx.baked-curves",
        "the curves of a node are of several kinds, or end before their clips do",
        "they became straight lines within the tolerance";
    MADE_SEQUENCE = Note, "mdx.made-sequence",
        "there is no clip, and the games show nothing that has none",
        "a sequence `Stand` was made in which everything rests";
}

/// How a scene becomes a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Of which game.
    pub family: Family,
    /// Of which version.
    pub version: u32,
    /// The clips that are taken; nothing, all of them.
    pub clips: Option<Vec<Id<Clip>>>,
    /// How far curves that become others may be off: of the model's size, and in radians.
    pub tolerance: f32,
}

impl Default for Options {
    fn default() -> Self {
        Options { family: Family::Warcraft, version: 800, clips: None, tolerance: super::lift::TOLERANCE }
    }
}

/// The versions that are made.
const WARCRAFT: [u32; 4] = [800, 900, 1000, 1100];
const WOW: [u32; 3] = [1300, 1400, 1500];

/// Milliseconds in which a pose fades into the next.
const BLEND_TIME: u32 = 150;

/// A model of a scene: its file, and the pictures that it names.
pub fn lower(scene: &Scene, options: &Options) -> Result<LoweredScene, LowerError> {
    let known: &[u32] = if options.family == Family::Wow { &WOW } else { &WARCRAFT };
    if !known.contains(&options.version) {
        return Err(NO_VERSION.at(Path::named("VERS")).saying(options.version.to_string()).into());
    }
    let (report, size) = (usable(scene)?, scene.size());
    let mut lower =
        Lower { scene, options, report, size, tracks: TrackIndex::default(), baked: 0, moved: 0, sheared: 0 };
    lower.tell_unheld();
    let spans = clip::spans(&mut lower)?;
    lower.tracks = TrackIndex::new(&spans);
    let rig = Rig::new(&lower);
    if rig.rests.iter().any(|rest| !rest.is_finite()) {
        return Err(BEYOND.at(Path::named("nodes")).into());
    }
    let surfaces = geoset::all(&mut lower, &rig)?;
    let reach = Reach::new(scene, &rig, &surfaces, &spans);
    let (chunks, pictures) = lower.chunks(&rig, &spans, &surfaces, &reach);
    lower.tell_counted();
    let document = Document {
        family_verdict: FamilyVerdict { family: options.family, by: Evidence::ModelSize, against: None },
        version: options.version,
        chunks,
        tail: Raw::default(),
        seqs: Reading::Observed,
        tracks: Reading::Observed,
        new_tracks: Reading::Observed,
        inherit: Reading::Observed,
    };
    let name = if scene.name.is_empty() { "model" } else { &scene.name };
    let files = vec![(format!("{name}.mdx"), write(&document)?)];
    Ok(LoweredScene { files, pictures, report: lower.report })
}

/// A model in the making.
struct Lower<'s> {
    scene: &'s Scene,
    options: &'s Options,
    report: Report,
    /// How large the model is at rest.
    size: f32,
    tracks: TrackIndex<'s>,
    /// Curves that were baked, keys that were moved, curves of scales that were not held.
    baked: usize,
    moved: usize,
    sheared: usize,
}

impl Lower<'_> {
    fn is_wow(&self) -> bool {
        self.options.family == Family::Wow
    }

    /// Whether the version is at least this; those of the two games do not overlap in what is asked.
    fn since(&self, version: u32) -> bool {
        !self.is_wow() && self.options.version >= version
    }

    fn either<T>(&self, warcraft: T, wow: T) -> T {
        if self.is_wow() { wow } else { warcraft }
    }

    /// Every chunk in the order of the games' own tools, and the pictures that are named.
    fn chunks(
        &mut self,
        rig: &Rig,
        spans: &[Span<'_>],
        surfaces: &[Surface],
        reach: &Reach,
    ) -> (Vec<Chunk>, Vec<(String, Id<galvani_scene::SceneImage>)>) {
        let looks = look::all(self, surfaces, spans);
        let tints = look::tints(self, surfaces, spans);
        let mut chunks = vec![
            chunk(*b"VERS", Content::Version(self.options.version)),
            chunk(*b"MODL", self.header(rig, reach)),
            chunk(*b"SEQS", self.sequences(spans, reach)),
            chunk(*b"MTLS", Content::Materials(self.with_unused(0, looks.materials))),
            chunk(*b"TEXS", Content::Textures(looks.textures)),
        ];
        chunks.push(chunk(*b"GEOS", geoset::chunk(self, surfaces, reach)));
        if !tints.is_empty() {
            chunks.push(chunk(*b"GEOA", Content::GeosetAnimations(self.records(tints))));
        }
        chunks.extend(node::chunks(self, rig, spans));
        if self.is_wow() {
            evidence::add(self, &mut chunks, spans);
        }
        (chunks, looks.pictures)
    }

    fn header(&mut self, rig: &Rig, reach: &Reach) -> Content {
        let bounds = reach.rest;
        let fixed = wire::Model {
            name: self.text(&self.scene.name, Path::named("MODL")),
            animation_file: Text([0; 260]),
            radius: bounds.radius,
            min: bounds.min,
            max: bounds.max,
        };
        let nodes = U32::new(u32::try_from(rig.entries.len()).unwrap_or(u32::MAX));
        let end = self.either(
            ModelEnd::Warcraft(wire::ModelWarcraft { blend_time: U32::new(BLEND_TIME) }),
            ModelEnd::Wow(wire::ModelWow { flags: 0, unknown_171: nodes }),
        );
        Content::Model(Box::new(ModelChunk { fixed, end }))
    }

    fn sequences(&mut self, spans: &[Span<'_>], reach: &Reach) -> Content {
        let (mut warcraft, mut wow) = (Vec::new(), Vec::new());
        for (i, (span, bounds)) in spans.iter().zip(&reach.clips).enumerate() {
            let name = self.text(span.name(), Path::named("SEQS").index(i));
            let flags = U32::new(u32::from(!span.is_looping()));
            let (radius, min, max) = (bounds.radius, bounds.min, bounds.max);
            let (move_speed, sync_point) = (F32::new(0.0), U32::new(0));
            warcraft.push(wire::SequenceWarcraft {
                name,
                start: U32::new(span.start.cast_unsigned()),
                end: U32::new(span.end.cast_unsigned()),
                move_speed,
                flags,
                rarity: F32::new(0.0),
                sync_point,
                radius,
                min,
                max,
            });
            wow.push(wire::SequenceWow {
                name,
                start: I32::new(span.start),
                end: I32::new(span.end),
                move_speed,
                flags,
                radius,
                min,
                max,
                frequency: F32::new(1.0),
                replay_min: U32::new(0),
                replay_max: U32::new(0),
                blend_time: U32::new(0),
            });
        }
        Content::Sequences(self.either(Sequences::Warcraft(warcraft), Sequences::Wow(wow)))
    }

    /// Records behind their count, where the family has one.
    fn records<T>(&self, items: Vec<T>) -> Records<T> {
        let count = self.is_wow().then(|| u32::try_from(items.len()).unwrap_or(u32::MAX));
        Records { count, items: items.into_iter().map(Held::Typed).collect(), ..Records::default() }
    }

    /// The same with another number behind the count.
    fn with_unused<T>(&self, unused: u32, items: Vec<T>) -> Records<T> {
        Records { unused: self.is_wow().then_some(unused), ..self.records(items) }
    }

    /// A name in its room, zeros behind it; what does not fit is cut off between two characters.
    fn text<const N: usize>(&mut self, name: &str, path: Path) -> Text<N> {
        let most = N.saturating_sub(1);
        let cut = name.floor_char_boundary(most);
        if cut < name.len() {
            self.report.push(CUT_NAME.at(path).saying(format!("`{name}`, {most} bytes at most")));
        }
        let mut room = [0; N];
        room.iter_mut().zip(name.bytes().take(cut)).for_each(|(place, byte)| *place = byte);
        Text(room)
    }

    /// What the games have no place for, each kind once.
    fn tell_unheld(&mut self) {
        let scene = self.scene;
        let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let textures = scene.materials.iter().flat_map(|it| [&it.normal, &it.orm, &it.glow]);
        let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
        let uv_words = ["texture", "uv_offset", "uv_rotation", "uv_scale"];
        let counts = [
            ("meshes", "colours of vertices", primitives().filter(|it| is_coloured(it)).count()),
            ("materials", "pictures of light, roughness and directions", textures.flatten().count()),
            ("clips", "moving pictures", tracks.filter(|track| uv_words.contains(&track.word())).count()),
            ("variants", "other states and levels of detail", scene.variants.len()),
            ("looks", "other looks", scene.looks.len()),
        ];
        for (list, what, count) in counts.into_iter().filter(|(_, _, count)| *count > 0) {
            self.report.push(NOT_HELD.at(Path::named(list)).saying(format!("{what}: {count}")));
        }
    }

    fn tell_counted(&mut self) {
        let counted = [
            (&BAKED_CURVES, self.baked, "curves"),
            (&MOVED_KEYS, self.moved, "keys"),
            (&SHEARED, self.sheared, "keys"),
        ];
        for (code, count, what) in counted.into_iter().filter(|(_, count, _)| *count > 0) {
            self.report.push(code.at(Path::named("clips")).saying(format!("{count} {what}")));
        }
    }
}

fn is_coloured(primitive: &galvani_scene::Primitive) -> bool {
    primitive.colors.iter().any(|color| *color != glam::Vec4::ONE)
}

fn chunk(tag: [u8; 4], content: Content) -> Chunk {
    Chunk { tag, content }
}

/// Names that files are called by, each once.
#[derive(Debug, Default)]
struct FileNames(BTreeMap<String, usize>);

impl FileNames {
    /// A name of letters, digits and dashes that no other file has, with such an end.
    fn take(&mut self, wanted: &str, end: &str) -> String {
        let plain = |one: char| if one.is_ascii_alphanumeric() || one == '-' { one } else { '_' };
        let mut stem: String = wanted.chars().take(48).map(plain).collect();
        if stem.is_empty() {
            stem.push_str("picture");
        }
        let taken = self.0.entry(stem.to_lowercase()).or_insert(0);
        *taken = taken.saturating_add(1);
        let count = *taken;
        if count == 1 { format!("{stem}{end}") } else { self.take(&format!("{stem}-{count}"), end) }
    }
}
