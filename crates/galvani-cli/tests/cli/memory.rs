//! What is printed is not held: memory does not grow with times, nodes, files or fields.

#[path = "../../../galvani/tests/common/large.rs"]
mod large;

use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use galvani::ff7::pack::{self, AngleKey, codec::Frames};
use galvani::parkan::nres;

use crate::common::Desk;
use crate::heavy::{dances, walls};

/// What any verb may take beside four times its largest input, and what the command itself takes doing nothing much.
const ROOM: u64 = (64 + 24) << 20;

/// A sample that ships.
fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Runs the command and reads all it prints; the most memory that it was seen to take, and how much it printed.
fn peak(desk: &Desk, words: &[&str], threads: usize) -> (u64, usize) {
    let mut command = desk.command();
    command.env("RAYON_NUM_THREADS", threads.to_string()).args(words);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let (mut some, mut printed) = (vec![0; 1 << 16], 0);
        while let Ok(count @ 1..) = out.read(&mut some) {
            printed += count;
        }
        printed
    });
    let mut most = 0;
    let ended = loop {
        most = most.max(resident(&child));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(ended.code().is_some(), "{words:?} died: {ended}");
    (most, reader.join().unwrap())
}

/// The most memory that a process took so far; 0 once it is gone.
fn resident(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) << 10
}

#[test]
fn nothing_that_is_printed_is_held() {
    let desk =
        Desk::new().with("walker.msh", sample("walker.msh")).with("lantern.mdx", sample("lantern.mdx"));
    for i in 0..60 {
        desk.put(&format!("many/{i:02}.mdx"), sample("lantern.mdx"));
    }
    for i in 0..3000 {
        desk.put(&format!("files/{i:04}.msh"), b"NRes\x00\x01\x00\x00\x09");
    }
    let cases: &[&[&str]] = &[
        &["sample", "walker.msh", "--time", "0..8000", "--json"],
        &["sample", "walker.msh", "--time", "0..8000"],
        &["dump", "many", "--json"],
        &["dump", "many"],
        &["info", "many", "--json"],
        &["info", "many"],
        &["validate", "files", "--json"],
        &["validate", "files"],
        &["list", "files", "--json"],
    ];
    for words in cases {
        let (peak, printed) = peak(&desk, words, 2);
        let input = desk.read("lantern.mdx").len().max(desk.read("walker.msh").len());
        let most = ROOM + 4 * u64::try_from(input).unwrap();
        assert!(peak <= most, "{words:?}: {peak} bytes of memory for {printed} printed, {most} at most");
    }
}

/// What taking a model of 4 MB apart may take, whichever way.
const APART: u64 = 100 << 20;

#[test]
fn a_large_model_is_taken_apart_within_a_hundred_megabytes() {
    let mut largest = 0;
    for (name, [file, _]) in large::pairs()
        .into_iter()
        .filter(|(name, _)| Path::new(name).extension().is_some_and(|it| it == "mdx"))
    {
        largest = largest.max(file.len());
        let desk = Desk::new().with(name, &file);
        let peaks = [
            peak(&desk, &["dump", name, "--json"], 2).0,
            peak(&desk, &["dump", name], 2).0,
            peak(&desk, &["unpack", name, "-o", "apart"], 2).0,
        ];
        assert!(desk.path("apart").is_dir(), "{name} was not taken apart");
        assert!(peaks.iter().all(|peak| *peak <= APART), "{name}: {peaks:?} for {} bytes", file.len());
    }
    assert!(largest > 3_800_000, "{largest}");
}

/// An archive of so many members, each of which is a model that ends too soon.
fn crowd(count: u32) -> Vec<u8> {
    let mut made = nres::Document::default();
    for i in 0..count {
        let block = made.blocks.len();
        made.blocks.push(nres::Block { bytes: b"NRes\x00\x01\x00\x00\x09".to_vec(), gap: Vec::new() });
        made.entries.push(nres::Entry {
            type_id: i % 7,
            attr1: i,
            attr2: i,
            attr3: 1,
            name: nres::Name::new(format!("member number {i}.msh").as_bytes()).unwrap(),
            payload: nres::Payload::Held { block, start: 0, len: 9 },
            sort_index: 0,
        });
    }
    made.rebuild_sort_table();
    nres::write(&made).unwrap()
}

/// A pack of 345 KB: animations of 255 bones, each as long as its stream can be.
fn pack() -> Vec<u8> {
    let entry = |frames: usize| {
        let mut all = Frames::new(255);
        (0..frames).for_each(|_| all.push([0; 3], &[[0; 3]; 255]));
        pack::edit::new_entry(&all, AngleKey::Zero).unwrap()
    };
    let mut entries = vec![entry(653); 5];
    entries.push(entry(170));
    pack::write(&pack::Document { entries, ..pack::Document::default() }).unwrap()
}

