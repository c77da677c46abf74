//! What each entry of a pack holds: found by decoding it, since the headers of real files may lie.

use std::collections::BTreeMap;
use std::ops::Range;

use galvani_core::Reading;
use zerocopy::FromBytes;

use super::bones::KnownSkeleton;
use super::codec::{End, Frames, Stop, Stream, first_frame_bits};
use super::{ANIMATION_LEN, AngleKey, Document, Entry, MINI_LEN, wire};

/// What every entry of a pack holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// One per entry.
    pub entries: Vec<Surveyed>,
    /// Who says how many rotations a frame has.
    pub bones: Bones,
}

/// Who says how many rotations a frame has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bones {
    /// A skeleton, or somebody who knows it.
    Known(KnownSkeleton),
    /// The pack itself, and every entry fits its word.
    Own,
    /// Nobody: the pack's own word does not fit all of its entries.
    Nobody,
}

/// What an entry holds, and what it moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// Body or weapon.
    pub role: Role,
    /// What is in it.
    pub content: EntryContent,
}

/// What an entry moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The model.
    Body,
    /// What the model carries.
    Weapon,
}

/// What is in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryContent {
    /// Nothing: a slot that is not used.
    Empty,
    /// An animation that its headers describe rightly.
    Animation(Clip),
    /// Something else. Its bytes are kept.
    Damaged {
        /// What is wrong with it.
        why: Damage,
        /// The whole frames that can be had of it.
        clip: Option<Clip>,
    },
}

/// Why an entry is no sound animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Too long for an empty slot, too short for a frame.
    Short,
    /// A precision that does not exist.
    Key(u8),
    /// Not even the first frame fits.
    FirstFrame,
    /// The stream ends inside a frame.
    Cut,
    /// The stream has another number of frames than `sFrames` says.
    FrameCount,
    /// `sFrames` is missing and everything behind it two bytes early (docs/formats/ff7-pack.md#frog).
    NoFrameCount,
}

/// An animation in a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    /// What stands before the stream.
    pub header: Header,
    /// Bytes of the stream as the header counts them.
    pub s_size: u16,
    /// Its precision.
    pub key: AngleKey,
    /// Rotations in a frame.
    pub rotations: usize,
    /// What the game's own rule makes of it.
    pub engine: End,
}

/// What stands before a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// All of it.
    Whole {
        /// Frames it says there are.
        s_frames: u16,
    },
    /// No `sFrames`.
    Short,
}

impl Header {
    /// Bytes before the stream.
    pub fn byte_len(self) -> usize {
        match self {
            Header::Whole { .. } => MINI_LEN,
            Header::Short => size_of::<wire::ShortHeader>(),
        }
    }

    /// Frames it says there are.
    pub fn s_frames(self) -> Option<u16> {
        match self {
            Header::Whole { s_frames } => Some(s_frames),
            Header::Short => None,
        }
    }
}

