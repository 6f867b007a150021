/** Options shared by the commands that read documents. */

import { type Arguments, UsageError } from "./arguments.ts";
import { DEFAULT_MAX_CONTENT, DEFAULT_MAX_DEPTH, DEFAULT_MAX_ERRORS, DEFAULT_MAX_RATIO } from "./commands.ts";

/**
 * Reads the options. Without `--jobs`, threads are used for inputs that take longer than starting
 * them: on two cores, 100 MB of lines take 1.1 × as long by threads, 150 MB 0.85 to 1.1, and 500 MB
 * 0.63 to 0.69.
 *
 * @throws {UsageError} If one has a wrong value.
 */
export function readingOptions(args: Arguments) {
  const limit = (name: string, byDefault: number): number => (args.integer(name, 0) ?? byDefault) || Infinity;
  const maxBytes = args.size("max-content", DEFAULT_MAX_CONTENT) || Infinity;
  const jobs = args.integer("jobs", 1);
  const maxRatio = limit("max-ratio", DEFAULT_MAX_RATIO);
  return {
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

export type ReadingOptions = ReturnType<typeof readingOptions>;

/**
 * Checks that standard input is named at most once.
 *
 * @throws {UsageError} If it is named twice.
 */
export function checkStandardInput(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === "-").length > 1) throw new UsageError("standard input can be read only once");
}
