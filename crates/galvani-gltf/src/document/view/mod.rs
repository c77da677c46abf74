//! What the JSON of a document says, as far as it is understood: lists of objects, each looked at when it is asked for.

mod data;
mod look;
mod motion;
mod shape;
#[doc(hidden)]
pub mod typed;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use galvani_core::{Exhausted, Path, room};

use super::{Json, Kind, Value};
use typed::{Told, Typed, object};

pub use data::{
    Accessor, Buffer, BufferExtensions, BufferView, Component, Fallback, Meshopt, MeshoptFilter, MeshoptMode,
    NoExtensions, Shape, Sparse, SparseIndices, SparseValues, ViewExtensions,
};
pub use look::{
    AlphaMode, Image, MagFilter, Material, MaterialExtensions, MinFilter, Pbr, Texture, TextureExtensions,
    TextureInfo, TextureInfoExtensions, TextureSampler, TextureTransform, Webp, WrapMode,
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
            pub extras: Option<Value<'a>>,
            $( $(#[$of])* pub $field: List<'a, $type<'a>>, )*
        }

        impl<'a> View<'a> {
            /// Looks at a text; what is not as it should be is told.
            pub(super) fn new(json: &'a Json, told: &mut Told<'_>) -> Result<Self, Exhausted> {
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
                if root.kind() != Kind::Object {
                    told.wrong(Path::root(), root, "an object");
                }
                let mut has_asset = false;
                let path = Path::root();
                for (key, value) in root.members() {
                    match &*key {
                        "asset" => {
                            has_asset = true;
                            told.set(&mut view.asset, value, path.field("asset"));
                        }
                        "scene" => told.set(&mut view.scene, value, path.field("scene")),
                        "extensionsUsed" => {
                            told.set(&mut view.extensions_used, value, path.field("extensionsUsed"));
                        }
                        "extensionsRequired" => {
                            let path = path.field("extensionsRequired");
                            told.set(&mut view.extensions_required, value, path);
                        }
                        "extensions" => told.set(&mut view.extensions, value, path.field("extensions")),
                        "extras" => view.extras = Some(value),
                        $( $key => told.set(&mut view.$field, value, path.field($key)), )*
                        _ => told.unknown(&key, path, value),
                    }
                }
                if !has_asset {
                    told.missing(path.field("asset"), root);
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

/// A list of objects, each looked at when it is asked for: what a file says costs little until then.
pub struct List<'a, T> {
    json: Option<&'a Json>,
    path: Path,
    entries: Vec<u32>,
    of: PhantomData<fn() -> T>,
}

/// The entry of something that has none, since it is no object.
const NO_ENTRY: u32 = u32::MAX;

impl<'a, T: Typed<'a> + Default> List<'a, T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// One of them; in place of something that is no object, one that says nothing.
    pub fn get(&self, index: usize) -> Option<T> {
        self.entries.get(index)?;
        let read = |value| T::read(value, self.path(index), &mut Told::nobody());
        Some(self.value(index).and_then(read).unwrap_or_default())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Where one of them stands.
    pub fn value(&self, index: usize) -> Option<Value<'a>> {
        let entry = self.entries.get(index).filter(|entry| **entry != NO_ENTRY)?;
        Some(self.json?.value(*entry))
    }

    /// What it is called.
    pub fn path(&self, index: usize) -> Path {
        self.path.index(index)
    }
}

impl<'a, T: Typed<'a> + Default> Typed<'a> for List<'a, T> {
    fn read(value: Value<'a>, path: Path, told: &mut Told<'_>) -> Option<Self> {
        if value.kind() != Kind::Array {
            told.wrong(path, value, "an array");
            return None;
        }
        let element = |(i, element): (usize, Value<'a>)| {
            if told.is_heard() {
                T::read(element, path.index(i), told);
            }
            element.entry().filter(|_| element.kind() == Kind::Object).unwrap_or(NO_ENTRY)
        };
        let entries = value.elements().enumerate().map(element).collect();
        Some(List { json: Some(value.json()), path, entries, of: PhantomData })
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        List { json: None, path: Path::root(), entries: Vec::new(), of: PhantomData }
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        List { json: self.json, path: self.path, entries: self.entries.clone(), of: PhantomData }
    }
}

impl<T> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.entries.len(), self.path)
    }
}
