//! Textures of Warcraft III and World of Warcraft behind the common door.

mod folder;

use galvani_core::image::MOST_LOOKED_AT;
use galvani_core::{EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, WriteError};
use galvani_texture::bc::Coding;
use galvani_texture::blp::{self, Document, LEVELS, LevelKind, Options, Shared, Version, check, edit};
use galvani_texture::jpeg;
use galvani_texture::mips::{Mips, level_size};
use galvani_texture::quantise::Dither;

use super::argument::{File as Png, Within};
use super::operation::{Editable, operations};
use super::pictures::{self, AlphaBits, LevelRow, MOST, Show};
use super::setting::settings;
use super::{
    Encoded, Encoding, Fact, Folder, Format, Info, Likelihood, OpenOptions, Opened, Outline, Packing,
    Picture, PixelRoom, Settings, Site, Wish, has_extension,
};
use crate::image::{self, Image};

/// A texture of Warcraft III or World of Warcraft.
#[derive(Debug)]
pub(super) struct Blp;

static INFO: Info = Info {
    id: "blp",
    name: "texture (Warcraft III, World of Warcraft)",
    extensions: &["blp"],
    codes: &[check::ALL, edit::ALL, blp::DECODE_CODES],
    operations: operations! { Document;
        "puts a picture in, and smaller levels made from it; the kind of file stays"
        "replace-image" (file: Png = "the picture")
        |document, meter| {
            let options = Options::like(document);
            edit::replace_image(document, &image::replacement(&file.0, meter)?, &options)
        };

        "gives one level another picture of the level's size"
        "set-mip" (level: usize = "which", file: Png = "the picture")
        |document, meter| edit::set_mip(document, level, &image::replacement(&file.0, meter)?, None);

        "makes every smaller level anew from the largest"
        "rebuild-mips" ()
        |document| edit::rebuild_mips(document, None);

        "gives alpha another number of bits"
        "set-alpha-bits" (bits: AlphaBits = "how many")
        |document| edit::set_alpha_bits(document, bits.0);

        "puts levels in order without gaps or sharing, and drops junk"
        "canonical" ()
        |document| edit::make_canonical(document);
    },
    picturing: BlpLevel::SETTINGS,
    encoding: Some(&Encoding { kinds: &["palette"], settings: NewBlp::SETTINGS, encode, pixels: PIXELS }),
    ..Info::PLAIN
};

impl Editable for Document {}

settings! {
    /// Which picture of a file.
    pub struct BlpLevel {
        /// Which level.
        level: usize = 0, "which level, 0 being the largest [default: 0]";
    }
}

settings! {
    /// How a new file is made.
    pub struct NewBlp {
        /// Of JPEG.
        quality: Option<Within<1, 100>> = None, "quality of JPEG, 1 to 100 [default: 90]";
        /// Bits of alpha.
        alpha: Option<AlphaBits> = None, "bits of alpha [default: 8, or 0 if every pixel is to be seen]";
        /// How many levels.
        mips: Option<Mips> = None, "smaller levels down to a single pixel, or none [default: full]";
        /// Of palettes.
        dither: Option<Dither> = None, "what a palette does about colours it does not have [default: none]";
    }
}

/// Indices and plain pixels stand as they are.
const PIXELS: PixelRoom = PixelRoom {
    path: || Path::named("levels").index(0),
    made: |document, image| {
        let document = PixelRoom::downcast::<Document>(document);
        let stand = |document: &&Document| {
            let is_beside = document.header.version() == Version::Beta;
            !is_beside && matches!(document.kind(), Some(LevelKind::Palette | LevelKind::Plain))
        };
        document.filter(stand).map(|it| it.encoded(image, jpeg::QUALITY, Dither::None)).transpose()
    },
    rebuild: |document| {
        let has_more = |document: &&mut Document| document.stored().any(|level| level > 0);
        let document = PixelRoom::downcast_mut::<Document>(document).filter(has_more);
        document.map_or(Ok(()), |document| edit::rebuild_mips(document, None))
    },
};

