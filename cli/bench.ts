/** `bytejson bench`: the time and memory of parsing a document, native and ours. */

import { benchRecord, type BenchReport, renderBench } from "./bench_report.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { DEFAULT_TIME, DEFAULT_WARMUP, EXIT } from "./command.ts";
import { reportFinding } from "./diagnostics.ts";
import { isJsonLinesName, jsonLines, nameOf, readInput, reportUnreadable } from "./input.ts";
import { inspectBytes } from "./inspection.ts";
import { measure, type Plan } from "./measure.ts";
import { measureMemories } from "./memory.ts";
import { writeRecord, writeReport } from "./output.ts";
import { type Row, rows } from "./rows.ts";

/** Measures the documents that the command line names. */
export async function run(args: Arguments): Promise<number> {
  if (args.text("runs") && args.text("time")) throw new UsageError("--runs and --time exclude each other");
  const plan: Plan = {
    runs: args.integer("runs", 1),
    time: args.duration("time") ?? DEFAULT_TIME,
    warmup: args.integer("warmup", 0) ?? DEFAULT_WARMUP,
  };
  const chosen = chooseRows(args.text("only"));
  const json = args.has("json");

  let exit: number = EXIT.valid;
  for (const path of args.inputs) {
    const file = nameOf(path);
    const bytes = await readInput(path, json);
    if (!bytes) {
      exit = EXIT.unusable;
      continue;
    }
    const lines = args.has("jsonl") || isJsonLinesName(path);
    const [finding] = inspectBytes(bytes, lines, 1).findings;
    if (finding !== undefined) {
      exit = Math.max(exit, EXIT.invalid);
      const { excerpt: _, ...failure } = finding;
      if (json) writeRecord({ type: "error", file, ...failure });
      else reportFinding(file, finding, !args.has("no-snippet"));
      continue;
    }
    const documents = lines ? [...jsonLines(bytes)] : [bytes];
    if (documents.length === 0) {
      exit = EXIT.unusable;
      reportUnreadable(path, "no document in it to measure", json);
      continue;
    }
    const timings = await measure(chosen, documents, plan);
    const able = timings.filter((timing) => timing.failed === undefined).map((timing) => timing.row);
    const memories = args.has("no-memory") ? [] : await measureMemories(able, bytes, lines);
    const report: BenchReport = { file, bytes: bytes.length, warmup: plan.warmup, timings, memories };
    if (json) writeRecord(benchRecord(report));
    else writeReport(renderBench(report));
  }
  return exit;
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
