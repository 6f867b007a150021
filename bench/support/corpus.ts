/**
 * Documents read from files.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type BenchDocument, generatedDocuments } from "./documents.ts";

const LINE_FEED = 0x0a;

/** Reads a file as one document, or as one document per line if its name is that of JSON Lines. */
export function readDocument(path: string, group: BenchDocument["group"] = "files"): BenchDocument {
  const bytes = new Uint8Array(readFileSync(path)); // in a buffer of its own
  return { group, name: basename(path), parts: /\.(ndjson|jsonl)$/.test(path) ? splitLines(bytes) : [bytes] };
}

/** Lists the files of the shared corpus; returns `undefined` where there is none. */
export function corpusPaths(): string[] | undefined {
  const shared = process.env.BYTEJSON_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
  const folder = join(shared, "corpus");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  return names.filter((name) => /\.(json|ndjson|jsonl)$/.test(name)).sort().map((name) => join(folder, name));
}

/** Reads the documents of the shared corpus; returns `undefined` where there is none. */
export function sharedCorpus(): BenchDocument[] | undefined {
  return corpusPaths()?.map((path) => readDocument(path, "corpus"));
}

/**
 * Returns the valid documents whose group and name match: those of `paths` or, without any, those
 * of the shared corpus and the generated ones.
 *
 * @throws {Error} If none matches.
 */
export function validDocuments(paths: readonly string[], only: RegExp): BenchDocument[] {
  const documents = paths.length > 0
    ? paths.map((path) => readDocument(path))
    : [...sharedCorpus() ?? [], ...generatedDocuments().filter(({ group }) => group !== "failure")];
  const selected = documents.filter(({ group, name }) => only.test(`${group}/${name}`));
  if (selected.length === 0) throw new Error(`Cannot compare: no document matches ${only}`);
  return selected;
}

/**
 * Reads the named documents of the shared corpus for `deno bench`, which users also start without
 * permissions. If reading is not granted, there are none, and a line on the console says so.
 */
export function readableCorpus(names: readonly string[]): BenchDocument[] {
  const isGranted = (descriptor: Deno.PermissionDescriptor): boolean =>
    Deno.permissions.querySync(descriptor).state === "granted";
  if (!isGranted({ name: "read" }) || !isGranted({ name: "env", variable: "BYTEJSON_SHARED" })) {
    console.log("Files of the corpus are left out: they need --allow-read and --allow-env=BYTEJSON_SHARED");
    return [];
  }
  const paths = corpusPaths();
  if (paths === undefined) console.log("Files of the corpus are left out: BYTEJSON_SHARED names no folder with any");
  return (paths ?? []).filter((path) => names.includes(basename(path))).map((path) => readDocument(path, "corpus"));
}

/** Splits JSON Lines into documents; blank lines are left out. */
function splitLines(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    if (end > start) parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}
