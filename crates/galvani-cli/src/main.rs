//! The `galvani` command: a thin hand over the `galvani` library.

mod args;
mod batch;
mod failure;
mod out;
mod results;
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

/// What a shell calls a program that was told to stop.
const STOPPED: i32 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse_from(std::env::args_os().map(args::guarded));
    // Without a handler a stop would leave files in the making behind; that it could not be set is no reason to stop.
    let _: Result<(), ctrlc::Error> = ctrlc::set_handler(stop);
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
        Verb::Sample(args) => verbs::sample::run(args, &cli.common),
        Verb::Draw(args) => verbs::query::draw(args, &cli.common),
        Verb::Pick(args) => verbs::query::pick(args, &cli.common),
        Verb::Convert(args) => verbs::convert::run(args, &cli.common),
        Verb::Samples(args) => verbs::samples::run(args, &cli.common),
        Verb::Completions(args) => verbs::completions(args),
        Verb::Man(args) => verbs::man(args),
    };
    let code = outcome.unwrap_or_else(|failure| failure.show(&cli.common));
    ExitCode::from(if out::is_whole() { code } else { code.max(REFUSED) })
}

#[allow(clippy::exit, reason = "somebody told the program to stop")]
fn stop() {
    let _nothing_more_is_written = results::interrupted();
    galvani::fs::remove_unfinished();
    std::process::exit(STOPPED);
}
