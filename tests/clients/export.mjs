// node export.mjs FILE ROUNDS : how long glTF-Transform takes to write a file that it has read, in nanoseconds.
import fs from 'node:fs';
import { NodeIO } from '@gltf-transform/core';

const [file, rounds] = [process.argv[2], Number(process.argv[3])];
const io = new NodeIO();
const document = await io.readBinary(new Uint8Array(fs.readFileSync(file)));
for (let i = 0; i < 20; i++) await io.writeBinary(document); // The first rounds are compiled, not run.
const start = process.hrtime.bigint();
for (let i = 0; i < rounds; i++) await io.writeBinary(document);
console.log(String(process.hrtime.bigint() - start));
