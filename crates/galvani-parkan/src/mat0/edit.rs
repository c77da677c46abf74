//! Edits of a material: each changes nothing when it is refused.

use galvani_core::archive::zero_filled;
use galvani_core::{EditError, Path, Report, text};

use super::check::{
    EDIT_CUT, LOST, MOST_PERCENT, NO_KEY, NO_PHASE, NO_TRACK, NOT_IN_VERSION, PHASE_USED, TOO_MANY, VALUE,
};
use super::{Document, Fade, Mode, Phase, PhaseKey, TOO_MANY_TRACKS, Track};

/// A colour of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Its own light.
    Ambient,
    /// Under light.
    Diffuse,
    /// Highlights.
    Specular,
    /// What the game does not use.
    Emissive,
}

/// A field of the head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeadField {
    /// Class of the surface, 255 for none.
    SurfaceClass(u8),
    /// Factor of speed on this ground.
    GroundSpeed(f32),
    /// Damage to who stands there.
    DamageRate(f32),
}

/// Sets a field of the head, if the version has it.
pub fn set_head(document: &mut Document, field: HeadField) -> Result<(), EditError> {
    let (path, since, number) = match field {
        HeadField::SurfaceClass(class) => (Path::named("surface").field("class"), 2, class.into()),
        HeadField::GroundSpeed(speed) => (Path::named("speed").field("ground_speed"), 3, speed),
        HeadField::DamageRate(rate) => (Path::named("damage").field("damage_rate"), 4, rate),
    };
    if document.version < since {
        let said = format!("version {}, {since} wanted", document.version);
        return Err(NOT_IN_VERSION.at(path).saying(said).into());
    }
    if !number.is_finite() {
        return Err(VALUE.at(path).saying(format!("{number}")).into());
    }
    match field {
        HeadField::SurfaceClass(class) => document.head.surface.class = class,
        HeadField::GroundSpeed(speed) => document.head.speed.ground_speed = speed.into(),
        HeadField::DamageRate(rate) => document.head.damage.damage_rate = rate.into(),
    }
    Ok(())
}

/// Sets a colour of a phase.
pub fn set_colour(
    document: &mut Document,
    phase: usize,
    which: Colour,
    rgb: [u8; 3],
) -> Result<(), EditError> {
    let phase = phase_mut(document, phase)?;
    *match which {
        Colour::Ambient => &mut phase.ambient,
        Colour::Diffuse => &mut phase.diffuse,
        Colour::Specular => &mut phase.specular,
        Colour::Emissive => &mut phase.emissive,
    } = rgb;
    Ok(())
}

/// Sets an alpha of a phase; the ambient one is a percentage.
pub fn set_alpha(document: &mut Document, phase: usize, which: Colour, alpha: u8) -> Result<(), EditError> {
    let index = phase;
    let phase = phase_mut(document, phase)?;
    if which == Colour::Ambient && alpha > MOST_PERCENT {
        let path = Path::named("phases").index(index).field("ambient_alpha");
        return Err(VALUE.at(path).saying(format!("{alpha} percent")).into());
    }
    *match which {
        Colour::Ambient => &mut phase.ambient_alpha,
        Colour::Diffuse => &mut phase.diffuse_alpha,
        Colour::Specular => &mut phase.specular_alpha,
        Colour::Emissive => &mut phase.emissive_alpha,
    } = alpha;
    Ok(())
}

/// Sets how sharp the highlights of a phase are: two to the power of this.
pub fn set_power(document: &mut Document, phase: usize, power: u8) -> Result<(), EditError> {
    let index = phase;
    let phase = phase_mut(document, phase)?;
    if power > super::check::MOST_POWER {
        let path = Path::named("phases").index(index).field("power");
        return Err(VALUE.at(path).saying(format!("{power}")).into());
    }
    phase.power = power;
    Ok(())
}

