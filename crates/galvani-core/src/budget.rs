//! How much memory and work an operation may take: by default a multiple of its input, else what somebody allows.

use std::cell::Cell;

use thiserror::Error;

use crate::codes;
use crate::diag::{Diagnostic, EditError, LiftError, LowerError, ReadError, SampleError, WriteError};
use crate::path::Path;

codes! {
    OUT_OF_MEMORY = Error, "file.out-of-memory",
        "this wants more memory than it may take",
        "the file is damaged or made to take much; if it is sound, allow more memory";
    OUT_OF_WORK = Error, "file.out-of-work",
        "this wants more work than the file justifies",
        "parts of the file overlap or repeat; if it is sound, allow more work";
}

/// What somebody allows an operation; where nothing is said, its [`Allowance`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Bytes.
    pub memory: Option<u64>,
    /// Steps; one is about what looking at a byte costs.
    pub work: Option<u64>,
}

/// What an operation may take of something unless somebody allows more: so much, and so much for each byte of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Whatever the input.
    pub base: u64,
    /// For each byte of it.
    pub per_byte: u64,
}

/// What an operation may take of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Bytes.
    pub memory: Share,
    /// Steps.
    pub work: Share,
}

impl Share {
    /// For an input of so many bytes.
    pub fn for_input(self, input: usize) -> u64 {
        let input = u64::try_from(input).unwrap_or(u64::MAX);
        self.base.saturating_add(self.per_byte.saturating_mul(input))
    }
}

impl Budget {
    /// What an operation on so many bytes may take.
    pub fn meter(&self, allowance: &Allowance, input: usize) -> Meter {
        let memory = self.memory.unwrap_or_else(|| allowance.memory.for_input(input));
        let work = self.work.unwrap_or_else(|| allowance.work.for_input(input));
        Meter { memory: Account::new(memory), work: Account::new(work) }
    }
}

/// There is no memory, or no work, left for something.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct Exhausted {
    /// How much was wanted, and how much is left.
    pub cause: Box<Diagnostic>,
}

/// Whether something is about memory or work that lacks, and not about what is looked at.
pub fn is_exhaustion(found: &Diagnostic) -> bool {
    ALL.contains(&found.code)
}

/// What there is, or nothing where it cannot be had; that memory or work lacks stays what it is.
pub fn unless_exhausted<T>(found: Result<T, Box<Diagnostic>>) -> Result<Option<T>, Exhausted> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(cause) if is_exhaustion(&cause) => Err(Exhausted { cause }),
        Err(_) => Ok(None),
    }
}

impl From<Diagnostic> for Exhausted {
    fn from(cause: Diagnostic) -> Self {
        Exhausted { cause: Box::new(cause) }
    }
}

/// Whatever is done may come to its end so.
macro_rules! ends {
    ($($error:ident)*) => {
        $(
            impl From<Exhausted> for $error {
                fn from(end: Exhausted) -> Self {
                    (*end.cause).into()
                }
            }
        )*
    };
}

impl From<Exhausted> for Box<Diagnostic> {
    fn from(end: Exhausted) -> Self {
        end.cause
    }
}

ends! { EditError LiftError LowerError ReadError SampleError WriteError }

/// What is left of an operation's budget. Everything is charged before it is done.
#[derive(Debug)]
pub struct Meter {
    memory: Account,
    work: Account,
}

impl Meter {
    /// One that never runs out, for whoever knows what they do.
    pub fn unlimited() -> Self {
        Meter { memory: Account::new(u64::MAX), work: Account::new(u64::MAX) }
    }

    /// Charges so many bytes of memory.
    pub fn memory(&self, bytes: usize) -> Result<(), Exhausted> {
        self.memory.charge(bytes).map_err(|said| OUT_OF_MEMORY.at(Path::root()).saying(said("bytes")).into())
    }

    /// Charges so many bytes as long as what is given back is held.
    pub fn hold(&self, bytes: usize) -> Result<Hold<'_>, Exhausted> {
        self.memory(bytes)?;
        Ok(Hold { meter: self, bytes })
    }

    /// Charges what a result takes before it is made: its bytes, and a step for each of them. `what` says how large it would be.
    pub fn result(&self, what: &str, bytes: u64) -> Result<(), Exhausted> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let stated = |end: Exhausted| {
            let said = format!("the result would be {what}: {}", end.cause.message);
            Exhausted::from(end.cause.saying(said))
        };
        self.memory(bytes).and_then(|()| self.work(bytes)).map_err(stated)
    }

    /// Charges so many steps.
    pub fn work(&self, steps: usize) -> Result<(), Exhausted> {
        self.work.charge(steps).map_err(|said| OUT_OF_WORK.at(Path::root()).saying(said("steps")).into())
    }
}

/// Memory that is charged as long as this is held.
#[derive(Debug)]
pub struct Hold<'m> {
    meter: &'m Meter,
    bytes: usize,
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.meter.memory.give_back(self.bytes);
    }
}

#[derive(Debug)]
struct Account {
    all: u64,
    left: Cell<u64>,
}

impl Account {
    fn new(all: u64) -> Self {
        Account { all, left: Cell::new(all) }
    }

    fn give_back(&self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.left.set(self.left.get().saturating_add(bytes).min(self.all));
    }

    fn charge(&self, wanted: usize) -> Result<(), impl FnOnce(&str) -> String> {
        let (all, left) = (self.all, self.left.get());
        let less = u64::try_from(wanted).ok().and_then(|wanted| left.checked_sub(wanted));
        less.map(|less| self.left.set(less))
            .ok_or(move |of: &str| format!("{wanted} {of} wanted, {left} of {all} left"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWICE: Allowance =
        Allowance { memory: Share { base: 10, per_byte: 0 }, work: Share { base: 1, per_byte: 2 } };

    #[test]
    fn what_is_charged_is_gone() {
        let meter = Budget::default().meter(&TWICE, 2);
        assert!(meter.work(3).is_ok() && meter.work(2).is_ok() && meter.work(0).is_ok());
        let refused = meter.work(1).unwrap_err().cause;
        assert_eq!((refused.code, refused.message.as_str()), (&OUT_OF_WORK, "1 steps wanted, 0 of 5 left"));
        assert_eq!(meter.memory(11).unwrap_err().cause.code, &OUT_OF_MEMORY);
        assert!(meter.memory(10).is_ok(), "what was refused was not charged");
    }

    #[test]
    fn a_result_is_stated_before_it_is_made() {
        let meter = Budget::default().meter(&TWICE, 4);
        assert!(meter.result("nine frames", 9).is_ok() && meter.work(1).is_err());
        let refused = meter.result("2 frames of 2 bytes", 2).unwrap_err().cause;
        let said = "the result would be 2 frames of 2 bytes: 2 bytes wanted, 1 of 10 left";
        assert_eq!((refused.code, refused.message.as_str()), (&OUT_OF_MEMORY, said));
    }

    #[test]
    fn what_is_held_is_given_back() {
        let meter = Budget::default().meter(&TWICE, 0);
        let held = meter.hold(6).unwrap();
        assert!(meter.hold(6).is_err() && meter.hold(4).is_ok());
        drop(held);
        assert!(meter.memory(10).is_ok());
    }

    #[test]
    fn what_somebody_allows_counts_instead() {
        let budget = Budget { work: Some(100), memory: None };
        assert!(budget.meter(&TWICE, 2).work(100).is_ok());
        assert!(budget.meter(&TWICE, 1000).work(101).is_err());
        assert!(budget.meter(&TWICE, 2).memory(11).is_err());
    }
}
