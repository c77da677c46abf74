//! Scenes, nodes, and what they show.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::Quat;

use super::List;
use super::data::NoExtensions;
use super::typed::{choice, object};
use crate::document::JsonValue;

object! {
    /// Nodes that are shown together.
    object Scene {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// Those that have no parents.
        nodes "nodes": Vec<usize> = Vec::new();
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

object! {
    /// A place that moves with its parent.
    object Node {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What hangs on it.
        children "children": Vec<usize> = Vec::new();
        /// Its place, column by column.
        matrix "matrix": Option<[f32; 16]> = None;
        /// Where it is.
        translation "translation": Option<[f32; 3]> = None;
        /// How it is turned, whatever its length.
        rotation "rotation": Option<Quat> = None;
        /// How large it is.
        scale "scale": Option<[f32; 3]> = None;
        /// What it shows.
        mesh "mesh": Option<usize> = None;
        /// What bends that.
        skin "skin": Option<usize> = None;
        /// What looks from it.
        camera "camera": Option<usize> = None;
        /// How much of each morph target is shown.
        weights "weights": Vec<f32> = Vec::new();
        /// What extensions say.
        extensions "extensions": NodeExtensions<'a> = NodeExtensions::default();
    }
}

object! {
    /// What extensions say of a node.
    bag NodeExtensions {
        /// What shines from it.
        light "KHR_lights_punctual": Option<LightRef<'a>> = None;
        /// Whether it is seen.
        visibility "KHR_node_visibility": Option<NodeVisibility<'a>> = None;
        /// What stands in for it far away.
        lods "MSFT_lod": Option<Lods<'a>> = None;
    }
}

object! {
    /// A lamp by its number.
    object LightRef {
        /// Which.
        light "light": Option<usize> = None, required;
    }
}

object! {
    /// Whether a node is seen.
    object NodeVisibility {
        /// It is.
        visible "visible": bool = true;
    }
}

object! {
    /// Coarser levels of a node.
    object Lods {
        /// Nodes, the finest first.
        ids "ids": Vec<usize> = Vec::new(), required;
    }
}

object! {
    /// Geometry.
    object Mesh {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// Its parts.
        primitives "primitives": List<'a, Primitive<'a>> = List::default(), required;
        /// How much of each morph target is shown.
        weights "weights": Vec<f32> = Vec::new();
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

object! {
    /// A part of a mesh.
    object Primitive {
        /// Lists of what vertices have, by name.
        attributes "attributes": Option<JsonValue<'a>> = None, required;
        /// The list of vertices in the order in which they are joined; without one all in order.
        indices "indices": Option<usize> = None;
        /// How it looks.
        material "material": Option<usize> = None;
        /// How vertices are joined.
        mode "mode": Mode = Mode::Triangles;
        /// How vertices may be moved.
        targets "targets": Option<JsonValue<'a>> = None;
        /// What extensions say.
        extensions "extensions": PrimitiveExtensions<'a> = PrimitiveExtensions::default();
    }
}

impl<'a> Primitive<'a> {
    /// The list of what its vertices have by that name.
    pub fn attribute(&self, name: &str) -> Option<usize> {
        self.attributes?.member(name)?.index()
    }

    /// The lists of that name and the numbers 0, 1, 2 and so on, as far as they go.
    pub fn sets(&self, name: &str) -> Vec<usize> {
        let number = |key: &str| {
            let digits = key.strip_prefix(name)?.strip_prefix('_')?;
            digits.parse().ok().filter(|number: &usize| number.to_string() == digits)
        };
        let numbered = self.all_attributes().filter_map(|(key, value)| Some((number(&key)?, value.index())));
        let all: BTreeMap<usize, Option<usize>> = numbered.collect();
        (0..).map_while(|set| all.get(&set).copied().flatten()).collect()
    }

