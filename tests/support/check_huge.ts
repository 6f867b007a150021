/**
 * A program that parses one generated document of so many bytes, streamed into one `ArrayBuffer`, and looks at what comes out:
 * `check_huge.ts BYTES`. Says on standard output what went wrong, if anything, and how much was checked; or that it was skipped, and
 * what it needs.
 *
 * @module
 */

import { detach } from "../../detach.ts";
import { parseBinary } from "../../parse_binary.ts";
import { readBytes } from "../../read_bytes.ts";
import { validateBinary } from "../../validate_binary.ts";
import { check, reportChecks } from "./checks.ts";

const size = Number(Deno.args[0]);
const encoder = new TextEncoder();

/** The document, its value and the garbage of one before, and what else the runtime takes. In bytes. */
const NEEDED = 2.5 * size + 1e9;

/** Bytes of the document made at a time. */
const CHUNK_BYTES = 1 << 20;

/** No string of V8's is longer, so that `JSON.parse` has no text to parse. */
const MAX_STRING = 0x1fffffe8;

/** Numbers of a row, the same in every row: what they take in the document is mostly digits. */
const NUMBERS = Array.from({ length: 48 }, (_, i) => (i + 1) / 7 * (i % 2 === 0 ? 1e-7 : -1e5));

/** What row `index` is, its text escaped and not, narrow and wide. */
function rowAt(index: number): unknown {
  return {
    id: index,
    name: `row ${index}`,
    text: `line one of ${index}\nwith "quotes", é and 中`,
    flags: [index % 2 === 0, null, {}],
    numbers: NUMBERS,
  };
}

/** The row as a line of the document, so that a line number tells the row. */
function lineAt(index: number): string {
  return JSON.stringify(rowAt(index));
}

/** An array of rows, one a line, in whole rows up to `size` bytes. */
function* documentChunks(): Generator<Uint8Array<ArrayBuffer>> {
  let text = "[\n";
  let written = 0;
  for (let index = 0;; index++) {
    text += lineAt(index);
    if (text.length >= CHUNK_BYTES || written + text.length >= size) {
      const chunk = encoder.encode(text);
      written += chunk.length;
      yield chunk;
      text = "";
      if (written >= size) break;
    }
    text += ",\n";
  }
  yield encoder.encode("\n]\n");
}

function checkEqual(name: string, found: unknown, expected: unknown): void {
  const [actual, wanted] = [found, expected].map((value) => JSON.stringify(value));
  check(name, actual === wanted ? undefined : `found ${actual}, expected ${wanted}`);
}

/** What native says of bytes that are too long to be a string. */
async function nativeFails(parse: () => unknown): Promise<boolean> {
  try {
    await parse();
    return false;
  } catch {
    return true;
  }
}

/** That both ways of reading fail at `offset`, in row `index` as `column` of its line. */
function checkFailure(
  bytes: Uint8Array<ArrayBuffer>,
  code: string,
  offset: number,
  line: number,
  column: number,
): void {
  for (const read of [parseBinary, validateBinary]) {
    const result = read(bytes);
    const place = result.ok ? result : [result.code, result.offset, result.line, result.column];
    checkEqual(`${read.name}, ${code} at ${offset}`, place, [code, offset, line, column]);
  }
}

/** The offset of the first byte of the row that `position` is in, and its index. */
function rowAround(bytes: Uint8Array, position: number): { start: number; index: number } {
  const start = bytes.lastIndexOf(0x0a, position) + 1;
  const [, index] = /^\{"id":(\d+)/.exec(new TextDecoder().decode(bytes.subarray(start, start + 30)))!;
  return { start, index: Number(index) };
}

async function checkDocument(): Promise<void> {
  const bytes = await readBytes(documentChunks(), { sizeHint: size });
  if (bytes.length > MAX_STRING) {
    checkEqual("TextDecoder has no string of it", await nativeFails(() => new TextDecoder().decode(bytes)), true);
    checkEqual("Response.json has none", await nativeFails(() => new Response(bytes).json()), true);
  }
  const last = rowAround(bytes, bytes.length - 5);
  checkValue(bytes, last.index + 1);
  checkEqual("validateBinary", validateBinary(bytes).ok, true);

  // A wrong byte in a row beyond each of these, and in the last.
  const beyond = [2 ** 31, 2 ** 32].filter((position) => position < bytes.length - 10_000)
    .map((position) => rowAround(bytes, position + 5_000));
  for (const { start, index } of [...beyond, last]) {
    const id = start + '{"id":'.length;
    const byte = bytes[id];
    bytes[id] = 0x78;
    checkFailure(bytes, "unexpected-token", id, index + 2, '{"id":'.length + 1);
    bytes[id] = byte;
  }
  detach(bytes);
}

/** In a function of its own, so that the value is garbage when it returns. */
function checkValue(bytes: Uint8Array<ArrayBuffer>, rows: number): void {
  const result = parseBinary<unknown[]>(bytes);
  checkEqual("it parses", result.ok ? "" : result.message, "");
  if (!result.ok) return;
  checkEqual("how many rows", result.value.length, rows);
  for (const index of [0, rows >> 1, rows - 1]) checkEqual(`row ${index}`, result.value[index], rowAt(index));
  let wrong = 0;
  for (let index = 0; index < rows; index++) wrong += Number((result.value[index] as { id: number }).id !== index);
  checkEqual("rows out of place", wrong, 0);
}

/** A string that no engine's string can hold. */
function checkLongString(): void {
  const before = '{"a": 0,\n "b": "';
  const bytes = new Uint8Array(before.length + MAX_STRING + 1 + '"}'.length).fill(0x61);
  bytes.set(encoder.encode(before));
  bytes.set(encoder.encode('"}'), bytes.length - 2);
  const result = parseBinary(bytes);
  const place = result.ok || [result.code, result.offset, result.line, result.column];
  checkEqual("a string too long", place, ["string-too-long", before.length - 1, 2, 7]);
}

const { available } = Deno.systemMemoryInfo();
if (available < NEEDED) {
  const [needed, left] = [NEEDED, available].map((bytes) => `${(bytes / 1e9).toFixed(1)} GB`);
  console.log(`skipped: a document of ${size / 1e9} GB needs ${needed} of free memory, ${left} are free`);
} else {
  await checkDocument();
  checkLongString();
  reportChecks();
}
