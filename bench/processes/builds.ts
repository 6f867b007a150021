/** Measurement of one build, or of the sources of a tree, in a process of its own. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { selectDocuments } from "../support/corpus.ts";
import { payloads, pushAll } from "../support/documents.ts";
import { consumed, effortOf, laneOf } from "../support/lane.ts";

/** Operations that whole documents are measured by. */
export const OPERATIONS = ["parse", "validate", "select", "chunks", "payloads"] as const;
/**
 * Imports of the whole library and of one entry, each with its first call, and the files of the
 * package.
 */
export const LOADS = { "load": "index", "load parse-binary": "parse-binary" };

export type BuildOperation = typeof OPERATIONS[number] | keyof typeof LOADS;

/** Bytes of the payloads: small bodies of requests. */
const PAYLOAD_BYTES = [1, 31, 100, 300, 700, 1500, 3000];

type Library = typeof import("../../mod.ts") & typeof import("../../select.ts");

function open(folder: string, name: string): Promise<Library> {
  const sources: Record<string, string> = { index: "mod.ts" };
  const paths = [`${name}.js`, sources[name] ?? `${name.replaceAll("-", "_")}.ts`].map((file) => join(folder, file));
  const path = paths.find((path) => existsSync(path));
  if (path === undefined) throw new Error(`Cannot measure ${folder}: there is no ${paths[0]}`);
  return import(pathToFileURL(path).href);
}

/** Returns the milliseconds that an import and then the first call take. */
async function load(folder: string, name: string): Promise<number[]> {
  const [bytes] = payloads(1000);
  const start = performance.now();
  const { parseBinary } = await open(folder, name);
  const loaded = performance.now();
  consumed.value = parseBinary(bytes);
  return [loaded - start, performance.now() - loaded];
}

const MAX_LEVELS = 6;

/** Makes a mask of the last member of each object, and of all elements. */
function maskOf(value: unknown, every: symbol, level = 0): unknown {
  if (typeof value !== "object" || value === null || level === MAX_LEVELS) return true;
  if (Array.isArray(value)) return value.length === 0 ? true : [maskOf(value[0], every, level + 1)];
  const names = Object.keys(value).filter((name) => name !== "__proto__");
  if (names.length === 0) return true;
  const name = names.at(-1)!;
  const mask = maskOf((value as Record<string, unknown>)[name], every, level + 1);
  return names.length > 30 ? { [every]: mask } : { [name]: mask };
}

function prepare(library: Library, operation: BuildOperation, [first]: Uint8Array[]): (bytes: Uint8Array) => unknown {
  const { parseBinary, BinaryParser, validateBinary, selectBinary, selector, every } = library;
  if (operation === "validate") return (bytes) => validateBinary(bytes);
  if (operation === "select") {
    const mask = selector(maskOf(JSON.parse(new TextDecoder().decode(first)), every) as never);
    return (bytes) => selectBinary(bytes, mask);
  }
  if (operation === "chunks") return (bytes) => pushAll(bytes, new BinaryParser());
  return (bytes) => parseBinary(bytes);
}

/** Resolves with the best time of each document, or with those of an import and the first call. */
export async function measureBuild(folder: string, operation: BuildOperation, isQuick: boolean): Promise<number[]> {
  if (operation in LOADS) return await load(folder, LOADS[operation as keyof typeof LOADS]);
  const documents = operation === "payloads"
    ? PAYLOAD_BYTES.map(payloads)
    : selectDocuments({ paths: [], only: isQuick ? /generated\/(records|integers)/ : /^(corpus|generated)/ })
      .map(({ parts }) => parts);
  const library = await open(folder, "index");
  const figures: number[] = [];
  const effort = effortOf(isQuick);
  for (const parts of documents) {
    const lane = laneOf({ name: operation, parse: prepare(library, operation, parts) }, parts);
    await lane.warmUp(effort);
    for (let i = 0; i < effort.rounds; i++) await lane.sample(effort);
    figures.push(Math.min(...lane.samples));
  }
  return figures;
}
