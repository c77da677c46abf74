//! Models as glTF, and what they were made of.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use galvani_core::{Exhausted, Meter, Path, Report, WriteError, room};
use galvani_gltf::{Exported, Extension, Options, RigOption, SourceFile, Visibility};
use galvani_scene::{Clip, Id, Scene};
use sha2::{Digest, Sha256};

use super::ConvertError;
use super::back::{self, AsRead, Whole};
use crate::formats::argument::{ClipSelector, Each, words};
use crate::formats::select::Candidates;
use crate::formats::setting::settings;
use crate::formats::{ArchiveLinks, Links, OpenOptions, Opened, RequestError, Settings, Site, recognise};
use crate::{budget, codes};

words! { Visibility {
    "joints" => Visibility::Joints, "extension" => Visibility::Extension, "extras" => Visibility::Extras,
} }
words! { RigOption { "nodes" => RigOption::Nodes, "skin" => RigOption::Skin } }

settings! {
    /// How models are written as glTF.
    pub struct Writing {
        /// How far a turn may be from the source's, in radians, where it is baked.
        tolerance: f32 = 1e-4, "how far what glTF cannot say may be from the source: in sizes of the model, and in radians [default: 0.0001]";
        /// Keys on a grid; models whose frames have no time of their own are told here how fast they follow.
        fps: Option<f32> = None, "puts keys on a grid of so many a second [default: they stay where they are]";
        /// The clips that are written; none, all of them.
        clip: Each<ClipSelector> = Each::default(), "writes only this clip (may be given several times)";
        /// How what is hidden is hidden.
        visibility: Visibility = Visibility::Joints, "how what is hidden is hidden: scaled away, which everybody shows; by extensions that few know; or only told [default: joints]";
        /// How what is rigid is shown.
        rig: RigOption = RigOption::Nodes, "how rigid parts hang on their bones: as nodes, or all with one skin [default: nodes]";
        /// Whether surfaces may say that lamps do nothing to them.
        unlit: bool = false, "says by an extension which surfaces are not lit";
        /// Whether colours and texture coordinates may move.
        pointer: bool = false, "moves colours and textures by an extension; some readers refuse such files";
        /// Whether levels of detail hang on their nodes.
        lod_ext as "lod-ext": bool = false, "says by an extension which meshes are levels of detail";
        /// Whether there are other looks.
        variants: bool = false, "writes other looks by an extension";
        /// Whether there are lights.
        lights: bool = false, "writes lights by an extension";
        /// Whether the files that the model is made of travel with it.
        embed_source as "embed-source": bool = false, "puts the model's own files into the extras, for the way back";
    }
}

impl Writing {
    fn extensions(&self) -> BTreeSet<Extension> {
        let all = [
            (self.unlit, Extension::Unlit),
            (self.pointer, Extension::Pointer),
            (self.lod_ext, Extension::Lod),
            (self.variants, Extension::Variants),
            (self.lights, Extension::Lights),
        ];
        all.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, extension)| extension).collect()
    }
}

/// A model as glTF.
#[derive(Debug)]
pub struct Converted<F> {
    /// The file, or all of them.
    pub files: F,
    /// What glTF does not say.
    pub report: Report,
    /// Bytes of the text in its extras, by which it goes back; 0 if it does not.
    pub kept: usize,
}

impl<F> Converted<F> {
    /// The same of other files.
    pub fn map<G>(self, change: impl FnOnce(F) -> G) -> Converted<G> {
        Converted { files: change(self.files), report: self.report, kept: self.kept }
    }
}

/// A model where it stands as a `.glb`. What it takes is charged first.
///
/// Settings are those of its format and of [`Writing`].
pub fn glb(
    opened: &Opened,
    site: &Site<'_>,
    settings: &Settings,
    meter: &Meter,
) -> Result<Converted<Vec<u8>>, ConvertError> {
    converted(opened, site, settings, meter, Exported::in_one)
}

