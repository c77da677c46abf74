//! The files of one field model of Final Fantasy VII: what its texts name, and animations that fit.

use std::collections::BTreeMap;

use galvani_core::{Code, Exhausted, Path, Read, ReadError, ReadOptions, Report};
use galvani_ff7::field::{a, hrc, rsd};
use galvani_ff7::lift::Picture;
use galvani_ff7::lift::field::{Animation, Field, LOST_ANIMATION, LOST_PART, Resource, fits};
use galvani_ff7::lift::still::resource;
use galvani_ff7::{lower, p};

use super::ff7_model::Palettes;
use super::resolve::{Fetched, Finder};
use super::{Declared, LowerRequest, NamedFile, OpenOptions, Reference, Referring, Role, Site, ff7_model};

/// Most animations of one scene.
const MOST_ANIMATIONS: usize = 1024;

/// Most neighbours that are looked through for who names a file.
const MOST_OWNERS: usize = 256;

/// The files of the model of a skeleton, and what was not found. Animations are those of files that somebody names, or else
/// all that lie beside it and fit.
pub(super) fn gathered(
    skeleton: &hrc::Document,
    named: &[NamedFile],
    site: &Site<'_>,
    palettes: Palettes,
) -> Result<(Field, Report), Exhausted> {
    let options = OpenOptions::default();
    let mut gathering = Gathering::new(Finder::new(site, &options), &LOST_PART, palettes);
    let mut resources = BTreeMap::new();
    for reference in skeleton.references(site.name) {
        let stem = stem(&reference.name).to_owned();
        if resources.contains_key(&stem) {
            continue;
        }
        let text = gathering.document(&reference, |bytes, _| {
            readable(rsd::is_marked(bytes).then(|| rsd::read(bytes, &ReadOptions::default())))
        })?;
        if let Some(text) = text
            && let Some(resource) = gathering.resource(&text)?
        {
            resources.insert(stem, resource);
        }
    }
    let Gathering { pictures, mut report, .. } = gathering;
    let animations = match named {
        [] => beside(skeleton, site, &mut report)?,
        named => read(named, &mut report)?,
    };
    let (name, skeleton) = (site.stem().to_owned(), skeleton.clone());
    Ok((Field { name, skeleton, resources, pictures, animations }, report))
}

/// A mesh with the name of its file and its pictures by number.
pub(super) type Still = (String, p::Document, Vec<Picture>);

/// The mesh of a resource, and what was not found.
pub(super) fn of_resource(
    text: &rsd::Document,
    site: &Site<'_>,
    palettes: Palettes,
) -> Result<(Option<Still>, Report), Exhausted> {
    let options = OpenOptions::default();
    let mut gathering = Gathering::new(Finder::new(site, &options), &resource::LOST_PART, palettes);
    let found = gathering.resource(text)?;
    let Gathering { pictures, report, .. } = gathering;
    let numbered = |number: &usize| pictures.get(*number).cloned().unwrap_or_default();
    let found =
        found.map(|Resource { file, part, textures }| (file, part, textures.iter().map(numbered).collect()));
    Ok((found, report))
}

struct Gathering<'a> {
    finder: Finder<'a>,
    /// What a mesh that is not there is told by.
    lost: &'static Code,
    /// What pictures are coloured by.
    palettes: Palettes,
    pictures: Vec<Picture>,
    report: Report,
}

impl<'a> Gathering<'a> {
    fn new(finder: Finder<'a>, lost: &'static Code, palettes: Palettes) -> Self {
        Gathering { finder, lost, palettes, pictures: Vec::new(), report: Report::default() }
    }

    /// A document that is named, or a finding with every place where it is not.
    fn document<D>(
        &mut self,
        named: &Reference,
        read: impl Fn(&[u8], Option<Declared>) -> Result<Option<D>, Exhausted>,
    ) -> Result<Option<D>, Exhausted> {
        let Fetched { found, looked, .. } = self.finder.bytes(named, read)?;
        if found.is_none() {
            let said = format!("`{}` is none of {}", named.name, looked.join(", "));
            self.report.push(self.lost.at(named.path).saying(said).apart());
        }
        Ok(found.map(|(document, _)| document))
    }

    fn resource(&mut self, text: &rsd::Document) -> Result<Option<Resource>, Exhausted> {
        let references = text.references("");
        let Some(mesh) = references.iter().find(|reference| reference.role == Role::Part) else {
            self.report.push(self.lost.at(Path::named("ply")).saying("no mesh is named"));
            return Ok(None);
        };
        let part = self.document(mesh, |bytes, _| {
            readable(p::is_shaped(bytes).then(|| p::read(bytes, &ReadOptions::default())))
        })?;
        let Some(part) = part else { return Ok(None) };
        let mut textures = Vec::new();
        let numbers: Vec<usize> = text.resource().textures.iter().map(|texture| texture.index).collect();
        let pictures = references.iter().filter(|reference| reference.role == Role::Texture);
        for (reference, number) in pictures.zip(numbers) {
            // Numbers follow each other; a text that leaps leaves the others to nothing.
            if number == textures.len() {
                textures.push(self.picture(reference)?);
            }
        }
        Ok(Some(Resource { file: mesh.name.clone(), part, textures }))
    }

