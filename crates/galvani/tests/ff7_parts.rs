//! FF7 polygon files and textures behind the common door: recognised, taken apart and put together, as pictures.
#![cfg(all(feature = "parkan", feature = "ff7"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

use std::path::Path;

use galvani::convert::Target;
use galvani::formats::Settings;
use galvani::formats::ff7_tex::Colouring;
use galvani::formats::{self, Format, Step};
use galvani::image::{from_png, to_png};
use galvani::{Meter, OpenOptions, ReadOptions, Severity, convert, samples};
use galvani_testkit::assemble_file;
use serde_json::json;
use zerocopy::little_endian::F32;

fn format(id: &str) -> &'static dyn Format {
    formats::by_id(id).unwrap()
}

fn id(file: &[u8], name: Option<&str>) -> Option<&'static str> {
    formats::recognise(file, name).map(|format| format.info().id)
}

fn sample(name: &str) -> Vec<u8> {
    samples::all()
        .into_iter()
        .find(|sample| sample.name == name || sample.name == format!("frog/{name}"))
        .unwrap()
        .bytes
}

/// Folder, name and bytes of every case of every format.
fn cases() -> Vec<(String, String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let names = |path: &Path| -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let mut cases = Vec::new();
    for folder in names(&root) {
        for case in names(&root.join(&folder)) {
            let listing = root.join(&folder).join(&case).join("build.txt");
            if listing.exists() {
                cases.push((folder.clone(), case, assemble_file(&listing)));
            }
        }
    }
    cases
}

#[test]
fn nobody_is_mistaken_for_another() {
    for (folder, case, file) in cases() {
        let found = id(&file, None);
        let ours = ["ff7-p", "ff7-tex", "ff7-skeleton"];
        if ours.contains(&folder.as_str()) {
            assert!(found.is_none() || found == Some(&folder), "{folder}/{case} is {found:?}");
        } else {
            assert!(found.is_none_or(|found| !ours.contains(&found)), "{folder}/{case} is {found:?}");
        }
    }
    for (name, wanted) in [
        ("depot.rlb", "nres"),
        ("walker.msh", "msh"),
        ("zgan", "ff7-p"),
        ("zgac", "ff7-tex"),
        ("zgaa", "ff7-skeleton"),
        ("zgda", "ff7-pack"),
    ] {
        assert_eq!(id(&sample(name), None), Some(wanted));
        for other in ["x.p", "x.tex", "zgam", "zgac", "zgaa", "zgda", "x.p03", "x.T99", "x.d", "x.a00"] {
            assert_eq!(id(&sample(name), Some(other)), Some(wanted), "{name} as {other}");
        }
    }
}

#[test]
fn names_help_where_the_shape_does_not() {
    let broken = [&[1, 0, 0, 0][..], &[0; 300]].concat();
    for (name, wanted) in [
        ("hana.p", "ff7-p"),
        ("A.P", "ff7-p"),
        ("ice.p07", "ff7-p"),
        ("rtam", "ff7-p"),
        ("RTCZ", "ff7-p"),
        ("eye.tex", "ff7-tex"),
        ("ice.T07", "ff7-tex"),
        ("rtac", "ff7-tex"),
        ("RTAL", "ff7-tex"),
        ("rtaa", "ff7-skeleton"),
        ("RTAA", "ff7-skeleton"),
        ("ifrit.D", "ff7-skeleton"),
    ] {
        assert_eq!(id(&broken, Some(name)), Some(wanted), "{name}");
        assert_eq!(formats::recognise_content(&broken, Some(name)).map(|it| it.info().id), None, "{name}");
    }
    for name in ["rtaa", "rtda", "rtab", "ice.p7", "ice.p007", "ice.px7", "rt.am", "rtamm"] {
        assert!(!matches!(id(&broken, Some(name)), Some("ff7-p" | "ff7-tex")), "{name}");
    }
    assert_eq!(id(b"once upon a time", Some("spam")), None, "four letters alone prove nothing");
}

