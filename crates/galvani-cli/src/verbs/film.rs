//! Models on their way to pictures: what `render`, `show` and `info` have in common.

use galvani::formats::{Opened, Selector, Settings, Site};
use galvani::fs::Input;
use galvani::image::Image;
use galvani::pictures::{
    self, Background, Direction, Eye, Lens, Marks, Moves, Moving, Shot, Stage, Stance, Wear,
};
use galvani::scene::{Clip, Scene};
use galvani::{Meter, Report, budget};

use crate::args::{Common, FitTo, Looking};
use crate::batch::Known;
use crate::failure::Failure;
use crate::surroundings::Surroundings;
use crate::verbs::convert::meant;

/// A model that is drawn.
pub(crate) struct Model {
    pub(crate) scene: Scene,
    /// What is not seen of it.
    pub(crate) report: Report,
}

impl Model {
    /// The model of an input where it stands; nothing if that is a piece of another one which `is_piece` says is drawn anyway.
    pub(crate) fn new(
        opened: &Opened,
        (known, input): (&Known, &Input),
        looking: &Looking,
        is_piece: impl FnOnce(&Site<'_>) -> bool,
        common: &Common,
    ) -> Result<Option<Self>, Failure> {
        let around = Surroundings::new(input, &looking.textures, common)?;
        around.at(known, |site| {
            if is_piece(site) {
                return Ok(None);
            }
            let settings = meant(&looking.staging.0, &[opened.format.info().lifting], input);
            let (scene, lost) =
                pictures::scene(opened, site, &settings, &meter(known.source.bytes.len(), common))?;
            let mut report = opened.report.clone();
            report.append(lost);
            Ok(Some(Model { scene, report }))
        })
    }
}

/// What drawing an input of so many bytes may take.
pub(crate) fn meter(len: usize, common: &Common) -> Meter {
    common.options().read.budget.meter(&budget::RENDERING, len)
}

/// Pictures of a model, of one size.
pub(crate) struct Camera<'a> {
    pub(crate) stage: Stage<'a>,
    pub(crate) clip: Option<&'a Clip>,
    looking: &'a Looking,
    size: (u32, u32),
    eye: Eye,
    moves: Moves,
}

impl<'a> Camera<'a> {
    /// Of a clip, the one that `looking` names or the usual one.
    pub(crate) fn new(
        scene: &'a Scene,
        looking: &'a Looking,
        (size, time, moves): ((u32, u32), f32, Moves),
        (notes, meter): (&mut Report, &Meter),
    ) -> Result<Self, Failure> {
        let wanted = looking.clip.as_deref().map(Selector::new);
        let clip = pictures::clip(scene, wanted.as_ref(), notes)?;
        Camera::of(scene, clip, looking, (size, time, moves), meter)
    }

    /// Of this clip.
    pub(crate) fn of(
        scene: &'a Scene,
        clip: Option<&'a Clip>,
        looking: &'a Looking,
        (size, time, moves): ((u32, u32), f32, Moves),
        meter: &Meter,
    ) -> Result<Self, Failure> {
        let stage = Stage::new(scene, &Wear::default(), meter)?;
        let aspect = f64::from(size.0) / f64::from(size.1);
        let stances = match looking.fit {
            FitTo::Clip => stage.stances(clip),
            FitTo::Pose => vec![stage.stance(clip, time)],
        };
        let direction = looking.view.unwrap_or(Direction::USUAL);
        let eye = stage.eye(&stances, (direction, looking.lens(), aspect), (looking.zoom, moves));
        Ok(Camera { stage, clip, looking, size, eye, moves })
    }

    fn shot(&self, turn: f64) -> Shot {
        let (width, height) = self.size;
        let background = self.looking.background.unwrap_or(Background::Transparent);
        let mut shot = Shot::new(width, height, self.eye.around(turn));
        (shot.background, shot.marks) = (background, self.looking.marks());
        shot
    }

    /// A picture at a time of the clip.
    pub(crate) fn still(&self, time: f32, notes: &mut Report, meter: &Meter) -> Result<Image, Failure> {
        let stance: Stance = self.stage.stance(self.clip, time);
        let picture = self.stage.picture(&stance, &self.shot(0.0), meter)?;
        notes.append(picture.report);
        Ok(picture.image)
    }

    /// A picture at a time of the clip from farther around and nearer, with these marks and before this.
    pub(crate) fn taken(
        &self,
        time: f32,
        (turn, zoom): (f64, f64),
        (marks, background): (Marks, Background),
        meter: &Meter,
    ) -> Result<Image, Failure> {
        let mut shot = self.shot(turn);
        shot.eye = shot.eye.nearer(zoom);
        (shot.marks, shot.background) = (marks, background);
        Ok(self.stage.picture(&self.stage.stance(self.clip, time), &shot, meter)?.image)
    }

    /// Pictures that follow each other, each with the time at which it ends.
    pub(crate) fn film(
        &self,
        fps: f32,
        notes: &mut Report,
        meter: &Meter,
    ) -> Result<Vec<(Image, u32)>, Failure> {
        let frames = Moving { clip: self.clip, fps, moves: self.moves }.frames()?;
        let (images, report) = self.stage.film(self.clip, &frames, |frame| self.shot(frame.turn), meter)?;
        notes.append(report);
        Ok(images)
    }
}

/// A texture as a picture: of its own size, or as large as fits into another. It has no clips.
pub(crate) fn texture(
    opened: &Opened,
    size: Option<(u32, u32)>,
    looking: &Looking,
    meter: &Meter,
) -> Result<Image, Failure> {
    let clip = looking.clip.as_deref().map(Selector::new);
    pictures::clip(&Scene::default(), clip.as_ref(), &mut Report::default())?;
    let background = looking.background.unwrap_or(Background::Transparent);
    Ok(pictures::texture(opened, size, background, meter)?)
}

/// A small picture of a model as it is usually looked at, or of a texture; nothing of what is neither, or has nothing to draw.
pub(crate) fn small(
    opened: &Opened,
    site: &Site<'_>,
    (width, height): (u32, u32),
    common: &Common,
) -> Option<Image> {
    let meter = meter(opened.map.len(), common);
    let Ok((scene, _)) = pictures::scene(opened, site, &Settings::default(), &meter) else {
        return pictures::texture(opened, Some((width, height)), Background::Transparent, &meter).ok();
    };
    let clip = pictures::clip(&scene, None, &mut Report::default()).ok()?;
    let stage = Stage::new(&scene, &Wear::default(), &meter).ok()?;
    let aspect = f64::from(width) / f64::from(height);
    let stance = stage.stance(clip, 0.0);
    let fitted = std::slice::from_ref(&stance);
    let eye = stage.eye(fitted, (Direction::USUAL, Lens::Perspective, aspect), (1.0, Moves::Model));
    Some(stage.picture(&stance, &Shot::new(width, height, eye), &meter).ok()?.image)
}
