// node mdx-pose.mjs FILE < REQUESTS : how war3-model and mdx-m3-viewer pose a model of Warcraft III, on standard
// output.
//
// A request is {"sequence": index, "time": ms from the sequence's start, "global": ms of the clock of global
// sequences}; standard input has a list of them, standard output an answer for each, by package:
// "nodes", by object id: matrices of model space, row-major, for column vectors (translations at 3, 7 and 11);
// "tracks", by path as Galvani writes it: values as the package's own code samples them; null where war3-model
// finds no key.
//
// Nothing is computed here: the packages' own classes run, without WebGL. Every request gets a fresh instance,
// and a camera that is not turned. The frame is taken as it is: what playing does at a sequence's end is not part
// of an answer (docs/notes/mdx-peers.md says what it does).
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const bytes = fs.readFileSync(process.argv[2]);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const requests = JSON.parse(fs.readFileSync(0, 'utf8'));

const poses = { 'war3-model': war3(), 'mdx-m3-viewer': viewer() };
const answer = (request) => Object.fromEntries(Object.entries(poses).map(([name, pose]) => [name, pose(request)]));
console.log(JSON.stringify(requests.map(answer)));

function war3() {
  const { parseMDX, ModelRenderer } = require('war3-model');
  const model = parseMDX(buffer);
  const tracks = war3Tracks(model);
  return ({ sequence, time, global }) => {
    const renderer = new ModelRenderer(model);
    // Emitters want WebGL's buffers, and no node depends on them.
    renderer.particlesController.emitters = [];
    renderer.ribbonsController.emitters = [];
    renderer.setSequence(sequence);
    // `update` moves all clocks alike. One of a global sequence it puts to 0 where it passes the end, whatever it
    // passes it by; so they are handed over wrapped.
    const clocks = renderer.rendererData.globalSequencesFrames;
    clocks.forEach((_, i) => {
      const length = model.GlobalSequences[i];
      clocks[i] = (length ? global % length : 0) - time;
    });
    renderer.update(time);
    const nodes = renderer.rendererData.nodes.filter(Boolean);
    return {
      nodes: Object.fromEntries(nodes.map(({ node, matrix }) => [node.ObjectId, rows(matrix)])),
      tracks: Object.fromEntries(tracks.map(([path, track]) => [path, war3Value(renderer.interp, track)])),
    };
  };
}

/** Every track of war3-model's model, with our path. */
function war3Tracks(model) {
  // What it calls them. It reads KLAS and KLAE as integers: left out.
  const node = { Translation: 'KGTR', Rotation: 'KGRT', Scaling: 'KGSC' };
  const layer = { Alpha: 'KMTA', TextureID: 'KMTF' };
  const light = { Intensity: 'KLAI', Color: 'KLAC', AmbIntensity: 'KLBI', AmbColor: 'KLBC', Visibility: 'KLAV' };
  const emitter = {
    EmissionRate: 'KPEE', Gravity: 'KPEG', Longitude: 'KPLN', Latitude: 'KPLT', LifeSpan: 'KPEL',
    InitVelocity: 'KPES', Visibility: 'KPEV',
  };
  const emitter2 = {
    Speed: 'KP2S', Variation: 'KP2R', Latitude: 'KP2L', Gravity: 'KP2G', EmissionRate: 'KP2E', Length: 'KP2N',
    Width: 'KP2W', Visibility: 'KP2V',
  };
  const ribbon = {
    HeightAbove: 'KRHA', HeightBelow: 'KRHB', Alpha: 'KRAL', TextureSlot: 'KRTX', Visibility: 'KRVS',
  };
  const found = [];
  const take = (path, record, names) => {
    for (const [property, tag] of Object.entries(names)) {
      if (record[property]?.Keys?.length) found.push([`${path}.${tag}`, record[property]]);
    }
  };
  const plain = (tag, records, names) => records.forEach((it, i) => take(`${tag}[${i}]`, it, names));
  const noded = (tag, records, names) => {
    records.forEach((it, i) => take(`${tag}[${i}].node`, it, node));
    plain(tag, records, names);
  };
  model.Materials.forEach(({ Layers }, i) => plain(`MTLS[${i}].LAYS`, Layers, layer));
  plain('TXAN', model.TextureAnims, { Translation: 'KTAT', Rotation: 'KTAR', Scaling: 'KTAS' });
  plain('GEOA', model.GeosetAnims, { Alpha: 'KGAO', Color: 'KGAC' });
  plain('CAMS', model.Cameras, { Translation: 'KCTR', TargetTranslation: 'KTTR', Rotation: 'KCRL' });
  noded('BONE', model.Bones, {});
  noded('LITE', model.Lights, light);
  noded('HELP', model.Helpers, {});
  noded('ATCH', model.Attachments, { Visibility: 'KATV' });
  noded('PREM', model.ParticleEmitters, emitter);
  noded('PRE2', model.ParticleEmitters2, emitter2);
  noded('RIBB', model.RibbonEmitters, ribbon);
  noded('EVTS', model.EventObjects, {});
  noded('CLID', model.CollisionShapes, {});
  return found;
}

