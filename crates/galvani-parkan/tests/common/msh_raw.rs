//! A second, slow account of the format: models as plain parts, put together by hand.

/// A stream before it is part of a file. Nothing in it has to be right.
#[derive(Debug, Clone, PartialEq)]
pub struct RawStream {
    pub id: u32,
    pub attr: [u32; 3],
    pub bytes: Vec<u8>,
}

/// The archive of some streams, laid out as the game does it.
pub fn archive(streams: &[RawStream]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut directory = Vec::new();
    for (i, stream) in streams.iter().enumerate() {
        let (offset, size) = (16 + data.len(), stream.bytes.len());
        data.extend(&stream.bytes);
        data.resize(data.len().next_multiple_of(8), 0);
        let [attr1, attr2, attr3] = stream.attr;
        directory.extend(words(&[stream.id, attr1, attr2, number(size), attr3]));
        directory.extend(b"model\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        directory.extend(words(&[number(offset), number(i)]));
    }
    let mut file = b"NRes".to_vec();
    file.extend(words(&[0x100, number(streams.len()), number(16 + data.len() + directory.len())]));
    file.extend(data);
    file.extend(directory);
    file
}

/// Which account of the format a model follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Documented,
    Observed,
}

/// A model that obeys every rule.
#[derive(Debug, Clone)]
pub struct RawModel {
    pub nodes: Vec<RawNode>,
    pub slots: Vec<RawSlot>,
    pub lightmapped: bool,
    pub tangents: bool,
    pub waypoints: u32,
}

#[derive(Debug, Clone)]
pub struct RawNode {
    pub flags: u16,
    pub parent: Option<usize>,
    pub keys: Vec<RawKey>,
    pub slots: [Option<usize>; 15],
    pub label: String,
}

#[derive(Debug, Clone, Copy)]
pub struct RawKey {
    pub position: [f32; 3],
    pub time: u32,
    /// w, x, y, z.
    pub rotation: [i16; 4],
}

#[derive(Debug, Clone, Default)]
pub struct RawSlot {
    pub batches: Vec<RawBatch>,
}

#[derive(Debug, Clone)]
pub struct RawBatch {
    pub points: Vec<[f32; 3]>,
    pub triangles: Vec<[u16; 3]>,
}

impl RawModel {
    /// The streams in the game's order.
    pub fn streams(&self, form: Form) -> Vec<RawStream> {
        let mut streams = vec![self.node_stream(), self.slot_stream()];
        let points: Vec<[f32; 3]> = self.batches().flat_map(|batch| batch.points.clone()).collect();
        let verts = points.len();
        let per_vertex = |id, stride: usize| RawStream {
            id,
            attr: [number(verts), 0, number(stride)],
            bytes: (0..verts * stride).map(|i| i.to_le_bytes()[0]).collect(),
        };
        streams.push(table(3, 12, &floats(points.as_flattened())));
        streams.extend([per_vertex(4, 4), per_vertex(5, 4)]);
        streams.extend(self.lightmapped.then(|| per_vertex(18, 4)));
        streams.extend([per_vertex(15, 8), self.batch_stream(), self.index_stream(), self.face_stream()]);
        streams.extend([self.key_stream(form), self.map_stream()]);
        if form == Form::Observed {
            let names = (0..self.nodes.len()).flat_map(|i| room::<32>(format!("part{i}").as_bytes()));
            streams.push(table(9, 32, &names.collect::<Vec<u8>>()));
        }
        streams.extend([self.label_stream(), self.hallway_stream()]);
        streams.extend(self.lightmapped.then(|| table(20, 48, &[0; 96])));
        streams.extend(self.tangents.then(|| per_vertex(16, 8)));
        streams
    }

    pub fn file(&self, form: Form) -> Vec<u8> {
        archive(&self.streams(form))
    }

    pub fn batches(&self) -> impl Iterator<Item = &RawBatch> {
        self.slots.iter().flat_map(|slot| &slot.batches)
    }

    /// The timeline: one frame, or up to the last key of the nodes that move.
    pub fn frames(&self) -> u32 {
        let moving = self.nodes.iter().filter(|node| node.keys.len() > 1);
        1 + moving.filter_map(|node| node.keys.last()).map(|key| key.time).max().unwrap_or(0)
    }

    fn node_stream(&self) -> RawStream {
        let (mut bytes, mut keys, mut moving) = (Vec::new(), 0, 0);
        for node in &self.nodes {
            keys += node.keys.len();
            let map = if node.keys.len() > 1 { moving * self.frames() } else { 0xffff };
            moving += u32::from(node.keys.len() > 1);
            let parent = node.parent.map_or(0xffff, number);
            for word in [u32::from(node.flags), parent, map, number(keys - 1)] {
                bytes.extend(u16::try_from(word).unwrap().to_le_bytes());
            }
            for slot in node.slots {
                bytes.extend(slot.map_or(0xffff, |slot| u16::try_from(slot).unwrap()).to_le_bytes());
            }
        }
        table(1, 38, &bytes)
    }

