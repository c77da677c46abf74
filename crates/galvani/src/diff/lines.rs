//! What differs between two texts.

use galvani_core::text;
use serde_json::{Value, json};

use super::{Change, Tell};

/// What differs between two texts, line by line. What they begin and end with alike is left out.
pub(crate) fn lines(a: &[u8], b: &[u8], tell: &mut Tell<'_>) {
    let counts = (split(a).count(), split(b).count());
    let begin = split(a).zip(split(b)).take_while(|(a, b)| shown(a) == shown(b)).count();
    let most = counts.0.min(counts.1).saturating_sub(begin);
    let ends = split(a).rev().zip(split(b).rev()).take(most);
    let end = ends.take_while(|(a, b)| shown(a) == shown(b)).count();
    let middle = |text, count: usize| split(text).take(count.saturating_sub(end)).skip(begin);
    let (mut old, mut new) = (middle(a, counts.0), middle(b, counts.1));
    for i in begin.. {
        let (old, new) = (old.next(), new.next());
        if old.is_none() && new.is_none() {
            return;
        }
        let side = |line: Option<&[u8]>| line.map_or(Value::Null, |line| json!(shown(line)));
        tell(Change::new(format!("lines[{}]", i + 1), side(old), side(new)));
    }
}

fn split(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

fn shown(line: &[u8]) -> String {
    text::shown(line).trim_end().to_owned()
}
