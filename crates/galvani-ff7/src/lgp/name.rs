//! Names in their room.

use super::check;

/// Bytes of a name's room, the NUL included.
pub const NAME_LEN: usize = 20;

galvani_core::fixed_name! {
    /// A name in its 20 bytes, with whatever stands behind its NUL.
    pub struct Name: NAME_LEN;
    refused: check::NAME_REFUSED;
    too_long: check::NAME_TOO_LONG;
}
