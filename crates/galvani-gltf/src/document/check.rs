//! What may be wrong with a file of glTF.

mod data;
mod frame;
mod named;
mod uses;

pub(crate) use named::KNOWN;

use galvani_core::budget::{Allowance, Budget, Share};
use galvani_core::{Exhausted, Meter, Report, codes};

use super::{Address, Data, Document, Items, View, address};
use crate::document::view::typed::ReadFindings;

codes! {
    TRUNCATED = Error, "gltf.truncated",
        "the bytes end inside a field",
        "the file was cut; get it again";
    FRAME = Error, "gltf.frame",
        "the file is no glTF 2.0 in a frame",
        "files of glTF 1.0 have to be converted by a tool that knows them";
    NO_JSON = Error, "gltf.json",
        "the text is no JSON",
        "the file is damaged, or no glTF";
    CHUNK_CUT = Error, "gltf.chunk-cut",
        "a chunk has fewer bytes than it says",
        "the file was cut; get it again";
    LENGTH = Warning, "gltf.length",
        "the file is not as long as it says",
        "some readers refuse it; write it again";
    CHUNK_ORDER = Warning, "gltf.chunk-order",
        "bytes stand in another chunk than the second",
        "readers take only the second chunk; put them there";
    UNKNOWN_CHUNK = Note, "gltf.unknown-chunk",
        "a chunk is of a kind that glTF does not know",
        "it is kept";
    TRAILING = Warning, "gltf.trailing",
        "bytes stand behind the last chunk",
        "they are kept; readers pass over them";
    PADDING = Warning, "gltf.padding",
        "chunks do not begin on multiples of four, or the text is filled up with zeros instead of blanks",
        "some readers refuse it; write it again";
    MARK = Warning, "gltf.byte-order-mark",
        "a byte order mark stands before the text",
        "readers may refuse it; save the text without one";
    UTF8 = Error, "gltf.utf8",
        "the text is not in UTF-8",
        "save it in UTF-8; what is not is read with other characters in its place";
    VERSION = Error, "gltf.version",
        "the file is of another version of glTF than 2",
        "convert it by a tool that knows its version";
    VALUE = Error, "gltf.value",
        "a value is of another kind than it must be",
        "it counts as not being there";
    MISSING_MEMBER = Error, "gltf.missing-member",
        "something that must be said is not said",
        "the program that wrote the file has a mistake there";
    MEMBER_TWICE = Warning, "gltf.member-twice",
        "the same is said twice",
        "the last counts; readers differ in that";
    UNKNOWN_MEMBER = Note, "gltf.unknown-member",
        "something is said that glTF does not know",
        "it is kept; what is meant for other programs belongs into `extras`";
    INDEX = Error, "gltf.index",
        "something is named that is not there",
        "the file is damaged or was put together wrongly";
    TREE = Error, "gltf.tree",
        "nodes hang on each other in a circle, or one hangs on several",
        "take one of the children away";
    EMPTY = Error, "gltf.empty",
        "a list that must hold something is empty",
        "leave it out, or put something into it";
    TRANSFORM = Warning, "gltf.transform",
        "the place of a node is said twice, or is none that can be taken apart into a place, a turn and a size",
        "readers differ in what they take; say it once";
    NOT_FINITE = Error, "gltf.not-finite",
        "a number is infinite or none",
        "the file is damaged there";
    NOT_UNIT = Warning, "gltf.not-unit",
        "a rotation or direction is not of length 1",
        "readers differ in what they make of it; make its length 1";
    REQUIRED = Error, "gltf.required-extension",
        "the file cannot be read without an extension that is not known here",
        "let a tool that knows the extension write the file without it";
    DRACO = Error, "gltf.draco",
        "meshes are compressed by Draco, which is not decoded here",
        "glTF-Transform decodes it: `gltf-transform copy IN.glb OUT.glb` writes the same model uncompressed";
    EXTENSION = Note, "gltf.extension",
        "an extension is used that is not known here",
        "what it says is kept and does not count";
    UNDECLARED = Warning, "gltf.undeclared-extension",
        "an extension is required that is not among those that are used",
        "readers may refuse the file; list it in `extensionsUsed`, too";
    BUFFER_LENGTH = Error, "gltf.buffer-length",
        "a buffer has fewer bytes than it says",
        "the file or what lies beside it was cut; get it again";
    NO_BYTES = Error, "gltf.no-bytes",
        "a buffer says nowhere where its bytes are",
        "only the first buffer of a .glb has them in the file";
    DATA_URI = Error, "gltf.data-uri",
        "bytes that stand in the text cannot be decoded",
        "the text was changed or cut; get it again";
    ELSEWHERE = Warning, "gltf.elsewhere",
        "bytes are somewhere where nobody goes: on another machine, or outside of the folder",
        "put the file beside this one and name it so";
    MISSING_FILE = Error, "gltf.missing-file",
        "a file that belongs to this one is not there",
        "put it beside this one";
    BOUNDS = Error, "gltf.bounds",
        "something reaches beyond the bytes that it lies in",
        "the file is damaged or was put together wrongly";
    STRIDE = Error, "gltf.stride",
        "elements overlap",
        "the distance between them must be at least as long as one";
    ALIGNMENT = Warning, "gltf.alignment",
        "numbers do not lie on multiples of their length",
        "some readers refuse that; write the file again";
    SPARSE = Error, "gltf.sparse",
        "elements that are said to be different do not come in order, or are not there",
        "the file is damaged or was put together wrongly";
    COMPRESSED = Error, "gltf.compressed",
        "compressed bytes cannot be decoded",
        "the file is damaged there";
    MIN_MAX = Warning, "gltf.min-max",
        "the least and greatest numbers of a list are not as it says",
        "readers that trust them place the model wrongly; write the file again";
    ATTRIBUTE = Error, "gltf.attribute",
        "a list is of another kind or length than its use asks for",
        "the file is damaged or was put together wrongly";
    INDICES = Error, "gltf.indices",
        "vertices are joined that are not there, or too few to make the last shape",
        "the file is damaged or was put together wrongly";
    JOINTS = Error, "gltf.joints",
        "joints pull at vertices that the skin does not have",
        "the file is damaged or was put together wrongly";
    WEIGHTS = Warning, "gltf.weights",
        "the weights of a vertex do not make 1",
        "readers differ in what they make of it";
    TIMES = Error, "gltf.times",
        "times do not rise from 0 on",
        "sort the keys";
    TWICE = Error, "gltf.twice",
        "two channels of an animation move the same",
        "take one of them away";
}

