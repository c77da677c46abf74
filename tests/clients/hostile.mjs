// node hostile.mjs FILE FOLDER [WEBP] : the model of FILE as others write it, one file for each way, into FOLDER.
//
// glTF-Transform quantises, resamples, makes lists sparse, compresses by Meshopt and Draco, and puts the picture WEBP in place of
// every other; three.js exports what it has loaded. The names of the files are printed.
import fs from 'node:fs';
import path from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTTextureWebP } from '@gltf-transform/extensions';
import { draco, meshopt, quantize, resample, sparse, unpartition } from '@gltf-transform/functions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

const [source, folder, webp] = process.argv.slice(2);
await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  'draco3d.encoder': await draco3d.createEncoderModule(),
  'meshopt.decoder': MeshoptDecoder,
  'meshopt.encoder': MeshoptEncoder,
});
const bytes = new Uint8Array(fs.readFileSync(source));

const ways = {
  copy: (document) => document.transform(unpartition()),
  quantize: (document) => document.transform(quantize()),
  resample: (document) => document.transform(resample()),
  sparse: (document) => document.transform(sparse({ ratio: 1 })),
  meshopt: (document) => document.transform(meshopt({ encoder: MeshoptEncoder, level: 'medium' })),
  meshopt_high: (document) => document.transform(meshopt({ encoder: MeshoptEncoder, level: 'high' })),
  draco: (document) => document.transform(draco()),
};
if (webp) {
  ways.webp = (document) => {
    document.createExtension(EXTTextureWebP).setRequired(true);
    for (const texture of document.getRoot().listTextures()) {
      texture.setImage(new Uint8Array(fs.readFileSync(webp))).setMimeType('image/webp');
    }
  };
}
for (const [name, change] of Object.entries(ways)) {
  const document = await io.readBinary(bytes);
  await change(document);
  const file = path.join(folder, `${name}.glb`);
  fs.writeFileSync(file, await io.writeBinary(document));
  console.log(file);
}
