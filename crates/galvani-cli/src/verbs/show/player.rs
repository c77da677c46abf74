//! The player: a model, a clip, a clock and keys.

use std::time::{Duration, Instant};

use galvani::Report;
use galvani::pictures::{Background, Marks, Moves};
use galvani::scene::{Clip, Scene};

use crate::Outcome;
use crate::args::{Common, Graphics, Show};
use crate::batch::single;
use crate::failure::{Failure, warn};
use crate::screen::{Tty, told};
use crate::table::printable;
use crate::verbs::film::{Camera, Model, meter};

/// What a shell calls a program that was told to stop.
const STOPPED: u8 = 130;

/// What is behind the model unless somebody wants something else.
const BACKGROUND: Background = Background::Plain([0x20, 0x24, 0x28]);

/// Most pixels of a picture on either side: more takes longer to tell than to look at.
const MOST_SIDE: [u32; 2] = [800, 600];

const KEYS: &str = "space pause · n p clip · ← → turn · ↑ ↓ zoom · [ ] speed · s w g marks · q quit";

pub(crate) fn run(args: &Show, common: &Common) -> Outcome {
    let (input, known) = single(&args.input, common)?;
    let len = known.source.bytes.len();
    let opened = known.open(&input, common)?;
    let model = Model::new(&opened, (&known, &input), &args.looking, |_| false, common)?;
    let Some(Model { scene, mut report }) = model else { return Ok(0) };
    let meter_of = || meter(len, common);
    if !(args.fps > 0.0 && args.fps <= 1000.0) {
        return Err(Failure::Usage(format!("--fps {}: more than 0 and at most 1000 is wanted", args.fps)));
    }
    // What cannot be shown is told before the terminal is taken.
    let first =
        Camera::new(&scene, &args.looking, ((16, 16), 0.0, Moves::Around), (&mut report, &meter_of()))?;
    first.still(0.0, &mut Report::default(), &meter_of())?;
    let clip = first.clip.and_then(|clip| scene.clips.iter().position(|own| std::ptr::eq(own, clip)));
    warn(report.findings(), &input.shown);
    let io = |error: std::io::Error| Failure::unwritable(format!("terminal: {error}"));
    let Some(tty) = Tty::take().map_err(io)? else {
        let said = "`show` wants a terminal to play in; `render` writes pictures that move";
        return Err(Failure::Usage(said.to_owned()));
    };
    let graphics = match args.graphics {
        Some(graphics) => graphics,
        None => tty.graphics().map_err(io)?,
    };
    let player = Player {
        scene: &scene,
        args,
        clip,
        marks: args.looking.marks(),
        turn: 0.0,
        zoom: 1.0,
        speed: 1.0,
        is_paused: false,
        time: 0.0,
    };
    player.play(&tty, graphics, &meter_of)
}

/// What is played, and how.
struct Player<'a> {
    scene: &'a Scene,
    args: &'a Show,
    clip: Option<usize>,
    marks: Marks,
    turn: f64,
    zoom: f64,
    speed: f32,
    is_paused: bool,
    /// In seconds from the start of the clip.
    time: f32,
}

/// What a key means for the player.
#[derive(Debug, PartialEq, Eq)]
enum After {
    /// It goes on.
    Go,
    /// Another clip is wanted.
    Clip,
    /// It ends, with this code.
    End(u8),
}

impl<'a> Player<'a> {
    fn play(mut self, tty: &Tty, graphics: Graphics, meter: &impl Fn() -> galvani::Meter) -> Outcome {
        let io = |error: std::io::Error| Failure::unwritable(format!("terminal: {error}"));
        let pace = Duration::from_secs_f32(1.0 / self.args.fps);
        let background = self.args.looking.background.unwrap_or(BACKGROUND);
        loop {
            // All of this is new where the terminal has another size, or another clip is played.
            let shape = tty.size();
            let size = pixels(shape, graphics);
            let camera = Camera::of(
                self.scene,
                self.clip(),
                &self.args.looking,
                (size, 0.0, Moves::Around),
                &meter(),
            )?;
            tty.print("\x1b[0m\x1b[2J").map_err(io)?;
            let mut shown = Instant::now();
            while tty.size() == shape {
                let view = (self.turn, self.zoom);
                let image = camera.taken(self.time, view, (self.marks, background), &meter())?;
                let [columns, rows] = shape.0;
                let line: String = self.line().chars().take(columns as usize).collect();
                let picture = told(&image, graphics)?;
                // All at once, where the terminal knows how to wait.
                let text = format!("\x1b[?2026h\x1b[H{picture}\x1b[{rows};1H\x1b[0m\x1b[K{line}\x1b[?2026l");
                tty.print(&text).map_err(io)?;
                let typed = tty.typed(pace.saturating_sub(shown.elapsed())).map_err(io)?;
                match self.typed(&typed) {
                    After::End(code) => return Ok(code),
                    After::Clip => break,
                    After::Go => {}
                }
                // The first picture of a clip is its start.
                let now = Instant::now();
                if !self.is_paused {
                    self.time += now.duration_since(shown).as_secs_f32() * self.speed;
                    self.wrap();
                }
                shown = now;
            }
        }
    }

