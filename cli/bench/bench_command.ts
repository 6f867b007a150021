/** `bytejson bench`: the time and memory of reading documents, native and ours. */

import { type Arguments, UsageError } from "../arguments.ts";
import { DEFAULT_TIME, DEFAULT_WARMUP } from "../commands.ts";
import { validateBytes } from "../diagnostics/diagnostic_validator.ts";
import { printDiagnostic } from "../diagnostics/print_diagnostic.ts";
import { jsonLines } from "../input/json_lines.ts";
import { describeReadError, inputName, isJsonLinesName, isTyped, reportInputError } from "../input/read_error.ts";
import { readWhole } from "../input/read_whole.ts";
import { checkStandardInput } from "../input/reading_options.ts";
import { reportInterruptWith } from "../interrupt.ts";
import { platform } from "../platform/platform.ts";
import { kindOf, missingOption } from "../platform/system_errors.ts";
import { EXIT } from "../program.ts";
import { cellsOf, clip } from "../terminal/cells.ts";
import { printable } from "../terminal/printable.ts";
import { columnsOf, statusColumns } from "../terminal/lines.ts";
import { noteLineEnd, showStatusLine, writeRecord, writeStderr, writeStdout } from "../terminal/streams.ts";
import { type BenchResult, meanOf, type Measurement, readEarlierResults, resultOf } from "./bench_result.ts";
import { type BenchContestant, contestants } from "./bench_contestants.ts";
import { measureMemory, timeFirstCall } from "./process_runner.ts";
import { renderBench, renderMean } from "./screen_report.ts";
import { renderChart } from "./svg_chart.ts";
import { timeContestants } from "./timing.ts";

/** Measures the documents that a command line names. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  const options = readOptions(args);
  const { chart } = options;
  // If the chart cannot be written, fails before minutes of measuring, not after.
  const replace = chart === undefined || chart === "-" ? undefined : write(chart, () => platform.openToReplace(chart));

  let exit: number = EXIT.valid;
  const results: BenchResult[] = [];
  for (const path of args.inputs) {
    const result = await benchInput(path, args, options);
    if (typeof result === "number") exit = Math.max(exit, result);
    else results.push(result);
  }
  if (results.length > 1) {
    const mean = meanOf(results);
    if (options.isJson) writeRecord(mean);
    else options.writeReport((columns) => renderMean(mean, columns));
  }
  if (chart !== undefined && results.length > 0) {
    const svg = renderChart(results);
    if (replace) write(chart, () => replace(new TextEncoder().encode(svg)));
    else writeStdout(svg);
  }
  return exit;
}

function readOptions(args: Arguments) {
  const chart = args.text("svg");
  args.exclude("runs", "time");
  if (chart === "-" && args.has("json")) throw new UsageError("--svg - and --json both go to standard output");
  checkStandardInput(args.inputs);
  const source = args.text("compare");
  return {
    chart,
    contestants: chooseContestants(args.text("only")),
    plan: {
      runs: args.integer("runs", 1),
      time: args.duration("time") ?? DEFAULT_TIME,
      warmup: args.integer("warmup", 0) ?? DEFAULT_WARMUP,
    },
    isJson: args.has("json"),
    isLines: args.has("jsonl"),
    hasMemory: !args.has("no-memory"),
    hasSnippets: !args.has("no-snippet"),
    // If the results cannot be read, fails before measuring, too.
    earlier: source === undefined ? undefined : { source, results: readEarlierResults(source) },
    /** Writes the report for people. A chart on standard output leaves standard error to it. */
    writeReport(render: (columns: number) => string): void {
      if (chart === "-") writeStderr(render(columnsOf("stderr")));
      else writeStdout(render(columnsOf("stdout")));
    },
  };
}

/**
 * Measures an input and reports the result. Resolves with the result, or with an exit code where
 * there is nothing to measure.
 */
