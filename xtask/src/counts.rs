//! Counts the instructions of hot paths and holds them against those that were counted before: unlike times they are the same on a
//! machine that does other things meanwhile.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::root;

/// Who has a `benches/counts.rs`.
const PACKAGES: &[&str] = &["galvani-scene", "galvani-parkan", "galvani-ff7", "galvani-mdx"];

/// What was counted before: a path and its instructions on each line, behind the compiler they were counted with.
const BEFORE: &str = "xtask/counts.txt";

/// How many hundredths more a path may take.
const MOST_MORE: u64 = 5;

/// Counts, and compares or, with `--write`, writes down.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let found = count()?;
    if words.iter().any(|word| word == "--write") {
        let mut text = format!("{}\n", compiler()?);
        found.iter().try_for_each(|(path, count)| writeln!(text, "{path} {count}"))?;
        std::fs::write(root().join(BEFORE), text)?;
        return Ok(());
    }
    let text = std::fs::read_to_string(root().join(BEFORE)).context(BEFORE)?;
    let (compiler_before, rows) = text.split_once('\n').context("an empty list of counts")?;
    if compiler()? != compiler_before {
        println!("counted before with {compiler_before}: another compiler may give other counts");
    }
    let wanted = rows.lines().map(|row| {
        let (path, count) = row.split_once(' ').with_context(|| format!("`{row}` is no count"))?;
        Ok((path.to_owned(), count.parse()?))
    });
    let wrong = differences(&wanted.collect::<Result<_>>()?, &found);
    for line in &wrong {
        println!("{line}");
    }
    ensure!(wrong.is_empty(), "{} counts differ; `cargo xtask counts --write` writes them down", wrong.len());
    println!("{} paths within {MOST_MORE} % of {BEFORE}", found.len());
    Ok(())
}

/// What takes too much, is new or is gone, each with its path. Less is always welcome, and told so that it may be written down.
fn differences(wanted: &BTreeMap<String, u64>, found: &BTreeMap<String, u64>) -> Vec<String> {
    let gone = wanted.keys().filter(|path| !found.contains_key(*path));
    let mut wrong: Vec<String> = gone.map(|path| format!("{path}: counted before, not any more")).collect();
    for (path, &count) in found {
        let Some(&before) = wanted.get(path) else {
            wrong.push(format!("{path}: {count} instructions, never counted before"));
            continue;
        };
        let most = before + before * MOST_MORE / 100;
        if count > most {
            wrong
                .push(format!("{path}: at most {most} instructions wanted, {count} found ({before} before)"));
        } else if count < before - before * MOST_MORE / 100 {
            println!("{path}: {count} instructions, {before} before");
        }
    }
    wrong
}

/// The instructions of every path.
fn count() -> Result<BTreeMap<String, u64>> {
    let runner = runner()?;
    let mut counts = BTreeMap::new();
    for package in PACKAGES {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["bench", "--locked", "--package", package, "--bench", "counts", "--"]);
        cargo.args(["--output-format=json"]).env("GUNGRAUN_RUNNER", &runner);
        let told = cargo.current_dir(root()).stderr(Stdio::inherit()).output()?;
        ensure!(told.status.success(), "{package}: {}", told.status);
        for line in String::from_utf8(told.stdout)?.lines().filter(|line| line.starts_with('{')) {
            let told: Value = serde_json::from_str(line)?;
            let name = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
            let path = format!("{package}::{}::{}", name("function_name"), name("id"));
            counts.insert(path, instructions(&told).with_context(|| format!("no count: {line}"))?);
        }
    }
    Ok(counts)
}

/// The first count of instructions in what the runner tells of a benchmark: that of this run.
fn instructions(told: &Value) -> Option<u64> {
    fn first(number: &Value) -> Option<u64> {
        let inner = || match number {
            Value::Array(all) => all.iter().find_map(first),
            Value::Object(all) => all.values().find_map(first),
            _ => None,
        };
        number.as_u64().or_else(inner)
    }
    match told {
        Value::Object(all) => match all.get("Ir") {
            Some(count) => first(count.get("metrics").unwrap_or(count)),
            None => all.values().find_map(instructions),
        },
        Value::Array(all) => all.iter().find_map(instructions),
        _ => None,
    }
}

/// What runs valgrind, of the version that the benchmarks are built against; built if it is not there.
fn runner() -> Result<PathBuf> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))?;
    let behind = lock.split_once("name = \"gungraun\"\nversion = \"").context("no gungraun in Cargo.lock")?.1;
    let version = behind.split('"').next().unwrap_or_default();
    let tools = root().join("target/tools");
    // It is said what is installed already, and that is all then.
    let words = ["install", "--locked", "--version", version, "--root"];
    let mut cargo = Command::new(env!("CARGO"));
    let status = cargo.args(words).arg(&tools).arg("gungraun-runner").status()?;
    ensure!(status.success(), "no runner: {status}");
    Ok(tools.join("bin/gungraun-runner"))
}

fn compiler() -> Result<String> {
    let told = Command::new("rustc").arg("--version").output()?;
    Ok(String::from_utf8(told.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(all: &[(&str, u64)]) -> BTreeMap<String, u64> {
        all.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect()
    }

    #[test]
    fn a_path_that_takes_more_is_named() {
        let wanted = counts(&[("a", 1000), ("b", 1000), ("c", 1000), ("gone", 1)]);
        let found = counts(&[("a", 1050), ("b", 1051), ("c", 900), ("new", 1)]);
        let told = differences(&wanted, &found);
        assert_eq!(
            told,
            [
                "gone: counted before, not any more",
                "b: at most 1050 instructions wanted, 1051 found (1000 before)",
                "new: 1 instructions, never counted before",
            ]
        );
    }

    #[test]
    fn the_count_of_this_run_is_found() {
        let both = r#"{"id":"x","profiles":[{"total":{"Ir":{"diffs":{"d":1.5},"metrics":{"Both":[{"Int":7},{"Int":9}]}}}}]}"#;
        let alone = r#"{"profiles":[{"total":{"Ir":{"metrics":{"Left":{"Int":7}}}}}]}"#;
        for text in [both, alone] {
            assert_eq!(instructions(&serde_json::from_str(text).unwrap()), Some(7));
        }
    }
}
