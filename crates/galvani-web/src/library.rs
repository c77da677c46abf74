//! The session as a browser calls it: texts of JSON, bytes and numbers.

use galvani::glam::Quat;
use galvani::render::json::report;
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::play::Over;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::show::{Account, Asked};

/// What every call may end with: a text of JSON that says why.
type Told<T> = Result<T, JsError>;

/// Everything that is open.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Library {
    session: Session,
    /// What the last call made beside what it told.
    block: Vec<u8>,
    /// Where the last frame lies.
    frame: (usize, usize),
}

/// A panic is told as an error, with its place.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&format!("panic: {info}"))));
}

#[wasm_bindgen]
impl Library {
    /// Nothing is open yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Library::default()
    }

    /// Puts a file on the shelf.
    pub fn put(&mut self, path: &str, bytes: &[u8]) {
        self.session.put(path, bytes);
    }

    /// Puts the samples on the shelf, and says what they show.
    pub fn put_samples(&mut self) -> String {
        self.session.put_samples().to_string()
    }

    /// Takes everything off the shelf, and closes what is open.
    pub fn clear(&mut self) {
        self.session.clear();
    }

    /// The files on the shelf.
    pub fn paths(&self) -> String {
        self.session.paths().to_string()
    }

    /// Opens a file or a member of an archive, by a reading: `auto`, `documented`, `observed`.
    pub fn open(&mut self, path: &str, reading: &str) -> Told<usize> {
        told(self.session.open(path, reading))
    }

    /// Closes a file.
    pub fn close(&mut self, handle: usize) {
        self.session.close(handle);
    }

    /// What a file is, and what can be done with it.
    pub fn about(&self, handle: usize) -> Told<String> {
        text(self.session.about(handle))
    }

    /// What a file holds.
    pub fn info(&self, handle: usize) -> Told<String> {
        told(self.session.info(handle))
    }

    /// What is wrong with a file.
    pub fn findings(&self, handle: usize) -> Told<String> {
        text(self.session.findings(handle))
    }

    /// The members of an archive.
    pub fn members(&self, handle: usize) -> Told<String> {
        text(self.session.members(handle))
    }

    /// The parts of a file.
    pub fn parts(&self, handle: usize) -> Told<String> {
        text(self.session.parts(handle))
    }

    /// The values of a part from a record on.
    pub fn values(&self, handle: usize, part: usize, first: usize) -> Told<String> {
        text(self.session.values(handle, part, first))
    }

    /// The value that has a byte.
    pub fn value_at(&self, handle: usize, offset: usize) -> Told<String> {
        text(self.session.value_at(handle, offset))
    }

    /// Some of a file's bytes.
    pub fn bytes(&self, handle: usize, start: usize, len: usize) -> Told<Vec<u8>> {
        told(self.session.bytes(handle, start, len))
    }

    /// What is drawn of a model; its numbers lie in the [block](Library::take_block).
    pub fn scene(&mut self, handle: usize, settings: &str) -> Told<String> {
        let settings = told(parsed(settings))?;
        let (description, block) = told(self.session.scene(handle, &settings))?;
        self.block = block;
        Ok(description.to_string())
    }

    /// What the last call made beside what it told.
    pub fn take_block(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.block)
    }

    /// Reckons a moment: where its numbers lie in memory, in bytes. What is asked is a list: a clip (below 0 none) and its time;
    /// a clip over it (below 0 none), its time and weight; 1 for the game's account, 0 for that of the scene's curves; and the
    /// turn from the scene's space into the viewer's.
    pub fn frame(&mut self, handle: usize, asked: &[f64]) -> Told<usize> {
        let frame = told(asked_of(asked).and_then(|asked| self.session.frame(handle, asked)))?;
        self.frame = (frame.as_ptr().addr(), frame.len());
        Ok(self.frame.0)
    }

    /// How many numbers the last frame has.
    pub fn frame_len(&self) -> usize {
        self.frame.1
    }

    /// Where the nodes are at a time, as the format's own numbers. A clip without a name is none.
    pub fn poses(&self, handle: usize, clip: &str, time: f64) -> Told<String> {
        text(self.session.poses(handle, Some(clip).filter(|clip| !clip.is_empty()), time))
    }

    /// What keys move, and the keys.
    pub fn timeline(&self, handle: usize) -> Told<String> {
        text(self.session.timeline(handle))
    }

    /// The operations of a file's format.
    pub fn operations(&self, handle: usize) -> Told<String> {
        text(self.session.operations(handle))
    }

    /// Does steps, all or none; tells what they cost.
    pub fn edit(&mut self, handle: usize, steps: &str) -> Told<String> {
        let steps = told(parsed(steps))?;
        text(self.session.edit(handle, &steps))
    }

    /// Takes the last edit back; false if there is none.
    pub fn undo(&mut self, handle: usize) -> Told<bool> {
        told(self.session.undo(handle))
    }

    /// Makes the edit that was taken back last again; false if there is none.
    pub fn redo(&mut self, handle: usize) -> Told<bool> {
        told(self.session.redo(handle))
    }

    /// The file to be saved.
    pub fn whole(&self, handle: usize) -> Told<Vec<u8>> {
        told(self.session.whole(handle))
    }

    /// A model as glTF, which is the block; tells what that does not say.
    pub fn glb(&mut self, handle: usize) -> Told<String> {
        let made = told(self.session.glb(handle))?;
        self.block = made.bytes;
        Ok(Value::Object(report(&made.report)).to_string())
    }

    /// How a model may be shown, as forms.
    pub fn lifting(&self, handle: usize) -> Told<String> {
        text(self.session.lifting(handle))
    }

    /// What rays and bodies meet: lines of nodes, whose numbers lie in the [block](Library::take_block).
    pub fn solids(&mut self, handle: usize) -> Told<String> {
        let (solids, block) = told(self.session.solids(handle))?;
        self.block = block;
        Ok(solids.to_string())
    }

    /// A clip as a picture that moves, which is the block; tells what is not on it.
    pub fn film(&mut self, handle: usize, asked: &str) -> Told<String> {
        let asked = told(parsed(asked))?;
        let made = told(self.session.film(handle, &asked))?;
        self.block = made.bytes;
        Ok(Value::Object(report(&made.report)).to_string())
    }

    /// A small picture as PNG.
    pub fn thumbnail(&self, handle: usize, side: u32) -> Told<Vec<u8>> {
        told(self.session.thumbnail(handle, side))
    }

    /// What differs between two open files.
    pub fn diff(&self, a: usize, b: usize) -> Told<String> {
        text(self.session.diff(a, b))
    }
}

