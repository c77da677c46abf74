//! Models as they are shown: vertices at a time, pictures, pixels.

use std::sync::{Arc, PoisonError};

use galvani::formats::{ClipSpan, Selector, Settings, Site};
use galvani::glam::{Mat4, Vec3};
use galvani::pictures::{self, Background, Direction, Eye, Lens, Marks, Moves, Moving, Shot, Stage, Wear};
use galvani::scene::{
    Clip, Fact, Looping, Matrices, Moment, Primitive, Sampler, Scene, skin_palette, skinned_positions,
    to_model,
};
use galvani::{Meter, OpenOptions, Report, budget, convert};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::document::{Document, Held};
use crate::failure::Failure;
use crate::options;

/// The animations of a document: its own, or of a model whose animations lie beside it those of its scene.
pub(crate) fn clips(held: &Held, site: &Site<'_>, options: &OpenOptions) -> Result<Vec<ClipSpan>, Failure> {
    let opened = held.opened();
    if let Ok(animated) = opened.as_animated() {
        return Ok(animated.clips()?);
    }
    if opened.as_model().is_err() {
        return Ok(Vec::new());
    }
    let Ok(scene) = scene(held, site, &Settings::default(), options) else { return Ok(Vec::new()) };
    Ok(scene.clips.iter().map(span).collect())
}

/// A clip of a scene: in frames, if it counts some, else in seconds.
fn span(clip: &Clip) -> ClipSpan {
    let seconds = f64::from(clip.duration);
    let steps = match clip.extras.get("frames") {
        Some(Fact::Int(frames)) if *frames > 1 && seconds > 0.0 => Some(f64::from(*frames - 1)),
        _ => None,
    };
    // What single-precision seconds leave of a rate of whole frames.
    let rate = steps.map_or(1.0, |steps| (steps / seconds * 100.0).round() / 100.0);
    ClipSpan {
        index: usize::try_from(clip.index).unwrap_or(usize::MAX),
        name: clip.name.clone(),
        start: 0.0,
        end: steps.unwrap_or(seconds),
        looping: clip.looping == Looping::Wrap,
        rate,
    }
}

/// The model as it is drawn. The last one is kept: whoever asks for a pose asks for another.
fn scene(
    held: &Held,
    site: &Site<'_>,
    settings: &Settings,
    options: &OpenOptions,
) -> Result<Arc<Scene>, Failure> {
    let kept = || held.scene.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, scene)) = &*kept()
        && known == settings
    {
        return Ok(Arc::clone(scene));
    }
    let meter = meter(held, options);
    let (scene, _) = pictures::scene(held.opened(), site, settings, &meter)?;
    let scene = Arc::new(scene);
    *kept() = Some((settings.clone(), Arc::clone(&scene)));
    Ok(scene)
}

fn meter(held: &Held, options: &OpenOptions) -> Meter {
    options.read.budget.meter(&budget::RENDERING, held.bytes.len())
}

/// A clip of a scene, and how many of its units of time a second has.
struct Chosen {
    clip: Option<usize>,
    rate: f64,
}

impl Chosen {
    /// The clip that is meant among a document's own; without a word the only one, or none.
    fn new(scene: &Scene, spans: &[ClipSpan], wanted: Option<&Selector>) -> Result<Self, Failure> {
        let place =
            |index: usize| scene.clips.iter().position(|clip| usize::try_from(clip.index) == Ok(index));
        let span = match (wanted, spans) {
            (None, [only]) => Some(only),
            (None, _) => return Ok(Chosen { clip: None, rate: 1.0 }),
            (Some(Selector::Index(index)), _) => spans.iter().find(|span| span.index == *index),
            (Some(word), _) => {
                let found = pictures::clip(scene, Some(word), &mut Report::default())?;
                spans
                    .iter()
                    .find(|span| found.is_some_and(|clip| usize::try_from(clip.index) == Ok(span.index)))
            }
        };
        let Some(span) = span else {
            let word = wanted.map(Selector::to_string).unwrap_or_default();
            let found = galvani::codes::CLIP_NOT_FOUND.at(galvani::Path::named("clips"));
            return Err(found.saying(format!("`{word}`")).into());
        };
        let rate = match scene.extras.get("frame_rate") {
            Some(Fact::Int(rate)) => (*rate).into(),
            Some(Fact::Float(rate)) => *rate,
            _ => span.rate,
        };
        Ok(Chosen { clip: place(span.index), rate })
    }
}

