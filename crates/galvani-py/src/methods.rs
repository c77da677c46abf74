//! What documents can do in Python: the one list of their methods, each done where its subject is.

use std::path::PathBuf;

use galvani::formats::resolve;
use galvani::pictures::Marks;
use galvani::render::json;
use galvani::{Scrutiny, contents, nested};
use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::archive::Members;
use crate::document::{Document, save};
use crate::edit;
use crate::models;
use crate::poses::{self, Clip, Poses};
use crate::scenes::{self, Mesh, Wanted};
use crate::value::{Finding, findings, python};

#[pymethods]
impl Document {
    /// The id of its format: `mdx`, `msh`, `lgp` and so on.
    #[getter]
    fn format(&self) -> &'static str {
        self.now().opened().format.info().id
    }

    /// How it is addressed: its path, with members behind their archive.
    #[getter(name)]
    fn shown(&self) -> &str {
        &self.place.shown
    }

    /// What it is and holds, as `galvani info` prints it as JSON.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.work(py, |held, site| {
            let (opened, options) = (held.opened(), &self.options);
            let mut outline = contents::outline(opened, options, site);
            let named = resolve::references(opened, site, options);
            outline.sections.extend((!named.is_empty()).then(|| resolve::section(&named)));
            Ok(serde_json::to_value(json::info(&self.place.shown, opened, outline, site)))
        })?;
        python(py, &info.unwrap_or_default())
    }

    /// Everything that is wrong with it and its members, each finding with its place. With `pedantic`, also what is
    /// harmless and common.
    ///
    /// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
    /// >>> [finding.code for finding in lantern.validate()]
    /// []
    #[pyo3(signature = (*, pedantic=false))]
    fn validate(&self, py: Python<'_>, pedantic: bool) -> PyResult<Vec<Finding>> {
        let scrutiny = if pedantic { Scrutiny::Pedantic } else { Scrutiny::Usual };
        self.work(py, |held, site| {
            let mut rows = Vec::new();
            let (path, format) = (&*self.place.shown, held.opened().format);
            nested::check_each(path, site, format, &held.bytes, &self.options, scrutiny, |row| {
                rows.push(if row.path == path { row.with_notes(&self.notes) } else { row });
            });
            rows.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(rows.iter().flat_map(|row| findings(&row.path, &row.report)).collect())
        })
    }

    /// Every value of the file with its place, as `galvani dump` prints it as JSON.
    ///
    /// >>> stripes = galvani.open(galvani.samples()['stripes.texm'])
    /// >>> stripes.dump()[0]['path'], stripes.dump()[0]['offset']
    /// ('header.magic', 0)
    fn dump<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.work(py, |held, _| {
            let (opened, mut rows) = (held.opened(), Vec::new());
            let clear = opened.document.in_the_clear(&held.bytes)?;
            opened.map.rows(&clear, |row| {
                rows.push(serde_json::to_value(json::row(&row, &*opened.document, None)).unwrap_or_default());
            });
            Ok(rows)
        })?;
        let list = PyList::empty(py);
        rows.iter().try_for_each(|row| list.append(python(py, row)?))?;
        Ok(list)
    }

    /// Its bytes, from the document alone.
    fn write<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.work(py, |held, _| Ok(held.opened().document.write()?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes it to a file: whoever looks sees the old file or the new one, never a part. A file that is read-only is
    /// replaced with `force` only. What is worth knowing is returned.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<Vec<Finding>> {
        self.work(py, |held, _| save(&path, &held.opened().document.write()?, force))
    }

    /// Changes it: an operation by its name with its arguments, or a list of such steps, which are all done or none.
    /// `galvani.operations(format)` lists what there is. Of an archive that has no such operation the members are meant.
    /// What that cost is returned; what would leave errors that were not there before is refused.
    ///
    /// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
    /// >>> lantern.edit([('rename-sequence', 'Stand', 'Wait'), ('rename-sequence', 2, 'Run')])
    /// []
    /// >>> [clip.name for clip in lantern.clips]
    /// ['Wait', 'Stand - 2', 'Run', 'Death']
    #[pyo3(signature = (operation, *args))]
    fn edit(
        &self,
        py: Python<'_>,
        operation: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<Vec<Finding>> {
        edit::edit(self, py, operation, args)
    }

    /// Takes back the last edit.
    ///
    /// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
    /// >>> lantern.edit('rename-sequence', 'Stand', 'Wait')
    /// []
    /// >>> lantern.undo()
    /// >>> lantern.clips[0].name
    /// 'Stand'
    fn undo(&self, py: Python<'_>) -> PyResult<()> {
        self.step(py, true)
    }

    /// Does again what was undone last.
    fn redo(&self, py: Python<'_>) -> PyResult<()> {
        self.step(py, false)
    }

    /// How many edits can be undone.
    #[getter]
    fn edits(&self) -> usize {
        self.history().before.len()
    }

    /// The members of an archive by their names, as bytes. Other bytes can be put in their places.
    ///
    /// >>> depot = galvani.open(galvani.samples()['depot.rlb'], name='depot.rlb')
    /// >>> list(depot.members)
    /// ['readme.txt', 'crane.wea', 'RUST.0', 'swatches.rlb']
    /// >>> depot.members['README.TXT'] = b'new'
    /// >>> depot.members['readme.txt']
    /// b'new'
    #[getter]
    fn members(slf: &Bound<'_, Self>) -> PyResult<Members> {
        Members::new(slf, false)
    }

    /// The members of an archive by their names, as documents: each stands in its archive, so that it finds what belongs
    /// to it there. What is changed of one is put back with `archive.members[name] = member`.
    ///
    /// >>> frog = galvani.open(galvani.samples()['frog.lgp'], name='frog.lgp')
    /// >>> frog.documents['zgda'].format
    /// 'ff7-pack'
    #[getter]
    fn documents(slf: &Bound<'_, Self>) -> PyResult<Members> {
        Members::new(slf, true)
    }

    /// Its animations in the file's order.
    #[getter]
    fn clips(&self, py: Python<'_>) -> PyResult<Vec<Clip>> {
        poses::clips(self, py)
    }

    /// Where all nodes are at some times of a clip, as the game's engine has it: the poses of `galvani sample`, in one call.
    ///
    /// `clip` is one of `clips`, its index or its name; where there is but one it need not be named. `times` are those of
    /// the command: frames, or milliseconds since the clip began, in any order. `space` is `local` or `model`, and
    /// everything else what the format takes, such as `edges='hold'`.
    ///
    /// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
    /// >>> poses = lantern.sample('Walk', [0, 100, 200], space='model')
    /// >>> poses.matrix.shape == (3, len(poses.names), 4, 4)
    /// True
    #[pyo3(signature = (clip=None, times=None, space="local", **settings))]
    fn sample(
        &self,
        py: Python<'_>,
        clip: Option<&Bound<'_, PyAny>>,
        times: Option<&Bound<'_, PyAny>>,
        space: &str,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Poses> {
        poses::sample(self, py, clip, times, space, settings)
    }

    /// The surfaces of a model at rest: vertices, triangles, and whose they are.
    ///
    /// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
    /// >>> mesh = walker.mesh()
    /// >>> sum(count for _, _, count in mesh.parts) == len(mesh.vertices)
    /// True
    #[pyo3(signature = (**settings))]
    fn mesh(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Mesh> {
        scenes::mesh(self, py, settings)
    }

    /// Where the vertices of `mesh()` are at a time of a clip, in the units of `sample`: V×3.
    ///
    /// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
    /// >>> walker.skin('timeline', 4.5).shape == walker.mesh().vertices.shape
    /// True
    #[pyo3(signature = (clip=None, time=0.0, **settings))]
    fn skin(
        &self,
        py: Python<'_>,
        clip: Option<&Bound<'_, PyAny>>,
        time: f64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyArray2<f32>>> {
        scenes::skin(self, py, clip, time, settings)
    }

    /// Where the nodes of the model's scene are at a time of a clip: N×4×4, in the axes and units of glTF. Their names are
    /// `mesh().nodes`.
    ///
    /// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
    /// >>> walker.joints('timeline', 4.5).shape == (len(walker.mesh().nodes), 4, 4)
    /// True
    #[pyo3(signature = (clip=None, time=0.0, **settings))]
    fn joints(
        &self,
        py: Python<'_>,
        clip: Option<&Bound<'_, PyAny>>,
        time: f64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyArray3<f32>>> {
        scenes::joints(self, py, clip, time, settings)
    }

    /// The pixels of a picture: height × width × 4, red, green, blue and alpha.
    ///
    /// >>> stripes = galvani.open(galvani.samples()['stripes.texm'])
    /// >>> stripes.image().dtype
    /// dtype('uint8')
    #[pyo3(signature = (**settings))]
    fn image(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyArray3<u8>>> {
        scenes::image(self, py, settings)
    }

    /// A picture of a model: height × width × 4, or with `to` a file: `png`, `gif` or `apng`, of which the last two move.
    /// Models are drawn in 512 × 512 pixels unless `size` says otherwise, textures in their own size.
    ///
    /// `time` is in seconds from the start of the clip, without a name the one in which the model stands. `view` is `front`,
    /// `back`, `left`, `right`, `top`, `iso` or two angles; `fit` what must fit, the `clip` or the `pose`; `background` a
    /// colour `#RRGGBB`. `skeleton`, `names`, `wire`, `bounds`, `axes` and `grid` draw more; everything else is what the
    /// format takes.
    ///
    /// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
    /// >>> lantern.render('Walk', 0.5, size=(64, 48)).shape
    /// (48, 64, 4)
    /// >>> lantern.render(to='png', view='front', size=(32, 32))[:4]
    /// b'\x89PNG'
    #[pyo3(signature = (clip=None, time=0.0, *, size=None, to=None, view=None, zoom=1.0, fit="clip", parallel=false, background=None, skeleton=false, names=false, wire=false, bounds=false, axes=false, grid=false, fps=15.0, turntable=false, **settings))]
    #[allow(clippy::fn_params_excessive_bools, reason = "Python names them")]
    fn render<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&Bound<'py, PyAny>>,
        time: f32,
        size: Option<(u32, u32)>,
        to: Option<&str>,
        view: Option<&Bound<'py, PyAny>>,
        zoom: f64,
        fit: &str,
        parallel: bool,
        background: Option<&str>,
        skeleton: bool,
        names: bool,
        wire: bool,
        bounds: bool,
        axes: bool,
        grid: bool,
        fps: f32,
        turntable: bool,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let marks = Marks { skeleton, names, wire, bounds, axes, grid };
        let wanted = Wanted { size, to, view, zoom, fit, parallel, background, marks, fps, turntable };
        scenes::render(self, py, (clip, time), wanted, settings)
    }

    /// The model as a `.glb`, for Blender, engines and viewers. Options are those of `galvani convert`, such as `fps`,
    /// `clip`, `unlit`, `variants`; what glTF does not say is put into the list `findings`.
    ///
    /// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
    /// >>> lost = []
    /// >>> walker.to_glb(fps=30, findings=lost)[:4]
    /// b'glTF'
    #[pyo3(signature = (*, findings=None, **settings))]
    fn to_glb<'py>(
        &self,
        py: Python<'py>,
        findings: Option<&Bound<'py, PyList>>,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        models::to_glb(self, py, findings, settings)
    }

    fn __repr__(&self) -> String {
        format!("<Document {}: {}>", self.format(), self.place.shown)
    }
}