/// What is asked for by a list of numbers.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn asked_of(asked: &[f64]) -> Result<Asked, Refusal> {
    let [clip, time, over, over_time, weight, is_game, x, y, z, w] = *asked else {
        return Err(Refusal::request(format!("ten numbers are wanted, {} were given", asked.len())));
    };
    let clip_of = |number: f64| (number >= 0.0).then_some(number as usize);
    let over = clip_of(over).map(|clip| Over { clip, time: over_time, weight: weight as f32 });
    let account = if is_game > 0.0 { Account::Game } else { Account::Curves };
    let camera =
        Some(Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32)).filter(|turn| turn.is_normalized());
    Ok(Asked { clip: clip_of(clip), time, over, account, camera })
}

/// What was told, or why not, as a browser throws it.
fn told<T>(told: Result<T, Refusal>) -> Told<T> {
    told.map_err(|failure| JsError::new(&failure.said.to_string()))
}

/// The same as a text of JSON.
fn text<T: Serialize>(answer: Result<T, Refusal>) -> Told<String> {
    told(
        answer.and_then(|value| {
            serde_json::to_string(&value).map_err(|error| Refusal::request(error.to_string()))
        }),
    )
}

fn parsed(text: &str) -> Result<Value, Refusal> {
    serde_json::from_str(text).map_err(|error| Refusal::request(error.to_string()))
}
