//! Materials: cases with their reports, fields and tracks beside a slow reference, edits, laws and damage.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(clippy::float_cmp, reason = "exactly these numbers are wanted")]

use galvani_core::{EditError, ReadOptions, Strictness};
use galvani_parkan::mat0::edit::{
    Colour, HeadField, add_key, add_phase, add_track, make_canonical, remove_key, remove_phase, remove_track,
    set_alpha, set_cell, set_colour, set_head, set_key, set_mode, set_power, set_texture, word,
};
use galvani_parkan::mat0::{Document, Fade, Mode, Track, check, head_len, is_shaped, read, read_as, write};
use galvani_testkit::{Dice, Subject, differences, snapshot_beside};
use proptest::prelude::*;

const MAT0: Subject<Document> = Subject { id: "mat0", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/mat0", "*/build.txt", |listing| {
        snapshot_beside!(listing, MAT0.report_text(listing));
    });
}

fn example(case: &str) -> Document {
    MAT0.document(&MAT0.case(case))
}

fn code<T: std::fmt::Debug>(result: Result<T, EditError>) -> &'static str {
    result.unwrap_err().cause.code.name
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let mut plain = example("plain");
    let mut miscounted = plain.clone();
    miscounted.phases.clear();
    let full = add_track(&mut example("tracks-many"), plain.tracks[0].clone());
    MAT0.every_code_is_provoked(&[
        write(&miscounted).unwrap_err().cause.code.name,
        code(set_power(&mut plain, 1, 0)),
        code(set_mode(&mut plain, 1, Mode::Loop, Fade::default())),
        code(set_key(&mut plain, 0, 1, 0, 0)),
        code(remove_phase(&mut plain, 0)),
        code(set_texture(&mut plain, 0, b"RUST")),
        code(full),
        code(set_head(&mut example("version-1"), HeadField::GroundSpeed(1.0))),
        code(remove_track(&mut example("cut-tracks"), 0)),
        make_canonical(&mut example("rest")).unwrap().findings()[0].code.name,
    ]);
}

