//! What the JSON of a document says, as far as it is understood: lists of objects, each looked at when it is asked for.

mod data;
mod look;
mod motion;
mod shape;
#[doc(hidden)]
pub mod typed;

use std::borrow::Cow;
use std::fmt;

use galvani_core::{Exhausted, Path, room};

use super::{Json, JsonKind, JsonValue};
use typed::{JsonPlace, ReadFindings, Typed, object};

pub use data::{
    Accessor, Buffer, BufferExtensions, BufferView, Component, Fallback, Meshopt, MeshoptFilter, MeshoptMode,
    NoExtensions, Shape, Sparse, SparseIndices, SparseValues, ViewExtensions,
};
pub use look::{
    AlphaMode, EmissiveStrength, Image, MagFilter, Material, MaterialExtensions, MinFilter, Pbr, Texture,
    TextureExtensions, TextureInfo, TextureInfoExtensions, TextureSampler, TextureTransform, Webp, WrapMode,
};
pub use motion::{
    Animation, AnimationSampler, Channel, Interpolation, Pointer, Target, TargetExtensions, TargetPath,
};
pub use shape::{
    Camera, CameraForm, Light, LightForm, LightRef, Lights, Lods, Mapping, Mappings, Mesh, Mode, Node,
    NodeExtensions, NodeVisibility, Perspective, Primitive, PrimitiveExtensions, Scene, Skin, Spot, Variant,
    Variants,
};

object! {
    /// What a file says about itself.
    object Asset {
        /// The version of glTF.
        version "version": Cow<'a, str> = Cow::Borrowed(""), required;
        /// The least version that a reader must know.
        min_version "minVersion": Option<Cow<'a, str>> = None;
        /// Who made it.
        generator "generator": Option<Cow<'a, str>> = None;
        /// Whose it is.
        copyright "copyright": Option<Cow<'a, str>> = None;
    }
}

object! {
    /// What extensions say of the whole.
    bag RootExtensions {
        /// Lamps.
        lights "KHR_lights_punctual": Lights<'a> = Lights::default();
        /// Other looks.
        variants "KHR_materials_variants": Variants<'a> = Variants::default();
    }
}

/// How often the bytes of a text are held when it is looked at: an element of a list takes four bytes of at least two.
const LOOKED: usize = 4;

