//! Material tables behind the common door.

use std::any::Any;

use galvani_core::{EditError, Exhausted, FileMap, Path, ReadError, Report, WriteError, text};
use galvani_parkan::wear::{self, Document, WearRows, Which, check, edit};

use super::argument::{Place, Text, words};
use super::operation::{Editable, operations};
use super::outline::{in_a_line, wide};
use super::tabular::{LayerRow, TableRow};
use super::{
    Cell, Column, Declared, Folder, Format, Info, Likelihood, OpenOptions, Opened, Outline, OutlineCount,
    Packing, Reference, Referring, Role, Section, Site, Tabular, has_extension, texts,
};
use crate::diff::{Change, lines};

/// The material table of a model of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Wear;

words! { Which { "materials" => Which::Materials, "lightmaps" => Which::Lightmaps } }

static INFO: Info = Info {
    id: "wear",
    name: "material table (Parkan: Iron Strategy)",
    extensions: &["wea"],
    codes: &[check::ALL],
    operations: operations! { Document;
        "names another material or lightmap in a row"
        "set-name" (table: Which = "which table", row: Place = "which row", name: Text = "what it names")
        |document| edit::set_name(document, table, row.0, &name.0);

        "adds a row behind the last; a table of lightmaps is begun if there is none"
        "add-row" (table: Which = "which table", name: Text = "what it names")
        |document| edit::add_row(document, table, &name.0);

        "removes a row; those behind it follow"
        "remove-row" (table: Which = "which table", row: Place = "which row")
        |document| edit::remove_row(document, table, row.0);

        "numbers every row by its place"
        "renumber" ()
        |document| edit::renumber(document);

        "writes the tables plainly"
        "canonical" ()
        |document| edit::make_canonical(document);
    },
    ..Info::PLAIN
};

impl Editable for Document {}

impl Format for Wear {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(wear::is_shaped(file), has_extension(name, &INFO))
    }

    fn recognise_declared(&self, declared: Declared) -> Likelihood {
        Likelihood::by_magic(declared.type_id.to_le_bytes() == wear::TYPE, false)
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Wear, wear::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        texts::pack(INFO.id, folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        wear::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let table = self.table();
        let lightmaps = table.lightmaps.as_ref().map(|lightmaps| &lightmaps.rows);
        let mut sections = vec![section("materials", "Materials", &table.materials)];
        sections.extend(lightmaps.map(|rows| section("lightmaps", "Lightmaps", rows)));
        Outline { counts: counts(self), facts: Vec::new(), sections, unknown: Vec::new() }
    }

    fn summary(&self) -> String {
        in_a_line(&counts(self))
    }

    fn compare(&self, other: &dyn super::Document, tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        let other: &dyn Any = other;
        Ok(other.downcast_ref::<Document>().map(|other| lines(&self.text, &other.text, tell)).is_some())
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(texts::unpack(INFO.id, "table.wea", &self.text))
    }
}

/// Where the game takes materials from.
const MATERIALS: &str = "Material.lib";

/// Where it takes lightmaps from.
const LIGHTMAPS: &str = "LightMap.lib";

impl Referring for Document {
    fn references(&self, _name: &str) -> Vec<Reference> {
        let table = self.table();
        let named = |rows: &WearRows<'_>, field: &'static str, role: Role| -> Vec<Reference> {
            let row = |(i, row): (usize, &wear::WearRow<'_>)| {
                Reference::new(Path::named(field).index(i), role, row.name.shown())
            };
            rows.rows.iter().enumerate().map(row).collect()
        };
        let materials = named(&table.materials, "materials", Role::Material).into_iter();
        // Without the material there is the default, or whatever comes first (docs/formats/lookup.md#names).
        let materials =
            materials.map(|one| Reference { library: Some(MATERIALS), fallbacks: &["DEFAULT", "#0"], ..one });
        let lightmaps = table.lightmaps.as_ref().map(|some| named(&some.rows, "lightmaps", Role::Lightmap));
        let lightmaps = lightmaps.into_iter().flatten();
        materials.chain(lightmaps.map(|one| Reference { library: Some(LIGHTMAPS), ..one })).collect()
    }
}

fn counts(document: &Document) -> Vec<OutlineCount> {
    let table = document.table();
    let lightmaps = table.lightmaps.map_or(0, |lightmaps| lightmaps.rows.rows.len());
    vec![
        OutlineCount::new("materials", "material", table.materials.rows.len()),
        OutlineCount::new("lightmaps", "lightmap", lightmaps),
    ]
}

fn section(key: &'static str, title: &'static str, rows: &WearRows<'_>) -> Section {
    let columns = [
        Column::new("index", "#"),
        Column::machines("id"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
    ];
    let row = |(i, row): (usize, &wear::WearRow<'_>)| {
        let [name, name_hex] = Cell::room(row.name.bytes);
        vec![i.into(), row.number().into(), name, name_hex]
    };
    Section::new(key, title, &columns, rows.rows.iter().enumerate().map(row).collect())
}

/// A row for each material that it names.
impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for (i, row) in self.table().materials.rows.iter().enumerate() {
            let name = text::shown(row.name.bytes);
            let (material, blend) = (wide(i), "".into());
            tell(TableRow::Material(LayerRow { material, layer: None, name, blend, flags: None }));
        }
    }
}
