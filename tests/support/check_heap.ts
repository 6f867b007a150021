/**
 * A program to be run with `--expose-gc`: looks into the heap for how strings are kept and for what outlives a call.
 * Says on standard output what went wrong, if anything, and how much was checked.
 *
 * @module
 */

import process from "node:process";
import { parseBinary } from "../../parse_binary.ts";
import { checkThat, reportChecks } from "./checks.ts";
import { takeHeapSnapshot } from "./heap_snapshot.ts";

const collect = (globalThis as unknown as { gc: () => void }).gc;
const encoder = new TextEncoder();

/** How many strings of a kind the heap holds, and the bytes that plain strings take. */
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

/** Strings of each length, no two alike, made of a pattern. */
function distinctStrings(pattern: string): string[] {
  return LENGTHS.flatMap((length) =>
    Array.from({ length: COUNT }, (_, i) => pattern.repeat(length).slice(0, length - 4) + String(i).padStart(4, "0"))
  );
}

/** Objects of many shapes, whose keys are as distinct. */
function distinctKeys(pattern: string): object[] {
  return distinctStrings(pattern).map((key) => ({ [key]: [{ [`${key}?`]: 1, [`${key}!`]: 2 }] }));
}

/** A document in which some characters are escaped without need. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value).replaceAll("é", "\\u00e9").replaceAll("j", "\\u006a"));
}

// All that is not the parser's is made before the first census.
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
/** What they take if those of `text` are kept once, in bytes. */
const once = TEXTS * (88 + 72) + RECURRENCES * TEXTS * 48;

const kept: unknown[] = [];
await takeCensus(); // leaves garbage of its own, which the next one then does not see for the first time
let latest = await takeCensus();

/** What the heap holds more since the last call, now that it also holds `value`. */
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

// The instrument itself: it must see what is not flat.
const notFlat = await growth([...slices, ...ropes].map((make) => make()));
checkThat("the census sees slices", notFlat.sliced > COUNT, notFlat);
checkThat("the census sees ropes", notFlat.concatenated > COUNT, notFlat);

// At once, late in a large document, and short ones however many others there are.
const { stringBytes } = await growth(parseBinary(recurring));
checkThat("texts that recur are kept once", stringBytes <= 1.5 * once, { once, stringBytes });

kept.length = 0;

// What a call needs beyond input and value does not grow with the input: here the value is one member of very many.
const member = `"name":{"id":12345,"text":"${"a text ".repeat(10)}"},`;
const members = encoder.encode(`{${member.repeat(300_000)}"name":{}}`);
collect();
const { heapTotal } = process.memoryUsage();
parseBinary(members);
const needed = process.memoryUsage().heapTotal - heapTotal;
checkThat("members that are lost take no memory", needed < members.length / 4, { needed, size: members.length });

/** Whether anything keeps an object alive once `use` has returned. */
async function outlives(name: string, use: () => object): Promise<void> {
  const reference = new WeakRef(use());
  for (let times = 0; times < 20 && reference.deref(); times++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  checkThat(`${name} is not kept`, reference.deref() === undefined, "it is still there");
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
