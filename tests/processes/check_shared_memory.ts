/**
 * Child process that parses shared memory while another thread rewrites it. Its parent kills it if
 * it hangs. Prints failed checks, and the number of checks.
 *
 *     check_shared_memory.ts SCENARIO
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import type { Growth } from "./grower.ts";
import type { Rewriting } from "./rewriter.ts";

const encoder = new TextEncoder();

/** Makes calls on memory into which a worker writes two texts of equal length in turn. */
async function whileRewritten(
  texts: [string, string],
  calls: number,
  call: (bytes: Uint8Array) => void,
): Promise<void> {
  const images = texts.map((text) => encoder.encode(text)) as [Uint8Array, Uint8Array];
  const bytes = new Uint8Array(new SharedArrayBuffer(images[0].length));
  bytes.set(images[0]);
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./rewriter.ts", import.meta.url), { type: "module" });
  worker.postMessage({ bytes, images, state } satisfies Rewriting);
  while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let times = 0; times < calls; times++) call(bytes);
  Atomics.store(state, 0, 2);
  while (Atomics.load(state, 0) !== 3) await new Promise((resolve) => setTimeout(resolve, 5));
  worker.terminate();
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
  await whileRewritten([array("1"), array("x")], 600_000, (bytes) => parseBinary(bytes));
  const pair = (byte: string): string => `[1${byte}${"1".repeat(8)}e5${" ".repeat(600)}]`;
  await whileRewritten([pair(","), pair("1")], 200_000, (bytes) => parseBinary(bytes));
  checkPlain("[1,2]");
  checkThat("calls that came back", true, "");
}

/** Checks that memory that grows during a call keeps its first length for the call. */
async function checkGrowth(): Promise<void> {
  // The option is in TypeScript's types of 2024, but not in all types of Node.js.
  const Growable = SharedArrayBuffer as unknown as new (
    length: number,
    options: { maxByteLength: number },
  ) => Growth["buffer"];
  const grower = new Worker(new URL("./grower.ts", import.meta.url), { type: "module" });
  for (const size of [30, 500, 5_000]) {
    for (let times = 0; times < 150; times++) {
      const buffer = new Growable(size, { maxByteLength: size + 100_000 });
      const bytes = new Uint8Array(buffer).fill(0x20);
      bytes[0] = 0x5b;
      bytes[size - 1] = 0x5d;
      const state = new Int32Array(new SharedArrayBuffer(4));
      grower.postMessage({ buffer, state } satisfies Growth);
      while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      Atomics.store(state, 0, 2);
      try {
        while (bytes.length === size) parseBinary(bytes);
        const result = parseBinary(bytes);
        if (result.ok || result.code !== "trailing-content") check("memory that has grown", JSON.stringify(result));
      } catch (error) {
        check("memory that grows", String(error));
      }
    }
  }
  grower.terminate();
  checkThat("calls that came back", true, "");
}

const scenario = Deno.args[0];
if (scenario === "keys") await checkKeys();
else if (scenario === "numbers") await checkNumbers();
else if (scenario === "growth") await checkGrowth();
reportChecks();
