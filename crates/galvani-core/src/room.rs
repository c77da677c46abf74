//! Memory whose size a file or a request decides: asked for, never taken for granted.
//!
//! Everything that grows with its input gets its room here. Where the system has none left, that is an answer like any
//! other: `file.out-of-memory`, with the bytes that were wanted.

use crate::budget::{Exhausted, OUT_OF_MEMORY};
use crate::path::Path;

/// An empty list with room for so many.
#[inline]
pub fn with_capacity<T>(count: usize) -> Result<Vec<T>, Exhausted> {
    let mut list = Vec::new();
    reserve_exact(&mut list, count)?;
    Ok(list)
}

/// The same as often as one likes.
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Exhausted> {
    let mut list = with_capacity(count)?;
    list.resize(count, value);
    Ok(list)
}

/// A copy of a list.
#[inline]
pub fn copied<T: Copy>(list: &[T]) -> Result<Vec<T>, Exhausted> {
    let mut made = with_capacity(list.len())?;
    made.extend_from_slice(list);
    Ok(made)
}

/// A copy of a list in a buffer whose room is used again; if there is none the buffer is as it was.
pub fn copy_into<T: Copy>(list: &[T], buffer: &mut Vec<T>) -> Result<(), Exhausted> {
    reserve_exact(buffer, list.len().saturating_sub(buffer.len()))?;
    buffer.clear();
    buffer.extend_from_slice(list);
    Ok(())
}

/// A list of everything there is; room for what is announced is asked for at once.
pub fn collected<T>(all: impl IntoIterator<Item = T>) -> Result<Vec<T>, Exhausted> {
    let all = all.into_iter();
    let mut made = with_capacity(all.size_hint().0)?;
    extend(&mut made, all)?;
    Ok(made)
}

/// A list of everything there is, up to the first that fails.
pub fn try_collected<T, E: From<Exhausted>>(
    all: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Vec<T>, E> {
    let all = all.into_iter();
    let mut made = with_capacity(all.size_hint().1.unwrap_or(0))?;
    for one in all {
        push(&mut made, one?)?;
    }
    Ok(made)
}

/// Appends everything there is. If there is no room some of it may be there already.
pub fn extend<T>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Result<(), Exhausted> {
    let mut more = more.into_iter();
    let (least, most) = more.size_hint();
    reserve(list, least)?;
    if most == Some(least) {
        // Nothing is asked for in between, so that many become one copy.
        list.extend(more);
        return Ok(());
    }
    while let Some(one) = more.next() {
        if list.len() == list.capacity() {
            reserve(list, more.size_hint().0.saturating_add(1))?;
        }
        list.push(one);
    }
    Ok(())
}

/// Appends a copy of a list, or leaves all as it is.
#[inline]
pub fn append<T: Copy>(list: &mut Vec<T>, more: &[T]) -> Result<(), Exhausted> {
    reserve(list, more.len())?;
    list.extend_from_slice(more);
    Ok(())
}

/// Appends one.
#[inline]
pub fn push<T>(list: &mut Vec<T>, one: T) -> Result<(), Exhausted> {
    reserve(list, 1)?;
    list.push(one);
    Ok(())
}

/// Room for so many more, and some to spare: a list that grows step by step is not moved at every step.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
    if list.len().saturating_add(more) <= list.capacity() { Ok(()) } else { grow(list, more) }
}

#[cold]
fn grow<T>(list: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
    let wanted = list.len().saturating_add(more);
    allow(|| lacking::<T>(wanted))?;
    list.try_reserve(more).map_err(|_| lacking::<T>(wanted))?;
    spare::<T>(wanted)
}

/// Room for just so many more.
#[inline]
pub fn reserve_exact<T>(list: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
    let wanted = list.len().saturating_add(more);
    if wanted <= list.capacity() {
        return Ok(());
    }
    allow(|| lacking::<T>(wanted))?;
    list.try_reserve_exact(more).map_err(|_| lacking::<T>(wanted))?;
    spare::<T>(wanted)
}

/// What a large list must leave to everything small, which has no way to be told that there is no room: words, threads. Much less
/// than the list itself, or the allocator gives memory back to the system and takes it again with every question.
const SPARE: usize = 2 << 20;

/// A list of as many bytes or more is large.
const LARGE: usize = 2 * SPARE;

/// Fails where a large list took the last that there was.
#[inline]
fn spare<T>(count: usize) -> Result<(), Exhausted> {
    if count.saturating_mul(size_of::<T>()) < LARGE || leaves_some() {
        Ok(())
    } else {
        Err(lacking::<T>(count))
    }
}

