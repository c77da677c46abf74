//! Textures of Parkan behind the common door.

mod folder;

use galvani_core::image::MOST_LOOKED_AT;
use galvani_core::{EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, WriteError};
use galvani_parkan::texm::edit::{self, Field, Levels};
use galvani_parkan::texm::{self, DecodeOptions, Document, Match, Rect, Surface, check, decode};

use super::argument::{File, Within, words};
use super::operation::{Editable, operations};
use super::setting::settings;
use super::{
    Cell, Column, Declared, Encoded, Encoding, Fact, Folder, Format, Info, Likelihood, OpenOptions, Opened,
    Outline, OutlineCount, Packing, Picture, PixelRoom, Section, Settings, Site, Wish, has_extension,
};
use crate::image::{self, Image};
use folder::Show;

/// The texture of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Texm;

/// A byte.
type Byte = Within<0, 255>;

words! { Field {
    "flags_10" => Field::Flags10, "flags_14" => Field::Flags14, "unknown_18" => Field::Unknown18,
} }

words! { Surface { "file" => Surface::File, "alpha" => Surface::Alpha, "opaque" => Surface::Opaque } }

words! { texm::Format {
    "0" => texm::Format::Indexed, "2" => texm::Format::External, "88" => texm::Format::LumAlpha88,
    "556" => texm::Format::Rgb556, "565" => texm::Format::Rgb565, "888" => texm::Format::Rgb888,
    "4444" => texm::Format::Argb4444, "8888" => texm::Format::Argb8888,
} }

static INFO: Info = Info {
    id: "texm",
    name: "texture (Parkan: Iron Strategy)",
    extensions: &["texm"],
    codes: &[check::ALL],
    operations: operations! { Document;
        "puts a picture of any size in, without losing a colour; smaller levels follow"
        "replace-image" (file: File = "the picture")
        |texture, meter| edit::replace_image(texture, &image::replacement(&file.0, meter)?, Match::Exact, &DecodeOptions::default());

        "puts a picture of any size in, by the nearest colours; smaller levels follow"
        "match-image" (file: File = "the picture")
        |texture, meter| edit::replace_image(texture, &image::replacement(&file.0, meter)?, Match::Nearest, &DecodeOptions::default());

        "makes the texture anew from a picture, with as many levels as it has"
        "new-image" (format: texm::Format = "what a pixel is", file: File = "the picture")
        |texture, meter| {
            let picture = image::replacement(&file.0, meter)?;
            let most = texm::full_count(picture.width, picture.height);
            let levels = Levels::Count(texture.header.mip_count.get().clamp(1, most));
            let mut made = Document::from_image(&picture, format, levels, Match::Nearest)?;
            (made.header.flags_14, made.header.unknown_18) = (texture.header.flags_14, texture.header.unknown_18);
            *texture = made;
        };

        "gives one level a picture of its size, by the nearest colours"
        "set-mip" (level: usize = "which level", file: File = "the picture")
        |texture, meter| edit::set_mip(texture, level, &image::replacement(&file.0, meter)?, Match::Nearest, &DecodeOptions::default());

        "makes the smaller levels anew from the first"
        "rebuild-mips" ()
        |texture| edit::rebuild_mips(texture, Levels::Same);

        "makes so many levels, all but the first anew"
        "set-mip-count" (count: u32 = "how many levels, the picture itself included")
        |texture| edit::rebuild_mips(texture, Levels::Count(count));

        "makes all levels down to a single pixel"
        "full-mips" ()
        |texture| edit::rebuild_mips(texture, Levels::Full);

        "sets a plain word of the header"
        "set" (field: Field = "which word", value: u32 = "its new value")
        |texture| edit::set_field(texture, field, value);

        "gives the palette another colour"
        "set-colour" (
            index: Byte = "which colour",
            red: Byte = "0 to 255",
            green: Byte = "0 to 255",
            blue: Byte = "0 to 255",
        )
        |texture| edit::set_colour(texture, byte(index), [red, green, blue].map(byte));

        "gives the texture rectangles, which materials show instead of the whole"
        "set-page" (rects: Vec<f64> = "x, width, y and height of each, or none")
        |texture| edit::set_page(texture, rects_of(&rects)?);

        "drops what stands behind the last part"
        "canonical" ()
        |texture| edit::make_canonical(texture);
    },
    picturing: Looking::SETTINGS,
    encoding: Some(&Encoding { kinds: KINDS, settings: NewTexm::SETTINGS, encode, pixels: PIXELS }),
    ..Info::PLAIN
};

