/**
 * Child process that reads documents at the limits of the engine, or with a small heap, which an
 * engine ends at once if it has to make more than fits: memory that a call needs in addition to its
 * value must not grow with the input, and no call may keep any. Prints failed checks, and the
 * number of checks.
 *
 *     check_limits.ts elements|members|brackets|turns
 *     check_limits.ts heap, with --v8-flags=--max-old-space-size=64
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";

const encoder = new TextEncoder();

/**
 * Creates a document that repeats a piece between a start and an end: its bytes are not in
 * the heap.
 */
function repeated(start: string, piece: string, times: number, end: string): Uint8Array {
  const pieces = encoder.encode(piece);
  const bytes = new Uint8Array(start.length + pieces.length * times + end.length);
  bytes.set(encoder.encode(start));
  bytes.set(pieces, start.length);
  // Doubles the bytes in place, because a string of that length could exceed the limit of V8.
  for (let done = pieces.length; done < pieces.length * times; done *= 2) {
    bytes.copyWithin(start.length + done, start.length, start.length + Math.min(done, pieces.length * times - done));
  }
  bytes.set(encoder.encode(end), start.length + pieces.length * times);
  return bytes;
}

/** Parses bytes. Returns a string for an exception. */
function attempt(bytes: Uint8Array): ParseResult | string {
  try {
    return parseBinary(bytes);
  } catch (error) {
    return `threw ${error}`;
  }
}

function checkFailure(name: string, result: ReturnType<typeof attempt>, code: string, offset?: number): void {
  const found = typeof result === "string" ? result : result.ok ? "parsed" : `${result.code} at ${result.offset}`;
  check(name, found.startsWith(`${code} at ${offset ?? ""}`) ? undefined : found);
}

const SCENARIOS: Record<string, () => void> = {
  turns() {
    const times = 17_000_000;
    const result = attempt(repeated("[1,1,1,1,1,1,1,1,1,", '"",1,', times, "1]"));
    if (typeof result === "string" || !result.ok) return check("an array", JSON.stringify(result));
    const value = result.value as unknown[];
    checkThat("its length", value.length === 10 + 2 * times, value.length);
    const isRight = value.every((element, i) => element === (i < 9 || i % 2 === 0 || i === value.length - 1 ? 1 : ""));
    check("its elements", isRight ? undefined : "differ");
  },
  brackets() {
    const levels = 134_217_729;
    checkFailure("brackets", attempt(repeated("", "[", levels, "")), "unexpected-end", levels);
  },
  elements() {
    const bytes = repeated("[", "0,", 134_217_800, "0]");
    checkFailure("elements", attempt(bytes), "value-too-large", bytes.length - 1);
  },
  members() {
    // V8 allows 8,388,607 of them.
    const members = Array.from({ length: 8_400_000 }, (_, i) => `"${i.toString(36)}_":0`);
    checkFailure("members", attempt(encoder.encode(`{${members.join()}}`)), "value-too-large");
  },
  heap() {
    // 240 MB of rows, and 10 million brackets: a multiple of the heap.
    const rows = repeated("[", '{"id":1234,"name":"text"},', 9_000_000, "0]");
    checkThat("validateBinary of many rows", validateBinary(rows).ok, "");
    const validator = new BinaryValidator();
    for (let p = 0; p < rows.length; p += 65_536) validator.push(rows.subarray(p, p + 65_536));
    checkThat("BinaryValidator of many rows", validator.end().ok, "");
    const brackets = repeated("", "[", 10_000_000, "");
    checkFailure(
      "validateBinary of brackets",
      validateBinary(brackets) as ParseResult,
      "unexpected-end",
      brackets.length,
    );
    checkFailure("parseBinary of brackets", attempt(brackets), "unexpected-end", brackets.length);
    // Of these members only the last one is kept.
    const member = `"name":{"id":12345,"text":"${"a text ".repeat(10)}"},`;
    const members = parseBinary(repeated("{", member, 1_200_000, '"name":{}}'));
    checkThat("members that are lost take no memory", members.ok, members);
    // Documents of 2.6 MB one after the other. Neither their values nor their failures may stay. Keys
    // and strings differ from call to call.
    let right = 0;
    for (let call = 0; call < 120; call++) {
      const bytes = repeated("[", `{"id ${call}":1234,"name":"text ${call}"},`, 80_000, "0]");
      if (call % 2) bytes[bytes.length - 1] = 0x7d;
      const result = parseBinary<unknown[]>(bytes);
      if (result.ok ? result.value.length === 80_001 : result.offset === bytes.length - 1) right++;
    }
    checkThat("calls with the right result", right === 120, right);
  },
};
SCENARIOS[Deno.args[0]]();
const next = attempt(encoder.encode('[{"a":[1,"b"]},{"a":[2,"c"]}]'));
checkThat("a call afterwards", typeof next !== "string" && next.ok, next);
reportChecks();
