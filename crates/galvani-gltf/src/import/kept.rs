//! What our own export wrote beside a scene: one JSON text in its extras, and scalars beside everything else.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use galvani_core::Exhausted;
use galvani_scene::{Event, Extras, Fact, Looping};

use crate::document::json::{Json, Refusal};
use crate::document::view::View;
use crate::document::{JsonKind, JsonValue};
use crate::extras::PREFIX;

/// What our own export wrote beside a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportRecord {
    /// The text as it stands in the scene's extras.
    pub text: String,
    /// The format of the model's own files.
    pub format: String,
    /// What those say beyond the scene, as one JSON text.
    pub source: Option<String>,
    /// Clips in the order of the scene that was written.
    pub clips: Vec<RecordedClip>,
    /// The same as values.
    json: Json,
    /// Where each clip stands among them.
    rows: Vec<Option<u32>>,
}

/// A file that a model was made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedFile {
    /// What it is called.
    pub name: String,
    /// A digest of its bytes, as the text has it.
    pub sha256: String,
    /// The bytes, if they travelled along.
    pub bytes: Option<Vec<u8>>,
}

/// What is known of a clip beyond its channels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedClip {
    /// What it is called.
    pub name: String,
    /// What glTF calls it; nothing if it was left out.
    pub animation: Option<String>,
    /// Its place in the file that it comes from.
    pub index: u32,
    /// How long it is, in seconds.
    pub duration: f32,
    /// What comes behind its end.
    pub looping: Looping,
    /// What happens in it.
    pub events: Vec<Event>,
    /// What else is known.
    pub extras: Extras,
}

/// What our own export wrote, if it wrote the file; what is no such text counts as none.
pub(super) fn find(view: &View<'_>) -> Result<Option<ExportRecord>, Exhausted> {
    let scene = view.scenes.get(view.scene.unwrap_or(0));
    let text = scene.and_then(|scene| scene.extras?.member("galvani")?.text());
    let Some(text) = text.map(std::borrow::Cow::into_owned) else { return Ok(None) };
    let Some(json) = read(&text)? else { return Ok(None) };
    let root = json.root();
    let format = root.member("format").and_then(JsonValue::text).unwrap_or_default().into_owned();
    let source = root.member("source").and_then(|source| match source.kind() {
        JsonKind::Null => None,
        JsonKind::Text => source.text().map(std::borrow::Cow::into_owned),
        _ => Some(String::from_utf8_lossy(source.raw()).into_owned()),
    });
    let rows = || root.member("clips").into_iter().flat_map(JsonValue::elements);
    let (clips, rows) = (rows().map(clip).collect(), rows().map(JsonValue::entry).collect());
    Ok(Some(ExportRecord { text, format, source, clips, json, rows }))
}

/// A text as values; nothing if it is no JSON.
pub(super) fn read(text: &str) -> Result<Option<Json>, Exhausted> {
    match Json::read(text.as_bytes()) {
        Ok(json) => Ok(Some(json)),
        Err(Refusal::Exhausted(exhausted)) => Err(exhausted),
        Err(Refusal::Flaw(_)) => Ok(None),
    }
}

impl ExportRecord {
    /// The value that the whole text is.
    pub fn root(&self) -> JsonValue<'_> {
        self.json.root()
    }

    /// The form of the text.
    pub fn schema(&self) -> Option<u32> {
        self.root().member("schema").and_then(JsonValue::index).and_then(|it| it.try_into().ok())
    }

    /// The files that the model was made of, its own first.
    pub fn files(&self) -> Vec<RecordedFile> {
        let file = |file: JsonValue<'_>| {
            let text = |name: &str| Some(file.member(name)?.text()?.into_owned());
            Some(RecordedFile {
                name: text("name")?,
                sha256: text("sha256").unwrap_or_default(),
                bytes: text("base64").and_then(|text| BASE64_STANDARD.decode(text).ok()),
            })
        };
        self.root().member("files").into_iter().flat_map(JsonValue::elements).filter_map(file).collect()
    }

    /// Tracks of a clip that no channel could say.
    pub(super) fn tracks(&self, clip: usize) -> impl Iterator<Item = JsonValue<'_>> {
        let clip = self.rows.get(clip).copied().flatten().map(|entry| self.json.value(entry));
        clip.and_then(|clip| clip.member("tracks")).into_iter().flat_map(JsonValue::elements)
    }
}

/// A clip of the table, or the text beside an animation.
pub(super) fn clip(value: JsonValue<'_>) -> RecordedClip {
    let text = |name: &str| value.member(name).and_then(JsonValue::text).map(std::borrow::Cow::into_owned);
    let event = |event: JsonValue<'_>| {
        Some(Event {
            name: event.member("name")?.text()?.into_owned(),
            time: event.member("time")?.single()?,
        })
    };
    let animation = text("animation");
    RecordedClip {
        // What glTF calls it as it is stands there only.
        name: text("name").or_else(|| animation.clone()).unwrap_or_default(),
        animation,
        index: value
            .member("index")
            .and_then(JsonValue::index)
            .and_then(|it| it.try_into().ok())
            .unwrap_or(0),
        duration: value.member("duration").and_then(JsonValue::single).unwrap_or(0.0),
        looping: looping(value.member("loop")),
        events: value.member("events").into_iter().flat_map(JsonValue::elements).filter_map(event).collect(),
        extras: facts(value.member("extras"), &[]),
    }
}

/// What comes behind the end of a clip, by its word.
pub(super) fn looping(word: Option<JsonValue<'_>>) -> Looping {
    let wraps = word.and_then(JsonValue::text).is_some_and(|word| word == Looping::Wrap.word());
    if wraps { Looping::Wrap } else { Looping::Hold }
}

/// Our own scalars among extras, without those of some names.
pub(super) fn facts(extras: Option<JsonValue<'_>>, without: &[&str]) -> Extras {
    let members = extras.into_iter().flat_map(JsonValue::members);
    let own = members.filter_map(|(key, value)| Some((key.strip_prefix(PREFIX)?.to_owned(), fact(value)?)));
    own.filter(|(key, _)| !without.contains(&key.as_str())).collect()
}

/// One of them.
pub(super) fn scalar<'a>(extras: Option<JsonValue<'a>>, name: &str) -> Option<JsonValue<'a>> {
    extras?.members().find(|(key, _)| key.strip_prefix(PREFIX) == Some(name)).map(|(_, value)| value)
}

fn fact(value: JsonValue<'_>) -> Option<Fact> {
    Some(match value.kind() {
        JsonKind::Truth => Fact::Flag(value.truth()?),
        JsonKind::Text => Fact::Text(value.text()?.into_owned()),
        JsonKind::Number => {
            let whole = std::str::from_utf8(value.raw()).ok().and_then(|digits| digits.parse().ok());
            whole.map_or(Fact::Float(value.double()?), Fact::Int)
        }
        JsonKind::Object | JsonKind::Array | JsonKind::Null => return None,
    })
}
