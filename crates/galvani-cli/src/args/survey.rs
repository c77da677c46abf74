//! The words of `survey`.

use std::path::PathBuf;

use clap::Args;

use super::Inputs;

#[derive(Debug, Args)]
pub(crate) struct Survey {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The folder to write a Parquet file per table into; `-` for one table as a stream of Arrow IPC
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Which tables: files, sections, fields, clips, tracks, nodes, materials, textures, findings
    /// [default: all but fields]
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    pub(crate) tables: Vec<String>,
    /// Look only at what the tables in DIR do not have yet, by path and hash, and add it
    #[arg(long)]
    pub(crate) resume: bool,
}
