//! Textures as graphics hardware takes them, behind the common door.

mod folder;

use galvani_core::image::MOST_LOOKED_AT;
use galvani_core::{EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, WriteError};
use galvani_texture::bc::Coding;
use galvani_texture::dds::{self, Document, ImageIndex, Options, PixelFormat, Shape, check, edit};
use galvani_texture::mips::Mips;

use super::argument::File as Png;
use super::operation::{Editable, operations};
use super::pictures::{self, LevelRow, MOST, Show};
use super::setting::settings;
use super::{
    Encoded, Encoding, Fact, Folder, Format, Info, Likelihood, OpenOptions, Opened, Outline, Packing,
    Picture, PixelRoom, Settings, Site, Wish, has_extension,
};
use crate::image::{self, Image};

/// A texture as graphics hardware takes it.
#[derive(Debug)]
pub(super) struct Dds;

static INFO: Info = Info {
    id: "dds",
    name: "texture (DirectDraw Surface)",
    extensions: &["dds"],
    codes: &[check::ALL, edit::ALL, dds::DECODE_CODES],
    operations: operations! { Document;
        "puts a picture in, and smaller levels made from it; what pixels are stays"
        "replace-image" (file: Png = "the picture")
        |document, meter| edit::replace_image(document, 0, &image::replacement(&file.0, meter)?, None);

        "the same for one face of a cube, or one of several pictures"
        "replace-face" (face: u32 = "which", file: Png = "the picture")
        |document, meter| edit::replace_image(document, face.into(), &image::replacement(&file.0, meter)?, None);

        "gives one level another picture of the level's size"
        "set-mip" (level: usize = "which", file: Png = "the picture")
        |document, meter| edit::set_mip(document, 0, level, &image::replacement(&file.0, meter)?);

        "makes every smaller level anew from the largest"
        "rebuild-mips" ()
        |document| edit::rebuild_mips(document);

        "drops what follows the last level and says in the header what is so"
        "canonical" ()
        |document| edit::make_canonical(document);
    },
    picturing: DdsLevel::SETTINGS,
    encoding: Some(&Encoding {
        kinds: &["bc1", "bc3", "bc7", "plain"],
        settings: NewDds::SETTINGS,
        encode,
        pixels: PIXELS,
    }),
    ..Info::PLAIN
};

impl Editable for Document {}

settings! {
    /// Which picture of a file.
    pub struct DdsLevel {
        /// Which level.
        level: usize = 0, "which level, 0 being the largest [default: 0]";
        /// Which face of a cube, or which of several pictures.
        face: u32 = 0, "which face of a cube, or which of several pictures [default: 0]";
        /// Which slice of a volume.
        slice: u32 = 0, "which slice of a volume [default: 0]";
    }
}

settings! {
    /// How a new file is made.
    pub struct NewDds {
        /// How many levels.
        mips: Option<Mips> = None, "smaller levels down to a single pixel, or none [default: full]";
    }
}

/// Plain pixels stand as they are.
const PIXELS: PixelRoom = PixelRoom {
    path: || Path::named("layers").index(0).field("levels").index(0),
    made: |document, image| {
        let is_plain =
            |document: &&Document| matches!(document.pixel_format().format(), Some(dds::Format::Plain(_)));
        let document = PixelRoom::downcast::<Document>(document).filter(is_plain);
        document.map(|document| dds::encode_level(document, image)).transpose()
    },
    rebuild: |document| {
        let has_more = |it: &&mut Document| it.shape().is_some_and(|shape| shape.levels > 1);
        let document = PixelRoom::downcast_mut::<Document>(document).filter(has_more);
        document.map_or(Ok(()), edit::rebuild_mips)
    },
};

