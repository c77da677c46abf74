//! Which members of an archive are documents: each payload is looked at once, however many members share it.

use std::collections::BTreeMap;

use galvani_core::{Exhausted, Meter};

use super::{Declared, FORMATS, Format, Likelihood, Member, recognise_member};

/// A payload by its place in memory, what its archive says it is, and which formats its member's name speaks for.
///
/// What a format makes of a name it says of no bytes at all, too, so that members whose names say the same to every format
/// are of one format if they share their bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Payload {
    at: usize,
    len: usize,
    named: Vec<Likelihood>,
    declared: Option<Declared>,
}

impl Payload {
    pub(crate) fn new(bytes: &[u8], member: &Member) -> Self {
        let name = member.shown();
        let named = FORMATS.iter().map(|format| format.recognise(&[], Some(&name))).collect();
        Payload { at: bytes.as_ptr().addr(), len: bytes.len(), named, declared: member.declared }
    }
}

/// Recognises the members of one archive, as long as it stays where it is.
#[derive(Debug)]
pub(crate) struct Recogniser<'m> {
    meter: &'m Meter,
    known: BTreeMap<Payload, Option<&'static dyn Format>>,
}

impl<'m> Recogniser<'m> {
    pub(crate) fn new(meter: &'m Meter) -> Self {
        Recogniser { meter, known: BTreeMap::new() }
    }

    /// The likeliest format by content; what was not looked at yet is charged for.
    pub(crate) fn recognise(
        &mut self,
        payload: &Payload,
        bytes: &[u8],
        member: &Member,
    ) -> Result<Option<&'static dyn Format>, Exhausted> {
        if let Some(found) = self.known.get(payload) {
            return Ok(*found);
        }
        self.meter.work(bytes.len())?;
        let found = recognise_member(bytes, member);
        self.known.insert(payload.clone(), found);
        Ok(found)
    }
}
