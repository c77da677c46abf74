//! A desk per test: a fresh folder, the `galvani` command in it, and what came out.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

#[path = "../../../galvani/tests/common/archive.rs"]
pub(crate) mod archive;
#[path = "../../../galvani/tests/common/model.rs"]
pub(crate) mod model;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The command under test.
pub(crate) const GALVANI: &str = env!("CARGO_BIN_EXE_galvani");

/// A fresh folder that goes away with the test.
pub(crate) struct Desk {
    folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Desk { folder: TempDir::new().unwrap() }
    }

    /// The same desk with a file on it; folders on the way are made.
    pub(crate) fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.put(name, bytes);
        self
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Every file below the desk, by path with `/`.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(self.folder.path(), "", &mut found);
        found.sort();
        found
    }

    /// Runs `galvani` with these words.
    pub(crate) fn run(&self, words: &[&str]) -> Done {
        self.run_with(words, b"")
    }

    /// Runs `galvani` with something on standard input.
    pub(crate) fn run_with(&self, words: &[&str], input: &[u8]) -> Done {
        let mut command = self.command();
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // A command that does not read its input is none the worse.
        let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Done::new(output)
    }

    /// Runs a line of bash in the folder, `$galvani` being the command.
    pub(crate) fn bash(&self, line: &str) -> Done {
        let mut command = Command::new("bash");
        command
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("galvani", GALVANI)
            .stdin(Stdio::null());
        Done::new(command.output().unwrap())
    }

    /// The JSON of a run.
    pub(crate) fn json(&self, words: &[&str]) -> (u8, Value) {
        let done = self.run(words);
        (done.code, done.json())
    }

    /// The samples of a run that must succeed.
    pub(crate) fn samples(&self, words: &[&str]) -> Vec<Value> {
        let (code, json) = self.json(&[&["sample"], words, &["--json"]].concat());
        assert_eq!(code, 0, "{json:#}");
        json["samples"].as_array().unwrap().clone()
    }

    /// With which exit code and which finding `sample` refuses; null for wrong words.
    pub(crate) fn no_samples(&self, words: &[&str]) -> (u8, Value) {
        let done = self.run(&[&["sample"], words, &["--json"]].concat());
        let code = if done.stdout.is_empty() { Value::Null } else { done.json()["error"]["code"].clone() };
        (done.code, code)
    }

    /// The command, in the folder, in a terminal of fixed width and no colours.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(GALVANI);
        command.current_dir(self.folder.path()).env("COLUMNS", "100").env_remove("RUST_BACKTRACE");
        command
    }
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}

/// What a run left behind.
pub(crate) struct Done {
    pub(crate) code: u8,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Done {
    /// A signal or a panic is never an answer.
    pub(crate) fn new(output: Output) -> Self {
        let stderr = String::from_utf8(output.stderr).unwrap();
        let code = output.status.code().unwrap_or_else(|| panic!("{}: {stderr}", output.status));
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(code <= 3, "exit code {code}: {stderr}");
        Done { code: u8::try_from(code).unwrap(), stdout: output.stdout, stderr }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| {
            panic!("{error}: {}{}", String::from_utf8_lossy(&self.stdout), self.stderr)
        })
    }

    /// Everything that people see, for a snapshot.
    pub(crate) fn all(&self) -> String {
        let mut all = format!("exit code: {}\n----- stdout -----\n{}", self.code, self.text());
        if !self.stderr.is_empty() {
            all.push_str("----- stderr -----\n");
            all.push_str(&self.stderr);
        }
        all
    }
}

/// The codes of a row's diagnostics.
pub(crate) fn codes(row: &Value) -> Vec<&str> {
    row["diagnostics"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

/// The code of the first refusal, whether the verb has rows for them or not.
pub(crate) fn refusal(json: &Value) -> &Value {
    if json.get("error").is_some() { &json["error"]["code"] } else { &json["refused"][0]["code"] }
}

/// The paths of all rows.
pub(crate) fn paths(json: &Value) -> Vec<&str> {
    json["files"].as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect()
}

/// Every listing of `testdata/nres`, assembled, by name.
pub(crate) fn listings() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nres");
    let mut cases: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let case = |path: PathBuf| {
        let listing = std::fs::read_to_string(path.join("build.txt")).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), galvani_testkit::assemble(&listing))
    };
    cases.into_iter().map(case).collect()
}

/// A model of `testdata/msh`, assembled.
pub(crate) fn model(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/msh");
    galvani_testkit::assemble_file(&folder.join(name).join("build.txt"))
}
