//! Resources of FF7 field models behind the common door.

use galvani_core::{EditError, ReadError, ReadOptions, Report, WriteError};
use galvani_ff7::field::rsd::{self, Document, Line, check, edit};

use super::outline::in_a_line;
use super::{
    Arg, Cell, Column, Count, Fact, Folder, Format, Info, Kind, Likelihood, Opened, Operation, Outline,
    Section, Site, Step, Value, ff7_text, has_extension,
};

/// A mesh of a model on a field, and its textures.
#[derive(Debug)]
pub(super) struct Rsd;

const NAME: Arg = Arg { name: "name", kind: Kind::Text };
const INDEX: Arg = Arg { name: "index", kind: Kind::Number };

const OPERATIONS: &[Operation] = &[
    Operation { name: "set-ply", args: &[NAME], summary: "names another mesh" },
    Operation { name: "set-mat", args: &[NAME], summary: "names other materials" },
    Operation { name: "set-grp", args: &[NAME], summary: "names other groups" },
    Operation { name: "set-texture", args: &[INDEX, NAME], summary: "names another texture" },
    Operation { name: "add-texture", args: &[NAME], summary: "adds a texture behind the last" },
    Operation { name: "remove-texture", args: &[], summary: "removes the last texture" },
];

static INFO: Info = Info {
    id: "ff7-rsd",
    name: "field resource (Final Fantasy VII)",
    extensions: &["rsd"],
    topics: &[],
    codes: &[check::ALL],
    operations: OPERATIONS,
};

impl Format for Rsd {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(rsd::is_marked(file), has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Rsd, rsd::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        ff7_text::pack(INFO.id, folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn check_links(&self, site: &Site<'_>) -> Report {
        let mut report = Report::default();
        check::files(self, |name| site.links.has(name), &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        rsd::write(self)
    }

    fn outline(&self) -> Outline {
        let resource = self.resource();
        let file = |line: Option<Line<'_>>| line.map(|line| line.value.shown().into_owned());
        let textures = resource.textures.iter().map(|texture| {
            let [name, name_hex] = Cell::room(texture.line.value.bytes);
            vec![texture.index.into(), name, name_hex]
        });
        let files = vec![
            Cell::part("ply", file(resource.ply)),
            Cell::part("mat", file(resource.mat)),
            Cell::part("grp", file(resource.grp)),
        ];
        let columns =
            [Column::new("index", "#"), Column::new("name", "name"), Column::machines("name_hex").optional()];
        Outline {
            counts: vec![Count::new("textures", "texture", resource.textures.len())],
            facts: vec![Fact::new("files", "files", Cell::Parts(files))],
            sections: vec![Section::new("textures", "Textures", &columns, textures.collect())],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let resource = self.resource();
        let mesh = resource.ply.map(|line| line.value.shown().into_owned());
        let textures = in_a_line(&[Count::new("textures", "texture", resource.textures.len())]);
        Cell::List(vec![mesh.into(), textures.into()]).words()
    }

    fn unpack(&self) -> Folder {
        ff7_text::unpack(INFO.id, "resource.rsd", &self.text)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        match (step.operation.name, step.values.as_slice()) {
            ("set-ply", [Value::Bytes(name)]) => edit::set_part(self, edit::Part::Ply, name),
            ("set-mat", [Value::Bytes(name)]) => edit::set_part(self, edit::Part::Mat, name),
            ("set-grp", [Value::Bytes(name)]) => edit::set_part(self, edit::Part::Grp, name),
            ("set-texture", [Value::Number(index), Value::Bytes(name)]) => {
                edit::set_texture(self, usize::try_from(*index).unwrap_or(usize::MAX), name)
            }
            ("add-texture", [Value::Bytes(name)]) => edit::add_texture(self, name),
            ("remove-texture", []) => edit::remove_texture(self),
            (name, _) => unreachable!("`{name}` is declared but not done"),
        }
        .map(|()| Report::default())
    }
}
