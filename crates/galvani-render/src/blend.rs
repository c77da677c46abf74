//! How a surface lies over what is behind it, as its game has it.

use galvani_scene::{AlphaMode, Fact, Material};

/// A sample of a picture: red, green and blue already times alpha, and alpha.
pub(crate) type Sample = [u8; 4];

/// How a surface lies over what is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blend {
    /// It covers it.
    Cover,
    /// By alpha.
    Over,
    /// It is added, by alpha.
    Add,
    /// A quarter of it is added.
    AddQuarter,
    /// It is taken away.
    Subtract,
    /// It darkens it.
    Multiply,
    /// It darkens and brightens it.
    Double,
}

impl Blend {
    /// Of a material: glTF has but two ways, what the game does beyond them is told beside.
    pub(crate) fn of(material: &Material) -> Self {
        if material.alpha_mode != AlphaMode::Blend {
            return Blend::Cover;
        }
        let filter = match material.extras.get("filter") {
            Some(Fact::Text(word)) => word.as_str(),
            _ => "",
        };
        let number = |name| match material.extras.get(name) {
            Some(Fact::Int(number)) => Some(*number),
            Some(Fact::Float(number)) => Some(*number as i32),
            _ => None,
        };
        let flags = number("blend_flags").map(|flags| flags >> 2 & 0xf);
        match (filter, flags, number("blend_mode")) {
            ("additive" | "add alpha", ..) | (_, Some(2), _) | (_, _, Some(1)) => Blend::Add,
            ("modulate", ..) | (_, Some(3), _) => Blend::Multiply,
            ("modulate 2x", ..) | (_, Some(4), _) => Blend::Double,
            (_, _, Some(2)) => Blend::Subtract,
            (_, _, Some(3)) => Blend::AddQuarter,
            _ => Blend::Over,
        }
    }

    /// A colour with its alpha over what is there.
    #[inline]
    pub(crate) fn lay(self, color: [u8; 3], alpha: u8, under: Sample) -> Sample {
        let [r, g, b] = color;
        match self {
            Blend::Cover => [r, g, b, u8::MAX],
            Blend::Over => {
                let rest = u8::MAX - alpha;
                let channel = |color, under| times(color, alpha).saturating_add(times(under, rest));
                let [ur, ug, ub, ua] = under;
                [channel(r, ur), channel(g, ug), channel(b, ub), alpha.saturating_add(times(ua, rest))]
            }
            Blend::Add => added(color.map(|channel| times(channel, alpha)), under),
            Blend::AddQuarter => added(color.map(|channel| times(channel, alpha) / 4), under),
            Blend::Subtract => {
                let [ur, ug, ub, ua] = under;
                let channel = |color, under: u8| under.saturating_sub(times(color, alpha));
                [channel(r, ur), channel(g, ug), channel(b, ub), ua]
            }
            Blend::Multiply => multiplied(color, alpha, under, 1),
            Blend::Double => multiplied(color, alpha, under, 2),
        }
    }
}

/// What shines covers, where nothing is behind it, as much as it shines.
fn added([r, g, b]: [u8; 3], [ur, ug, ub, ua]: Sample) -> Sample {
    let alpha = ua.saturating_add(times(r.max(g).max(b), u8::MAX - ua));
    let channel = |color: u8, under: u8| under.saturating_add(color).min(alpha);
    [channel(r, ur), channel(g, ug), channel(b, ub), alpha]
}

/// Where alpha is less, less is darkened: so pictures whose darkness became alpha darken as the game's own do.
fn multiplied([r, g, b]: [u8; 3], alpha: u8, [ur, ug, ub, ua]: Sample, by: u16) -> Sample {
    let channel = |color: u8, under: u8| {
        let part = u8::MAX - times(u8::MAX - color, alpha);
        (u16::from(times(under, part)) * by).min(u16::from(ua)) as u8
    };
    [channel(r, ur), channel(g, ug), channel(b, ub), ua]
}

/// A product of parts of 255, rounded.
#[inline]
pub(crate) fn times(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    #[test]
    fn a_product_is_rounded() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                let exact = (f64::from(a) * f64::from(b) / 255.0).round();
                assert_eq!(f64::from(times(a, b)), exact, "{a} {b}");
            }
        }
    }

    #[test]
    fn surfaces_lie_over_what_is_behind_them() {
        let (under, half) = ([100, 200, 0, 255], 128);
        assert_eq!(Blend::Cover.lay([1, 2, 3], half, under), [1, 2, 3, 255]);
        assert_eq!(Blend::Over.lay([255, 0, 0], half, under), [178, 100, 0, 255]);
        assert_eq!(Blend::Over.lay([255, 0, 0], half, [0; 4]), [128, 0, 0, 128]);
        assert_eq!(Blend::Add.lay([100, 100, 100], 255, under), [200, 255, 100, 255]);
        assert_eq!(Blend::Add.lay([100, 20, 0], 255, [0; 4]), [100, 20, 0, 100]);
        assert_eq!(Blend::AddQuarter.lay([100, 100, 100], 255, under), [125, 225, 25, 255]);
        assert_eq!(Blend::Subtract.lay([150, 50, 9], 255, under), [0, 150, 0, 255]);
        assert_eq!(Blend::Multiply.lay([128, 0, 255], 255, under), [50, 0, 0, 255]);
        assert_eq!(Blend::Multiply.lay([0, 0, 0], 127, under), Blend::Multiply.lay([128; 3], 255, under));
        assert_eq!(Blend::Double.lay([128, 64, 255], 255, under), [100, 100, 0, 255]);
    }

    #[test]
    fn what_the_game_does_is_told_beside() {
        let told = |name: &str, fact| {
            let mut material = Material { alpha_mode: AlphaMode::Blend, ..Material::default() };
            material.extras.insert(name.to_owned(), fact);
            Blend::of(&material)
        };
        assert_eq!(told("filter", Fact::Text("modulate 2x".to_owned())), Blend::Double);
        assert_eq!(told("filter", Fact::Text("blend".to_owned())), Blend::Over);
        assert_eq!(told("blend_flags", Fact::Int(2 << 2)), Blend::Add);
        assert_eq!(told("blend_mode", Fact::Int(0)), Blend::Over);
        assert_eq!(told("blend_mode", Fact::Float(2.0)), Blend::Subtract);
        assert_eq!(Blend::of(&Material::default()), Blend::Cover);
    }
}
