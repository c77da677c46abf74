//! Names in a room of fixed width.

use std::fmt;

use crate::diag::{Code, EditError};
use crate::path::Path;
use crate::text;

/// Declares a name of fixed width: the type, how it is made and shown, and the codes of its refusals. A NUL stands
/// behind it, unless it is said how many bytes it has at most.
///
/// ```
/// mod check {
///     galvani_core::codes! {
///         NAME_REFUSED = Error, "toy.name-refused", "a name is empty or has a NUL", "give another name";
///         NAME_TOO_LONG = Error, "toy.name-too-long", "a name is longer than 7 bytes", "give a shorter name";
///     }
/// }
/// galvani_core::fixed_name! {
///     /// A name in its 8 bytes.
///     pub struct Name: 8;
///     refused: check::NAME_REFUSED;
///     too_long: check::NAME_TOO_LONG;
/// }
/// assert_eq!(Name::new(b"tank")?.text(), b"tank");
/// assert_eq!(Name::new(b"tank-destroyer").unwrap_err().cause.code, &check::NAME_TOO_LONG);
/// # Ok::<(), galvani_core::EditError>(())
/// ```
#[macro_export]
macro_rules! fixed_name {
    (
        $(#[$doc:meta])*
        pub struct $name:ident: $len:expr;
        refused: $refused:path;
        too_long: $too_long:path;
    ) => {
        $crate::fixed_name! {
            $(#[$doc])*
            pub struct $name: $len, of at most $len - 1;
            refused: $refused;
            too_long: $too_long;
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $name:ident: $len:expr, of at most $most:expr;
        refused: $refused:path;
        too_long: $too_long:path;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name(pub [u8; $len]);

        impl $name {
            /// A name with zeros behind it. Refused if empty, with a NUL inside, or too long.
            pub fn new(name: &[u8]) -> Result<Self, $crate::EditError> {
                $crate::archive::filled_room(name, $most, &$refused, &$too_long).map($name)
            }

            /// The bytes before the NUL.
            pub fn text(&self) -> &[u8] {
                $crate::text::before_nul(&self.0)
            }

            /// The same name with zeros behind it.
            #[must_use]
            pub fn zero_filled(self) -> Self {
                $name($crate::archive::zero_filled(self.0))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::text::shown(&self.0))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::archive::fmt_debug(f, stringify!($name), &self.0)
            }
        }
    };
}

/// A name of at most so many bytes with zeros behind it; else a refusal.
pub fn filled_room<const N: usize>(
    name: &[u8],
    most: usize,
    refused: &'static Code,
    too_long: &'static Code,
) -> Result<[u8; N], EditError> {
    let refusal =
        |code: &'static Code, found: String| EditError::from(code.at(Path::named("name")).saying(found));
    if name.is_empty() || name.contains(&0) {
        let found = format!("`{}` is empty or has a NUL inside", text::shown(name));
        return Err(refusal(refused, found));
    }
    let mut room = [0; N];
    let Some(start) = room.get_mut(..name.len()).filter(|start| start.len() <= most) else {
        let nul = if most < N { " beside the NUL" } else { "" };
        let found = format!("{} bytes, {most} fit{nul}", name.len());
        return Err(refusal(too_long, found));
    };
    start.copy_from_slice(name);
    Ok(room)
}

/// The same bytes with zeros from the first NUL on.
pub fn zero_filled<const N: usize>(mut room: [u8; N]) -> [u8; N] {
    let len = text::before_nul(&room).len();
    room.iter_mut().skip(len).for_each(|byte| *byte = 0);
    room
}

/// The text of a name, and its bytes too where they say more.
pub fn fmt_debug(f: &mut fmt::Formatter<'_>, of: &str, room: &[u8]) -> fmt::Result {
    write!(f, "{of}({:?}", text::shown(room))?;
    if !text::says_all(room) {
        write!(f, " {}", text::hex(room))?;
    }
    f.write_str(")")
}