#[test]
fn every_case_comes_back_from_its_folder() {
    let mut folders = 0;
    for (folder, case, file) in cases().into_iter().filter(|(folder, ..)| folder.starts_with("ff7-")) {
        let Some(format) = formats::by_id(&folder) else { continue };
        let Ok(opened) = format.open(&file, &OpenOptions::default()) else { continue };
        let unpacked = opened.document.unpack().unwrap();
        assert!(format.pack(&unpacked).unwrap() == file, "{folder}/{case}");
        if folder == "ff7-p" || folder == "ff7-tex" {
            // Every field has a name: what is left as bytes is pixels and what nobody understands.
            let is_bytes = |name: &&String| Path::new(name).extension().is_none_or(|it| it != "json");
            let mut bytes = unpacked.files.keys().filter(is_bytes);
            assert!(bytes.all(|name| name == "pixels.bin" || name == "rest.bin"), "{folder}/{case}");
        }
        folders += 1;
    }
    assert!(folders >= 38, "{folders}");
}

#[test]
fn a_record_more_is_one_change() {
    let opened = format("ff7-p").open(&sample("zgan"), &OpenOptions::default()).unwrap();
    let mut folder = opened.document.unpack().unwrap();
    assert_eq!(folder.manifest["header"]["edges"], json!("count"));
    let edges = folder.files.get_mut("sections/edges.json").unwrap();
    let mut rows: Vec<serde_json::Value> = serde_json::from_slice(edges).unwrap();
    rows.push(json!([0, 1]));
    *edges = serde_json::to_vec(&rows).unwrap();
    let packed = format("ff7-p").pack(&folder).unwrap();
    assert_eq!(packed.len(), sample("zgan").len() + 4);
    let again = format("ff7-p").open(&packed, &OpenOptions::default()).unwrap();
    assert_eq!(again.check().tally(Severity::Error), 0);
}

#[test]
fn folders_that_say_no_file_are_refused_by_name() {
    let why = |name: &str, change: &dyn Fn(&mut formats::Folder)| {
        let id = id(&sample(name), None).unwrap();
        let mut folder =
            format(id).open(&sample(name), &OpenOptions::default()).unwrap().document.unpack().unwrap();
        change(&mut folder);
        format(id).pack(&folder).unwrap_err().cause.message
    };
    assert_eq!(why("zgan", &|folder| folder.manifest["format"] = json!("msh")), "format: `ff7-p` is wanted");
    assert_eq!(why("zgan", &|folder| folder.manifest["more"] = json!(1)), "`more` is no key here");
    assert_eq!(
        why("zgan", &|folder| folder.manifest["sections"]["wings"] = json!("x")),
        "sections: `wings` is no section"
    );
    assert_eq!(
        why("zgan", &|folder| drop(folder.files.remove("sections/polys.json"))),
        "no file \"sections/polys.json\" in the folder"
    );
    assert_eq!(
        why("zgan", &|folder| folder.manifest["header"]["verts"] = json!(3)),
        "verts: 3 records counted, 57 there"
    );
    assert_eq!(
        why("zgan", &|folder| folder.manifest["header"]["version"] = json!("new")),
        "header: `version`: \"new\" does not fit u32"
    );
    assert_eq!(
        why("zgac", &|folder| folder.manifest["header"]["width"] = json!(31)),
        "pixels: 992 bytes as the header says, 1024 there"
    );
    let text =
        why("zgac", &|folder| drop(folder.files.insert("palette.json".to_owned(), b"[[1,2,3]]".to_vec())));
    assert_eq!(text, "palette[0]: `bgra`: [1,2,3] does not fit u8");
}