/// The code of the byte layer.
pub(super) static BYTES: galvani_core::diag::ByteCodes =
    galvani_core::diag::ByteCodes { truncated: &TRUNCATED };

/// What looking at everything once may take: lists may lie over each other.
const CHECKING: Allowance =
    Allowance { memory: Share { base: 64 << 20, per_byte: 64 }, work: Share { base: 1 << 24, per_byte: 64 } };

/// Everything that is wrong with a document. Files beside it count as far as they were found.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    if let Err(lacking) = run(document, &mut report) {
        report.push(lacking.cause.offset(0));
    }
    report
}

/// Everything that is wrong with a document, as far as there is room.
pub(super) fn run(document: &Document, report: &mut Report) -> Result<(), Exhausted> {
    let view = viewed(document, report)?;
    let data = Data::new(document, &view, &meter(document))?;
    looked_at(&data, document, report).map(drop)
}

/// What a document says, and what is wrong with that.
pub(crate) fn viewed<'a>(document: &'a Document, report: &mut Report) -> Result<View<'a>, Exhausted> {
    let base = document.text_start();
    frame::check(document, report);
    let view = View::new(document.json(), &mut ReadFindings::to(report, base))?;
    named::check(&view, base, report)?;
    Ok(view)
}

/// What is wrong with the bytes of a document; every list that can be looked at.
pub(crate) fn looked_at<'d>(
    data: &'d Data<'_>,
    document: &Document,
    report: &mut Report,
) -> Result<Vec<Option<Items<'d>>>, Exhausted> {
    data::check(data, document.text_start(), &meter(document), report)
}

/// What looking at all of a document may take.
fn meter(document: &Document) -> Meter {
    let beside = document.beside.values().map(Vec::len).fold(0, usize::saturating_add);
    Budget::default().meter(&CHECKING, document.file_len().saturating_add(beside))
}

/// Files that must lie beside a document and do not; `has` says which do.
pub fn files(document: &Document, has: impl Fn(&str) -> bool, report: &mut Report) {
    let view = match document.view() {
        Ok(view) => view,
        Err(lacking) => return report.push(lacking.cause.offset(0)),
    };
    let buffers = (0..view.buffers.len()).filter_map(|i| {
        Some((view.buffers.path(i), view.buffers.value(i), view.buffers.get(i)?.uri.clone()?))
    });
    let images = (0..view.images.len())
        .filter_map(|i| Some((view.images.path(i), view.images.value(i), view.images.get(i)?.uri.clone()?)));
    for (path, value, uri) in buffers.chain(images) {
        if let Address::File(name) = address(&uri)
            && !has(&name)
        {
            let start = value.map_or(0, |value| value.range().start);
            let offset = document.text_start().saturating_add(start);
            let said = format!("`{}`", crate::document::view::typed::shortened(&name));
            report.push(MISSING_FILE.at(path.field("uri")).offset(offset).saying(said));
        }
    }
}
