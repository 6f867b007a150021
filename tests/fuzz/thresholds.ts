/**
 * Named thresholds of the parser, read from its sources: a constant that is added there is tried
 * here, too.
 */

import { projectRoot } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";

/** Numeric constant of a module: decimal, hexadecimal of more than a byte, or a shifted 1. */
const CONSTANT = /^(?:export )?const ([A-Z][A-Z\d_]*)(?:: number)? = ([1-9][\d_]*|0x[\da-f]{3,8}|1 << \d+);$/gm;

/** Largest threshold that inputs are built around, in bytes or in elements. */
const LARGEST = 1 << 22;

/** Reads the thresholds from 4 to 4,194,304 of all modules in `parser/`: numbers by name. */
export function readThresholds(): Record<string, number> {
  const found: Record<string, number> = {};
  for (const file of filesBelow("parser/")) {
    for (const [, name, text] of Deno.readTextFileSync(new URL(file, projectRoot)).matchAll(CONSTANT)) {
      const [base, shift] = text.replaceAll("_", "").split(" << ");
      const value = Number(base) * 2 ** Number(shift ?? 0);
      if (value >= 4 && value <= LARGEST) found[`${file}: ${name}`] = value;
    }
  }
  return found;
}
