//! Names: which are new, and which are merely spelled in another way.

/// Bytes of a name that programs keep.
const KEPT: usize = 63;

/// Bytes that may be missing beside those: half a character is left out whole.
const HALF: usize = 3;

/// Takes a name over, unless it is the old one in another spelling; gives back whether there is one at all.
pub(super) fn take(old: &mut String, new: &str) -> bool {
    let is_lost = !old.is_empty() && new.split('\0').next().is_none_or(str::is_empty);
    if !is_lost && !is_spelling(old, new) {
        new.clone_into(old);
    }
    !is_lost
}

/// Whether a name ends so, but for numbers that are put behind names that are taken.
pub(super) fn ends_in(name: &str, end: &str) -> bool {
    let stem = without_number(name);
    let word = stem.trim_end_matches(|it: char| it.is_ascii_digit());
    let unnumbered = word.strip_suffix('_').filter(|_| word.len() < stem.len());
    stem.ends_with(end) || unnumbered.is_some_and(|stem| stem.ends_with(end))
}

/// Whether a name is another, but cut, without signs that some programs leave out, or with a number behind it as programs put there
/// where a name is taken.
pub(super) fn is_spelling(old: &str, new: &str) -> bool {
    let stem = without_number(new);
    let is_cut = old.len() > KEPT && new.len() + HALF >= KEPT;
    new == old
        || new == plain(old)
        || stem == old
        || is_cut && (old.starts_with(new) || old.starts_with(stem))
}

/// A name without signs that programs have other uses for.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|it| !"[].:/".contains(*it));
    kept.map(|it| if it.is_whitespace() { '_' } else { it }).collect()
}

/// A name without `.001` or the like.
fn without_number(name: &str) -> &str {
    let is_number = |end: &str| end.len() >= 3 && end.bytes().all(|digit| digit.is_ascii_digit());
    name.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_cuts_are_no_other_names() {
        let long = "ж".repeat(40);
        for (old, new) in [
            ("arm", "arm"),
            ("arm", "arm.001"),
            ("arm.001", "arm.001"),
            ("left arm.2", "left_arm2"),
            (long.as_str(), &"ж".repeat(31)),
            (&long, &format!("{}.001", "ж".repeat(29))),
        ] {
            assert!(is_spelling(old, new), "{old} {new}");
        }
        let short = "ж".repeat(20);
        for (old, new) in [
            ("arm", "leg"),
            ("arm", "arm.01"),
            ("arm", "arm.left"),
            ("left_arm", "left arm"),
            ("arm", "ar"),
            ("arm", ""),
            (&long, short.as_str()),
        ] {
            assert!(!is_spelling(old, new), "{old} {new}");
        }
    }
}
