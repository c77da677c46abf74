//! What comes in from outside: licences and sources as deny.toml allows them, and lock files that fit their manifests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::root;

pub(crate) fn run(_: &[String]) -> Result<()> {
    let root = root();
    let rules = std::fs::read_to_string(root.join("deny.toml"))?;
    let (licences, registries) = (list(&rules, "allow")?, list(&rules, "allow-registry")?);
    let mut count = 0;
    for manifest in manifests(&root)? {
        for package in packages(&manifest)? {
            let name = package["name"].as_str().unwrap_or_default();
            if let Some(source) = package["source"].as_str() {
                let is_known = source.strip_prefix("registry+").is_some_and(|url| registries.contains(&url));
                ensure!(is_known, "{name} in {} comes from {source}", manifest.display());
            }
            let licence = package["license"].as_str().unwrap_or_default();
            ensure!(is_allowed(licence, &licences), "{name} in {} is under `{licence}`", manifest.display());
            count += 1;
        }
    }
    println!("{count} packages are locked, from crates.io and under licences that are allowed");
    Ok(())
}

/// Every workspace of the project.
fn manifests(root: &Path) -> Result<Vec<PathBuf>> {
    let apart = ["Cargo.toml", "fuzz/Cargo.toml", "tests/wasm/Cargo.toml", "web/bind/Cargo.toml"];
    let mut all: Vec<PathBuf> = apart.iter().map(|manifest| root.join(manifest)).collect();
    for peer in std::fs::read_dir(root.join("peers"))? {
        let manifest = peer?.path().join("Cargo.toml");
        // What is no Rust has none.
        all.extend(manifest.exists().then_some(manifest));
    }
    all.sort();
    Ok(all)
}

/// The packages of a workspace; fails if its lock file is not what its manifest wants.
fn packages(manifest: &Path) -> Result<Vec<Value>> {
    let words = ["metadata", "--locked", "--format-version", "1", "--manifest-path"];
    let made = Command::new(env!("CARGO")).args(words).arg(manifest).output()?;
    ensure!(made.status.success(), "{}: {}", manifest.display(), String::from_utf8_lossy(&made.stderr));
    let metadata: Value = serde_json::from_slice(&made.stdout)?;
    metadata["packages"].as_array().cloned().context("no packages")
}

/// The texts of a list in deny.toml.
fn list<'a>(rules: &'a str, key: &str) -> Result<Vec<&'a str>> {
    let start = format!("\n{key} = [");
    let (_, behind) = rules.split_once(&start).with_context(|| format!("deny.toml has no `{key}`"))?;
    let (inside, _) = behind.split_once(']').with_context(|| format!("`{key}` in deny.toml has no end"))?;
    Ok(inside.split('"').skip(1).step_by(2).collect())
}

/// Whether an expression of licences can be met: `(MIT OR Apache-2.0) AND IJG`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) && rest.is_empty()
}

fn any(rest: &mut &[&str], allowed: &[&str]) -> bool {
    let mut is_met = all(rest, allowed);
    while let ["OR", behind @ ..] = *rest {
        *rest = behind;
        is_met |= all(rest, allowed);
    }
    is_met
}

fn all(rest: &mut &[&str], allowed: &[&str]) -> bool {
    let mut is_met = one(rest, allowed);
    while let ["AND", behind @ ..] = *rest {
        *rest = behind;
        is_met &= one(rest, allowed);
    }
    is_met
}

fn one(rest: &mut &[&str], allowed: &[&str]) -> bool {
    match *rest {
        ["(", behind @ ..] => {
            *rest = behind;
            let is_met = any(rest, allowed);
            *rest = rest.strip_prefix(&[")"]).unwrap_or_default();
            is_met
        }
        [name, "WITH", exception, behind @ ..] => {
            *rest = behind;
            allowed.contains(&format!("{name} WITH {exception}").as_str())
        }
        [name, behind @ ..] => {
            *rest = behind;
            allowed.contains(name)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_met_or_not() {
        let met =
            |expression: &str| is_allowed(expression, &["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
        for expression in [
            "MIT",
            "GPL-3.0 OR MIT",
            "Apache-2.0/MIT",
            "(GPL-3.0 OR MIT) AND Zlib",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(met(expression), "{expression}");
        }
        for expression in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND GPL-3.0", "Apache-2.0", "MIT MIT", "OR"]
        {
            assert!(!met(expression), "{expression}");
        }
    }

    #[test]
    fn a_list_is_what_stands_between_its_brackets() {
        let rules = "[licenses]\nallow = [\n    \"MIT\", \"Zlib\",\n]\n[sources]\nallow-registry = [\"x\"]\n";
        assert_eq!(list(rules, "allow").unwrap(), ["MIT", "Zlib"]);
        assert_eq!(list(rules, "allow-registry").unwrap(), ["x"]);
        assert!(list(rules, "deny").is_err());
    }
}
