//! What is told is not held: memory does not grow with differences, poses or fields.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "fs"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

#[path = "common/large.rs"]
mod large;

use allocation_counter::measure;
use galvani::diff::{Change, each_change};
use galvani::formats::{Sampling, Settings};
use galvani::{OpenOptions, formats, samples};

/// What comparing may take beside four times the larger file.
const ROOM: u64 = 64 << 20;

#[test]
fn what_differs_is_told_and_not_held() {
    let options = OpenOptions::default();
    for (name, files) in large::pairs() {
        let format = formats::recognise(&files[0], Some(name)).unwrap();
        let [a, b] = files.each_ref().map(|file| format.open(file, &options).unwrap());
        let mut told = 0;
        let used = measure(|| each_change(&a, &b, &options, &mut |_: Change| told += 1).unwrap());
        let larger = u64::try_from(files[0].len().max(files[1].len())).unwrap();
        let most = ROOM + 4 * larger;
        assert!(told > 7000, "{name}: only {told} differences");
        assert!(
            used.bytes_max <= most,
            "{name}: {} bytes for {told} differences, {most} at most",
            used.bytes_max
        );
    }
}

/// What one pose may take, and one record or stream: held rows would be ten times that.
const POSE: u64 = 1 << 20;
const RECORD: u64 = 4 << 20;

#[test]
fn a_pose_is_made_when_it_is_asked_for() {
    for (name, times, clip) in [("walker.msh", "0..20000", None), ("lantern.mdx", "0..20000", Some("#0"))] {
        let sample = samples::all().into_iter().find(|sample| sample.name == name).unwrap();
        let format = formats::recognise(&sample.bytes, Some(name)).unwrap();
        let opened = format.open(&sample.bytes, &OpenOptions::default()).unwrap();
        let clip = clip.map(formats::Selector::new);
        let settings = Settings::default();
        let wanted = Sampling { times: times.parse().unwrap(), node: None, clip, settings };
        let mut count = 0;
        let used = measure(|| {
            let poses = opened.as_animated().unwrap().sample(&wanted).unwrap().poses;
            count = poses.map(Result::unwrap).count();
        });
        assert!(count > 20_000, "{name}: only {count} poses");
        assert!(used.bytes_max <= POSE, "{name}: {} bytes for {count} poses", used.bytes_max);
    }
}

#[test]
fn a_field_is_told_and_not_held() {
    for (name, [file, _]) in large::pairs() {
        let format = formats::recognise(&file, Some(name)).unwrap();
        let opened = format.open(&file, &OpenOptions::default()).unwrap();
        let mut count = 0;
        let used = measure(|| opened.map.rows(&file, |_| count += 1));
        // Records are shown one at a time, texts and pixels a piece at a time.
        assert!(count > 0 && used.bytes_max <= RECORD, "{name}: {} bytes for {count} fields", used.bytes_max);
    }
}
