/**
 * Child process that measures the memory or the first call of one contestant. Reads the documents
 * from standard input, and writes the figures to standard output as JSON.
 */

import { measureCallMemory } from "../../measure/call_memory.ts";
import { canCollect, residentBytes, settledHeapBytes } from "../../measure/process_memory.ts";
import { platform } from "../platform/platform.ts";
import { jsonLines } from "../input/json_lines.ts";
import { writeRecord } from "../terminal/streams.ts";
import { type BenchContestant, contestants } from "./bench_contestants.ts";
import { laneOf } from "./timing.ts";

/** Memory that parsing takes, in bytes. */
export interface Memory {
  /** Resident set added once by warming up: compiled code, an enlarged young generation. */
  fixed: number;
  /** Highest resident set while parsing, above the resident set with the input loaded. */
  peak: number;
  /** Heap taken by the values; null if the engine cannot be told to collect garbage. */
  retained: number | null;
}

/** Value with every kind of token, for the warm-up. */
const SAMPLE = { id: 1234, "é": "name 漢", x: -2.5e-7, list: ['a\n"b"', true, false, null, 0.1], empty: [{}, ""] };

/** Members of the warm-up document: 4 KiB, so that the next collection frees its values. */
const SAMPLES = 32;

/** Bytes parsed to warm up, enough for V8 to compile what a long run uses. */
const WARM_UP_BYTES = 2 ** 22;

/** Milliseconds to wait for compilation on other threads. */
const COMPILATION_MS = 50;

/**
 * Measures one contestant and prints the result: a {@linkcode Memory}, or the milliseconds of the
 * first call.
 *
 * @param args Contestant's id, number of bytes on standard input, "lines" or "document", and
 * "first" for the first call.
 * @returns The exit code.
 */
export async function runMeasuringChild([id, size, shape, figure]: readonly string[]): Promise<number> {
  const contestant = contestants.find((contestant) => contestant.id === id)!;
  const load = (): Uint8Array[] => {
    const bytes = readStandardInput(Number(size));
    return shape === "lines" ? [...jsonLines(bytes)] : [bytes];
  };
  if (figure === "first") {
    writeRecord({ milliseconds: await laneOf(contestant, load()).time(1) });
    return 0;
  }
  const fixed = await warmUp(contestant);
  const { peak, retained } = await measureCallMemory(contestant, load);
  writeRecord({ fixed, peak, retained: retained === undefined ? null : Math.max(0, retained) } satisfies Memory);
  return 0;
}

/** Warms up with small documents. Returns the lasting growth of the process in bytes. */
async function warmUp(contestant: BenchContestant): Promise<number> {
  const document = new TextEncoder().encode(JSON.stringify(Array(SAMPLES).fill(SAMPLE)));
  if (canCollect) await settledHeapBytes();
  const before = residentBytes();
  for (let parsed = 0; parsed < WARM_UP_BYTES; parsed += document.length) await contestant.parse(document);
  await new Promise((resolve) => setTimeout(resolve, COMPILATION_MS));
  if (canCollect) await settledHeapBytes();
  return Math.max(0, residentBytes() - before);
}

function readStandardInput(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let end = 0; end < size;) end += platform.readStdinSync(bytes.subarray(end)) ?? size;
  return bytes;
}

if (import.meta.main) await runMeasuringChild(platform.args);
