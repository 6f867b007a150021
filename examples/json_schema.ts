/**
 * Checks the JSON files of a folder with a JSON Schema, and prints `file:line:column: message` for
 * each error. Exits with 1 if there is one.
 *
 *     deno run --allow-read json_schema.ts SCHEMA FOLDER
 *     node json_schema.ts SCHEMA FOLDER
 *
 * The schema is of draft 7; one of draft 2020-12 needs `Ajv2020` of "ajv/dist/2020.js". Checking
 * formats needs "ajv-formats". Other files that a schema refers to are not read, nor are YAML and
 * JSON with comments.
 */
import { Ajv } from "ajv";
import { locate, parseBinary } from "bytejson";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [schema, folder] = process.argv.slice(2);
const options = { allErrors: true, validateFormats: false } as const;
const validate = new Ajv(options).compile(JSON.parse(readFileSync(schema, "utf8")));

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
  if (!name.endsWith(".json")) continue;
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const result = parseBinary(bytes);
  const faults = !result.ok ? [result] : validate(result.value) ? [] : placed(bytes);
  for (const { line, column, message } of faults) console.log(`${path}:${line}:${column}: ${message}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** Returns the errors of the schema with locations; for a missing member, the object's. */
function placed(bytes: Uint8Array): { line: number; column: number; message: string }[] {
  const errors = validate.errors ?? [];
  const places = locate(bytes, errors.map(({ instancePath }) => instancePath as "" | `/${string}`));
  return errors.map(({ instancePath, message = "" }, i) => {
    const place = places[i];
    const { line, column } = place.ok && place.found ? place : { line: 1, column: 1 };
    return { line, column, message: `${instancePath} ${message}`.trimStart() };
  });
}
