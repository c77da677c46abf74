//! Values over time, as a channel's sampler says them.

use galvani_scene::{Baked, Blend, Curve, Interp, bake};
use glam::{Quat, Vec4};

use super::{From, Outcome};
use crate::document::Items;
use crate::document::check::{ATTRIBUTE, INDEX, TIMES};
use crate::document::view::{AnimationSampler, At, Component, Interpolation, Shape};

/// What a moment of a cubic costs, in steps.
const EVALUATION: usize = 64;

/// A sampler where it stands.
pub(super) struct Keys<'v, 'a> {
    pub(super) sampler: &'v AnimationSampler<'a>,
    pub(super) at: At<'v, 'a>,
}

impl Keys<'_, '_> {
    fn wrong<T>(&self, from: &From<'_, '_>, code: &'static galvani_core::Code, said: String) -> Outcome<T> {
        Err(from.lists.wrong(code, self.at.path(), self.at.value(), said))
    }

    fn items<'d>(&self, from: &From<'d, '_>, list: Option<usize>) -> Outcome<Items<'d>> {
        let Some(list) = list else { return self.wrong(from, &INDEX, "no list is named".to_owned()) };
        from.lists.get(list)
    }

    /// Times that rise.
    pub(super) fn times(&self, from: &From<'_, '_>) -> Outcome<Vec<f32>> {
        let items = self.items(from, self.sampler.input)?;
        if (items.shape(), items.component()) != (Shape::Scalar, Component::F32) || items.count() == 0 {
            return self.wrong(
                from,
                &ATTRIBUTE,
                format!("{} times of {}", items.count(), items.shape().word()),
            );
        }
        let times = items.floats(from.meter, |[time]: [f32; 1]| time)?;
        let is_sound = times.first().is_some_and(|first| *first >= 0.0)
            && rises(&times)
            && times.last().is_some_and(|last| last.is_finite());
        if is_sound { Ok(times) } else { self.wrong(from, &TIMES, String::new()) }
    }

    /// A curve of values of a shape.
    pub(super) fn curve<V: Blend + Default, const N: usize>(
        &self,
        from: &From<'_, '_>,
        shape: Shape,
        make: impl Fn([f32; N]) -> V,
    ) -> Outcome<Curve<V>> {
        let times = self.times(from)?;
        let rows = self.rows(from, shape, times.len(), make)?;
        let interp = match self.sampler.interpolation {
            Interpolation::Linear => Interp::Linear,
            Interpolation::Step => Interp::Step,
            Interpolation::CubicSpline => {
                let (values, tangents) = cubic(&times, &rows);
                return Ok(Curve { times, values, tangents, interp: Interp::Hermite });
            }
        };
        Ok(Curve { times, values: rows, tangents: Vec::new(), interp })
    }

    /// A curve of turns, and how far it is from the file's if it had to be baked.
    pub(super) fn turns(&self, from: &From<'_, '_>) -> Outcome<(Curve<Quat>, Option<f32>)> {
        if self.sampler.interpolation != Interpolation::CubicSpline {
            let make = |row| super::node::unit(Quat::from_array(row));
            return Ok((self.curve(from, Shape::Vec4, make)?, None));
        }
        // A cubic of its four numbers, made of length 1.
        let parts: Curve<Vec4> = self.curve(from, Shape::Vec4, Vec4::from_array)?;
        let mut lacking = None;
        let turn = |time: f32| {
            lacking = lacking.take().or_else(|| from.meter.work(EVALUATION).err());
            // Where nothing is left it stands still, and so comes to its end.
            let parts = parts.at(time).filter(|_| lacking.is_none());
            super::node::unit(Quat::from_vec4(parts.unwrap_or(Vec4::W)))
        };
        let Baked { curve, error } = bake(&parts.times, from.options.tolerance, turn);
        match lacking {
            Some(lacking) => Err(lacking.into()),
            None => Ok((curve, Some(error))),
        }
    }

    /// Yes or no over time.
    pub(super) fn flags(&self, from: &From<'_, '_>) -> Outcome<Curve<bool>> {
        let times = self.times(from)?;
        let values = self.rows(from, Shape::Scalar, times.len(), |[flag]: [f32; 1]| flag != 0.0)?;
        Ok(Curve::step(times, values))
    }

    fn rows<V, const N: usize>(
        &self,
        from: &From<'_, '_>,
        shape: Shape,
        keys: usize,
        make: impl Fn([f32; N]) -> V,
    ) -> Outcome<Vec<V>> {
        let items = self.items(from, self.sampler.output)?;
        let per_key = if self.sampler.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if items.shape() != shape || items.count() != keys.saturating_mul(per_key) {
            let said = format!("{} {} for {keys} keys", items.count(), items.shape().word());
            return self.wrong(from, &ATTRIBUTE, said);
        }
        Ok(items.floats(from.meter, make)?)
    }
}

/// Whether each is later than the one before it. All are looked at, whatever the first says: that takes a fraction of the time.
fn rises(times: &[f32]) -> bool {
    times.iter().zip(times.iter().skip(1)).fold(true, |all, (a, b)| {
        let rises = a < b;
        all & rises
    })
}

/// Values and slopes of a cubic that has three rows for each key. The way between two keys is 1 long in a scene and
/// takes its time in a file.
fn cubic<V: Blend + Default>(times: &[f32], rows: &[V]) -> (Vec<V>, Vec<[V; 2]>) {
    let span = |key: usize| times.get(key).zip(times.get(key.saturating_add(1))).map(|(a, b)| b - a);
    let slope = |row: V, seconds: Option<f32>| {
        seconds.map_or(V::default(), |seconds| V::linear(V::default(), row, seconds))
    };
    let keys = rows.as_chunks::<3>().0.iter().enumerate();
    keys.map(|(key, &[arriving, value, leaving])| {
        (value, [slope(arriving, key.checked_sub(1).and_then(span)), slope(leaving, span(key))])
    })
    .unzip()
}
