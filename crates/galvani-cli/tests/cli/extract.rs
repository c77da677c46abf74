//! `extract` writes inside its folder, every member once.

use crate::common::archive::{archive, archive_raw};
use crate::common::{Desk, paths};

#[test]
fn members_come_out_whole() {
    let desk =
        Desk::new().with("a.rlb", archive(&[("x.txt", b"xyz"), ("empty", b""), ("y.bin", &[0, 255, 0])]));
    let done = desk.run(&["extract", "a.rlb", "-o", "out"]);
    assert_eq!((done.code, desk.files()), (0, strings(&["a.rlb", "out/empty", "out/x.txt", "out/y.bin"])));
    assert_eq!([desk.read("out/x.txt"), desk.read("out/y.bin")], [b"xyz".to_vec(), vec![0, 255, 0]]);
}

#[test]
fn hostile_names_stay_inside_the_folder() {
    let names: [&[u8]; 16] = [
        b"../x",
        b"..\\x",
        b"/abs",
        b"\\abs",
        b"..",
        b".",
        b"",
        b"a/../../b",
        b"c:\\d",
        b"c:d",
        b"./e",
        b"-rf",
        b"~",
        b"CON",
        b".hidden",
        b"new\nline",
    ];
    let entries: Vec<(&[u8], &[u8])> = names.iter().map(|&name| (name, name)).collect();
    let desk = Desk::new().with("deep/in/evil.rlb", archive_raw(&entries));
    let (code, json) = desk.json(&["extract", "deep/in/evil.rlb", "-o", "deep/in/out", "--json"]);
    assert_eq!(code, 0);
    let rows = json["files"].as_array().unwrap();
    assert_eq!(rows.len(), names.len());
    let outside: Vec<String> =
        desk.files().into_iter().filter(|file| !file.starts_with("deep/in/out/")).collect();
    assert_eq!(outside, ["deep/in/evil.rlb"]);
    for (row, name) in rows.iter().zip(names) {
        let file = row["output"].as_str().unwrap();
        assert_eq!(file.matches('/').count(), 3, "{file} is not a plain file of the folder");
        assert_eq!(desk.read(file), name, "{file}");
    }
}

#[test]
fn members_of_one_name_do_not_overwrite_each_other() {
    let entries: [(&str, &[u8]); 5] = [("a", b"1"), ("A", b"2"), ("a", b"3"), ("a~2", b"4"), ("a.", b"5")];
    let desk = Desk::new().with("a.rlb", archive(&entries));
    assert_eq!(desk.run(&["extract", "a.rlb", "-o", "out"]).code, 0);
    let mut contents: Vec<Vec<u8>> =
        desk.files().iter().filter(|file| file.starts_with("out/")).map(|file| desk.read(file)).collect();
    contents.sort();
    assert_eq!(contents, [b"1", b"2", b"3", b"4", b"5"]);
    let mut folded: Vec<String> = desk.files().iter().map(|file| file.to_lowercase()).collect();
    folded.dedup();
    assert_eq!(folded.len(), 6, "names differ only in case");
}

#[test]
fn members_of_several_archives_do_not_overwrite_each_other() {
    let desk =
        Desk::new().with("a.rlb", archive(&[("x", b"of a")])).with("b.rlb", archive(&[("X", b"of b")]));
    assert_eq!(desk.run(&["extract", "a.rlb", "b.rlb", "-o", "out"]).code, 0);
    assert_eq!([desk.read("out/x"), desk.read("out/X~2")], [b"of a", b"of b"]);
}

#[test]
fn what_has_no_bytes_is_named_and_the_rest_comes_out() {
    let mut file = archive(&[("gone", b"x"), ("there", b"y")]);
    let place = crate::common::archive::record(&file, 0) + crate::common::archive::DATA_OFFSET;
    crate::common::archive::poke(&mut file, place, 0x00ff_ffff);
    let desk = Desk::new().with("a.rlb", file);
    let (code, json) = desk.json(&["extract", "a.rlb", "-o", "out", "--json"]);
    assert_eq!((code, &json["refused"][0]["path"]), (1, &"a.rlb/gone".into()));
    assert_eq!((&json["refused"][0]["code"], paths(&json)), (&"file.unreadable".into(), vec!["a.rlb/there"]));
    assert_eq!(desk.files(), strings(&["a.rlb", "out/there"]));
}

#[test]
fn a_member_without_bytes_cannot_be_had_alone() {
    let mut file = archive(&[("gone", b"x")]);
    let place = crate::common::archive::record(&file, 0) + crate::common::archive::DATA_OFFSET;
    crate::common::archive::poke(&mut file, place, 3);
    let desk = Desk::new().with("a.rlb", file);
    let (code, json) = desk.json(&["extract", "a.rlb/gone", "-o", "out", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (3, &"file.unreadable".into()));
}

#[test]
fn an_archive_on_standard_input_comes_out_too() {
    let desk = Desk::new();
    let done = desk.run_with(&["extract", "-", "-o", "out"], &archive(&[("x", b"piped")]));
    assert_eq!((done.code, desk.read("out/x")), (0, b"piped".to_vec()));
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