impl Clip {
    /// The stream in the payload of its entry.
    pub fn stream<'a>(&self, entry: &'a Entry) -> Stream<'a> {
        let bytes = entry.payload.get(self.header.byte_len()..).unwrap_or_default();
        Stream { bytes, size: self.s_size, key: self.key, rotations: self.rotations }
    }

    /// The frames, by one rule or the other.
    pub fn frames(&self, entry: &Entry, stop: Stop) -> Frames {
        let mut frames = Frames::default();
        self.stream(entry).decode(stop, &mut frames);
        frames
    }

    /// Where in the payload the stream lies, as far as it is there.
    pub fn range(&self, entry: &Entry) -> Range<usize> {
        let start = self.header.byte_len().min(entry.payload.len());
        start..start.saturating_add(usize::from(self.s_size)).min(entry.payload.len())
    }

    /// Bytes behind the stream.
    pub fn trailing<'a>(&self, entry: &'a Entry) -> &'a [u8] {
        entry.payload.get(self.range(entry).end..).unwrap_or_default()
    }

    /// Bits of the stream that belong to no frame, up to 7 in a sound one.
    pub fn slack_bits(&self, entry: &Entry) -> usize {
        self.range(entry).len().saturating_mul(8).saturating_sub(self.engine.bit)
    }

    /// What those bits are in the stream's last byte.
    pub fn slack(&self, entry: &Entry) -> u8 {
        let last = entry.payload.get(self.range(entry)).and_then(<[u8]>::last).copied().unwrap_or(0);
        match u32::try_from(self.slack_bits(entry)) {
            Ok(bits @ 0..8) => last & (1_u8 << bits).wrapping_sub(1),
            _ => 0,
        }
    }

    /// Whether the stream ends where its header says, with as many frames as that says.
    fn lands(&self) -> bool {
        let counted = self.header.s_frames().is_none_or(|frames| usize::from(frames) == self.engine.frames);
        counted && self.fills()
    }

    /// Whether whole frames fill the stream, and its header says that there are more. As documented that is no damage.
    pub fn says_more(&self) -> bool {
        self.fills() && self.header.s_frames().is_some_and(|said| usize::from(said) > self.engine.frames)
    }

    /// Whether whole frames fill the stream.
    fn fills(&self) -> bool {
        !self.engine.is_cut && self.engine.bit.div_ceil(8) == usize::from(self.s_size)
    }
}

impl Surveyed {
    /// The animation, sound or not.
    pub fn clip(&self) -> Option<&Clip> {
        match &self.content {
            EntryContent::Empty => None,
            EntryContent::Animation(clip) => Some(clip),
            EntryContent::Damaged { clip, .. } => clip.as_ref(),
        }
    }

    /// Whether the rotations of its frames are a guess: nobody says how many there are, or what they fit is not what
    /// the skeleton has.
    pub fn is_guess(&self, bones: Bones) -> bool {
        self.clip().is_some_and(|clip| match bones {
            Bones::Known(skeleton) => !skeleton.has(self.role, clip.rotations),
            Bones::Own => false,
            Bones::Nobody => true,
        })
    }

    /// One word for it.
    pub fn kind(&self) -> &'static str {
        match (&self.content, self.role) {
            (EntryContent::Empty, _) => "empty",
            (EntryContent::Damaged { .. }, _) => "damaged",
            (EntryContent::Animation(_), Role::Body) => "body",
            (EntryContent::Animation(_), Role::Weapon) => "weapon",
        }
    }
}

impl Survey {
    /// The first entry that moves a weapon; the number of entries if none does.
    pub fn border(&self) -> usize {
        self.entries.iter().position(|entry| entry.role == Role::Weapon).unwrap_or(self.entries.len())
    }

    /// Whether the rotations of an entry's frames are a guess.
    pub fn is_guess(&self, entry: usize) -> bool {
        self.entries.get(entry).is_some_and(|surveyed| surveyed.is_guess(self.bones))
    }

    /// How many animations are sound.
    pub fn landing(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry.content, EntryContent::Animation(_))).count()
    }
}

/// Looks into every entry.
///
/// How many rotations a frame has is tried out: what is known of the skeleton, the header's number, and 1. Of those
/// the one counts with which most streams of the same header end where they should, the first if in doubt
/// (docs/formats/ff7-pack.md#understood).
pub fn survey(document: &Document, skeleton: Option<&KnownSkeleton>) -> Survey {
    let mut surveyor = Surveyor::new(document, skeleton);
    let entries: Vec<Surveyed> =
        (0..document.entries.len()).filter_map(|i| surveyor.voted_entry(i)).collect();
    let bones = match skeleton {
        Some(skeleton) => Bones::Known(*skeleton),
        None if document.entries.iter().zip(&entries).all(|(entry, surveyed)| fits(entry, surveyed)) => {
            Bones::Own
        }
        None => Bones::Nobody,
    };
    Survey { entries, bones }
}

