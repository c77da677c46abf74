//! What is told on the way into the game: findings have the name of the file that is made.

use galvani_core::{Code, codes};

/// Declares codes that both kinds of models have, each under both names.
macro_rules! codes_of_models {
    ($( $field:ident $id:ident = $severity:ident $(blaming $blame:ident)?, $on_field:literal, $in_battle:literal,
        $summary:literal, $help:literal; )*) => {
        /// Codes of one kind of model.
        #[derive(Debug)]
        pub(super) struct ModelCodes {
            $( pub(super) $field: &'static Code, )*
        }

        /// What is told of field models.
        pub mod on_field {
            galvani_core::codes! { $( $id = $severity $(blaming $blame)?, $on_field, $summary, $help; )* }

            pub(in crate::lower) static MODEL_CODES: super::ModelCodes = super::ModelCodes { $( $field: &$id, )* };
        }

        /// What is told of battle models.
        pub mod in_battle {
            galvani_core::codes! { $( $id = $severity $(blaming $blame)?, $in_battle, $summary, $help; )* }

            pub(in crate::lower) static MODEL_CODES: super::ModelCodes = super::ModelCodes { $( $field: &$id, )* };
        }
    };
}

codes_of_models! {
    option OPTION = Error blaming Request, "ff7-hrc.option", "ff7-skeleton.option",
        "a model cannot be made like that",
        "give a short name, numbers above 0, and motions that are there";
    nothing NOTHING = Error, "ff7-hrc.nothing-shown", "ff7-skeleton.nothing-shown",
        "nothing of the scene is seen",
        "a model needs at least one triangle that is not hidden";
    bones BONES = Error, "ff7-hrc.too-many-bones", "ff7-skeleton.too-many-bones",
        "there are more bones than a skeleton has names for",
        "join parts that move together; a node that lies off its parent's axis takes two bones";
    part PART = Error, "ff7-hrc.part-too-large", "ff7-skeleton.part-too-large",
        "the part of a bone has more than 16 bits can count",
        "take a simpler mesh, or hang pieces of it on several nodes";
    textures TEXTURES = Error, "ff7-hrc.too-many-textures", "ff7-skeleton.too-many-textures",
        "there are more pictures than names for them",
        "put several pictures into one";
    frames FRAMES = Error, "ff7-hrc.too-many-frames", "ff7-skeleton.too-many-frames",
        "a motion has more frames than can be held",
        "take a shorter motion, or fewer frames a second";
    translation TRANSLATION = Warning, "ff7-hrc.lost-translation", "ff7-skeleton.lost-translation",
        "a node is moved, and bones can only be turned",
        "it stays where the first frame has it; what moves the whole model is kept";
    visibility VISIBILITY = Warning, "ff7-hrc.lost-visibility", "ff7-skeleton.lost-visibility",
        "something is shown or hidden while it moves, which the game cannot do",
        "it stays as it is at rest";
    track TRACK = Warning, "ff7-hrc.lost-track", "ff7-skeleton.lost-track",
        "a material changes over time, which the game cannot do",
        "it stays as it is at rest";
    values VALUES = Warning, "ff7-hrc.lost-values", "ff7-skeleton.lost-values",
        "numbers are infinite or none at all",
        "triangles of such corners were left out; everything else stands as if it were not moved";
    alpha ALPHA = Warning, "ff7-hrc.lost-alpha", "ff7-skeleton.lost-alpha",
        "a surface is seen through in a way that the game does not know",
        "it averages with what is behind, adds to it, or covers it, with holes where the picture has alpha 0";
    wrap WRAP = Note, "ff7-hrc.lost-wrap", "ff7-skeleton.lost-wrap",
        "a picture is mirrored beyond its edges, which the game cannot do",
        "it repeats";
    maps MAPS = Note, "ff7-hrc.lost-maps", "ff7-skeleton.lost-maps",
        "a surface has more than a colour and a picture of it",
        "pictures of directions, roughness and glow, and light of its own, were left out";
    uvs UVS = Note, "ff7-hrc.lost-uvs", "ff7-skeleton.lost-uvs",
        "there are texture coordinates that the picture does not go by",
        "they were left out: a vertex has one pair";
    tangents TANGENTS = Note, "ff7-hrc.lost-tangents", "ff7-skeleton.lost-tangents",
        "a mesh has tangents",
        "they were left out: nothing in the game goes by them";
    lights LIGHTS = Note, "ff7-hrc.lost-lights", "ff7-skeleton.lost-lights",
        "the scene has lamps",
        "they were left out: models of the game have none";
    cameras CAMERAS = Note, "ff7-hrc.lost-cameras", "ff7-skeleton.lost-cameras",
        "the scene has cameras",
        "they were left out: models of the game have none";
    sockets SOCKETS = Note, "ff7-hrc.lost-sockets", "ff7-skeleton.lost-sockets",
        "there are places where other models are put on",
        "they were left out: models of the game have none";
    events EVENTS = Note, "ff7-hrc.lost-events", "ff7-skeleton.lost-events",
        "things happen in a motion",
        "they were left out: what happens when is said elsewhere in the game";
    variants VARIANTS = Note, "ff7-hrc.lost-variants", "ff7-skeleton.lost-variants",
        "the scene has other states, levels of detail or looks",
        "they were left out: a model of the game has one";
    node NODE = Note, "ff7-hrc.lost-node", "ff7-skeleton.lost-node",
        "a node moves that shows nothing, nor does anything on it",
        "it was left out";
    merged MERGED = Note, "ff7-hrc.merged-bones", "ff7-skeleton.merged-bones",
        "nodes that no motion turns became one with what they hang on",
        "there were more bones than a skeleton has names for";
    renamed RENAMED = Note, "ff7-hrc.renamed", "ff7-skeleton.renamed",
        "something got another name",
        "the game has letters, digits and underscores only, and no two of one name";
    grid GRID = Note, "ff7-hrc.off-grid", "ff7-skeleton.off-grid",
        "a motion does not end on a frame",
        "its end became a frame of its own, up to a frame late";
    between BETWEEN = Note, "ff7-hrc.between-frames", "ff7-skeleton.between-frames",
        "between two frames a motion is not where the game will have it",
        "more frames a second come nearer";
}

/// What only battle models make necessary.
pub mod steps {
    use super::codes;

    codes! {
        ANGLES = Note, "ff7-skeleton.angle-steps",
            "angles were brought to the steps that a pack has",
            "the finest are 4096 to a turn";
        COARSER = Warning, "ff7-skeleton.coarser",
            "angles were stored more coarsely so that a motion is not too long",
            "take a shorter motion, or fewer frames a second";
        TOO_LONG = Error, "ff7-skeleton.too-long",
            "a motion takes more bytes than a pack can count, however coarse it is",
            "take a shorter motion, or fewer frames a second";
        PLACES = Note, "ff7-skeleton.place-steps",
            "places were brought to whole units, which is all that a pack has",
            "make the model larger";
        FAR = Warning, "ff7-skeleton.far",
            "a place is farther away than 16 bits can say",
            "it was put as near as can be; make the model smaller";
        NORMALS = Note, "ff7-skeleton.lost-normals",
            "a mesh has normals",
            "they were left out: parts of battle models have none";
        ENTRIES = Error, "ff7-skeleton.too-many-motions",
            "there are more motions than a pack can have",
            "choose some of them";
    }
}
