//! The laws of a format's table of codes.

use std::collections::BTreeSet;

use galvani_core::{Code, Report};

/// Every code has a name of its own under the format's, and says what is wrong and what to do.
pub fn codes_are_sound(format: &str, all: &[&Code]) {
    let names: BTreeSet<&str> = all.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), all.len(), "a name is there twice");
    for code in all {
        assert!(code.name.starts_with(&format!("{format}.")), "{}", code.name);
        assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
    }
}

/// The codes in the reports and the others that were met are all that there are.
pub fn every_code_is_provoked(
    all: &[&Code],
    reports: impl IntoIterator<Item = Report>,
    others: impl IntoIterator<Item = &'static str>,
) {
    let mut provoked: BTreeSet<&str> = others.into_iter().collect();
    for report in reports {
        provoked.extend(report.findings().iter().map(|finding| finding.code.name));
    }
    let all: BTreeSet<&str> = all.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
}
