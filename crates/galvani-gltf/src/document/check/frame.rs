//! The frame of a `.glb`, and the text as a text.

use galvani_core::{Path, Report};

use super::{CHUNK_CUT, CHUNK_ORDER, LENGTH, MARK, PADDING, TRAILING, UNKNOWN_CHUNK, UTF8};
use crate::document::read::wide;
use crate::document::{BIN, Binary, CHUNK_HEAD_LEN, Document, Frame, HEADER_LEN};

/// Chunks begin on multiples of this.
const ALIGNMENT: usize = 4;

pub(super) fn check(document: &Document, report: &mut Report) {
    let text = document.json().text();
    match &document.frame {
        Frame::Text { has_mark: true } => report.push(MARK.at(Path::named("mark")).offset(0)),
        Frame::Text { has_mark: false } => {}
        Frame::Binary(binary) => binary_frame(binary, text.len(), document.file_len(), report),
    }
    if let Err(error) = std::str::from_utf8(text) {
        let offset = document.text_start().saturating_add(error.valid_up_to());
        report.push(UTF8.at(Path::named("json")).offset(offset));
    }
}

fn binary_frame(binary: &Binary, text_len: usize, len: usize, report: &mut Report) {
    if wide(binary.stated_len) != len {
        let said = format!("{len} bytes found, {} said", binary.stated_len);
        report.push(LENGTH.at(Path::named("length")).offset(8).saying(said));
    }
    let text_len = text_len.saturating_add(binary.zeros);
    let text_end = HEADER_LEN.saturating_add(CHUNK_HEAD_LEN).saturating_add(text_len);
    if binary.zeros > 0 || !text_end.is_multiple_of(ALIGNMENT) {
        let said = format!("{} zeros behind {} bytes", binary.zeros, text_len.saturating_sub(binary.zeros));
        report.push(PADDING.at(Path::named("json")).offset(text_end).saying(said));
    }
    let mut at = text_end;
    for (i, chunk) in binary.chunks.iter().enumerate() {
        let path = Path::named("chunks").index(i.saturating_add(1));
        let (found, said) = (chunk.bytes.len(), wide(chunk.stated_len));
        if found != said {
            let said = format!("{said} bytes wanted, {found} found");
            report.push(CHUNK_CUT.at(path).offset(at).saying(said));
        }
        if chunk.kind == BIN && i > 0 {
            report.push(CHUNK_ORDER.at(path).offset(at).saying(format!("{found} bytes")));
        }
        if chunk.kind != BIN {
            let said = format!("`{}`, {found} bytes", chunk.kind.escape_ascii());
            report.push(UNKNOWN_CHUNK.at(path).offset(at).saying(said));
        }
        at = at.saturating_add(CHUNK_HEAD_LEN).saturating_add(found);
        if !at.is_multiple_of(ALIGNMENT) && found == said {
            report.push(PADDING.at(path).offset(at).saying(format!("{found} bytes")));
        }
    }
    if !binary.trailing.is_empty() {
        let said = format!("{} bytes", binary.trailing.len());
        report.push(TRAILING.at(Path::named("trailing")).offset(at).saying(said));
    }
}