    fn slot_stream(&self) -> RawStream {
        let mut bytes = floats(hull(extent(&self.posed())).as_flattened());
        bytes.extend(floats(&[0.0; 11]));
        let (mut triangle, mut batch) = (0, 0);
        for slot in &self.slots {
            let triangles: usize = slot.batches.iter().map(|batch| batch.triangles.len()).sum();
            for word in [triangle, triangles, batch, slot.batches.len()] {
                bytes.extend(u16::try_from(word).unwrap().to_le_bytes());
            }
            let points: Vec<[f32; 3]> = slot.batches.iter().flat_map(|batch| batch.points.clone()).collect();
            let [min, max] = extent(&points);
            bytes.extend(floats(&[min, max, [0.0; 3]].concat()));
            bytes.extend([0; 24]);
            triangle += triangles;
            batch += slot.batches.len();
        }
        RawStream { id: 2, attr: [number(self.slots.len()), 0, 68], bytes }
    }

    fn batch_stream(&self) -> RawStream {
        let (mut bytes, mut index, mut vertex) = (Vec::new(), 0, 0);
        for batch in self.batches() {
            let count = batch.triangles.len() * 3;
            bytes.extend([0, 0, 0, 0, 1, 0xff, 0xff, 0xff]);
            bytes.extend(u16::try_from(count).unwrap().to_le_bytes());
            bytes.extend(number(index).to_le_bytes());
            bytes.extend(u16::try_from(batch.points.len()).unwrap().to_le_bytes());
            bytes.extend(number(vertex).to_le_bytes());
            index += count;
            vertex += batch.points.len();
        }
        table(13, 20, &bytes)
    }

