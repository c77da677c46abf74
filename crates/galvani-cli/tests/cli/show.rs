//! `show` at a terminal that answers as terminals do.

use std::process::{Command, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use galvani::OpenOptions;
use galvani::formats::{self, Settings, Site};
use galvani::image::Image;
use galvani::pictures::{self, Background, Direction, Lens, Meter, Moves, Shot, Stage, Wear};

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
    played_of(&["lantern.mdx"], answer, (keys, signal))
}

fn played_of(words: &[&str], answer: &str, (keys, signal): (&str, i32)) -> Played {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, answer, keys, &signal.to_string(), GALVANI, "show"]).args(words);
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

/// The width and height of pictures at that terminal: in pixels, and in half characters.
const PIXELS: (u32, u32) = (320, 132);
const HALVES: (u32, u32) = (40, 22);

/// What every whole picture was told as.
fn pictures_of(shown: &str) -> Vec<&str> {
    let rest = shown.split("\u{1b}[?2026h\u{1b}[H").skip(1);
    rest.filter(|rest| rest.contains("\u{1b}[?2026l"))
        .map(|rest| rest.split_once("\u{1b}[12;1H").unwrap().0)
        .collect()
}

/// Takes the letter that comes next.
fn next(rest: &mut &str) -> Option<char> {
    let mut letters = rest.chars();
    let letter = letters.next();
    *rest = letters.as_str();
    letter
}

/// What kitty shows of pieces.
fn by_kitty(told: &str) -> Image {
    let pieces = told.split("\u{1b}\\").filter(|piece| !piece.is_empty());
    let text: String =
        pieces.map(|piece| piece.strip_prefix("\u{1b}_G").unwrap().split_once(';').unwrap().1).collect();
    let rgba = BASE64_STANDARD.decode(text).unwrap().as_chunks::<4>().0.to_vec();
    assert!(told.contains("f=32,s=320,v=132,"));
    Image { width: PIXELS.0, height: PIXELS.1, rgba }
}

/// What a terminal of DEC's shows: each letter is six pixels in the colour that was chosen last, which is in parts of a hundred.
fn by_sixel(told: &str) -> Image {
    let (width, height) = PIXELS;
    let body = told.strip_prefix("\u{1b}P0;1q\"1;1;320;132").unwrap().strip_suffix("\u{1b}\\").unwrap();
    let mut image = Image { width, height, rgba: vec![[0; 4]; (width * height) as usize] };
    let mut colors = std::collections::BTreeMap::new();
    let (mut color, mut x, mut top, mut rest) = (0, 0, 0, body);
    let number = |rest: &mut &str| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, behind) = rest.split_at(end);
        *rest = behind;
        digits.parse::<u32>().unwrap()
    };
    while let Some(letter) = next(&mut rest) {
        let mut times = 1;
        let letter = match letter {
            '$' => {
                x = 0;
                continue;
            }
            '-' => {
                (x, top) = (0, top + 6);
                continue;
            }
            '#' => {
                color = number(&mut rest);
                if let Some(behind) = rest.strip_prefix(";2;") {
                    rest = behind;
                    let mut part = || {
                        let part = number(&mut rest);
                        rest = rest.strip_prefix(';').unwrap_or(rest);
                        u8::try_from((part * 255 + 50) / 100).unwrap()
                    };
                    colors.insert(color, [part(), part(), part(), 255]);
                }
                continue;
            }
            '!' => {
                times = number(&mut rest);
                next(&mut rest).unwrap()
            }
            letter => letter,
        };
        let bits = u32::from(letter) - u32::from('?');
        for row in (0..6).filter(|row| bits >> row & 1 == 1) {
            let start = ((top + row) * width + x) as usize;
            image.rgba[start..start + times as usize].fill(colors[&color]);
        }
        x += times;
    }
    image
}

