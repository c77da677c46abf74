//! Buffers, views, lists, and what lies in them.

use galvani_core::{Code, Exhausted, Meter, Path, Report};

use super::uses::Uses;
use super::{ALIGNMENT, MIN_MAX, MISSING_FILE, NOT_FINITE, VALUE};
use crate::document::view::{Accessor, Component, typed};
use crate::document::{Data, Document, Items, Value, View};

pub(super) fn check(
    document: &Document,
    view: &View<'_>,
    base: usize,
    meter: &Meter,
    report: &mut Report,
) -> Result<(), Exhausted> {
    let data = Data::new(document, view, meter)?;
    let mut found = Found { data: &data, base, meter, report };
    for i in 0..view.buffers.len() {
        let is_fallback = |fallback: &crate::document::view::Fallback<'_>| fallback.fallback;
        let buffer = view.buffers.get(i).unwrap_or_default();
        if buffer.uri.is_some() || !buffer.extensions.meshopt.as_ref().is_some_and(is_fallback) {
            found.outcome(data.buffer(i).map(drop));
        }
    }
    for i in 0..view.buffer_views.len() {
        found.own(data.buffer_view(i).map(drop), view.buffer_views.path(i));
    }
    for i in 0..view.accessors.len() {
        found.accessor(i)?;
    }
    Uses::new(found, view).check()
}

/// What is found in the bytes.
pub(super) struct Found<'d, 'a, 'r> {
    pub(super) data: &'d Data<'a>,
    base: usize,
    meter: &'d Meter,
    report: &'r mut Report,
}

impl<'d> Found<'d, '_, '_> {
    pub(super) fn push(&mut self, code: &'static Code, path: Path, value: Option<Value<'_>>, said: String) {
        let offset = self.base.saturating_add(value.map_or(0, |value| value.range().start));
        self.report.push(code.at(path).offset(offset).saying(said));
    }

    /// What is wrong with something itself: what it names has its own findings, and so have its values.
    fn own(&mut self, outcome: Result<(), Box<galvani_core::Diagnostic>>, path: Path) {
        if let Err(wrong) = outcome
            && wrong.path == path
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
        let Ok(items) = self.data.items(index) else { return Ok(None) };
        self.meter.work(items.exceptions())?;
        Ok(Some(items))
    }

    /// Charges looking at everything in a list.
    pub(super) fn charge(&self, items: &Items<'_>) -> Result<(), Exhausted> {
        self.meter.work(items.count().saturating_mul(items.shape().numbers()))
    }

    fn accessor(&mut self, index: usize) -> Result<(), Exhausted> {
        let view = self.data.view();
        let (path, value) = (view.accessors.path(index), view.accessors.value(index));
        let accessor = view.accessors.get(index).unwrap_or_default();
        let named = accessor.buffer_view.and_then(|it| view.buffer_views.get(it));
        self.own(self.data.items(index).map(drop), path);
        let Some(items) = self.items(index)? else { return Ok(()) };
        let size = items.component().size();
        let start = named.as_ref().map_or(0, |named| named.byte_offset).saturating_add(accessor.byte_offset);
        let stride = named.and_then(|named| named.byte_stride).unwrap_or(size);
        if !start.is_multiple_of(size) || !stride.is_multiple_of(size) {
            let said = format!("multiples of {size} wanted, from {start} on, {stride} apart found");
            self.push(&ALIGNMENT, path, value, said);
        }
        // What has no bytes is said elsewhere, compressed perhaps.
        if accessor.buffer_view.is_none() && accessor.sparse.is_none() {
            return Ok(());
        }
        self.charge(&items)?;
        match items.shape().numbers() {
            1 => self.numbers::<1>(&items, &accessor, path, value),
            2 => self.numbers::<2>(&items, &accessor, path, value),
            3 => self.numbers::<3>(&items, &accessor, path, value),
            4 => self.numbers::<4>(&items, &accessor, path, value),
            9 => self.numbers::<9>(&items, &accessor, path, value),
            _ => self.numbers::<16>(&items, &accessor, path, value),
        }
        Ok(())
    }

    /// Whether all are numbers, and the least and greatest are as the list says.
    fn numbers<const N: usize>(
        &mut self,
        items: &Items<'_>,
        accessor: &Accessor<'_>,
        path: Path,
        value: Option<Value<'_>>,
    ) {
        let (mut least, mut most, mut is_finite) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N], true);
        items.plain().each_float(|row: [f32; N]| {
            for ((least, most), part) in least.iter_mut().zip(&mut most).zip(row) {
                *least = least.min(part);
                *most = most.max(part);
                is_finite &= part.is_finite();
            }
        });
        if !is_finite {
            self.push(&NOT_FINITE, path, value, "among its numbers".to_owned());
        }
        if items.count() == 0 {
            return;
        }
        for (name, stated, found) in [("min", &accessor.min, least), ("max", &accessor.max, most)] {
            let Some(stated) = stated else { continue };
            let is_same = |(stated, found): (&f64, &f32)| same(*stated, *found, items.component());
            if stated.len() != N || !stated.iter().zip(&found).all(is_same) {
                let said = format!("{found:?} found, {} said", typed::shortened(&format!("{stated:?}")));
                self.push(&MIN_MAX, path.field(name), value, said);
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
