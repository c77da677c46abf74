//! The bytes of a document: of its buffers, of views of them, and the lists that lie in those.

use std::borrow::Cow;
use std::collections::BTreeMap;

use galvani_core::{Code, Diagnostic, Exhausted, Meter, Path};

use super::accessor::{Items, Layout, SparseItems};
use super::check::{
    BOUNDS, BUFFER_LENGTH, COMPRESSED, DATA_URI, ELSEWHERE, INDEX, MISSING_FILE, NO_BYTES, SPARSE, STRIDE,
    VALUE,
};
use super::meshopt::Head;
use super::uri::{Address, address};
use super::view::{Accessor, At, Buffer, BufferView, Sparse, ViewExtensions};
use super::{Document, JsonValue, View};

/// The bytes of a document. What is compressed is decompressed once.
#[derive(Debug)]
pub struct Data<'a> {
    view: &'a View<'a>,
    /// Where the text begins in its file.
    base: usize,
    buffers: Vec<Result<Cow<'a, [u8]>, Gone>>,
    /// Views that are compressed; nothing where that is damaged.
    decompressed: BTreeMap<usize, Option<Vec<u8>>>,
}

/// Why a buffer has no bytes, and in what words.
type Gone = (&'static Code, &'static str);

/// What is wrong, or that there is no room.
type Outcome<T> = Result<T, Box<Diagnostic>>;

impl<'a> Data<'a> {
    /// Finds the bytes; whatever has to be made is charged. What is not there is told when it is asked for.
    pub fn new(document: &'a Document, view: &'a View<'a>, meter: &Meter) -> Result<Self, Exhausted> {
        let mut data =
            Data { view, base: document.text_start(), buffers: Vec::new(), decompressed: BTreeMap::new() };
        for (i, buffer) in view.buffers.iter().enumerate() {
            let bytes = bytes_of(document, i, &buffer, meter)?;
            galvani_core::room::push(&mut data.buffers, bytes)?;
        }
        for i in 0..view.buffer_views.len() {
            let Some(found) = view.buffer_views.get(i) else { continue };
            if found.extensions.packed().is_some() {
                let made = data.decompress(&found.extensions, meter)?;
                data.decompressed.insert(i, made);
            }
        }
        Ok(data)
    }

    /// The document that it is of.
    pub fn view(&self) -> &'a View<'a> {
        self.view
    }

    /// The bytes of a buffer, as many as it says.
    pub fn buffer(&self, index: usize) -> Outcome<&[u8]> {
        let buffers = &self.view.buffers;
        let wrong = |code: &'static Code, said: String| self.wrong_at(code, buffers.at(index), said);
        let (Some(buffer), Some(found)) = (buffers.get(index), self.buffers.get(index)) else {
            return Err(self.missing(buffers.path(index), buffers.len()));
        };
        match found {
            Ok(bytes) => bytes.get(..buffer.byte_length).ok_or_else(|| {
                let said = format!("{} bytes wanted, {} found", buffer.byte_length, bytes.len());
                wrong(&BUFFER_LENGTH, said)
            }),
            Err((code, said)) => Err(wrong(code, (*said).to_owned())),
        }
    }

    /// The bytes of a view.
    pub fn buffer_view(&self, index: usize) -> Outcome<&[u8]> {
        let views = &self.view.buffer_views;
        let Some(view) = views.get(index) else {
            return Err(self.missing(views.path(index), views.len()));
        };
        self.bytes_in(index, &view)
    }

    fn bytes_in(&self, index: usize, view: &BufferView<'_>) -> Outcome<&[u8]> {
        let at = self.view.buffer_views.at(index);
        if let Some(made) = self.decompressed.get(&index) {
            let made = made.as_deref().filter(|made| made.len() >= view.byte_length);
            return made.ok_or_else(|| self.wrong_at(&COMPRESSED, at, String::new()));
        }
        let Some(buffer) = view.buffer else {
            let said = "no buffer is named".to_owned();
            return Err(self.wrong(&INDEX, at.path().field("buffer"), at.value(), said));
        };
        let bytes = self.buffer(buffer)?;
        slice(bytes, view.byte_offset, view.byte_length).ok_or_else(|| {
            let said = format!(
                "{} bytes from {} on wanted, {} bytes found",
                view.byte_length,
                view.byte_offset,
                bytes.len()
            );
            self.wrong_at(&BOUNDS, at, said)
        })
    }

