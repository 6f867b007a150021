/** Documents in: files and standard input, whole. */

import { writeError, writeRecord } from "../terminal/streams.ts";

/** What diagnostics call a path. */
export function nameOf(path: string): string {
  return path === "-" ? "<stdin>" : path;
}

/** Reads a file, or standard input for `-`. Where that fails it says why, as a record too if `json`, and resolves to undefined. */
export async function readInput(path: string, json: boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await (path === "-" ? new Response(Deno.stdin.readable).bytes() : Deno.readFile(path));
  } catch (error) {
    reportUnreadable(path, describeReadError(error, path), json);
    return undefined;
  }
}

/** Says why an input is of no use, as a record too if `json`. */
export function reportUnreadable(path: string, message: string, json: boolean): void {
  const file = nameOf(path);
  writeError(`bytejson: ${file}: ${message}`);
  if (json) writeRecord({ type: "error", file, message });
}

/** Why a path could not be read, in a few words. */
export function describeReadError(error: unknown, path: string): string {
  if (error instanceof Deno.errors.NotCapable) return "no permission to read it; run with --allow-read";
  if (error instanceof Deno.errors.NotFound) {
    // What Deno makes of bytes in a name that are no UTF-8; it has no way to open such a file.
    if (path.includes("\ufffd")) return "its name is not UTF-8; give it on standard input";
    return "no such file";
  }
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "is a directory";
  // "Message (os error 5): readfile 'path'": the path is said already.
  return (error instanceof Error ? error.message : String(error)).replace(/: \w+ '.*'$/s, "");
}

/** Whether the name is one that JSON Lines files have. */
export function isJsonLinesName(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The documents of a JSON Lines file, without line ends; blank lines are none. */
export function* jsonLines<B extends ArrayBufferLike>(bytes: Uint8Array<B>): Generator<Uint8Array<B>> {
  for (let start = 0, next = 0; start < bytes.length; start = next + 1) {
    next = bytes.indexOf(LINE_FEED, start);
    if (next < 0) next = bytes.length;
    const end = bytes[next - 1] === CARRIAGE_RETURN ? next - 1 : next;
    const line = bytes.subarray(start, end);
    if (!isBlank(line)) yield line;
  }
}

/** Whether there is nothing but JSON whitespace (RFC 8259 section 2). */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN || byte === LINE_FEED);
}
