//! From the words of a command line to bytes: files, folders, globs, archive members, standard input.

use std::ffi::{OsStr, OsString};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use galvani_core::{Diagnostic, Meter, Path, room};
use walkdir::WalkDir;

use super::place::{self, HeldFile, SaveError};
use super::tree::{Follow, Tree};
use super::write::UNFINISHED;
use super::{Folders, OpenError, pattern, read, read_stdin};
use crate::formats::{self, ArchiveLinks, Declared, Links, Member, OpenOptions, Selector};
use crate::{budget, codes, nested};

/// Something to look at.
#[derive(Debug)]
pub struct Input {
    /// How it was named; members stand behind their archive.
    pub shown: String,
    /// Whether somebody pointed at it, rather than at the folder it is in.
    pub explicit: bool,
    /// The folder that somebody pointed at, if it is below one.
    pub folder: Option<PathBuf>,
    follow: Follow,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Stdin,
    File(PathBuf),
    Member {
        file: PathBuf,
        name: String,
        declared: Option<Declared>,
        chain: Vec<usize>,
        bytes: Vec<u8>,
        notes: Vec<Diagnostic>,
        archive: Option<Arc<ArchiveLinks>>,
    },
    Failed(OpenError),
}

/// The bytes of an input and what they are called.
#[derive(Debug)]
pub struct Source {
    /// The last part of its name, by which it may be recognised.
    pub name: Option<String>,
    /// What its archive says it is, if it is a member.
    pub declared: Option<Declared>,
    /// All of it.
    pub bytes: Vec<u8>,
    /// What was odd about finding it.
    pub notes: Vec<Diagnostic>,
}

impl Source {
    fn from_bytes(name: Option<String>, bytes: Vec<u8>) -> Self {
        Source { name, declared: None, bytes, notes: Vec::new() }
    }
}

impl Input {
    fn new(shown: String, origin: Origin) -> Self {
        Input { shown, explicit: true, folder: None, follow: Follow::Yes, origin }
    }

    fn file(path: PathBuf) -> Self {
        Input::new(path.to_string_lossy().into_owned(), Origin::File(path))
    }

    fn below(folder: &FilePath, path: PathBuf, follow: Follow) -> Self {
        Input { explicit: false, folder: Some(folder.to_path_buf()), follow, ..Input::file(path) }
    }

    /// The folder below which no link is followed on the way to a file, and the way.
    fn below_folder<'a>(&'a self, file: &'a FilePath) -> Option<(Tree, &'a FilePath)> {
        let folder = self.folder.as_ref().filter(|_| self.follow == Follow::No)?;
        Some((Tree::new(folder), file.strip_prefix(folder).ok()?))
    }

    /// The same, beside which no link counts as a file.
    #[must_use]
    pub fn without_links(self) -> Self {
        Input { follow: Follow::No, ..self }
    }

    /// Its bytes.
    pub fn source(&self, options: &OpenOptions) -> Result<Source, OpenError> {
        let name = self.shown.rsplit(['/', '\\']).next().map(str::to_owned);
        match &self.origin {
            Origin::Stdin => Ok(Source::from_bytes(None, read_stdin(&options.read.limits)?)),
            Origin::File(path) => {
                let gone = || Err(not_found(&self.shown).into());
                let bytes = match self.below_folder(path) {
                    None => read(path, &options.read.limits),
                    Some((tree, way)) => tree.read(way, &options.read.limits).unwrap_or_else(gone),
                };
                Ok(Source::from_bytes(name, bytes?))
            }
            Origin::Member { name, declared, bytes, notes, .. } => Ok(Source {
                name: Some(name.clone()),
                declared: *declared,
                bytes: room::copied(bytes)?,
                notes: notes.clone(),
            }),
            Origin::Failed(error) => Err(error.clone()),
        }
    }

    /// What lies beside it: in its folder, or in its archive.
    pub fn links<'a>(&'a self, folders: &'a Folders, options: &OpenOptions) -> Box<dyn Links + 'a> {
        match &self.origin {
            Origin::File(path) => Box::new(folders.beside(path, self.follow, options.read.limits)),
            Origin::Member { archive: Some(archive), .. } => Box::new(&**archive),
            Origin::Member { archive: None, .. } | Origin::Stdin | Origin::Failed(_) => Box::new(()),
        }
    }

    /// Keeps others of our kind from the file on disk that holds it, which is to be replaced.
    pub fn hold(&self) -> Result<HeldFile, SaveError> {
        let nowhere = || SaveError { cause: Box::new(not_found(&self.shown)) };
        let (file, _) = self.home().ok_or_else(nowhere)?;
        let place = match self.below_folder(file) {
            None => place::FileSlot::behind(file)?,
            Some((tree, way)) => {
                let found = tree.find(way).map_err(|error| SaveError { cause: error.cause })?;
                found.ok_or_else(nowhere)?
            }
        };
        HeldFile::new(place)
    }

    /// The file on disk that holds it, and the chain of member indices that leads to it from there.
    pub fn home(&self) -> Option<(&FilePath, &[usize])> {
        match &self.origin {
            Origin::File(path) => Some((path, &[])),
            Origin::Member { file, chain, .. } => Some((file, chain)),
            Origin::Stdin | Origin::Failed(_) => None,
        }
    }
}