/// What any terminal shows of half characters.
fn by_blocks(told: &str) -> Image {
    let (width, height) = HALVES;
    let mut rgba = Vec::new();
    for line in told.strip_suffix("\r\n").unwrap().split("\r\n") {
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        let (mut ink, mut paper, mut rest) = ([0; 4], [0; 4], line);
        while !rest.is_empty() {
            let Some(code) = rest.strip_prefix("\u{1b}[") else {
                let (above, below) = match next(&mut rest).unwrap() {
                    '▀' => (ink, paper),
                    '▄' => (paper, ink),
                    ' ' => (paper, paper),
                    other => panic!("{other:?}"),
                };
                upper.push(above);
                lower.push(below);
                continue;
            };
            let (code, behind) = code.split_once('m').unwrap();
            rest = behind;
            let parts: Vec<u8> = code.split(';').map(|part| part.parse().unwrap()).collect();
            match parts[..] {
                [0] => (ink, paper) = ([0; 4], [0; 4]),
                [38, 2, r, g, b] => ink = [r, g, b, 255],
                [48, 2, r, g, b] => paper = [r, g, b, 255],
                _ => panic!("{code}"),
            }
        }
        rgba.extend(upper);
        rgba.extend(lower);
    }
    assert_eq!(rgba.len(), (width * height) as usize);
    Image { width, height, rgba }
}

/// What the renderer draws of the windmill at the start of a clip, from so much farther around and nearer.
fn drawn((width, height): (u32, u32), clip: usize, (turn, zoom): (f64, f64)) -> Image {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let file = desk.read("windmill.glb");
    let opened = formats::by_id("gltf").unwrap().open(&file, &OpenOptions::default()).unwrap();
    let meter = Meter::unlimited();
    let (scene, _) = pictures::scene(&opened, &Site::NOWHERE, &Settings::default(), &meter).unwrap();
    let clip = scene.clips.get(clip);
    let stage = Stage::new(&scene, &Wear::default(), &meter).unwrap();
    let seen = (Direction::USUAL, Lens::Perspective, f64::from(width) / f64::from(height));
    let eye = stage.eye(&stage.stances(clip), seen, (1.0, Moves::Around));
    let mut shot = Shot::new(width, height, eye.around(turn).nearer(zoom));
    shot.background = Background::Plain([0x20, 0x24, 0x28]);
    stage.picture(&stage.stance(clip, 0.0), &shot, &meter).unwrap().image
}

/// A picture for each key, unless one of them takes ten seconds.
const SLOWLY: &[&str] = &["windmill.glb", "--fps", "0.1"];

/// It stands still, then it is turned and made larger, then another clip begins.
const STILLS: &str = " l+nq";

/// How the pictures look that these keys lead to: the clip, how far around and how near.
const SEEN: [(usize, (f64, f64)); 5] =
    [(0, (0.0, 1.0)), (0, (0.0, 1.0)), (0, (15.0, 1.0)), (0, (15.0, 1.25)), (1, (15.0, 1.25))];

#[test]
fn frames_are_the_pictures_that_the_renderer_draws() {
    let kitty = played_of(SLOWLY, KITTY, (STILLS, 0));
    let blocks = played_of(SLOWLY, NEITHER, (STILLS, 0));
    let sixel = played_of(SLOWLY, SIXEL, (STILLS, 0));
    let of = |played: &Played, decode: fn(&str) -> Image| -> Vec<Image> {
        let pictures = pictures_of(&played.shown);
        assert_eq!(pictures.len(), SEEN.len(), "a picture for each key");
        pictures.into_iter().map(decode).collect()
    };
    let (kitty, blocks) = (of(&kitty, by_kitty), of(&blocks, by_blocks));
    let sixel = of(&sixel, by_sixel);
    for (i, (clip, view)) in SEEN.into_iter().enumerate() {
        let wanted = drawn(PIXELS, clip, view);
        assert!(kitty[i] == wanted, "picture {i} by kitty");
        assert!(blocks[i] == drawn(HALVES, clip, view), "picture {i} in half characters");
        // Few colours, each in parts of a hundred.
        let (colors, numbers) = pictures::few_colors(&wanted).unwrap();
        for (shown, number) in sixel[i].rgba.iter().zip(numbers) {
            let [r, g, b] = colors[usize::from(number.unwrap())];
            let off = [r, g, b].iter().zip(shown).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(shown[3] == 255 && off <= 2, "picture {i} by sixel: {shown:?}");
        }
    }
    assert!(kitty[0] == kitty[1] && kitty[1] != kitty[2] && kitty[2] != kitty[3]);
}

#[test]
fn what_moves_moves() {
    let played = played_of(&["windmill.glb"], KITTY, ("xxxxxxq", 0));
    let pictures: Vec<Image> = pictures_of(&played.shown).into_iter().map(by_kitty).collect();
    assert!(pictures.len() > 6 && pictures.windows(2).all(|pair| pair[0] != pair[1]));
}
