//! How payloads are packed (docs/formats/rsli.md#methods).
//!
//! What was unpacked so far is the window that matches copy from; before its first byte stand blanks without end.

mod deflate;
mod lzhuf;
mod lzss;
mod matches;
mod tree;

use std::fmt;

use galvani_core::{Exhausted, room};

use super::cipher;

/// The bits of an entry's flags that say how it is packed.
pub const METHOD_BITS: u16 = 0x1e0;

/// How a payload is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// As it is.
    Stored,
    /// Under the cipher.
    Xor,
    /// Matches and literals.
    Lzss,
    /// The same, under the cipher.
    XorLzss,
    /// Matches and literals in codes that follow what was there.
    Lzhuf,
    /// The same, under the cipher.
    XorLzhuf,
    /// Raw Deflate.
    Deflate,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 7] = [
        Method::Stored,
        Method::Xor,
        Method::Lzss,
        Method::XorLzss,
        Method::Lzhuf,
        Method::XorLzhuf,
        Method::Deflate,
    ];

    /// The method that an entry's flags name.
    pub fn from_flags(flags: u16) -> Option<Self> {
        Method::ALL.into_iter().find(|method| method.bits() == flags & METHOD_BITS)
    }

    /// Its bits in an entry's flags.
    pub fn bits(self) -> u16 {
        match self {
            Method::Stored => 0x000,
            Method::Xor => 0x020,
            Method::Lzss => 0x040,
            Method::XorLzss => 0x060,
            Method::Lzhuf => 0x080,
            Method::XorLzhuf => 0x0a0,
            Method::Deflate => 0x100,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Method::Stored => "stored",
            Method::Xor => "xor",
            Method::Lzss => "lzss",
            Method::XorLzss => "xor-lzss",
            Method::Lzhuf => "lzhuf",
            Method::XorLzhuf => "xor-lzhuf",
            Method::Deflate => "deflate",
        }
    }

    /// Whether the packed bytes are under the cipher.
    pub fn is_ciphered(self) -> bool {
        matches!(self, Method::Xor | Method::XorLzss | Method::XorLzhuf)
    }

    /// Whether the packed bytes are as many as the content's.
    pub fn keeps_len(self) -> bool {
        matches!(self, Method::Stored | Method::Xor)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What packed bytes held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The content.
    pub bytes: Vec<u8>,
    /// Packed bytes that were needed.
    pub used: usize,
}

/// Why packed bytes do not give the content that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// They end before.
    Short {
        /// Bytes of content that they gave.
        made: usize,
    },
    /// They go on behind its last byte.
    Long,
    /// There is no room for it.
    NoRoom {
        /// Bytes that were wanted.
        wanted: usize,
    },
    /// They are no such packed bytes.
    Corrupt {
        /// Bytes of content before that.
        made: usize,
    },
}

/// Unpacks exactly `len` bytes. No more is made than that, nor more than the packed bytes can give.
pub fn unpack(method: Method, key: u16, packed: &[u8], len: usize) -> Result<Unpacked, Failure> {
    let plain = if method.is_ciphered() {
        &cipher::ciphered(key, packed).map_err(|_| Failure::NoRoom { wanted: packed.len() })?
    } else {
        packed
    };
    match method {
        Method::Stored | Method::Xor => match plain.len().cmp(&len) {
            std::cmp::Ordering::Less => Err(Failure::Short { made: plain.len() }),
            std::cmp::Ordering::Equal => {
                let mut bytes = room_for(len)?;
                bytes.extend_from_slice(plain);
                Ok(Unpacked { bytes, used: len })
            }
            std::cmp::Ordering::Greater => Err(Failure::Long),
        },
        Method::Lzss | Method::XorLzss => lzss::unpack(plain, len),
        Method::Lzhuf | Method::XorLzhuf => lzhuf::unpack(plain, len),
        Method::Deflate => deflate::unpack(plain, len),
    }
}

/// Packs content.
pub fn pack(method: Method, key: u16, content: &[u8]) -> Result<Vec<u8>, Exhausted> {
    let mut packed = pack_plain(method, content)?;
    if method.is_ciphered() {
        cipher::apply(key, &mut packed);
    }
    Ok(packed)
}

/// Packs content without the cipher that its method may have.
pub(super) fn pack_plain(method: Method, content: &[u8]) -> Result<Vec<u8>, Exhausted> {
    if !method.keeps_len() {
        room::probe(content.len().saturating_mul(PACKING))?;
    }
    Ok(match method {
        Method::Stored | Method::Xor => room::copied(content)?,
        Method::Lzss | Method::XorLzss => lzss::pack(content),
        Method::Lzhuf | Method::XorLzhuf => lzhuf::pack(content),
        Method::Deflate => deflate::pack(content),
    })
}

/// Bytes that packing takes for each of the content at most: a copy, where it stood before, and twice what becomes of it.
const PACKING: usize = 8;

/// An empty list with room for so much content.
fn room_for(len: usize) -> Result<Vec<u8>, Failure> {
    room::with_capacity(len).map_err(|_| Failure::NoRoom { wanted: len })
}

/// What stands before the first byte.
const BLANK: u8 = b' ';

/// Bytes of the window.
const WINDOW: usize = 4096;

/// The fewest bytes that a match copies.
const SHORTEST: usize = 3;

/// Appends `count` bytes from `distance` before the end, one after the other, but nothing beyond `len`.
fn copy(made: &mut Vec<u8>, distance: usize, count: usize, len: usize) {
    let count = count.min(len.saturating_sub(made.len()));
    for _ in 0..count {
        let from = made.len().checked_sub(distance).and_then(|at| made.get(at)).copied();
        made.push(from.unwrap_or(BLANK));
    }
}
