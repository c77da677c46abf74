//! Tables over the samples, held against what the library says of each file by itself.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use galvani::core::map::FieldValue;
use galvani::formats::{self, Site};
use galvani::fs::{Follow, Force, Input, Overwrite, Tree, expand};
use galvani::{OpenOptions, Scrutiny, nested};
use galvani_survey::{EarlierSurvey, Options, ParquetFolder, Summary, Table, batches, run};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A folder with every sample, one file of no known format, one that is cut, and one that is empty.
fn collection() -> TempDir {
    let folder = TempDir::new().unwrap();
    for sample in galvani::samples::all() {
        put(folder.path(), &sample.name, &sample.bytes);
    }
    put(folder.path(), "notes.txt", b"nothing of ours");
    put(folder.path(), "cut.mdx", b"MDLXVERS\x04\0\0\0");
    put(folder.path(), "cut.rlb", b"NRes\0\x01\0\0");
    put(folder.path(), "empty.msh", b"");
    folder
}

fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn inputs(folder: &Path) -> Vec<Input> {
    let mut inputs = expand(&[folder.as_os_str().to_owned()], Follow::No, &OpenOptions::default());
    inputs.sort_by(|a, b| a.shown.cmp(&b.shown));
    inputs
}

/// The rows of a table: for each column a text, or nothing.
type Rows = Vec<BTreeMap<String, Option<String>>>;

fn rows(batches: &[(Table, RecordBatch)], table: Table) -> Rows {
    let mut rows = Vec::new();
    for (_, batch) in batches.iter().filter(|(of, _)| *of == table) {
        rows.extend((0..batch.num_rows()).map(|row| {
            let cell = |(i, field): (usize, &std::sync::Arc<arrow_schema::Field>)| {
                (field.name().clone(), shown(batch.column(i), row))
            };
            batch.schema().fields().iter().enumerate().map(cell).collect()
        }));
    }
    rows
}

fn shown(column: &dyn Array, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Some(texts.value(row).to_owned());
    }
    if let Some(names) = column.as_dictionary_opt::<Int32Type>() {
        return Some(names.values().as_string::<i32>().value(names.key(row).unwrap()).to_owned());
    }
    if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
        return Some(numbers.value(row).to_string());
    }
    if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
        return Some(numbers.value(row).to_string());
    }
    if let Some(truths) = column.as_boolean_opt() {
        return Some(truths.value(row).to_string());
    }
    let readings = column.as_list::<i32>().value(row);
    let fields = readings.as_struct();
    let word = |field: usize, row: usize| fields.column(field).as_string::<i32>().value(row).to_owned();
    let told: Vec<String> =
        (0..fields.len()).map(|row| format!("{}={}: {}", word(0, row), word(1, row), word(2, row))).collect();
    Some(told.join("; "))
}

fn all_tables(folder: &Path, threads: usize) -> (Vec<(Table, RecordBatch)>, Summary) {
    let options = Options { threads: Some(threads), ..Options::of(Table::ALL.iter().copied()) };
    batches(&inputs(folder), &options, &|_| true).unwrap()
}

/// The same rows whatever the machine was busy with.
fn without_time(rows: &mut Rows) {
    for row in rows {
        row.remove("seconds");
    }
}

/// The rows of a table of one file.
fn of<'r>(rows: &'r Rows, column: &str, path: &str) -> Vec<&'r BTreeMap<String, Option<String>>> {
    rows.iter().filter(|row| row[column].as_deref() == Some(path)).collect()
}

