//! What the project does to itself: `cargo xtask` lists the tasks.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for the people who work on the project"
)]

mod arch;
mod bench;
mod ci;
mod codes;
mod deps;
mod docs;
mod kit;
mod large;
mod links;
mod long;
mod measure;
mod names;
mod python;
mod strength;
mod wasm;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

type Task = (&'static str, &'static str, fn(&[String]) -> Result<()>);

const TASKS: &[Task] = &[
    (
        "ci",
        "everything a change must pass; --long [SECONDS]: fuzz targets and machines of other kinds",
        ci::run,
    ),
    ("arch", "who may use what, and whether a noun stands for one type", arch::run),
    ("links", "whether every page and anchor that is cited exists", links::run),
    ("kit", "how many files each format touches outside its own", kit::run),
    ("deps", "licences, sources and lock files of every workspace", deps::run),
    ("codes", "writes docs/codes.md; --check only compares", codes::run),
    ("docs", "makes the moving pictures of the README; --check only compares", docs::run),
    ("python", "builds the wheel for Python, installs it anew and runs its tests", python::run),
    ("blender", "builds the extension for Blender, installs it anew and runs its tests", python::blender),
    ("wheel", "builds the wheel for Python as people install it", python::wheel),
    ("wasm", "pictures are the same in WebAssembly, in Node", wasm::run),
    (
        "web",
        "builds the page into web/dist; --test holds it against its tests, in Chromium; --wasm builds its library alone",
        web::run,
    ),
    ("view", "builds the page if there is none, and shows files in it, or a sample", web::view),
    ("strength", "measures what crafted files cost and writes docs/notes/strength.md", strength::run),
    ("bench", "runs the benchmarks and writes docs/benchmarks.md; --page only writes", bench::run),
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let rest: Vec<String> = words.collect();
    let Some((_, _, task)) = TASKS.iter().find(|(task, _, _)| *task == name) else {
        for (name, about, _) in TASKS {
            println!("cargo xtask {name:<8} {about}");
        }
        return if name.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    match task(&rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
