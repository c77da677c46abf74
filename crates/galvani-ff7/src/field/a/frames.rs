//! Frames in one row of numbers, equal if they are bit for bit.

use galvani_core::{Exhausted, room};

/// Numbers of a frame before its bones.
const ROOT: usize = 6;

/// Frames of as many bones each.
#[derive(Debug, Clone, Default)]
pub struct Frames {
    bones: u32,
    numbers: Vec<f32>,
}

/// One frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// X, Y and Z of the root in degrees.
    pub rotation: [f32; 3],
    /// Where the root is.
    pub position: [f32; 3],
    /// X, Y and Z of each bone in degrees.
    pub bones: &'a [[f32; 3]],
}

impl Frames {
    /// No frames, of so many bones each.
    pub fn new(bones: u32) -> Self {
        Frames { bones, numbers: Vec::new() }
    }

    /// The same with room for so many frames.
    pub fn with_room(bones: u32, count: u64) -> Result<Self, Exhausted> {
        let mut frames = Frames::new(bones);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        frames.numbers = room::with_capacity(count.saturating_mul(frames.stride()))?;
        Ok(frames)
    }

    /// Bones in a frame, the root not among them.
    pub fn bones(&self) -> u32 {
        self.bones
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.numbers.chunks_exact(self.stride()).len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// A frame that is there.
    pub fn get(&self, index: usize) -> Option<Frame<'_>> {
        let start = index.checked_mul(self.stride())?;
        let numbers = self.numbers.get(start..start.checked_add(self.stride())?)?;
        frame(numbers)
    }

    /// The frames in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Frame<'_>> {
        let none = Frame { rotation: [0.0; 3], position: [0.0; 3], bones: &[] };
        self.numbers.chunks_exact(self.stride()).map(move |numbers| frame(numbers).unwrap_or(none))
    }

    /// Adds a frame; bones that it lacks are not turned, those it has too many are left out.
    pub fn push(&mut self, rotation: [f32; 3], position: [f32; 3], bones: &[[f32; 3]]) {
        self.numbers.extend(rotation);
        self.numbers.extend(position);
        let count = usize::try_from(self.bones).unwrap_or(usize::MAX);
        self.numbers.extend(bones.iter().take(count).flatten());
        let lacking = count.saturating_sub(bones.len()).saturating_mul(3);
        self.numbers.extend(std::iter::repeat_n(0.0, lacking));
    }

    /// Some of the frames, in this order.
    pub fn picked(&self, order: impl Iterator<Item = usize> + Clone) -> Result<Self, Exhausted> {
        let count = u64::try_from(order.clone().count()).unwrap_or(u64::MAX);
        let mut made = Frames::with_room(self.bones, count)?;
        for frame in order.filter_map(|frame| self.get(frame)) {
            made.push(frame.rotation, frame.position, frame.bones);
        }
        Ok(made)
    }

    /// The position of every frame, to be changed.
    pub fn positions_mut(&mut self) -> impl Iterator<Item = &mut [f32; 3]> {
        let stride = self.stride();
        self.numbers.chunks_exact_mut(stride).filter_map(|numbers| numbers.get_mut(3..)?.first_chunk_mut())
    }

    /// A rotation of a frame, to be changed; 0 is the root's.
    pub fn rotation_mut(&mut self, frame: usize, bone: usize) -> Option<&mut [f32; 3]> {
        let count = usize::try_from(self.bones).ok()?;
        let place = match bone {
            0 => 0,
            bone if bone <= count => bone.checked_mul(3)?.checked_add(3)?,
            _ => return None,
        };
        let start = frame.checked_mul(self.stride())?.checked_add(place)?;
        self.numbers.get_mut(start..)?.first_chunk_mut()
    }

    /// Numbers of a frame.
    fn stride(&self) -> usize {
        usize::try_from(self.bones).unwrap_or(usize::MAX).saturating_mul(3).saturating_add(ROOT)
    }
}

impl PartialEq for Frames {
    fn eq(&self, other: &Self) -> bool {
        let bits = self.numbers.iter().map(|number| number.to_bits());
        self.bones == other.bones && bits.eq(other.numbers.iter().map(|number| number.to_bits()))
    }
}

impl Eq for Frames {}

impl Frame<'_> {
    /// A rotation in degrees; 0 is the root's.
    pub fn degrees(&self, bone: usize) -> Option<[f32; 3]> {
        match bone.checked_sub(1) {
            None => Some(self.rotation),
            Some(bone) => self.bones.get(bone).copied(),
        }
    }
}

fn frame(numbers: &[f32]) -> Option<Frame<'_>> {
    let (&[rx, ry, rz, x, y, z], bones) = numbers.split_first_chunk::<ROOT>()?;
    let (bones, _) = bones.as_chunks();
    Some(Frame { rotation: [rx, ry, rz], position: [x, y, z], bones })
}
