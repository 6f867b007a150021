/** Results of an earlier `bytejson bench --json`, for `--compare`. */

import { parseBinary } from "../../parse_binary.ts";
import { jsonLines } from "../input/json_lines.ts";
import { describeReadError } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import { printable } from "../terminal/printable.ts";
import type { EarlierRow } from "./bench_result.ts";

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
    const record = parsed.value as AnyRecord;
    if (record?.type !== "bench" || typeof record.file !== "string" || !Array.isArray(record.rows)) continue;
    results.set(record.file, record.rows.flatMap(rowOf));
  }
  if (results.size === 0) {
    throw new Error(`cannot compare with ${printable(path)}: it has no results of 'bytejson bench --json'`);
  }
  return results;
}

/** Record and row as a file may hold them: of anyone's making. */
type AnyRecord = { type?: unknown; file?: unknown; rows?: unknown } | null;
type AnyRow = { name?: unknown; medianMs?: unknown; memory?: { peak?: unknown } } | null;

function rowOf(row: AnyRow): EarlierRow[] {
  const { name, medianMs, memory } = row ?? {};
  if (typeof name !== "string" || typeof medianMs !== "number" || !(medianMs > 0)) return [];
  return [{ name, medianMs, peak: typeof memory?.peak === "number" ? memory.peak : undefined }];
}