/// Lists of everything in a document.
macro_rules! view {
    ($( $(#[$of:meta])* $field:ident $key:literal: $type:ident; )*) => {
        /// What a document says.
        #[derive(Debug, Clone)]
        pub struct View<'a> {
            /// About itself.
            pub asset: Asset<'a>,
            /// The scene that is shown.
            pub scene: Option<usize>,
            /// Extensions that it uses.
            pub extensions_used: Vec<Cow<'a, str>>,
            /// Extensions that it cannot be read without.
            pub extensions_required: Vec<Cow<'a, str>>,
            /// What extensions say of the whole.
            pub extensions: RootExtensions<'a>,
            /// What it carries for others.
            pub extras: Option<JsonValue<'a>>,
            $( $(#[$of])* pub $field: List<'a, $type<'a>>, )*
        }

        impl<'a> View<'a> {
            /// Looks at a text; what is not as it should be is told.
            pub(super) fn new(json: &'a Json, told: &mut ReadFindings<'_>) -> Result<Self, Exhausted> {
                // It is made of many small lists.
                room::probe(json.text().len().saturating_mul(LOOKED))?;
                let mut view = View {
                    asset: Asset::default(),
                    scene: None,
                    extensions_used: Vec::new(),
                    extensions_required: Vec::new(),
                    extensions: RootExtensions::default(),
                    extras: None,
                    $( $field: List::default(), )*
                };
                let root = json.root();
                let top = Path::root();
                let top = JsonPlace::At(&top);
                if root.kind() != JsonKind::Object {
                    told.wrong(&top, root, "an object");
                }
                let mut has_asset = false;
                for field in root.fields() {
                    let (word, value) = (field.name.word().unwrap_or_default(), field.value);
                    let place = top.field(word);
                    match word {
                        "asset" => {
                            has_asset = true;
                            told.set(&mut view.asset, value, &place);
                        }
                        "scene" => told.set(&mut view.scene, value, &place),
                        "extensionsUsed" => told.set(&mut view.extensions_used, value, &place),
                        "extensionsRequired" => told.set(&mut view.extensions_required, value, &place),
                        "extensions" => told.set(&mut view.extensions, value, &place),
                        "extras" => view.extras = Some(value),
                        $( $key => told.set(&mut view.$field, value, &place), )*
                        _ => told.unknown(&top, &field),
                    }
                }
                if !has_asset {
                    told.missing(&top.field("asset"), root);
                }
                Ok(view)
            }

            /// The names of the lists, and how long each is.
            pub fn counts(&self) -> Vec<(&'static str, usize)> {
                vec![ $( ($key, self.$field.len()), )* ]
            }
        }
    };
}

view! {
    /// Scenes.
    scenes "scenes": Scene;
    /// Nodes.
    nodes "nodes": Node;
    /// Geometry.
    meshes "meshes": Mesh;
    /// What bends meshes.
    skins "skins": Skin;
    /// How surfaces look.
    materials "materials": Material;
    /// Pictures as surfaces show them.
    textures "textures": Texture;
    /// How pictures are enlarged and repeated.
    samplers "samplers": TextureSampler;
    /// Pictures.
    images "images": Image;
    /// Eyes.
    cameras "cameras": Camera;
    /// Motions.
    animations "animations": Animation;
    /// Lists of numbers.
    accessors "accessors": Accessor;
    /// Runs of bytes.
    buffer_views "bufferViews": BufferView;
    /// Bytes.
    buffers "buffers": Buffer;
}

/// A list of objects. They are looked at once, if that takes no more room than their text justifies; else each when it is
/// asked for.
pub struct List<'a, T>(Option<Box<Rows<'a, T>>>);

/// What a list has where there is one.
#[derive(Clone)]
struct Rows<'a, T> {
    json: &'a Json,
    path: Path,
    entries: Vec<u32>,
    /// What they say; nothing if that takes too much room.
    made: Vec<T>,
}

/// The entry of something that has none, since it is no object.
const NO_ENTRY: u32 = u32::MAX;

/// Bytes that a list may take for each of its text: objects of real files take six or less.
const HELD: usize = 8;

impl<'a, T: Typed<'a> + Default + Clone> List<'a, T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, |rows| rows.entries.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them; in place of something that is no object, one that says nothing.
    pub fn get(&self, index: usize) -> Option<Cow<'_, T>> {
        let rows = self.0.as_deref()?;
        if let Some(made) = rows.made.get(index) {
            return Some(Cow::Borrowed(made));
        }
        rows.entries.get(index)?;
        let at = self.at(index);
        let read = |value| T::read(value, &JsonPlace::At(&at.path()), &mut ReadFindings::nobody());
        Some(Cow::Owned(at.value().and_then(read).unwrap_or_default()))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, T>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Where one of them stands.
    pub fn value(&self, index: usize) -> Option<JsonValue<'a>> {
        self.at(index).value()
    }

    /// What it is called.
    pub fn path(&self, index: usize) -> Path {
        self.at(index).path()
    }

    /// Both, for whoever may have to tell something of it.
    pub(crate) fn at(&self, index: usize) -> At<'_, 'a> {
        let Some(rows) = self.0.as_deref() else { return At { list: None, index } };
        let entry = rows.entries.get(index).copied().unwrap_or(NO_ENTRY);
        At { list: Some((rows.json, &rows.path, entry)), index }
    }
}

/// Where something stands, and what it is called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'v, 'a> {
    list: Option<(&'a Json, &'v Path, u32)>,
    index: usize,
}

impl<'a> At<'_, 'a> {
    pub(crate) fn path(&self) -> Path {
        let path = self.list.map_or_else(Path::root, |(_, path, _)| *path);
        path.index(self.index)
    }

    pub(crate) fn value(&self) -> Option<JsonValue<'a>> {
        let (json, _, entry) = self.list.filter(|(_, _, entry)| *entry != NO_ENTRY)?;
        Some(json.value(entry))
    }
}

impl<'a, T: Typed<'a> + Default + Clone> Typed<'a> for List<'a, T> {
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        if value.kind() != JsonKind::Array {
            told.wrong(place, value, "an array");
            return None;
        }
        let count = value.elements().count();
        let is_justified = count.saturating_mul(size_of::<T>()) <= value.raw().len().saturating_mul(HELD);
        // Where there is no room they are looked at when they are asked for.
        let made = Some(count).filter(|_| is_justified).map(room::with_capacity);
        let mut made: Option<Vec<T>> = made.and_then(Result::ok);
        let mut entries = Vec::with_capacity(count);
        for (i, element) in value.elements().enumerate() {
            let entry = element.entry().filter(|_| element.kind() == JsonKind::Object);
            entries.push(entry.unwrap_or(NO_ENTRY));
            if made.is_none() && !told.is_heard() {
                continue;
            }
            let read = T::read(element, &JsonPlace::Row(place, i), told);
            if let Some(made) = &mut made {
                made.push(read.unwrap_or_default());
            }
        }
        let made = made.unwrap_or_default();
        Some(List(Some(Box::new(Rows { json: value.json(), path: place.path(), entries, made }))))
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        List(None)
    }
}

impl<T: Clone> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        List(self.0.clone())
    }
}

impl<T> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(rows) => write!(f, "{} {}", rows.entries.len(), rows.path),
            None => f.write_str("0"),
        }
    }
}
