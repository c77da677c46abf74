//! Shapes for collisions and clicks (docs/formats/mdx-records.md#shapes).

use zerocopy::little_endian::F32;

use super::{Node, Write};
use crate::check;
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::out::Out;
use crate::visit::{Visit, visit};
use crate::wire::node as wire;

/// Measures of a box, a cylinder, a sphere and a plane.
pub(crate) const MEASURES: [usize; 4] = [6, 5, 4, 2];

/// The same as some other tools write them: box, plane, sphere, cylinder.
pub(crate) const OTHER_MEASURES: [usize; 4] = [6, 6, 4, 7];

/// CLID of Warcraft III.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionShape {
    /// Its node.
    pub node: Node,
    /// 0 box, 1 cylinder, 2 sphere, 3 plane.
    pub kind: u32,
    /// Corners, centres, heights and radii, as the type has them.
    pub measures: Vec<F32>,
}

impl ReadPart for CollisionShape {
    const LEAST: usize = 108;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let node = Node::read(c)?;
        let kind = c.fixed::<wire::ShapeType>()?.kind.get();
        Ok(CollisionShape { node, kind, measures: measures(c, kind)? })
    }
}

impl Write for CollisionShape {
    fn write(&self, out: &mut Out) {
        self.node.write(out);
        out.u32(self.kind);
        out.record(self.measures.as_slice());
    }
}

impl Visit for CollisionShape {
    visit!(node: CollisionShape);
}

/// HTST of WoW.
#[derive(Debug, Clone, PartialEq)]
pub struct HitTest {
    /// Its node.
    pub node: Node,
    /// 0 box, 1 cylinder, 2 sphere, 3 plane.
    pub kind: u8,
    /// Corners, centres, heights and radii, as the type has them.
    pub measures: Vec<F32>,
}

impl ReadPart for HitTest {
    const LEAST: usize = 109;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let node = Node::read(c)?;
        let kind = c.fixed::<wire::HitType>()?.kind;
        Ok(HitTest { node, kind, measures: measures(c, u32::from(kind))? })
    }
}

impl Write for HitTest {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            self.node.write(out);
            out.bytes(&[self.kind]);
            out.record(self.measures.as_slice());
        });
    }
}

impl Visit for HitTest {
    visit!(node: HitTest);
}

fn measures(c: &mut Cursor<'_, '_>, kind: u32) -> Outcome<Vec<F32>> {
    let known = usize::try_from(kind).ok().and_then(|kind| c.context.measures.get(kind).copied());
    let Some(count) = known else {
        let found = format!("0 to 3 wanted, {kind} found");
        return Err(c.problem(&check::SHAPE_TYPE, c.path().field("kind"), found));
    };
    let measures = c.table::<wire::Measure>("measures", count)?;
    Ok(measures.into_iter().map(|measure| measure.value).collect())
}