/// Looks into entries one by one and decodes no others than it must.
pub(super) struct Surveyor<'d> {
    document: &'d Document,
    skeleton: Option<KnownSkeleton>,
    /// The first entry that moves a weapon.
    pub(super) border: usize,
    /// Entries of one role and one number in the header.
    groups: BTreeMap<(Role, u32), Vec<&'d Entry>>,
    /// What the groups voted that were asked.
    votes: BTreeMap<(Role, u32), Option<usize>>,
    rows: Frames,
}

impl<'d> Surveyor<'d> {
    pub(super) fn new(document: &'d Document, skeleton: Option<&KnownSkeleton>) -> Self {
        let border = border(document, skeleton);
        let mut groups: BTreeMap<(Role, u32), Vec<&Entry>> = BTreeMap::new();
        for (i, entry) in
            document.entries.iter().enumerate().filter(|(_, entry)| whole_header(entry).is_some())
        {
            groups.entry((role(i, border), entry.dw_bones)).or_default().push(entry);
        }
        let (votes, rows) = (BTreeMap::new(), Frames::default());
        Surveyor { document, skeleton: skeleton.copied(), border, groups, votes, rows }
    }

    /// What an entry holds, as [`survey`] has it. The others of its group are asked only if it ends where it should with
    /// several numbers of rotations, or with none.
    pub(super) fn entry(&mut self, index: usize) -> Option<Surveyed> {
        let entry = self.document.entries.get(index)?;
        let role = role(index, self.border);
        let candidates = candidates(entry.dw_bones, role, self.skeleton.as_ref());
        if whole_header(entry).is_none() || candidates.len() == 1 {
            let content = content(entry, candidates, self.document.frames, &mut self.rows);
            return Some(Surveyed { role, content });
        }
        let mut landing =
            candidates.into_iter().filter_map(|rotations| lands(entry, rotations, &mut self.rows));
        match (landing.next(), landing.next()) {
            (Some(clip), None) => Some(Surveyed { role, content: EntryContent::Animation(clip) }),
            _ => self.voted_entry(index),
        }
    }

    /// The same if it moves what is asked for.
    pub(super) fn entry_of(&mut self, wanted: Role, index: usize) -> Option<Surveyed> {
        if role(index, self.border) == wanted { self.entry(index) } else { None }
    }

    /// The same after the entry's group has voted.
    fn voted_entry(&mut self, index: usize) -> Option<Surveyed> {
        let entry = self.document.entries.get(index)?;
        let role = role(index, self.border);
        let voted = self.vote((role, entry.dw_bones)).into_iter();
        let candidates = voted.chain(candidates(entry.dw_bones, role, self.skeleton.as_ref())).collect();
        Some(Surveyed { role, content: content(entry, candidates, self.document.frames, &mut self.rows) })
    }

    /// The rotations with which most streams of a group end where they should.
    fn vote(&mut self, group: (Role, u32)) -> Option<usize> {
        if let Some(vote) = self.votes.get(&group) {
            return *vote;
        }
        let (role, dw_bones) = group;
        let entries = self.groups.get(&group)?;
        let mut best = None;
        for rotations in candidates(dw_bones, role, self.skeleton.as_ref()) {
            let landing =
                entries.iter().filter(|entry| lands(entry, rotations, &mut self.rows).is_some()).count();
            if best.is_none_or(|(most, _)| landing > most) {
                best = Some((landing, rotations));
            }
            if landing == entries.len() {
                break;
            }
        }
        let vote = best.map(|(_, rotations)| rotations);
        self.votes.insert(group, vote);
        vote
    }
}

/// What an entry moves, by the first that moves a weapon.
fn role(index: usize, border: usize) -> Role {
    if index < border { Role::Body } else { Role::Weapon }
}

/// Whether an entry is empty, or ends where it should with the rotations that its header says.
fn fits(entry: &Entry, surveyed: &Surveyed) -> bool {
    match &surveyed.content {
        EntryContent::Empty => true,
        EntryContent::Animation(clip)
        | EntryContent::Damaged { why: Damage::NoFrameCount, clip: Some(clip) } => {
            usize::try_from(entry.dw_bones) == Ok(clip.rotations)
        }
        EntryContent::Damaged { .. } => false,
    }
}

