//! Several inputs on all cores.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use galvani::formats::{self, Format, Links, Opened, Site};
use galvani::fs::{Input, Source, expand};
use galvani::{ReadError, render};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::Value;

use crate::args::Common;
use crate::failure::Failure;
use crate::out;
use crate::surroundings::links;

/// What the words of the command name.
pub(crate) struct Batch {
    inputs: Vec<Input>,
}

impl Batch {
    pub(crate) fn new(words: &[OsString], common: &Common) -> Self {
        let inputs = expand(words, common.follow(), &common.options());
        inputs.iter().for_each(out::spare_input);
        Batch { inputs }
    }

    /// The same inputs, but of an archive its members, as if it were a folder.
    pub(crate) fn into_members(mut self, common: &Common) -> Self {
        self.inputs = self.inputs.into_iter().flat_map(|input| members(input, common)).collect();
        self
    }

    /// The same inputs by path, which is the order that results are shown in.
    pub(crate) fn by_path(mut self) -> Self {
        self.inputs.sort_by(|a, b| a.shown.cmp(&b.shown));
        self
    }

    /// The inputs.
    pub(crate) fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many inputs there are, of whatever format.
    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Opens every input and looks at it: one row each, shown in order and then forgotten.
    pub(crate) fn show_rows<T: Send>(
        &self,
        common: &Common,
        look: impl Fn(Opened, &Known, &Input) -> Result<T, Failure> + Sync,
        mut show: impl FnMut(&Row<T>) + Send,
    ) -> ShownRows {
        let work =
            |_: usize, input: &Input| Row::new(input, common, |opened, known| look(opened, known, input));
        let mut told = ShownRows::default();
        let show = |row: Option<Row<T>>| {
            let Some(row) = row else { return };
            told.count += 1;
            told.worst = told.worst.max(row.result.as_ref().err().map_or(0, Failure::exit));
            show(&row);
        };
        self.stream(common, work, |row| row.result.is_err(), show);
        told
    }

    /// Does the work for every input and hands on each result in order as soon as all before it were, `None` where a
    /// folder's file is of no known format. Asked to, it leaves out what comes after a failure; `failed` says what that is.
    /// Work is told the input's place in the order.
    pub(crate) fn stream<T: Send>(
        &self,
        common: &Common,
        work: impl Fn(usize, &Input) -> Option<T> + Sync,
        failed: impl Fn(&T) -> bool + Sync,
        show: impl FnMut(Option<T>) + Send,
    ) {
        let bar = progress(self.inputs.len());
        let stop = AtomicBool::new(false);
        let queue = Mutex::new(Queue { next: 0, waiting: BTreeMap::new(), show });
        let each = |(i, input)| {
            let result = (!stop.load(Ordering::Relaxed)).then(|| work(i, input));
            if common.fail_fast && result.as_ref().and_then(Option::as_ref).is_some_and(&failed) {
                stop.store(true, Ordering::Relaxed);
            }
            bar.inc(1);
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            bar.suspend(|| queue.deliver(i, result));
        };
        match workers(self.inputs.len()) {
            Some(pool) => pool.install(|| self.inputs.par_iter().enumerate().with_max_len(1).for_each(each)),
            None => self.inputs.iter().enumerate().for_each(each),
        }
        bar.finish_and_clear();
    }
}

/// A thread for each core, or as many as there is room for; none where one is as good.
fn workers(inputs: usize) -> Option<ThreadPool> {
    if inputs < 2 {
        return None;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Of 0 the pool makes as many as there are cores, unless the environment wants another number.
    let mut wanted = [0, cores / 2, cores / 4].into_iter();
    wanted.find_map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok())
}

/// What became of rows that were shown.
#[derive(Default)]
pub(crate) struct ShownRows {
    /// How many there were.
    pub(crate) count: usize,
    /// The highest exit code of all.
    pub(crate) worst: u8,
}

/// The members of an archive that somebody pointed at; anything else itself, also a model that is an archive inside.
fn members(input: Input, common: &Common) -> Vec<Input> {
    let known = if input.explicit { Known::new(&input, common).ok().flatten() } else { None };
    let opened = known.and_then(|known| known.open(&input, common).ok());
    let is_whole = |opened: &Opened| {
        opened.as_archive().is_err() || opened.as_model().is_ok() || opened.as_picture().is_ok()
    };
    if opened.as_ref().is_none_or(is_whole) || input.shown == "-" {
        return vec![input];
    }
    let all = OsString::from(format!("{}/*", input.shown));
    let mut members = expand(&[all], common.follow(), &common.options());
    for member in &mut members {
        member.explicit = false;
    }
    members
}

