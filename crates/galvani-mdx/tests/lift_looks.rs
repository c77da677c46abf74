//! Scenes of models against the sampler: colours, opacities, pictures, how pictures move, and where cameras look.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

mod common;

use std::collections::BTreeMap;

use common::make::Dice;
use common::raw::{Bytes, bytes, chunk, head, sequence_warcraft, sized};
use common::shown::{Shown, geoset, layer_with, material, pixel, texture, tint};
use galvani_core::Severity;
use galvani_core::image::light;
use galvani_mdx::Document;
use galvani_mdx::glam::{Mat3, Quat, Vec2, Vec3};
use galvani_mdx::lift::{Options, Picture, axes, lift, milliseconds, seconds};
use galvani_mdx::sample::{Clip, ClockTimes, Cursor, Sampled, WindowEdges};
use galvani_mdx::track::Floats;
use galvani_scene::{Fact, Moment, Sampler, Scene, check};

/// What single precision may add to a tolerance.
const ROUNDING: f32 = 5e-6;

/// How far colours and opacities may be off at most (docs/formats/mdx.md#scene-curves).
const FINE: f32 = 1e-3;

/// A geoset less opaque than this is not seen (docs/formats/mdx.md#scene-hidden).
const SEEN: f32 = 1.0 / 255.0;

/// How many pictures there are.
const PICTURES: u32 = 4;

/// A model whose looks change in every way that a scene can say, its numbers of ordinary size.
struct Looks {
    dice: Dice,
    length: u32,
}

impl Looks {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        dice.word();
        let length = 40 + dice.below(1000);
        Looks { dice, length }
    }

    /// A number between two.
    fn number(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * f32::from(u16::try_from(self.dice.below(10_001)).unwrap()) / 10_000.0
    }

    /// A track of keys over the sequence and a little beyond, of any curve, on any clock.
    fn track(&mut self, tag: &str, kinds: u32, mut value: impl FnMut(&mut Self, bool) -> Bytes) -> Vec<u8> {
        if self.dice.below(4) == 0 {
            return Vec::new();
        }
        let (kind, global) = (self.dice.below(kinds), i32::try_from(self.dice.below(3)).unwrap() - 2);
        let mut times: Vec<u32> =
            (0..=self.dice.below(5)).map(|_| self.dice.below(self.length + 60)).collect();
        times.sort_unstable();
        times.dedup();
        let all = head(tag, u32::try_from(times.len()).unwrap(), kind, global.max(-1));
        let keys = times.into_iter().fold(all, |mut all, time| {
            all = all.i32(i32::try_from(time).unwrap() + 100).raw(value(self, false));
            let tangents = if kind >= 2 { 2 } else { 0 };
            (0..tangents).fold(all, |all, _| all.raw(value(self, kind == 2)))
        });
        keys.0
    }

    fn floats(&mut self, tag: &str, from: f32, to: f32) -> Vec<u8> {
        self.track(tag, 4, |dice, is_slope| {
            bytes().f32s(&[if is_slope { dice.number(-1.0, 1.0) } else { dice.number(from, to) }])
        })
    }

    fn vectors(&mut self, tag: &str, from: f32, to: f32) -> Vec<u8> {
        self.track(tag, 4, |dice, is_slope| {
            let (from, to) = if is_slope { (-1.0, 1.0) } else { (from, to) };
            bytes().f32s(&[0; 3].map(|_| dice.number(from, to)))
        })
    }

    /// Turns of pictures: most about their own axis, some about any.
    fn turns(&mut self, is_tilted: bool) -> Vec<u8> {
        self.track("KTAR", 4, |dice, _| {
            let by = if is_tilted { 0.4 } else { 0.0 };
            let angle = dice.number(-3.0, 3.0);
            let [x, y] = [0; 2].map(|_| dice.number(-by, by));
            let turn = Quat::from_xyzw(x, y, (angle * 0.5).sin(), (angle * 0.5).cos()).normalize();
            bytes().f32s(&turn.to_array())
        })
    }

    /// Stretches, alike along both sides where the picture is turned too.
    fn stretches(&mut self, is_even: bool) -> Vec<u8> {
        self.track("KTAS", 4, |dice, is_slope| {
            let (from, to) = if is_slope { (-0.5, 0.5) } else { (0.5, 2.0) };
            let [x, y] = [0; 2].map(|_| dice.number(from, to));
            bytes().f32s(&[x, if is_even { x } else { y }, 1.0])
        })
    }

    fn animation(&mut self) -> Vec<u8> {
        let (is_turned, is_tilted) = (self.dice.below(2) == 0, self.dice.below(3) == 0);
        let moved = self.vectors("KTAT", -2.0, 2.0);
        let turned = if is_turned { self.turns(is_tilted) } else { Vec::new() };
        let stretched = self.stretches(is_turned);
        sized([moved, turned, stretched].concat())
    }

    fn layer(&mut self) -> Vec<u8> {
        let fades = self.floats("KMTA", 0.0, 1.0);
        let shows = self.track("KMTF", 1, |dice, _| bytes().u32(dice.dice.below(PICTURES + 1)));
        let (filter, animation) = (self.dice.below(3), i32::try_from(self.dice.below(4)).unwrap() - 1);
        layer_with(filter, 0, 0, animation, 0.75, [fades, shows].concat())
    }

    fn camera(&mut self) -> Vec<u8> {
        let fixed = bytes().text(80, "Eye").f32s(&[-40.0, 3.0, 5.0, 0.8, 100.0, 1.0, 30.0, 1.0, 2.0]);
        let place = self.vectors("KCTR", -8.0, 8.0);
        let target = self.vectors("KTTR", -8.0, 8.0);
        let roll = self.floats("KCRL", -1.0, 1.0);
        sized(fixed.raw(place).raw(target).raw(roll))
    }

    fn document(mut self) -> Document {
        let mut sequences = vec![sequence_warcraft("Stand", 100, 100 + self.length)];
        // Does not loop.
        sequences[0].0[0x5c] = u8::from(self.dice.below(2) == 0);
        sequences.push(sequence_warcraft("Walk", 110, 100 + self.length / 2 + 11));
        let materials = (0..3).map(|_| material(&[self.layer()])).collect();
        let animations = (0..3).map(|_| self.animation()).collect();
        let tints = (0..2).map(|geoset| {
            let tracks = [self.floats("KGAO", 0.0, 1.0), self.vectors("KGAC", -0.2, 1.2)].concat();
            tint(geoset, 0.5, self.dice.below(2) * 2, [0.25, 0.5, 1.0], tracks)
        });
        let tints = tints.collect();
        Shown {
            sequences,
            globals: vec![30 + self.dice.below(500)],
            materials,
            textures: (0..PICTURES).map(|i| texture(0, &format!("{i}.blp"), 3)).collect(),
            animations,
            geosets: (0..3).map(geoset).collect(),
            tints,
            more: vec![chunk("CAMS", self.camera())],
            ..Shown::default()
        }
        .document()
    }
}

