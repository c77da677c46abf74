//! What other engines find in our tables: `DuckDB`, Polars and pyarrow, installed as `tests/tables` pins them.
//!
//! `GALVANI_UPDATE_SURVEYS=1` writes the answers of docs/surveys.md anew.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use galvani::OpenOptions;
use galvani::fs::{Follow, Overwrite, Tree, expand};
use galvani_survey::{ColumnKind, Options, ParquetFolder, Table, TableColumn, run};
use galvani_testkit::Python;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use tempfile::TempDir;

fn python() -> &'static Python {
    static TABLES: OnceLock<Python> = OnceLock::new();
    TABLES.get_or_init(|| Python::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "tables"))
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/surveys.md")
}

/// Held by whoever reads or writes the page.
static PAGE: Mutex<()> = Mutex::new(());

/// Writes the samples below a folder and surveys them; paths are relative to it.
fn survey(desk: &Path, from: &str, to: &str, but: &[&str]) {
    for sample in galvani::samples::all() {
        let path = desk.join(from).join(&sample.name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !but.contains(&sample.name.as_str()) {
            std::fs::write(path, &sample.bytes).unwrap();
        }
    }
    std::fs::write(desk.join(from).join("cut.rlb"), b"NRes\0\x01\0\0").unwrap();
    let inputs = expand(&[desk.join(from).into_os_string()], Follow::No, &OpenOptions::default());
    let options = Options { threads: Some(1), ..Options::of(Table::ALL.iter().copied()) };
    let tree = Tree::new(&desk.join(to));
    let mut folder =
        ParquetFolder::begin(&tree, options.tables.iter().copied(), &Overwrite::default()).unwrap();
    run(&inputs, &options, &mut folder, &|_| true).unwrap();
    folder.finish().unwrap();
}

#[test]
fn every_engine_reads_every_table() {
    let desk = TempDir::new().unwrap();
    survey(desk.path(), "files", "now", &[]);
    let folder = desk.path().join("now");
    let told = python().ask("engines.py", &[&folder.display().to_string()], "");
    let told: Value = serde_json::from_str(&told).unwrap();
    for table in Table::ALL {
        let file = std::fs::File::open(folder.join(table.file_name())).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        let (mut rows, mut missing) = (0, vec![0; table.columns().len()]);
        for batch in reader.map(Result::unwrap) {
            rows += batch.num_rows();
            for (sum, column) in missing.iter_mut().zip(batch.columns()) {
                *sum += column.null_count();
            }
        }
        assert!(rows > 0, "{table:?}");
        for engine in ["duckdb", "polars", "pyarrow"] {
            let seen = &told[table.word()][engine];
            assert_eq!(seen["rows"], rows, "{table:?}: {engine}");
            for (column, missing) in table.columns().iter().zip(&missing) {
                assert_eq!(seen["missing"][column.name], *missing, "{table:?}.{}: {engine}", column.name);
            }
        }
    }
}

#[test]
fn the_answers_of_the_cookbook_are_those_of_duckdb() {
    let desk = TempDir::new().unwrap();
    survey(desk.path(), "samples", "now", &[]);
    // An older build: one model less, another texture.
    std::fs::rename(desk.path().join("samples"), desk.path().join("newer")).unwrap();
    survey(desk.path(), "samples", "before", &["windmill.glb"]);
    let words = [desk.path().display().to_string(), page().display().to_string(), "--write".to_owned()];
    let write = std::env::var_os("GALVANI_UPDATE_SURVEYS").is_some();
    let words: Vec<&str> = words.iter().take(if write { 3 } else { 2 }).map(String::as_str).collect();
    let _page = PAGE.lock().unwrap();
    let count = python().ask("cookbook.py", &words, "");
    assert!(write || count.trim().parse::<usize>().unwrap() > 20, "{count}");
}

/// The tables as the page has them.
fn listing() -> String {
    let column = |column: &TableColumn| {
        let kind = match column.kind {
            ColumnKind::Name | ColumnKind::Text => "text",
            ColumnKind::Int => "whole number",
            ColumnKind::Number => "number",
            ColumnKind::Truth => "yes or no",
            ColumnKind::Readings => "list of topic, taken, why",
        };
        let optional = if column.is_optional { ", or nothing" } else { "" };
        format!("| `{}` | {kind}{optional} | {} |", column.name, column.help)
    };
    let table = |table: &Table| {
        let head = format!(
            "\n**`{}`**: {}\n\n| column | | |\n|---|---|---|",
            table.word(),
            first_lower(table.row())
        );
        [head].into_iter().chain(table.columns().iter().map(column)).collect::<Vec<_>>().join("\n") + "\n"
    };
    Table::ALL.iter().map(table).collect::<String>() + "\n"
}

fn first_lower(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

#[test]
fn the_page_lists_the_tables() {
    let _page = PAGE.lock().unwrap();
    let text = std::fs::read_to_string(page()).unwrap();
    let (before, rest) = text.split_once("<!-- tables -->\n").unwrap();
    let (listed, after) = rest.split_once("<!-- end -->").unwrap();
    if std::env::var_os("GALVANI_UPDATE_SURVEYS").is_some() {
        let made = format!("{before}<!-- tables -->\n{}<!-- end -->{after}", listing());
        std::fs::write(page(), made).unwrap();
    } else {
        assert_eq!(listed, listing());
    }
}
