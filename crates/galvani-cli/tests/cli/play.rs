//! `play`: the player of a model on the command line.

use serde_json::{Value, json};

use crate::common::Desk;

fn desk() -> Desk {
    let is_wanted = |name: &str| ["lantern.mdx", "walker.msh"].contains(&name);
    let shipped = galvani::samples::all().into_iter().filter(|sample| is_wanted(&sample.name));
    shipped.fold(Desk::new(), |desk, sample| desk.with(&sample.name, &sample.bytes))
}

/// What plays, by the words behind the model.
fn play(words: &[&str]) -> Value {
    let (code, told) = desk().json(&[&["play", "lantern.mdx", "--json"], words].concat());
    assert_eq!(code, 0, "{told:#}");
    told
}

#[test]
fn what_plays_shows_what_sampling_shows() {
    let played = play(&["--clip", "#2", "--time", "0..800:100"]);
    let (_, sampled) =
        desk().json(&["sample", "lantern.mdx", "--clip", "#2", "--time", "0..800:100", "--json"]);
    let nodes = |told: &Value| -> Vec<Value> {
        told["samples"].as_array().unwrap().iter().map(|row| row["nodes"].clone()).collect()
    };
    let (played, sampled) = (nodes(&played), nodes(&sampled));
    // The end is the beginning of the next round in a player, and the end's own pose in a sample.
    assert_eq!(played[..8], sampled[..8]);
}

#[test]
fn events_are_told_when_they_are_passed_over_and_over() {
    let told = play(&["--clip", "#2", "--time", "1700", "--node", "Body"]);
    let events = told["events"].as_array().unwrap();
    assert!(!events.is_empty(), "{told:#}");
    let times: Vec<f64> = events.iter().map(|event| event["time"].as_f64().unwrap()).collect();
    assert!(times.is_sorted() && times.iter().all(|time| (0.0..=1700.0).contains(time)), "{times:?}");
    for event in events {
        // Walk lasts 800 ms and begins at 4600 on the timeline.
        let (time, moment) = (event["time"].as_f64().unwrap(), event["moment"].as_f64().unwrap());
        assert!(((time - (moment - 4600.0)) / 800.0).fract().abs() < 1e-9, "{event}");
    }
    // However the time is cut, the same events are told.
    let cut = play(&["--clip", "#2", "--time", "0..1700:130", "--time", "1700", "--node", "Body"]);
    assert_eq!(cut["events"], told["events"]);
    let each: Vec<Value> = cut["samples"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row["events"].as_array().unwrap().clone())
        .collect();
    assert_eq!(json!(each), cut["events"]);
}

#[test]
fn the_next_begins_at_its_time_or_when_the_one_before_is_over() {
    let told = play(&[
        "--clip", "#0", "--then", "#2", "--at", "1500", "--then", "#3", "--time", "1499", "--time", "1500",
        "--time", "2299", "--time", "2300", "--time", "9000", "--node", "Body",
    ]);
    let playing = |i: usize| {
        let playing = &told["samples"][i]["playing"];
        (
            playing["clip"].as_u64().unwrap(),
            playing["since"].as_f64().unwrap(),
            playing["over"].as_bool().unwrap(),
        )
    };
    assert_eq!(playing(0), (0, 1499.0, false));
    assert_eq!(playing(1), (2, 0.0, false));
    assert_eq!(playing(2), (2, 799.0, false));
    assert_eq!(playing(3), (3, 0.0, false));
    assert_eq!(playing(4), (3, 6700.0, true));
    // What follows fades in over the model's 150 ms.
    let fade = |i: usize| told["samples"][i]["playing"]["fade"].as_f64().unwrap();
    assert!(fade(1) > 0.99 && fade(2) < 1e-9, "{told:#}");
}

#[test]
fn the_same_seed_makes_the_same_choices_and_some_seed_makes_others() {
    let chosen = |seed: &str| -> Vec<u64> {
        let told = play(&["--clip", "Stand", "--time", "0..40000:500", "--node", "Body", "--seed", seed]);
        told["samples"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["playing"]["clip"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(chosen("5"), chosen("5"));
    let others: Vec<Vec<u64>> = ["1", "2", "3", "4", "6"].map(chosen).to_vec();
    assert!(others.iter().any(|other| *other != chosen("5")));
    assert!(others.iter().flatten().all(|clip| *clip < 2), "only variations of Stand");
}

#[test]
fn people_see_what_plays_and_what_happened() {
    let done = desk().run(&["play", "lantern.mdx", "--clip", "Walk", "--time", "900", "--node", "Body"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let begins = "900 ms: Walk (#2), begun 100 ms ago, 33 % of the pose before it left\n  200 ms: SNDxSTEP\n";
    assert!(done.text().starts_with(begins), "{}", done.text());
    assert!(done.text().contains("ms: SNDxSTEP\n"), "{}", done.text());
}

#[test]
fn what_cannot_be_played_is_refused() {
    let desk = desk();
    for (code, words) in [
        (2, &["play", "lantern.mdx", "--clip", "Stand"][..]),
        (2, &["play", "lantern.mdx", "--time", "0"]),
        (1, &["play", "lantern.mdx", "--clip", "Nowhere", "--time", "0"]),
        (2, &["play", "lantern.mdx", "--clip", "Stand", "--time", "-1"]),
        (
            2,
            &[
                "play",
                "lantern.mdx",
                "--clip",
                "Stand",
                "--then",
                "Walk",
                "--at",
                "1",
                "--at",
                "2",
                "--time",
                "0",
            ],
        ),
        (
            2,
            &[
                "play",
                "lantern.mdx",
                "--clip",
                "Stand",
                "--then",
                "Walk",
                "--at",
                "5",
                "--then",
                "Death",
                "--at",
                "2",
                "--time",
                "9",
            ],
        ),
        (1, &["play", "walker.msh", "--clip", "0", "--time", "0"]),
        (2, &["play", "lantern.mdx", "--clip", "Stand", "--time", "1e300"]),
        (1, &["play", "lantern.mdx", "--clip", "Stand", "--time", "2e9"]),
    ] {
        let done = desk.run(words);
        assert_eq!(done.code, code, "{words:?}: {}", done.stderr);
    }
}
