/**
 * Fields of JSON Lines from files or standard input, as lines of tab-separated values: time, HTTP
 * status and message of log records. Lines that are not JSON go to standard error.
 *
 *     deno run --allow-read log_fields.ts FILE…
 *     node log_fields.ts FILE…   # 24.2 or later
 *     zcat app.log.gz | deno run log_fields.ts
 */
import { createReadStream } from "node:fs";
import process from "node:process";
import { type ByteSource, parseValues, selector } from "bytejson";

/** Members of log records that the program reads. There may be others. */
interface LogRecord {
  timestamp?: string;
  message?: string;
  http?: { status?: number } | null;
}

/** Compiled once, for all lines of all files. */
const wanted = selector<LogRecord>()({ timestamp: true, message: true, http: { status: true } });

/**
 * Reads the selected fields of each line. Other members are validated, but not created.
 *
 * @param source Source of the bytes.
 * @param onInvalid Receives the location of the error in each line that is not JSON, and
 * the message.
 * @returns An iterator of records. Their types are not checked.
 */
export async function* logFields(
  source: ByteSource,
  onInvalid: (place: string, message: string) => void,
): AsyncGenerator<LogRecord> {
  // In batches, the loop awaits once for the lines of a chunk.
  for await (const batch of parseValues(source, { select: wanted, batch: true })) {
    for (const line of batch) {
      if (!line.ok) onInvalid(`${line.line}:${line.column}`, line.message);
      else if (typeof line.value === "object" && line.value !== null) yield line.value;
      else onInvalid(`${line.line}:1`, "Expected an object");
    }
  }
}

if (import.meta.main) {
  const paths = process.argv.slice(2);
  for (const path of paths.length > 0 ? paths : ["-"]) {
    const onInvalid = (place: string, message: string): void => {
      console.error(`${path}:${place}: ${message}`);
      process.exitCode = 1;
    };
    try {
      const source = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: 1 << 18 });
      for await (const { timestamp, http, message } of logFields(source, onInvalid)) {
        // JSON.stringify escapes tabs, line breaks and terminal controls of the message.
        console.log([timestamp ?? "-", http?.status ?? "-", JSON.stringify(message ?? "")].join("\t"));
      }
    } catch (error) {
      console.error(`${path}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
}
