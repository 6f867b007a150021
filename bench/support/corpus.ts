/** Documents to measure: files, those of the shared corpus, and generated ones. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./bench.ts";
import { type BenchDocument, generatedDocuments, isSelected } from "./documents.ts";

const LINE_FEED = 0x0a;

/** Reads a file as one document, or as one document per line if its name is that of JSON Lines. */
export function readDocument(path: string, group: BenchDocument["group"] = "files"): BenchDocument {
  const bytes = new Uint8Array(readFileSync(path)); // with its own buffer
  return { group, name: basename(path), parts: /\.(ndjson|jsonl)$/.test(path) ? linesOf(bytes) : [bytes] };
}

/** Returns the lines that are not empty, as views. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(LINE_FEED, start);
    if (end < 0) end = bytes.length;
    if (end > start) lines.push(bytes.subarray(start, end));
  }
  return lines;
}

let hasWarned = false;

/** Lists the files of the shared corpus. If there are none, prints a warning. */
export function corpusPaths(): string[] {
  const shared = process.env.BYTEJSON_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
  const folder = join(shared, "corpus");
  try {
    const names = readdirSync(folder).filter((name) => /\.(json|ndjson|jsonl)$/.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    if (!hasWarned) console.error("Files of the corpus are left out: BYTEJSON_SHARED names no folder with any");
    hasWarned = true;
    return [];
  }
}

/**
 * Returns the documents whose group and name match: files of the command line or, if there are
 * none, those of the shared corpus and the generated ones.
 *
 * @throws {Error} If no document matches.
 */
export function selectDocuments({ paths, only }: Pick<BenchOptions, "paths" | "only">): BenchDocument[] {
  const group = paths.length > 0 ? "files" : "corpus";
  const files = (paths.length > 0 ? paths : corpusPaths())
    .filter((path) => isSelected({ group, name: basename(path) }, only))
    .map((path) => readDocument(path, group));
  const selected = paths.length > 0 ? files : [...files, ...generatedDocuments(only)];
  if (selected.length === 0) throw new Error(`Cannot compare: no document matches ${only}`);
  return selected;
}
