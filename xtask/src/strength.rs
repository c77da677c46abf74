//! What files cost that were made to be costly, in memory and time of every verb; trials beside neighbours; executions of the
//! fuzz targets. Written into docs/notes/strength.md#measured.

mod craft;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::measure::{Cost, build, cost};
use crate::root;

/// The page, and the line behind which it is written by this task.
const PAGE: &str = "docs/notes/strength.md";
const MARK: &str = "<!-- Everything below is written by `cargo xtask strength`; do not edit. -->\n";

pub(crate) fn run(_: &[String]) -> Result<()> {
    let path = root().join(PAGE);
    let page = std::fs::read_to_string(&path)?;
    let (kept, _) = page.split_once(MARK).with_context(|| format!("{PAGE} has no line {MARK}"))?;
    let mut page = format!("{kept}{MARK}");
    costs(&mut page)?;
    trials(&mut page)?;
    executions(&mut page)?;
    // Whoever wants to know what was missed finds it on the page.
    let bad: Vec<&str> = page.lines().filter(|line| is_bad(line)).collect();
    std::fs::write(path, &page)?;
    ensure!(bad.is_empty(), "missed, failed or found:\n{}", bad.join("\n"));
    Ok(())
}

/// What a row of the page ends with where something is wrong.
const MISSED: &str = "**missed**";
const FAILED: &str = "**failed**";
const FOUND: &str = "FOUND";

fn is_bad(line: &str) -> bool {
    [MISSED, FAILED, FOUND].iter().any(|word| line.ends_with(&format!("| {word} |")))
}

/// A run of the command and what it may take.
struct Run {
    line: String,
    allowed: Allowed,
    /// The same of a file in which one row leads to what others share: it is to take about as long.
    alone: Option<String>,
}

/// What a verb may take of memory: so many MiB, and so many times its largest input.
#[derive(Clone, Copy)]
struct Allowed(u64, u64);

/// Whoever tells something or copies it.
const TELLING: Allowed = Allowed(64, 4);

/// Whoever changes something.
const CHANGING: Allowed = Allowed(64, 64);

/// Whoever makes something else of it: pictures are packed a thousandfold.
const MAKING: Allowed = Allowed(512, 64);

const MIB: u64 = 1 << 20;

/// How much longer than with one row a run may take that has many: twice, and the seconds that naming them takes.
const LONGER: f64 = 2.0;
const NAMING: f64 = 0.25;

/// Every run that is measured.
fn runs() -> Vec<Run> {
    let mut all = Vec::new();
    for archive in ["rlb", "lgp"] {
        for (verb, rest, allowed) in [
            ("info", "--json", TELLING),
            ("list", "--json", TELLING),
            ("validate", "--json", TELLING),
            ("dump", "--json", TELLING),
            ("diff", "other.EXT --json", TELLING),
            ("edit", "canonical -o out.EXT", CHANGING),
            ("extract", "-o out", TELLING),
            ("unpack", "-o out", CHANGING),
            ("rewrite", "-o out.EXT", CHANGING),
        ] {
            let line = |file: &str| format!("{verb} {file}.{archive} {}", rest.replace("EXT", archive));
            all.push(Run { line: line("shared"), allowed, alone: Some(line("alone")) });
        }
    }
    let plain = |line: &str, allowed| Run { line: line.to_owned(), allowed, alone: None };
    for pack in ["aada", "bbda"] {
        for verb in ["info", "validate", "dump", "sample"] {
            all.push(plain(&format!("{verb} {pack} --json"), TELLING));
        }
        all.push(plain(&format!("diff {pack} ccda --json"), TELLING));
        all.push(plain(&format!("unpack {pack} -o out"), CHANGING));
        all.push(plain(&format!("edit {pack} resample all 1000000 loop 0.1 -o out.bin"), CHANGING));
    }
    for verb in ["info", "validate", "dump"] {
        all.push(plain(&format!("{verb} models --json"), TELLING));
    }
    all.push(plain("sample walker.msh --time 0..99999 --json", TELLING));
    all.push(plain("edit boat.a resample 1000000 loop -o out.a", CHANGING));
    for ray in ["draw crowd.msh", "pick crowd.msh --ray 0,0,100,0,0,-1"] {
        all.push(plain(&format!("{ray} --json"), TELLING));
    }
    for line in [
        "convert bomb.tga -o out.png",
        "convert bomb.tga -o out.blp",
        "convert crowd.msh -o out.glb",
        "convert zeros.glb -o out.msh",
        "convert zeros.glb --to ff7 -o made.lgp",
        "convert long.glb --to ff7-field -o out",
        "pack model -o out.mdx",
        "pack archive -o out.rlb",
    ] {
        all.push(plain(line, MAKING));
    }
    all
}

