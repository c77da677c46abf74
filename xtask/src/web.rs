//! The page: the library as WebAssembly, and what shows it, as files that any server can hand out.
//!
//! `web/src/wasm` and `web/dist` are made here and never committed.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};

use crate::ci::SURVEYS;
use crate::root;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the page; with `--test` also holds it against its tests, in Chromium.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let is_tested = match words {
        [] => false,
        [word] if word == "--test" => true,
        _ => bail!("`--test` or nothing wanted, {words:?} found"),
    };
    let web = root().join("web");
    wasm()?;
    packages(&web)?;
    npm(&web, &["run", "check"])?;
    npm(&web, &["run", "build"])?;
    println!("the page: {}", web.join("dist").display());
    if is_tested {
        succeeds(Command::new("xtask/packages").arg("chromium"))?;
        // The command as the tests of Rust have it, so that nothing but the page in it is built twice.
        let command =
            ["test", "--no-run", "--locked", "--workspace", "--features", SURVEYS, "--test", "view"];
        succeeds(Command::new(env!("CARGO")).args(command))?;
        npm(&web, &["test"])?;
        npm(&web, &["run", "look"])?;
    }
    Ok(())
}

/// Builds the page if there is none, and shows files in it, or a sample.
pub(crate) fn view(words: &[String]) -> Result<()> {
    if !root().join("web/dist/index.html").exists() {
        run(&[])?;
    }
    let samples = ["samples/walker.msh".to_owned()];
    let files = if words.is_empty() { &samples[..] } else { words };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--locked", "--package", "galvani-cli", "--", "view"]).args(files);
    succeeds(&mut cargo)
}

/// The library as WebAssembly, behind a module.
fn wasm() -> Result<()> {
    let folder = root().join("target/cross");
    succeeds(Command::new("xtask/cross").arg(&folder).arg(TARGET))?;
    let build = folder.join("web");
    let mut cargo = Command::new(env!("CARGO"));
    // Only here a program is made of it: elsewhere it would be linked with every test of the workspace.
    cargo.args(["rustc", "--locked", "--profile", "web", "--package", "galvani-web", "--target", TARGET]);
    cargo.args(["--lib", "--crate-type", "cdylib"]);
    cargo.env("RUSTC", folder.join("rustc")).env("CARGO_TARGET_DIR", &build);
    // Every browser of today has lanes.
    succeeds(cargo.env("RUSTFLAGS", "-C target-feature=+simd128"))?;
    let (made, module) = (build.join(TARGET).join("web/galvani_web.wasm"), root().join("web/src/wasm"));
    if is_newer(&module.join("galvani_web_bg.wasm"), &made) {
        return Ok(());
    }
    let mut bind = Command::new(env!("CARGO"));
    bind.args(["run", "--locked", "--manifest-path", "web/bind/Cargo.toml", "--"]).arg(&made).arg(&module);
    succeeds(bind.env("CARGO_TARGET_DIR", root().join("target/bind")))
}

/// The packages that the lock file names.
fn packages(web: &Path) -> Result<()> {
    if is_newer(&web.join("node_modules/.package-lock.json"), &web.join("package-lock.json")) {
        return Ok(());
    }
    npm(web, &["ci"])
}

/// Whether a file is there, and made after another.
fn is_newer(file: &Path, than: &Path) -> bool {
    let time = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    time(file).zip(time(than)).is_some_and(|(file, than)| file > than)
}

fn npm(web: &Path, words: &[&str]) -> Result<()> {
    succeeds(Command::new("npm").args(words).current_dir(web))
        .context("the page needs Node 20.19 or newer, and npm")
}

/// Runs a command, at the top of the repository unless it says where; anything but success is an error.
fn succeeds(command: &mut Command) -> Result<()> {
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    let status = command.status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
