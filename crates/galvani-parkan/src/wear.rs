//! WEAR: the material table of a model, a text beside it in its archive. Only the number of its rows is read, and
//! whether a table of lightmaps follows.

/// How many rows a table has, as its first line says. `None` where that line is no number from 1 on: the game
/// refuses such a table (`Illegal wear length.`), and nothing follows for its model.
pub fn row_count(text: &[u8]) -> Option<usize> {
    let line = text.split(|&byte| byte == b'\n').next()?;
    let count = std::str::from_utf8(line).ok()?.trim_ascii().parse().ok()?;
    (count > 0).then_some(count)
}

/// Whether a table of lightmaps follows: the keyword alone on a line.
pub fn has_lightmaps(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| line.trim_ascii() == b"LIGHTMAPS")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_counts_the_rows() {
        let tables: [&[u8]; 4] = [b"2\n0 RUST\n1 GLASS\n", b"2\r\n0 A\r\n", b" 2 \n", b"2"];
        for text in tables {
            assert_eq!(row_count(text), Some(2), "{text:?}");
        }
    }

    #[test]
    fn lightmaps_follow_a_line_of_their_own() {
        assert!(has_lightmaps(b"1\n0 RUST\n\nLIGHTMAPS\n1\n0 GLOW\n"));
        assert!(has_lightmaps(b"1\r\n0 RUST\r\n\r\nLIGHTMAPS\r\n"));
        assert!(!has_lightmaps(b"1\n0 LIGHTMAPS\n"));
        assert!(!has_lightmaps(b""));
    }

    #[test]
    fn a_line_that_is_no_count_says_nothing() {
        let tables: [&[u8]; 7] =
            [b"", b"\n2\n", b"0\n", b"-1\n", b"two\n", b"\xd2\n", b"99999999999999999999\n"];
        for text in tables {
            assert_eq!(row_count(text), None, "{text:?}");
        }
    }
}
