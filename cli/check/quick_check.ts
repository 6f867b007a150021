/**
 * Check of small files that are valid, which needs few modules: loading those of the whole command
 * takes as long as Deno needs to start (1 KB, CPU time above that of an empty script: 11 → 4 ms).
 *
 * @module
 */

import { startPlatform } from "../platform/start_platform.ts";
import { EXIT } from "../program.ts";
import { isColourWanted, isOn } from "../terminal/paint.ts";
import { summaryOfValid } from "./valid_summary.ts";

/** Most bytes of all files together. Beyond some hundred KiB, native parsing takes longer. */
const MAX_BYTES = 2 ** 16;

const QUIET: readonly string[] = ["-q", "--quiet"];

/** Options that change at most whether something is printed, as long as all files are valid. */
const HARMLESS: readonly string[] = [...QUIET, "--no-snippet", "--fail-fast", "--allow-no-files"];

/**
 * Checks the files of a command line without other options than {@linkcode HARMLESS}.
 *
 * Native `JSON.parse` decides, because it is loaded already. It accepts exactly what the validator
 * does, but tells less about the rest.
 *
 * @returns The exit code; `undefined`, and nothing is printed, if anything but valid small files is
 * named.
 */
export async function checkQuickly(args: readonly string[]): Promise<number | undefined> {
  const started = performance.now();
  const paths = pathsOf(args);
  if (paths === undefined) return undefined;
  try {
    let bytes = 0;
    for (const path of paths) bytes += lengthIfValid(await startPlatform.readSmallFile(path, MAX_BYTES - bytes));
    if (QUIET.some((option) => args.includes(option))) return EXIT.valid;
    isOn.stderr = isColourWanted(startPlatform.variable, startPlatform.isErrorTerminal);
    await startPlatform.writeError(summaryOfValid(paths.length, bytes, performance.now() - started));
    return EXIT.valid;
  } catch {
    return undefined;
  }
}

/**
 * Returns the files that a command line names; `undefined` if it may ask for more than their check.
 */
function pathsOf(args: readonly string[]): string[] | undefined {
  const isNamed = args[0] === "check";
  const paths = (isNamed ? args.slice(1) : args).filter((arg) => !HARMLESS.includes(arg));
  // A first word may be another command.
  if (paths.length === 0 || !isNamed && /^\w*$/.test(args[0])) return undefined;
  return paths.some(isUnusual) ? undefined : paths;
}

/** Returns whether an argument may be anything but the name of a single document. */
function isUnusual(arg: string): boolean {
  // U+FFFD stands for malformed bytes of a name; another file may be meant.
  return arg.startsWith("-") || /\.(?:jsonl|ndjson)$|\ufffd/i.test(arg);
}

/**
 * Returns the length of a document in bytes.
 *
 * @throws {Error} If it is missing or invalid.
 */
function lengthIfValid(document: Uint8Array | undefined): number {
  if (document === undefined) throw new Error("Cannot check the file quickly");
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(document));
  return document.length;
}
