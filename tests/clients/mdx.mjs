// node mdx.mjs FILE : what war3-model and mdx-m3-viewer read in a model of Warcraft III, each as names of sequences and
// nodes, vertices of geosets and paths of textures, on standard output.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const bytes = fs.readFileSync(process.argv[2]);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);

function war3() {
  const { parseMDX } = require('war3-model');
  const model = parseMDX(buffer);
  return {
    version: model.Version,
    sequences: model.Sequences.map(({ Name, Interval }) => [Name, Interval[0], Interval[1]]),
    nodes: model.Nodes.filter(Boolean).map(({ ObjectId, Name }) => [ObjectId, Name]),
    geosets: model.Geosets.map(({ Vertices, Faces }) => [Vertices.length / 3, Faces.length / 3]),
    textures: model.Textures.map(({ Image }) => Image),
  };
}

function viewer() {
  const Model = require('mdx-m3-viewer-th/dist/cjs/parsers/mdlx/model').default;
  const model = new Model();
  model.load(buffer);
  const { bones, lights, helpers, attachments, particleEmitters, particleEmitters2, ribbonEmitters, eventObjects } = model;
  const nodes = [bones, lights, helpers, attachments, particleEmitters, particleEmitters2, ribbonEmitters, eventObjects];
  return {
    version: model.version,
    sequences: model.sequences.map(({ name, interval }) => [name, interval[0], interval[1]]),
    nodes: [...nodes, model.collisionShapes].flat().map(({ objectId, name }) => [objectId, name]),
    geosets: model.geosets.map(({ vertices, faces }) => [vertices.length / 3, faces.length / 3]),
    textures: model.textures.map(({ path }) => path),
  };
}

console.log(JSON.stringify({ 'war3-model': war3(), 'mdx-m3-viewer': viewer() }));
