//! Codes of what no format is to blame for, and the list of all codes.

use galvani_core::{budget, codes};

pub use galvani_core::budget::{OUT_OF_MEMORY, OUT_OF_WORK};

use crate::Code;
use crate::formats::FORMATS;

codes! {
    NOT_FOUND = Error, "file.not-found",
        "there is no such file, folder or archive member",
        "check the spelling; members of archives are written ARCHIVE/NAME or ARCHIVE/#INDEX";
    UNREADABLE = Error, "file.unreadable",
        "the file could not be read",
        "check permissions and the disk";
    UNWRITABLE = Error, "file.unwritable",
        "the file could not be written",
        "what was there before is untouched; check permissions and free space";
    OCCUPIED = Error, "file.folder-not-empty",
        "the folder to write into is not empty",
        "name another folder, or let files of the same names be replaced; all others stay";
    EXISTS = Error, "file.exists",
        "a file of this name is there already, and it differs",
        "it stays as it is; write somewhere else, or allow files to be replaced by force";
    READ_ONLY = Error, "file.read-only",
        "the file to replace may only be read",
        "it stays as it is; make it writable, or replace it by force";
    IS_INPUT = Error, "file.is-input",
        "the file to write is one of those that are read",
        "inputs are replaced only in place; write somewhere else";
    NOT_PLAIN = Error, "file.not-plain",
        "this is no plain file, but a link, a folder, a pipe or a device",
        "below a folder links are not followed, and nothing but plain files is opened, unless that is asked for";
    DEAD_LINK = Error, "file.dead-link",
        "the link leads to nothing, or in circles",
        "mend or remove the link, or name the file itself";
    OUTSIDE = Error, "file.outside",
        "the name leads out of its folder",
        "names are relative and go down only, unless following them anywhere is asked for";
    CHANGED = Error, "file.changed",
        "the file changed after it was read",
        "somebody else wrote it meanwhile and it stays as it is; do it again from what is there now";
    BUSY = Error, "file.busy",
        "somebody else has been changing the file for a long time",
        "it stays as it is; see which program holds it";
    HARD_LINKS = Warning, "file.hard-links",
        "the file has other names, which keep what was there before",
        "a replaced file is a new one; link the other names to it again";
    EMPTY = Error, "file.empty",
        "the file has no bytes",
        "there is nothing to read; get it again from where it came";
    TOO_LARGE = Error, "file.too-large",
        "the file is larger than the limit",
        "no game file is that large";
    TOO_DEEP = Error, "file.too-deep",
        "archives are nested deeper than the limit",
        "extract the inner archives first";
    NO_WAY_BACK = Error, "file.no-way-back",
        "the scene does not say which file it was made of",
        "only what was converted from a game's model goes back into one; or the program between dropped the extras";
    BROKEN_WAY_BACK = Error, "file.broken-way-back",
        "what the scene says of the file it was made of cannot be read",
        "convert the model again, and keep the extras as they are";
    OTHER_COUNT = Error, "file.other-count",
        "a list of the scene is longer or shorter than the one in the file it was made of",
        "values may change, their number may not";
    REBUILT = Warning, "file.rebuilt",
        "lists of the scene are longer or shorter than those in the file it was made of, so a new file was made",
        "name the file it was made of as its base, and all that was not changed stays as it is";
    CHANGE_NOT_TAKEN = Error, "file.change-not-taken",
        "something was changed that the scene says in another way than the file it was made of",
        "convert the model again in the usual way, and change that";
    LOST_CHANGE = Warning, "file.lost-change",
        "something was changed that does not go back into the file",
        "vertices, corners, coordinates and keys go back; change the rest in the model itself";
    FITTED_NAME = Warning, "file.fitted-name",
        "something is called by a name that its file cannot hold, or that means something else there",
        "as much of it was taken as fits; give it a shorter or another name";
    REPAINTED = Note, "file.repainted",
        "a picture was changed; its file is made as it was, with the new picture in it",
        "see whether the file's colours are enough for it";
    PICTURE_LEFT = Note, "file.picture-left",
        "a picture was not changed, and its file, in which pixels are packed with a loss, is not at hand",
        "it stays what it is where it is; point at its folder, and it is copied";
    NOT_IN_STREAM = Warning, "file.not-in-stream",
        "a stream holds one file: those beside it are not written",
        "name a file or a folder, and they are";
    COPIES_DIFFER = Error, "file.copies-differ",
        "what stands once in the file stands twice in the scene, and not alike",
        "change both copies, or only one of them";
    UNKNOWN_FORMAT = Error, "file.unknown-format",
        "the file is of no known format",
        "if you know better, name the format";
    NO_ARCHIVE = Error, "file.no-archive",
        "this file has no members",
        "only what is listed as an archive has them; name the file itself";
    MISSING_TEXTURE = Warning, "file.missing-texture",
        "a picture or material that the file names is not where its game looks",
        "put it there, or point at the folder or archive that it is in";
    NO_OPERATION = Error blaming Request, "file.no-operation",
        "files of this format know no such operation",
        "the list of operations shows what a format knows";
    USAGE = Error blaming Request, "file.usage",
        "this cannot be done to the file in the way it is asked for",
        "compare with what is to be given, and ask again";
    OVERLAPPING = Error, "file.overlapping-members",
        "the members together are far larger than their archive",
        "they overlap; name the ones you want one by one";
    NO_POSES = Error, "file.no-poses",
        "nothing in this file has a pose",
        "a model or an animation is needed";
    NO_PLAYER = Error, "file.no-player",
        "nobody knows how its game plays this",
        "models of Warcraft III and World of Warcraft are played; others can be sampled";
    ANIMATION_FILE = Error, "file.animation",
        "the file does not say what the frames are",
        "give a list of frames as an unpacked pack has it, or an object with `unit` and `frames`";
    CLIP_NOT_FOUND = Error, "file.clip-not-found",
        "there is no such clip",
        "clips go by name or by index, `#0` being the first; without a word the usual one is taken";
    NO_CLIPS = Error, "file.no-clips",
        "a file of this format holds one animation, not several",
        "name that one, or none";
    NO_FLAG = Error blaming Request, "file.no-flag",
        "something is asked for that files of this format do not have",
        "leave it out; every format declares what may be said of it";
    SETTING = Error blaming Request, "file.setting",
        "something is asked for in a way that cannot be",
        "give a value that is allowed there";
    HALF_BLEND = Error blaming Request, "file.half-blend",
        "a blend wants a time, another time and a weight",
        "give all three, or no other time and no weight";
    NO_SKELETON = Error blaming Request, "file.no-skeleton",
        "what was named as a skeleton is none",
        "name the skeleton of a battle model: `rtaa` for `rtda`, `name.d` for `name.a00`";
    NO_NAMES = Error, "file.no-names",
        "what was asked for by name has none",
        "give its index; the outline shows them";
    AMBIGUOUS = Note, "file.ambiguous-name",
        "several have this name",
        "name another one by its index: #3, in an archive ARCHIVE/#3";
    NOT_MENDED = Warning, "file.not-mended",
        "something that could be mended was left as it is",
        "mending it would have left an error that was not there before, or could not be done";
    NOTHING_MENDS = Error, "file.nothing-mends",
        "nothing in files of this format is mended",
        "the page of codes says what is mended";
    OTHER_FORMAT = Error, "file.other-format",
        "an operation of one format was handed a document of another",
        "make the step for the document's own format";
    ARGUMENT = Error, "file.argument",
        "an operation was handed a value that is not what its argument takes",
        "compare with the arguments that the operation declares";
    NOT_ONE = Error, "file.not-one",
        "one is wanted where all are named",
        "name it, or give its index";
    TWO_FORMATS = Error, "file.two-formats",
        "files of two formats have nothing in common to compare",
        "compare files of one format; the format that both are taken for may be named";
    MANIFEST = Error, "file.manifest",
        "the folder does not say how to build the file",
        "compare with an unpacked file";
    NO_GEOMETRY = Error, "file.no-geometry",
        "nothing in this file can be drawn",
        "a model is needed, of a game of which is known what it draws";
    NO_SCENE = Error, "file.no-scene",
        "this is no model",
        "a model is needed, not a piece of one";
    NO_IMAGE = Error, "file.no-image",
        "this is no picture",
        "a texture is needed, or a picture as PNG or TGA";
    EXAMPLE = Error blaming Request, "file.example",
        "what a new file is to be like is of another format",
        "name a file of the format that is to be made";
    EXAMPLE_LEFT = Note, "file.example-left",
        "the model came back as it was, so that nothing of it was made like another",
        "take the extras out of the glTF, and give no base, if a new model is wanted that is like the other";
    IMAGE = Error, "file.image",
        "the picture cannot be read or written as PNG",
        "save it as PNG again; at most 67108864 pixels are read";
}

