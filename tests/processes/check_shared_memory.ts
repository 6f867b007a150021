/**
 * Child process that reads shared memory while another thread changes it. Its parent kills it if it
 * hangs. Prints failed checks, and the number of checks.
 *
 *     check_shared_memory.ts SCENARIO [SHARE OF THE CALLS]
 */

import * as library from "../../mod.ts";
import { Slice } from "../../mod.ts";
import { check, reportChecks } from "../support/checks.ts";
import { ChangingMemory } from "../support/changing_memory.ts";
import { difference } from "../support/difference.ts";
import { coveredBy, type EntryPoint, entryPointsOf, type Reading } from "../support/entry_points.ts";
import type { Change } from "./memory_writer.ts";

const encoder = new TextEncoder();

const [scenario, share = "1"] = Deno.args;

/** Entry points that return at once. The others are built on them. */
const ENTRY_POINTS = coveredBy("Shared memory", entryPointsOf(library)).filter(({ isWhole, open }) => isWhole || open);

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
async function whileRewritten(texts: [string, string], use: (bytes: Uint8Array) => void): Promise<void> {
  const images = texts.map((text) => encoder.encode(text)) as [Uint8Array, Uint8Array];
  const bytes = new Uint8Array(new SharedArrayBuffer(images[0].length));
  bytes.set(images[0]);
  const memory = await change({ kind: "rewrite", bytes, images });
  use(bytes);
  await memory.pause();
}

/**
 * Returns a value to be written. Throws for a value that JSON lacks; a selection may be undefined.
 */
function checked(_key: string, value: unknown): unknown {
  if (Number.isNaN(value) || !["string", "boolean", "number", "object", "undefined"].includes(typeof value)) {
    throw new TypeError(`${String(value)} is no value of JSON`);
  }
  return value;
}

/**
 * Reads bytes. Returns the problem if that throws, or a value or the place of the failure
 * is impossible.
 */
function problemOf({ read }: EntryPoint, chunks: Uint8Array[], length: number): string | undefined {
  try {
    const { values, failure } = read(chunks) as Reading;
    JSON.stringify(values.toArray(), checked);
    if (failure === null || failure.offset >= 0 && failure.offset <= length && failure.line > 0 && failure.column > 0) {
      return undefined;
    }
    return JSON.stringify(failure);
  } catch (error) {
    return String(error);
  }
}

/** Documents in which one byte changes: what may vanish while it is read, or begin to go on. */
const TOGGLED: [text: string, place: number, other: string][] = [
  [`[1${" ".repeat(600)}]`, 1, "x"],
  [`[1,${"1".repeat(8)}e5${" ".repeat(600)}]`, 2, "1"],
  [`[1,${"1".repeat(2_000)}e5]`, 2, " "],
  [`[1,${"1".repeat(2_000)}]`, 1_000, "e"],
  [`1${"1".repeat(2_000)}`, 0, "-"],
  [`["${"é".repeat(1_000)}"]`, 3, "\x7f"],
  [`["${"a".repeat(2_000)}"]`, 1_000, '"'],
  [`${"[".repeat(1_000)}${"]".repeat(1_000)}`, 999, "{"],
  [`[1]\n[2]\n${" ".repeat(1_000)}`, 3, "\r"],
  ["[1] ", 3, "\n"],
  ...['"', "1", "\\", " ", "}"].map((other): [string, number, string] => {
    return [`[1,${'{"a":"text é\\n"},2.5,'.repeat(200)}0]`, 2, other];
  }),
];

/** Milliseconds for which each entry point reads each document. */
const DURATION = 8 * Number(share);

/**
 * Reads memory that changes by all entry points, whole and in pieces, and other bytes afterwards.
 */
