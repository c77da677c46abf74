//! What is known of the model that a pack moves.

use super::Role;
use crate::skeleton;

/// What is known of the model beside what its pack says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelHints {
    /// How many bones somebody counts: goes before everything else.
    pub bones: Option<usize>,
    /// The skeleton that somebody names.
    pub named: Option<skeleton::Document>,
    /// The skeleton that lies beside the pack.
    pub beside: Option<skeleton::Document>,
}

/// What is taken to be known of the model that a pack moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownSkeleton {
    /// Its bones.
    pub bones: usize,
    /// Entries of the body, empty ones included, if anybody says.
    pub body_animations: Option<usize>,
    /// Who says so.
    pub word: Word,
}

/// Who knows a skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// A file beside the pack, which may be of another version of the model.
    Beside,
    /// Whoever asked for the pack: nothing else is tried.
    Caller,
}

impl KnownSkeleton {
    /// As a file beside the pack has it.
    pub fn beside(bones: usize, body_animations: usize) -> Self {
        KnownSkeleton { bones, body_animations: Some(body_animations), word: Word::Beside }
    }

    /// As somebody says it.
    pub fn counted(bones: usize) -> Self {
        KnownSkeleton { bones, body_animations: None, word: Word::Caller }
    }

    /// The bones that somebody counts, or else the skeleton that somebody names, or else the one beside the pack.
    pub(super) fn from_model(model: &ModelHints) -> Option<Self> {
        let told = model
            .named
            .as_ref()
            .map(|told| KnownSkeleton { word: Word::Caller, ..KnownSkeleton::from(told) });
        let known = told.or_else(|| model.beside.as_ref().map(KnownSkeleton::from));
        match model.bones {
            Some(bones) => {
                let body_animations = known.and_then(|known| known.body_animations);
                Some(KnownSkeleton { body_animations, ..KnownSkeleton::counted(bones) })
            }
            None => known,
        }
    }

    /// Whether a frame of such a model has so many rotations: one for the root and one for each bone, of a model of one
    /// bone one or two, and of a weapon one.
    pub fn has(&self, role: Role, rotations: usize) -> bool {
        match role {
            Role::Weapon => rotations == 1,
            Role::Body => rotations == self.rotations() || (self.bones == 1 && rotations == 1),
        }
    }

    /// Rotations that a frame may have whose header says `own`, likeliest first.
    pub(super) fn candidates(&self, own: usize, role: Role) -> Vec<usize> {
        let body = self.rotations();
        let mut all = match role {
            Role::Weapon => vec![1],
            // Both are common, and the header says which.
            Role::Body if self.bones == 1 && own == 1 => vec![1, body],
            Role::Body if self.bones == 1 => vec![body, 1],
            Role::Body => vec![body],
        };
        match self.word {
            Word::Beside => all.extend([own, body, 1]),
            // The number of body entries may be wrong where that of the bones is right.
            Word::Caller if (own == 1) == (role == Role::Body) => all.extend([body, 1]),
            Word::Caller => {}
        }
        all
    }

    /// Rotations in a frame of the body.
    pub fn rotations(&self) -> usize {
        self.bones.saturating_add(1)
    }
}

impl From<&skeleton::Document> for KnownSkeleton {
    fn from(document: &skeleton::Document) -> Self {
        let body_animations = usize::try_from(document.body_animation_count).unwrap_or(usize::MAX);
        KnownSkeleton::beside(document.bones.len(), body_animations)
    }
}
