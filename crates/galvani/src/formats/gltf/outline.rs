//! What a file of glTF holds: nodes as a tree, meshes, animations, pictures, and what they lie in.

use std::borrow::Cow;

use galvani_gltf::Document;
use galvani_gltf::document::view::{Animation, Mesh, Mode, Node, View};
use galvani_gltf::document::{Address, BIN, Frame, address};

use crate::formats::outline::{in_a_line, wide};
use crate::formats::{Cell, Column, Fact, ListStyle, Outline, OutlineCount, Section, Unknown};

pub(super) fn outline(document: &Document) -> Outline {
    let Ok(view) = document.view() else { return Outline::default() };
    Outline {
        counts: counts(&view),
        facts: facts(document, &view),
        sections: vec![nodes(&view), meshes(&view), animations(&view), images(&view), bytes(&view)],
        unknown: unknown(document),
    }
}

/// What tells most in a line.
pub(super) fn summary(document: &Document) -> String {
    let Ok(view) = document.view() else { return String::new() };
    in_a_line(&[
        OutlineCount::new("nodes", "node", view.nodes.len()),
        OutlineCount::new("meshes", "mesh", view.meshes.len()),
        OutlineCount::new("animations", "animation", view.animations.len()),
    ])
}

fn counts(view: &View<'_>) -> Vec<OutlineCount> {
    vec![
        OutlineCount::new("scenes", "scene", view.scenes.len()),
        OutlineCount::new("nodes", "node", view.nodes.len()),
        OutlineCount::new("meshes", "mesh", view.meshes.len()),
        OutlineCount::new("skins", "skin", view.skins.len()),
        OutlineCount::new("materials", "material", view.materials.len()),
        OutlineCount::new("textures", "texture", view.textures.len()),
        OutlineCount::new("images", "image", view.images.len()),
        OutlineCount::new("cameras", "camera", view.cameras.len()),
        OutlineCount::new("lights", "light", view.extensions.lights.lights.len()),
        OutlineCount::new("animations", "animation", view.animations.len()),
        OutlineCount::machines("accessors", view.accessors.len()),
        OutlineCount::machines("buffer_views", view.buffer_views.len()),
        OutlineCount::machines("buffers", view.buffers.len()),
    ]
}

fn facts(document: &Document, view: &View<'_>) -> Vec<Fact> {
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    let names = |names: &[Cow<'_, str>]| {
        Cell::List(names.iter().map(|name| Cell::text(name.clone().into_owned())).collect())
    };
    let frame = match document.frame {
        Frame::Text { .. } => "text",
        Frame::Binary(_) => "binary",
    };
    // Whose file it was before it became this.
    let source =
        view.scenes.get(view.scene.unwrap_or(0)).and_then(|scene| scene.extras?.member("galvani")?.text());
    let source: Option<serde_json::Value> = source.and_then(|text| serde_json::from_str(&text).ok());
    let format = source.and_then(|source| source.get("format")?.as_str().map(str::to_owned));
    let mut facts = vec![
        Fact::new("version", "version", Cell::text(view.asset.version.clone().into_owned())),
        Fact::new("generator", "made by", text(&view.asset.generator).into()),
        Fact::machines("frame", frame.into()),
        Fact::new("made_from", "made from", format.filter(|format| !format.is_empty()).into()),
    ];
    if !view.extensions_used.is_empty() {
        facts.push(Fact::new("extensions_used", "extensions", names(&view.extensions_used)));
    }
    if !view.extensions_required.is_empty() {
        facts.push(Fact::new("extensions_required", "required extensions", names(&view.extensions_required)));
    }
    facts
}

/// What each node hangs on.
pub(super) fn parents(view: &View<'_>) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; view.nodes.len()];
    for (i, node) in view.nodes.iter().enumerate() {
        for &child in &node.children {
            if let Some(parent) = parents.get_mut(child) {
                parent.get_or_insert(i);
            }
        }
    }
    parents
}

