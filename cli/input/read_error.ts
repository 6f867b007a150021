/** Names and metadata of inputs, and errors of reading them, as users see them. */

import type { FileInfo } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import { kindOf, messageOf, missingOption } from "../platform/system_errors.ts";
import { PROGRAM } from "../program.ts";
import { writeError, writeRecord } from "../terminal/streams.ts";

export function inputName(path: string): string {
  return path === "-" ? "<stdin>" : path;
}

/** Returns whether a user types an input. */
export function isTyped({ path }: { path: string }): boolean {
  return path === "-" && platform.isStdinTerminal();
}

/** Returns a path with slashes, also on Windows. */
export function withSlashes(path: string): string {
  return platform.isWindows ? path.replaceAll("\\", "/") : path;
}

export function isJsonLinesName(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name);
}

/** Reports an input that cannot be used, with `isJson` also as a record. */
export function reportInputError(path: string, message: string, isJson: boolean): void {
  const file = inputName(path);
  writeError(`${PROGRAM}: ${file}: ${message}`);
  if (isJson) writeRecord({ type: "error", file, message });
}

/** Describes in a few words why a path cannot be read. */
export function describeReadError(error: unknown, path: string): string {
  switch (kindOf(error)) {
    case "no permission":
      return `no permission to read it; run with ${missingOption(error, "read")}`;
    case "not found":
      // Runtimes show malformed UTF-8 in a name as U+FFFD, and cannot open such a file.
      if (path.includes("\ufffd")) return "its name is not UTF-8; pass its content on standard input";
      return "no such file";
    case "denied":
      return "permission denied";
    case "directory":
      return "is a directory";
    default:
      return messageOf(error); // the path is named already
  }
}

/** Returns the metadata of a path, or the reason why there is none. */
export function statOf(path: string): FileInfo | string {
  try {
    return platform.statSync(path);
  } catch (error) {
    return describeReadError(error, path);
  }
}
