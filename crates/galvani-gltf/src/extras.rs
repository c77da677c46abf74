//! What glTF has no place for: scalars and words beside things, and one JSON text beside the scene.

use galvani_scene::{Clip, Fact, Scene};
use serde_json::{Value, json};

use crate::schema;

/// What our own values are called by in `extras`.
pub(crate) const PREFIX: &str = "galvani_";

/// The form of the one JSON text; it grows when old readers would misread it.
const SCHEMA: u32 = 1;

/// Numbers and words only: some readers fail on anything else at a node.
pub(crate) fn scalars(extras: &galvani_scene::Extras) -> schema::Extras {
    let value = |fact: &Fact| -> Value {
        match fact {
            Fact::Flag(flag) => json!(flag),
            Fact::Int(number) => json!(number),
            Fact::Float(number) => json!(number),
            Fact::Text(words) => json!(words),
        }
    };
    extras.iter().map(|(key, fact)| (format!("{PREFIX}{key}"), value(fact))).collect()
}

/// What is known of a clip beyond its curves. `name` is what glTF calls it; nothing if it was left out.
pub(crate) fn clip(clip: &Clip, name: Option<&str>) -> Value {
    let event = |event: &galvani_scene::Event| json!({"name": event.name, "time": event.time});
    json!({
        "name": clip.name,
        "animation": name,
        "index": clip.index,
        "duration": clip.duration,
        "loop": clip.looping.word(),
        "events": clip.events.iter().map(event).collect::<Value>(),
        "extras": scalars(&clip.extras),
    })
}

/// The extras of the scene: its facts, and everything that no part of glTF holds in one text, which is the only form
/// that every program carries through.
pub(crate) fn of_scene(scene: &Scene, generator: &str, clips: &[Value]) -> schema::Extras {
    let source =
        scene.source.as_deref().map(|text| serde_json::from_str(text).unwrap_or_else(|_| json!(text)));
    let whole = json!({"schema": SCHEMA, "generator": generator, "clips": clips, "source": source});
    let mut extras = scalars(&scene.extras);
    extras.insert("galvani".to_owned(), json!(whole.to_string()));
    extras
}
