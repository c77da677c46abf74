//! Files of glTF under the fuzzer.

use galvani::convert::{ModelTarget, ModelWish, model, restored};
use galvani::formats::{self, OpenOptions, Settings, Site};
use galvani::gltf::document::{check, read, write};
use galvani::gltf::import::{AddedNodes, Options, import};
use galvani_core::budget::Share;
use galvani_core::{Allowance, Budget, ReadOptions, Severity, Strictness};
use galvani_testkit::{dumps_every_byte, reads_or_refuses};

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