/// The vertices of everything that a model shows.
#[derive(Default)]
struct Vertices {
    places: Vec<f32>,
    triangles: Vec<u32>,
    /// Of each node with a mesh: its name, its first vertex and how many it has.
    parts: Vec<(String, usize, usize)>,
}

impl Vertices {
    /// As a scene stands at a moment.
    fn new(scene: &Scene, moment: &Moment) -> Self {
        let mut models = Matrices::identity(scene.nodes.len());
        to_model(scene, moment, &mut models);
        let mut all = Vertices::default();
        for (i, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
            let first = all.places.len() / 3;
            let skin = node.skin.and_then(|skin| skin.find_in(&scene.skins));
            let palette = skin.map(|skin| {
                let mut palette = Matrices::identity(skin.joints.len());
                skin_palette(skin, &models, &mut palette);
                palette
            });
            for primitive in &mesh.primitives {
                all.add(primitive, |places| {
                    if let Some(palette) = &palette {
                        return skinned_positions(primitive, palette, places);
                    }
                    let placed =
                        primitive.positions.iter().map(|place| models.matrix(i).transform_point3(*place));
                    places.iter_mut().zip(placed).for_each(|(into, place)| *into = place);
                });
            }
            all.parts.push((node.name.clone(), first, all.places.len() / 3 - first));
        }
        all
    }

    fn add(&mut self, primitive: &Primitive, place: impl FnOnce(&mut [Vec3])) {
        let first = u32::try_from(self.places.len() / 3).unwrap_or(u32::MAX);
        let mut places = vec![Vec3::ZERO; primitive.positions.len()];
        place(&mut places);
        self.places.extend(places.iter().flat_map(Vec3::to_array));
        self.triangles.extend(primitive.indices.iter().map(|index| index.saturating_add(first)));
    }
}

/// The surfaces of a model at rest.
///
/// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
/// >>> mesh = walker.mesh()
/// >>> mesh.vertices.shape[1], mesh.triangles.shape[1], mesh.parts[0][:2]
/// (3, 3, ('hull', 0))
#[pyclass(frozen, get_all, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Mesh {
    /// Where the vertices are: V×3, in the axes and units of glTF.
    vertices: Py<PyArray2<f32>>,
    /// Their triangles: F×3.
    triangles: Py<PyArray2<u32>>,
    /// Of each node with a surface its name, its first vertex, and how many it has.
    parts: Vec<(String, usize, usize)>,
    /// What the nodes are called of which `joints` says where they are.
    nodes: Vec<String>,
}

impl Document {
    /// What is said about its model as a scene.
    fn lifting(&self, settings: Option<&Bound<'_, PyDict>>) -> Result<Settings, Failure> {
        options::settings(settings, &[self.now().opened().format.info().lifting])
    }
}

/// Its surfaces at rest.
pub(crate) fn mesh(
    document: &Document,
    py: Python<'_>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Mesh> {
    let settings = document.lifting(settings)?;
    let (Vertices { places, triangles, parts }, nodes) = document.work(py, move |held, site| {
        let scene = scene(held, site, &settings, &document.options)?;
        let nodes = scene.nodes.iter().map(|node| node.name.clone()).collect();
        Ok((Vertices::new(&scene, &Moment::at_rest(&scene)), nodes))
    })?;
    let (count, faces) = (places.len() / 3, triangles.len() / 3);
    let vertices = PyArray1::from_vec(py, places).reshape([count, 3])?.unbind();
    let triangles = PyArray1::from_vec(py, triangles).reshape([faces, 3])?.unbind();
    Ok(Mesh { vertices, triangles, parts, nodes })
}

