//! What pages say of the registry: `docs/codes.md`, one table of everything that can be wrong, and in `README.md` the table
//! of formats.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use galvani::formats::{self, Consent, FORMATS, Format, Opened};
use galvani::{Code, OpenOptions, samples};

use crate::root;

pub(crate) fn run(words: &[String]) -> Result<()> {
    let readme = std::fs::read_to_string(root().join("README.md"))?;
    for (name, page) in [("docs/codes.md", page()?), ("README.md", with_formats(&readme)?)] {
        let path = root().join(name);
        if words.iter().any(|word| word == "--check") {
            let current = std::fs::read_to_string(&path).unwrap_or_default();
            ensure!(current == page, "{name} is stale: run `cargo xtask codes`");
        } else {
            std::fs::write(path, page)?;
        }
    }
    Ok(())
}

/// What stands before the table of formats in `README.md`, and behind it.
const MARKS: [&str; 2] = [
    "<!-- From here to the end of the table: written by `cargo xtask codes`. -->\n",
    "\n<!-- End of the table. -->",
];

/// The page with the table of formats as the registry has it.
fn with_formats(readme: &str) -> Result<String> {
    let [begin, end] = MARKS;
    let (before, rest) = readme.split_once(begin).context("README.md has no table of formats")?;
    let (_, after) = rest.split_once(end).context("README.md's table of formats has no end")?;
    Ok([before, begin, "\n", &table()?, end, after].concat())
}

/// A row for each format: what it is called and what its samples can do.
fn table() -> Result<String> {
    let mut table = String::from(
        "| format | what | files | members | edit | poses | to glTF | from glTF | to PNG | from PNG |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let samples = samples::all();
    for format in FORMATS {
        let info = format.info();
        let opened = opened(*format, &samples)?;
        let can = |ability: fn(&Opened) -> bool| opened.iter().any(ability);
        let abilities = [
            can(|one| one.as_archive().is_ok()),
            !info.operations.is_empty(),
            can(|one| one.as_animated().is_ok()),
            can(|one| one.as_model().is_ok()),
            info.lowering.is_some(),
            can(|one| one.as_picture().is_ok()),
            info.encoding.is_some(),
        ];
        let files: Vec<String> = info.extensions.iter().map(|end| format!("`.{end}`")).collect();
        let signs = abilities.map(|can| if can { "✓" } else { "–" }).join(" | ");
        writeln!(table, "| `{}` | {} | {} | {signs} |", info.id, info.name, files.join(", "))?;
    }
    Ok(table)
}

/// The samples that are of a format.
fn opened(format: &'static dyn Format, samples: &[samples::Sample]) -> Result<Vec<Opened>> {
    let id = format.info().id;
    let is_of = |sample: &&samples::Sample| {
        formats::recognise(&sample.bytes, Some(&sample.name)).is_some_and(|found| found.info().id == id)
    };
    let opened =
        samples.iter().filter(is_of).map(|sample| format.open(&sample.bytes, &OpenOptions::default()));
    let opened = opened.collect::<Result<Vec<_>, _>>()?;
    ensure!(!opened.is_empty(), "there is no sample of {id}");
    Ok(opened)
}

fn page() -> Result<String> {
    let mut page = String::from(
        "<!-- Written by `cargo xtask codes`; do not edit. -->\n\n# Codes\n\n\
         Everything `galvani` can find wrong, by name. A name never changes its meaning. Errors are what the\n\
         game rejects or what cannot be read with certainty; warnings are what the game accepts and a careful\n\
         author would not write; notes are worth knowing. `validate --allow CODE` leaves a code out,\n\
         `--deny CODE` fails on it.\n\n\
         The last column says whether `fix` mends it, and how. Where it says *asked*, `fix` does it only if `--only` names the\n\
         code, because something is removed, renumbered or replaced; what it leaves, because it would have to guess, stands in\n\
         parentheses.\n\n\
         | code | severity | what is wrong | what to do | mended by `fix` |\n|---|---|---|---|---|\n",
    );
    let codes = galvani::codes::all();
    for pair in codes.windows(2) {
        ensure!(pair[0].name != pair[1].name, "{} is declared twice", pair[0].name);
    }
    for code in codes {
        let cell = |text: &str| text.replace('|', "\\|");
        writeln!(
            page,
            "| `{}` | {} | {} | {} | {} |",
            code.name,
            code.severity,
            cell(code.summary),
            cell(code.help),
            cell(&mended(code))
        )?;
    }
    Ok(page)
}

/// How `fix` mends a code; nothing if it does not.
fn mended(code: &Code) -> String {
    let mut said: Vec<String> = Vec::new();
    for (_, mend) in formats::mends_of(code) {
        let asked = if mend.consent == Consent::Asked { "*asked*: " } else { "" };
        let mut left = mend.leaves.iter().filter(|(own, _)| own.name == code.name);
        let left = left.next().map_or_else(String::new, |(_, why)| format!(" (not {why})"));
        let how = format!("{asked}{}{left}", mend.how);
        if !said.contains(&how) {
            said.push(how);
        }
    }
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::{MARKS, with_formats};

    #[test]
    fn the_table_of_formats_has_a_row_for_each_whatever_stood_there() {
        let [begin, end] = MARKS;
        let page = with_formats(&format!("before\n{begin}| `toy` |{end}\nbehind")).unwrap();
        assert!(page.starts_with("before\n") && page.ends_with("\nbehind") && !page.contains("toy"));
        for format in galvani::formats::FORMATS {
            assert!(page.contains(&format!("\n| `{}` | ", format.info().id)), "{}", format.info().id);
        }
        assert!(with_formats("no table").is_err());
    }
}
