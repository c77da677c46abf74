//! Buffers, views, lists, and what lies in them.

use galvani_core::{Code, Exhausted, Meter, Path, Report, room};

use super::uses::Uses;
use super::{ALIGNMENT, MIN_MAX, MISSING_FILE, NOT_FINITE, VALUE};
use crate::document::view::{Accessor, At, Component, typed};
use crate::document::{Data, Items, JsonValue};

/// Looks at everything; every list that can be looked at.
pub(super) fn check<'d>(
    data: &'d Data<'_>,
    base: usize,
    meter: &Meter,
    report: &mut Report,
) -> Result<Vec<Option<Items<'d>>>, Exhausted> {
    let view = data.view();
    let count = view.accessors.len();
    meter.memory(count.saturating_mul(size_of::<Option<Items<'_>>>()))?;
    let mut found = Found { data, lists: room::with_capacity(count)?, base, meter, report };
    for i in 0..view.buffers.len() {
        let buffer = view.buffers.get(i).unwrap_or_default();
        if buffer.uri.is_some() || !buffer.extensions.is_fallback() {
            found.outcome(data.buffer(i).map(drop));
        }
    }
    for i in 0..view.buffer_views.len() {
        found.own_outcome(data.buffer_view(i).map(drop), view.buffer_views.at(i));
    }
    for i in 0..view.accessors.len() {
        let items = found.accessor(i)?;
        found.lists.push(items);
    }
    let mut uses = Uses::new(found, view)?;
    uses.check()?;
    Ok(uses.into_lists())
}

/// What is found in the bytes.
pub(super) struct Found<'d, 'a, 'r> {
    data: &'d Data<'a>,
    /// Every list that can be looked at.
    pub(super) lists: Vec<Option<Items<'d>>>,
    base: usize,
    meter: &'r Meter,
    report: &'r mut Report,
}

impl<'d> Found<'d, '_, '_> {
    pub(super) fn push(
        &mut self,
        code: &'static Code,
        path: Path,
        value: Option<JsonValue<'_>>,
        said: String,
    ) {
        let offset = self.base.saturating_add(value.map_or(0, |value| value.range().start));
        self.report.push(code.at(path).offset(offset).saying(said));
    }

    /// The same of something in a list.
    pub(super) fn push_at(&mut self, code: &'static Code, at: At<'_, '_>, step: &'static str, said: String) {
        self.push(code, at.path().field(step), at.value(), said);
    }

    /// What is wrong with something itself: what it names has its own findings, and so have its values.
    fn own_outcome(&mut self, outcome: Result<(), Box<galvani_core::Diagnostic>>, at: At<'_, '_>) {
        if let Err(wrong) = outcome
            && wrong.path == at.path()
            && *wrong.code != VALUE
        {
            self.outcome(Err(wrong));
        }
    }

    /// What is wrong; files beside the document are somebody else's to miss.
    fn outcome(&mut self, outcome: Result<(), Box<galvani_core::Diagnostic>>) {
        if let Err(wrong) = outcome
            && *wrong.code != MISSING_FILE
        {
            self.report.push(*wrong);
        }
    }

    /// A list that can be looked at.
    pub(super) fn items(&self, index: usize) -> Result<Option<Items<'d>>, Exhausted> {
        let items = self.lists.get(index).copied().flatten();
        self.meter.work(items.map_or(0, |items| items.exceptions()))?;
        Ok(items)
    }

    /// Charges looking at everything in a list.
    pub(super) fn charge(&self, items: &Items<'_>) -> Result<(), Exhausted> {
        self.meter.work(items.count().saturating_mul(items.shape().numbers()))
    }

    /// Looks at a list.
    fn accessor(&mut self, index: usize) -> Result<Option<Items<'d>>, Exhausted> {
        let view = self.data.view();
        let at = view.accessors.at(index);
        let accessor = view.accessors.get(index).unwrap_or_default();
        let items = match self.data.items(index) {
            Ok(items) => items,
            Err(wrong) => {
                self.own_outcome(Err(wrong), at);
                return Ok(None);
            }
        };
        self.meter.work(items.exceptions())?;
        let named = accessor.buffer_view.and_then(|it| view.buffer_views.get(it));
        let size = items.component().size();
        let start = named.as_ref().map_or(0, |named| named.byte_offset).saturating_add(accessor.byte_offset);
        let stride = named.and_then(|named| named.byte_stride).unwrap_or(size);
        if !start.is_multiple_of(size) || !stride.is_multiple_of(size) {
            let said = format!("multiples of {size} wanted, from {start} on, {stride} apart found");
            self.push(&ALIGNMENT, at.path(), at.value(), said);
        }
        // What has no bytes is said elsewhere, compressed perhaps.
        if accessor.buffer_view.is_none() && accessor.sparse.is_none() {
            return Ok(Some(items));
        }
        self.charge(&items)?;
        match items.shape().numbers() {
            1 => self.numbers::<1>(&items, &accessor, at),
            2 => self.numbers::<2>(&items, &accessor, at),
            3 => self.numbers::<3>(&items, &accessor, at),
            4 => self.numbers::<4>(&items, &accessor, at),
            9 => self.numbers::<9>(&items, &accessor, at),
            _ => self.numbers::<16>(&items, &accessor, at),
        }
        Ok(Some(items))
    }

    /// Whether all are numbers, and the least and greatest are as the list says.
    fn numbers<const N: usize>(&mut self, items: &Items<'_>, accessor: &Accessor<'_>, at: At<'_, '_>) {
        let has_bounds = (accessor.min.is_some() || accessor.max.is_some()) && items.count() > 0;
        let is_float = items.component() == Component::F32;
        if is_float && !items.is_finite::<N>() {
            self.push(&NOT_FINITE, at.path(), at.value(), "among its numbers".to_owned());
        }
        if !has_bounds {
            return;
        }
        let (least, most) = items.plain().bounds::<N>();
        for (name, stated, found) in [("min", &accessor.min, least), ("max", &accessor.max, most)] {
            let Some(stated) = stated else { continue };
            let is_same = |(stated, found): (&f64, &f32)| same(*stated, *found, items.component());
            if stated.len() != N || !stated.iter().zip(&found).all(is_same) {
                let said = format!("{found:?} found, {} said", typed::shortened(&format!("{stated:?}")));
                self.push_at(&MIN_MAX, at, name, said);
            }
        }
    }
}

/// Whether a number is as it is said to be: floats are often written with fewer digits than they have.
fn same(stated: f64, found: f32, component: Component) -> bool {
    let found = f64::from(found);
    let tolerance = if component == Component::F32 { 1e-5 * found.abs().max(1e-3) } else { 0.5 };
    (stated - found).abs() <= tolerance
}
