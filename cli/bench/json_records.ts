/**
 * Results of `bytejson bench` as records: those that `--json` prints, and those of an earlier
 * `bytejson bench --json`, for `--compare`.
 */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { median, percentile } from "../../measure/statistics.ts";
import { parseBinary } from "../../parse_binary.ts";
import { jsonLines } from "../input/json_lines.ts";
import { describeReadError } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import { printable } from "../terminal/printable.ts";
import {
  type BenchMean,
  type BenchResult,
  type EarlierRow,
  isTie,
  quartiles,
  ratioToNative,
  runsOf,
} from "./bench_result.ts";

export function benchRecord(result: BenchResult): Record<string, unknown> {
  const { file, bytes, warmup, timings, firstCalls, memories, earlier } = result;
  return {
    type: "bench",
    file,
    bytes,
    runtime: runtimeName(),
    runs: runsOf(timings),
    warmup,
    rows: timings.map((timing) => {
      const { contestant, failed, samples, batch } = timing;
      const { name } = contestant;
      if (failed !== undefined) return { name, failed };
      const medianMs = median(samples);
      const first = firstCalls.find((call) => call.contestant === contestant);
      const measured = memories.find((memory) => memory.contestant === contestant);
      const before = earlier?.rows.find((row) => row.name === name);
      return {
        name,
        batch,
        medianMs,
        p95Ms: percentile(samples, 0.95),
        quartilesMs: quartiles(timing),
        ...first && { firstMs: first.milliseconds ?? null },
        mibPerSecond: mebibytesPerSecond(bytes, medianMs),
        ratio: ratioToNative(contestant, timings),
        ...contestant.isOurs && { tie: isTie(contestant, timings) },
        ...measured && { memory: measured.memory ?? { failed: measured.failed } },
        ...before && { before: { medianMs: before.medianMs, peak: before.peak } },
      };
    }),
  };
}

export function meanRecord({ documents, compared, means }: BenchMean): Record<string, unknown> {
  return {
    type: "mean",
    documents,
    compared,
    rows: means.map(({ contestant, mibPerSecond, ratio }) => ({ name: contestant.name, mibPerSecond, ratio })),
  };
}

/** Rows of each document, by the name of its file. */
export type EarlierResults = ReadonlyMap<string, readonly EarlierRow[]>;

/**
 * Reads the records of a file.
 *
 * @throws {Error} If it cannot be read, or has no results in it.
 */
export function readEarlierResults(path: string): EarlierResults {
  let bytes: Uint8Array;
  try {
    bytes = platform.readFileSync(path);
  } catch (error) {
    throw new Error(`cannot compare with ${printable(path)}: ${describeReadError(error, path)}`);
  }
  const results = new Map<string, EarlierRow[]>();
  for (const line of jsonLines(bytes)) {
    const parsed = parseBinary(line);
    if (!parsed.ok) break;
    const record = parsed.value as BenchRecord | null;
    if (record?.type !== "bench" || typeof record.file !== "string" || !Array.isArray(record.rows)) continue;
    results.set(record.file, record.rows.flatMap(rowOf));
  }
  if (results.size === 0) {
    throw new Error(`cannot compare with ${printable(path)}: it has no results of 'bytejson bench --json'`);
  }
  return results;
}

/** Record as a file may hold it: of anyone's making. */
interface BenchRecord {
  type?: unknown;
  file?: unknown;
  rows?: unknown;
}

function rowOf(row: { name?: unknown; medianMs?: unknown; memory?: { peak?: unknown } } | null): EarlierRow[] {
  const { name, medianMs, memory } = row ?? {};
  if (typeof name !== "string" || typeof medianMs !== "number" || !(medianMs > 0)) return [];
  const peak = memory?.peak;
  return [{ name, medianMs, ...typeof peak === "number" && { peak } }];
}