/// The same as a `.gltf` with its bytes and pictures beside it.
pub fn gltf(
    opened: &Opened,
    site: &Site<'_>,
    settings: &Settings,
    meter: &Meter,
) -> Result<Converted<Exported>, ConvertError> {
    converted(opened, site, settings, meter, Ok)
}

fn converted<F>(
    opened: &Opened,
    site: &Site<'_>,
    settings: &Settings,
    meter: &Meter,
    files: impl FnOnce(Exported) -> Result<F, WriteError>,
) -> Result<Converted<F>, ConvertError> {
    let Lifted { scene, options, mut report, .. } = scene(opened, site, settings, meter)?;
    let goes_back = scene.source.is_some() && opened.format.info().way_back.is_some();
    let (exported, lost) = galvani_gltf::gltf(scene, &options)?;
    report.append(lost);
    let kept = if goes_back { exported.extras_len() } else { 0 };
    Ok(Converted { files: files(exported)?, report, kept })
}

/// The scene of a model, how it is written, and what it does not say.
struct Lifted {
    scene: Scene,
    options: Options,
    report: Report,
    /// As a reader of the glTF finds it, if there is a way back.
    found: Option<AsRead>,
    /// The files beside the model's own that it is made of.
    taken: TakenFiles,
}

/// Files by their names.
pub(super) type TakenFiles = BTreeMap<String, Vec<u8>>;

fn scene(
    opened: &Opened,
    site: &Site<'_>,
    settings: &Settings,
    meter: &Meter,
) -> Result<Lifted, ConvertError> {
    budget::charge_scene(meter, opened.map.len())?;
    let model = opened.as_model()?;
    let info = opened.format.info();
    let (lifting, mut writing) = (settings.among(info.lifting), Writing::from_settings(settings));
    settings.only::<RequestError>(&[info.lifting, Writing::SETTINGS].concat())?;
    if info.lifting.iter().any(|setting| setting.name == "fps") {
        writing.fps = None;
    }
    for (name, number) in [("tolerance", Some(writing.tolerance)), ("fps", writing.fps)] {
        if number.is_some_and(|number| !(number.is_finite() && number > 0.0)) {
            let said = format!("{name}: a number above 0 is wanted");
            return Err(RequestError::from(codes::SETTING.at(Path::root()).saying(said)).into());
        }
    }
    let taken = RememberingLinks { links: site.links, files: RefCell::default() };
    let (mut scene, mut report) = model.lift(&lifting, &Site { links: &taken, ..*site })?;
    budget::charge_looks(meter, &scene)?;
    report.locate(&opened.map);
    site.stem().clone_into(&mut scene.name);
    let own = opened.document.write()?;
    let taken = taken.files.into_inner();
    let is_piece = |name: &String| scene.pieces.iter().any(|piece| piece.eq_ignore_ascii_case(name));
    let files = sources(site.name, &own, &taken, (writing.embed_source, &is_piece))?;
    let clips = clips(&writing.clip.0, &scene.clips, &mut report)?;
    let options = Options {
        generator: format!("galvani {} ({})", env!("CARGO_PKG_VERSION"), info.id),
        format: info.id.to_owned(),
        files,
        tolerance: writing.tolerance,
        visibility: writing.visibility,
        rig: writing.rig,
        extensions: writing.extensions(),
        clips,
        fps: writing.fps,
    };
    let mut found = None;
    if let Some(way) = info.way_back {
        let whole = whole((&own, opened, site), &taken, &scene.pieces)?;
        drop(own);
        found = Some(back::keep(&mut scene, (whole, &taken), &options, (way, meter))?);
    }
    Ok(Lifted { scene, options, report, found, taken })
}

/// A model as it went out.
pub(super) struct WentOut {
    /// As a reader of its glTF finds it.
    pub(super) read: AsRead,
    /// What the scene does not say.
    pub(super) text: String,
    /// The files beside the model's own that it is made of.
    pub(super) taken: TakenFiles,
}

