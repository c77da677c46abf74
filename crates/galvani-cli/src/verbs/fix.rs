//! `fix`: what is wrong with files put right, as far as that takes no guess or somebody asked for it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use galvani::edit::caused;
use galvani::fix::{self, Fixed, MendChoice};
use galvani::fs::Input;
use galvani::{Diagnostic, EditError, Report, Severity, codes};
use serde_json::{Value, json};

use super::outcome;
use super::remake::{self, Made};
use crate::Outcome;
use crate::args::{Common, Fix};
use crate::batch::Known;
use crate::failure::Failure;

pub(crate) fn run(args: &Fix, common: &Common) -> Outcome {
    let (inputs, choice) = meant(args)?;
    let make = |input: &Input, known: &Known| match mend(input, known, &choice, common)? {
        None if input.explicit => {
            let found = format!("it is of the format {}", known.format.info().id);
            Err(EditError::from(codes::NOTHING_MENDS.at(galvani::Path::root()).saying(found)).into())
        }
        made => Ok(made),
    };
    remake::run(&inputs, &args.target, "fix", common, make)
}

/// The inputs, and which mends are asked for. Behind `--only` stand codes up to the first word that names a file.
fn meant(args: &Fix) -> Result<(Vec<OsString>, MendChoice), Failure> {
    let (mut inputs, mut words) = (args.inputs.clone(), Vec::new());
    for word in &args.only {
        match word.to_str() {
            Some(code) if !is_input(word) => words.extend(code.split(',').map(str::to_owned)),
            _ => inputs.push(word.clone()),
        }
    }
    if inputs.is_empty() {
        return Err(Failure::Usage("no input given".to_owned()));
    }
    if args.only.is_empty() {
        return Ok((inputs, MendChoice::Safe));
    }
    if words.is_empty() {
        return Err(Failure::Usage("no code behind --only; docs/codes.md lists what is mended".to_owned()));
    }
    Ok((inputs, fix::named(&words).map_err(Failure::Usage)?))
}

/// Whether a word names a file, a folder, or a member of one that is there.
fn is_input(word: &OsString) -> bool {
    word == "-" || Path::new(word).ancestors().any(|path| path.exists() && path != Path::new(""))
}

/// Mends a file; `None` if nothing of its kind is mended.
fn mend(input: &Input, known: &Known, choice: &MendChoice, common: &Common) -> Result<Option<Made>, Failure> {
    let opened = known.open(input, common)?;
    if !fix::can_mend(&opened) {
        return Ok(None);
    }
    let before = known.source.bytes.len();
    let mut report = opened.report.clone();
    let (document, fixed) = fix::run(opened, choice, before, &common.options())?;
    if let Some(refused) = fixed.refusal().filter(|_| !fixed.has_changed()) {
        return Err(EditError::from(Diagnostic { severity: Severity::Error, ..refused.clone() }).into());
    }
    let bytes = if fixed.has_changed() { document.write()? } else { known.source.bytes.clone() };
    let mut findings = Report::default();
    known.source.notes.iter().for_each(|note| findings.push(note.clone()));
    let mut mended = Vec::new();
    tell(&fixed, None, &input.shown, &mut findings, &mut mended);
    // Both looked at alone: what lies beside the file has not changed.
    let wrong = |bytes: &[u8]| outcome(known.format, bytes, Report::default(), common);
    let after = wrong(&bytes);
    findings.append(caused(&wrong(&known.source.bytes), after.clone()));
    report.append(fixed.costs);
    report.append(after);
    Ok(Some(Made {
        bytes,
        before,
        operations: Vec::new(),
        findings,
        report,
        skipped: Vec::new(),
        mended: Some(mended),
    }))
}

/// What was mended and what was not, of a file and its members: for people as findings, for machines in rows.
fn tell(fixed: &Fixed, member: Option<&str>, path: &str, findings: &mut Report, rows: &mut Vec<Value>) {
    let of_member = |finding: &Diagnostic| match member {
        Some(member) => finding.clone().saying(format!("`{member}`: {}", finding.message)).apart(),
        None => finding.clone(),
    };
    let all = fixed.mended.findings().iter().chain(fixed.costs.findings()).chain(&fixed.refused);
    all.for_each(|finding| findings.push(of_member(finding)));
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for finding in fixed.mended.findings() {
        *counts.entry((finding.code.name, &finding.help)).or_default() += finding.count;
    }
    let shown = member.map_or_else(|| path.to_owned(), |member| format!("{path}/{member}"));
    rows.extend(
        counts
            .into_iter()
            .map(|((code, how), count)| json!({"path": shown, "code": code, "count": count, "how": how})),
    );
    for (label, fixed) in &fixed.members {
        let member = member.map_or_else(|| label.clone(), |member| format!("{member}/{label}"));
        tell(fixed, Some(&member), path, findings, rows);
    }
}