/// Every code of every format, by name.
pub fn all() -> Vec<&'static Code> {
    let formats = FORMATS.iter().flat_map(|format| format.info().codes.iter().copied().flatten().copied());
    let scene = [galvani_scene::check::ALL, galvani_scene::lower::ALL, galvani_scene::trip::ALL].concat();
    let mut codes: Vec<&Code> = ALL.iter().chain(budget::ALL).chain(&scene).copied().chain(formats).collect();
    #[cfg(feature = "gltf")]
    codes.extend(galvani_gltf::ALL);
    #[cfg(feature = "render")]
    codes.extend(galvani_render::check::ALL);
    #[cfg(feature = "texture")]
    codes.extend(galvani_texture::tga::ALL);
    codes.sort_by_key(|code| code.name);
    codes
}

/// A word that names no code.
#[cfg(feature = "fs")]
#[derive(Debug, thiserror::Error)]
#[error("`{word}` {}; {}", if is_glob(word) { "matches no code" } else { "is no code" }, near(word))]
pub struct UnknownCode {
    word: String,
}

/// The codes that a name or a glob means: `mdx.no-death`, `mdx.no-*`.
#[cfg(feature = "fs")]
pub fn matching(word: &str) -> Result<Vec<&'static Code>, UnknownCode> {
    let pattern = glob::Pattern::new(word).ok();
    let is_meant =
        |code: &&Code| code.name == word || pattern.as_ref().is_some_and(|one| one.matches(code.name));
    let meant: Vec<&Code> = all().into_iter().filter(is_meant).collect();
    if meant.is_empty() { Err(UnknownCode { word: word.to_owned() }) } else { Ok(meant) }
}

