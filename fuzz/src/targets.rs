//! Every fuzz target there is: some of one format each, and those that take any format of the registry.

use galvani::formats::{FORMATS, Format, OpenOptions, Opened};
use galvani::samples::{self, Sample};

use crate::seeds::Shape;
use crate::{
    abilities, agree, door, ff7_parts, field, gltf, lgp, mdl, mdx, mdx_edit, mdx_sample, msh, msh_edit, nres,
    pack, pack_edit, parkan, rsli, skeleton, texture,
};

/// A property of any bytes as files of a format.
pub struct Target {
    /// What it is called: `read_nres`, `any_diff-mdx`.
    pub name: String,
    /// The format.
    pub format: &'static str,
    /// What its inputs look like.
    pub(crate) shape: Shape,
    property: Property,
}

enum Property {
    OneFormat(fn(&[u8])),
    Any(&'static dyn Format, fn(&'static dyn Format, &[u8])),
}

impl Target {
    /// Holds bytes against the property; panics if they break it.
    pub fn run(&self, data: &[u8]) {
        match self.property {
            Property::OneFormat(run) => run(data),
            Property::Any(format, run) => run(format, data),
        }
    }
}

/// Every target, by name.
pub fn targets() -> Vec<Target> {
    let mut all: Vec<Target> = ONE_FORMAT
        .iter()
        .map(|(verb, format, shape, run)| of_one_format(verb, format, *shape, *run))
        .collect();
    let samples = samples::all();
    for &format in FORMATS {
        let id = format.info().id;
        let shipped = shipped(format, &samples);
        let able = ANY.iter().filter(|(_, _, ability, _)| shipped.iter().any(ability));
        all.extend(able.map(|(verb, shape, _, run)| Target {
            name: format!("any_{verb}-{id}"),
            format: id,
            shape: *shape,
            property: Property::Any(format, *run),
        }));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn of_one_format(verb: &str, format: &'static str, shape: Shape, run: fn(&[u8])) -> Target {
    let name = format!("{verb}_{}", format.replace('-', "_"));
    Target { name, format, shape, property: Property::OneFormat(run) }
}

/// The samples of a format: what they can do, its documents can.
fn shipped(format: &'static dyn Format, samples: &[Sample]) -> Vec<Opened> {
    let is_one = |file: &[u8]| {
        galvani::formats::recognise(file, None).is_some_and(|found| found.info().id == format.info().id)
    };
    let files = samples.iter().filter(|sample| is_one(&sample.bytes));
    files.filter_map(|sample| format.open(&sample.bytes, &OpenOptions::default()).ok()).collect()
}

type OneFormat = (&'static str, &'static str, Shape, fn(&[u8]));

/// A verb, a format, what the input looks like and the property.
const ONE_FORMAT: &[OneFormat] = &[
    ("read", "nres", Shape::File, nres::read),
    ("round_trip", "nres", Shape::File, nres::round_trip),
    ("edit", "nres", Shape::Dice, nres::edit),
    ("readings", "msh", Shape::File, msh::readings),
    ("readings", "ff7-pack", Shape::File, pack::readings),
    ("readings", "mdx", Shape::File, mdx::readings),
    ("read", "msh", Shape::File, msh::read),
    ("round_trip", "msh", Shape::File, msh::round_trip),
    ("edit", "msh", Shape::Dice, msh_edit::edit),
    ("read", "rsli", Shape::File, rsli::read),
    ("round_trip", "rsli", Shape::File, rsli::round_trip),
    ("edit", "rsli", Shape::Dice, rsli::edit),
    ("read", "texm", Shape::File, parkan::read_texm),
    ("round_trip", "texm", Shape::File, parkan::round_trip_texm),
    ("edit", "texm", Shape::Dice, parkan::edit_texm),
    ("read", "mat0", Shape::File, parkan::read_mat0),
    ("round_trip", "mat0", Shape::File, parkan::round_trip_mat0),
    ("edit", "mat0", Shape::Dice, parkan::edit_mat0),
    ("read", "wear", Shape::File, parkan::read_wear),
    ("round_trip", "wear", Shape::File, parkan::round_trip_wear),
    ("edit", "wear", Shape::Dice, parkan::edit_wear),
    ("read", "lgp", Shape::File, lgp::read),
    ("round_trip", "lgp", Shape::File, lgp::round_trip),
    ("edit", "lgp", Shape::Dice, lgp::edit),
    ("read", "ff7-pack", Shape::File, pack::read),
    ("round_trip", "ff7-pack", Shape::File, pack::round_trip),
    ("fold", "ff7-pack", Shape::File, pack::fold),
    ("edit", "ff7-pack", Shape::Dice, pack_edit::edit),
    ("read", "ff7-skeleton", Shape::File, skeleton::read),
    ("round_trip", "ff7-skeleton", Shape::File, skeleton::round_trip),
    ("read", "ff7-p", Shape::File, ff7_parts::read_p),
    ("round_trip", "ff7-p", Shape::File, ff7_parts::round_trip_p),
    ("read", "ff7-tex", Shape::File, ff7_parts::read_tex),
    ("round_trip", "ff7-tex", Shape::File, ff7_parts::round_trip_tex),
    ("read", "ff7-hrc", Shape::File, field::read_hrc),
    ("round_trip", "ff7-hrc", Shape::File, field::round_trip_hrc),
    ("read", "ff7-rsd", Shape::File, field::read_rsd),
    ("round_trip", "ff7-rsd", Shape::File, field::round_trip_rsd),
    ("read", "ff7-a", Shape::File, field::read_a),
    ("round_trip", "ff7-a", Shape::File, field::round_trip_a),
    ("read", "mdx", Shape::File, mdx::read),
    ("round_trip", "mdx", Shape::File, mdx::round_trip),
    ("edit", "mdx", Shape::ManyDice, mdx_edit::edit),
    ("sample", "mdx", Shape::Moments, mdx_sample::sample),
    ("text", "mdx", Shape::File, mdl::text),
    ("read", "mdl", Shape::File, mdl::read),
    ("round_trip", "mdl", Shape::File, mdl::round_trip),
    ("read", "blp", Shape::File, texture::read_blp),
    ("round_trip", "blp", Shape::File, texture::round_trip_blp),
    ("edit", "blp", Shape::Dice, texture::edit_blp),
    ("read", "dds", Shape::File, texture::read_dds),
    ("round_trip", "dds", Shape::File, texture::round_trip_dds),
    ("edit", "dds", Shape::Dice, texture::edit_dds),
    ("read", "gltf", Shape::File, gltf::read_gltf),
    ("round_trip", "gltf", Shape::File, gltf::round_trip),
    ("import", "gltf", Shape::File, gltf::scene),
    ("back", "gltf", Shape::File, gltf::back),
    ("lower", "gltf", Shape::File, gltf::lower),
    ("trip", "gltf", Shape::File, gltf::trip),
];

type Any = (&'static str, Shape, fn(&Opened) -> bool, fn(&'static dyn Format, &[u8]));

/// A verb, what the input looks like, which documents can do that, and the property.
const ANY: &[Any] = &[
    ("read", Shape::File, |_| true, door::read),
    ("edit", Shape::Dice, |_| true, door::edit),
    ("diff", Shape::Dice, |_| true, door::diff),
    ("folder", Shape::Dice, |_| true, door::folder),
    ("nested", Shape::File, |one| one.as_archive().is_ok(), door::nested),
    ("sample", Shape::Dice, |one| one.as_animated().is_ok(), abilities::sample),
    ("lift", Shape::Dice, |one| one.as_model().is_ok(), abilities::lift),
    ("draw", Shape::Dice, |one| one.as_drawn().is_ok(), abilities::draw),
    ("pick", Shape::Dice, |one| one.as_drawn().is_ok(), abilities::pick),
    ("picture", Shape::Dice, |one| one.as_picture().is_ok(), abilities::picture),
    ("base", Shape::Dice, |one| one.as_model().is_ok() && one.format.info().way_back.is_some(), gltf::base),
    ("strictness", Shape::File, |_| true, agree::strictness),
    ("readings", Shape::File, |_| true, agree::readings),
    ("member", Shape::File, |_| true, agree::member),
];
