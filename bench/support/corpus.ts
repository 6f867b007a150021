/** Documents from files. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { BenchDocument } from "../documents.ts";

const LINE_FEED = 0x0a;

/** The bytes in a buffer of their own. */
export function readBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

/** A file as one document, or as one per line where its name says so. */
export function readDocument(path: string, group: BenchDocument["group"] = "files"): BenchDocument {
  const bytes = readBytes(path);
  return { group, name: basename(path), parts: /\.(ndjson|jsonl)$/.test(path) ? lines(bytes) : [bytes] };
}

/** The files of the shared corpus, `undefined` where there is none. */
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

/** The documents of the shared corpus, `undefined` where there is none. */
export function sharedCorpus(): BenchDocument[] | undefined {
  return corpusPaths()?.map((path) => readDocument(path, "corpus"));
}

function lines(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    if (end > start) parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}
