/**
 * Child process, run with `--expose-gc`: examines what is left on the heap of many calls made to
 * fill caches, once their values are dropped. Prints failed checks, and the number of checks.
 *
 * The heap is sized by snapshots, not by `process.memoryUsage()`, for two reasons. Free space on
 * partly used pages does not count. And data, which must always stay bounded, is told from code,
 * which V8 keeps for as long as it records coverage.
 */

import { getHeapSnapshot } from "node:v8";
import { collect, settledHeapBytes } from "../../measure/process_memory.ts";
import { parseBinary } from "../../parse_binary.ts";
import { checkThat, reportChecks } from "../support/checks.ts";

// Loaded now, and so there from the start: young_generation.ts loads it for large inputs.
(globalThis as { process?: { getBuiltinModule(name: string): unknown } }).process?.getBuiltinModule("node:v8");

const encoder = new TextEncoder();

/** Bytes on the heap, and numbers of functions and strings. */
interface Heap {
  data: number;
  code: number;
  functions: number;
  /** Strings that refer to others, which they keep alive. */
  notFlat: number;
  /** Strings that begin with {@linkcode MARK}. */
  marked: number;
  /** Whether V8 records coverage: it then keeps every function with its source and hidden class. */
  hasCoverage: boolean;
}

/** Kinds of nodes that are code, or that V8 adds to code. */
const CODE_TYPES = new Set(["code", "closure", "native", "hidden", "synthetic"]);
/** Node of the memory of an `ArrayBuffer`, which is data although its kind is `native`. */
const BUFFER = "system / JSArrayBufferData";
const COVERAGE = "system / CoverageInfo";

/**
 * Bytes of a text that stands nowhere but in inputs, so that strings with it come from the parser.
 */
const MARK = [0x6d, 0x40, 0x72, 0x6b];

/** Snapshot of the heap as V8 writes it: nodes as runs of numbers, whose fields `meta` names. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
}

/** Iterates over the objects on the heap: kind, class name or characters, and bytes of its own. */
async function* heapNodes(): AsyncGenerator<[type: string, name: string, selfSize: number]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of getHeapSnapshot()) text += decoder.decode(chunk as Uint8Array, { stream: true });
  const { snapshot: { meta }, nodes, strings }: Snapshot = JSON.parse(text);
  const [type, name, size] = ["type", "name", "self_size"].map((field) => meta.node_fields.indexOf(field));
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    yield [meta.node_types[0][nodes[at + type]], strings[nodes[at + name]], nodes[at + size]];
  }
}

async function measureHeap(): Promise<Heap> {
  await collect(); // so that finalizers run
  const mark = String.fromCharCode(...MARK);
  const heap: Heap = { data: 0, code: 0, functions: 0, notFlat: 0, marked: 0, hasCoverage: false };
  for await (const [type, name, selfSize] of heapNodes()) {
    if (CODE_TYPES.has(type) && name !== BUFFER) heap.code += selfSize;
    else heap.data += selfSize;
    if (type === "closure") heap.functions++;
    else if (type === "sliced string" || type === "concatenated string") heap.notFlat++;
    else if (type === "native" && name === COVERAGE) heap.hasCoverage = true;
    if (type.endsWith("string") && name.startsWith(mark) && name !== mark) heap.marked++;
  }
  return heap;
}

/**
 * Maximum bytes of data in all caches together: objects, arrays, strings, buffers, hidden classes.
 */
const DATA_LIMIT = 750_000;
/** Maximum bytes of data and code together: caches, generated constructors, compiled code. */
const TOTAL_LIMIT = 1_650_000;
/** Maximum number of functions, nearly all of them generated constructors. */
const FUNCTIONS_LIMIT = 160;
/** Maximum bytes of growth of the data of full caches when other inputs replace their entries. */
const GROWTH_LIMIT = 50_000;
/** Number of texts of numbers after which V8's own cache of such texts no longer grows. */
const CACHED_TEXTS = 300_000;

const CALLS = 500;
const PER_CALL = 1_000;
const MILLION = 1_000_000;

