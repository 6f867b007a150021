/** Options that the commands which read documents have in common. */

import { type Arguments, UsageError } from "./arguments.ts";
import { DEFAULT_MAX_CONTENT, DEFAULT_MAX_DEPTH, DEFAULT_MAX_ERRORS, DEFAULT_MAX_RATIO } from "./commands.ts";
import type { ContentLimits } from "./input/content_limits.ts";

export interface ReadingOptions {
  /** Limits of the content of compressed data; `undefined` if the data is read as it is. */
  readonly contentLimits: ContentLimits | undefined;
  /** Most brackets that may be open at a time. */
  readonly maxDepth: number;
  /** Number of failures of an input that get a diagnostic. */
  readonly maxDiagnostics: number;
  /** Whether diagnostics show content of the input. */
  readonly hasSnippets: boolean;
  readonly jobs: number;
  /** Bytes of lines from which threads read them. */
  readonly parallelBytes: number;
}

/**
 * Reads the options. Without `--jobs`, threads read what takes longer than their start: on two cores,
 * 100 MB of lines take 1.1 × as long by threads, 150 MB 0.85 to 1.1, and 500 MB 0.63 to 0.69.
 *
 * @throws {UsageError} If one has a value that it does not take.
 */
export function readingOptions(args: Arguments): ReadingOptions {
  const limit = (name: string, byDefault: number): number => (args.integer(name, 0) ?? byDefault) || Infinity;
  const maxBytes = args.size("max-content", DEFAULT_MAX_CONTENT) || Infinity;
  const jobs = args.integer("jobs", 1);
  const maxRatio = limit("max-ratio", DEFAULT_MAX_RATIO);
  return {
    contentLimits: args.has("no-decompress") ? undefined : { maxBytes, maxRatio },
    maxDepth: limit("max-depth", DEFAULT_MAX_DEPTH),
    maxDiagnostics: limit("max-errors", DEFAULT_MAX_ERRORS),
    hasSnippets: !args.has("no-snippet"),
    jobs: jobs ?? navigator.hardwareConcurrency,
    parallelBytes: jobs === undefined ? 2 ** 27 : 2 ** 25,
  };
}

/**
 * Checks that standard input is not to be read twice.
 *
 * @throws {UsageError} If it is.
 */
export function checkStandardInput(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === "-").length > 1) throw new UsageError("standard input can be read only once");
}
