//! Models of a game's own: the files that a glTF was made of, or new ones made of a scene of any origin.

use std::borrow::Cow;

use galvani_core::{Meter, Path, Report, room};
use galvani_gltf::import::{Imported, RecordedFile};
use galvani_gltf::{Document, Visibility, import};
use galvani_scene::lower::{like, unit_turns};
use galvani_scene::trip::{Tolerances, reconcile};
use galvani_scene::{Id, Material, Scene, SceneImage};

use super::back::{AsRead, CameBack, NamedFiles, Restored, losses, restore_by, restored};
use super::model::{WentOut, clips, went_out};
use super::pictures::pairs;
use super::{ConvertError, Target, Writing, picture};
use crate::formats::{
    FORMATS, Format, Links, LowerRequest, Lowering, OpenOptions, Opened, RequestError, Settings, Site,
    gltf_pictures,
};
use crate::{budget, codes};

/// A kind of model that a scene can become.
#[derive(Debug, Clone, Copy)]
pub struct ModelTarget {
    /// Of which format.
    pub format: &'static dyn Format,
    /// What whoever wants one calls it.
    pub word: &'static str,
}

impl ModelTarget {
    /// Every one; of each format the usual kind first.
    pub fn all() -> impl Iterator<Item = ModelTarget> {
        FORMATS.iter().flat_map(|&format| {
            let info = format.info();
            let words = info.lowering.map_or(&[][..], |lowering| lowering.words);
            let back = info.way_back.map(|way| way.word).filter(|word| !words.contains(word));
            back.into_iter().chain(words.iter().copied()).map(move |word| ModelTarget { format, word })
        })
    }

    /// The one that a word names.
    pub fn by_word(word: &str) -> Option<ModelTarget> {
        ModelTarget::all().find(|target| target.word.eq_ignore_ascii_case(word))
    }

    /// The one that a glTF was made of, if it says so and how to come back.
    pub fn of_origin(opened: &Opened) -> Option<ModelTarget> {
        let id = origin(opened)?;
        ModelTarget::all().find(|target| target.format.info().id == id)
    }

    /// The usual one of an extension.
    pub fn by_extension(extension: &str) -> Option<ModelTarget> {
        let is_own = |own: &&str| own.eq_ignore_ascii_case(extension);
        ModelTarget::all().find(|target| target.format.info().extensions.iter().any(is_own))
    }
}

/// What is wanted of a model, beside its kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct ModelWish<'a> {
    /// What its files are called by; nothing, as the scene is.
    pub stem: Option<&'a str>,
    /// The file that a glTF was made of, and where it stands: it says what the glTF does not.
    pub base: Option<(&'a Opened, &'a Site<'a>)>,
    /// A model whose structure is taken: its kind, and the order of nodes and clips.
    pub like: Option<&'a Opened>,
}

/// The files of a model. A glTF that was made of such a model, or of the base that is given, becomes that model again, with what
/// was changed; of anything else a new one is made.
///
/// Settings are those of [`Writing`]: clips, tolerance, frames a second.
pub fn model(
    opened: &Opened,
    site: &Site<'_>,
    target: ModelTarget,
    wish: &ModelWish<'_>,
    (settings, meter): (&Settings, &Meter),
) -> Result<Restored, ConvertError> {
    if let Some(like) = wish.like.filter(|like| like.format.info().id != target.format.info().id) {
        let said = format!("{} is wanted, {} was given", target.word, like.format.info().id);
        return Err(RequestError::from(codes::EXAMPLE.at(Path::root()).saying(said)).into());
    }
    if let Some((base, place)) = wish.base {
        let is_of = |lowering: Lowering| (lowering.is_of)(&*base.document, target.word);
        let is_kind = target.format.info().lowering.is_none_or(is_of);
        if base.format.info().id != target.format.info().id || !is_kind {
            let said = format!("{} is wanted, the base is {}", target.word, base.format.info().id);
            return Err(RequestError::from(codes::EXAMPLE.at(Path::root()).saying(said)).into());
        }
        let made = reconciled((as_gltf(opened)?, site), (base, place), wish.stem, (settings, meter))?;
        return Ok(made.unlike(wish.like, "its base"));
    }
    let is_there = |lowering: &Lowering| (lowering.is_of)(&*opened.document, target.word);
    if opened.format.info().id == target.format.info().id
        && target.format.info().lowering.as_ref().is_none_or(is_there)
    {
        let said = format!("it is {} already", target.word);
        return Err(ConvertError { cause: Box::new(codes::NO_WAY_BACK.at(Path::root()).saying(said)) });
    }
    if let Some(file) = transcribed(opened, site, target, wish)? {
        return Ok(file);
    }
    let mut rebuilt = None;
    if origin(opened).is_some_and(|id| id == target.format.info().id) {
        match restored(opened, site, meter) {
            Ok(made) if is_of_kind(&made, target) => {
                return Ok(made.called(wish.stem).unlike(wish.like, "its own extras"));
            }
            Ok(_) => {}
            Err(error) if *error.cause.code == codes::OTHER_COUNT => {
                // Its own files know what the lists were, if they travelled along.
                if let Some(made) = by_embedded(opened, site, wish.stem, (settings, meter))? {
                    return Ok(made.unlike(wish.like, "the files in its extras"));
                }
                if target.format.info().lowering.is_none() {
                    return Err(error);
                }
                // A new model is better than none; what it lacks is told.
                rebuilt = Some(codes::REBUILT.at(Path::named("extras")).saying(error.cause.message));
            }
            Err(error) => return Err(error),
        }
    }
    let mut made = made(opened, site, target, wish, (settings, meter))?;
    if let Some(finding) = rebuilt {
        made.report.push(finding);
    }
    Ok(made)
}

