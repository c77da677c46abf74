//! One file per verb.

pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod edit;
pub(crate) mod extract;
pub(crate) mod folder;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod query;
pub(crate) mod rewrite;
pub(crate) mod sample;
pub(crate) mod samples;
pub(crate) mod validate;

use std::path::Path;

use clap::CommandFactory;
use galvani::formats::Format;
use galvani::fs::{Input, read, write_inside};
use galvani::{Report, nested};

use crate::args::{Cli, Common, Completions, Man};
use crate::failure::Failure;
use crate::{Outcome, out};

pub(crate) fn completions(args: &Completions) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "galvani", &mut script);
    out::bytes(Path::new("-"), &script)?;
    Ok(0)
}

pub(crate) fn man(args: &Man) -> Outcome {
    let io = |error: std::io::Error| Failure::unwritable(error);
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(io)?;
        out::bytes(Path::new("-"), &page)?;
        return Ok(0);
    };
    for command in command.get_subcommands().chain([&command]) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut page).map_err(io)?;
        write_inside(folder, &format!("{name}.1"), &page)?;
    }
    Ok(0)
}

/// What is wrong with what is about to be written, and what making it cost. The bytes are read back for that.
pub(crate) fn outcome(format: &dyn Format, bytes: &[u8], costs: Report, common: &Common) -> Report {
    let mut report = costs;
    match format.open(bytes, &common.options()) {
        Ok(opened) => report.append(opened.check()),
        Err(error) => report.append(error.into_report()),
    }
    report
}

/// Writes a result where it is wanted: into a file, or back into the input's own place.
pub(crate) fn put(
    output: Option<&Path>,
    input: &Input,
    bytes: Vec<u8>,
    common: &Common,
) -> Result<String, Failure> {
    if let Some(output) = output {
        out::bytes(output, &bytes)?;
        return Ok(output.display().to_string());
    }
    let Some((home, chain)) = input.home() else {
        return Err(Failure::Usage("standard input cannot be replaced; use -o".to_owned()));
    };
    let options = common.options();
    let bytes = if chain.is_empty() {
        bytes
    } else {
        let archive = read(home, &options.limits)?;
        nested::replace(&archive, home.to_str(), chain, bytes, &options)?
    };
    out::bytes(home, &bytes)?;
    Ok(input.shown.clone())
}
