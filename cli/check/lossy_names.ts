/**
 * Names that are not UTF-8. Deno shows what is malformed in them as U+FFFD, and opens the file whose
 * name has that character indeed. So two files can have one name, of which only one can be read.
 *
 * @module
 */

import { withSlashes } from "./glob_rules.ts";

/** Reason not to check a file or a directory whose name may be that of another. */
export const AMBIGUOUS_NAME = "not checked: names that are not UTF-8 look the same; pass its content on standard input";

/** Returns whether a name may stand for one that is not UTF-8. */
export function isLossy(name: string): boolean {
  return name.includes("\ufffd");
}

/** Returns whether a path may be that of another file than the one that Deno would open. */
export function isAmbiguous(path: string): boolean {
  const names = withSlashes(path).split("/");
  return names.some((name, i) =>
    isLossy(name) && countOf(name, names.slice(0, i).join("/") || (i > 0 ? "/" : ".")) > 1
  );
}

/** Returns how many names in a directory are shown like this one; many if it cannot be listed. */
function countOf(name: string, directory: string): number {
  try {
    let count = 0;
    for (const entry of Deno.readDirSync(directory)) if (entry.name === name) count++;
    return count;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? 0 : Infinity;
  }
}
