//! The format's first description as it stands: one bit at a time, nothing shared with our decoder.
//!
//! The names are those of its functions. Only what it leaves open was added: reading behind the buffer gives
//! zeros, and the stop rule is a parameter, for the game's own differs from the printed one.
#![allow(dead_code, unreachable_pub, reason = "tests and benchmarks each use their part of this")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the description casts, and so does this"
)]

/// The test behind each frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// `ceil(bit / 8) < sSize`, unsigned; what lies behind the stream is not read.
    Engine,
    /// `(SHORT)(bit / 8) < sSize`, signed; what lies behind the stream is read, then zeros.
    Printed,
}

/// One frame: where it starts and ends, and its accumulators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefFrame {
    pub start: usize,
    pub end: usize,
    pub position: [i16; 3],
    pub rotations: Vec<[i16; 3]>,
}

/// What became of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefEnd {
    pub frames: Vec<RefFrame>,
    /// A frame was begun that the bytes do not hold.
    pub is_cut: bool,
    /// The printed counter left its 16 bits; from there on it never ends.
    pub overflows: bool,
}

/// Every frame of a stream.
pub fn load_all(bytes: &[u8], s_size: u16, b_key: u32, rotations: usize, rule: Rule) -> RefEnd {
    let buffer = match rule {
        Rule::Engine if usize::from(s_size) < bytes.len() => &bytes[..usize::from(s_size)],
        _ => bytes,
    };
    let mut end = RefEnd { frames: Vec::new(), is_cut: false, overflows: false };
    let mut bit = 0;
    loop {
        let frame = load_frame(buffer, bit, b_key, rotations, end.frames.last());
        // A first frame that is not there is none by either rule.
        if frame.end > 8 * buffer.len() && (rule == Rule::Engine || bit == 0) {
            end.is_cut = true;
            return end;
        }
        bit = frame.end;
        end.frames.push(frame);
        match rule {
            Rule::Engine => {
                if bit.div_ceil(8) >= usize::from(s_size) {
                    return end;
                }
            }
            Rule::Printed => {
                let counter = (bit / 8) as i16;
                if counter >= s_size as i16 {
                    return end;
                }
                if bit / 8 > 32767 {
                    end.overflows = true;
                    return end;
                }
            }
        }
    }
}

/// `LoadFrames`.
pub fn load_frame(
    buffer: &[u8],
    start: usize,
    b_key: u32,
    rotations: usize,
    before: Option<&RefFrame>,
) -> RefFrame {
    let mut bit = start;
    let mut frame = RefFrame { start, end: 0, position: [0; 3], rotations: vec![[0; 3]; rotations] };
    if let Some(before) = before {
        for axis in 0..3 {
            let delta = get_dynamic_frame_offset_bits(buffer, &mut bit);
            frame.position[axis] = before.position[axis].wrapping_add(delta);
        }
        for bone in 0..rotations {
            for axis in 0..3 {
                let delta = get_encrypted_rotation_bits(buffer, &mut bit, b_key);
                frame.rotations[bone][axis] = before.rotations[bone][axis].wrapping_add(delta);
            }
        }
    } else {
        for axis in 0..3 {
            frame.position[axis] = get_bits_fixed(buffer, &mut bit, 16) as i16;
        }
        for bone in 0..rotations {
            for axis in 0..3 {
                let value = get_bits_fixed(buffer, &mut bit, 12 - b_key);
                frame.rotations[bone][axis] = (value << b_key) as i16;
            }
        }
    }
    frame.end = bit;
    frame
}

/// `GetBitsFixed`.
pub fn get_bits_fixed(buffer: &[u8], bit: &mut usize, total: u32) -> i32 {
    let mut value: i32 = 0;
    for _ in 0..total {
        value <<= 1;
        let byte = buffer.get(*bit / 8).copied().unwrap_or(0);
        if byte & (1 << (7 - *bit % 8)) != 0 {
            value += 1;
        }
        *bit += 1;
    }
    value <<= 32 - total;
    value >> (32 - total)
}

/// `GetDynamicFrameOffsetBits`.
pub fn get_dynamic_frame_offset_bits(buffer: &[u8], bit: &mut usize) -> i16 {
    if get_bits_fixed(buffer, bit, 1) == 0 {
        get_bits_fixed(buffer, bit, 7) as i16
    } else {
        get_bits_fixed(buffer, bit, 16) as i16
    }
}

/// `GetEncryptedRotationBits`.
pub fn get_encrypted_rotation_bits(buffer: &[u8], bit: &mut usize, b_key: u32) -> i16 {
    if get_bits_fixed(buffer, bit, 1) == 0 {
        return 0;
    }
    let kind = (get_bits_fixed(buffer, bit, 3) & 7) as u32;
    let value = match kind {
        0 => -1,
        7 => get_bits_fixed(buffer, bit, 12 - b_key),
        count => {
            let value = get_bits_fixed(buffer, bit, count);
            if value < 0 { value - (1 << (count - 1)) } else { value + (1 << (count - 1)) }
        }
    };
    (value << b_key) as i16
}
