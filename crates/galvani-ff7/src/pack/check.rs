//! What can be wrong with a pack.

use galvani_core::diag::ByteCodes;
use galvani_core::{Code, Path, Reading, Report, codes, text};

use super::codec::Stop;
use super::{
    ALIGN, Clip, Damage, Document, EMPTY_PAYLOAD, Entry, EntryContent, KnownSkeleton, Role, Survey, Surveyed,
    survey,
};

codes! {
    TRUNCATED = Error, "ff7-pack.truncated",
        "the bytes end inside a field",
        "the file was cut short";
    COUNT = Error, "ff7-pack.count",
        "the file has fewer entries than its count says",
        "the file was cut short, or an entry's size is damaged; what could not be read is kept as it is";
    REST = Warning, "ff7-pack.rest",
        "bytes follow the last entry",
        "the game does not look at them; they are kept. If entries stand there, the count is too small";
    EMPTY_SIZE = Note, "ff7-pack.empty-size",
        "an empty slot has another size than 4",
        "all slots of the game's own files have 4 bytes; other tools may lose their way here";
    SHORT = Error, "ff7-pack.short",
        "a payload is too long for an empty slot and too short for a frame",
        "the bytes are kept; the operation `clear` makes it an empty slot";
    KEY = Error, "ff7-pack.key",
        "the precision of an animation is not 0, 2 or 4",
        "the bytes are kept; the operation `replace` or `clear` mends it";
    FIRST_FRAME = Error, "ff7-pack.first-frame",
        "a stream is too short for its first frame",
        "the bytes are kept; dwBones or sSize is damaged; who knows how many bones the model has can say so";
    CUT = Error, "ff7-pack.cut",
        "a stream ends inside a frame",
        "if dwBones is wrong, say how many bones the model has; else the operation `repair` drops the half frame";
    FRAME_COUNT = Error, "ff7-pack.frame-count",
        "the field sFrames is not the number of frames in the stream",
        "the operation `repair` sets it";
    NO_FRAME_COUNT = Error, "ff7-pack.no-frame-count",
        "the field sFrames is missing, and the rest of the header stands two bytes early",
        "the game plays one frame of nonsense; the operation `repair` puts the field in";
    FRAMES_PLAYED = Warning, "ff7-pack.frames-played",
        "the field dwFrames is not the number of frames in the stream",
        "the canonical form sets it";
    ROTATIONS = Warning, "ff7-pack.rotations",
        "a frame has another number of rotations than dwBones says",
        "the stream only ends where it should with this number; some tools write such files";
    PADDING = Note, "ff7-pack.padding",
        "the bytes behind a stream are not zeros up to a multiple of 4",
        "they are kept; the canonical form drops them";
    ROOT_ROTATION = Note, "ff7-pack.root-rotation",
        "the root turns",
        "tools that leave out the first rotation lose this";
    PAIR = Warning, "ff7-pack.pair",
        "a weapon's animation is not as long as the body's",
        "the weapon of entry i moves with the body of entry i";
    BLOCK_ORDER = Warning, "ff7-pack.block-order",
        "an entry of the body stands among those of the weapon",
        "every entry of the body comes first in the game's own files";
    SKELETON_BONES = Warning, "ff7-pack.skeleton-bones",
        "a frame has another number of rotations than the skeleton of the model wants",
        "a rotation for the root and one for each bone is wanted; of a skeleton of one bone, one is enough";
    CHUNK_SIZE = Error, "ff7-pack.chunk-size",
        "an entry's header does not count its payload",
        "the document was put together wrongly; its edits keep this right";
    TOO_LARGE = Error, "ff7-pack.too-large",
        "there are more entries than a pack can count",
        "remove entries";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document, skeleton: Option<&KnownSkeleton>) -> Report {
    let survey = survey(document, skeleton);
    let mut report = Report::default();
    damage(document, &survey, &mut report);
    for (i, (entry, surveyed)) in document.entries.iter().zip(&survey.entries).enumerate() {
        let path = Path::named("entries").index(i);
        match &surveyed.content {
            EntryContent::Empty => empty(entry, path, &mut report),
            EntryContent::Animation(clip) => {
                counts(entry, clip, document.frames, path, &mut report);
                animation(entry, clip, path, &mut report);
            }
            // Whatever mends it sets its counts.
            EntryContent::Damaged { clip: Some(clip), .. } => animation(entry, clip, path, &mut report),
            EntryContent::Damaged { clip: None, .. } => {}
        }
        order(entry, surveyed, path, &mut report);
    }
    pairs(&survey, &mut report);
    if !document.rest.is_empty() && document.missing == 0 {
        let found = format!("{} bytes", document.rest.len());
        report.push(REST.at(Path::named("rest")).saying(found));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, survey: &Survey, report: &mut Report) {
    if document.missing > 0 {
        let (found, rest) = (document.entries.len(), document.rest.len());
        let counted = u64::from(document.missing).saturating_add(u64::try_from(found).unwrap_or(0));
        let found = format!("{counted} entries wanted, {found} found; {rest} bytes are left over");
        report.push(COUNT.at(Path::named("count")).saying(found));
    }
    for (i, (entry, surveyed)) in document.entries.iter().zip(&survey.entries).enumerate() {
        if let EntryContent::Damaged { why, clip } = &surveyed.content {
            damaged(entry, *why, clip.as_ref(), Path::named("entries").index(i), report);
        }
    }
}

impl Damage {
    /// What it is called.
    pub fn code(self) -> &'static Code {
        match self {
            Damage::Short => &SHORT,
            Damage::Key(_) => &KEY,
            Damage::FirstFrame => &FIRST_FRAME,
            Damage::Cut => &CUT,
            Damage::FrameCount => &FRAME_COUNT,
            Damage::NoFrameCount => &NO_FRAME_COUNT,
        }
    }
}

