//! `convert`: from one format to another.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use galvani::convert::{ConvertError, Converted, ModelTarget, ModelWish, Target, Writing};
use galvani::formats::{Gathering, Opened, Setting, Settings, Site};
use galvani::fs::{FreeNames, Input, SaveError, Source, Tree, expand, safe_name, safe_path};
use galvani::gltf::{Document, Exported, ExportedFile};
use galvani::image::{self, Image};
use galvani::{Diagnostic, Meter, Report, budget, codes, convert, render};
use serde_json::{Value, json};

use crate::args::{Common, Convert, OutputKind};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, warn};
use crate::out::Output;
use crate::results::{self, Results, so_far, writing};
use crate::surroundings::Surroundings;
use crate::{Outcome, out};

/// A file that was converted, but not written yet.
struct Done {
    /// The input's own name, without its extension.
    stem: String,
    before: usize,
    made: Converted<NewFiles>,
}

/// What a file became.
enum NewFiles {
    /// A file.
    One(Vec<u8>),
    /// A file and what lies beside it.
    Several(Box<Exported>),
    /// A model's own file, and its pieces by their names.
    Restored(Vec<(String, Vec<u8>)>),
}

/// What was written.
struct Written {
    /// The file, or the first of several.
    file: String,
    before: usize,
    after: usize,
    /// Bytes that the way back takes in it.
    kept: usize,
    report: Report,
}

pub(crate) fn run(args: &Convert, common: &Common) -> Outcome {
    let batch = Batch::new(&args.inputs.inputs, common);
    let (batch, is_folder) = within(batch, args, common);
    let like = args.like.as_ref().map(|file| pattern(file, common)).transpose()?;
    let meant = like.as_ref().filter(|_| is_folder && args.to.is_none());
    let meant = meant.and_then(|like| Target::from_format(like.format)).map(OutputKind::Picture);
    let Some(kind) = meant.or_else(|| args.kind(is_folder)) else {
        let found = format!("`{}`: to what? end it in .glb or .png, or say --to", args.output.display());
        return Err(Failure::Usage(found));
    };
    let gathering = args.gathering().filter(|_| !is_folder);
    if let Some(Gathering { words, .. }) = gathering
        && !matches!(kind, OutputKind::Back(target) if words.contains(&target.word))
    {
        let (archive, words) = (args.output.display(), words.join(" or --to "));
        return Err(Failure::Usage(format!("`{archive}` holds models of its own game: --to {words}")));
    }
    let batch = batch.by_path();
    if !is_folder && batch.len() > 1 {
        let found = format!("{} files into one; name a folder with -o DIR/", batch.len());
        return Err(Failure::Usage(found));
    }
    let names = batch.inputs().iter().map(|input| input.shown.to_lowercase()).collect();
    let base = args.base.as_ref().map(|file| Base::new(file, common)).transpose()?;
    let report = args.report.as_deref().map(|file| Output::new(file, common)).transpose()?;
    let job =
        Job { args, common, kind, is_folder, gathering, like: like.as_ref(), base: base.as_ref(), names };
    let (mut target, mut results) = (Goal::new(args, is_folder, common), Results::default());
    let show = |row: Option<Row<Option<Done>>>| {
        let Some(Row { path, result, .. }) = row else { return };
        let written = result.and_then(|done| done.map(|done| target.write(done, kind, common)).transpose());
        match written {
            Ok(Some(written)) => results.add(tell(&path, &written, args, common)),
            Ok(None) => {}
            Err(failure) => results.refuse(&path, &failure),
        }
    };
    batch.stream(common, |_, input| job.row(input), |row| row.result.is_err(), show);
    if is_folder && !common.json && !results.is_empty() {
        out::text(&format!("{}\n", so_far().closing()));
    }
    if let Some(report) = report {
        report.write(&results.as_file())?;
    }
    if args.output == Path::new("-") && !results.has_refused() {
        return Ok(0);
    }
    let nothing = match kind {
        OutputKind::Glb | OutputKind::Gltf => {
            "nothing to convert: no input is a model, from which glTF is made"
        }
        OutputKind::Picture(_) => "nothing to convert: no input is a texture or a picture",
        OutputKind::Back(_) => "nothing to convert: no input is a model",
    };
    Ok(results.finish(nothing, common))
}

