// node mdl.mjs read BINARY TEXT READER… : where what war3-model or mdx-m3-viewer make of a model in both forms differs,
// a line each: reader, place, the value in the binary form and that in the text.
// node mdl.mjs write BINARY FOLDER [WRITER…] : the texts that both write of a model, as `FOLDER/war3-model.mdl` and `FOLDER/mdx-m3-viewer.mdl`.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { parseMDX, parseMDL, generateMDL } = require('war3-model');
const Model = require('mdx-m3-viewer-th/dist/cjs/parsers/mdlx/model').default;

const binary = (file) => {
  const bytes = fs.readFileSync(file);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
};
const viewed = (source) => {
  const model = new Model();
  model.load(source);
  return model;
};

// Values that mean the same: lists of any kind are lists.
const plain = (value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  return value;
};

// What is missing in one form is nothing, empty, zero or false in the other.
const same = (a, b) => a === b || (!a && !b) || (typeof a === 'number' && Math.fround(a) === Math.fround(b));

function differences(a, b, at, found) {
  if (found.length > 5000) return;
  if (a && b && typeof a === 'object' && typeof b === 'object') {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) differences(a[key], b[key], `${at}.${key}`, found);
  } else if (!same(a, b)) {
    found.push([at, a ?? null, b ?? null]);
  }
}

const [what, model, other, ...readers] = process.argv.slice(2);
if (what === 'read') {
  const text = fs.readFileSync(other, 'utf8');
  const pairs = {
    'war3-model': [() => parseMDX(binary(model)), () => parseMDL(text)],
    'mdx-m3-viewer': [() => viewed(binary(model)), () => viewed(text)],
  };
  for (const reader of readers) {
    const [fromBinary, fromText] = pairs[reader];
    const found = [];
    differences(plain(fromBinary()), plain(fromText()), '', found);
    for (const [at, a, b] of found) console.log(`${reader} ${at} ${JSON.stringify(a)} ${JSON.stringify(b)}`);
  }
} else {
  const writers = {
    'war3-model': () => generateMDL(parseMDX(binary(model))),
    'mdx-m3-viewer': () => viewed(binary(model)).saveMdl(),
  };
  for (const writer of readers.length ? readers : Object.keys(writers)) {
    fs.writeFileSync(path.join(other, `${writer}.mdl`), writers[writer]());
  }
}