/// A picture for each texture, all different.
fn pictures() -> Vec<Picture> {
    (0..PICTURES).map(|i| pixel([u8::try_from(i).unwrap(), 0, 0, 255])).collect()
}

/// Times of a clip: places between every two keys of anything, none of them on a key, so that no last bit decides.
fn times(clip: &galvani_scene::Clip) -> Vec<f32> {
    let keys = clip.tracks.iter().flat_map(galvani_scene::Track::times).copied().chain([0.0, clip.duration]);
    let mut keys: Vec<f32> = keys.collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let wide = keys.windows(2).filter(|pair| pair[1] - pair[0] > 4e-6);
    let between = |pair: &[f32]| [0.11, 0.3, 0.5, 0.77].map(|part| pair[0] + (pair[1] - pair[0]) * part);
    let mut all: Vec<f32> = wide.flat_map(between).collect();
    all.extend((0_u8..200).map(|i| clip.duration * (f32::from(i) + 0.37) / 200.0));
    // The seam of what goes round decides by a last bit, too.
    all.retain(|time| keys.iter().all(|key| (key - time).abs() > 1e-6));
    all
}

/// What the sampler says at a moment, by the place of each track.
struct Said<'d> {
    document: &'d Document,
    values: BTreeMap<String, Sampled>,
}

