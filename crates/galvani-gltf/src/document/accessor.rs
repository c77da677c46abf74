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
        self.charge::<T>(meter)?;
        let mut list = room::with_capacity(self.count)?;
        self.each_float(|row| list.push(make(row)));
        Ok(list)
    }

    /// The same of whole numbers; those below 0 are 0.
    pub fn integers<const N: usize, T>(
        &self,
        meter: &Meter,
        make: impl Fn([u32; N]) -> T,
    ) -> Result<Vec<T>, Exhausted> {
        self.charge::<T>(meter)?;
        let mut list = room::with_capacity(self.count)?;
        self.each_integer(|row| list.push(make(row)));
        Ok(list)
    }

    fn charge<T>(&self, meter: &Meter) -> Result<(), Exhausted> {
        let bytes = self.count.saturating_mul(size_of::<T>());
        meter.memory(bytes)?;
        meter.work(bytes)
    }

    /// Looks at every element as numbers.
    pub fn each_float<const N: usize>(&self, each: impl FnMut([f32; N])) {
        let is_part = self.layout.normalized;
        match self.layout.component {
            Component::F32 => self.each(F32::get, each),
            Component::I8 if is_part => self.each(|it: i8| (f32::from(it) / 127.0).max(-1.0), each),
            Component::U8 if is_part => self.each(|it: u8| f32::from(it) / 255.0, each),
            Component::I16 if is_part => self.each(|it: I16| (f32::from(it.get()) / 32767.0).max(-1.0), each),
            Component::U16 if is_part => self.each(|it: U16| f32::from(it.get()) / 65535.0, each),
            Component::I8 => self.each(|it: i8| f32::from(it), each),
            Component::U8 => self.each(|it: u8| f32::from(it), each),
            Component::I16 => self.each(|it: I16| f32::from(it.get()), each),
            Component::U16 => self.each(|it: U16| f32::from(it.get()), each),
            Component::U32 => self.each(|it: U32| galvani_core::maths::single(f64::from(it.get())), each),
        }
    }

    /// Looks at every element as whole numbers.
    pub fn each_integer<const N: usize>(&self, each: impl FnMut([u32; N])) {
        match self.layout.component {
            Component::U8 => self.each(|it: u8| u32::from(it), each),
            Component::U16 => self.each(|it: U16| u32::from(it.get()), each),
            Component::U32 => self.each(U32::get, each),
            Component::I8 => self.each(|it: i8| u32::try_from(it).unwrap_or(0), each),
            Component::I16 => self.each(|it: I16| u32::try_from(it.get()).unwrap_or(0), each),
            Component::F32 => self.each(|it: F32| whole(it.get()), each),
        }
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
        if let Ok(rows) = <[[W; N]]>::ref_from_bytes(bytes)
            && self.is_tight()
            && self.layout.shape.numbers() == N
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
