//! What a skeleton's text says.

use std::collections::BTreeMap;

use galvani_core::text::piece::{MOST, Piece, lines};

use super::{BONE_LINES, MAGIC, ROOT};
use crate::skeleton::Parent;

/// What a skeleton's text says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HrcText<'a> {
    /// The number behind `:HEADER_BLOCK`, which must come first.
    pub version: Option<Piece<'a>>,
    /// The name behind `:SKELETON`.
    pub name: Option<Piece<'a>>,
    /// The number behind `:BONES`.
    pub count: Option<Piece<'a>>,
    /// The bones in order.
    pub bones: Vec<Bone<'a>>,
    /// Lines of bones that are not whole.
    pub fragments: Vec<Fragment<'a>>,
    /// Lines with a colon that are none of the three, or there again.
    pub strange: Vec<Piece<'a>>,
}

/// One bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bone<'a> {
    /// Its name.
    pub name: Piece<'a>,
    /// The name of its parent.
    pub parent: Piece<'a>,
    /// How far away its children are.
    pub length: Piece<'a>,
    /// How many resources it shows.
    pub part_count: Piece<'a>,
    /// Their names.
    pub parts: Piece<'a>,
}

/// Lines that are no whole bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// The first of them.
    pub first: Piece<'a>,
    /// How many.
    pub lines: usize,
    /// How many bones stand before.
    pub bones: usize,
}

impl<'a> HrcText<'a> {
    /// Looks at a text.
    pub fn parse(text: &'a [u8]) -> Self {
        let mut seen = Seen::default();
        for line in lines(text).map(Piece::trimmed) {
            seen.take(line);
        }
        seen.end_bone();
        seen.skeleton
    }

    /// What each bone hangs on: of several bones of one name, the first.
    pub fn parents(&self) -> Vec<Parent> {
        let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
        for (i, bone) in self.bones.iter().enumerate() {
            names.entry(bone.name.bytes).or_insert(i);
        }
        let parent = |bone: &Bone<'_>| match names.get(bone.parent.bytes) {
            _ if bone.parent.bytes.eq_ignore_ascii_case(ROOT) => Parent::Root,
            Some(&parent) => Parent::Bone(parent),
            None => Parent::Nowhere,
        };
        self.bones.iter().map(parent).collect()
    }

    /// The first bone of a name, letters of either case; one in the right case comes before all others.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let by = |is: fn(&[u8], &[u8]) -> bool| self.bones.iter().position(|bone| is(bone.name.bytes, name));
        by(|bone, name| bone == name).or_else(|| by(<[u8]>::eq_ignore_ascii_case))
    }
}

impl Bone<'_> {
    /// Its length, if that is a number.
    pub fn length(&self) -> Option<f32> {
        self.length.number().filter(|length: &f32| length.is_finite())
    }
}

/// What was seen so far, and the lines of a bone that is not whole yet.
#[derive(Default)]
struct Seen<'a> {
    skeleton: HrcText<'a>,
    lines: Vec<Piece<'a>>,
    started: bool,
}

impl<'a> Seen<'a> {
    fn take(&mut self, line: Piece<'a>) {
        match line.bytes.first() {
            // A blank line ends a bone, whole or not.
            None => self.end_bone(),
            Some(b'#') => {}
            Some(b':') => {
                self.end_bone();
                self.directive(line);
                self.started = true;
            }
            Some(_) => {
                self.lines.push(line);
                self.started = true;
                if self.lines.len() == BONE_LINES && self.skeleton.bones.len() < MOST {
                    self.end_bone();
                }
            }
        }
    }

    fn directive(&mut self, line: Piece<'a>) {
        let (word, value) = line.first_word();
        let is = |wanted: &[u8]| word.bytes.eq_ignore_ascii_case(wanted);
        let skeleton = &mut self.skeleton;
        let slot = if is(MAGIC) && !self.started {
            &mut skeleton.version
        } else if is(b":SKELETON") {
            &mut skeleton.name
        } else if is(b":BONES") {
            &mut skeleton.count
        } else {
            skeleton.strange.push(line);
            return;
        };
        if slot.is_some() {
            skeleton.strange.push(line);
        } else {
            *slot = Some(value);
        }
    }

    /// Makes a bone of the lines that were waiting, or a fragment.
    fn end_bone(&mut self) {
        let skeleton = &mut self.skeleton;
        match self.lines.as_slice() {
            [] => return,
            &[name, parent, length, last] if skeleton.bones.len() < MOST => {
                let (part_count, parts) = last.first_word();
                skeleton.bones.push(Bone { name, parent, length, part_count, parts });
            }
            &[first, ..] => {
                let (lines, bones) = (self.lines.len(), skeleton.bones.len());
                skeleton.fragments.push(Fragment { first, lines, bones });
            }
        }
        self.lines.clear();
    }
}
