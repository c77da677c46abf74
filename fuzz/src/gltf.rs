//! Files of glTF under the fuzzer.

use galvani::convert::{self, ModelTarget, ModelWish, model, restored};
use galvani::formats::{self, Format, OpenOptions, Settings, Site};
use galvani::gltf::document::{check, read, write};
use galvani::gltf::import::{AddedNodes, Options, import};
use galvani_core::budget::Share;
use galvani_core::{Allowance, Budget, ReadOptions, Severity, Strictness};
use galvani_testkit::{dumps_every_byte, reads_or_refuses};
use serde_json::Value;

use crate::door::{change, dice_and_file, leaves};

/// What a scene may take.
const ALLOWED: Allowance = Allowance {
    memory: Share { base: 64 << 20, per_byte: 64 },
    work: Share { base: 1 << 24, per_byte: 1 << 10 },
};

fn options() -> [ReadOptions; 2] {
    [Strictness::Tolerant, Strictness::Strict]
        .map(|strictness| ReadOptions { strictness, ..ReadOptions::default() })
}

/// Reads in both strictnesses, checks, places every finding and dumps every value.
pub(crate) fn read_gltf(data: &[u8]) {
    for options in options() {
        let Ok(found) = read(data, &options) else { continue };
        let report = check(&found.document);
        assert!(report.findings().iter().all(|finding| finding.offset.is_some()), "a finding has no place");
        dumps_every_byte(&found.map, data);
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip(data: &[u8]) {
    for options in options() {
        reads_or_refuses("gltf", data, |file| read(file, &options), write);
    }
}

/// What is imported is a sound scene, whatever becomes of nodes that are only there for glTF's sake.
pub(crate) fn scene(data: &[u8]) {
    let Ok(found) = read(data, &ReadOptions::default()) else { return };
    for made in [AddedNodes::Undone, AddedNodes::Kept] {
        let meter = Budget::default().meter(&ALLOWED, data.len());
        let options = Options { made, ..Options::default() };
        let Ok(imported) = import(&found.document, &options, &meter) else { continue };
        let report = galvani::scene::check(&imported.scene);
        assert_eq!(report.tally(Severity::Error), 0, "{:?}", report.findings());
        assert_eq!(imported.nodes.len(), imported.scene.nodes.len());
        assert_eq!(imported.clips.len(), imported.scene.clips.len());
    }
}

/// What the extras say of the file that they were made of is done or refused, whoever wrote them.
pub(crate) fn back(data: &[u8]) {
    let format = formats::by_id("gltf").expect("a format of ours");
    let Ok(opened) = format.open(data, &OpenOptions::default()) else { return };
    let meter = Budget::default().meter(&ALLOWED, data.len());
    if let Err(refused) = restored(&opened, &Site::NOWHERE, &meter) {
        assert_eq!(refused.cause.severity, Severity::Error);
    }
}

/// Whatever the scene, a model of each game is made of it that has nothing wrong with it, or it is refused.
pub(crate) fn lower(data: &[u8]) {
    let format = formats::by_id("gltf").expect("a format of ours");
    let Ok(opened) = format.open(data, &OpenOptions::default()) else { return };
    let wish = ModelWish { stem: Some("made"), ..ModelWish::default() };
    for target in ModelTarget::all().filter(|target| target.format.info().lowering.is_some()) {
        let meter = Budget::default().meter(&ALLOWED, data.len());
        let made = match model(&opened, &Site::NOWHERE, target, &wish, (&Settings::default(), &meter)) {
            Ok(made) => made,
            Err(refused) => {
                assert_eq!(refused.cause.severity, Severity::Error);
                continue;
            }
        };
        // What came back of our own extras is as it was.
        if restored(&opened, &Site::NOWHERE, &meter).is_ok() {
            continue;
        }
        for (name, bytes) in &made.files {
            let format = formats::recognise(bytes, Some(name)).expect("a file of a format of ours");
            let opened = format.open(bytes, &OpenOptions::default()).expect("a file that was made reads");
            let mut found = opened.report;
            found.append(opened.document.check());
            assert_eq!(found.tally(Severity::Error), 0, "{name} for {}: {:?}", target.word, found.findings());
        }
    }
}

/// A scene that came back as it went out is the same.
pub(crate) fn trip(data: &[u8]) {
    let Ok(found) = read(data, &ReadOptions::default()) else { return };
    let meter = Budget::default().meter(&ALLOWED, data.len());
    let Ok(imported) = import(&found.document, &Options::default(), &meter) else { return };
    let scene = imported.scene;
    let report = galvani::scene::check(&scene);
    if !report.findings().is_empty() {
        return;
    }
    let tolerances = galvani::scene::trip::Tolerances::of_size(scene.size());
    let pictures = galvani::scene::trip::PicturePairs::default();
    let made = galvani::scene::trip::reconcile(&scene, &scene, &pictures, tolerances);
    let (made, _) = made.expect("nothing was changed");
    assert!(made == scene);
}

/// How often a glTF is changed before it goes back.
const CHANGES: usize = 4;

/// A glTF that was changed goes back with the file that it was made of as its base: what is made reads as the base does, or it is
/// refused.
pub(crate) fn base(format: &'static dyn Format, data: &[u8]) {
    let Some((dice, file)) = dice_and_file(data) else { return };
    let target = ModelTarget::all().find(|target| target.format.info().id == format.info().id);
    let (Some(target), Ok(opened)) = (target, format.open(file, &OpenOptions::default())) else { return };
    let (site, settings) = (Site::named("base", &()), Settings::default());
    let meter = Budget::default().meter(&galvani::budget::CONVERTING, data.len());
    let Ok(made) = convert::glb(&opened, &site, &settings, &meter) else { return };
    let mut glb = made.files;
    for dice in dice.chunks_exact(4).take(CHANGES) {
        let Some(changed) = changed(&glb, [dice[0], dice[1], dice[2], dice[3]]) else { break };
        glb = changed;
    }
    let gltf = formats::by_id("gltf").expect("a format of ours");
    let Ok(changed) = gltf.open(&glb, &OpenOptions::default()) else { return };
    let wish = ModelWish { base: Some((&opened, &site)), ..ModelWish::default() };
    let meter = Budget::default().meter(&galvani::budget::CONVERTING, glb.len());
    match model(&changed, &Site::NOWHERE, target, &wish, (&settings, &meter)) {
        Err(refused) => assert_eq!(refused.cause.severity, Severity::Error),
        Ok(made) => {
            let (name, bytes) = made.files.first().expect("the model's own file");
            assert!(format.open(bytes, &OpenOptions::default()).is_ok(), "{name} was made and does not read");
        }
    }
}

/// A `.glb` with another number among its bytes, or another value in its text; the dice say where, and which.
fn changed(glb: &[u8], [kind, first, second, with]: [u8; 4]) -> Option<Vec<u8>> {
    let place = usize::from(u16::from_le_bytes([first, second]));
    let word = |at: usize| Some(u32::from_le_bytes(*glb.get(at..)?.first_chunk()?));
    let len = usize::try_from(word(12)?).ok()?;
    let (text, rest) = glb.get(20..)?.split_at_checked(len)?;
    let mut rest = rest.to_vec();
    let mut text: Value = serde_json::from_slice(text).ok()?;
    if kind % 4 == 0 || rest.len() < 12 {
        let mut before = place % leaves(&text);
        change(&mut text, &mut before, with);
    } else {
        // Behind the head of the second chunk.
        let words = (rest.len() - 8) / 4;
        let at = 8 + place.wrapping_mul(usize::from(kind) + 1) % words * 4;
        let number = rest.get_mut(at..)?.first_chunk_mut::<4>()?;
        let old = f32::from_le_bytes(*number);
        let others = [old + 0.125, -old, old * 1.5, 0.0, 1.0, 1e30, f32::NAN, old + f32::from(with)];
        *number = others[usize::from(with) % others.len()].to_le_bytes();
    }
    let mut text = serde_json::to_vec(&text).ok()?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    let head = [*b"glTF", word(2), word(20 + text.len() + rest.len()), word(text.len()), *b"JSON"];
    Some([&head.concat(), &text, &rest[..]].concat())
}
