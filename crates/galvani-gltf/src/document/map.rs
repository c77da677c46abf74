//! Which bytes of a file are what: the values of its text by their JSON paths, and the lists in its bytes.

use galvani_core::map::FileMap;
use galvani_core::record::{Field, FieldKind};
use galvani_core::{Exhausted, Meter, Path};

use super::view::{Component, Shape};
use super::{CHUNK_HEAD_LEN, Data, Document, Frame, HEADER_LEN, JsonKind, JsonValue, View};

/// The most values that are named one by one; what follows stays text. Far above what any model has.
const MOST: usize = 1 << 17;

/// The map of a document's file.
pub(super) fn file_map(document: &Document, len: usize) -> Result<FileMap, Exhausted> {
    let mut map = FileMap::new(len);
    let start = document.text_start();
    match &document.frame {
        Frame::Text { has_mark: true } => map.run(Path::named("mark"), 0, start, FieldKind::Raw),
        Frame::Text { has_mark: false } => {}
        Frame::Binary(_) => {
            let chunk = Path::named("chunks").index(0);
            map.run(Path::named("magic"), 0, 4, FieldKind::Text);
            word(&mut map, Path::named("version"), 4);
            word(&mut map, Path::named("length"), 8);
            word(&mut map, chunk.field("length"), HEADER_LEN);
            map.run(chunk.field("kind"), HEADER_LEN.saturating_add(4), 4, FieldKind::Text);
        }
    }
    let mut text = Text { map: &mut map, start, at: start, gaps: 0, left: MOST };
    text.value(document.json().root(), Path::root());
    let end = start.saturating_add(document.json().text().len());
    text.gap(end);
    chunks(&mut map, document, end)?;
    for (i, (start, end)) in map.gaps().into_iter().enumerate() {
        map.run(Path::named("unused").index(i), start, end.saturating_sub(start), FieldKind::Raw);
    }
    Ok(map)
}

/// Whole numbers of four bytes.
static WORD: [Field; 1] = [field(FieldKind::U32, 4, 1)];

fn word(map: &mut FileMap, path: Path, at: usize) {
    map.table_as(path, at, 1, &WORD, 4);
}

/// The values of a text, in order; what lies between them is text, too.
struct Text<'m> {
    map: &'m mut FileMap,
    /// Where the text begins in the file.
    start: usize,
    /// Up to where it has an owner.
    at: usize,
    gaps: usize,
    left: usize,
}

impl Text<'_> {
    fn value(&mut self, value: JsonValue<'_>, path: Path) {
        match value.kind() {
            JsonKind::Object => {
                let mut others = 0_usize;
                for field in value.fields() {
                    if let Some(name) = field.name.word() {
                        self.value(field.value, path.field(name));
                    } else {
                        // Its name is only in the text.
                        let (start, end) = (field.key().range().start, field.value.range().end);
                        self.claim(path.field("other").index(others), start, end);
                        others = others.saturating_add(1);
                    }
                }
            }
            JsonKind::Array
                if value.elements().next().is_some_and(|first| first.kind() == JsonKind::Object) =>
            {
                for (i, element) in value.elements().enumerate() {
                    self.value(element, path.index(i));
                }
            }
            _ => self.claim(path, value.range().start, value.range().end),
        }
    }

    fn claim(&mut self, path: Path, start: usize, end: usize) {
        let (start, end) = (self.start.saturating_add(start), self.start.saturating_add(end));
        if self.left == 0 || path.is_root() {
            return;
        }
        self.left = self.left.saturating_sub(1);
        self.gap(start);
        self.map.run(path, start, end.saturating_sub(start), FieldKind::Text);
        self.at = end;
    }

    /// What nobody claimed up to a place.
    fn gap(&mut self, to: usize) {
        if self.at < to {
            let len = to.saturating_sub(self.at);
            self.map.run(Path::named("text").index(self.gaps), self.at, len, FieldKind::Text);
            self.gaps = self.gaps.saturating_add(1);
            self.at = to;
        }
    }
}

