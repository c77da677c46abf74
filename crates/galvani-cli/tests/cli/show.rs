//! `show` at a terminal that answers as terminals do.

use std::process::{Command, Stdio};

use crate::common::{Desk, GALVANI};

/// Plays at a terminal of 40 columns and 12 rows, whose characters are 8 pixels wide and 12 high. It answers what it is asked
/// with the first word and types what the second says, a key a moment; then comes the signal of that number, if any. It tells in a line the exit code
/// and whether its settings are what they were, and then everything that it was told.
const TERMINAL: &str = r"
import fcntl, os, select, struct, subprocess, sys, termios, time
answer, keys, signal = sys.argv[1].encode().decode('unicode_escape').encode(), sys.argv[2], int(sys.argv[3])
ours, theirs = os.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 12, 40, 320, 144))
before = termios.tcgetattr(theirs)
child = subprocess.Popen(sys.argv[4:], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE)
shown, answered, ready, deadline = b'', False, 0, time.monotonic() + 60
keys = list(keys)
while child.poll() is None and time.monotonic() < deadline:
    if select.select([ours], [], [], 0.05)[0]:
        shown += os.read(ours, 1 << 16)
    if not answered and b'\x1b[c' in shown:
        os.write(ours, answer)
        answered, shown = True, b''
    elif answered and shown.count(b'\x1b[?2026l') > ready:
        ready = shown.count(b'\x1b[?2026l')
        if keys:
            os.write(ours, keys.pop(0).encode())
        elif signal:
            child.send_signal(signal)
while select.select([ours], [], [], 0.2)[0]:
    shown += os.read(ours, 1 << 16)
same = termios.tcgetattr(theirs) == before
print(child.poll(), same)
sys.stdout.flush()
sys.stdout.buffer.write(shown)
";

/// What became of it.
struct Played {
    code: String,
    is_as_before: bool,
    shown: String,
}

fn played(answer: &str, keys: &str, signal: i32) -> Played {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, answer, keys, &signal.to_string(), GALVANI, "show", "lantern.mdx"]);
    let done = command.current_dir(desk.path("")).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    let (line, shown) = said.split_once('\n').unwrap();
    let (code, same) = line.split_once(' ').unwrap();
    Played { code: code.to_owned(), is_as_before: same == "True", shown: shown.to_owned() }
}

const KITTY: &str = r"\x1b_Gi=31;OK\x1b\\\x1b[?62;22c";
const SIXEL: &str = r"\x1b[?62;4;22c";
const NEITHER: &str = r"\x1b[?62;22c";

/// The page before, and the cursor.
const LEFT: &str = "\u{1b}[?25h\u{1b}[?1049l";

#[track_caller]
fn assert_left(played: &Played, code: &str) {
    assert_eq!((played.code.as_str(), played.is_as_before), (code, true), "{:?}", played.shown);
    assert!(played.shown.ends_with(LEFT), "{:?}", played.shown);
}

#[test]
fn the_best_that_a_terminal_has_is_taken() {
    let kitty = played(KITTY, "q", 0);
    assert_left(&kitty, "0");
    assert!(kitty.shown.contains("\u{1b}_Ga=T,f=32,s=320,v=132,") && !kitty.shown.contains('▀'));
    let sixel = played(SIXEL, "q", 0);
    assert_left(&sixel, "0");
    assert!(sixel.shown.contains("\u{1b}P0;1q\"1;1;320;132") && !sixel.shown.contains("_Ga=T"));
    let blocks = played(NEITHER, "q", 0);
    assert_left(&blocks, "0");
    assert!(
        blocks.shown.contains('▀') && !blocks.shown.contains("_Ga=T") && !blocks.shown.contains("\u{1b}P")
    );
}

#[test]
fn keys_do_what_they_say() {
    let played = played(NEITHER, "npn lh+-[]swg q", 0);
    assert_left(&played, "0");
    for told in ["Stand (1/4)", "Stand - 2 (2/4)", "× 0.5", "paused"] {
        assert!(played.shown.contains(told), "{told}: {:?}", played.shown);
    }
}

#[test]
fn the_terminal_is_left_as_it_was_whatever_ends_it() {
    // Control and C, as terminals send it where nobody takes it for a signal.
    assert_left(&played(NEITHER, "\u{3}", 0), "130");
    // SIGINT, SIGTERM and SIGHUP.
    for signal in [2, 15, 1] {
        assert_left(&played(KITTY, "", signal), "130");
    }
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let done = desk.run(&["show", "lantern.mdx"]);
    assert!(done.code == 2 && done.stderr.contains("`render`"), "{}", done.stderr);
    assert_eq!(desk.run(&["show", "glow.tex"]).code, 1);
    assert_eq!(desk.run(&["show", "lantern.mdx", "--clip", "Swim"]).code, 1);
}
