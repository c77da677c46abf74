//! What `edit` can do: for people, machines, the manual and shells.

use std::collections::BTreeMap;
use std::fmt::Write;

use galvani::formats::{FORMATS, Info};
use serde_json::json;

use crate::args::Common;
use crate::out;

/// The operations of a format, or of all of them.
pub(super) fn list(format: &str, common: &Common) {
    let all = FORMATS.iter().map(|format| format.info());
    let infos: Vec<&Info> = all.filter(|info| format == "all" || info.id == format).collect();
    if common.json {
        out::json(
            &json!({"formats": infos.into_iter().map(galvani::render::json::operations).collect::<Vec<_>>()}),
        );
        return;
    }
    let bold = anstyle::Style::new().bold();
    for info in infos {
        out::text(&format!("{bold}{}{bold:#}: {}\n", info.id, info.name));
        if info.operations.is_empty() {
            out::text("  none\n");
        }
        for operation in info.operations {
            let usage = format!("{} {}", operation.name, operation.form());
            out::text(&format!("  {usage:<34} {}\n", operation.summary));
        }
    }
}

/// The names of all operations, each with what it does in the first format that knows it.
pub(crate) fn names() -> BTreeMap<&'static str, &'static str> {
    let operations = FORMATS.iter().flat_map(|format| format.info().operations);
    let mut names = BTreeMap::new();
    for operation in operations {
        names.entry(operation.name).or_insert(operation.summary);
    }
    names
}

/// A section of the manual.
pub(crate) fn man() -> String {
    let mut page = ".SH OPERATIONS\n".to_owned();
    for info in FORMATS.iter().map(|format| format.info()) {
        let _ = writeln!(page, ".SS {}", roff(&format!("{}: {}", info.id, info.name)));
        for operation in info.operations {
            let (name, form) = (roff(operation.name), roff(&operation.form()));
            let _ = writeln!(page, ".TP\n\\fB{name}\\fR {form}\n{}", roff(operation.summary));
            for arg in operation.args {
                let name = roff(&arg.name.to_uppercase());
                let meaning = roff(&format!("{} ({})", arg.help, arg.kind.wanted()));
                let _ = writeln!(page, ".br\n{name}: {meaning}");
            }
        }
    }
    page
}

/// Text that the manual's language takes for nothing else.
fn roff(text: &str) -> String {
    text.replace('\\', "\\\\").replace('-', "\\-")
}
