//! Frames as rows of numbers.

use crate::pack::AngleKey;

/// The frames of an animation: positions and rotations as they add up in the stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frames {
    /// Rotations in a frame, the root's among them.
    pub(super) rotations: usize,
    pub(super) positions: Vec<[i16; 3]>,
    /// All rotations of the first frame, then all of the second, and so on.
    pub(super) angles: Vec<[i16; 3]>,
}

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRef<'a> {
    /// Where the root is.
    pub position: [i16; 3],
    /// X, Y and Z of each rotation, the root's first.
    pub bones: &'a [[i16; 3]],
}

impl Frames {
    /// No frames, with so many rotations in each.
    pub fn new(rotations: usize) -> Self {
        Frames { rotations, ..Frames::default() }
    }

    /// Rotations in a frame.
    pub fn rotations(&self) -> usize {
        self.rotations
    }

    /// How many frames.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The frame at an index.
    pub fn get(&self, frame: usize) -> Option<FrameRef<'_>> {
        let position = *self.positions.get(frame)?;
        let start = frame.checked_mul(self.rotations)?;
        let bones = self.angles.get(start..start.checked_add(self.rotations)?)?;
        Some(FrameRef { position, bones })
    }

    /// Position and rotations of the frame at an index, to change them.
    pub fn get_mut(&mut self, frame: usize) -> Option<(&mut [i16; 3], &mut [[i16; 3]])> {
        let position = self.positions.get_mut(frame)?;
        let start = frame.checked_mul(self.rotations)?;
        Some((position, self.angles.get_mut(start..start.checked_add(self.rotations)?)?))
    }

    /// The frames in order.
    pub fn iter(&self) -> impl Iterator<Item = FrameRef<'_>> {
        (0..self.len()).filter_map(|frame| self.get(frame))
    }

    /// Adds a frame. Rotations that are missing are 0, those too many are left out.
    pub fn push(&mut self, position: [i16; 3], bones: &[[i16; 3]]) {
        self.positions.push(position);
        let end = self.angles.len().saturating_add(self.rotations);
        self.angles.extend(bones.iter().take(self.rotations));
        self.angles.resize(end, [0; 3]);
    }

    /// Forgets all frames and keeps their room.
    pub fn clear(&mut self, rotations: usize) {
        self.rotations = rotations;
        self.positions.clear();
        self.angles.clear();
    }

    /// The coarsest key that can say every angle, modulo a turn.
    pub fn coarsest_key(&self) -> AngleKey {
        let used = self.angles.iter().flatten().fold(0, |used, angle| used | angle);
        AngleKey::ALL.into_iter().rev().find(|key| key.holds(used)).unwrap_or(AngleKey::Zero)
    }

    /// Takes the last frame away.
    pub(super) fn pop(&mut self) {
        self.positions.pop();
        self.angles.truncate(self.angles.len().saturating_sub(self.rotations));
    }
}

/// Where in its turn a value stands: 0 to 4095.
pub fn angle(raw: i16) -> u16 {
    raw.cast_unsigned() & 0xfff
}

/// The same angle from −2048 to 2047.
pub fn reduced(raw: i16) -> i16 {
    raw.wrapping_shl(4) >> 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_euclidean_remainders() {
        for raw in i16::MIN..=i16::MAX {
            let slow = i32::from(raw).rem_euclid(4096);
            assert_eq!(i32::from(angle(raw)), slow);
            assert_eq!(i32::from(reduced(raw)), if slow < 2048 { slow } else { slow - 4096 });
        }
    }

    #[test]
    fn a_frame_is_filled_up_and_cut_to_its_rotations() {
        let mut frames = Frames::new(2);
        frames.push([1, 2, 3], &[[4, 5, 6]]);
        frames.push([0; 3], &[[1; 3], [2; 3], [3; 3]]);
        assert_eq!(frames.get(0).unwrap().bones, [[4, 5, 6], [0, 0, 0]]);
        assert_eq!(frames.get(1).unwrap().bones, [[1; 3], [2; 3]]);
        assert!(frames.get(2).is_none());
    }
}