settings! {
    /// How a texture is looked at.
    pub struct Looking {
        /// Which level.
        level: usize = 0, "which level, 0 being the largest [default: 0]";
        /// What becomes of alpha.
        surface: Surface = Surface::File, "alpha as the file says, index 0 transparent, or none as skins of machines are drawn [default: file]";
        /// Colours of indices that the texture has no palette for.
        colours: Option<File> = None, "256 colours of 4 bytes (blue, green, red, one without meaning) for indices into a palette elsewhere";
    }
}

/// How many levels a new texture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mips {
    /// All down to a single pixel.
    Full,
    /// The picture itself.
    One,
}

words! { Mips { "full" => Mips::Full, "one" => Mips::One } }

settings! {
    /// How a new texture is made.
    pub struct NewTexm {
        /// How many levels.
        mips: Option<Mips> = None, "smaller levels down to a single pixel, or none [default: full]";
    }
}

/// What pixels of new textures may be, beside what loses nothing.
const KINDS: &[&str] = &["palette", "565", "4444", "888", "8888"];

/// Every format of pixels stands as it is.
const PIXELS: PixelRoom = PixelRoom {
    path: || Path::named("levels").index(0),
    made: |document, image| {
        PixelRoom::downcast::<Document>(document).map(|document| texm::pixels(document, image)).transpose()
    },
    rebuild: |document| {
        let document = PixelRoom::downcast_mut::<Document>(document);
        document.map_or(Ok(()), |document| edit::rebuild_mips(document, Levels::Same))
    },
};

/// A new texture: what loses nothing, what was asked for, or what an example is.
fn encode(image: &Image, wish: &Wish<'_>) -> Result<Encoded, EditError> {
    let example = wish.example::<Document>();
    let format = match wish.kind {
        Some("palette") => Some(texm::Format::Indexed),
        Some(kind) => kind.parse().ok().and_then(texm::Format::from_number),
        None => example.and_then(Document::format),
    };
    let format = format.unwrap_or_else(|| texm::Format::fitting(image));
    let most = texm::full_count(image.width, image.height);
    let levels = match (NewTexm::from_settings(wish.settings).mips, example) {
        (Some(Mips::One), _) => Levels::Count(1),
        (None, Some(example)) => Levels::Count(example.header.mip_count.get().clamp(1, most)),
        (Some(Mips::Full) | None, _) => Levels::Full,
    };
    let mut made = Document::from_image(image, format, levels, Match::Nearest)?;
    if let Some(example) = example {
        let header = &example.header;
        (made.header.flags_14, made.header.unknown_18) = (header.flags_14, header.unknown_18);
    }
    Ok(Encoded::new(made))
}

impl Looking {
    /// The same as the room has it.
    fn look(&self) -> DecodeOptions {
        let colour = |&[blue, green, red, _]: &[u8; 4]| [red, green, blue, 0xff];
        let colours = self.colours.as_ref().map(|File(bytes)| bytes.as_chunks().0);
        let palette = colours.map(|colours| colours.iter().take(texm::PALETTE_LEN).map(colour).collect());
        DecodeOptions { surface: self.surface, palette, ..DecodeOptions::default() }
    }
}

impl Editable for Document {}