/// Results that wait for those before them.
struct Queue<T, F> {
    next: usize,
    /// `None` for what was left out after a failure.
    waiting: BTreeMap<usize, Option<T>>,
    show: F,
}

impl<T, F: FnMut(T)> Queue<T, F> {
    fn deliver(&mut self, index: usize, result: Option<T>) {
        self.waiting.insert(index, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            result.into_iter().for_each(&mut self.show);
        }
    }
}

/// A bar on standard error if somebody is there to see it.
pub(crate) fn progress(inputs: usize) -> ProgressBar {
    if inputs < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {eta} left");
    ProgressBar::new(inputs.try_into().unwrap_or(u64::MAX))
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// An input with its bytes and its format.
pub(crate) struct Known {
    shown: String,
    pub(crate) source: Source,
    pub(crate) format: &'static dyn Format,
}

impl Known {
    /// Reads and recognises an input; `None` for a folder's file of no known format.
    pub(crate) fn new(input: &Input, common: &Common) -> Result<Option<Self>, Failure> {
        let source = input.source(&common.options())?;
        if source.bytes.is_empty() && input.explicit {
            return Err(Failure::empty(&input.shown));
        }
        let name = source.name.as_deref();
        let recognised = if input.explicit {
            common.forced().or_else(|| formats::recognise_at(&source.bytes, name, source.declared))
        } else {
            formats::recognise_content(&source.bytes, name)
                .filter(|format| common.format.as_deref().is_none_or(|id| id == format.info().id))
        };
        match recognised {
            Some(format) => Ok(Some(Known { shown: input.shown.clone(), source, format })),
            None if input.explicit => Err(Failure::unknown_format(&input.shown)),
            None => Ok(None),
        }
    }

    /// Where it stands, with these neighbours.
    pub(crate) fn site<'a>(&'a self, links: &'a dyn Links) -> Site<'a> {
        let name = self.source.name.as_deref().unwrap_or_default();
        Site { name, links, declared: self.source.declared, ..Site::NOWHERE }
    }

    /// Opens it and lets it look around; what was odd about finding it joins the report.
    pub(crate) fn open(&self, input: &Input, common: &Common) -> Result<Opened, Failure> {
        let unread = |error: ReadError| Failure::Unread(self.shown.clone(), error.cause);
        let links = links(input, common);
        let site = self.site(&*links);
        let opened = self.format.open_at(&self.source.bytes, &common.options(), &site);
        let mut opened = opened.map_err(unread)?;
        self.source.notes.iter().for_each(|note| opened.report.push(note.clone()));
        Ok(opened)
    }

    /// The same where nobody looks at its bytes any more.
    pub(crate) fn into_opened(self, input: &Input, common: &Common) -> Result<Opened, Failure> {
        self.open(input, common)
    }
}

/// An input that was opened, or why not; what a verb over many inputs makes its rows from.
pub(crate) struct Row<T> {
    pub(crate) path: String,
    pub(crate) format: Option<&'static str>,
    pub(crate) result: Result<T, Failure>,
}

impl<T> Row<T> {
    /// Opens an input and looks at it; `None` for a folder's file of no known format.
    pub(crate) fn new(
        input: &Input,
        common: &Common,
        look: impl FnOnce(Opened, &Known) -> Result<T, Failure>,
    ) -> Option<Self> {
        let path = input.shown.clone();
        match Known::new(input, common) {
            Ok(None) => None,
            Err(failure) => Some(Row { path, format: None, result: Err(failure) }),
            Ok(Some(known)) => {
                let result = known.open(input, common).and_then(|opened| look(opened, &known));
                Some(Row { path, format: Some(known.format.info().id), result })
            }
        }
    }

    /// The row of an input that failed.
    pub(crate) fn failure_json(&self, failure: &Failure) -> Value {
        render::json::unreadable(&self.path, self.format, &failure.report())
    }
}

/// The highest exit code of all rows.
pub(crate) fn worst<T>(rows: &[Row<T>]) -> u8 {
    rows.iter().filter_map(|row| row.result.as_ref().err()).map(Failure::exit).max().unwrap_or(0)
}

/// The one input that a word names.
pub(crate) fn single(word: &OsStr, common: &Common) -> Result<(Input, Known), Failure> {
    let mut inputs = Batch::new(&[word.to_owned()], common).inputs;
    let word = word.to_string_lossy();
    match (inputs.pop(), inputs.is_empty()) {
        (Some(input), true) if input.explicit => {
            let known = Known::new(&input, common)?;
            known.map(|known| (input, known)).ok_or_else(|| Failure::unknown_format(&word))
        }
        _ => Err(Failure::Usage(format!("`{word}` names a folder or several files; one file is wanted"))),
    }
}