#[test]
fn every_file_and_member_is_a_row_and_says_what_validate_says() {
    let folder = collection();
    let (told, summary) = all_tables(folder.path(), 2);
    let (files, findings) = (rows(&told, Table::Files), rows(&told, Table::Findings));
    let options = OpenOptions::default();
    let mut checked = 0;
    for input in inputs(folder.path()) {
        let bytes = std::fs::read(&input.shown).unwrap();
        let row = of(&files, "path", &input.shown);
        assert_eq!(row.len(), 1, "{}", input.shown);
        let hash = galvani::core::text::hex(&Sha256::digest(&bytes));
        assert_eq!(row[0]["sha256"].as_deref(), Some(hash.as_str()));
        assert_eq!(row[0]["size"], Some(bytes.len().to_string()));
        let name = Path::new(&input.shown).file_name().unwrap().to_str().unwrap();
        let Some(format) = formats::recognise_content(&bytes, Some(name)) else {
            assert_eq!((&row[0]["format"], row[0]["readable"].as_deref()), (&None, Some("false")));
            continue;
        };
        let folders = galvani::fs::Folders::default();
        let (links, parents) = (input.links(&folders, &options), input.parents(&folders, &options));
        let after: Vec<formats::Shelf<'_>> = parents.iter().map(galvani::fs::SearchRoot::shelf).collect();
        let around = formats::Around { first: &[], after: &after };
        let site = Site { name, home: input.home_label(), links: &*links, around, ..Site::NOWHERE };
        for member in nested::check(&input.shown, &site, format, &bytes, &options, Scrutiny::Usual) {
            let row = of(&files, "path", &member.path);
            assert_eq!(row.len(), 1, "{}", member.path);
            assert_eq!(row[0]["format"].as_deref(), member.format, "{}", member.path);
            assert_eq!(row[0]["readable"], Some(member.readable.to_string()), "{}", member.path);
            let found = of(&findings, "file", &member.path);
            let codes: Vec<&str> = found.iter().map(|row| row["code"].as_deref().unwrap()).collect();
            let wanted: Vec<&str> = member.report.findings().iter().map(|found| found.code.name).collect();
            assert_eq!(codes, wanted, "{}", member.path);
            checked += 1;
        }
    }
    assert_eq!(summary.files, files.len());
    assert!(
        checked > 60 && summary.unreadable == 1 && summary.unreadable_inputs == 1,
        "{checked}: {summary:?}"
    );
    let member = files.iter().find(|row| row["path"].as_deref().unwrap().ends_with("frog.lgp/zgda")).unwrap();
    assert_eq!(member["member"].as_deref(), Some("zgda"));
    assert!(member["archive"].as_deref().unwrap().ends_with("frog.lgp"));
    let stranger = files.iter().find(|row| row["path"].as_deref().unwrap().ends_with("notes.txt")).unwrap();
    assert_eq!(stranger["archive"], None);
}

#[test]
fn fields_are_what_dump_says() {
    let folder = collection();
    let (told, _) = all_tables(folder.path(), 1);
    let fields = rows(&told, Table::Fields);
    for name in ["walker.msh", "lantern.mdx", "lantern-wow.mdx", "frog/zgda", "signs.rlb"] {
        let path = folder.path().join(name).display().to_string();
        let bytes = std::fs::read(&path).unwrap();
        let format = formats::recognise_content(&bytes, Some(name)).unwrap();
        let opened = format.open(&bytes, &OpenOptions::default()).unwrap();
        let clear = opened.document.in_the_clear(&bytes).unwrap();
        let mut wanted = Vec::new();
        opened.map.rows(&clear, |row| {
            let values = match &row.value {
                FieldValue::List(values) => values.clone(),
                one => vec![one.clone()],
            };
            let step = row.len / values.len().max(1);
            for (i, value) in values.iter().enumerate() {
                let element = (row.count > 1 && values.len() > 1).then_some(i);
                wanted.push((row.offset + i * step, row.path.to_string(), element, plain(value)));
            }
        });
        let told = of(&fields, "file", &path);
        assert_eq!(told.len(), wanted.len(), "{name}");
        for (row, (offset, path, element, value)) in told.iter().zip(&wanted) {
            assert_eq!(row["offset"], Some(offset.to_string()), "{name}: {path}");
            if !is_run(row) {
                assert_eq!(row["element"], element.map(|i| i.to_string()), "{name}: {path}");
            }
            assert_eq!(address(row), *path, "{name}");
            let (int, number, text) = (&row["i64"], &row["f64"], &row["text"]);
            let value = value.clone();
            assert_eq!((int.clone(), number.clone(), text.clone()), value, "{name}: {path}");
        }
    }
}

/// The path that `dump` prints, put together again.
fn address(row: &BTreeMap<String, Option<String>>) -> String {
    let record = row["record"].as_ref().map(|record| format!("[{record}]")).unwrap_or_default();
    let (place, field) = (row["place"].as_deref().unwrap(), row["field"].as_deref().unwrap());
    // A run that is an element of a list has its index at its own end.
    let own = row["element"].as_ref().filter(|_| is_run(row)).map(|i| format!("[{i}]")).unwrap_or_default();
    match place {
        "" => format!("{field}{own}"),
        _ => format!("{place}{record}.{field}{own}"),
    }
}

fn is_run(row: &BTreeMap<String, Option<String>>) -> bool {
    ["raw", "payload", "bits", "padding", "text"].contains(&row["type"].as_deref().unwrap())
}