/// What the words of a command line name, in order; the files of a folder by path.
pub fn expand(words: &[OsString], follow: Follow, options: &OpenOptions) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for word in words {
        if word == "-" && inputs.iter().any(|input| matches!(input.origin, Origin::Stdin)) {
            let cause = codes::UNREADABLE.at(Path::root()).saying("standard input is read once only");
            inputs.push(failed("-", cause.into()));
        } else {
            inputs.extend(expand_one(word, follow, options));
        }
    }
    inputs
}

fn expand_one(word: &OsStr, follow: Follow, options: &OpenOptions) -> Vec<Input> {
    let (path, shown) = (FilePath::new(word), word.to_string_lossy());
    if word == "-" {
        return vec![Input::new(shown.into_owned(), Origin::Stdin)];
    }
    if path.is_dir() {
        return files_below(path, follow);
    }
    if path.exists() {
        return vec![Input::file(path.to_path_buf())];
    }
    if let Some((file, members)) = split_archive(path) {
        return members_of(file, &members, &shown, options);
    }
    let matches = pattern::matching(&shown).into_iter();
    let mut found: Vec<Input> = matches
        .flat_map(|path| if path.is_dir() { files_below(&path, follow) } else { vec![Input::file(path)] })
        .collect();
    found.sort_by(|a, b| a.shown.cmp(&b.shown));
    if found.is_empty() {
        found.push(failed(&shown, not_found(&shown).into()));
    }
    found
}

fn not_found(shown: &str) -> Diagnostic {
    codes::NOT_FOUND.at(Path::root()).saying(format!("`{shown}`"))
}

fn failed(word: &str, error: OpenError) -> Input {
    Input::new(word.to_owned(), Origin::Failed(error))
}

/// A file in the making that a killed run left behind.
fn is_unfinished(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1)
}

fn files_below(folder: &FilePath, follow: Follow) -> Vec<Input> {
    let mut inputs = Vec::new();
    for entry in WalkDir::new(folder).follow_links(follow == Follow::Yes).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && !is_unfinished(&entry) => {
                inputs.push(Input::below(folder, entry.into_path(), follow));
            }
            Ok(_) => {}
            Err(error) => {
                let word = error.path().unwrap_or(folder).to_string_lossy().into_owned();
                let cause = codes::UNREADABLE.at(Path::root()).saying(error.to_string());
                inputs.push(failed(&word, cause.into()));
            }
        }
    }
    inputs
}

/// The existing file that a path runs through, and the segments behind it.
fn split_archive(path: &FilePath) -> Option<(&FilePath, Vec<String>)> {
    let file = path.ancestors().find(|above| above.is_file())?;
    let behind = path.strip_prefix(file).ok()?;
    Some((file, behind.iter().map(|segment| segment.to_string_lossy().into_owned()).collect()))
}

fn members_of(file: &FilePath, segments: &[String], word: &str, options: &OpenOptions) -> Vec<Input> {
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let search = || {
        let bytes = read(file, &options.read.limits)?;
        let meter = options.read.budget.meter(&budget::EXTRACTING, bytes.len());
        let mut search = Search { options, file, meter, found: Vec::new() };
        let shown = file.to_string_lossy().into_owned();
        let at = MemberAddress {
            name: shown.clone(),
            declared: None,
            shown,
            chain: Vec::new(),
            notes: Vec::new(),
            archive: None,
        };
        search.descend(bytes, &segments, at)?;
        Ok(search.found)
    };
    search().unwrap_or_else(|error| vec![failed(word, error)])
}

struct Search<'a> {
    options: &'a OpenOptions,
    file: &'a FilePath,
    meter: Meter,
    found: Vec<Input>,
}

