// node three-export.mjs FILE OUT : what three.js exports of what it has loaded.
import fs from 'node:fs';

globalThis.self ??= globalThis; // Both expect a browser.
globalThis.FileReader ??= class {
  readAsArrayBuffer(blob) {
    blob.arrayBuffer().then((result) => {
      this.result = result;
      this.onloadend();
    });
  }
};
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { GLTFExporter } = await import('three/addons/exporters/GLTFExporter.js');

const bytes = fs.readFileSync(process.argv[2]);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const loader = new GLTFLoader();
// Pictures want a browser.
loader.register((parser) => {
  parser.loadTextureImage = () => Promise.resolve(null);
  return { name: 'no pictures' };
});
const { scene, animations } = await loader.parseAsync(buffer, '');
const made = await new GLTFExporter().parseAsync(scene, { binary: true, animations, onlyVisible: false });
fs.writeFileSync(process.argv[3], Buffer.from(made));
console.log(process.argv[3]);