function readAll(bytes: Uint8Array, what: string): void {
  const plain = ['{"a":[1,2.5,{"b":"x"}],"c":null}'];
  for (const entryPoint of ENTRY_POINTS) {
    const chunks = entryPoint.isWhole ? [bytes] : [bytes.subarray(0, 700), bytes.subarray(700)];
    let problem: string | undefined;
    for (const end = performance.now() + DURATION; problem === undefined && performance.now() < end;) {
      problem = problemOf(entryPoint, chunks, bytes.length);
    }
    const { name, inputOf, read, valuesOf } = entryPoint;
    check(`${name} of ${what}`, problem);
    const { values, failure } = read([encoder.encode(inputOf(plain))]) as Reading;
    check(`${name}, then of plain bytes`, difference([values.toArray(), failure], [valuesOf(plain), null]));
  }
}

/** Checks that calls end while a byte changes, or any bytes. */
async function checkToggled(): Promise<void> {
  for (const [text, place, other] of TOGGLED) {
    const texts: [string, string] = [text, text.slice(0, place) + other + text.slice(place + 1)];
    await whileRewritten(texts, (bytes) => readAll(bytes, `${text.slice(0, 9)}…, byte ${place} toggled`));
  }
  const row =
    '{"id":1,"name":"näme \\"x\\"\\n","numbers":[0.125,123456789012345,-1.5e-9],"flags":[true,false,null,{}]}';
  const document = encoder.encode(`[${Array(40).fill(row)}]`);
  const bytes = new Uint8Array(new SharedArrayBuffer(document.length));
  bytes.set(document);
  const memory = await change({ kind: "scribble", bytes });
  for (let times = 0; times < 4; times++) {
    readAll(bytes, "bytes that are overwritten");
    bytes.set(document);
  }
  await memory.pause();
}

/** Checks that memory that grows during a call keeps its first length for the call. */
async function checkGrowth(): Promise<void> {
  for (const entryPoint of ENTRY_POINTS) {
    const sizes = Array.from({ length: 24 * Number(share) }, (_, i) => [30, 500, 5_000][i % 3]);
    const buffers = sizes.map((size) => new SharedArrayBuffer(size, { maxByteLength: size + 100_000 }));
    const memory = await change({ kind: "grow at once", buffers });
    let problem: string | undefined;
    for (const [i, size] of sizes.entries()) {
      const bytes = new Uint8Array(buffers[i]).fill(0x20, 1);
      bytes[size - 1] = 0x5d;
      Atomics.store(bytes, 0, 0x5b);
      while (bytes.length === size) problem ??= problemOf(entryPoint, [bytes], size);
      const results = [bytes, bytes.slice()].map((bytes) => {
        const { values, failure } = entryPoint.read([bytes]) as Reading;
        return [values.toArray(), failure];
      });
      problem ??= difference(results[0], results[1]);
    }
    check(`${entryPoint.name} of memory that grows`, problem);
    await memory.pause();
  }
}

/**
 * Checks that no entry point reads beyond a view or a slice of memory that changes: the bytes in it
 * are never valid, with those around them they always are.
 */
async function checkNeighbours(): Promise<void> {
  const before = "[[0,";
  for (const length of [40, 512, 513, Number(share) < 1 ? 17_003 : 70_003]) {
    const pieces = '"a\\n",2.5,'.repeat((length - 3) / 10);
    const textOf = (middle: string): string => `${before}${`[1${middle}${pieces}`.padEnd(length)}"neighbour"]]]`;
    await whileRewritten([textOf(","), textOf(" ")], (bytes) => {
      const view = bytes.subarray(before.length, before.length + length);
      const slice = new Slice(bytes, before.length, length) as unknown as Uint8Array; // `push` takes it too
      for (const { name, read } of ENTRY_POINTS) {
        let problem: string | undefined;
        for (const input of name.endsWith("of a slice") ? [view] : [view, slice]) {
          for (let calls = 200 * Number(share); calls > 0; calls--) {
            const { failure } = read([input]) as Reading;
            if (failure === null || failure.offset > length) problem ??= JSON.stringify(failure);
          }
        }
        check(`${name} of ${length} bytes`, problem);
      }
    });
  }
}

if (scenario === "toggle") await checkToggled();
else if (scenario === "growth") await checkGrowth();
else await checkNeighbours();
await memory?.stop();
reportChecks();
