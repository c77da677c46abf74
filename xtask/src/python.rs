//! The wheel for Python: built, and tested in an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::ci::SURVEYS;
use crate::root;

/// The crate that becomes a wheel.
const CRATE: &str = "crates/galvani-py";

/// Where environments and wheels lie.
const FOLDER: &str = "target/python";

/// Builds the wheel as people install it, and says where it is.
pub(crate) fn wheel(_: &[String]) -> Result<()> {
    println!("{}", built(Profile::Release)?.display());
    Ok(())
}

/// A Python that has the wheel as people install it.
pub(crate) fn with_wheel() -> Result<PathBuf> {
    let wheel = built(Profile::Release)?;
    let environment = Environment::new("bench", "crates/galvani-py/tests/requirements.txt", Age::Kept)?;
    environment.pip(&["install", "--quiet", "--no-deps", "--force-reinstall", &wheel.to_string_lossy()])?;
    Ok(environment.interpreter())
}

/// How a wheel is built.
#[derive(Clone, Copy)]
enum Profile {
    /// As people install it.
    Release,
    /// As tests are built. Of that profile's own name cargo makes a program that runs tests, so that the profile for
    /// development is made the same.
    Tests,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Tests => "dev",
        }
    }
}

/// Builds the wheel as tests are built, installs it into a new environment, and runs pytest there.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let wheel = built(Profile::Tests)?;
    // The command as the tests of Rust have it, so that nothing is built twice.
    let command = ["test", "--no-run", "--locked", "--workspace", "--features", SURVEYS, "--test", "schemas"];
    succeeds(Command::new(env!("CARGO")).args(command).current_dir(root()))?;
    let environment = Environment::new("tests", "crates/galvani-py/tests/requirements.txt", Age::New)?;
    environment.pip(&["install", "--quiet", "--no-deps", &wheel.to_string_lossy()])?;
    let command = root().join("target/debug").join(format!("galvani{}", std::env::consts::EXE_SUFFIX));
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", CRATE]).args(words);
    succeeds(pytest.env("GALVANI_COMMAND", command).env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// Set where there is no Blender to ask: `cargo xtask ci --no-blender`.
const WITHOUT_BLENDER: &str = "GALVANI_NO_BLENDER";

/// Builds the extension for Blender with that wheel, installs it into Blenders of its own, and runs its tests there.
pub(crate) fn blender(words: &[String]) -> Result<()> {
    if std::env::var_os(WITHOUT_BLENDER).is_some() {
        println!("Blender is not asked");
        return Ok(());
    }
    let wheel = built(Profile::Tests)?;
    for (name, list) in BLENDERS {
        let environment = Environment::new(name, list, Age::Kept)?;
        let made = environment.python().arg("blender/build.py").arg(&wheel).output()?;
        ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let extension = String::from_utf8(made.stdout)?;
        // What somebody has in a Blender of theirs has no say, and nothing is left in it.
        let home = tempfile::tempdir()?;
        let mut pytest = environment.python();
        pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:logging", "blender/tests"]);
        pytest.env("BLENDER_USER_RESOURCES", home.path()).env("GALVANI_EXTENSION", extension.trim());
        succeeds(pytest.args(words).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    }
    Ok(())
}

/// The oldest Blender that the extension serves, whose actions have no slots, and one of today.
const BLENDERS: [(&str, &str); 2] =
    [("blender-4.2", "blender/tests/requirements-4.2.txt"), ("blender", "blender/tests/requirements.txt")];

/// The wheel.
fn built(profile: Profile) -> Result<PathBuf> {
    let tools = Environment::new("tools", "crates/galvani-py/requirements-build.txt", Age::Kept)?;
    let wheels = root().join(FOLDER).join(profile.name());
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let manifest = root().join(CRATE).join("Cargo.toml");
    let mut maturin = tools.python();
    maturin.args([
        "-m",
        "maturin",
        "build",
        "--quiet",
        "--locked",
        "--profile",
        profile.name(),
        "--manifest-path",
    ]);
    if matches!(profile, Profile::Tests) {
        maturin.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    }
    succeeds(maturin.arg(manifest).arg("--out").arg(&wheels))?;
    let mut made = std::fs::read_dir(&wheels)?;
    let wheel = made.next().context("no wheel was built")??;
    Ok(wheel.path())
}

/// Whether an environment is made anew.
#[derive(Clone, Copy, PartialEq)]
enum Age {
    New,
    Kept,
}

/// An environment of Python with what a list pins.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Makes it and installs what is on the list; one that is kept only if the list is another.
    fn new(name: &str, list: &str, age: Age) -> Result<Self> {
        let environment = Environment { folder: root().join(FOLDER).join(name) };
        let (list, installed) = (root().join(list), environment.folder.join("installed"));
        let wanted = std::fs::read(&list)?;
        if age == Age::Kept && std::fs::read(&installed).is_ok_and(|known| known == wanted) {
            return Ok(environment);
        }
        succeeds(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment.folder))?;
        environment.pip(&["install", "--quiet", "-r", &list.to_string_lossy()])?;
        std::fs::write(installed, wanted)?;
        Ok(environment)
    }

    /// Its interpreter, at the top of the repository.
    fn python(&self) -> Command {
        let mut command = Command::new(self.interpreter());
        command.current_dir(root());
        command
    }

    fn interpreter(&self) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }

    fn pip(&self, words: &[&str]) -> Result<()> {
        succeeds(self.python().args(["-m", "pip", "--disable-pip-version-check"]).args(words))
    }
}

fn succeeds(command: &mut Command) -> Result<()> {
    let program = Path::new(command.get_program()).display().to_string();
    let status = command.status().with_context(|| format!("no `{program}`"))?;
    ensure!(status.success(), "{:?} failed", command.get_args());
    Ok(())
}
