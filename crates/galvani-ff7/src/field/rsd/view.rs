//! What a resource's text says.

use galvani_core::text::piece::{Piece, lines};

use super::MAGIC;

/// What a resource's text says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resource<'a> {
    /// The first line, if it starts with `@RSD`.
    pub magic: Option<Piece<'a>>,
    /// `PLY`: the mesh.
    pub ply: Option<Line<'a>>,
    /// `MAT`: its materials.
    pub mat: Option<Line<'a>>,
    /// `GRP`: its groups.
    pub grp: Option<Line<'a>>,
    /// `NTEX`: how many textures there are.
    pub texture_count: Option<Line<'a>>,
    /// `TEX[i]`, in the order of the text.
    pub textures: Vec<Texture<'a>>,
    /// Lines with other keys.
    pub others: Vec<Piece<'a>>,
    /// Lines with keys that were there before.
    pub repeated: Vec<Piece<'a>>,
    /// Lines that are no key and value.
    pub strange: Vec<Piece<'a>>,
}

/// A line with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// What stands behind the `=`.
    pub value: Piece<'a>,
    /// The line with what ends it.
    pub whole: Piece<'a>,
}

/// A texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture<'a> {
    /// Its index.
    pub index: usize,
    /// Its line; the value is its file.
    pub line: Line<'a>,
}

impl<'a> Resource<'a> {
    /// Looks at a text.
    pub fn parse(text: &'a [u8]) -> Self {
        let mut resource = Resource::default();
        let mut started = false;
        for whole in lines(text) {
            let line = whole.trimmed();
            if line.bytes.is_empty() || line.bytes.starts_with(b"#") {
                continue;
            }
            if !started && is_magic(line.bytes) {
                resource.magic = Some(line);
            } else {
                resource.take(line, whole);
            }
            started = true;
        }
        resource
    }

    fn take(&mut self, line: Piece<'a>, whole: Piece<'a>) {
        let Some((key, value)) = line.parted(b'=') else { return self.strange.push(line) };
        let found = Line { value, whole };
        let is = |wanted: &[u8]| key.bytes.eq_ignore_ascii_case(wanted);
        let slot = if is(b"PLY") {
            &mut self.ply
        } else if is(b"MAT") {
            &mut self.mat
        } else if is(b"GRP") {
            &mut self.grp
        } else if is(b"NTEX") {
            &mut self.texture_count
        } else {
            match (is_texture(key.bytes), texture_index(key.bytes)) {
                (_, Some(index)) => self.textures.push(Texture { index, line: found }),
                (true, None) => self.strange.push(line),
                (false, None) => self.others.push(line),
            }
            return;
        };
        if slot.is_some() {
            self.repeated.push(line);
        } else {
            *slot = Some(found);
        }
    }

    /// The files that it names, as they are called in the game, each with the line that does.
    pub fn files(&self) -> Vec<(String, Piece<'a>)> {
        let file = |line: &Line<'a>, extension: &str| {
            let stem = galvani_core::text::shown(super::stem(line.value.bytes)).into_owned();
            (format!("{stem}.{extension}"), line.value)
        };
        let mesh = self.ply.iter().map(|line| file(line, "p"));
        let named = mesh.chain(self.textures.iter().map(|texture| file(&texture.line, "tex")));
        named.filter(|(_, value)| !value.bytes.is_empty()).collect()
    }
}

/// Whether a line starts as the first one does.
pub(super) fn is_magic(line: &[u8]) -> bool {
    line.get(..MAGIC.len()).is_some_and(|start| start.eq_ignore_ascii_case(MAGIC))
}

/// What the key of a texture starts with.
const TEXTURE: &[u8] = b"TEX[";

fn is_texture(key: &[u8]) -> bool {
    key.get(..TEXTURE.len()).is_some_and(|start| start.eq_ignore_ascii_case(TEXTURE))
}

/// The number in `TEX[i]`.
fn texture_index(key: &[u8]) -> Option<usize> {
    let number = key.get(TEXTURE.len()..).filter(|_| is_texture(key))?.strip_suffix(b"]")?;
    std::str::from_utf8(number).ok()?.trim().parse().ok()
}