#[test]
fn what_one_file_holds_is_not_held_as_rows() {
    let desk = Desk::new().with("crowd.rlb", crowd(40_000)).with("bbda", pack());
    let cases: &[&[&str]] = &[
        &["list", "crowd.rlb", "--json"],
        &["list", "crowd.rlb"],
        &["info", "crowd.rlb", "--json"],
        &["info", "crowd.rlb"],
        &["dump", "crowd.rlb", "--json"],
        &["validate", "crowd.rlb", "--json"],
        &["validate", "crowd.rlb"],
        &["dump", "bbda", "--json"],
        &["sample", "bbda", "--clip", "0", "--json"],
        &["info", "bbda", "--json"],
        &["validate", "bbda", "--json"],
    ];
    for words in cases {
        let (peak, _) = peak(&desk, words, 2);
        let most = ROOM + 4 * u64::try_from(desk.read(words[1]).len()).unwrap();
        assert!(peak <= most, "{words:?}: {peak} bytes of memory, {most} at most");
    }
}

#[test]
fn what_differs_is_not_held() {
    for (name, files) in large::pairs() {
        let (old, new) = (format!("old/{name}"), format!("new/{name}"));
        let desk = Desk::new().with(&old, &files[0]).with(&new, &files[1]);
        let larger = u64::try_from(files[0].len().max(files[1].len())).unwrap();
        let most = ROOM + 4 * larger;
        for words in [&["diff", &old, &new, "--json"][..], &["diff", &old, &new]] {
            let (peak, printed) = peak(&desk, words, 2);
            assert!(printed > 100_000, "{words:?}: only {printed} bytes");
            assert!(peak <= most, "{words:?}: {peak} bytes of memory for {printed} printed, {most} at most");
        }
    }
}

/// What the command takes for a conversion however small, on each thread.
const ROOM_TO_CONVERT: u64 = 16 << 20;

/// How many times the largest file, read or written, a conversion may take on each thread: what it reads, the document, its bytes
/// for the way back, the scene, the scene as others read it, and lists of each in the making.
const TIMES: u64 = 12;

/// Converts on so many threads, and holds what that takes against the largest file before or after it.
fn converts_in_little(desk: &Desk, inputs: &[&str], words: &[&str], threads: usize) {
    let files = || -> Vec<(String, u64)> {
        let len = |name: &str| std::fs::metadata(desk.path(name)).unwrap().len();
        desk.files().into_iter().map(|name| (name.clone(), len(&name))).collect()
    };
    let before = files();
    let (peak, _) = peak(desk, &[&["convert"], inputs, words].concat(), threads);
    let is_input = |name: &str| inputs.iter().any(|input| input.starts_with(name));
    let made: Vec<_> = files().into_iter().filter(|file| !before.contains(file)).collect();
    assert!(made.len() >= inputs.len(), "{inputs:?} {words:?}: {made:?}");
    let read = before.iter().filter(|(name, _)| is_input(name));
    let largest = read.chain(&made).map(|(_, len)| *len).max().unwrap();
    let most = u64::try_from(threads.min(inputs.len())).unwrap() * (ROOM_TO_CONVERT + TIMES * largest);
    assert!(largest > 6 << 20, "{inputs:?}: {largest} bytes are not much");
    assert!(peak <= most, "{inputs:?} on {threads}: {peak} bytes of memory for {largest}, {most} at most");
}

#[test]
fn models_are_converted_in_a_small_multiple_of_the_largest_file() {
    let (models, archive) = ([walls(0), walls(1)], dances());
    for threads in [1, 2] {
        let desk =
            Desk::new().with("frogs.lgp", &archive).with("a.msh", &models[0]).with("b.msh", &models[1]);
        converts_in_little(&desk, &["a.msh", "b.msh"], &["-o", "glb/"], threads);
        converts_in_little(&desk, &["glb/a.glb", "glb/b.glb"], &["--to", "msh", "-o", "again/"], threads);
        assert!(desk.read("again/b.msh") == models[1]);
        converts_in_little(&desk, &["frogs.lgp/zgaa"], &["-o", "frog.glb"], threads);
        converts_in_little(&desk, &["frog.glb"], &["--to", "ff7", "-o", "frog/"], threads);
        converts_in_little(&desk, &["frogs.lgp/zgaa", "a.msh"], &["-o", "both/"], threads);
    }
}