/// Sets which rectangle of its texture a phase shows; `None` is the whole.
pub fn set_cell(document: &mut Document, phase: usize, cell: Option<u8>) -> Result<(), EditError> {
    let path = Path::named("phases").index(phase).field("cell");
    let number = cell.map_or(Ok(-1), i8::try_from);
    let number = number.map_err(|_| VALUE.at(path).saying(format!("cell {}", cell.unwrap_or(0))))?;
    phase_mut(document, phase)?.cell = number;
    Ok(())
}

/// Names the texture of a phase; an empty name takes it away.
pub fn set_texture(document: &mut Document, phase: usize, name: &[u8]) -> Result<(), EditError> {
    let path = Path::named("phases").index(phase).field("texture");
    let phase = phase_mut(document, phase)?;
    let is_right = name.is_empty() || (name.contains(&b'.') && !name.contains(&0));
    let mut room = [0; 16];
    let place = room.get_mut(..name.len()).filter(|place| place.len() < 16 && is_right);
    let Some(place) = place else {
        return Err(VALUE.at(path).saying(format!("{:?}", text::shown(name))).into());
    };
    place.copy_from_slice(name);
    phase.texture.0 = room;
    Ok(())
}

/// Adds a phase behind the last.
pub fn add_phase(document: &mut Document, phase: Phase) -> Result<(), EditError> {
    whole(document)?;
    let count = document.phases.len().saturating_add(1);
    let too_many = |_| TOO_MANY.at(Path::named("phases")).saying(format!("{count} phases"));
    document.head.counts.phase_count = u16::try_from(count).map_err(too_many)?.into();
    document.phases.push(phase);
    Ok(())
}

/// Removes a phase that no key shows; keys follow those behind it.
pub fn remove_phase(document: &mut Document, phase: usize) -> Result<(), EditError> {
    whole(document)?;
    phase_mut(document, phase)?;
    for (i, track) in document.tracks.iter().enumerate() {
        if let Some(key) = track.keys.iter().position(|key| usize::from(key.phase.get()) == phase) {
            let path = Path::named("tracks").index(i).field("keys").index(key);
            return Err(PHASE_USED.at(path).saying(format!("phase {phase}")).into());
        }
    }
    document.phases.remove(phase);
    let count = document.head.counts.phase_count.get();
    document.head.counts.phase_count = count.saturating_sub(1).into();
    for key in document.tracks.iter_mut().flat_map(|track| &mut track.keys) {
        let shown = key.phase.get();
        if usize::from(shown) > phase {
            key.phase = shown.saturating_sub(1).into();
        }
    }
    Ok(())
}

/// Sets how a track is played and what goes over gradually; bits that nobody knows stay.
pub fn set_mode(document: &mut Document, track: usize, mode: Mode, fade: Fade) -> Result<(), EditError> {
    let track = track_mut(document, track)?;
    track.word = (track.word & !0xff) | word(mode, fade);
    Ok(())
}

/// The word of a mode and what goes over gradually.
pub fn word(mode: Mode, fade: Fade) -> u32 {
    let number = match mode {
        Mode::Loop => 0,
        Mode::PingPong => 1,
        Mode::Once => 2,
        Mode::Random => 3,
    };
    let bits = [fade.ambient, fade.diffuse, fade.specular, fade.emissive, fade.ambient_alpha];
    let mask = bits.into_iter().rev().fold(0, |mask, bit| (mask << 1) | u32::from(bit));
    number | (mask << 3)
}

/// Adds a track behind the last.
pub fn add_track(document: &mut Document, track: Track) -> Result<(), EditError> {
    whole(document)?;
    let count = u16::try_from(document.tracks.len().saturating_add(1)).ok();
    let Some(count) = count.filter(|&count| count < TOO_MANY_TRACKS && fits(&track)) else {
        return Err(TOO_MANY
            .at(Path::named("tracks"))
            .saying(format!("{} there", document.tracks.len()))
            .into());
    };
    document.head.counts.track_count = count.into();
    document.tracks.push(track);
    Ok(())
}

