//! The way back of pictures: textures come back with their models, exactly where nothing was lost in them, and a picture that was
//! repainted is in its file.
#![cfg(all(
    feature = "parkan",
    feature = "ff7",
    feature = "mdx",
    feature = "texture",
    feature = "gltf",
    feature = "fs"
))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use galvani::formats::{self, Links, Site};
use galvani::image::{self, Image};
use galvani::{Meter, OpenOptions, convert};
use serde_json::json;
use way_back::{NamedFiles, Samples, all_restored, converted, glb, joined, parts, sample};

/// A texture that ships, in its folder or in its archive.
fn texture(name: &str) -> Vec<u8> {
    let base = name.rsplit(['/', '\\']).next().unwrap();
    if let Some(found) = Samples.find(base) {
        return found.into_owned();
    }
    let library = formats::by_id("nres").unwrap();
    let library = library.open(&sample("textures.lib"), &OpenOptions::default()).unwrap();
    let archive = library.document.as_archive().unwrap();
    let members = archive.members();
    let index = members.iter().position(|member| member.name.eq_ignore_ascii_case(base.as_bytes())).unwrap();
    archive.member(index).unwrap().to_vec()
}

fn named<'f>(files: &'f NamedFiles, name: &str) -> &'f [u8] {
    let base = |file: &str| file.rsplit(['/', '\\']).next().unwrap().to_owned();
    let found = files.iter().find(|(file, _)| base(file).eq_ignore_ascii_case(name));
    &found.unwrap_or_else(|| panic!("{name} of {:?}", files.iter().map(|it| &it.0).collect::<Vec<_>>())).1
}

#[test]
fn textures_come_back_with_their_models() {
    for (model, textures) in [
        ("boat.hrc", &["paper.tex", "glow.tex"][..]),
        ("zgaa", &["zgac"]),
        ("walker.msh", &["walker.wea", "PLATES.0", "STEEL.0", "STRIPES.0", "GLASS.0"]),
        ("lantern.mdx", &["LanternGlow.blp"]),
    ] {
        let (files, told) = all_restored(&glb(model, &sample(model), &[])).unwrap();
        assert!(told.iter().all(|told| *told == "file.picture-left"), "{model}: {told:?}");
        for name in textures {
            assert!(named(&files, name) == texture(name), "{model}: {name}");
        }
    }
}

/// Replaces the picture of a glTF; the pictures are the last bytes of a file of ours.
fn repainted(glb: &[u8], index: usize, image: &Image) -> Vec<u8> {
    let (mut text, mut bytes) = parts(glb);
    let view = usize::try_from(text["images"][index]["bufferView"].as_u64().unwrap()).unwrap();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let png = image::to_png(image).unwrap();
    text["bufferViews"][view] = json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": png.len()});
    bytes.extend(png);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    text["buffers"][0]["byteLength"] = json!(bytes.len());
    joined(&text, &bytes)
}

fn picture(glb: &[u8], name: &str) -> (usize, Image) {
    let (text, bytes) = parts(glb);
    let images = text["images"].as_array().unwrap();
    let index = images.iter().position(|image| image["name"].as_str().unwrap().eq_ignore_ascii_case(name));
    let index = index.unwrap_or_else(|| panic!("{name} of {images:?}"));
    let view = &text["bufferViews"][usize::try_from(images[index]["bufferView"].as_u64().unwrap()).unwrap()];
    let number = |key: &str| usize::try_from(view[key].as_u64().unwrap_or(0)).unwrap();
    let start = number("byteOffset");
    (index, image::from_png(&bytes[start..start + number("byteLength")]).unwrap())
}

fn shown(name: &str, file: &[u8]) -> Image {
    let format = formats::recognise(file, Some(name)).unwrap();
    let opened = format.open(file, &OpenOptions::default()).unwrap();
    convert::image(&opened, &formats::Settings::default(), &Meter::unlimited()).unwrap()
}

