//! Puts the page into the command, if somebody built it: `cargo xtask web`.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "this runs while the command is built")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    // Elsewhere than in a checkout there is no such folder; and one that is not there would be watched in vain.
    if built.exists() {
        println!("cargo::rerun-if-changed={}", built.display());
        list(&built, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[");
    for file in &files {
        let name = file.strip_prefix(&built).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        let path = file.canonicalize()?.to_string_lossy().into_owned();
        let _ = write!(table, "({name:?}, include_bytes!({path:?})),");
    }
    table.push(']');
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("page.rs"), table)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.file_name().is_some_and(|name| name != ".gitignore") {
            files.push(path);
        }
    }
    Ok(())
}
