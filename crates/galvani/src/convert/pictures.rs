//! Pictures on the way back: the files of textures without what the pictures of a glTF say, and the files again.
//!
//! Where pixels stand in a file as they are, its file travels along without them; a picture that was not changed puts them back, one
//! that was changed is put in as the file has it. Where pixels are packed with a loss, only how the file was made travels along.

use std::ops::Range;

use galvani_core::budget::{is_exhaustion, unless_exhausted};
use galvani_core::{Diagnostic, Exhausted, FileMap, Image, Meter, Path, Report, room, text};
use galvani_scene::trip::{PicturePairs, PictureSeal};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::back::NamedFiles;
use super::{ConvertError, image as image_of};
use crate::formats::{Encoding, FORMATS, Format, OpenOptions, Opened, Settings, Wish, recognise};
use crate::{budget, codes, image};

/// Bytes of a digest that are kept: pictures are few.
const SEAL: usize = 8;

/// The side of a picture that says how a file was made: large enough to have smaller levels.
const SIDE: u32 = 4;

/// What the pictures of a scene do not say of the files that they come from, but for the bytes.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Pictures {
    /// What every picture is called, and a digest of its pixels.
    images: Vec<(String, String)>,
    files: Vec<KeptFile>,
}

/// What they do not say of one file.
#[derive(Debug, Serialize, Deserialize)]
struct KeptFile(
    /// What it is called, and the format by which it is read; nothing for PNG and TGA.
    String,
    String,
    /// Which picture has its pixels, if one has, and whether it has their alpha, too.
    Option<(usize, bool)>,
    /// What its bytes are, and how many there are.
    KeptAs,
    usize,
);

/// What is kept of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeptAs {
    /// All of it, without what the picture says.
    Rest,
    /// A small file that was made alike.
    Like,
    /// Nothing.
    None,
}

/// Pictures of a glTF with their names, as far as they read.
pub(super) type Found = Vec<(String, Option<Image>)>;

/// Where the files of pictures may be had.
pub(super) type Supply<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

impl Pictures {
    /// What every picture is called, and a digest of its pixels.
    pub(super) fn seals(&self) -> Vec<(String, String)> {
        self.images.clone()
    }

    /// Bytes of what is kept of the files.
    pub(super) fn len(&self) -> usize {
        self.files.iter().map(|KeptFile(.., len)| *len).fold(0, usize::saturating_add)
    }

