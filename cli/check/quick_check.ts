/**
 * Check of small files that are valid, which needs few modules: loading those of the whole command
 * takes as long as Deno needs to start (1 KB, CPU time above that of an empty script: 11 → 4 ms).
 *
 * @module
 */

import { platform } from "../platform/platform.ts";
import { EXIT } from "../program.ts";
import { setColour } from "../terminal/colour.ts";
import { writeStderr } from "../terminal/streams.ts";
import { summaryOfValid } from "./valid_summary.ts";

/** Most bytes of all files together. Beyond some hundred KiB, native parsing takes longer. */
const MAX_BYTES = 2 ** 16;

/** Options that change at most whether something is printed, as long as all files are valid. */
const HARMLESS: readonly string[] = ["-q", "--quiet", "--no-snippet", "--fail-fast", "--allow-no-files"];

/**
 * Checks the files of a command line without other options than {@linkcode HARMLESS}.
 *
 * Native `JSON.parse` decides, because it is loaded already. It accepts exactly what the validator
 * does, but tells less about the rest.
 *
 * @returns The exit code; `undefined`, and nothing is printed, if anything but valid small files is
 * named.
 */
export function checkQuickly(args: readonly string[]): number | undefined {
  const started = performance.now();
  const isNamed = args[0] === "check";
  const paths = (isNamed ? args.slice(1) : args).filter((arg) => !HARMLESS.includes(arg));
  // A first word may be another command. An executable has to give up permissions first.
  if (paths.length === 0 || !isNamed && /^\w*$/.test(args[0]) || platform.hasPermissions) return undefined;
  // U+FFFD stands for malformed bytes of a name; another file may be meant.
  if (paths.some((path) => path.startsWith("-") || /\.(?:jsonl|ndjson)$|\ufffd/i.test(path))) return undefined;
  let bytes = 0;
  for (const path of paths) {
    const length = lengthIfValid(path, MAX_BYTES - bytes);
    if (length < 0) return undefined;
    bytes += length;
  }
  if (args.includes("-q") || args.includes("--quiet")) return EXIT.valid;
  setColour("auto");
  writeStderr(summaryOfValid(paths.length, bytes, performance.now() - started));
  return EXIT.valid;
}

/**
 * Returns the length of a regular file in bytes if it is at most `most`, and valid; otherwise -1.
 */
function lengthIfValid(path: string, most: number): number {
  try {
    if (!platform.statSync(path).isFile) return -1;
    const file = platform.openSync(path);
    // One byte more than is allowed: the file may grow while it is read.
    const buffer = new Uint8Array(most + 1);
    let length = 0;
    try {
      for (let read; (read = file.readSync(buffer.subarray(length))) !== null && read > 0;) length += read;
    } finally {
      file.close();
    }
    if (length > most) return -1;
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length)));
    return length;
  } catch {
    return -1;
  }
}
