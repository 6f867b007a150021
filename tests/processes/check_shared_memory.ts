/**
 * Child process that parses shared memory while another thread rewrites it. Its parent kills it if
 * it hangs. Prints failed checks, and the number of checks.
 *
 *     check_shared_memory.ts SCENARIO [SHARE OF THE CALLS]
 *
 * @module
 */

import * as library from "../../mod.ts";
import { BinaryParser, parseBinary, Slice } from "../../mod.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { ChangingMemory } from "../support/changing_memory.ts";
import type { Change } from "./memory_writer.ts";
import { coveredBy, entryPointsOf, type Reading } from "../support/entry_points.ts";

const encoder = new TextEncoder();

/** The share applies to `neighbours` and `numbers`. */
const [scenario, share = "1"] = Deno.args;

let memory: ChangingMemory | undefined;

/**
 * Has the worker change memory. One worker makes every change: to start it takes longer than most.
 */
async function change(order: Change): Promise<ChangingMemory> {
  if (memory === undefined) memory = await ChangingMemory.start(order);
  else await memory.change(order);
  return memory;
}

/** Makes calls on memory into which a worker writes two texts of equal length in turn. */
async function whileRewritten(
  texts: [string, string],
  calls: number,
  call: (bytes: Uint8Array) => void,
): Promise<void> {
  const images = texts.map((text) => encoder.encode(text)) as [Uint8Array, Uint8Array];
  const bytes = new Uint8Array(new SharedArrayBuffer(images[0].length));
  bytes.set(images[0]);
  const memory = await change({ kind: "rewrite", bytes, images });
  for (let times = 0; times < calls; times++) call(bytes);
  await memory.pause();
}

/** Parses an unshared document, and compares keys and values with those of `JSON.parse`. */
function checkPlain(text: string): void {
  const result = parseBinary(encoder.encode(text));
  const found = result.ok ? JSON.stringify(result.value) : result.message;
  if (found !== text) check(`a plain document after a shared one: ${text.slice(0, 60)}`, `found ${found.slice(0, 60)}`);
}

/** Checks that keys that change while they are read do not corrupt later documents. */
async function checkKeys(): Promise<void> {
  for (let round = 0; round < 8; round++) {
    const names = (letter: string): string[] =>
      Array.from({ length: 300 }, (_, i) => `name_${letter}_${round}_${i.toString(36).padStart(3, "0")}_of_a_key`);
    const documentOf = (letter: string): string => `[${names(letter).map((name) => `{"${name}":1,"a":2}`).join()}]`;
    await whileRewritten([documentOf("x"), documentOf("y")], 40, (bytes) => parseBinary(bytes));
    for (const name of [...names("x"), ...names("y")]) {
      checkPlain(`{"${name}":1}`);
      checkPlain(`[{"${name}":1,"a":2},{"${name}":3,"a":4}]`);
    }
  }
  checkThat("documents parsed", true, "");
}

/** Checks that searches end for numbers that vanish while they are read. */
async function checkNumbers(): Promise<void> {
  const array = (byte: string): string => `[${byte}${" ".repeat(600)}]`;
  await whileRewritten([array("1"), array("x")], 600_000 * Number(share), (bytes) => parseBinary(bytes));
  const pair = (byte: string): string => `[1${byte}${"1".repeat(8)}e5${" ".repeat(600)}]`;
  await whileRewritten([pair(","), pair("1")], 200_000 * Number(share), (bytes) => parseBinary(bytes));
  checkPlain("[1,2]");
  checkThat("calls that came back", true, "");
}

/** Checks that memory that grows during a call keeps its first length for the call. */
async function checkGrowth(): Promise<void> {
  const sizes = Array.from({ length: 450 }, (_, i) => [30, 500, 5_000][i % 3]);
  const buffers = sizes.map((size) => new SharedArrayBuffer(size, { maxByteLength: size + 100_000 }));
  const memory = await change({ kind: "grow at once", buffers });
  for (const [i, size] of sizes.entries()) {
    const bytes = new Uint8Array(buffers[i]).fill(0x20, 1);
    bytes[size - 1] = 0x5d;
    Atomics.store(bytes, 0, 0x5b);
    try {
      while (bytes.length === size) parseBinary(bytes);
      const result = parseBinary(bytes);
      if (result.ok || result.code !== "trailing-content") check("memory that has grown", JSON.stringify(result));
    } catch (error) {
      check("memory that grows", String(error));
    }
  }
  await memory.pause();
  checkThat("calls that came back", true, "");
}

/** Checks that a parser of chunks ends, with a failure at a place that exists if with any. */
async function checkChunks(): Promise<void> {
  const parser = new BinaryParser();
  const textOf = (middle: string): string => `[1${middle}${'{"a":"text é\\n"},2.5,'.repeat(200)}0]`;
  for (const [one, other] of [[",", '"'], [",", "1"], [",", "\\"], [",", " "], [",", "}"]]) {
    await whileRewritten([textOf(one), textOf(other)], 1_500, (bytes) => {
      parser.reset();
      for (let p = 0; p < bytes.length; p += 700) parser.push(bytes.subarray(p, p + 700));
      const result = parser.end();
      const isPlace = result.ok || result.offset >= 0 && result.offset <= bytes.length;
      if (!isPlace) check("chunks that change", JSON.stringify(result));
    });
    checkPlain('[{"a":"text é\\n"},2.5]');
  }
  parser.reset();
  parser.push(encoder.encode("[1,2]"));
  checkThat("a plain document in chunks", parser.end().ok, "");
}

/** Entry points that return at once. The others are built on them. */
const ENTRY_POINTS = coveredBy("Shared memory", entryPointsOf(library)).filter(({ isWhole, open }) => isWhole || open);

/**
 * Checks that no entry point reads beyond a view or a slice of memory that changes: the bytes in it
 * are never valid, with those around them they always are.
 */
async function checkNeighbours(): Promise<void> {
  const before = "[[0,";
  for (const length of [40, 512, 513, 70_000]) {
    const pieces = '"a\\n",2.5,'.repeat((length - 3) / 10);
    const textOf = (middle: string): string => `${before}${`[1${middle}${pieces}`.padEnd(length)}"neighbour"]]]`;
    for (const { name, read } of ENTRY_POINTS) {
      await whileRewritten([textOf(","), textOf(" ")], 200 * Number(share), (bytes) => {
        const view = bytes.subarray(before.length, before.length + length);
        const slice = new Slice(bytes, before.length, length) as unknown as Uint8Array; // `push` takes it too
        for (const input of name.endsWith("of a slice") ? [view] : [view, slice]) {
          const { failure } = read([input]) as Reading;
          const isWithin = failure !== null && failure.offset <= length;
          if (!isWithin) check(`${name} of ${length} bytes`, JSON.stringify(failure));
        }
      });
    }
  }
  checkThat("calls that came back", true, "");
}

if (scenario === "keys") await checkKeys();
else if (scenario === "numbers") await checkNumbers();
else if (scenario === "growth") await checkGrowth();
else if (scenario === "chunks") await checkChunks();
else if (scenario === "neighbours") await checkNeighbours();
await memory?.stop();
reportChecks();