    /// The place of a picture in the list.
    fn picture(&mut self, named: &Reference) -> Result<usize, Exhausted> {
        if let Some(known) = self.pictures.iter().position(|picture| picture.name == named.name) {
            return Ok(known);
        }
        let picture = ff7_model::picture(&self.finder, named, self.palettes)?;
        self.pictures.push(picture);
        Ok(self.pictures.len().saturating_sub(1))
    }
}

/// The animations beside a skeleton that have as many bones as it.
fn beside(
    skeleton: &hrc::Document,
    site: &Site<'_>,
    report: &mut Report,
) -> Result<Vec<Animation>, Exhausted> {
    let bones = skeleton.skeleton().bones.len();
    let mut all = Vec::new();
    for name in site.links.names("a") {
        let Some(bytes) = site.links.find(&name) else { continue };
        let Some(document) = animation(&bytes)?.filter(|document| fits(document, bones)) else { continue };
        if all.len() >= MOST_ANIMATIONS {
            let said = format!("`{name}` and those behind it: {MOST_ANIMATIONS} at most");
            report.push(LOST_ANIMATION.at(Path::named("animations")).saying(said));
            break;
        }
        all.push(Animation { name: stem(&name).to_owned(), file: name, document });
    }
    Ok(all)
}

/// The animations of files that somebody names.
fn read(named: &[NamedFile], report: &mut Report) -> Result<Vec<Animation>, Exhausted> {
    let mut all = Vec::new();
    for NamedFile { name, bytes } in named {
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let Some(document) = animation(bytes)? else {
            let said = format!("`{name}` is no animation");
            report.push(LOST_ANIMATION.at(Path::named("animations")).saying(said).apart());
            continue;
        };
        all.push(Animation { name: stem(base).to_owned(), file: base.to_owned(), document });
    }
    Ok(all)
}

fn animation(bytes: &[u8]) -> Result<Option<a::Document>, Exhausted> {
    readable(a::is_shaped(bytes).then(|| a::read(bytes, &ReadOptions::default())))
}

/// A document that is one and reads.
fn readable<D>(read: Option<Result<Read<D>, ReadError>>) -> Result<Option<D>, Exhausted> {
    read.map_or(Ok(None), ff7_model::readable)
}

/// A skeleton beside an animation that it moves.
pub(super) fn moved_by(animation: &a::Document, site: &Site<'_>) -> Option<String> {
    let has_as_many = |bytes: &[u8]| {
        let skeleton = hrc::Document { text: bytes.to_vec() };
        fits(animation, skeleton.skeleton().bones.len())
    };
    let mut names: Vec<String> = site.links.names("hrc").into_iter().take(MOST_OWNERS).collect();
    // One of its own name before all others.
    names.sort_by_key(|name| !stem(name).eq_ignore_ascii_case(site.stem()));
    names.into_iter().find(|name| site.links.find(name).is_some_and(|bytes| has_as_many(&bytes)))
}

/// A neighbour with an extension that names a file by its stem.
pub(super) fn named_by(
    site: &Site<'_>,
    extension: &str,
    names: impl Fn(&[u8], &str) -> bool,
) -> Option<String> {
    let stem = site.stem();
    let owners = site.links.names(extension).into_iter().take(MOST_OWNERS);
    owners.into_iter().find(|name| site.links.find(name).is_some_and(|bytes| names(&bytes, stem)))
}

/// Whether a skeleton shows a resource.
pub(super) fn shows(skeleton: &[u8], resource: &str) -> bool {
    let skeleton = hrc::Document { text: skeleton.to_vec() };
    let bones = skeleton.skeleton().bones;
    let mut parts = bones.iter().flat_map(|bone| bone.parts.words());
    parts.any(|part| part.eq_ignore_ascii_case(resource.as_bytes()))
}

/// Whether a resource shows a mesh.
pub(super) fn consists_of(resource: &[u8], mesh: &str) -> bool {
    let resource = rsd::Document { text: resource.to_vec() };
    let is_mesh = |line: rsd::Line<'_>| rsd::stem(line.value.bytes).eq_ignore_ascii_case(mesh.as_bytes());
    resource.resource().ply.is_some_and(is_mesh)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// How a new model is made.
pub(super) fn lowering(making: &LowerRequest<'_>) -> lower::Options {
    let clips = making.clips.clone();
    lower::Options { clips, fps: making.fps, tolerance: making.tolerance, ..lower::Options::default() }
}
