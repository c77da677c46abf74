//! `play`: what a model's player shows at a time, and the events that it passed on the way.

use galvani::formats::{Playback, PlayedEvent, PlayedMoment, Selector, Times};
use galvani::render::json::diagnostic;
use galvani::render::pose::{event, played, playing, time};
use galvani::{Report, budget};
use serde_json::{Value, json};

use super::sample::tables;
use crate::args::{Common, Play};
use crate::batch::single;
use crate::failure::{Failure, warn};
use crate::table::printable;
use crate::{Outcome, out};

pub(crate) fn run(args: &Play, common: &Common) -> Outcome {
    if args.at.len() > args.then.len() {
        let found = format!("{} --at for {} --then", args.at.len(), args.then.len());
        return Err(Failure::Usage(found));
    }
    let mut times = Times::default();
    times.extend(args.time.iter().cloned());
    let ats = args.at.iter().copied().map(Some).chain(std::iter::repeat(None));
    let wanted = Playback {
        clip: Selector::new(&args.clip),
        then: ats.zip(args.then.iter().map(|clip| Selector::new(clip))).collect(),
        times,
        node: args.node.as_deref().map(Selector::new),
        seed: args.seed,
        settings: args.playing.0.clone(),
    };
    let (input, known) = single(&args.input, common)?;
    let opened = known.open(&input, common)?;
    let animated = opened.as_animated()?;
    let meter = || common.options().read.budget.meter(&budget::SAMPLING, known.source.bytes.len());
    // Everything is played once before anything is printed: half an answer is none.
    let (mut events, mut last) = (Vec::new(), Value::Null);
    let notes = animated.play(&wanted, &meter(), &mut |moment| {
        events.extend(moment.events.iter().map(event));
        last = playing(&moment);
    })?;
    warn(opened.report.findings(), &input.shown);
    warn(notes.findings(), &input.shown);
    if common.json {
        let mut list = out::JsonList::begin("samples");
        animated.play(&wanted, &meter(), &mut |moment| {
            for row in played(&moment) {
                list.push(&row);
            }
        })?;
        list.end(&beside(&events, &last, &notes));
        return Ok(0);
    }
    let mut poses = Vec::new();
    animated.play(&wanted, &meter(), &mut |moment| {
        out::text(&line(&moment));
        poses.push(moment.pose);
    })?;
    tables(poses.into_iter());
    Ok(0)
}

/// What stands beside the samples: everything that happened, and what plays in the end.
fn beside(events: &[Value], playing: &Value, notes: &Report) -> Value {
    let mut beside = json!({"events": events, "playing": playing});
    let findings: Vec<Value> = notes.findings().iter().map(diagnostic).collect();
    if !findings.is_empty() {
        beside["findings"] = findings.into();
    }
    beside
}

/// What plays at a moment, and what happened since the one before.
fn line(moment: &PlayedMoment) -> String {
    let clip = moment.pose.clip.as_ref();
    let name = clip.and_then(|clip| clip.name.as_deref()).unwrap_or_default();
    let index = clip.and_then(|clip| clip.index).map_or_else(String::new, |index| format!(" (#{index})"));
    let over = if moment.is_over { ", over" } else { "" };
    let fade = if moment.fade > 0.0 {
        format!(", {:.0} % of the pose before it left", moment.fade * 100.0)
    } else {
        String::new()
    };
    let at = time(&moment.pose);
    let since = shown_time(moment.since);
    let name = printable(name);
    let events: String = moment.events.iter().map(happened).collect();
    format!("{at} ms: {name}{index}, begun {since} ms ago{over}{fade}\n{events}")
}

fn happened(event: &PlayedEvent) -> String {
    format!("  {} ms: {}\n", shown_time(event.time), printable(&event.name))
}

/// A time in as many digits as it has.
fn shown_time(time: f64) -> String {
    time.to_string()
}
