//! Which findings count: `--allow` and `--deny`, and the same lists in a `galvani.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use galvani::fs::{Input, read};
use galvani::{Diagnostic, Severity, codes};
use serde::Deserialize;

use crate::args::{Common, Validate};
use crate::failure::Failure;

/// The name of a file with lists of codes for the files around it.
const FILE: &str = "galvani.toml";

/// What to leave out, and what to fail on.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lists {
    allow: BTreeSet<&'static str>,
    deny: BTreeSet<&'static str>,
    /// From which severity on to fail, if lower than error.
    bar: Option<Severity>,
}

impl Lists {
    fn new(allowed: &[String], denied: &[String]) -> Result<Self, String> {
        let mut lists = Lists::default();
        for word in allowed {
            lists.allow.extend(named(word)?);
        }
        for word in denied {
            match bar(word) {
                Some(bar) => lists.bar = Some(lists.bar.map_or(bar, |lowest| lowest.min(bar))),
                None => lists.deny.extend(named(word)?),
            }
        }
        Ok(lists)
    }
}

fn bar(word: &str) -> Option<Severity> {
    match word {
        "warnings" => Some(Severity::Warning),
        "notes" => Some(Severity::Note),
        _ => None,
    }
}

fn named(word: &str) -> Result<impl Iterator<Item = &'static str>, String> {
    let codes = codes::matching(word).map_err(|error| error.to_string())?;
    Ok(codes.into_iter().map(|code| code.name))
}

/// A word behind `--allow`.
pub(crate) fn allow(word: &str) -> Result<String, String> {
    named(word).map(|_| word.to_owned())
}

/// A word behind `--deny`.
pub(crate) fn deny(word: &str) -> Result<String, String> {
    if bar(word).is_some() { Ok(word.to_owned()) } else { allow(word) }
}

/// The lists of the command line and of every `galvani.toml` that concerns an input.
pub(super) struct Rules {
    said: Lists,
    files: BTreeMap<PathBuf, Lists>,
    none: Lists,
}

impl Rules {
    pub(super) fn new(args: &Validate, inputs: &[Input], common: &Common) -> Result<Self, Failure> {
        let said = Lists::new(&args.allow, &args.deny).map_err(Failure::Usage)?;
        let mut rules = Rules { said, files: BTreeMap::new(), none: Lists::default() };
        let mut looked = BTreeSet::new();
        for file in inputs.iter().flat_map(candidates) {
            if looked.insert(file.clone()) && file.is_file() {
                let lists = load(&file, common)?;
                rules.files.insert(file, lists);
            }
        }
        Ok(rules)
    }

    /// Those that hold for an input: the command line's, and the nearest file's.
    pub(super) fn for_input(&self, input: &Input) -> Rule<'_> {
        let nearest = candidates(input).into_iter().find_map(|file| self.files.get(&file));
        Rule { said: &self.said, file: nearest.unwrap_or(&self.none) }
    }
}

/// What holds for one input. The command line wins over the file.
#[derive(Clone, Copy)]
pub(super) struct Rule<'a> {
    said: &'a Lists,
    file: &'a Lists,
}

impl Rule<'_> {
    pub(super) fn is_wanted(self, finding: &Diagnostic) -> bool {
        let name = finding.code.name;
        let by_file = self.file.allow.contains(name) && !self.said.deny.contains(name);
        !by_file && !self.said.allow.contains(name)
    }

    pub(super) fn is_denied(self, finding: &Diagnostic) -> bool {
        let fails = |lists: &Lists| {
            finding.severity >= lists.bar.unwrap_or(Severity::Error) || lists.deny.contains(finding.code.name)
        };
        fails(self.said) || fails(self.file)
    }
}

/// Where the lists for an input may stand, the nearest first: in its folder and above it, up to the folder that was
/// named; for a file that was named itself up to the current folder, or only in its own if it is not below that.
fn candidates(input: &Input) -> Vec<PathBuf> {
    let Some((file, _)) = input.home() else { return Vec::new() };
    let own = file.parent().unwrap_or(Path::new(""));
    let is_below = !file.is_absolute() && !file.components().any(|part| part == Component::ParentDir);
    let top = match &input.folder {
        Some(folder) => folder.as_path(),
        None if is_below => Path::new(""),
        None => own,
    };
    own.ancestors().take_while(|folder| folder.starts_with(top)).map(|folder| folder.join(FILE)).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default)]
    validate: Words,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Words {
    allow: Vec<String>,
    deny: Vec<String>,
}

fn load(file: &Path, common: &Common) -> Result<Lists, Failure> {
    let wrong = |what: String| Failure::Usage(format!("{}: {what}", file.display()));
    let bytes = read(file, &common.options().read.limits)?;
    let text = str::from_utf8(&bytes).map_err(|error| wrong(error.to_string()))?;
    let settings: Settings = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    Lists::new(&settings.validate.allow, &settings.validate.deny).map_err(wrong)
}
