//! Which picture came back as which.

use super::name;

/// A picture: what it is called, and what tells its pixels from others; nothing where nobody can see them.
pub type PictureSeal<'a> = (&'a str, Option<&'a str>);

/// Pictures that went out with those that came back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PicturePairs {
    /// For each that went out the one that came back.
    pub came: Vec<Option<usize>>,
    /// For each that came back the one that went out, or one with the same pixels.
    pub went: Vec<Option<usize>>,
}

impl PicturePairs {
    /// By their names, else by their pixels, else by their names in another spelling; what is left on both sides goes by its place,
    /// where there are as many as there were. None is taken twice.
    pub fn new(went: &[PictureSeal<'_>], came: &[PictureSeal<'_>]) -> Self {
        let mut pairs = PicturePairs { came: vec![None; went.len()], went: vec![None; came.len()] };
        let is_as_many = went.len() == came.len();
        let has_same_pixels = |old: PictureSeal<'_>, new: PictureSeal<'_>| old.1.is_some() && old.1 == new.1;
        pairs.by(|old, new| went[old].0 == came[new].0);
        pairs.by(|old, new| has_same_pixels(went[old], came[new]));
        pairs.by(|old, new| !came[new].0.is_empty() && name::is_spelling(went[old].0, came[new].0));
        pairs.by(|old, new| is_as_many && old == new);
        // Programs may write one twice.
        for (new, pair) in pairs.went.iter_mut().enumerate().filter(|(_, pair)| pair.is_none()) {
            *pair = went.iter().position(|old| has_same_pixels(*old, came[new]));
        }
        pairs
    }

    /// Pairs what is left on both sides by a rule.
    fn by(&mut self, is_same: impl Fn(usize, usize) -> bool) {
        for old in 0..self.came.len() {
            if self.came[old].is_none() {
                let new = (0..self.went.len()).find(|new| self.went[*new].is_none() && is_same(old, *new));
                self.came[old] = new;
                if let Some(new) = new {
                    self.went[new] = Some(old);
                }
            }
        }
    }

    /// Whether a picture that came back is one that went out.
    pub fn is_same(&self, old: usize, new: usize) -> bool {
        self.came.get(old) == Some(&Some(new)) || self.went.get(new) == Some(&Some(old))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: PictureSeal<'_> = ("a", Some("1"));
    const B: PictureSeal<'_> = ("b", Some("2"));
    const NEW: PictureSeal<'_> = ("new", Some("3"));

    fn came(went: &[PictureSeal<'_>], came: &[PictureSeal<'_>]) -> Vec<Option<usize>> {
        PicturePairs::new(went, came).came
    }

    #[test]
    fn none_is_taken_twice() {
        assert_eq!(came(&[A, B], &[B, NEW]), [None, Some(0)]);
        assert_eq!(came(&[A, B], &[B, A]), [Some(1), Some(0)]);
        assert_eq!(came(&[A, B], &[B]), [None, Some(0)]);
    }

    #[test]
    fn names_are_before_pixels_and_pixels_before_places() {
        assert_eq!(came(&[A, B], &[("b", Some("1")), ("a", Some("2"))]), [Some(1), Some(0)]);
        assert_eq!(came(&[A, B], &[("", Some("2")), ("", Some("1"))]), [Some(1), Some(0)]);
        assert_eq!(came(&[A, B], &[NEW, B]), [Some(0), Some(1)]);
        assert_eq!(came(&[A, B], &[("b.001", Some("3")), ("", None)]), [None, Some(0)]);
        assert_eq!(came(&[A, B], &[("", None), ("", None)]), [Some(0), Some(1)]);
    }

    #[test]
    fn what_was_written_twice_is_one() {
        let pairs = PicturePairs::new(&[A, B], &[A, B, ("b.001", Some("2")), NEW]);
        assert_eq!(pairs.went, [Some(0), Some(1), Some(1), None]);
        assert!(pairs.is_same(1, 1) && pairs.is_same(1, 2) && !pairs.is_same(0, 2));
    }
}
