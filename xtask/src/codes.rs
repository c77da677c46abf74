//! `docs/codes.md`: one table of everything that can be wrong.

use std::fmt::Write;

use anyhow::{Result, ensure};

use crate::root;

pub(crate) fn run(words: &[String]) -> Result<()> {
    let page = page()?;
    let path = root().join("docs/codes.md");
    if words.iter().any(|word| word == "--check") {
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        ensure!(current == page, "docs/codes.md is stale: run `cargo xtask codes`");
        return Ok(());
    }
    std::fs::write(path, page)?;
    Ok(())
}

fn page() -> Result<String> {
    let mut page = String::from(
        "<!-- Written by `cargo xtask codes`; do not edit. -->\n\n# Codes\n\n\
         Everything `galvani` can find wrong, by name. A name never changes its meaning. Errors are what the\n\
         game rejects or what cannot be read with certainty; warnings are what the game accepts and a careful\n\
         author would not write; notes are worth knowing. `validate --allow CODE` leaves a code out,\n\
         `--deny CODE` fails on it.\n\n| code | severity | what is wrong | what to do |\n|---|---|---|---|\n",
    );
    let codes = galvani::codes::all();
    for pair in codes.windows(2) {
        ensure!(pair[0].name != pair[1].name, "{} is declared twice", pair[0].name);
    }
    for code in codes {
        let cell = |text: &str| text.replace('|', "\\|");
        writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            code.name,
            code.severity,
            cell(code.summary),
            cell(code.help)
        )?;
    }
    Ok(page)
}
