//! The cipher over the table and over some payloads (docs/formats/rsli.md#cipher). It is its own inverse.

use galvani_core::{Exhausted, room};

/// Bytes under a key, or in the clear again.
pub fn ciphered(key: u16, bytes: &[u8]) -> Result<Vec<u8>, Exhausted> {
    let mut made = room::copied(bytes)?;
    apply(key, &mut made);
    Ok(made)
}

/// Puts bytes under a key, or takes them from under it.
pub fn apply(key: u16, bytes: &mut [u8]) {
    let [mut low, mut high] = key.to_le_bytes();
    for byte in bytes {
        low = high ^ (low << 1);
        *byte ^= low;
        high = low ^ (high >> 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/formats/rsli.md#cipher.
    #[test]
    fn the_vectors_of_the_page_come_out() {
        assert_eq!(ciphered(0x1234, &[0, 1, 2, 3]).unwrap(), [0x7a, 0x86, 0xb2, 0x8c]);
        let stream = |key| galvani_core::text::hex(&ciphered(key, &[0; 16]).unwrap());
        assert_eq!(stream(0x1234), "7a87b08fe656b7d421275be701649f8a");
        assert_eq!(stream(0x0001), "02060b1e2667bcfd4590bd89e25eaff8");
        assert_eq!(stream(0), "00".repeat(16));
    }

    #[test]
    fn twice_under_a_key_is_in_the_clear() {
        let bytes: Vec<u8> = (0..=255).collect();
        for key in [1, 0x8000, 0xffff, 0x55aa] {
            assert_ne!(ciphered(key, &bytes).unwrap(), bytes);
            assert_eq!(ciphered(key, &ciphered(key, &bytes).unwrap()).unwrap(), bytes);
        }
    }
}
