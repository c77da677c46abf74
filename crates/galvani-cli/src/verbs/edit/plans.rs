//! Operations from words and recipes.

use std::ffi::OsString;
use std::path::{Component, Path};

use galvani::codes;
use galvani::formats::{self, FORMATS, Format, NamedFile, Step, StepError};
use galvani::fs::{files_in, read, read_below, read_stdin};
use serde_json::{Map, Value};

use crate::args::{Common, unguarded};
use crate::failure::Failure;
use crate::out;

/// What the words mean to each format: its steps, or why it has none.
pub(super) struct Plans(Vec<(&'static str, Result<Vec<Step>, NoSteps>)>);

/// Why a format has no steps, in words.
#[derive(Debug, Clone)]
enum NoSteps {
    /// It knows no such operation.
    Unknown(String),
    /// Something else is wrong with what was said.
    Wrong(String),
}

impl NoSteps {
    /// The same with what is told before it.
    fn map(self, tell: impl FnOnce(String) -> String) -> Self {
        match self {
            NoSteps::Unknown(why) => NoSteps::Unknown(tell(why)),
            NoSteps::Wrong(why) => NoSteps::Wrong(tell(why)),
        }
    }
}

impl From<String> for NoSteps {
    fn from(why: String) -> Self {
        NoSteps::Wrong(why)
    }
}

impl From<StepError> for NoSteps {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Unknown(..) | StepError::Stray { .. } => NoSteps::Unknown(error.to_string()),
            StepError::Missing(..) | StepError::Wrong { .. } | StepError::File(_) => {
                NoSteps::Wrong(error.to_string())
            }
        }
    }
}

impl From<NoSteps> for Failure {
    fn from(why: NoSteps) -> Self {
        match why {
            NoSteps::Unknown(why) => Failure::Operation(why),
            NoSteps::Wrong(why) => Failure::Usage(why),
        }
    }
}

impl Plans {
    /// Reads the words once for every format. Files that they name are read, too.
    pub(super) fn new(
        inputs: &[OsString],
        operations: &[OsString],
        recipe: Option<&Path>,
        common: &Common,
    ) -> Result<Self, Failure> {
        let text = |word: &OsString| {
            let text = word.to_str().map(|word| unguarded(word).to_owned());
            text.ok_or_else(|| Failure::Usage(format!("`{}` is no text", word.display())))
        };
        let words = operations.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        let stdin_is_spent = inputs.iter().any(|input| input == "-");
        let mut files = Files { common, stdin_is_spent, stdin: None };
        let mut plans = Vec::new();
        for format in FORMATS {
            files.stdin_is_spent = stdin_is_spent;
            plans.push((format.info().id, steps(&words, recipe, *format, &mut files)));
        }
        Ok(Plans(plans))
    }

    /// The steps for a format, if it knows all of them.
    pub(super) fn steps_for(&self, format: &dyn Format) -> Option<&[Step]> {
        self.find(format)?.as_deref().ok()
    }

    /// Why a format has no steps.
    pub(super) fn refusal(&self, format: &dyn Format) -> Failure {
        let why = self.find(format).and_then(|plan| plan.as_ref().err()).cloned();
        why.unwrap_or_else(|| String::new().into()).into()
    }

    /// Whether any format knows all of the steps; if none does, why the nearest does not.
    pub(super) fn any(&self) -> Result<(), Failure> {
        if self.0.iter().any(|(_, plan)| plan.is_ok()) {
            return Ok(());
        }
        // A format that knows the operation says more about it than one that does not.
        let known = |why: &&NoSteps| matches!(why, NoSteps::Wrong(_));
        let mut whys = self.0.iter().filter_map(|(_, plan)| plan.as_ref().err());
        let why = whys.clone().find(known).or_else(|| whys.next()).cloned();
        Err(why.unwrap_or_else(|| String::new().into()).into())
    }

    fn find(&self, format: &dyn Format) -> Option<&Result<Vec<Step>, NoSteps>> {
        self.0.iter().find(|(id, _)| *id == format.info().id).map(|(_, plan)| plan)
    }
}

/// The recipe's operations, then those of the command line.
fn steps(
    words: &[String],
    recipe: Option<&Path>,
    format: &dyn Format,
    files: &mut Files<'_>,
) -> Result<Vec<Step>, NoSteps> {
    let mut steps = Vec::new();
    if let Some(recipe) = recipe {
        let text = files.read(recipe)?;
        steps = recipe_steps(recipe, &text, format, files)?;
    }
    let said = Step::all(format, &mut words.iter().cloned(), files);
    steps.extend(said?);
    if steps.is_empty() {
        return Err("no operation given; `edit --list` shows all".to_owned().into());
    }
    Ok(steps)
}

