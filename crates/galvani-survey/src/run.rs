//! Looking at every input, on all cores, and handing on the rows in the order of the inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use galvani::formats::OpenOptions;
use galvani::fs::{Folders, Input};

use crate::resume::EarlierSurvey;
use crate::visit::{Batches, survey};
use crate::{SurveyError, Table};

/// Inputs that one worker looks at before it hands on their rows.
const PORTION: usize = 64;

/// Bytes of rows that may wait for those before them.
const MOST_WAITING: usize = 1 << 26;

/// Where rows go.
pub trait Sink {
    /// Takes rows of a table.
    fn take(&mut self, table: Table, rows: RecordBatch) -> Result<(), SurveyError>;
}

impl<F: FnMut(Table, RecordBatch) -> Result<(), SurveyError>> Sink for F {
    fn take(&mut self, table: Table, rows: RecordBatch) -> Result<(), SurveyError> {
        self(table, rows)
    }
}

/// What is looked at, and how.
#[derive(Debug, Default)]
pub struct Options {
    /// The tables that are wanted.
    pub tables: BTreeSet<Table>,
    /// How files are opened.
    pub open: OpenOptions,
    /// How many look at once; as many as there are cores if that is not said.
    pub threads: Option<usize>,
    /// Files that are there already.
    pub surveyed: EarlierSurvey,
}

impl Options {
    /// These tables, everything else as usual.
    pub fn of(tables: impl IntoIterator<Item = Table>) -> Self {
        Options { tables: tables.into_iter().collect(), ..Options::default() }
    }
}

/// How far a survey is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Inputs that were looked at.
    pub done: usize,
    /// Inputs that there are.
    pub of: usize,
}

/// What a survey came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files and members that were looked at.
    pub files: usize,
    /// Inputs that were there already.
    pub skipped: usize,
    /// Files and members that do not read.
    pub unreadable: usize,
    /// Inputs that do not read.
    pub unreadable_inputs: usize,
    /// Whether it was stopped before its end.
    pub is_stopped: bool,
}

impl Summary {
    fn join(&mut self, more: Summary) {
        self.files = self.files.saturating_add(more.files);
        self.skipped = self.skipped.saturating_add(more.skipped);
        self.unreadable = self.unreadable.saturating_add(more.unreadable);
        self.unreadable_inputs = self.unreadable_inputs.saturating_add(more.unreadable_inputs);
    }
}

