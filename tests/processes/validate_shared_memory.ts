/**
 * Validates shared memory that a worker changes meanwhile. A process of its own: a validation that
 * does not end is killed with it.
 *
 *     validate_shared_memory.ts toggle|grow [SHARE OF THE TIME]
 *
 * @module
 */

import { utf8 } from "../support/bytes.ts";
import { check, reportChecks } from "../support/checks.ts";
import { ChangingMemory } from "../support/changing_memory.ts";
import { BinaryValidator, type ParseFailure, validateBinary } from "../../validate_binary.ts";

/** Milliseconds for which a document is validated again and again. */
const DURATION = 100 * Number(Deno.args[1] ?? 1);

const PLAIN = utf8('{"a":[1,2.5,{"b":"x"}],"c":null}');

interface Entry {
  name: string;
  validate: (bytes: Uint8Array) => { ok: true } | ParseFailure;
}

const reused = new BinaryValidator();
const ENTRIES: Entry[] = [
  { name: "validateBinary", validate: (bytes) => validateBinary(bytes) },
  { name: "validateBinary of the buffer", validate: (bytes) => validateBinary(bytes.buffer) },
  {
    name: "BinaryValidator",
    validate(bytes) {
      reused.reset();
      reused.push(bytes);
      return reused.end();
    },
  },
  ...(["lines", "concatenated"] as const).map((multiple): Entry => ({
    name: `BinaryValidator, ${multiple}`,
    validate(bytes) {
      const validator = new BinaryValidator({ multiple, onDocument() {} });
      validator.push(bytes);
      return validator.end();
    },
  })),
];

/** Documents, each with the byte to toggle and its other value. */
const TOGGLED: { text: string; place: number; other: string }[] = [
  { text: "[1" + " ".repeat(600) + "]", place: 1, other: "x" },
  { text: "[1," + "1".repeat(2_000) + "e5]", place: 2, other: " " },
  { text: "[1," + "1".repeat(2_000) + "e5]", place: 2, other: "1" },
  { text: "[1," + "1".repeat(2_000) + "]", place: 1_000, other: "e" },
  { text: "1" + "1".repeat(2_000), place: 0, other: "-" },
  { text: '["' + "é".repeat(1_000) + '"]', place: 3, other: "\x7f" },
  { text: '["' + "a".repeat(2_000) + '"]', place: 1_000, other: '"' },
  { text: "[".repeat(1_000) + "]".repeat(1_000), place: 999, other: "{" },
  { text: "[1]\n[2]\n" + " ".repeat(1_000), place: 3, other: "\r" },
  { text: "[1] ", place: 3, other: "\n" },
];

/** Returns the problem with a result for bytes of the given length, if there is one. */
function problemOf(result: { ok: true } | ParseFailure, length: number): string | undefined {
  if (result.ok || result.offset >= 0 && result.offset <= length && result.line >= 1 && result.column >= 1) return;
  return JSON.stringify(result);
}

/** Calls `act` until it finds a problem or throws, or time is over; returns the problem. */
function repeat(act: () => string | undefined): string | undefined {
  const start = performance.now();
  while (performance.now() - start < DURATION) {
    try {
      const problem = act();
      if (problem !== undefined) return problem;
    } catch (error) {
      return String(error);
    }
  }
}

/** Returns the problem with the answers for private bytes, if there is one. */
function plainProblem({ validate }: Entry): string | undefined {
  const good = validate(PLAIN);
  const bad = validate(utf8("\n[1,]"));
  return good.ok && !bad.ok && bad.offset === 4 && bad.line === 2 && bad.column === 4
    ? undefined
    : JSON.stringify([good, bad]);
}

async function validateToggled(): Promise<void> {
  let memory: ChangingMemory | undefined;
  for (const { text, place, other } of TOGGLED) {
    const document = utf8(text);
    const bytes = new Uint8Array(new SharedArrayBuffer(document.length));
    bytes.set(document);
    const images: [Uint8Array, Uint8Array] = [document, document.with(place, other.charCodeAt(0))];
    if (memory === undefined) memory = await ChangingMemory.start({ kind: "rewrite", bytes, images });
    else await memory.change({ kind: "rewrite", bytes, images });
    for (const entry of ENTRIES) {
      const name = `${entry.name} of ${text.slice(0, 9)}…, byte ${place} toggled`;
      check(name, repeat(() => problemOf(entry.validate(bytes), bytes.length)));
      check(`${name}, then of plain bytes`, plainProblem(entry));
    }
    await memory.pause();
  }
  await memory?.stop();
}

/**
 * Lengths that documents grow from and to: small ones are copied as a whole, larger ones in pieces.
 */
const GROWTHS: [from: number, to: number][] = [[3, 500], [513, 1_000]];
const BUFFERS = 200;

async function validateGrowing(): Promise<void> {
  for (const [from, to] of GROWTHS) {
    const document = utf8("[1" + " ".repeat(from - 3) + "]");
    for (const entry of ENTRIES) {
      const arrays = Array.from({ length: BUFFERS }, () => {
        const bytes = new Uint8Array(new SharedArrayBuffer(from, { maxByteLength: to }));
        bytes.set(document);
        return bytes;
      });
      const memory = await ChangingMemory.start({ kind: "grow", buffers: arrays.map(({ buffer }) => buffer) });
      const problem = repeat(() => {
        const bytes = arrays.find(({ length }) => length < to) ?? arrays[0];
        const result = entry.validate(bytes);
        // The bytes that the document grows by are 0.
        return result.ok || result.offset === from ? undefined : JSON.stringify(result);
      });
      await memory.stop();
      const name = `${entry.name} of ${from} bytes that grow`;
      check(name, problem);
      check(`${name}, then of plain bytes`, plainProblem(entry));
    }
  }
}

if (Deno.args[0] === "toggle") await validateToggled();
else await validateGrowing();
reportChecks();
