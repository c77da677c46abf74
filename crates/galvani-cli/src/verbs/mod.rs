//! One file per verb.

pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod edit;
pub(crate) mod extract;
pub(crate) mod film;
pub(crate) mod fix;
pub(crate) mod folder;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod play;
pub(crate) mod query;
pub(crate) mod remake;
pub(crate) mod render;
pub(crate) mod rewrite;
pub(crate) mod sample;
pub(crate) mod samples;
pub(crate) mod show;
pub(crate) mod survey;
pub(crate) mod validate;
pub(crate) mod view;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use galvani::Report;
use galvani::formats::Format;
use galvani::fs::Tree;

use crate::args::{Cli, Common, Completions, Man};
use crate::failure::{Failure, warn};
use crate::{Outcome, out};

pub(crate) fn completions(args: &Completions) -> Outcome {
    let mut script = Vec::new();
    let mut command = Cli::command().mut_subcommand("edit", with_operations);
    clap_complete::generate(args.shell, &mut command, "galvani", &mut script);
    if args.shell == Shell::Fish {
        script.extend(fish_operations().into_bytes());
    }
    out::stdout(&script)?;
    Ok(0)
}

/// The command `edit` as shells should see it: an input, then operations.
fn with_operations(edit: Command) -> Command {
    let value = |(name, summary): (&'static str, &'static str)| PossibleValue::new(name).help(summary);
    let operations = PossibleValuesParser::new(edit::names().into_iter().map(value));
    edit.arg(Arg::new("input").index(1).value_name("IN").value_hint(ValueHint::AnyPath))
        .mut_arg("words", |words| words.index(2).value_parser(operations))
}

/// What `clap_complete` leaves out: fish knows words behind a verb only if each is told.
fn fish_operations() -> String {
    let line = |(name, summary): (&str, &str)| {
        let summary = summary.replace('\'', "\\'");
        format!(
            "complete -c galvani -n \"__fish_galvani_using_subcommand edit\" -a '{name}' -d '{summary}'\n"
        )
    };
    edit::names().into_iter().map(line).collect()
}

pub(crate) fn man(args: &Man, common: &Common) -> Outcome {
    let io = |error: std::io::Error| Failure::unwritable(error);
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(io)?;
        page.extend(edit::man().into_bytes());
        out::stdout(&page)?;
        return Ok(0);
    };
    let tree = Tree::new(folder);
    for command in command.get_subcommands().chain([&command]) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut page).map_err(io)?;
        if ["galvani", "galvani-edit"].contains(&name) {
            page.extend(edit::man().into_bytes());
        }
        let saved = tree.write_file(&format!("{name}.1"), &page, &common.overwrite())?;
        warn(&saved.notes, &saved.path.to_string_lossy());
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
