//! Codes of what no format is to blame for, and the list of all codes.

use galvani_core::codes;

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
        "the file could not be written; what was there before is untouched",
        "check permissions and free space";
    TOO_LARGE = Error, "file.too-large",
        "the file is larger than the limit",
        "no game file is that large";
    TOO_DEEP = Error, "file.too-deep",
        "archives are nested deeper than the limit",
        "extract the inner archives first";
    UNKNOWN_FORMAT = Error, "file.unknown-format",
        "no known format",
        "if you know better, say so with --format";
    NO_ARCHIVE = Error, "file.no-archive",
        "this file has no members",
        "only archives are folders";
    OVERLAPPING = Error, "file.overlapping-members",
        "the members together are far larger than their archive",
        "they overlap; name the ones you want one by one";
    NO_POSES = Error, "file.no-poses",
        "nothing in this file has a pose",
        "only models and animations can be sampled";
    ANIMATION_FILE = Error, "file.animation",
        "the file does not say what the frames are",
        "give a list of frames as `unpack` writes it, or an object with `unit` and `frames`";
    NO_CLIPS = Error, "file.no-clips",
        "a file of this format holds one animation, not several",
        "leave out --clip";
    NO_FLAG = Error, "file.no-flag",
        "a flag asks for something that files of this format do not have",
        "leave it out; `help sample` says which flags are for which format";
    NO_NAMES = Error, "file.no-names",
        "what was asked for by name has none",
        "give its index; `info` shows them";
    AMBIGUOUS = Note, "file.ambiguous-name",
        "several have this name; the first is taken",
        "name another one by its index: #3, in an archive ARCHIVE/#3";
    NOT_ONE = Error, "file.not-one",
        "one is wanted where all are named",
        "name it, or give its index";
    TWO_FORMATS = Error, "file.two-formats",
        "files of two formats have nothing in common to compare",
        "compare files of one format; --format says what both are taken for";
    MANIFEST = Error, "file.manifest",
        "the folder does not say how to build the file",
        "compare with a folder that `unpack` wrote";
    NO_GEOMETRY = Error, "file.no-geometry",
        "nothing in this file can be drawn",
        "draw and pick want a model";
    NO_SCENE = Error, "file.no-scene",
        "this file holds no model",
        "an archive's members are written ARCHIVE/NAME; `list` shows them";
    NO_IMAGE = Error, "file.no-image",
        "this file holds no picture",
        "only textures become pictures";
    IMAGE = Error, "file.image",
        "the picture cannot be read or written as PNG",
        "save it as PNG again; at most 67108864 pixels are read";
}

/// Every code of every format, by name.
pub fn all() -> Vec<&'static Code> {
    let formats = FORMATS.iter().flat_map(|format| format.info().codes.iter().copied().flatten().copied());
    let mut codes: Vec<&Code> = ALL.iter().copied().chain(formats).collect();
    #[cfg(feature = "gltf")]
    codes.extend(galvani_gltf::ALL);
    codes.sort_by_key(|code| code.name);
    codes
}

/// What blames the request, not the file.
static USAGE: &[&Code] = &[
    &NO_FLAG,
    #[cfg(feature = "parkan")]
    &galvani_parkan::msh::sample::NEITHER,
    #[cfg(feature = "mdx")]
    &galvani_mdx::sample::TIME,
    #[cfg(feature = "mdx")]
    &galvani_mdx::sample::CAMERA,
];

/// Whether a code blames the request, not the file.
pub fn is_usage(code: &Code) -> bool {
    USAGE.contains(&code)
}
