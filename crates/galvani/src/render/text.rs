//! Text for people, in colours that whoever prints may strip.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use galvani_core::{Diagnostic, Report, Severity};

use crate::nested::{Checked, Excerpt};

/// How many further places of a folded finding are named.
const PLACES: usize = 3;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The colour of a severity.
pub fn style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Cyan,
    };
    colour.on_default().bold()
}

/// Text from a file may hold control characters; a terminal must not obey them.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '·' } else { c }).collect()
}

/// `1 file`, `2 files`.
pub fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A checked file: its name and verdict, then every finding with the bytes it is about.
pub fn checked(row: &Checked) -> String {
    let mut out = String::new();
    let format = row.format.unwrap_or("unknown format");
    let _ = writeln!(
        out,
        "{BOLD}{}{BOLD:#} {DIM}({format}){DIM:#} {}",
        printable(&row.path),
        verdict(&row.report, row.readable)
    );
    for (finding, excerpt) in row.report.findings().iter().zip(&row.excerpts) {
        out.push_str(&diagnostic(finding, excerpt.as_ref()));
    }
    if row.report.is_truncated() {
        let _ = writeln!(out, "  {DIM}… and more kinds of findings than are kept{DIM:#}");
    }
    out
}

fn verdict(report: &Report, readable: bool) -> String {
    let errors = report.tally(Severity::Error);
    let mut counts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let (count, paint) = (report.tally(severity), style(severity));
        if count > 0 {
            counts.push(format!("{paint}{}{paint:#}", counted(count, severity.word())));
        }
    }
    let good = AnsiColor::Green.on_default().bold();
    let word = match (readable, errors) {
        (false, _) => format!("{0}unreadable{0:#}", style(Severity::Error)),
        (true, 0) => format!("{good}ok{good:#}"),
        (true, _) => format!("{0}damaged{0:#}", style(Severity::Error)),
    };
    if counts.is_empty() { word } else { format!("{word}: {}", counts.join(", ")) }
}

/// One finding: what, where, which bytes, what to do.
pub fn diagnostic(finding: &Diagnostic, excerpt: Option<&Excerpt>) -> String {
    let mut out = String::new();
    let paint = style(finding.severity);
    let times = if finding.count > 1 { format!(" ×{}", finding.count) } else { String::new() };
    let _ =
        write!(out, "  {paint}{}[{}]{paint:#}{times} {}", finding.severity, finding.code.name, finding.path);
    if let Some(offset) = finding.offset {
        let _ = write!(out, " {DIM}at{DIM:#} 0x{offset:08x}");
    }
    if let Some((line, column)) = finding.line {
        let _ = write!(out, " {DIM}in line{DIM:#} {line}{DIM}, column{DIM:#} {column}");
    }
    let _ = writeln!(out);
    if finding.message != finding.code.summary {
        let _ = writeln!(out, "    {}", finding.code.summary);
    }
    let _ = writeln!(out, "    {}", printable(&finding.message));
    if let Some(excerpt) = excerpt {
        out.push_str(&hex_line(excerpt, paint));
    }
    let _ = writeln!(out, "    {DIM}help:{DIM:#} {}", finding.help);
    out.push_str(&places(finding));
    out
}

/// The bytes of a line, the one that is meant underlined.
fn hex_line(excerpt: &Excerpt, paint: Style) -> String {
    let hex: Vec<String> = excerpt.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let shown = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
    let ascii: String = excerpt.bytes.iter().map(shown).collect();
    let indent = "   ".repeat(excerpt.at);
    format!(
        "    {DIM}0x{:08x}{DIM:#}  {:<47}  {DIM}{ascii}{DIM:#}\n                {indent}{paint}^^{paint:#}\n",
        excerpt.start,
        hex.join(" "),
    )
}

/// Further places of a folded finding, as far as they are others than the first.
fn places(finding: &Diagnostic) -> String {
    let others = finding.more.iter().map(|spot| spot.path).filter(|path| *path != finding.path);
    let shown: Vec<String> = others.take(PLACES).map(|path| path.to_string()).collect();
    if shown.is_empty() {
        return String::new();
    }
    let named = u64::try_from(shown.len()).unwrap_or(0);
    let rest = match finding.count.saturating_sub(named).saturating_sub(1) {
        0 => String::new(),
        rest => format!(", and {rest} more"),
    };
    format!("    {DIM}also:{DIM:#} {}{rest}\n", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use galvani_core::Path;

    use super::diagnostic;
    use crate::codes::UNREADABLE;

    #[test]
    fn a_folded_finding_names_other_places_only() {
        let mut folded = UNREADABLE.at(Path::root());
        folded.count = 3;
        assert!(!diagnostic(&folded, None).contains("also"), "no place is known");
        let mut report = galvani_core::Report::default();
        (0..2).for_each(|_| report.push(UNREADABLE.at(Path::root())));
        assert!(!diagnostic(&report.findings()[0], None).contains("also"), "the same place twice");
        let mut report = galvani_core::Report::default();
        (0..7).for_each(|i| report.push(UNREADABLE.at(Path::named("keys").index(i))));
        let text = diagnostic(&report.findings()[0], None);
        assert!(text.contains("keys[1], keys[2], keys[3], and 3 more"), "{text}");
    }
}
