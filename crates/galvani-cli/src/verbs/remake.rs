//! Files made anew from their documents: what `edit` and `rewrite` have in common.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use galvani::fs::{Input, read, safe_name, write_inside};
use galvani::{Diagnostic, Report, nested, render};
use serde_json::{Value, json};

use crate::args::{Common, Target};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, tell};
use crate::results::{self, Results, so_far, writing};
use crate::table::printable;
use crate::{Outcome, out};

/// A file made anew.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// How many bytes it had before.
    pub(crate) before: usize,
    /// What was done to it, once for each member it was done to.
    pub(crate) operations: Vec<&'static str>,
    /// What the making caused.
    pub(crate) findings: Report,
    /// All that is wrong with it now, and what the making cost.
    pub(crate) report: Report,
    /// Members that were left as they are.
    pub(crate) skipped: Vec<(String, Box<Diagnostic>)>,
}

/// A file made anew and written, or not where nothing is to be written.
struct Written {
    output: String,
    made: Made,
    after: usize,
}

/// Makes every input anew, on all cores; `make` gives nothing for a folder's file that is none of its business.
pub(crate) fn run(
    words: &[OsString],
    target: &Target,
    verb: &str,
    common: &Common,
    make: impl Fn(&Input, &Known) -> Result<Option<Made>, Failure> + Sync,
) -> Outcome {
    let batch = Batch::new(words, common).by_path();
    let places = Places::new(&batch, target)?;
    let work = |i: usize, input: &Input| {
        let path = input.shown.clone();
        let known = match Known::new(input, common) {
            Ok(known) => known?,
            Err(failure) => return Some(Row { path, format: None, result: Err(failure) }),
        };
        let made = make(input, &known).transpose()?;
        let result = made.and_then(|made| places.put(i, input, made, common));
        Some(Row { path, format: Some(known.format.info().id), result })
    };
    let (mut results, mut usage) = (Results::default(), None);
    let stdout = target.output.as_deref() == Some(Path::new("-"));
    let show = |row: Option<Row<Written>>| {
        let Some(Row { path, result, .. }) = row else { return };
        match result {
            Ok(written) => {
                written.tell(&path, stdout, target.dry_run, common);
                results.add(written.json(&path));
            }
            // With one input the words are to blame.
            Err(failure @ Failure::Usage(_)) if places.alone => usage = Some(failure),
            Err(failure) => results.refuse(&path, &failure),
        }
    };
    batch.stream(common, work, |row: &Row<Written>| row.result.is_err(), show);
    if let Some(failure) = usage {
        return Err(failure);
    }
    if !places.alone && !common.json && !results.is_empty() {
        out::text(&format!("{}\n", so_far().closing()));
    }
    if stdout && !results.has_refused() {
        return Ok(0);
    }
    Ok(results.finish(&format!("nothing to {verb}: no input is of a format that knows how"), common))
}

impl Written {
    fn tell(&self, path: &str, stdout: bool, dry: bool, common: &Common) {
        self.made
            .findings
            .findings()
            .iter()
            .filter(|finding| !finding.pedantic)
            .for_each(|finding| tell(finding, path));
        for (member, cause) in &self.made.skipped {
            let found = render::text::diagnostic(cause, None);
            out::error(&format!("{}/{}: left as it is\n{found}", printable(path), printable(member)));
        }
        if !common.json && !stdout {
            out::text(&self.text(dry));
            so_far().told(&self.output);
        }
    }

    fn text(&self, dry: bool) -> String {
        let count = u64::try_from(self.made.operations.len()).unwrap_or(u64::MAX);
        let done = if count > 0 {
            format!("{}, ", render::text::counted(count, "operation"))
        } else {
            String::new()
        };
        let dry = if dry { " (not written)" } else { "" };
        format!("{}: {done}{} → {} bytes{dry}\n", printable(&self.output), self.made.before, self.after)
    }

    fn json(&self, path: &str) -> Value {
        let skipped = |(member, cause): &(String, Box<Diagnostic>)| {
            results::refusal(&format!("{path}/{member}"), cause)
        };
        let mut row = results::file(path, &self.output, self.after, &self.made.findings);
        row["before"] = json!(self.made.before);
        row["operations"] = json!(self.made.operations);
        row["skipped"] = self.made.skipped.iter().map(skipped).collect();
        row["report"] = render::json::report(&self.made.report).into();
        row
    }
}