/// How a model stands at a time of a clip, in the units of its poses.
fn at<T: Send>(
    document: &Document,
    (clip, time): (Option<&Bound<'_, PyAny>>, f64),
    settings: Option<&Bound<'_, PyDict>>,
    py: Python<'_>,
    look: impl FnOnce(&Scene, &Moment) -> T + Send,
) -> PyResult<T> {
    let (settings, wanted) = (document.lifting(settings)?, Document::clip(clip)?);
    document.work(py, move |held, site| {
        let spans = clips(held, site, &document.options)?;
        let scene = scene(held, site, &settings, &document.options)?;
        let chosen = Chosen::new(&scene, &spans, wanted.as_ref())?;
        let mut moment = Moment::at_rest(&scene);
        if let Some(clip) = chosen.clip.and_then(|clip| scene.clips.get(clip)) {
            Sampler::new(&scene).sample(clip, single(time / chosen.rate), &mut moment);
        }
        Ok(look(&scene, &moment))
    })
}

/// Its vertices at a time.
pub(crate) fn skin(
    document: &Document,
    py: Python<'_>,
    clip: Option<&Bound<'_, PyAny>>,
    time: f64,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyArray2<f32>>> {
    let places =
        at(document, (clip, time), settings, py, |scene, moment| Vertices::new(scene, moment).places)?;
    let count = places.len() / 3;
    Ok(PyArray1::from_vec(py, places).reshape([count, 3])?.unbind())
}

/// Its nodes at a time.
pub(crate) fn joints(
    document: &Document,
    py: Python<'_>,
    clip: Option<&Bound<'_, PyAny>>,
    time: f64,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyArray3<f32>>> {
    let rows = at(document, (clip, time), settings, py, |scene, moment| {
        let mut models = Matrices::identity(scene.nodes.len());
        to_model(scene, moment, &mut models);
        let rows = |node| Mat4::from(models.matrix(node)).transpose().to_cols_array();
        (0..scene.nodes.len()).flat_map(rows).collect::<Vec<f32>>()
    })?;
    let count = rows.len() / 16;
    Ok(PyArray1::from_vec(py, rows).reshape([count, 4, 4])?.unbind())
}

/// Its pixels.
pub(crate) fn image(
    document: &Document,
    py: Python<'_>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyArray3<u8>>> {
    let settings = options::settings(settings, &[document.now().opened().format.info().picturing])?;
    let image = document.work(py, move |held, _| {
        let meter = document.options.read.budget.meter(&budget::CONVERTING, held.bytes.len());
        Ok(convert::image(held.opened(), &settings, &meter)?)
    })?;
    array(py, image)
}

/// How a picture is asked for.
pub(crate) struct Wanted<'a, 'py> {
    pub(crate) size: Option<(u32, u32)>,
    pub(crate) to: Option<&'a str>,
    pub(crate) view: Option<&'a Bound<'py, PyAny>>,
    pub(crate) zoom: f64,
    pub(crate) fit: &'a str,
    pub(crate) parallel: bool,
    pub(crate) background: Option<&'a str>,
    pub(crate) marks: Marks,
    pub(crate) fps: f32,
    pub(crate) turntable: bool,
}

/// A picture of it: see its method.
pub(crate) fn render<'py>(
    document: &Document,
    py: Python<'py>,
    (clip, time): (Option<&Bound<'py, PyAny>>, f32),
    wanted: Wanted<'_, 'py>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (settings, clip) = (document.lifting(settings)?, Document::clip(clip)?);
    let looking = Looking {
        size: wanted.size.map(sized).transpose()?,
        direction: direction(wanted.view)?,
        lens: if wanted.parallel { Lens::Parallel } else { Lens::Perspective },
        zoom: zoomed(wanted.zoom)?,
        fits_pose: one_of("fit", wanted.fit, &["clip", "pose"])? == "pose",
        background: wanted.background.map_or(Ok(Background::Transparent), color)?,
        marks: wanted.marks,
        moves: if wanted.turntable { Moves::Around } else { Moves::Model },
    };
    let to = wanted.to.map(|to| one_of("to", to, &["png", "gif", "apng"])).transpose()?;
    let (time, fps) = (timed(time)?, wanted.fps);
    let made = document.work(py, move |held, site| {
        let scene = match scene(held, site, &settings, &document.options) {
            Err(Failure::Refused(cause))
                if cause.code == &galvani::codes::NO_SCENE && held.opened().as_picture().is_ok() =>
            {
                pictures::clip(&Scene::default(), clip.as_ref(), &mut Report::default())?;
                return looking.texture(held, to, &meter(held, &document.options));
            }
            scene => scene?,
        };
        let clip = pictures::clip(&scene, clip.as_ref(), &mut Report::default())?;
        looking.picture(&scene, clip, (time, fps, to), &meter(held, &document.options))
    })?;
    match made {
        Made::Pixels(image) => Ok(array(py, image)?.into_bound(py).into_any()),
        Made::File(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
    }
}

/// A picture.
enum Made {
    Pixels(galvani::core::Image),
    File(Vec<u8>),
}

/// The size of pictures of models for which none is asked.
const USUAL: (u32, u32) = (512, 512);

/// How a model is looked at.
struct Looking {
    size: Option<(u32, u32)>,
    direction: Direction,
    lens: Lens,
    zoom: f64,
    fits_pose: bool,
    background: Background,
    marks: Marks,
    moves: Moves,
}

impl Looking {
    fn picture(
        &self,
        scene: &Scene,
        clip: Option<&Clip>,
        (time, fps, to): (f32, f32, Option<&str>),
        meter: &Meter,
    ) -> Result<Made, Failure> {
        let stage = Stage::new(scene, &Wear::default(), meter)?;
        let (width, height) = self.size();
        let stances = if self.fits_pose { vec![stage.stance(clip, time)] } else { stage.stances(clip) };
        let aspect = f64::from(width) / f64::from(height);
        let is_film = matches!(to, Some("gif" | "apng"));
        let moves = if is_film { self.moves } else { Moves::Model };
        let eye = stage.eye(&stances, (self.direction, self.lens, aspect), (self.zoom, moves));
        if is_film {
            let frames = Moving { clip, fps, moves }.frames()?;
            let (film, _) = stage.film(clip, &frames, |frame| self.shot(eye.around(frame.turn)), meter)?;
            return Ok(Made::File(if to == Some("gif") {
                pictures::gif(&film)?
            } else {
                pictures::apng(&film)?
            }));
        }
        let image = stage.picture(&stage.stance(clip, time), &self.shot(eye), meter)?.image;
        Ok(if to.is_some() { Made::File(pictures::png(&image)?) } else { Made::Pixels(image) })
    }

    /// A texture, which is a picture already.
    fn texture(&self, held: &Held, to: Option<&str>, meter: &Meter) -> Result<Made, Failure> {
        let image = pictures::texture(held.opened(), self.size, self.background, meter)?;
        Ok(match to {
            Some("gif") => Made::File(pictures::gif(&[(image, 0)])?),
            Some("apng") => Made::File(pictures::apng(&[(image, 0)])?),
            Some(_) => Made::File(pictures::png(&image)?),
            None => Made::Pixels(image),
        })
    }

    fn size(&self) -> (u32, u32) {
        self.size.unwrap_or(USUAL)
    }

    fn shot(&self, eye: Eye) -> Shot {
        let (width, height) = self.size();
        let mut shot = Shot::new(width, height, eye);
        (shot.background, shot.marks) = (self.background, self.marks);
        shot
    }
}

/// One of some words.
fn one_of(what: &str, word: &str, words: &[&'static str]) -> Result<&'static str, Failure> {
    let found = words.iter().find(|known| **known == word);
    found
        .copied()
        .ok_or_else(|| Failure::usage(format!("{what}: one of {} is wanted, not `{word}`", words.join(", "))))
}

fn sized((width, height): (u32, u32)) -> Result<(u32, u32), Failure> {
    let sides = 1..=pictures::MOST_SIDE;
    if sides.contains(&width) && sides.contains(&height) {
        return Ok((width, height));
    }
    let most = pictures::MOST_SIDE;
    Err(Failure::usage(format!(
        "size: width and height of 1 to {most} pixels are wanted, not {width} and {height}"
    )))
}

fn timed(time: f32) -> Result<f32, Failure> {
    time.is_finite()
        .then_some(time)
        .ok_or_else(|| Failure::usage(format!("time: a number of seconds is wanted, not {time}")))
}

fn zoomed(zoom: f64) -> Result<f64, Failure> {
    let is_usual = (1e-3..=1e3).contains(&zoom);
    is_usual
        .then_some(zoom)
        .ok_or_else(|| Failure::usage(format!("zoom: 0.001 to 1000 is wanted, not {zoom}")))
}

/// A word, or two angles.
fn direction(view: Option<&Bound<'_, PyAny>>) -> Result<Direction, Failure> {
    let Some(view) = view else { return Ok(Direction::USUAL) };
    if let Ok(word) = view.cast::<PyString>() {
        return Ok(word.extract::<String>()?.parse()?);
    }
    let (azimuth, elevation): (f64, f64) = view.extract()?;
    Ok(format!("{azimuth},{elevation}").parse()?)
}

fn color(word: &str) -> Result<Background, Failure> {
    let hex = word.strip_prefix('#').unwrap_or(word);
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6);
    let wrong = || Failure::usage(format!("background: #RRGGBB is wanted, not `{word}`"));
    let [_, red, green, blue] = number.ok_or_else(wrong)?.to_be_bytes();
    Ok(Background::Plain([red, green, blue]))
}

/// Pixels without a copy.
fn array(py: Python<'_>, image: galvani::core::Image) -> PyResult<Py<PyArray3<u8>>> {
    let side = |side: u32| usize::try_from(side).unwrap_or(usize::MAX);
    let shape = [side(image.height), side(image.width), 4];
    Ok(PyArray1::from_vec(py, image.rgba.into_flattened()).reshape(shape)?.unbind())
}

#[allow(clippy::cast_possible_truncation, reason = "scenes count in single precision")]
fn single(time: f64) -> f32 {
    time as f32
}
