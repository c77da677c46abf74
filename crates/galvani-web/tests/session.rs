//! What the page can ask of the library, asked here without a browser.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use galvani::OpenOptions;
use galvani::formats::{self, Step};
use galvani_web::{Account, Asked, Over, Session};
use serde_json::{Value, json};

fn session() -> Session {
    let mut session = Session::default();
    session.put_samples();
    session
}

fn sample(name: &str) -> Vec<u8> {
    galvani::samples::all().into_iter().find(|sample| sample.name == name).unwrap().bytes
}

/// The matrices of all nodes at a time.
fn nodes(session: &mut Session, file: usize, scene: &Value, asked: Asked) -> Vec<f32> {
    let count = scene["nodes"].as_array().unwrap().len() * 16;
    session.frame(file, asked).unwrap()[..count].to_vec()
}

#[test]
fn every_sample_opens_and_says_what_it_is() {
    let mut session = session();
    for row in session.put_samples().as_array().unwrap().clone() {
        let path = row["path"].as_str().unwrap();
        let file = session.open(path, "auto").unwrap();
        let about = session.about(file).unwrap();
        assert_eq!(about["is_read"], true, "{path}");
        assert!(session.info(file).unwrap().contains("\"format\""), "{path}");
        assert_eq!(session.findings(file).unwrap()["errors"], 0, "{path}");
        let parts = session.parts(file).unwrap().len();
        let values: usize = (0..parts).map(|part| session.values(file, part, 0).unwrap().len()).sum();
        assert!(values > 0, "{path}");
        assert_eq!(session.whole(file).unwrap(), sample(path), "{path}");
        if about["is_model"] == true && session.scene(file, &json!({})).is_ok() {
            assert!(session.thumbnail(file, 32).unwrap().starts_with(b"\x89PNG"), "{path}");
            assert!(session.glb(file).unwrap().bytes.starts_with(b"glTF"), "{path}");
        }
    }
}