#[test]
fn one_changed_pixel_is_one_changed_byte() {
    let glb = glb("boat.hrc", &sample("boat.hrc"), &[]);
    let (index, mut image) = picture(&glb, "paper.tex");
    let first = image.rgba[0];
    let other = image.rgba.iter().position(|pixel| *pixel != first).unwrap();
    image.rgba[other] = first;
    let (files, told) = all_restored(&repainted(&glb, index, &image)).unwrap();
    assert_eq!(told, ["file.repainted"]);
    for (name, made) in &files {
        let old = texture(name);
        let differing = old.iter().zip(made).filter(|(old, new)| old != new).count();
        assert_eq!((old.len() == made.len(), differing), (true, usize::from(name == "paper.tex")), "{name}");
    }
    assert_eq!(shown("paper.tex", named(&files, "paper.tex")), image);
}

#[test]
fn new_colours_are_in_the_file_too() {
    for (model, texture, shows) in [
        ("boat.hrc", "paper.tex", "paper.tex"),
        ("walker.msh", "PLATES.0", "PLATES.0"),
        ("zgaa", "zgac", "zgac"),
    ] {
        let glb = glb(model, &sample(model), &[]);
        let (index, mut image) = picture(&glb, shows);
        for pixel in image.rgba.iter_mut().take(40) {
            *pixel = [1, 250, 3, pixel[3]];
        }
        let (files, told) = all_restored(&repainted(&glb, index, &image)).unwrap();
        assert_eq!(told, ["file.repainted"], "{model}");
        let made = shown(texture, named(&files, texture));
        let colours = |image: &Image| -> Vec<[u8; 3]> {
            image.rgba.iter().map(|[red, green, blue, _]| [*red, *green, *blue]).collect()
        };
        assert_eq!(colours(&made), colours(&image), "{model}");
    }
}

/// Pixels that are packed with a loss are not unpacked and packed again: their file is copied, or left alone.
#[test]
fn lossy_files_are_copied_if_they_are_at_hand() {
    let glb = converted("lantern-wow.mdx", &sample("lantern-wow.mdx"), &[]).unwrap();
    let opened = formats::by_id("gltf").unwrap().open(&glb, &OpenOptions::default()).unwrap();
    let back = |site: &Site<'_>| convert::restored(&opened, site, &Meter::unlimited()).unwrap();
    let alone = back(&Site::NOWHERE);
    let told: Vec<&str> = alone.report.findings().iter().map(|finding| finding.code.name).collect();
    assert!(!told.is_empty() && told.iter().all(|told| *told == "file.picture-left"), "{told:?}");
    let beside = back(&Site::named("x.glb", &Samples));
    assert!(beside.report.findings().is_empty(), "{:?}", beside.report.findings());
    assert_eq!(beside.files.len(), alone.files.len() + told.len());
    for (name, bytes) in &beside.files[1..] {
        assert!(*bytes == texture(name), "{name}");
    }
}

