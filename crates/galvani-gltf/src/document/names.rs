//! The names that glTF gives to what it says. Each is looked up once, where a text is read; what is asked for afterwards
//! goes by its number.

/// A name of glTF, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name(u8);

impl Name {
    /// What glTF has no name for.
    pub(super) const OTHER: Name = Name(0);

    /// A name that is in the table; that it is there is held when this is compiled.
    pub(crate) const fn known(name: &str) -> Name {
        let (mut number, mut rest) = (1, NAMES.as_slice());
        while let [first, others @ ..] = rest {
            if is_same(first.as_bytes(), name.as_bytes()) {
                return Name(number);
            }
            (number, rest) = (step(number), others);
        }
        assert!(rest.len() > NAMES.len(), "a name that is not in the table");
        Name::OTHER
    }

    /// The name that somebody wrote.
    pub(super) fn find(word: &[u8]) -> Name {
        let mut number = FIRST.get(slot(word)).copied().unwrap_or(0);
        while let Some(name) = Name(number).word() {
            if name.as_bytes() == word {
                return Name(number);
            }
            number = NEXT.get(usize::from(number)).copied().unwrap_or(0);
        }
        Name::OTHER
    }

    /// How long it is with its quotes and a colon behind it, if just that is what comes next. Long names are not known so.
    #[inline]
    pub(super) fn len_at(self, next: &[u8; WRITTEN_LEN]) -> Option<usize> {
        let Written { bits, len } = WRITTEN.get(usize::from(self.0))?;
        let beyond = BITS.wrapping_sub(len.wrapping_mul(8));
        let is_it = (u128::from_le_bytes(*next) ^ bits).checked_shl(beyond) == Some(0);
        is_it.then(|| usize::try_from(*len).unwrap_or_default())
    }

    /// How glTF writes it.
    pub(super) fn word(self) -> Option<&'static str> {
        NAMES.get(usize::from(self.0).checked_sub(1)?).copied()
    }
}

/// Which name came behind which when it was last there: rows of a list say the same in the same order.
pub(super) struct Order([Name; 256]);

impl Order {
    pub(super) const UNKNOWN: Order = Order([Name::OTHER; 256]);

    /// The name that came behind this one.
    pub(super) fn behind(&self, name: Name) -> Name {
        self.0.get(usize::from(name.0)).copied().unwrap_or(Name::OTHER)
    }

    /// Notes that a name comes behind another.
    pub(super) fn note(&mut self, name: Name, behind: Name) {
        if let Some(place) = self.0.get_mut(usize::from(name.0)) {
            *place = behind;
        }
    }
}

/// Bytes of a text that are looked at together, and their bits.
const WRITTEN_LEN: usize = 16;
const BITS: u32 = u128::BITS;

/// A name as it lies in a text, in quotes and with a colon: its bytes from the first on, and how many. A name that is longer has none.
#[derive(Clone, Copy)]
struct Written {
    bits: u128,
    len: u32,
}

static WRITTEN: [Written; NAMES.len() + 1] = written();

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "made when this is compiled: a wrong place would be an error there"
)]
const fn written() -> [Written; NAMES.len() + 1] {
    let mut all = [Written { bits: 0, len: 0 }; NAMES.len() + 1];
    let (mut number, mut rest) = (1, NAMES.as_slice());
    while let [name, others @ ..] = rest {
        let (word, mut bytes, mut len) = (name.as_bytes(), [0; WRITTEN_LEN], 0);
        if word.len() + 3 <= WRITTEN_LEN {
            while len < word.len() {
                bytes[len + 1] = word[len];
                len += 1;
            }
            (bytes[0], bytes[len + 1], bytes[len + 2]) = (b'"', b'"', b':');
            all[number] = Written { bits: u128::from_le_bytes(bytes), len: len as u32 + 3 };
        }
        (number, rest) = (number + 1, others);
    }
    all
}

/// Places for first names; several times as many as there are names, so that few share one.
const SLOTS: usize = 512;

/// The place of a word: what it is like at its ends and in its middle.
const fn slot(word: &[u8]) -> usize {
    let [first, middle, last] = match word {
        [] => [0; 3],
        [only] => [*only; 3],
        [first, .., last] => [*first, middle(word), *last],
    };
    let mixed = wide(first).wrapping_mul(73) ^ wide(middle).wrapping_mul(13) ^ wide(last).wrapping_mul(949);
    (mixed ^ word.len().wrapping_mul(481)) % SLOTS
}

const fn middle(word: &[u8]) -> u8 {
    match word.split_at(word.len() / 2).1 {
        [middle, ..] => *middle,
        [] => 0,
    }
}

#[expect(
    clippy::as_conversions,
    reason = "there is no other way where constants are made, and a byte is less"
)]
const fn wide(byte: u8) -> usize {
    byte as usize
}

const fn is_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}

/// The number of the next name.
const fn step(number: u8) -> u8 {
    assert!(number < u8::MAX, "more names than numbers");
    number.wrapping_add(1)
}

/// The first name of each place, and behind each name the next of the same place.
static FIRST: [u8; SLOTS] = TABLES.0;
static NEXT: [u8; NAMES.len() + 1] = TABLES.1;

