//! What can be wrong with a text. Of what it says, the checks of the binary form tell.

use galvani_core::{Report, codes};

use super::Document;
use super::lex::Lines;

codes! {
    NO_MODEL = Error, "mdl.no-model",
        "the text has no block of a model",
        "this is no model; let its format be recognised to see what it is";
    UNCLOSED = Error, "mdl.unclosed",
        "a block is not closed",
        "add the `}`; at the end of a text what is open is left out";
    STRAY = Error, "mdl.stray",
        "a value or a brace stands where a word should",
        "a word or a brace is missing before it, or one too many; it is passed over";
    UNKNOWN_WORD = Warning, "mdl.unknown-word",
        "a word is none of those that its block may have",
        "check its spelling, capitals too; it is passed over and stays in the text";
    VALUE = Error, "mdl.value",
        "a word does not have the value it should",
        "give it one; what is missing is as if the word were";
    NUMBER = Error, "mdl.number",
        "a number is none, or larger than the model can hold",
        "the nearest that it holds is taken";
    NOT_FINITE = Warning, "mdl.not-finite",
        "a value is infinite or no number",
        "other programs do not read it; set it";
    COUNT = Warning, "mdl.count",
        "a count is not that of what follows it",
        "what is there counts; correct the number";
    TORN_TEXT = Error, "mdl.torn-text",
        "a text does not end on its line",
        "add the `\"`; it is taken to end with the line";
    TEXT_LONG = Error, "mdl.text-long",
        "a text is longer than its room",
        "shorten it: names have 80 bytes, paths 260";
    TANGENTS = Warning, "mdl.tangents",
        "the keys of a track do not have the tangents that its interpolation wants",
        "Hermite and Bezier want InTan and OutTan at every key, others none; those that lack are 0";
    VERSION_MISSING = Warning, "mdl.version-missing",
        "the text does not say which version it has",
        "add `Version { FormatVersion 800, }`";
    NOTE = Warning, "mdl.note",
        "a comment of ours says nothing that is understood",
        "it is passed over; whoever changed it may delete it";
    FAMILY = Error, "mdl.family",
        "only models of Warcraft III have a text form",
        "make a model of Warcraft III of it first";
}

/// Everything that is wrong with a text, and with the model that it says, in their places.
pub fn check(document: &Document) -> Report {
    let mut report = document.findings.clone();
    let mut said = crate::check(document.model());
    let mut lines = Lines::new(&document.text);
    said.locate_by(|path| document.offset_of(path));
    said.in_lines(|offset| lines.position(offset));
    report.append(said);
    report
}