impl Format for Texm {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&texm::MAGIC), has_extension(name, &INFO))
    }

    fn recognise_declared(&self, declared: Declared) -> Likelihood {
        Likelihood::by_magic(declared.type_id.to_le_bytes() == texm::MAGIC, false)
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Texm, texm::read(file, &options.read)?))
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
        texm::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let header = &self.header;
        let said = |key: &'static str, count: u32| OutlineCount {
            count: count.into(),
            ..OutlineCount::machines(key, 0)
        };
        let rects = self.page.as_ref().map_or(&[][..], |page| &page.rects);
        let shown =
            decode(self, 0, &DecodeOptions { most_pixels: MOST_LOOKED_AT, ..DecodeOptions::default() }).ok();
        Outline {
            counts: vec![
                said("width", header.width.get()),
                said("height", header.height.get()),
                OutlineCount { one: Some("level"), ..said("levels", header.mip_count.get()) },
                OutlineCount::new("palette", "colour of a palette", self.palette.len())
                    .many("colours of a palette"),
                OutlineCount::new("rectangles", "rectangle", rects.len()),
            ],
            facts: vec![
                Fact::people("picture", size(self).into()),
                Fact::machines("pixel_format", header.format.get().into()),
                Fact::new("alpha", "alpha", alpha(self, shown.as_ref()).into()),
                Fact::new("colours_used", "colours used", shown.as_ref().map(colours_used).into()),
            ],
            sections: vec![levels(self), page(rects)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        size(self)
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
        self.level_size(Looking::from_settings(settings).level).map(|[width, height]| (width, height))
    }

    fn image(&self, settings: &Settings) -> Result<Image, LiftError> {
        settings.only::<LiftError>(Looking::SETTINGS)?;
        let looking = Looking::from_settings(settings);
        decode(self, looking.level, &looking.look()).map_err(|cause| LiftError { cause })
    }
}

/// `64 × 32 pixels of format 8888`.
fn size(document: &Document) -> String {
    let header = &document.header;
    format!("{} × {} pixels of format {}", header.width, header.height, header.format)
}

/// What there is of alpha.
fn alpha(document: &Document, shown: Option<&Image>) -> &'static str {
    let is_seen = shown.is_some_and(|image| image.rgba.iter().any(|&[.., alpha]| alpha != 0xff));
    let has_bits = document.format().is_some_and(texm::Format::has_alpha);
    match (has_bits, is_seen) {
        (true, true) => "in its pixels",
        (true, false) => "in its pixels, all opaque",
        (false, true) => "index 0",
        (false, false) => "none",
    }
}

fn colours_used(image: &Image) -> usize {
    let mut colours = image.rgba.clone();
    colours.sort_unstable();
    colours.dedup();
    colours.len()
}

fn levels(document: &Document) -> Section {
    let columns = [
        Column::new("level", "#"),
        Column::new("width", "width"),
        Column::new("height", "height"),
        Column::new("size", "bytes"),
    ];
    let row = |level: usize| {
        let [width, height] = document.level_size(level)?;
        let size = document.level(level).map(<[u8]>::len);
        Some(vec![level.into(), width.into(), height.into(), size.map(Cell::count).into()])
    };
    Section::new("levels", "Levels", &columns, (0..folder::MOST_LEVELS).map_while(row).collect())
}

fn page(rects: &[Rect]) -> Section {
    let columns = [
        Column::new("index", "#"),
        Column::new("x", "x"),
        Column::new("y", "y"),
        Column::new("width", "width"),
        Column::new("height", "height"),
    ];
    let row = |(i, rect): (usize, &Rect)| {
        let sides = [rect.x, rect.y, rect.width, rect.height].map(|side| Cell::from(i32::from(side.get())));
        [i.into()].into_iter().chain(sides).collect()
    };
    Section::new("rectangles", "Rectangles", &columns, rects.iter().enumerate().map(row).collect())
}

/// Rectangles from their numbers, four each.
fn rects_of(numbers: &[f64]) -> Result<Option<Vec<Rect>>, EditError> {
    let (fours, odd) = numbers.as_chunks::<4>();
    let whole = |number: f64| {
        let refusal = || {
            let said = format!(
                "whole numbers of 16 bits, four for each rectangle, are wanted: {number} of {}",
                numbers.len()
            );
            EditError::from(crate::codes::ARGUMENT.at(Path::named("page")).saying(said))
        };
        let is_whole = number.fract() == 0.0 && odd.is_empty();
        let small = is_whole.then(|| number.to_string().parse::<i16>().ok()).flatten();
        small.map(Into::into).ok_or_else(refusal)
    };
    if numbers.is_empty() {
        return Ok(None);
    }
    if fours.is_empty() {
        whole(numbers.first().copied().unwrap_or_default())?;
    }
    let rect = |&[x, width, y, height]: &[f64; 4]| {
        Ok(Rect { x: whole(x)?, width: whole(width)?, y: whole(y)?, height: whole(height)? })
    };
    fours.iter().map(rect).collect::<Result<_, EditError>>().map(Some)
}

fn byte(Within(number): Byte) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
