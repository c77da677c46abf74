//! Pictures of models, drawn without a graphics card.
//!
//! A [`Stage`] is a scene made ready: what is seen of it, and its pictures in several sizes. A [`Stance`] is how it stands at a
//! time, an [`Eye`] where it is looked at from, a [`Shot`] the picture that is wanted. The same scene and the same shot give the
//! same bytes on every machine: nothing on the way to a pixel asks the platform for more than the four basic operations and the
//! square root, which are the same everywhere, and nothing is fused.
//!
//! ```
//! use galvani_render::{Direction, Eye, Fit, Lens, Meter, Shot, Stage, Stance, Wear};
//! use galvani_scene::{Id, Mesh, Node, Primitive, Scene};
//! use glam::Vec3;
//!
//! let triangle = Primitive {
//!     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
//!     indices: vec![0, 1, 2],
//!     ..Primitive::default()
//! };
//! let scene = Scene {
//!     nodes: vec![Node { mesh: Some(Id::new(0)), ..Node::default() }],
//!     meshes: vec![Mesh { primitives: vec![triangle], ..Mesh::default() }],
//!     ..Scene::default()
//! };
//! let stage = Stage::new(&scene, &Wear::default(), &Meter::unlimited())?;
//! let stance = Stance::at_rest(&scene);
//! let mut fit = Fit::new(Direction::FRONT, Lens::Perspective, 1.0);
//! stage.fit(&stance, &mut fit);
//! let shot = Shot::new(64, 64, fit.eye(1.0));
//! let picture = stage.picture(&stance, &shot, &Meter::unlimited())?;
//! assert_eq!(picture.image.rgba.len(), 64 * 64);
//! assert!(picture.image.rgba.iter().any(|pixel| pixel[3] == 255));
//! # Ok::<(), galvani_render::RenderError>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "between places and pixels numbers are narrowed all the time; `as` saturates, and sizes are checked before"
)]

mod blend;
pub mod check;
mod color;
mod eye;
mod face;
mod files;
mod flat;
mod frames;
mod gif;
mod letters;
mod lines;
mod paint;
mod palette;
mod raster;
mod shade;
mod sheet;
mod slope;
mod stage;
mod stance;

pub use check::RenderError;
pub use eye::{Direction, Eye, Fit, Lens};
pub use files::{apng, png};
pub use flat::flat;
pub use frames::{Frame, Moves, Moving};
pub use galvani_core::{Image, Meter};
pub use gif::gif;
pub use letters::{letters, width_of};
pub use palette::few_colors;
pub use sheet::{Sheet, SheetCell};
pub use stage::{Background, Marks, Picture, Shot, Stage, Wear};
pub use stance::Stance;

/// Most pixels of a picture in a row, and most rows.
pub const MOST_SIDE: u32 = 8192;
