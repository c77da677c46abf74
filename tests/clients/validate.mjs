// node validate.mjs FILE… : Khronos' validator; one JSON array of {file, errors, warnings, messages} on standard output.
import fs from 'node:fs';
import path from 'node:path';
import validator from 'gltf-validator';

const rows = [];
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const beside = (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))));
  const externalResourceFunction = async (uri) => beside(uri);
  const options = { uri: file, maxIssues: 0, writeTimestamp: false, externalResourceFunction };
  const { issues } = await validator.validateBytes(bytes, options);
  const messages = issues.messages
    .filter((message) => message.severity < 2)
    .map((message) => `${message.code} at ${message.pointer}: ${message.message}`);
  rows.push({ file, errors: issues.numErrors, warnings: issues.numWarnings, messages });
}
console.log(JSON.stringify(rows));
