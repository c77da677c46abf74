// node mdl-time.mjs read|write MODEL ROUNDS : nanoseconds that war3-model takes to read the text of a model, or to write it, so often.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { parseMDL, generateMDL } = require('war3-model');

const [what, file, rounds] = process.argv.slice(2);
const text = fs.readFileSync(file, 'utf8');
const model = parseMDL(text);
const once = what === 'read' ? () => parseMDL(text) : () => generateMDL(model);
for (let i = 0; i < 3; i++) once();
const start = process.hrtime.bigint();
for (let i = 0; i < Number(rounds); i++) once();
console.log(String(process.hrtime.bigint() - start));
