//! What can be done to a material.

use galvani_core::{EditError, Path, Report, Severity};
use galvani_parkan::mat0::edit::{self, Colour, HeadField};
use galvani_parkan::mat0::{Document, Fade, Mode, PhaseKey, Track, check};

use crate::formats::argument::{Phase, PhaseTrack, Place, Text, Within, words};
use crate::formats::operation::{Editable, operations};
use crate::formats::select::Candidates;
use crate::formats::{ArgumentValue, Operation, Selector, Thing};

/// A byte.
type Byte = Within<0, 255>;

/// A number of a key.
type Short = Within<0, 65535>;

words! { Colour {
    "ambient" => Colour::Ambient, "diffuse" => Colour::Diffuse,
    "specular" => Colour::Specular, "emissive" => Colour::Emissive,
} }

words! { Mode {
    "loop" => Mode::Loop, "ping-pong" => Mode::PingPong, "once" => Mode::Once, "random" => Mode::Random,
} }

impl Editable for Document {
    fn select(
        &self,
        thing: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let (place, missing, count) = match thing {
            Thing::Track => ("tracks", &check::NO_TRACK, self.tracks.len()),
            _ => ("phases", &check::NO_PHASE, self.phases.len()),
        };
        Candidates::nameless(thing.word(), Path::named(place), missing, count).values(wanted, notes)
    }
}

/// Everything that can be done to a material.
pub(super) const OPERATIONS: &[Operation] = operations! { Document;
    "sets the class of surface; 255 is none"
    "set-surface-class" (class: Byte = "the class")
    |material| edit::set_head(material, HeadField::SurfaceClass(byte(class)));

    "sets the factor of speed on this ground"
    "set-ground-speed" (factor: f32 = "the factor; 1 in every material of the game")
    |material| edit::set_head(material, HeadField::GroundSpeed(factor));

    "sets the damage to who stands there"
    "set-damage-rate" (rate: f32 = "the damage")
    |material| edit::set_head(material, HeadField::DamageRate(rate));

    "sets a colour of a phase"
    "set-colour" (
        phase: Phase = "which phase",
        colour: Colour = "which colour",
        red: Byte = "0 to 255",
        green: Byte = "0 to 255",
        blue: Byte = "0 to 255",
    )
    |material| edit::set_colour(material, phase.0, colour, [red, green, blue].map(byte));

    "sets an alpha of a phase; the ambient one is a percentage"
    "set-alpha" (phase: Phase = "which phase", colour: Colour = "of which colour", alpha: Byte = "the alpha")
    |material| edit::set_alpha(material, phase.0, colour, byte(alpha));

    "sets how sharp highlights are: two to the power of this"
    "set-power" (phase: Phase = "which phase", power: Byte = "the power, 31 at most")
    |material| edit::set_power(material, phase.0, byte(power));

    "sets which rectangle of its texture a phase shows"
    "set-cell" (phase: Phase = "which phase", cell: i64 = "the rectangle from 0 on, or -1 for the whole")
    |material| edit::set_cell(material, phase.0, cell_of(cell));

    "names the texture of a phase; an empty name takes it away"
    "set-texture" (phase: Phase = "which phase", name: Text = "the name with its dot: RUST.0")
    |material| edit::set_texture(material, phase.0, &name.0);

    "adds a phase behind the last, like another"
    "add-phase" (like: Phase = "the phase that it is like")
    |material| {
        let like = material.phases.get(like.0).copied();
        let refusal = || EditError::from(check::NO_PHASE.at(Path::named("phases")));
        edit::add_phase(material, like.ok_or_else(refusal)?)
    };

    "removes a phase that no key shows"
    "remove-phase" (phase: Phase = "which phase")
    |material| edit::remove_phase(material, phase.0);

    "sets how a track is played and what goes over gradually"
    "set-mode" (
        track: PhaseTrack = "which track",
        mode: Mode = "how it goes on behind its last key",
        fade: Within<0, 31> = "the sum of 1 ambient, 2 diffuse, 4 specular, 8 emissive, 16 ambient alpha",
    )
    |material| edit::set_mode(material, track.0, mode, fade_of(fade.0));

    "adds a track of one key behind the last"
    "add-track" (phase: Short = "the phase that it shows", time: Short = "until when, in milliseconds")
    |material| sound(material, |material| {
        let key = PhaseKey { phase: short(phase).into(), time: short(time).into(), unknown_04: 0.into() };
        edit::add_track(material, Track { word: 0, keys: vec![key] })
    });

    "removes a track"
    "remove-track" (track: PhaseTrack = "which track")
    |material| edit::remove_track(material, track.0);

    "sets which phase a key shows, and until when"
    "set-key" (
        track: PhaseTrack = "which track",
        key: Place = "which key",
        phase: Short = "the phase that it shows",
        time: Short = "until when, in milliseconds",
    )
    |material| sound(material, |material| edit::set_key(material, track.0, key.0, short(phase), short(time)));

    "adds a key where its time puts it"
    "add-key" (
        track: PhaseTrack = "which track",
        phase: Short = "the phase that it shows",
        time: Short = "until when, in milliseconds",
    )
    |material| sound(material, |material| edit::add_key(material, track.0, short(phase), short(time)));

    "removes a key"
    "remove-key" (track: PhaseTrack = "which track", key: Place = "which key")
    |material| sound(material, |material| edit::remove_key(material, track.0, key.0));

    "drops what follows the last track and what stands behind names"
    "canonical" ()
    |material| edit::make_canonical(material);
};

/// Refuses an edit after which the game would not take the material, though it took it before.
fn sound(
    material: &mut Document,
    edit: impl FnOnce(&mut Document) -> Result<(), EditError>,
) -> Result<(), EditError> {
    let mut made = material.clone();
    edit(&mut made)?;
    let (before, after) = (check(material), check(&made));
    let is_error = |severity| severity == Severity::Error;
    if after.tally(Severity::Error) > before.tally(Severity::Error)
        && let Some(cause) =
            after.findings().iter().find(|one| is_error(one.severity) && !before.findings().contains(one))
    {
        return Err(cause.clone().into());
    }
    *material = made;
    Ok(())
}

fn byte(Within(number): Byte) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn short(Within(number): Short) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// What no cell can be is left to the refusal of cells.
fn cell_of(cell: i64) -> Option<u8> {
    (cell != -1).then(|| u8::try_from(cell).unwrap_or(u8::MAX))
}

fn fade_of(bits: u32) -> Fade {
    Track { word: bits << 3, keys: Vec::new() }.fade()
}
