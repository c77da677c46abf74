//! FF7 field models on the command line: known by their first words or their size, shown, sampled, edited.

use serde_json::{Value, json};

use crate::common::{Desk, codes, refusal};

/// The paper boat that ships, on a desk.
fn desk() -> Desk {
    let desk = Desk::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for name in ["boat.hrc", "boat.rsd", "mast.rsd", "lamp.rsd", "boat.a"] {
        desk.put(name, std::fs::read(folder.join(name)).unwrap());
    }
    desk
}

#[test]
fn each_is_known_whatever_its_name() {
    let desk = desk();
    for (name, format) in [("boat.hrc", "ff7-hrc"), ("boat.rsd", "ff7-rsd"), ("boat.a", "ff7-a")] {
        desk.put("thing", desk.read(name));
        for path in [name, "thing"] {
            let (code, json) = desk.json(&["validate", path, "--json"]);
            assert_eq!((code, &json["files"][0]["format"]), (0, &json!(format)));
            assert!(codes(&json["files"][0]).is_empty(), "{json}");
        }
    }
}

#[test]
fn info_shows_bones_and_textures() {
    let desk = desk();
    let (_, json) = desk.json(&["info", "--json", "boat.a", "boat.hrc", "boat.rsd"]);
    let files = &json["files"];
    assert_eq!(files[0]["counts"]["frames"], 24);
    assert_eq!(files[1]["skeleton"]["name"], "boat");
    let lantern = json!({"index": 2, "parent": 0, "name": "lantern", "length": 3.0, "parts": ["LAMP"]});
    assert_eq!(files[1]["nodes"][2], lantern);
    assert_eq!(files[2]["textures"][1], json!({"index": 1, "name": "GLOW.TIM"}));
    assert_eq!(files[2]["files"], json!({"ply": "BOAT.PLY", "mat": "BOAT.MAT", "grp": "BOAT.GRP"}));
}

#[test]
fn a_sample_has_degrees_and_rotations() {
    let (code, json) = desk().json(&["sample", "boat.a", "--frame", "3", "--bone", "0", "--json"]);
    assert_eq!(code, 0);
    let half = 0.707_106_77_f32;
    let wanted = json!([{
        "clip": 0, "frame": 3, "position": [0.0, -20.0, 0.0], "rotation_root": [half, 0.0, half, 0.0],
        "bones": [{"bone": 0, "degrees": [0.0, 90.0, 0.0], "rotation": [half, 0.0, half, 0.0]}],
    }]);
    // Floats print so that they read back to the same 32 bits.
    let narrow = |value: &Value| serde_json::to_string(value).unwrap();
    assert_eq!(
        narrow(&json["samples"]).replace("0.70710677", "H"),
        narrow(&wanted).replace("0.7071067690849304", "H")
    );
    let (_, json) = desk().json(&["sample", "boat.a", "--clip", "0", "--json"]);
    assert_eq!(json["samples"].as_array().unwrap().len(), 24);
    assert_eq!(json["samples"][0]["bones"].as_array().unwrap().len(), 4);
}

#[test]
fn what_is_not_there_is_refused() {
    for (words, code) in [
        (&["sample", "boat.a", "--frame", "24"][..], "ff7-a.no-frame"),
        (&["sample", "boat.a", "--bone", "4"], "ff7-a.no-bone"),
        (&["sample", "boat.a", "--bone", "mast"], "file.no-names"),
        (&["sample", "boat.a", "--clip", "1"], "file.no-clips"),
        (&["sample", "boat.hrc"], "file.no-poses"),
        (&["edit", "boat.hrc", "rename", "oar", "x", "-o", "o"], "ff7-hrc.no-bone"),
        (&["edit", "boat.hrc", "reparent", "hull", "mast", "-o", "o"], "ff7-hrc.parent-refused"),
        (&["edit", "boat.rsd", "set-texture", "2", "x", "-o", "o"], "ff7-rsd.no-texture"),
        (&["edit", "boat.a", "trim", "3", "24", "-o", "o"], "ff7-a.no-frame"),
    ] {
        let (exit, json) = desk().json(&[words, &["--json"]].concat());
        assert_eq!((exit, refusal(&json)), (1, &json!(code)), "{words:?}");
    }
}

