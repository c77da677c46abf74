//! Colours of screens as light and back, by tables: the same on every machine.

use std::sync::LazyLock;

use glam::Vec4;

/// Light for each channel of a screen's colour (sRGB), from 0 to 1.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|channel| {
        let shown = channel as f64 / 255.0;
        let light = if shown <= 0.040_45 { shown / 12.92 } else { libm::pow((shown + 0.055) / 1.055, 2.4) };
        light as f32
    })
});

/// Steps of light. Where the way back is steepest one of them is less than a channel's step.
const STEPS: usize = 4096;

/// The channel for each step of light.
static SHOWN: LazyLock<[u8; STEPS]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let light = step as f64 / (STEPS - 1) as f64;
        let shown =
            if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 };
        (shown * 255.0 + 0.5) as u8
    })
});

/// Both tables, to be asked for once per picture.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    light: &'static [f32; 256],
    shown: &'static [u8; STEPS],
}

impl Tables {
    pub(crate) fn new() -> Self {
        Tables { light: &LIGHT, shown: &SHOWN }
    }

    /// A channel as light.
    #[inline]
    pub(crate) fn light(self, channel: u8) -> f32 {
        self.light[usize::from(channel)]
    }

    /// Light as channels; what is brighter than a screen is white.
    #[inline]
    pub(crate) fn shown(self, light: Vec4) -> [u8; 4] {
        let steps = light * Vec4::splat((STEPS - 1) as f32) + Vec4::splat(0.5);
        steps.to_array().map(|step| self.shown[usize::from(step as u16).min(STEPS - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_comes_back() {
        let tables = Tables::new();
        let back = |channel: u8| tables.shown(Vec4::splat(tables.light(channel)))[0];
        assert!((0..=255).all(|channel| back(channel).abs_diff(channel) <= 1));
        assert!((16..=255).all(|channel| back(channel) == channel));
        let odd = Vec4::new(f32::NAN, -1.0, 2.0, f32::INFINITY);
        assert_eq!(tables.shown(odd), [0, 0, 255, 255]);
    }

    #[test]
    fn half_of_the_light_is_three_quarters_of_the_channel() {
        assert_eq!(Tables::new().shown(Vec4::splat(0.502_886)), [188; 4]);
    }
}
