//! Materials behind the common door.

mod edit;
mod folder;

use galvani_core::{EditError, Exhausted, FileMap, Path, ReadError, Report, WriteError, text};
use galvani_parkan::mat0::{self, Document, Fade, Mode, Phase, Track, check};

use super::outline::{in_a_line, wide};
use super::tabular::{LayerRow, TableRow, Variety};
use super::{
    Cell, Column, Declared, Fact, Folder, Format, Info, Likelihood, OpenOptions, Opened, Outline,
    OutlineCount, Packing, Reference, Referring, Role, Section, Site, Tabular, has_extension,
};

/// The material of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Mat0;

static INFO: Info = Info {
    id: "mat0",
    name: "material (Parkan: Iron Strategy)",
    extensions: &["mat0"],
    codes: &[check::ALL],
    operations: edit::OPERATIONS,
    ..Info::PLAIN
};

impl Format for Mat0 {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(mat0::is_shaped(file), has_extension(name, &INFO))
    }

    fn recognise_declared(&self, declared: Declared) -> Likelihood {
        Likelihood::by_magic(declared.type_id.to_le_bytes() == mat0::TYPE, false)
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        let declared = site.declared.filter(|declared| declared.type_id.to_le_bytes() == mat0::TYPE);
        let read = match declared {
            Some(Declared { version, .. }) => mat0::read_as(file, version, &options.read)?,
            None => mat0::read(file, &options.read)?,
        };
        Ok(Opened::new(&Mat0, read))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        mat0::write(&folder::pack(folder)?)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        mat0::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        mat0::edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let class = self.head.surface.class;
        Outline {
            counts: counts(self),
            facts: vec![
                Fact::new("version", "version", self.version.into()),
                Fact::new("surface_class", "class of surface", (class != 255).then_some(class).into()),
                Fact::machines("ground_speed", self.head.speed.ground_speed.get().into()),
                Fact::machines("damage_rate", self.head.damage.damage_rate.get().into()),
            ],
            sections: vec![phases(self), tracks(self)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let texture = self.phases.first().map(|phase| text::shown(&phase.texture.0).into_owned());
        let texture = texture.filter(|name| !name.is_empty());
        Cell::List(vec![in_a_line(&counts(self)).into(), texture.into()]).words()
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }
}

/// Where the game takes textures from.
const TEXTURES: &str = "Textures.lib";

impl Referring for Document {
    fn references(&self, _name: &str) -> Vec<Reference> {
        let mut all: Vec<Reference> = Vec::new();
        for (i, phase) in self.phases.iter().enumerate() {
            let name = text::shown(&phase.texture.0);
            let is_new = all.iter().all(|other| other.name != name);
            if !name.is_empty() && is_new {
                let path = Path::named("phases").index(i).field("texture");
                let texture = Reference::new(path, Role::Texture, name);
                all.push(Reference { library: Some(TEXTURES), ..texture });
            }
        }
        all
    }
}

fn counts(document: &Document) -> Vec<OutlineCount> {
    vec![
        OutlineCount::new("phases", "phase", document.phases.len()),
        OutlineCount::new("tracks", "track", document.tracks.len()),
    ]
}

fn phases(document: &Document) -> Section {
    let columns = [
        Column::new("index", "#"),
        Column::new("texture", "texture"),
        Column::machines("texture_hex").optional(),
        Column::new("cell", "cell"),
        Column::new("ambient", "ambient"),
        Column::new("ambient_alpha", "percent"),
        Column::new("diffuse", "diffuse"),
        Column::machines("diffuse_alpha"),
        Column::new("specular", "specular"),
        Column::machines("specular_alpha"),
        Column::machines("emissive"),
        Column::machines("emissive_alpha"),
        Column::new("power", "power"),
    ];
    let row = |(i, phase): (usize, &Phase)| {
        let [texture, texture_hex] = Cell::room(&phase.texture.0);
        let colour = |rgb: [u8; 3]| Cell::text(format!("#{}", text::hex(&rgb)));
        vec![
            i.into(),
            texture,
            texture_hex,
            (phase.cell != -1).then_some(i32::from(phase.cell)).into(),
            colour(phase.ambient),
            phase.ambient_alpha.into(),
            colour(phase.diffuse),
            phase.diffuse_alpha.into(),
            colour(phase.specular),
            phase.specular_alpha.into(),
            colour(phase.emissive),
            phase.emissive_alpha.into(),
            phase.power.into(),
        ]
    };
    Section::new("phases", "Phases", &columns, document.phases.iter().enumerate().map(row).collect())
}

fn tracks(document: &Document) -> Section {
    let columns = [
        Column::new("index", "#"),
        Column::new("mode", "played"),
        Column::new("fades", "goes over"),
        Column::new("period", "ms"),
        Column::new("keys", "phases shown"),
    ];
    let row = |(i, track): (usize, &Track)| {
        let shown: Vec<u16> = track.keys.iter().map(|key| key.phase.get()).collect();
        let fades: Vec<Cell> = fades(track.fade()).into_iter().map(Cell::from).collect();
        vec![i.into(), track.mode().map(mode).into(), fades.into(), track.period().into(), shown.into()]
    };
    Section::new("tracks", "Tracks", &columns, document.tracks.iter().enumerate().map(row).collect())
}

/// The word for how a track goes on.
fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Loop => "loop",
        Mode::PingPong => "ping-pong",
        Mode::Once => "once",
        Mode::Random => "random",
    }
}

/// What goes over gradually, in words.
fn fades(fade: Fade) -> Vec<&'static str> {
    let all = [
        (fade.ambient, "ambient"),
        (fade.diffuse, "diffuse"),
        (fade.specular, "specular"),
        (fade.emissive, "emissive"),
        (fade.ambient_alpha, "alpha"),
    ];
    all.into_iter().filter(|(fades, _)| *fades).map(|(_, name)| name).collect()
}

/// A row for each phase, called after its texture.
impl Tabular for Document {
    fn variety(&self) -> Variety {
        Variety { family: None, version: Some(self.version) }
    }

    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for (i, phase) in self.phases.iter().enumerate() {
            let (layer, name) = (Some(wide(i)), text::shown(&phase.texture.0));
            tell(TableRow::Material(LayerRow { material: 0, layer, name, blend: "".into(), flags: None }));
        }
    }
}
