//! Whether every page that a comment or another page cites is there, and the anchor in it; a comment names one.
//!
//! An anchor is a line of its own, `<a id="name"></a>`; headings are no anchors, because they get reworded.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::root;

/// Folders that hold nothing of ours.
const SKIPPED: &[&str] = &["target", "node_modules", "corpus", "artifacts"];

/// What cites a page that a reader of the repository does not have: a section by number, a folder beside it.
const ABSENT: &[&str] = &["\u{a7}", "facts/", "seeds/", "contract"];

/// A source or a page, by its path from the top.
struct File {
    path: String,
    text: String,
}

/// A page or another file that a text leads to, by its path from the top, and the anchor in it.
struct Target {
    path: String,
    anchor: Option<String>,
}

pub(crate) fn run(_: &[String]) -> Result<()> {
    let mut files = Vec::new();
    collect(&root(), "", &mut files)?;
    let problems = problems(&files, |path| root().join(path).exists());
    ensure!(problems.is_empty(), "\n  {}", problems.join("\n  "));
    println!("{} sources and pages cite what is there", files.len());
    Ok(())
}

/// Everything that leads nowhere, is there twice, or should not be cited.
fn problems(files: &[File], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let anchors: BTreeSet<String> = files.iter().flat_map(anchors).collect();
    let mut problems = repeated(files);
    for file in files {
        for (number, line) in (1..).zip(file.text.lines()) {
            let mut tell = |what: String| problems.push(format!("{}:{number}: {what}", file.path));
            let Some(said) = file.said(line) else { continue };
            for word in ABSENT.iter().filter(|word| said.contains(**word)) {
                tell(format!("`{word}` cites a page that is not in the repository"));
            }
            if !file.is_page() {
                for page in
                    whole(said).into_iter().filter(|page| anchors.iter().any(|anchor| is_of(anchor, page)))
                {
                    tell(format!("{page} has anchors, and none is cited"));
                }
            }
            for Target { path, anchor } in file.targets(said) {
                if !exists(&path) {
                    tell(format!("{path} is not there"));
                } else if let Some(anchor) = anchor
                    && !anchors.contains(&format!("{path}#{anchor}"))
                {
                    tell(format!("{path} has no anchor {anchor}"));
                }
            }
        }
    }
    problems
}

impl File {
    fn is_page(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "md")
    }

    /// What a line says to people: of a source only its comment.
    fn said<'a>(&self, line: &'a str) -> Option<&'a str> {
        if self.is_page() { Some(line) } else { line.split_once("//").map(|(_, comment)| comment) }
    }

    fn targets(&self, said: &str) -> Vec<Target> {
        let links = if self.is_page() { linked(&self.path, said) } else { Vec::new() };
        cited(said).into_iter().chain(links).collect()
    }
}

/// The anchors of a page, each behind the page's path.
fn anchors(file: &File) -> Vec<String> {
    let pieces = file.text.split("<a id=\"").skip(1).filter(|_| file.is_page());
    let names = pieces.filter_map(|piece| piece.split_once("\"></a>"));
    names.map(|(name, _)| format!("{}#{name}", file.path)).collect()
}

fn repeated(files: &[File]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let all = files.iter().flat_map(anchors);
    all.filter(|anchor| !seen.insert(anchor.clone()))
        .map(|anchor| format!("{anchor} is there twice"))
        .collect()
}

/// Pages cited by their path from the top, `page.md#one, #two and #three` being three anchors of one page.
fn cited(said: &str) -> Vec<Target> {
    let mut found = Vec::new();
    for piece in said.split("docs/").skip(1) {
        let (path, mut rest) = leading(piece, |c| c.is_ascii_alphanumeric() || "/-_.".contains(c));
        let Some(stem) = path.trim_end_matches('.').strip_suffix(".md") else { continue };
        let path = format!("docs/{stem}.md");
        found.push(Target { path: path.clone(), anchor: None });
        while let Some(behind) = ["#", ", #", " and #"].iter().find_map(|sign| rest.strip_prefix(sign)) {
            let (name, more) = leading(behind, |c| c.is_ascii_alphanumeric() || c == '-');
            found.push(Target { path: path.clone(), anchor: Some(name.to_owned()) });
            rest = more;
        }
    }
    found
}

