//! What a reader of a file is told, as it stands beside every case.

use std::fmt::Write as _;

use galvani_core::{Read, ReadError, ReadOptions, Report, Strictness};

/// What is told in both strictnesses: what `say` has to say of a file that reads and everything found in it,
/// and where a strict reader stops.
pub fn report_text<D>(
    file: &[u8],
    read: impl Fn(&[u8], &ReadOptions) -> Result<Read<D>, ReadError>,
    say: impl FnOnce(&Read<D>) -> (String, Report),
) -> String {
    let (said, report) = match read(file, &ReadOptions::default()) {
        Ok(found) => say(&found),
        Err(error) => ("refused\n".to_owned(), error.into_report()),
    };
    let mut text = format!("{} bytes\n\ntolerant: {said}", file.len());
    for finding in report.findings() {
        let times = if finding.count > 1 { format!(" ({} times)", finding.count) } else { String::new() };
        line(&mut text, format_args!("{}: {finding}{times}", finding.severity));
        for spot in &finding.more {
            let offset = spot.offset.unwrap_or_else(|| panic!("{finding} has no place"));
            line(&mut text, format_args!("    also 0x{offset:08x} {}", spot.path));
        }
        line(&mut text, format_args!("    help: {}", finding.help));
    }
    text += "\nstrict: ";
    match read(file, &options(Strictness::Strict)) {
        Ok(_) => text += "reads\n",
        Err(error) => line(&mut text, format_args!("refused\n{}: {error}", error.cause.severity)),
    }
    text
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").unwrap_or_else(|error| panic!("{error}"));
}

/// The options for a strictness.
pub fn options(strictness: Strictness) -> ReadOptions {
    ReadOptions { strictness, ..ReadOptions::default() }
}

/// Everything that is wrong with a file, whether it reads or not.
pub fn outcome<D>(
    file: &[u8],
    strictness: Strictness,
    read: impl Fn(&[u8], &ReadOptions) -> Result<Read<D>, ReadError>,
    check: impl Fn(&D) -> Report,
) -> Report {
    match read(file, &options(strictness)) {
        Ok(found) => located(&found, check),
        Err(error) => error.into_report(),
    }
}

/// Everything found in a file that reads, each finding in its place.
pub fn located<D>(found: &Read<D>, check: impl Fn(&D) -> Report) -> Report {
    let mut report = found.report.clone();
    report.append(check(&found.document));
    report.locate(&found.map);
    report
}

/// Asserts a snapshot `report` in the folder of a case's listing. A macro, so that only tests need `insta`.
#[macro_export]
macro_rules! snapshot_beside {
    ($listing:expr, $text:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path($listing.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!("report", $text));
    }};
}
