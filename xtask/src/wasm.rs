//! Pictures in WebAssembly: the renderer is built for a machine without a system, and draws there what the tests draw.
//!
//! The standard library is the one that is installed with the toolchain, or one that `xtask/cross` builds.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::root;

const TARGET: &str = "wasm32-unknown-unknown";

/// Runs the program that is asked for. A picture that differs ends it badly; what it says then is in its memory.
const NODE: &str = "(async () => {
const { instance } = await WebAssembly.instantiate(require('fs').readFileSync(process.argv[1]), {});
try {
    instance.exports.main(0, 0);
} catch (error) {
    const memory = Buffer.from(instance.exports.memory.buffer).toString('latin1');
    console.error(memory.match(/pictures differ: \\[\\([^\\]]*/)?.[0] ?? error);
    process.exit(1);
}
})()";

pub(crate) fn run(_: &[String]) -> Result<()> {
    let folder = root().join("target/cross");
    succeeds(Command::new("xtask/cross").arg(&folder).arg(TARGET))?;
    let build = folder.join("build");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--package", "galvani-render", "--target", TARGET]);
    cargo.args(["--features", "hashes", "--bin", "hashes"]);
    // Optimised a little, as tests are: a dozen pictures are drawn.
    cargo.args(["--config", "profile.dev.opt-level=1"]);
    succeeds(cargo.env("RUSTC", folder.join("rustc")).env("CARGO_TARGET_DIR", &build))?;
    let program: PathBuf = build.join(TARGET).join("debug/hashes.wasm");
    succeeds(Command::new("node").args(["-e", NODE]).arg(program))?;
    println!("pictures are the same in WebAssembly");
    Ok(())
}

/// Runs a command at the top of the repository; anything but success is an error.
fn succeeds(command: &mut Command) -> Result<()> {
    let status = command.current_dir(root()).status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
