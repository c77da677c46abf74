//! Other people's readers, asked in Node. Node and npm must be there; the packages are installed below a folder of
//! the caller, as `tests/clients` locks them.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::expect_used, reason = "a failed step is a failed test")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The scripts of `tests/clients` with all that they need, installed once into `folder`.
#[derive(Debug)]
pub struct Clients {
    folder: PathBuf,
}

impl Clients {
    /// Installs what is not there or not as it is locked.
    pub fn in_folder(folder: &Path) -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients");
        let folder = folder.join("clients");
        fs::create_dir_all(&folder).expect("a folder for clients");
        let lock = File::create(folder.join("lock")).expect("a lock for clients");
        lock.lock().expect("nobody else installs clients");
        let mut changed = false;
        for entry in fs::read_dir(&from).expect("tests/clients").flatten() {
            let name = entry.file_name();
            let new = fs::read(entry.path()).expect("a file of tests/clients");
            let is_same = fs::read(folder.join(&name)).is_ok_and(|old| old == new);
            changed |= !is_same && Path::new(&name).extension().is_some_and(|extension| extension == "json");
            if !is_same {
                fs::write(folder.join(&name), new).expect("a copy of a file of tests/clients");
            }
        }
        let installed = folder.join("installed");
        if changed || !installed.exists() {
            let _ = fs::remove_file(&installed);
            run(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder), "");
            fs::write(installed, "").expect("a mark that clients are installed");
        }
        Clients { folder }
    }

    /// What a script says to some words and a text on its standard input.
    pub fn ask(&self, script: &str, words: &[&str], input: &str) -> String {
        run(Command::new("node").arg(script).args(words).current_dir(&self.folder), input)
    }

    /// Asks Khronos' validator about files; panics if it has an error or a warning for one of them.
    pub fn validate(&self, files: &[String]) {
        let words: Vec<&str> = files.iter().map(String::as_str).collect();
        let said = self.ask("validate.mjs", &words, "");
        let rows: Vec<Value> = serde_json::from_str(&said).expect("a list of files");
        assert_eq!(rows.len(), files.len());
        for row in rows {
            assert_eq!((&row["errors"], &row["warnings"]), (&0.into(), &0.into()), "{row:#}");
        }
    }
}

/// What a command says; it must be there and succeed.
pub(crate) fn run(command: &mut Command, input: &str) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}; is it installed?"));
    let mut stdin = child.stdin.take().expect("an input");
    stdin.write_all(input.as_bytes()).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}