    /// What is kept of the files that pictures come from, the bytes behind others; they are called as glTF calls them.
    pub(super) fn keep<'f>(
        images: &[galvani_scene::SceneImage],
        names: impl Iterator<Item = String>,
        files: impl Iterator<Item = (&'f String, &'f Vec<u8>)>,
        (bytes, meter): (&mut Vec<u8>, &Meter),
    ) -> Result<Pictures, Exhausted> {
        let seals: Vec<[String; 2]> = images
            .iter()
            .map(|image| [true, false].map(|has_alpha| seal(&image.pixels, has_alpha)))
            .collect();
        let mut kept = Vec::new();
        for (name, file) in files {
            let Some(Keeping { format, shows, kept_as, bytes: own }) = keeping(name, file, &seals, meter)?
            else {
                continue;
            };
            room::append(bytes, &own)?;
            kept.push(KeptFile(name.clone(), format.to_owned(), shows, kept_as, own.len()));
        }
        let files = kept;
        Ok(Pictures { images: names.zip(seals.into_iter().map(|[whole, _]| whole)).collect(), files })
    }

    /// The files of pictures that came back, and what is to be said about them.
    pub(super) fn restored(
        self,
        mut bytes: &[u8],
        (found, beside): (&Found, &[String]),
        (supply, meter): (Supply<'_>, &Meter),
    ) -> Result<(NamedFiles, Report), ConvertError> {
        let mut report = Report::default();
        let mut files = Vec::new();
        let (came, mut new) = came(&self.images, found);
        new.retain(|name| !beside.iter().any(|it| it == name));
        if !new.is_empty() {
            let names: Vec<String> =
                new.into_iter().map(|name| format!("the picture `{name}`, which is new")).collect();
            report.push(codes::LOST_CHANGE.at(Path::named("images")).saying(names.join("; ")));
        }
        for (i, (name, _)) in self.images.iter().enumerate() {
            let has_file = self.files.iter().any(|file| file.2.is_some_and(|(shown, _)| shown == i));
            let is_other = |came: &Came<'_>| came.is_changed || came.image.is_none();
            if came.get(i).is_some_and(is_other) && !has_file {
                let said = format!("the picture `{name}`, which was painted of what files have");
                report.push(codes::LOST_CHANGE.at(Path::named("images").index(i)).saying(said));
            }
        }
        for (i, file) in self.files.into_iter().enumerate() {
            let path = Path::named("images").index(file.2.map_or(i, |(image, _)| image));
            let shown = file.2.and_then(|(image, _)| came.get(image).copied());
            let (own, rest) = bytes.split_at_checked(file.4).unwrap_or_default();
            bytes = rest;
            let name = file.0.clone();
            match file.restored(own, shown, meter)? {
                Outcome::Made(bytes) => files.push((name, bytes)),
                Outcome::Repainted(bytes, cost) => {
                    report.push(codes::REPAINTED.at(path).saying(format!("`{name}`")));
                    report.append(cost);
                    files.push((name, bytes));
                }
                Outcome::NotTaken => {
                    report.push(codes::LOST_CHANGE.at(path).saying(format!("`{name}` cannot be painted")));
                }
                Outcome::Elsewhere => match supply(&name) {
                    Some(bytes) => files.push((name, bytes)),
                    None => report.push(codes::PICTURE_LEFT.at(path).saying(format!("`{name}`")).apart()),
                },
            }
        }
        Ok((files, report))
    }
}

/// A picture that went out, as it came back.
#[derive(Debug, Clone, Copy)]
struct Came<'a> {
    image: Option<&'a Image>,
    is_changed: bool,
}

/// What pictures of a scene are called, and a digest of their pixels.
pub(super) type Seals = [(String, String)];

/// Which picture came back as which.
pub(super) fn pairs(went: &Seals, found: &Found) -> PicturePairs {
    pairs_of(went, found, &seals(found))
}

fn pairs_of(went: &Seals, found: &Found, seals: &[Option<String>]) -> PicturePairs {
    let went: Vec<PictureSeal<'_>> =
        went.iter().map(|(name, seal)| (name.as_str(), Some(seal.as_str()))).collect();
    let names = found.iter().map(|(name, _)| name.as_str());
    let came: Vec<PictureSeal<'_>> = names.zip(seals.iter().map(Option::as_deref)).collect();
    PicturePairs::new(&went, &came)
}

fn seals(found: &Found) -> Vec<Option<String>> {
    found.iter().map(|(_, image)| image.as_ref().map(|image| seal(image, true))).collect()
}

/// For each picture that went out the one that came back, and which of these are new.
fn came<'a>(went: &Seals, found: &'a Found) -> (Vec<Came<'a>>, Vec<&'a str>) {
    let seals = seals(found);
    let pairs = pairs_of(went, found, &seals);
    let at = |i: usize| Some((found.get(i)?.1.as_ref(), seals.get(i)?.as_ref()));
    let of = |((_, old), there): (&(String, String), &Option<usize>)| {
        let (image, seal) = there.and_then(at).unwrap_or_default();
        Came { image, is_changed: seal.is_some_and(|seal| seal != old) }
    };
    let new = found.iter().zip(&pairs.went).filter(|(_, went)| went.is_none());
    (went.iter().zip(&pairs.came).map(of).collect(), new.map(|((name, _), _)| name.as_str()).collect())
}

/// What became of a file.
enum Outcome {
    /// It is what it was.
    Made(Vec<u8>),
    /// It shows another picture.
    Repainted(Vec<u8>, Report),
    /// There is another picture, and no way to put it in.
    NotTaken,
    /// It is what it was, and nobody here knows what.
    Elsewhere,
}

