//! [`Document`] → [`Scene`]: what a file of glTF shows, in the scene's words.
//!
//! Everything that our own files say beyond core glTF comes back: names that were cut, numbers of nodes and clips, what
//! is hidden when, what no channel could move. Everything that a scene cannot hold is a finding; what is damaged is
//! refused, never guessed.

mod clip;
mod curve;
mod kept;
mod look;
mod made;
mod mesh;
mod node;
mod pointer;
mod skin;
mod variant;

use galvani_core::{Code, Diagnostic, Exhausted, LiftError, Meter, Path, Report, codes, room};
use galvani_scene::{Image, Scene};

use crate::document::check::{looked_at, viewed};
use crate::document::view::View;
use crate::document::{Data, Document, Items, JsonValue};

pub use kept::{ExportRecord, RecordedClip, RecordedFile};
pub use look::{Picture, PictureFile, pictures};

codes! {
    LOST_MORPH = Warning, "gltf.lost-morph",
        "a mesh that changes its shape by itself is shown as it is without that",
        "scenes bend meshes by joints only";
    LOST_SHAPE = Warning, "gltf.lost-shape",
        "points and lines are not shown",
        "scenes hold triangles only";
    LOST_PICTURE = Warning, "gltf.lost-picture",
        "a picture is not there, or of a kind that is not decoded; a white pixel stands in for it",
        "put the file beside this one; PNG, JPEG and WebP are decoded";
    LOST_SURFACE = Note, "gltf.lost-surface",
        "how a surface takes light is not all said",
        "scenes know its colour, one picture for light, roughness and metal, and what shines by itself";
    LOST_SHADING = Note, "gltf.lost-shading",
        "a picture of shadows, how strongly pictures count, or a glow above 1 is not taken",
        "shadows go with roughness and metal in one picture; a glow is as strong as 1 says";
    LOST_CAMERA = Note, "gltf.lost-camera",
        "a camera without perspective is not taken",
        "scenes hold cameras with perspective only";
    LOST_SCENE = Note, "gltf.lost-scene",
        "scenes beside the one that is shown are not taken",
        "make another scene the one that is shown, and take it so";
    LOST_PLACE = Warning, "gltf.lost-place",
        "nodes of another state or level of detail stand elsewhere than those that they stand in for",
        "they are where those are; what they show is taken";
    LOST_LOOKS = Note, "gltf.lost-looks",
        "another look is not all said",
        "in scenes one material stands in for another wherever that is";
    LOST_COLORS = Note, "gltf.lost-colors",
        "vertices have more colours than one, or more sets of texture coordinates than eight",
        "the first ones are taken";
    LOST_CHANNEL = Warning, "gltf.lost-channel",
        "something moves for which scenes have no track",
        "scenes move nodes, and the colours and texture coordinates of materials";
    BAKED_TURNS = Note, "gltf.baked-turns",
        "turns on cubic curves became straight lines between more keys",
        "they are as near as the tolerance says";
    FLAT = Note, "gltf.flat-normals",
        "a mesh has no normals; it is shown with flat faces, as glTF asks for",
        "export the model with normals if it is to look smooth";
    NEAREST = Warning, "gltf.nearest-transform",
        "the place of a node leans, and was replaced by the nearest that does not",
        "apply the transform to the mesh before exporting";
}

/// How a document is imported.
#[derive(Debug)]
pub struct Options<'p> {
    /// The pixels of its pictures, one by one, as far as somebody decoded them; see [`pictures`].
    pub pictures: &'p [Option<Image>],
    /// What becomes of nodes that are only there for glTF's sake.
    pub made: AddedNodes,
    /// How far a turn may be from the file's where it has to be baked, in radians.
    pub tolerance: f32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { pictures: &[], made: AddedNodes::Undone, tolerance: 1e-4 }
    }
}

/// What becomes of nodes that our own export adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum AddedNodes {
    /// What they carry goes back to the nodes that it came from.
    #[default]
    Undone,
    /// They stay: every node of the scene that is shown is one of the file's.
    Kept,
}

/// What a document shows.
#[derive(Debug, Clone)]
pub struct Imported {
    /// As a scene. Numbers of nodes are their extras' `id`, numbers of clips their `index`.
    pub scene: Scene,
    /// What the scene does not say.
    pub report: Report,
    /// For each node of the scene its number in the file.
    pub nodes: Vec<usize>,
    /// For each clip of the scene the number of its animation in the file; nothing if it has none, since nothing moves.
    pub clips: Vec<Option<usize>>,
    /// What our own export wrote beside the scene, if it did.
    pub kept: Option<ExportRecord>,
}

/// What a document shows. What it takes is charged; what is damaged is refused.
pub fn import(document: &Document, options: &Options<'_>, meter: &Meter) -> Result<Imported, LiftError> {
    run(document, options, meter).map_err(|cause| LiftError { cause })
}

