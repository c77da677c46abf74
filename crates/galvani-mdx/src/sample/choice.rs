//! Which variation of an animation is played (docs/notes/mdx-runtime.md#variations).

use std::collections::BTreeMap;

use galvani_core::{Reading, text};

use crate::{Document, Sequence};

/// A source of numbers from 0 up to but not 1, all as likely as each other.
pub type Random<'a> = &'a mut dyn FnMut() -> f64;

/// How many of ten numbers a roll has (docs/notes/mdx-runtime.md#variations).
const ROLL: f64 = 10.0;

/// The animation that a sequence is a variation of: its name up to a dash in lower case, `stand` of
/// `Stand - Var1`. Where the document has no names, the id.
pub fn animation_name(document: &Document, sequence: Sequence<'_>) -> String {
    if let (Sequence::Wow(row), Reading::Documented) = (sequence, document.seqs) {
        return row.documented().anim_id.get().to_string();
    }
    let name = text::shown(sequence.name());
    name.split('-').next().unwrap_or_default().trim().to_lowercase()
}

/// The sequences that are variations of one animation, the rarest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variations(Vec<Variation>);

/// A sequence and what makes it likely.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Variation {
    sequence: usize,
    chance: Chance,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Chance {
    /// Its part of the whole.
    Frequency(f64),
    /// How seldom it is.
    Rarity(f64),
    /// Nobody knows what the document's frequency means: all are alike.
    Alike,
}

impl Variation {
    fn from_sequence(document: &Document, sequence: usize, row: Sequence<'_>) -> Self {
        let positive = |number: f32| if number > 0.0 && number.is_finite() { f64::from(number) } else { 0.0 };
        let chance = match (row, document.seqs) {
            (Sequence::Warcraft(row), _) => Chance::Rarity(positive(row.rarity.get())),
            (Sequence::Wow(_), Reading::Documented) => Chance::Alike,
            (Sequence::Wow(row), _) => Chance::Frequency(positive(row.frequency.get())),
        };
        Variation { sequence, chance }
    }

    fn rarity(&self) -> f64 {
        match self.chance {
            Chance::Rarity(rarity) => rarity,
            Chance::Frequency(_) | Chance::Alike => 0.0,
        }
    }

    fn frequency(&self) -> f64 {
        match self.chance {
            Chance::Frequency(frequency) => frequency,
            Chance::Rarity(_) | Chance::Alike => 0.0,
        }
    }
}

impl Variations {
    /// The variations of an animation; none if no sequence has that name.
    pub fn of_animation(document: &Document, animation: &str) -> Self {
        Variations::all(document).remove(&animation.trim().to_lowercase()).unwrap_or_default()
    }

    /// The variations of every animation, by its name.
    pub fn all(document: &Document) -> BTreeMap<String, Variations> {
        let mut all: BTreeMap<String, Variations> = BTreeMap::new();
        for (index, sequence) in document.sequences().into_iter().enumerate() {
            let of_name = all.entry(animation_name(document, sequence)).or_default();
            of_name.0.push(Variation::from_sequence(document, index, sequence));
        }
        for variations in all.values_mut() {
            variations.0.sort_by(|a, b| b.rarity().total_cmp(&a.rarity()));
        }
        all
    }

    /// Chooses one: by the frequencies of WoW, by the rarities of Warcraft III. Nothing if there is none.
    pub fn choose(&self, random: Random<'_>) -> Option<usize> {
        let whole: f64 = self.0.iter().map(Variation::frequency).sum();
        if whole > 0.0 {
            return self.likely(random() * whole);
        }
        let (rare, common) =
            self.0.split_at_checked(self.0.partition_point(|variation| variation.rarity() > 0.0))?;
        // The rarest is asked first; a roll above its rarity takes it.
        if let Some(taken) = rare.iter().find(|variation| random() * ROLL > variation.rarity()) {
            return Some(taken.sequence);
        }
        let left = if common.is_empty() { rare } else { common };
        let index = if left.is_empty() { 0 } else { below(random, left.len()) };
        left.get(index).map(|variation| variation.sequence)
    }

    /// The one that a part of the whole falls on.
    fn likely(&self, mut rest: f64) -> Option<usize> {
        let mut last = None;
        for variation in self.0.iter().filter(|variation| variation.frequency() > 0.0) {
            last = Some(variation.sequence);
            rest -= variation.frequency();
            if rest < 0.0 {
                break;
            }
        }
        last
    }
}

/// A whole number below another.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a number from 0 up to a small count, rounded down"
)]
pub(super) fn below(random: Random<'_>, count: usize) -> usize {
    ((random() * count as f64) as usize).min(count.saturating_sub(1))
}
