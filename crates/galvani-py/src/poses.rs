//! Clips, and where nodes are in them: many times in one call, as arrays.

use galvani::core::room;
use galvani::formats::{ClipSpan, Pose, PoseKind, Sampling, Selector, Settings, Times};
use galvani::glam::Mat4;
use galvani::{Path, Report, budget, codes};
use numpy::{AllowTypeChange, PyArray1, PyArray3, PyArray4, PyArrayLike1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use crate::document::Document;
use crate::failure::Failure;
use crate::options;
use crate::value::Finding;

/// An animation of a model.
///
/// `start` and `end` are its times on the file's own timeline; poses are asked for by the time since `start`, so from 0 to
/// `duration`. `rate` is how many units of time a second has: 1000 where times are milliseconds, else frames a second.
///
/// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
/// >>> walk = lantern.clips[2]
/// >>> walk.name, walk.looping, walk.duration == walk.end - walk.start
/// ('Walk', True, True)
#[pyclass(frozen, get_all, module = "galvani")]
#[derive(Debug, Clone)]
pub(crate) struct Clip {
    /// Its place in the file.
    index: usize,
    /// What it is called.
    name: String,
    /// When it begins, on the file's own timeline.
    start: f64,
    /// When it ends, on the same.
    end: f64,
    /// Whether it begins again behind its end.
    looping: bool,
    /// How many units of its times a second has.
    rate: f64,
}

#[pymethods]
impl Clip {
    /// How long it is, in units of its times.
    #[getter]
    fn duration(&self) -> f64 {
        self.end - self.start
    }

    fn __repr__(&self) -> String {
        let Clip { index, name, start, end, looping, .. } = self;
        let looping = if *looping { "True" } else { "False" };
        format!("<Clip {index} {name:?}: {start} to {end}, looping={looping}>")
    }
}

impl From<ClipSpan> for Clip {
    fn from(span: ClipSpan) -> Self {
        let ClipSpan { index, name, start, end, looping, rate } = span;
        Clip { index, name, start, end, looping, rate }
    }
}

/// Where the nodes of a model are at some times: arrays of T times and N nodes.
///
/// Rotations are w, x, y, z, as the command prints them; matrices are rows of a matrix by which columns are multiplied.
/// In model space places, rotations and matrices are those in the model, except that MDX says of nodes what moves them:
/// there translations, rotations and scales are always those of their tracks.
#[pyclass(frozen, get_all, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Poses {
    /// The clip, if the model has any.
    clip: Option<Py<Clip>>,
    /// The times as they were asked for.
    times: Py<PyArray1<f64>>,
    /// The numbers of the nodes: of MDX their object ids.
    nodes: Py<PyArray1<i64>>,
    /// What they are called.
    names: Vec<String>,
    /// How far they are moved: T×N×3.
    translation: Py<PyArray3<f32>>,
    /// How they are turned: T×N×4.
    rotation: Py<PyArray3<f32>>,
    /// How large they are: T×N×3.
    scale: Py<PyArray3<f32>>,
    /// All of that together: T×N×4×4.
    matrix: Py<PyArray4<f32>>,
    /// What was odd about finding them.
    findings: Vec<Py<Finding>>,
}

#[pymethods]
impl Poses {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.times.bind(py).len().unwrap_or_default()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Poses of {} nodes at {} times>", self.names.len(), self.__len__(py))
    }
}

/// Poses as rows of numbers, pose after pose.
#[derive(Default)]
struct Rows {
    clip: Option<usize>,
    times: Vec<f64>,
    nodes: Vec<i64>,
    names: Vec<String>,
    translation: Vec<f32>,
    rotation: Vec<f32>,
    scale: Vec<f32>,
    matrix: Vec<f32>,
}

impl Rows {
    /// Makes room for so many times.
    fn begin(&mut self, pose: &Pose, times: usize) -> Result<(), Failure> {
        let rows = times.saturating_mul(pose.nodes.len());
        self.clip = pose.clip.as_ref().and_then(|clip| clip.index);
        self.nodes = pose.nodes.iter().map(|node| node.id).collect();
        self.names = pose.nodes.iter().map(|node| node.name.clone().unwrap_or_default()).collect();
        self.translation = room::with_capacity(rows.saturating_mul(3))?;
        self.rotation = room::with_capacity(rows.saturating_mul(4))?;
        self.scale = room::with_capacity(rows.saturating_mul(3))?;
        self.matrix = room::with_capacity(rows.saturating_mul(16))?;
        Ok(())
    }