impl KeptFile {
    fn restored(self, kept: &[u8], shown: Option<Came<'_>>, meter: &Meter) -> Result<Outcome, ConvertError> {
        let KeptFile(name, format, shows, kept_as, _) = self;
        let format = FORMATS.iter().copied().find(|other| other.info().id == format);
        let coder = format.and_then(|format| Some((format, format.info().encoding?)));
        let changed = shown.filter(|came| came.is_changed).and_then(|came| came.image);
        Ok(match (coder, kept_as, changed) {
            (Some(coder), KeptAs::Rest | KeptAs::Like, Some(image)) => {
                budget::charge_encoding(meter, image.width, image.height)?;
                let has_alpha = shows.is_some_and(|(_, has_alpha)| has_alpha);
                repainted(coder, (kept, kept_as), image, has_alpha)?
            }
            (_, KeptAs::Rest, None) if shows.is_none() => Outcome::Made(room::copied(kept)?),
            (Some(coder), KeptAs::Rest, None) => match shown.and_then(|came| came.image) {
                Some(image) => Outcome::Made(with_pixels(coder, kept, image)?.ok_or_else(|| {
                    let said = codes::BROKEN_WAY_BACK.at(Path::named("extras")).saying(name);
                    ConvertError { cause: Box::new(said) }
                })?),
                None => Outcome::Elsewhere,
            },
            (_, KeptAs::None, Some(image)) if !name.to_lowercase().ends_with(".tga") => {
                Outcome::Repainted(image::to_png(image)?, Report::default())
            }
            (_, _, Some(_)) => Outcome::NotTaken,
            (_, _, None) => Outcome::Elsewhere,
        })
    }
}

/// What is to be kept of a file.
struct Keeping {
    format: &'static str,
    shows: Option<(usize, bool)>,
    kept_as: KeptAs,
    bytes: Vec<u8>,
}

impl Keeping {
    fn nothing(format: &'static str, shows: Option<(usize, bool)>) -> Self {
        Keeping { format, shows, kept_as: KeptAs::None, bytes: Vec::new() }
    }
}

/// What is to be kept of a file; nothing if it is no picture.
fn keeping(
    name: &str,
    bytes: &[u8],
    seals: &[[String; 2]],
    meter: &Meter,
) -> Result<Option<Keeping>, Exhausted> {
    if image::is_picture(bytes, Some(name)) {
        let read = image::from_file_within(bytes, meter).map_err(|error| error.cause);
        let shows = unless_exhausted(read)?.and_then(|image| shown(&image, seals));
        return Ok(Some(Keeping::nothing("", shows)));
    }
    let coder = recognise(bytes, Some(name)).and_then(|format| Some((format, format.info().encoding?)));
    let Some(coder) = coder else { return Ok(None) };
    let format = coder.0.info().id;
    let Some(opened) = opened(coder.0, bytes)? else { return Ok(Some(Keeping::nothing(format, None))) };
    let Some(image) = decoded(&opened, meter)? else { return Ok(Some(Keeping::nothing(format, None))) };
    let shows = shown(&image, seals);
    if pixels(coder, &opened, &image)?.is_none() {
        let like = like(coder.1, &opened)?;
        let kept_as = if like.is_some() { KeptAs::Like } else { KeptAs::None };
        return Ok(Some(Keeping { format, shows, kept_as, bytes: like.unwrap_or_default() }));
    }
    let said = match shows {
        Some((_, true)) => Some(image),
        Some((_, false)) => Some(opaque(&image)?),
        None => None,
    };
    let rest = said.map(|said| without_pixels(coder, bytes, &said)).transpose()?.flatten();
    let shows = shows.filter(|_| rest.is_some());
    let bytes = rest.map_or_else(|| room::copied(bytes), Ok)?;
    Ok(Some(Keeping { format, shows, kept_as: KeptAs::Rest, bytes }))
}

/// A format that makes files of pictures, and how.
type Coder = (&'static dyn Format, &'static Encoding);

