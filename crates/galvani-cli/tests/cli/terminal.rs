//! What somebody sees who sits at a terminal.

use std::process::{Command, Stdio};

use crate::common::{Desk, GALVANI};

/// Runs a command at a terminal of 100 columns: everything that it shows, standard error as well.
const TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
shown = b''
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    shown += more
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

/// What a terminal shows of a run that must succeed.
fn shown(desk: &Desk, words: &[&str]) -> String {
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, GALVANI]).args(words).current_dir(desk.path(""));
    let done = command.env("TERM", "xterm").stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

#[test]
fn a_bar_shows_how_far_a_conversion_is_and_goes_away() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    for name in ["a", "b", "c"] {
        desk.put(&format!("walkers/{name}.msh"), desk.read("walker.msh"));
    }
    let several = shown(&desk, &["convert", "walkers", "-o", "out/"]);
    assert!(several.contains("/3 files") && several.contains(" left"), "{several:?}");
    // What is said stands on lines of its own, and the bar is wiped out in the end.
    let lines: Vec<&str> = several.lines().collect();
    for name in ["a", "b", "c"] {
        assert!(desk.path(&format!("out/{name}.glb")).exists());
        let said = format!("{name}.glb: ");
        assert!(lines.iter().any(|line| line.contains(&said) && !line.contains(" files, ")), "{several:?}");
    }
    let wiped = several.rfind("\u{1b}[2K").unwrap();
    assert!(several.rfind("/3 files").unwrap() < wiped, "{several:?}");
    let one = shown(&desk, &["convert", "walker.msh", "-o", "walker.glb"]);
    assert!(!one.contains("files, "), "a bar for one file: {one:?}");
}

#[test]
fn nobody_draws_a_bar_into_a_file() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    for name in ["a", "b", "c"] {
        desk.put(&format!("walkers/{name}.msh"), desk.read("walker.msh"));
    }
    let done = desk.run(&["convert", "walkers", "-o", "out/"]);
    assert!(!done.stderr.contains("files, "), "{}", done.stderr);
}

#[test]
fn info_shows_a_small_picture_where_it_is_asked_for() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let rows = |said: &str| said.lines().filter(|line| line.contains('▀') || line.contains('▄')).count();
    let pictured = shown(&desk, &["info", "walker.msh", "--picture"]);
    // Forty rows of pixels, two in a character, of which the model fills most.
    assert!((14..=20).contains(&rows(&pictured)), "{pictured:?}");
    assert_eq!(rows(&shown(&desk, &["info", "walker.msh"])), 0);
    assert_eq!(rows(&shown(&desk, &["info", "glow.tex", "--picture"])), 20, "a texture is a picture");
    assert_eq!(rows(&shown(&desk, &["info", "walker.wea", "--picture"])), 0, "nothing to draw");
    assert_eq!(rows(desk.run(&["info", "walker.msh", "--picture"]).text()), 0, "no terminal");
}