/// A value as its three columns.
fn plain(value: &FieldValue<'_>) -> (Option<String>, Option<String>, Option<String>) {
    match value {
        FieldValue::Int(number) => (Some(number.to_string()), None, None),
        FieldValue::Float(number) => (None, Some(f64::from(*number).to_string()), None),
        FieldValue::Tag(id) => (Some(id.to_string()), None, galvani::core::text::four_cc(*id)),
        FieldValue::Text(bytes) => (None, None, Some(galvani::core::text::shown(bytes).into_owned())),
        FieldValue::Bytes(bytes) => {
            (None, None, (bytes.len() <= 256).then(|| galvani::core::text::hex(bytes)))
        }
        FieldValue::List(_) => panic!("lists have no lists"),
    }
}

#[test]
fn clips_nodes_and_tracks_are_counted_as_info_counts_them() {
    let folder = collection();
    let (told, _) = all_tables(folder.path(), 2);
    let counts = |table: Table, name: &str| {
        let path = folder.path().join(name).display().to_string();
        of(&rows(&told, table), "file", &path).len()
    };
    for name in ["lantern.mdx", "lantern-wow.mdx"] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let read = galvani::mdx::read(&bytes, &galvani::ReadOptions::default()).unwrap().document;
        assert_eq!(counts(Table::Clips, name), read.sequences().len());
        assert_eq!(counts(Table::Nodes, name), read.nodes().len());
        assert_eq!(counts(Table::Sections, name), read.chunks.len());
        let mut tracks = 0;
        read.each_track(|_, _| tracks += 1);
        assert_eq!(counts(Table::Tracks, name), tracks);
    }
    assert_eq!(counts(Table::Clips, "walker.msh"), 1);
    let pack = std::fs::read(folder.path().join("frog/zgda")).unwrap();
    let pack = galvani::ff7::pack::read(&pack, &galvani::ReadOptions::default()).unwrap().document;
    assert_eq!(counts(Table::Sections, "frog/zgda"), pack.entries.len());
    assert_eq!(
        counts(Table::Clips, "frog/zgda"),
        pack.entries.iter().filter(|entry| !entry.is_empty()).count()
    );
    assert!(counts(Table::Nodes, "windmill.glb") > 2 && counts(Table::Clips, "windmill.glb") > 0);
    assert!(counts(Table::Nodes, "frog/zgaa") >= 17);
    assert!(counts(Table::Materials, "walker.wea") == 5 && counts(Table::Materials, "glass.mat0") > 0);
    let textures = rows(&told, Table::Textures);
    let stripes = of(&textures, "file", &folder.path().join("stripes.texm").display().to_string());
    assert_eq!(stripes[0]["role"].as_deref(), Some("picture"));
    assert!(stripes[0]["width"].as_deref().unwrap().parse::<u32>().unwrap() > 0);
}

#[test]
fn a_clip_counts_the_keys_in_its_window() {
    let folder = collection();
    let (told, _) = all_tables(folder.path(), 1);
    let path = folder.path().join("lantern.mdx").display().to_string();
    let bytes = std::fs::read(&path).unwrap();
    let read = galvani::mdx::read(&bytes, &galvani::ReadOptions::default()).unwrap().document;
    let clips = rows(&told, Table::Clips);
    for (row, sequence) in of(&clips, "file", &path).iter().zip(read.sequences()) {
        let (start, end) = sequence.window();
        let (mut keys, mut nodes) = (0, std::collections::BTreeSet::new());
        let owners: Vec<String> = read.nodes().iter().map(|placed| placed.path.to_string()).collect();
        read.each_track(|path, track| {
            let within = track.times.iter().filter(|time| (start..=end).contains(&i64::from(**time))).count();
            if track.global < 0 {
                keys += within;
                let path = path.to_string();
                let owner = owners.iter().find(|owner| path.starts_with(&format!("{owner}.")));
                nodes.extend(owner.filter(|_| within > 0));
            }
        });
        assert_eq!(row["keys"], Some(keys.to_string()));
        assert_eq!(row["animated_nodes"], Some(nodes.len().to_string()));
    }
}

#[test]
fn the_number_of_threads_changes_nothing_but_the_seconds() {
    let folder = collection();
    let (one, _) = all_tables(folder.path(), 1);
    let (four, _) = all_tables(folder.path(), 4);
    for table in Table::ALL {
        let timeless = |batches: &[(Table, RecordBatch)]| {
            let mut rows = rows(batches, *table);
            without_time(&mut rows);
            rows
        };
        assert!(!timeless(&one).is_empty(), "{table:?}");
        assert_eq!(timeless(&one), timeless(&four), "{table:?}");
    }
}

