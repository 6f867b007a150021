/**
 * Demonstrates a bug in V8: `JSON.parse` gives an object a key of a document that was parsed
 * before. Parses pairs of documents with `JSON.parse` and with `parseBinary`, and prints
 * wrong keys.
 *
 *     deno run v8_wrong_keys.ts [--json] [FILE]
 *     node v8_wrong_keys.ts [--json] [FILE]   # 24.2 or later
 *
 * FILE has other pairs: lines of three hexadecimal fields between tabs, which are the two documents
 * and the last key of the second one. Lines with a `#` are skipped.
 *
 * The exit code is 1 if a key of `parseBinary` is wrong. The bug of V8 is
 * https://github.com/nodejs/node/issues/63785.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseBinary } from "bytejson";
import { findWrongKeys, makeSequences, type Sequence, type WrongKey } from "./v8_key_pairs.ts";

/** Wrong keys of both parsers. */
export interface Demonstration {
  runtime: string;
  sequences: number;
  native: WrongKey[];
  parseBinary: WrongKey[];
}

/** Reads sequences from lines of hexadecimal fields. */
export function readSequences(table: string): Sequence[] {
  const decoder = new TextDecoder();
  return table.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line): Sequence => {
    const [first, second, lastKey] = line.split("\t").map((field) =>
      decoder.decode(Uint8Array.from(field.match(/[\da-f]{2}/gi) ?? [], (byte) => parseInt(byte, 16)))
    );
    return { first, second, lastKey };
  });
}

function runtimeName(): string {
  const { deno, bun, node, v8 } = process.versions;
  const name = deno ? `Deno ${deno}` : bun ? `Bun ${bun}` : `Node.js ${node}`;
  return bun ? name : `${name}, V8 ${v8}`;
}

/** Parses sequences with both parsers. */
export function demonstrate(sequences: Sequence[]): Demonstration {
  const encoder = new TextEncoder();
  return {
    runtime: runtimeName(),
    sequences: sequences.length,
    native: findWrongKeys(sequences, JSON.parse),
    parseBinary: findWrongKeys(sequences, (text) => {
      const result = parseBinary(encoder.encode(text));
      return result.ok ? result.value : undefined;
    }),
  };
}

if (import.meta.main) {
  const file = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
  const demonstration = demonstrate(file === undefined ? makeSequences() : readSequences(readFileSync(file, "utf8")));
  const { runtime, sequences, native, parseBinary } = demonstration;
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(demonstration, null, 2));
  } else {
    console.log(`${runtime}, ${sequences} sequences of two documents`);
    console.log(`JSON.parse   ${native.length} wrong keys`);
    console.log(`parseBinary  ${parseBinary.length} wrong keys`);
    for (const { first, second, lastKey, actual } of native.slice(0, 3)) {
      console.log(`
JSON.parse(${JSON.stringify(first)})
JSON.parse(${JSON.stringify(second)}) has the key ${JSON.stringify(actual)} instead of ${JSON.stringify(lastKey)}`);
    }
  }
  process.exitCode = parseBinary.length === 0 ? 0 : 1;
}