function war3Value(interp, track) {
  const size = track.Keys[0].Vector.length;
  if (size === 1) return interp.num(track);
  const value = size === 3 ? interp.vec3(new Float32Array(3), track) : interp.quat(new Float32Array(4), track);
  return value && Array.from(value);
}

function viewer() {
  const folder = 'mdx-m3-viewer-th/dist/cjs/viewer';
  const Model = require(`${folder}/handlers/mdx/model`).default;
  const Camera = require(`${folder}/camera`).default;
  const handler = require(`${folder}/handlers/mdx/handler`).default;
  // Textures and tables of the game are not there, nor is anything drawn.
  handler.loadTeamTextures = () => {};
  handler.getEventObjectData = () => Promise.resolve();
  const gl = new Proxy({}, { get: () => () => ({}) });
  const model = new Model(buffer, { viewer: { gl, load: () => Promise.resolve(), promise: () => () => {} } });
  const tracks = viewerTracks(model);
  return ({ sequence, time, global }) => {
    const instance = model.addInstance();
    const camera = new Camera();
    camera.reset();
    instance.scene = { camera, grid: { moved() {} } };
    instance.recalculateTransformation();
    instance.setSequence(sequence);
    instance.frame += time;
    instance.counter = global;
    instance.updateNodes(0, true);
    const nodes = instance.nodes.map(({ worldMatrix }, i) => [model.genericObjects[i].objectId, rows(worldMatrix)]);
    return {
      nodes: Object.fromEntries(nodes),
      tracks: Object.fromEntries(tracks.map(([path, sd]) => [path, viewerValue(sd, instance)])),
    };
  };
}

/** Every track of mdx-m3-viewer's model, with our path. */
function viewerTracks(model) {
  const found = [];
  const take = (tag, records, owner) => {
    records.forEach(({ animations }, i) => {
      for (const [name, sd] of animations) found.push([`${tag}[${i}]${owner(name)}.${name}`, sd]);
    });
  };
  const plain = (tag, records) => take(tag, records, () => '');
  const noded = (tag, records) => take(tag, records, (name) => (name.startsWith('KG') ? '.node' : ''));
  model.materials.forEach(({ layers }, i) => plain(`MTLS[${i}].LAYS`, layers));
  plain('TXAN', model.textureAnimations);
  plain('GEOA', model.geosetAnimations);
  plain('CAMS', model.cameras);
  noded('BONE', model.bones);
  noded('LITE', model.lights);
  noded('HELP', model.helpers);
  noded('ATCH', model.attachments);
  noded('PREM', model.particleEmitters);
  noded('PRE2', model.particleEmitters2);
  noded('RIBB', model.ribbonEmitters);
  noded('EVTS', model.eventObjects);
  noded('CLID', model.collisionShapes);
  return found;
}

function viewerValue(sd, { sequence, frame, counter }) {
  const { QuatSd, VectorSd } = require('mdx-m3-viewer-th/dist/cjs/viewer/handlers/mdx/sd');
  // The package keeps indices of textures in integers, everything else in floats.
  if (sd.name === 'KMTF' || sd.name === 'KRTX') {
    const index = new Uint32Array(1);
    sd.getValue(index, sequence, frame, counter);
    return index[0];
  }
  const value = new Float32Array(sd instanceof QuatSd ? 4 : sd instanceof VectorSd ? 3 : 1);
  sd.getValue(value, sequence, frame, counter);
  return value.length === 1 ? value[0] : Array.from(value);
}

/** A matrix of gl-matrix, which lies column by column, row by row. */
function rows(matrix) {
  return [0, 1, 2, 3].flatMap((row) => [0, 4, 8, 12].map((column) => matrix[column + row]));
}
