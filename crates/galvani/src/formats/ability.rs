//! What only some documents can do; see the `as_` methods of [`Document`](super::Document).

use std::fmt;

use galvani_core::{
    Diagnostic, EditError, Exhausted, Image, LiftError, Meter, Path, Report, SampleError, room,
};
use galvani_scene::Scene;

use super::{
    ClipSpan, DrawCall, DrawView, Plane, Playback, PlayedMoment, Ray, RayHit, Reference, Samples, Sampling,
    Settings, Site,
};
use crate::codes;

/// Something is asked of a document that those of its format do not have.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct RequestError {
    /// What is asked for, and what it is asked of.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for RequestError {
    fn from(cause: Diagnostic) -> Self {
        RequestError { cause: Box::new(cause) }
    }
}

/// A document whose members are files of their own.
pub trait Archive: fmt::Debug {
    /// The members in order.
    fn members(&self) -> Vec<Member>;
    /// The bytes of a member; `None` where they cannot be had.
    fn member(&self, index: usize) -> Option<&[u8]>;
    /// Makes the bytes of a member ready, or says that there is no room for them.
    fn prepare(&self, _index: usize) -> Result<(), Exhausted> {
        Ok(())
    }
    /// Bytes of all members that can be had, where they are unpacked and so may be larger than the archive; those that
    /// several share once.
    fn unpacked_len(&self) -> Option<usize> {
        None
    }
    /// Gives a member other bytes.
    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError>;
    /// Gives members that share their bytes other ones, which they share again if the archive can.
    fn set_members(&mut self, indices: &[usize], bytes: Vec<u8>) -> Result<(), EditError> {
        for &index in indices {
            self.set_member(index, room::copied(&bytes)?)?;
        }
        Ok(())
    }
}

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name as it stands in the archive, up to the NUL.
    pub name: Vec<u8>,
    /// What the archive says it is, if it says so.
    pub declared: Option<Declared>,
}

/// What an archive's record says a member is, beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declared {
    /// Its type.
    pub type_id: u32,
    /// The record's first attribute, of some types flags.
    pub flags: u32,
    /// The record's second attribute, of some types a version.
    pub version: u32,
}

impl Member {
    /// A member of which the archive says no more than its name.
    pub fn named(name: Vec<u8>) -> Self {
        Member { name, declared: None }
    }

    /// The name as people read it.
    pub fn shown(&self) -> String {
        galvani_core::text::shown(&self.name).into_owned()
    }
}

/// A document that moves.
pub trait Animated {
    /// Its animations in the file's order; none of a model that only stands.
    fn clips(&self) -> Result<Vec<ClipSpan>, SampleError>;
    /// Poses as its engine samples them, one after another as they are asked for.
    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError>;
    /// Plays it as its engine does: calls `each` with every moment that is looked at, in order, and gives what was odd about
    /// finding what to play. Of most formats nobody knows more than their poses.
    fn play(
        &self,
        _wanted: &Playback,
        _meter: &Meter,
        _each: &mut dyn FnMut(PlayedMoment),
    ) -> Result<Report, SampleError> {
        Err(codes::NO_PLAYER.at(Path::root()).into())
    }
}

/// A document that is a model.
pub trait Model {
    /// The model as a scene, with what lies beside it, and what the scene does not say.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError>;
    /// The file beside it that the whole model goes by, if this is one of its pieces: where everything is wanted, each
    /// model is wanted once.
    fn belongs_to(&self, _site: &Site<'_>) -> Option<String> {
        None
    }
}

/// A model of which is known how its engine draws and picks.
pub trait Drawn {
    /// What is drawn, call by call. Planes hide what lies behind them.
    fn draw(&self, view: &DrawView, planes: &[Plane], meter: &Meter) -> Result<Vec<DrawCall>, SampleError>;
    /// What a ray meets first, if anything.
    fn pick(&self, view: &DrawView, ray: Ray, meter: &Meter) -> Result<Option<RayHit>, SampleError>;
}

/// A document that names other files.
pub trait Referring {
    /// What it names; `name` is what it is called itself.
    fn references(&self, name: &str) -> Vec<Reference>;
}

/// A document that is a picture.
pub trait Picture {
    /// Width and height of its pixels, without decoding them; none if there are none.
    fn size(&self, settings: &Settings) -> Option<(u32, u32)>;
    /// Its pixels.
    fn image(&self, settings: &Settings) -> Result<Image, LiftError>;
}