fn encode(image: &Image, wish: &Wish<'_>) -> Result<Encoded, EditError> {
    let making = NewBlp::from_settings(wish.settings);
    let mut options = wish.example().map_or_else(Options::default, Options::like);
    if wish.kind == Some("palette") {
        options.kind = LevelKind::Palette;
    }
    if let Some(Within(quality)) = making.quality {
        options.quality = u8::try_from(quality).unwrap_or(u8::MAX);
    }
    options.alpha_bits = making.alpha.map(|bits| bits.0).or(options.alpha_bits);
    options.mips = making.mips.unwrap_or(options.mips);
    options.dither = making.dither.unwrap_or(options.dither);
    Ok(Encoded::new(Document::new(image, &options)?))
}

impl Format for Blp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(blp::is_shaped(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        let mut read = blp::read(file, &options.read)?;
        if read.document.header.version() == Version::Beta {
            let beside = |level| site.links.find(&blp::sibling_name(site.name, level));
            read.document.beside = (0..LEVELS).map(|level| beside(level).map(Into::into)).collect();
        }
        Ok(Opened::new(&Blp, read))
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
        blp::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let (width, height) = self.header.size();
        let rows: Vec<LevelRow> = found(self).map(|level| row(self, level)).collect();
        let image = blp::decode(self, 0, MOST_LOOKED_AT).ok();
        let mut facts = vec![
            Fact::people("picture", format!("{width} × {height} pixels").into()),
            Fact::new("version", "version", version(self).into()),
            Fact::new("kind", "kind", kind(self).into()),
            Fact::new("alpha_bits", "bits of alpha", self.header.alpha_bits().into()),
            Fact::new("quality", "quality", self.stream(0).and_then(|stream| stream.quality()).into()),
            Fact::new("palette_colours", "colours of the palette", palette(self).into()),
        ];
        facts.extend(pictures::colours(image.as_ref()));
        Outline {
            counts: pictures::counts(width, height, rows.len()),
            facts,
            sections: vec![pictures::levels(&rows)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        pictures::summary(self.header.size(), kind(self), found(self).count())
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
    /// A JPEG stream may be as large as the largest level.
    fn size(&self, settings: &Settings) -> Option<(u32, u32)> {
        let (width, height) = self.header.size();
        let level =
            if self.kind() == Some(LevelKind::Jpeg) { 0 } else { BlpLevel::from_settings(settings).level };
        Some(level_size(width, height, level))
    }

    fn image(&self, settings: &Settings) -> Result<Image, LiftError> {
        settings.only::<LiftError>(BlpLevel::SETTINGS)?;
        blp::decode(self, BlpLevel::from_settings(settings).level, MOST).map_err(|cause| LiftError { cause })
    }
}

/// The levels that there are, here or beside.
fn found(document: &Document) -> impl Iterator<Item = usize> {
    let is_beside = |level: &usize| matches!(document.beside.get(*level), Some(Some(_)));
    document.stored().chain((0..LEVELS).filter(is_beside))
}

fn row(document: &Document, level: usize) -> LevelRow {
    let (width, height) = document.header.size();
    let beside = || document.beside.get(level)?.as_ref().map(Vec::len);
    let bytes = document.level(level).map(<[u8]>::len).or_else(beside);
    LevelRow { layer: None, level, size: level_size(width, height, level), bytes }
}

fn version(document: &Document) -> &'static str {
    match document.header.version() {
        Version::Beta => "BLP0",
        Version::One => "BLP1",
        Version::Two => "BLP2",
    }
}

fn kind(document: &Document) -> &'static str {
    match document.kind() {
        Some(LevelKind::Jpeg) => "JPEG",
        Some(LevelKind::Palette) => "palette",
        Some(LevelKind::Blocks(Coding::Bc1 { .. })) => "BC1",
        Some(LevelKind::Blocks(Coding::Bc2)) => "BC2",
        Some(LevelKind::Blocks(_)) => "BC3",
        Some(LevelKind::Plain) => "plain pixels",
        None => "nobody knows what",
    }
}

fn palette(document: &Document) -> Option<usize> {
    match &document.shared {
        Shared::Palette(colours) if document.kind() == Some(LevelKind::Palette) => Some(colours.len()),
        _ => None,
    }
}
