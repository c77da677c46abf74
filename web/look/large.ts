// A large model as glTF, made byte by byte: a chain of joints in a wall of triangles.

/** So many joints, each turning, and so many triangles that they bend. */
export function large(joints: number, triangles: number): Buffer {
  const columns = 100;
  const rows = triangles / (2 * columns);
  const chunks: Buffer[] = [];
  const views: object[] = [];
  const accessors: object[] = [];
  let length = 0;
  const add = (type: string, componentType: number, values: Float32Array | Uint32Array | Uint16Array, size: number, more = {}) => {
    const bytes = Buffer.from(values.buffer);
    views.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
    accessors.push({ bufferView: views.length - 1, componentType, count: values.length / size, type, ...more });
    chunks.push(bytes);
    length += bytes.length;
    return accessors.length - 1;
  };
  // Four corners to each square, as where every square has its own picture.
  const corners = columns * rows * 4;
  const position = new Float32Array(corners * 3);
  const normal = new Float32Array(corners * 3);
  const uv = new Float32Array(corners * 2);
  const joint = new Uint16Array(corners * 4);
  const weight = new Float32Array(corners * 4);
  const index = new Uint32Array(triangles * 3);
  for (let square = 0; square < columns * rows; square++) {
    const [x, y] = [square % columns, Math.floor(square / columns)];
    for (let i = 0; i < 4; i++) {
      const at = square * 4 + i;
      const [u, v] = [i % 2, i >> 1];
      position.set([(x + u) / columns - 0.5, (y + v) / rows, 0.05 * Math.sin(y + v)], at * 3);
      normal.set([0, 0, 1], at * 3);
      uv.set([u, v], at * 2);
      const own = Math.min(Math.floor(((y + v) / rows) * joints), joints - 1);
      joint.set([own, Math.min(own + 1, joints - 1), 0, 0], at * 4);
      weight.set([0.5, 0.5, 0, 0], at * 4);
    }
    index.set([0, 1, 2, 2, 1, 3].map((i) => square * 4 + i), square * 6);
  }
  const [bind, times] = [new Float32Array(joints * 16), new Float32Array(31).map((_, i) => i / 30)];
  for (let i = 0; i < joints; i++) bind.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -i / joints, 0, 1], i * 16);
  const attributes = {
    POSITION: add("VEC3", 5126, position, 3, { min: [-0.5, 0, -0.05], max: [0.5, 1, 0.05] }),
    NORMAL: add("VEC3", 5126, normal, 3),
    TEXCOORD_0: add("VEC2", 5126, uv, 2),
    JOINTS_0: add("VEC4", 5123, joint, 4),
    WEIGHTS_0: add("VEC4", 5126, weight, 4),
  };
  const indices = add("SCALAR", 5125, index, 1);
  const inverse = add("MAT4", 5126, bind, 16);
  const input = add("SCALAR", 5126, times, 1, { min: [0], max: [1] });
  const turn = new Float32Array(31 * 4);
  times.forEach((time, i) => turn.set([Math.sin(0.01 * Math.sin(time * 2 * Math.PI)), 0, 0, Math.cos(0.01 * Math.sin(time * 2 * Math.PI))], i * 4));
  const output = add("VEC4", 5126, turn, 4);
  const nodes = Array.from({ length: joints }, (_, i) => ({
    name: `joint ${i}`,
    translation: [0, i ? 1 / joints : 0, 0],
    ...(i + 1 < joints ? { children: [i + 1] } : {}),
    // The wall hangs on the first joint: a node of its own would be one too many.
    ...(i === 0 ? { mesh: 0, skin: 0 } : {}),
  }));
  const root = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    meshes: [{ primitives: [{ attributes, indices }] }],
    skins: [{ joints: nodes.map((_, i) => i), inverseBindMatrices: inverse }],
    animations: [
      {
        name: "wave",
        samplers: nodes.map(() => ({ input, output })),
        channels: nodes.map((_, node) => ({ sampler: node, target: { node, path: "rotation" } })),
      },
    ],
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: length }],
  };
  return glb(root, Buffer.concat(chunks));
}

function glb(root: object, binary: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(root));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const head = (numbers: number[]) => Buffer.from(Uint32Array.from(numbers).buffer);
  const total = 12 + 8 + padded.length + 8 + binary.length;
  return Buffer.concat([head([0x46546c67, 2, total, padded.length, 0x4e4f534a]), padded, head([binary.length, 0x004e4942]), binary]);
}
