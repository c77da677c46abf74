//! Out of memory is an answer: every call for room fails in turn while a file of each format is read, checked, edited,
//! written, taken apart, put together, posed, shown and made another. Each time that is a refusal, and nothing is lost by it.
#![cfg(all(
    feature = "parkan",
    feature = "ff7",
    feature = "mdx",
    feature = "texture",
    feature = "gltf",
    feature = "fs"
))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use galvani::convert::{self, ModelTarget, ModelWish};
use galvani::core::room::faults;
use galvani::formats::{
    self, DrawView, FORMATS, Format, Model, Opened, Operation, Sampling, Settings, Site, Step,
};
use galvani::{Diagnostic, Meter, OpenOptions, codes, fs};
use serde_json::json;

use common::beside::{SAMPLES, Samples, own_name};
use common::steps::{plausible_steps, sample_file, subject};

/// More calls than anything makes of a sample.
const MANY: u64 = 100_000;

/// Poses that are looked at.
const POSES: usize = 3;

type Outcome<T> = Result<T, Box<Diagnostic>>;

/// What went wrong, each with what was done.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    /// Does something with each of its calls for room failing in turn, and says how many there were: each time a refusal
    /// that says so, or what it is without, since whoever only asked what a file might be goes on; and in the end what it
    /// is without.
    fn unless_each_is_told<T: PartialEq>(&mut self, what: &str, act: impl Fn() -> Outcome<T>) -> u64 {
        let wanted = act().unwrap_or_else(|refused| panic!("{what}: {refused}"));
        for number in 0..MANY {
            let (done, has_failed) = faults::at(number, &act);
            match done {
                Ok(done) if has_failed => {
                    if done != wanted {
                        self.0.push(format!("{what}: call {number} failed, and nobody was told"));
                    }
                }
                Ok(done) => {
                    assert!(done == wanted, "{what}: something else after {number} failures");
                    return number;
                }
                Err(refused) => {
                    let is_told =
                        refused.code == &codes::OUT_OF_MEMORY && refused.message.contains("bytes wanted");
                    if !is_told {
                        self.0.push(format!("{what}, call {number}: {refused}"));
                    }
                }
            }
        }
        panic!("{what}: more than {MANY} calls");
    }

    #[track_caller]
    fn end(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}

/// A sample where it stands.
fn open(format: &'static dyn Format, file: &[u8]) -> Outcome<Opened> {
    format.open_at(file, &OpenOptions::default(), &site_of(file)).map_err(|error| error.cause)
}

/// Where a sample stands.
fn site_of(file: &[u8]) -> Site<'static> {
    let sample = SAMPLES.iter().find(|sample| sample.bytes == file).unwrap();
    Site::named(own_name(sample), &Samples)
}

#[track_caller]
fn each_format(mut act: impl FnMut(&'static dyn Format, &[u8], &Opened, &mut Wrong)) {
    let mut wrong = Wrong::default();
    for &format in FORMATS {
        let file = sample_file(format);
        act(format, &file, &open(format, &file).unwrap(), &mut wrong);
    }
    wrong.end();
}

#[test]
fn a_file_that_there_is_no_room_for_is_not_read() {
    each_format(|format, file, _, wrong| {
        let id = format.info().id;
        let calls = wrong.unless_each_is_told(&format!("reading {id}"), || {
            let opened = open(format, file)?;
            opened.document.write().map_err(|error| error.cause)
        });
        assert!(calls > 1, "{id}: {calls} calls for room");
    });
}

#[test]
fn a_check_that_there_is_no_room_for_says_so() {
    each_format(|format, _, opened, wrong| {
        let id = format.info().id;
        wrong.unless_each_is_told(&format!("checking {id}"), || {
            let report = opened.check();
            let lacking = report.findings().iter().find(|one| one.code == &codes::OUT_OF_MEMORY);
            lacking.map_or_else(|| Ok(format!("{report:?}")), |lacking| Err(Box::new(lacking.clone())))
        });
    });
}

#[test]
fn a_file_is_taken_apart_and_put_together_or_neither() {
    each_format(|format, file, opened, wrong| {
        let id = format.info().id;
        let folder = opened.document.unpack().unwrap();
        wrong.unless_each_is_told(&format!("unpacking {id}"), || {
            opened.document.unpack().map_err(|error| error.cause)
        });
        let packed = || format.pack(&folder).map_err(|error| error.cause);
        assert!(packed().unwrap() == file, "{id}");
        wrong.unless_each_is_told(&format!("packing {id}"), packed);
    });
}

#[test]
fn what_is_posed_and_shown_is_so_or_refused() {
    each_format(|format, file, opened, wrong| {
        let id = format.info().id;
        if let Ok(animated) = opened.as_animated() {
            wrong.unless_each_is_told(&format!("sampling {id}"), || {
                let wanted = Sampling::default();
                let poses = animated.sample(&wanted).map_err(|error| error.cause)?.poses.take(POSES);
                let poses: Result<Vec<_>, _> = poses.collect();
                poses.map(|poses| format!("{poses:?}")).map_err(|error| error.cause)
            });
        }
        let lifted = |model: &dyn Model| model.lift(&Settings::default(), &site_of(file));
        // Some are only pieces of models.
        let is_piece =
            |model: &dyn Model| lifted(model).is_err_and(|error| error.cause.code == &codes::NO_SCENE);
        if let Ok(model) = opened.as_model()
            && !is_piece(model)
        {
            wrong.unless_each_is_told(&format!("lifting {id}"), || {
                lifted(model).map(|lifted| format!("{lifted:?}")).map_err(|error| error.cause)
            });
        }
        if let Ok(drawn) = opened.as_drawn() {
            wrong.unless_each_is_told(&format!("drawing {id}"), || {
                let calls = drawn.draw(&DrawView::default(), &[], &Meter::unlimited());
                calls.map(|calls| format!("{calls:?}")).map_err(|error| error.cause)
            });
        }
        if let Ok(picture) = opened.as_picture() {
            wrong.unless_each_is_told(&format!("picturing {id}"), || {
                picture.image(&Settings::default()).map_err(|error| error.cause)
            });
        }
    });
}

/// A triangle that turns, as glTF without bytes beside its text.
fn turning() -> Vec<u8> {
    let numbers =
        |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let places = numbers(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let (times, turns) = (numbers(&[0.0, 0.2]), numbers(&[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]));
    let bytes = STANDARD.encode([places, times, turns].concat());
    let text = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "hub", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"byteLength": 76, "uri": format!("data:application/octet-stream;base64,{bytes}")}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 8},
            {"buffer": 0, "byteOffset": 44, "byteLength": 32},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [0.2]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4"},
        ],
        "animations": [{
            "name": "turn",
            "samplers": [{"input": 1, "output": 2}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
        }],
    });
    text.to_string().into_bytes()
}