/// A picture of a lossy file that was changed is packed as the file was.
#[test]
fn a_changed_picture_of_a_lossy_file_is_packed_again() {
    let glb = glb("lantern-wow.mdx", &sample("lantern-wow.mdx"), &[]);
    let (text, _) = parts(&glb);
    let mut seen = 0;
    for image in text["images"].as_array().unwrap() {
        let (index, mut image) = picture(&glb, image["name"].as_str().unwrap());
        image.rgba.iter_mut().for_each(|pixel| *pixel = [200, 30, 30, pixel[3]]);
        let (files, told) = all_restored(&repainted(&glb, index, &image)).unwrap();
        assert!(told.contains(&"file.repainted") || told.contains(&"file.lost-change"), "{told:?}");
        for (name, bytes) in files[1..].iter().filter(|(name, bytes)| *bytes != texture(name)) {
            let [red, green, ..] = shown(name, bytes).rgba[0];
            assert!(red.abs_diff(200) < 8 && green.abs_diff(30) < 8, "{name}: {red} {green}");
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// Everything travels along if somebody asks for it.
#[test]
fn embedded_files_come_back_whatever_they_are() {
    for model in ["lantern.mdx", "lantern-wow.mdx", "walker.msh"] {
        let glb = glb(model, &sample(model), &[("embed-source", "yes")]);
        let (files, told) = all_restored(&glb).unwrap();
        assert!(told.is_empty(), "{model}: {told:?}");
        for (name, bytes) in &files {
            let old = if *name == model { sample(model) } else { texture(name) };
            assert!(*bytes == old, "{model}: {name}");
        }
    }
}

/// The same with a new picture in place of one, which stands behind the others.
fn replaced(glb: &[u8], gone: usize, image: &Image) -> Vec<u8> {
    let (mut text, mut bytes) = parts(glb);
    let images = text["images"].as_array_mut().unwrap();
    images.remove(gone);
    let last = images.len();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let png = image::to_png(image).unwrap();
    let view = json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": png.len()});
    bytes.extend(png);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    text["buffers"][0]["byteLength"] = json!(bytes.len());
    let views = text["bufferViews"].as_array_mut().unwrap();
    views.push(view);
    let new = json!({"name": "new", "mimeType": "image/png", "bufferView": views.len() - 1});
    text["images"].as_array_mut().unwrap().push(new);
    for texture in text["textures"].as_array_mut().unwrap() {
        let source = usize::try_from(texture["source"].as_u64().unwrap()).unwrap();
        let now = if source == gone { last } else { source - usize::from(source > gone) };
        texture["source"] = json!(now);
    }
    joined(&text, &bytes)
}

/// A new picture is in the file of no other one, and is told; so is what shows it.
#[test]
fn a_new_picture_goes_into_no_file_of_another() {
    let model = "boat.hrc";
    let glb = glb(model, &sample(model), &[]);
    let image = Image { width: 2, height: 2, rgba: vec![[9, 200, 30, 255]; 4] };
    let other = replaced(&glb, 0, &image);
    let (files, told) = all_restored(&other).unwrap();
    assert!(!told.contains(&"file.repainted") && told.contains(&"file.lost-change"), "{told:?}");
    let own = |name: &str| ["paper.tex", "glow.tex"].contains(&name);
    for (name, bytes) in files.iter().filter(|(name, _)| own(name)) {
        assert!(*bytes == texture(name), "{name}");
    }
    let site = Site::named(model, &Samples);
    let bytes = sample(model);
    let base = formats::recognise(&bytes, Some(model)).unwrap();
    let base = base.open_at(&bytes, &OpenOptions::default(), &site).unwrap();
    let opened = formats::by_id("gltf").unwrap().open(&other, &OpenOptions::default()).unwrap();
    let target = convert::ModelTarget::by_word(base.format.info().way_back.unwrap().word).unwrap();
    let wish = convert::ModelWish { base: Some((&base, &site)), ..convert::ModelWish::default() };
    let asked = (&formats::Settings::default(), &Meter::unlimited());
    let made = convert::model(&opened, &Site::NOWHERE, target, &wish, asked).unwrap();
    let told: Vec<String> =
        made.report.findings().iter().map(|it| format!("{}: {}", it.code.name, it.message)).collect();
    let is_told = |code: &str, said: &str| told.iter().any(|it| it.starts_with(code) && it.contains(said));
    assert!(is_told("file.lost-change", "the picture `new`, which is new"), "{told:?}");
    assert!(is_told("scene.not-taken", "has another picture"), "{told:?}");
    assert_eq!(made.files.iter().filter(|(name, _)| own(name)).count(), 2);
    for (name, bytes) in made.files.iter().filter(|(name, _)| own(name)) {
        assert!(*bytes == texture(name), "{name}");
    }
}