/// A file with another picture: with nothing else changed if it has all of the colours, else made anew as it was.
fn repainted(
    coder: Coder,
    (bytes, kept_as): (&[u8], KeptAs),
    image: &Image,
    has_alpha: bool,
) -> Result<Outcome, ConvertError> {
    let (format, encoding) = coder;
    let Some(old) = opened(format, bytes)? else { return Ok(Outcome::NotTaken) };
    if kept_as == KeptAs::Rest {
        let kept = with_pixels(coder, bytes, image)?;
        let painted = kept.is_some().then(|| painted(coder, &old, bytes, image)).transpose()?.flatten();
        for file in kept.into_iter().chain(painted) {
            let Some(mut document) = opened(format, &file)?.map(|opened| opened.document) else { continue };
            let rebuilt = (encoding.pixels.rebuild)(&mut *document).map_err(|error| error.cause);
            if unless_exhausted(rebuilt)?.is_none() {
                continue;
            }
            let file = document.write()?;
            let shown =
                opened(format, &file)?.map(|opened| decoded(&opened, &Meter::unlimited())).transpose()?;
            if shown.flatten().is_some_and(|shown| seal(&shown, has_alpha) == seal(image, has_alpha)) {
                return Ok(Outcome::Repainted(file, Report::default()));
            }
        }
    }
    let wish = Wish { kind: None, settings: &Settings::default(), like: Some(&*old.document) };
    match (encoding.encode)(image, &wish) {
        Ok(made) => Ok(Outcome::Repainted(made.document.write()?, made.cost)),
        Err(error) if is_exhaustion(&error.cause) => Err(error.into()),
        Err(_) => Ok(Outcome::NotTaken),
    }
}

/// What is left of a file without the pixels of a picture; nothing if it would not come back from that.
fn without_pixels(coder: Coder, file: &[u8], image: &Image) -> Result<Option<Vec<u8>>, Exhausted> {
    let Some(rest) = with_pixels(coder, file, image)? else { return Ok(None) };
    let again = with_pixels(coder, &rest, image)?;
    Ok(again.is_some_and(|again| again == file).then_some(rest))
}

/// A file with the pixels of a picture put back into what was left of it.
fn with_pixels(coder: Coder, rest: &[u8], image: &Image) -> Result<Option<Vec<u8>>, Exhausted> {
    let (format, encoding) = coder;
    let Some(opened) = opened(format, rest)? else { return Ok(None) };
    let Some(made) = pixels(coder, &opened, image)? else { return Ok(None) };
    let Some(place) = place(&opened.map, encoding) else { return Ok(None) };
    let mut file = room::copied(rest)?;
    Ok(mixed(&mut file, place, &made).then_some(file))
}

/// The same with nothing but the pixels of the picture where they are.
fn painted(coder: Coder, old: &Opened, rest: &[u8], image: &Image) -> Result<Option<Vec<u8>>, Exhausted> {
    let (Some(made), Some(place)) = (pixels(coder, old, image)?, place(&old.map, coder.1)) else {
        return Ok(None);
    };
    let mut file = room::copied(rest)?;
    let to = file.get_mut(place).and_then(|place| place.get_mut(..made.len()));
    let is_there = to.map(|to| to.copy_from_slice(&made)).is_some();
    Ok(is_there.then_some(file))
}

fn pixels((_, encoding): Coder, opened: &Opened, image: &Image) -> Result<Option<Vec<u8>>, Exhausted> {
    let made = (encoding.pixels.made)(&*opened.document, image).map_err(|error| error.cause);
    Ok(unless_exhausted(made)?.flatten())
}

/// Takes pixels out of the bytes that they stand in, or puts them back; whether they all fit.
fn mixed(file: &mut [u8], place: Range<usize>, made: &[u8]) -> bool {
    let Some(room) = file.get_mut(place).and_then(|place| place.get_mut(..made.len())) else { return false };
    room.iter_mut().zip(made).for_each(|(byte, made)| *byte ^= made);
    true
}

/// Where the pixels of a file are.
fn place(map: &FileMap, encoding: &Encoding) -> Option<Range<usize>> {
    let path = (encoding.pixels.path)();
    let owned = map.regions().map(|region| (region.path, region.start, region.len));
    let shared = map.aliases().map(|alias| (alias.path, alias.start, alias.len));
    let (_, start, len) = owned.chain(shared).find(|(other, ..)| *other == path)?;
    Some(start..start.checked_add(len)?)
}

