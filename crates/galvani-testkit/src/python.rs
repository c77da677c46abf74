//! Other people's readers, asked in Python. Python must be there; the packages are installed below a folder of the
//! caller, as a folder of `tests` pins them.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::expect_used, reason = "a failed step is a failed test")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::run;

/// The scripts of a folder of `tests` with the packages that they need, installed once.
#[derive(Debug)]
pub struct Python {
    scripts: PathBuf,
    folder: PathBuf,
}

impl Python {
    /// Installs what `tests/NAME/requirements.txt` pins, if it is not there yet.
    pub fn in_folder(folder: &Path, name: &str) -> Self {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name);
        let folder = folder.join(name);
        fs::create_dir_all(&folder).expect("a folder for packages");
        let lock = File::create(folder.join("lock")).expect("a lock for packages");
        lock.lock().expect("nobody else installs packages");
        let list = scripts.join("requirements.txt");
        let wanted = fs::read(&list).expect("a list of packages");
        let installed = folder.join("installed");
        let python = Python { scripts, folder };
        if fs::read(&installed).is_ok_and(|known| known == wanted) {
            return python;
        }
        run(Command::new("python3").args(["-m", "venv", "."]).current_dir(&python.folder), "");
        run(python.command().args(["-m", "pip", "install", "--quiet", "-r"]).arg(list), "");
        fs::write(installed, wanted).expect("a mark that packages are installed");
        python
    }

    /// What a script says to some words and a text on its standard input.
    pub fn ask(&self, script: &str, words: &[&str], input: &str) -> String {
        run(self.command().arg(self.scripts.join(script)).args(words), input)
    }

    /// Whether a module can be used, or what it lacks.
    pub fn has(&self, module: &str) -> Result<(), String> {
        let output = self.command().args(["-c", &format!("import {module}, os; os._exit(0)")]).output();
        let output = output.map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    }

    fn command(&self) -> Command {
        let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        let mut command = Command::new(self.folder.join(program));
        command.current_dir(&self.folder);
        command
    }
}
