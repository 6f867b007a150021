/**
 * Checks small valid files with few modules, because loading those of the whole command takes as
 * long as Deno takes to start (1 KB, CPU time above that of an empty script: 11 → 4 ms).
 */

import { startPlatform } from "../platform/start_platform.ts";
import { EXIT } from "../program.ts";
import { isColourWanted, isOn } from "../terminal/paint.ts";
import { summaryOfValid } from "./valid_summary.ts";

/** Maximum bytes of all files together. Beyond some hundred KiB, native parsing takes longer. */
const MAX_BYTES = 2 ** 16;

/** Options that only affect what is printed, as long as all files are valid. */
const HARMLESS: readonly string[] = ["-q", "--quiet", "--no-snippet", "--fail-fast", "--allow-no-files"];

/**
 * Checks the files of a command line that has no options except {@linkcode HARMLESS}.
 *
 * Native `JSON.parse` decides, because it is loaded already. Its value, whose keys can be wrong, is
 * dropped. It accepts exactly what the validator accepts, but says less about the rest.
 *
 * @returns The exit code; `undefined`, and nothing is printed, if anything but valid small files
 * is named.
 */
export async function checkQuickly(args: readonly string[]): Promise<number | undefined> {
  const started = performance.now();
  const paths = pathsOf(args);
  if (paths === undefined) return undefined;
  try {
    let bytes = 0;
    for (let i = 0; i < paths.length; i++) {
      bytes += lengthIfValid(await startPlatform.readSmallFile(paths[i], MAX_BYTES - bytes), paths[i]);
    }
    if (args.includes("-q") || args.includes("--quiet")) return EXIT.valid;
    isOn.stderr = isColourWanted(startPlatform.variable, startPlatform.isErrorTerminal);
    await startPlatform.writeError(summaryOfValid(paths.length, bytes, performance.now() - started));
    return EXIT.valid;
  } catch {
    return undefined;
  }
}

/**
 * Returns the files that a command line names; `undefined` if it may ask for more than
 * checking them.
 *
 * It uses loops instead of callbacks and patterns, because Bun has to compile `filter`, `some` and
 * regular expressions first (1 KB, CPU time of an empty script = 1: 1.53 → 1.46).
 */
function pathsOf(args: readonly string[]): string[] | undefined {
  const isNamed = args[0] === "check";
  const paths: string[] = [];
  for (let i = isNamed ? 1 : 0; i < args.length; i++) {
    const arg = args[i];
    if (HARMLESS.includes(arg)) continue;
    const name = arg.toLowerCase();
    // U+FFFD may be malformed bytes of a name, and so of another file.
    if (arg.startsWith("-") || arg.includes("\ufffd")) return undefined;
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) return undefined;
    paths.push(arg);
  }
  // A first word may be another command.
  return paths.length === 0 || !isNamed && /^\w*$/.test(args[0]) ? undefined : paths;
}

/**
 * Returns the length of a document in bytes.
 *
 * @throws {Error} If it is missing or invalid.
 */
function lengthIfValid(document: Uint8Array | undefined, path: string): number {
  if (document === undefined) throw new Error("Cannot check the file quickly");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(document);
  const value = JSON.parse(text);
  if (path.toLowerCase().endsWith("package.json") && namesIn(text) > membersOf(value)) throw new Error("Not unique");
  return document.length;
}

/** Counts the names of members in a valid text. */
function namesIn(text: string): number {
  return text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g)?.filter((token) => token.endsWith(":")).length ?? 0;
}

/** Counts the members of a value, which are fewer than the names if an object has duplicates. */
function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum, part) => sum + membersOf(part), Array.isArray(value) ? 0 : inner.length);
}
