//! Lists of numbers, however they lie in their bytes.

use galvani_core::{Exhausted, Meter, room};
use zerocopy::little_endian::{F32, I16, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::view::{Component, Shape};

/// What an element of a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) component: Component,
    pub(super) shape: Shape,
    pub(super) normalized: bool,
}

/// Columns of matrices begin on a multiple of this.
const COLUMN: usize = 4;

impl Layout {
    pub(super) fn index(component: Component) -> Self {
        Layout { component, shape: Shape::Scalar, normalized: false }
    }

    /// Bytes from one column to the next.
    fn column(self) -> usize {
        let (columns, rows) = self.shape.columns();
        let column = rows.saturating_mul(self.component.size());
        if columns > 1 { column.next_multiple_of(COLUMN) } else { column }
    }

    /// Bytes of an element, without what aligns the next.
    pub(super) fn len(self) -> usize {
        let (columns, rows) = self.shape.columns();
        let before = self.column().saturating_mul(columns.saturating_sub(1));
        before.saturating_add(rows.saturating_mul(self.component.size()))
    }

    /// Bytes from one element to the next where nobody says otherwise.
    pub(super) fn stride(self) -> usize {
        self.column().saturating_mul(self.shape.columns().0)
    }
}

/// A list of numbers or of several together, where they lie.
#[derive(Debug, Clone, Copy)]
pub struct Items<'a> {
    pub(super) layout: Layout,
    pub(super) count: usize,
    pub(super) stride: usize,
    /// From the first element to the end of the last; without any all numbers are 0.
    pub(super) bytes: Option<&'a [u8]>,
    pub(super) sparse: Option<SparseItems<'a>>,
}

/// Elements that are different.
#[derive(Debug, Clone, Copy)]
pub(super) struct SparseItems<'a> {
    pub(super) component: Component,
    pub(super) indices: &'a [u8],
    pub(super) values: &'a [u8],
    pub(super) stride: usize,
}

impl<'a> SparseItems<'a> {
    pub(super) fn indices(self) -> impl Iterator<Item = usize> + use<'a> {
        let size = self.component.size();
        self.indices.chunks_exact(size).map(|bytes| {
            let mut word = [0; 4];
            word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            usize::try_from(u32::from_le_bytes(word)).unwrap_or(usize::MAX)
        })
    }
}

/// Does something with every number of a list as a float, whatever it is there.
macro_rules! as_floats {
    ($items:ident.$act:ident($($with:expr),*)) => {{
        let is_part = $items.layout.normalized;
        match $items.layout.component {
            Component::F32 => $items.$act(F32::get, $($with),*),
            Component::I8 if is_part => $items.$act(|it: i8| (f32::from(it) / 127.0).max(-1.0), $($with),*),
            Component::U8 if is_part => $items.$act(|it: u8| f32::from(it) / 255.0, $($with),*),
            Component::I16 if is_part => {
                $items.$act(|it: I16| (f32::from(it.get()) / 32767.0).max(-1.0), $($with),*)
            }
            Component::U16 if is_part => $items.$act(|it: U16| f32::from(it.get()) / 65535.0, $($with),*),
            Component::I8 => $items.$act(|it: i8| f32::from(it), $($with),*),
            Component::U8 => $items.$act(|it: u8| f32::from(it), $($with),*),
            Component::I16 => $items.$act(|it: I16| f32::from(it.get()), $($with),*),
            Component::U16 => $items.$act(|it: U16| f32::from(it.get()), $($with),*),
            Component::U32 => {
                $items.$act(|it: U32| galvani_core::maths::single(f64::from(it.get())), $($with),*)
            }
        }
    }};
}

/// The same as a whole number; those below 0 are 0.
macro_rules! as_integers {
    ($items:ident.$act:ident($($with:expr),*)) => {
        match $items.layout.component {
            Component::U8 => $items.$act(|it: u8| u32::from(it), $($with),*),
            Component::U16 => $items.$act(|it: U16| u32::from(it.get()), $($with),*),
            Component::U32 => $items.$act(U32::get, $($with),*),
            Component::I8 => $items.$act(|it: i8| u32::try_from(it).unwrap_or(0), $($with),*),
            Component::I16 => $items.$act(|it: I16| u32::try_from(it.get()).unwrap_or(0), $($with),*),
            Component::F32 => $items.$act(|it: F32| whole(it.get()), $($with),*),
        }
    };
}

