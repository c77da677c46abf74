//! Vectors of the format's own descriptions, to the bit.

use galvani_core::{ReadOptions, text};
use galvani_ff7::pack::codec::{Stop, encode};
use galvani_ff7::pack::{Content, Surveyed, read, survey, write};

/// facts/ff7.md §12: three entries, an empty one between them.
const SYNTHETIC: &str = "\
    030000000300000004000000380000000400330000000aff38001e0000000000\
    64fff7ff800200007000100128942cc010100042ff3fd0743d040103c38e80f4\
    0078207fdff82012030000000100000004000000301a00000100000003000000\
    1c00000003001400040000fe2e000010ff4001007f889004010801e800000000";

/// Position and rotations of a frame, and the bit it ends at.
type Row = (usize, [i16; 3], &'static [[i16; 3]]);

const BODY: &[Row] = &[
    (156, [10, -200, 30], &[[0, 0, 0], [100, -1, 2047], [-2048, 512, 7]]),
    (209, [10, -199, 30], &[[0, 0, 0], [101, -2, 2048], [-2049, 512, 12]]),
    (293, [74, -263, 31], &[[0, 0, 0], [101, -7, 2111], [-2113, 449, -52]]),
    (408, [138, -8000, -33], &[[0, 1024, 0], [165, -72, 2175], [-2113, 449, -51]]),
];

const WEAPON: &[Row] = &[
    (72, [0, -466, 0], &[[256, -16, 1024]]),
    (109, [1, -466, -1], &[[240, -32, 1040]]),
    (156, [1, -400, -1], &[[240, 992, 1040]]),
];

#[test]
fn the_synthetic_pack_says_what_it_should() {
    let file = text::from_hex(SYNTHETIC).unwrap();
    let document = read(&file, &ReadOptions::default()).unwrap().document;
    let survey = survey(&document, None);
    let kinds: Vec<&str> = survey.entries.iter().map(Surveyed::kind).collect();
    assert_eq!(kinds, ["body", "empty", "weapon"]);
    for (entry, rows) in [(0, BODY), (2, WEAPON)] {
        let Content::Animation(clip) = &survey.entries[entry].content else { panic!("entry {entry}") };
        let frames = clip.frames(&document.entries[entry], Stop::Engine);
        assert_eq!(frames.len(), rows.len());
        for (frame, &(_, position, bones)) in frames.iter().zip(rows) {
            assert_eq!((frame.position, frame.bones), (position, bones));
        }
        let stream = clip.stream(&document.entries[entry]);
        let starts: Vec<usize> = stream.frames(Stop::Engine).map(|(bit, _)| bit).collect();
        let ends: Vec<usize> = rows.iter().map(|row| row.0).collect();
        assert_eq!((starts[0], &starts[1..]), (0, &ends[..ends.len() - 1]));
        assert_eq!(Some(&clip.engine.bit), ends.last());
        let coded = encode(&frames, clip.key, clip.slack(&document.entries[entry]));
        assert_eq!(coded.bytes, document.entries[entry].payload[clip.range(&document.entries[entry])]);
        assert_eq!(coded.bits, clip.engine.bit);
    }
    assert_eq!(write(&document).unwrap(), file);
}
