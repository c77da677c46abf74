//! Pictures as new files: what a format declares that can make some.

use galvani_core::{EditError, Image, Report};

use super::{Document, Setting, Settings};

/// How a format makes files of pictures.
#[derive(Debug)]
pub struct Encoding {
    /// Kinds of files beside the usual one, by the word that stands behind the id: `palette` of `blp:palette`.
    pub kinds: &'static [&'static str],
    /// What may be said about a new file.
    pub settings: &'static [Setting],
    /// Makes one.
    pub encode: fn(&Image, &Wish<'_>) -> Result<Encoded, EditError>,
}

/// A new file.
#[derive(Debug)]
pub struct Encoded {
    /// Its document.
    pub document: Box<dyn Document>,
    /// What making it cost.
    pub cost: Report,
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
impl Encoded {
    /// A document that shows as much of the picture as its kind can.
    pub(super) fn new(document: impl Document) -> Self {
        Encoded { document: Box::new(document), cost: Report::default() }
    }
}

/// What a new file is to be like. What is said counts more than what an example shows.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// Which of the kinds that the format declares; none is the usual one, or that of the example.
    pub kind: Option<&'a str>,
    /// What was said of those options that the format declares.
    pub settings: &'a Settings,
    /// A document of the same format, to be made alike.
    pub like: Option<&'a dyn Document>,
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
impl<'a> Wish<'a> {
    /// The example as the format's own type.
    pub(super) fn example<D: Document>(&self) -> Option<&'a D> {
        let document: &dyn std::any::Any = self.like?;
        document.downcast_ref()
    }
}