/// A small file made as another was.
fn like(encoding: &Encoding, opened: &Opened) -> Result<Option<Vec<u8>>, Exhausted> {
    let rgba = vec![[u8::MAX; 4]; usize::try_from(SIDE.saturating_mul(SIDE)).unwrap_or_default()];
    let dot = Image { width: SIDE, height: SIDE, rgba };
    let wish = Wish { kind: None, settings: &Settings::default(), like: Some(&*opened.document) };
    let made = unless_exhausted((encoding.encode)(&dot, &wish).map_err(|error| error.cause))?;
    let file = made.map(|made| made.document.write().map_err(|error| error.cause));
    Ok(file.map(unless_exhausted).transpose()?.flatten())
}

fn opened(format: &'static dyn Format, bytes: &[u8]) -> Result<Option<Opened>, Exhausted> {
    unless_exhausted(format.open(bytes, &OpenOptions::default()).map_err(|error| error.cause))
}

fn decoded(opened: &Opened, meter: &Meter) -> Result<Option<Image>, Exhausted> {
    let read: Result<Image, Box<Diagnostic>> =
        image_of(opened, &Settings::default(), meter).map_err(|error| error.cause);
    unless_exhausted(read)
}

/// Which of the pictures has the pixels of another, and whether it has their alpha, too.
fn shown(image: &Image, seals: &[[String; 2]]) -> Option<(usize, bool)> {
    let [whole, colours] = [true, false].map(|has_alpha| seal(image, has_alpha));
    let same = seals.iter().position(|[seal, _]| *seal == whole).map(|at| (at, true));
    // One whose alpha means something is another picture; one without any was made opaque.
    let is_opaque = |[seal, opaque]: &[String; 2]| seal == opaque && *opaque == colours;
    same.or_else(|| seals.iter().position(is_opaque).map(|at| (at, false)))
}

fn opaque(image: &Image) -> Result<Image, Exhausted> {
    let rgba = image.rgba.iter().map(|&[red, green, blue, _]| [red, green, blue, u8::MAX]);
    Ok(Image { rgba: room::collected(rgba)?, ..*image })
}

/// A short digest of a picture, with its alpha or as if it had none.
fn seal(image: &Image, has_alpha: bool) -> String {
    let mut digest = Sha256::new();
    digest.update([image.width.to_le_bytes(), image.height.to_le_bytes()].concat());
    if has_alpha {
        digest.update(image.rgba.as_flattened());
    } else {
        for &[red, green, blue, _] in &image.rgba {
            digest.update([red, green, blue, u8::MAX]);
        }
    }
    text::hex(digest.finalize().get(..SEAL).unwrap_or_default())
}

#[cfg(all(test, feature = "parkan", feature = "ff7", feature = "texture"))]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a step that fails is a failed test")]
mod tests {
    use galvani_testkit::cases;

    use super::*;

    /// Every texture of all formats that can be shown, by its file's name.
    fn textures() -> Vec<(String, Vec<u8>, Image)> {
        let mut all = Vec::new();
        for own in FORMATS.iter().filter(|format| format.info().encoding.is_some()) {
            let format = own.info().id;
            for (case, bytes) in cases(format, 10) {
                let name = format!("{case}.{}", own.info().extensions[0]);
                let is_own = recognise(&bytes, Some(&name)).is_some_and(|it| it.info().id == format);
                let shown = opened(*own, &bytes).unwrap().filter(|_| is_own);
                let image = shown.and_then(|opened| decoded(&opened, &Meter::unlimited()).unwrap());
                all.extend(image.map(|image| (name, bytes, image)));
            }
        }
        assert!(all.len() > 60, "{}", all.len());
        all
    }