    fn clip(&self) -> Option<&'a Clip> {
        let scene = self.scene;
        scene.clips.get(self.clip?)
    }

    /// Whatever ends begins again.
    fn wrap(&mut self) {
        let duration = self.clip().map_or(0.0, |clip| clip.duration);
        self.time = if duration > 0.0 { self.time % duration } else { 0.0 };
    }

    /// What is told of it.
    fn line(&self) -> String {
        let clip = self.clip().map_or_else(|| "at rest".to_owned(), |clip| printable(&clip.name));
        let count = self.scene.clips.len();
        let number = self.clip.map_or(0, |clip| clip + 1);
        let pause = if self.is_paused { " paused" } else { "" };
        format!("{clip} ({number}/{count}) {:.2} s × {}{pause}  {KEYS}", self.time, self.speed)
    }

    fn typed(&mut self, typed: &[u8]) -> After {
        let mut rest = typed;
        let mut after = After::Go;
        while let [first, ..] = rest {
            let (key, len) = match rest {
                [0x1b, b'[' | b'O', arrow @ b'A'..=b'D', ..] => (*arrow, 3),
                [0x1b, b'[', other @ ..] => {
                    let end = other.iter().position(|byte| (0x40..0x7f).contains(byte));
                    (0, end.map_or(rest.len(), |end| end + 3))
                }
                [0x1b] => (b'q', 1),
                _ => (*first, 1),
            };
            rest = rest.get(len..).unwrap_or_default();
            match self.key(key) {
                After::Go => {}
                end @ After::End(_) => return end,
                clip @ After::Clip => after = clip,
            }
        }
        after
    }

    /// A key: a letter, or an arrow by the letter that its sequence ends in, which no key has alone.
    fn key(&mut self, key: u8) -> After {
        match key {
            b'q' | 4 => return After::End(0),
            3 => return After::End(STOPPED),
            b' ' => self.is_paused = !self.is_paused,
            b'n' => return self.other(1),
            b'p' => return self.other(self.scene.clips.len().saturating_sub(1)),
            b'C' | b'l' => self.turn += 15.0,
            b'D' | b'h' => self.turn -= 15.0,
            b'A' | b'+' => self.zoom = (self.zoom * 1.25).min(100.0),
            b'B' | b'-' => self.zoom = (self.zoom / 1.25).max(0.01),
            b']' => self.speed = (self.speed * 2.0).min(16.0),
            b'[' => self.speed = (self.speed / 2.0).max(1.0 / 64.0),
            b's' => self.marks.skeleton = !self.marks.skeleton,
            b'w' => self.marks.wire = !self.marks.wire,
            b'g' => self.marks.grid = !self.marks.grid,
            _ => {}
        }
        After::Go
    }

    /// So many clips farther.
    fn other(&mut self, farther: usize) -> After {
        let count = self.scene.clips.len();
        if count < 2 {
            return After::Go;
        }
        self.clip = Some((self.clip.unwrap_or(0) + farther) % count);
        self.time = 0.0;
        After::Clip
    }
}

/// Width and height of the pictures that a terminal shows above its last row.
fn pixels(([columns, rows], [width, height]): ([u32; 2], [u32; 2]), graphics: Graphics) -> (u32, u32) {
    let rows = rows.saturating_sub(1).max(1);
    match graphics {
        Graphics::Blocks => (columns.min(MOST_SIDE[0]), (rows * 2).min(MOST_SIDE[1])),
        Graphics::Kitty | Graphics::Sixel => {
            // Sixels come in sixes, and what is lower than the last row would move everything up.
            let high = (rows * height).min(MOST_SIDE[1]) / 6 * 6;
            ((columns * width).min(MOST_SIDE[0]), high.max(6))
        }
    }
}
