/** One run of `bytejson check`: the options of its command line, and its state. */

import { type Arguments, UsageError } from "../arguments.ts";
import { DEFAULT_EXTENSIONS, type Format, FORMATS } from "../commands.ts";
import type { DiagnosticOptions } from "../diagnostics/diagnostic_validator.ts";
import { checkStandardInput, contentName, globsOf, readingOptions } from "../input/reading_options.ts";
import type { Interrupt } from "../interrupt.ts";
import type { FindOptions, Input } from "./input_file.ts";
import { isManifestName } from "./jsonc_names.ts";
import type { Report } from "./report.ts";

export type CheckOptions = Awaited<ReturnType<typeof readOptions>>;

export interface CheckRun extends CheckOptions {
  readonly inputs: readonly Input[];
  readonly report: Report;
  readonly interrupt: Interrupt;
  /** Bytes read so far, unfinished inputs included. */
  bytesRead: number;
  /** Input with failures whose reading was interrupted. */
  unfinished?: Input;
}

/**
 * Reads the options of validation.
 *
 * @throws {UsageError} If they cannot be combined, or have a wrong value.
 */
export async function readOptions(args: Arguments) {
  const format = formatOf(args);
  args.exclude("pass", "files-from");
  const isRecursive = args.has("recursive");
  const paths = await readPaths(args);
  checkStandardInput([...paths, args.text("files-from")]);
  const copiesInput = args.has("pass");
  if (copiesInput && (paths.length > 1 || isRecursive)) throw new UsageError("--pass takes one input");
  const reading = await readingOptions(args);
  const { contentLimits, jsonc, maxDepth, maxDiagnostics } = reading;
  const failFast = copiesInput || args.has("fail-fast");
  const isStrict = args.has("strict");
  args.exclude("unique-keys", "no-unique-keys");
  const safeIntegers = args.has("safe-integers");
  const noProto = args.has("no-proto");
  const extensions = (args.text("ext") ?? DEFAULT_EXTENSIONS).toLowerCase().split(",");
  const search: FindOptions = {
    isRecursive: !copiesInput,
    extensions: extensions.map((extension) => extension.trim().replace(/^\.+/, "")),
    hasOwnExtensions: args.has("ext"),
    include: await globsOf(args, "include"),
    exclude: await globsOf(args, "exclude"),
    jsonc,
    isStrict,
    hasNoIgnore: args.has("no-ignore"),
    hasHidden: args.has("hidden"),
    ignoresNamed: args.has("force-ignore"),
    followsLinks: args.has("follow"),
  };
  return {
    ...reading,
    /** Files, directories, or `-` for standard input. */
    paths,
    format,
    search,
    failFast,
    copiesInput,
    optionsFor({ path }: Input): DiagnosticOptions {
      const uniqueKeys = args.has("unique-keys") ||
        !args.has("no-unique-keys") && isManifestName(contentName(args, path));
      return {
        reading: reading.readingOf(path) ?? "document",
        refusesMark: isStrict,
        maxDepth,
        contentChecks: !uniqueKeys && !safeIntegers && !noProto ? undefined : {
          duplicateKeys: uniqueKeys ? "reject" : "last",
          integers: safeIntegers ? "reject" : "number",
          protoKeys: noProto ? "reject" : "keep",
        },
        contentLimits,
        maxDiagnostics,
        failFast,
      };
    },
  };
}

/** Reads the format of the report. All but text go to standard output, to which `--pass` copies. */
function formatOf(args: Arguments): Format {
  const format = args.choice("format", FORMATS);
  if (format !== "json") args.exclude("format", "json");
  if (format !== "text") args.exclude("pass", "format");
  args.exclude("pass", "json");
  return format ?? (args.has("json") ? "json" : "text");
}

/** Returns the paths of the command line, of `--files-from`, or the default. */
async function readPaths(args: Arguments): Promise<readonly string[]> {
  const list = args.text("files-from");
  if (list === undefined) {
    if (args.has("null")) throw new UsageError("--null needs --files-from");
    return args.has("recursive") && args.operands.length === 0 ? ["."] : args.inputs;
  }
  checkStandardInput([...args.operands, list]);
  if (list.includes("\ufffd") && (await import("./lossy_names.ts")).ambiguityFinder()(list)) {
    throw new Error(`cannot read the list of files ${list}: names that are not UTF-8 look the same`);
  }
  const { readPathList } = await import("../input/read_whole.ts");
  return [...args.operands, ...await readPathList(list, args.has("null") ? "\0" : "\n")];
}
