/**
 * Child process, run with `--expose-gc`: measures the heap that is left of many calls made to fill
 * caches, once their values are dropped. Prints failed checks, and the number of checks.
 *
 * The heap is sized by snapshots, not by `process.memoryUsage()`, for two reasons. Free space on
 * partly used pages does not count. And data, which must always stay bounded, is told from code,
 * which V8 keeps for as long as it records coverage.
 *
 * @module
 */

import { takeHeapSnapshot } from "../../measure/heap_snapshot.ts";
import { collect, settledHeapBytes } from "../../measure/process_memory.ts";
import { parseBinary } from "../../parse_binary.ts";
import { checkThat, reportChecks } from "../support/checks.ts";

// Loaded now, and so there from the start: young_generation.ts loads it for large inputs.
(globalThis as { process?: { getBuiltinModule(name: string): unknown } }).process?.getBuiltinModule("node:v8");

/** Most bytes of data in all caches together: objects, arrays, strings, buffers, hidden classes. */
const DATA_LIMIT = 750_000;

/** Most bytes of data and code together: caches, generated constructors, compiled code. */
const TOTAL_LIMIT = 1_650_000;

/** Most functions, nearly all of them generated constructors. */
const FUNCTIONS_LIMIT = 160;

/** Most bytes of growth of the data of full caches when other inputs replace their entries. */
const GROWTH_LIMIT = 50_000;

/** Number of texts of numbers after which V8's own cache of such texts no longer grows. */
const CACHED_TEXTS = 300_000;

const CALLS = 500;
const PER_CALL = 1_000;
const MILLION = 1_000_000;
const encoder = new TextEncoder();

/** Documents that fill caches, one per call. In the second pass `call` goes on from the first. */
const FLOODS: [name: string, document: (call: number) => string][] = [
  ["half a million names", (call) => {
    const members = Array.from({ length: PER_CALL }, (_, i) => `"name ${call} ${i}":${i}`);
    return `[{${members.slice(1).join()}},${members.map((member) => `{${member}}`).join()}]`;
  }],
  // Each shape twice, as a cache may ignore a shape that it sees once.
  ["a quarter of a million shapes", (call) => {
    const objects = Array.from({ length: PER_CALL / 2 }, (_, i) => {
      const keys = (call * 500 + i).toString(3).split("").map((digit, place) => `"${place}${digit}":${i}`);
      return `{${keys.join()}},{${keys.join()}}`;
    });
    return `[${objects.join()}]`;
  }],
  ["common shapes, more than are cached", (call) => {
    const pass = Math.floor(call / CALLS);
    const objects = Array.from(
      { length: 5 },
      (_, i) => `,{"a ${call % 50} ${pass}":1,"b ${i}":2,"c ${call % 7}":3}`.repeat(40),
    );
    return `[0${objects.join("")}]`;
  }],
  ["half a million strings", (call) => {
    return JSON.stringify(Array.from({ length: PER_CALL }, (_, i) => `text ${call} ${i} ${i % 2 ? "中" : "\n"}`));
  }],
  ["half a million strings, cut off", (call) => {
    return `[${Array.from({ length: PER_CALL }, (_, i) => `"text ${call} ${i}"`).join()},["and one mo`;
  }],
];

/** Documents that are large by themselves. */
const LARGE_DOCUMENTS: [name: string, document: () => string][] = [
  ["370,101 names in an object", () => {
    return `{${Array.from({ length: 370_101 }, (_, i) => `"word ${i}":${i}`).join()}}`;
  }],
  ["a million brackets", () => `${'[{"a":'.repeat(MILLION / 2)}0${"}]".repeat(MILLION / 2)}`],
  ["a million brackets, unclosed", () => '[{"a":'.repeat(MILLION / 2)],
  ["a string of 20 MB, escaped", () => `"${"text \\n".repeat(3 * MILLION)}"`],
  ["a million numbers", () => `[${"1.5e3,".repeat(MILLION)}0]`],
];

/** Bytes on the heap, and the number of functions. */
interface Heap {
  data: number;
  code: number;
  functions: number;
  /** Whether V8 records coverage: it then keeps every function with its source and hidden class. */
  hasCoverage: boolean;
}

