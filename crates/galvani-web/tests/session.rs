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
            // Looking at the streams of such a model takes some small lists.
            if path == "walker.msh" && account == Account::Game {
                continue;
            }
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
fn what_is_dropped_is_not_made_of_samples() {
    let mut session = session();
    let pictures = |session: &mut Session, path: &str| {
        let file = session.open(path, "auto").unwrap();
        session.scene(file, &json!({})).unwrap().0["images"].as_array().unwrap().len()
    };
    assert!(pictures(&mut session, "walker.msh") > 0);
    session.put("mine/walker.msh", &sample("walker.msh"));
    assert_eq!(pictures(&mut session, "mine/walker.msh"), 0);
    session.put("walker.msh", &sample("walker.msh"));
    assert_eq!(pictures(&mut session, "walker.msh"), 0);
    session.put_samples();
    assert_eq!(pictures(&mut session, "walker.msh"), 0, "a sample takes nobody's place");
}

#[test]
fn a_team_and_a_weapon_are_chosen_as_the_format_declares_them() {
    let mut session = session();
    let file = session.open("lantern.mdx", "auto").unwrap();
    let declared = session.lifting(file).unwrap();
    assert!(declared.as_array().unwrap().iter().any(|field| field["name"] == "team"), "{declared}");
    let mut pictures = |team: &str| session.scene(file, &json!({"team": team})).unwrap().1;
    assert_ne!(pictures("0"), pictures("1"));
    let refused = session.scene(file, &json!({"team": "13"})).unwrap_err();
    assert!(refused.said["message"].as_str().unwrap().contains("13"), "{refused:?}");
}

#[test]
fn what_is_solid_hangs_on_nodes() {
    let mut session = session();
    for (path, has_links) in [("walker.msh", true), ("lantern.mdx", false), ("lantern-wow.mdx", false)] {
        let file = session.open(path, "auto").unwrap();
        let (solids, block) = session.solids(file).unwrap();
        let count = |row: &Value, name: &str| row[name]["len"].as_u64().unwrap_or(0);
        let rows = solids.as_array().unwrap();
        assert!(rows.iter().any(|row| count(row, "sides") > 0), "{path}");
        assert_eq!(rows.iter().any(|row| count(row, "links") > 0), has_links, "{path}");
        let all: u64 = rows.iter().map(|row| count(row, "sides") + count(row, "links")).sum();
        assert_eq!(block.len() as u64, all * 4, "{path}");
        let (scene, _) = session.scene(file, &json!({})).unwrap();
        for node in rows.iter().filter_map(|row| row["node"].as_i64()) {
            let has = |own: &Value| own["extras"]["id"] == node;
            assert!(scene["nodes"].as_array().unwrap().iter().any(has), "{path} {node}");
        }
    }
    let texture = session.open("Textures/Lantern.blp", "auto").unwrap();
    assert_eq!(session.solids(texture).unwrap().0, json!([]));
}

#[test]
fn a_film_is_a_picture_that_moves() {
    let mut session = session();
    let file = session.open("lantern.mdx", "auto").unwrap();
    let asked = |kind: &str| {
        json!({
            "kind": kind, "clip": 0, "fps": 4.0, "size": 24, "azimuth": 30.0, "elevation": 20.0,
            "is_flat": false, "turns": false, "state": 0, "level": 0, "look": null,
        })
    };
    assert!(session.film(file, &asked("gif")).is_err(), "the scene was not asked for");
    session.scene(file, &json!({})).unwrap();
    assert!(session.film(file, &asked("gif")).unwrap().bytes.starts_with(b"GIF89a"));
    let apng = session.film(file, &asked("apng")).unwrap().bytes;
    assert!(apng.starts_with(b"\x89PNG") && apng.windows(4).any(|four| four == b"acTL"));
    assert!(session.film(file, &asked("film")).is_err());
}

#[test]
fn a_finding_says_which_node_it_is_about() {
    let mut session = Session::default();
    // A bone whose parent is not there.
    let mut lantern = sample("lantern.mdx");
    let bone = lantern.windows(4).position(|four| four == b"BONE").unwrap();
    // Chunk head, inclusive size, name, number.
    let (id, parent) = (bone + 8 + 4 + 80, bone + 8 + 4 + 84);
    let number = i32::from_le_bytes(lantern[id..id + 4].try_into().unwrap());
    lantern[parent..parent + 4].copy_from_slice(&9999_i32.to_le_bytes());
    session.put("lantern.mdx", &lantern);
    let file = session.open("lantern.mdx", "auto").unwrap();
    let findings = session.findings(file).unwrap();
    let rows = findings["diagnostics"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["node"] == number), "{findings:#}");
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
    let rows = timeline["tracks"].as_array().unwrap();
    // A key behind the first, with a free frame behind it.
    let free = rows.iter().find_map(|row| {
        let times: Vec<f64> = row["times"].as_array()?.iter().filter_map(Value::as_f64).collect();
        let at = (1..times.len().saturating_sub(1)).find(|&at| times[at] + 1.0 < times[at + 1])?;
        Some((row["name"].as_str()?.to_owned(), at))
    });
    let (name, at) = free.unwrap();
    let before = keys(&session, file, &name);
    let (from, to) = (before[at], before[at] + 1.0);
    let step = json!([{"op": "move-key", "node": name, "frame": from.to_string(), "to": to.to_string()}]);
    session.edit(file, &step).unwrap();
    let mut wanted = before;
    wanted[at] = to;
    assert_eq!(keys(&session, file, &name), wanted);

    let lantern = session.open("lantern.mdx", "auto").unwrap();
    let timeline = serde_json::to_value(session.timeline(lantern).unwrap()).unwrap();
    let (scene, _) = session.scene(lantern, &json!({})).unwrap();
    assert_eq!(timeline["starts"].as_array().unwrap().len(), scene["clips"].as_array().unwrap().len());
    let track = timeline["tracks"].as_array().unwrap().iter().find(|row| row["parts"][0] == "x").unwrap();
    assert_eq!(track["values"][0].as_array().unwrap().len(), track["parts"].as_array().unwrap().len());
}
