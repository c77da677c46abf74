//! Models by listings and plain byte pushing: a second hand beside the builder and the writer under test.

use std::path::Path;

use galvani_testkit::assemble_file;

use super::archive::{DATA_OFFSET, NAME, SIZE, SORT_INDEX, peek, poke, record};

/// Every listing of `testdata/msh`, assembled, by name.
pub(crate) fn cases() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/msh");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() > 30, "only {} listings", names.len());
    names.into_iter().map(|name| (name.clone(), case(&name))).collect()
}

/// One listing of `testdata/msh`, assembled.
pub(crate) fn case(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/msh");
    assemble_file(&folder.join(name).join("build.txt"))
}

/// The walking machine that ships.
pub(crate) fn walker() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/walker.msh")).unwrap()
}

/// An archive with an entry more, its payload behind the others.
pub(crate) fn with_stream(file: &[u8], type_id: usize, attr: [usize; 3], payload: &[u8]) -> Vec<u8> {
    let (count, start) = (peek(file, 8), record(file, 0));
    let mut payload = payload.to_vec();
    let size = payload.len();
    payload.resize(size.next_multiple_of(8), 0);
    let mut made = file.to_vec();
    made.splice(start..start, payload);
    let row = made.len();
    made.resize(row + 64, 0);
    let [attr1, attr2, attr3] = attr;
    for (at, word) in [(0, type_id), (4, attr1), (8, attr2), (SIZE, size), (16, attr3), (DATA_OFFSET, start)]
    {
        poke(&mut made, row + at, word);
    }
    made[row + NAME..row + NAME + 5].copy_from_slice(b"plain");
    poke(&mut made, row + SORT_INDEX, count);
    let total = made.len();
    poke(&mut made, 8, count + 1);
    poke(&mut made, 12, total);
    made
}

/// A small model with every stream there is, and one that nobody knows.
pub(crate) fn full() -> Vec<u8> {
    let floats = |count: u8| (0..count).flat_map(|i| f32::from(i).to_le_bytes()).collect::<Vec<u8>>();
    let bytes = |count: u8| (1..=count).collect::<Vec<u8>>();
    let mut file = case("plain");
    // The empty stream 17 makes room for one with something in it.
    let empty = record(&file, 13);
    poke(&mut file, empty, 98);
    let graph = [floats(3), bytes(8), bytes(40)].concat();
    let file = with_stream(&file, 17, [1, 1, 0], &graph);
    let file = with_stream(&file, 18, [7, 0, 4], &bytes(28));
    let file = with_stream(&file, 16, [7, 0, 8], &bytes(56));
    let file = with_stream(&file, 20, [1, 0, 48], &floats(12));
    with_stream(&file, 99, [0, 0, 0], b"nobody knows")
}

/// Models whose archives are laid out as no writer would, by name.
pub(crate) fn odd() -> Vec<(&'static str, Vec<u8>)> {
    let plain = case("plain");
    let poked = |changes: &[(usize, usize, usize)]| {
        let mut file = plain.clone();
        for &(entry, field, value) in changes {
            let at = record(&plain, entry) + field;
            poke(&mut file, at, value);
        }
        file
    };
    let uv0 = peek(&plain, record(&plain, 4) + DATA_OFFSET);
    let twins = poked(&[(13, 0, 18), (13, SIZE, 28), (13, DATA_OFFSET, uv0), (13, 4, 7), (13, 16, 4)]);
    let partly = poked(&[(4, SIZE, 44)]);
    let inside = poked(&[(13, 0, 18), (13, SIZE, 8), (13, DATA_OFFSET, uv0 + 4)]);
    let lost = poked(&[(7, DATA_OFFSET, 0xffff_0000)]);
    let mut tail = plain.clone();
    tail.extend(b"behind");
    let mut gap = plain.clone();
    let end_of_nodes = 16 + 76;
    gap[end_of_nodes..end_of_nodes + 4].copy_from_slice(b"gap!");
    let mut called = plain.clone();
    let name = record(&plain, 1) + NAME;
    called[name..name + 19].copy_from_slice(b"payloads/0000-plain");
    let unsorted = poked(&[(0, SORT_INDEX, 77), (5, SORT_INDEX, 0)]);
    vec![
        ("twins", twins),
        ("partly", partly),
        ("inside", inside),
        ("lost", lost),
        ("tail", tail),
        ("gap", gap),
        ("called", called),
        ("unsorted", unsorted),
    ]
}
