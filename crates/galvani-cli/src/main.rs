//! The `galvani` command: a thin hand over the `galvani` library.

mod args;
mod batch;
mod failure;
mod out;
mod results;
mod screen;
mod stop;
mod surroundings;
mod table;
mod tree;
mod verbs;
mod width;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Verb};
use crate::failure::{Failure, REFUSED};

/// The exit code: 0 done, 1 refused, 2 usage, 3 unreadable.
type Outcome = Result<u8, Failure>;

fn main() -> ExitCode {
    let cli = Cli::parse_from(args::meant(std::env::args_os()));
    stop::listen();
    cli.common.color.write_global();
    let outcome = match &cli.verb {
        Verb::Info(args) => Ok(verbs::info::run(args, &cli.common)),
        Verb::Validate(args) => verbs::validate::run(args, &cli.common),
        Verb::Dump(args) => Ok(verbs::dump::run(args, &cli.common)),
        Verb::Diff(args) => verbs::diff::run(args, &cli.common),
        Verb::List(args) => Ok(verbs::list::run(args, &cli.common)),
        Verb::Extract(args) => Ok(verbs::extract::run(args, &cli.common)),
        Verb::Rewrite(args) => verbs::rewrite::run(args, &cli.common),
        Verb::Unpack(args) => verbs::folder::unpack(args, &cli.common),
        Verb::Pack(args) => verbs::folder::pack(args, &cli.common),
        Verb::Edit(args) => verbs::edit::run(args, &cli.common),
        Verb::Fix(args) => verbs::fix::run(args, &cli.common),
        Verb::Sample(args) => verbs::sample::run(args, &cli.common),
        Verb::Play(args) => verbs::play::run(args, &cli.common),
        Verb::Draw(args) => verbs::query::draw(args, &cli.common),
        Verb::Pick(args) => verbs::query::pick(args, &cli.common),
        Verb::Convert(args) => verbs::convert::run(args, &cli.common),
        Verb::Render(args) => verbs::render::run(args, &cli.common),
        Verb::Show(args) => verbs::show::run(args, &cli.common),
        Verb::View(args) => verbs::view::run(args, &cli.common),
        Verb::Survey(args) => verbs::survey::run(args, &cli.common),
        Verb::Samples(args) => verbs::samples::run(args, &cli.common),
        Verb::Completions(args) => verbs::completions(args),
        Verb::Man(args) => verbs::man(args, &cli.common),
    };
    let code = outcome.unwrap_or_else(|failure| failure.show(&cli.common));
    // That words were lost is told; the code says what became of the files.
    let is_told = out::is_whole() || galvani::fs::placed() > 0;
    ExitCode::from(if is_told { code } else { code.max(REFUSED) })
}
