//! `survey`: tables over many files.

use crate::common::Desk;

/// A desk with the samples in a folder, and a file that does not read.
fn desk() -> Desk {
    let desk = Desk::new();
    for sample in galvani::samples::all() {
        desk.put(&format!("files/{}", sample.name), &sample.bytes);
    }
    desk.with("files/cut.rlb", b"NRes\0\x01\0\0")
}

#[cfg(not(feature = "survey"))]
#[test]
fn without_surveys_it_says_how_to_get_them() {
    let done = desk().run(&["survey", "files", "-o", "tables"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("cargo install galvani-cli --features survey"), "{}", done.stderr);
}

#[cfg(feature = "survey")]
mod with_surveys {
    use std::io::Read;

    use serde_json::json;

    use super::desk;
    use crate::common::GALVANI;

    /// The first and last bytes of a Parquet file.
    const MARK: &[u8] = b"PAR1";

    #[test]
    fn a_folder_becomes_tables() {
        let desk = desk();
        let (code, told) = desk.json(&["survey", "files", "-o", "tables", "--json"]);
        assert_eq!(code, 3, "one does not read");
        assert_eq!(told["stopped"], json!(false));
        let words: Vec<&str> =
            told["tables"].as_array().unwrap().iter().map(|table| table["table"].as_str().unwrap()).collect();
        let usual = ["sections", "clips", "tracks", "nodes", "materials", "textures", "findings", "files"];
        assert_eq!(words, usual);
        for table in usual {
            let bytes = desk.read(&format!("tables/{table}.parquet"));
            assert!(bytes.starts_with(MARK) && bytes.ends_with(MARK), "{table}");
        }
        let (_, validated) = desk.json(&["validate", "files", "--json"]);
        let known = validated["files"].as_array().unwrap().len();
        assert!(usize::try_from(told["files"].as_u64().unwrap()).unwrap() >= known);
    }

    #[test]
    fn tables_are_chosen_and_stay_without_force() {
        let desk = desk();
        let done = desk.run(&["survey", "files/lantern.mdx", "-o", "tables", "--tables", "clips,fields"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let names = ["clips", "fields", "files"].map(|name| format!("tables/{name}.parquet"));
        let found: Vec<String> =
            desk.files().into_iter().filter(|name| name.starts_with("tables/")).collect();
        assert_eq!(found, names);
        let before = desk.read("tables/clips.parquet");
        let again = desk.run(&["survey", "files/walker.msh", "-o", "tables", "--tables", "clips"]);
        assert_eq!(again.code, 1, "{}", again.stderr);
        assert!(again.stderr.contains("file.exists"), "{}", again.stderr);
        assert_eq!(desk.read("tables/clips.parquet"), before);
        let resumed = desk.json(&["survey", "files", "-o", "tables", "--resume", "--json"]).1;
        assert_eq!(resumed["skipped"], json!(1));
        assert_eq!(resumed["tables"].as_array().unwrap().len(), 3);
        let others = desk.run(&["survey", "files", "-o", "tables", "--resume", "--tables", "nodes"]);
        assert_eq!(others.code, 2);
        assert!(others.stderr.contains("tables that are there: files, fields, clips"), "{}", others.stderr);
        let forced =
            desk.run(&["survey", "files/walker.msh", "-o", "tables", "--tables", "clips", "--force"]);
        assert_eq!(forced.code, 0, "{}", forced.stderr);
    }

    #[test]
    fn one_table_is_streamed() {
        let desk = desk();
        let done = desk.run(&["survey", "files/lantern.mdx", "-o", "-", "--tables", "nodes"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stdout.starts_with(&[0xff; 4]), "no Arrow IPC");
        for words in [&["files", "-o", "-"][..], &["files", "-o", "-", "--tables", "nodes", "--resume"]] {
            let done = desk.run(&[&["survey"], words].concat());
            assert_eq!(done.code, 2, "{}", done.stderr);
        }
        let wrong = desk.run(&["survey", "files", "-o", "tables", "--tables", "chunks"]);
        assert_eq!(wrong.code, 2);
        assert!(wrong.stderr.contains("`chunks` is no table"), "{}", wrong.stderr);
    }

    #[test]
    fn a_survey_of_nothing_says_so() {
        let desk = desk();
        std::fs::create_dir(desk.path("none")).unwrap();
        let done = desk.run(&["survey", "none", "-o", "tables"]);
        assert_eq!(done.code, 1);
        assert!(done.stderr.contains("nothing to survey"), "{}", done.stderr);
    }

    #[cfg(unix)]
    #[test]
    fn whoever_interrupts_gets_whole_tables_and_goes_on_later() {
        let desk = desk();
        for copy in 0..400 {
            for sample in
                galvani::samples::all().into_iter().filter(|sample| sample.name.starts_with("lantern"))
            {
                desk.put(&format!("many/{copy}/{}", sample.name), &sample.bytes);
            }
        }
        let words = ["survey", "many", "-o", "tables", "--tables", "files,fields", "--json"];
        let mut running = std::process::Command::new(GALVANI)
            .args(words)
            .current_dir(desk.path(""))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        let pid = running.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let mut told = String::new();
        running.stdout.take().unwrap().read_to_string(&mut told).unwrap();
        let end = running.wait().unwrap();
        // It may have been quicker than the signal, or not even listening: then it was killed as any program is.
        if end.code() == Some(130) {
            let told: serde_json::Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["stopped"], json!(true));
            for table in ["files", "fields"] {
                let bytes = desk.read(&format!("tables/{table}.parquet"));
                assert!(bytes.starts_with(MARK) && bytes.ends_with(MARK), "{table}");
            }
        }
        let (code, rest) = desk.json(&[&words[..], &["--resume"]].concat());
        assert_eq!(code, 0);
        let [looked, skipped] = ["files", "skipped"].map(|key| rest[key].as_u64().unwrap());
        assert_eq!(looked + skipped, 1200);
    }
}
