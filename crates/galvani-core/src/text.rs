//! Text as games store it: bytes up to the first NUL, in no declared encoding.

pub mod piece;

use std::borrow::Cow;

/// The bytes before the first NUL, or all of them.
pub fn before_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or(bytes)
}

/// The bytes before the first NUL as UTF-8 if they are that, else as Latin-1.
pub fn shown(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = before_nul(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Whether [`shown`] plus zero filling gives the bytes back, so that the text says everything.
pub fn says_all(bytes: &[u8]) -> bool {
    let text = before_nul(bytes);
    std::str::from_utf8(text).is_ok() && bytes.iter().skip(text.len()).all(|&byte| byte == 0)
}

/// Lower-case hex without separators.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes that [`hex`] turned into text, or `None` if it is not hex.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.bytes().map(|byte| char::from(byte).to_digit(16)).collect::<Option<Vec<u32>>>()?;
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high.checked_mul(16)?.checked_add(*low)?).ok(),
            _ => None,
        })
        .collect()
}

/// A type id as people write it: the FourCC if all four bytes are printable ASCII, else `None`.
pub fn four_cc(id: u32) -> Option<String> {
    let bytes = id.to_le_bytes();
    bytes.iter().all(u8::is_ascii_graphic).then(|| bytes.iter().map(|&byte| char::from(byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf8_if_valid_and_latin_1_if_not() {
        assert_eq!(shown(b"tank\0junk"), "tank");
        assert_eq!(shown("танк".as_bytes()), "танк");
        assert_eq!(shown(b"\xe9\xff"), "éÿ");
    }

    #[test]
    fn text_says_all_only_when_zeros_follow_valid_utf8() {
        assert!(says_all(b"tank\0\0"));
        assert!(says_all(b"tank"));
        assert!(!says_all(b"tank\0x"));
        assert!(!says_all(b"\xe9\0"));
    }

    #[test]
    fn hex_comes_back() {
        assert_eq!(hex(&[0, 0x7f, 0xff]), "007fff");
        assert_eq!(from_hex("007fFF"), Some(vec![0, 0x7f, 0xff]));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("zz"), None);
        assert_eq!(from_hex("é"), None);
    }

    #[test]
    fn a_four_cc_is_four_printable_bytes() {
        assert_eq!(four_cc(0x6d786554).as_deref(), Some("Texm"));
        assert_eq!(four_cc(19), None);
    }
}
