//! Texm: the texture of Parkan. Only the size of its picture is read.

/// The four letters it begins with, which are also its type in an archive.
pub const MAGIC: [u8; 4] = *b"Texm";

/// Width and height in pixels, or `None` where the bytes are no texture.
pub fn size(file: &[u8]) -> Option<[u32; 2]> {
    let sides = file.strip_prefix(&MAGIC)?;
    let (width, sides) = sides.split_first_chunk()?;
    Some([u32::from_le_bytes(*width), u32::from_le_bytes(*sides.first_chunk()?)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_stands_behind_the_magic() {
        assert_eq!(size(b"Texm\x40\0\0\0\x20\0\0\0\x01\0\0\0"), Some([64, 32]));
        assert_eq!(size(b"Texm\x40\0\0\0\x20\0\0"), None);
        assert_eq!(size(b"Page\x40\0\0\0\x20\0\0\0"), None);
    }
}
