/**
 * A program to be run with `--expose-gc`: what is left on the heap of many calls made to fill tables, once their values are dropped.
 * Says on standard output what went wrong, if anything, and how much was checked.
 *
 * @module
 */

import { settledHeapBytes as settledHeap } from "../../measure/process_memory.ts";
import { parseBinary } from "../../parse_binary.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { takeHeapSnapshot } from "../../measure/heap_snapshot.ts";

/** Tables of fixed size, full, and constructors with their compiled code; no series of inputs may leave more. In bytes. */
const FIXED = 1.7e6;

/** Numbers as text after which the engine's own cache of such texts has grown as large as it gets. */
const CACHED_TEXTS = 300_000;

const CALLS = 1_000;
const MILLION = 1_000_000;
const encoder = new TextEncoder();

/** Documents, as many as calls are to be made, whose values are of no further use. */
const FLOODS: [name: string, calls: number, document: (call: number) => string][] = [
  ["a million names", CALLS, (call) => {
    const members = Array.from({ length: MILLION / CALLS }, (_, i) => `"name ${call} ${i}":${i}`);
    return `[{${members.slice(1).join()}},${members.map((member) => `{${member}}`).join()}]`;
  }],
  // Each twice, as a table may take no notice of what it sees once.
  ["half a million shapes, each twice", CALLS, (call) => {
    const objects = Array.from({ length: MILLION / CALLS / 2 }, (_, i) => {
      const keys = (call * 500 + i).toString(3).split("").map((digit, place) => `"${place}${digit}":${i}`);
      return `{${keys.join()}},{${keys.join()}}`;
    });
    return `[${objects.join()}]`;
  }],
  ["common shapes, more than are remembered", CALLS, (call) => {
    const objects = Array.from(
      { length: 5 },
      (_, i) => `,{"a ${call % 50}":1,"b ${i}":2,"c ${call % 7}":3}`.repeat(40),
    );
    return `[0${objects.join("")}]`;
  }],
  ["a million strings", CALLS, (call) => {
    return JSON.stringify(
      Array.from({ length: MILLION / CALLS }, (_, i) => `text ${call} ${i} ${i % 2 ? "中" : "\n"}`),
    );
  }],
  ["a million strings, broken off", CALLS, (call) => {
    return `[${Array.from({ length: MILLION / CALLS }, (_, i) => `"text ${call} ${i}"`).join()},["and one mo`;
  }],
  ["370,101 names in an object", 1, () => {
    return `{${Array.from({ length: 370_101 }, (_, i) => `"word ${i}":${i}`).join()}}`;
  }],
  ["a million brackets", 1, () => `${'[{"a":'.repeat(MILLION / 2)}0${"}]".repeat(MILLION / 2)}`],
  ["a million brackets, unclosed", 1, () => '[{"a":'.repeat(MILLION / 2)],
  ["a string of 20 MB, escaped", 1, () => `"${"text \\n".repeat(3 * MILLION)}"`],
  ["a million numbers", 1, () => `[${"1.5e3,".repeat(MILLION)}0]`],
];

let inputs = 0;
let finalized = 0;
const registry = new FinalizationRegistry(() => finalized++);

/** Makes the calls; nothing of them is in a frame once it returns. */
function flood(calls: number, document: (call: number) => string): void {
  for (let call = 0; call < calls; call++) {
    const bytes = encoder.encode(document(call));
    registry.register(bytes.buffer, undefined);
    inputs++;
    parseBinary(bytes);
  }
}

// What calls set up once is no input's: compiled code above all.
const COMMON = JSON.stringify(
  Array.from({ length: 200 }, (_, i) => ({ id: i, name: `name ${i}\n`, list: [1.5, null, {}] })),
);
flood(500, () => COMMON);
for (let i = 0; i < CACHED_TEXTS; i++) encoder.encode(`${i}`);
const before = await settledHeap();
for (const [name, calls, document] of FLOODS) {
  flood(calls, document);
  const left = await settledHeap() - before;
  checkThat(`what is left of ${name}`, left <= FIXED, left);
}
checkThat("inputs that are kept", finalized === inputs, inputs - finalized);

// A text that stands nowhere but in the input, so that a string on the heap that has it is one of the parser's.
const mark = [0x6d, 0x40, 0x72, 0x6b];
const markedDocument = (rows: number): Uint8Array => {
  const row = '{"key":"#### a value","other":["#### \\n escaped","#### wide 中"]},';
  const bytes = encoder.encode(`[${row.repeat(rows)}0]`);
  for (let at = bytes.indexOf(0x23); at >= 0; at = bytes.indexOf(0x23, at + 4)) bytes.set(mark, at);
  return bytes;
};
const marks = async (): Promise<number> => {
  let count = 0;
  const text = String.fromCharCode(...mark);
  for (const { type, name } of (await takeHeapSnapshot()).nodes()) {
    if (type.endsWith("string") && name.startsWith(`${text} `)) count++;
  }
  return count;
};
// In a large one texts are remembered in another way.
for (const rows of [500, 80_000]) {
  const marked = markedDocument(rows);
  const held: { value: unknown } = { value: parseBinary(marked) };
  // The instrument itself: it must see strings while they are held.
  const seen = await marks();
  checkThat(`strings of a value of ${rows} rows that is held`, seen >= 3, seen);
  held.value = undefined;
  for (const end of [marked.length, marked.length - 3, marked.length - 40]) parseBinary(marked.subarray(0, end));
  const kept = await marks();
  checkThat(`strings of values of ${rows} rows that are kept`, kept === 0, kept);
}

reportChecks();
