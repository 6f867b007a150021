/**
 * Names and metadata of inputs, and errors of reading them, as users see them.
 *
 * @module
 */

import { PROGRAM } from "../program.ts";
import { writeError, writeRecord } from "../terminal/streams.ts";

/** Returns the name of an input in diagnostics and records. */
export function inputName(path: string): string {
  return path === "-" ? "<stdin>" : path;
}

/** Returns whether a file with this name holds JSON Lines. */
export function isJsonLinesName(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name);
}

/** Reports an input that cannot be used; as a record, too, if `isJson`. */
export function reportInputError(path: string, message: string, isJson: boolean): void {
  const file = inputName(path);
  writeError(`${PROGRAM}: ${file}: ${message}`);
  if (isJson) writeRecord({ type: "error", file, message });
}

/** Describes in a few words why a path cannot be read. */
export function describeReadError(error: unknown, path: string): string {
  if (error instanceof Deno.errors.NotCapable) {
    // Deno protects some paths, such as /dev/stdin, with more than --allow-read.
    const [flag] = /--allow-\w+/.exec(error.message) ?? ["--allow-read"];
    return `no permission to read it; run with ${flag}`;
  }
  if (error instanceof Deno.errors.NotFound) {
    // Deno shows malformed UTF-8 in a name as U+FFFD, and cannot open such a file.
    if (path.includes("\ufffd")) return "its name is not UTF-8; pass its content on standard input";
    return "no such file";
  }
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "is a directory";
  // Deno's message ends with ": readfile 'path'", and the path is named already.
  return (error instanceof Error ? error.message : String(error)).replace(/: \w+ '.*'$/s, "");
}

/** Returns the metadata of a path, or the reason why there is none. */
export function statOf(path: string): Deno.FileInfo | string {
  try {
    return Deno.statSync(path);
  } catch (error) {
    return describeReadError(error, path);
  }
}
