//! Any format of the registry under the fuzzer, through the one door.

use galvani::Scrutiny;
use galvani::formats::{Folder, Format, OpenOptions, Site};
use serde_json::{Value, json};

use crate::laws;

/// Reads, writes, packs, checks, outlines, dumps, poses, lifts, draws, picks and shows.
pub(crate) fn read(format: &'static dyn Format, data: &[u8]) {
    laws::answers(format, data);
}

/// Edits that the first bytes pick.
pub(crate) fn edit(format: &'static dyn Format, data: &[u8]) {
    let Some((dice, file)) = dice_and_file(data) else { return };
    laws::edits(format, file, dice.iter().copied());
}

/// Two documents compared: the second is the first with some of its bytes changed.
pub(crate) fn diff(format: &'static dyn Format, data: &[u8]) {
    let Some((changes, file)) = dice_and_file(data) else { return };
    let mut other = file.to_vec();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if let Some(byte) = other.get_mut(at) {
            *byte = change[2];
        }
    }
    let options = OpenOptions::default();
    if let (Ok(a), Ok(b)) = (format.open(file, &options), format.open(&other, &options)) {
        laws::compares(&a, &b);
    }
}

/// The file and everything in it, as archives hold it.
pub(crate) fn nested(format: &'static dyn Format, data: &[u8]) {
    let options = OpenOptions::default();
    let rows = galvani::nested::check("file", &Site::NOWHERE, format, data, &options, Scrutiny::Pedantic);
    assert!(!rows.is_empty());
    if let Ok(opened) = format.open(data, &options) {
        let _ = galvani::contents::outline(&opened, &options, &Site::NOWHERE);
    }
}

/// Longest file whose folder is tampered with: manifests are many times as long.
const UNPACKED: usize = 1 << 14;

/// A folder that somebody tampered with is packed or refused; what it is packed to answers like any file.
pub(crate) fn folder(format: &'static dyn Format, data: &[u8]) {
    let Some((dice, file)) = dice_and_file(data) else { return };
    if file.len() > UNPACKED {
        return;
    }
    let Ok(opened) = format.open(file, &OpenOptions::default()) else { return };
    let mut folder = opened.document.unpack().expect("there is room");
    for dice in dice.chunks_exact(4).take(4) {
        tamper(&mut folder, [dice[0], dice[1], dice[2], dice[3]]);
    }
    if let Ok(packed) = format.pack(&folder) {
        laws::answers(format, &packed);
    }
}

/// Changes a file or a value of the manifest; the dice say which, and to what.
fn tamper(folder: &mut Folder, [kind, first, second, with]: [u8; 4]) {
    let place = usize::from(u16::from_le_bytes([first, second]));
    let file = folder.files.keys().nth(place % folder.files.len().max(1)).cloned();
    match (kind % 6, file) {
        (0, Some(file)) => drop(folder.files.remove(&file)),
        (1, Some(file)) => drop(folder.files.insert(file, vec![with; place % 70])),
        (2, Some(file)) => {
            if let Some(byte) = folder.files.get_mut(&file).and_then(|bytes| bytes.get_mut(usize::from(with)))
            {
                *byte = !*byte;
            }
        }
        _ => {
            let mut count = place % leaves(&folder.manifest).max(1);
            change(&mut folder.manifest, &mut count, with);
        }
    }
}

/// How many values there are in a value, itself included.
pub(crate) fn leaves(value: &Value) -> usize {
    1 + match value {
        Value::Array(all) => all.iter().map(leaves).sum::<usize>(),
        Value::Object(all) => all.values().map(leaves).sum(),
        _ => 0,
    }
}

/// Puts something else in the place of the value that so many others stand before.
pub(crate) fn change(value: &mut Value, before: &mut usize, with: u8) {
    if *before == 0 {
        *before = usize::MAX;
        let number = value.as_i64().unwrap_or(1);
        let others = [
            json!(null),
            json!(number.wrapping_add(1)),
            json!(number.wrapping_mul(2)),
            json!(-1),
            json!(u32::MAX),
            json!(u64::MAX),
            json!(1e300),
            json!("ff"),
            json!("canonical"),
            json!([]),
            json!({}),
            json!(true),
            json!([value.clone(), value.clone()]),
        ];
        *value = others[usize::from(with) % others.len()].clone();
        return;
    }
    *before -= 1;
    let inside: Vec<&mut Value> = match value {
        Value::Array(all) => all.iter_mut().collect(),
        Value::Object(all) => all.values_mut().collect(),
        _ => return,
    };
    for one in inside {
        change(one, before, with);
        if *before == usize::MAX {
            return;
        }
    }
}

/// A first byte says how many bytes of dice follow; the rest is a file.
pub(crate) fn dice_and_file(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = data.split_first()?;
    Some(rest.split_at(usize::from(*count).min(rest.len())))
}
