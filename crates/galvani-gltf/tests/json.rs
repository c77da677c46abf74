//! JSON as it is found in a text, held against another reader of JSON.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::borrow::Cow;

use galvani_gltf::Document;
use galvani_gltf::document::view::Node;
use galvani_gltf::document::{JsonKind, JsonValue};
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::json;

/// The same value as another library has it.
fn copied(value: JsonValue<'_>) -> serde_json::Value {
    match value.kind() {
        JsonKind::Object => value.members().map(|(key, value)| (key.into_owned(), copied(value))).collect(),
        JsonKind::Array => value.elements().map(copied).collect(),
        JsonKind::Text => json!(value.text().unwrap()),
        JsonKind::Truth => json!(value.truth().unwrap()),
        // The other library rounds some numbers wrongly when it reads them.
        JsonKind::Number => match std::str::from_utf8(value.raw()).unwrap().parse::<i64>() {
            Ok(whole) => json!(whole),
            Err(_) => json!(value.double().unwrap()),
        },
        JsonKind::Null => json!(null),
    }
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|it| json!(it)),
        any::<i64>().prop_map(|it| json!(it)),
        any::<f64>().prop_map(|it| json!(it)),
        ".{0,8}".prop_map(|it| json!(it)),
        "[\"\\\\/\u{8}\u{c}\n\r\t\u{1}жд\u{1F600}]{0,6}".prop_map(|it| json!(it)),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|it| json!(it)),
            prop::collection::btree_map(".{0,4}", inner, 0..6).prop_map(|it| json!(it)),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_is_found(value in values()) {
        for text in [serde_json::to_vec(&value).unwrap(), serde_json::to_vec_pretty(&value).unwrap()] {
            let document = Document::read(&text).unwrap();
            prop_assert_eq!(copied(document.json().root()), value.clone());
        }
    }

    #[test]
    fn what_is_no_json_is_refused(value in values(), at in any::<prop::sample::Index>(), byte in prop_oneof![
        any::<u8>(), prop::sample::select(b"{}[],:\"\\0123456789.eE+-tfn \n".to_vec())
    ]) {
        let mut text = serde_json::to_vec(&value).unwrap();
        let at = at.index(text.len());
        text[at] = byte;
        let Ok(wanted) = std::str::from_utf8(&text) else { return Ok(()) };
        prop_assert_eq!(Document::read(&text).is_ok(), serde_json::from_str::<IgnoredAny>(wanted).is_ok(), "{}", wanted);
    }
}

#[test]
fn escapes_stand_for_their_characters() {
    let text =
        |json: &str| Document::read(json.as_bytes()).unwrap().json().root().text().unwrap().into_owned();
    assert_eq!(text(r#""a\"\\\/\b\f\n\r\t\u0416\uD83D\uDE00""#), "a\"\\/\u{8}\u{c}\n\r\tЖ\u{1F600}");
    assert_eq!(text(r#""\uD83D-\uDE00\uD83Dx""#), "\u{FFFD}-\u{FFFD}\u{FFFD}x");
}

#[test]
fn numbers_are_whole_or_rounded_once() {
    let of = |json: &str, act: fn(JsonValue<'_>) -> Option<f64>| {
        act(Document::read(json.as_bytes()).unwrap().json().root())
    };
    let index = |value: JsonValue<'_>| value.index().map(|index| f64::from(u32::try_from(index).unwrap()));
    assert_eq!(of("7", index), Some(7.0));
    assert_eq!(of("7.0", index), Some(7.0));
    assert_eq!(of("2e2", index), Some(200.0));
    assert_eq!([of("7.5", index), of("-1", index), of("1e99", index), of("\"7\"", index)], [None; 4]);
    // Halfway between two floats but for a digit that a double does not have.
    let single = |value: JsonValue<'_>| value.single().map(f64::from);
    assert_eq!(of("1.00000005960464477539062500000001", single), Some(1.000_000_119_209_289_6));
}

#[test]
fn deep_nests_are_refused_and_others_are_not() {
    let nest = |depth: usize| {
        Document::read(
            "[".repeat(depth)
                .as_bytes()
                .iter()
                .chain("]".repeat(depth).as_bytes())
                .copied()
                .collect::<Vec<u8>>()
                .as_slice(),
        )
        .is_ok()
    };
    assert!(nest(128) && !nest(130) && !nest(100_000));
}

#[test]
fn of_names_that_are_there_twice_the_last_counts() {
    let document = Document::read(br#"{"a":1,"a":[2, [3]],"b":{}}"#).unwrap();
    let root = document.json().root();
    assert_eq!(root.member("a").unwrap().raw(), b"[2, [3]]");
    assert_eq!(root.members().count(), 3);
    assert!(root.member("c").is_none());
}

/// Names with escapes are the names that they spell.
#[test]
fn names_are_known_however_they_are_spelled() {
    let text = r#"{"asset":{"version":"2.0"},"n\u006fdes":[{"na\u006de":"a","n\u0061mes":1}]}"#;
    let document = Document::read(text.as_bytes()).unwrap();
    let view = document.view().unwrap();
    assert_eq!(view.nodes.get(0).unwrap().name, "a");
    let names = || document.json().root().member("nodes").unwrap().elements().next().unwrap().members();
    assert_eq!(names().map(|(name, _)| name).collect::<Vec<_>>(), ["name", "names"]);
    let found = galvani_gltf::document::check(&document);
    assert_eq!(found.findings().iter().map(|one| one.code.name).collect::<Vec<_>>(), ["gltf.unknown-member"]);
}

/// Objects are held where their text justifies the memory, and looked at again where it does not; they are the same.
#[test]
fn lists_of_next_to_nothing_are_not_held() {
    let listing = |blank: &str| {
        let nodes: Vec<String> = (0..50).map(|i| format!(r#"{{{blank}"mesh":{i}}}"#)).collect();
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{},7]}}"#, nodes.join(","));
        Document::read(text.as_bytes()).unwrap()
    };
    let (dense, wide) = (listing(""), listing(&" ".repeat(200)));
    let (dense, wide) = (dense.view().unwrap(), wide.view().unwrap());
    assert!(dense.nodes.iter().all(|node| matches!(node, Cow::Owned(_))));
    assert!(wide.nodes.iter().all(|node| matches!(node, Cow::Borrowed(_))));
    let told =
        |nodes: Vec<Cow<'_, Node<'_>>>| nodes.iter().map(|node| format!("{node:?}")).collect::<Vec<_>>();
    assert_eq!(told(dense.nodes.iter().collect()), told(wide.nodes.iter().collect()));
    assert_eq!((dense.nodes.get(49).unwrap().mesh, dense.nodes.get(50).unwrap().mesh), (Some(49), None));
    assert!(dense.nodes.get(51).is_none() && wide.nodes.get(51).is_none());
    assert_eq!(wide.nodes.path(50).to_string(), "nodes[50]");
}
