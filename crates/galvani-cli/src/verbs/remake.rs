//! Files made anew from their documents: what `edit`, `fix` and `rewrite` have in common.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use galvani::fs::{FreeNames, HeldFile, Input, SaveError, Tree, safe_name};
use galvani::{Diagnostic, Report, nested, render};
use serde_json::{Value, json};

use crate::args::{Common, Target};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, tell};
use crate::out::Output;
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
    /// What was mended, a row for each code, if that is what was asked for.
    pub(crate) mended: Option<Vec<Value>>,
}

impl Made {
    /// Whether there was nothing to mend: such a file is not put in its own place.
    fn is_sound(&self) -> bool {
        self.mended.as_ref().is_some_and(Vec::is_empty)
    }

    /// What was done, for people.
    fn done(&self) -> String {
        let count = |count: u64, noun: &str| format!("{}, ", render::text::counted(count, noun));
        let mended = self.mended.iter().flatten().filter_map(|row| row["count"].as_u64()).sum();
        let operations = u64::try_from(self.operations.len()).unwrap_or(u64::MAX);
        match (&self.mended, operations) {
            (Some(_), _) if mended == 0 => "nothing to mend, ".to_owned(),
            (Some(_), _) => count(mended, "mend"),
            (None, 0) => String::new(),
            (None, operations) => count(operations, "operation"),
        }
    }
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
    let places = Places::new(&batch, target, common)?;
    let work = |i: usize, input: &Input| {
        let path = input.shown.clone();
        // Before it is read, so that whoever else edits it waits until this is done.
        let held = target.in_place.then(|| input.hold());
        let known = match Known::new(input, common) {
            Ok(known) => known?,
            Err(failure) => return Some(Row { path, format: None, result: Err(failure) }),
        };
        let made = make(input, &known).transpose()?;
        let result =
            made.and_then(|made| places.write_output(i, input, &known.source.bytes, held, made, common));
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
            Err(failure @ (Failure::Operation(_) | Failure::Usage(_))) if places.alone => {
                usage = Some(failure);
            }
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
            so_far().announced(&self.output);
        }
    }

    fn text(&self, dry: bool) -> String {
        let done = self.made.done();
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
        if let Some(mended) = &self.made.mended {
            row["mended"] = mended.as_slice().into();
        }
        row["skipped"] = self.made.skipped.iter().map(skipped).collect();
        row["report"] = render::json::report(&self.made.report).into();
        row
    }
}

/// Where results go.
enum Goal<'a> {
    /// Back to where the inputs are, or nowhere in a dry run.
    InPlace,
    /// Into a file or a stream, if that may be written.
    File(&'a Path, Result<Output, SaveError>),
    /// Into a folder, each input under its own name.
    Folder(&'a Path, Tree, Vec<String>),
}

/// Where each input's result goes.
struct Places<'a> {
    goal: Goal<'a>,
    dry_run: bool,
    /// Whether there is one input, and somebody pointed at it.
    alone: bool,
}

impl<'a> Places<'a> {
    fn new(batch: &Batch, target: &'a Target, common: &Common) -> Result<Self, Failure> {
        let inputs = batch.inputs();
        let alone = matches!(inputs, [input] if input.explicit);
        let goal = match &target.output {
            None if !target.in_place && !target.dry_run => {
                return Err(Failure::Usage("where to? -o OUT or --in-place".to_owned()));
            }
            None if target.in_place && inputs.iter().any(|input| input.shown == "-") => {
                return Err(Failure::Usage("standard input cannot be replaced; use -o".to_owned()));
            }
            None => Goal::InPlace,
            Some(output) => Goal::new(output, inputs, alone, common)?,
        };
        if alone && target.in_place {
            results::writes_one_file();
        }
        Ok(Places { goal, dry_run: target.dry_run, alone })
    }

