//! Ways to damage a file.

/// A file cut at every byte.
pub fn truncations(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..file.len()).map(|len| &file[..len])
}

/// A file with every 32-bit word, at every byte offset, set to 0, 1, the largest signed and the largest
/// unsigned value in turn.
pub fn word_damage(file: &[u8], mut each: impl FnMut(usize, &[u8])) {
    let mut damaged = file.to_vec();
    for at in 0..file.len().saturating_sub(3) {
        for word in [0_u32, 1, 0x7fff_ffff, u32::MAX] {
            damaged[at..at + 4].copy_from_slice(&word.to_le_bytes());
            each(at, &damaged);
        }
        damaged[at..at + 4].copy_from_slice(&file[at..at + 4]);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn word_damage_touches_four_bytes_and_puts_them_back() {
        let file = [7_u8; 6];
        let mut seen = 0;
        super::word_damage(&file, |at, damaged| {
            seen += 1;
            let same = |i: usize| damaged[i] == 7;
            assert!((0..6).filter(|i| !(at..at + 4).contains(i)).all(same));
        });
        assert_eq!(seen, 12);
    }
}