/// The file that says the same as a document in another form, if there is such a one.
fn transcribed(
    opened: &Opened,
    site: &Site<'_>,
    target: ModelTarget,
    wish: &ModelWish<'_>,
) -> Result<Option<Restored>, ConvertError> {
    let info = target.format.info();
    let transcribe = info.lowering.and_then(|lowering| lowering.transcribe).filter(|_| wish.like.is_none());
    let Some(file) = transcribe.and_then(|transcribe| transcribe(&*opened.document, target.word)) else {
        return Ok(None);
    };
    let extension = info.extensions.first().copied().unwrap_or(info.id);
    let name = format!("{}.{extension}", wish.stem.unwrap_or(site.stem()));
    Ok(Some(Restored { format: target.format, files: vec![(name, file?)], report: Report::default() }))
}

/// What pictures are called that nothing but other looks shows.
fn of_looks(scene: &Scene) -> Vec<String> {
    let is_swap = |at: usize| scene.looks.iter().flat_map(|look| &look.swaps).any(|(_, to)| to.index() == at);
    let shows = |material: &Material, image: usize| {
        let all = [&material.texture, &material.normal, &material.orm, &material.glow];
        all.into_iter().flatten().any(|texture| texture.image.index() == image)
    };
    let is_beside = |image: usize| {
        let mut shown = (0..).zip(&scene.materials).filter(|(_, material)| shows(material, image)).peekable();
        shown.peek().is_some() && shown.all(|(at, _)| is_swap(at))
    };
    let names = scene.images.iter().map(|image| image.name.clone());
    names.enumerate().filter(|(image, _)| is_beside(*image)).map(|(_, name)| name).collect()
}

