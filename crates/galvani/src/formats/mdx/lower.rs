//! Models of Warcraft III and World of Warcraft, made of scenes.

use std::any::Any;

use galvani_core::{LowerError, WriteError};
use galvani_mdx::lower::{Options, lower};
use galvani_mdx::{Document, Family, mdl};
use galvani_scene::{LoweredScene, Scene};

use crate::formats::{self, LowerRequest, Lowering};

/// The kinds of models that are made, the usual one first.
const WORDS: &[&str] = &[
    "mdx",
    "mdx:800",
    "mdx:900",
    "mdx:1000",
    "mdx:1100",
    "mdx-wow",
    "mdx-wow:1300",
    "mdx-wow:1400",
    "mdx-wow:1500",
];

pub(super) const LOWERING: Lowering =
    Lowering { words: WORDS, is_of, pictures: "blp", lower: made, transcribe: Some(transcribed) };

/// The family and version of a word; of the plain one any that a model has already.
fn kind(word: &str) -> (Option<Family>, Option<u32>) {
    let (family, version) = word.split_once(':').unwrap_or((word, ""));
    let family = match (family, version) {
        ("mdx-wow", _) => Some(Family::Wow),
        (_, "") => None,
        _ => Some(Family::Warcraft),
    };
    (family, version.parse().ok())
}

fn downcast(document: &dyn formats::Document) -> Option<&Document> {
    let document: &dyn Any = document;
    document.downcast_ref()
}

fn is_of(document: &dyn formats::Document, word: &str) -> bool {
    let (family, version) = kind(word);
    let own = downcast(document);
    own.is_some_and(|own| {
        family.is_none_or(|family| family == own.family()) && version.is_none_or(|it| it == own.version)
    })
}

/// The binary form of a text.
fn transcribed(document: &dyn formats::Document, word: &str) -> Option<Result<Vec<u8>, WriteError>> {
    let document: &dyn Any = document;
    let model = document.downcast_ref::<mdl::Document>()?.model();
    is_of(model, word).then(|| galvani_mdx::write(model))
}

pub(in crate::formats) fn made(scene: &Scene, making: &LowerRequest<'_>) -> Result<LoweredScene, LowerError> {
    let like = making.like.and_then(downcast);
    let (family, version) = kind(making.word);
    let family = family.or(like.map(Document::family)).unwrap_or(Family::Warcraft);
    let usual = if family == Family::Wow { 1300 } else { 800 };
    let version = version.or(like.map(|like| like.version)).unwrap_or(usual);
    lower(scene, &Options { family, version, clips: making.clips.clone(), tolerance: making.tolerance })
}
