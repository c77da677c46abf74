//! What can be wrong with a skeleton.

use std::collections::BTreeMap;

use galvani_core::text::piece::{Letters, Piece};
use galvani_core::{Code, Diagnostic, Path, Report, codes, text};

use super::{BONE_LINES, Bone, Document, HrcText, VERSION};
use crate::skeleton::Parent;

codes! {
    TEXT = Warning, "ff7-hrc.text",
        "there are bytes that no text of the game has",
        "the bytes are kept; write printable ASCII";
    HEADER = Error, "ff7-hrc.header",
        "the text does not begin with `:HEADER_BLOCK`",
        "this is no skeleton, or its first line is missing";
    VERSION_UNKNOWN = Warning, "ff7-hrc.version",
        "the number behind `:HEADER_BLOCK` is not 2",
        "the game's own files all have 2";
    NO_NAME = Warning, "ff7-hrc.no-name",
        "there is no `:SKELETON` with a name",
        "add the line `:SKELETON name` behind the first";
    BONE_COUNT = Error, "ff7-hrc.bone-count",
        "there is no `:BONES` with a number",
        "add the line `:BONES` and the number of bones";
    COUNT = Error, "ff7-hrc.count",
        "there are not as many bones as `:BONES` says",
        "correct the number, or the bones";
    FRAGMENT = Error, "ff7-hrc.fragment",
        "a bone does not have its four lines",
        "a bone is its name, its parent, its length and its resources; the lines are kept";
    TRAILING = Warning, "ff7-hrc.trailing-lines",
        "lines follow the last bone",
        "the lines are kept; the game does not read them";
    DIRECTIVE = Warning, "ff7-hrc.directive",
        "a line with a colon is not known, is there twice, or stands in the wrong place",
        "the line is kept; known are :HEADER_BLOCK at the start, :SKELETON and :BONES";
    DUPLICATE = Warning, "ff7-hrc.duplicate-name",
        "two bones have one name",
        "the first of them is taken for the parent of others; rename one";
    PARENT = Error, "ff7-hrc.parent",
        "there is no bone of the parent's name",
        "the parent is `root` or a bone that stands before";
    PARENT_SELF = Error, "ff7-hrc.parent-self",
        "a bone is its own parent",
        "give it another parent";
    PARENT_ORDER = Error, "ff7-hrc.parent-order",
        "the parent of a bone does not stand before it",
        "move the parent up; animations move with it";
    PARENT_CYCLE = Error, "ff7-hrc.parent-cycle",
        "a bone is an ancestor of its own parent",
        "give one of them another parent";
    LENGTH = Error, "ff7-hrc.length",
        "a length is not a number",
        "write a number such as 12.5";
    NEGATIVE = Note, "ff7-hrc.negative-length",
        "a length is negative",
        "lengths are positive in the game's own files; only battle skeletons have negative ones";
    PARTS = Error, "ff7-hrc.parts",
        "the number of resources is not how many are named",
        "correct the number, or the names behind it";
    PART_MISSING = Note, "ff7-hrc.part-missing",
        "a resource that a bone shows is not there, though others are",
        "put the file beside the skeleton";
    NO_BONE = Error, "ff7-hrc.no-bone",
        "there is no such bone",
        "the outline shows the names and indices";
    VALUE = Error, "ff7-hrc.value",
        "this cannot stand in the text there",
        "names are printable ASCII and start with neither `#` nor `:`; a length is a finite number";
    NAME_TAKEN = Error, "ff7-hrc.name-taken",
        "another bone has this name, or it means the root",
        "give another name";
    PARENT_REFUSED = Error, "ff7-hrc.parent-refused",
        "a parent must stand before its bone",
        "give a bone that stands before, or `root`";
}