#[test]
fn the_games_own_poses_are_where_the_scenes_curves_lead() {
    for path in ["walker.msh", "lantern.mdx", "lantern-wow.mdx", "frog.lgp/zgaa", "boat.hrc", "windmill.glb"]
    {
        let mut session = session();
        let file = session.open(path, "auto").unwrap();
        let (scene, _) = session.scene(file, &json!({})).unwrap();
        let clips = scene["clips"].as_array().unwrap();
        assert!(!clips.is_empty(), "{path}");
        for (i, clip) in clips.iter().enumerate() {
            let length = clip["length"].as_f64().unwrap();
            for part in [0.0, 0.25, 0.5, 1.0] {
                // What has frames shows whole ones only.
                let time = (length * part).floor();
                let asked = |account| Asked { clip: Some(i), time, over: None, account, camera: None };
                let game = nodes(&mut session, file, &scene, asked(Account::Game));
                let curves = nodes(&mut session, file, &scene, asked(Account::Curves));
                let largest = curves.iter().fold(1.0_f32, |most, number| most.max(number.abs()));
                for (at, (a, b)) in game.iter().zip(&curves).enumerate() {
                    let node = &scene["nodes"][at / 16]["name"];
                    assert!((a - b).abs() < largest * 2e-3, "{path} {clip} {time} {node} {at}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn a_frame_allocates_nothing() {
    for path in ["walker.msh", "lantern.mdx", "frog.lgp/zgaa", "boat.hrc", "windmill.glb"] {
        let mut session = session();
        let file = session.open(path, "auto").unwrap();
        session.scene(file, &json!({})).unwrap();
        let over = Some(Over { clip: 0, time: 1.0, weight: 0.5 });
        for (account, over) in [(Account::Game, None), (Account::Curves, None), (Account::Game, over)] {
            let asked = |time| Asked { clip: Some(0), time, over, account, camera: None };
            session.frame(file, asked(0.0)).unwrap();
            let counted = allocation_counter::measure(|| {
                for time in [0.3, 1.0, 2.5, 0.1] {
                    session.frame(file, asked(time)).unwrap();
                }
            });
            assert_eq!(counted.count_total, 0, "{path} {account:?}");
        }
    }
}

#[test]
fn an_edit_is_the_librarys_own_and_can_be_taken_back() {
    let mut session = session();
    let file = session.open("lantern.mdx", "auto").unwrap();
    let before = session.whole(file).unwrap();
    let steps = json!([{"op": "rename-sequence", "sequence": "Stand", "name": "Stand - 2"}]);
    session.edit(file, &steps).unwrap();

    let mdx = formats::by_id("mdx").unwrap();
    let opened = mdx.open(&before, &OpenOptions::default()).unwrap();
    let step = Step::from_words(mdx, &["rename-sequence", "Stand", "Stand - 2"]).unwrap();
    let mut document = opened.document;
    step.run(&mut *document).unwrap();
    let after = document.write().unwrap();
    assert_ne!(before, after);
    assert_eq!(session.whole(file).unwrap(), after);

    assert!(session.undo(file).unwrap());
    assert_eq!(session.whole(file).unwrap(), before);
    assert!(!session.undo(file).unwrap());
    assert!(session.redo(file).unwrap());
    assert_eq!(session.whole(file).unwrap(), after);
    assert_eq!(session.about(file).unwrap()["undo"], 1);
}

#[test]
fn a_refused_edit_leaves_the_file_as_it_is() {
    let mut session = session();
    let file = session.open("lantern.mdx", "auto").unwrap();
    let steps = json!([
        {"op": "rename-sequence", "sequence": "Stand", "name": "Other"},
        {"op": "rename-sequence", "sequence": "Nobody", "name": "Other"},
    ]);
    let failure = session.edit(file, &steps).unwrap_err();
    assert!(failure.said["message"].as_str().unwrap().contains("Nobody"), "{failure:?}");
    assert_eq!(session.whole(file).unwrap(), sample("lantern.mdx"));
    assert_eq!(session.about(file).unwrap()["undo"], 0);
}

#[test]
fn a_member_is_saved_in_its_archive() {
    let mut session = session();
    let members = session.open("frog.lgp", "auto").unwrap();
    let rows = session.members(members).unwrap();
    assert!(rows.as_array().unwrap().iter().any(|row| row["path"] == "frog.lgp/zgda"));
    let file = session.open("frog.lgp/zgaa", "auto").unwrap();
    assert_eq!(session.about(file).unwrap()["is_member"], true);
    assert_eq!(session.whole(file).unwrap(), sample("frog.lgp"));
}

#[test]
fn a_broken_file_is_open_with_its_findings() {
    let mut session = Session::default();
    let lantern = sample("lantern.mdx");
    session.put("cut.mdx", &lantern[..lantern.len() / 2]);
    session.put("nothing.xyz", b"nobody knows this");
    session.put("walker.msh", &sample("walker.msh")[..40]);
    let cut = session.open("cut.mdx", "auto").unwrap();
    assert!(session.findings(cut).unwrap()["errors"].as_u64().unwrap() > 0);
    for path in ["nothing.xyz", "walker.msh"] {
        let file = session.open(path, "auto").unwrap();
        assert_eq!(session.about(file).unwrap()["is_read"], false, "{path}");
        assert!(session.findings(file).unwrap()["errors"].as_u64().unwrap() > 0, "{path}");
        assert!(!session.bytes(file, 0, 4).unwrap().is_empty(), "{path}");
        assert!(session.info(file).is_err(), "{path}");
    }
    assert!(session.open("missing.mdx", "auto").is_err());
}

#[test]
fn a_byte_has_a_value_and_a_value_its_bytes() {
    let mut session = session();
    let file = session.open("walker.msh", "auto").unwrap();
    for offset in [0, 5, 100, 4000, 70_000] {
        let found = session.value_at(file, offset).unwrap().unwrap();
        let value = &found["value"];
        let start = usize::try_from(value["offset"].as_u64().unwrap()).unwrap();
        let len = usize::try_from(value["length"].as_u64().unwrap()).unwrap();
        assert!((start..start + len).contains(&offset), "{found}");
    }
    assert_eq!(session.value_at(file, 1 << 30).unwrap(), None);
}

#[test]
fn what_is_dropped_later_is_found_by_its_name() {
    let mut session = Session::default();
    session.put("model/lantern.mdx", &sample("lantern.mdx"));
    let textured = |session: &mut Session| {
        let file = session.open("model/lantern.mdx", "auto").unwrap();
        session.scene(file, &json!({})).unwrap().0["images"].as_array().unwrap().len()
    };
    let before = textured(&mut session);
    session.put("elsewhere/Lantern.blp", &sample("Textures/Lantern.blp"));
    assert!(textured(&mut session) > before);
}

#[test]
fn two_files_differ_by_name() {
    let mut session = session();
    let a = session.open("lantern.mdx", "auto").unwrap();
    let b = session.open("lantern.mdx", "auto").unwrap();
    assert_eq!(session.diff(a, b).unwrap()["equal"], true);
    session.edit(b, &json!([{"op": "rename-sequence", "sequence": "Stand", "name": "Rest"}])).unwrap();
    let diff = session.diff(a, b).unwrap();
    assert_eq!(diff["equal"], false);
    assert!(diff["changes"].to_string().contains("Rest"));
}

#[test]
fn what_is_blended_is_one_at_its_ends() {
    for path in ["walker.msh", "lantern.mdx", "frog.lgp/zgaa"] {
        let mut session = session();
        let file = session.open(path, "auto").unwrap();
        let (scene, _) = session.scene(file, &json!({})).unwrap();
        let asked = |time, over| Asked { clip: Some(0), time, over, account: Account::Game, camera: None };
        let plain = |session: &mut Session, time| nodes(session, file, &scene, asked(time, None));
        let (a, b) = (plain(&mut session, 1.0), plain(&mut session, 3.0));
        for (weight, wanted) in [(0.0, a), (1.0, b)] {
            let over = Some(Over { clip: 0, time: 3.0, weight });
            let blended = nodes(&mut session, file, &scene, asked(1.0, over));
            let most = wanted.iter().fold(1.0_f32, |most, number| most.max(number.abs()));
            let apart = wanted.iter().zip(&blended).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < most * 1e-5, "{path} {weight}: {apart}");
        }
    }
}

#[test]
fn a_key_that_is_moved_is_where_the_timeline_says() {
    let keys = |session: &Session, file, track: &str| {
        let timeline = serde_json::to_value(session.timeline(file).unwrap()).unwrap();
        let tracks = timeline["tracks"].as_array().unwrap().clone();
        let found = tracks.into_iter().find(|row| row["name"] == track || row["label"] == track).unwrap();
        assert_eq!(found["times"].as_array().unwrap().len(), found["values"].as_array().unwrap().len());
        found["times"].as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect::<Vec<_>>()
    };
    let mut session = session();
    let file = session.open("walker.msh", "auto").unwrap();
    let timeline = serde_json::to_value(session.timeline(file).unwrap()).unwrap();
    let moving =
        timeline["tracks"].as_array().unwrap().iter().find(|row| row["times"].as_array().unwrap().len() > 2);
    let name = moving.unwrap()["name"].as_str().unwrap().to_owned();
    let before = keys(&session, file, &name);
    let (from, to) = (before[1], before[1] + 0.5);
    let step = json!([{"op": "move-key", "node": name, "frame": from.to_string(), "to": to.to_string()}]);
    session.edit(file, &step).unwrap();
    let mut wanted = before;
    wanted[1] = to;
    assert_eq!(keys(&session, file, &name), wanted);

    let lantern = session.open("lantern.mdx", "auto").unwrap();
    let timeline = serde_json::to_value(session.timeline(lantern).unwrap()).unwrap();
    assert_eq!(timeline["starts"].as_array().unwrap().len(), 6);
    let track = timeline["tracks"].as_array().unwrap().iter().find(|row| row["parts"][0] == "x").unwrap();
    assert_eq!(track["values"][0].as_array().unwrap().len(), track["parts"].as_array().unwrap().len());
}
