//! Galvani for Python: one door to every format, as the library has it. What the library says becomes values of Python,
//! and what Python says becomes options and arguments of the library; nothing is decided here.

mod archive;
mod batch;
mod document;
mod edit;
mod failure;
mod methods;
mod models;
mod options;
mod place;
mod poses;
mod scenes;
mod value;

use galvani::samples;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The files that ship with galvani, by their names: our own, made by our own code.
///
/// >>> sorted(galvani.samples())[:2]
/// ['Textures/Lantern.blp', 'Textures/Lantern.dds']
#[pyfunction]
#[pyo3(name = "samples")]
fn shipped(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let files = PyDict::new(py);
    for sample in py.detach(samples::all) {
        files.set_item(sample.name, PyBytes::new(py, &sample.bytes))?;
    }
    Ok(files)
}

/// What the package `galvani` is made of.
#[pymodule]
mod _galvani {
    #[pymodule_export]
    use super::archive::Members;
    #[pymodule_export]
    use super::batch::{Verdict, difference, validate_many};
    #[pymodule_export]
    use super::document::{Document, open};
    #[pymodule_export]
    use super::edit::operations;
    #[pymodule_export]
    use super::failure::{BadRequest, Error, Refused, Unreadable};
    #[pymodule_export]
    use super::models::{Model, from_gltf};
    #[pymodule_export]
    use super::poses::{Clip, Poses};
    #[pymodule_export]
    use super::scenes::Mesh;
    #[pymodule_export]
    use super::shipped;
    #[pymodule_export]
    use super::value::Finding;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