/** Kinds of nodes that are code, or that V8 adds to code. */
const CODE_TYPES = new Set(["code", "closure", "native", "hidden", "synthetic"]);
/** Node of the memory of an `ArrayBuffer`, which is data although its kind is `native`. */
const BUFFER = "system / JSArrayBufferData";
const COVERAGE = "system / CoverageInfo";

async function measureHeap(): Promise<Heap> {
  await collect(); // so that finalizers run
  const heap = { data: 0, code: 0, functions: 0, hasCoverage: false };
  for (const { type, name, selfSize } of (await takeHeapSnapshot()).nodes()) {
    if (CODE_TYPES.has(type) && name !== BUFFER) heap.code += selfSize;
    else heap.data += selfSize;
    if (type === "closure") heap.functions++;
    if (type === "native" && name === COVERAGE) heap.hasCoverage = true;
  }
  return heap;
}

let inputs = 0;
let finalized = 0;
const registry = new FinalizationRegistry(() => finalized++);

/** Parses documents. No frame holds an input or a value once it returns. */
function flood(calls: number, document: (call: number) => string, first = 0): void {
  for (let call = first; call < first + calls; call++) {
    const bytes = encoder.encode(document(call));
    registry.register(bytes.buffer, undefined);
    inputs++;
    parseBinary(bytes);
  }
}

// Loads what any input loads: compiled code above all.
const COMMON = JSON.stringify(
  Array.from({ length: 200 }, (_, i) => ({ id: i, name: `name ${i}\n`, list: [1.5, null, {}] })),
);
flood(CALLS, () => COMMON);
for (let i = 0; i < CACHED_TEXTS; i++) encoder.encode(`${i}`);

await measureHeap(); // the first snapshot leaves structures of its own
const start = await measureHeap();
if (start.hasCoverage) console.log("V8 records coverage: neither the size of code nor growth is checked");

/** Checks the heap above `start` against the limits. Returns the bytes of data. */
async function checkHeap(name: string): Promise<number> {
  const heap = await measureHeap();
  const [data, code] = [heap.data - start.data, heap.code - start.code];
  const functions = heap.functions - start.functions;
  checkThat(`data left of ${name}`, data <= DATA_LIMIT, data);
  checkThat(`functions left of ${name}`, functions <= FUNCTIONS_LIMIT, functions);
  if (!start.hasCoverage) {
    checkThat(`data and code left of ${name}`, data + code <= TOTAL_LIMIT, { data, code });
  }
  return data;
}

for (const [name, document] of LARGE_DOCUMENTS) {
  flood(1, document);
  await checkHeap(name);
}
let full = 0;
for (const [name, document] of FLOODS) {
  flood(CALLS, document);
  full = await checkHeap(name);
}
for (const [, document] of FLOODS) flood(CALLS, document, CALLS);
const growth = await checkHeap("a second pass") - full;
if (!start.hasCoverage) checkThat("growth of full caches", growth <= GROWTH_LIMIT, growth);
await settledHeapBytes(); // runs the last finalizers
checkThat("inputs that are kept", finalized === inputs, inputs - finalized);

/** Text that stands nowhere but in inputs, so that strings with it come from the parser. */
const mark = [0x6d, 0x40, 0x72, 0x6b];

function markedDocument(rows: number): Uint8Array {
  const row = '{"key":"#### a value","other":["#### \\n escaped","#### wide 中"]},';
  const bytes = encoder.encode(`[${row.repeat(rows)}0]`);
  for (let at = bytes.indexOf(0x23); at >= 0; at = bytes.indexOf(0x23, at + 4)) bytes.set(mark, at);
  return bytes;
}

async function countMarkedStrings(): Promise<number> {
  let count = 0;
  const text = String.fromCharCode(...mark);
  for (const { type, name } of (await takeHeapSnapshot()).nodes()) {
    if (type.endsWith("string") && name.startsWith(`${text} `)) count++;
  }
  return count;
}

// A large document uses the string cache's second level.
for (const rows of [500, 80_000]) {
  const marked = markedDocument(rows);
  const held: { value: unknown } = { value: parseBinary(marked) };
  const seen = await countMarkedStrings();
  checkThat(`strings of a held value of ${rows} rows are found`, seen >= 3, seen);
  held.value = undefined;
  for (const end of [marked.length, marked.length - 3, marked.length - 40]) parseBinary(marked.subarray(0, end));
  const kept = await countMarkedStrings();
  checkThat(`strings of dropped values of ${rows} rows`, kept === 0, kept);
}

reportChecks();