const TABLES: ([u8; SLOTS], [u8; NAMES.len() + 1]) = tables();

#[expect(
    clippy::indexing_slicing,
    reason = "made when this is compiled: a wrong place would be an error there"
)]
const fn tables() -> ([u8; SLOTS], [u8; NAMES.len() + 1]) {
    let (mut first, mut next) = ([0; SLOTS], [0; NAMES.len() + 1]);
    let (mut number, mut rest) = (1, NAMES.as_slice());
    while let [name, others @ ..] = rest {
        let slot = slot(name.as_bytes());
        next[wide(number)] = first[slot];
        first[slot] = number;
        (number, rest) = (step(number), others);
    }
    (first, next)
}

/// The names of glTF, and of extensions that are understood, in order.
#[rustfmt::skip]
static NAMES: [&str; 159] = [
    "COLOR_0", "COLOR_1", "EXT_meshopt_compression", "EXT_texture_webp", "JOINTS_0", "JOINTS_1", "JOINTS_2",
    "JOINTS_3", "JOINTS_4", "JOINTS_5", "JOINTS_6", "JOINTS_7", "KHR_animation_pointer",
    "KHR_draco_mesh_compression", "KHR_lights_punctual", "KHR_materials_emissive_strength",
    "KHR_materials_unlit", "KHR_materials_variants",
    "KHR_meshopt_compression", "KHR_node_visibility", "KHR_texture_transform", "MSFT_lod", "NORMAL", "POSITION", "TANGENT",
    "TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2", "TEXCOORD_3", "TEXCOORD_4", "TEXCOORD_5", "TEXCOORD_6",
    "TEXCOORD_7", "WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3", "WEIGHTS_4", "WEIGHTS_5", "WEIGHTS_6",
    "WEIGHTS_7", "accessors", "alphaCutoff", "alphaMode", "animations", "aspectRatio", "asset",
    "attributes", "baseColorFactor", "baseColorTexture", "buffer", "bufferView", "bufferViews", "buffers",
    "byteLength", "byteOffset", "byteStride", "camera", "cameras", "channels", "children", "color",
    "componentType", "copyright", "count", "doubleSided", "emissiveFactor", "emissiveStrength", "emissiveTexture", "extensions",
    "extensionsRequired", "extensionsUsed", "extras", "fallback", "filter", "galvani", "galvani_clip",
    "galvani_id", "galvani_loop", "galvani_made", "galvani_name", "galvani_socket", "generator", "ids",
    "images", "index", "indices", "innerConeAngle", "input", "intensity", "interpolation",
    "inverseBindMatrices", "joints", "light", "lights", "magFilter", "mappings", "material", "materials",
    "matrix", "max", "mesh", "meshes", "metallicFactor", "metallicRoughnessTexture", "mimeType", "min",
    "minFilter", "minVersion", "mode", "name", "node", "nodes", "normalTexture", "normalized",
    "occlusionTexture", "offset", "orthographic", "outerConeAngle", "output", "path",
    "pbrMetallicRoughness", "perspective", "pointer", "primitives", "range", "rotation", "roughnessFactor",
    "sampler", "samplers", "scale", "scene", "scenes", "skeleton", "skin", "skins", "source", "sparse",
    "spot", "strength", "target", "targets", "texCoord", "textures", "translation", "type", "uri", "values",
    "variants", "version", "visible", "weights", "wrapS", "wrapT", "xmag", "yfov", "ymag", "zfar", "znear",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        assert!(NAMES.is_sorted());
        for name in NAMES {
            assert_eq!(Name::find(name.as_bytes()).word(), Some(name));
            assert_eq!(Name::find(name.as_bytes()), Name::known(name));
            for other in
                [format!("{name}s"), name.chars().skip(1).collect(), name.to_uppercase(), format!("x{name}")]
            {
                let found = Name::find(other.as_bytes());
                assert_eq!(found.word(), NAMES.into_iter().find(|name| *name == other), "{other}");
            }
        }
        assert_eq!([Name::find(b""), Name::find(b"a"), Name::find(&[0xff; 300])], [Name::OTHER; 3]);
    }

    #[test]
    fn a_name_is_known_as_it_lies_in_a_text() {
        for name in NAMES {
            let next = |text: String| -> [u8; WRITTEN_LEN] {
                format!("{text}{:16}", "").as_bytes()[..WRITTEN_LEN].try_into().unwrap()
            };
            let written = format!("\"{name}\":");
            let known = (written.len() <= WRITTEN_LEN).then_some(written.len());
            let own = Name::known(name);
            assert_eq!(own.len_at(&next(format!("{written}1"))), known, "{name}");
            for other in [format!("\"{name}s\":"), format!("\"{name}\" :"), format!(" {written}")] {
                assert_eq!(own.len_at(&next(other.clone())), None, "{other}");
            }
        }
        assert_eq!(Name::OTHER.len_at(&[0; WRITTEN_LEN]), None);
    }

    /// Names share places rarely, or looking them up would take time.
    #[test]
    fn few_names_share_a_place() {
        let mut counts = vec![0; SLOTS];
        for name in NAMES {
            counts[slot(name.as_bytes())] += 1;
        }
        assert!(counts.iter().max() <= Some(&2), "{counts:?}");
    }
}
