/**
 * Results of an earlier `bytejson bench --json`, for `--compare`.
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { describeReadError } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import { jsonLines } from "../input/json_lines.ts";
import { printable } from "../terminal/printable.ts";

/** Figures of one row. */
export interface EarlierRow {
  name: string;
  medianMs: number;
  /** Bytes; absent where memory was not measured. */
  peak?: number;
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
