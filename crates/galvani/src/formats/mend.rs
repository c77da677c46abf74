//! Mends as data: which of its codes a format can do something about, and how.
//!
//! As with operations, everything that offers mends is made from the one declaration that `mends!` takes.

use std::any::Any;

use galvani_core::{Code, EditError, Meter, Path, Report};

use super::operation::{Cost, Editable, meant};
use super::{Document, FORMATS, Format};
use crate::codes;

/// What can be done about something that is wrong.
#[derive(Debug)]
pub struct Mend {
    /// What it takes away.
    pub codes: &'static [&'static Code],
    /// How, in words: what is done.
    pub how: &'static str,
    /// Codes of which it leaves some, because it would have to guess, and which.
    pub leaves: &'static [(&'static Code, &'static str)],
    /// Whether it is done without anybody asking for it.
    pub consent: Consent,
    /// Gives a document in which it is done, and what that cost.
    pub(crate) call: fn(&dyn Document, &Meter) -> Made,
}

/// A document in which something is done, and what that cost.
pub(crate) type Made = Result<(Box<dyn Document>, Report), EditError>;

/// Whether a mend waits until somebody names its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// It takes no guess, and nobody misses anything.
    Given,
    /// It removes or renumbers something, or replaces what is no harm.
    Asked,
}

/// Declares the mends of a format in the order in which they are done: the type of its documents, then for each the codes
/// that it takes away, what it does in words, behind `leaving` the codes of which it leaves some with the reason, and its call.
/// Those behind `asked` wait until their code is named.
macro_rules! mends {
    ($document:ty; $(
        $($asked:ident)? [$($code:expr),+ $(,)?] $how:literal
        $(leaving [$($part:expr => $left:literal),+ $(,)?])?
        |$target:ident $(, $meter:ident)?| $call:expr;
    )*) => {
        &[$($crate::formats::Mend {
            codes: &[$(&$code),+],
            how: $how,
            leaves: &[$($((&$part, $left)),+)?],
            consent: $crate::formats::mend::mends!(@consent $($asked)?),
            call: |document, meter| {
                $crate::formats::mend::made::<$document, _>(document, |$target| {
                    $(let $meter = meter;)?
                    let _ = meter;
                    $call
                })
            },
        }),*]
    };
    (@consent) => { $crate::formats::Consent::Given };
    (@consent asked) => { $crate::formats::Consent::Asked };
}
pub(crate) use mends;

/// A copy of a document in which something is done.
pub(crate) fn made<D: Editable, C: Cost>(document: &dyn Document, call: impl FnOnce(&mut D) -> C) -> Made {
    let mut made = copied::<D>(document)?;
    let costs = call(meant::<D>(&mut *made)?).into_report()?;
    Ok((made, costs))
}

/// A copy of a document that mends are declared for, or of a text that stands for one.
fn copied<D: Editable>(document: &dyn Document) -> Result<Box<dyn Document>, EditError> {
    if let Some(text) = document.text_copied() {
        return Ok(text?);
    }
    let document: &dyn Any = document;
    let Some(document) = document.downcast_ref::<D>() else {
        return Err(codes::OTHER_FORMAT.at(Path::root()).into());
    };
    document.room_for_copy()?;
    Ok(Box::new(document.clone()))
}

/// The formats that can do something about a code, with the mend of each.
pub fn mends_of(code: &Code) -> impl Iterator<Item = (&'static dyn Format, &'static Mend)> {
    let of_format = move |format: &&'static dyn Format| {
        let mends: &'static [Mend] = format.info().mends;
        let format = *format;
        mends.iter().filter(move |mend| mend.codes.contains(&code)).map(move |mend| (format, mend))
    };
    FORMATS.iter().flat_map(of_format)
}
