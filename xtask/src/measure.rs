//! One run of the command: how it ended, how long it took, and the most memory that it had.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::root;

/// What a run took.
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    pub(crate) bytes: u64,
    /// Its exit code, or what ended it.
    pub(crate) ended: String,
}

impl Cost {
    /// Whether it came to an end by itself, done or refused.
    pub(crate) fn is_answer(&self) -> bool {
        ["0", "1"].contains(&self.ended.as_str())
    }
}

/// Asks the system what a child took, which Rust's own library does not. The child may have so many seconds and bytes.
const WAIT: &str = r"
import os, resource, signal, sys, time
seconds, room, line = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
start = time.monotonic()
child = os.fork()
if child == 0:
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.execv(line[0], line)
signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
signal.setitimer(signal.ITIMER_REAL, seconds)
_, status, usage = os.wait4(child, 0)
print(time.monotonic() - start, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))
";

/// Seconds after which a run is ended.
const PATIENCE: &str = "120";

/// Bytes of addresses that a run may have: more is a danger to whoever measures.
const ROOM: &str = "4294967296";

/// Builds the command as its users have it.
pub(crate) fn build() -> Result<()> {
    let words = ["build", "--release", "--locked", "--package", "galvani-cli"];
    let status = Command::new(env!("CARGO")).args(words).current_dir(root()).status()?;
    ensure!(status.success(), "the command does not build: {status}");
    Ok(())
}

/// What a line of the command takes in a folder, whose output it may write again, on so many cores; all, if none is said.
pub(crate) fn cost(folder: &Path, line: &str, cores: Option<u32>) -> Result<Cost> {
    let _ = std::fs::remove_dir_all(folder.join("out"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let mut python = Command::new("python3");
    python.args(["-c", WAIT, PATIENCE, ROOM]).arg(target.join("release/galvani")).args(line.split(' '));
    python.envs(cores.map(|cores| ("RAYON_NUM_THREADS", cores.to_string())));
    let told = python.current_dir(folder).output().context("python3 asks the system what a run took")?;
    ensure!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let text = String::from_utf8(told.stdout)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [seconds, bytes, code] = words[..] else { anyhow::bail!("`{text}` is no answer") };
    let ended = match code.strip_prefix('-') {
        None => code.to_owned(),
        Some("9") => format!("stopped after {PATIENCE} s"),
        Some(signal) => format!("signal {signal}"),
    };
    Ok(Cost { seconds: seconds.parse()?, bytes: bytes.parse()?, ended })
}