/// A table of what each run takes.
fn costs(page: &mut String) -> Result<()> {
    build()?;
    let folder = tempfile::tempdir()?;
    craft::all(folder.path())?;
    *page += COSTS;
    for run in runs() {
        println!("galvani {}", run.line);
        let taken = cost(folder.path(), &run.line, None)?;
        let Allowed(room, times) = run.allowed;
        let most = room * MIB + times * largest_input(folder.path(), &run.line)?;
        let (longest, beside) = match &run.alone {
            None => (f64::INFINITY, "–".to_owned()),
            Some(line) => {
                let alone = cost(folder.path(), line, None)?.seconds;
                (alone * LONGER + NAMING, format!("{alone:.2} s"))
            }
        };
        let is_met = taken.bytes <= most && taken.seconds <= longest && taken.is_answer();
        let verdict = if is_met { "met" } else { MISSED };
        let Cost { seconds, bytes, ref ended } = taken;
        writeln!(
            page,
            "| `{}` | {ended} | {seconds:.2} s | {beside} | {} MiB | ≤ {} MiB | {verdict} |",
            run.line,
            bytes / MIB,
            most / MIB
        )?;
    }
    Ok(())
}

const COSTS: &str = "
<a id=\"costs\"></a>
## What crafted files cost

One run each of the command as its users have it, on one machine. `shared` is an archive of 1600 rows that lead to one animation
pack of 64 KB and 255 bones, `alone` the same with one row, `other` with another pack; `aada` is that pack, `bbda` one of 345 KB, `ccda` one that is not much;
`models` are 100 models of MDX; `bomb.tga` is a picture of 8000 × 8000 pixels, `crowd.msh` a model of which 2000 nodes show the same
4096 batches and triangles, `zeros.glb` one of a list of a hundred million points that its file does not hold, `long.glb` one that
takes half an hour to turn around; `model` and `archive` are folders whose manifests name one file of a megabyte 4000 times. All of them are made when they are measured. Memory is the most that was resident; a process of
another program that takes a few MiB starts each. Goals: 64 MiB and 4 times the largest input, 64 times for those that change
something, 512 MiB and 64 times for those that make something else of it; with many rows twice as long as with one, and a quarter of a second to name them.

| galvani | ended | time | with one row | memory | goal | verdict |
|---|---|---|---|---|---|---|
";

/// The size of the largest file among the words of a line.
fn largest_input(folder: &Path, line: &str) -> Result<u64> {
    let mut largest = 0;
    for word in line.split(' ') {
        let path = folder.join(word);
        let files = match std::fs::read_dir(&path) {
            Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?,
            Err(_) => vec![path],
        };
        let sizes = files.iter().filter_map(|file| Some(file.metadata().ok()?.len()));
        largest = sizes.fold(largest, u64::max);
    }
    Ok(largest)
}

/// Tests that try something many times over, and say how often.
const TRIALS: &[(&str, &str)] = &[
    (
        "folders swapped for links while files are written below",
        "nothing_leaves_the_folder_while_somebody_swaps_it_for_a_link",
    ),
    (
        "files swapped for links while members are extracted",
        "no_member_leaves_the_folder_while_somebody_swaps_it_for_a_link",
    ),
    (
        "folders swapped for links while an archive is unpacked",
        "no_part_leaves_the_folder_while_somebody_swaps_it_for_a_link",
    ),
    ("edits of one file at a time", "no_update_is_lost_in_a_thousand_trials"),
];

/// A table of trials beside neighbours.
fn trials(page: &mut String) -> Result<()> {
    *page +=
        "\n<a id=\"trials\"></a>\n## Trials beside neighbours\n\n| what | trials | result |\n|---|---|---|\n";
    for (what, test) in TRIALS {
        println!("{test}");
        let words = ["test", "--locked", "--package", "galvani-cli", "--test", "cli", "--"];
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(words).args(["--include-ignored", "--nocapture", test]).current_dir(root());
        let done = cargo.output()?;
        let text = String::from_utf8_lossy(&done.stderr);
        let count = text.lines().find_map(|line| line.strip_prefix("trials: ")).unwrap_or("?");
        let result = if done.status.success() { "nothing lost" } else { FAILED };
        writeln!(page, "| {what} (`{test}`) | {count} | {result} |")?;
    }
    Ok(())
}

/// A table of how often each fuzz target ran when `fuzz/run` last did.
fn executions(page: &mut String) -> Result<()> {
    let path = root().join("fuzz/executions.tsv");
    let list = std::fs::read_to_string(&path).context("fuzz/executions.tsv is written by fuzz/run")?;
    *page += "\n<a id=\"executions\"></a>\n## Executions of the fuzz targets\n\n| target | seconds | executions | result |\n|---|---|---|---|\n";
    let mut sum = 0_u64;
    for line in list.lines() {
        let [target, seconds, count, result] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        sum += count.parse::<u64>().unwrap_or(0);
        writeln!(page, "| `{target}` | {seconds} | {count} | {result} |")?;
    }
    writeln!(page, "\n{sum} executions together.")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missed_fails() {
        for line in
            ["| `info x` | 0 | – | **missed** |", "| y | ? | **failed** |", "| `z` | 60 | 9 | FOUND |"]
        {
            assert!(is_bad(line), "{line}");
        }
        assert!(!is_bad("| `info x` | 0 | – | met |") && !is_bad("a goal that was **missed** is called so"));
    }
}
