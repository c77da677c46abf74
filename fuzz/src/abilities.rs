//! What only some documents can do, asked with arguments that the first bytes pick.

use galvani::convert::{self, Target, Writing};
use galvani::formats::{
    self, DrawView, Format, Links, OpenOptions, Opened, Pose, RootOption, Sampling, Selector, Setting,
    Settings, Site, Times,
};
use galvani::{Budget, Severity, budget};

use crate::beside::{Damaged, own_name, samples_of};
use crate::door::dice_and_file;
use crate::laws;

/// Poses that are looked at of one document.
const POSES: usize = 24;

/// Poses come out the same alone as among others, and so does each of their nodes.
pub(crate) fn sample(format: &'static dyn Format, data: &[u8]) {
    let Some((mut dice, opened)) = dice_and_document(format, data) else { return };
    let Ok(animated) = opened.as_animated() else { return };
    let settings = settings(format.info().sampling, &mut dice);
    let clip = dice.pick(&[None, Some("0"), Some("1"), Some("#2"), Some("all"), Some("stand")]);
    let wanted = Sampling { times: times(&mut dice), node: None, clip: clip.map(Selector::new), settings };
    let poses = |wanted: &Sampling| -> Option<Vec<Pose>> {
        animated.sample(wanted).ok()?.poses.take(POSES).collect::<Result<_, _>>().ok()
    };
    let Some(all) = poses(&wanted) else { return };
    let Some(pose) = all.get(dice.index(all.len())) else { return };
    let (clip, times) =
        (pose.clip.as_ref().and_then(|clip| clip.index), pose.time.map_or_else(Times::default, Times::at));
    let alone = Sampling { times, clip: clip.map(Selector::Index), ..wanted };
    if pose.time.is_some() {
        let again = poses(&alone).expect("what was sampled among others is sampled alone");
        assert_eq!(format!("{again:?}"), format!("{:?}", [pose]), "another pose alone than among others");
    }
    let Some(node) = pose.nodes.get(dice.index(pose.nodes.len())) else { return };
    let one = Sampling { node: Some(Selector::Index(node.index)), ..alone };
    let again = poses(&one).expect("a node that was sampled among others is sampled alone");
    if pose.time.is_some() {
        let nodes: Vec<_> = again.iter().flat_map(|pose| &pose.nodes).collect();
        assert_eq!(format!("{nodes:?}"), format!("{:?}", [node]), "another node alone than among others");
    }
}

/// Whatever is said about it and whatever lies beside it, a scene is sound and becomes a file that is as long as it says, or
/// it is refused.
pub(crate) fn lift(format: &'static dyn Format, data: &[u8]) {
    let Some((dice, file)) = dice_and_file(data) else { return };
    let mut dice = Dice(dice.iter());
    let info = format.info();
    let settings = settings(&[info.lifting, Writing::SETTINGS].concat(), &mut dice);
    let names: Vec<&str> = samples_of(format).map(own_name).chain([""]).collect();
    let name = dice.pick(&names);
    let mut beside = Damaged::default();
    if lift_at(format, file, &settings, &Site::named(name, &beside)) && damage(&mut beside, &mut dice) {
        lift_at(format, file, &settings, &Site::named(name, &beside));
    }
}

/// The same where a file stands; whether it became a scene.
fn lift_at(format: &'static dyn Format, file: &[u8], settings: &Settings, site: &Site<'_>) -> bool {
    let Ok(opened) = format.open_at(file, &OpenOptions::default(), site) else { return false };
    if !laws::lifts(&opened, &settings.among(format.info().lifting), site) {
        return false;
    }
    let meter = galvani::Meter::unlimited();
    let Ok(made) = convert::glb(&opened, site, settings, &meter) else { return true };
    let length = made.files.get(8..12).map(|word| [word[0], word[1], word[2], word[3]]);
    assert_eq!(length.map(u32::from_le_bytes), u32::try_from(made.files.len()).ok());
    if made.kept > 0 {
        let gltf = formats::by_id("gltf").expect("a format of ours");
        let gltf = gltf.open(&made.files, &OpenOptions::default()).expect("a file of ours");
        let back = convert::restored(&gltf, site, &meter).expect("an untouched file goes back").files;
        assert!(back.first().is_some_and(|(_, own)| own == file), "the file that comes back is another");
        for (name, bytes) in &back[1..] {
            let beside = site.links.find(name);
            assert!(beside.is_none_or(|beside| *beside == *bytes), "the {name} that comes back is another");
        }
    }
    true
}

/// Cuts some of the neighbours that were asked for, or changes a byte of theirs; whether there are any.
fn damage(beside: &mut Damaged, dice: &mut Dice<'_>) -> bool {
    let met = beside.met();
    for _ in 0..=dice.index(3) {
        let Some(name) = met.get(dice.index(met.len())) else { return false };
        let len = beside.find(name).map_or(0, |bytes| bytes.len());
        let at = usize::from(u16::from_le_bytes([dice.byte(), dice.byte()])) % len.max(1);
        match dice.byte() {
            0..=31 => beside.cut(name, at),
            bits => beside.flip(name, at, bits),
        }
    }
    true
}