    fn write_output(
        &self,
        i: usize,
        input: &Input,
        read: &[u8],
        held: Option<Result<HeldFile, SaveError>>,
        mut made: Made,
        common: &Common,
    ) -> Result<Written, Failure> {
        let after = made.bytes.len();
        let output = self.output(i, input);
        if matches!(self.goal, Goal::InPlace) && made.is_sound() {
            return Ok(Written { output, made, after });
        }
        if self.dry_run {
            match &self.goal {
                Goal::InPlace => {}
                Goal::File(_, output) => output.as_ref().map(drop).map_err(Clone::clone)?,
                Goal::Folder(_, tree, names) => {
                    let name = names.get(i).map_or("_", String::as_str);
                    tree.allow(name, &made.bytes, &common.overwrite())?;
                }
            }
            so_far().would_write();
        } else {
            // Alone it may be written to a pipe, for as long as that takes.
            let _no_stop_between = (!self.alone).then(writing);
            let notes = match (&self.goal, held) {
                (Goal::Folder(_, tree, names), _) => {
                    let name = names.get(i).map_or("_", String::as_str);
                    tree.write_file(name, &made.bytes, &common.overwrite())?.notes
                }
                (Goal::File(_, output), _) => output.as_ref().map_err(Clone::clone)?.write(&made.bytes)?,
                (Goal::InPlace, held) => replace(input, held.transpose()?, read, &made.bytes, common)?,
            };
            so_far().wrote(&output);
            for note in notes {
                made.findings.push(note);
            }
        }
        Ok(Written { output, made, after })
    }

    /// Where an input's result goes, in words.
    fn output(&self, i: usize, input: &Input) -> String {
        match &self.goal {
            Goal::Folder(folder, _, names) => {
                folder.join(names.get(i).map_or("_", String::as_str)).display().to_string()
            }
            Goal::File(file, _) => file.display().to_string(),
            Goal::InPlace => input.shown.clone(),
        }
    }
}

impl<'a> Goal<'a> {
    fn new(output: &'a Path, inputs: &[Input], alone: bool, common: &Common) -> Result<Self, Failure> {
        if output == Path::new("-") && !alone {
            let found = format!("{} inputs into one stream; name a folder with -o DIR", inputs.len());
            return Err(Failure::Usage(found));
        }
        let ends = output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        if !alone && output.is_file() {
            let found = format!("`{}` is a file; several inputs want a folder", output.display());
            return Err(Failure::Usage(found));
        }
        if alone && !ends && !output.is_dir() {
            return Ok(Goal::File(output, Output::new(output, common)));
        }
        let mut taken = FreeNames::default();
        let names = inputs.iter().map(|input| free(&mut taken, &below(input))).collect();
        Ok(Goal::Folder(output, Tree::new(output), names))
    }
}

/// Writes a file back, or a member into its archive, unless somebody else changed it since it was read.
fn replace(
    input: &Input,
    held: Option<HeldFile>,
    read: &[u8],
    bytes: &[u8],
    common: &Common,
) -> Result<Vec<Diagnostic>, Failure> {
    let Some((held, (home, chain))) = held.zip(input.home()) else {
        return Err(Failure::unwritable(format!("{} has no place on the disk", input.shown)));
    };
    let (options, overwrite) = (common.options(), common.overwrite());
    if chain.is_empty() {
        return Ok(held.replace(read, bytes, &overwrite)?.notes);
    }
    // Other members may have been replaced since the archive was opened.
    let archive = held.read(&options.read.limits)?;
    let whole = nested::replace(&archive, home.to_str(), chain, (read, bytes.to_vec()), &options)?;
    Ok(held.replace(&archive, &whole, &overwrite)?.notes)
}

/// The path of an input below the folder that was named; else its own name.
fn below(input: &Input) -> String {
    let own = || safe_name(input.shown.rsplit(['/', '\\']).next().unwrap_or_default());
    let Some((folder, (file, []))) = input.folder.as_ref().zip(input.home()) else { return own() };
    let path: PathBuf = file.strip_prefix(folder).unwrap_or(file).to_path_buf();
    path.iter().map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// The name, or one that nobody has.
fn free(taken: &mut FreeNames, name: &str) -> String {
    taken.take(if name.is_empty() || name == "-" { "_" } else { name })
}
