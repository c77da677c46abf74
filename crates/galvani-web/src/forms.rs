//! Operations as forms: what each wants to know, from its own declaration.

use galvani::formats::{ArgumentKind, Format, Operation, Step};
use galvani::pictures::LEFT_OUT;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::shelf::Dropped;

/// Every operation of a format.
pub(crate) fn forms(format: &dyn Format) -> Value {
    format.info().operations.iter().map(form).collect()
}

fn form(operation: &Operation) -> Value {
    let args: Vec<Value> = operation.args.iter().map(|arg| field(arg.name, arg.help, arg.kind)).collect();
    json!({"name": operation.name, "summary": operation.summary, "args": args})
}

/// How a format's models may be shown. A picture that stands in for another is dropped instead.
pub(crate) fn settings(format: &dyn Format) -> Value {
    let all = format.info().lifting.iter().filter(|setting| !LEFT_OUT.contains(&setting.name));
    let asked = all.filter(|setting| !matches!(setting.kind, ArgumentKind::NumberedFile));
    asked.map(|setting| field(setting.name, setting.help, setting.kind)).collect()
}

fn field(name: &str, help: &str, of: ArgumentKind) -> Value {
    json!({"name": name, "help": help, "wanted": of.wanted(), "kind": kind(of)})
}

/// How an argument is asked for.
fn kind(kind: ArgumentKind) -> Value {
    match kind {
        ArgumentKind::Number(least, most) => json!({"is": "number", "least": least, "most": most, "step": 1}),
        ArgumentKind::NumberOrColor(least, most) => {
            json!({"is": "number or color", "least": least, "most": most})
        }
        ArgumentKind::Integer | ArgumentKind::Place => json!({"is": "number", "step": 1}),
        ArgumentKind::Float | ArgumentKind::Double => json!({"is": "number", "step": "any"}),
        ArgumentKind::One(thing) | ArgumentKind::OneOr(thing, _) | ArgumentKind::Several(thing) => {
            json!({"is": "thing", "thing": thing.word()})
        }
        ArgumentKind::File | ArgumentKind::NamedFile | ArgumentKind::NumberedFile => json!({"is": "file"}),
        ArgumentKind::Word(words) => json!({"is": "word", "words": words}),
        ArgumentKind::List(of) => self::kind(*of),
        _ => json!({"is": "text"}),
    }
}

/// A step from its operation and its arguments by name; a file argument is the path of a file on the shelf.
pub(crate) fn step(format: &dyn Format, step: &Value, shelf: &Dropped) -> Result<Step, Refusal> {
    let name = step["op"].as_str().ok_or_else(|| Refusal::request("a step without `op`"))?;
    let mut given = |arg: &'static str| match &step[arg] {
        Value::String(word) => Some(word.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mut open = |path: &str| -> Result<Vec<u8>, String> {
        shelf.bytes(path).map(|bytes| bytes.to_vec()).ok_or_else(|| format!("`{path}` was not dropped here"))
    };
    Ok(Step::with_args(format, name, &mut given, &mut open)?)
}