fn damaged(entry: &Entry, why: Damage, clip: Option<&Clip>, path: Path, report: &mut Report) {
    let stream = || clip.map_or(0, |clip| clip.range(entry).len());
    let frames = clip.map_or(0, |clip| clip.engine.frames);
    let (field, found) = match why {
        Damage::Short => ("dw_chunk_size", format!("{} bytes", entry.payload.len())),
        Damage::Key(byte) => ("b_key", format!("0, 2 or 4 wanted, {byte} found")),
        Damage::FirstFrame => {
            let (bones, len) = (entry.dw_bones, entry.payload.len());
            ("dw_bones", format!("{bones} rotations in a payload of {len} bytes"))
        }
        Damage::Cut => ("stream", format!("{frames} whole frames in {} bytes", stream())),
        Damage::FrameCount => {
            let said = clip.and_then(|clip| clip.header.s_frames()).unwrap_or(0);
            ("s_frames", format!("{said} said, {frames} found"))
        }
        Damage::NoFrameCount => {
            ("s_size", format!("{frames} frames in {} bytes behind a header of 3 bytes", stream()))
        }
    };
    report.push(why.code().at(path.field(field)).saying(found));
}

fn empty(entry: &Entry, path: Path, report: &mut Report) {
    if entry.payload.len() != EMPTY_PAYLOAD.len() || entry.dw_chunk_size != 4 {
        let found = format!("{} bytes", entry.dw_chunk_size);
        report.push(EMPTY_SIZE.at(path.field("dw_chunk_size")).saying(found));
    }
}

/// A sound animation has the frames that it says; as documented it may say more, and the game play fewer.
fn counts(entry: &Entry, clip: &Clip, reading: Reading, path: Path, report: &mut Report) {
    if let Some(said) = clip.header.s_frames().filter(|_| clip.says_more()) {
        let found =
            format!("{said} said, {} found, which the format's first description allows", clip.engine.frames);
        let found = FRAME_COUNT.at(path.field("s_frames")).saying(found).as_note();
        report.push(found.advising("any edit of its frames sets it, and so does the canonical form"));
    }
    let frames = clip.engine.frames;
    let played = usize::try_from(entry.dw_frames).unwrap_or(usize::MAX);
    if played != frames {
        let found = format!("{played} said, {frames} found");
        let found = FRAMES_PLAYED.at(path.field("dw_frames")).saying(found);
        // As documented it is only the least that there are.
        let is_least = reading == Reading::Documented && played < frames;
        report.push(if is_least { found.as_note() } else { found });
    }
}

