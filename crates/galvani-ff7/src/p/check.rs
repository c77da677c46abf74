//! What can be wrong with a polygon file.

mod bounds;
mod groups;

use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes};

use super::{Document, VERSION};

codes! {
    TRUNCATED = Error, "ff7-p.truncated",
        "the bytes end inside the header",
        "the file was cut short";
    VERSION_UNKNOWN = Error, "ff7-p.version",
        "the version is not 1",
        "the game knows no other version; the rest is read as if it were 1";
    CUT = Error, "ff7-p.cut",
        "the file ends inside a section",
        "whole records stay readable, the bytes behind them are kept; the file was cut short or a count is damaged";
    NO_NORMAL_INDEX = Note, "ff7-p.no-normal-index",
        "the table of one normal per vertex is missing",
        "some of the game's own files end before it; the game does without";
    REST = Warning, "ff7-p.rest",
        "bytes follow the last section",
        "the game does not look at them; the canonical form drops them";
    COLOURS_FEW = Error, "ff7-p.colours-few",
        "there are fewer colours than vertices",
        "the game takes one for every vertex";
    HUNDREDS_FEW = Error, "ff7-p.hundreds-few",
        "there are fewer drawing states than groups",
        "the game takes one for every group";
    UNUSED = Warning, "ff7-p.count-unused",
        "a section has records that nobody can name",
        "every vertex has one colour and every group one drawing state; the last ones are not looked at";
    GROUP_RANGE = Error, "ff7-p.group-range",
        "a group reaches past a section",
        "its start or its count is damaged";
    GROUP_ORDER = Warning, "ff7-p.group-order",
        "polygons stand between two groups or behind the last",
        "nobody draws them";
    GROUP_OVERLAP = Warning, "ff7-p.group-overlap",
        "two groups have polygons in common",
        "they are drawn twice; every group of the game's files has its own";
    POLY_TYPE = Warning, "ff7-p.poly-type",
        "the kind of a group's polygons is not 1, 2 or 3",
        "1 is without a texture, 2 with texture and normals, 3 with a texture only";
    POLY_VERTEX = Error, "ff7-p.poly-vertex",
        "a polygon names a vertex that its group does not have",
        "vertices count from the group's first";
    POLY_NORMAL = Error, "ff7-p.poly-normal",
        "a polygon names a normal that is not there",
        "normals count from the file's first";
    POLY_EDGE = Warning, "ff7-p.poly-edge",
        "a polygon names an edge that is not there",
        "there are fewer edges in the file, wherever one counts from";
    EDGE_VERTEX = Warning, "ff7-p.edge-vertex",
        "an edge names a vertex that is not there",
        "there are fewer vertices in the file, wherever one counts from";
    NORMAL_INDEX = Error, "ff7-p.normal-index",
        "a vertex has a normal that is not there",
        "normals count from the file's first";
    NOT_FINITE = Error, "ff7-p.not-finite",
        "a number is infinite or none at all",
        "nothing can be drawn there; set it";
    BOX = Warning, "ff7-p.box",
        "the box does not hold every vertex",
        "the operation `recompute-bounds` sets it";
    TEXTURE_NUMBER = Note, "ff7-p.texture-number",
        "a texture's number is beyond 9",
        "models of battle.lgp have ten textures at most";
    TEXTURE_ID = Note, "ff7-p.texture-id",
        "the drawing state names another texture than the group",
        "the game takes the drawing state's; the operation `set-texture` sets both";
    COUNT = Error, "ff7-p.count",
        "the header does not count what is there",
        "the document was put together wrongly; `Document::count` sets it";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    if document.header.version.get() != VERSION {
        let found = format!("{VERSION} wanted, {} found", document.header.version.get());
        report.push(VERSION_UNKNOWN.at(Path::named("header").field("version")).saying(found));
    }
    counts(document, &mut report);
    damage(document, &mut report);
    bounds::numbers(document, &mut report);
    bounds::boxes(document, &mut report);
    groups::groups(document, &mut report);
    groups::polys(document, &mut report);
    groups::edges(document, &mut report);
    groups::normal_index(document, &mut report);
    ends(document, &mut report);
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    let Some(cut) = document.cut().filter(|_| !document.lacks_normal_index()) else { return };
    let (wanted, found, rest) = (cut.wanted, cut.found(), document.rest.len());
    let found = format!("{wanted} records of {} bytes wanted, {found} found and {rest} bytes", cut.stride);
    report.push(CUT.at(Path::named(cut.name)).saying(found));
}

/// Vertices and groups have what belongs to them.
fn counts(document: &Document, report: &mut Report) {
    let header = &document.header;
    let pairs = [
        ("vertex_colours", header.vertex_colours.get(), header.verts.get(), &COLOURS_FEW),
        ("hundreds", header.hundreds.get(), header.groups.get(), &HUNDREDS_FEW),
    ];
    for (field, found, wanted, few) in pairs {
        let code = if found < wanted { few } else { &UNUSED };
        if found != wanted {
            let found = format!("{wanted} wanted, {found} found");
            report.push(code.at(Path::named("header").field(field)).saying(found));
        }
    }
}

fn ends(document: &Document, report: &mut Report) {
    if document.lacks_normal_index() {
        let found = format!("{} entries wanted, the file ends", document.header.verts.get());
        report.push(NO_NORMAL_INDEX.at(Path::named("normal_index")).saying(found));
    }
    if !document.rest.is_empty() && document.cut().is_none() {
        report.push(REST.at(Path::named("rest")).saying(format!("{} bytes", document.rest.len())));
    }
}
