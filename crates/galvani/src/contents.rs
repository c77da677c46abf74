//! What a document holds, and in an archive what each member holds, in a line.

use std::collections::BTreeMap;

use galvani_core::{Exhausted, Meter};

use crate::formats::recognition::{Payload, Recogniser};
use crate::formats::{Cell, ListStyle, Member, OpenOptions, Opened, Outline, Site};
use crate::{budget, nested};

/// What a document holds. Members of an archive are recognised and read, not decoded; one that does not read says so, and
/// those that the budget does not reach stay closed.
pub fn outline(opened: &Opened, options: &OpenOptions, site: &Site<'_>) -> Outline {
    let mut outline = opened.outline(site);
    let Some(archive) = opened.document.as_archive() else { return outline };
    let members = archive.members();
    let input = nested::allowance(archive, opened.map.len());
    let meter = options.read.budget.meter(&budget::LOOKING, input);
    for section in outline.sections.iter_mut().filter(|section| section.look == ListStyle::Members) {
        let mut lines = Lines::new(&meter, options);
        for (i, (row, member)) in section.rows.iter_mut().zip(&members).enumerate() {
            let [.., format, summary] = row.as_mut_slice() else { continue };
            let bytes = archive.prepare(i).map(|()| archive.member(i));
            match bytes.and_then(|bytes| bytes.map(|bytes| lines.line(bytes, member)).transpose()) {
                Ok(None) => *summary = "cannot be had".into(),
                Ok(Some(None)) => {}
                Ok(Some(Some((id, line)))) => (*format, *summary) = (id.into(), line),
                Err(refused) => *summary = Cell::text(format!("not looked into: {}", refused.cause.message)),
            }
        }
    }
    outline
}

/// Lines of the members of one archive, made once for each payload.
struct Lines<'a> {
    meter: &'a Meter,
    options: &'a OpenOptions,
    recogniser: Recogniser<'a>,
    known: BTreeMap<Payload, Cell>,
}

impl<'a> Lines<'a> {
    fn new(meter: &'a Meter, options: &'a OpenOptions) -> Self {
        Lines { meter, options, recogniser: Recogniser::new(meter), known: BTreeMap::new() }
    }

    /// The format of a member, and what it holds.
    fn line(&mut self, bytes: &[u8], member: &Member) -> Result<Option<(&'static str, Cell)>, Exhausted> {
        let payload = Payload::new(bytes, member);
        let Some(format) = self.recogniser.recognise(&payload, bytes, member)? else { return Ok(None) };
        let id = format.info().id;
        if let Some(line) = self.known.get(&payload) {
            return Ok(Some((id, line.clone())));
        }
        self.meter.work(bytes.len())?;
        let _held = self.meter.hold(bytes.len())?;
        let site = Site { declared: member.declared, ..Site::NOWHERE };
        let line = match format.read_at(bytes, self.options, &site) {
            Ok(opened) => opened.document.summary().into(),
            Err(error) => Cell::text(format!("does not read: {}", error.cause.message)),
        };
        self.known.insert(payload, line.clone());
        Ok(Some((id, line)))
    }
}
