//! Every fuzz target on what it begins with: the cases and samples of its format, and everything it ever found.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use galvani::formats::FORMATS;
use galvani_fuzz::{seeds, targets};

#[test]
fn every_target_holds_on_its_first_corpus() {
    let mut broken = Vec::new();
    for target in targets() {
        let seeds = seeds(&target);
        assert!(!seeds.is_empty(), "{} begins with nothing", target.name);
        for (name, bytes) in seeds {
            if catch_unwind(AssertUnwindSafe(|| target.run(&bytes))).is_err() {
                broken.push(format!("{} on {name}", target.name));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_finding_is_of_a_target() {
    let names: BTreeSet<String> = targets().into_iter().map(|target| target.name).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/findings");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(names.contains(&name), "{name} is no target");
    }
}

#[test]
fn every_format_is_read_edited_compared_and_taken_apart() {
    let names: BTreeSet<String> = targets().into_iter().map(|target| target.name).collect();
    for id in FORMATS.iter().map(|format| format.info().id) {
        for verb in ["read", "edit", "diff", "folder", "strictness", "readings", "member"] {
            assert!(names.contains(&format!("any_{verb}-{id}")), "{verb} {id}");
        }
    }
    for ability in ["sample", "lift", "draw", "pick", "picture", "nested"] {
        assert!(names.iter().any(|name| name.starts_with(&format!("any_{ability}-"))), "{ability}");
    }
}
