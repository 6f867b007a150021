/**
 * Child process that parses documents one after the other, as a server does. Each arrives in a
 * buffer of its own, which is detached after the call. Prints a {@linkcode SequenceReading} as
 * JSON.
 *
 *     sequence_child.ts TASK     a {@linkcode SequenceTask} as JSON
 *
 * @module
 */

import process from "node:process";
import { native, parser, Rejection } from "../../measure/contestants.ts";
import { peakResidentBytes } from "../../measure/process_memory.ts";
import { median } from "../../measure/statistics.ts";
import { detach } from "../../detach.ts";
import { loadInput, type MemoryInput } from "../support/memory_documents.ts";

/** Documents to parse. */
export interface SequenceTask {
  /** Name of the contestant. */
  contestant: string;
  input: MemoryInput;
  /** Number of documents. The first half is a warm-up. */
  count: number;
}

/** Figures of the later half of the documents. */
export interface SequenceReading {
  /** Length of a document. */
  bytes: number;
  /** Highest resident set of the process, from its start on. */
  peak: number;
  /** Median time of a call. */
  milliseconds: number;
  /** Processor time of a document, collections by other threads included. */
  processorMilliseconds: number;
}

const { contestant: name, input, count }: SequenceTask = JSON.parse(process.argv[2]);
const contestant = [native, parser].find((contestant) => contestant.name === name)!;
const document = loadInput(input);

/** Parses a copy of the document, and frees it. Nothing refers to the value afterwards. */
function handle(): number {
  const body = document.slice();
  const start = performance.now();
  const value = contestant.parse(body);
  const milliseconds = performance.now() - start;
  if (value instanceof Rejection) throw new Error(value.message);
  detach(body);
  return milliseconds;
}

const times: number[] = [];
let usage = process.cpuUsage();
for (let i = 0; i < count; i++) {
  if (i === count >> 1) usage = process.cpuUsage();
  const milliseconds = handle();
  if (i >= count >> 1) times.push(milliseconds);
  await new Promise((resolve) => setTimeout(resolve));
}
const { user, system } = process.cpuUsage(usage);
const reading: SequenceReading = {
  bytes: document.length,
  peak: peakResidentBytes(),
  milliseconds: median(times),
  processorMilliseconds: (user + system) / 1000 / times.length,
};
console.log(JSON.stringify(reading));
