//! What differs is told and not held: memory does not grow with it.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "fs"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

#[path = "common/large.rs"]
mod large;

use allocation_counter::measure;
use galvani::diff::{Change, each_change};
use galvani::{OpenOptions, formats};

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
