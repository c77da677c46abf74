// node sanity.mjs FILE : what the checker that modders must pass finds in a model of Warcraft III, on standard output.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const Model = require('mdx-m3-viewer-th/dist/cjs/parsers/mdlx/model').default;
const test = require('mdx-m3-viewer-th/dist/cjs/utils/mdlx/sanitytest/sanitytest').default;

const bytes = fs.readFileSync(process.argv[2]);
const model = new Model();
model.load(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const found = test(model);
const rows = [];
const visit = (node, path) => {
  if (node.type && node.type !== 'node') rows.push([node.type, path, node.message]);
  (node.nodes ?? []).forEach((child) => visit(child, `${path}/${node.name ?? ''}`));
};
found.nodes.forEach((node) => visit(node, ''));
const { errors, severe, warnings, unused } = found;
console.log(JSON.stringify({ errors, severe, warnings, unused, rows }));
