//! Pictures that follow each other, and the files they become.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(clippy::float_cmp, reason = "the same moment is the same number")]

mod common;

use common::{Sight, bent};
use galvani_render::{Background, Frame, Image, Meter, Moves, Moving, Shot, Stage, Wear, apng};

/// The frames of a scene's clip and their pictures.
fn film(moves: Moves, background: Background) -> (Vec<Frame>, Vec<(Image, u32)>) {
    let (scene, meter) = (bent(), Meter::unlimited());
    let stage = Stage::new(&scene, &Wear::default(), &meter).unwrap();
    let clip = scene.clips.first();
    let sight = Sight { size: (60, 50), background, ..Sight::default() };
    let eye = stage.eye(&stage.stances(clip), (sight.direction, sight.lens, 1.2), (1.0, moves));
    let frames = Moving { clip, fps: 15.0, moves }.frames().unwrap();
    let shot = |frame: &Frame| Shot { background, ..Shot::new(60, 50, eye.around(frame.turn)) };
    let images = stage.film(clip, &frames, shot, &meter).unwrap().0;
    (frames, images)
}

/// How many pixels differ.
fn differing(a: &Image, b: &Image) -> usize {
    a.rgba.iter().zip(&b.rgba).filter(|(a, b)| a != b).count()
}

#[test]
fn pictures_of_a_clip_differ_and_its_end_is_its_start() {
    let (frames, images) = film(Moves::Model, Background::Transparent);
    assert_eq!((frames.len(), images.len()), (15, 15));
    // In the middle it turns back, and stands as it stood before.
    let steps = images.windows(2).filter(|pair| differing(&pair[0].0, &pair[1].0) > 20);
    assert_eq!(steps.count(), 13);
    // From the last to the first is a step like any other.
    let step = differing(&images[0].0, &images[1].0);
    let closing = differing(&images[14].0, &images[0].0);
    assert!(closing * 2 < step * 3 && step * 2 < closing * 3, "{closing} beside {step}");
    let scene = bent();
    let end = Sight::default().picture(&scene, 1.0).image;
    assert_eq!(end, Sight::default().picture(&scene, 0.0).image);
}

#[test]
fn what_goes_around_comes_back_and_is_never_cut() {
    let (frames, images) = film(Moves::Around, Background::Transparent);
    assert_eq!(frames.len(), 60);
    let is_cut = |image: &Image| {
        let is_edge = |i: usize| i.is_multiple_of(60) || i % 60 == 59 || !(60..49 * 60).contains(&i);
        image.rgba.iter().enumerate().any(|(i, pixel)| is_edge(i) && pixel[3] > 0)
    };
    assert!(images.iter().all(|(image, _)| !is_cut(image)));
    assert!(frames[7].time == frames[37].time && differing(&images[7].0, &images[37].0) > 100);
}

#[test]
fn a_moving_png_is_what_was_drawn() {
    let (_, images) = film(Moves::Model, Background::Transparent);
    let file = apng(&images).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    assert_eq!((control.num_frames, control.num_plays), (15, 0));
    let mut time = 0;
    for (image, end) in &images {
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgba).unwrap();
        assert_eq!(rgba, image.rgba.as_flattened());
        let frame = reader.info().frame_control().unwrap();
        time += u32::from(frame.delay_num) * 1000 / u32::from(frame.delay_den);
        assert_eq!(time, *end);
    }
    assert_eq!(time, 1000);
}

/// The pictures of a GIF as a viewer shows them, each with its time in hundredths of a second.
fn viewed(file: &[u8]) -> Vec<(Vec<[u8; 4]>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let (mut canvas, mut all) = (vec![[0; 4]; width * height], Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let wide = usize::from(frame.width);
        let place =
            |i: usize| (usize::from(frame.top) + i / wide) * width + usize::from(frame.left) + i % wide;
        for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate().filter(|(_, pixel)| pixel[3] > 0)
        {
            canvas[place(i)] = *pixel;
        }
        all.push((canvas.clone(), frame.delay));
        if frame.dispose == gif::DisposalMethod::Background {
            (0..wide * usize::from(frame.height)).for_each(|i| canvas[place(i)] = [0; 4]);
        }
    }
    all
}

#[test]
fn a_gif_is_nearly_what_was_drawn() {
    for background in [Background::Transparent, Background::Plain([200, 40, 40])] {
        let (_, images) = film(Moves::Model, background);
        let file = galvani_render::gif(&images).unwrap();
        let seen = viewed(&file);
        assert_eq!(seen.len(), images.len());
        assert_eq!(seen.iter().map(|(_, delay)| u32::from(*delay)).sum::<u32>(), 100);
        for ((seen, _), (image, _)) in seen.iter().zip(&images) {
            for (seen, pixel) in seen.iter().zip(&image.rgba) {
                assert_eq!(seen[3] == 255, pixel[3] >= 128);
                let far = (0..3).map(|i| seen[i].abs_diff(pixel[i])).max().unwrap();
                assert!(seen[3] == 0 || far <= 10, "{seen:?} beside {pixel:?}");
            }
        }
    }
}

#[test]
fn a_still_picture_is_what_was_drawn() {
    for background in [Background::Transparent, Background::Plain([7, 8, 9])] {
        let image = Sight { background, ..Sight::default() }.picture(&bent(), 0.2).image;
        let file = galvani_render::png(&image).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        let per_pixel = if background == Background::Transparent { 4 } else { 3 };
        let wanted: Vec<u8> = image.rgba.iter().flat_map(|pixel| pixel[..per_pixel].to_vec()).collect();
        assert_eq!(bytes, wanted);
    }
}