    /// Everything that its vertices have.
    pub fn all_attributes(&self) -> impl Iterator<Item = (Cow<'a, str>, JsonValue<'a>)> {
        self.attributes.into_iter().flat_map(JsonValue::members)
    }
}

object! {
    /// What extensions say of a part of a mesh.
    bag PrimitiveExtensions {
        /// How its lists are compressed.
        draco "KHR_draco_mesh_compression": Option<JsonValue<'a>> = None;
        /// How it looks otherwise.
        variants "KHR_materials_variants": Mappings<'a> = Mappings::default();
    }
}

object! {
    /// Materials that stand in for a primitive's.
    object Mappings {
        /// Each, and when.
        mappings "mappings": List<'a, Mapping<'a>> = List::default(), required;
    }
}

object! {
    /// A material that stands in for another.
    object Mapping {
        /// In which looks.
        variants "variants": Vec<usize> = Vec::new(), required;
        /// Which.
        material "material": Option<usize> = None, required;
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
    }
}

object! {
    /// Other looks of the whole.
    object Variants {
        /// All of them.
        variants "variants": List<'a, Variant<'a>> = List::default(), required;
    }
}

object! {
    /// Another look.
    object Variant {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed(""), required;
    }
}

choice! {
    /// How vertices are joined.
    Mode by index, "a number from 0 to 6" {
        /// Not at all.
        Points = 0;
        /// Two and two.
        Lines = 1;
        /// In a line that ends where it began.
        LineLoop = 2;
        /// In a line.
        LineStrip = 3;
        /// Three and three.
        Triangles = 4;
        /// Each with the two before it.
        TriangleStrip = 5;
        /// Each with the one before it and the first.
        TriangleFan = 6;
    }
}

object! {
    /// What bends a mesh.
    object Skin {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// Nodes that pull.
        joints "joints": Vec<usize> = Vec::new(), required;
        /// From the model's space to that of each.
        inverse_bind_matrices "inverseBindMatrices": Option<usize> = None;
        /// The node that carries all of them.
        skeleton "skeleton": Option<usize> = None;
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

object! {
    /// An eye.
    object Camera {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// How it sees.
        form "type": Option<CameraForm> = None, required;
        /// What it sees with perspective.
        perspective "perspective": Option<Perspective<'a>> = None;
        /// What it sees without.
        orthographic "orthographic": Option<JsonValue<'a>> = None;
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

choice! {
    /// How an eye sees.
    CameraForm by text, "`perspective` or `orthographic`" {
        /// What is farther is smaller.
        Perspective = "perspective";
        /// It is not.
        Orthographic = "orthographic";
    }
}

object! {
    /// What an eye sees with perspective.
    object Perspective {
        /// How far up and down it sees together, in radians.
        yfov "yfov": f32 = 0.0, required;
        /// What is nearer is not seen.
        znear "znear": f32 = 0.0, required;
        /// What is farther is not seen.
        zfar "zfar": Option<f32> = None;
        /// How much wider than high what it sees is.
        aspect_ratio "aspectRatio": Option<f32> = None;
    }
}

object! {
    /// All lamps.
    object Lights {
        /// Each.
        lights "lights": List<'a, Light<'a>> = List::default(), required;
    }
}

object! {
    /// A lamp.
    object Light {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// Where its light goes.
        form "type": Option<LightForm> = None, required;
        /// Red, green, blue.
        color "color": [f32; 3] = [1.0; 3];
        /// How bright.
        intensity "intensity": f32 = 1.0;
        /// Where it ends.
        range "range": Option<f32> = None;
        /// Its cone.
        spot "spot": Option<Spot<'a>> = None;
    }
}

choice! {
    /// Where the light of a lamp goes.
    LightForm by text, "`directional`, `point` or `spot`" {
        /// One way from everywhere.
        Directional = "directional";
        /// Everywhere from one point.
        Point = "point";
        /// In a cone.
        Spot = "spot";
    }
}

object! {
    /// The cone of a lamp, as half angles in radians.
    object Spot {
        /// From here it fades.
        inner "innerConeAngle": f32 = 0.0;
        /// Here it ends.
        outer "outerConeAngle": f32 = std::f32::consts::FRAC_PI_4;
    }
}
