//! The JSON as text. Its long lists, of channels, samplers and accessors, are written by hand: most of the text is
//! theirs, and a general writer takes several times as long for it.

use galvani_core::{Path, WriteError};
use serde::Serialize;

use crate::schema::{Accessor, Animation, Channel, Sampler, TopLevel};
use crate::{SCENE, pointer};

/// What a row of a long list takes, about.
const ROW_LEN: usize = 96;

/// How long the text will be, about.
pub(crate) fn about(root: &TopLevel) -> usize {
    let in_clips = root.animations.iter().map(|clip| clip.channels.len().saturating_add(clip.samplers.len()));
    in_clips.fold(root.accessors.len(), usize::saturating_add).saturating_mul(ROW_LEN)
}

/// Appends the whole text.
pub(crate) fn write(text: &mut Vec<u8>, root: &TopLevel) -> Result<(), WriteError> {
    whole(text, root).map_err(|error| SCENE.at(Path::root()).saying(error.to_string()).into())
}

fn whole(text: &mut Vec<u8>, root: &TopLevel) -> serde_json::Result<()> {
    value(text, root)?;
    let closing = text.pop();
    list(text, b",\"animations\":", &root.animations, animation)?;
    list(text, b",\"accessors\":", &root.accessors, accessor)?;
    list(text, b",\"bufferViews\":", &root.buffer_views, value)?;
    list(text, b",\"buffers\":", &root.buffers, value)?;
    text.extend(closing);
    Ok(())
}

/// A member that is a list; nothing if it is empty.
fn list<T>(
    text: &mut Vec<u8>,
    name: &[u8],
    rows: &[T],
    row: impl Fn(&mut Vec<u8>, &T) -> serde_json::Result<()>,
) -> serde_json::Result<()> {
    let Some((first, others)) = rows.split_first() else { return Ok(()) };
    text.extend_from_slice(name);
    text.push(b'[');
    row(text, first)?;
    for of in others {
        text.push(b',');
        row(text, of)?;
    }
    text.push(b']');
    Ok(())
}

fn animation(text: &mut Vec<u8>, of: &Animation) -> serde_json::Result<()> {
    member(text, b"{\"name\":", &of.name)?;
    list(text, b",\"channels\":", &of.channels, channel)?;
    list(text, b",\"samplers\":", &of.samplers, |text, of| {
        sampler(text, *of);
        Ok(())
    })?;
    member(text, b",\"extras\":", &of.extras)?;
    text.push(b'}');
    Ok(())
}

fn channel(text: &mut Vec<u8>, of: &Channel) -> serde_json::Result<()> {
    count(text, b"{\"sampler\":", of.sampler);
    text.extend_from_slice(b",\"target\":{");
    if let Some(node) = of.target.node {
        count(text, b"\"node\":", node);
        text.push(b',');
    }
    word(text, b"\"path\":\"", of.target.path);
    if let Some(pointer) = &of.target.pointer {
        word(text, b",\"extensions\":{\"", pointer::NAME);
        member(text, b":{\"pointer\":", pointer)?;
        text.extend_from_slice(b"}}");
    }
    text.extend_from_slice(b"}}");
    Ok(())
}

fn sampler(text: &mut Vec<u8>, of: Sampler) {
    count(text, b"{\"input\":", of.input);
    count(text, b",\"output\":", of.output);
    word(text, b",\"interpolation\":\"", of.interpolation);
    text.push(b'}');
}

fn accessor(text: &mut Vec<u8>, of: &Accessor) -> serde_json::Result<()> {
    count(text, b"{\"bufferView\":", of.buffer_view);
    count(text, b",\"byteOffset\":", of.byte_offset);
    member(text, b",\"componentType\":", &of.component_type)?;
    count(text, b",\"count\":", of.count);
    word(text, b",\"type\":\"", of.form);
    if !of.min.is_empty() {
        member(text, b",\"min\":", &of.min)?;
        member(text, b",\"max\":", &of.max)?;
    }
    text.push(b'}');
    Ok(())
}

/// What stands before a value, and the value.
fn member<const N: usize, T: Serialize>(
    text: &mut Vec<u8>,
    before: &[u8; N],
    of: &T,
) -> serde_json::Result<()> {
    text.extend(before);
    value(text, of)
}

/// What stands before a number, and the number.
fn count<const N: usize>(text: &mut Vec<u8>, before: &[u8; N], of: usize) {
    text.extend(before);
    number(text, of);
}

/// A number. Most have few digits, and so many bytes are put there at once.
fn number(text: &mut Vec<u8>, of: usize) {
    let digit = |of: usize| u8::try_from(of % 10).unwrap_or_default().wrapping_add(b'0');
    let four = |of: usize| [digit(of / 1000), digit(of / 100), digit(of / 10), digit(of)];
    match of {
        0..10 => text.push(digit(of)),
        10..100 => text.extend(&[digit(of / 10), digit(of)]),
        100..1000 => text.extend(&[digit(of / 100), digit(of / 10), digit(of)]),
        1000..10_000 => text.extend(&four(of)),
        _ => {
            number(text, of / 10_000);
            text.extend(&four(of % 10_000));
        }
    }
}

/// What stands before a word of glTF's own, and the word.
fn word<const N: usize>(text: &mut Vec<u8>, before: &[u8; N], word: &str) {
    text.extend(before);
    text.extend_from_slice(word.as_bytes());
    text.push(b'"');
}

fn value<T: Serialize>(text: &mut Vec<u8>, of: &T) -> serde_json::Result<()> {
    serde_json::to_writer(text, of)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_written_as_everybody_writes_them() {
        let edges = (0..20).map(|digits| 10_usize.saturating_pow(digits));
        for of in edges.flat_map(|edge| [edge - 1, edge, edge.saturating_add(1), edge / 9 * 7, usize::MAX]) {
            let mut text = Vec::new();
            number(&mut text, of);
            assert_eq!(String::from_utf8(text).unwrap(), of.to_string());
        }
    }
}
