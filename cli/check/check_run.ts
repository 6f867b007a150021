/**
 * One run of `bytejson check`: the options of its command line, and its state.
 *
 * @module
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { DEFAULT_EXTENSIONS, DEFAULT_MAX_ERRORS, type Format, FORMATS } from "../commands.ts";
import type { DiagnosticOptions } from "../diagnostics/diagnostic_validator.ts";
import { isJsonLinesName } from "../input/json_lines.ts";
import type { Interrupt } from "../interrupt.ts";
import type { Input } from "./find_inputs.ts";
import type { Report } from "./report.ts";

/** Options of a command line. */
export interface CheckOptions {
  /** Files, directories, or `-` for standard input. */
  readonly paths: readonly string[];
  /** Whether to look into directories. */
  readonly isRecursive: boolean;
  /** Extensions of the files to check in directories, in lower case and without points. */
  readonly extensions: readonly string[];
  /** Format of the report. */
  readonly format: Format;
  /** Number of diagnostics per input. */
  readonly maxErrors: number;
  /** Number of threads to keep busy. */
  readonly jobs: number;
  /** Whether to stop at the first failure. */
  readonly failFast: boolean;
  /** Whether to copy the input to standard output. */
  readonly copiesInput: boolean;
  /** Returns the options for validating an input. */
  optionsFor(input: Input): DiagnosticOptions;
}

/** Options and state of a run, for its parts. */
export interface CheckRun extends CheckOptions {
  readonly inputs: readonly Input[];
  readonly report: Report;
  readonly interrupt: Interrupt;
  /** Bytes read so far, unfinished inputs included. */
  bytesRead: number;
}

/**
 * Reads the options of validation.
 *
 * @throws {UsageError} If they exclude each other, or have a value they do not take.
 */
export function readOptions(args: Arguments): CheckOptions {
  const isRecursive = args.has("recursive");
  const paths = isRecursive && args.operands.length === 0 ? ["."] : args.inputs;
  if (paths.filter((path) => path === "-").length > 1) throw new UsageError("standard input can be read only once");
  const format = formatOf(args);
  const copiesInput = args.has("pass");
  if (copiesInput && (paths.length > 1 || isRecursive)) throw new UsageError("--pass takes one input");
  const maxErrors = (args.integer("max-errors", 0) ?? DEFAULT_MAX_ERRORS) || Infinity;
  const failFast = copiesInput || args.has("fail-fast");
  return {
    paths,
    isRecursive,
    format,
    extensions: extensionsOf(args.text("ext") ?? DEFAULT_EXTENSIONS),
    maxErrors,
    jobs: args.integer("jobs", 1) ?? navigator.hardwareConcurrency,
    failFast,
    copiesInput,
    optionsFor: ({ path }) => ({
      isJsonLines: args.has("jsonl") || isJsonLinesName(path),
      maxDiagnostics: maxErrors,
      failFast,
    }),
  };
}

/** Reads the format of the report. All but text go to standard output, where `--pass` copies to. */
function formatOf(args: Arguments): Format {
  const format = args.choice("format", FORMATS);
  if (format !== "json") args.exclude("format", "json");
  if (format !== "text") args.exclude("pass", "format");
  args.exclude("pass", "json");
  return format ?? (args.has("json") ? "json" : "text");
}

function extensionsOf(list: string): string[] {
  return list.toLowerCase().split(",").map((extension) => extension.trim().replace(/^\.+/, ""));
}