    fn kept(name: &str, bytes: &[u8], image: &Image) -> (Pictures, Vec<u8>) {
        let (name, bytes) = (name.to_owned(), bytes.to_vec());
        let shown = galvani_scene::SceneImage { name: "it".to_owned(), pixels: image.clone() };
        let names = std::iter::once("it".to_owned());
        let files = std::iter::once((&name, &bytes));
        let mut rest = Vec::new();
        let kept = Pictures::keep(&[shown], names, files, (&mut rest, &Meter::unlimited())).unwrap();
        assert_eq!(kept.len(), rest.len());
        (serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap(), rest)
    }

    /// The file that comes back, if one does, and what is told about it.
    fn back((kept, rest): (Pictures, Vec<u8>), image: Image) -> (Option<Vec<u8>>, Vec<&'static str>) {
        let found = vec![("it".to_owned(), Some(image))];
        let (files, report) = kept.restored(&rest, (&found, &[]), (&|_| None, &Meter::unlimited())).unwrap();
        let told = report.findings().iter().map(|finding| finding.code.name).collect();
        (files.into_iter().next().map(|(_, bytes)| bytes), told)
    }

    #[test]
    fn untouched_textures_come_back() {
        let mut whole = std::collections::BTreeMap::new();
        for (name, bytes, image) in textures() {
            let kept = kept(&name, &bytes, &image);
            let KeptFile(_, format, shows, kept_as, _) = &kept.0.files[0];
            if *kept_as != KeptAs::Rest {
                let told = (None, vec!["file.picture-left"]);
                assert_eq!(back(kept, image), told, "{name}");
                continue;
            }
            *whole.entry(format.clone()).or_insert(0) += usize::from(shows.is_some());
            let (made, told) = back(kept, image);
            assert!(made.as_ref() == Some(&bytes) && told.is_empty(), "{name}: {told:?}");
        }
        assert!(whole.len() == 4 && whole.values().all(|count| *count > 4), "{whole:?}");
    }

    /// A picture with one pixel like another one changes nothing but that, where levels need not follow.
    #[test]
    fn a_changed_pixel_is_a_changed_pixel() {
        let mut count = 0;
        for (name, bytes, image) in textures() {
            let kept = kept(&name, &bytes, &image);
            let is_exact = kept.0.files[0].3 == KeptAs::Rest && kept.0.files[0].2.is_some();
            let mut other = image.clone();
            let Some(first) = image.rgba.first().copied() else { continue };
            let Some(last) = other.rgba.iter_mut().rev().find(|pixel| **pixel != first) else { continue };
            *last = first;
            if !is_exact {
                continue;
            }
            let (made, told) = back(kept, other.clone());
            let made = made.unwrap();
            assert!(told.contains(&"file.repainted"), "{name}: {told:?}");
            let format = recognise(&made, Some(&name)).unwrap();
            let shown = decoded(&opened(format, &made).unwrap().unwrap(), &Meter::unlimited()).unwrap();
            assert_eq!(shown, Some(other), "{name}");
            // What has smaller levels has them made anew.
            let differing = made.iter().zip(&bytes).filter(|(new, old)| new != old).count();
            let has_levels = format.info().extensions != ["tex"];
            assert!(has_levels || made.len() == bytes.len() && differing <= 4, "{name}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }

    /// A picture of another size and other colours is made as the file was.
    #[test]
    fn another_picture_is_made_alike() {
        let rgba = (0..64_u8).map(|i| [i.wrapping_mul(4), 255 - i, i.wrapping_mul(31), 255]).collect();
        let other = Image { width: 8, height: 8, rgba };
        for (name, bytes, image) in textures() {
            let kept = kept(&name, &bytes, &image);
            if kept.0.files[0].2.is_none() || kept.0.files[0].3 == KeptAs::None {
                continue;
            }
            let (made, told) = back(kept, other.clone());
            let Some(made) = made else {
                assert_eq!(told, ["file.lost-change"], "{name}");
                continue;
            };
            let format = recognise(&made, Some(&name)).unwrap();
            let opened = opened(format, &made).unwrap().unwrap();
            let shown = decoded(&opened, &Meter::unlimited()).unwrap().unwrap();
            assert_eq!((shown.width, shown.height), (8, 8), "{name}");
        }
    }
}
