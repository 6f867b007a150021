/**
 * Child process, run with `--expose-gc`: examines the storage of values on the heap, and the memory
 * that outlives a call. Prints failed checks, and the number of checks.
 *
 * @module
 */

import process from "node:process";
import { parseBinary } from "../../parse_binary.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { takeHeapSnapshot } from "../../measure/heap_snapshot.ts";

// Loaded now, and so there from the start: young_generation.ts loads it for large inputs.
(globalThis as { process?: { getBuiltinModule(name: string): unknown } }).process?.getBuiltinModule("node:v8");

const collect = (globalThis as unknown as { gc: () => void }).gc;
const encoder = new TextEncoder();

/** Number of strings of some kinds on the heap, and the bytes of plain strings. */
interface Census {
  sliced: number;
  concatenated: number;
  stringBytes: number;
}

async function takeCensus(): Promise<Census> {
  const census = { sliced: 0, concatenated: 0, stringBytes: 0 };
  for (const { type, selfSize } of (await takeHeapSnapshot()).nodes()) {
    if (type === "sliced string") census.sliced++;
    else if (type === "concatenated string") census.concatenated++;
    else if (type === "string") census.stringBytes += selfSize;
  }
  return census;
}

const COUNT = 100;
const LENGTHS = [4, 8, 13, 14, 20, 40, 100, 250, 300, 700, 2_000];
const ONE_BYTE = ["abcdefghij", 'ab"d\\f\nhij', "äbcdéfghiÿ", "\x80\r"];
const TWO_BYTE = ["中文字符", "😀a", "\ud800abc", "abcdefgĀ"];

/** Generates strings of each length from a pattern, no two alike. */
function distinctStrings(pattern: string): string[] {
  return LENGTHS.flatMap((length) =>
    Array.from({ length: COUNT }, (_, i) => pattern.repeat(length).slice(0, length - 4) + String(i).padStart(4, "0"))
  );
}

/** Generates objects of many shapes, with keys no two alike. */
function distinctKeys(pattern: string): object[] {
  return distinctStrings(pattern).map((key) => ({ [key]: [{ [`${key}?`]: 1, [`${key}!`]: 2 }] }));
}

/** Serializes a value, with some unnecessary escapes. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value).replaceAll("é", "\\u00e9").replaceAll("j", "\\u006a"));
}

// Everything but the parser's work is created before the first census.
const text = "a long text of some kind ".repeat(1_000);
const slices = Array.from({ length: 2 * COUNT }, (_, i) => (): string => text.substring(i, i + 40));
const ropes = Array.from({ length: 2 * COUNT }, (_, i) => (): string => `${text.charAt(i)}${text}`);
const patterns = [...ONE_BYTE, ...TWO_BYTE];
const values = bytesOf(patterns.map(distinctStrings));
const objects = bytesOf(patterns.map(distinctKeys));
const HEADER = 24;
const characters = LENGTHS.reduce((sum, length) => sum + length * COUNT, 0);
const smallest = ONE_BYTE.length * characters + TWO_BYTE.length * 2 * characters;
const largest = smallest + HEADER * COUNT * LENGTHS.length * patterns.length;

const TEXTS = 2_000;
const RECURRENCES = 50;
const recurring = bytesOf(Array.from({ length: RECURRENCES }, (_, round) => {
  const text = (i: number): string[] => [`${i} ${"a text ".repeat(8)}`, `${"é中".repeat(9)} ${i}`, `#${i % 200}`];
  return Array.from({ length: TEXTS }, (_, i) => [...text(i), `another text, number ${TEXTS * round + i}`]);
}));
/** Bytes of the values if the strings of `text` are stored once. */
const once = TEXTS * (88 + 72) + RECURRENCES * TEXTS * 48;

const kept: unknown[] = [];
await takeCensus(); // the first snapshot leaves structures of its own
let latest = await takeCensus();

/** Takes a census with `value` on the heap. Returns the difference to the census before. */
async function growth(value: unknown): Promise<Census> {
  const { sliced, concatenated, stringBytes } = latest;
  kept.push(value);
  latest = await takeCensus();
  return {
    sliced: latest.sliced - sliced,
    concatenated: latest.concatenated - concatenated,
    stringBytes: latest.stringBytes - stringBytes,
  };
}

const plain = await growth(parseBinary(values));
checkThat("no value is a slice", plain.sliced < COUNT, plain);
checkThat("no value is a rope", plain.concatenated < COUNT, plain);
const fits = plain.stringBytes >= smallest && plain.stringBytes <= largest;
checkThat("values take one byte a character where they can", fits, { smallest, largest, ...plain });

const keyed = await growth(parseBinary(objects));
checkThat("no key is a slice", keyed.sliced < COUNT, keyed);
checkThat("no key is a rope", keyed.concatenated < COUNT, keyed);

// The census itself must find strings that are not flat.
const notFlat = await growth([...slices, ...ropes].map((make) => make()));
checkThat("the census sees slices", notFlat.sliced > COUNT, notFlat);
checkThat("the census sees ropes", notFlat.concatenated > COUNT, notFlat);

// Strings recur at once, late in a large document, and, if short, between many others.
const { stringBytes } = await growth(parseBinary(recurring));
checkThat("recurring strings are kept once", stringBytes <= 1.5 * once, { once, stringBytes });

kept.length = 0;

// Working memory does not grow with the input: of these members only the last one is kept.
const member = `"name":{"id":12345,"text":"${"a text ".repeat(10)}"},`;
const members = encoder.encode(`{${member.repeat(300_000)}"name":{}}`);
collect();
const { heapTotal } = process.memoryUsage();
parseBinary(members);
const needed = process.memoryUsage().heapTotal - heapTotal;
checkThat("members that are lost take no memory", needed < members.length / 4, { needed, size: members.length });

/** Checks that nothing keeps an object alive once `use` has returned it. */
async function outlives(name: string, use: () => object): Promise<void> {
  const reference = new WeakRef(use());
  for (let times = 0; times < 20 && reference.deref(); times++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  checkThat(`${name} is not kept`, reference.deref() === undefined, "it is still alive");
}

const DOCUMENT = [{
  id: 1.5,
  name: "a name with é and 中文",
  text: "escaped \n text ".repeat(40),
  list: [1, 2, 3, { deep: [] }],
}];
const rows = JSON.stringify(Array.from({ length: 300 }, () => DOCUMENT));

for (const [name, text] of [["good", rows], ["cut off", rows.slice(0, -9)], ["cut in a string", rows.slice(0, -70)]]) {
  await outlives(`the input of a ${name} document`, () => {
    const bytes = encoder.encode(text);
    parseBinary(bytes);
    return bytes.buffer;
  });
}
await outlives("a value", () => {
  const result = parseBinary<object>(encoder.encode(rows));
  if (!result.ok) throw new Error(result.message);
  return result.value;
});

reportChecks();
