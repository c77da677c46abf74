//! Workflow annotations, so that GitHub shows findings beside the files.

use galvani_core::{Diagnostic, Severity};

use crate::nested::Checked;

/// One line per finding.
pub fn checked(row: &Checked) -> String {
    row.report.findings().iter().map(|finding| annotation(&row.path, finding)).collect()
}

fn annotation(path: &str, finding: &Diagnostic) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = match finding.offset {
        Some(offset) => format!("{} at 0x{offset:08x}", finding.path),
        None => finding.path.to_string(),
    };
    let times = if finding.count > 1 { format!(", ×{}", finding.count) } else { String::new() };
    let sentence = finding.sentence();
    let message = format!("{} ({place}{times}).", sentence.trim_end_matches('.'));
    let line = finding.line.map(|(line, column)| format!(",line={line},col={column}")).unwrap_or_default();
    let (path, title) = (property(path), property(finding.code.name));
    format!("::{command} file={path}{line},title={title}::{}\n", data(&message))
}

/// What a message may not hold as it is.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property may hold neither `:` nor `,` beside that.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
