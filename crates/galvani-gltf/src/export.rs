//! A scene as files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Path, Report, Severity, WriteError};
use galvani_scene::{Id, Material, Mesh, Node, Primitive, Pull, Scene, check};

use crate::buffer::Bytes;
use crate::names::Names;
use crate::unique::Unique;
use crate::{LOST_INFLUENCES, LOST_VALUE, TOO_LARGE};
use crate::{
    Options, RigOption, SCENE, clip, extras, frame, hide, legal, look, node, rig, schema, tangent, text,
};

/// A file by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The bytes of a `.glb`, and what they do not say.
///
/// A scene that is lent stays as it is, and is copied only if glTF wants it otherwise.
#[allow(single_use_lifetimes, reason = "`impl` takes no unnamed ones")]
pub fn glb<'s>(scene: impl Into<Cow<'s, Scene>>, options: &Options) -> Result<(Vec<u8>, Report), WriteError> {
    let (exported, report) = gltf(scene, options)?;
    Ok((exported.in_one()?, report))
}

/// A `.gltf` with its bytes and pictures, and what they do not say.
#[allow(single_use_lifetimes, reason = "`impl` takes no unnamed ones")]
pub fn gltf<'s>(
    scene: impl Into<Cow<'s, Scene>>,
    options: &Options,
) -> Result<(Exported, Report), WriteError> {
    let Written { root, bytes, pictures, report } = write(scene.into(), options)?;
    Ok((Exported { root, bytes, pictures }, report))
}

/// A `.gltf`, its bytes and its pictures, which are named last, or become one file.
#[derive(Debug)]
pub struct Exported {
    root: schema::TopLevel,
    bytes: Bytes,
    pictures: Vec<Vec<u8>>,
}

impl Exported {
    /// Bytes of the text in the extras of the scene; 0 if there is none.
    pub fn extras_len(&self) -> usize {
        let text = self.root.scenes.first().and_then(|scene| scene.extras.get(extras::TEXT)?.as_str());
        text.map_or(0, str::len)
    }

    /// The bytes of a `.glb`.
    pub fn in_one(self) -> Result<Vec<u8>, WriteError> {
        let Exported { mut root, mut bytes, pictures } = self;
        let pictures: Vec<usize> = pictures.into_iter().map(|file| bytes.picture(file)).collect();
        let buffer = bytes.finish();
        for (image, picture) in root.images.iter_mut().zip(pictures) {
            image.mime_type = Some("image/png");
            image.buffer_view = Some(buffer.first_picture.saturating_add(picture));
        }
        root.accessors = buffer.accessors;
        root.buffer_views = buffer.buffer_views;
        root.buffers = buffer.buffers;
        frame::frame(&root, &buffer.bin)
    }

    /// The files, the `.gltf` first. All names begin with `stem`.
    pub fn named(self, stem: &str) -> Result<Vec<ExportedFile>, WriteError> {
        let Exported { mut root, bytes, pictures } = self;
        let mut files = Vec::new();
        for (i, (image, bytes)) in root.images.iter_mut().zip(pictures).enumerate() {
            let name = format!("{stem}_{i}.png");
            image.uri = Some(uri(&name));
            files.push(ExportedFile { name, bytes });
        }
        let mut buffer = bytes.finish();
        let name = format!("{stem}.bin");
        for buffer in &mut buffer.buffers {
            buffer.uri = Some(uri(&name));
        }
        if buffer.bin.len() > 0 {
            let mut bytes = Vec::new();
            buffer.bin.write(&mut bytes);
            files.insert(0, ExportedFile { name, bytes });
        }
        root.accessors = buffer.accessors;
        root.buffer_views = buffer.buffer_views;
        root.buffers = buffer.buffers;
        let mut bytes = Vec::new();
        text::write(&mut bytes, &root)?;
        files.insert(0, ExportedFile { name: format!("{stem}.gltf"), bytes });
        Ok(files)
    }
}

/// A file's name as a relative address.
fn uri(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let shown = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(shown).collect()
}

/// Everything but how the files hang together.
struct Written {
    root: schema::TopLevel,
    bytes: Bytes,
    /// One per image.
    pictures: Vec<Vec<u8>>,
    report: Report,
}

fn write(scene: Cow<'_, Scene>, options: &Options) -> Result<Written, WriteError> {
    let report = sound(&scene, options)?;
    let is_legal = report.findings().iter().all(|finding| *finding.code != LOST_VALUE);
    let scene = if is_legal && is_ready(&scene, options) {
        scene
    } else {
        Cow::Owned(made_ready(scene.into_owned(), options, is_legal)?)
    };
    let mut writer = Writer::new(&scene, options, report);
    look::write(&mut writer);
    let roots = node::write(&mut writer);
    let clips = clip::write(&mut writer);
    // Some readers refuse scenes without nodes: only what has to be carried makes one.
    if !roots.is_empty() || scene.source.is_some() {
        let extras = extras::of_scene(&scene, options, &clips);
        let name = Names::default().give(&scene.name, "scene");
        writer.root.scene = Some(0);
        writer.root.scenes.insert(0, schema::Scene { name, nodes: roots, extras });
    }
    let pictures = look::pictures(&mut writer)?;
    let Writer { mut root, bytes, report, textures, samplers, used, .. } = writer;
    root.textures = textures.into_list();
    root.samplers = samplers.into_list();
    root.extensions_used = used.into_iter().collect();
    Ok(Written { root, bytes, pictures, report })
}

