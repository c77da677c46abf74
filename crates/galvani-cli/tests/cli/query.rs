//! What is drawn of a model and what a ray meets, through the command.

use serde_json::Value;

use crate::common::Desk;
use crate::common::archive::archive;

fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

fn draws(words: &[&str]) -> Vec<Value> {
    let (code, json) = desk().json(&[&["draw", "walker.msh", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    json["draws"].as_array().unwrap().clone()
}

fn hit(words: &[&str]) -> Value {
    let (code, json) = desk().json(&[&["pick", "walker.msh", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    json["hit"].clone()
}

const DOWN: &str = "0,0,100,0,0,-1";

#[test]
fn a_level_is_drawn_batch_by_batch() {
    let all = draws(&["--lod", "0", "--group", "0"]);
    assert!(!all.is_empty());
    assert_eq!(draws(&[]), all, "0 and 0 are the defaults");
    assert_eq!(draws(&["--lod", "-1", "--group", "-1"]), all, "a file's current ones are 0 and 0");
    let order: Vec<_> = all.iter().map(|row| (row["node"].as_u64(), row["batch"].as_u64())).collect();
    assert!(order.is_sorted());
    assert!(all.iter().all(|row| row["index_count"].as_u64().unwrap() % 3 == 0));
}

#[test]
fn every_choice_says_what_it_is_as_the_reading_calls_it() {
    for row in draws(&["--lod", "1", "--group", "0"]) {
        let names = ["lod", "group", "damage_state", "level_of_detail"].map(|key| row[key].as_u64());
        assert_eq!(names, [Some(1), Some(0), Some(1), Some(0)]);
    }
    for row in draws(&["--lod", "0", "--group", "1", "--reading", "documented"]) {
        assert_eq!((row["lod"].as_u64(), row["group"].as_u64()), (Some(0), Some(1)));
        assert!(row.get("damage_state").is_none() && row.get("level_of_detail").is_none());
    }
}

#[test]
fn planes_hide_what_lies_behind_them() {
    assert_eq!(draws(&["--planes", "0,0,1,-1000"]), Vec::<Value>::new());
    assert_eq!(draws(&["--planes", "-0,-0,-1,1000;1,0,0,1000"]), draws(&[]));
    let half = draws(&["--planes", "0,-1,0,0"]).len();
    assert!(0 < half && half < draws(&[]).len());
    assert_eq!(draws(&["--planes", "0,-1,0,0", "--planes", "0,0,1,-1000"]).len(), 0);
}

#[test]
fn a_mask_takes_batches_by_their_flags() {
    let all = draws(&[]);
    let with = |mask: &str| draws(&["--mask", mask]).len();
    assert_eq!(with("0x80000000"), 0);
    assert_eq!(with("0"), all.len());
    let flagged = all.iter().filter(|row| row["flags"].as_u64().unwrap() & 0x102 != 0).count();
    assert_eq!(with("0x102"), flagged);
    assert_eq!(draws(&["--without", "258"]).len(), all.len() - flagged);
}

#[test]
fn a_ray_meets_the_walker_and_says_where() {
    let hit = hit(&["--ray", DOWN]);
    let (distance, height) = (hit["distance"].as_f64().unwrap(), hit["position"][2].as_f64().unwrap());
    assert!((distance + height - 100.0).abs() < 1e-3, "{hit:#}");
    let sum: f64 = hit["barycentrics"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-6);
    assert_eq!(hit["neighbours"].as_array().unwrap().len(), 3);
    let batch = draws(&[]).into_iter().find(|row| row["batch"] == hit["batch"]).unwrap();
    assert_eq!((&batch["node"], &batch["slot"]), (&hit["node"], &hit["slot"]));
}

#[test]
fn a_ray_that_meets_nothing_is_an_answer() {
    assert_eq!(hit(&["--ray", "0,0,100,0,0,1"]), Value::Null);
    assert_eq!(hit(&["--ray", DOWN, "--mask", "0x8000"]), Value::Null);
    assert_eq!(
        desk().run(&["pick", "walker.msh", "--ray", "0,0,100,0,0,1"]).text(),
        "the ray meets nothing\n"
    );
}

#[test]
fn numbers_may_be_negative() {
    for words in [
        ["--ray", "-100,-0.5,-1e1,1,0,0"],
        ["--ray", "-100, -0.5, 3, 1, 0, 0"],
        ["--ray=-1,-1,-1,-1,-1,-1", "--json"],
    ] {
        let done = desk().run(&[&["pick", "walker.msh", "--time", "-0.5"], &words[..]].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    assert_eq!(desk().run(&["draw", "--time", "-0.5", "--lod", "-1", "walker.msh"]).code, 0);
}

#[test]
fn the_pose_is_that_of_the_time() {
    let at = |time: &str, root: &str| {
        let hit = hit(&["--ray", DOWN, "--time", time, "--root", root]);
        hit["distance"].as_f64().unwrap().to_bits()
    };
    assert_eq!(at("0", "keep"), at("0.0", "keep"));
    let times: std::collections::BTreeSet<u64> =
        ["0", "3.5", "7"].into_iter().map(|time| at(time, "keep")).collect();
    assert!(times.len() > 1, "the walker stands still");
}

#[test]
fn what_makes_no_sense_is_refused_with_the_right_code() {
    let desk = desk().with("plain.rlb", archive(&[("a.txt", b"xyz")]));
    let cases: [(u8, &[&str]); 14] = [
        (2, &["draw"]),
        (2, &["draw", "walker.msh", "--lod", "3"]),
        (2, &["draw", "walker.msh", "--group", "5"]),
        (2, &["draw", "walker.msh", "--lod", "-2"]),
        (2, &["draw", "walker.msh", "--planes", "1,2,3"]),
        (2, &["draw", "walker.msh", "--mask", "red"]),
        (2, &["draw", "walker.msh", "--root", "moved"]),
        (2, &["pick", "walker.msh"]),
        (2, &["pick", "walker.msh", "--ray", "1,2,3,4,5"]),
        (2, &["pick", "walker.msh", "--ray", "1,2,3,4,5,up"]),
        (1, &["pick", "walker.msh", "--ray", "1,2,3,0,0,0"]),
        (1, &["draw", "plain.rlb"]),
        (1, &["pick", "plain.rlb", "--ray", DOWN]),
        (3, &["draw", "missing.msh"]),
    ];
    for (code, words) in cases {
        let done = desk.run(words);
        assert_eq!(done.code, code, "{words:?}: {}", done.stderr);
        assert!(!done.stderr.is_empty());
    }
}

/// A model whose nodes are of the older form: `attr3` of stream 1 is 24.
#[test]
fn the_older_form_of_nodes_is_refused() {
    let desk = desk();
    let made =
        desk.run(&["edit", "--format", "nres", "walker.msh", "set", "#0", "attr3", "24", "-o", "old.msh"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    for words in [&["draw", "old.msh"][..], &["pick", "old.msh", "--ray", DOWN]] {
        let (code, json) = desk.json(&[words, &["--json"]].concat());
        assert_eq!((code, json["error"]["code"].as_str()), (1, Some("msh.sample-legacy-nodes")));
    }
}

#[test]
fn people_get_tables() {
    let drawn = desk().run(&["draw", "walker.msh"]);
    assert!(drawn.text().lines().next().unwrap().contains("index_start"), "{}", drawn.text());
    let picked = desk().run(&["pick", "walker.msh", "--ray", DOWN]);
    assert!(picked.text().contains("neighbours"), "{}", picked.text());
    assert_eq!(desk().run(&["draw", "walker.msh", "--planes", "0,0,0,-1"]).text(), "nothing is drawn\n");
}