impl Said<'_> {
    fn number(&self, path: &str) -> Option<f32> {
        self.values.get(path).map(|value| match value {
            Sampled::Floats(floats) => floats.as_slice()[0],
            Sampled::Index(_) => panic!("{path} is a number"),
        })
    }

    fn vector(&self, path: &str) -> Option<Vec3> {
        self.values.get(path).map(|value| match value {
            Sampled::Floats(Floats::Three(vector)) => Vec3::from_array(*vector),
            _ => panic!("{path} is a vector"),
        })
    }

    /// How far about its own axis a picture is turned.
    fn angle(&self, path: &str) -> f32 {
        match self.values.get(path) {
            Some(Sampled::Floats(Floats::Rotation(turn))) => 2.0 * turn.z.atan2(turn.w),
            _ => 0.0,
        }
    }

    fn layer(&self, material: usize) -> &galvani_mdx::model::Layer {
        let rows = self.document.chunks.iter().find_map(|chunk| match &chunk.content {
            galvani_mdx::Content::Materials(rows) => Some(rows),
            _ => None,
        });
        rows.unwrap().items[material].typed().unwrap().layers[0].typed().unwrap()
    }

    /// How opaque a geoset and its only layer are together; layers that cover what is behind them do not fade.
    fn opacity(&self, geoset: usize) -> f32 {
        let of = |path: String, still: f32| self.number(&path).unwrap_or(still);
        let whole = if geoset == 2 { 1.0 } else { of(format!("GEOA[{geoset}].KGAO"), 0.5) };
        let fades = self.layer(geoset).fixed.filter_mode.get() > 0;
        whole * if fades { of(format!("MTLS[{geoset}].LAYS[0].KMTA"), 0.75) } else { 1.0 }
    }

    /// Red, green, blue of a geoset as light.
    fn color(&self, geoset: usize) -> Vec3 {
        let still = Vec3::new(0.25, 0.5, 1.0);
        let rows = self.document.chunks.iter().find_map(|chunk| match &chunk.content {
            galvani_mdx::Content::GeosetAnimations(rows) => rows.items.get(geoset)?.typed(),
            _ => None,
        });
        let is_colored = rows.is_some_and(|row| match &row.fixed {
            galvani_mdx::model::GeosetAnimationFixed::Warcraft(fixed) => fixed.flags.get() & 2 != 0,
            galvani_mdx::model::GeosetAnimationFixed::Wow(_) => false,
        });
        let color = match self.vector(&format!("GEOA[{geoset}].KGAC")) {
            Some(Vec3 { x, y, z }) => Vec3::new(z, y, x),
            None if is_colored => still,
            None => Vec3::ONE,
        };
        Vec3::from_array(color.to_array().map(|part| light(part.clamp(0.0, 1.0))))
    }

    /// How a picture is moved, turned and stretched.
    fn animation(&self, index: usize) -> (Vec2, f32, Vec2) {
        let vector = |tag: &str| self.vector(&format!("TXAN[{index}].{tag}"));
        let moved = vector("KTAT").unwrap_or_default().truncate();
        let stretch = vector("KTAS").unwrap_or(Vec3::ONE).truncate();
        (moved, self.angle(&format!("TXAN[{index}].KTAR")), stretch)
    }

    /// Where a camera is, and how it is turned.
    fn eye(&self) -> (Vec3, Quat) {
        let vector = |path: &str| self.vector(path).unwrap_or_default();
        let from = axes(Vec3::new(-40.0, 3.0, 5.0) + vector("CAMS[0].KCTR"));
        let to = axes(Vec3::new(30.0, 1.0, 2.0) + vector("CAMS[0].KTTR"));
        let roll = self.number("CAMS[0].KCRL").unwrap_or_default();
        let ahead = (to - from).normalize();
        let right = ahead.cross(Vec3::Y).normalize();
        let up = right.cross(ahead);
        let rolled = [right * roll.cos() + up * roll.sin(), up * roll.cos() - right * roll.sin()];
        (from, Quat::from_mat3(&Mat3::from_cols(rolled[0], rolled[1], -ahead)))
    }
}

/// How often each kind of thing was compared while it moved.
#[derive(Debug, Default)]
struct Compared {
    colors: usize,
    opacities: usize,
    pictures: usize,
    offsets: usize,
    angles: usize,
    eyes: usize,
}

/// What is said at a moment of a clip, and just before and behind it.
///
/// Seconds of single precision have a last bit, and so have the keys' own: how far the game moves within it nobody can tell, and what is
/// fast is allowed that much more.
struct Instant<'d> {
    now: Said<'d>,
    around: [Said<'d>; 2],
    what: String,
}

impl Instant<'_> {
    /// Holds what was found against what is said.
    fn assert_near<V: Copy + std::fmt::Debug>(
        &self,
        found: V,
        wanted: impl Fn(&Said<'_>) -> V,
        limit: f32,
        off: impl Fn(V, V) -> f32,
        of: &str,
    ) {
        let (far, wanted_now) = (off(found, wanted(&self.now)), wanted(&self.now));
        let [before, behind] = &self.around;
        let blur = off(wanted(before), wanted(behind));
        let what = &self.what;
        assert!(
            far <= limit + blur + ROUNDING,
            "{what}: {of} is {found:?}, not {wanted_now:?}: {far} off, {blur} blurred"
        );
    }
}