    fn push(&mut self, pose: &Pose) {
        for node in &pose.nodes {
            let [x, y, z, w] = node.rotation.to_array();
            let whole = || Mat4::from_scale_rotation_translation(node.scale, node.rotation, node.translation);
            let matrix = node.matrix.unwrap_or_else(whole).transpose();
            self.translation.extend(node.translation.to_array());
            self.rotation.extend([w, x, y, z]);
            self.scale.extend(node.scale.to_array());
            self.matrix.extend(matrix.to_cols_array());
        }
    }
}

/// The times that are asked for: in order as engines give them, and which of those each is.
struct Asked {
    times: Vec<f64>,
    /// Places in `times` by time.
    order: Vec<usize>,
}

impl Asked {
    fn new(times: Vec<f64>) -> Self {
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
        Asked { times, order }
    }
}

/// A time as a pose of that kind has it: some are posed in single precision, and none tells 0 from its negative.
#[allow(clippy::cast_possible_truncation, reason = "single precision is what is meant")]
fn as_posed(time: f64, kind: &PoseKind) -> f64 {
    match kind {
        PoseKind::Keyed { .. } => f64::from(time as f32),
        _ => time + 0.0,
    }
}

impl Document {
    /// What a clip is asked for by: one of its own, an index, or a word as the command takes it.
    pub(crate) fn clip(clip: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Selector>> {
        let Some(clip) = clip else { return Ok(None) };
        if let Ok(clip) = clip.cast::<Clip>() {
            return Ok(Some(Selector::Index(clip.get().index)));
        }
        if clip.is_instance_of::<PyInt>() {
            return Ok(Some(Selector::Index(clip.extract()?)));
        }
        Ok(Some(Selector::new(&clip.cast::<PyString>()?.extract::<String>()?)))
    }
}

/// Its animations.
pub(crate) fn clips(document: &Document, py: Python<'_>) -> PyResult<Vec<Clip>> {
    let spans = document.work(py, |held, site| crate::scenes::clips(held, site, &document.options))?;
    Ok(spans.into_iter().map(Clip::from).collect())
}

/// Poses of a document: see its method.
pub(crate) fn sample(
    document: &Document,
    py: Python<'_>,
    clip: Option<&Bound<'_, PyAny>>,
    times: Option<&Bound<'_, PyAny>>,
    space: &str,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Poses> {
    let info = document.now().opened().format.info();
    let given = settings.map_or_else(|| Ok(PyDict::new(py)), Bound::copy)?;
    if info.sampling.iter().any(|setting| setting.name == "space") || space != "local" {
        given.set_item("space", space)?;
    }
    let settings = options::settings(Some(&given), &[info.sampling])?;
    let (clip, asked) = (Document::clip(clip)?, Asked::new(times.map_or_else(|| Ok(Vec::new()), numbers)?));
    let (rows, notes, clips) = document.work(py, move |held, site| {
        let clips = crate::scenes::clips(held, site, &document.options)?;
        let clip = clip.or_else(|| only(&clips));
        let (rows, notes) = rows(held.opened().as_animated()?, clip, asked, settings, |len| {
            document.options.read.budget.meter(&budget::SAMPLING, len)
        })?;
        Ok((rows, notes, clips))
    })?;
    let clip = clips.into_iter().find(|clip| Some(clip.index) == rows.clip || rows.clip.is_none());
    let (times, nodes) = (rows.times.len(), rows.nodes.len());
    let cube = |list: Vec<f32>, width: usize| -> PyResult<Py<PyArray3<f32>>> {
        Ok(PyArray1::from_vec(py, list).reshape([times, nodes, width])?.unbind())
    };
    Ok(Poses {
        clip: clip.map(|clip| Py::new(py, Clip::from(clip))).transpose()?,
        translation: cube(rows.translation, 3)?,
        rotation: cube(rows.rotation, 4)?,
        scale: cube(rows.scale, 3)?,
        matrix: PyArray1::from_vec(py, rows.matrix).reshape([times, nodes, 4, 4])?.unbind(),
        times: PyArray1::from_vec(py, rows.times).unbind(),
        nodes: PyArray1::from_vec(py, rows.nodes).unbind(),
        names: rows.names,
        findings: document
            .findings(&notes)
            .into_iter()
            .map(|found| Py::new(py, found))
            .collect::<PyResult<_>>()?,
    })
}

/// The clip that is meant where nobody names one.
fn only(clips: &[ClipSpan]) -> Option<Selector> {
    match clips {
        [only] => Some(Selector::Index(only.index)),
        _ => None,
    }
}

/// One time, or several.
fn numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if let Ok(time) = object.extract::<f64>() {
        return Ok(vec![time]);
    }
    let array: PyArrayLike1<'_, f64, AllowTypeChange> = object.extract()?;
    Ok(array.as_array().to_vec())
}

/// The poses of a clip as they are asked for; without times, as the engine gives them.
fn rows(
    animated: &dyn galvani::formats::Animated,
    clip: Option<Selector>,
    asked: Asked,
    settings: Settings,
    meter: impl FnOnce(usize) -> galvani::Meter,
) -> Result<(Rows, Report), Failure> {
    let meter = meter(asked.times.len());
    let sorted = asked.order.iter().map(|place| asked.times[*place]);
    let wanted = Sampling { times: sorted.collect::<Times>(), clip, settings, ..Sampling::default() };
    let samples = animated.sample(&wanted)?;
    let mut rows = Rows::default();
    // For each time in order, which pose is its.
    let (mut found, mut poses, mut last) = (Vec::new(), 0_usize, None::<(f64, Option<usize>)>);
    let mut waiting = asked.order.iter().map(|place| asked.times[*place]).peekable();
    for pose in samples.poses {
        let pose = pose?;
        meter.work(pose.nodes.len().max(1))?;
        let (time, index) = (pose.time.unwrap_or_default(), pose.clip.as_ref().and_then(|clip| clip.index));
        if last.is_none() {
            rows.begin(&pose, asked.times.len().max(1))?;
        } else if last.is_some_and(|(_, before)| before != index) || pose.nodes.len() != rows.nodes.len() {
            let said = "there are several; name one, or ask for one after another";
            return Err(codes::NOT_ONE.at(Path::named("clips")).saying(said).into());
        }
        while waiting.next_if(|wanted| as_posed(*wanted, &pose.kind).total_cmp(&time).is_eq()).is_some() {
            found.push(poses);
        }
        rows.push(&pose);
        if wanted.times.is_empty() {
            rows.times.push(time);
        }
        poses = poses.saturating_add(1);
        last = Some((time, index));
    }
    if !wanted.times.is_empty() {
        rows = arranged(rows, &asked, &found)?;
    }
    Ok((rows, samples.notes))
}

/// The rows of poses in the order in which they were asked for.
fn arranged(mut rows: Rows, asked: &Asked, found: &[usize]) -> Result<Rows, Failure> {
    let is_as_asked =
        asked.order.iter().zip(found).enumerate().all(|(i, (place, pose))| i == *place && i == *pose);
    if !is_as_asked {
        let nodes = rows.nodes.len();
        let mut of = vec![0; asked.times.len()];
        asked.order.iter().zip(found).for_each(|(place, pose)| of[*place] = *pose);
        for (list, width) in [
            (&mut rows.translation, 3),
            (&mut rows.rotation, 4),
            (&mut rows.scale, 3),
            (&mut rows.matrix, 16),
        ] {
            let width = nodes.saturating_mul(width);
            let mut arranged = room::with_capacity(of.len().saturating_mul(width))?;
            for pose in &of {
                let start = pose.saturating_mul(width);
                arranged.extend_from_slice(list.get(start..start.saturating_add(width)).unwrap_or_default());
            }
            *list = arranged;
        }
    }
    rows.times.clone_from(&asked.times);
    Ok(rows)
}