impl Items<'_> {
    /// How many elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What a number is.
    pub fn component(&self) -> Component {
        self.layout.component
    }

    /// How many numbers belong together.
    pub fn shape(&self) -> Shape {
        self.layout.shape
    }

    /// Whether integers stand for parts of 1.
    pub fn is_normalized(&self) -> bool {
        self.layout.normalized
    }

    /// Whether it is all in one run, one element behind the other, with nothing between them.
    pub fn is_tight(&self) -> bool {
        let len = self.layout.component.size().saturating_mul(self.layout.shape.numbers());
        self.bytes.is_some() && self.stride == len
    }

    /// How many elements are different from those in the run.
    pub(crate) fn exceptions(&self) -> usize {
        self.sparse.map_or(0, |sparse| sparse.indices.len())
    }

    /// The same with integers standing for themselves.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.layout.normalized = false;
        self
    }

    /// Every element as numbers, made of them in a list that is charged. Elements of other shapes are cut, or filled
    /// with zeros.
    pub fn floats<const N: usize, T>(
        &self,
        meter: &Meter,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<Vec<T>, Exhausted> {
        let list = self.room(meter)?;
        Ok(as_floats!(self.gathered(list, make)))
    }

    /// The same of whole numbers; those below 0 are 0.
    pub fn integers<const N: usize, T>(
        &self,
        meter: &Meter,
        make: impl Fn([u32; N]) -> T,
    ) -> Result<Vec<T>, Exhausted> {
        let list = self.room(meter)?;
        Ok(as_integers!(self.gathered(list, make)))
    }

    fn room<T>(&self, meter: &Meter) -> Result<Vec<T>, Exhausted> {
        let bytes = self.count.saturating_mul(size_of::<T>());
        meter.memory(bytes)?;
        meter.work(bytes)?;
        room::with_capacity(self.count)
    }

    /// Looks at every element as numbers.
    pub fn each_float<const N: usize>(&self, each: impl FnMut([f32; N])) {
        as_floats!(self.each(each));
    }

    /// Looks at every element as whole numbers.
    pub fn each_integer<const N: usize>(&self, each: impl FnMut([u32; N])) {
        as_integers!(self.each(each));
    }

    /// The first element that is not as it should be.
    pub(super) fn first_wrong<const N: usize>(
        &self,
        is_sound: impl Fn([f32; N]) -> bool,
    ) -> Option<[f32; N]> {
        // Nearly always there is none: all are looked at together, without stopping at each.
        let mut all = true;
        self.each_float(|row| all &= is_sound(row));
        let mut wrong = None;
        if !all {
            self.each_float(|row| {
                if wrong.is_none() && !is_sound(row) {
                    wrong = Some(row);
                }
            });
        }
        wrong
    }

    /// Whether all are numbers; integers always are.
    pub(super) fn is_finite<const N: usize>(&self) -> bool {
        let mut is_finite = true;
        if self.layout.component == Component::F32 {
            match self.tight::<1, F32>() {
                Some(words) => {
                    for [word] in words {
                        is_finite &= word.get().is_finite();
                    }
                }
                None => self.each_float(|row: [f32; N]| is_finite &= row.iter().all(|part| part.is_finite())),
            }
        }
        is_finite
    }

    /// The least and the greatest of each number of an element. What is none does not count.
    pub(super) fn bounds<const N: usize>(&self) -> ([f32; N], [f32; N]) {
        let mut bounds = Bounds::<N>::new();
        if self.layout.component == Component::F32
            && let Some(rows) = self.tight::<N, F32>()
        {
            // Four at a time, so that no row waits for the one before it.
            let mut four = [Bounds::<N>::new(); 4];
            let (fours, rest) = rows.as_chunks::<4>();
            for rows in fours {
                for (bounds, row) in four.iter_mut().zip(rows) {
                    bounds.take(row.map(F32::get));
                }
            }
            for row in rest {
                bounds.take(row.map(F32::get));
            }
            for Bounds { least, most } in four {
                bounds.take_least(least);
                bounds.take_most(most);
            }
        } else {
            self.each_float(|row| bounds.take(row));
        }
        (bounds.least, bounds.most)
    }

    /// All elements as they lie, if there is nothing else and nothing between them. `N` divides their numbers.
    fn tight<const N: usize, W: Wire>(&self) -> Option<&[[W; N]]> {
        let is_whole = self.layout.shape.numbers().is_multiple_of(N.max(1));
        let bytes = self.bytes.filter(|_| is_whole && self.is_tight() && self.sparse.is_none())?;
        <[[W; N]]>::ref_from_bytes(bytes).ok()
    }

    /// Every element in a list that has room for all.
    fn gathered<const N: usize, W: Wire, T: Copy + Default, M>(
        &self,
        number: impl Fn(W) -> T,
        mut list: Vec<M>,
        make: impl Fn([T; N]) -> M,
    ) -> Vec<M> {
        if self.layout.shape.numbers() == N
            && let Some(rows) = self.tight::<N, W>()
        {
            list.extend(rows.iter().map(|row| make(row.map(&number))));
        } else {
            self.each(number, |row| list.push(make(row)));
        }
        list
    }

    fn each<const N: usize, W: Wire, T: Copy + Default>(
        &self,
        number: impl Fn(W) -> T,
        mut each: impl FnMut([T; N]),
    ) {
        let read = |bytes: &[u8]| self.row(bytes, &number);
        match (self.bytes, self.sparse) {
            (Some(bytes), None) => self.each_of(bytes, &number, each),
            (None, None) => (0..self.count).for_each(|_| each([T::default(); N])),
            (base, Some(sparse)) => {
                let mut others = sparse.indices().zip(sparse.values.chunks(sparse.stride.max(1))).peekable();
                let mut rows = base.map(|bytes| bytes.chunks(self.stride.max(1)));
                for i in 0..self.count {
                    let own = rows.as_mut().and_then(Iterator::next);
                    let other = others.next_if(|(index, _)| *index == i).map(|(_, bytes)| bytes);
                    each(other.or(own).map_or([T::default(); N], read));
                }
            }
        }
    }

    /// Every element of a list without exceptions; those that lie close together are looked at as one.
    fn each_of<const N: usize, W: Wire, T: Copy + Default>(
        &self,
        bytes: &[u8],
        number: &impl Fn(W) -> T,
        mut each: impl FnMut([T; N]),
    ) {
        if self.layout.shape.numbers() == N
            && let Some(rows) = self.tight::<N, W>()
        {
            for row in rows {
                each(row.map(number));
            }
            return;
        }
        for row in bytes.chunks(self.stride.max(1)).take(self.count) {
            each(self.row(row, number));
        }
    }

    /// One element.
    fn row<const N: usize, W: Wire, T: Copy + Default>(
        &self,
        bytes: &[u8],
        number: &impl Fn(W) -> T,
    ) -> [T; N] {
        let (columns, rows) = self.layout.shape.columns();
        let mut made = [T::default(); N];
        if columns == 1
            && rows == N
            && let Ok((row, _)) = <[W; N]>::ref_from_prefix(bytes)
        {
            return row.map(number);
        }
        let columns = bytes.chunks(self.layout.column().max(1)).take(columns);
        let numbers = columns.flat_map(|column| column.chunks_exact(size_of::<W>()).take(rows));
        for (slot, bytes) in made.iter_mut().zip(numbers) {
            *slot = W::read_from_bytes(bytes).map_or(T::default(), number);
        }
        made
    }
}

/// The least and the greatest so far.
#[derive(Clone, Copy)]
struct Bounds<const N: usize> {
    least: [f32; N],
    most: [f32; N],
}

impl<const N: usize> Bounds<N> {
    fn new() -> Self {
        Bounds { least: [f32::INFINITY; N], most: [f32::NEG_INFINITY; N] }
    }

    fn take(&mut self, row: [f32; N]) {
        self.take_least(row);
        self.take_most(row);
    }

    fn take_least(&mut self, row: [f32; N]) {
        for (least, part) in self.least.iter_mut().zip(row) {
            *least = if part < *least { part } else { *least };
        }
    }

    fn take_most(&mut self, row: [f32; N]) {
        for (most, part) in self.most.iter_mut().zip(row) {
            *most = if part > *most { part } else { *most };
        }
    }
}

/// A number as it lies in a file.
trait Wire: FromBytes + Immutable + KnownLayout + Unaligned + Copy {}

impl Wire for i8 {}
impl Wire for u8 {}
impl Wire for I16 {}
impl Wire for U16 {}
impl Wire for U32 {}
impl Wire for F32 {}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "what is no such number is the nearest"
)]
fn whole(number: f32) -> u32 {
    number as u32
}
