//! Colours of screens: as light, and laid over one another.

/// A channel of a screen's colour (sRGB) as light, from 0 to 1.
pub fn linear(channel: u8) -> f32 {
    light(f32::from(channel) / 255.0)
}

/// The same of a channel that is a number from 0 to 1 itself.
pub fn light(shown: f32) -> f32 {
    if shown <= 0.040_45 { shown / 12.92 } else { ((shown + 0.055) / 1.055).powf(2.4) }
}

/// The way back from light to a channel of a screen's colour, both from 0 to 1.
pub fn shown(light: f32) -> f32 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// What becomes of pictures that games add to what is behind them, which other programs cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Additive {
    /// Their darkness becomes transparency: over black all is as it was.
    #[default]
    Bake,
    /// They stay as they are.
    Plain,
}

/// A pixel that is laid over black by alpha as another is added to it: its highest channel becomes alpha.
pub fn added([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let most = red.max(green).max(blue);
    let [red, green, blue] = [red, green, blue].map(|channel| ratio(channel, u8::MAX, most));
    [red, green, blue, ratio(most, alpha, u8::MAX)]
}

/// A product of bytes divided by another, rounded; 0 of nothing.
fn ratio(a: u8, b: u8, by: u8) -> u8 {
    let (product, by) = (u32::from(a).saturating_mul(u32::from(b)), u32::from(by));
    let rounded = product.saturating_add(by / 2).checked_div(by).unwrap_or(0);
    u8::try_from(rounded).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_light_is_three_quarters_of_the_channel() {
        assert_eq!((linear(0).to_bits(), linear(255).to_bits()), (0.0_f32.to_bits(), 1.0_f32.to_bits()));
        assert!((linear(188) - 0.502_886).abs() < 1e-5);
        assert!((linear(5) - 5.0 / 255.0 / 12.92).abs() < 1e-7);
    }

    #[test]
    fn darkness_becomes_transparency() {
        assert_eq!(added([128, 64, 0, 255]), [255, 128, 0, 128]);
        assert_eq!(added([128, 64, 0, 100]), [255, 128, 0, 50]);
        assert_eq!(added([0, 0, 0, 255]), [0, 0, 0, 0]);
    }
}
