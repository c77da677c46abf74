//! What lies beside a sample: the other samples, as they ship or damaged. Tests and fuzz targets share it.
#![allow(dead_code, reason = "tests and fuzz targets use their own part each")]
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use galvani::formats::{self, Format, Links};
use galvani::samples::{self, Sample};

/// The samples, made once.
pub(crate) static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(samples::all);

/// The samples as neighbours.
#[derive(Debug)]
pub(crate) struct Samples;

impl Links for Samples {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let sample = SAMPLES.iter().find(|sample| own_name(sample).eq_ignore_ascii_case(name));
        sample.map(|sample| sample.bytes.as_slice().into())
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let end = format!(".{extension}");
        SAMPLES.iter().map(own_name).filter(|name| name.ends_with(&end)).map(str::to_owned).collect()
    }
}

/// The name of a sample in its folder.
pub(crate) fn own_name(sample: &Sample) -> &str {
    sample.name.rsplit('/').next().unwrap()
}

/// The samples that are files of a format.
pub(crate) fn samples_of(format: &'static dyn Format) -> impl Iterator<Item = &'static Sample> {
    let is_one = move |sample: &&Sample| {
        let found = formats::recognise(&sample.bytes, Some(own_name(sample)));
        found.is_some_and(|found| found.info().id == format.info().id)
    };
    SAMPLES.iter().filter(is_one)
}

/// The samples as neighbours, some of them other than they ship; remembers which were asked for.
#[derive(Debug, Default)]
pub(crate) struct Damaged {
    instead: BTreeMap<String, Vec<u8>>,
    met: RefCell<BTreeSet<String>>,
}

impl Damaged {
    /// The neighbours that somebody asked for and that are there, in lower case.
    pub(crate) fn met(&self) -> Vec<String> {
        self.met.borrow().iter().cloned().collect()
    }

    /// Cuts a neighbour off at a place.
    pub(crate) fn cut(&mut self, name: &str, at: usize) {
        self.change(name, |bytes| bytes.truncate(at));
    }

    /// Changes the bits of a byte of a neighbour.
    pub(crate) fn flip(&mut self, name: &str, at: usize, bits: u8) {
        self.change(name, |bytes| bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= bits));
    }

    /// Puts another file in the place of a neighbour.
    pub(crate) fn put(&mut self, name: &str, bytes: Vec<u8>) {
        self.change(name, |old| *old = bytes);
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.find(name).unwrap().into_owned();
        change(&mut bytes);
        self.instead.insert(name.to_owned(), bytes);
    }
}

impl Links for Damaged {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let name = name.to_ascii_lowercase();
        let found = match self.instead.get(&name) {
            Some(bytes) => Some(bytes.into()),
            None => Samples.find(&name),
        };
        if found.is_some() {
            self.met.borrow_mut().insert(name);
        }
        found
    }

    fn names(&self, extension: &str) -> Vec<String> {
        Samples.names(extension)
    }
}