/// Compares a scene with the sampler at many times.
fn assert_looks(seed: u64, tolerance: f32, compared: &mut Compared) {
    let document = Looks::new(seed).document();
    let options = Options { tolerance, ..Options::default() };
    let (scene, report) = lift(&document, &pictures(), &options).unwrap();
    assert_eq!(check(&scene).tally(Severity::Error), 0, "{seed}");
    let lost = report.findings().iter().find(|finding| finding.code.name == "mdx.lost-uvs");
    assert!(lost.is_none(), "{seed}: {lost:?}");
    let (mut sampler, mut still) = (Sampler::new(&scene), Moment::at_rest(&scene));
    for (index, lifted) in scene.clips.iter().enumerate() {
        let clip = Clip::new(&document, Some(index), WindowEdges::Auto).unwrap();
        let said = |time: f32| {
            let now = milliseconds(time.clamp(0.0, lifted.duration));
            let mut values = Vec::new();
            clip.values(ClockTimes { time: now, global: now }, &mut Cursor::default(), &mut values);
            let paths = clip.properties().iter().map(|property| property.path.to_string());
            Said { document: &document, values: paths.zip(values).collect() }
        };
        for time in times(lifted) {
            sampler.sample(lifted, time, &mut still);
            let around = [time.next_down(), time.next_up()].map(said);
            let what = format!("{seed}, tolerance {tolerance}, clip {index} at {time} s");
            let instant = Instant { now: said(time), around, what };
            for (place, node) in scene.nodes.iter().enumerate() {
                if node.camera.is_some() {
                    assert_eye(&instant, &still, place, tolerance);
                    compared.eyes += usize::from(instant.now.values.contains_key("CAMS[0].KCRL"));
                }
                let Some(Fact::Int(geoset)) = node.extras.get("geoset") else { continue };
                let geoset = usize::try_from(*geoset).unwrap();
                let mesh = node.mesh.unwrap().index();
                let material = scene.meshes[mesh].primitives[0].material.unwrap().index();
                assert_surface(&scene, &still, &instant, (material, geoset), tolerance, compared);
                assert_moved(&still, &instant, (material, geoset), tolerance, compared);
                let is_seen = instant.now.opacity(geoset) >= SEEN;
                // Within a millisecond of where it turns, whole milliseconds decide.
                let whole = (-2_i8..=2).map(|by| seconds(milliseconds(time).round() + f64::from(by)));
                let between = (-8_i8..=8).map(|by| time + f32::from(by) * 1.4e-4);
                let mut near = whole.chain(between).map(said);
                let is_wrong = still.visible[place] != is_seen
                    && near.all(|said| (said.opacity(geoset) >= SEEN) == is_seen);
                assert!(!is_wrong, "{}: whether geoset {geoset} is seen", instant.what);
            }
        }
    }
}

fn assert_eye(instant: &Instant<'_>, still: &Moment, place: usize, tolerance: f32) {
    let (found, turned) = (still.translations.get(place), still.rotations.get(place));
    // Its place is not baked, and about 50 units away.
    instant.assert_near(found, |said| said.eye().0, 10.0 * ROUNDING, Vec3::distance, "where the camera is");
    let off = |a: Quat, b: Quat| {
        let b = if a.dot(b) < 0.0 { -b } else { b };
        4.0 * (a - b).length().atan2((a + b).length())
    };
    instant.assert_near(turned, |said| said.eye().1, tolerance, off, "how the camera is turned");
}

