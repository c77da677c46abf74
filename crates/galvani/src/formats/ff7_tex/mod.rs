//! Textures of Final Fantasy VII behind the common door.

mod folder;

use galvani_core::budget::is_exhaustion;
use galvani_core::{EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, WriteError};
use galvani_ff7::names::File;
use galvani_ff7::tex::{self, Document, Match, check, decode, edit};

use super::argument::File as Png;
use super::ff7_model::{Lifting, Piece, holds};
use super::has_extension;
use super::operation::{Editable, operations};
use super::outline::in_a_line;
use super::setting::settings;
use super::{
    Cell, Comparable, Encoded, Encoding, Fact, Folder, Format, Info, Likelihood, Model, OpenOptions, Opened,
    Outline, OutlineCount, Packing, Picture, PixelRoom, Settings, Site, Wish,
};
use crate::image::{self, Image};

/// A texture of Final Fantasy VII.
#[derive(Debug)]
pub(super) struct Tex;

static INFO: Info = Info {
    id: "ff7-tex",
    name: "texture (Final Fantasy VII)",
    extensions: &["tex"],
    topics: &[],
    codes: &[check::ALL, edit::ALL, decode::ALL],
    lifting: Lifting::SETTINGS,
    operations: operations! { Document;
        "puts a picture in; the palette must have every colour"
        "replace-image" (file: Png = "the picture")
        |document, meter| edit::replace_image(document, 0, &image::replacement(&file.0, meter)?, Match::Exact);

        "the same, as another palette shows it"
        "replace-image-by" (palette: usize = "which", file: Png = "the picture")
        |document, meter| edit::replace_image(document, palette, &image::replacement(&file.0, meter)?, Match::Exact);

        "puts a picture in, by the nearest colours"
        "match-image" (file: Png = "the picture")
        |document, meter| edit::replace_image(document, 0, &image::replacement(&file.0, meter)?, Match::Nearest);

        "makes the texture anew: one palette, or 32 bits for many colours"
        "new-image" (file: Png = "the picture")
        |document, meter| {
            *document = new(&image::replacement(&file.0, meter)?)?;
        };

        "drops what stands behind the last part"
        "canonical" ()
        |document| edit::make_canonical(document);
    },
    picturing: Colouring::SETTINGS,
    encoding: Some(&Encoding { kinds: &[], settings: &[], encode, pixels: PIXELS }),
    ..Info::PLAIN
};

impl Editable for Document {}

impl Format for Tex {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        // Four letters are too little to go by.
        let named = holds(name, |file| matches!(file, File::Texture(_)))
            && (file.starts_with(&[1, 0, 0, 0]) || name.is_some_and(|name| name.contains('.')));
        Likelihood::by_shape(tex::is_shaped(file), named || has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Tex, tex::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        tex::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let header = &self.header;
        let transparent = if header.colour_key.get() != 0 { "index 0" } else { "no index" };
        let said = |key: &'static str, count: u32| OutlineCount {
            count: count.into(),
            ..OutlineCount::machines(key, 0)
        };
        Outline {
            counts: vec![
                said("width", header.width.get()),
                said("height", header.height.get()),
                said("bytes_per_pixel", header.bytes_per_pixel.get()),
                OutlineCount { one: Some("palette"), ..said("palettes", header.palettes.get()) },
                OutlineCount::new("colours", "colour", self.palette.len()),
                OutlineCount::new("colour_keys", "colour key", self.colour_keys.len()),
            ],
            facts: vec![
                Fact::people("picture", size(self).into()),
                Fact::new("pixels", "pixels", if self.is_paletted() { "indices" } else { "colours" }.into()),
                Fact::new("transparent", "transparent", transparent.into()),
            ],
            sections: Vec::new(),
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let palettes = OutlineCount {
            count: self.header.palettes.get().into(),
            ..OutlineCount::new("palettes", "palette", 0)
        };
        Cell::List(vec![size(self).into(), in_a_line(&[palettes]).into()]).words()
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        Ok(folder::comparable(self))
    }

    fn as_picture(&self) -> Option<&dyn Picture> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }
}

/// The battle model that it is a piece of, if the skeleton lies beside it.
impl Piece for Document {}

impl Picture for Document {
    fn size(&self, _settings: &Settings) -> Option<(u32, u32)> {
        Some((self.header.width.get(), self.header.height.get()))
    }

    fn image(&self, settings: &Settings) -> Result<Image, LiftError> {
        settings.only::<LiftError>(Colouring::SETTINGS)?;
        decode::decode(self, Colouring::from_settings(settings).palette).map_err(|cause| LiftError { cause })
    }
}

settings! {
    /// How a picture is coloured.
    pub struct Colouring {
        /// By which palette.
        palette: usize = 0, "which palette of a texture [default: 0]";
    }
}

/// Indices and colours stand as they are, and there are no smaller levels.
const PIXELS: PixelRoom = PixelRoom {
    path: || Path::named("pixels"),
    made: |document, image| {
        PixelRoom::downcast::<Document>(document).map(|document| tex::pixels(document, image)).transpose()
    },
    rebuild: |_| Ok(()),
};

/// Indices or colours as the example has them; else indices where 256 colours are enough.
fn encode(image: &Image, wish: &Wish<'_>) -> Result<Encoded, EditError> {
    let document = match wish.example::<Document>().map(Document::is_paletted) {
        Some(true) => Document::paletted(image)?,
        Some(false) => Document::direct(image)?,
        None => new(image)?,
    };
    Ok(Encoded::new(document))
}

fn new(image: &Image) -> Result<Document, EditError> {
    match Document::paletted(image) {
        Err(error) if !is_exhaustion(&error.cause) => Document::direct(image),
        made => made,
    }
}

/// `64 × 32 pixels of 8 bits`.
fn size(document: &Document) -> String {
    let header = &document.header;
    let bits = u64::from(header.bytes_per_pixel.get()).saturating_mul(8);
    format!("{} × {} pixels of {bits} bits", header.width.get(), header.height.get())
}
