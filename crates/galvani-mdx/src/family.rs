//! Which of the two families a model belongs to (docs/formats/mdx.md#families): its version does not say.

use std::fmt;

use crate::container::Head;

/// Bytes of MODL in Warcraft III.
pub const MODEL_WARCRAFT: usize = 372;

/// Bytes of MODL in WoW.
pub const MODEL_WOW: usize = 373;

/// The two families of MDX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Warcraft III, versions 800 and above.
    Warcraft,
    /// World of Warcraft before it was sold, versions 1300 to 1500.
    Wow,
}

impl Family {
    /// The word for this family.
    pub fn word(self) -> &'static str {
        match self {
            Family::Warcraft => "warcraft",
            Family::Wow => "wow",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What the family was told by, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// It is a text, which only Warcraft III has (docs/formats/mdl.md#lexis).
    TextForm,
    /// MODL is 372 or 373 bytes long.
    ModelSize,
    /// There is an HTST chunk, which only WoW has.
    HitTests,
    /// Materials have `LAYS`, which only Warcraft III has.
    LayerTags,
    /// Geosets have `BIDX`, which only WoW has.
    BoneIndices,
    /// The version, for want of anything better.
    Version,
}

impl Evidence {
    /// What was seen.
    pub fn word(self) -> &'static str {
        match self {
            Evidence::TextForm => "its text form",
            Evidence::ModelSize => "the size of MODL",
            Evidence::HitTests => "an HTST chunk",
            Evidence::LayerTags => "`LAYS` in the materials",
            Evidence::BoneIndices => "`BIDX` in the geosets",
            Evidence::Version => "the version alone",
        }
    }
}

/// A family and what it was told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FamilyVerdict {
    /// The family.
    pub family: Family,
    /// The surest sign of it.
    pub by: Evidence,
    /// The surest sign of the other, if there is one.
    pub against: Option<Evidence>,
}

/// The family of a file by its chunks, in the order of how sure the signs are.
pub(crate) fn tell(chunks: &[Head<'_>], version: Option<u32>) -> FamilyVerdict {
    let of = |tag: &[u8; 4]| chunks.iter().find(|chunk| chunk.tag == *tag).map(|chunk| chunk.payload);
    let holds = |tag: &[u8; 4], word: &[u8; 4]| {
        of(tag).is_some_and(|payload| payload.windows(4).any(|four| four == word))
    };
    let model = match of(b"MODL").map(<[u8]>::len) {
        Some(MODEL_WARCRAFT) => Some((Family::Warcraft, Evidence::ModelSize)),
        Some(MODEL_WOW) => Some((Family::Wow, Evidence::ModelSize)),
        _ => None,
    };
    let hits = of(b"HTST").map(|_| (Family::Wow, Evidence::HitTests));
    let layers = holds(b"MTLS", b"LAYS").then_some((Family::Warcraft, Evidence::LayerTags));
    // The longest chunk is searched only if nothing else says anything.
    let known = model.or(hits).or(layers).is_some();
    let bones = (!known && holds(b"GEOS", b"BIDX")).then_some((Family::Wow, Evidence::BoneIndices));
    let by_version = match version {
        Some(1300 | 1400 | 1500) => Family::Wow,
        _ => Family::Warcraft,
    };
    let signs = [model, hits, layers, bones];
    let surest = signs.iter().flatten().next().copied();
    let (family, by) = surest.unwrap_or((by_version, Evidence::Version));
    let against = signs.iter().flatten().find(|(other, _)| *other != family).map(|(_, sign)| *sign);
    FamilyVerdict { family, by, against }
}