/// Removes a track.
pub fn remove_track(document: &mut Document, track: usize) -> Result<(), EditError> {
    whole(document)?;
    track_mut(document, track)?;
    document.tracks.remove(track);
    let count = document.head.counts.track_count.get();
    document.head.counts.track_count = count.saturating_sub(1).into();
    Ok(())
}

/// Sets which phase a key shows, and until when.
pub fn set_key(
    document: &mut Document,
    track: usize,
    key: usize,
    phase: u16,
    time: u16,
) -> Result<(), EditError> {
    let path = Path::named("tracks").index(track).field("keys").index(key);
    shown(document, phase, path)?;
    let keys = &mut track_mut(document, track)?.keys;
    let count = keys.len();
    let Some(key) = keys.get_mut(key) else {
        return Err(NO_KEY.at(path).saying(format!("key {key} of {count}")).into());
    };
    (key.phase, key.time) = (phase.into(), time.into());
    Ok(())
}

/// Adds a key where its time puts it: behind those that end before.
pub fn add_key(document: &mut Document, track: usize, phase: u16, time: u16) -> Result<(), EditError> {
    let path = Path::named("tracks").index(track).field("keys");
    shown(document, phase, path)?;
    let track = track_mut(document, track)?;
    if track.keys.len() >= usize::from(u16::MAX) {
        return Err(TOO_MANY.at(path).saying(format!("{} keys there", track.keys.len())).into());
    }
    let place = track.keys.iter().take_while(|key| key.time.get() < time).count();
    track.keys.insert(place, PhaseKey { phase: phase.into(), time: time.into(), unknown_04: 0.into() });
    Ok(())
}

/// Removes a key.
pub fn remove_key(document: &mut Document, track: usize, key: usize) -> Result<(), EditError> {
    let path = Path::named("tracks").index(track).field("keys").index(key);
    let keys = &mut track_mut(document, track)?.keys;
    if key >= keys.len() {
        return Err(NO_KEY.at(path).saying(format!("key {key} of {}", keys.len())).into());
    }
    keys.remove(key);
    Ok(())
}

/// Drops what stands behind the last track, and zeroes what stands behind names. A file that ends early has no such
/// form. The report says what was dropped.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    whole(document)?;
    let mut report = Report::default();
    if !document.rest.is_empty() {
        report.push(LOST.at(Path::named("rest")).saying(format!("{} bytes dropped", document.rest.len())));
        document.rest.clear();
    }
    for (i, phase) in document.phases.iter_mut().enumerate() {
        let zeroed = zero_filled(phase.texture.0);
        if zeroed != phase.texture.0 {
            let path = Path::named("phases").index(i).field("texture");
            report.push(LOST.at(path).saying(format!("bytes behind `{}` zeroed", text::shown(&zeroed))));
            phase.texture.0 = zeroed;
        }
    }
    Ok(report)
}

/// Whether a track's keys can be counted.
fn fits(track: &Track) -> bool {
    u16::try_from(track.keys.len()).is_ok()
}

fn whole(document: &Document) -> Result<(), EditError> {
    match document.cut() {
        Some(part) => Err(EDIT_CUT.at(Path::named(part.name())).into()),
        None => Ok(()),
    }
}

fn shown(document: &Document, phase: u16, path: Path) -> Result<(), EditError> {
    if usize::from(phase) < document.phases.len() {
        return Ok(());
    }
    let said = format!("phase {phase} of {}", document.phases.len());
    Err(NO_PHASE.at(path.field("phase")).saying(said).into())
}

fn phase_mut(document: &mut Document, phase: usize) -> Result<&mut Phase, EditError> {
    let count = document.phases.len();
    let refusal =
        || NO_PHASE.at(Path::named("phases").index(phase)).saying(format!("phase {phase} of {count}")).into();
    document.phases.get_mut(phase).ok_or_else(refusal)
}

fn track_mut(document: &mut Document, track: usize) -> Result<&mut Track, EditError> {
    let count = document.tracks.len();
    let refusal =
        || NO_TRACK.at(Path::named("tracks").index(track)).saying(format!("track {track} of {count}")).into();
    document.tracks.get_mut(track).ok_or_else(refusal)
}
