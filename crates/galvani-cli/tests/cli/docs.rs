//! Every command that README, the documentation and the help show, run as it stands against stand-ins of the files it
//! names.

use std::path::{Path, PathBuf};

use crate::common::{Desk, GALVANI};

/// The two letters of the frog's model in the shipped samples, and of the model that commands name.
const FROG: &str = "zg";
const MODEL: &str = "rt";

/// A desk with everything that the commands name, made from the shipped samples by the command itself.
fn desk() -> Desk {
    let desk = Desk::new();
    for sample in galvani::samples::all() {
        desk.put(&format!("samples/{}", sample.name), &sample.bytes);
        let copy = match sample.name.as_str() {
            "walker.msh" => &["walker.msh", "new.msh", "Parkan - Iron Strategy/walker.msh"][..],
            "lantern.mdx" => &["lantern.mdx", "models/lantern.mdx", "Units/Footman.mdx"],
            "lantern-wow.mdx" => &["boar.mdx"],
            "lantern-text.mdl" => &["lantern.mdl"],
            "windmill.glb" => &["mine.glb"],
            "depot.rlb" => &["old.rlb"],
            "boat.hrc" => &["boat.hrc"],
            "frog/zgac" => &["skin.tex"],
            "Textures/Lantern.blp" => &["old.blp"],
            "frog/zgda" => &["packs/rtda", "packs/summon.a00"],
            _ => &[],
        };
        for name in copy {
            desk.put(name, &sample.bytes);
        }
        if let Some(file) = sample.name.strip_prefix(&format!("frog/{FROG}")) {
            desk.put(&format!("{MODEL}{file}"), &sample.bytes);
        }
    }
    let made = |words: &[&str]| {
        let done = desk.run(words);
        assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
    };
    made(&["edit", "walker.msh", "delete-key", "turret", "12", "-o", "tank.msh"]);
    made(&["edit", "boat.hrc", "rename", "#1", "hip", "-o", "aaaa.hrc"]);
    made(&["edit", "old.rlb", "rename", "readme.txt", "ABOUT.TXT", "-o", "new.rlb"]);
    made(&["convert", "walker.msh", "-o", "changed.glb"]);
    made(&["convert", "skin.tex", "-o", "skin.png"]);
    made(&["convert", "skin.tex", "--to", "png", "-o", "pictures/"]);
    units(&made);
    desk.put("changes.json", recipe());
    let members: Vec<String> = desk.files();
    let members = members.iter().filter_map(|name| name.strip_prefix(&format!("samples/frog/{FROG}")));
    let renames: Vec<String> = members
        .flat_map(|file| ["rename".to_owned(), format!("{FROG}{file}"), format!("{MODEL}{file}")])
        .collect();
    let words = ["edit", "samples/frog.lgp"].into_iter().chain(renames.iter().map(String::as_str));
    made(&words.chain(["-o", "battle.lgp"]).collect::<Vec<_>>());
    desk
}

/// The recipe that the command's page shows.
fn recipe() -> String {
    let page = std::fs::read_to_string(root().join("docs/cli.md")).unwrap();
    let recipe = page.lines().find(|line| line.starts_with(r#"[{"op""#)).unwrap();
    recipe.to_owned()
}

/// An archive of eight entries, a model among them.
fn units(made: &impl Fn(&[&str])) {
    let mut words = vec!["edit", "samples/depot.rlb", "add", "TANK.MSH", "MESH", "tank.msh"];
    for name in ["HOVER.MSH", "SPIDER.MSH", "TOWER.MSH"] {
        words.extend(["add", name, "MESH", "tank.msh"]);
    }
    words.extend(["-o", "units.rlb"]);
    made(&words);
}

/// The commands of a text: lines of fenced blocks, and code in a sentence that names a file.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for (i, part) in text.split("```").enumerate() {
        if i % 2 == 1 {
            commands.extend(part.lines().filter_map(|line| command(line.trim())));
        } else {
            // Code in a sentence may go on in the next line.
            let sentence = part.replace('\n', " ");
            let spans = sentence.split('`').skip(1).step_by(2).filter(|span| !span.contains(['…', '[']));
            commands.extend(spans.filter_map(command));
        }
    }
    commands
}

/// The words of a command without what is said about it, two blanks behind it.
fn command(line: &str) -> Option<String> {
    let words = line.strip_prefix("galvani ").or_else(|| line.strip_prefix("cargo run --release -- "))?;
    let words = words.split("  ").next()?.trim();
    // A verb alone is talked about, and words in capitals stand for others.
    let is_example = words.contains(' ') && !words.split(' ').any(|word| word == "VERB" || word == "SHELL");
    // That one goes on until it is stopped; its own tests run it.
    let ends = !words.starts_with("view ");
    (is_example && ends).then(|| words.to_owned())
}

fn run_all(source: &str, commands: &[String]) {
    let desk = desk();
    for command in commands {
        let done = desk.bash(&format!("\"$galvani\" {command}"));
        assert_eq!(done.code, 0, "{source}: galvani {command}\n{}{}", done.text(), done.stderr);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page of the documentation, by name.
fn pages() -> Vec<(String, String)> {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/formats", "docs/notes"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        pages.extend(
            entries
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|it| it == "md")),
        );
    }
    pages.sort();
    let page = |path: PathBuf| (path.display().to_string(), std::fs::read_to_string(&path).unwrap());
    pages.into_iter().map(page).collect()
}

#[test]
fn every_command_of_the_documentation_runs() {
    let mut count = 0;
    for (name, text) in pages() {
        let commands = commands(&text);
        count += commands.len();
        if !commands.is_empty() {
            run_all(&name, &commands);
        }
    }
    assert!(count >= 30, "only {count} commands found");
}

#[test]
fn every_example_of_the_help_runs() {
    let help = String::from_utf8(std::process::Command::new(GALVANI).arg("--help").output().unwrap().stdout)
        .unwrap();
    let examples: Vec<String> = help.lines().filter_map(|line| command(line.trim())).collect();
    assert!(examples.len() >= 5, "{examples:?}");
    // Each stands for itself, unlike the lines of a page.
    for example in examples {
        run_all("--help", &[example]);
    }
}