/// As the word says, or the example; else BC3 for a picture with alpha and BC1 for any other.
fn encode(image: &Image, wish: &Wish<'_>) -> Result<Encoded, EditError> {
    let is_opaque = image.rgba.iter().all(|&[.., alpha]| alpha == 255);
    let usual = if is_opaque { PixelFormat::BC1 } else { PixelFormat::BC3 };
    let example: Option<&Document> = wish.example();
    let mut options = example.map_or(Options { pixels: usual, mips: Mips::Full }, Options::like);
    options.pixels = match wish.kind {
        Some("bc1") => PixelFormat::BC1,
        Some("bc3") => PixelFormat::BC3,
        Some("bc7") => PixelFormat::BC7,
        Some("plain") => PixelFormat::PLAIN,
        _ => options.pixels,
    };
    options.mips = NewDds::from_settings(wish.settings).mips.unwrap_or(options.mips);
    Ok(Encoded::new(Document::new(image, &options)?))
}

impl Format for Dds {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(dds::is_shaped(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Dds, dds::read(file, &options.read)?))
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
        dds::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let (width, height) = (self.header.width.get(), self.header.height.get());
        let image = dds::decode(self, ImageIndex::default(), MOST_LOOKED_AT).ok();
        let shape = self.shape();
        let mut facts = vec![
            Fact::people("picture", format!("{width} × {height} pixels").into()),
            Fact::new("kind", "kind", kind(self).into()),
            Fact::new("alpha", "alpha", shape.map(has_alpha).into()),
            Fact::new("layers", "layers", shape.map(|shape| shape.layers).into()),
            Fact::new("cube", "cube", self.is_cube().into()),
            Fact::new("slices", "slices", shape.filter(|_| self.is_volume()).map(|shape| shape.depth).into()),
        ];
        facts.extend(pictures::colours(image.as_ref()));
        let levels = shape.map_or(0, |shape| shape.levels);
        Outline {
            counts: pictures::counts(width, height, levels),
            facts,
            sections: vec![pictures::levels(&shape.map(|shape| rows(self, &shape)).unwrap_or_default())],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let size = (self.header.width.get(), self.header.height.get());
        pictures::summary(size, &kind(self), self.shape().map_or(0, |shape| shape.levels))
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        folder::unpack(self, Show::Pictures)
    }

    fn folder_in_words(&self) -> Result<Folder, Exhausted> {
        folder::unpack(self, Show::Bytes)
    }

    fn as_picture(&self) -> Option<&dyn Picture> {
        Some(self)
    }
}

impl Picture for Document {
    fn size(&self, settings: &Settings) -> Option<(u32, u32)> {
        let (width, height, _) = self.shape()?.size(DdsLevel::from_settings(settings).level);
        Some((width, height))
    }

    fn image(&self, settings: &Settings) -> Result<Image, LiftError> {
        settings.only::<LiftError>(DdsLevel::SETTINGS)?;
        let DdsLevel { level, face, slice } = DdsLevel::from_settings(settings);
        dds::decode(self, ImageIndex { layer: face.into(), level, slice }, MOST)
            .map_err(|cause| LiftError { cause })
    }
}

/// How many levels are told one by one. A file of single pixels may have millions.
const TOLD: usize = 4096;

fn rows(document: &Document, shape: &Shape) -> Vec<LevelRow> {
    let spots = (0..shape.layers).flat_map(|layer| (0..shape.levels).map(move |level| (layer, level)));
    let row = |(layer, level)| {
        let (width, height, _) = shape.size(level);
        let bytes = document.level(layer, level).map(<[u8]>::len);
        LevelRow { layer: (shape.layers > 1).then_some(layer), level, size: (width, height), bytes }
    };
    spots.take(TOLD).map(row).collect()
}

fn kind(document: &Document) -> String {
    document.pixel_format().format().map_or_else(|| "nobody knows what".to_owned(), dds::Format::name)
}

fn has_alpha(shape: Shape) -> bool {
    match shape.format {
        dds::Format::Plain(plain) => plain.has_alpha(),
        dds::Format::Blocks(coding) => !matches!(coding, Coding::Bc4 { .. } | Coding::Bc5 { .. }),
        dds::Format::Wide => false,
    }
}
