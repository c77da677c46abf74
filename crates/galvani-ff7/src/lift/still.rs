//! Parts by themselves, as scenes: they stand still.

use galvani_core::image::Additive;
use galvani_core::{Exhausted, Path, Report};
use galvani_scene::{Node, Scene};

use super::Picture;
use super::mesh::Looks;
use crate::p;

/// What is told of a polygon file.
pub mod part {
    use galvani_core::codes;

    use crate::lift::PartCodes;

    codes! {
        LOST_TEXTURE = Warning, "ff7-p.lost-texture",
            "a texture that polygons are to show is not there: they show their colours only",
            "convert the model that the part belongs to";
        LOST_BLENDING = Note, "ff7-p.lost-blending",
            "polygons are added to, or subtracted from, what is behind them, which other programs cannot do",
            "they are shown as nearly as can be; what the game does stands with the material";
        LOST_POLYGONS = Warning, "ff7-p.lost-polygons",
            "polygons lead out of the lists of their file, or have corners that are no numbers",
            "they were left out; the file's own findings say where";
    }

    pub(super) const PART_CODES: PartCodes =
        PartCodes { texture: &LOST_TEXTURE, blending: &LOST_BLENDING, polygons: &LOST_POLYGONS };
}

/// What is told of a resource.
pub mod resource {
    use galvani_core::codes;

    use crate::lift::PartCodes;

    codes! {
        LOST_PART = Warning, "ff7-rsd.lost-part",
            "the mesh is not there, or does not read",
            "put it beside the resource";
        LOST_TEXTURE = Warning, "ff7-rsd.lost-texture",
            "a texture that polygons are to show is not there: they show their colours only",
            "put the textures of the resource beside it";
        LOST_BLENDING = Note, "ff7-rsd.lost-blending",
            "polygons are added to, or subtracted from, what is behind them, which other programs cannot do",
            "they are shown as nearly as can be; what the game does stands with the material";
        LOST_POLYGONS = Warning, "ff7-rsd.lost-polygons",
            "polygons lead out of the lists of their file, or have corners that are no numbers",
            "they were left out; the mesh's own findings say where";
    }

    pub(super) const PART_CODES: PartCodes =
        PartCodes { texture: &LOST_TEXTURE, blending: &LOST_BLENDING, polygons: &LOST_POLYGONS };
}

/// Whose findings are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StillSource {
    /// A polygon file's.
    Part,
    /// A resource's.
    Resource,
}

/// The scene of a part, by the name of its file if that is not what was asked for, its textures being these pictures by number,
/// and what it does not say.
pub fn still(
    name: &str,
    (file, part): (&str, &p::Document),
    pictures: &[Picture],
    source: StillSource,
    additive: Additive,
) -> Result<(Scene, Report), Exhausted> {
    let codes = match source {
        StillSource::Part => part::PART_CODES,
        StillSource::Resource => resource::PART_CODES,
    };
    let (mut scene, mut report) = (Scene::default(), Report::default());
    let numbers: Vec<usize> = (0..pictures.len()).collect();
    let mut looks = Looks::new(pictures, codes, additive, &mut scene, &mut report);
    let mesh = looks.mesh(name.to_owned(), &[(file, part, &numbers)], Path::root())?;
    looks.add_palettes()?;
    scene.nodes.push(Node { name: name.to_owned(), mesh, ..Node::default() });
    Ok((scene, report))
}
