/**
 * Child process for any runtime that strips types: the first things that users do. Prints failed
 * checks, and the number of checks.
 */

import * as library from "../../mod.ts";
import "../../polyfill.ts";
import { check, reportChecks } from "../support/checks.ts";
import { difference, own } from "../support/difference.ts";
import { entryPointsOf } from "../support/entry_points.ts";

const { detach, parseBinary } = library;

const encoder = new TextEncoder();

function checkEqual(name: string, actual: unknown, expected: unknown): void {
  check(name, difference(actual, expected));
}

const ROWS = Array.from({ length: 500 }, (_, i) => ({
  id: i,
  name: `näme ${i % 7} "quoted"`,
  ratio: i / 7,
  tags: ["a", "bb", `c${i}`],
  at: { x: ~i, y: i * 1e20, z: null, ok: i % 2 === 0 },
}));

const VALUES: [text: string, value: unknown][] = [
  ["[0, -0, 0e9]", [0, -0, 0]],
  ["[1, -12, 1.5, 1e400, 5e-324, 0.30000000000000004]", [1, -12, 1.5, Infinity, 5e-324, 0.30000000000000004]],
  ["[9007199254740993, 123456789012345678901]", [9007199254740992, 123456789012345680000]],
  [" [true, false, null]\n", [true, false, null]],
  ['[[], {}, ""]', [[], {}, ""]],
  ['"x"', "x"],
  ["-1.5e3", -1500],
  [String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800"`, '"\\/\b\f\n\r\té😀\ud800'],
  ['["é", "中文", "😀", "\x7f"]', ["é", "中文", "😀", "\x7f"]],
  ["\ufeff[1]", [1]],
  ['{"a": 1, "b": 2, "a": 3}', { a: 3, b: 2 }],
  ['{"b": 0, "2": 0, "1": 0}', { b: 0, 2: 0, 1: 0 }],
  [String.raw`{"__proto__": {"x": 1}, "\u005f_proto__": 2}`, own(["__proto__", 2])],
  [`"${"long ".repeat(3_000)}"`, "long ".repeat(3_000)],
  [`"${"長い文".repeat(3_000)}"`, "長い文".repeat(3_000)],
  ...[JSON.stringify(ROWS), JSON.stringify(ROWS, null, 2), JSON.stringify(ROWS)].map((text) =>
    [text, ROWS] as [string, unknown]
  ),
];
for (const [text, value] of VALUES) {
  checkEqual(text.slice(0, 60), parseBinary(encoder.encode(text)), { ok: true, value });
}

const FAILURES: [text: string, code: string, offset: number, line: number, column: number][] = [
  ["", "unexpected-end", 0, 1, 1],
  ["[1,\n 2,]", "unexpected-token", 7, 2, 4],
  ['{"a" 1}', "expected-colon", 5, 1, 6],
  ['["é\n"]', "bad-control-character", 4, 1, 4],
  ["[01]", "unexpected-number", 2, 1, 3],
  ["1 2", "trailing-content", 2, 1, 3],
];
for (const [text, ...expected] of FAILURES) {
  const result = parseBinary(encoder.encode(text));
  const found = result.ok ? [] : [result.code, result.offset, result.line, result.column];
  checkEqual(`failure of ${JSON.stringify(text)}`, found, expected);
}
const malformed = parseBinary(Uint8Array.of(0x22, 0xc3, 0x28, 0x22));
checkEqual("malformed UTF-8", malformed.ok ? "accepted" : malformed.code, "invalid-utf8");

const LEVELS = 100_000;
let value: unknown;
const nested = parseBinary(encoder.encode("[".repeat(LEVELS) + "]".repeat(LEVELS)));
let depth = 0;
for (value = nested.ok && nested.value; Array.isArray(value); value = value[0]) depth++;
checkEqual("depth", depth, LEVELS);

/**
 * Makes shared memory, filled up with spaces. Pages that are not isolated from other origins have
 * no constructor for it, but get it from WebAssembly.
 */
function makeShared(length: number): SharedArrayBuffer {
  if (typeof SharedArrayBuffer === "function") return new SharedArrayBuffer(length);
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  new Uint8Array(buffer).fill(0x20);
  return buffer as unknown as SharedArrayBuffer;
}

const { buffer } = encoder.encode("xx[1, 2]xx").slice();
const one = { ok: true, value: [1, 2] };
checkEqual("a subarray", parseBinary(new Uint8Array(buffer, 2, 6)), one);
checkEqual("an ArrayBuffer", parseBinary(buffer.slice(2, 8)), one);
const shared = makeShared(6);
new Uint8Array(shared).set(new Uint8Array(buffer, 2, 6));
checkEqual("a SharedArrayBuffer", parseBinary(shared), { ok: true, value: [1, 2] });
checkEqual("a view of one", parseBinary(new Uint8Array(shared, 0, 6)), one);
checkEqual("JSON.parseBinary", (JSON as unknown as { parseBinary: typeof parseBinary }).parseBinary(shared), one);

/** Cuts bytes into chunks with buffers of their own. */
function chunksOf(text: string, size: number): Uint8Array<ArrayBuffer>[] {
  const bytes = encoder.encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

// QuickJS and bare realms have no streams.
const hasStreams = typeof ReadableStream === "function";
for (const { name, inputOf, isWhole, open, read, readsJson, valuesOf } of entryPointsOf(library)) {
  if (!readsJson || !(isWhole || open || hasStreams)) continue;
  for (const size of isWhole ? [Infinity] : [3, 1_000, Infinity]) {
    const texts = ROWS.slice(0, size === 3 ? 10 : 50).map((row) => JSON.stringify(row));
    for (const end of ["", " }"]) {
      const { values, failure } = await read(chunksOf(inputOf(texts) + end, Math.min(size, 1e9)));
      if (end === "") checkEqual(`${name} in chunks of ${size}`, [values.toArray(), failure], [valuesOf(texts), null]);
      else checkEqual(`failure of ${name} in chunks of ${size}`, failure?.truncated, false);
    }
  }
}

if (hasStreams) {
  const whole = await library.parseStream(chunksOf(JSON.stringify(ROWS), 1_000), { timeSlice: 0 });
  checkEqual("rows with turns of the event loop", whole, { ok: true, value: ROWS });
}

let thrown: unknown;
try {
  parseBinary("[1, 2]" as unknown as Uint8Array);
} catch (error) {
  thrown = error;
}
checkEqual("another argument throws a TypeError", thrown instanceof TypeError, true);

// QuickJS has nothing that detaches, or only in later versions.
const canDetach = "transfer" in ArrayBuffer.prototype || typeof structuredClone === "function";
checkEqual("the kind of detach", detach.kind !== "none", canDetach);
checkEqual("detach of a part", detach(new Uint8Array(buffer, 2)), false);
checkEqual("the part's length", buffer.byteLength, 10);
checkEqual("detach", detach(new Uint8Array(buffer)), canDetach);
checkEqual("the length after it", buffer.byteLength, canDetach ? 0 : 10);
checkEqual("detach once more", detach(buffer), false);
checkEqual("detach of shared memory", detach(shared), false);
const gone = parseBinary(buffer);
const expectedCode = canDetach ? "detached-buffer" : "unexpected-token";
checkEqual("a detached buffer", gone.ok ? "accepted" : gone.code, expectedCode);
const another = new ArrayBuffer(8) as unknown as { detach(): boolean };
checkEqual("ArrayBuffer.prototype.detach", another.detach(), canDetach);

reportChecks();
