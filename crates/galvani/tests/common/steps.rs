//! Steps that the operations of a format may take on a sample that ships.
#![allow(dead_code, reason = "each test uses what it needs")]

use galvani::OpenOptions;
use galvani::formats::{
    self, ArgumentKind, Format, NamedFile, Opened, Operation, Settings, Site, Step, Thing,
};
use galvani::image::to_png;
use serde_json::json;

use super::beside::{SAMPLES, Samples, own_name};

/// A document of a format to try things on: a sample that ships.
pub(crate) fn sample(format: &'static dyn Format) -> Opened {
    format.open(&sample_file(format), &OpenOptions::default()).unwrap()
}

pub(crate) fn sample_file(format: &'static dyn Format) -> Vec<u8> {
    let is_of = |found: &dyn Format| found.info().id == format.info().id;
    let recognised = |file: &[u8]| formats::recognise(file, None).is_some_and(is_of);
    let sample = SAMPLES.iter().find(|sample| recognised(&sample.bytes));
    sample.unwrap_or_else(|| panic!("no sample of {}", format.info().id)).bytes.clone()
}

/// A document to try an operation on: damaged if that is to be mended.
pub(crate) fn subject(format: &'static dyn Format, operation: &Operation) -> Opened {
    let mut file = sample_file(format);
    if operation.name == "repair" {
        // The number of frames of a pack's first animation.
        file[16] ^= 1;
    }
    // The samples lie beside each other.
    let sample = SAMPLES.iter().find(|sample| sample.bytes == sample_file(format)).unwrap();
    let site = Site::named(own_name(sample), &Samples);
    format.open_at(&file, &OpenOptions::default(), &site).unwrap()
}

/// Tracks of the shipped models, and one that is not there.
const TRACKS: [&str; 6] = ["0", "#1", "BONE[1].KGTR", "BONE[1].KGRT", "GEOA[0].KGAO", "BONE[0].KGSC"];

/// Words that an argument may be: every choice, or something plausible. Files are named by what they hold.
fn plausible(kind: ArgumentKind) -> Vec<&'static str> {
    match kind {
        ArgumentKind::Number(..) => vec!["0", "0x1", "2"],
        ArgumentKind::Place => vec!["0", "#1", "2"],
        ArgumentKind::Tag => vec!["TEST", "19"],
        ArgumentKind::Text => vec!["new name", "hex:e9ff", "NEW.0", "walk"],
        ArgumentKind::Float => vec!["0", "4", "1"],
        ArgumentKind::One(Thing::Entry) => vec!["#0", "README.txt"],
        ArgumentKind::One(Thing::Node) | ArgumentKind::OneOr(Thing::Node, _) => {
            vec!["0", "1", "#2", "#4", "TURRET", "ATCH[0]"]
        }
        ArgumentKind::One(Thing::Sequence) => vec!["0", "walk", "#3"],
        ArgumentKind::One(Thing::Track | Thing::NewTrack) => TRACKS.to_vec(),
        ArgumentKind::One(_) | ArgumentKind::OneOr(..) => vec!["0", "1", "#2"],
        ArgumentKind::Integer => vec!["0", "333", "900000", "900500"],
        ArgumentKind::Double => vec!["0", "4", "1"],
        ArgumentKind::Floats | ArgumentKind::Vector(_) => vec!["0.5", "0,0,1", "0,0,0,1"],
        ArgumentKind::Several(_) => vec!["0", "all"],
        ArgumentKind::File => vec!["text", "nothing", "frames", "picture", "sample"],
        ArgumentKind::Folder => vec!["new", "old"],
        ArgumentKind::NamedFile => vec!["text"],
        ArgumentKind::NumberedFile => vec!["1=text"],
        ArgumentKind::NumberOrColor(..) => vec!["0", "#ff8000"],
        ArgumentKind::List(kind) => plausible(*kind),
        ArgumentKind::Word(words) => words.to_vec(),
    }
}

/// Files and folders by what they hold.
pub(crate) struct TestFiles(pub(crate) &'static dyn Format);

impl formats::Files for TestFiles {
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        Ok(file(name, self.0))
    }

    /// A file that the sample has no member for, or those that it has.
    fn folder(&mut self, name: &str) -> Result<Vec<NamedFile>, String> {
        let named = |name: String| NamedFile { name, bytes: b"other bytes".to_vec() };
        if name == "new" {
            return Ok(vec![named("fresh.a".to_owned())]);
        }
        let opened = sample(self.0);
        let archive = opened.as_archive().unwrap();
        Ok(archive.members().iter().take(2).map(|member| named(member.shown())).collect())
    }
}

/// What the files hold; a picture is the one in the format's sample, changed.
fn file(name: &str, format: &'static dyn Format) -> Vec<u8> {
    match name {
        "picture" => sample(format).as_picture().map_or_else(
            |_| Vec::new(),
            |picture| {
                let mut image = picture.image(&Settings::default()).unwrap();
                let upright = image.rgba.clone();
                image.rgba.reverse();
                if image.rgba == upright {
                    // It looks the same upside down; as a negative it does not.
                    image.rgba.iter_mut().for_each(|[red, green, blue, _]| {
                        [*red, *green, *blue] = [!*red, !*green, !*blue];
                    });
                }
                to_png(&image).unwrap()
            },
        ),
        "nothing" => Vec::new(),
        "sample" => sample_file(format),
        "frames" => {
            let bones = vec![[0, 16, 32]; 18];
            json!([{"position": [1, 2, 3], "bones": bones}]).to_string().into_bytes()
        }
        name => format!("a file of {name}").into_bytes(),
    }
}

/// Every way to fill the arguments of an operation.
fn combinations(kinds: &[ArgumentKind]) -> Vec<Vec<&'static str>> {
    let Some((&first, rest)) = kinds.split_first() else { return vec![Vec::new()] };
    let tails = combinations(rest);
    let with = |word| tails.iter().map(move |tail| [&[word][..], tail].concat());
    plausible(first).into_iter().flat_map(with).collect()
}

/// Plausible arguments of an operation.
pub(crate) fn plausible_words(operation: &Operation) -> Vec<Vec<&'static str>> {
    combinations(&operation.args.iter().map(|arg| arg.kind).collect::<Vec<_>>())
}

/// The step that an operation's arguments make.
pub(crate) fn step(format: &'static dyn Format, operation: &Operation, args: &[&str]) -> Step {
    let words = [&[operation.name][..], args].concat();
    let mut given = words.iter().map(|&word| word.to_owned());
    let step = Step::next(format, &mut given, &mut TestFiles(format));
    step.unwrap_or_else(|error| panic!("{words:?}: {error}")).unwrap()
}

/// Every step that an operation's plausible arguments make.
pub(crate) fn plausible_steps(format: &'static dyn Format, operation: &Operation) -> Vec<Step> {
    plausible_words(operation).iter().map(|args| step(format, operation, args)).collect()
}