/// A model as it goes out; of the settings those count that say something about that.
pub(super) fn went_out(
    opened: &Opened,
    site: &Site<'_>,
    settings: &Settings,
    meter: &Meter,
) -> Result<WentOut, ConvertError> {
    let settings = settings.among(&[opened.format.info().lifting, Writing::SETTINGS].concat());
    let Lifted { scene, found, taken, .. } = scene(opened, site, &settings, meter)?;
    let both = found.zip(scene.source).ok_or_else(|| ConvertError {
        cause: Box::new(codes::NO_WAY_BACK.at(Path::root()).saying(opened.format.info().name)),
    });
    both.map(|(read, text)| WentOut { read, text, taken })
}

/// The files that come back: the model's own, and those of its pieces that were taken.
fn whole(
    (own, opened, site): (&[u8], &Opened, &Site<'_>),
    taken: &TakenFiles,
    pieces: &[String],
) -> Result<Whole, Exhausted> {
    let (mut whole, options) = (Whole::default(), OpenOptions::default());
    whole.add(site.name, own, opened)?;
    let is_piece = |other: &str| pieces.iter().any(|piece| piece.eq_ignore_ascii_case(other));
    for (other, bytes) in taken.iter().filter(|(other, _)| *other != site.name && is_piece(other)) {
        let there = Site::named(other, site.links);
        let opened = recognise(bytes, Some(other)).map(|format| format.open_at(bytes, &options, &there));
        if let Some(Ok(opened)) = opened {
            whole.add(other, bytes, &opened)?;
        }
    }
    Ok(whole)
}

/// The clips that are meant; nothing, all of them.
pub(super) fn clips(
    wanted: &[ClipSelector],
    clips: &[Clip],
    report: &mut Report,
) -> Result<Option<Vec<Id<Clip>>>, RequestError> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let names = clips.iter().map(|clip| clip.name.as_str());
    let candidates = Candidates::named("clip", Path::named("clips"), &codes::CLIP_NOT_FOUND, names);
    let mut all = BTreeSet::new();
    for ClipSelector(clip) in wanted {
        all.extend(candidates.every::<RequestError>(clip, report)?);
    }
    Ok(Some(all.into_iter().map(Id::new).collect()))
}

/// What the way back asks of the files that a model is made of: what they are called, and whether they are still the
/// same. Pieces come back from what it says itself.
fn sources(
    name: &str,
    own: &[u8],
    taken: &TakenFiles,
    (is_embedded, is_piece): (bool, &dyn Fn(&String) -> bool),
) -> Result<Vec<SourceFile>, Exhausted> {
    let neighbours = taken.iter().filter(|(name, _)| is_embedded || !is_piece(name));
    let neighbours = neighbours.map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let all = std::iter::once((name, own)).chain(neighbours.filter(|(other, _)| *other != name));
    all.map(|(name, bytes)| {
        let embedded = if is_embedded { Some(room::copied(bytes)?) } else { None };
        Ok(SourceFile { name: name.to_owned(), sha256: Sha256::digest(bytes).into(), bytes: embedded })
    })
    .collect()
}

/// Neighbours, and which of them were taken.
#[derive(Debug)]
struct RememberingLinks<'a> {
    links: &'a dyn Links,
    files: RefCell<TakenFiles>,
}

impl Links for RememberingLinks<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let bytes = self.links.find(name)?;
        self.took(name, &bytes);
        Some(bytes)
    }

    fn took(&self, name: &str, bytes: &[u8]) {
        // Whoever takes it has room for it, or says so.
        let mut files = self.files.borrow_mut();
        if !files.contains_key(name)
            && let Ok(copy) = room::copied(bytes)
        {
            files.insert(name.to_owned(), copy);
        }
    }

    fn has(&self, name: &str) -> bool {
        self.links.has(name)
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        self.links.library(name, options)
    }

    fn names(&self, extension: &str) -> Vec<String> {
        self.links.names(extension)
    }
}