    /// The list of that number.
    pub fn items(&self, index: usize) -> Outcome<Items<'_>> {
        let accessors = &self.view.accessors;
        let Some(accessor) = accessors.get(index) else {
            return Err(self.missing(accessors.path(index), accessors.len()));
        };
        let wrong = |code: &'static Code, said: String| self.wrong_at(code, accessors.at(index), said);
        let (Some(component), Some(shape)) = (accessor.component, accessor.shape) else {
            return Err(wrong(&VALUE, "what its numbers are is not known".to_owned()));
        };
        let layout = Layout { component, shape, normalized: accessor.normalized };
        let count = accessor.count;
        let (bytes, stride) = match accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) = self.run_of(view, &accessor, layout, &wrong)?;
                (Some(bytes), stride)
            }
            None => (None, layout.stride()),
        };
        let sparse = accessor.sparse.as_deref();
        let sparse = sparse.map(|sparse| self.sparse(sparse, count, layout, &wrong)).transpose()?;
        Ok(Items { layout, count, stride, bytes, sparse })
    }

    /// The bytes of a list, and how far its elements are apart.
    fn run_of(
        &self,
        index: usize,
        accessor: &Accessor<'_>,
        layout: Layout,
        wrong: &Wrong<'_>,
    ) -> Outcome<(&[u8], usize)> {
        let views = &self.view.buffer_views;
        let view = views.get(index);
        let stride = view.as_ref().and_then(|view| view.byte_stride).unwrap_or_else(|| layout.stride());
        if stride < layout.len() && accessor.count > 1 {
            let said = format!("{} bytes at least wanted, {stride} found", layout.len());
            return Err(wrong(&STRIDE, said));
        }
        let Some(view) = view else { return Err(self.missing(views.path(index), views.len())) };
        let (stride, bytes) = (stride.max(layout.len()), self.bytes_in(index, &view)?);
        let run = run(bytes, accessor.byte_offset, accessor.count, stride, layout.len(), wrong)?;
        Ok((run, stride))
    }

    fn sparse(
        &self,
        sparse: &Sparse<'_>,
        count: usize,
        layout: Layout,
        wrong: &Wrong<'_>,
    ) -> Outcome<SparseItems<'_>> {
        let of = (sparse.indices.buffer_view, sparse.values.buffer_view, sparse.indices.component);
        let (Some(indices_view), Some(values_view), Some(component)) = of else {
            return Err(wrong(&SPARSE, "where its elements are is not said".to_owned()));
        };
        let stride = Layout::index(component).stride();
        let bytes = self.buffer_view(indices_view)?;
        let at = run(bytes, sparse.indices.byte_offset, sparse.count, stride, stride, wrong)?;
        let (stride, len) = (layout.stride(), layout.len());
        let bytes = self.buffer_view(values_view)?;
        let values = run(bytes, sparse.values.byte_offset, sparse.count, stride, len, wrong)?;
        let items = SparseItems { component, indices: at, values, stride };
        let mut least = 0;
        for (i, index) in items.indices().enumerate() {
            if index < least || index >= count {
                let said = format!("from {least} to below {count} wanted, {index} found, at {i}");
                return Err(wrong(&SPARSE, said));
            }
            least = index.saturating_add(1);
        }
        Ok(items)
    }

    /// What a compressed view holds; nothing if it is damaged.
    fn decompress(&self, of: &ViewExtensions<'_>, meter: &Meter) -> Result<Option<Vec<u8>>, Exhausted> {
        let Some(packed) = of.packed() else { return Ok(None) };
        let source = packed.buffer.and_then(|buffer| self.buffer(buffer).ok());
        let source = source.and_then(|bytes| slice(bytes, packed.byte_offset, packed.byte_length));
        let (Some(source), Some(mode)) = (source, packed.mode) else { return Ok(None) };
        let head = Head {
            mode,
            filter: packed.filter,
            count: packed.count,
            stride: packed.byte_stride,
            is_later: of.later_meshopt.is_some(),
        };
        let Some(len) = head.len(source.len()) else { return Ok(None) };
        meter.memory(len)?;
        meter.work(len)?;
        head.decode(source, meter)
    }

    /// A finding about a value.
    pub(crate) fn wrong(
        &self,
        code: &'static Code,
        path: Path,
        value: Option<JsonValue<'_>>,
        said: String,
    ) -> Box<Diagnostic> {
        let offset = value.map_or(0, |value| value.range().start);
        Box::new(code.at(path).offset(self.base.saturating_add(offset)).saying(said))
    }

    /// The same about something where it stands.
    #[cold]
    pub(crate) fn wrong_at(&self, code: &'static Code, at: At<'_, '_>, said: String) -> Box<Diagnostic> {
        self.wrong(code, at.path(), at.value(), said)
    }

    #[cold]
    fn missing(&self, path: Path, count: usize) -> Box<Diagnostic> {
        Box::new(INDEX.at(path).offset(self.base).saying(format!("there are {count}")))
    }
}

/// How something is told of a list.
type Wrong<'w> = dyn Fn(&'static Code, String) -> Box<Diagnostic> + 'w;

/// So many elements of some bytes, from the first on.
fn run<'b>(
    bytes: &'b [u8],
    offset: usize,
    count: usize,
    stride: usize,
    len: usize,
    wrong: &Wrong<'_>,
) -> Outcome<&'b [u8]> {
    let wanted = match count.checked_sub(1) {
        None => Some(0),
        Some(steps) => steps.checked_mul(stride).and_then(|all| all.checked_add(len)),
    };
    wanted.and_then(|wanted| slice(bytes, offset, wanted)).ok_or_else(|| {
        let said = format!(
            "{count} elements of {len} bytes, {stride} apart, from {offset} on wanted, {} bytes found",
            bytes.len()
        );
        wrong(&BOUNDS, said)
    })
}

fn slice(bytes: &[u8], offset: usize, len: usize) -> Option<&[u8]> {
    bytes.get(offset..offset.checked_add(len)?)
}

/// The bytes of a buffer, or why there are none.
fn bytes_of<'a>(
    document: &'a Document,
    index: usize,
    buffer: &Buffer<'a>,
    meter: &Meter,
) -> Result<Result<Cow<'a, [u8]>, Gone>, Exhausted> {
    let Some(uri) = &buffer.uri else {
        let bin = document.bin().filter(|_| index == 0);
        return Ok(bin.map(|bin| Cow::Borrowed(bin.bytes.as_slice())).ok_or((&NO_BYTES, "")));
    };
    Ok(match address(uri) {
        Address::Inline(inline) => {
            meter.memory(uri.len())?;
            inline.bytes()?.map(Cow::Owned).ok_or((&DATA_URI, ""))
        }
        Address::File(_) => {
            let found = document.beside.get(&**uri);
            found.map(|bytes| Cow::Borrowed(bytes.as_slice())).ok_or((&MISSING_FILE, ""))
        }
        Address::Elsewhere => Err((&ELSEWHERE, "")),
    })
}
