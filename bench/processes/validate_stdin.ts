/**
 * Child process that validates its standard input and prints a {@linkcode StdinReading} as JSON. It
 * loads only the modules that validation needs, since its start-up is measured too.
 *
 * @module
 */

import { BinaryValidator } from "../../validate_binary.ts";

/** Result of validation. Sizes are in bytes. */
export interface StdinReading {
  valid: boolean;
  bytes: number;
  rssAtStart: number;
  rssPeak: number;
}

const READ_BYTES = 262_144;
/** Number of reads between two samples of the resident set. */
const SAMPLE_INTERVAL = 1024;

/** Functions of the runtime. */
interface Runtime {
  /** Reads standard input; returns `null` or 0 at its end. */
  read: (buffer: Uint8Array) => number | null;
  rss: () => number;
  setExitCode: (code: number) => void;
}

async function openRuntime(): Promise<Runtime> {
  if ("Deno" in globalThis) { // not by `node:` modules, which take a third of Deno's start-up
    return {
      read: (buffer) => Deno.stdin.readSync(buffer),
      rss: () => Deno.memoryUsage().rss,
      setExitCode: (code) => Deno.exitCode = code,
    };
  }
  const { readSync } = await import("node:fs");
  const { default: process } = await import("node:process");
  return {
    read: (buffer) => readSync(0, buffer),
    rss: () => process.memoryUsage().rss,
    setExitCode: (code) => process.exitCode = code,
  };
}

const { read, rss, setExitCode } = await openRuntime();
const buffer = new Uint8Array(READ_BYTES);
const validator = new BinaryValidator();
const rssAtStart = rss();
let rssPeak = rssAtStart;
let bytes = 0;
for (let reads = 1;; reads++) {
  const length = read(buffer) ?? 0;
  bytes += length;
  if (length === 0 || !validator.push(buffer.subarray(0, length))) break;
  if (reads % SAMPLE_INTERVAL === 0) rssPeak = Math.max(rssPeak, rss());
}
rssPeak = Math.max(rssPeak, rss());
const reading: StdinReading = { valid: validator.end().ok, bytes, rssAtStart, rssPeak };
console.log(JSON.stringify(reading));
setExitCode(reading.valid ? 0 : 1);