/// Rotations that a frame may have, likeliest first.
fn candidates(dw_bones: u32, role: Role, skeleton: Option<&KnownSkeleton>) -> Vec<usize> {
    let own = usize::try_from(dw_bones).unwrap_or(usize::MAX);
    let all = match skeleton {
        None => vec![own, 1],
        Some(skeleton) => skeleton.candidates(own, role),
    };
    let mut once = Vec::with_capacity(all.len());
    for rotations in all {
        if !once.contains(&rotations) {
            once.push(rotations);
        }
    }
    once
}

/// The first entry that moves a weapon: as the skeleton says, or where the rotations drop to one.
fn border(document: &Document, skeleton: Option<&KnownSkeleton>) -> usize {
    let all = document.entries.len();
    if let Some(body) = skeleton.and_then(|skeleton| skeleton.body_animations) {
        return body.min(all);
    }
    // A model of one bone has one rotation everywhere: nothing tells its weapon apart.
    match document.entries.first() {
        Some(first) if first.dw_bones != 1 => {
            document.entries.iter().position(|entry| entry.dw_bones == 1).unwrap_or(all)
        }
        _ => all,
    }
}

fn content(entry: &Entry, candidates: Vec<usize>, frames: Reading, rows: &mut Frames) -> EntryContent {
    if entry.is_empty() {
        return EntryContent::Empty;
    }
    if entry.payload.len() < ANIMATION_LEN {
        return EntryContent::Damaged { why: Damage::Short, clip: None };
    }
    let (mut first, mut says_more) = (None, None);
    for &rotations in &candidates {
        match whole(entry, rotations, rows) {
            Some(clip) if clip.lands() => return EntryContent::Animation(clip),
            Some(clip) if frames == Reading::Documented && clip.says_more() => {
                says_more = says_more.or(Some(clip));
            }
            clip => first = first.or(clip),
        }
    }
    if let Some(clip) = says_more {
        return EntryContent::Animation(clip);
    }
    let short = candidates.into_iter().find_map(|rotations| without_count(entry, rotations, rows));
    if let Some(clip) = short {
        return EntryContent::Damaged { why: Damage::NoFrameCount, clip: Some(clip) };
    }
    let why = match (&first, entry.payload.get(4)) {
        (None, Some(&byte)) if AngleKey::from_byte(byte).is_none() => Damage::Key(byte),
        (None, _) => Damage::FirstFrame,
        (Some(clip), _) if clip.fills() => Damage::FrameCount,
        (Some(_), _) => Damage::Cut,
    };
    EntryContent::Damaged { why, clip: first }
}

fn whole_header(entry: &Entry) -> Option<&wire::MiniHeader> {
    let (header, _) = wire::MiniHeader::ref_from_prefix(&entry.payload).ok()?;
    (!entry.is_empty() && entry.payload.len() >= ANIMATION_LEN).then_some(header)
}

/// The animation behind a whole header, if at least its first frame is there.
fn whole(entry: &Entry, rotations: usize, rows: &mut Frames) -> Option<Clip> {
    let header = whole_header(entry)?;
    let s_frames = header.s_frames.get();
    clip(entry, Header::Whole { s_frames }, (header.s_size.get(), header.b_key), rotations, rows)
}

/// The same if the stream ends where it should.
fn lands(entry: &Entry, rotations: usize, rows: &mut Frames) -> Option<Clip> {
    whole(entry, rotations, rows).filter(Clip::lands)
}

/// The animation behind a header without `sFrames`, if it ends where it should.
fn without_count(entry: &Entry, rotations: usize, rows: &mut Frames) -> Option<Clip> {
    let (header, _) = wire::ShortHeader::ref_from_prefix(&entry.payload).ok()?;
    let clip = clip(entry, Header::Short, (header.s_size.get(), header.b_key), rotations, rows)?;
    clip.lands().then_some(clip)
}

