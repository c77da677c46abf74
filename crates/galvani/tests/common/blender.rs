//! Blender, and what it is asked about.

use std::path::Path;
use std::process::Command;

use galvani::OpenOptions;
use galvani::formats::{self, Opened, Settings, Site};
use galvani_testkit::Python;

use super::beside::{SAMPLES, Samples, own_name};

/// Set where there is no Blender to ask: `cargo xtask ci --no-blender`.
const WITHOUT: &str = "GALVANI_NO_BLENDER";

/// What Blender lacks on a machine without a desktop, as Debian calls it.
const LIBRARIES: [&str; 7] =
    ["libegl1", "libgl1", "libsm6", "libxfixes3", "libxi6", "libxkbcommon0", "libxrender1"];

/// Blender, installed once; nothing where nobody wants to ask it.
pub(crate) fn blender() -> Option<Python> {
    if std::env::var_os(WITHOUT).is_some() {
        return None;
    }
    let python = Python::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "blender");
    if python.has("bpy").is_err_and(|lack| lack.contains("cannot open shared object")) {
        for words in [&["update", "-qq"][..], &[&["install", "-qq", "-y"][..], &LIBRARIES].concat()] {
            let _ = Command::new("apt-get").args(words).status();
        }
    }
    python
        .has("bpy")
        .unwrap_or_else(|lack| panic!("no Blender; `cargo xtask ci --no-blender` does without: {lack}"));
    Some(python)
}

/// The models of games among the samples, each once.
pub(crate) fn models() -> Vec<(String, Opened)> {
    let mut all = Vec::new();
    for sample in SAMPLES.iter() {
        let site = Site::named(own_name(sample), &Samples);
        let Some(format) = formats::recognise(&sample.bytes, Some(site.name)) else { continue };
        if format.info().id == "gltf" {
            continue;
        }
        let Ok(opened) = format.open_at(&sample.bytes, &OpenOptions::default(), &site) else { continue };
        let Ok(model) = opened.as_model() else { continue };
        if model.belongs_to(&site).is_none() && model.lift(&Settings::default(), &site).is_ok() {
            all.push((own_name(sample).to_owned(), opened));
        }
    }
    all
}
