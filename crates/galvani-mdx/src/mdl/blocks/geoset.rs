//! Geosets.

use super::super::words::{Block, Context, When, Words};
use super::zeroed;
use crate::model::{Geoset, PrimitiveTypes, Texcoords};
use crate::wire::geoset::Detail;

/// The bit that keeps a geoset from being selected.
const UNSELECTABLE: u32 = 4;

impl Block for Geoset {
    fn blank(context: Context) -> Self {
        Geoset {
            vertices: Vec::new(),
            normals: Vec::new(),
            primitive_types: PrimitiveTypes::Words(Vec::new()),
            primitive_counts: Vec::new(),
            indices: Vec::new(),
            vertex_groups: Vec::new(),
            group_sizes: Vec::new(),
            matrices: Vec::new(),
            traits: zeroed(),
            detail: (context.version >= 900).then(zeroed::<Detail>),
            bounds: zeroed(),
            extents: Vec::new(),
            tangents: None,
            skin: None,
            texcoords: Texcoords::Sets(Vec::new()),
            weights: None,
        }
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        words.table("Vertices", &mut self.vertices);
        words.table("Normals", &mut self.normals);
        if let Texcoords::Sets(sets) = &mut self.texcoords {
            words.sets("TVertices", sets);
        }
        words.vertex_groups("VertexGroup", &mut self.vertex_groups);
        words.optional_table("Tangents", &mut self.tangents);
        words.skin(&mut self.skin);
        if let PrimitiveTypes::Words(kinds) = &mut self.primitive_types {
            words.faces(kinds, &mut self.primitive_counts, &mut self.indices);
        }
        words.groups(&mut self.group_sizes, &mut self.matrices);
        self.bounds.words(words);
        words.blocks("Anim", &mut self.extents);
        words.whole("MaterialID", &mut self.traits.material_id, When::Always(0));
        words.whole("SelectionGroup", &mut self.traits.selection_group, When::Always(0));
        words.flag("Unselectable", &mut self.traits.flags, UNSELECTABLE);
        words.bits("Flags", &mut self.traits.flags, UNSELECTABLE, 0);
        if let Some(detail) = &mut self.detail {
            words.whole("LevelOfDetail", &mut detail.lod, When::Always(0));
            words.text("Name", &mut detail.lod_name.0, false);
        }
    }
}