#[test]
fn good_materials_have_no_findings() {
    for case in ["plain", "tracks", "untextured"] {
        assert_eq!(MAT0.outcome(&MAT0.case(case)).findings(), [], "{case}");
        assert!(MAT0.obeys(&MAT0.case(case), Strictness::Strict), "{case}");
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there_or_is_refused() {
    for (name, file) in MAT0.cases() {
        for len in 0..file.len() {
            let reads = MAT0.obeys(&file[..len], Strictness::Tolerant);
            // Shorter heads are only taken where they fit.
            assert!(reads || len < 14, "{name} cut at {len}");
            assert!(!reads || len >= 4, "{name} cut at {len}");
            MAT0.obeys(&file[..len], Strictness::Strict);
        }
    }
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    MAT0.stands_word_damage();
}

#[test]
fn a_version_decides_what_the_head_has() {
    for (case, version) in [("version-1", 1), ("version-2", 2), ("version-3", 3), ("plain", 6)] {
        let document = example(case);
        assert_eq!(document.version, version);
        assert_eq!(document.phases[0].diffuse, [255; 3]);
        let file = MAT0.case(case);
        assert_eq!(file.len(), head_len(version) + 34 + 12);
        let told = read_as(&file, version, &ReadOptions::default()).unwrap().document;
        assert_eq!((&told, write(&told).unwrap()), (&document, file));
    }
    let old = example("version-1").head;
    assert_eq!(
        (old.surface.class, old.speed.ground_speed.get(), old.damage.damage_rate.get()),
        (255, 1.0, 0.0)
    );
    assert_eq!(example("version-2").head.surface.class, 7);
    assert_eq!(example("tracks").head.damage.damage_rate.get(), 1000.0);
    // Version 4 and 5 have the head of 6.
    let newer = read_as(&MAT0.case("plain"), 4, &ReadOptions::default()).unwrap().document;
    assert_eq!((newer.version, newer.phases), (4, example("plain").phases));
}

#[test]
fn every_field_of_a_phase_is_where_the_page_says() {
    let phase = example("tracks").phases[1];
    assert_eq!((phase.ambient, phase.ambient_alpha), ([0, 128, 255], 50));
    assert_eq!((phase.diffuse, phase.diffuse_alpha), ([255; 3], 255));
    assert_eq!((phase.specular, phase.specular_alpha), ([10, 20, 30], 40));
    assert_eq!((phase.emissive, phase.emissive_alpha), ([0; 3], 255));
    assert_eq!((phase.power, phase.cell, &phase.texture.0[..9]), (3, 0, &b"SHEET.A1\0"[..]));
}

#[test]
fn a_track_says_how_it_is_played() {
    let tracks = example("tracks").tracks;
    assert_eq!(
        (tracks[0].mode(), tracks[1].mode(), tracks[0].period()),
        (Some(Mode::PingPong), Some(Mode::Once), 1000)
    );
    assert_eq!(tracks[0].fade(), Fade { ambient: true, ambient_alpha: true, ..Fade::default() });
    assert_eq!(word(Mode::PingPong, tracks[0].fade()), tracks[0].word);
}

/// What a track shows, by the words of the page: the first key that ends later, and how far into it.
fn slowly(document: &Document, track: usize, time: u32) -> (u16, u16, f64) {
    let track = &document.tracks[track];
    let period = u32::from(track.keys.last().unwrap().time.get());
    let last = track.keys.last().unwrap().phase.get();
    let time = match track.word & 7 {
        1 if time / period % 2 == 1 => period - time % period,
        2 if time >= period => return (last, last, 0.0),
        _ => time % period,
    };
    let mut start = 0;
    for (i, key) in track.keys.iter().enumerate() {
        let end = u32::from(key.time.get());
        if time < end {
            let next = track.keys[(i + 1) % track.keys.len()].phase.get();
            return (key.phase.get(), next, f64::from(time - start) / f64::from(end - start));
        }
        start = end;
    }
    (last, last, 0.0)
}

#[test]
fn tracks_show_what_the_page_says_at_any_time() {
    let document = example("tracks");
    for track in 0..2 {
        for time in 0..3500 {
            let shown = document.tracks[track].shown(time).unwrap();
            let (phase, next, part) = slowly(&document, track, time);
            assert_eq!(
                (shown.phase, shown.next),
                (usize::from(phase), usize::from(next)),
                "{track} at {time}"
            );
            assert!((f64::from(shown.part) - part).abs() < 1e-6, "{track} at {time}");
        }
    }
    assert_eq!(example("keys-none").tracks[1].shown(0), None);
    assert_eq!(example("period").tracks[0].shown(5), None);
}

#[test]
fn what_fades_goes_over_and_the_rest_steps() {
    let document = example("tracks");
    // PhaseKey 1 lasts from 100 to 400: at 250 it is half way from phase 1 to phase 2.
    let half = document.phase_at(0, 250).unwrap();
    assert_eq!((half.ambient, half.ambient_alpha), ([128, 64, 128], 25));
    assert_eq!((half.cell, half.power), (0, 3), "cell and power are still those of phase 1");
}

#[test]
fn only_a_whole_material_of_the_usual_kind_is_known_by_its_shape() {
    let plain = MAT0.case("plain");
    assert!(is_shaped(&plain) && is_shaped(&MAT0.case("untextured")));
    for at in 0..plain.len() {
        assert!(!is_shaped(&plain[..at]), "cut at {at}");
    }
    let longer = [plain.as_slice(), &[0]].concat();
    let mut slower = plain.clone();
    slower[9] = 0x40;
    assert!(!is_shaped(&longer) && !is_shaped(&slower) && !is_shaped(&[0xff; 100]));
}

#[test]
fn fields_are_set_alone() {
    let before = write(&example("tracks")).unwrap();
    let changed = |edit: &dyn Fn(&mut Document) -> Result<(), EditError>| {
        let mut edited = example("tracks");
        edit(&mut edited).unwrap();
        differences(&before, &write(&edited).unwrap())
    };
    assert_eq!(changed(&|m| set_head(m, HeadField::SurfaceClass(9))), [4]);
    assert_eq!(changed(&|m| set_head(m, HeadField::GroundSpeed(2.0))), [8, 9]);
    assert_eq!(changed(&|m| set_head(m, HeadField::DamageRate(0.0))), [12, 13]);
    assert_eq!(changed(&|m| set_colour(m, 0, Colour::Diffuse, [1, 2, 3])), [18, 19, 20]);
    assert_eq!(changed(&|m| set_colour(m, 0, Colour::Ambient, [1, 2, 3])), [14, 15, 16]);
    assert_eq!(changed(&|m| set_colour(m, 0, Colour::Specular, [1, 2, 3])), [22, 23, 24]);
    assert_eq!(changed(&|m| set_colour(m, 0, Colour::Emissive, [1, 2, 3])), [26, 27, 28]);
    assert_eq!(changed(&|m| set_alpha(m, 0, Colour::Ambient, 7)), [17]);
    assert_eq!(changed(&|m| set_alpha(m, 0, Colour::Emissive, 7)), [29]);
    assert_eq!(changed(&|m| set_power(m, 0, 7)), [30]);
    assert_eq!(changed(&|m| set_cell(m, 0, Some(7))), [31]);
    assert_eq!(changed(&|m| set_texture(m, 0, b"RUSZ.0")), [35]);
    assert_eq!(changed(&|m| set_mode(m, 1, Mode::Random, Fade::default())), [140]);
    assert_eq!(changed(&|m| set_key(m, 0, 0, 1, 101)), [122, 124]);
}

#[test]
fn phases_tracks_and_keys_come_and_go() {
    let mut edited = example("tracks");
    let first = edited.phases[0];
    add_phase(&mut edited, first).unwrap();
    remove_phase(&mut edited, 3).unwrap();
    assert_eq!(edited, example("tracks"));
    add_track(&mut edited, Track { word: 0, keys: vec![] }).unwrap();
    add_key(&mut edited, 2, 1, 500).unwrap();
    add_key(&mut edited, 2, 0, 100).unwrap();
    assert_eq!(edited.tracks[2].keys.iter().map(|key| key.phase.get()).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(MAT0.round_trip(&write(&edited).unwrap()), edited);
    remove_key(&mut edited, 2, 0).unwrap();
    remove_track(&mut edited, 2).unwrap();
    assert_eq!(edited, example("tracks"));
    // Keys follow the phases behind one that goes.
    let mut free = example("tracks");
    free.tracks.iter_mut().flat_map(|track| &mut track.keys).for_each(|key| key.phase = 2.into());
    remove_phase(&mut free, 0).unwrap();
    assert!(free.tracks.iter().flat_map(|track| &track.keys).all(|key| key.phase.get() == 1));
    assert_eq!(check(&free).findings(), []);
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let refused = |edit: &dyn Fn(&mut Document) -> Result<(), EditError>| {
        let mut edited = example("tracks");
        let error = edit(&mut edited).unwrap_err();
        assert_eq!(edited, example("tracks"));
        error.to_string()
    };
    assert_eq!(refused(&|m| set_power(m, 9, 0)), "phases[9]: mat0.no-phase: phase 9 of 3");
    assert_eq!(refused(&|m| set_power(m, 0, 32)), "phases[0].power: mat0.value: 32");
    assert_eq!(
        refused(&|m| set_alpha(m, 0, Colour::Ambient, 101)),
        "phases[0].ambient_alpha: mat0.value: 101 percent"
    );
    assert_eq!(refused(&|m| set_cell(m, 0, Some(200))), "phases[0].cell: mat0.value: cell 200");
    assert_eq!(
        refused(&|m| set_texture(m, 0, b"SIXTEEN.LETTERS0")),
        "phases[0].texture: mat0.value: \"SIXTEEN.LETTERS0\""
    );
    assert_eq!(
        refused(&|m| set_head(m, HeadField::DamageRate(f32::NAN))),
        "damage.damage_rate: mat0.value: NaN"
    );
    assert_eq!(refused(&|m| set_key(m, 0, 0, 3, 1)), "tracks[0].keys[0].phase: mat0.no-phase: phase 3 of 3");
    assert_eq!(refused(&|m| remove_phase(m, 1)), "tracks[0].keys[1]: mat0.phase-used: phase 1");
    assert_eq!(refused(&|m| remove_key(m, 2, 0)), "tracks[2]: mat0.no-track: track 2 of 2");
}

#[test]
fn the_plain_form_drops_what_has_no_meaning_and_says_so() {
    let mut edited = example("rest");
    assert_eq!(make_canonical(&mut edited).unwrap().findings().len(), 1);
    assert_eq!(edited, example("plain"));
    let mut named = example("texture-name");
    assert_eq!(make_canonical(&mut named).unwrap().findings().len(), 1);
    assert_eq!(make_canonical(&mut named).unwrap().findings(), []);
    assert_eq!(code(make_canonical(&mut example("cut-phases"))), "mat0.edit-cut");
}

/// A material of random parts, by hand.
fn random(dice: &mut Dice) -> Vec<u8> {
    let (phases, tracks) = (dice.below(4), dice.below(4));
    let mut file = vec![dice.byte() % 4, 0, dice.byte() % 4, 0];
    if dice.below(2) == 0 {
        file = [u16::try_from(phases).unwrap().to_le_bytes(), u16::try_from(tracks).unwrap().to_le_bytes()]
            .concat();
    }
    let head = [0, 2, 6, 10][dice.below(4) as usize] + 34 * phases;
    file.extend((0..head).map(|_| dice.byte()));
    for _ in 0..tracks {
        let keys = dice.below(4);
        file.extend([dice.byte(), 0, 0, 0]);
        file.extend(u16::try_from(keys).unwrap().to_le_bytes());
        file.extend((0..6 * keys).map(|_| dice.byte() % 5));
    }
    file.extend((0..dice.below(3)).map(|_| 1));
    file
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_material_comes_back_and_stays_whole_under_edits(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let file = random(&mut dice);
        if !MAT0.obeys(&file, Strictness::Tolerant) {
            return Ok(());
        }
        MAT0.obeys(&file, Strictness::Strict);
        let mut edited = MAT0.document(&file);
        for _ in 0..8 {
            let (a, b) = (dice.below(4) as usize, dice.below(4) as usize);
            let (phase, time) = (u16::from(dice.byte() % 4), u16::from(dice.byte()));
            let _ = match dice.below(8) {
                0 => edited.phases.first().copied().map_or(Ok(()), |phase| add_phase(&mut edited, phase)),
                1 => remove_phase(&mut edited, a),
                2 => add_track(&mut edited, Track { word: 1, keys: vec![] }),
                3 => remove_track(&mut edited, a),
                4 => add_key(&mut edited, a, phase, time),
                5 => remove_key(&mut edited, a, b),
                6 => set_texture(&mut edited, a, b"NEW.0"),
                _ => make_canonical(&mut edited).map(drop),
            };
            let written = write(&edited).unwrap();
            let again = read_as(&written, edited.version, &ReadOptions::default()).unwrap().document;
            prop_assert_eq!(&again, &edited);
            for track in 0..edited.tracks.len() {
                let _ = edited.phase_at(track, dice.word());
            }
        }
    }
}