#[test]
fn a_folder_that_says_no_skeleton_is_refused_by_name() {
    let why = |change: &dyn Fn(&mut formats::Folder)| {
        let skeleton = format("ff7-skeleton");
        let mut folder =
            skeleton.open(&sample("zgaa"), &OpenOptions::default()).unwrap().document.unpack().unwrap();
        change(&mut folder);
        skeleton.pack(&folder).unwrap_err().cause.message
    };
    assert_eq!(why(&|folder| folder.manifest["format"] = json!("msh")), "format: `ff7-skeleton` is wanted");
    assert_eq!(why(&|folder| folder.manifest["more"] = json!(1)), "`more` is no part of a skeleton");
    assert_eq!(why(&|folder| folder.manifest["bones"] = json!({})), "bones: a list is wanted");
    assert_eq!(
        why(&|folder| folder.manifest["rest"] = json!("rest.bin")),
        "rest: no file \"rest.bin\" in the folder"
    );
    let counted = why(&|folder| folder.manifest["header"]["bone_count"] = json!(3));
    assert_eq!(counted, "header: 3 bones counted, 17 there");
    let counted = why(&|folder| {
        folder.manifest["header"]["bone_count"] = json!(18);
        folder.manifest["rest"] = json!("rest.bin");
        folder.files.insert("rest.bin".to_owned(), vec![0; 12]);
    });
    assert_eq!(counted, "header: 18 bones counted, 17 there");
    let kind = why(&|folder| folder.manifest["header"]["kind"] = json!(-1));
    assert_eq!(kind, "header: `kind`: -1 does not fit u32");
    let length = why(&|folder| folder.manifest["bones"][4]["length"] = json!("long"));
    assert!(length.starts_with("bones[4]: `length`"), "{length}");
}

#[test]
fn a_picture_goes_out_and_comes_back_as_the_same_texture() {
    let mut files: Vec<(String, Vec<u8>)> = cases()
        .into_iter()
        .filter(|(folder, ..)| folder == "ff7-tex")
        .map(|(_, case, file)| (case, file))
        .collect();
    files.push(("zgac".to_owned(), sample("zgac")));
    let tex = format("ff7-tex");
    let mut pictures = 0;
    for (name, file) in files {
        let Ok(opened) = tex.open(&file, &OpenOptions::default()) else { continue };
        for palette in ["0", "1"] {
            let settings = Settings::from_words(Colouring::SETTINGS, &[("palette", palette)]).unwrap();
            let Ok(image) = opened.as_picture().unwrap().image(&settings) else { continue };
            // A picture without pixels is no PNG.
            let made = convert::picture(&image, Target::Png, &Settings::default(), None, &Meter::unlimited());
            assert_eq!(made.is_err(), image.rgba.is_empty(), "{name}");
            let Ok((png, _)) = made else { continue };
            assert_eq!(to_png(&from_png(&png).unwrap()).unwrap(), png);
            let mut document = tex.open(&file, &OpenOptions::default()).unwrap().document;
            let mut words = ["replace-image-by", palette, "x.png"].into_iter().map(str::to_owned);
            let step = Step::next(tex, &mut words, &mut |_: &str| Ok(png.clone())).unwrap().unwrap();
            step.run(&mut *document).unwrap();
            assert!(document.write().unwrap() == file, "{name}");
            pictures += 1;
        }
    }
    assert!(pictures > 15, "{pictures}");
}

#[test]
fn the_head_of_the_frog_is_seen_from_outside() {
    let part = galvani_ff7::p::read(&sample("zgan"), &ReadOptions::default()).unwrap().document;
    let at = |vertex: usize| part.verts[vertex].position.map(F32::get);
    let less = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let skull: Vec<_> = part.triangles(1).map(|triangle| triangle.reversed().vertices.map(at)).collect();
    assert_eq!((part.groups.len(), part.triangles(0).count(), skull.len()), (2, 16, 76));
    for [a, b, c] in skull {
        let ([ux, uy, uz], [vx, vy, vz]) = (less(b, a), less(c, a));
        let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        let out = less(a, [0.0, 0.0, -10.0]);
        assert!(normal.iter().zip(out).map(|(n, o)| n * o).sum::<f32>() > 0.0, "{a:?} {b:?} {c:?}");
    }
    let [low, high] = [part.boxes[0].min, part.boxes[0].max].map(|corner| corner.map(F32::get));
    assert_eq!((low, high), ([-9.0, -7.5, -20.0], [9.0, 5.5, 0.0]));
}