/// Files that operations name, standard input once.
struct Files<'a> {
    common: &'a Common,
    stdin_is_spent: bool,
    /// What it held, once an operation wanted it: every format is asked for the same words.
    stdin: Option<Vec<u8>>,
}

impl formats::Files for Files<'_> {
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        self.read(Path::new(name))
    }

    fn folder(&mut self, name: &str) -> Result<Vec<NamedFile>, String> {
        self.all(Path::new(name))
    }
}

impl Files<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let limits = self.common.options().read.limits;
        if path != Path::new("-") {
            out::spare(path);
            return read(path, &limits).map_err(|error| error.cause.message);
        }
        if std::mem::replace(&mut self.stdin_is_spent, true) {
            return Err("`-`: standard input can be read only once".to_owned());
        }
        if self.stdin.is_none() {
            self.stdin = Some(read_stdin(&limits).map_err(|error| error.cause.message)?);
        }
        Ok(self.stdin.clone().unwrap_or_default())
    }
}

impl Files<'_> {
    /// The files right inside a folder.
    fn all(&mut self, folder: &Path) -> Result<Vec<NamedFile>, String> {
        let limits = self.common.options().read.limits;
        let found = files_in(folder, self.common.follow(), &limits).map_err(|error| error.cause.message)?;
        for file in &found {
            out::spare(&folder.join(&file.name));
        }
        Ok(found)
    }

    /// A file that a recipe names: a plain one below the recipe's own folder, unless it may lead anywhere.
    fn beside(&mut self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        if self.common.follow || name == "-" {
            return self.read(&folder.join(name));
        }
        out::spare(&folder.join(name));
        let found = read_below(folder, name, &self.common.options().read.limits);
        found.map_err(|error| format!("{}: {}", error.cause.code.summary, error.cause.message))
    }
}

/// Files beside a recipe.
struct Beside<'a, 'f> {
    files: &'a mut Files<'f>,
    folder: &'a Path,
}

impl formats::Files for Beside<'_, '_> {
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        self.files.beside(self.folder, name)
    }

    fn folder(&mut self, name: &str) -> Result<Vec<NamedFile>, String> {
        let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if is_below || self.files.common.follow {
            self.files.all(&self.folder.join(name))
        } else {
            Err(format!("`{name}`: {}", codes::OUTSIDE.summary))
        }
    }
}

/// The operations of a recipe; files are looked for beside it.
fn recipe_steps(
    recipe: &Path,
    text: &[u8],
    format: &dyn Format,
    files: &mut Files<'_>,
) -> Result<Vec<Step>, NoSteps> {
    let wrong = |what: String| format!("{}: {what}", recipe.display());
    let rows: Vec<Map<String, Value>> =
        serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
    let folder = recipe.parent().unwrap_or(Path::new(""));
    for (i, row) in rows.iter().enumerate() {
        check_types(row, format).map_err(|(name, why)| wrong(format!("[{i}].{name}: {why}")))?;
    }
    let mut steps = Vec::new();
    for (i, mut row) in rows.into_iter().enumerate() {
        let name = row.shift_remove("op");
        let name = name.as_ref().and_then(Value::as_str);
        let name = name.ok_or_else(|| wrong(format!("operation {i} has no `op`")))?;
        let mut given = |arg: &str| {
            let value = row.shift_remove(arg)?;
            Some(word(&value))
        };
        let step = Step::with_args(format, name, &mut given, &mut Beside { files, folder });
        let numbered = |why| wrong(format!("operation {i}: {why}"));
        steps.push(step.map_err(|error| NoSteps::from(error).map(numbered))?);
        if let Some(stranger) = row.keys().next() {
            return Err(wrong(format!("operation {i}: `{stranger}` is no argument of `{name}`")).into());
        }
    }
    Ok(steps)
}

/// Refuses a value of a type that its argument is never said in: its name, and what is wanted and found.
fn check_types<'a>(row: &'a Map<String, Value>, format: &dyn Format) -> Result<(), (&'a str, String)> {
    let name = row.get("op");
    if let Some(name) = name.filter(|name| !name.is_string()) {
        return Err(("op", format!("the name of an operation is wanted, {name} found")));
    }
    let name = name.and_then(Value::as_str);
    let Some(operation) = format.info().operations.iter().find(|one| Some(one.name) == name) else {
        return Ok(());
    };
    for (key, value) in row {
        let arg = operation.args.iter().find(|arg| arg.name == key);
        if let Some(arg) = arg.filter(|arg| !arg.kind.takes(value)) {
            return Err((key, format!("{} is wanted, {value} found", arg.kind.wanted())));
        }
    }
    Ok(())
}

/// A value of a recipe as it would stand on the command line: lists have commas between their items.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
