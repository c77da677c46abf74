//! A model and its material table beside it: in a folder, in an archive, in an archive in an archive.

use serde_json::Value;

use crate::common::archive::archive;
use crate::common::model::{case, walker};
use crate::common::{Desk, codes};

/// A table of so many rows.
fn table(rows: usize) -> String {
    (0..rows).fold(format!("{rows}\r\n"), |text, row| format!("{text}{row} METAL_{row}\r\n"))
}

/// The findings about the member or file of that path.
fn row<'a>(json: &'a Value, path: &str) -> &'a Value {
    let mut rows = json["files"].as_array().unwrap().iter();
    rows.find(|row| row["path"] == path).unwrap_or_else(|| panic!("{path} is not in {json}"))
}

/// What is found out about a file when it alone is asked for.
fn found(desk: &Desk, path: &str) -> Vec<String> {
    let (code, json) = desk.json(&["validate", path, "--json"]);
    assert_eq!(code, 0, "warnings do not fail");
    codes(row(&json, path)).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_material_without_a_row_in_the_table_beside_it_is_found_in_a_folder() {
    // Its batches have the materials 0 and 1.
    let desk = Desk::new().with("units/TANK.MSH", case("plain"));
    let nothing: [&str; 0] = [];
    assert_eq!(found(&desk, "units/TANK.MSH"), nothing, "no table, no rule");
    for name in ["units/Tank.Wea", "units/TANK.wea"] {
        desk.put(name, table(1));
        let (code, json) = desk.json(&["validate", "units/TANK.MSH", "--json"]);
        let finding = &row(&json, "units/TANK.MSH")["diagnostics"][0];
        assert_eq!(
            (code, &finding["code"], &finding["severity"]),
            (0, &"msh.material-row".into(), &"warning".into())
        );
        assert_eq!((&finding["path"], &finding["count"]), (&"batches[1].material".into(), &1.into()));
        let wanted =
            "The material of a batch is no row of the WEAR beside the model: a row below 1 wanted, 1 found.";
        assert_eq!(finding["message"], wanted);
        assert!(finding["offset"].is_u64(), "{finding}");
        let (_, json) = desk.json(&["validate", "units", "--json"]);
        assert_eq!(codes(row(&json, "units/TANK.MSH")), ["msh.material-row"]);
        desk.put(name, table(2));
        assert_eq!(found(&desk, "units/TANK.MSH"), nothing, "the rows are enough");
        std::fs::remove_file(desk.path(name)).unwrap();
    }
}

#[test]
fn a_file_in_the_current_folder_has_neighbours_too() {
    let desk = Desk::new().with("tank.msh", case("plain")).with("TANK.WEA", table(1));
    assert_eq!(found(&desk, "tank.msh"), ["msh.material-row"]);
    assert_eq!(desk.run(&["validate", "tank.msh", "--deny", "warnings"]).code, 1);
    let (_, json) = desk.json(&["info", "tank.msh", "--json"]);
    assert_eq!(json["files"][0]["warnings"], 1, "`info` counts what `validate` shows");
    assert!(desk.run(&["info", "tank.msh"]).text().contains("0 errors, 1 warning: see `galvani validate`"));
}

#[test]
fn the_table_is_looked_for_in_the_same_archive() {
    let units = |name: &str, rows: usize| {
        archive(&[("Tank.MSH", &case("plain")), ("other.wea", b"9\n"), (name, table(rows).as_bytes())])
    };
    for name in ["tank.wea", "TANK.WEA", "Tank.wea"] {
        let desk = Desk::new().with("units.rlb", units(name, 1)).with("good.rlb", units(name, 2));
        for path in ["units.rlb/Tank.MSH", "units.rlb/#0"] {
            let (_, json) = desk.json(&["validate", path, "--json"]);
            assert_eq!(codes(&json["files"][0]), ["msh.material-row"], "{name}");
        }
        let (code, json) = desk.json(&["validate", "units.rlb", "good.rlb", "good.rlb/*.msh", "--json"]);
        assert_eq!((code, codes(row(&json, "units.rlb/Tank.MSH"))), (0, vec!["msh.material-row"]));
        assert!(
            codes(row(&json, "good.rlb/Tank.MSH")).is_empty() && codes(row(&json, "good.rlb")).is_empty()
        );
    }
    // A table beside the archive belongs to no member of it.
    let desk =
        Desk::new().with("units.rlb", archive(&[("tank.msh", &case("plain"))])).with("tank.wea", table(1));
    assert!(found(&desk, "units.rlb/tank.msh").is_empty());
}

#[test]
fn the_table_of_an_archive_in_an_archive_is_the_inner_one() {
    let inner = |rows: usize| archive(&[("tank.msh", &case("plain")), ("tank.wea", table(rows).as_bytes())]);
    let outer =
        archive(&[("bad.rlb", &inner(1)), ("good.rlb", &inner(2)), ("tank.wea", table(1).as_bytes())]);
    let desk = Desk::new().with("o.rlb", outer);
    let (_, json) = desk.json(&["validate", "o.rlb", "--json"]);
    assert_eq!(codes(row(&json, "o.rlb/bad.rlb/tank.msh")), ["msh.material-row"]);
    assert!(codes(row(&json, "o.rlb/good.rlb/tank.msh")).is_empty());
    assert_eq!(found(&desk, "o.rlb/bad.rlb/tank.msh"), ["msh.material-row"]);
    assert!(found(&desk, "o.rlb/good.rlb/tank.msh").is_empty());
}

#[test]
fn a_table_without_a_count_and_a_model_as_documented_are_passed_over() {
    let desk = Desk::new().with("tank.msh", case("plain"));
    for text in ["", "two\n", "0\n", "-1\n", "\n1\n"] {
        desk.put("tank.wea", text);
        assert!(found(&desk, "tank.msh").is_empty(), "{text:?}");
    }
    desk.put("tank.wea", table(1));
    let (_, json) = desk.json(&["validate", "tank.msh", "--reading", "documented", "--json"]);
    assert!(!codes(&json["files"][0]).contains(&"msh.material-row"));
    std::fs::remove_file(desk.path("tank.wea")).unwrap();
    std::fs::create_dir(desk.path("tank.wea")).unwrap();
    assert!(found(&desk, "tank.msh").is_empty(), "a folder is no table");
}

#[test]
fn the_walking_machine_wants_as_many_rows_as_it_has_materials() {
    let desk = Desk::new().with("walker.msh", walker());
    let enough = (0..=255).find(|&rows| {
        desk.put("walker.wea", table(rows + 1));
        found(&desk, "walker.msh").is_empty()
    });
    let (_, json) = desk.json(&["dump", "walker.msh", "--json"]);
    let rows = json.as_array().unwrap().iter();
    let materials = rows.filter(|row| {
        row["path"].as_str().is_some_and(|path| path.starts_with("batches[") && path.ends_with("].material"))
    });
    let last = materials.map(|row| row["value"].as_u64().unwrap()).max();
    assert_eq!(enough.map(|rows| rows as u64), last);
}
