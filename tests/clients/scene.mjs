// node scene.mjs FILE < REQUESTS : how three.js shows a scene, on standard output.
//
// A request is [name of a clip, seconds]; standard input has a list of them, standard output an answer for each:
// "nodes", by index in the file: matrices of the world, column by column; null for what is not in the first scene;
// "meshes", by the name of the node that shows it: where all vertices of its primitives are in the world, one by one.
import fs from 'node:fs';

globalThis.self ??= globalThis; // The loader expects a browser.
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const bytes = fs.readFileSync(process.argv[2]);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const loader = new GLTFLoader();
// Pictures want a browser, and nothing here looks at them.
loader.register((parser) => {
  parser.loadTextureImage = () => Promise.resolve(new THREE.Texture());
  return { name: 'no pictures' };
});
const { scene, animations, parser } = await loader.parseAsync(buffer, '');
const indices = new Map(parser.json.nodes.map(({ name }, index) => [name, index]));
const nameOf = (object) => object.userData.name ?? object.name;

function answer([name, time]) {
  const clip = THREE.AnimationClip.findByName(animations, name);
  const mixer = new THREE.AnimationMixer(scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
  scene.updateMatrixWorld(true);
  const [nodes, meshes] = [[], {}];
  scene.traverse((object) => {
    const index = indices.get(nameOf(object));
    if (index !== undefined) nodes[index] = object.matrixWorld.elements.slice();
    if (!object.isMesh) return;
    // Of several primitives each hangs below the node that shows them.
    const shower = index === undefined ? object.parent : object;
    (meshes[nameOf(shower)] ??= []).push(...vertices(object));
  });
  mixer.stopAllAction();
  return { nodes: Array.from(nodes, (matrix) => matrix ?? null), meshes, duration: clip.duration };
}

function vertices(mesh) {
  const places = [];
  for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
    const place = mesh.getVertexPosition(i, new THREE.Vector3());
    places.push(mesh.localToWorld(place).toArray());
  }
  return places;
}

console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, 'utf8')).map(answer)));
