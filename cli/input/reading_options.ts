/** Options shared by the commands that read documents. */

import { type Arguments, UsageError } from "../arguments.ts";
import type { PathGlobs } from "../check/glob_rules.ts";
import { isJsoncName } from "../check/jsonc_names.ts";
import { DEFAULT_MAX_CONTENT, DEFAULT_MAX_DEPTH, DEFAULT_MAX_ERRORS, DEFAULT_MAX_RATIO } from "../commands.ts";
import type { Reading } from "../diagnostics/diagnostic.ts";
import { isJsonLinesName } from "./read_error.ts";

/**
 * Reads the options. Without `--jobs`, threads are used for inputs that take longer than starting
 * them: on two cores, 100 MB of lines take 1.1 × as long by threads, 150 MB 0.85 to 1.1, and 500 MB
 * 0.63 to 0.69.
 *
 * @throws {UsageError} If one has a wrong value, or two cannot be combined.
 */
export async function readingOptions(args: Arguments) {
  args.exclude("jsonl", "concatenated");
  const limit = (name: string, byDefault: number): number => (args.integer(name, 0) ?? byDefault) || Infinity;
  const maxBytes = args.size("max-content", DEFAULT_MAX_CONTENT) || Infinity;
  const jobs = args.integer("jobs", 1);
  const maxRatio = limit("max-ratio", DEFAULT_MAX_RATIO);
  const jsonc = await globsOf(args, "jsonc");
  return {
    /** Globs of files that may have comments. */
    jsonc,
    /** Returns the way to read an input; `undefined` if neither its name nor an option decides. */
    readingOf(path: string): Reading | undefined {
      const name = contentName(args, path);
      if (args.has("jsonl")) return "lines";
      if (args.has("concatenated")) return "concatenated";
      if (isJsonLinesName(name)) return "lines";
      const isJsonc = jsonc?.matches(path, false) || jsonc?.matches(name, false) ||
        !args.has("strict") && isJsoncName(name);
      return isJsonc ? "comments" : undefined;
    },
    /** Limits of the content of compressed data; `undefined` if the data is read as it is. */
    contentLimits: args.has("no-decompress") ? undefined : { maxBytes, maxRatio },
    /** Maximum number of brackets that may be open at a time. */
    maxDepth: limit("max-depth", DEFAULT_MAX_DEPTH),
    /** Number of failures of an input that get a diagnostic. */
    maxDiagnostics: limit("max-errors", DEFAULT_MAX_ERRORS),
    /** Whether diagnostics show content of the input. */
    hasSnippets: !args.has("no-snippet"),
    jobs: jobs ?? navigator.hardwareConcurrency,
    /** Minimum bytes of lines for threads to read them. */
    parallelBytes: jobs === undefined ? 2 ** 27 : 2 ** 25,
  };
}

export type ReadingOptions = Awaited<ReturnType<typeof readingOptions>>;

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
 * Checks that standard input is given at most once.
 *
 * @throws {UsageError} If it is named twice.
 */
export function checkStandardInput(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === "-").length > 1) throw new UsageError("standard input can be read only once");
}
