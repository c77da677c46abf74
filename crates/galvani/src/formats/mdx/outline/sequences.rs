//! Sequences: one reading for people, both for machines and for those who ask.

use galvani_core::Reading;
use galvani_mdx::wire::{SequenceDocumented, SequenceWarcraft, SequenceWow};
use galvani_mdx::{Document, Family, Sequence, flags};
use zerocopy::little_endian::F32;

use crate::formats::{Cell, Column, Flags, Section, Span};

/// The sequences as the reading taken has them, and in WoW what each reading has.
pub(super) fn sections(document: &Document) -> Vec<Section> {
    let sequences = document.sequences();
    let mut sections = vec![as_read(document, &sequences)];
    if document.family() == Family::Wow {
        let rows: Vec<&SequenceWow> = sequences
            .iter()
            .filter_map(|sequence| match sequence {
                Sequence::Wow(row) => Some(*row),
                Sequence::Warcraft(_) => None,
            })
            .collect();
        sections.push(as_observed(&rows));
        sections.push(as_documented(&rows));
    }
    sections
}

fn as_read(document: &Document, sequences: &[Sequence<'_>]) -> Section {
    let by_id = document.family() == Family::Wow && document.seqs == Reading::Documented;
    let row = |(i, sequence): (usize, &Sequence<'_>)| {
        let [_, hex] = Cell::room(sequence.name());
        let name = Cell::text(document.sequence_name(*sequence));
        let ((start, end), written) = (sequence.window(), sequence.written());
        let (speed, rarity, observed, documented) = match sequence {
            Sequence::Warcraft(row) => {
                (row.move_speed, Cell::from(row.rarity.get()), warcraft_parts(row), Cell::Nothing)
            }
            Sequence::Wow(row) => {
                let documented = row.documented();
                let frequency: Cell =
                    if by_id { documented.frequency.get().into() } else { row.frequency.get().into() };
                (row.move_speed, frequency, observed_parts(row), documented_parts(&documented))
            }
        };
        let shown = match sequence {
            Sequence::Wow(row) if by_id => id(&row.documented()),
            _ => name.clone(),
        };
        vec![
            i.into(),
            name,
            hex,
            shown,
            Cell::Span(Span { milliseconds: end.saturating_sub(start) }),
            written.0.into(),
            written.1.into(),
            start.into(),
            end.into(),
            sequence.is_looping().into(),
            speed.get().into(),
            rarity,
            Cell::Flags(Flags::new(sequence.flags(), flags::SEQUENCE)),
            document.seqs.word().into(),
            observed,
            documented,
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::machines("name"),
        Column::machines("name_hex").optional(),
        Column::people(if by_id { "id" } else { "name" }),
        Column::new("duration", "length"),
        Column::machines("start"),
        Column::machines("end"),
        Column::people("from ms"),
        Column::people("to ms"),
        Column::new("looping", "loops"),
        Column::new("move_speed", "speed").quiet(),
        Column::people(if document.family() == Family::Wow { "frequency" } else { "rarity" }).quiet(),
        Column::new("flags", "flags").quiet(),
        Column::machines("reading"),
        Column::machines("observed"),
        Column::machines("documented").optional(),
    ];
    Section::new("sequences", "Sequences", &columns, sequences.iter().enumerate().map(row).collect())
}

/// A sequence as the document of WoW names it.
fn id(row: &SequenceDocumented) -> Cell {
    format!("{}.{}", row.anim_id.get(), row.sub_id.get()).into()
}

fn point(list: &[F32; 3]) -> Cell {
    Cell::Point(list.map(F32::get))
}

/// What only Warcraft III has.
fn warcraft_parts(row: &SequenceWarcraft) -> Cell {
    Cell::Parts(vec![
        Cell::part("rarity", row.rarity.get()),
        Cell::part("sync_point", row.sync_point.get()),
        Cell::part("radius", row.radius.get()),
        Cell::part("min", point(&row.min)),
        Cell::part("max", point(&row.max)),
    ])
}

/// The fields of WoW as real files have them.
fn observed_parts(row: &SequenceWow) -> Cell {
    Cell::Parts(vec![
        Cell::part("radius", row.radius.get()),
        Cell::part("min", point(&row.min)),
        Cell::part("max", point(&row.max)),
        Cell::part("frequency", row.frequency.get()),
        Cell::part("replay_min", row.replay_min.get()),
        Cell::part("replay_max", row.replay_max.get()),
        Cell::part("blend_time", row.blend_time.get()),
    ])
}

/// The same bytes as the 0.9.0 document names them.
fn documented_parts(row: &SequenceDocumented) -> Cell {
    Cell::Parts(vec![
        Cell::part("anim_id", row.anim_id.get()),
        Cell::part("sub_id", row.sub_id.get()),
        Cell::part("min", point(&row.min)),
        Cell::part("max", point(&row.max)),
        Cell::part("blend_time", row.blend_time.get()),
        Cell::part("playback_speed", row.playback_speed.get()),
        Cell::part("frequency", row.frequency.get()),
        Cell::part("unknown_84", row.unknown_84.get()),
        Cell::part("unknown_88", row.unknown_88.get()),
    ])
}

fn as_observed(rows: &[&SequenceWow]) -> Section {
    let row = |(i, row): (usize, &&SequenceWow)| {
        let [name, _] = Cell::room(&row.name.0);
        vec![
            i.into(),
            name,
            point(&row.min),
            point(&row.max),
            row.radius.get().into(),
            row.frequency.get().into(),
            format!("{}–{}", row.replay_min.get(), row.replay_max.get()).into(),
            row.blend_time.get().into(),
        ]
    };
    let columns = ["#", "name", "min", "max", "radius", "frequency", "replays", "blend ms"];
    let rows = rows.iter().enumerate().map(row).collect();
    Section::of_reading("Sequences as observed", &columns.map(Column::people), rows)
}

fn as_documented(rows: &[&SequenceWow]) -> Section {
    let row = |(i, row): (usize, &&SequenceWow)| {
        let row = row.documented();
        vec![
            i.into(),
            id(&row),
            point(&row.min),
            point(&row.max),
            row.blend_time.get().into(),
            row.playback_speed.get().into(),
            row.frequency.get().into(),
        ]
    };
    let columns = ["#", "id", "min", "max", "blend", "playback", "frequency"];
    let rows = rows.iter().enumerate().map(row).collect();
    Section::of_reading("Sequences as documented", &columns.map(Column::people), rows)
}
