//! What can be wrong with a resource.

use std::collections::BTreeSet;

use galvani_core::text::piece::{Letters, Piece};
use galvani_core::{Code, Diagnostic, Path, Report, codes};

use super::{Document, Resource, stem};

codes! {
    TEXT = Warning, "ff7-rsd.text",
        "there are bytes that no text of the game has",
        "the bytes are kept; write printable ASCII";
    MAGIC = Error, "ff7-rsd.magic",
        "the text does not begin with `@RSD`",
        "this is no resource, or its first line is missing";
    LINE = Error, "ff7-rsd.line",
        "a line is not a key and a value",
        "the line is kept; write KEY=VALUE, or TEX[NUMBER]=NAME";
    NO_MESH = Error, "ff7-rsd.no-mesh",
        "there is no `PLY` with a name",
        "add the line `PLY=` with the name of the mesh";
    STEM = Note, "ff7-rsd.stem",
        "the mesh and its parts have different names",
        "the game's own files name one for PLY, MAT and GRP; the mesh is taken from PLY";
    TEXTURE_COUNT = Error, "ff7-rsd.texture-count",
        "there are not as many textures as `NTEX` says",
        "correct the number, or the lines with TEX";
    TEXTURE_REPEATED = Error, "ff7-rsd.texture-repeated",
        "two textures have one index",
        "number them from 0 on";
    TEXTURE_ORDER = Warning, "ff7-rsd.texture-order",
        "the textures are not numbered from 0 on",
        "number them from 0 on, in order";
    REPEATED = Warning, "ff7-rsd.repeated-key",
        "a key is there twice",
        "the line is kept; only the first is looked at";
    KEY = Note, "ff7-rsd.key",
        "a key is not known",
        "the line is kept; known are PLY, MAT, GRP, NTEX and TEX";
    FILE_MISSING = Note, "ff7-rsd.file-missing",
        "a mesh or texture is not there, though others are",
        "put the file beside the resource";
    NO_TEXTURE = Error, "ff7-rsd.no-texture",
        "there is no such texture",
        "the outline shows the textures and their indices";
    NO_LINE = Error, "ff7-rsd.no-line",
        "there is no line with that key to change",
        "add it with a text editor";
    VALUE = Error, "ff7-rsd.value",
        "this cannot stand in the text there",
        "names are printable ASCII without white space around them";
}

/// Every rule the document can break.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    let resource = document.resource();
    damage(&resource, &mut report);
    let mesh = resource.ply.map(|ply| ply.value).filter(|ply| !ply.bytes.is_empty());
    for (name, line) in [("mat", resource.mat), ("grp", resource.grp)] {
        let Some((mesh, line)) = mesh.zip(line) else { continue };
        if !stem(line.value.bytes).eq_ignore_ascii_case(stem(mesh.bytes)) {
            let found = format!("{} beside {}", line.value.shown(), mesh.shown());
            report.push(at(&STEM, Path::named(name), line.value).saying(found));
        }
    }
    for (code, name, lines) in
        [(&REPEATED, "repeated", &resource.repeated), (&KEY, "others", &resource.others)]
    {
        for (i, &line) in lines.iter().enumerate() {
            report.push(at(code, Path::named(name).index(i), line).saying(line.shown()));
        }
    }
    if let Some((first, count)) = Letters::Ascii.strange_bytes(&document.text) {
        report.push(TEXT.at(Path::named("text")).offset(first).saying(format!("{count} such bytes")));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(resource: &Resource<'_>, report: &mut Report) {
    if resource.magic.is_none() {
        report.push(MAGIC.at(Path::named("magic")).offset(0));
    }
    for (i, &line) in resource.strange.iter().enumerate() {
        report.push(at(&LINE, Path::named("strange").index(i), line).saying(line.shown()));
    }
    if resource.ply.is_none_or(|ply| ply.value.bytes.is_empty()) {
        let start = resource.ply.map_or(0, |ply| ply.value.start);
        report.push(NO_MESH.at(Path::named("ply")).offset(start));
    }
    texture_count(resource, report);
    let mut seen = BTreeSet::new();
    for (i, texture) in resource.textures.iter().enumerate() {
        let path = Path::named("textures").index(i);
        if !seen.insert(texture.index) {
            let found = format!("TEX[{}] was there before", texture.index);
            report.push(at(&TEXTURE_REPEATED, path, texture.line.value).saying(found));
        } else if texture.index != i {
            let found = format!("TEX[{i}] wanted, TEX[{}] found", texture.index);
            report.push(at(&TEXTURE_ORDER, path, texture.line.value).saying(found));
        }
    }
}

fn texture_count(resource: &Resource<'_>, report: &mut Report) {
    let named = resource.textures.len();
    let Some(line) = resource.texture_count else {
        if named > 0 {
            let found = format!("no NTEX, {named} named");
            report.push(TEXTURE_COUNT.at(Path::named("texture_count")).offset(0).saying(found));
        }
        return;
    };
    if line.value.number() != Some(named) {
        let found = format!("{:?} counted, {named} named", line.value.shown());
        report.push(at(&TEXTURE_COUNT, Path::named("texture_count"), line.value).saying(found));
    }
}

/// Notes the files that are not there; where none of them is, they are elsewhere, and nothing is said.
pub fn files(document: &Document, is_there: impl Fn(&str) -> bool, report: &mut Report) {
    let files = document.resource().files();
    let there: Vec<bool> = files.iter().map(|(name, _)| is_there(name)).collect();
    if !there.contains(&true) {
        return;
    }
    for (i, ((name, value), _)) in files.iter().zip(&there).enumerate().filter(|(_, (_, there))| !**there) {
        let path = Path::named("files").index(i);
        report.push(at(&FILE_MISSING, path, *value).saying(format!("{name} is not there")));
    }
}

fn at(code: &'static Code, path: Path, piece: Piece<'_>) -> Diagnostic {
    code.at(path).offset(piece.start)
}
