/**
 * Bodies of the requests of a soak test.
 *
 * @module
 */

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate, KINDS } from "./documents.ts";
import { loadInput } from "./memory_documents.ts";

/** Bytes of a body: API requests, a page of data, an upload. */
const SIZES = [500, 3_000, 30_000, 1_000_000];

/**
 * Writes a body of every kind and size to a folder. The process under test only reads them, so that
 * generating them adds nothing to its memory.
 */
export function writeBodies(folder: string): void {
  for (const size of SIZES) {
    KINDS.forEach((kind, i) => writeFileSync(join(folder, `${size} ${i}.json`), generate(kind, size)));
  }
}

/** Reads the bodies of a folder, one array per size, the sizes ascending. */
export function readBodies(folder: string): Uint8Array[][] {
  const names = readdirSync(folder).sort();
  return SIZES.map((size) =>
    names.filter((name) => name.startsWith(`${size} `)).map((name) => loadInput({ path: join(folder, name) }))
  );
}
