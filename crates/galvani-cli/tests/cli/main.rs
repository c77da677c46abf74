//! The command as people and scripts meet it: every word, every exit code, every promise of
//! docs/cli.md#inputs, #output, #edits, #sample, #converting and #json.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

#[path = "../common/mod.rs"]
mod common;

mod batch;
mod codes;
mod convert;
mod docs;
mod edit;
mod extract;
mod ff7_field;
mod ff7_model;
mod ff7_pack;
mod ff7_skeleton;
mod fix;
#[cfg(target_os = "linux")]
mod heavy;
mod info;
mod inputs;
mod lgp;
mod limits;
mod mdl;
mod mdx;
mod mdx_convert;
mod mdx_sample;
mod members;
#[cfg(target_os = "linux")]
mod memory;
mod msh;
mod msh_edit;
mod msh_member;
mod neighbours;
mod overwrite;
mod parkan_skin;
mod play;
mod query;
mod references;
mod render;
mod rewrite;
mod sample;
mod select;
#[cfg(unix)]
mod show;
mod skins;
mod streams;
mod summary;
mod survey;
#[cfg(unix)]
mod terminal;
mod text;
mod textures;
mod validate;
mod wear;
