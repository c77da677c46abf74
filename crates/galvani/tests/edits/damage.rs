//! Ways to damage sound files that can be told: each with the code that is found then.

use galvani::ff7::pack;
use galvani::mdx::glam::Vec3;
use galvani::mdx::model::Block2;
use galvani::mdx::{Chunk, Content, Document, Family, Held, Raw, Track, edit};
use galvani::parkan::msh;

/// Numbers that are the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1))
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Damage of one kind, and the code that says so.
pub(crate) type Damage<D> = (&'static str, fn(&mut D, &mut Dice));

/// Damage of models from which there is a way back to the byte. The order matters: numbers of nodes are spread while every
/// node has its pivot.
pub(crate) const MODELS: &[Damage<Document>] = &[
    ("mdx.key-order", |model, dice| shuffle_keys(model, dice)),
    ("mdx.key-repeated", |model, dice| repeat_key(model, dice)),
    ("mdx.node-type", |model, _| clear_kinds(model)),
    ("mdx.bounds", |model, dice| turn_box(model, dice)),
    ("mdx.bounds-small", |model, _| shrink_boxes(model)),
    ("mdx.sequence-unused", |model, _| add_sequence(model)),
    ("mdx.material-unused", |model, _| add_material(model)),
    ("mdx.texture-unused", |model, _| add_texture(model)),
    ("mdx.global-unused", |model, _| add_global(model)),
    ("mdx.track-outside", |model, _| add_track(model)),
    ("mdx.pivot-count", |model, dice| change_pivots(model, dice)),
    ("mdx.chunk-empty", |model, dice| add_empty_chunk(model, dice)),
];

/// Damage of models of Parkan from which there is a way back to the byte.
pub(crate) const MSH: &[Damage<msh::Document>] = &[
    ("msh.map-word", |model, dice| poke_stream(model, 19, 2 * dice.below(8), 0x5a)),
    ("msh.slot-box", |model, dice| poke_stream(model, 2, 140 + 68 + 8 + 4 * dice.below(6) + 3, 0x01)),
    ("nres.sort-table-broken", |model, _| {
        let entry = &mut model.archive.entries[0];
        entry.sort_index = 999;
    }),
];

/// Damage of packs.
pub(crate) const PACKS: &[Damage<pack::Document>] = &[("ff7-pack.frame-count", |pack, dice| {
    let survey = pack::survey(pack, None);
    let sound: Vec<usize> = (0..pack.entries.len()).filter(|&i| survey.entries[i].clip().is_some()).collect();
    pack.entries[sound[dice.below(sound.len())]].payload[0] ^= 0x40;
})];

/// Tracks of some keys that no two have the time of, and whose order decides.
fn some_track(model: &Document, dice: &mut Dice, is_fit: impl Fn(&Track) -> bool) -> usize {
    let mut fit = Vec::new();
    let mut i = 0;
    model.each_track(|_, track| {
        if track.times.len() > 2 && is_fit(track) {
            fit.push(i);
        }
        i += 1;
    });
    fit[dice.below(fit.len())]
}

/// Changes the track of a number.
fn change(model: &mut Document, number: usize, mut change: impl FnMut(&mut Track)) {
    let mut i = 0;
    for chunk in &mut model.chunks {
        each_track_of(&mut chunk.content, &mut |track| {
            if i == number {
                change(track);
            }
            i += 1;
        });
    }
}

/// Every track in the order of the document.
fn each_track_of(content: &mut Content, each: &mut dyn FnMut(&mut Track)) {
    fn all(tracks: &mut [Track], each: &mut dyn FnMut(&mut Track)) {
        tracks.iter_mut().for_each(each);
    }
    match content {
        Content::Materials(records) => records.typed_mut().for_each(|(_, material)| {
            for layer in material.layers.iter_mut().filter_map(Held::typed_mut) {
                all(&mut layer.tracks, each);
            }
        }),
        Content::TextureAnimations(records) => {
            records.typed_mut().for_each(|(_, record)| all(&mut record.tracks, each));
        }
        Content::GeosetAnimations(records) => {
            records.typed_mut().for_each(|(_, record)| all(&mut record.tracks, each));
        }
        Content::Bones(records) => {
            records.typed_mut().for_each(|(_, record)| all(&mut record.node.tracks, each));
        }
        Content::Helpers(records) => {
            records.typed_mut().for_each(|(_, record)| all(&mut record.tracks, each));
        }
        Content::Lights(records) => records.typed_mut().for_each(|(_, record)| {
            all(&mut record.node.tracks, each);
            all(&mut record.tracks, each);
        }),
        Content::Attachments(records) => records.typed_mut().for_each(|(_, record)| {
            all(&mut record.node.tracks, each);
            all(&mut record.tracks, each);
        }),
        Content::Emitters2(records) => records.typed_mut().for_each(|(_, record)| {
            all(&mut record.node.tracks, each);
            all(&mut record.tracks, each);
        }),
        Content::Ribbons(records) => records.typed_mut().for_each(|(_, record)| {
            all(&mut record.node.tracks, each);
            all(&mut record.tracks, each);
        }),
        Content::Cameras(records) => {
            records.typed_mut().for_each(|(_, record)| all(&mut record.tracks, each));
        }
        Content::Events(records) => records.typed_mut().for_each(|(_, record)| {
            all(&mut record.node.tracks, each);
            all(record.track.as_mut_slice(), each);
        }),
        _ => {}
    }
}

/// Takes a key out of its place and puts it elsewhere.
fn move_key(track: &mut Track, from: usize, to: usize, keep: bool) {
    let words = track.value.words();
    let tangents = track.has_tangents();
    let lists = [
        Some(&mut track.values),
        tangents.then_some(&mut track.in_tangents),
        tangents.then_some(&mut track.out_tangents),
    ];
    for list in lists.into_iter().flatten() {
        let key: Vec<u32> = list[from * words..(from + 1) * words].to_vec();
        if !keep {
            list.drain(from * words..(from + 1) * words);
        }
        list.splice(to * words..to * words, key);
    }
    let time = track.times[from];
    if !keep {
        track.times.remove(from);
    }
    track.times.insert(to, time);
}

fn shuffle_keys(model: &mut Document, dice: &mut Dice) {
    let number = some_track(model, dice, |_| true);
    let roll = dice.below(97);
    change(model, number, |track| {
        let count = track.times.len();
        let from = 1 + roll % (count - 1);
        move_key(track, from, roll % from, false);
    });
}

fn repeat_key(model: &mut Document, dice: &mut Dice) {
    let is_fit = |track: &Track| track.value.words() > 0 && !track.has_tangents();
    let number = some_track(model, dice, |track| is_fit(track) && track.times.is_sorted());
    let roll = dice.below(97);
    change(model, number, |track| {
        let key = roll % track.times.len();
        move_key(track, key, key + 1, true);
    });
}

/// Clears the flag of the first node that has one.
fn clear_kinds(model: &mut Document) {
    let bit = if model.family() == Family::Warcraft { 0x200 } else { 0x100 };
    let lights = model.chunks.iter_mut().find_map(|chunk| match &mut chunk.content {
        Content::Lights(records) => records.typed_mut().next().map(|(_, light)| light),
        _ => None,
    });
    let flags = &mut lights.unwrap().node.fixed.flags;
    flags.set(flags.get() & !bit);
}

/// Turns the box of a geoset whose box is that of its vertices.
fn turn_box(model: &mut Document, dice: &mut Dice) {
    for chunk in &mut model.chunks {
        if let Content::Geosets(records) = &mut chunk.content {
            let which = dice.below(records.items.len());
            let geoset = records.items[which].typed_mut().unwrap();
            (geoset.bounds.min, geoset.bounds.max) = (geoset.bounds.max, geoset.bounds.min);
            geoset.bounds.radius.set(0.0);
        }
    }
}

/// Shrinks the boxes of geosets that are not turned to their middle.
fn shrink_boxes(model: &mut Document) {
    for chunk in &mut model.chunks {
        let Content::Geosets(records) = &mut chunk.content else { continue };
        for (_, geoset) in records.typed_mut() {
            let bounds = &mut geoset.bounds;
            for (min, max) in bounds.min.iter_mut().zip(&mut bounds.max).filter(|(min, max)| min < max) {
                let middle = f32::midpoint(min.get(), max.get());
                min.set(middle);
                max.set(middle);
            }
            bounds.radius.set(0.0);
        }
    }
}

/// Adds a sequence where no key is.
fn add_sequence(model: &mut Document) {
    edit::add_sequence(model, "Spare", 990_000, 991_000).unwrap();
}

/// Puts a material before all others that is like the first.
fn add_material(model: &mut Document) {
    let next = |id: u32| if id == u32::MAX { id } else { id + 1 };
    for chunk in &mut model.chunks {
        match &mut chunk.content {
            Content::Materials(records) => {
                let first = records.items[0].clone();
                records.items.insert(0, first);
                records.count = records.count.map(|count| count + 1);
            }
            Content::Geosets(records) => records.typed_mut().for_each(|(_, geoset)| {
                let id = &mut geoset.traits.material_id;
                id.set(next(id.get()));
            }),
            Content::Ribbons(records) => records.typed_mut().for_each(|(_, ribbon)| {
                let id = &mut ribbon.fixed.material_id;
                id.set(id.get() + 1);
            }),
            _ => {}
        }
    }
}

/// Puts a texture before all others.
fn add_texture(model: &mut Document) {
    for chunk in &mut model.chunks {
        match &mut chunk.content {
            Content::Textures(rows) => {
                let mut row = rows[0];
                row.path.0[0] ^= 1;
                rows.insert(0, row);
            }
            Content::Materials(records) => records.typed_mut().for_each(|(_, material)| {
                for layer in material.layers.iter_mut().filter_map(Held::typed_mut) {
                    let id = &mut layer.fixed.texture_id;
                    id.set(id.get() + 1);
                    let numbers = layer.tracks.iter_mut().filter(|track| &track.tag == b"KMTF");
                    numbers.for_each(|track| track.values.iter_mut().for_each(|id| *id += 1));
                }
            }),
            Content::Emitters2(records) => records.typed_mut().for_each(|(_, emitter)| {
                let id = match &mut emitter.block {
                    Block2::Warcraft(fixed) => &mut fixed.texture_id,
                    Block2::Wow { fixed, .. } => &mut fixed.texture_id,
                };
                id.set(id.get() + 1);
            }),
            _ => {}
        }
    }
}

/// Puts a global sequence before all others.
fn add_global(model: &mut Document) {
    for chunk in &mut model.chunks {
        if let Content::Globals(lengths) = &mut chunk.content {
            lengths.insert(0, 777.into());
        }
        each_track_of(&mut chunk.content, &mut |track| track.global += i32::from(track.global >= 0));
    }
}

/// Gives a bone that never grows a track far behind all sequences.
fn add_track(model: &mut Document) {
    for chunk in &mut model.chunks {
        let Content::Bones(records) = &mut chunk.content else { continue };
        let (_, bone) = records
            .typed_mut()
            .find(|(_, bone)| !bone.node.tracks.iter().any(|track| &track.tag == b"KGSC"))
            .unwrap();
        let like = galvani::mdx::track::Form::Generic;
        let mut track = Track::new(*b"KGSC", like, galvani::mdx::track::TrackValue::Vector);
        track.times = vec![900_000, 900_100];
        track.values =
            [Vec3::ONE, Vec3::splat(2.0)].iter().flat_map(|row| row.to_array().map(f32::to_bits)).collect();
        bone.node.tracks.push(track);
        return;
    }
}

/// Leaves pivots out that stand at the origin, or adds some.
fn change_pivots(model: &mut Document, dice: &mut Dice) {
    for chunk in &mut model.chunks {
        let Content::Pivots(rows) = &mut chunk.content else { continue };
        let last = *rows.last().unwrap();
        let is_origin = [last.x, last.y, last.z].iter().all(|part| part.get() == 0.0);
        if is_origin && dice.below(2) == 0 {
            rows.pop();
        } else {
            rows.push(last);
        }
    }
}

fn add_empty_chunk(model: &mut Document, dice: &mut Dice) {
    let place = 2 + dice.below(model.chunks.len() - 2);
    model.chunks.insert(place, Chunk { tag: *b"PREM", content: Content::Raw(Raw::default()) });
}

/// Hangs the first node on one that is not there.
pub(crate) fn name_a_missing_parent(model: &mut Document) {
    for chunk in &mut model.chunks {
        if let Content::Bones(records) = &mut chunk.content {
            records.typed_mut().next().unwrap().1.node.fixed.parent_id.set(70);
        }
    }
}

/// Turns bits of a byte of a stream.
fn poke_stream(model: &mut msh::Document, stream: u32, at: usize, bits: u8) {
    let index = model.find(stream).unwrap();
    let mut bytes = model.archive.payload(index).unwrap().to_vec();
    bytes[at] ^= bits;
    model.archive.replace(index, bytes).unwrap();
}

/// Makes the hull of a model a point.
pub(crate) fn shrink_bounds(model: &mut msh::Document) {
    let index = model.find(2).unwrap();
    let mut bytes = model.archive.payload(index).unwrap().to_vec();
    bytes[..96].fill(0);
    model.archive.replace(index, bytes).unwrap();
}
