//! What bits are called (`docs/formats/mdx-records.md#node`). Those of a node's kind lie one lower in WoW than in Warcraft III.

use galvani_core::Reading;

use crate::{Family, NodeKind};

/// Bits with their names. An empty name is of a bit that something else says already.
pub type FlagNames = [(u32, &'static str)];

/// Of sequences: whether one loops.
pub const SEQUENCE: &FlagNames = &[(1, "")];

/// Of textures.
pub const TEXTURE: &FlagNames = &[(1, "wraps across"), (2, "wraps down")];

/// Of materials of Warcraft III.
pub const MATERIAL: &FlagNames = &[
    (1, "constant colour"),
    (2, "two-sided"),
    (8, "sorted near to far"),
    (0x10, "sorted far to near"),
    (0x20, "full resolution"),
];

/// Of layers, without those whose meaning depends on the family.
const LAYER: &FlagNames = &[
    (1, "unshaded"),
    (2, "sphere map"),
    (4, "wraps across"),
    (8, "wraps down"),
    (0x10, "two-sided"),
    (0x20, "unfogged"),
    (0x40, "no depth test"),
    (0x80, "no depth set"),
];

/// Of layers.
pub fn layer(family: Family) -> Vec<(u32, &'static str)> {
    let last = match family {
        Family::Warcraft => (0x100, "unlit"),
        Family::Wow => (0x100, "no fallback"),
    };
    LAYER.iter().copied().chain([last]).collect()
}

/// Of geosets.
pub fn geoset(family: Family) -> &'static FlagNames {
    match family {
        Family::Warcraft => &[(4, "unselectable")],
        Family::Wow => &[(1, "unselectable"), (0x10, "projected"), (0x20, "shader skin")],
    }
}

/// Of nodes of that kind; the bit of the kind itself goes without saying.
pub fn node(family: Family, kind: NodeKind, inherit: Reading) -> Vec<(u32, &'static str)> {
    let (two, four) = match inherit {
        Reading::Documented => ("own rotation", "own scaling"),
        Reading::Observed => ("own scaling", "own rotation"),
    };
    let mut names = vec![(1, "own translation"), (2, two), (4, four)];
    names.extend([(8, "billboard"), (0x10, "billboard x"), (0x20, "billboard y"), (0x40, "billboard z")]);
    for (bit, name) in kinds(family) {
        names.push((*bit, if Some(*bit) == kind_bit(family, kind) { "" } else { name }));
    }
    names.extend(match kind {
        NodeKind::Emitter => EMITTER,
        NodeKind::Emitter2 | NodeKind::Popcorn if family == Family::Wow => EMITTER2_WOW,
        NodeKind::Emitter2 | NodeKind::Popcorn => EMITTER2_WARCRAFT,
        _ => &[],
    });
    names
}

/// The bits that say what a node is.
fn kinds(family: Family) -> &'static FlagNames {
    match family {
        Family::Warcraft => &[
            (0x80, "camera-anchored"),
            (0x100, "marked as bone"),
            (0x200, "marked as light"),
            (0x400, "marked as event"),
            (0x800, "marked as attachment"),
            (0x1000, "marked as emitter"),
            (0x2000, "marked as collision shape"),
            (0x4000, "marked as ribbon"),
        ],
        Family::Wow => &[
            (0x80, "marked as bone"),
            (0x100, "marked as light"),
            (0x200, "marked as event"),
            (0x400, "marked as attachment"),
            (0x800, "marked as emitter"),
            (0x1000, "marked as hit test"),
            (0x2000, "marked as ribbon"),
            (0x4000, "projected"),
        ],
    }
}

/// The bit that says that a node is of its kind.
fn kind_bit(family: Family, kind: NodeKind) -> Option<u32> {
    // In WoW the same bits stand one lower.
    kind.bit().map(|bit| if family == Family::Wow { bit >> 1 } else { bit })
}

const EMITTER: &FlagNames = &[(0x8000, "named by MDL"), (0x10000, "named by TGA")];

const EMITTER2_WARCRAFT: &FlagNames = &[
    (0x8000, "unshaded"),
    (0x10000, "sorted far to near"),
    (0x20000, "line emitter"),
    (0x40000, "unfogged"),
    (0x80000, "model space"),
    (0x100000, "flat quads"),
];

const EMITTER2_WOW: &FlagNames = &[
    (0x8000, "unshaded"),
    (0x10000, "sorted far to near"),
    (0x20000, "line emitter"),
    (0x40000, "unfogged"),
    (0x80000, "model space"),
    (0x100000, "inherits scale"),
    (0x200000, "instant velocity"),
    (0x400000, "killed at zero"),
    (0x800000, "vertical velocity only"),
    (0x1000000, "tumbles"),
    (0x2000000, "tail grows"),
    (0x4000000, "extruded"),
    (0x8000000, "flat quads"),
    (0x10000000, "projected"),
    (0x20000000, "follows"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_says_nothing_of_its_own_kind() {
        for (family, bit) in [(Family::Warcraft, 0x800), (Family::Wow, 0x400)] {
            let names = node(family, NodeKind::Attachment, Reading::Observed);
            assert!(names.contains(&(bit, "")), "{family:?}");
            assert!(node(family, NodeKind::Bone, Reading::Observed).contains(&(bit, "marked as attachment")));
        }
    }

    #[test]
    fn no_bit_has_two_names() {
        let kinds = [NodeKind::Bone, NodeKind::Emitter, NodeKind::Emitter2, NodeKind::HitTest];
        for (family, kind) in [Family::Warcraft, Family::Wow].into_iter().flat_map(|f| kinds.map(|k| (f, k)))
        {
            let mut seen = 0;
            for (bit, name) in node(family, kind, Reading::Documented) {
                assert_eq!((bit.count_ones(), seen & bit), (1, 0), "{family:?} {kind:?} {name}");
                seen |= bit;
            }
        }
    }
}
