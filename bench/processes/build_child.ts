/**
 * Child process that measures one build, or the sources of a tree: prints a number for each
 * document, or for loading.
 *
 *     build_child.ts FOLDER OPERATION [quick]
 *
 * @module
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type BuildOperation, PAYLOAD_BYTES } from "../builds.ts";
import { selectDocuments } from "../support/corpus.ts";
import { CHUNK_BYTES, payload } from "../support/documents.ts";
import { consumed, effortOf, Lane } from "../support/lane.ts";
import { Random } from "../support/random.ts";

type Library = typeof import("../../mod.ts") & typeof import("../../select.ts");

const [folder, operation, effort] = process.argv.slice(2) as [string, BuildOperation, string?];
const isQuick = effort === "quick";

/** Imports a module of the package, or of sources. */
function open(name: string): Promise<Library> {
  const sources: Record<string, string> = { index: "mod.ts" };
  const paths = [`${name}.js`, sources[name] ?? `${name.replaceAll("-", "_")}.ts`].map((file) => join(folder, file));
  const path = paths.find((path) => existsSync(path));
  if (path === undefined) throw new Error(`Cannot measure ${folder}: there is no ${paths[0]}`);
  return import(pathToFileURL(path).href);
}

/** Returns the milliseconds that an import and then the first call take. */
async function load(name: string): Promise<number[]> {
  const bytes = payload(1000, new Random(1));
  const start = performance.now();
  const { parseBinary } = await open(name);
  const loaded = performance.now();
  consumed.value = parseBinary(bytes);
  return [loaded - start, performance.now() - loaded];
}

/** Levels of the deepest mask. */
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

/** Creates a function that runs the operation on documents, one after the other. */
async function prepare(parts: Uint8Array[]): Promise<() => void> {
  const library = await open("index");
  const { parseBinary, BinaryParser, validateBinary, selectBinary, selector, every } = library;
  const run = (call: (bytes: Uint8Array) => unknown) => (): void => {
    for (let i = 0; i < parts.length; i++) consumed.value = call(parts[i]);
  };
  if (operation === "validate") return run((bytes) => validateBinary(bytes));
  if (operation === "select") {
    const mask = selector(maskOf(JSON.parse(new TextDecoder().decode(parts[0])), every) as never);
    return run((bytes) => selectBinary(bytes, mask));
  }
  if (operation === "chunks") {
    return run((bytes) => {
      const parser = new BinaryParser();
      for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
        parser.push(bytes.subarray(start, start + CHUNK_BYTES));
      }
      return parser.end();
    });
  }
  return run((bytes) => parseBinary(bytes));
}

async function measure(): Promise<number[]> {
  const documents = operation === "payloads"
    ? PAYLOAD_BYTES.map((size) => Array.from({ length: 64 }, (_, i) => payload(size, new Random(size + i))))
    : selectDocuments({ paths: [], only: isQuick ? /generated\/(records|integers)/ : /^(corpus|generated)/ })
      .map(({ parts }) => parts);
  const figures: number[] = [];
  for (const parts of documents) {
    const lane = new Lane(operation, await prepare(parts));
    const effort = effortOf(isQuick);
    await lane.warmUp(effort);
    for (let i = 0; i < effort.rounds; i++) await lane.sample(effort);
    figures.push(Math.min(...lane.samples));
  }
  return figures;
}

const loads: Partial<Record<BuildOperation, string>> = { "load": "index", "load parse-binary": "parse-binary" };
const entry = loads[operation];
console.log(JSON.stringify(entry === undefined ? await measure() : await load(entry)));