#[cold]
fn leaves_some() -> bool {
    let mut rest: Vec<u8> = Vec::new();
    rest.try_reserve_exact(SPARE).is_ok()
}

/// Fails where so many bytes are not to be had now. For what is made of many small pieces, none of which can say so itself: a
/// copy of a document, a manifest.
pub fn probe(bytes: usize) -> Result<(), Exhausted> {
    with_capacity::<u8>(bytes).map(drop)
}

#[cold]
#[inline(never)]
fn lacking<T>(count: usize) -> Exhausted {
    refusal(count.saturating_mul(size_of::<T>()))
}

/// The refusal of so many bytes.
pub fn refusal(bytes: usize) -> Exhausted {
    OUT_OF_MEMORY.at(Path::root()).saying(format!("{bytes} bytes wanted, the system has none to give")).into()
}

#[cfg(not(feature = "faults"))]
#[expect(clippy::unnecessary_wraps, reason = "tests let it fail")]
fn allow(_refusal: impl FnOnce() -> Exhausted) -> Result<(), Exhausted> {
    Ok(())
}

#[cfg(feature = "faults")]
fn allow(refusal: impl FnOnce() -> Exhausted) -> Result<(), Exhausted> {
    if faults::is_next() { Err(refusal()) } else { Ok(()) }
}

/// Faults that tests order, each for its own thread.
#[cfg(feature = "faults")]
#[doc(hidden)]
pub mod faults {
    use std::cell::Cell;

    thread_local! {
        static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Does something during which the call of that number for room fails, counted from 0; says also whether it came to that.
    pub fn at<T>(number: u64, act: impl FnOnce() -> T) -> (T, bool) {
        LEFT.set(Some(number));
        let done = act();
        let has_failed = LEFT.replace(None).is_none();
        (done, has_failed)
    }

    /// Does something during which none fails, nor is counted.
    pub fn pause<T>(act: impl FnOnce() -> T) -> T {
        let left = LEFT.take();
        let done = act();
        LEFT.set(left);
        done
    }

    pub(super) fn is_next() -> bool {
        let Some(left) = LEFT.get() else { return false };
        LEFT.set(left.checked_sub(1));
        left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_what_they_are_made_of() {
        assert_eq!(copied(&[1, 2, 3]).unwrap(), [1, 2, 3]);
        assert_eq!(filled(7, 2).unwrap(), [7, 7]);
        assert_eq!(collected((0..9).filter(|i| i % 2 == 0)).unwrap(), [0, 2, 4, 6, 8]);
        let halves = [4, 2, 9].map(|i: u8| if i < 9 { Ok(i / 2) } else { Err(lacking::<u8>(1)) });
        assert_eq!(try_collected(halves[..2].to_vec()).unwrap(), [2, 1]);
        assert!(try_collected(halves.to_vec()).is_err());
        let mut list = vec![1];
        append(&mut list, &[2]).unwrap();
        extend(&mut list, [3, 4]).unwrap();
        push(&mut list, 5).unwrap();
        assert_eq!(list, [1, 2, 3, 4, 5]);
        let (room, at) = (list.capacity(), list.as_ptr());
        copy_into(&[9], &mut list).unwrap();
        assert_eq!((list.as_slice(), list.capacity(), list.as_ptr()), (&[9][..], room, at));
    }

    #[test]
    fn what_is_not_to_be_had_is_a_refusal_with_its_bytes() {
        let most = usize::MAX / 4;
        let refused = with_capacity::<u64>(most).unwrap_err().cause;
        assert_eq!(refused.code, &OUT_OF_MEMORY);
        let wanted = format!("{} bytes wanted, the system has none to give", usize::MAX);
        assert_eq!(refused.message, wanted);
        let mut list = vec![1_u64];
        assert!(
            reserve(&mut list, most).is_err() && filled(0_u64, most).is_err() && probe(most * 4).is_err()
        );
        assert_eq!(list, [1]);
    }

    #[cfg(feature = "faults")]
    #[test]
    fn a_call_fails_when_it_is_told_to() {
        let act = || (with_capacity::<u8>(1).is_ok(), with_capacity::<u8>(0).is_ok(), copied(b"ab").is_ok());
        assert_eq!(faults::at(0, act), ((false, true, true), true));
        assert_eq!(faults::at(1, act), ((true, true, false), true), "what needs no room asks for none");
        assert_eq!(faults::at(2, act), ((true, true, true), false));
        assert_eq!(
            faults::at(0, || (faults::pause(act), act())).0,
            ((true, true, true), (false, true, true))
        );
        assert_eq!(act(), (true, true, true));
    }
}