/// Whether a scene can be written as it is.
fn is_ready(scene: &Scene, options: &Options) -> bool {
    let asks =
        options.clips.is_some() || options.rig == RigOption::Skin || options.uses(crate::Extension::Lod);
    !asks && scene.skins.is_empty() && !hide::hides(scene) && !tangent::are_lacking(scene)
}

/// The scene as glTF can have it and options want it.
fn made_ready(mut scene: Scene, options: &Options, is_legal: bool) -> Result<Scene, WriteError> {
    if !is_legal {
        legal::make(&mut scene);
    }
    legal::order_influences(&mut scene);
    tangent::make(&mut scene, !options.uses(crate::Extension::Pointer))?;
    if let Some(wanted) = &options.clips {
        scene.clips = wanted.iter().filter_map(|clip| clip.find_in(&scene.clips).cloned()).collect();
    }
    if options.rig == RigOption::Skin {
        rig::skin_rigid(&mut scene);
    }
    hide::hide(&mut scene, options.visibility)?;
    rig::move_skinned_to_roots(&mut scene);
    if options.uses(crate::Extension::Lod) {
        node::split_levels(&mut scene);
    }
    Ok(scene)
}

/// What the scene's own check warns of, as losses; its errors are ours.
fn sound(scene: &Scene, options: &Options) -> Result<Report, WriteError> {
    let mut report = Report::default();
    for (i, mesh) in scene.meshes.iter().enumerate() {
        for Primitive { influences, .. } in &mesh.primitives {
            let (most, wanted) = (legal::most_pulls(influences), influences.iter().map(<[Pull]>::len).max());
            if let Some(found) = wanted.filter(|wanted| *wanted > most) {
                let said = format!("{most} at most wanted, {found} found");
                report.push(LOST_INFLUENCES.at(Path::named("meshes").index(i)).saying(said));
            }
        }
    }
    for finding in check(scene).findings() {
        let said = format!("{}: {}", finding.code.summary, finding.message);
        if finding.severity == Severity::Error {
            return Err(SCENE.at(finding.path).saying(said).into());
        }
        let mut lost = LOST_VALUE.at(finding.path).saying(said);
        lost.count = finding.count;
        report.push(lost);
    }
    let most = usize::from(u16::MAX);
    if let Some(skin) = scene.skins.iter().find(|skin| skin.joints.len() > most) {
        let said = format!("{} joints wanted, {most} at most", skin.joints.len());
        return Err(TOO_LARGE.at(Path::named("skins")).saying(said).into());
    }
    if let Some(clip) = options.clips.iter().flatten().find(|clip| clip.find_in(&scene.clips).is_none()) {
        return Err(SCENE.at(Path::named("clips")).saying(format!("there is no clip {clip:?}")).into());
    }
    Ok(report)
}

/// A document in the making.
pub(crate) struct Writer<'s> {
    pub(crate) scene: &'s Scene,
    pub(crate) options: &'s Options,
    pub(crate) report: Report,
    pub(crate) bytes: Bytes,
    pub(crate) root: schema::TopLevel,
    pub(crate) node_names: Names,
    /// Nodes that show something, in any state.
    pub(crate) showing: BTreeSet<Id<Node>>,
    /// Where meshes were written, with and without what a skin needs.
    pub(crate) meshes: BTreeMap<(Id<Mesh>, bool), usize>,
    pub(crate) textures: Unique<schema::Texture>,
    pub(crate) samplers: Unique<schema::TextureSampler>,
    /// What stands in for materials, by the numbers of looks.
    pub(crate) stand_ins: BTreeMap<Id<Material>, BTreeMap<usize, Id<Material>>>,
    used: BTreeSet<&'static str>,
}

impl<'s> Writer<'s> {
    fn new(scene: &'s Scene, options: &'s Options, report: Report) -> Self {
        let asset = schema::Asset { version: "2.0", generator: options.generator.clone() };
        Writer {
            scene,
            options,
            report,
            bytes: Bytes::default(),
            root: schema::TopLevel { asset, ..schema::TopLevel::default() },
            node_names: Names::default(),
            showing: hide::showing(scene),
            meshes: BTreeMap::new(),
            textures: Unique::default(),
            samplers: Unique::default(),
            stand_ins: look::stand_ins(scene),
            used: BTreeSet::new(),
        }
    }

    /// Notes that an extension is used; its name.
    pub(crate) fn use_extension(&mut self, name: &'static str) -> String {
        self.used.insert(name);
        name.to_owned()
    }
}