/// Looks at every input, and at every member of archives. `go_on` is told how far it is, from any thread; where it says no,
/// inputs that were begun are finished and no more are begun.
pub fn run(
    inputs: &[Input],
    options: &Options,
    sink: &mut (dyn Sink + Send),
    go_on: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Summary, SurveyError> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or_else(cores).max(1);
    let portion = inputs.len().div_ceil(threads.saturating_mul(4)).clamp(1, PORTION);
    let survey = Survey {
        inputs,
        portion,
        options,
        folders: Folders::default(),
        begun: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        is_stopped: AtomicBool::new(false),
        queue: Mutex::new(Queue { next: 0, waiting: BTreeMap::new(), bytes: 0, sink, failed: None }),
        moved: Condvar::new(),
        next: AtomicUsize::new(0),
        go_on,
    };
    let mut summary = Summary::default();
    std::thread::scope(|scope| {
        let work = || survey.work();
        // This thread is one of them.
        let more: Vec<_> = (1..threads.min(inputs.len().div_ceil(portion)))
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        summary.join(survey.work());
        for worker in more {
            match worker.join() {
                Ok(part) => summary.join(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    summary.is_stopped = survey.is_stopped.load(Ordering::Relaxed);
    let queue = survey.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.failed.map_or(Ok(summary), Err)
}

/// Rows that wait for those before them.
type Waiting = Vec<(Table, RecordBatch)>;

struct Queue<'a> {
    /// The portion whose rows are next.
    next: usize,
    waiting: BTreeMap<usize, Waiting>,
    /// How much that is.
    bytes: usize,
    sink: &'a mut (dyn Sink + Send),
    failed: Option<SurveyError>,
}

impl Queue<'_> {
    fn write(&mut self, rows: Waiting) {
        for (table, batch) in rows {
            if self.failed.is_none() {
                self.failed = self.sink.take(table, batch).err();
            }
        }
    }
}

struct Survey<'a> {
    inputs: &'a [Input],
    portion: usize,
    options: &'a Options,
    folders: Folders,
    begun: AtomicUsize,
    done: AtomicUsize,
    is_stopped: AtomicBool,
    queue: Mutex<Queue<'a>>,
    moved: Condvar,
    /// The same as in the queue, to be looked at without waiting.
    next: AtomicUsize,
    go_on: &'a (dyn Fn(Progress) -> bool + Sync),
}

impl<'a> Survey<'a> {
    /// One portion after the other, until there is none.
    fn work(&self) -> Summary {
        let mut summary = Summary::default();
        let mut batches = Batches::new(&self.options.tables);
        loop {
            if self.is_stopped.load(Ordering::Relaxed) {
                return summary;
            }
            let number = self.begun.fetch_add(1, Ordering::Relaxed);
            let start = number.saturating_mul(self.portion);
            let Some(rest) = self.inputs.get(start..).filter(|rest| !rest.is_empty()) else { return summary };
            let portion = rest.get(..self.portion).unwrap_or(rest);
            let mut outbox = Outbox { survey: self, number, held: Vec::new(), bytes: 0 };
            for input in portion {
                if self.is_stopped.load(Ordering::Relaxed) {
                    break;
                }
                let mut emit = |table, batch| outbox.push(table, batch);
                let made = survey(input, self.options, &self.folders, &mut batches, &mut emit);
                match made {
                    Ok(part) => summary.join(part),
                    Err(error) => self.fail(error),
                }
                let done = self.done.fetch_add(1, Ordering::Relaxed).saturating_add(1);
                if !(self.go_on)(Progress { done, of: self.inputs.len() }) {
                    self.is_stopped.store(true, Ordering::Relaxed);
                }
            }
            if let Err(error) = batches.finish(&mut |table, batch| outbox.push(table, batch)) {
                self.fail(error);
            }
            outbox.finish();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, error: SurveyError) {
        self.queue().failed.get_or_insert(error);
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// The rows of one portion. They are handed on when it is their turn; until then they are held, as far as there is room.
struct Outbox<'s, 'a> {
    survey: &'s Survey<'a>,
    number: usize,
    held: Waiting,
    bytes: usize,
}

impl Outbox<'_, '_> {
    fn push(&mut self, table: Table, batch: RecordBatch) {
        self.bytes = self.bytes.saturating_add(batch.get_array_memory_size());
        self.held.push((table, batch));
        let is_next = self.survey.next.load(Ordering::Acquire) == self.number;
        if !is_next && self.bytes <= MOST_WAITING {
            return;
        }
        let mut queue = self.survey.queue();
        while queue.next != self.number {
            queue = self.survey.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        self.bytes = 0;
        queue.write(std::mem::take(&mut self.held));
        if queue.failed.is_some() {
            self.survey.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    /// All rows are there: hands them on, or leaves them for whoever is before.
    fn finish(self) {
        let mut queue = self.survey.queue();
        while queue.next != self.number {
            if queue.bytes.saturating_add(self.bytes) <= MOST_WAITING {
                queue.bytes = queue.bytes.saturating_add(self.bytes);
                queue.waiting.insert(self.number, self.held);
                return;
            }
            queue = self.survey.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        queue.write(self.held);
        queue.next = queue.next.saturating_add(1);
        loop {
            let next = queue.next;
            let Some(rows) = queue.waiting.remove(&next) else { break };
            let freed = rows.iter().map(|(_, batch)| batch.get_array_memory_size()).sum();
            queue.bytes = queue.bytes.saturating_sub(freed);
            queue.write(rows);
            queue.next = next.saturating_add(1);
        }
        if queue.failed.is_some() {
            self.survey.is_stopped.store(true, Ordering::Relaxed);
        }
        self.survey.next.store(queue.next, Ordering::Release);
        drop(queue);
        self.survey.moved.notify_all();
    }
}