#[derive(Clone)]
struct MemberAddress {
    shown: String,
    /// Its own name, which an address by index does not show.
    name: String,
    declared: Option<Declared>,
    chain: Vec<usize>,
    notes: Vec<Diagnostic>,
    /// What it is a member of.
    archive: Option<Arc<ArchiveLinks>>,
}

/// An open archive, and what its members are called: once for all of them.
#[derive(Clone, Copy)]
struct Rows<'a> {
    archive: &'a Arc<ArchiveLinks>,
    members: &'a [Member],
    labels: &'a [String],
}

impl Search<'_> {
    fn descend(&mut self, bytes: Vec<u8>, segments: &[&str], at: MemberAddress) -> Result<(), OpenError> {
        let Some(first) = segments.first() else {
            let MemberAddress { shown, name, declared, chain, notes, archive } = at;
            let file = self.file.to_path_buf();
            let origin = Origin::Member { file, name, declared, chain, bytes, notes, archive };
            self.found.push(Input::new(shown, origin));
            return Ok(());
        };
        let archive = self.open(&bytes, &at)?;
        let members = archive.opened.as_archive()?;
        let (listed, labels) = (members.members(), nested::labels(members));
        let rows = Rows { archive: &archive, members: &listed, labels: &labels };
        if let Some((hits, taken)) = nested::find(members, segments) {
            let rest = segments.get(taken..).unwrap_or_default();
            return self.enter_first(rows, &hits, rest, at);
        }
        let pattern = if Selector::new(first) == Selector::All { "*" } else { first };
        let pattern = glob::Pattern::new(&pattern.to_lowercase()).ok();
        let matches = |label: &String| pattern.as_ref().is_some_and(|one| one.matches(&label.to_lowercase()));
        let hits: Vec<usize> =
            (0..).zip(&labels).filter(|(_, label)| matches(label)).map(|(i, _)| i).collect();
        if hits.is_empty() {
            return Err(codes::NOT_FOUND
                .at(Path::root())
                .saying(format!("`{first}` in {}", at.shown))
                .into());
        }
        let rest = segments.get(1..).unwrap_or_default();
        hits.into_iter().try_for_each(|i| self.enter(rows, i, rest, at.clone()))
    }

    fn open(&self, bytes: &[u8], at: &MemberAddress) -> Result<Arc<ArchiveLinks>, OpenError> {
        if at.chain.len() >= usize::from(self.options.read.limits.depth) {
            return Err(codes::TOO_DEEP.at(Path::root()).into());
        }
        let not_one = || OpenError::from(codes::NO_ARCHIVE.at(Path::root()).saying(at.shown.clone()));
        let format = formats::recognise_at(bytes, Some(&at.name), at.declared).ok_or_else(not_one)?;
        let opened = format.open(bytes, self.options).map_err(|error| OpenError { cause: error.cause })?;
        if opened.document.as_archive().is_some() {
            Ok(Arc::new(ArchiveLinks::new(opened)))
        } else {
            Err(not_one())
        }
    }

    /// Of several members of one name the first, with a note.
    fn enter_first(
        &mut self,
        rows: Rows<'_>,
        hits: &[usize],
        rest: &[&str],
        mut at: MemberAddress,
    ) -> Result<(), OpenError> {
        let first = hits.first().copied().unwrap_or_default();
        if hits.len() > 1 {
            let found = format!("{} have it, #{first} is taken", hits.len());
            at.notes.push(codes::AMBIGUOUS.at(Path::root()).saying(found));
        }
        self.enter(rows, first, rest, at)
    }

    fn enter(
        &mut self,
        Rows { archive, members: listed, labels }: Rows<'_>,
        index: usize,
        rest: &[&str],
        mut at: MemberAddress,
    ) -> Result<(), OpenError> {
        let label = labels.get(index).map_or("", String::as_str);
        at.shown = format!("{}/{label}", at.shown);
        let members = archive.opened.as_archive()?;
        at.name = listed.get(index).map(Member::shown).unwrap_or_default();
        at.declared = listed.get(index).and_then(|member| member.declared);
        at.archive = Some(Arc::clone(archive));
        at.chain.push(index);
        members.prepare(index)?;
        let Some(bytes) = members.member(index) else {
            let found = format!("{} has no bytes in the archive", at.shown);
            let cause = codes::UNREADABLE.at(Path::root()).saying(found);
            return Err(cause.advising(nested::LOST_HELP).into());
        };
        // An archive that packs its members bounds them itself.
        if members.unpacked_len().is_none() {
            self.meter.work(bytes.len())?;
        }
        self.descend(room::copied(bytes)?, rest, at)
    }
}
