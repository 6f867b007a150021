/** `bytejson check`: is it JSON, and where not. */

import { type Arguments, UsageError } from "./arguments.ts";
import { DEFAULT_EXTENSIONS, DEFAULT_MAX_ERRORS, EXIT, PROGRAM } from "./command.ts";
import { describeReadError, isJsonLinesName } from "./input.ts";
import { type Input, listInputs } from "./input_list.ts";
import { inspectInput } from "./inspect_input.ts";
import type { InspectionOptions } from "./inspection.ts";
import { breathe, catchInterrupt, type Interrupt } from "./interrupt.ts";
import { OutputError, passData, writeReport } from "./output.ts";
import { type Outcome, Records, type Report, Screen, type Tally } from "./report.ts";

/** What a command line asks for, and how far it is. */
export interface Check {
  readonly inputs: readonly Input[];
  readonly report: Report;
  readonly interrupt: Interrupt;
  readonly failFast: boolean;
  /** How many threads to keep busy. */
  readonly jobs: number;
  /** Whether to copy the input to standard output. */
  readonly passes: boolean;
  /** Bytes read so far, of inputs that are not over too. */
  bytesRead: number;
  /** How to look at an input. */
  optionsFor(input: Input): InspectionOptions;
}

/** Validates what the command line names. */
export async function run(args: Arguments): Promise<number> {
  const started = performance.now();
  const paths = args.has("recursive") && args.paths.length === 0 ? ["."] : args.inputs;
  if (paths.filter((path) => path === "-").length > 1) throw new UsageError("standard input can be read only once");
  args.exclude("pass", "json");
  if (args.has("pass") && (paths.length > 1 || args.has("recursive"))) throw new UsageError("--pass takes one input");
  const maxErrors = (args.integer("max-errors", 0) ?? DEFAULT_MAX_ERRORS) || Infinity;
  const jobs = args.integer("jobs", 1) ?? navigator.hardwareConcurrency;
  const extensions = (args.text("ext") ?? DEFAULT_EXTENSIONS).toLowerCase().split(",").map((extension) =>
    extension.trim().replace(/^\.+/, "")
  );
  const isQuiet = args.has("quiet");
  const failFast = args.has("fail-fast") || args.has("pass");
  const report = args.has("json") ? new Records() : new Screen(isQuiet, !args.has("no-snippet"));
  const interrupt = catchInterrupt();

  const inputs = await listInputs(paths, { isRecursive: args.has("recursive"), extensions, interrupt });
  const isIdle = inputs.length === 0 && !args.has("allow-no-files") && !interrupt.isRaised;
  if (isIdle) writeReport(`${PROGRAM} check: no files to check: none named *.${extensions.join(", *.")}\n`);

  const check: Check = {
    inputs,
    report,
    interrupt,
    failFast,
    jobs,
    passes: args.has("pass"),
    bytesRead: 0,
    optionsFor: ({ path }) => ({ isLines: args.has("jsonl") || isJsonLinesName(path), most: maxErrors, failFast }),
  };
  const isWatched = !isQuiet && Deno.stderr.isTerminal();
  const progress = isWatched ? (await import("./progress.ts")).watch(check) : undefined;
  // Findings of an input whose turn has not come are kept, and an endless number of them cannot be.
  await inspectAll(check, maxErrors < Infinity);
  progress?.stop();

  const { tally } = report;
  tally.unchecked = inputs.length - tally.files;
  tally.isInterrupted = interrupt.isRaised;
  const exit = isIdle ? EXIT.unusable : exitCodeOf(tally);
  const ms = performance.now() - started;
  const stats = args.has("stats")
    ? (await import("./check/resource_usage.ts")).resourceUsage(check.bytesRead, ms)
    : undefined;
  if (!isIdle || args.has("json")) report.summary(ms, exit, stats);
  return exit;
}

function exitCodeOf({ isInterrupted, errors, invalid }: Tally): number {
  if (isInterrupted) return EXIT.interrupted;
  if (errors > 0) return EXIT.unusable;
  return invalid > 0 ? EXIT.invalid : EXIT.valid;
}

/** Inspects the inputs: side by side if each can wait for its turn to be told of, and if that pays. */
async function inspectAll(check: Check, canWait: boolean): Promise<void> {
  let next = 0;
  if (canWait && check.inputs.length > 1 && check.jobs > 1) {
    const { inspectInParallel, workersFor } = await import("./parallel.ts");
    const workers = workersFor(check.inputs, check.jobs);
    if (workers > 1) next = await inspectInParallel(check, workers);
  }
  for (const input of check.inputs.slice(next)) {
    const { invalid, errors } = check.report.tally;
    if (check.interrupt.isRaised || check.failFast && invalid + errors > 0) return;
    await inspect(check, input);
    await breathe();
  }
}

/** Inspects an input on this thread. */
async function inspect(check: Check, input: Input): Promise<void> {
  const { report, interrupt } = check;
  if (input.trouble !== undefined) return report.settle(input.name, input.trouble);
  let outcome: Outcome;
  try {
    outcome = await inspectInput(input, check.optionsFor(input), {
      interrupt,
      readsAhead: check.jobs > 1,
      onPiece(piece, inspection): boolean | Promise<boolean> {
        const start = check.bytesRead;
        check.bytesRead += piece.length;
        return check.passes ? passData(piece.subarray(0, Math.max(0, inspection.validBytes - start))) : true;
      },
      onFinding: (finding) => report.finding(input.name, finding),
    });
    // Interrupted before there was anything to tell.
    if (interrupt.isRaised && !outcome.isFinal && outcome.invalidDocuments === 0) return;
  } catch (error) {
    if (error instanceof OutputError) throw error;
    outcome = describeReadError(error, input.path);
  }
  report.settle(input.name, outcome);
}
