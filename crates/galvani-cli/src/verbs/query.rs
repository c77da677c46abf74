//! `draw` and `pick`: what the engine would draw of a model, and what a ray meets.

use galvani::budget;
use galvani::formats::{DrawView, Plane, Ray};
use galvani::render::query as rows;
use serde_json::{Value, json};

use crate::args::{Common, Draw, Pick, Posed};
use crate::batch::single;
use crate::failure::{Failure, REFUSED};
use crate::{Outcome, out, table};

pub(crate) fn draw(args: &Draw, common: &Common) -> Outcome {
    let (input, known) = single(&args.posed.input, common)?;
    let opened = known.open(&input, common)?;
    let planes: Vec<Plane> = args.planes.iter().flatten().copied().collect();
    let meter = common.options().read.budget.meter(&budget::QUERYING, known.source.bytes.len());
    let found = opened.as_drawn()?.draw(&scene(&args.posed), &planes, &meter);
    let draws = rows::draws(&found.map_err(|error| Failure::Found(REFUSED, error.cause))?);
    if common.json {
        out::json(&json!({"draws": draws.to_json()}));
    } else if draws.rows.is_empty() {
        out::text("nothing is drawn\n");
    } else {
        out::text(&table::outline(&draws));
    }
    Ok(0)
}

pub(crate) fn pick(args: &Pick, common: &Common) -> Outcome {
    let (input, known) = single(&args.posed.input, common)?;
    let opened = known.open(&input, common)?;
    let meter = common.options().read.budget.meter(&budget::QUERYING, known.source.bytes.len());
    let found = opened.as_drawn()?.pick(&scene(&args.posed), args.ray, &meter);
    let found = found.map_err(|error| Failure::Found(REFUSED, error.cause))?;
    if common.json {
        let hit = rows::hit(found.as_ref()).to_json().as_array_mut().and_then(Vec::pop);
        out::json(&json!({"hit": hit}));
    } else if found.is_none() {
        out::text("the ray meets nothing\n");
    } else {
        let mut hit = rows::hit_in_words(found.as_ref());
        hit.rows.iter_mut().flatten().for_each(spell_out);
        out::text(&table::outline(&hit));
    }
    Ok(0)
}

fn scene(args: &Posed) -> DrawView {
    DrawView {
        lod: args.lod,
        group: args.group,
        time: args.time,
        root: args.root,
        mask: args.mask,
        without: args.without,
    }
}

/// A short list for people: its numbers and words.
fn spell_out(cell: &mut Value) {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Value::Array(items) = cell {
        let words = items.iter().map(word).collect::<Vec<_>>().join(" ");
        *cell = if words.is_empty() { Value::Null } else { json!(words) };
    }
}

/// Flags: a number, or `0x` and a hex one.
pub(crate) fn flags(word: &str) -> Result<u32, String> {
    let number = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => word.parse(),
    };
    number.map_err(|problem| problem.to_string())
}

/// A ray: six numbers with commas between them.
pub(crate) fn ray(word: &str) -> Result<Ray, String> {
    numbers(word)
}

/// Planes: four numbers each with commas between them, and `;` between planes.
pub(crate) fn planes(word: &str) -> Result<Vec<Plane>, String> {
    word.split(';').map(numbers).collect()
}

fn numbers<const N: usize>(word: &str) -> Result<[f32; N], String> {
    let number = |part: &str| part.trim().parse::<f32>().map_err(|_| format!("`{part}` is no number"));
    let all: Vec<f32> = word.split(',').map(number).collect::<Result<_, _>>()?;
    let count = all.len();
    all.try_into().map_err(|_| format!("{N} numbers with commas between them wanted, {count} found"))
}