fn chunks(map: &mut FileMap, document: &Document, text_end: usize) -> Result<(), Exhausted> {
    let Frame::Binary(binary) = &document.frame else { return Ok(()) };
    run(map, Path::named("chunks").index(0).field("padding"), text_end, binary.zeros, FieldKind::Padding);
    let mut at = text_end.saturating_add(binary.zeros);
    for (i, chunk) in binary.chunks.iter().enumerate() {
        let path = Path::named("chunks").index(i.saturating_add(1));
        word(map, path.field("length"), at);
        map.run(path.field("kind"), at.saturating_add(4), 4, FieldKind::Text);
        at = at.saturating_add(CHUNK_HEAD_LEN);
        if i == 0 && document.bin().is_some() {
            lists(map, document, at)?;
        } else {
            run(map, path.field("bytes"), at, chunk.bytes.len(), FieldKind::Payload);
        }
        at = at.saturating_add(chunk.bytes.len());
    }
    run(map, Path::named("trailing"), at, binary.trailing.len(), FieldKind::Raw);
    Ok(())
}

/// Claims bytes, if there are any.
fn run(map: &mut FileMap, path: Path, start: usize, len: usize, kind: FieldKind) {
    if len > 0 {
        map.run(path, start, len, kind);
    }
}

/// What lies in the bytes of a `.glb`: lists that lie close together by their numbers, the rest by its view.
fn lists(map: &mut FileMap, document: &Document, start: usize) -> Result<(), Exhausted> {
    let view = document.view()?;
    let data = Data::new(document, &view, &Meter::unlimited())?;
    for (i, accessor) in view.accessors.iter().enumerate().take(MOST) {
        let place = accessor.buffer_view.and_then(|index| in_bin(&view, index));
        let (Some((at, _)), Ok(items)) = (place, data.items(i)) else { continue };
        let (fields, stride) = fields(items.component(), items.shape());
        if items.is_tight() {
            let at = start.saturating_add(at).saturating_add(accessor.byte_offset);
            map.table_as(view.accessors.path(i).field("values"), at, items.count(), fields, stride);
        }
    }
    for i in 0..view.buffer_views.len().min(MOST) {
        if let Some((at, len)) = in_bin(&view, i).filter(|_| data.buffer_view(i).is_ok()) {
            let path = view.buffer_views.path(i).field("bytes");
            map.run(path, start.saturating_add(at), len, FieldKind::Payload);
        }
    }
    Ok(())
}

/// Where a view lies in the first buffer, compressed or not.
fn in_bin(view: &View<'_>, index: usize) -> Option<(usize, usize)> {
    let view = view.buffer_views.get(index)?;
    let (buffer, offset, len) = match view.extensions.packed() {
        Some(packed) => (packed.buffer, packed.byte_offset, packed.byte_length),
        None => (view.buffer, view.byte_offset, view.byte_length),
    };
    (buffer == Some(0)).then_some((offset, len))
}

const fn field(kind: FieldKind, size: usize, count: usize) -> Field {
    Field { name: "value", offset: 0, size: size.saturating_mul(count), kind, count }
}

/// An element of each number of components.
const fn elements(kind: FieldKind, size: usize) -> [[Field; 1]; 6] {
    [
        [field(kind, size, 1)],
        [field(kind, size, 2)],
        [field(kind, size, 3)],
        [field(kind, size, 4)],
        [field(kind, size, 9)],
        [field(kind, size, 16)],
    ]
}

static ELEMENTS: [[[Field; 1]; 6]; 6] = [
    elements(FieldKind::I8, 1),
    elements(FieldKind::U8, 1),
    elements(FieldKind::I16, 2),
    elements(FieldKind::U16, 2),
    elements(FieldKind::U32, 4),
    elements(FieldKind::F32, 4),
];

/// The fields of an element, and its bytes.
fn fields(component: Component, shape: Shape) -> (&'static [Field], usize) {
    let [i8s, u8s, i16s, u16s, u32s, f32s] = &ELEMENTS;
    let [one, two, three, four, nine, sixteen] = match component {
        Component::I8 => i8s,
        Component::U8 => u8s,
        Component::I16 => i16s,
        Component::U16 => u16s,
        Component::U32 => u32s,
        Component::F32 => f32s,
    };
    let fields = match shape {
        Shape::Scalar => one,
        Shape::Vec2 => two,
        Shape::Vec3 => three,
        Shape::Vec4 | Shape::Mat2 => four,
        Shape::Mat3 => nine,
        Shape::Mat4 => sixteen,
    };
    (fields, fields[0].size)
}
