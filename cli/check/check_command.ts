/** The command `bytejson check`. */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import type { Arguments } from "../arguments.ts";
import { DEFAULT_MAX_ERRORS, DEFAULT_MAX_SHOWN } from "../commands.ts";
import { describeReadError, isTyped, reportInputError } from "../input/read_error.ts";
import { catchInterrupt, type Interrupt, yieldToEvents } from "../interrupt.ts";
import { platform } from "../platform/platform.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { copyToStdout, noteLineEnd, OutputError, writeProse } from "../terminal/streams.ts";
import { type CheckOptions, type CheckRun, readOptions } from "./check_run.ts";
import { findInputs } from "./find_inputs.ts";
import type { Input } from "./input_file.ts";
import type { Report, Tally } from "./report.ts";
import { TextReport } from "./text_report.ts";
import { type InputOutcome, validateInput } from "./validate_input.ts";

/** Validates the inputs that the command line names. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  const started = performance.now();
  const options = await readOptions(args);
  const report = await createReport(args, options);
  const interrupt = catchInterrupt();

  let hasSkipped = false;
  const inputs = await findInputs(options.paths, { ...options.search, interrupt, onSkip: () => hasSkipped = true });
  report.hasSeveral = inputs.length > 1;
  const isMissing = inputs.length === 0 && !args.has("allow-no-files") && !interrupt.isRaised;
  if (isMissing) writeProse(`${PROGRAM} check: no files to check: ${reasonForNone(options, hasSkipped)}`);

  const check: CheckRun = { ...options, inputs, report, interrupt, bytesRead: 0 };
  const leavesLinesOpen = check.copiesInput || ["sarif", "gitlab", "junit"].includes(check.format) ||
    check.format === "json" && check.maxDiagnostics > DEFAULT_MAX_ERRORS;
  // Progress would be drawn into a line that the user is typing, or that the output has left open.
  const hasOpenLines = inputs.some(isTyped) || leavesLinesOpen && platform.stdout.isTerminal();
  const hasProgress = !args.has("quiet") && !hasOpenLines && platform.stderr.isTerminal();
  const stopProgress = hasProgress ? (await import("./progress_line.ts")).startProgress(check) : undefined;
  try {
    await validateAll(check);
  } finally {
    stopProgress?.();
  }

  const { tally } = report;
  tally.unchecked = inputs.length - tally.files;
  tally.isInterrupted = interrupt.isRaised;
  const unfinished = interrupt.isRaised ? check.unfinished ?? inputs[tally.files] : undefined;
  if (unfinished !== undefined && !args.has("quiet")) {
    reportInputError(unfinished.path, "interrupted before its end", false);
  }
  const exit = isMissing ? EXIT.unusable : exitCodeOf(tally, interrupt);
  const ms = performance.now() - started;
  const stats = args.has("stats")
    ? { mibPerSecond: mebibytesPerSecond(check.bytesRead, ms), ...await memoryUse() }
    : undefined;
  if (!isMissing || options.format !== "text") report.printSummary(ms, exit, stats);
  return exit;
}

function reasonForNone({ paths, search }: CheckOptions, hasSkipped: boolean): string {
  if (paths.length === 0) return "the list is empty";
  const { include, extensions } = search;
  const none = include === undefined ? `none match *.${extensions.join(", *.")}` : "none match --include";
  return hasSkipped ? `${none} without being excluded, ignored or hidden; see --no-ignore and --hidden` : none;
}

/** Creates the report of `--format`. Only the text report is loaded at start-up. */
async function createReport(args: Arguments, { format, hasSnippets }: CheckOptions): Promise<Report> {
  if (format === "text") {
    const isQuiet = args.has("quiet");
    return new TextReport(args, {
      isQuiet,
      hasSnippets,
      maxShown: args.has("max-errors") ? Infinity : DEFAULT_MAX_SHOWN,
    });
  }
  if (format === "json") return new (await import("./json_report.ts")).JsonReport(args);
  return await (await import("./line_report.ts")).createLineReport(args, format);
}

async function memoryUse(): Promise<Record<"heapUsed" | "external" | "rss" | "peakRss", number>> {
  const { default: process } = await import("node:process");
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapUsed, external, rss, peakRss: Math.max(rss, process.resourceUsage().maxRSS * 1024) };
}

function exitCodeOf({ isInterrupted, errors, invalid }: Tally, interrupt: Interrupt): number {
  if (isInterrupted) return interrupt.exit;
  if (errors > 0) return EXIT.unusable;
  return invalid > 0 ? EXIT.invalid : EXIT.valid;
}

/** Validates the inputs, in parallel if that is possible and pays. */
async function validateAll(check: CheckRun): Promise<void> {
  let next = 0;
  if (check.inputs.length > 1 && check.jobs > 1) {
    next = await (await import("./worker_pool.ts")).validateInWorkers(check);
  }
  for (const input of check.inputs.slice(next)) {
    const { invalid, errors } = check.report.tally;
    if (check.interrupt.isRaised || check.failFast && invalid + errors > 0) return;
    await validateHere(check, input);
    await yieldToEvents();
  }
}

async function validateHere(check: CheckRun, input: Input): Promise<void> {
  const { report, interrupt } = check;
  if (input.error !== undefined) return report.addOutcome(input.name, input.error);
  const isFromTerminal = isTyped(input);
  let outcome: InputOutcome;
  try {
    const mayThread = input.size !== undefined && input.size >= check.parallelBytes && check.jobs > 1;
    // Loaded here, so that small inputs do not pay for it.
    const pool = mayThread ? await import("./worker_pool.ts") : undefined;
    const result = await pool?.validateLines(check, input) ?? await validateInput(input, check.optionsFor(input), {
      interrupt,
      readsAhead: check.jobs > 1,
      onPiece(piece, { validBytes }): void | Promise<void> {
        const start = check.bytesRead;
        check.bytesRead += piece.length;
        if (isFromTerminal) noteLineEnd(piece);
        if (check.copiesInput) return copyToStdout(piece.subarray(0, Math.max(0, validBytes - start)));
      },
      onDiagnostic: (diagnostic) => report.addDiagnostic(input.name, diagnostic),
    });
    if (interrupt.isRaised && !result.isFinal) {
      // An interrupt before any failure leaves nothing to report.
      if (result.invalidDocuments === 0) return;
      check.unfinished = input;
    }
    outcome = result;
  } catch (error) {
    if (error instanceof OutputError) throw error;
    outcome = describeReadError(error, input.path);
  }
  report.addOutcome(input.name, outcome);
}
