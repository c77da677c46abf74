//! `show`: a model plays in the terminal.

#[cfg(unix)]
mod player;

#[cfg(unix)]
pub(crate) use player::run;

#[cfg(not(unix))]
pub(crate) fn run(_: &crate::args::Show, _: &crate::args::Common) -> crate::Outcome {
    let said = "`show` plays in terminals of Unix only; `render` writes pictures that move";
    Err(crate::failure::Failure::Usage(said.to_owned()))
}
