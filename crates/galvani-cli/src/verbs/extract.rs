//! `extract`: members of an archive as files.

use galvani::fs::{Extraction, Input};
use galvani::{Path, Report, codes, nested};
use serde_json::json;

use crate::args::{Common, Extract};
use crate::batch::{Batch, Known};
use crate::failure::{Failure, REFUSED, warn};
use crate::out;
use crate::results::{self, Results, so_far, writing};

pub(crate) fn run(args: &Extract, common: &Common) -> u8 {
    let mut target = Target { folder: Extraction::new(&args.output), results: Results::default() };
    for input in Batch::new(&args.inputs, common).inputs() {
        if let Err(failure) = extract(input, &mut target, common) {
            target.results.refuse(&input.shown, &failure);
        }
        if target.results.has_refused() && common.fail_fast {
            break;
        }
    }
    if !common.json && target.results.len() > 1 {
        out::text(&format!("{}\n", so_far().closing()));
    }
    target.results.finish("nothing to extract: no input is an archive with members", common)
}

/// Where members go, and what became of them.
struct Target {
    folder: Extraction,
    results: Results,
}

/// Extracts one member, or all members of an archive.
fn extract(input: &Input, target: &mut Target, common: &Common) -> Result<(), Failure> {
    if input.home().is_some_and(|(_, chain)| !chain.is_empty()) {
        let source = input.source(&common.options())?;
        warn(&source.notes, &input.shown);
        let mut findings = Report::default();
        source.notes.iter().for_each(|note| findings.push(note.clone()));
        let name = source.name.unwrap_or_default();
        return target.write_member(&input.shown, &name, &source.bytes, findings, common);
    }
    let Some(known) = Known::new(input, common)? else { return Ok(()) };
    let opened = known.open(input, common)?;
    let archive = match opened.as_archive() {
        Ok(archive) => archive,
        Err(lacking) => return if input.explicit { Err(lacking.into()) } else { Ok(()) },
    };
    nested::allow_extraction(archive, known.source.bytes.len(), &common.options())?;
    for (i, (label, member)) in nested::labels(archive).iter().zip(archive.members()).enumerate() {
        let path = format!("{}/{label}", input.shown);
        if let Some(bytes) = archive.member(i) {
            if let Err(failure) =
                target.write_member(&path, &member.shown(), bytes, Report::default(), common)
            {
                target.results.refuse(&path, &failure);
                if common.fail_fast {
                    break;
                }
            }
        } else {
            let found =
                codes::UNREADABLE.at(Path::root()).saying(format!("{path} has no bytes in the archive"));
            let lost = Failure::Found(REFUSED, Box::new(found.advising(nested::LOST_HELP)));
            target.results.refuse(&path, &lost);
        }
    }
    Ok(())
}

impl Target {
    fn write_member(
        &mut self,
        path: &str,
        name: &str,
        bytes: &[u8],
        mut findings: Report,
        common: &Common,
    ) -> Result<(), Failure> {
        let (file, notes) = {
            let _no_stop_between = writing();
            let saved = self.folder.write_member(name, bytes, &common.overwrite())?;
            let file = saved.path.display().to_string();
            so_far().wrote(&file);
            (file, saved.notes)
        };
        warn(&notes, path);
        for note in notes {
            findings.push(note);
        }
        if !common.json {
            out::text(&format!("{file}  {} bytes\n", bytes.len()));
            so_far().announced(&file);
        }
        let mut row = results::file(path, &file, bytes.len(), &findings);
        row["member"] = json!(name);
        self.results.add(row);
        Ok(())
    }
}
