//! `info`: what files are and hold.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;

use galvani::formats::{Audience, Cell, Opened, Outline, OutlineCount, Site, resolve};
use galvani::fs::Input;
use galvani::render::json::FileInfo;
use galvani::render::text::counted;
use galvani::{Scrutiny, Severity, contents, render};
use serde_json::json;

use crate::args::{Common, Info};
use crate::batch::{Batch, Known, Row};
use crate::surroundings::Surroundings;
use crate::verbs::film;
use crate::{out, screen, table, width};

/// Width and height of a small picture; a character shows two pixels, one above the other.
const PICTURE: (u32, u32) = (48, 40);

pub(crate) fn run(args: &Info, common: &Common) -> u8 {
    let audience = if args.readings { Audience::Readings } else { Audience::Everyone };
    let is_shown = args.picture && std::io::stdout().is_terminal();
    let look = |opened: Opened, known: &Known, input: &Input| {
        let around = Surroundings::new(input, &args.textures, common)?;
        Ok(around.at(known, |site| {
            let mut outline = contents::outline(&opened, &common.options(), site);
            let named = resolve::references(&opened, site, &common.options());
            outline.sections.extend((!named.is_empty()).then(|| resolve::section(&named)));
            if common.json {
                Said::Json(Box::new(render::json::info(&input.shown, &opened, outline, site)))
            } else {
                let mut text = text(&input.shown, &opened, &outline, site, audience);
                if is_shown && let Some(image) = film::small(&opened, site, PICTURE, common) {
                    text.push('\n');
                    text.push_str(&screen::blocks(&image, "\n"));
                }
                Said::Text(text)
            }
        }))
    };
    let mut list = common.json.then(|| out::JsonList::begin("files"));
    let mut apart = "";
    let show = |row: &Row<Said>| match (&row.result, &mut list) {
        (Ok(Said::Json(json)), Some(list)) => list.push(json),
        (Err(failure), Some(list)) => list.push(&row.failure_json(failure)),
        (Ok(Said::Text(text)), None) => {
            out::text(apart);
            out::text(text);
            apart = "\n";
        }
        (Ok(_), _) => {}
        (Err(failure), None) => failure.tell_of(&row.path),
    };
    let told = Batch::new(&args.inputs.inputs, common).show_rows(common, look, show);
    if told.count == 0 {
        out::error("note: no file of a known format here\n");
    }
    if let Some(list) = list {
        list.end(&json!({}));
    }
    told.worst
}

/// What is said of a file: to machines, or to people.
enum Said {
    Json(Box<FileInfo>),
    Text(String),
}

fn text(path: &str, opened: &Opened, outline: &Outline, site: &Site<'_>, audience: Audience) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = Lines::default();
    let (path, name) = (table::printable(path), opened.format.info().name);
    let size = counted(u64::try_from(opened.map.len()).unwrap_or(u64::MAX), "byte");
    let head = width::wrapped(&format!("{path}: {name}, {size}"), width::columns(), "  ");
    let _ = match head.strip_prefix(&path) {
        Some(rest) => writeln!(out.text, "{bold}{path}{bold:#}{rest}"),
        None => writeln!(out.text, "{head}"),
    };
    for note in opened.report.findings() {
        out.line(note.severity.word(), &note.sentence());
    }
    for (title, words) in titled_lines(opened, outline, audience) {
        out.line(&title, &words);
    }
    let report = opened.check_at(site, Scrutiny::Usual);
    let (errors, warnings) = (report.tally(Severity::Error), report.tally(Severity::Warning));
    if errors + warnings > 0 {
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        let line = format!("  {errors}, {warnings}: see `galvani validate`");
        let _ = writeln!(out.text, "{}", width::wrapped(&line, width::columns(), "    "));
    }
    for shown in outline.sections.iter().filter_map(|section| table::section(section, audience)) {
        let _ = write!(out.text, "\n{shown}");
    }
    out.text
}

/// Everything there is to say in a line, with its title.
fn titled_lines(opened: &Opened, outline: &Outline, audience: Audience) -> Vec<(String, String)> {
    let counts: Vec<String> = outline.counts.iter().filter_map(OutlineCount::words).collect();
    let facts = outline.facts.iter().filter_map(|fact| Some((fact.title?.to_owned(), fact.value.words())));
    let mut told = vec![("holds".to_owned(), counts.join(", "))];
    told.extend(facts);
    told.extend(unknown(outline));
    told.extend(readings(opened, audience));
    told.retain(|(_, words)| !words.is_empty());
    told
}

/// Parts that nobody can explain, by type.
fn unknown(outline: &Outline) -> Option<(String, String)> {
    let mut unknown: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for part in &outline.unknown {
        let (count, bytes) = unknown.entry(Cell::Tag(part.kind).words()).or_default();
        (*count, *bytes) = (*count + 1, *bytes + part.size);
    }
    let words = |(kind, (count, bytes)): (String, (u64, u64))| match count {
        1 => format!("{kind} ({})", counted(bytes, "byte")),
        _ => format!("{count} × {kind} ({})", counted(bytes, "byte")),
    };
    let words: Vec<String> = unknown.into_iter().map(words).collect();
    (!words.is_empty()).then(|| ("unknown, kept".to_owned(), words.join(", ")))
}

/// What was taken where accounts of the format differ; for those who ask also why.
fn readings(opened: &Opened, audience: Audience) -> Vec<(String, String)> {
    if audience == Audience::Readings {
        let line = |verdict: &galvani::Verdict| {
            (format!("reading of {}", verdict.topic), format!("{} ({})", verdict.taken, verdict.why))
        };
        return opened.readings.iter().map(line).collect();
    }
    let mut taken: Vec<(String, Vec<&str>)> = Vec::new();
    for verdict in &opened.readings {
        let word = verdict.taken.to_string();
        match taken.iter_mut().find(|(other, _)| *other == word) {
            Some((_, topics)) => topics.push(verdict.topic),
            None => taken.push((word, vec![verdict.topic])),
        }
    }
    let words: Vec<String> =
        taken.iter().map(|(word, topics)| format!("{word} ({})", topics.join(", "))).collect();
    vec![("reading".to_owned(), words.join(", "))]
}

/// Lines of a title and words, no wider than the terminal.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, title: &str, words: &str) {
        let line = format!("  {title}: {words}");
        let _ = writeln!(self.text, "{}", width::wrapped(&line, width::columns(), "    "));
    }
}
