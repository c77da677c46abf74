//! FF7 battle animation packs on the command line: shown, sampled, taken apart, edited one by one and by the folder.

use serde_json::{Value, json};

use crate::common::archive::archive;
use crate::common::{Desk, codes, paths, refusal};

/// Three entries of invented numbers, an empty one between them: body, empty, weapon.
const SYNTHETIC: &str = "\
    030000000300000004000000380000000400330000000aff38001e0000000000\
    64fff7ff800200007000100128942cc010100042ff3fd0743d040103c38e80f4\
    0078207fdff82012030000000100000004000000301a00000100000003000000\
    1c00000003001400040000fe2e000010ff4001007f889004010801e800000000";

fn synthetic() -> Vec<u8> {
    let digits = SYNTHETIC.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

fn frog() -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    std::fs::read(folder.join("frog/zgda")).unwrap()
}

fn desk() -> Desk {
    Desk::new().with("synthetic", synthetic()).with("zgda", frog())
}

fn entries(desk: &Desk, words: &[&str]) -> Vec<Value> {
    let (code, json) = desk.json(&[&["info", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    json["files"][0]["entries"].as_array().unwrap().clone()
}

fn samples(desk: &Desk, words: &[&str]) -> Vec<Value> {
    let (code, json) = desk.json(&[&["sample", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    json["samples"].as_array().unwrap().clone()
}

#[test]
fn a_pack_is_known_by_its_shape_and_says_what_its_entries_are() {
    let desk = desk();
    let (_, json) = desk.json(&["info", "--json", "synthetic"]);
    let file = &json["files"][0];
    assert_eq!(file["format"], "ff7-pack");
    let topics: Vec<&Value> =
        file["readings"].as_array().unwrap().iter().map(|reading| &reading["topic"]).collect();
    assert_eq!(topics, ["walk", "frames"]);
    let rows = entries(&desk, &["synthetic"]);
    let body = json!({
        "index": 0, "name": "0", "kind": "body", "rotations": 3,
        "frames": {"engine": 4, "printed": 4, "sFrames": 4, "dwFrames": 4},
        "key": 0, "stream_bits": 408, "slack_bits": 0, "trailing_bytes": 0, "size": 56, "duration": 0.267,
    });
    assert_eq!(rows[0], body);
    assert_eq!((&rows[1]["kind"], &rows[1]["frames"]["engine"]), (&json!("empty"), &Value::Null));
    assert_eq!(rows[2]["frames"], json!({"engine": 3, "printed": 4, "sFrames": 3, "dwFrames": 3}));
    assert_eq!((&rows[2]["slack_bits"], &rows[2]["trailing_bytes"]), (&json!(4), &json!(3)));
}

#[test]
fn a_sample_has_every_form_of_an_angle() {
    let found = samples(&desk(), &["synthetic", "--clip", "0", "--frame", "3", "--bone", "2"]);
    let [sample] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&sample["clip"], &sample["frame"]), (&json!(0), &json!(3)));
    assert_eq!(sample["position"], json!([138, -8000, -33]));
    let bone = &sample["bones"][0];
    assert_eq!(bone["bone"], 2);
    assert_eq!(bone["raw"], json!([-2113, 449, -51]));
    assert_eq!(bone["int"], json!([1983, 449, 4045]));
    assert_eq!(bone["angle"], json!([1983, 449, 4045]));
    assert_eq!(bone["degrees"], json!([174.28711, 39.46289, 355.51758]));
    assert_eq!(bone["float"], bone["degrees"]);
    // docs/formats/ff7-skeleton.md#poses: half angles, Y, then X, then Z.
    let [(sx, cx), (sy, cy), (sz, cz)] =
        [1983.0_f64, 449.0, 4045.0].map(|angle| (angle / 4096.0 * std::f64::consts::PI).sin_cos());
    let wanted = [
        cx * cy * cz + sx * sy * sz,
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
    ];
    for (found, wanted) in bone["rotation"].as_array().unwrap().iter().zip(wanted) {
        assert!((found.as_f64().unwrap() - wanted).abs() < 1e-7, "{found} {wanted}");
    }
}

#[test]
fn samples_come_by_clip_and_then_by_frame() {
    let place = |sample: &Value| (sample["clip"].as_u64().unwrap(), sample["frame"].as_u64().unwrap());
    let all: Vec<_> = samples(&desk(), &["synthetic"]).iter().map(place).collect();
    assert_eq!(all, [(0, 0), (0, 1), (0, 2), (0, 3), (2, 0), (2, 1), (2, 2)]);
    let words = ["synthetic", "--clip", "0", "--frame", "3", "--frame", "0..2:2", "--frame", "2"];
    let some: Vec<_> = samples(&desk(), &words).iter().map(place).collect();
    assert_eq!(some, [(0, 0), (0, 2), (0, 3)]);
    let reversed = samples(&desk(), &["synthetic", "--clip", "2", "--frame", "0", "--y", "reversed"]);
    assert_eq!(reversed[0]["position"], json!([0, 466, 0]));
}

#[test]
fn what_is_not_there_is_refused() {
    for (words, code) in [
        (&["--clip", "1"][..], "ff7-pack.not-an-animation"),
        (&["--clip", "3"], "ff7-pack.no-entry"),
        (&["--clip", "0", "--frame", "4"], "ff7-pack.no-frame"),
        (&["--clip", "0", "--frame", "0.5"], "ff7-pack.no-frame"),
        (&["--clip", "0", "--frame", "-1"], "ff7-pack.no-frame"),
        (&["--clip", "0", "--bone", "3"], "ff7-pack.no-bone"),
        (&["--clip", "idle"], "ff7-pack.no-entry"),
    ] {
        let (exit, json) = desk().json(&[&["sample", "--json", "synthetic"], words].concat());
        assert_eq!((exit, &json["error"]["code"]), (1, &json!(code)), "{words:?}");
    }
}

#[test]
fn the_stop_rule_can_be_chosen_and_so_can_the_walk() {
    let desk = desk();
    let count = |words: &[&str]| samples(&desk, &[&["synthetic", "--clip", "2"], words].concat()).len();
    assert_eq!(count(&[]), 3);
    assert_eq!(count(&["--reading", "frames=documented"]), 4);
    assert_eq!(count(&["--reading", "walk=observed"]), 3);
    let (_, json) = desk.json(&["validate", "--json", "synthetic", "--reading", "walk=documented"]);
    assert_eq!(codes(&json["files"][0]), ["ff7-pack.count", "ff7-pack.empty-size"]);
    assert_eq!(json["files"][0]["errors"], 1);
}

#[test]
fn a_pack_is_an_archive_of_its_payloads() {
    let desk = desk();
    let (code, json) = desk.json(&["list", "--json", "synthetic"]);
    assert_eq!((code, json["files"][0]["members"].as_array().unwrap().len()), (0, 3));
    assert_eq!(desk.run(&["extract", "synthetic", "-o", "out"]).code, 0);
    assert_eq!(desk.files(), ["out/0", "out/1", "out/2", "synthetic", "zgda"]);
    assert_eq!(desk.read("out/1"), [0x30, 0x1a, 0, 0]);
    assert_eq!(desk.read("out/0").len(), 56);
}

#[test]
fn rewriting_gives_every_byte_back_and_canonical_says_what_it_saves() {
    let desk = desk();
    assert_eq!(desk.run(&["rewrite", "synthetic", "-o", "same"]).code, 0);
    assert_eq!(desk.read("same"), synthetic());
    // A tail that some tools leave behind a stream: the next entry's first bytes.
    let mut padded = synthetic();
    padded.extend([0x1f, 0, 0, 0, 8]);
    padded[88 + 8] += 5;
    let desk = desk.with("padded", &padded);
    let (code, json) = desk.json(&["rewrite", "padded", "-o", "small", "--canonical", "--json"]);
    assert_eq!(
        (code, &json["files"][0]["before"], &json["files"][0]["bytes"]),
        (0, &json!(133), &json!(128)),
        "{json:#}"
    );
    assert_eq!(
        codes(&json["files"][0]["report"]),
        ["ff7-pack.lost-bytes", "ff7-pack.saved", "ff7-pack.pair"]
    );
    assert_eq!(desk.read("small"), synthetic());
}

#[test]
fn a_pack_taken_apart_can_be_changed_by_hand() {
    let desk = desk();
    assert_eq!(desk.run(&["unpack", "synthetic", "-o", "folder"]).code, 0);
    assert_eq!(desk.run(&["pack", "folder", "-o", "same"]).code, 0);
    assert_eq!(desk.read("same"), synthetic());
    let frames = String::from_utf8(desk.read("folder/animations/002.json")).unwrap();
    assert!(frames.contains("[240,992,1040]"), "{frames}");
    desk.put("folder/animations/002.json", frames.replace("[240,992,1040]", "[256,992,1040]"));
    assert_eq!(desk.run(&["pack", "folder", "-o", "changed"]).code, 0);
    let last = samples(&desk, &["changed", "--clip", "2", "--frame", "2"]);
    assert_eq!(last[0]["bones"][0]["raw"], json!([256, 992, 1040]));
    let (_, diff) = desk.json(&["diff", "synthetic", "changed", "--json"]);
    let wanted = json!([{
        "path": "entries[2].rotation", "old": [21.09375, 87.1875, 91.40625], "new": [22.5, 87.1875, 91.40625],
        "distance": 1.40625, "summary": "bone 0 turned by 1.406, 0, 0 degrees in 1 frame",
    }]);
    assert_eq!((&diff["equal"], &diff["changes"]), (&json!(false), &wanted));
    desk.put("folder/animations/002.json", frames.replace("[240,992,1040]", "[241,992,1040]"));
    let refused = desk.run(&["pack", "folder", "-o", "off-grid"]);
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert!(refused.stderr.contains("multiple of 16"), "{}", refused.stderr);
}

#[test]
fn every_byte_of_a_dump_has_a_name() {
    let (code, json) = desk().json(&["dump", "synthetic", "--json"]);
    let rows = json.as_array().unwrap();
    let total: u64 = rows.iter().map(|row| row["length"].as_u64().unwrap()).sum();
    assert_eq!((code, total), (0, 128));
    assert!(rows.iter().all(|row| row["type"] != "raw"), "{json:#}");
    let stream = rows.iter().find(|row| row["path"] == "entries[0].stream").unwrap();
    assert_eq!((&stream["type"], &stream["offset"]), (&json!("bits"), &json!(21)));
}

#[test]
fn frames_are_put_between_frames() {
    let desk = desk();
    let words =
        ["edit", "synthetic", "resample", "0", "2", "loop", "0.05", "resample", "2", "4", "once", "1", "-o"];
    assert_eq!(desk.run(&[&words[..], &["more"]].concat()).code, 0);
    let counts = |row: &Value| row["frames"]["dwFrames"].as_u64().unwrap();
    let rows = entries(&desk, &["more"]);
    assert_eq!((counts(&rows[0]), counts(&rows[2])), (8, 9));
    let (before, after) = (samples(&desk, &["synthetic"]), samples(&desk, &["more"]));
    let angles = |sample: &Value| {
        sample["bones"].as_array().unwrap().iter().map(|bone| bone["angle"].clone()).collect::<Vec<_>>()
    };
    for (i, old) in before.iter().take(4).enumerate() {
        assert_eq!(angles(old), angles(&after[2 * i]), "frame {i}");
        assert_eq!(old["position"], after[2 * i]["position"]);
    }
    for (i, old) in before.iter().skip(4).enumerate() {
        assert_eq!(angles(old), angles(&after[8 + 4 * i]), "frame {i}");
    }
}

#[test]
fn frames_can_be_given_in_degrees_or_quaternions() {
    let desk = desk();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    desk.put(
        "degrees.json",
        json!({"unit": "degrees", "tolerance": 0.2, "frames": [
            {"position": [0, -466, 0], "bones": [[0, 90, 0], [12.5, 0, 0], [0, 0, -90]]},
            {"position": [1, -466.4, 0], "bones": [[0, 91, 0], [12.5, 0, 0], [0, 0, -90]]},
        ]})
        .to_string(),
    );
    desk.put(
        "turns.json",
        json!({"unit": "quaternions", "key": 4, "frames": [
            {"position": [0, 0, 0], "bones": [[half, 0, half, 0]]},
        ]})
        .to_string(),
    );
    let words =
        ["edit", "synthetic", "replace", "0", "degrees.json", "add", "weapon", "turns.json", "-o", "new"];
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let rows = entries(&desk, &["new"]);
    assert_eq!(
        (&rows[0]["key"], &rows[3]["key"], &rows[3]["kind"]),
        (&json!(2), &json!(4), &json!("weapon"))
    );
    let first = &samples(&desk, &["new", "--clip", "0", "--frame", "1"])[0];
    assert_eq!(first["position"], json!([1, -466, 0]));
    assert_eq!(first["bones"][0]["angle"], json!([0, 1036, 0]));
    let turned = &samples(&desk, &["new", "--clip", "3"])[0];
    assert_eq!(turned["bones"][0]["angle"], json!([0, 1024, 0]));
    for (text, why) in [
        ("{\"unit\": \"degrees\", \"frames\": [], \"key\": 3}", "0, 2 or 4"),
        ("{\"unit\": \"degrees\", \"frames\": [{\"position\": [0,0,0], \"bones\": [[1,2]]}]}", "3 numbers"),
        ("[{\"position\": [0,0,0], \"bones\": []}]", "one rotation"),
    ] {
        desk.put("bad.json", text);
        let done = desk.run(&["edit", "synthetic", "replace", "0", "bad.json", "-o", "bad"]);
        assert_eq!(done.code, 1, "{text}");
        assert!(done.stderr.contains("file.animation") && done.stderr.contains(why), "{}", done.stderr);
    }
}

#[test]
fn a_folder_is_edited_at_once_and_what_knows_no_frames_is_passed_over() {
    let desk = Desk::new()
        .with("in/a/zgda", frog())
        .with("in/synthetic", synthetic())
        .with("in/note.txt", "no pack");
    desk.put("in/units.rlb", archive(&[("zgda", &frog()), ("note.txt", b"no pack")]));
    let (code, json) =
        desk.json(&["edit", "in", "resample", "all", "2", "loop", "0.2", "-o", "out", "--json"]);
    assert_eq!(code, 0, "{json:#}");
    assert_eq!(paths(&json), ["in/a/zgda", "in/synthetic", "in/units.rlb"]);
    let out: Vec<String> = desk.files().into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(out, ["out/a/zgda", "out/synthetic", "out/units.rlb"]);
    let frames = |word: &str| entries(&desk, &[word])[0]["frames"]["engine"].clone();
    assert_eq!((frames("out/a/zgda"), frames("out/units.rlb/zgda")), (json!(60), json!(60)));
    assert_eq!(frames("in/a/zgda"), 30);
    assert_eq!(desk.run(&["edit", "in", "trim", "0", "0", "2", "--in-place"]).code, 0);
    assert_eq!((frames("in/a/zgda"), frames("in/units.rlb/zgda")), (json!(3), json!(3)));
    let refused = desk.run(&["edit", "in", "no-such-thing", "--in-place"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn one_file_that_refuses_does_not_stop_the_folder() {
    let desk = Desk::new().with("in/zgda", frog()).with("in/synthetic", synthetic());
    let (code, json) = desk.json(&["edit", "in", "trim", "2", "0", "9", "--in-place", "--json"]);
    assert_eq!((code, paths(&json)), (1, vec!["in/zgda"]));
    assert_eq!(
        (&json["refused"][0]["path"], refusal(&json)),
        (&"in/synthetic".into(), &"ff7-pack.no-frame".into())
    );
    assert_eq!(desk.read("in/synthetic"), synthetic());
    assert_eq!(entries(&desk, &["in/zgda"])[2]["frames"]["engine"], 10);
}

#[test]
fn what_people_see_of_a_pack() {
    insta::assert_snapshot!("info_of_a_pack", desk().run(&["info", "synthetic"]).all());
    let words = ["sample", "synthetic", "--clip", "2", "--frame", "0..1"];
    insta::assert_snapshot!("sample_of_a_pack", desk().run(&words).all());
}

#[test]
fn no_other_sample_is_taken_for_a_pack() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    for file in desk.files() {
        let (_, json) = desk.json(&["info", &file, "--json"]);
        let is_pack = json["files"][0]["format"] == "ff7-pack";
        assert_eq!(is_pack, file == "frog/zgda", "{file}");
    }
}

/// The same pack, but that its first entry says nine rotations where it has three.
fn lying() -> Vec<u8> {
    let mut file = synthetic();
    file[4] = 9;
    file
}

/// A skeleton of two bones, with two entries of the body and one of the weapon.
fn two_bones() -> Vec<u8> {
    let header: [u32; 13] = [0, 1, 1, 2, 0, 0, 0, 2, 4, 0, 1, 0, 0];
    let bone = |parent: i32| [parent.to_le_bytes(), (-5.0_f32).to_le_bytes(), [0; 4]].concat();
    [header.iter().flat_map(|word| word.to_le_bytes()).collect(), bone(-1), bone(0)].concat()
}

#[test]
fn somebody_can_say_how_many_bones_there_are() {
    let desk = desk()
        .with("lying", lying())
        .with("bones", two_bones())
        .with("rtda", lying())
        .with("rtaa", two_bones());
    let right = samples(&desk, &["synthetic", "--clip", "0"]);
    let words = |flags: &[&'static str], file: &'static str| [&[file, "--clip", "0"], flags].concat();
    for (flags, file) in [
        (&["--bones", "2"][..], "lying"),
        (&["--skeleton", "bones"], "lying"),
        (&["--bones", "2", "--skeleton", "zgda"], "synthetic"),
        (&[], "rtda"),
        (&["--strict"], "rtda"),
    ] {
        if flags.contains(&"zgda") {
            // What is named as a skeleton must be one.
            assert_eq!(desk.run(&[&["sample"], &words(flags, file)[..]].concat()).code, 2);
            continue;
        }
        let (code, json) = desk.json(&[&["sample", "--json"], &words(flags, file)[..]].concat());
        assert_eq!((code, &json["samples"]), (0, &json!(right)), "{flags:?}");
        assert!(json.get("findings").is_none(), "{json:#}");
    }
    let told = |words: &[&str]| {
        let (_, json) = desk.json(&[&["info", "--json"], words].concat());
        (json["files"][0]["skeleton"].clone(), json["files"][0]["entries"][0]["kind"].clone())
    };
    assert_eq!(told(&["synthetic"]), (json!({"bones": 2, "said_by": "the pack"}), json!("body")));
    assert_eq!(told(&["rtda"]), (json!({"bones": 2, "said_by": "the skeleton beside it"}), json!("body")));
    let whoever = json!({"bones": 2, "said_by": "whoever asks"});
    assert_eq!(told(&["lying", "--bones", "2"]), (whoever, json!("body")));
    assert_eq!(told(&["lying"]), (json!({"bones": 8, "said_by": "nobody: a guess"}), json!("damaged")));
    let errors = |words: &[&str]| {
        desk.json(&[&["validate", "--json"], words].concat()).1["files"][0]["errors"].clone()
    };
    assert_eq!((errors(&["lying"]), errors(&["lying", "--bones", "2"])), (json!(1), json!(0)));
    let edit = ["edit", "lying", "set-position", "0", "0", "1", "2", "3", "-o", "edited"];
    assert_eq!(desk.run(&edit).code, 1);
    assert_eq!(desk.run(&[&edit[..], &["--bones", "2"]].concat()).code, 0);
    let moved = samples(&desk, &["edited", "--clip", "0", "--frame", "0", "--bones", "2"]);
    assert_eq!(moved[0]["position"], json!([1, 2, 3]));
    for (folder, flags, wanted) in [("raw", &[][..], false), ("frames", &["--bones", "2"], true)] {
        assert_eq!(desk.run(&[&["unpack", "lying", "-o", folder], flags].concat()).code, 0);
        let is_there = desk.files().contains(&format!("{folder}/animations/000.json"));
        assert_eq!(is_there, wanted, "{flags:?}");
    }
}

#[test]
fn a_guess_is_said_in_the_answer() {
    let desk = desk().with("lying", lying());
    let (code, json) = desk.json(&["sample", "lying", "--clip", "2", "--json"]);
    assert_eq!((code, &json["findings"][0]["code"]), (0, &json!("ff7-pack.bones")), "{json:#}");
    assert_eq!(json["findings"][0]["severity"], "warning");
    let done = desk.run(&["sample", "lying", "--clip", "2"]);
    assert!(done.stderr.contains("ff7-pack.bones"), "{}", done.stderr);
    // An entry that is damaged does not keep another from being edited; the guess is said there too.
    let edit = ["edit", "lying", "set-position", "2", "0", "1", "2", "3", "-o", "edited", "--json"];
    let (code, json) = desk.json(&edit);
    assert_eq!((code, &json["files"][0]["findings"][0]["code"]), (0, &json!("ff7-pack.bones")), "{json:#}");
}

#[test]
fn trifles_are_for_those_who_ask() {
    let desk = desk();
    let found = |words: &[&str]| {
        let (_, json) = desk.json(&[&["validate", "--json", "synthetic"], words].concat());
        codes(&json["files"][0]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), ["ff7-pack.pair"]);
    assert_eq!(found(&["--pedantic"]), ["ff7-pack.root-rotation", "ff7-pack.pair"]);
}

#[test]
fn differences_are_told_clip_by_clip() {
    let desk = desk();
    let differs = |name: &str, words: &[&str]| {
        let done = desk.run(&[&["edit", "zgda"], words, &["-o", name]].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        desk.run(&["diff", "zgda", name]).text().to_owned()
    };
    assert_eq!(desk.run(&["diff", "zgda", "zgda"]).text(), "equal\n");
    let moved = differs("moved", &["offset-position", "0", "0", "10", "0"]);
    assert_eq!(moved, "entries[0].position: 30 frames moved by 0, 10, 0\n");
    let grown = differs("grown", &["scale-position", "1", "2"]);
    assert!(grown.starts_with("entries[1].position: "), "{grown}");
    assert!(grown.contains(" frames moved, by ") && grown.contains(" at most: frame "), "{grown}");
    let turned = differs("turned", &["offset-rotation", "0", "4", "0", "22.5", "0"]);
    assert_eq!(turned, "entries[0].rotation: bone 4 turned by 0, 22.5, 0 degrees in 30 frames\n");
    let some = differs(
        "some",
        &["set-rotation", "0", "3", "4", "1", "2", "3", "set-rotation", "0", "5", "6", "1", "2", "3"],
    );
    assert!(some.starts_with("entries[0].rotation: 2 rotations changed, by "), "{some}");
    let cut = differs("cut", &["delete-frames", "0", "3", "5"]);
    assert_eq!(cut, "entries[0].frames: 3 frames removed, the first at 3\n");
    let more = differs("more", &["insert-frame", "0", "7"]);
    assert_eq!(more, "entries[0].frames: 1 frame added, the first at 8\n");
    let gone = differs("gone", &["remove", "1", "offset-position", "1", "1", "0", "0"]);
    let [first, second] = gone.lines().collect::<Vec<_>>()[..] else { panic!("{gone}") };
    assert!(
        first.starts_with("entries[1]: removed: body, ") && first.ends_with(" frames of 18 rotations"),
        "{gone}"
    );
    assert!(second.starts_with("entries[2].position: ") && second.ends_with(" moved by 1, 0, 0"), "{gone}");
    let cleared = differs("cleared", &["clear", "2"]);
    assert!(cleared.starts_with("entries[2]: body, ") && cleared.ends_with(" became empty\n"), "{cleared}");
    assert!(![moved, turned, cut, gone, cleared].concat().contains("animation"), "the folder's words");
}

#[test]
fn every_pack_that_differs_says_so() {
    let desk = Desk::new().with("plain", synthetic());
    for at in 0..synthetic().len() {
        let mut other = synthetic();
        other[at] ^= 0x11;
        desk.put("other", &other);
        let words = ["diff", "plain", "other", "--json", "--format", "ff7-pack"];
        let (code, json) = desk.json(&words);
        assert_eq!((code, &json["equal"]), (0, &json!(false)), "byte {at}: {json:#}");
    }
}

#[test]
fn clips_and_bones_go_by_selectors_in_edits() {
    let desk = desk();
    let edited = |words: &str| {
        let done = desk
            .run(&[&["edit", "synthetic"], &words.split(' ').collect::<Vec<_>>()[..], &["-o", "x"]].concat());
        assert_eq!(done.code, 0, "{words}: {}", done.stderr);
        desk.read("x")
    };
    assert_eq!(edited("reverse #0"), edited("reverse 0"));
    assert_eq!(edited("offset-rotation #0 #2 10 0 0"), edited("offset-rotation 0 2 10 0 0"));
    assert_eq!(edited("clear all"), edited("clear 0 clear 1 clear 2"));
}

#[test]
fn what_is_no_skeleton_is_not_taken_for_one() {
    let desk = desk().with("model.mdx", b"MDLX").with("junk", [7; 800]);
    for file in ["model.mdx", "junk", "synthetic"] {
        let done = desk.run(&["info", "synthetic", "--skeleton", file]);
        assert_eq!(done.code, 2, "{file}: {}", done.stderr);
    }
}
