//! A sampler from docs/formats/msh-animation.md#sampling, #blending and #numbers alone:
//! its own bytes, slerp and matrix, in plain f32 and as slow as it likes. It uses nothing of the crate.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::needless_range_loop, clippy::float_cmp, reason = "it reads like the engine's C")]

/// Where the original would read past a stream, or past its own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    WouldReadOutOfBounds,
    NeitherSide,
    NoParent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    Fallback,
    Key,
    Segment,
}

#[derive(Debug, Clone, Copy)]
pub struct Sampled {
    /// w, x, y, z.
    pub quat: [f32; 4],
    pub pos: [f32; 3],
    pub path: Path,
}

/// The matrix of a blend, and what was on each side.
pub type Blended = ([f32; 16], Option<Path>, Option<Path>);

/// The streams of a model as bytes, and what the runtime keeps beside them.
#[derive(Debug, Clone)]
pub struct Reference {
    pub res1: Vec<u8>,
    pub res8: Vec<u8>,
    pub res19: Vec<u8>,
    pub anim_frame_count: u32,
    /// Components on disk: w, x, y, z as observed, else x, y, z, w as documented.
    pub w_first: bool,
}

impl Reference {
    fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Stop> {
        let pair = at.checked_add(2).and_then(|end| bytes.get(at..end)).ok_or(Stop::WouldReadOutOfBounds)?;
        Ok(u16::from(pair[0]) | (u16::from(pair[1]) << 8))
    }

    fn f32_at(bytes: &[u8], at: usize) -> f32 {
        f32::from_bits((0..4).map(|i| u32::from(bytes[at + i]) << (8 * i)).sum())
    }

    fn map_word(&self, index: u32) -> Result<u16, Stop> {
        Self::u16_at(&self.res19, Self::place(index, 2)?)
    }

    /// Where a record of that size stands, if any byte could stand there.
    fn place(index: u32, size: u64) -> Result<usize, Stop> {
        usize::try_from(u64::from(index) * size).map_err(|_| Stop::WouldReadOutOfBounds)
    }

    /// The bytes of a key.
    fn key(&self, index: u32) -> Result<&[u8], Stop> {
        let at = Self::place(index, 24)?;
        at.checked_add(24).and_then(|end| self.res8.get(at..end)).ok_or(Stop::WouldReadOutOfBounds)
    }

    fn time(key: &[u8]) -> f32 {
        Self::f32_at(key, 12)
    }

    fn pos(key: &[u8]) -> [f32; 3] {
        [Self::f32_at(key, 0), Self::f32_at(key, 4), Self::f32_at(key, 8)]
    }

    fn quat(&self, key: &[u8]) -> [f32; 4] {
        let part = |i: usize| {
            let raw = i16::from_le_bytes([key[16 + 2 * i], key[17 + 2 * i]]);
            f32::from(raw) * (1.0_f32 / 32767.0_f32)
        };
        if self.w_first { [part(0), part(1), part(2), part(3)] } else { [part(3), part(0), part(1), part(2)] }
    }

    /// docs/formats/msh-animation.md#sampling, line by line.
    pub fn sample_node_pose(&self, node_idx: usize, t: f32) -> Result<Sampled, Stop> {
        let map_start = Self::u16_at(&self.res1, node_idx * 38 + 4)?;
        let fallback = Self::u16_at(&self.res1, node_idx * 38 + 6)?;
        let frame = fistp_low(t - 0.5_f32);

        // The sum of a u16 and a uint32_t is a uint32_t.
        if frame >= self.anim_frame_count
            || map_start == 0xFFFF
            || self.map_word(u32::from(map_start).wrapping_add(frame))? >= fallback
        {
            let key = self.key(fallback.into())?;
            return Ok(Sampled { quat: self.quat(key), pos: Self::pos(key), path: Path::Fallback });
        }
        let key_idx = self.map_word(u32::from(map_start).wrapping_add(frame))?;
        let k0 = self.key(key_idx.into())?;
        if t == Self::time(k0) {
            return Ok(Sampled { quat: self.quat(k0), pos: Self::pos(k0), path: Path::Key });
        }
        let k1 = self.key(u32::from(key_idx) + 1)?;
        if t == Self::time(k1) {
            return Ok(Sampled { quat: self.quat(k1), pos: Self::pos(k1), path: Path::Key });
        }
        let a = (t - Self::time(k0)) / (Self::time(k1) - Self::time(k0));
        let (p0, p1) = (Self::pos(k0), Self::pos(k1));
        let mut pos = [0.0; 3];
        for i in 0..3 {
            pos[i] = p0[i] + (p1[i] - p0[i]) * a;
        }
        let quat = quat_interp(self.quat(k0), self.quat(k1), a);
        Ok(Sampled { quat, pos, path: Path::Segment })
    }