/// A survey into a folder, with what it came to.
fn into_folder(from: &Path, to: &Tree, resume: bool, stop_after: usize) -> Summary {
    let surveyed = if resume { EarlierSurvey::look(to).unwrap() } else { EarlierSurvey::default() };
    let overwrite = Overwrite { force: if resume { Force::Yes } else { Force::No }, ..Overwrite::default() };
    let options = Options { threads: Some(1), surveyed, ..Options::of(Table::ALL.iter().copied()) };
    let mut folder = ParquetFolder::begin(to, options.tables.iter().copied(), &overwrite).unwrap();
    let summary = run(&inputs(from), &options, &mut folder, &|progress| progress.done < stop_after).unwrap();
    folder.copy(to, &options.surveyed).unwrap();
    folder.finish().unwrap();
    summary
}

fn read_back(to: &Path, table: Table) -> Rows {
    let file = std::fs::File::open(to.join(table.file_name())).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let batches: Vec<(Table, RecordBatch)> = reader.map(|batch| (table, batch.unwrap())).collect();
    let mut rows = rows(&batches, table);
    without_time(&mut rows);
    rows.sort();
    rows
}

#[test]
fn parquet_files_hold_the_same_rows() {
    let (folder, to) = (collection(), TempDir::new().unwrap());
    into_folder(folder.path(), &Tree::new(to.path()), false, usize::MAX);
    let (told, _) = all_tables(folder.path(), 1);
    for table in Table::ALL {
        let mut wanted = rows(&told, *table);
        without_time(&mut wanted);
        wanted.sort();
        assert_eq!(read_back(to.path(), *table), wanted, "{table:?}");
    }
}

#[test]
fn an_interrupted_survey_is_resumed_and_a_changed_file_told_anew() {
    let (folder, to) = (collection(), TempDir::new().unwrap());
    let tree = Tree::new(to.path());
    let first = into_folder(folder.path(), &tree, false, 7);
    assert!(first.is_stopped);
    let had = read_back(to.path(), Table::Files).len();
    assert!(had > 0 && had < 60, "{had}");
    let second = into_folder(folder.path(), &tree, true, usize::MAX);
    assert!(second.skipped == 7 && !second.is_stopped, "{second:?}");
    let fresh = TempDir::new().unwrap();
    into_folder(folder.path(), &Tree::new(fresh.path()), false, usize::MAX);
    let same = |what: &str| {
        for table in Table::ALL {
            let (ours, wanted) = (read_back(to.path(), *table), read_back(fresh.path(), *table));
            assert!(ours == wanted, "{what}: {table:?}, {} rows for {}", ours.len(), wanted.len());
        }
    };
    same("resumed");
    // An archive with one member less, and a file that is gone: the rows of what is gone stay, nobody asked for them.
    let lantern = std::fs::read(folder.path().join("lantern.mdx")).unwrap();
    put(folder.path(), "walker.msh", &lantern);
    put(folder.path(), "frog.lgp", &std::fs::read(folder.path().join("depot.rlb")).unwrap());
    let third = into_folder(folder.path(), &tree, true, usize::MAX);
    assert_eq!(third.skipped + 2, inputs(folder.path()).len());
    let again = TempDir::new().unwrap();
    into_folder(folder.path(), &Tree::new(again.path()), false, usize::MAX);
    for table in Table::ALL {
        assert!(read_back(to.path(), *table) == read_back(again.path(), *table), "changed: {table:?}");
    }
}

#[test]
fn what_is_there_stays_without_force_and_nothing_is_left_behind() {
    let (folder, to) = (collection(), TempDir::new().unwrap());
    let tree = Tree::new(to.path());
    put(to.path(), "files.parquet", b"mine");
    let refused = ParquetFolder::begin(&tree, [Table::Clips, Table::Files], &Overwrite::default());
    assert_eq!(refused.unwrap_err().cause.code.name, "file.exists");
    let names: Vec<_> =
        std::fs::read_dir(to.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["files.parquet"]);
    assert_eq!(std::fs::read(to.path().join("files.parquet")).unwrap(), b"mine");
    let unlike = EarlierSurvey::look(&tree).unwrap_err();
    assert_eq!(unlike.cause.code.name, "file.unreadable");
    drop(folder);
}

#[test]
fn a_sink_that_fails_ends_the_survey() {
    let folder = collection();
    let calls = AtomicUsize::new(0);
    let mut sink = |_: Table, _: RecordBatch| {
        calls.fetch_add(1, Ordering::Relaxed);
        let cause = galvani::codes::UNWRITABLE.at(galvani::Path::root());
        Err(galvani_survey::SurveyError { cause: Box::new(cause) })
    };
    let options = Options { threads: Some(2), ..Options::of([Table::Files]) };
    let end = run(&inputs(folder.path()), &options, &mut sink, &|_| true);
    assert!(end.is_err());
    assert_eq!(calls.into_inner(), 1);
}