fn nodes(view: &View<'_>) -> Section {
    let parents = parents(view);
    let row = |(i, node): (usize, Cow<'_, Node<'_>>)| {
        vec![
            i.into(),
            parents.get(i).copied().flatten().into(),
            Cell::text(node.name.clone().into_owned()),
            node.mesh.into(),
            node.skin.into(),
            node.camera.into(),
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::machines("parent"),
        Column::new("name", "name"),
        Column::new("mesh", "mesh"),
        Column::new("skin", "skin"),
        Column::machines("camera"),
    ];
    let rows = view.nodes.iter().enumerate().map(row).collect();
    // What hangs on itself, or comes before what it hangs on, has no place in a tree for people.
    let is_tree = parents.iter().enumerate().all(|(i, parent)| parent.is_none_or(|parent| parent < i));
    let section = Section::new("nodes", "Nodes", &columns, rows);
    if is_tree { section.looking(ListStyle::Tree { column: 2, parents }) } else { section }
}

fn meshes(view: &View<'_>) -> Section {
    let count = |accessor: Option<usize>| {
        accessor.and_then(|accessor| view.accessors.get(accessor)).map_or(0, |accessor| accessor.count)
    };
    let row = |(i, mesh): (usize, Cow<'_, Mesh<'_>>)| {
        let (mut vertices, mut triangles) = (0_usize, 0_usize);
        for primitive in mesh.primitives.iter() {
            let own = count(primitive.attribute("POSITION"));
            let joined = if primitive.indices.is_some() { count(primitive.indices) } else { own };
            vertices = vertices.saturating_add(own);
            triangles = triangles.saturating_add(match primitive.mode {
                Mode::Triangles => joined / 3,
                Mode::TriangleStrip | Mode::TriangleFan => joined.saturating_sub(2),
                _ => 0,
            });
        }
        let parts = mesh.primitives.len();
        let name = Cell::text(mesh.name.clone().into_owned());
        vec![i.into(), name, parts.into(), vertices.into(), triangles.into()]
    };
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::new("primitives", "primitives"),
        Column::new("vertices", "vertices"),
        Column::new("triangles", "triangles"),
    ];
    Section::new("meshes", "Meshes", &columns, view.meshes.iter().enumerate().map(row).collect())
}

fn animations(view: &View<'_>) -> Section {
    let row = |(i, animation): (usize, Cow<'_, Animation<'_>>)| {
        let last = |input: Option<usize>| view.accessors.get(input?)?.max.as_ref()?.first().copied();
        let ends = animation.samplers.iter().filter_map(|sampler| last(sampler.input));
        let seconds = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
        let channels = animation.channels.len();
        let seconds = Cell::Float(galvani_core::maths::single(seconds));
        vec![i.into(), Cell::text(animation.name.clone().into_owned()), seconds, channels.into()]
    };
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::new("seconds", "seconds"),
        Column::new("channels", "channels"),
    ];
    Section::new("animations", "Animations", &columns, view.animations.iter().enumerate().map(row).collect())
}

fn images(view: &View<'_>) -> Section {
    let rows = view.images.iter().enumerate().map(|(i, image)| {
        let place = image.uri.as_deref().map(address);
        let (place, file) = match place {
            Some(Address::File(name)) => ("beside", Some(name.into_owned())),
            Some(Address::Inline(_)) => ("text", None),
            Some(Address::Elsewhere) => ("elsewhere", None),
            None => ("bytes", None),
        };
        let kind = image.mime_type.clone().map(Cow::into_owned);
        vec![i.into(), Cell::text(image.name.clone().into_owned()), kind.into(), place.into(), file.into()]
    });
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::new("mime_type", "kind"),
        Column::new("in", "in"),
        Column::new("file", "file"),
    ];
    Section::new("images", "Images", &columns, rows.collect())
}

fn bytes(view: &View<'_>) -> Section {
    let rows = view.buffers.iter().enumerate().map(|(i, buffer)| {
        let place = match buffer.uri.as_deref().map(address) {
            Some(Address::File(name)) => Cell::text(name.into_owned()),
            Some(Address::Inline(_)) => "text".into(),
            Some(Address::Elsewhere) => "elsewhere".into(),
            None => Cell::Nothing,
        };
        vec![i.into(), buffer.byte_length.into(), place]
    });
    let columns = [Column::new("index", "#"), Column::new("byte_length", "bytes"), Column::new("in", "in")];
    Section::new("buffers", "Buffers", &columns, rows.collect())
}

fn unknown(document: &Document) -> Vec<Unknown> {
    let Frame::Binary(binary) = &document.frame else { return Vec::new() };
    let chunks = binary.chunks.iter().filter(|chunk| chunk.kind != BIN);
    chunks
        .map(|chunk| Unknown { kind: u32::from_le_bytes(chunk.kind), size: wide(chunk.bytes.len()) })
        .collect()
}
