//! Globs, also over names that are not UTF-8.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use walkdir::WalkDir;

/// What a glob names: files and folders, by path. Pipes and devices are passed over.
pub(super) fn matching(word: &str) -> Vec<PathBuf> {
    let parts: Vec<&str> = word.split('/').collect();
    let plain = parts.iter().take_while(|part| !part.contains(['*', '?', '['])).count();
    let (base, rest) = parts.split_at(plain);
    let (base, rest) = (base.join("/"), rest.join("/"));
    let root = match (base.is_empty(), word.starts_with('/')) {
        (true, true) => "/",
        (true, false) => ".",
        (false, _) => base.as_str(),
    };
    let Ok(pattern) = Pattern::new(&rest) else { return Vec::new() };
    let depth = if rest.contains("**") { usize::MAX } else { parts.len().saturating_sub(plain) };
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let found = WalkDir::new(root).min_depth(1).max_depth(depth).sort_by_file_name().into_iter().flatten();
    let relative = |path: &Path| path.strip_prefix(root).map(Path::to_path_buf).unwrap_or_default();
    found
        .map(walkdir::DirEntry::into_path)
        .filter(|path| pattern.matches_with(&slashed(&relative(path)), options))
        .filter(|path| path.is_file() || path.is_dir())
        .map(|path| if root == "." { relative(&path) } else { path })
        .collect()
}

/// A path with `/` between its parts, and what is no text replaced.
fn slashed(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