#[test]
fn edits_change_what_they_are_about() {
    let desk = desk();
    let words = [
        "edit",
        "boat.hrc",
        "rename",
        "hull",
        "keel",
        "set-length",
        "MAST",
        "15",
        "reparent",
        "lantern",
        "root",
    ];
    assert_eq!(desk.run(&[&words[..], &["-o", "new.hrc"]].concat()).code, 0);
    let old = String::from_utf8(desk.read("boat.hrc")).unwrap();
    let wanted = old.replace("\r\nhull\r\n", "\r\nkeel\r\n").replace("14.25", "15");
    let wanted = wanted.replace("lantern\r\nkeel", "lantern\r\nroot");
    assert_eq!(String::from_utf8(desk.read("new.hrc")).unwrap(), wanted);
    assert_eq!(desk.run(&["edit", "boat.rsd", "add-texture", "SAIL.TIM", "-o", "new.rsd"]).code, 0);
    assert!(desk.read("new.rsd").ends_with(b"TEX[2]=SAIL.TIM\r\n"));
    assert_eq!(desk.run(&["edit", "boat.a", "resample", "2", "loop", "-o", "new.a"]).code, 0);
    assert_eq!(desk.read("new.a").len(), 36 + 48 * (24 + 12 * 3));
}

#[test]
fn each_is_taken_apart_and_put_together() {
    let desk = desk();
    let mut odd = desk.read("boat.a");
    odd[12..16].copy_from_slice(&[2, 1, 0, 9]);
    odd[36..40].copy_from_slice(&0x7fc0_1234_u32.to_le_bytes());
    odd.truncate(100);
    desk.put("odd.a", odd);
    for name in ["boat.hrc", "boat.rsd", "boat.a", "odd.a"] {
        assert_eq!(desk.run(&["unpack", name, "-o", &format!("{name}.d")]).code, 0, "{name}");
        assert_eq!(desk.run(&["pack", &format!("{name}.d"), "-o", "again"]).code, 0, "{name}");
        assert!(desk.read("again") == desk.read(name), "{name}");
        assert_eq!(desk.run(&["rewrite", name, "-o", "again"]).code, 0, "{name}");
        assert!(desk.read("again") == desk.read(name), "{name}");
    }
    assert_eq!(desk.run(&["rewrite", "odd.a", "--canonical", "-o", "again"]).code, 0);
    let (code, json) = desk.json(&["validate", "again", "--format", "ff7-a", "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (0, vec!["ff7-a.rotation-order", "ff7-a.not-finite"]));
}

#[test]
fn files_that_are_named_are_looked_for_beside() {
    let desk = desk();
    let found = |path: &str| {
        let (_, json) = desk.json(&["validate", path, "--json"]);
        codes(&json["files"][0]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(found("boat.rsd").is_empty(), "nothing is there, so nothing is missing");
    desk.put("Boat.P", b"mesh");
    assert_eq!(found("boat.rsd"), ["ff7-rsd.file-missing"]);
    desk.put("paper.tex", b"paper");
    desk.put("GLOW.TEX", b"glow");
    assert!(found("boat.rsd").is_empty());
    assert_eq!(desk.run(&["edit", "boat.hrc", "set-parts", "mast", "BOAT SAIL", "--in-place"]).code, 0);
    assert_eq!(found("boat.hrc"), ["ff7-hrc.part-missing"]);
    desk.put("sail.rsd", b"@RSD940102\r\nPLY=BOAT.PLY\r\n");
    assert!(found("boat.hrc").is_empty());
}