/// Every rule the document can break.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    let skeleton = document.skeleton();
    damage(&skeleton, &mut report);
    header(&skeleton, &mut report);
    names(&skeleton, &mut report);
    parents(&skeleton, &mut report);
    for (i, bone) in skeleton.bones.iter().enumerate() {
        if bone.length().is_some_and(|length| length < 0.0) {
            let found = format!("{} found", bone.length.shown());
            report.push(at(&NEGATIVE, place(i, "length"), bone.length).saying(found));
        }
    }
    if let Some((first, count)) = Letters::Ascii.strange_bytes(&document.text) {
        report.push(TEXT.at(Path::named("text")).offset(first).saying(format!("{count} such bytes")));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(skeleton: &HrcText<'_>, report: &mut Report) {
    if skeleton.version.is_none() {
        report.push(HEADER.at(Path::named("version")).offset(0));
    }
    let declared = skeleton.count.and_then(Piece::number::<usize>);
    count(skeleton, declared, report);
    for (i, fragment) in skeleton.fragments.iter().enumerate() {
        // None means one bone, which may be spelt out.
        let is_behind = declared.is_some_and(|declared| fragment.bones >= declared.max(1));
        let (code, found) = if is_behind {
            (&TRAILING, format!("{} lines from {:?} on", fragment.lines, fragment.first.shown()))
        } else {
            (&FRAGMENT, format!("{BONE_LINES} lines wanted, {} found", fragment.lines))
        };
        report.push(at(code, Path::named("fragments").index(i), fragment.first).saying(found));
    }
    for (i, bone) in skeleton.bones.iter().enumerate() {
        if bone.length().is_none() {
            let found = format!("a number wanted, {:?} found", bone.length.shown());
            report.push(at(&LENGTH, place(i, "length"), bone.length).saying(found));
        }
        let named = bone.parts.words().count();
        if bone.part_count.number() != Some(named) {
            let found = format!("{} counted, {named} named", bone.part_count.shown());
            report.push(at(&PARTS, place(i, "part_count"), bone.part_count).saying(found));
        }
    }
}

fn count(skeleton: &HrcText<'_>, declared: Option<usize>, report: &mut Report) {
    let path = Path::named("bone_count");
    let found = skeleton.bones.len();
    match (skeleton.count, declared) {
        (None, _) => report.push(BONE_COUNT.at(path).offset(0)),
        (Some(word), None) => {
            let found = format!("a number wanted, {:?} found", word.shown());
            report.push(at(&BONE_COUNT, path, word).saying(found));
        }
        // 0 stands for one bone, "null"; its lines may be there or not.
        (Some(_), Some(0)) if found <= 1 => {}
        (Some(word), Some(declared)) if declared != found => {
            report.push(at(&COUNT, path, word).saying(format!("{declared} bones wanted, {found} found")));
        }
        _ => {}
    }
}

fn header(skeleton: &HrcText<'_>, report: &mut Report) {
    if let Some(version) = skeleton.version
        && version.number() != Some(VERSION)
    {
        let found = format!("{VERSION} wanted, {:?} found", version.shown());
        report.push(at(&VERSION_UNKNOWN, Path::named("version"), version).saying(found));
    }
    if skeleton.name.is_none_or(|name| name.bytes.is_empty()) {
        let start = skeleton.name.map_or(0, |name| name.start);
        report.push(NO_NAME.at(Path::named("name")).offset(start));
    }
    for (i, &line) in skeleton.strange.iter().enumerate() {
        report.push(at(&DIRECTIVE, Path::named("strange").index(i), line).saying(line.shown()));
    }
}

fn names(skeleton: &HrcText<'_>, report: &mut Report) {
    let mut first = BTreeMap::new();
    for (i, bone) in skeleton.bones.iter().enumerate() {
        let had = *first.entry(bone.name.bytes).or_insert(i);
        if had != i {
            let found = format!("bone {had} is called {:?}, too", bone.name.shown());
            report.push(at(&DUPLICATE, place(i, "name"), bone.name).saying(found));
        }
    }
}

fn parents(skeleton: &HrcText<'_>, report: &mut Report) {
    let parents = skeleton.parents();
    let rounds = rounds(&parents);
    for (i, (bone, parent)) in skeleton.bones.iter().zip(&parents).enumerate() {
        let (code, found) = match *parent {
            Parent::Root => continue,
            Parent::Nowhere => (&PARENT, format!("{:?} is no bone", bone.parent.shown())),
            Parent::Bone(parent) if parent == i => (&PARENT_SELF, format!("{:?}", bone.parent.shown())),
            Parent::Bone(parent) if parent < i => continue,
            Parent::Bone(parent) if rounds.get(i) == Some(&Round::In) => {
                (&PARENT_CYCLE, format!("{:?}, bone {parent}, leads back to bone {i}", bone.parent.shown()))
            }
            Parent::Bone(parent) => {
                (&PARENT_ORDER, format!("a bone before {i} wanted, {:?} is {parent}", bone.parent.shown()))
            }
        };
        report.push(at(code, place(i, "parent"), bone.parent).saying(found));
    }
}

/// How a bone stands to circles of parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Not yet known.
    Open,
    /// On the way that is walked, from this bone on.
    Walked(usize),
    /// In a circle.
    In,
    /// In none.
    Out,
}

/// Which bones are in a circle of parents. Every bone is walked over twice at most.
fn rounds(parents: &[Parent]) -> Vec<Round> {
    let mut rounds = vec![Round::Open; parents.len()];
    for start in 0..parents.len() {
        let (mut at, mut way) = (start, Vec::new());
        let end = loop {
            match rounds.get_mut(at) {
                Some(round @ Round::Open) => *round = Round::Walked(start),
                Some(Round::Walked(walk)) if *walk == start => break Some(at),
                _ => break None,
            }
            way.push(at);
            match parents.get(at) {
                Some(&Parent::Bone(parent)) => at = parent,
                _ => break None,
            }
        };
        let circle = end.and_then(|end| way.iter().position(|&bone| bone == end)).unwrap_or(way.len());
        for (i, bone) in way.into_iter().enumerate() {
            if let Some(round) = rounds.get_mut(bone) {
                *round = if i < circle { Round::Out } else { Round::In };
            }
        }
    }
    rounds
}

/// Notes the resources that are not there; where none of them is, they are elsewhere, and nothing is said.
pub fn parts(document: &Document, is_there: impl Fn(&str) -> bool, report: &mut Report) {
    let skeleton = document.skeleton();
    let mut known: BTreeMap<&[u8], bool> = BTreeMap::new();
    for word in skeleton.bones.iter().flat_map(|bone| bone.parts.words()) {
        known.entry(word).or_insert_with(|| is_there(&format!("{}.rsd", text::shown(word))));
    }
    if !known.values().any(|&is_there| is_there) {
        return;
    }
    for (i, bone) in skeleton.bones.iter().enumerate() {
        for word in bone.parts.words().filter(|word| known.get(word) == Some(&false)) {
            let found = format!("{}.rsd is not there", text::shown(word));
            report.push(at(&PART_MISSING, place(i, "parts"), bone.parts).saying(found));
        }
    }
}

fn at(code: &'static Code, path: Path, piece: Piece<'_>) -> Diagnostic {
    code.at(path).offset(piece.start)
}

pub(super) fn place(bone: usize, field: &'static str) -> Path {
    Path::named("bones").index(bone).field(field)
}

/// What a bone is called in messages.
pub(super) fn called(bone: &Bone<'_>, index: usize) -> String {
    format!("bone {index}, {:?}", bone.name.shown())
}
