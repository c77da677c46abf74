//! Pictures for tests, painted from numbers.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "references are written plainly, and each test file uses its part of them"
)]

use galvani_core::Image;

/// A picture of soft colours with a little noise and alpha between 0 and 255.
pub fn painted(width: u32, height: u32) -> Image {
    let mut dice = Dice(7);
    let wave = |turns: f64| (turns.sin() * 0.5 + 0.5) * 220.0;
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (f64::from(x), f64::from(y));
            let noise = f64::from(dice.below(9));
            let colours = [wave(x * 0.07 + y * 0.02), wave(y * 0.05), wave((x + y) * 0.11)];
            let [red, green, blue] = colours.map(|value| (value + noise).min(255.0) as u8);
            rgba.push([red, green, blue, wave(x.hypot(y) * 0.06) as u8]);
        }
    }
    Image { width, height, rgba }
}

/// The same, every pixel to be seen.
pub fn opaque(width: u32, height: u32) -> Image {
    let mut image = painted(width, height);
    image.rgba.iter_mut().for_each(|pixel| pixel[3] = 255);
    image
}

/// Numbers that look random, the same every time.
struct Dice(u32);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % end
    }
}
