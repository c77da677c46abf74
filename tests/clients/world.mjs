// node world.mjs FILE TIMES : three.js in plain Node; the world matrix of every node (by `galvani_id`, rows one after
// the other) at each of the TIMES, a JSON array of seconds, as [[matrix, …], …] on standard output.
import fs from 'node:fs';

globalThis.self ??= globalThis; // The loader expects a browser.
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const [file, times] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const { scene, animations } = await new GLTFLoader().parseAsync(buffer, '');

function pose(time) {
  const mixer = new THREE.AnimationMixer(scene);
  for (const clip of animations) {
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
  }
  mixer.setTime(time);
  scene.updateMatrixWorld(true);
  const matrices = [];
  scene.traverse((object) => {
    const id = object.userData.galvani_id;
    // The primitives of a mesh hang below its node and have no id.
    if (id !== undefined) matrices[id] = object.matrixWorld.clone().transpose().elements;
  });
  mixer.stopAllAction();
  return matrices;
}

console.log(JSON.stringify(JSON.parse(times).map(pose)));