/// The same, and everything that is wrong with the document, as [`check`](crate::document::check()) has it: what the document
/// says is looked at once for both.
pub fn checked(
    document: &Document,
    options: &Options<'_>,
    meter: &Meter,
) -> (Report, Result<Imported, LiftError>) {
    let mut report = Report::default();
    let made = looked_at_and_made(document, options, meter, &mut report);
    if let Err(Stopped::Lacking(lacking)) = &made {
        report.push((*lacking.cause).clone().offset(0));
    }
    let cause = |stopped| match stopped {
        Stopped::Lacking(lacking) => lacking.cause,
        Stopped::Wrong(cause) => cause,
    };
    (report, made.map_err(|stopped| LiftError { cause: cause(stopped) }))
}

/// Why nothing was made: what was to be looked at has no room, or something is wrong.
enum Stopped {
    Lacking(Exhausted),
    Wrong(Box<Diagnostic>),
}

fn looked_at_and_made(
    document: &Document,
    options: &Options<'_>,
    meter: &Meter,
    report: &mut Report,
) -> Result<Imported, Stopped> {
    let view = viewed(document, report).map_err(Stopped::Lacking)?;
    let data = Data::new(document, &view, meter).map_err(Stopped::Lacking)?;
    let items = looked_at(&data, document, report).map_err(Stopped::Lacking)?;
    of_data(Lists { data: &data, items }, options, meter).map_err(Stopped::Wrong)
}

/// What our own export wrote beside the scene of a document, if it did.
pub fn kept_by_export(document: &Document) -> Result<Option<ExportRecord>, LiftError> {
    let found = |document: &Document| -> Outcome<Option<ExportRecord>> { Ok(kept::find(&document.view()?)?) };
    found(document).map_err(|cause| LiftError { cause })
}

/// What is wrong, or that there is no room.
type Outcome<T> = Result<T, Box<Diagnostic>>;

fn run(document: &Document, options: &Options<'_>, meter: &Meter) -> Outcome<Imported> {
    let view = document.view()?;
    let data = Data::new(document, &view, meter)?;
    of_data(Lists::new(&data, meter)?, options, meter)
}

fn of_data(lists: Lists<'_, '_>, options: &Options<'_>, meter: &Meter) -> Outcome<Imported> {
    let view = lists.data.view();
    refuse_unreadable(lists.data)?;
    let kept = kept::find(view)?;
    let mut from = From {
        view,
        lists,
        meter,
        options,
        kept: kept.as_ref(),
        report: Report::default(),
        scene: Scene::default(),
    };
    look::import(&mut from)?;
    let meshes = mesh::import(&mut from)?;
    let tree = node::import(&mut from, &meshes)?;
    skin::import(&mut from, &tree)?;
    let clips = clip::import(&mut from, &tree)?;
    variant::import(&mut from, &tree, &meshes)?;
    if let Some(kept) = from.kept {
        from.scene.source.clone_from(&kept.source);
    }
    let From { mut scene, report, .. } = from;
    let mut nodes = tree.order;
    if options.made == AddedNodes::Undone {
        made::undo(&mut scene, &mut nodes);
    }
    Ok(Imported { scene, report, nodes, clips, kept })
}

/// What nobody can read without knowing it.
fn refuse_unreadable(data: &Data<'_>) -> Outcome<()> {
    let view = data.view();
    let path = Path::named("extensionsRequired");
    for (i, name) in view.extensions_required.iter().enumerate() {
        if !crate::document::check::KNOWN.contains(&&**name) {
            let said = format!("`{}`", crate::document::view::typed::shortened(name));
            return Err(data.wrong(&crate::document::check::REQUIRED, path.index(i), None, said));
        }
    }
    Ok(())
}

/// A scene in the making.
pub(crate) struct From<'d, 'a> {
    view: &'a View<'a>,
    lists: Lists<'d, 'a>,
    meter: &'d Meter,
    options: &'d Options<'d>,
    kept: Option<&'d ExportRecord>,
    report: Report,
    scene: Scene,
}

impl From<'_, '_> {
    fn note(
        &mut self,
        code: &'static Code,
        path: Path,
        value: Option<JsonValue<'_>>,
        said: impl Into<String>,
    ) {
        let found = self.lists.data.wrong(code, path, value, said.into());
        self.report.push(*found);
    }
}

/// The lists of a document, each looked for once.
pub(crate) struct Lists<'d, 'a> {
    data: &'d Data<'a>,
    items: Vec<Option<Items<'d>>>,
}

impl<'d, 'a> Lists<'d, 'a> {
    fn new(data: &'d Data<'a>, meter: &Meter) -> Outcome<Self> {
        let count = data.view().accessors.len();
        meter.memory(count.saturating_mul(size_of::<Option<Items<'_>>>()))?;
        let items = room::collected((0..count).map(|index| data.items(index).ok()))?;
        Ok(Lists { data, items })
    }

    /// The list of that number, or what is wrong with it.
    fn get(&self, index: usize) -> Outcome<Items<'d>> {
        match self.items.get(index).copied().flatten() {
            Some(items) => Ok(items),
            None => self.data.items(index),
        }
    }

    /// Something is wrong.
    fn wrong(
        &self,
        code: &'static Code,
        path: Path,
        value: Option<JsonValue<'_>>,
        said: String,
    ) -> Box<Diagnostic> {
        self.data.wrong(code, path, value, said)
    }
}
