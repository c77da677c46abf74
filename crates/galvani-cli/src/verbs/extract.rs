//! `extract`: members of an archive as files.

use galvani::fs::{Extraction, Input, expand};
use galvani::{Path, codes, nested, render};
use serde_json::{Value, json};

use crate::args::{Common, Extract};
use crate::batch::Known;
use crate::failure::{Failure, REFUSED, warn};
use crate::out;

pub(crate) fn run(args: &Extract, common: &Common) -> u8 {
    let mut extraction = Extraction::new(&args.output);
    let mut rows = Vec::new();
    let mut worst = 0;
    for input in expand(&args.inputs, &common.options()) {
        let outcome = extract(&input, &mut extraction, common);
        worst = worst.max(match &outcome {
            Ok((_, code)) => *code,
            Err(failure) => failure.exit(),
        });
        match outcome {
            Ok((row, _)) => rows.push(row),
            Err(failure) if common.json => {
                rows.push(render::json::unreadable(&input.shown, None, &failure.report()));
            }
            Err(failure) => drop(failure.show(common)),
        }
        if worst > 0 && common.fail_fast {
            break;
        }
    }
    if common.json {
        out::json(&json!({"files": rows}));
    }
    worst
}

/// Extracts one member, or all members of an archive.
fn extract(input: &Input, extraction: &mut Extraction, common: &Common) -> Result<(Value, u8), Failure> {
    if input.home().is_some_and(|(_, chain)| !chain.is_empty()) {
        let source = input.source(&common.options())?;
        warn(&source.notes, &input.shown);
        let name = source.name.unwrap_or_default();
        let row = extract_member(extraction, &name, &source.bytes, common)?;
        return Ok((json!({"path": input.shown, "extracted": [row], "lost": []}), 0));
    }
    let Some(known) = Known::new(input, common)? else {
        return Ok((json!({"path": input.shown, "extracted": [], "lost": []}), 0));
    };
    let archive = known.open(input, common)?;
    let names = archive.document.members().ok_or_else(|| Failure::no_archive(&input.shown))?;
    nested::allow_extraction(&*archive.document, known.source.bytes.len())?;
    let (mut extracted, mut lost) = (Vec::new(), Vec::new());
    for (i, (label, member)) in nested::labels(&*archive.document).iter().zip(names).enumerate() {
        if let Some(bytes) = archive.document.member(i) {
            extracted.push(extract_member(extraction, &member.shown(), bytes, common)?);
        } else {
            let found = format!("{}/{label} has no bytes in the archive", input.shown);
            let found = codes::UNREADABLE.at(Path::root()).saying(found).advising(nested::LOST_HELP);
            out::error(&render::text::diagnostic(&found, None));
            lost.push(label.clone());
        }
    }
    let code = if lost.is_empty() { 0 } else { REFUSED };
    Ok((
        json!({"path": input.shown, "format": archive.format.info().id, "extracted": extracted, "lost": lost}),
        code,
    ))
}

fn extract_member(
    extraction: &mut Extraction,
    name: &str,
    bytes: &[u8],
    common: &Common,
) -> Result<Value, Failure> {
    let file = extraction.put(name, bytes)?;
    if !common.json {
        out::text(&format!("{}  {} bytes\n", file.display(), bytes.len()));
    }
    Ok(json!({"member": name, "file": file.to_string_lossy(), "size": bytes.len()}))
}
