//! What can be wrong with a material.

use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes, text};

use super::{Document, Mat0Part, Phase, TOO_MANY_TRACKS, Track, VERSION};

codes! {
    TRUNCATED = Error, "mat0.truncated",
        "the bytes end inside the head",
        "the file was cut short, or its version is another one";
    CUT = Error, "mat0.cut",
        "the file ends inside the phases or the tracks",
        "what is there stays readable; the file was cut short or a count is damaged";
    REST = Error, "mat0.rest",
        "bytes follow the last track",
        "the game wants the tracks to end the record; the plain form drops what follows";
    TRACKS_MANY = Error, "mat0.tracks-many",
        "there are 20 tracks or more",
        "the game stops with `Too many animations for material.`";
    NO_PHASES = Error, "mat0.no-phases",
        "the material has no phase",
        "there is nothing to show; add one";
    NO_TRACKS = Note, "mat0.no-tracks",
        "the material has no track",
        "nothing says which phase is shown; add a track with a key";
    KEYS_NONE = Error, "mat0.keys-none",
        "a track has no keys",
        "add one, or remove the track";
    KEY_PHASE = Error, "mat0.key-phase",
        "a key shows a phase that is not there",
        "name another phase, or add it";
    KEY_TIME = Warning, "mat0.key-time",
        "a key does not end after the one before it",
        "it is never shown; times rise from key to key";
    PERIOD = Error, "mat0.period",
        "a track takes no time",
        "the game divides by the time of the last key; give it one above 0";
    KEY_WORD = Note, "mat0.key-word",
        "the last word of a key is not 0",
        "it is in every material of the game; nobody looks at it";
    MODE = Error, "mat0.mode",
        "a track is played in a way that the game does not have",
        "known are 0 to 3: loop, back and forth, once, by chance";
    FADE = Note, "mat0.fade",
        "a track lets something go over gradually that nobody knows",
        "known are five bits: four colours and the ambient alpha";
    TEXTURE_NAME = Error, "mat0.texture-name",
        "the name of a texture has no dot",
        "the game stops with `Bad texture name.`; names end in a dot and a palette, or `.0`";
    TEXTURE_FULL = Warning, "mat0.texture-full",
        "the name of a texture fills its 16 bytes without a NUL",
        "give it at most 15 bytes";
    TEXTURE_TAIL = Note, "mat0.texture-tail",
        "bytes behind the NUL of a texture's name are not zero",
        "the bytes are kept; the plain form zeroes them";
    CELL = Warning, "mat0.cell",
        "a phase shows a cell below -1, or one of no texture",
        "-1 is the whole texture, 0 its first rectangle";
    PERCENT = Warning, "mat0.percent",
        "the ambient alpha of a phase is above 100",
        "it is a percentage; the other alphas go up to 255";
    POWER = Warning, "mat0.power",
        "highlights would be sharper than a number can say",
        "two to this power must fit 32 bits; give 31 at most";
    FLOAT = Error, "mat0.float",
        "a number of the head is not finite",
        "the game computes with it; give it a number";
    SPEED = Note, "mat0.speed",
        "the factor of speed is not 1",
        "it is in every material of the game";
    SURFACE = Note, "mat0.surface",
        "the byte behind the class of surface is not 255",
        "it is in every material of the game; it is kept";
    VERSION_ODD = Note, "mat0.version",
        "the material has another version than the game's",
        "every material of the game has version 6; what older ones do not have is taken as the game takes it";
    NO_PHASE = Error, "mat0.no-phase",
        "there is no such phase",
        "phases are counted from 0";
    NO_TRACK = Error, "mat0.no-track",
        "there is no such track",
        "tracks are counted from 0";
    NO_KEY = Error, "mat0.no-key",
        "there is no such key",
        "keys are counted from 0";
    PHASE_USED = Error, "mat0.phase-used",
        "a key shows the phase",
        "let the key show another one first";
    VALUE = Error, "mat0.value",
        "this cannot stand there",
        "names of textures have at most 15 bytes, a dot and no NUL; numbers are finite; a percentage is 100 at most";
    TOO_MANY = Error, "mat0.too-many",
        "there would be more than the file can count or the game takes",
        "remove some first";
    NOT_IN_VERSION = Error, "mat0.not-in-version",
        "this version has no such part",
        "give the material version 4 or above";
    EDIT_CUT = Error, "mat0.edit-cut",
        "the file ends early, so what follows cannot be changed",
        "drop what is missing first: the plain form cannot be had either";
    LOST = Warning, "mat0.lost-bytes",
        "bytes that have no meaning were dropped",
        "keep the original if they may matter";
    COUNT = Error, "mat0.count",
        "the head does not count what is there",
        "the document was put together wrongly; its edits keep this right";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Bits of a track's word that have a meaning.
const KNOWN_BITS: u32 = 0b1111_1111;

/// The sharpest highlight: two to this still fits the game's number.
pub(super) const MOST_POWER: u8 = 31;

/// The highest ambient alpha.
pub(super) const MOST_PERCENT: u8 = 100;

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    head(document, &mut report);
    damage(document, &mut report);
    for (i, phase) in document.phases.iter().enumerate() {
        checked_phase(Path::named("phases").index(i), phase, &mut report);
    }
    for (i, track) in document.tracks.iter().enumerate() {
        checked_track(Path::named("tracks").index(i), track, document.phases.len(), &mut report);
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    let counts = &document.head.counts;
    match document.cut() {
        Some(part) => {
            let (wanted, found) = match part {
                Mat0Part::Phases => (counts.phase_count, document.phases.len()),
                Mat0Part::Tracks => (counts.track_count, document.tracks.len()),
            };
            let said = format!("{wanted} wanted, {found} found and {} bytes", document.rest.len());
            report.push(CUT.at(Path::named(part.name())).saying(said));
        }
        None if !document.rest.is_empty() => {
            report.push(REST.at(Path::named("rest")).saying(format!("{} bytes", document.rest.len())));
        }
        None => {}
    }
}

fn head(document: &Document, report: &mut Report) {
    let head = &document.head;
    let counts = |field| Path::named("head").field(field);
    if document.version != VERSION {
        let said = format!("{VERSION} wanted, {} found", document.version);
        report.push(VERSION_ODD.at(Path::named("head")).saying(said));
    }
    if head.counts.phase_count.get() == 0 {
        report.push(NO_PHASES.at(counts("phase_count")));
    }
    let tracks = head.counts.track_count.get();
    if tracks >= TOO_MANY_TRACKS {
        report.push(TRACKS_MANY.at(counts("track_count")).saying(format!("{tracks} found")));
    } else if tracks == 0 {
        report.push(NO_TRACKS.at(counts("track_count")));
    }
    if head.surface.unknown_05 != 255 {
        let said = format!("255 wanted, {} found", head.surface.unknown_05);
        report.push(SURFACE.at(Path::named("surface").field("unknown_05")).saying(said));
    }
    let (speed, rate) = (head.speed.ground_speed.get(), head.damage.damage_rate.get());
    let speed_path = Path::named("speed").field("ground_speed");
    for (path, number) in [(speed_path, speed), (Path::named("damage").field("damage_rate"), rate)] {
        if !number.is_finite() {
            report.push(FLOAT.at(path).saying(format!("{number} found")));
        }
    }
    if speed.is_finite() && speed.to_bits() != 1.0_f32.to_bits() {
        report.push(SPEED.at(speed_path).saying(format!("1 wanted, {speed} found")));
    }
}

fn checked_phase(path: Path, phase: &Phase, report: &mut Report) {
    let name = text::before_nul(&phase.texture.0);
    let field = path.field("texture");
    let shown = text::shown(name);
    if !name.is_empty() && !name.contains(&b'.') {
        report.push(TEXTURE_NAME.at(field).saying(format!("`{shown}`")));
    }
    let tail = phase.texture.0.get(name.len()..).unwrap_or_default();
    if tail.is_empty() {
        report.push(TEXTURE_FULL.at(field).saying(format!("`{shown}`")));
    } else if tail.iter().any(|&byte| byte != 0) {
        let said = format!("behind `{shown}` stands {}", text::hex(tail));
        report.push(TEXTURE_TAIL.at(field).saying(said));
    }
    if phase.cell < -1 || (phase.cell >= 0 && name.is_empty()) {
        report.push(CELL.at(path.field("cell")).saying(format!("cell {} of `{shown}`", phase.cell)));
    }
    if phase.ambient_alpha > MOST_PERCENT {
        let said = format!("{MOST_PERCENT} at most, {} found", phase.ambient_alpha);
        report.push(PERCENT.at(path.field("ambient_alpha")).saying(said));
    }
    if phase.power > MOST_POWER {
        let said = format!("{MOST_POWER} at most, {} found", phase.power);
        report.push(POWER.at(path.field("power")).saying(said));
    }
}

fn checked_track(path: Path, track: &Track, phases: usize, report: &mut Report) {
    if track.mode().is_none() {
        report.push(MODE.at(path.field("word")).saying(format!("mode {} found", track.word & 7)));
    }
    if track.word & !KNOWN_BITS != 0 {
        report.push(FADE.at(path.field("word")).saying(format!("0x{:08x} found", track.word)));
    }
    if track.keys.is_empty() {
        report.push(KEYS_NONE.at(path.field("key_count")));
    } else if track.period() == 0 {
        report.push(PERIOD.at(path.field("keys")).saying("the last key ends at 0"));
    }
    let mut before = None;
    for (i, key) in track.keys.iter().enumerate() {
        let path = path.field("keys").index(i);
        let (phase, time) = (key.phase.get(), key.time.get());
        if usize::from(phase) >= phases {
            report.push(KEY_PHASE.at(path.field("phase")).saying(format!("phase {phase} of {phases}")));
        }
        if before.is_some_and(|before| time <= before) {
            let said = format!("{time} after {}", before.unwrap_or(0));
            report.push(KEY_TIME.at(path.field("time")).saying(said));
        }
        before = Some(time);
        if key.unknown_04.get() != 0 {
            report.push(KEY_WORD.at(path.field("unknown_04")).saying(format!("{} found", key.unknown_04)));
        }
    }
}