/// The inputs, and whether what they become goes into a folder: then the members of archives are meant.
fn within(batch: Batch, args: &Convert, common: &Common) -> (Batch, bool) {
    if args.names_folder() {
        return (batch.into_members(common), true);
    }
    if !args.may_be_folder() {
        return (batch, false);
    }
    let batch = batch.into_members(common);
    let is_folder = batch.len() > 1 || batch.inputs().iter().any(|input| !input.explicit);
    (batch, is_folder || args.is_of_several())
}

/// The files that a word names, which are only read.
fn read_only(file: &OsString, common: &Common) -> Vec<Input> {
    let inputs = expand(std::slice::from_ref(file), common.follow(), &common.options());
    inputs.iter().for_each(out::spare_input);
    inputs
}

/// The file that a new one is made like.
fn pattern(file: &OsString, common: &Common) -> Result<Opened, Failure> {
    read_only(file, common);
    Ok(galvani::open(file, &common.options())?)
}

/// The file that a glTF was made of.
struct Base {
    input: Input,
    known: Known,
    opened: Opened,
}

impl Base {
    fn new(file: &OsString, common: &Common) -> Result<Self, Failure> {
        let shown = file.to_string_lossy().into_owned();
        let input = read_only(file, common).pop().ok_or_else(|| Failure::unknown_format(&shown))?;
        let known = Known::new(&input, common)?.ok_or_else(|| Failure::unknown_format(&shown))?;
        let opened = known.open(&input, common)?;
        Ok(Base { input, known, opened })
    }

    /// Does something with it where it stands.
    fn at<T>(&self, job: &Job<'_>, work: impl FnOnce(&Opened, &Site<'_>) -> T) -> Result<T, Failure> {
        let around = Surroundings::new(&self.input, &job.args.textures, job.common)?;
        Ok(around.at(&self.known, |site| work(&self.opened, site)))
    }
}

/// What is done to every input.
struct Job<'a> {
    args: &'a Convert,
    common: &'a Common,
    kind: OutputKind,
    is_folder: bool,
    /// How the archive is made that everything goes into.
    gathering: Option<Gathering>,
    like: Option<&'a Opened>,
    base: Option<&'a Base>,
    /// What all inputs are called, in lower case.
    names: BTreeSet<String>,
}