/// What planes hide is not drawn, and nothing else is missing or added; flags pick calls.
pub(crate) fn draw(format: &'static dyn Format, data: &[u8]) {
    let Some((mut dice, opened)) = dice_and_document(format, data) else { return };
    let Ok(drawn) = opened.as_drawn() else { return };
    let view = shown(&mut dice);
    let planes: Vec<[f32; 4]> = (0..dice.index(4)).map(|_| std::array::from_fn(|_| dice.number())).collect();
    let meter = || Budget::default().meter(&budget::QUERYING, data.len());
    let Ok(all) = drawn.draw(&view, &[], &meter()) else { return };
    let seen = drawn.draw(&view, &planes, &meter()).expect("planes are no reason to refuse");
    let mut rest = all.iter();
    assert!(seen.iter().all(|call| rest.any(|other| other == call)), "planes added a call");
    let fits = |flags: u32| (view.mask == 0 || flags & view.mask != 0) && flags & view.without == 0;
    assert!(all.iter().all(|call| fits(call.flags)), "a call that nobody asked for");
}

/// What is met lies on the ray, between the corners of a triangle.
pub(crate) fn pick(format: &'static dyn Format, data: &[u8]) {
    let Some((mut dice, opened)) = dice_and_document(format, data) else { return };
    let Ok(drawn) = opened.as_drawn() else { return };
    let view = shown(&mut dice);
    let ray = std::array::from_fn(|_| dice.number());
    let Ok(Some(hit)) = drawn.pick(&view, ray, &Budget::default().meter(&budget::QUERYING, data.len()))
    else {
        return;
    };
    assert!(hit.distance >= 0.0, "{hit:?} lies behind the ray");
    let sum: f32 = hit.barycentrics.iter().sum();
    assert!((sum - 1.0).abs() < 1e-2, "{hit:?} lies outside its triangle");
}

/// Sides of the largest picture that is made a file.
const SIDE: u32 = 64;

/// A picture has as many pixels as it says; as a file of any kind it reads, has nothing wrong, and the same size.
pub(crate) fn picture(format: &'static dyn Format, data: &[u8]) {
    let Some((mut dice, opened)) = dice_and_document(format, data) else { return };
    let Ok(picture) = opened.as_picture() else { return };
    let Ok(image) = picture.image(&settings(format.info().picturing, &mut dice)) else { return };
    assert_eq!(u64::try_from(image.rgba.len()), Ok(u64::from(image.width) * u64::from(image.height)));
    let targets = Target::all();
    let target = targets[dice.index(targets.len())];
    let Target::File { format, encoding, .. } = target else { return };
    if image.width > SIDE || image.height > SIDE {
        return;
    }
    let settings = settings(encoding.settings, &mut dice);
    let Ok((file, _)) = convert::picture(&image, target, &settings, None, &galvani::Meter::unlimited())
    else {
        return;
    };
    let made = format.open(&file, &OpenOptions::default()).expect("what was made reads");
    // What was asked for may be odd, such as four bits of alpha for JPEG; it is never wrong.
    let wrong = made.check().showing(Severity::Warning);
    assert!(wrong.findings().is_empty(), "{}: {:?}", target.word(), wrong.findings());
    let shown = made.as_picture().expect("a picture").image(&Settings::default()).expect("one that shows");
    assert_eq!((shown.width, shown.height), (image.width, image.height));
}

/// What is asked for, and of which document.
fn dice_and_document<'a>(format: &'static dyn Format, data: &'a [u8]) -> Option<(Dice<'a>, Opened)> {
    let (dice, file) = dice_and_file(data)?;
    Some((Dice(dice.iter()), format.open(file, &OpenOptions::default()).ok()?))
}

/// Bytes that decide something; behind the last one stand zeros.
struct Dice<'a>(std::slice::Iter<'a, u8>);

impl Iterator for Dice<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0.next().copied()
    }
}

impl Dice<'_> {
    fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    /// A place below a count; 0 where there is none.
    fn index(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.index(among.len())]
    }

    /// A small number, more rarely one that is odd.
    fn number(&mut self) -> f32 {
        match self.byte() {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::MIN,
            3 => f32::MIN_POSITIVE,
            byte => f32::from(byte.cast_signed()) / 4.0,
        }
    }
}

/// Some of the options that are declared, by words that may be values of theirs.
fn settings(declared: &[Setting], dice: &mut Dice<'_>) -> Settings {
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for setting in declared {
        if dice.byte() % 2 == 1 {
            chosen.push((setting.name, laws::word(setting.kind, dice)));
        }
    }
    let words: Vec<(&str, &str)> = chosen.iter().map(|(name, word)| (*name, word.as_str())).collect();
    Settings::from_words(declared, &words).unwrap_or_default()
}

/// A few times and ranges.
fn times(dice: &mut Dice<'_>) -> Times {
    let mut all = Times::default();
    for _ in 0..dice.index(4) {
        let word = dice.pick(&["0", "0..3", "-1", "NaN", "1e9", "0.5..2.5:0.25", "0..1e15", "", "", ""]);
        let time = word.parse().unwrap_or_else(|_| Times::at(f64::from(dice.number()) * 16.0));
        all.extend([time]);
    }
    all
}

fn shown(dice: &mut Dice<'_>) -> DrawView {
    DrawView {
        lod: dice.pick(&[0, 1, 2, -1, 3, i8::MIN]),
        group: dice.pick(&[0, 1, 2, 3, 4, -1, 5, i8::MAX]),
        time: dice.number(),
        root: dice.pick(&[RootOption::Keep, RootOption::Clear]),
        mask: dice.pick(&[0, 0, 1, 2, u32::MAX]),
        without: dice.pick(&[0, 0, 1, 4]),
    }
}
