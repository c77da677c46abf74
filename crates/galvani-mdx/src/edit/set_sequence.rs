//! What a sequence says of itself beside its name and its time.

use galvani_core::{EditError, Path, Reading};
use zerocopy::little_endian::{F32, U32};
use zerocopy::{FromBytes, IntoBytes};

use super::sequences::{Row, each_row, window_of, windows};
use super::{SEQUENCE_FIELD, VALUE, VALUE_COUNT};
use crate::wire::{SequenceDocumented, SequenceWarcraft, SequenceWow};
use crate::{Document, Family};

/// A field of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceField {
    /// How fast the model walks while it plays.
    Speed,
    /// How seldom it is chosen; only in Warcraft III.
    Rarity,
    /// How probable it is among the variations of its animation; only in WoW.
    Frequency,
    /// 1 if it begins anew when it ends, 0 if not.
    Loop,
    /// Radius, least corner, greatest corner.
    Bounds,
    /// Least and greatest number of repetitions; only in WoW as observed.
    Replay,
    /// Milliseconds in which the pose before fades into it; only in WoW.
    Blend,
}

/// The bit of a sequence that does not loop.
const NOT_LOOPING: u32 = 1;

/// Sets a field of a sequence to as many numbers as it has; nothing else of it changes.
pub fn set_sequence(
    document: &mut Document,
    index: usize,
    field: SequenceField,
    values: &[f64],
) -> Result<(), EditError> {
    window_of(&windows(document), index)?;
    let place = Path::named("SEQS").index(index);
    let (family, reading) = (document.family(), document.seqs);
    if !has(field, family, reading) {
        let found = format!("{family} models of {reading:?} reading").to_lowercase();
        return Err(SEQUENCE_FIELD.at(place).saying(found).into());
    }
    let numbers = Numbers { values, place };
    let mut outcome = Ok(());
    each_row(document, |i, row| {
        if i == index {
            outcome = match row {
                Row::Warcraft(row) => warcraft(row, field, &numbers),
                Row::Wow(row) if reading == Reading::Documented => {
                    let mut named = row.documented();
                    let made = documented(&mut named, field, &numbers);
                    *row = SequenceWow::read_from_bytes(named.as_bytes()).unwrap_or(*row);
                    made
                }
                Row::Wow(row) => wow(row, field, &numbers),
            };
        }
    });
    outcome
}

fn has(field: SequenceField, family: Family, reading: Reading) -> bool {
    match field {
        SequenceField::Speed | SequenceField::Loop | SequenceField::Bounds => true,
        SequenceField::Rarity => family == Family::Warcraft,
        SequenceField::Frequency | SequenceField::Blend => family == Family::Wow,
        SequenceField::Replay => family == Family::Wow && reading == Reading::Observed,
    }
}

fn warcraft(
    row: &mut SequenceWarcraft,
    field: SequenceField,
    numbers: &Numbers<'_>,
) -> Result<(), EditError> {
    match field {
        SequenceField::Speed => row.move_speed = numbers.float()?,
        SequenceField::Rarity => row.rarity = numbers.float()?,
        SequenceField::Loop => numbers.looping(&mut row.flags)?,
        SequenceField::Bounds => (row.radius, row.min, row.max) = numbers.bounds()?,
        SequenceField::Frequency | SequenceField::Replay | SequenceField::Blend => {}
    }
    Ok(())
}

fn wow(row: &mut SequenceWow, field: SequenceField, numbers: &Numbers<'_>) -> Result<(), EditError> {
    match field {
        SequenceField::Speed => row.move_speed = numbers.float()?,
        SequenceField::Frequency => row.frequency = numbers.float()?,
        SequenceField::Loop => numbers.looping(&mut row.flags)?,
        SequenceField::Bounds => (row.radius, row.min, row.max) = numbers.bounds()?,
        SequenceField::Replay => {
            let [least, most] = numbers.whole()?;
            if least > most {
                return Err(numbers.wrong());
            }
            (row.replay_min, row.replay_max) = (U32::new(least), U32::new(most));
        }
        SequenceField::Blend => {
            let [time] = numbers.whole()?;
            row.blend_time = U32::new(time);
        }
        SequenceField::Rarity => {}
    }
    Ok(())
}

fn documented(
    row: &mut SequenceDocumented,
    field: SequenceField,
    numbers: &Numbers<'_>,
) -> Result<(), EditError> {
    match field {
        SequenceField::Speed => row.move_speed = numbers.float()?,
        SequenceField::Frequency => {
            let [frequency] = numbers.whole()?;
            row.frequency = U32::new(frequency);
        }
        SequenceField::Loop => numbers.looping(&mut row.flags)?,
        // As documented there is no radius.
        SequenceField::Bounds => (_, row.min, row.max) = numbers.bounds()?,
        SequenceField::Blend => row.blend_time = numbers.float()?,
        SequenceField::Rarity | SequenceField::Replay => {}
    }
    Ok(())
}

/// The numbers that were given, and for what.
struct Numbers<'a> {
    values: &'a [f64],
    place: Path,
}

impl Numbers<'_> {
    fn all<const N: usize>(&self) -> Result<[f64; N], EditError> {
        <[f64; N]>::try_from(self.values).map_err(|_| {
            let found = format!("{N} wanted, {} found", self.values.len());
            VALUE_COUNT
                .at(self.place)
                .saying(found)
                .advising(
                    "speed, rarity, frequency, loop and blend take one number, replay two, bounds seven",
                )
                .into()
        })
    }

    fn wrong(&self) -> EditError {
        VALUE.at(self.place).saying(format!("{:?}", self.values)).into()
    }

    fn single(&self, value: f64) -> Result<F32, EditError> {
        let stored = galvani_core::maths::single(value);
        if stored.is_finite() { Ok(F32::new(stored)) } else { Err(self.wrong()) }
    }

    fn float(&self) -> Result<F32, EditError> {
        let [value] = self.all()?;
        self.single(value)
    }

    fn whole<const N: usize>(&self) -> Result<[u32; N], EditError> {
        let mut made = [0; N];
        for (room, value) in made.iter_mut().zip(self.all::<N>()?) {
            // A whole number is written without a point.
            *room = value.to_string().parse().map_err(|_| self.wrong())?;
        }
        Ok(made)
    }

    fn looping(&self, flags: &mut U32) -> Result<(), EditError> {
        let others = flags.get() & !NOT_LOOPING;
        flags.set(match self.whole()? {
            [0] => others | NOT_LOOPING,
            [1] => others,
            [_] => return Err(self.wrong()),
        });
        Ok(())
    }

    fn bounds(&self) -> Result<(F32, [F32; 3], [F32; 3]), EditError> {
        let [radius, x, y, z, a, b, c] = self.all()?;
        let corner =
            |[x, y, z]: [f64; 3]| Ok::<_, EditError>([self.single(x)?, self.single(y)?, self.single(z)?]);
        let is_box = x <= a && y <= b && z <= c && radius >= 0.0;
        if !is_box {
            return Err(self.wrong());
        }
        Ok((self.single(radius)?, corner([x, y, z])?, corner([a, b, c])?))
    }
}
