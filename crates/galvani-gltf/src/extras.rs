//! What glTF has no place for: scalars and words beside things, and one JSON text beside the scene.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use galvani_scene::{Clip, Curve, Fact, Id, Interp, Looping, Scene, Track};
use serde_json::{Map, Value, json};

use crate::options::{Options, SourceFile};
use crate::schema;

/// What our own values are called by in `extras`.
pub(crate) const PREFIX: &str = "galvani_";

/// The form of the one JSON text in the extras of scenes; it grows when old readers would misread it.
pub const SCHEMA: u32 = 2;

/// What the one JSON text in the extras of scenes is called.
pub(crate) const TEXT: &str = "galvani";

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

/// What is known of a clip beyond its channels. `called` is what glTF calls it; nothing if it was left out. What is empty, or said
/// by that, is not said.
pub(crate) fn clip(clip: &Clip, called: Option<&str>, lost: &[Value]) -> Value {
    let event = |event: &galvani_scene::Event| json!({"name": event.name, "time": short(event.time)});
    let mut row = Map::new();
    if called != Some(&clip.name) {
        row.insert("name".to_owned(), json!(clip.name));
    }
    row.extend(called.map(|called| ("animation".to_owned(), json!(called))));
    row.insert("index".to_owned(), json!(clip.index));
    row.insert("duration".to_owned(), short(clip.duration));
    if clip.looping != Looping::default() {
        row.insert("loop".to_owned(), json!(clip.looping.word()));
    }
    let extras = scalars(&clip.extras);
    for (key, value, is_empty) in [
        ("events", clip.events.iter().map(event).collect(), clip.events.is_empty()),
        ("extras", json!(extras), extras.is_empty()),
        ("tracks", json!(lost), lost.is_empty()),
    ] {
        row.extend((!is_empty).then(|| (key.to_owned(), value)));
    }
    row.into()
}

/// A number in as few digits as lead back to it.
fn short(number: f32) -> Value {
    let digits: Option<f64> = number.to_string().parse().ok();
    digits.map_or(Value::Null, |digits| json!(digits))
}

/// The same of several.
fn shorts(numbers: &[f32]) -> Value {
    numbers.iter().map(|number| short(*number)).collect()
}

/// A track that glTF has no channel for.
pub(crate) fn track(track: &Track) -> Value {
    let (interp, values, tangents) = match track {
        Track::Translation(_, curve) | Track::Scale(_, curve) | Track::Color(_, curve) => {
            keys(curve, |value| shorts(&value.to_array()))
        }
        Track::Rotation(_, curve) => keys(curve, |value| shorts(&value.to_array())),
        Track::Visibility(_, curve) => keys(curve, |value| json!(value)),
        Track::Alpha(_, curve) | Track::UvRotation(_, curve) => keys(curve, |value| short(*value)),
        Track::Texture(_, curve) => keys(curve, |image| json!(image.map(Id::index))),
        Track::UvOffset(_, curve) | Track::UvScale(_, curve) => {
            keys(curve, |value| shorts(&value.to_array()))
        }
    };
    let rows = [
        ("moves", json!(track.word())),
        ("node", json!(track.node().map(Id::index))),
        ("material", json!(track.material().map(Id::index))),
        ("times", shorts(track.times())),
        ("interpolation", json!(interp)),
        ("values", values),
        ("tangents", tangents),
    ];
    let is_said = |value: &Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
    let rows = rows.into_iter().filter(|(_, value)| is_said(value));
    rows.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
}

/// The interpolation, values and tangents of a curve.
fn keys<V>(curve: &Curve<V>, value: impl Fn(&V) -> Value) -> (&'static str, Value, Value) {
    let interp = match curve.interp {
        Interp::Step => "step",
        Interp::Linear => "linear",
        Interp::Hermite => "hermite",
        Interp::Bezier => "bezier",
    };
    let pair = |[arriving, leaving]: &[V; 2]| json!([value(arriving), value(leaving)]);
    (interp, curve.values.iter().map(&value).collect(), curve.tangents.iter().map(pair).collect())
}

/// The extras of the scene: its facts, and everything that no part of glTF holds in one text, which is the only form
/// that every program carries through.
pub(crate) fn of_scene(scene: &Scene, options: &Options, clips: &[Value]) -> schema::Extras {
    let source =
        scene.source.as_deref().map(|text| serde_json::from_str(text).unwrap_or_else(|_| json!(text)));
    let whole = json!({
        "schema": SCHEMA,
        "generator": options.generator,
        "format": options.format,
        "files": options.files.iter().map(file).collect::<Value>(),
        "clips": clips,
        "source": source,
    });
    let mut extras = scalars(&scene.extras);
    extras.insert(TEXT.to_owned(), json!(whole.to_string()));
    extras
}

/// A file that the scene was made of, by its name and digest, perhaps with its bytes.
fn file(file: &SourceFile) -> Value {
    let mut row = json!({"name": file.name, "sha256": BASE64_STANDARD_NO_PAD.encode(file.sha256)});
    if let (Value::Object(row), Some(bytes)) = (&mut row, &file.bytes) {
        row.insert("base64".to_owned(), json!(BASE64_STANDARD.encode(bytes)));
    }
    row
}
