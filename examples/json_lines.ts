/**
 * JSON Lines from a file, plain or gzipped: counts the values, and prints each line that is not one
 * JSON value.
 *
 *     deno run --allow-read json_lines.ts FILE…
 *     node json_lines.ts FILE…   # 24.2 or later
 */
import { createReadStream } from "node:fs";
import process from "node:process";
import { Readable } from "node:stream";
import { JsonParseStream, type StreamedValue } from "bytejson";

/**
 * Opens a file of JSON Lines.
 *
 * @param path Path of the file; gzip is recognised by the ending `.gz`.
 * @returns A stream of a result for each line that is not blank.
 */
export function openLines<T = unknown>(path: string): ReadableStream<StreamedValue<T>> {
  // Chunks of 256 KiB: fewer reads than with the default of 64 KiB.
  let bytes = Readable.toWeb(createReadStream(path, { highWaterMark: 1 << 18 })) as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  if (path.endsWith(".gz")) bytes = bytes.pipeThrough(new DecompressionStream("gzip"));
  return bytes.pipeThrough(new JsonParseStream<T>());
}

if (import.meta.main) {
  for (const path of process.argv.slice(2)) {
    let valid = 0;
    let invalid = 0;
    try {
      for await (const line of openLines(path)) {
        if (line.ok) valid++;
        else {
          invalid++;
          console.error(`${path}:${line.line}:${line.column}: ${line.message}`);
        }
      }
    } catch (error) {
      invalid++;
      console.error(`${path}: ${(error as Error).message}`);
    }
    console.log(`${path}: ${valid} valid, ${invalid} invalid`);
    if (invalid > 0) process.exitCode = 1;
  }
}
