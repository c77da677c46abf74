//! Galvani brings the models and animations of old games back to life: it reads, checks, edits, writes, samples and
//! converts their files without losing a byte.
//!
//! There is one door to every format. [`open`] takes a file or a member of an archive, [`formats::recognise`] says of
//! bytes what they are, and either gives an [`Opened`](formats::Opened): a document, and what is known about its file.
//!
//! ```
//! use galvani::formats::Sampling;
//! use galvani::OpenOptions;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples"))?;
//! // The animations of a battle model of Final Fantasy VII; its skeleton is found beside them.
//! let pack = galvani::open("frog.lgp/zgda", &OpenOptions::default())?;
//! for pose in pack.as_animated()?.sample(&Sampling::default())?.poses.take(2) {
//!     println!("{:?}", pose?.nodes[3].rotation);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a document can do
//!
//! Every one checks itself, is written from itself alone, and tells what it holds.
//!
//! ```
//! # let samples = galvani::samples::all();
//! # let file = &samples.iter().find(|sample| sample.name == "lantern.mdx").unwrap().bytes[..];
//! use galvani::formats::{self, Site};
//! use galvani::OpenOptions;
//!
//! let format = formats::recognise(file, Some("lantern.mdx")).unwrap();
//! let opened = format.open(file, &OpenOptions::default())?;
//! // What is wrong with it, each finding with its place.
//! assert!(opened.check().findings().is_empty());
//! // What it holds: counts, facts and tables, for people and machines.
//! let outline = opened.outline(&Site::NOWHERE);
//! assert!(outline.counts.iter().any(|count| count.key == "nodes"));
//! // Which bytes are what.
//! assert_eq!(opened.map.len(), file.len());
//! // And back, byte for byte.
//! assert_eq!(opened.document.write()?, file);
//! // The same as named values and files, to be changed by hand and built again.
//! let folder = opened.document.unpack()?;
//! assert_eq!(format.pack(&folder)?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Edits are [operations](formats::Operation) that each format declares. What an edit costs is told, and several are done
//! together or not at all.
//!
//! ```
//! # let samples = galvani::samples::all();
//! # let file = &samples.iter().find(|sample| sample.name == "lantern.mdx").unwrap().bytes[..];
//! # let options = galvani::OpenOptions::default();
//! use galvani::formats::{self, Step};
//! use galvani::{Meter, Strictness, diff, edit};
//!
//! let mdx = formats::by_id("mdx").unwrap();
//! let before = mdx.open(file, &options)?;
//! let steps = [Step::from_words(mdx, &["rename-sequence", "Stand", "Stand - 2"])?];
//! let opened = mdx.open(file, &options)?;
//! let (document, costs) = edit::run(opened.document, &steps, Strictness::Tolerant, &Meter::unlimited())?;
//! assert!(costs.findings().is_empty());
//!
//! // What differs, by name.
//! let after = mdx.open(&document.write()?, &options)?;
//! assert!(!diff::diff(&before, &after, &options)?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What only some can do
//!
//! Abilities are asked for: [`as_archive`](formats::Opened::as_archive), [`as_animated`](formats::Opened::as_animated),
//! [`as_model`](formats::Opened::as_model), [`as_drawn`](formats::Opened::as_drawn),
//! [`as_picture`](formats::Opened::as_picture).
//!
//! ```
//! # let samples = galvani::samples::all();
//! # let of = |name: &str| &samples.iter().find(|sample| sample.name == name).unwrap().bytes[..];
//! # let options = galvani::OpenOptions::default();
//! # let open = |name: &str| galvani::formats::recognise(of(name), Some(name)).unwrap().open(of(name), &options);
//! use galvani::formats::{Sampling, Selector, Settings, DrawView, Site, Times, msh};
//! use galvani::convert::{self, Target};
//! use galvani::Meter;
//!
//! // An archive has members.
//! let archive = open("frog.lgp")?;
//! assert_eq!(archive.as_archive()?.members()[0].shown(), "zgaa");
//!
//! // A model that moves has poses. Each format declares what else may be said about them.
//! let walker = open("walker.msh")?;
//! let settings = Settings::from_words(msh::Posing::SETTINGS, &[("space", "model")])?;
//! let wanted = Sampling { times: "0..8:0.5".parse()?, node: Some(Selector::new("hull")), settings, ..Default::default() };
//! assert_eq!(walker.as_animated()?.sample(&wanted)?.poses.count(), 17);
//! assert!(walker.as_picture().is_err());
//!
//! // What its engine draws, and what a ray meets.
//! assert!(!walker.as_drawn()?.draw(&DrawView::default(), &[], &Meter::unlimited())?.is_empty());
//! assert!(walker.as_drawn()?.pick(&DrawView::default(), [0.0, 0.0, 90.0, 0.0, 0.0, -1.0], &Meter::unlimited())?.is_some());
//!
//! // As glTF, and a texture as PNG; what glTF does not say is in the report.
//! let meter = Meter::unlimited();
//! let made = convert::glb(&walker, &Site::NOWHERE, &Settings::default(), &meter)?;
//! assert!(made.files.starts_with(b"glTF"));
//! let skin = open("frog/zgac")?.as_picture()?.image(&Settings::default())?;
//! let (png, _) = convert::picture(&skin, Target::Png, &Settings::default(), None, &meter)?;
//! # let _ = (made.report, png);
//!
//! // And back: of a glTF that was changed elsewhere, the model with what was changed.
//! let glb = galvani::formats::by_id("gltf").unwrap().open(&made.files, &options)?;
//! let back = convert::restored(&glb, &Site::NOWHERE, &meter)?;
//! assert_eq!(back.files[0].1, of("walker.msh"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # More of what the command does
//!
//! A member copied out of its archive, every value of a file where it lies, a file as its game's own tools would write it, and a
//! new model of a glTF that comes from anywhere.
//!
//! ```
//! # let samples = galvani::samples::all();
//! # let of = |name: &str| &samples.iter().find(|sample| sample.name == name).unwrap().bytes[..];
//! # let options = galvani::OpenOptions::default();
//! # let open = |name: &str| galvani::formats::recognise(of(name), Some(name)).unwrap().open(of(name), &options);
//! use galvani::Meter;
//! use galvani::convert::{self, ModelTarget, ModelWish};
//! use galvani::formats::{Settings, Site};
//!
//! // `extract`
//! let opened = open("frog.lgp")?;
//! let archive = opened.as_archive()?;
//! let index = archive.members().iter().position(|member| member.shown() == "zgda").unwrap();
//! archive.prepare(index)?;
//! assert_eq!(archive.member(index), Some(of("frog/zgda")));
//!
//! // `dump`
//! let (mut rows, mut bytes) = (0, 0);
//! open("lantern.mdx")?.map.rows(of("lantern.mdx"), |row| (rows, bytes) = (rows + 1, bytes + row.len));
//! assert!(rows > 1000 && bytes == of("lantern.mdx").len());
//!
//! // `rewrite`, in the canonical form; the report says what that cost.
//! let mut pack = open("frog/zgda")?;
//! for finding in pack.document.make_canonical()?.findings() {
//!     println!("{finding}");
//! }
//! let file = pack.document.write()?;
//! assert_eq!(pack.format.open(&file, &options)?.document.write()?, file);
//!
//! // `convert`, to a model of Warcraft III.
//! let (target, wish) = (ModelTarget::by_extension("mdx").unwrap(), ModelWish { stem: Some("mill"), ..Default::default() });
//! let asked = (&Settings::default(), &Meter::unlimited());
//! let made = convert::model(&open("windmill.glb")?, &Site::NOWHERE, target, &wish, asked)?;
//! assert_eq!(made.files[0].0, "mill.mdx");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The families' own types
//!
//! [`downcast`](formats::Opened::downcast) gives the document that the family's crate defines, with public fields and with
//! everything that only this format has: [`parkan`], [`ff7`], [`mdx`], [`texture`], [`gltf`].
//!
//! ```
//! # let samples = galvani::samples::all();
//! # let of = |name: &str| &samples.iter().find(|sample| sample.name == name).unwrap().bytes[..];
//! # let options = galvani::OpenOptions::default();
//! # let open = |name: &str| galvani::formats::recognise(of(name), Some(name)).unwrap().open(of(name), &options);
//! // Parkan: the typed streams of a model.
//! let walker = open("walker.msh")?;
//! let model = walker.downcast::<galvani::parkan::msh::Document>().unwrap().model();
//! assert_eq!(model.node_name(1), b"hull");
//!
//! // Final Fantasy VII: the frames of an animation, decoded.
//! let pack = open("frog/zgda")?.into_document::<galvani::ff7::pack::Document>().unwrap();
//! let survey = galvani::ff7::pack::survey(&pack, None);
//! let clip = survey.entries[0].clip().unwrap();
//! assert!(clip.frames(&pack.entries[0], pack.stop()).len() > 1);
//!
//! // Warcraft III: sequences, nodes and tracks.
//! let lantern = open("lantern.mdx")?.into_document::<galvani::mdx::Document>().unwrap();
//! assert!(lantern.sequences().len() > 1 && lantern.nodes().len() > 1);
//!
//! // glTF: every value typed, where it stands in its text.
//! let windmill = open("windmill.glb")?.into_document::<galvani::gltf::Document>().unwrap();
//! assert!(windmill.view()?.animations.iter().next().is_some());
//!
//! // Pictures of several games: the levels of a BLP.
//! let plain = galvani::core::Image { width: 4, height: 4, rgba: vec![[0, 128, 255, 255]; 16] };
//! let blp = galvani::texture::blp::Document::new(&plain, &galvani::texture::blp::Options::default())?;
//! assert_eq!((blp.header.size(), blp.stored().count()), ((4, 4), 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `parkan`, `ff7` and `mdx` are the families, `texture` the pictures of several of them, `gltf` scenes as glTF, `render` pictures
//! of models, `fs` everything that touches files; all are on by default. `parallel` draws on all cores.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod budget;
pub mod codes;
pub mod contents;
pub mod convert;
pub mod diff;
pub mod edit;
pub mod fix;
pub mod formats;
#[cfg(feature = "fs")]
pub mod fs;
pub mod image;
pub mod nested;
#[cfg(feature = "render")]
pub mod pictures;
pub mod render;
#[cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture"))]
pub mod samples;

/// The example of the front page is one like those above.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;

pub use formats::OpenOptions;
#[cfg(feature = "fs")]
pub use fs::open;

pub use galvani_core as core;
#[cfg(feature = "ff7")]
pub use galvani_ff7 as ff7;
#[cfg(feature = "gltf")]
pub use galvani_gltf as gltf;
#[cfg(feature = "mdx")]
pub use galvani_mdx as mdx;
#[cfg(feature = "parkan")]
pub use galvani_parkan as parkan;
pub use galvani_scene as scene;
#[cfg(feature = "texture")]
pub use galvani_texture as texture;
pub use glam;

pub use galvani_core::{
    Blame, Budget, Code, Diagnostic, EditError, Exhausted, FileMap, LiftError, Limits, Meter, Path,
    ReadError, ReadOptions, Reading, Readings, Report, SampleError, Scrutiny, Severity, Strictness, Verdict,
    WantedReading, WriteError, diag, map, record, text,
};
