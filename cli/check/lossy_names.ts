/**
 * Names that are not UTF-8. Runtimes show malformed bytes in them as U+FFFD, and open the file
 * whose name really has that character. So two files can share a name, and only one of them can
 * be read.
 */

import { platform } from "../platform/platform.ts";
import { kindOf } from "../platform/system_errors.ts";
import { withSlashes } from "../input/read_error.ts";

/** Reason not to check a file or a directory whose name may be that of another. */
export const AMBIGUOUS_NAME = "not checked: names that are not UTF-8 look the same; pass its content on standard input";

/** Returns whether a name may be one that is not UTF-8. */
export function isLossy(name: string): boolean {
  return name.includes("\ufffd");
}

/**
 * Returns a test for paths with a name that several entries of its directory share, so that another
 * file than the intended one may be opened.
 */
export function ambiguityFinder(): (path: string) => boolean {
  /** Number of entries by name, by directory; `undefined` if a directory cannot be listed. */
  const folders = new Map<string, Map<string, number> | undefined>();
  const count = (folder: string, name: string): number => {
    if (!folders.has(folder)) folders.set(folder, countNames(folder));
    const counts = folders.get(folder);
    return counts === undefined ? Infinity : counts.get(name) ?? 0;
  };
  return (path) => {
    const names = withSlashes(path).split("/");
    const folderOf = (i: number): string => i === 0 ? "." : names.slice(0, i).join("/") || "/";
    return names.some((name, i) => isLossy(name) && count(folderOf(i), name) > 1);
  };
}

function countNames(folder: string): Map<string, number> | undefined {
  const counts = new Map<string, number>();
  try {
    for (const { name } of platform.readDirectorySync(folder)) {
      if (isLossy(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  } catch (error) {
    // Nothing in a folder that does not exist can be opened.
    if (kindOf(error) !== "not found") return undefined;
  }
  return counts;
}
