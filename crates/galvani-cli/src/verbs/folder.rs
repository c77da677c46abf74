//! `unpack` and `pack`: a file as a folder of named values, and back.

use galvani::budget;
use galvani::codes::OCCUPIED;
use galvani::formats::{self, Packing};
use galvani::fs::{MANIFEST, Tree, read_folder, write_folder};
use galvani::render::text::counted;
use serde_json::json;

use crate::args::{Common, Pack, Unpack};
use crate::batch::single;
use crate::failure::{Failure, REFUSED, UNREADABLE, warn};
use crate::out::Output;
use crate::{Outcome, out};

pub(crate) fn unpack(args: &Unpack, common: &Common) -> Outcome {
    let (input, known) = single(&args.input, common)?;
    let opened = known.open(&input, common)?;
    let tree = Tree::new(&args.output);
    if tree.is_occupied() && !common.force {
        let found = OCCUPIED.at(galvani::Path::root()).saying(format!("`{}`", args.output.display()));
        let found = found.advising(
            "name another folder, or say --force: files of the same names are replaced then, all others stay",
        );
        return Err(Failure::Found(REFUSED, Box::new(found)));
    }
    let len = known.source.bytes.len();
    budget::charge_folder(&common.options().read.budget.meter(&budget::COMPARING, len), len)?;
    let folder = opened.document.unpack()?;
    for saved in write_folder(&folder, &tree, &common.overwrite())? {
        warn(&saved.notes, &saved.path.to_string_lossy());
    }
    warn(opened.report.findings(), &input.shown);
    let files = folder.files.len() + 1;
    if common.json {
        out::json(&json!({"path": input.shown, "written": args.output.to_string_lossy(), "files": files}));
    } else {
        let files = counted(u64::try_from(files).unwrap_or(u64::MAX), "file");
        out::text(&format!("{}: {files}\n", args.output.display()));
    }
    Ok(0)
}

pub(crate) fn pack(args: &Pack, common: &Common) -> Outcome {
    let folder = read_folder(&args.folder, common.follow(), &common.options().read)?;
    let names = folder.files.keys().map(String::as_str).chain([MANIFEST]);
    names.for_each(|name| out::spare(&args.folder.join(name)));
    let output = Output::new(&args.output, common)?;
    let id = folder.manifest.get("format").and_then(serde_json::Value::as_str).unwrap_or_default();
    let format = formats::by_id(id).ok_or_else(|| {
        let found = format!("manifest.json: `{id}` is no format");
        let place = galvani::Path::named("manifest").field("format");
        Failure::Found(UNREADABLE, Box::new(galvani::codes::MANIFEST.at(place).saying(found)))
    })?;
    let meter = common.options().read.budget.meter(&budget::PACKING, folder.size());
    budget::charge_packing(&meter, &folder)?;
    let packed = format.pack_within(&Packing { folder: &folder, meter: &meter });
    let bytes = packed.map_err(|error| match Failure::from(error) {
        Failure::Found(_, cause) if cause.code == &galvani::codes::MANIFEST => {
            Failure::Found(UNREADABLE, cause)
        }
        refused => refused,
    })?;
    warn(&output.write(&bytes)?, &args.output.to_string_lossy());
    if args.output == std::path::Path::new("-") {
        return Ok(0);
    }
    if common.json {
        let (path, written) = (args.folder.to_string_lossy(), args.output.to_string_lossy());
        out::json(&json!({"path": path, "written": written, "format": id, "after": bytes.len()}));
    } else {
        out::text(&format!("{}: {} bytes\n", args.output.display(), bytes.len()));
    }
    Ok(0)
}