    /// docs/formats/msh-animation.md#blending: the matrix of two blended samples, and which sides there were.
    pub fn blend_pose(&self, node: usize, ta: f32, tb: f32, blend: f32) -> Result<Blended, Stop> {
        let has_a = (blend < 1.0) && (ta >= 0.0);
        let has_b = (blend > 0.0) && (tb >= 0.0);
        let a = if has_a { Some(self.sample_node_pose(node, ta)?) } else { None };
        let b = if has_b { Some(self.sample_node_pose(node, tb)?) } else { None };
        let (a, b) = match (a, b) {
            (None, None) => return Err(Stop::NeitherSide),
            (Some(a), None) => return Ok((with_translation(a.quat, a.pos), Some(a.path), None)),
            (None, Some(b)) => return Ok((with_translation(b.quat, b.pos), None, Some(b.path))),
            (Some(a), Some(b)) => (a, b),
        };
        let mut qb = b.quat;
        let (mut sum, mut difference) = ([0.0; 4], [0.0; 4]);
        for i in 0..4 {
            sum[i] = a.quat[i] + qb[i];
            difference[i] = a.quat[i] - qb[i];
        }
        if dot4(sum, sum) < dot4(difference, difference) {
            for component in &mut qb {
                *component = -*component;
            }
        }
        let q = quat_interp(a.quat, qb, blend);
        let mut p = [0.0; 3];
        for i in 0..3 {
            p[i] = (1.0 - blend) * a.pos[i] + blend * b.pos[i];
        }
        Ok((with_translation(q, p), Some(a.path), Some(b.path)))
    }

    pub fn node_count(&self) -> usize {
        self.res1.len() / 38
    }

    /// docs/formats/msh-animation.md#composition: every node in the model's space.
    pub fn model_matrices(&self, t: f32, clear_root: bool) -> Result<Vec<[f32; 16]>, Stop> {
        let mut all: Vec<[f32; 16]> = Vec::new();
        for node in 0..self.node_count() {
            let Sampled { quat, pos, .. } = self.sample_node_pose(node, t)?;
            let mut local = with_translation(quat, pos);
            let parent = Self::u16_at(&self.res1, node * 38 + 2)?;
            if parent == 0xFFFF {
                if node == 0 && clear_root {
                    local[3] = 0.0;
                    local[7] = 0.0;
                    local[11] = 0.0;
                }
                all.push(local);
            } else if usize::from(parent) < node {
                let above = all[usize::from(parent)];
                all.push(product(&above, &local));
            } else {
                return Err(Stop::NoParent);
            }
        }
        Ok(all)
    }
}

/// Round half to even, store to 64 bits, take the low 32; what does not fit is 0. By whole numbers,
/// not by the processor's rounding.
pub fn fistp_low(x: f32) -> u32 {
    if x.is_nan() || x.abs() >= 9.3e18 {
        return 0;
    }
    let (x, below) = (f64::from(x), f64::from(x).floor());
    let fraction = x - below;
    #[allow(clippy::cast_possible_truncation, reason = "a whole number below 2^64, exactly")]
    let whole = below as i128;
    let up = fraction > 0.5 || (fraction == 0.5 && whole.rem_euclid(2) == 1);
    let rounded = whole + i128::from(up);
    let Ok(stored) = i64::try_from(rounded) else { return 0 };
    let bytes = stored.to_le_bytes();
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

pub fn dot4(a: [f32; 4], b: [f32; 4]) -> f32 {
    let mut sum = a[0] * b[0];
    sum += a[1] * b[1];
    sum += a[2] * b[2];
    sum += a[3] * b[3];
    sum
}

/// `g_FastProc[17]` and `[22]`.
#[allow(clippy::cast_possible_truncation, reason = "rounded to single precision")]
pub fn quat_interp(q0: [f32; 4], q1: [f32; 4], a: f32) -> [f32; 4] {
    let mut dot = dot4(q0, q1);
    let mut sign = 1.0_f32;
    if dot < 0.0 {
        dot = -dot;
        sign = -1.0;
    }
    let (w0, mut w1);
    if 1.0 - dot <= 9.9999997e-6_f32 {
        w0 = 1.0 - a;
        w1 = a;
    } else {
        let theta = f64::from(dot).acos() as f32;
        let inv_sin_theta = 1.0_f32 / (f64::from(theta).sin() as f32);
        let a_theta = a * theta;
        w1 = (f64::from(a_theta).sin() as f32) * inv_sin_theta;
        w0 = (f64::from(a_theta).cos() as f32) - w1 * dot;
    }
    w1 *= sign;
    let mut out = [0.0; 4];
    for i in 0..4 {
        out[i] = w0 * q0[i] + w1 * q1[i];
    }
    out
}

/// `g_FastProc[14]`.
pub fn quat_to_matrix([w, x, y, z]: [f32; 4]) -> [f32; 16] {
    let mut m = [0.0_f32; 16];
    m[0] = 1.0 - 2.0 * (y * y + z * z);
    m[1] = 2.0 * (x * y + w * z);
    m[2] = 2.0 * (x * z - w * y);
    m[4] = 2.0 * (x * y - w * z);
    m[5] = 1.0 - 2.0 * (x * x + z * z);
    m[6] = 2.0 * (y * z + w * x);
    m[8] = 2.0 * (x * z + w * y);
    m[9] = 2.0 * (y * z - w * x);
    m[10] = 1.0 - 2.0 * (x * x + y * y);
    m[15] = 1.0;
    m
}

pub fn with_translation(q: [f32; 4], p: [f32; 3]) -> [f32; 16] {
    let mut m = quat_to_matrix(q);
    m[3] = p[0];
    m[7] = p[1];
    m[11] = p[2];
    m
}

/// The ordinary product of two matrices in rows.
pub fn product(a: &[f32; 16], b: &[f32; 16]) -> [f32; 16] {
    let mut out = [0.0; 16];
    for row in 0..4 {
        for column in 0..4 {
            let mut sum = a[row * 4] * b[column];
            for k in 1..4 {
                sum += a[row * 4 + k] * b[k * 4 + column];
            }
            out[row * 4 + column] = sum;
        }
    }
    out
}
