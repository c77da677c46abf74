//! Pictures as new files: what a format declares that can make some.

use galvani_core::{EditError, Image, Path, Report};

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
    /// How pixels lie in the files.
    pub pixels: PixelRoom,
}

/// The bytes of a picture's pixels, if there are any for them.
pub type MadePixels = Result<Option<Vec<u8>>, EditError>;

/// How the pixels of the picture that a file shows lie in it.
#[derive(Debug, Clone, Copy)]
pub struct PixelRoom {
    /// Where.
    pub path: fn() -> Path,
    /// The bytes of a picture by the nearest colours that the file has, whatever it shows; nothing if pixels are packed in it so
    /// that something is lost.
    pub made: fn(&dyn Document, &Image) -> MadePixels,
    /// Makes the smaller levels anew, if there are any.
    pub rebuild: fn(&mut dyn Document) -> Result<(), EditError>,
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

#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
impl PixelRoom {
    /// A document as the format's own type.
    pub(super) fn downcast<D: Document>(document: &dyn Document) -> Option<&D> {
        let document: &dyn std::any::Any = document;
        document.downcast_ref()
    }

    /// The same to be changed.
    pub(super) fn downcast_mut<D: Document>(document: &mut dyn Document) -> Option<&mut D> {
        let document: &mut dyn std::any::Any = document;
        document.downcast_mut()
    }
}
