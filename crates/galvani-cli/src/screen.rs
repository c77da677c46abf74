//! Pictures in a terminal.

mod blocks;
mod kitty;
mod sixel;
#[cfg(unix)]
mod tty;

use galvani::Exhausted;
use galvani::image::Image;

use crate::args::Graphics;

pub(crate) use blocks::blocks;
#[cfg(unix)]
pub(crate) use tty::{Tty, restore};

/// A picture as what a terminal is told to show it, from where its cursor is.
pub(crate) fn told(image: &Image, graphics: Graphics) -> Result<String, Exhausted> {
    match graphics {
        Graphics::Kitty => Ok(kitty::kitty(image)),
        Graphics::Sixel => sixel::sixel(image),
        Graphics::Blocks => Ok(blocks(image, "\r\n")),
    }
}

/// Leaves the terminal as it was.
#[cfg(not(unix))]
pub(crate) fn restore() {}