fn animation(entry: &Entry, clip: &Clip, path: Path, report: &mut Report) {
    let frames = clip.engine.frames;
    if usize::try_from(entry.dw_bones) != Ok(clip.rotations) {
        let found = format!("{} said, {} found", entry.dw_bones, clip.rotations);
        report.push(ROTATIONS.at(path.field("dw_bones")).saying(found));
    }
    let (trailing, wanted) = (clip.trailing(entry), clip.range(entry).end.wrapping_neg() % ALIGN);
    if trailing.len() != wanted || trailing.iter().any(|&byte| byte != 0) {
        let mut found = format!("{wanted} zeros wanted, {} bytes found", trailing.len());
        if let Some(shown) = trailing.get(..trailing.len().min(16)).filter(|shown| !shown.is_empty()) {
            found = format!("{found}: {}", text::hex(shown));
        }
        // Where there should be bytes and are none, the stream is the nearest place.
        let place = if trailing.is_empty() { "stream" } else { "trailing" };
        report.push(PADDING.at(path.field(place)).saying(found).pedantic());
    }
    let turned = turned_frames(entry, clip);
    if turned > 0 {
        let found = format!("in {turned} of {frames} frames");
        report.push(ROOT_ROTATION.at(path.field("stream")).saying(found).pedantic());
    }
}

/// Frames in which a body's root has a rotation of its own.
fn turned_frames(entry: &Entry, clip: &Clip) -> usize {
    if clip.rotations < 2 {
        return 0;
    }
    let frames = clip.frames(entry, Stop::Engine);
    let turned = |root: &[i16; 3]| root.iter().any(|&angle| super::codec::angle(angle) != 0);
    frames.iter().filter(|frame| frame.bones.first().is_some_and(turned)).count()
}

fn order(entry: &Entry, surveyed: &Surveyed, path: Path, report: &mut Report) {
    if surveyed.role == Role::Weapon && entry.dw_bones != 1 {
        let found = format!("1 rotation wanted, {} found", entry.dw_bones);
        report.push(BLOCK_ORDER.at(path.field("dw_bones")).saying(found));
    }
}

/// The rotations of the body held against the skeleton.
pub fn skeleton_bones(document: &Document, report: &mut Report) {
    let Some(skeleton) = &document.skeleton else { return };
    let wanted = skeleton.rotations();
    let survey = survey(document, Some(skeleton));
    for (i, surveyed) in survey.entries.iter().enumerate().filter(|(_, entry)| entry.role == Role::Body) {
        let Some(rotations) = surveyed.clip().map(|clip| clip.rotations) else { continue };
        if !skeleton.has(Role::Body, rotations) {
            let found = format!("{wanted} wanted, {rotations} found");
            report.push(SKELETON_BONES.at(Path::named("entries").index(i).field("dw_bones")).saying(found));
        }
    }
}

/// The weapon of an entry moves as long as the body does.
fn pairs(survey: &Survey, report: &mut Report) {
    let border = survey.border();
    let (body, weapon) = survey.entries.split_at_checked(border).unwrap_or_default();
    for (i, (body, weapon)) in (border..).zip(body.iter().zip(weapon)) {
        if let (Some(body), Some(weapon)) = (body.clip(), weapon.clip())
            && body.engine.frames != weapon.engine.frames
        {
            let found = format!("{} frames, the body has {}", weapon.engine.frames, body.engine.frames);
            report.push(PAIR.at(Path::named("entries").index(i).field("dw_frames")).saying(found));
        }
    }
}