#[cfg(feature = "fs")]
fn is_glob(word: &str) -> bool {
    word.contains(['*', '?', '['])
}

/// How many codes are offered in place of one that is not there.
#[cfg(feature = "fs")]
const OFFERED: usize = 3;

/// How much more a code counts that is of the format asked for.
#[cfg(feature = "fs")]
const OWN_FORMAT: f64 = 0.1;

/// The codes most like a word.
#[cfg(feature = "fs")]
fn near(word: &str) -> String {
    let plain: String = word.chars().filter(|letter| !"*?[]".contains(*letter)).collect();
    // Of a name without its format, or with the wrong one, the rest decides.
    let likeness = |code: &Code| {
        let (format, rest) = code.name.split_once('.').unwrap_or_default();
        let (wanted, asked) = plain.split_once('.').unwrap_or(("", &plain));
        let own = if format == wanted { OWN_FORMAT } else { 0.0 };
        strsim::jaro_winkler(code.name, &plain) + strsim::jaro_winkler(rest, asked) + own
    };
    let mut codes = all();
    codes.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    let names: Vec<&str> = codes.iter().take(OFFERED).map(|code| code.name).collect();
    format!("near it: {}", names.join(", "))
}

/// Whether a code says that there is no room or time for something: a refusal, whatever was about to be done.
pub fn is_exhaustion(code: &Code) -> bool {
    budget::ALL.contains(&code)
}

#[cfg(all(test, feature = "fs", feature = "mdx"))]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_to_blame_only_where_its_code_says_so() {
        let blamed = all().into_iter().filter(|code| code.blame == crate::Blame::Request);
        let names: Vec<&str> = blamed.map(|code| code.name).collect();
        assert!(names.contains(&"file.no-flag") && names.contains(&"mdx.sample-time"), "{names:?}");
        assert!(!names.contains(&"file.unreadable") && !names.contains(&"mdx.magic"), "{names:?}");
    }

    #[test]
    fn a_glob_means_every_code_that_it_matches() {
        let names =
            |word: &str| matching(word).map(|codes| codes.iter().map(|code| code.name).collect::<Vec<_>>());
        assert_eq!(names("mdx.no-*").ok(), Some(vec!["mdx.no-death", "mdx.no-stand", "mdx.no-such-version"]));
        assert_eq!(names("mdx.no-death").ok(), Some(vec!["mdx.no-death"]));
    }

    #[test]
    fn what_names_no_code_is_told_the_nearest() {
        let why = |word: &str| matching(word).map(|_| ()).map_err(|error| error.to_string());
        assert!(
            why("mdx.no-deth")
                .is_err_and(|why| why.starts_with("`mdx.no-deth` is no code; near it: mdx.no-death,"))
        );
        assert!(why("no-death").is_err_and(|why| why.contains("near it: mdx.no-death,")));
        assert!(
            why("mdx.pivots-*").is_err_and(|why| why.contains("matches no code; near it: mdx.pivot-count"))
        );
    }
}