async function benchInput(
  path: string,
  args: Arguments,
  options: ReturnType<typeof readOptions>,
): Promise<BenchResult | number> {
  const { isJson, plan } = options;
  const file = inputName(path);
  reportInterruptWith(() => reportInputError(path, "interrupted before it was measured", isJson));
  const bytes = await readWhole(path, isJson);
  if (!bytes) return EXIT.unusable;
  if (isTyped({ path })) noteLineEnd(bytes);
  const isLines = options.isLines || isJsonLinesName(path);
  const [diagnostic] = validateBytes(bytes, isLines ? "lines" : "document", 1).diagnostics;
  if (diagnostic !== undefined) {
    const { excerpt: _, reading: __, ...failure } = diagnostic;
    if (isJson) writeRecord({ type: "error", file, ...failure });
    else printDiagnostic(file, diagnostic, options.hasSnippets, { args, hasSeveral: args.operands.length > 1 });
    return EXIT.invalid;
  }
  const documents = isLines ? [...jsonLines(bytes)] : [bytes];
  if (documents.length === 0) {
    reportInputError(path, "it has no document to measure", isJson);
    return EXIT.unusable;
  }
  const onProgress = statusOf(file);
  const measurements: Measurement[] = await timeContestants(options.contestants, documents, plan, onProgress);
  const able = measurements.filter(({ failed }) => failed === undefined);
  for (const measurement of able) {
    onProgress(`the first call of ${measurement.contestant.name}`);
    measurement.first = await timeFirstCall(measurement.contestant, { bytes, isLines });
  }
  for (const measurement of options.hasMemory ? able : []) {
    onProgress(`the memory of ${measurement.contestant.name}`);
    measurement.memory = await measureMemory(measurement.contestant, { bytes, isLines });
  }
  const earlier = options.earlier &&
    { source: options.earlier.source, rows: options.earlier.results.get(file) ?? [] };
  const result = resultOf({ file, bytes: bytes.length, warmup: plan.warmup }, measurements, earlier);
  if (isJson) writeRecord(result.record);
  else options.writeReport((columns) => renderBench(result, columns));
  return result;
}

/** Returns the contestants in a comma-separated list of words; all if there is no list. */
function chooseContestants(list: string | undefined): readonly BenchContestant[] {
  if (list === undefined) return contestants;
  const words = list.split(",").map((word) => word.trim());
  const names = (word: string, { id, name }: BenchContestant): boolean =>
    word !== "" && `${id} ${name}`.toLowerCase().includes(word.toLowerCase());
  const unknown = words.find((word) => !contestants.some((contestant) => names(word, contestant)));
  if (unknown !== undefined) {
    const known = contestants.map(({ id }) => id);
    const message = `--only: no row is called '${unknown}'; there are ${known.join(", ")}`;
    throw new UsageError(message, { word: unknown, known });
  }
  return contestants.filter((contestant) => words.some((word) => names(word, contestant)));
}

/** Minimum number of milliseconds between two changes of the status line. */
const STATUS_INTERVAL_MS = 100;

/** Creates a listener that shows the current activity on a terminal, and does nothing elsewhere. */
function statusOf(file: string): (activity: string) => void {
  if (!platform.stderr.isTerminal()) return () => {};
  let last = -Infinity;
  return (activity) => {
    const now = performance.now();
    if (now - last < STATUS_INTERVAL_MS) return;
    last = now;
    const line = clip(cellsOf(`${file}: measuring ${activity}`), statusColumns(), false);
    showStatusLine(line.map(({ text }) => text).join(""));
  };
}

/** Runs an action that writes to a file. Rewords its errors for the user. */
function write<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Error(`cannot write ${printable(path)}: ${describeWriteError(error)}`);
  }
}

function describeWriteError(error: unknown): string {
  const kind = kindOf(error);
  if (kind === "not found") return "no such directory";
  if (kind !== "no permission") return describeReadError(error, "");
  return `no permission; run with ${missingOption(error, "write")}, or use --svg - > FILE`;
}
