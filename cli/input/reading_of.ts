/** Chooses the way to read an input, by its name and the options of the command line. */

import type { Arguments } from "../arguments.ts";
import { isJsoncName } from "../check/jsonc_names.ts";
import type { PathGlobs } from "../check/glob_rules.ts";
import type { Reading } from "../diagnostics/diagnostic.ts";
import { isJsonLinesName } from "./read_error.ts";

/** Returns the globs of a flag; `undefined` if it is not given. */
export async function globsOf(args: Arguments, flag: string): Promise<PathGlobs | undefined> {
  const globs = args.texts(flag);
  return globs && new (await import("../check/glob_rules.ts")).PathGlobs(globs);
}

/** Returns a path without the extension of a compression, unless the data is read as it is. */
export function contentName(args: Arguments, path: string): string {
  return args.has("no-decompress") ? path : path.replace(/\.(?:gz|zst)$/i, "");
}

/**
 * Returns the way to read an input; `undefined` if neither its name nor an option decides.
 *
 * @param jsonc Globs of files that may have comments.
 */
export function readingOf(args: Arguments, path: string, jsonc: PathGlobs | undefined): Reading | undefined {
  const name = contentName(args, path);
  if (args.has("jsonl")) return "lines";
  if (args.has("concatenated")) return "concatenated";
  if (isJsonLinesName(name)) return "lines";
  const isJsonc = jsonc?.matches(path, false) || jsonc?.matches(name, false) ||
    !args.has("strict") && isJsoncName(name);
  return isJsonc ? "comments" : undefined;
}
