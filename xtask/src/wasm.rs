//! Pictures in WebAssembly: the renderer is built for a machine without a system, and draws there what the tests draw.
//!
//! The standard library is the one that is installed with the toolchain, or one that `xtask/cross` builds.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::root;

const TARGET: &str = "wasm32-unknown-unknown";

/// Runs the program that is asked for; a picture that differs ends it badly.
const NODE: &str = "
const { instance } = await WebAssembly.instantiate(require('fs').readFileSync(process.argv[1]), {});
instance.exports.main(0, 0);
";

pub(crate) fn run(_: &[String]) -> Result<()> {
    let folder = root().join("target/cross");
    succeeds(Command::new("xtask/cross").arg("--no-machines").arg(&folder).arg(TARGET))?;
    let build = folder.join("build");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--package", "galvani-render", "--target", TARGET]);
    cargo.args(["--features", "hashes", "--bin", "hashes"]);
    // Optimised a little, as tests are: a dozen pictures are drawn.
    cargo.args(["--config", "profile.dev.opt-level=1"]);
    succeeds(cargo.env("RUSTC", folder.join("rustc")).env("CARGO_TARGET_DIR", &build))?;
    let program: PathBuf = build.join(TARGET).join("debug/hashes.wasm");
    let script =
        format!("(async () => {{ {NODE} }})().catch(error => {{ console.error(error); process.exit(1); }})");
    succeeds(Command::new("node").args(["-e", &script]).arg(program))?;
    println!("pictures are the same in WebAssembly");
    Ok(())
}

/// Runs a command at the top of the repository; anything but success is an error.
fn succeeds(command: &mut Command) -> Result<()> {
    let status = command.current_dir(root()).status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
