//! Writes the first corpus of every target: the files of `testdata`, for edits with some before them.
//!
//! `seed TESTDATA CORPUS`

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use galvani_testkit::{assemble, assemble_file};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [testdata, corpus] = arguments.as_slice() else { return Err("seed TESTDATA CORPUS".into()) };
    for target in [
        "read_nres",
        "round_trip_nres",
        "edit_nres",
        "read_msh",
        "round_trip_msh",
        "edit_msh",
        "read_ff7_pack",
        "round_trip_ff7_pack",
        "edit_ff7_pack",
        "read_lgp",
        "round_trip_lgp",
        "edit_lgp",
        "edit_mdx",
        "sample_mdx",
    ] {
        fs::create_dir_all(Path::new(corpus).join(target))?;
    }
    for case in fs::read_dir(Path::new(testdata).join("nres"))? {
        let case = case?;
        let name = case.file_name();
        let file = assemble(&fs::read_to_string(case.path().join("build.txt"))?);
        fs::write(Path::new(corpus).join("read_nres").join(&name), &file)?;
        fs::write(Path::new(corpus).join("round_trip_nres").join(&name), &file)?;
        fs::write(Path::new(corpus).join("edit_nres").join(&name), with_edits(&file))?;
    }
    for case in fs::read_dir(Path::new(testdata).join("msh"))? {
        let case = case?;
        let file = assemble_file(&case.path().join("build.txt"));
        for target in ["read_msh", "round_trip_msh"] {
            fs::write(Path::new(corpus).join(target).join(case.file_name()), &file)?;
        }
        fs::write(Path::new(corpus).join("edit_msh").join(case.file_name()), with_edits(&file))?;
    }
    for case in fs::read_dir(Path::new(testdata).join("ff7-pack"))? {
        let case = case?;
        let file = assemble_file(&case.path().join("build.txt"));
        for target in ["read_ff7_pack", "round_trip_ff7_pack"] {
            fs::write(Path::new(corpus).join(target).join(case.file_name()), &file)?;
        }
        fs::write(Path::new(corpus).join("edit_ff7_pack").join(case.file_name()), with_edits(&file))?;
    }
    for case in fs::read_dir(Path::new(testdata).join("lgp"))? {
        let case = case?;
        let file = assemble_file(&case.path().join("build.txt"));
        for target in ["read_lgp", "round_trip_lgp"] {
            fs::write(Path::new(corpus).join(target).join(case.file_name()), &file)?;
        }
        fs::write(Path::new(corpus).join("edit_lgp").join(case.file_name()), with_edits(&file))?;
    }
    for format in ["rsli", "texm", "mat0", "wear"] {
        for case in fs::read_dir(Path::new(testdata).join(format))? {
            let case = case?;
            let file = assemble_file(&case.path().join("build.txt"));
            let bytes = [("read", file.clone()), ("round_trip", file.clone()), ("edit", with_edits(&file))];
            for (verb, bytes) in bytes {
                let target = Path::new(corpus).join(format!("{verb}_{format}"));
                fs::create_dir_all(&target)?;
                fs::write(target.join(case.file_name()), bytes)?;
            }
        }
    }
    for format in ["ff7-skeleton", "ff7-p", "ff7-tex", "ff7-hrc", "ff7-rsd", "ff7-a", "mdx", "blp", "dds"] {
        let id = format.replace('-', "_");
        for case in fs::read_dir(Path::new(testdata).join(format))? {
            let case = case?;
            let file = assemble_file(&case.path().join("build.txt"));
            for target in [format!("read_{id}"), format!("round_trip_{id}")] {
                fs::create_dir_all(Path::new(corpus).join(&target))?;
                fs::write(Path::new(corpus).join(target).join(case.file_name()), &file)?;
            }
            if format == "blp" || format == "dds" {
                let target = Path::new(corpus).join(format!("edit_{id}"));
                fs::create_dir_all(&target)?;
                fs::write(target.join(case.file_name()), with_edits(&file))?;
            }
            if format == "mdx" {
                edits_of_a_model(&Path::new(corpus).join("edit_mdx"), &case.file_name(), &file)?;
                let target = Path::new(corpus).join("sample_mdx").join(case.file_name());
                fs::write(target, [&moments()[..], &file].concat())?;
            }
        }
    }
    through_the_door(Path::new(testdata), Path::new(corpus))
}

/// The cases of every format of the registry and the samples that are of it, for the targets that take any.
fn through_the_door(testdata: &Path, corpus: &Path) -> Result<(), Box<dyn Error>> {
    for id in galvani::formats::FORMATS.iter().map(|format| format.info().id) {
        let mut files = Vec::new();
        for case in fs::read_dir(testdata.join(id))? {
            let case = case?;
            let name = case.file_name().to_string_lossy().into_owned();
            files.push((name, assemble_file(&case.path().join("build.txt"))));
        }
        let is_one =
            |file: &[u8]| galvani::formats::recognise(file, None).is_some_and(|one| one.info().id == id);
        let shipped = galvani::samples::all().into_iter().filter(|sample| is_one(&sample.bytes));
        files.extend(shipped.map(|sample| (sample.name.replace('/', "-"), sample.bytes)));
        for target in ["read", "edit", "diff", "nested"] {
            let folder = corpus.join(format!("any_{target}-{id}"));
            fs::create_dir_all(&folder)?;
            for (name, file) in &files {
                let plain = ["read", "nested"].contains(&target);
                fs::write(folder.join(name), if plain { file.clone() } else { with_edits(file) })?;
            }
        }
    }
    Ok(())
}

/// Bytes that come out as four times of some hundred milliseconds, four small ones, a global time and the rest.
fn moments() -> Vec<u8> {
    let times = [0.0, 99.5, 250.0, 1e5].map(f64::to_le_bytes).concat();
    let small = [1_u16, 33, 500, 4000].map(u16::to_le_bytes).concat();
    [times, small, 120.0_f64.to_le_bytes().to_vec(), vec![0, 40, 10, 0, 90, 77]].concat()
}

/// Some bytes that come out as several edits, and the archive.
fn with_edits(file: &[u8]) -> Vec<u8> {
    let edits: Vec<u8> = (0..96_u8).map(|i| i.wrapping_mul(151) ^ 0x35).collect();
    [&[96][..], &edits, file].concat()
}

/// The same model under every reading several times, with other edits each.
fn edits_of_a_model(folder: &Path, name: &OsStr, file: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut state =
        file.iter().fold(1_u32, |state, byte| state.wrapping_mul(31).wrapping_add((*byte).into()));
    let mut next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    for len in 192..204_u8 {
        let edits: Vec<u8> = (0..len).map(&mut next).collect();
        let mut target = name.to_owned();
        target.push(format!("-{len}"));
        fs::write(folder.join(target), [&[len][..], &edits, file].concat())?;
    }
    Ok(())
}
