/**
 * Child process that parses one generated document, streamed into one `ArrayBuffer`. Prints failed
 * checks and the number of checks, or that it was skipped for lack of memory.
 *
 *     check_huge.ts BYTES
 */

import { detach } from "../../detach.ts";
import { parseBinary } from "../../parse_binary.ts";
import { locate, parseAt } from "../../pointer.ts";
import { readBytes } from "../../read_bytes.ts";
import { selectBinary, selector } from "../../select.ts";
import { validateBinary } from "../../validate_binary.ts";
import { check, reportChecks } from "../support/checks.ts";

const size = Number(Deno.args[0]);
const encoder = new TextEncoder();

/** Bytes of the document, its value, the garbage of an earlier value, and the runtime. */
const NEEDED = 2.5 * size + 1e9;

/** Bytes of the document generated at a time. */
const CHUNK_BYTES = 1 << 20;

/** Maximum number of characters of a V8 string: `JSON.parse` cannot read a longer document. */
const MAX_STRING = 0x1fffffe8;

/** Numbers of every row. In the document they are mostly digits. */
const NUMBERS = Array.from({ length: 48 }, (_, i) => (i + 1) / 7 * (i % 2 === 0 ? 1e-7 : -1e5));

/**
 * Creates row `index`, with strings that are escaped or not, and of one or two bytes per character.
 */
function rowAt(index: number) {
  return {
    id: index,
    name: `row ${index}`,
    text: `line one of ${index}\nwith "quotes", é and 中`,
    flags: [index % 2 === 0, null, {}],
    numbers: NUMBERS,
  };
}

/** Serializes a row as one line, so that line numbers identify rows. */
function lineAt(index: number): string {
  return JSON.stringify(rowAt(index));
}

/** Yields an array of rows, one per line, until it has `size` bytes or more. */
function* documentChunks(): Generator<Uint8Array<ArrayBuffer>> {
  let text = "[\n";
  for (let index = 0, written = 0; written < size; index++) {
    text += `${index > 0 ? ",\n" : ""}${lineAt(index)}`;
    if (text.length < CHUNK_BYTES && written + text.length < size) continue;
    const chunk = encoder.encode(text);
    written += chunk.length;
    yield chunk;
    text = "";
  }
  yield encoder.encode("\n]\n");
}

function checkEqual(name: string, found: unknown, expected: unknown): void {
  const [actual, wanted] = [found, expected].map((value) => JSON.stringify(value));
  check(name, actual === wanted ? undefined : `found ${actual}, expected ${wanted}`);
}

/** Checks that parsing and validation fail with this code and place. */
function checkFailure(bytes: Uint8Array<ArrayBuffer>, ...expected: [string, number, line: number, column: number]) {
  for (const read of [parseBinary, validateBinary]) {
    const result = read(bytes);
    const place = result.ok ? result : [result.code, result.offset, result.line, result.column];
    checkEqual(`${read.name}, ${expected}`, place, expected);
  }
}

/** Returns the offset of the first byte of the row around `position`, and the index of the row. */
function rowAround(bytes: Uint8Array, position: number): { start: number; index: number } {
  const start = bytes.lastIndexOf(0x0a, position) + 1;
  const [, index] = /^\{"id":(\d+)/.exec(new TextDecoder().decode(bytes.subarray(start, start + 30)))!;
  return { start, index: Number(index) };
}

async function checkDocument(): Promise<void> {
  const bytes = await readBytes(documentChunks(), { sizeHint: size });
  const last = rowAround(bytes, bytes.length - 5);
  checkValue(bytes, last.index + 1);
  checkOnDemand(bytes, last.index);
  checkEqual("validateBinary", validateBinary(bytes).ok, true);

  // A wrong byte in a row beyond 2 GiB, beyond 4 GiB, and in the last row.
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

/** Checks the value. It is garbage once the function returns. */
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

/** Checks selected members, and values and places at pointers, the last row among them. */
function checkOnDemand(bytes: Uint8Array<ArrayBuffer>, last: number): void {
  const selected = selectBinary(bytes, selector([{ flags: [true] }]));
  checkEqual("how many rows are selected", selected.ok && (selected.value as unknown[]).length, last + 1);
  checkEqual("the last one", selected.ok && (selected.value as unknown[])[last], { flags: rowAt(last).flags });
  for (const index of [0, last]) {
    const path = [index, "text"];
    const result = parseAt(bytes, path);
    checkEqual(`the text of row ${index}`, result.ok && result.found && result.value, rowAt(index).text);
    const place = locate(bytes, path);
    const column = lineAt(index).indexOf('"text":') + '"text":'.length + 1;
    checkEqual(`its place`, place.ok && place.found && [place.line, place.column], [index + 2, column]);
  }
}

/** Checks that a string too long for V8 is a failure. */
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
  console.log(`skipped: a document of ${size / 1e9} GB needs ${needed} of free memory; ${left} are free`);
} else {
  await checkDocument();
  checkLongString();
  reportChecks();
}