/// The base with what was changed in a glTF that was made of it, whatever programs did to that on the way.
fn reconciled(
    (document, site): (&Document, &Site<'_>),
    (base, place): (&Opened, &Site<'_>),
    stem: Option<&str>,
    (settings, meter): (&Settings, &Meter),
) -> Result<Restored, ConvertError> {
    let WentOut { read: AsRead { scene: went_out, pictures: seals }, text, taken } =
        went_out(base, place, settings, meter)?;
    let Imported { scene: found, report: unsaid, .. } = import(document, &import::Options::default(), meter)?;
    let mut tolerances = Tolerances::of_size(went_out.size());
    if Writing::from_settings(settings).visibility == Visibility::Extras {
        // Nodes that only the extras name are not those that another program wrote.
        tolerances.moment = f32::INFINITY;
    }
    let pictures = gltf_pictures(document, site, meter)?;
    let (scene, told) = reconcile(&went_out, &found, &pairs(&seals, &pictures), tolerances)
        .map_err(|cause| ConvertError { cause })?;
    let supply = |name: &str| taken.get(name).and_then(|bytes| room::copied(bytes).ok());
    let beside = if went_out.looks.is_empty() { of_looks(&found) } else { Vec::new() };
    let came = CameBack {
        scene: &scene,
        base: Some(&went_out),
        pictures: &pictures,
        beside: &beside,
        supply: &supply,
    };
    let mut made = restore_by(&came, base.format, &text, meter)?;
    made.report.append(told);
    made.report.append(losses(&unsaid));
    Ok(made.called(stem))
}

/// The same with the files that travelled along with a glTF as its base, if there are any.
fn by_embedded(
    opened: &Opened,
    site: &Site<'_>,
    stem: Option<&str>,
    asked: (&Settings, &Meter),
) -> Result<Option<Restored>, ConvertError> {
    let document = as_gltf(opened)?;
    let own = import::kept_by_export(document)?;
    let files = own.as_ref().map(import::ExportRecord::files).unwrap_or_default();
    let format = FORMATS.iter().find(|format| own.as_ref().is_some_and(|own| format.info().id == own.format));
    let embedded = Embedded(files);
    let base = embedded.0.first().and_then(|file| Some((file.name.as_str(), file.bytes.as_deref()?)));
    let (Some(format), Some((name, bytes))) = (format, base) else { return Ok(None) };
    let place = Site::named(name, &embedded);
    let base = format.open_at(bytes, &OpenOptions::default(), &place);
    let base = base.map_err(|error| ConvertError { cause: error.cause })?;
    reconciled((document, site), (&base, &place), stem, asked).map(Some)
}

/// Files that travelled along, beside each other.
#[derive(Debug)]
struct Embedded(Vec<RecordedFile>);

impl Links for Embedded {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.0.iter().find(|file| file.name.eq_ignore_ascii_case(name))?;
        found.bytes.as_deref().map(Cow::Borrowed)
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let names = self.0.iter().map(|file| file.name.to_lowercase());
        names.filter(|name| parted(name).1 == extension).collect()
    }
}

impl Restored {
    /// The same, which is like no example, if there is one.
    fn unlike(mut self, like: Option<&Opened>, whence: &str) -> Self {
        if like.is_some() {
            self.report
                .push(codes::EXAMPLE_LEFT.at(Path::root()).saying(format!("it came back from {whence}")));
        }
        self
    }

    /// The same with the files that go by the model's name called after it.
    fn called(mut self, stem: Option<&str>) -> Self {
        let namesakes = self.format.info().way_back.map_or(&[][..], |way| way.namesakes);
        let own = self.files.first().map(|(name, _)| parted(name).0.to_owned()).unwrap_or_default();
        for (name, _) in self.files.iter_mut().skip(1) {
            let (old, extension) = parted(name);
            let is_namesake = old.eq_ignore_ascii_case(&own)
                && namesakes.iter().any(|it| it.eq_ignore_ascii_case(extension));
            if let Some(stem) = stem.filter(|_| is_namesake) {
                *name = format!("{stem}.{extension}");
            }
        }
        self
    }
}

/// A name without its extension, and that.
fn parted(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

fn as_gltf(opened: &Opened) -> Result<&Document, ConvertError> {
    let found = || format!("glTF wanted, {} found", opened.format.info().name);
    let refusal =
        || ConvertError { cause: Box::new(codes::NO_WAY_BACK.at(Path::named("extras")).saying(found())) };
    opened.downcast().ok_or_else(refusal)
}

/// The format of the model that a glTF was made of, if it says so and how to come back.
fn origin(opened: &Opened) -> Option<String> {
    let document: &Document = opened.downcast()?;
    let own = import::kept_by_export(document).ok()??;
    own.source.is_some().then_some(own.format)
}

/// Whether files that came back are of the kind that is wanted.
fn is_of_kind(made: &Restored, target: ModelTarget) -> bool {
    let Some(lowering) = target.format.info().lowering else { return true };
    let opened = made.files.first().map(|(_, bytes)| target.format.open(bytes, &OpenOptions::default()));
    // What cannot be read is at least what it was.
    opened.and_then(Result::ok).is_none_or(|opened| (lowering.is_of)(&*opened.document, target.word))
}

/// A new model of a scene.
fn made(
    opened: &Opened,
    site: &Site<'_>,
    target: ModelTarget,
    wish: &ModelWish<'_>,
    (settings, meter): (&Settings, &Meter),
) -> Result<Restored, ConvertError> {
    let lowering = target.format.info().lowering.ok_or_else(|| ConvertError {
        cause: Box::new(codes::NO_WAY_BACK.at(Path::named("extras")).saying(target.word)),
    })?;
    budget::charge_scene(meter, opened.map.len())?;
    let info = opened.format.info();
    settings.only::<RequestError>(&[info.lifting, Writing::SETTINGS].concat())?;
    let (mut scene, mut report) = opened.as_model()?.lift(&settings.among(info.lifting), site)?;
    report.locate(&opened.map);
    unit_turns(&mut scene);
    if let Some(example) = wish.like {
        let (example, _) = example.as_model()?.lift(&Settings::default(), &Site::NOWHERE)?;
        let (arranged, told) = like(&scene, &example);
        scene = arranged;
        report.append(told);
    }
    wish.stem.unwrap_or(site.stem()).clone_into(&mut scene.name);
    let writing = Writing::from_settings(settings);
    let making = LowerRequest {
        word: target.word,
        clips: clips(&writing.clip.0, &scene.clips, &mut report)?,
        tolerance: writing.tolerance,
        fps: writing.fps,
        like: wish.like.map(|like| &*like.document),
        meter,
    };
    let lowered = (lowering.lower)(&scene, &making)?;
    report.append(lowered.report);
    let mut files = lowered.files;
    files.extend(pictures(&scene, (lowered.pictures, lowering.pictures), &mut report, meter)?);
    Ok(Restored { format: target.format, files, report })
}

/// Pictures as the files that a model names.
fn pictures(
    scene: &Scene,
    (wanted, word): (Vec<(String, Id<SceneImage>)>, &str),
    report: &mut Report,
    meter: &Meter,
) -> Result<NamedFiles, ConvertError> {
    let mut files = Vec::new();
    for (name, image) in wanted {
        let (Some(image), Some(target)) = (image.find_in(&scene.images), Target::by_word(word)) else {
            continue;
        };
        let (bytes, cost) = picture(&image.pixels, target, &Settings::default(), None, meter)?;
        report.append(cost);
        files.push((name, bytes));
    }
    Ok(files)
}