/// Where each input's result goes.
struct Places<'a> {
    target: &'a Target,
    /// Whether there is one input, and somebody pointed at it.
    alone: bool,
    /// For each input its name inside the folder to write, if it is one.
    names: Option<Vec<String>>,
}

impl<'a> Places<'a> {
    fn new(batch: &Batch, target: &'a Target) -> Result<Self, Failure> {
        let inputs = batch.inputs();
        let alone = matches!(inputs, [input] if input.explicit);
        let Some(output) = &target.output else {
            if !target.in_place && !target.dry_run {
                return Err(Failure::Usage("where to? -o OUT or --in-place".to_owned()));
            }
            if target.in_place && inputs.iter().any(|input| input.shown == "-") {
                return Err(Failure::Usage("standard input cannot be replaced; use -o".to_owned()));
            }
            return Ok(Places { target, alone, names: None });
        };
        if output == Path::new("-") && !alone {
            let found = format!("{} inputs into one stream; name a folder with -o DIR", inputs.len());
            return Err(Failure::Usage(found));
        }
        let ends = output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        if !alone && output.is_file() {
            let found = format!("`{}` is a file; several inputs want a folder", output.display());
            return Err(Failure::Usage(found));
        }
        let is_folder = !alone || ends || output.is_dir();
        let mut taken = BTreeSet::new();
        let names = is_folder.then(|| inputs.iter().map(|input| free(&mut taken, &below(input))).collect());
        Ok(Places { target, alone, names })
    }

    fn put(&self, i: usize, input: &Input, made: Made, common: &Common) -> Result<Written, Failure> {
        let after = made.bytes.len();
        let output = self.output(i, input);
        if self.target.dry_run {
            so_far().would_write();
        } else {
            // Alone it may be written to a pipe, for as long as that takes.
            let _no_stop_between = (!self.alone).then(writing);
            self.write(i, input, &made.bytes, common)?;
            so_far().wrote(&output);
        }
        Ok(Written { output, made, after })
    }

    /// Where an input's result goes, in words.
    fn output(&self, i: usize, input: &Input) -> String {
        match (&self.target.output, self.names.as_ref().and_then(|names| names.get(i))) {
            (Some(folder), Some(name)) => folder.join(name).display().to_string(),
            (Some(file), None) => file.display().to_string(),
            (None, _) => input.shown.clone(),
        }
    }

    fn write(&self, i: usize, input: &Input, bytes: &[u8], common: &Common) -> Result<(), Failure> {
        match (&self.target.output, self.names.as_ref().and_then(|names| names.get(i))) {
            (Some(folder), Some(name)) => Ok(write_inside(folder, name, bytes).map(drop)?),
            (Some(file), None) => out::bytes(file, bytes),
            (None, _) => replace(input, bytes, common),
        }
    }
}

/// Held while a member is put into its archive: several members may go into one.
static ARCHIVES: Mutex<()> = Mutex::new(());

/// Writes a file back, or a member into its archive.
fn replace(input: &Input, bytes: &[u8], common: &Common) -> Result<(), Failure> {
    let Some((home, chain)) = input.home() else {
        return Err(Failure::unwritable(format!("{} has no place on the disk", input.shown)));
    };
    if chain.is_empty() {
        return out::bytes(home, bytes);
    }
    let _one_at_a_time = ARCHIVES.lock().unwrap_or_else(PoisonError::into_inner);
    let options = common.options();
    let archive = read(home, &options.read.limits)?;
    out::bytes(home, &nested::replace(&archive, home.to_str(), chain, bytes.to_vec(), &options)?)
}

/// The path of an input below the folder that was named; else its own name.
fn below(input: &Input) -> String {
    let own = || safe_name(input.shown.rsplit(['/', '\\']).next().unwrap_or_default());
    let Some((folder, (file, []))) = input.folder.as_ref().zip(input.home()) else { return own() };
    let path: PathBuf = file.strip_prefix(folder).unwrap_or(file).to_path_buf();
    path.iter().map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// The name, or one with a number behind it if somebody has it in any case of letters.
fn free(taken: &mut BTreeSet<String>, name: &str) -> String {
    let name = if name.is_empty() || name == "-" { "_" } else { name };
    let mut names = std::iter::once(name.to_owned()).chain((2..).map(|n: u32| format!("{name}~{n}")));
    names.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
}