    fn index_stream(&self) -> RawStream {
        let corners = self.batches().flat_map(|batch| batch.triangles.as_flattened());
        table(6, 2, &corners.flat_map(|corner| corner.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// Neighbours by looking at every pair of triangles of a batch.
    fn face_stream(&self) -> RawStream {
        let (mut bytes, mut first) = (Vec::new(), 0);
        for batch in self.batches() {
            let edges: Vec<[[f32; 3]; 2]> = batch
                .triangles
                .iter()
                .map(|corners| corners.map(|corner| batch.points[usize::from(corner)]))
                .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
                .collect();
            for own in 0..batch.triangles.len() {
                let (mut links, mut selectors) = ([0xffff_u16; 3], 0_u16);
                for (e, link) in links.iter_mut().enumerate() {
                    let [from, to] = edges[own * 3 + e];
                    let same =
                        |other: &usize| other / 3 != own && [[from, to], [to, from]].contains(&edges[*other]);
                    let other = (0..edges.len()).find(same);
                    *link = other.map_or(0xffff, |other| u16::try_from(first + other / 3).unwrap());
                    selectors |= u16::try_from(other.map_or(3, |other| other % 3) << (2 * e)).unwrap();
                }
                for word in [0, links[0], links[1], links[2], 0, 0, 0x7fff, selectors] {
                    bytes.extend(word.to_le_bytes());
                }
            }
            first += batch.triangles.len();
        }
        table(7, 16, &bytes)
    }

    fn key_stream(&self, form: Form) -> RawStream {
        let mut bytes = Vec::new();
        for key in self.nodes.iter().flat_map(|node| &node.keys) {
            bytes.extend(floats(&key.position));
            bytes.extend(float(key.time).to_le_bytes());
            let [w, x, y, z] = key.rotation;
            let rotation = if form == Form::Observed { [w, x, y, z] } else { [x, y, z, w] };
            bytes.extend(rotation.into_iter().flat_map(i16::to_le_bytes));
        }
        let attr = [number(bytes.len() / 24), 0, 4];
        RawStream { id: 8, attr, bytes }
    }

    fn map_stream(&self) -> RawStream {
        let (mut bytes, mut start) = (Vec::new(), 0);
        for node in &self.nodes {
            let last = node.keys.len() - 1;
            for frame in (0..self.frames()).filter(|_| last > 0) {
                // Before the first key and from the last on the fallback, else the key to the left.
                let left = node.keys.iter().rposition(|key| key.time <= frame);
                let key = start + left.unwrap_or(last);
                bytes.extend(u16::try_from(key).unwrap().to_le_bytes());
            }
            start += node.keys.len();
        }
        RawStream { id: 19, attr: [number(bytes.len() / 2), self.frames(), 2], bytes }
    }

    fn label_stream(&self) -> RawStream {
        let mut bytes = Vec::new();
        for node in &self.nodes {
            bytes.extend(number(node.label.len()).to_le_bytes());
            bytes.extend(node.label.bytes());
            bytes.extend((!node.label.is_empty()).then_some(0));
        }
        RawStream { id: 10, attr: [number(self.nodes.len()), 0, 0], bytes }
    }

    fn hallway_stream(&self) -> RawStream {
        let size = usize::try_from(self.waypoints * 20 + self.waypoints / 2 * 40).unwrap();
        RawStream { id: 17, attr: [self.waypoints, self.waypoints / 2, 0], bytes: vec![0; size] }
    }

    /// Every point of every node's first slot, where it stands at frame 0.
    fn posed(&self) -> Vec<[f32; 3]> {
        let mut points = Vec::new();
        for node in &self.nodes {
            let Some(slot) = node.slots[0].filter(|_| node.flags & 0x20 == 0) else { continue };
            for batch in &self.slots[slot].batches {
                points.extend(batch.points.iter().map(|point| self.placed(node, point.map(f64::from))));
            }
        }
        points
    }

    fn placed(&self, node: &RawNode, point: [f64; 3]) -> [f32; 3] {
        let (mut point, mut at) = (point, Some(node));
        while let Some(node) = at {
            let key = node.keys[0];
            let turned = turned(key.rotation.map(|component| f64::from(component) / 32767.0), point);
            let [x, y, z] = key.position.map(f64::from);
            point = [turned[0] + x, turned[1] + y, turned[2] + z];
            at = node.parent.map(|parent| &self.nodes[parent]);
        }
        #[allow(clippy::cast_possible_truncation, reason = "as near as may be")]
        point.map(|value| value as f32)
    }
}

/// A point turned by the conjugate of a quaternion.
fn turned([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [-x, -y, -z];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let inner = cross(u, v);
    let outer = cross(u, [inner[0] + w * v[0], inner[1] + w * v[1], inner[2] + w * v[2]]);
    [v[0] + 2.0 * outer[0], v[1] + 2.0 * outer[1], v[2] + 2.0 * outer[2]]
}

fn extent(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let side = |axis: usize, start: f32, pick: fn(f32, f32) -> f32| {
        points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(start)
    };
    [[0, 1, 2].map(|axis| side(axis, 0.0, f32::min)), [0, 1, 2].map(|axis| side(axis, 0.0, f32::max))]
}

fn hull([min, max]: [[f32; 3]; 2]) -> [[f32; 3]; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|corner| {
        let pick = |axis: usize| if corner >> axis & 1 == 1 { max[axis] } else { min[axis] };
        [pick(0), pick(1), pick(2)]
    })
}

/// A stream of fixed records with the attributes it should have.
pub fn table(id: u32, stride: usize, bytes: &[u8]) -> RawStream {
    RawStream { id, attr: [number(bytes.len() / stride), 0, number(stride)], bytes: bytes.to_vec() }
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn room<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut room = [0; N];
    room[..text.len()].copy_from_slice(text);
    room
}

#[allow(clippy::cast_precision_loss, reason = "small frames")]
fn float(frame: u32) -> f32 {
    frame as f32
}

/// A length in its field.
pub fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap()
}

/// A square grid of a few triangles: `side * side * 2` of them.
pub fn grid(side: u16, height: f32) -> RawBatch {
    let corner = |x: u16, y: u16| y * (side + 1) + x;
    let points = (0..=side).flat_map(|y| (0..=side).map(move |x| [f32::from(x), f32::from(y), height]));
    let cell = |x, y| {
        [
            [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1)],
            [corner(x, y), corner(x + 1, y + 1), corner(x, y + 1)],
        ]
    };
    let triangles = (0..side).flat_map(|y| (0..side).flat_map(move |x| cell(x, y)));
    RawBatch { points: points.collect(), triangles: triangles.collect() }
}

/// A model like the game's: `parts` nodes of three levels of detail, each of `batches` grids; every fourth
/// node moves.
pub fn large(parts: usize, batches: u16, side: u16) -> RawModel {
    let mut model =
        RawModel { nodes: vec![], slots: vec![], lightmapped: false, tangents: false, waypoints: 0 };
    for part in 0..parts {
        let mut slots = [None; 15];
        for (lod, place) in slots.iter_mut().take(3).enumerate() {
            let side = (side >> lod).max(1);
            *place = Some(model.slots.len());
            model.slots.push(RawSlot { batches: (0..batches).map(|i| grid(side, f32::from(i))).collect() });
        }
        let times = if part % 4 == 0 { vec![0, 8, 16, 24] } else { vec![0] };
        let key = |time| RawKey { position: [0.0, 0.0, 1.0], time, rotation: [32767, 0, 0, 0] };
        model.nodes.push(RawNode {
            flags: 0,
            parent: (part > 0).then_some(part / 2),
            keys: times.into_iter().map(key).collect(),
            slots,
            label: String::new(),
        });
    }
    model
}