impl Job<'_> {
    fn row(&self, input: &Input) -> Option<Row<Option<Done>>> {
        if let OutputKind::Picture(target) = self.kind
            && let Ok(source) = input.source(&self.common.options())
            && image::is_picture(&source.bytes, source.name.as_deref())
        {
            let path = input.shown.clone();
            return Some(Row { path, format: None, result: self.repainted(&source, target).map(Some) });
        }
        Row::new(input, self.common, |opened, known| {
            let done = self.converted(&opened, known, input).map_err(|failure| advised(failure, &opened));
            done.or_else(|failure| skip(failure, input.explicit))
        })
    }

    /// A picture of no game as a file of another kind.
    fn repainted(&self, source: &Source, target: Target) -> Result<Done, Failure> {
        let meter = self.meter(source.bytes.len());
        let image = image::from_file_within(&source.bytes, &meter)?;
        let made = self.encoded(&image, target, &meter)?;
        Ok(Done { stem: stem(source), before: source.bytes.len(), made })
    }

    fn converted(&self, opened: &Opened, known: &Known, input: &Input) -> Result<Option<Done>, Failure> {
        let mut made = match self.kind {
            OutputKind::Glb | OutputKind::Gltf => {
                let around = Surroundings::new(input, &self.args.textures, self.common)?;
                let made = around.at(known, |site| self.model(opened, known, input, site));
                let Some(made) = made.transpose()? else { return Ok(None) };
                made
            }
            OutputKind::Picture(target) => {
                let meter = self.meter(known.source.bytes.len());
                let picturing = meant(&self.args.picturing.0, &[opened.format.info().picturing], input);
                let image = convert::image(opened, &picturing, &meter)?;
                self.encoded(&image, target, &meter)?
            }
            OutputKind::Back(target) => {
                let around = Surroundings::new(input, &self.args.textures, self.common)?;
                let made = around.at(known, |site| {
                    let made = || self.own_model(opened, (known, input), target, site);
                    (!self.is_piece(opened, input, site)).then(made)
                });
                let Some(made) = made.transpose()? else { return Ok(None) };
                made
            }
        };
        let lost = std::mem::replace(&mut made.report, opened.report.clone());
        made.report.append(lost);
        Ok(Some(Done { stem: stem(&known.source), before: known.source.bytes.len(), made }))
    }

    /// A model as glTF; nothing if it is a piece of one that is converted anyway, or is glTF and nobody pointed at it.
    fn model(
        &self,
        opened: &Opened,
        known: &Known,
        input: &Input,
        site: &Site<'_>,
    ) -> Option<Result<Converted<NewFiles>, Failure>> {
        if self.is_piece(opened, input, site) || !input.explicit && opened.downcast::<Document>().is_some() {
            return None;
        }
        let own = [opened.format.info().lifting, Writing::SETTINGS];
        let settings = meant(&self.args.modelling.0, &own, input);
        let meter = self.meter(known.source.bytes.len());
        let made = if matches!(self.kind, OutputKind::Gltf) {
            convert::gltf(opened, site, &settings, &meter)
                .map(|made| made.map(|files| NewFiles::Several(Box::new(files))))
        } else {
            convert::glb(opened, site, &settings, &meter).map(|made| made.map(NewFiles::One))
        };
        Some(made.map_err(Failure::from))
    }

    /// A model of a game's own: the one that a glTF was made of, or a new one.
    fn own_model(
        &self,
        opened: &Opened,
        (known, input): (&Known, &Input),
        target: ModelTarget,
        site: &Site<'_>,
    ) -> Result<Converted<NewFiles>, Failure> {
        let meter = self.meter(known.source.bytes.len());
        let settings =
            meant(&self.args.modelling.0, &[opened.format.info().lifting, Writing::SETTINGS], input);
        let target = self.held(opened).unwrap_or(target);
        let is_single = !self.is_folder && self.gathering.is_none();
        let stem = self.args.output.file_stem().filter(|_| is_single).map(OsStr::to_string_lossy);
        let stem = stem.as_deref().filter(|stem| *stem != "-");
        let made = |base: Option<(&Opened, &Site<'_>)>| {
            let wish = ModelWish { stem, base, like: self.like };
            convert::model(opened, site, target, &wish, (&settings, &meter))
        };
        let made = match self.base {
            Some(base) => base.at(self, |opened, site| made(Some((opened, site))))?,
            None => made(None),
        }?;
        let files = match self.gathering {
            Some(gathering) => NewFiles::One((gathering.gather)(&made.files)?),
            None => NewFiles::Restored(made.files),
        };
        Ok(Converted { files, report: made.report, kept: 0 })
    }

    /// The kind that the base is or a glTF was made of, if an archive holds such, and nobody wants another.
    fn held(&self, opened: &Opened) -> Option<ModelTarget> {
        let words = self.gathering.filter(|_| self.args.to.is_none())?.words;
        let of_base = |base: &Base| {
            let is_its = |target: &ModelTarget| target.format.info().id == base.opened.format.info().id;
            ModelTarget::all().find(is_its)
        };
        let origin = self.base.and_then(of_base).or_else(|| ModelTarget::of_origin(opened));
        origin.filter(|origin| words.contains(&origin.word))
    }

    /// Whether a file is a piece of a model that is converted anyway.
    fn is_piece(&self, opened: &Opened, input: &Input, site: &Site<'_>) -> bool {
        let whole = opened.as_model().ok().and_then(|model| model.belongs_to(site));
        whole.is_some_and(|whole| !input.explicit || self.names.contains(&beside(&input.shown, &whole)))
    }

    fn encoded(&self, image: &Image, target: Target, meter: &Meter) -> Result<Converted<NewFiles>, Failure> {
        let (bytes, report) = convert::picture(image, target, &self.args.encoding.0, self.like, meter)?;
        Ok(Converted { files: NewFiles::One(bytes), report, kept: 0 })
    }

    /// What converting an input of so many bytes may take.
    fn meter(&self, len: usize) -> Meter {
        self.common.options().read.budget.meter(&budget::CONVERTING, len)
    }
}