fn clip(
    entry: &Entry,
    header: Header,
    (s_size, b_key): (u16, u8),
    rotations: usize,
    rows: &mut Frames,
) -> Option<Clip> {
    let key = AngleKey::from_byte(b_key)?;
    let room = usize::from(s_size).saturating_mul(8);
    if rotations == 0 || first_frame_bits(rotations, key) > room {
        return None;
    }
    let mut clip = Clip { header, s_size, key, rotations, engine: End::default() };
    clip.engine = clip.stream(entry).decode(Stop::Engine, rows);
    (clip.engine.frames > 0).then_some(clip)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot run may stop")]

    use super::*;
    use crate::pack::codec::DECODED;
    use crate::pack::edit;

    /// Twenty animations of 4 rotations, 5 of them a weapon's, and an empty slot.
    fn pack() -> Document {
        let mut document = Document::default();
        for i in 0..20_i16 {
            let rotations = if i < 15 { 4 } else { 1 };
            let mut frames = Frames::new(rotations);
            for frame in 0..9 {
                frames.push([frame, i, 0], &vec![[frame * 7, i * 3, 100]; rotations]);
            }
            document.entries.push(edit::new_entry(&frames, AngleKey::Zero).unwrap());
        }
        document.entries.push(Entry::new(1, 1, super::super::EMPTY_PAYLOAD.to_vec()));
        document
    }

    /// How many streams are decoded by something.
    fn decodes<T>(does: impl FnOnce() -> T) -> usize {
        DECODED.set(0);
        does();
        DECODED.get()
    }

    #[test]
    fn an_edit_decodes_its_own_clip_and_no_other() {
        let mut document = pack();
        // As 4 rotations and as 1, and once for its frames.
        assert_eq!(decodes(|| edit::reverse(&mut document, 3).unwrap()), 3);
        assert_eq!(decodes(|| edit::copy_frames(&mut document, 1, 0, 2, 2, 0).unwrap()), 6);
        assert_eq!(
            decodes(|| edit::reverse(&mut document, 20).unwrap_err()),
            0,
            "nothing is in an empty slot"
        );
        document.skeleton = Some(KnownSkeleton::counted(3));
        assert_eq!(decodes(|| edit::reverse(&mut document, 3).unwrap()), 2, "nothing is tried out");
        assert_eq!(decodes(|| edit::guesses(&document, [3])), 1);
    }

    #[test]
    fn a_new_clip_is_held_against_the_first_sound_one() {
        let mut document = pack();
        document.entries[0].payload.truncate(14);
        let made = document.entries[1].clone();
        let payload = made.payload.clone();
        assert!(decodes(|| edit::add(&mut document, Role::Body, made).unwrap()) < 60);
        let weapon = document.entries[17].clone();
        assert!(decodes(|| edit::add(&mut document, Role::Weapon, weapon).unwrap()) <= 2);
        assert!(decodes(|| edit::replace(&mut document, 4, payload).unwrap()) <= 5);
    }

    #[test]
    fn an_entry_alone_is_what_it_is_among_all() {
        let mut packs = vec![pack(), Document { frames: Reading::Documented, ..pack() }];
        for cut in 5..40 {
            let mut document = pack();
            document.entries[2].payload.truncate(cut);
            document.entries[7].payload[1] = 9;
            document.entries[9].payload[4] = 3;
            document.entries[11].dw_bones = 2;
            document.entries[16].payload.drain(..2);
            packs.push(document);
        }
        for document in packs {
            for skeleton in [
                None,
                Some(KnownSkeleton::counted(3)),
                Some(KnownSkeleton::beside(1, 12)),
                Some(KnownSkeleton::counted(0)),
            ] {
                let all = survey(&document, skeleton.as_ref());
                for (i, wanted) in all.entries.iter().enumerate() {
                    let alone = Surveyor::new(&document, skeleton.as_ref()).entry(i);
                    assert_eq!(alone.as_ref(), Some(wanted), "entry {i} with {skeleton:?}");
                }
            }
        }
    }
}
