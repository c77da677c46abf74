//! Names and their order (docs/formats/nres.md#sort-table).

use std::cmp::Ordering;
use std::fmt;

use galvani_core::{Code, EditError, Path, text};

use super::{Entry, check};

/// Bytes of a name's room, the NUL included.
pub const NAME_LEN: usize = 36;

/// A name in its 36 bytes, with whatever stands behind its NUL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name(pub [u8; NAME_LEN]);

impl Name {
    /// A name with zeros behind it. Refused if empty, longer than 35 bytes or with a NUL inside.
    pub fn new(name: &[u8]) -> Result<Self, EditError> {
        let refused = |code: &'static Code, found: String| {
            Err(EditError::from(code.at(Path::of("name")).saying(found)))
        };
        if name.is_empty() || name.contains(&0) {
            return refused(
                &check::NAME_REFUSED,
                format!("`{}` is empty or has a NUL inside", text::shown(name)),
            );
        }
        let mut room = [0; NAME_LEN];
        match room.get_mut(..name.len()) {
            Some(start) if name.len() < NAME_LEN => start.copy_from_slice(name),
            _ => {
                let len = name.len();
                return refused(&check::NAME_TOO_LONG, format!("{len} bytes, 35 fit beside the NUL"));
            }
        }
        Ok(Name(room))
    }

    /// The bytes before the NUL.
    pub fn text(&self) -> &[u8] {
        text::before_nul(&self.0)
    }

    /// The same name with zeros behind it.
    #[must_use]
    pub fn zero_filled(mut self) -> Self {
        let len = self.text().len();
        self.0.iter_mut().skip(len).for_each(|byte| *byte = 0);
        self
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::shown(&self.0))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({:?}", text::shown(&self.0))?;
        if !text::says_all(&self.0) {
            write!(f, " {}", text::hex(&self.0))?;
        }
        f.write_str(")")
    }
}

/// Names in the archive's order: A–Z folded to a–z, then byte by byte.
///
/// Folding up instead would put `_` behind the letters; 120 of 120 archives want it before them.
pub(super) fn folded_cmp(a: &[u8], b: &[u8]) -> Ordering {
    let folded = u8::to_ascii_lowercase;
    a.iter().map(folded).cmp(b.iter().map(folded))
}

/// The sort table of a directory: entry indices by folded name, equal names in directory order.
pub fn sorted(entries: &[Entry]) -> Vec<u32> {
    let mut order: Vec<(u32, &[u8])> = (0..).zip(entries.iter().map(|entry| entry.name.text())).collect();
    order.sort_by(|(_, a), (_, b)| folded_cmp(a, b));
    order.into_iter().map(|(index, _)| index).collect()
}