#[test]
fn a_model_that_there_is_no_room_for_is_not_made() {
    let opened = formats::by_id("gltf").unwrap().open(&turning(), &OpenOptions::default()).unwrap();
    let (settings, mut wrong) = (Settings::default(), Wrong::default());
    let calls = wrong.unless_each_is_told("exporting", || {
        let made = convert::glb(&opened, &Site::NOWHERE, &settings, &Meter::unlimited());
        made.map(|made| made.files).map_err(|error| error.cause)
    });
    assert!(calls > 1, "{calls} calls for room while it is exported");
    let is_made = |target: &ModelTarget| {
        let lowering = target.format.info().lowering;
        lowering.is_some_and(|lowering| lowering.words.contains(&target.word))
    };
    for target in ModelTarget::all().filter(is_made) {
        let calls = wrong.unless_each_is_told(&format!("making {}", target.word), || {
            let wish = ModelWish { stem: None, base: None, like: None };
            let asked = (&settings, &Meter::unlimited());
            let made = convert::model(&opened, &Site::NOWHERE, target, &wish, asked);
            made.map(|made| made.files).map_err(|error| error.cause)
        });
        assert!(calls > 1, "{calls} calls for room while {} is made", target.word);
    }
    wrong.end();
}

#[test]
fn an_edit_that_there_is_no_room_for_changes_nothing() {
    let mut wrong = Wrong::default();
    for &format in FORMATS {
        for operation in format.info().operations {
            let what = format!("{} of {}", operation.name, format.info().id);
            let steps = plausible_steps(format, operation);
            let fits = |step: &&_| subject_takes(format, operation, step);
            let Some(step) = steps.iter().find(fits) else { panic!("{what} is always refused") };
            let before = subject(format, operation).document.write().unwrap();
            wrong.unless_each_is_told(&what, || {
                let mut opened = faults::pause(|| subject(format, operation));
                let done = step.run(&mut *opened.document);
                let written = faults::pause(|| opened.document.write().unwrap());
                match done {
                    Ok(cost) => Ok((written, format!("{cost:?}"))),
                    Err(error) => {
                        assert!(written == before, "{what}: refused, and yet something changed");
                        Err(error.cause)
                    }
                }
            });
        }
    }
    wrong.end();
}

fn subject_takes(format: &'static dyn Format, operation: &Operation, step: &Step) -> bool {
    step.run(&mut *subject(format, operation).document).is_ok()
}

#[test]
fn a_file_on_disk_that_there_is_no_room_for_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.lib");
    let bytes = vec![7; 300_000];
    #[allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
    std::fs::write(&path, &bytes).unwrap();
    let limits = OpenOptions::default().read.limits;
    let mut wrong = Wrong::default();
    let read = || fs::read(&path, &limits).map_err(|error| error.cause);
    assert!(wrong.unless_each_is_told("a file", read) > 1);
    wrong.end();
}
