/**
 * Results of `bytejson bench`: the figures of a document, and the means of several. They are the
 * records that `--json` prints. The screen and the chart show the same figures.
 */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { geometricMean, median, percentile, quantile } from "../../measure/statistics.ts";
import { parseBinary } from "../../parse_binary.ts";
import { jsonLines } from "../input/json_lines.ts";
import { describeReadError } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import { printable } from "../terminal/printable.ts";
import { NATIVE_NAME } from "./bench_contestants.ts";
import type { Memory } from "./measuring_child.ts";
import type { Failed } from "./process_runner.ts";
import type { Timing } from "./timing.ts";

/** Figures of one row of earlier results. */
export interface EarlierRow {
  name: string;
  medianMs: number;
  /** Bytes; absent where memory was not measured. */
  peak?: number | undefined;
}

/** Row that cannot read the documents, with the reason. */
export interface FailedRow extends Failed {
  name: string;
}

export interface MeasuredRow {
  name: string;
  failed?: undefined;
  /** Number of passes in a sample, which is their mean. */
  batch: number;
  medianMs: number;
  p95Ms: number;
  /** Quartiles: half of the runs are between them. */
  quartilesMs: readonly [first: number, third: number];
  /** Time of the first call in a process; `null` if it could not be taken. */
  firstMs: number | null;
  mibPerSecond: number;
  /** Speed, native being 1; absent if native was not measured. */
  ratio: number | undefined;
  /** Whether a row of ours and native are so close that their middle halves overlap. */
  tie?: boolean;
  memory?: Memory | Failed;
  before?: Omit<EarlierRow, "name">;
}

export interface BenchRecord {
  type: "bench";
  file: string;
  bytes: number;
  runtime: string;
  runs: number;
  warmup: number;
  rows: readonly (MeasuredRow | FailedRow)[];
}

export interface BenchResult {
  record: BenchRecord;
  /** Reason why there is no first call, if there is none. */
  firstFailed?: string | undefined;
  /** Rows to compare with; empty if the earlier results lack this document. */
  earlier?: { source: string; rows: readonly EarlierRow[] } | undefined;
}

export interface MeanRecord {
  type: "mean";
  documents: number;
  /** Number of documents that every contestant can read: the means are of these. */
  compared: number;
  /** Geometric means of each contestant; empty where no document can be compared. */
  rows: readonly Pick<MeasuredRow, "name" | "mibPerSecond" | "ratio">[];
}

/** Measurements of a contestant: its times and, in processes, its first call and its memory. */
export interface Measurement extends Timing {
  first?: number | Failed;
  memory?: Memory | Failed;
}

export function resultOf(
  { file, bytes, warmup }: Pick<BenchRecord, "file" | "bytes" | "warmup">,
  measurements: readonly Measurement[],
  earlier?: BenchResult["earlier"],
): BenchResult {
  const native = measurements.find(({ contestant, failed }) => contestant.name === NATIVE_NAME && failed === undefined);
  const rowOf = ({ contestant, failed, samples, batch, first, memory }: Measurement): MeasuredRow | FailedRow => {
    const { name, isOurs } = contestant;
    if (failed !== undefined) return { name, failed };
    const medianMs = median(samples);
    const before = earlier?.rows.find((row) => row.name === name);
    return {
      name,
      batch,
      medianMs,
      p95Ms: percentile(samples, 0.95),
      quartilesMs: quartiles(samples),
      firstMs: typeof first === "number" ? first : null,
      mibPerSecond: mebibytesPerSecond(bytes, medianMs),
      ratio: native && median(native.samples) / medianMs,
      ...isOurs && { tie: native !== undefined && overlap(quartiles(native.samples), quartiles(samples)) },
      ...memory && { memory },
      ...before && { before: { medianMs: before.medianMs, peak: before.peak } },
    };
  };
  const runs = Math.max(...measurements.map(({ samples }) => samples.length)); // a row that failed may have fewer
  const rows = measurements.map(rowOf);
  const firstFailed = measurements.map(({ first }) => first).find((first) => typeof first === "object")?.failed;
  return { record: { type: "bench", file, bytes, runtime: runtimeName(), runs, warmup, rows }, firstFailed, earlier };
}

function quartiles(samples: readonly number[]): [first: number, third: number] {
  return [quantile(samples, 0.25), quantile(samples, 0.75)];
}

function overlap([first, third]: [number, number], [otherFirst, otherThird]: [number, number]): boolean {
  return otherFirst <= third && first <= otherThird;
}

export function meanOf(results: readonly BenchResult[]): MeanRecord {
  const complete = results.map(({ record }) => record.rows)
    .filter((rows): rows is MeasuredRow[] => rows.every(({ failed }) => failed === undefined));
  const rows = (complete[0] ?? []).map(({ name }, i) => {
    const ratios = complete.map((rows) => rows[i].ratio).filter((ratio) => ratio !== undefined);
    return {
      name,
      mibPerSecond: geometricMean(complete.map((rows) => rows[i].mibPerSecond)),
      ratio: ratios.length > 0 ? geometricMean(ratios) : undefined,
    };
  });
  return { type: "mean", documents: results.length, compared: complete.length, rows };
}

/**
 * Reads the records of an earlier `bytejson bench --json`: rows by the name of their file.
 *
 * @throws {Error} If it cannot be read, or contains no results.
 */
export function readEarlierResults(path: string): ReadonlyMap<string, readonly EarlierRow[]> {
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
    const record = parsed.value as AnyRecord;
    if (record?.type !== "bench" || typeof record.file !== "string" || !Array.isArray(record.rows)) continue;
    results.set(record.file, record.rows.flatMap(rowOf));
  }
  if (results.size === 0) {
    throw new Error(`cannot compare with ${printable(path)}: it has no results of 'bytejson bench --json'`);
  }
  return results;
}

/** Record and row as parsed from a file, unchecked. */
type AnyRecord = { type?: unknown; file?: unknown; rows?: unknown } | null;
type AnyRow = { name?: unknown; medianMs?: unknown; memory?: { peak?: unknown } } | null;

function rowOf(row: AnyRow): EarlierRow[] {
  const { name, medianMs, memory } = row ?? {};
  if (typeof name !== "string" || typeof medianMs !== "number" || !(medianMs > 0)) return [];
  return [{ name, medianMs, peak: typeof memory?.peak === "number" ? memory.peak : undefined }];
}
