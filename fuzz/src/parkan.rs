//! Textures, materials and material tables of Parkan under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::{Image, ReadOptions, Strictness};
use galvani_parkan::texm::edit::Levels;
use galvani_parkan::texm::{DecodeOptions, Match};
use galvani_parkan::{mat0, texm, wear};
use galvani_testkit::{options, reads_or_refuses};

use crate::archive::{edits_and_file, is_accounted_for};

/// Most pixels of a picture that is decoded.
const PIXELS: u64 = 1 << 16;

const BOTH: [Strictness; 2] = [Strictness::Tolerant, Strictness::Strict];

fn look() -> DecodeOptions {
    DecodeOptions { most_pixels: PIXELS, ..DecodeOptions::default() }
}

/// Reads in both strictnesses, checks, places the findings, dumps every value and decodes levels; a level that is given
/// its own picture stays as it is.
pub(crate) fn read_texm(data: &[u8]) {
    for strictness in BOTH {
        let Ok(found) = texm::read(data, &options(strictness)) else { continue };
        is_accounted_for(&found, data, texm::check);
        for level in [0, 1, 2, 40] {
            let Ok(image) = texm::decode(&found.document, level, &look()) else { continue };
            assert_eq!(found.document.level_size(level), Some([image.width, image.height]));
            let mut again = found.document.clone();
            let set = texm::edit::set_mip(&mut again, level, &image, Match::Exact, &look());
            set.expect("a picture that is shown already can be had");
            assert_eq!(again, found.document);
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_texm(data: &[u8]) {
    for strictness in BOTH {
        let options = options(strictness);
        reads_or_refuses("texm", data, |file| texm::read(file, &options), texm::write);
    }
}

/// One edit of a texture.
#[derive(Debug, Arbitrary)]
enum TexmEdit {
    ReplaceImage(u8, u8, [u8; 4]),
    SetMip(u8, [u8; 4]),
    RebuildMips(u8),
    SetColour(u8, [u8; 3]),
    SetField(u32),
    Page(Option<Vec<[i16; 4]>>),
    MakeCanonical,
}

/// Edits and a texture: what comes of it can be written, and reads as itself.
pub(crate) fn edit_texm(data: &[u8]) {
    let Some((edits, file)) = edits_and_file(data) else { return };
    let Ok(found) = texm::read(file, &ReadOptions::default()) else { return };
    let mut document = found.document;
    for edit in Vec::<TexmEdit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default() {
        let before = document.clone();
        let outcome = match edit {
            TexmEdit::ReplaceImage(width, height, colour) => {
                let image = painted([u32::from(width % 32) + 1, u32::from(height % 32) + 1], colour);
                texm::edit::replace_image(&mut document, &image, Match::Nearest, &look())
            }
            TexmEdit::SetMip(level, colour) => {
                let level = usize::from(level % 8);
                let size = document.level_size(level).filter(|size| size.iter().all(|&side| side <= 256));
                let image = painted(size.unwrap_or([1, 1]), colour);
                texm::edit::set_mip(&mut document, level, &image, Match::Nearest, &look())
            }
            TexmEdit::RebuildMips(count) => {
                let levels = if count == 0 { Levels::Full } else { Levels::Count(u32::from(count % 12)) };
                texm::edit::rebuild_mips(&mut document, levels)
            }
            TexmEdit::SetColour(index, colour) => texm::edit::set_colour(&mut document, index, colour),
            TexmEdit::SetField(value) => {
                texm::edit::set_field(&mut document, texm::edit::Field::Flags14, value);
                Ok(())
            }
            TexmEdit::Page(rects) => {
                let rect = |[x, width, y, height]: [i16; 4]| texm::Rect {
                    x: x.into(),
                    width: width.into(),
                    y: y.into(),
                    height: height.into(),
                };
                let rects = rects.map(|rects| rects.into_iter().map(rect).collect());
                texm::edit::set_page(&mut document, rects)
            }
            TexmEdit::MakeCanonical => texm::edit::make_canonical(&mut document).map(drop),
        };
        if outcome.is_err() {
            assert_eq!(document, before, "what is refused changes nothing");
        }
        let Ok(written) = texm::write(&document) else { return is_hidden_page(&document) };
        let again = texm::read(&written, &ReadOptions::default()).expect("what was written reads").document;
        assert_eq!(again, document);
    }
}

/// Without its rectangles a texture may end in what looks like some.
fn is_hidden_page(document: &texm::Document) {
    assert!(document.page.is_none() && document.rest.starts_with(b"Page"));
}

fn painted([width, height]: [u32; 2], colour: [u8; 4]) -> Image {
    let shade = |i: u32| colour.map(|channel| channel.wrapping_mul(i.to_le_bytes()[0]));
    Image { width, height, rgba: (0..width * height).map(shade).collect() }
}

/// Reads in both strictnesses and as every version, checks, places the findings, dumps every value and plays every
/// track.
pub(crate) fn read_mat0(data: &[u8]) {
    for strictness in BOTH {
        let options = options(strictness);
        let by_version = (0..7).map(|version| mat0::read_as(data, version, &options));
        for found in by_version.chain([mat0::read(data, &options)]).flatten() {
            is_accounted_for(&found, data, mat0::check);
            for track in 0..found.document.tracks.len().min(8) {
                for time in [0, 1, 999, 65_535, u32::MAX] {
                    let _ = found.document.phase_at(track, time);
                }
            }
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_mat0(data: &[u8]) {
    for strictness in BOTH {
        let options = options(strictness);
        reads_or_refuses("mat0", data, |file| mat0::read(file, &options), mat0::write);
        for version in 0..7 {
            reads_or_refuses("mat0", data, |file| mat0::read_as(file, version, &options), mat0::write);
        }
    }
}

/// One edit of a material.
#[derive(Debug, Arbitrary)]
enum Mat0Edit {
    Speed(f32),
    Colour(u8, [u8; 3]),
    Alpha(u8, u8),
    Power(u8, u8),
    Cell(u8, Option<u8>),
    Texture(u8, Vec<u8>),
    AddPhase(u8),
    RemovePhase(u8),
    AddTrack(u32),
    RemoveTrack(u8),
    AddKey(u8, u16, u16),
    SetKey(u8, u8, u16, u16),
    RemoveKey(u8, u8),
    MakeCanonical,
}

/// Edits and a material: what comes of it can be written, and reads as itself.
pub(crate) fn edit_mat0(data: &[u8]) {
    use mat0::edit;
    let Some((edits, file)) = edits_and_file(data) else { return };
    let Ok(found) = mat0::read(file, &ReadOptions::default()) else { return };
    let mut document = found.document;
    let at = |place: u8| usize::from(place % 8);
    for one in Vec::<Mat0Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default() {
        let before = document.clone();
        let document = &mut document;
        let outcome = match one {
            Mat0Edit::Speed(speed) => edit::set_head(document, edit::HeadField::GroundSpeed(speed)),
            Mat0Edit::Colour(phase, rgb) => edit::set_colour(document, at(phase), edit::Colour::Diffuse, rgb),
            Mat0Edit::Alpha(phase, alpha) => {
                edit::set_alpha(document, at(phase), edit::Colour::Ambient, alpha)
            }
            Mat0Edit::Power(phase, power) => edit::set_power(document, at(phase), power),
            Mat0Edit::Cell(phase, cell) => edit::set_cell(document, at(phase), cell),
            Mat0Edit::Texture(phase, name) => edit::set_texture(document, at(phase), &name),
            Mat0Edit::AddPhase(like) => match document.phases.get(at(like)).copied() {
                Some(phase) => edit::add_phase(document, phase),
                None => Ok(()),
            },
            Mat0Edit::RemovePhase(phase) => edit::remove_phase(document, at(phase)),
            Mat0Edit::AddTrack(word) => edit::add_track(document, mat0::Track { word, keys: Vec::new() }),
            Mat0Edit::RemoveTrack(track) => edit::remove_track(document, at(track)),
            Mat0Edit::AddKey(track, phase, time) => edit::add_key(document, at(track), phase % 8, time),
            Mat0Edit::SetKey(track, key, phase, time) => {
                edit::set_key(document, at(track), at(key), phase % 8, time)
            }
            Mat0Edit::RemoveKey(track, key) => edit::remove_key(document, at(track), at(key)),
            Mat0Edit::MakeCanonical => edit::make_canonical(document).map(drop),
        };
        if outcome.is_err() {
            assert_eq!(*document, before, "what is refused changes nothing");
        }
        let written = mat0::write(document).expect("what was edited can be written");
        let again = mat0::read_as(&written, document.version, &ReadOptions::default());
        assert_eq!(again.expect("what was written reads").document, *document);
    }
}

/// Reads in both strictnesses, checks, places the findings and dumps every value.
pub(crate) fn read_wear(data: &[u8]) {
    for strictness in BOTH {
        let Ok(found) = wear::read(data, &options(strictness)) else { continue };
        is_accounted_for(&found, data, wear::check);
        let table = found.document.table();
        assert_eq!(wear::has_lightmaps(data), table.lightmaps.is_some());
        if let Some(count) = wear::row_count(data) {
            assert!(table.materials.rows.len() <= count);
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_wear(data: &[u8]) {
    for strictness in BOTH {
        let options = options(strictness);
        reads_or_refuses("wear", data, |file| wear::read(file, &options), wear::write);
    }
}

/// One edit of a material table.
#[derive(Debug, Arbitrary)]
enum WearEdit {
    SetName(bool, u8, [u8; 3]),
    AddRow(bool, [u8; 3]),
    RemoveRow(bool, u8),
    Renumber,
    MakeCanonical,
}

/// Edits and a material table: its names are those of a plain list after the same edits.
pub(crate) fn edit_wear(data: &[u8]) {
    use wear::edit;
    let Some((edits, file)) = edits_and_file(data) else { return };
    let mut document = wear::Document { text: file.to_vec() };
    let which = |lightmaps: bool| if lightmaps { wear::Which::Lightmaps } else { wear::Which::Materials };
    for one in Vec::<WearEdit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default() {
        let mut model = names(&document);
        let before = document.clone();
        let outcome = match one {
            WearEdit::SetName(lightmaps, row, name) => {
                let row = usize::from(row % 8);
                let done = edit::set_name(&mut document, which(lightmaps), row, &name);
                if done.is_ok() {
                    model[usize::from(lightmaps)][row] = name.to_vec();
                }
                done
            }
            WearEdit::AddRow(lightmaps, name) => {
                let done = edit::add_row(&mut document, which(lightmaps), &name);
                if done.is_ok() {
                    model[usize::from(lightmaps)].push(name.to_vec());
                }
                done
            }
            WearEdit::RemoveRow(lightmaps, row) => {
                let row = usize::from(row % 8);
                let done = edit::remove_row(&mut document, which(lightmaps), row);
                if done.is_ok() {
                    model[usize::from(lightmaps)].remove(row);
                }
                if lightmaps && model[1].is_empty() {
                    // A second table that was no table before may be one now.
                    return;
                }
                done
            }
            WearEdit::Renumber => {
                edit::renumber(&mut document).expect("there is room");
                Ok(())
            }
            WearEdit::MakeCanonical => edit::make_canonical(&mut document).map(drop),
        };
        if outcome.is_err() {
            assert_eq!(document, before, "what is refused changes nothing");
        }
        assert_eq!(names(&document), model);
    }
}

fn names(document: &wear::Document) -> [Vec<Vec<u8>>; 2] {
    let table = document.table();
    let of = |rows: &wear::WearRows<'_>| rows.rows.iter().map(|row| row.name.bytes.to_vec()).collect();
    [of(&table.materials), table.lightmaps.as_ref().map(|lightmaps| of(&lightmaps.rows)).unwrap_or_default()]
}
