//! Frames as JSON: as they stand in the file, or in degrees or quaternions.

use galvani_core::maths::Wxyz;
use galvani_core::{EditError, Path};
use galvani_ff7::pack::AngleKey;
use galvani_ff7::pack::codec::Frames;
use galvani_ff7::pack::quantise::{
    FreeFrame, Precision, Quantised, Rounding, from_degrees, from_quaternions,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes::ANIMATION_FILE;
use crate::formats::records;

/// One frame as it stands in the stream.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFrame {
    position: [i16; 3],
    bones: Vec<[i16; 3]>,
}

/// A list of frames, one a line.
pub(super) fn to_json(frames: &Frames) -> String {
    let row = |position: [i16; 3], bones: &[[i16; 3]]| {
        let frame = RawFrame { position, bones: bones.to_vec() };
        serde_json::to_value(frame).unwrap_or(Value::Null)
    };
    let rows: Vec<Value> = frames.iter().map(|frame| row(frame.position, frame.bones)).collect();
    records::lines(&rows, "") + "\n"
}

/// The frames of such a list; every one has as many rotations as the first.
pub(super) fn from_json(list: &[u8]) -> Result<Frames, String> {
    let rows: Vec<RawFrame> = serde_json::from_slice(list).map_err(|error| error.to_string())?;
    let rotations = rows.first().map_or(0, |frame| frame.bones.len());
    if rotations == 0 {
        return Err("at least one frame with one rotation is wanted".to_owned());
    }
    let mut frames = Frames::new(rotations);
    for (i, row) in rows.iter().enumerate() {
        same_rotations(i, row.bones.len(), rotations)?;
        frames.push(row.position, &row.bones);
    }
    Ok(frames)
}

fn same_rotations(frame: usize, found: usize, wanted: usize) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("[{frame}]: {wanted} rotations wanted, {found} found")) }
}

/// An animation from elsewhere.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    unit: Unit,
    #[serde(default)]
    key: Option<u8>,
    /// In degrees.
    #[serde(default)]
    tolerance: Option<f64>,
    #[serde(default)]
    rounding: RoundingWord,
    frames: Vec<ScriptFrame>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Raw,
    Degrees,
    Quaternions,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum RoundingWord {
    #[default]
    Nearest,
    Down,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFrame {
    position: [f64; 3],
    bones: Vec<Vec<f64>>,
}

/// What a file holds that `replace` and `add` are given: a payload as it is, or frames and their key.
pub(super) enum Animation {
    Payload(Vec<u8>),
    Frames(Frames, AngleKey),
}

/// Bytes that are JSON are frames; all others are a payload.
pub(super) fn of_file(file: &[u8]) -> Result<Animation, EditError> {
    let wrong = |message: String| EditError::from(ANIMATION_FILE.at(Path::root()).saying(message));
    match file.trim_ascii_start().first() {
        Some(b'[') => {
            let frames = from_json(file).map_err(wrong)?;
            let key = frames.coarsest_key();
            Ok(Animation::Frames(frames, key))
        }
        Some(b'{') => {
            let script: Script = serde_json::from_slice(file).map_err(|error| wrong(error.to_string()))?;
            let made = script.quantised()?;
            Ok(Animation::Frames(made.frames, made.key))
        }
        _ => Ok(Animation::Payload(file.to_vec())),
    }
}

impl Script {
    fn quantised(self) -> Result<Quantised, EditError> {
        let rounding = match self.rounding {
            RoundingWord::Nearest => Rounding::Nearest,
            RoundingWord::Down => Rounding::Down,
        };
        let precision = self.precision()?;
        match self.unit {
            // 360 ÷ 4096 is exact, and so is every multiple of it that 16 bits hold.
            Unit::Raw => from_degrees(
                &self.poses(|raw: [f64; 3]| raw.map(|unit| unit * 360.0 / 4096.0))?,
                precision,
                rounding,
            ),
            Unit::Degrees => from_degrees(&self.poses(|angles: [f64; 3]| angles)?, precision, rounding),
            Unit::Quaternions => {
                from_quaternions(&self.poses(|turn| Wxyz(turn).into())?, precision, rounding)
            }
        }
    }

    fn precision(&self) -> Result<Precision, EditError> {
        let wrong = |message: &str| EditError::from(ANIMATION_FILE.at(Path::named("key")).saying(message));
        match (self.key, self.tolerance) {
            (Some(key), None) => {
                AngleKey::from_byte(key).map(Precision::Key).ok_or_else(|| wrong("0, 2 or 4 is wanted"))
            }
            (None, Some(tolerance)) => Ok(Precision::Tolerance(tolerance)),
            (None, None) => Ok(Precision::Key(AngleKey::Zero)),
            (Some(_), Some(_)) => Err(wrong("`key` or `tolerance` is wanted, not both")),
        }
    }

    /// The frames with as many numbers to a rotation as the unit has.
    fn poses<const N: usize, R>(&self, turn: impl Fn([f64; N]) -> R) -> Result<Vec<FreeFrame<R>>, EditError> {
        let rotation = |(frame, bone, numbers): (usize, usize, &Vec<f64>)| {
            let numbers: Result<[f64; N], _> = numbers.as_slice().try_into();
            numbers.map(&turn).map_err(|_| {
                let path = Path::named("frames").index(frame).field("bones").index(bone);
                EditError::from(ANIMATION_FILE.at(path).saying(format!("{N} numbers are wanted")))
            })
        };
        let pose = |(frame, row): (usize, &ScriptFrame)| {
            let bones = row.bones.iter().enumerate().map(|(bone, numbers)| (frame, bone, numbers));
            Ok(FreeFrame {
                position: row.position,
                rotations: bones.map(rotation).collect::<Result<_, _>>()?,
            })
        };
        self.frames.iter().enumerate().map(pose).collect()
    }
}