/// What an input is told: a folder has files of many formats, and what is said to some is not meant for the others.
pub(crate) fn meant(settings: &Settings, own: &[&[Setting]], input: &Input) -> Settings {
    if input.explicit { settings.clone() } else { settings.among(&own.concat()) }
}

/// What a file beside another is called, in lower case.
pub(crate) fn beside(shown: &str, name: &str) -> String {
    let folder = shown.rfind(['/', '\\']).and_then(|end| shown.get(..=end)).unwrap_or_default();
    format!("{folder}{name}").to_lowercase()
}

/// The name of an input, without what archives stand before it and without its extension.
pub(crate) fn stem(source: &Source) -> String {
    let name = source.name.as_deref().unwrap_or("model");
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// What is in an archive goes into a folder.
pub(crate) fn advised(failure: Failure, opened: &Opened) -> Failure {
    match failure {
        Failure::Found(exit, found)
            if opened.as_archive().is_ok() && [&codes::NO_SCENE, &codes::NO_IMAGE].contains(&found.code) =>
        {
            let advice = format!("{}; all of them go into a folder: -o DIR/", found.help);
            Failure::Found(exit, Box::new(found.advising(advice)))
        }
        failure => failure,
    }
}

/// A folder's file without a model, or without a picture, is none of our business.
pub(crate) fn skip<T>(failure: Failure, explicit: bool) -> Result<Option<T>, Failure> {
    match &failure {
        Failure::Found(_, found)
            if !explicit
                && [&codes::NO_SCENE, &codes::NO_IMAGE, &codes::NO_WAY_BACK].contains(&found.code) =>
        {
            Ok(None)
        }
        _ => Err(failure),
    }
}

/// Where files go: into one, or into a folder under names of their own.
enum Goal<'a> {
    File(&'a Path, Result<Output, SaveError>),
    Folder(Tree, FreeNames),
}

impl<'a> Goal<'a> {
    fn new(args: &'a Convert, is_folder: bool, common: &Common) -> Self {
        if is_folder {
            return Goal::Folder(Tree::new(&args.output), FreeNames::default());
        }
        Goal::File(&args.output, Output::new(&args.output, common))
    }

    fn write(&mut self, done: Done, kind: OutputKind, common: &Common) -> Result<Written, Failure> {
        // One file may be a pipe, for as long as that takes.
        let _no_stop_between = matches!(self, Goal::Folder(..)).then(writing);
        let Done { stem, before, made: Converted { files, mut report, kept } } = done;
        let own = match &files {
            NewFiles::Restored(files) => files.first().map(|(name, _)| name.clone()),
            NewFiles::One(_) | NewFiles::Several(_) => None,
        };
        let name = self.name(&stem, own.as_deref(), kind);
        let stem = name.strip_suffix(&format!(".{}", kind.extension())).unwrap_or(&name);
        let (first, others) = match files {
            NewFiles::One(bytes) => (bytes, Vec::new()),
            NewFiles::Restored(files) => {
                let named = |(name, bytes): (String, Vec<u8>)| ExportedFile { name: safe_path(&name), bytes };
                let mut files = files.into_iter().map(named);
                (files.next().map(|file| file.bytes).unwrap_or_default(), files.collect())
            }
            NewFiles::Several(files) => {
                let mut files = files.named(stem).map_err(ConvertError::from)?.into_iter();
                (files.next().map(|file| file.bytes).unwrap_or_default(), files.collect())
            }
        };
        let mut others = others;
        if let Goal::File(file, _) = self
            && *file == Path::new("-")
            && !others.is_empty()
        {
            if !kind.is_one_file() {
                let said = format!(
                    "{} files do not fit into one stream; name a folder with -o DIR/",
                    others.len() + 1
                );
                return Err(Failure::Usage(said));
            }
            let names: Vec<String> = others.drain(..).map(|file| file.name).collect();
            report.push(codes::NOT_IN_STREAM.at(galvani::Path::root()).saying(names.join(", ")));
        }
        let after = others.iter().fold(first.len(), |sum, other| sum + other.bytes.len());
        // What lies beside a file comes first: whoever sees the file finds everything.
        let own;
        let beside = match self {
            Goal::Folder(folder, _) => folder,
            Goal::File(file, _) => {
                own = Tree::new(file.parent().unwrap_or(Path::new("")));
                &own
            }
        };
        for other in others {
            let saved = beside.write_file(&other.name, &other.bytes, &common.overwrite())?;
            saved.notes.into_iter().for_each(|note| report.push(note));
        }
        let (file, notes) = self.write_file(&name, &first, common)?;
        for note in notes {
            report.push(note);
        }
        so_far().wrote(&file);
        Ok(Written { file, before, after, kept, report })
    }

    /// What a file is called: as it was before it became another, or as its input with another extension.
    fn name(&mut self, stem: &str, own: Option<&str>, kind: OutputKind) -> String {
        match self {
            Goal::File(file, _) => {
                let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                format!("{}.{}", stem.unwrap_or_default(), kind.extension())
            }
            Goal::Folder(_, taken) => {
                let safe = safe_name(own.unwrap_or(stem));
                let dot = own.and_then(|_| safe.rfind('.')).unwrap_or(safe.len());
                let (safe, end) = safe.split_at_checked(dot).unwrap_or((&safe, ""));
                let end = if own.is_some() { end.to_owned() } else { format!(".{}", kind.extension()) };
                taken.take_with(if safe.is_empty() { "_" } else { safe }, &end)
            }
        }
    }

    fn write_file(
        &self,
        name: &str,
        bytes: &[u8],
        common: &Common,
    ) -> Result<(String, Vec<Diagnostic>), Failure> {
        match self {
            Goal::File(file, output) => {
                let notes = output.as_ref().map_err(Clone::clone)?.write(bytes)?;
                Ok((file.display().to_string(), notes))
            }
            Goal::Folder(folder, _) => {
                let saved = folder.write_file(name, bytes, &common.overwrite())?;
                Ok((saved.path.display().to_string(), saved.notes))
            }
        }
    }
}

/// Tells people in one line which pictures of a model were not written: there may be many, and nothing is wrong with them.
fn tell_left(findings: &[Diagnostic], path: &str) {
    let left: Vec<&str> =
        findings.iter().filter(|it| it.code == &codes::PICTURE_LEFT).map(|it| it.message.as_str()).collect();
    if !left.is_empty() {
        let (path, left) = (render::text::printable(path), render::text::printable(&left.join(", ")));
        out::error(&format!(
            "{path}: pictures not written, since their files are not at hand: {left}; --textures DIR copies them\n"
        ));
    }
}

/// Tells people; gives the row for machines.
fn tell(path: &str, written: &Written, args: &Convert, common: &Common) -> Value {
    let Written { file, before, after, kept, report } = written;
    warn(report.findings(), path);
    tell_left(report.findings(), path);
    if !common.json && args.output != Path::new("-") {
        let kept = match kept {
            0 => String::new(),
            _ => format!(", {kept} of them for the way back"),
        };
        out::text(&format!("{file}: {before} → {after} bytes{kept}\n"));
        so_far().announced(file);
    }
    let mut row = results::file(path, file, *after, report);
    row["before"] = json!(before);
    row["kept"] = json!(kept);
    row
}
