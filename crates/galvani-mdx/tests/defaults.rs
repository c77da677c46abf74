//! What properties are where no key counts: the field of the record that the file's own bytes hold, tag by tag.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::make::{KINDS, Make};
use common::raw::{bytes, chunk, file, floats, modl_warcraft, node, sized, vers};
use common::reading;
use galvani_core::{Path, Reading, WantedReading};
use galvani_mdx::read;
use galvani_mdx::sample::{Clip, Sampled, WindowEdges};

/// What stands still where a tag has no keys (docs/formats/mdx-tracks.md#tags): a field beside the track, or
/// a number.
enum Rest {
    Field(&'static str),
    /// A field that Warcraft III writes red first, while keys are blue first.
    Color(&'static str),
    Numbers(&'static [f32]),
}

use Rest::{Color, Field, Numbers};

/// Chunk, tag, default. Lights, emitters and ribbons of WoW all call their visibility KVIS.
const TABLE: &[(&str, &str, Rest)] = &[
    ("", "KGTR", Numbers(&[0.0; 3])),
    ("", "KGRT", Numbers(&[0.0, 0.0, 0.0, 1.0])),
    ("", "KGSC", Numbers(&[1.0; 3])),
    ("", "KVIS", Numbers(&[1.0])),
    ("MTLS", "KMTA", Numbers(&[1.0])),
    ("MTLS", "KMTF", Field("texture_id")),
    ("MTLS", "KMTE", Field("emissive_gain")),
    ("MTLS", "KFC3", Color("fresnel_color")),
    ("MTLS", "KFCA", Field("fresnel_opacity")),
    ("MTLS", "KFTC", Field("fresnel_team_color")),
    ("TXAN", "KTAT", Numbers(&[0.0; 3])),
    ("TXAN", "KTAR", Numbers(&[0.0, 0.0, 0.0, 1.0])),
    ("TXAN", "KTAS", Numbers(&[1.0; 3])),
    ("GEOA", "KGAO", Numbers(&[1.0])),
    ("GEOA", "KGAC", Color("color")),
    ("LITE", "KLAS", Field("attenuation_start")),
    ("LITE", "KLAE", Field("attenuation_end")),
    ("LITE", "KLAC", Color("color")),
    ("LITE", "KLAI", Field("intensity")),
    ("LITE", "KLBC", Color("ambient_color")),
    ("LITE", "KLBI", Field("ambient_intensity")),
    ("LITE", "KLAV", Numbers(&[1.0])),
    ("LITE", "KLSS", Field("shadow_start")),
    ("LITE", "KLSE", Field("shadow_end")),
    ("LITE", "KLQF", Field("quadratic")),
    ("LITE", "KLLF", Field("linear")),
    ("LITE", "KLDA", Field("damping")),
    ("ATCH", "KATV", Numbers(&[1.0])),
    ("PREM", "KPEE", Field("emission_rate")),
    ("PREM", "KPEG", Field("gravity")),
    ("PREM", "KPLN", Field("longitude")),
    ("PREM", "KPLT", Field("latitude")),
    ("PREM", "KPEL", Field("lifespan")),
    ("PREM", "KPES", Field("speed")),
    ("PREM", "KPEV", Numbers(&[1.0])),
    ("PRE2", "KP2S", Field("speed")),
    ("PRE2", "KP2R", Field("variation")),
    ("PRE2", "KP2L", Field("latitude")),
    ("PRE2", "KP2G", Field("gravity")),
    ("PRE2", "KP2E", Field("emission_rate")),
    ("PRE2", "KP2N", Field("length")),
    ("PRE2", "KP2W", Field("width")),
    ("PRE2", "KP2V", Numbers(&[1.0])),
    ("PRE2", "KPLN", Field("longitude")),
    ("PRE2", "KLIF", Field("lifespan")),
    ("PRE2", "KP2Z", Field("z_source")),
    ("RIBB", "KRHA", Field("height_above")),
    ("RIBB", "KRHB", Field("height_below")),
    ("RIBB", "KRAL", Field("alpha")),
    ("RIBB", "KRCO", Color("color")),
    ("RIBB", "KRTX", Field("texture_slot")),
    ("RIBB", "KRVS", Numbers(&[1.0])),
    ("CAMS", "KCTR", Numbers(&[0.0; 3])),
    ("CAMS", "KTTR", Numbers(&[0.0; 3])),
    ("CAMS", "KCRL", Numbers(&[0.0])),
    ("CORN", "KPPA", Field("alpha")),
    ("CORN", "KPPC", Color("color")),
    ("CORN", "KPPE", Field("emission_rate")),
    ("CORN", "KPPL", Field("lifespan")),
    ("CORN", "KPPS", Field("speed")),
    ("CORN", "KPPV", Numbers(&[1.0])),
];

/// The words of a default, as the file would hold it.
fn words(value: Sampled) -> Vec<u32> {
    match value {
        // Textures of layers have signed indices, slots of ribbons unsigned ones.
        Sampled::Index(index) => vec![u32::try_from(index & 0xFFFF_FFFF).unwrap()],
        Sampled::Floats(floats) => floats.as_slice().iter().map(|number| number.to_bits()).collect(),
    }
}

#[test]
fn every_tag_rests_at_what_its_record_says() {
    let mut met = BTreeSet::new();
    for (kind, seed) in KINDS.iter().flat_map(|kind| (0..16).map(move |seed| (kind, seed))) {
        let file = Make::new(*kind, seed, 3).model();
        let found = read(&file, &reading(Reading::Observed)).unwrap();
        let mut fields: BTreeMap<String, &[u8]> = BTreeMap::new();
        found.map.rows(&file, |row| {
            fields.insert(row.path.to_string(), &file[row.offset..][..row.len]);
        });
        let clip = Clip::new(&found.document, None, WindowEdges::Auto).unwrap();
        for property in clip.properties() {
            let path = property.path.to_string();
            let (record, tag) = path.rsplit_once('.').unwrap();
            let row = TABLE.iter().find(|(chunk, name, _)| record.starts_with(chunk) && *name == tag);
            let (chunk, tag, rest) = row.unwrap_or_else(|| panic!("{path} is not in the table"));
            met.insert((*chunk, *tag));
            let field = |name: &str| -> Vec<u32> {
                let bytes = fields[&format!("{record}.{name}")];
                bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
            };
            let wanted = match rest {
                Numbers(numbers) => numbers.iter().map(|number| number.to_bits()).collect(),
                Field(name) => field(name),
                Color(name) if kind.wow => field(name),
                Color(name) => field(name).into_iter().rev().collect(),
            };
            assert_eq!(words(property.rest), wanted, "{path} of {kind:?}");
        }
    }
    let missing: Vec<_> = TABLE.iter().filter(|(chunk, tag, _)| !met.contains(&(*chunk, *tag))).collect();
    assert!(missing.is_empty(), "{:?}", missing.iter().map(|(_, tag, _)| tag).collect::<Vec<_>>());
}

/// Offsets of the two floats behind the emission rate, counted from the block of an emitter of Warcraft III.
const LENGTH_AND_WIDTH: [usize; 2] = [24, 28];

#[test]
fn an_emitter_of_warcraft_has_its_length_before_its_width() {
    let block = bytes().f32s(&[0., 0., 0., 0., 1., 1., 25., 75.]).raw([0; 139]);
    // Keys that no sequence reaches.
    let tracks = floats("KP2N", &[(0, 1.)]).raw(floats("KP2W", &[(0, 2.)]));
    let emitter = sized(bytes().raw(node("Sparks", 0, -1, 0x1000, [])).raw(block).raw(tracks));
    let file = file(&[vers(800), modl_warcraft(), chunk("PRE2", emitter)]);
    let found = read(&file, &reading(WantedReading::Auto)).unwrap();
    let clip = Clip::new(&found.document, None, WindowEdges::Auto).unwrap();
    let rest = |tag: &str| {
        let path = format!("PRE2[0].{tag}");
        clip.properties().iter().find(|property| property.path.to_string() == path).map(|found| found.rest)
    };
    assert_eq!(rest("KP2N").map(words), Some(vec![25_f32.to_bits()]));
    assert_eq!(rest("KP2W").map(words), Some(vec![75_f32.to_bits()]));
    let at = |field| found.map.offset_of(&Path::named("PRE2").index(0).field(field)).unwrap();
    let start = at("speed");
    assert_eq!([at("length"), at("width")].map(|at| usize::try_from(at - start).unwrap()), LENGTH_AND_WIDTH);
}
