//! Where bytes are that a document names.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use galvani_core::{Exhausted, room};

/// Where something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address<'a> {
    /// In the address itself, as text; see [`Inline::bytes`].
    Inline(Inline<'a>),
    /// In a file beside the document, of that name, `/` between folders.
    File(Cow<'a, str>),
    /// Elsewhere: nobody goes there.
    Elsewhere,
}

/// Bytes in an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inline<'a> {
    /// What kind of file they are, such as `image/png`; may be empty.
    pub mime_type: &'a str,
    /// Whether the text is of base 64, and not the bytes themselves with `%` before hexadecimal ones.
    is_base64: bool,
    text: &'a str,
}

/// Where an address leads.
pub fn address(uri: &str) -> Address<'_> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let (head, text) = rest.split_once(',').unwrap_or((rest, ""));
        let (mime_type, is_base64) = match head.strip_suffix(";base64") {
            Some(mime_type) => (mime_type, true),
            None => (head, false),
        };
        return Address::Inline(Inline { mime_type, is_base64, text });
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let has_scheme = uri.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(is_letter));
    if uri.is_empty() || has_scheme || uri.starts_with('/') || uri.starts_with('\\') {
        return Address::Elsewhere;
    }
    let name = plain(uri);
    if name.split(['/', '\\']).any(|part| part == "..") {
        return Address::Elsewhere;
    }
    Address::File(name)
}

/// A text with the characters for which `%` and two digits stand.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(String::from_utf8_lossy(&unescaped(text)).into_owned())
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut bytes = Vec::new();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        let digits = behind.get(..2).filter(|_| byte == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(escaped) => {
                bytes.push(escaped);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => bytes.push(byte),
        }
    }
    bytes
}

impl Inline<'_> {
    /// The bytes; nothing if the text is not as it says.
    pub fn bytes(self) -> Result<Option<Vec<u8>>, Exhausted> {
        room::probe(self.text.len())?;
        if !self.is_base64 {
            return Ok(Some(unescaped(self.text)));
        }
        let text = if self.text.contains('%') {
            Cow::Owned(unescaped(self.text))
        } else {
            self.text.as_bytes().into()
        };
        let padded = BASE64_STANDARD.decode(&text);
        Ok(padded.or_else(|_| BASE64_STANDARD_NO_PAD.decode(&text)).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_into_the_text_or_beside_the_document_or_nowhere() {
        let bytes = |uri: &str| match address(uri) {
            Address::Inline(inline) => inline.bytes().unwrap(),
            other => panic!("{other:?}"),
        };
        assert_eq!(bytes("data:application/octet-stream;base64,AQID").unwrap(), [1, 2, 3]);
        assert_eq!(bytes("data:;base64,AQIDBA==").unwrap(), [1, 2, 3, 4]);
        assert_eq!(bytes("data:;base64,AQIDBA").unwrap(), [1, 2, 3, 4]);
        assert_eq!(bytes("data:;base64,AQID%42A%3D%3D").unwrap(), [1, 2, 3, 4]);
        assert_eq!(bytes("data:text/plain,a%20b").unwrap(), b"a b");
        assert_eq!(bytes("data:;base64,A?"), None);
        assert_eq!(address("a%20b/c.bin"), Address::File("a b/c.bin".into()));
        assert_eq!(address("50%.bin"), Address::File("50%.bin".into()));
        for elsewhere in ["", "http://a/b", "C:\\a", "/etc/passwd", "../a", "a/%2e%2e/b", "\\a"] {
            assert_eq!(address(elsewhere), Address::Elsewhere, "{elsewhere}");
        }
    }
}
