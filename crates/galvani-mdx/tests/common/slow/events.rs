//! What happens between two times of a sequence (docs/notes/mdx-runtime.md#events).

use galvani_mdx::{Content, Document, Held};

use super::clock;

/// Which event, at which time of the timeline, how often: while the clock goes from behind `from` to `to`.
///
/// Events are counted over all EVTS chunks, those that could not be read among them. They stand in the order
/// in which they first happen, then of their records, then of time; keys of one time are one line.
pub fn events(document: &Document, sequence: usize, from: f64, to: f64) -> Vec<(usize, f64, u64)> {
    assert!(from.is_finite() && to.is_finite(), "time without an end");
    let Some(window) = clock::window(document, sequence) else { return Vec::new() };
    let mut records = Vec::new();
    for chunk in &document.chunks {
        if let Content::Events(events) = &chunk.content {
            records.extend(&events.items);
        }
    }
    // When it first fires, and what.
    let mut fired: Vec<(f64, (usize, f64, u64))> = Vec::new();
    for (index, record) in records.into_iter().enumerate() {
        let Held::Typed(event) = record else { continue };
        let Some(track) = event.track.as_ref().filter(|track| track.global < 0) else { continue };
        let mut keys: Vec<f64> = track.times.iter().map(|time| f64::from(*time)).collect();
        keys.sort_by(f64::total_cmp);
        for key in keys.into_iter().filter(|key| window.holds(*key)) {
            let passed = passes(key - window.start, window, from, to);
            let Some(first) = passed.first() else { continue };
            let count = u64::try_from(passed.len()).unwrap();
            match fired.last_mut() {
                Some((_, last)) if last.0 == index && last.1.total_cmp(&key).is_eq() => last.2 += count,
                _ => fired.push((*first, (index, key, count))),
            }
        }
    }
    fired.sort_by(|a, b| a.0.total_cmp(&b.0));
    fired.into_iter().map(|(_, what)| what).collect()
}

/// The times of the clock at which something so far from the start is passed.
fn passes(place: f64, window: clock::Window, from: f64, to: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let mut round = 0.0;
    loop {
        let time = place + round * window.length();
        if time > to {
            return found;
        }
        if time > from {
            found.push(time);
        }
        if !window.loops || window.length() <= 0.0 {
            return found;
        }
        round += 1.0;
    }
}
