/**
 * Child process with a small heap, which an engine ends at once if it has to make more than fits:
 * memory that a call needs beside its value must not grow with the input, and no call may keep any.
 * Prints failed checks, and the number of checks.
 *
 *     check_heap_limit.ts, with --v8-flags=--max-old-space-size=64
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { checkThat, reportChecks } from "../support/checks.ts";

const encoder = new TextEncoder();

/** Makes a document of `times` pieces: its bytes are not in the heap. */
function repeated(start: string, piece: string, times: number, end: string): Uint8Array {
  const part = encoder.encode(piece.repeat(1_000));
  const bytes = new Uint8Array(start.length + part.length * times + end.length);
  bytes.set(encoder.encode(start));
  for (let i = 0; i < times; i++) bytes.set(part, start.length + i * part.length);
  bytes.set(encoder.encode(end), bytes.length - end.length);
  return bytes;
}

// 240 MB of rows, and 10 million brackets: a multiple of the heap.
const rows = repeated("[", '{"id":1234,"name":"text"},', 9_000, "0]");
checkThat("validateBinary of many rows", validateBinary(rows).ok, "");
const validator = new BinaryValidator();
for (let p = 0; p < rows.length; p += 65_536) validator.push(rows.subarray(p, p + 65_536));
checkThat("BinaryValidator of many rows", validator.end().ok, "");

const brackets = repeated("", "[", 10_000, "");
const validated = validateBinary(brackets);
checkThat("validateBinary of brackets", !validated.ok && validated.offset === brackets.length, validated);
const parsed = parseBinary(brackets);
checkThat("parseBinary of brackets", !parsed.ok && parsed.offset === brackets.length, parsed.ok);

// Of these members only the last one is kept.
const member = `"name":{"id":12345,"text":"${"a text ".repeat(10)}"},`;
const members = parseBinary(repeated("{", member, 1_200, '"name":{}}'));
checkThat("members that are lost take no memory", members.ok, members);

// Documents of 2.6 MB one after the other. Neither their values nor their failures may stay. Keys
// and strings differ from call to call.
let right = 0;
for (let call = 0; call < 120; call++) {
  const bytes = repeated("[", `{"id ${call}":1234,"name":"text ${call}"},`, 80, "0]");
  if (call % 2) bytes[bytes.length - 1] = 0x7d;
  const result = parseBinary<unknown[]>(bytes);
  if (result.ok ? result.value.length === 80_001 : result.offset === bytes.length - 1) right++;
}
checkThat("calls with the right result", right === 120, right);
reportChecks();
