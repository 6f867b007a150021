/** `bytejson bench`: the time and memory of parsing a document, native and ours. */

import { benchRecord, type BenchReport, meanOf, meanRecord, renderBench, renderMean } from "./bench_report.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { renderChart } from "./chart.ts";
import { DEFAULT_TIME, DEFAULT_WARMUP } from "./commands.ts";
import { validateBytes } from "./diagnostics/diagnostic_validator.ts";
import { printDiagnostic } from "./diagnostics/print_diagnostic.ts";
import { isJsonLinesName, jsonLines } from "./input/json_lines.ts";
import { inputName, reportInputError } from "./input/read_error.ts";
import { readWhole } from "./input/read_whole.ts";
import { measure, type Plan } from "./measure.ts";
import { measureMemories } from "./memory.ts";
import { EXIT } from "./program.ts";
import { type Row, rows } from "./rows.ts";
import { printable } from "./terminal/printable.ts";
import { showStatusLine, writeRecord, writeStderr, writeStdout } from "./terminal/streams.ts";

/** What a command line asks for. */
interface Bench {
  readonly rows: readonly Row[];
  readonly plan: Plan;
  readonly isJson: boolean;
  readonly isLines: boolean;
  readonly hasMemory: boolean;
  readonly hasSnippets: boolean;
}

/** Measures the documents that the command line names. */
export async function run(args: Arguments): Promise<number> {
  const chart = args.text("svg");
  args.exclude("runs", "time");
  if (chart === "-" && args.has("json")) throw new UsageError("--svg - and --json both go to standard output");
  if (args.inputs.filter((path) => path === "-").length > 1) {
    throw new UsageError("standard input can be read only once");
  }
  const bench: Bench = {
    rows: chooseRows(args.text("only")),
    plan: {
      runs: args.integer("runs", 1),
      time: args.duration("time") ?? DEFAULT_TIME,
      warmup: args.integer("warmup", 0) ?? DEFAULT_WARMUP,
    },
    isJson: args.has("json"),
    isLines: args.has("jsonl"),
    hasMemory: !args.has("no-memory"),
    hasSnippets: !args.has("no-snippet"),
  };
  // Before minutes of measuring, not after.
  using chartFile = chart === undefined || chart === "-" ? undefined : openToWrite(chart);

  let exit: number = EXIT.valid;
  const reports: BenchReport[] = [];
  for (const path of args.inputs) {
    const report = await benchInput(path, bench);
    if (typeof report === "number") exit = Math.max(exit, report);
    else reports.push(report);
  }
  if (reports.length > 1) {
    const mean = meanOf(reports);
    if (bench.isJson) writeRecord(meanRecord(mean));
    else writeStderr(renderMean(mean));
  }
  if (chart !== undefined && reports.length > 0) {
    const svg = renderChart(reports);
    if (chartFile) overwrite(chartFile, svg);
    else writeStdout(svg);
  }
  return exit;
}

/** Measures an input and tells of it. Resolves with the report or, where there is nothing to measure, an exit code. */
async function benchInput(path: string, bench: Bench): Promise<BenchReport | number> {
  const { isJson, plan } = bench;
  const file = inputName(path);
  const bytes = await readWhole(path, isJson);
  if (!bytes) return EXIT.unusable;
  const isLines = bench.isLines || isJsonLinesName(path);
  const [diagnostic] = validateBytes(bytes, isLines, 1).diagnostics;
  if (diagnostic !== undefined) {
    const { excerpt: _, ...failure } = diagnostic;
    if (isJson) writeRecord({ type: "error", file, ...failure });
    else printDiagnostic(file, diagnostic, bench.hasSnippets);
    return EXIT.invalid;
  }
  const documents = isLines ? [...jsonLines(bytes)] : [bytes];
  if (documents.length === 0) {
    reportInputError(path, "no document in it to measure", isJson);
    return EXIT.unusable;
  }
  const tell = statusOf(file);
  const timings = await measure(bench.rows, documents, plan, tell);
  const able = timings.filter((timing) => timing.failed === undefined).map((timing) => timing.row);
  const memories = bench.hasMemory ? await measureMemories(able, bytes, isLines, tell) : [];
  const report: BenchReport = { file, bytes: bytes.length, warmup: plan.warmup, timings, memories };
  if (isJson) writeRecord(benchRecord(report));
  else writeStderr(renderBench(report));
  return report;
}

/** The rows a comma-separated list of words names; all without a list. */
function chooseRows(list: string | undefined): readonly Row[] {
  if (list === undefined) return rows;
  const words = list.toLowerCase().split(",").map((word) => word.trim());
  const names = (word: string, row: Row): boolean =>
    word !== "" && `${row.id} ${row.name}`.toLowerCase().includes(word);
  const idle = words.find((word) => !rows.some((row) => names(word, row)));
  if (idle !== undefined) {
    throw new UsageError(`--only: no row is called '${idle}'; there are ${rows.map((row) => row.id).join(", ")}`);
  }
  return rows.filter((row) => words.some((word) => names(word, row)));
}

/** Milliseconds between two changes of the status line. */
const STATUS_INTERVAL = 100;

/** Shows what is being measured, on a terminal. */
function statusOf(file: string): (doing: string) => void {
  if (!Deno.stderr.isTerminal()) return () => {};
  let last = -Infinity;
  return (doing) => {
    const now = performance.now();
    if (now - last < STATUS_INTERVAL) return;
    last = now;
    const { columns } = Deno.consoleSize();
    showStatusLine(`${printable(file)}: measuring ${doing}`.slice(0, columns - 1));
  };
}

/** Opens a file and leaves its content as it is until there is something to put in its place. */
function openToWrite(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { write: true, create: true });
  } catch (error) {
    throw new Error(`cannot write ${printable(path)}: ${describeWriteError(error)}`);
  }
}

function describeWriteError(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) return `no permission; run with --allow-write, or use --svg - > FILE`;
  if (error instanceof Deno.errors.NotFound) return "no such directory";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "is a directory";
  return error instanceof Error ? error.message : String(error);
}

function overwrite(file: Deno.FsFile, text: string): void {
  file.truncateSync();
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
}
