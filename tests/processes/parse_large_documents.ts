/**
 * Parses documents of 6 MB, one after the other, and prints the growth of the old generation during
 * the later ones in bytes. Argument: `whole`, or `in chunks`.
 */

import { getHeapSpaceStatistics } from "node:v8";
import { BinaryParser, parseBinary, type ParseResult } from "../../mod.ts";

const DOCUMENTS = 16;
const RECORDS = 40_000;
const CHUNK = 65_536;
const ZERO = "0".charCodeAt(0);

/** Bytes in use outside the young generation. */
function oldBytes(): number {
  return getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) => sum + (space_name.startsWith("old_") ? space_used_size : 0),
    0,
  );
}

/**
 * Returns an array of records that differ in their ids. Makes hardly any garbage: as in a server,
 * the young generation is still small when the first document is parsed.
 */
function makeDocument(): Uint8Array {
  const encoder = new TextEncoder();
  const record = encoder.encode(
    '{"id":100000,"name":"record 100000","location":[7.14285714100000,9.1111111100000],' +
      '"tags":["tag 100000"],"nested":{"comment":"comment 100000 of a record, one of many"}},',
  );
  const bytes = new Uint8Array(RECORDS * record.length + 1);
  bytes[0] = "[".charCodeAt(0);
  for (let i = 0; i < RECORDS; i++) {
    const start = 1 + i * record.length;
    bytes.set(record, start);
    for (let p = start; p < start + record.length; p++) {
      // The last digit of the number is behind the zeros.
      if (bytes[p] !== ZERO || bytes[p + 1] === ZERO) continue;
      for (let digit = p, rest = i; rest > 0; rest = Math.floor(rest / 10)) bytes[digit--] += rest % 10;
    }
  }
  bytes[bytes.length - 1] = "]".charCodeAt(0);
  return bytes;
}

const bytes = makeDocument();

function parseChunks(): ParseResult {
  const parser = new BinaryParser();
  for (let start = 0; start < bytes.length; start += CHUNK) parser.push(bytes.subarray(start, start + CHUNK));
  return parser.end();
}

/** Parses the document, and returns the growth of the old generation in bytes. */
function growthOfParse(): number {
  const before = oldBytes();
  const result = Deno.args[0] === "whole" ? parseBinary(bytes) : parseChunks();
  if (!result.ok) throw new Error(result.message);
  return Math.max(0, oldBytes() - before);
}

let grown = 0;
for (let i = 0; i < DOCUMENTS; i++) {
  const growth = growthOfParse();
  if (i >= DOCUMENTS / 2) grown += growth;
  await new Promise((resolve) => setTimeout(resolve));
}
console.log(`${bytes.length} bytes a document, grown by ${grown} bytes`);
