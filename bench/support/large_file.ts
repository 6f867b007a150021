/**
 * Files too large to be made in memory.
 *
 * @module
 */

import { closeSync, openSync, writeSync } from "node:fs";

/** Writes an array that repeats an element `times` times. */
export function writeCopies(path: string, element: Uint8Array, times: number): void {
  const file = openSync(path, "w");
  try {
    for (let i = 0; i < times; i++) {
      writeSync(file, i === 0 ? "[" : ",");
      for (let at = 0; at < element.length;) at += writeSync(file, element, at);
    }
    writeSync(file, "]");
  } finally {
    closeSync(file);
  }
}
