//! Polygon files of Final Fantasy VII behind the common door.

mod folder;

use galvani_core::{EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, WriteError};
use galvani_ff7::field::rsd;
use galvani_ff7::lift::CODECS;
use galvani_ff7::lift::still::{self, StillSource};
use galvani_ff7::names::File;
use galvani_ff7::p::{self, Document, check, edit};
use galvani_scene::Scene;

use super::argument::Group;
use super::ff7_model::{self, Lifting, Palettes, holds};
use super::operation::{Editable, operations};
use super::outline::in_a_line;
use super::select::Candidates;
use super::{
    ArgumentValue, Cell, Column, Comparable, Folder, Format, Info, Likelihood, Model, OpenOptions, Opened,
    Outline, OutlineCount, Packing, Section, Selector, Settings, Site, Thing, WayBack, ff7_field,
    has_extension,
};

/// A part of a model of Final Fantasy VII.
#[derive(Debug)]
pub(super) struct P;

static INFO: Info = Info {
    id: "ff7-p",
    name: "polygon file (Final Fantasy VII)",
    extensions: &["p"],
    topics: &[],
    codes: &[check::ALL, edit::ALL, still::part::ALL],
    lifting: Lifting::SETTINGS,
    way_back: Some(WayBack::new("ff7-p", CODECS)),
    operations: operations! { Document;
        "gives a group another texture"
        "set-texture" (group: Group = "which", number: u32 = "the texture's number")
        |document| edit::set_texture(document, group.0, number);

        "multiplies every vertex and the box"
        "scale" (factor: f32 = "by how much")
        |document| edit::scale(document, factor);

        "puts the box around the vertices"
        "recompute-bounds" ()
        |document| edit::recompute_bounds(document);

        "drops what stands behind the last section"
        "canonical" ()
        |document| edit::make_canonical(document);
    },
    ..Info::PLAIN
};

impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let groups = self.groups.len();
        Candidates::nameless("group", Path::named("groups"), &edit::NO_GROUP, groups).values(wanted, notes)
    }
}

impl Format for P {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        // Four letters are too little to go by.
        let named = holds(name, |file| matches!(file, File::Part(_) | File::Weapon(_)))
            && (file.starts_with(&[1, 0, 0, 0]) || name.is_some_and(|name| name.contains('.')));
        Likelihood::by_shape(p::is_shaped(file), named || has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&P, p::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        p::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let count = |section: p::Section<'_>| {
            let (one, many) = words(section.name);
            OutlineCount { one, many, ..OutlineCount::machines(section.name, section.found()) }
        };
        Outline {
            counts: self.sections().map(count).to_vec(),
            facts: Vec::new(),
            sections: vec![groups_section(self)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        in_a_line(&[
            OutlineCount::new("vertices", "vertex", self.verts.len()),
            OutlineCount::new("polygons", "polygon", self.polys.len()),
            OutlineCount::new("groups", "group", self.groups.len()),
        ])
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        Ok(folder::comparable(self))
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }
}

impl Model for Document {
    /// The battle model whose skeleton lies beside it; else the part by itself, standing still.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        if let Some(whole) = ff7_model::lift_whole(settings, site)? {
            return Ok(whole);
        }
        let Lifting { additive, variants } = Lifting::from_settings(settings);
        let palettes = Palettes::for_looks(variants);
        let resource = site.twin("rsd").map(|text| rsd::Document { text: text.into_owned() });
        let pictures = match resource {
            Some(resource) => ff7_field::of_resource(&resource, site, palettes)?.0.unwrap_or_default().2,
            None => ff7_model::pictures(site, palettes)?,
        };
        Ok(still::still(site.stem(), ("", self), &pictures, StillSource::Part, additive)?)
    }

    fn belongs_to(&self, site: &Site<'_>) -> Option<String> {
        ff7_model::skeleton_of(site).or_else(|| ff7_field::named_by(site, "rsd", ff7_field::consists_of))
    }
}

/// What one and several records of a section are called, where that tells people something.
fn words(section: &str) -> (Option<&'static str>, Option<&'static str>) {
    let (one, many) = match section {
        "verts" => ("vertex", "vertices"),
        "polys" => ("polygon", "polygons"),
        "normals" => ("normal", "normals"),
        "texcoords" => ("texture coordinate", "texture coordinates"),
        "edges" => ("edge", "edges"),
        "groups" => ("group", "groups"),
        "unknown1" => ("unknown1 record", "unknown1 records"),
        "unknown2" => ("unknown2 record", "unknown2 records"),
        "unknown3" => ("unknown3 record", "unknown3 records"),
        _ => return (None, None),
    };
    (Some(one), Some(many))
}

fn blend_word(mode: u32) -> Cell {
    match mode {
        0 => "average".into(),
        1 => "add".into(),
        2 => "subtract".into(),
        3 => "quarter".into(),
        4 => "none".into(),
        other => other.into(),
    }
}

fn groups_section(document: &Document) -> Section {
    let row = |(i, group): (usize, &p::Group)| {
        let texture = (group.textured.get() != 0).then(|| group.texture_number.get());
        let blend = document.hundreds.get(i).map(|hundred| hundred.blend_mode.get());
        vec![
            i.into(),
            group.poly_type.get().into(),
            group.poly_count.get().into(),
            group.vertex_count.get().into(),
            texture.into(),
            blend.into(),
            blend.map(blend_word).into(),
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::machines("poly_type"),
        Column::new("polys", "polygons"),
        Column::new("verts", "vertices"),
        Column::new("texture", "texture"),
        Column::machines("blend_mode"),
        Column::people("blend"),
    ];
    Section::new("groups", "Groups", &columns, document.groups.iter().enumerate().map(row).collect())
}
