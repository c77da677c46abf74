//! Checks every file below a folder: `cargo run --example check_folder -- samples`.
#![allow(clippy::print_stdout, reason = "an example talks")]

use galvani::formats::{self, Site};
use galvani::{OpenOptions, Scrutiny, fs, nested};

fn main() {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "samples".into());
    let options = OpenOptions::default();
    let folders = fs::Folders::default();
    for input in fs::expand(&[folder], fs::Follow::No, &options) {
        let source = match input.source(&options) {
            Ok(source) => source,
            Err(error) => {
                println!("{}: {error}", input.shown);
                continue;
            }
        };
        let name = source.name.as_deref().unwrap_or_default();
        let Some(format) = formats::recognise_content(&source.bytes, Some(name)) else { continue };
        let links = input.links(&folders, &options);
        let site = Site { name, links: &*links, declared: source.declared, ..Site::NOWHERE };
        for row in nested::check(&input.shown, &site, format, &source.bytes, &options, Scrutiny::Usual) {
            println!("{}: {} findings", row.path, row.report.findings().len());
            row.report.findings().iter().for_each(|finding| println!("  {finding}"));
        }
    }
}
