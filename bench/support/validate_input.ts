/**
 * A process that validates its standard input, and prints a {@linkcode Reading} as JSON: nothing is loaded that it does not need.
 *
 * @module
 */
import { BinaryValidator } from "../../validate_binary.ts";

/** What the process says of itself, sizes in bytes. */
export interface Reading {
  valid: boolean;
  bytes: number;
  rssAtStart: number;
  rssPeak: number;
}

const READ_BYTES = 262_144;
/** Reads between two looks at the memory. */
const LOOK = 1024;

/** What the process needs of its runtime. */
interface Runtime {
  /** Reads standard input; `null` or 0 at its end. */
  read: (buffer: Uint8Array) => number | null;
  rss: () => number;
  setExitCode: (code: number) => void;
}

async function openRuntime(): Promise<Runtime> {
  if ("Deno" in globalThis) { // its node: modules would cost it a third of its start
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
  if (reads % LOOK === 0) rssPeak = Math.max(rssPeak, rss());
}
rssPeak = Math.max(rssPeak, rss());
const reading: Reading = { valid: validator.end().ok, bytes, rssAtStart, rssPeak };
console.log(JSON.stringify(reading));
setExitCode(reading.valid ? 0 : 1);