/** Documents that fill caches, one per call. In the second pass `call` goes on from the first. */
const FLOODS: Record<string, (call: number) => string> = {
  "half a million names": (call) => {
    const members = Array.from({ length: PER_CALL }, (_, i) => `"name ${call} ${i}":${i}`);
    return `[{${members.slice(1).join()}},${members.map((member) => `{${member}}`).join()}]`;
  },
  // Each shape twice, as a cache may ignore a shape that it sees once.
  "a quarter of a million shapes": (call) => {
    const objects = Array.from({ length: PER_CALL / 2 }, (_, i) => {
      const keys = (call * 500 + i).toString(3).split("").map((digit, place) => `"${place}${digit}":${i}`);
      return `{${keys.join()}},{${keys.join()}}`;
    });
    return `[${objects.join()}]`;
  },
  "common shapes, more than are cached": (call) => {
    const pass = Math.floor(call / CALLS);
    const object = (i: number): string => `,{"a ${call % 50} ${pass}":1,"b ${i}":2,"c ${call % 7}":3}`;
    return `[0${Array.from({ length: 5 }, (_, i) => object(i).repeat(40)).join("")}]`;
  },
  "half a million strings": (call) => {
    return JSON.stringify(Array.from({ length: PER_CALL }, (_, i) => `text ${call} ${i} ${i % 2 ? "中" : "\n"}`));
  },
  "half a million strings, cut off": (call) => {
    return `[${Array.from({ length: PER_CALL }, (_, i) => `"text ${call} ${i}"`).join()},["and one mo`;
  },
};

/** Documents that are large by themselves. */
const LARGE_DOCUMENTS: Record<string, () => string> = {
  "370,101 names in an object": () => `{${Array.from({ length: 370_101 }, (_, i) => `"word ${i}":${i}`).join()}}`,
  "a million brackets": () => `${'[{"a":'.repeat(MILLION / 2)}0${"}]".repeat(MILLION / 2)}`,
  "a million brackets, unclosed": () => '[{"a":'.repeat(MILLION / 2),
  "a string of 20 MB, escaped": () => `"${"text \\n".repeat(3 * MILLION)}"`,
  "a million numbers": () => `[${"1.5e3,".repeat(MILLION)}0]`,
};

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

/** Checks that many calls leave a fixed amount on the heap, and no input. */
async function checkFloods(): Promise<void> {
  // Loads what any input loads: compiled code above all.
  const row = (_: unknown, i: number): object => ({ id: i, name: `name ${i}\n`, list: [1.5, null, {}] });
  const common = JSON.stringify(Array.from({ length: 200 }, row));
  flood(CALLS, () => common);
  for (let i = 0; i < CACHED_TEXTS; i++) encoder.encode(`${i}`);
  await measureHeap();
  const start = await measureHeap();
  if (start.hasCoverage) console.log("V8 records coverage: neither the size of code nor growth is checked");

  /** Checks the heap above `start` against the limits. Returns the bytes of data. */
  const checkHeap = async (name: string): Promise<number> => {
    const heap = await measureHeap();
    const [data, code] = [heap.data - start.data, heap.code - start.code];
    const functions = heap.functions - start.functions;
    checkThat(`data left of ${name}`, data <= DATA_LIMIT, data);
    checkThat(`functions left of ${name}`, functions <= FUNCTIONS_LIMIT, functions);
    if (!start.hasCoverage) checkThat(`data and code left of ${name}`, data + code <= TOTAL_LIMIT, { data, code });
    return data;
  };
  for (const [name, document] of Object.entries(LARGE_DOCUMENTS)) {
    flood(1, document);
    await checkHeap(name);
  }
  let full = 0;
  for (const [name, document] of Object.entries(FLOODS)) {
    flood(CALLS, document);
    full = await checkHeap(name);
  }
  for (const document of Object.values(FLOODS)) flood(CALLS, document, CALLS);
  const growth = await checkHeap("a second pass") - full;
  if (!start.hasCoverage) checkThat("growth of full caches", growth <= GROWTH_LIMIT, growth);
  await settledHeapBytes(); // runs the last finalizers
  checkThat("inputs that are kept", finalized === inputs, inputs - finalized);
}

/** Checks that strings of a value are flat, and that none is left once it was dropped. */
async function checkStrings(): Promise<void> {
  for (const rows of [500, 80_000]) { // a large document uses the second level of the string cache
    const row = (i: number): unknown => ({ key: `#### a value ${i}`, other: [`#### \n ${i}`, `#### wide 中文 ${i}`] });
    const bytes = encoder.encode(JSON.stringify(Array.from({ length: rows }, (_, i) => row(i % 400))));
    for (let at = bytes.indexOf(0x23); at >= 0; at = bytes.indexOf(0x23, at + 4)) bytes.set(MARK, at);
    const before = await measureHeap();
    const held: { value: unknown } = { value: parseBinary(bytes) };
    const { marked, notFlat } = await measureHeap();
    checkThat(`strings of a held value of ${rows} rows are found`, marked >= 3, marked);
    checkThat(`strings of a held value of ${rows} rows are flat`, notFlat - before.notFlat < 400, notFlat);
    held.value = undefined;
    for (const end of [bytes.length, bytes.length - 3, bytes.length - 40]) parseBinary(bytes.subarray(0, end));
    const kept = (await measureHeap()).marked;
    checkThat(`strings of dropped values of ${rows} rows`, kept === 0, kept);
  }
}

await checkFloods();
await checkStrings();
reportChecks();
