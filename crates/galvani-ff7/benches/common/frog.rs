//! Skeletons of any number of bones, and frames for them.

use galvani_ff7::pack::codec::Frames;

/// The frog's bones: a body and a head, two arms of three, two legs of four, each after the root or an earlier one.
const FROG: [i32; 17] = [-1, 0, 0, 0, 3, 4, 0, 6, 7, -1, 9, 10, 11, -1, 13, 14, 15];

/// As many frames as a long animation has.
pub(crate) const FRAMES: i16 = 120;

/// So many bones: frogs, one on the root of the other.
pub(crate) fn bones(count: usize) -> Vec<(i32, f32)> {
    let frogs =
        (0..).flat_map(|frog: i32| FROG.map(|parent| if parent < 0 { -1 } else { parent + 17 * frog }));
    frogs.take(count).zip((0_u8..).map(|i| -9.0 - f32::from(i % 25))).collect()
}

pub(crate) fn frames(rotations: usize) -> Frames {
    let mut frames = Frames::new(rotations);
    let mut random = 7_u16;
    let mut number = || {
        random = random.wrapping_mul(25173).wrapping_add(13849);
        random.cast_signed()
    };
    for _ in 0..FRAMES {
        let position = [number(), number(), number()];
        let bones: Vec<[i16; 3]> = (0..rotations).map(|_| [number(), number(), number()]).collect();
        frames.push(position, &bones);
    }
    frames
}
