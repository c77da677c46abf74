//! Raw Deflate, RFC 1951.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::{Failure, Unpacked, room_for};

/// How hard to look for short forms: as hard as there is, contents are small.
const LEVEL: u8 = 10;

/// A byte can give this many at most: two bits for a match of 258 bytes.
const MOST_PER_BYTE: usize = 1032;

pub(super) fn unpack(packed: &[u8], len: usize) -> Result<Unpacked, Failure> {
    // A byte more than wanted, so that a stream which goes on is told from one that ends.
    let room = len.min(packed.len().saturating_mul(MOST_PER_BYTE)).saturating_add(1);
    let mut bytes = room_for(room)?;
    bytes.resize(room, 0);
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, used, made) = decompress(&mut DecompressorOxide::new(), packed, &mut bytes, 0, flags);
    bytes.truncate(made);
    match status {
        _ if made > len => Err(Failure::Long),
        TINFLStatus::Done if made == len => Ok(Unpacked { bytes, used }),
        TINFLStatus::Done | TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
            Err(Failure::Short { made })
        }
        _ => Err(Failure::Corrupt { made }),
    }
}

pub(super) fn pack(content: &[u8]) -> Vec<u8> {
    compress_to_vec(content, LEVEL)
}
