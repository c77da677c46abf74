//! The terminal itself: taken for a while, and left as it was, whatever happens.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{self, OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr};

use crate::args::Graphics;

/// The terminal's settings before it was taken.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Another page, no cursor.
const TAKE: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";

/// Pictures away, colours as they were, the cursor, the page before.
const LEAVE: &str = "\x1b_Ga=d,q=2\x1b\\\x1b[0m\x1b[?25h\x1b[?1049l";

/// Asks for kitty's pictures, and then, which all terminals answer, what it is.
const ASK: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_millis(500);

/// A terminal that is taken; dropped, it is as it was.
pub(crate) struct Tty(());

/// Leaves the terminal as it was, if it is taken.
pub(crate) fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before {
        let mut out = io::stdout();
        let _ = out.write_all(LEAVE.as_bytes()).and_then(|()| out.flush());
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &before);
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        restore();
    }
}

#[expect(clippy::unused_self, reason = "only who has taken the terminal may ask it")]
impl Tty {
    /// Takes the terminal; nothing if there is none.
    pub(crate) fn take() -> io::Result<Option<Self>> {
        if !isatty(stdin()) || !isatty(stdout()) {
            return Ok(None);
        }
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let taken = Tty(());
        // What fails tells of itself on a terminal on which it can be read.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            hook(panic);
        }));
        tcsetattr(stdin(), OptionalActions::Flush, &raw)?;
        taken.print(TAKE)?;
        Ok(Some(taken))
    }

    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Columns and rows, and the pixels of a character.
    pub(crate) fn size(&self) -> ([u32; 2], [u32; 2]) {
        let Ok(size) = tcgetwinsize(stdout()) else { return ([80, 24], [8, 16]) };
        let termios::Winsize { ws_col, ws_row, ws_xpixel, ws_ypixel } = size;
        let cells = if ws_col == 0 || ws_row == 0 { [80, 24] } else { [ws_col, ws_row].map(u32::from) };
        let pixel = |all: u16, count: u32, usual: u32| {
            Some(u32::from(all) / count).filter(|pixels| *pixels > 0).unwrap_or(usual)
        };
        (cells, [pixel(ws_xpixel, cells[0], 8), pixel(ws_ypixel, cells[1], 16)])
    }

    /// What was typed within a time, at most so much at once.
    pub(crate) fn typed(&self, within: Duration) -> io::Result<Vec<u8>> {
        let time = Timespec::try_from(within).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        let mut watched = [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)];
        match poll(&mut watched, Some(&time)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(Vec::new()),
            other => other?,
        };
        let mut buffer = [0; 256];
        match rustix::io::read(stdin(), &mut buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(buffer.get(..count).unwrap_or_default().to_vec()),
            Err(rustix::io::Errno::INTR) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// The best way to show pictures that the terminal says it has.
    pub(crate) fn graphics(&self) -> io::Result<Graphics> {
        self.print(ASK)?;
        let (start, mut answer) = (Instant::now(), Vec::new());
        while !is_whole(&answer) && start.elapsed() < PATIENCE {
            answer.extend(self.typed(PATIENCE.saturating_sub(start.elapsed()))?);
        }
        Ok(best(&answer))
    }
}

/// What a terminal says it is: the numbers between `ESC [ ?` and `c`.
fn attributes(answer: &[u8]) -> Option<&[u8]> {
    let start = answer.windows(3).position(|three| three == b"\x1b[?")? + 3;
    let rest = answer.get(start..)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b';')?;
    rest.get(..end).filter(|_| rest.get(end) == Some(&b'c'))
}

fn is_whole(answer: &[u8]) -> bool {
    attributes(answer).is_some()
}

fn best(answer: &[u8]) -> Graphics {
    const KITTY: &[u8] = b"_Gi=31;OK";
    const SIXEL: &[u8] = b"4";
    if answer.windows(KITTY.len()).any(|part| part == KITTY) {
        return Graphics::Kitty;
    }
    let attributes = attributes(answer).unwrap_or_default();
    let mut all = attributes.split(|byte| *byte == b';').skip(1);
    if all.any(|number| number == SIXEL) { Graphics::Sixel } else { Graphics::Blocks }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

    use super::*;

    #[test]
    fn the_best_is_what_the_terminal_says() {
        assert_eq!(best(b"\x1b_Gi=31;OK\x1b\\\x1b[?62;4c"), Graphics::Kitty);
        assert_eq!(best(b"\x1b_Gi=31;ENOTSUPPORTED\x1b\\\x1b[?62;4c"), Graphics::Sixel);
        assert_eq!(best(b"\x1b[?62;1;4;22c"), Graphics::Sixel);
        assert_eq!(best(b"\x1b[?4;14;44c"), Graphics::Blocks);
        assert_eq!(best(b""), Graphics::Blocks);
        assert!(!is_whole(b"\x1b[?62;4") && is_whole(b"ab\x1b[?6c"));
    }

    /// Takes the terminal and fails; run by the test below at a terminal of its own.
    #[test]
    #[ignore = "wants a terminal to itself"]
    fn fails_at_a_terminal() {
        let _taken = Tty::take().unwrap().unwrap();
        panic!("as it should");
    }

    #[test]
    fn a_panic_leaves_the_terminal_as_it_was() {
        const TERMINAL: &str = "
import os, subprocess, sys, termios
ours, theirs = os.openpty()
before = termios.tcgetattr(theirs)
done = subprocess.run(sys.argv[1:], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE)
shown = os.read(ours, 1 << 16)
left = b'as it should' in shown + done.stderr and shown.find(b'?1049l') > shown.find(b'?1049h') >= 0
sys.exit(0 if done.returncode != 0 and left and termios.tcgetattr(theirs) == before else 1)
";
        let own = std::env::current_exe().unwrap();
        let mut command = std::process::Command::new("python3");
        command.args(["-c", TERMINAL]).arg(own);
        let name = "screen::tty::tests::fails_at_a_terminal";
        let done = command.args(["--exact", name, "--ignored", "--nocapture"]).status().unwrap();
        assert!(done.success());
    }
}
