//! Colours of screens as light.

/// A channel of a screen's colour (sRGB) as light, from 0 to 1.
pub fn linear(channel: u8) -> f32 {
    let shown = f32::from(channel) / 255.0;
    if shown <= 0.040_45 { shown / 12.92 } else { ((shown + 0.055) / 1.055).powf(2.4) }
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
}