/// Pages that a comment cites as a whole.
fn whole(said: &str) -> Vec<String> {
    let (mut pages, mut last) = (Vec::new(), None);
    for Target { path, anchor } in cited(said) {
        // The page comes first, then each of its anchors.
        if anchor.is_some() {
            last = None;
        } else {
            pages.extend(last.replace(path));
        }
    }
    pages.extend(last);
    pages
}

/// Whether an anchor, behind its page's path, is one of this page.
fn is_of(anchor: &str, page: &str) -> bool {
    anchor.strip_prefix(page).is_some_and(|name| name.starts_with('#'))
}

/// What links of a page lead to inside the repository.
fn linked(page: &str, said: &str) -> Vec<Target> {
    let links = said.split("](").skip(1).filter_map(|piece| piece.split_once(')')).map(|(link, _)| link);
    let inside = links.filter(|link| !link.contains("://"));
    inside
        .map(|link| {
            let (path, anchor) =
                link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
            let path = if path.is_empty() { page.to_owned() } else { beside(page, path) };
            Target { path, anchor: anchor.map(str::to_owned) }
        })
        .collect()
}

/// A path that a page gives, from the top.
fn beside(page: &str, path: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => _ = parts.pop(),
            "" | "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The characters that a text begins with, as long as they are of a kind, and what follows.
fn leading(text: &str, is_part: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()))
}

fn collect(folder: &Path, path: &str, files: &mut Vec<File>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        let is_ours = !name.starts_with('.') && !SKIPPED.contains(&name.as_str());
        if entry.file_type()?.is_dir() && is_ours {
            collect(&entry.path(), &path, files)?;
        } else if entry.path().extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            files.push(File { path, text: std::fs::read_to_string(entry.path())? });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{File, problems};

    /// What is wrong with a source of one comment beside a page with the anchor `here`.
    fn problems_of(comment: &str) -> Vec<String> {
        let page = File { path: "docs/page.md".to_owned(), text: "<a id=\"here\"></a>\n# Page\n".to_owned() };
        let source = File { path: "lib.rs".to_owned(), text: format!("let x = 1; // {comment}") };
        problems(&[page, source], |path| path == "docs/page.md")
    }

    #[test]
    fn what_is_there_may_be_cited() {
        assert_eq!(problems_of("see docs/page.md#here, and docs/page.md#here."), [""; 0]);
    }

    #[test]
    fn a_comment_says_where_in_a_page() {
        let told = "lib.rs:1: docs/page.md has anchors, and none is cited";
        assert_eq!(problems_of("see docs/page.md, and docs/page.md#here."), [told]);
        let bare = File { path: "docs/page.md".to_owned(), text: "# Page\n".to_owned() };
        let source = File { path: "lib.rs".to_owned(), text: format!("// see {}/page.md", "docs") };
        assert_eq!(problems(&[bare, source], |_| true), [""; 0]);
    }

    #[test]
    fn a_page_or_an_anchor_that_is_not_there_is_told() {
        assert_eq!(problems_of("see docs/other.md"), ["lib.rs:1: docs/other.md is not there"]);
        assert_eq!(problems_of("docs/page.md#here, #there"), ["lib.rs:1: docs/page.md has no anchor there"]);
    }

    #[test]
    fn a_section_by_its_number_is_told() {
        assert_eq!(problems_of("\u{a7}3").len(), 1);
        assert_eq!(problems_of(&format!("{}/msh.md", "facts")).len(), 1);
        assert_eq!(problems_of(&format!("as the {} has it", "contract")).len(), 1);
    }

    #[test]
    fn links_between_pages_lead_somewhere() {
        let page = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let pages = [
            page(
                "docs/a.md",
                "[b](notes/b.md#x) [top](../README.md) [self](#y) [web](https://example.org/#z)",
            ),
            page("docs/notes/b.md", "<a id=\"x\"></a>"),
        ];
        let exists = |path: &str| pages.iter().any(|page| page.path == path) || path == "README.md";
        assert_eq!(problems(&pages, exists), ["docs/a.md:1: docs/a.md has no anchor y"]);
    }

    #[test]
    fn an_anchor_stands_once() {
        let page = File { path: "docs/a.md".to_owned(), text: "<a id=\"x\"></a><a id=\"x\"></a>".to_owned() };
        assert_eq!(problems(&[page], |_| true), ["docs/a.md#x is there twice"]);
    }

    #[test]
    fn this_repository_cites_what_is_there() {
        super::run(&[]).unwrap();
    }
}
