//! Pictures as terminals like kitty take them: pixels in base 64, piece by piece.

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use galvani::image::Image;

/// Most letters of a piece.
const PIECE: usize = 4096;

/// A picture in place of the one that was shown before.
pub(crate) fn kitty(image: &Image) -> String {
    let text = STANDARD.encode(image.rgba.as_flattened());
    let mut out = String::new();
    let mut rest = text.as_str();
    let mut head = format!("a=T,f=32,s={},v={},i=1,p=1,q=2,C=1,", image.width, image.height);
    loop {
        let (piece, more) = rest.split_at_checked(PIECE).unwrap_or((rest, ""));
        let is_more = u8::from(!more.is_empty());
        let _ = write!(out, "\x1b_G{head}m={is_more};{piece}\x1b\\");
        if more.is_empty() {
            return out;
        }
        head.clear();
        rest = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_pictures_come_in_pieces() {
        let rgba: Vec<[u8; 4]> = (0..=255).cycle().take(40 * 30).map(|i| [i, 0, 255, i]).collect();
        let told = kitty(&Image { width: 40, height: 30, rgba: rgba.clone() });
        let pieces: Vec<&str> = told.split("\x1b\\").filter(|piece| !piece.is_empty()).collect();
        assert!(pieces.len() == 2 && pieces[0].starts_with("\x1b_Ga=T,f=32,s=40,v=30,"));
        assert!(pieces[0].contains("m=1;") && pieces[1].starts_with("\x1b_Gm=0;"));
        let text: String =
            pieces.iter().filter_map(|piece| piece.split_once(';')).map(|(_, text)| text).collect();
        assert_eq!(STANDARD.decode(text).unwrap(), rgba.as_flattened());
    }
}
