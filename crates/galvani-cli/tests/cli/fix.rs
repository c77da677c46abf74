//! `fix`: what it mends, what it leaves, where it writes.

use galvani_testkit::case;

use crate::common::{Desk, Done};

fn desk() -> Desk {
    let desk = Desk::new();
    for name in ["key-order", "material-unused", "bounds", "no-stand"] {
        desk.put(&format!("models/{name}.mdx"), case("mdx", name));
    }
    for sample in galvani::samples::all() {
        desk.put(&sample.name, &sample.bytes);
    }
    desk
}

fn fine(done: Done) -> Done {
    assert_eq!(done.code, 0, "{}{}", done.text(), done.stderr);
    done
}

#[test]
fn a_file_is_mended_and_says_what_was_done() {
    let desk = desk();
    let done = fine(desk.run(&["fix", "models/key-order.mdx", "-o", "out.mdx"]));
    assert!(done.stderr.contains("note[mdx.key-order]"), "{}", done.stderr);
    assert!(
        done.stderr.contains("the keys of a track are put in the order of their times"),
        "{}",
        done.stderr
    );
    assert!(done.text().starts_with("out.mdx: 1 mend, "), "{}", done.text());
    let (_, found) = desk.json(&["validate", "out.mdx", "--json"]);
    assert!(!found.to_string().contains("mdx.key-order"), "{found:#}");
    assert!(desk.read("models/key-order.mdx") == case("mdx", "key-order"), "the input was touched");
}

#[test]
fn what_removes_something_waits_for_its_name() {
    let desk = desk();
    let input = "models/material-unused.mdx";
    let done = fine(desk.run(&["fix", input, "-o", "same.mdx"]));
    assert!(done.text().contains("nothing to mend"), "{}", done.text());
    assert!(desk.read("same.mdx") == desk.read(input));
    let (code, told) =
        desk.json(&["fix", "--only", "mdx.material-unused", input, "-o", "less.mdx", "--json"]);
    assert_eq!(code, 0, "{told:#}");
    let mended = &told["files"][0]["mended"][0];
    assert_eq!(
        (mended["code"].as_str(), mended["path"].as_str()),
        (Some("mdx.material-unused"), Some(input))
    );
    assert!(desk.read("less.mdx").len() < desk.read(input).len());
    // Several codes stand behind one flag, or have commas between them.
    for words in [&["mdx.material-unused", "mdx.key-order"][..], &["mdx.material-unused,mdx.key-order"]] {
        let words = [&["fix", input, "-o", "again.mdx", "--only"], words].concat();
        fine(desk.run(&words));
        assert!(desk.read("again.mdx") == desk.read("less.mdx"));
    }
}

#[test]
fn a_folder_is_mended_file_by_file_and_a_second_time_changes_nothing() {
    let desk = desk();
    let done = fine(desk.run(&["fix", "models", "-o", "once"]));
    assert!(done.text().ends_with("4 written, 0 refused, 0 unreadable\n"), "{}", done.text());
    fine(desk.run(&["fix", "once", "-o", "twice"]));
    for name in ["key-order", "material-unused", "bounds", "no-stand"] {
        assert!(desk.read(&format!("once/{name}.mdx")) == desk.read(&format!("twice/{name}.mdx")), "{name}");
    }
    let dry = fine(desk.run(&["fix", "models", "--dry-run"]));
    assert!(dry.text().contains("2 to be written"), "{}", dry.text());
    fine(desk.run(&["fix", "models", "--in-place"]));
    assert!(desk.read("models/key-order.mdx") == desk.read("once/key-order.mdx"));
    assert!(desk.read("models/no-stand.mdx") == case("mdx", "no-stand"));
}

#[test]
fn an_archive_is_mended_with_its_members() {
    let desk = desk();
    let mut pack = desk.read("frog/zgda");
    pack[16] ^= 1;
    desk.put("bad.a00", pack);
    fine(desk.run(&["edit", "frog.lgp", "replace", "zgda", "bad.a00", "-o", "bad.lgp"]));
    let (code, told) = desk.json(&["fix", "bad.lgp", "--in-place", "--json"]);
    assert_eq!(code, 0, "{told:#}");
    assert_eq!(told["files"][0]["mended"][0]["path"], "bad.lgp/zgda");
    assert!(desk.read("bad.lgp") == desk.read("frog.lgp"));
}

#[test]
fn what_cannot_be_mended_is_said_and_nothing_is_written() {
    let desk = desk();
    let none = desk.run(&["fix", "models/no-stand.mdx", "--only", "mdx.no-stand", "-o", "out.mdx"]);
    assert_eq!(none.code, 2, "{}", none.stderr);
    assert!(none.stderr.contains("nothing mends `mdx.no-stand`"), "{}", none.stderr);
    let other = desk.run(&["fix", "Textures/Lantern.blp", "-o", "out.blp"]);
    assert_eq!(other.code, 1, "{}", other.stderr);
    assert!(other.stderr.contains("file.nothing-mends"), "{}", other.stderr);
    assert_eq!(desk.run(&["fix", "--only", "mdx.key-order", "-o", "out.mdx"]).code, 2);
    assert_eq!(desk.run(&["fix", "lantern.mdx"]).code, 2, "where to?");
    assert!(!desk.files().iter().any(|name| name.starts_with("out.")));
}