/// Compares the colour, the opacity and the picture of a geoset.
fn assert_surface(
    scene: &Scene,
    still: &Moment,
    instant: &Instant<'_>,
    (material, geoset): (usize, usize),
    tolerance: f32,
    compared: &mut Compared,
) {
    let (fine, base) = ((10.0 * tolerance).min(FINE), still.colors.get(material));
    let now = &instant.now;
    instant.assert_near(base.truncate(), |said| said.color(geoset), fine, Vec3::distance, "a colour");
    compared.colors += usize::from(now.values.contains_key(&format!("GEOA[{geoset}].KGAC")));
    let fades = now.layer(geoset).fixed.filter_mode.get() > 0;
    let opacity = |said: &Said<'_>| if fades { said.opacity(geoset) } else { 1.0 };
    instant.assert_near(base.w, opacity, fine, |a, b| (a - b).abs(), "an opacity");
    let layer = format!("MTLS[{geoset}].LAYS[0]");
    let both = [format!("GEOA[{geoset}].KGAO"), format!("{layer}.KMTA")];
    compared.opacities += usize::from(fades && both.iter().all(|path| now.values.contains_key(path)));
    let shown = match now.values.get(&format!("{layer}.KMTF")) {
        Some(Sampled::Index(index)) => *index,
        _ => 0,
    };
    let found = still.images[material].map(|image| scene.images[image.index()].pixels.rgba[0][0]);
    let wanted = u8::try_from(shown).ok().filter(|shown| u32::from(*shown) < PICTURES);
    assert_eq!(found, wanted, "{}", instant.what);
    compared.pictures += usize::from(shown > 0);
}

/// Compares how the picture of a geoset is moved, turned and stretched.
fn assert_moved(
    still: &Moment,
    instant: &Instant<'_>,
    (material, geoset): (usize, usize),
    tolerance: f32,
    compared: &mut Compared,
) {
    let animation = instant.now.layer(geoset).fixed.texture_animation_id.get();
    let Ok(animation) = usize::try_from(animation) else { return };
    let middle = Vec2::splat(0.5);
    let offset = |said: &Said<'_>| {
        let (moved, angle, stretch) = said.animation(animation);
        Vec2::from_angle(angle).rotate(moved - middle) * stretch + middle
    };
    let uv = still.uvs.get(material);
    instant.assert_near(uv.offset, offset, tolerance, Vec2::distance, "where a picture is");
    let off = |a: f32, b: f32| {
        let whole = std::f32::consts::TAU;
        (a - b - ((a - b) / whole).round() * whole).abs()
    };
    // The scene turns the other way round.
    instant.assert_near(
        -uv.rotation,
        |said| said.animation(animation).1,
        tolerance,
        off,
        "how a picture is turned",
    );
    let stretch = |said: &Said<'_>| said.animation(animation).2;
    instant.assert_near(uv.scale, stretch, 0.0, Vec2::distance, "how a picture is stretched");
    let (moved, angle, _) = instant.now.animation(animation);
    compared.offsets += usize::from(angle != 0.0 && moved != Vec2::ZERO);
    compared.angles += usize::from(angle != 0.0);
}

/// How many models are looked at.
const SEEDS: u64 = 48;

#[test]
fn surfaces_and_cameras_look_as_the_game_has_them() {
    let mut compared = Compared::default();
    for seed in 0..SEEDS {
        let tolerance = [1e-4, 2e-5, 1e-2][usize::try_from(seed % 3).unwrap()];
        assert_looks(seed, tolerance, &mut compared);
    }
    let Compared { colors, opacities, pictures, offsets, angles, eyes } = compared;
    for (count, what) in [
        (colors, "colours"),
        (opacities, "opacities"),
        (pictures, "pictures"),
        (offsets, "offsets"),
        (angles, "angles"),
        (eyes, "cameras"),
    ] {
        assert!(count >= 2000, "only {count} {what} were compared");
    }
}

#[test]
fn whatever_is_baked_says_how_far_it_is_off() {
    let own = head("KMTA", 2, 1, -1).i32(0).f32s(&[1.0]).i32(1000).f32s(&[0.0]);
    let fades = head("KGAO", 2, 1, -1).i32(0).f32s(&[1.0]).i32(1000).f32s(&[0.5]);
    let shown = |tolerance: f32| {
        let shown = Shown {
            tints: vec![tint(0, 1.0, 0, [1.0; 3], fades.clone())],
            materials: vec![material(&[layer_with(2, 0, 0, -1, 1.0, own.clone())])],
            ..Shown::default()
        };
        let options = Options { tolerance, ..Options::default() };
        let (_, report) = lift(&shown.document(), &[pixel([1; 4])], &options).unwrap();
        let baked = report.findings().iter().find(|finding| finding.code.name == "mdx.baked");
        baked.unwrap().message.clone()
    };
    // (1 − t)(1 − t / 2) is a parabola: a line over w seconds of it is w² / 8 off in its middle, so that 1 / 16 s, as whole milliseconds
    // 63 ms, are near enough.
    assert_eq!(
        shown(1e-4),
        "1 curves have 17 keys and are at most 0.000000 of the model's size, 0.000000 rad and 0.000496 of a colour, opacity or picture from the source"
    );
}
