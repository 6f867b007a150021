/**
 * Child process that parses documents at the limits of the engine. Prints failed checks, and the
 * number of checks.
 *
 *     check_limits.ts SCENARIO
 *
 * @module
 */

import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { check, reportChecks } from "../support/checks.ts";

const encoder = new TextEncoder();

/** Creates a document that repeats a piece `times` times between a start and an end. */
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

function attempt(bytes: Uint8Array): ParseResult | string {
  try {
    return parseBinary(bytes);
  } catch (error) {
    return `threw ${error}`;
  }
}

function checkFailure(name: string, bytes: Uint8Array, code: string, offset: number): void {
  const result = attempt(bytes);
  const found = typeof result === "string" ? result : result.ok ? "parsed" : `${result.code} at ${result.offset}`;
  check(name, found === `${code} at ${offset}` ? undefined : found);
}

/** Checks that calls after one that reached a limit are not affected. */
function checkNext(): void {
  const result = attempt(encoder.encode('[{"a":[1,"b"]},{"a":[2,"c"]}]'));
  check("a call afterwards", typeof result !== "string" && result.ok ? undefined : JSON.stringify(result));
}

const scenarios: Record<string, () => void> = {
  "numbers and strings in turn": () => {
    const times = 17_000_000;
    const result = attempt(repeated("[1,1,1,1,1,1,1,1,1,", '"",1,', times, "1]"));
    if (typeof result === "string" || !result.ok) return check("an array", JSON.stringify(result));
    const value = result.value as unknown[];
    check("its length", value.length === 10 + 2 * times ? undefined : `${value.length}`);
    const isRight = value.every((element, i) => element === (i < 9 || i % 2 === 0 || i === value.length - 1 ? 1 : ""));
    check("its elements", isRight ? undefined : "differ");
  },
  "brackets": () => checkFailure("brackets", repeated("", "[", 134_217_729, ""), "unexpected-end", 134_217_729),
  "elements": () => {
    const bytes = repeated("[", "0,", 134_217_800, "0]");
    checkFailure("elements", bytes, "value-too-large", bytes.length - 1);
  },
  "members": () => {
    // V8 allows 8,388,607 of them.
    const members = Array.from({ length: 8_400_000 }, (_, i) => `"${i.toString(36)}_":0`);
    const bytes = encoder.encode(`{${members.join()}}`);
    const result = attempt(bytes);
    const isRight = typeof result !== "string" && !result.ok && result.code === "value-too-large";
    check("members", isRight ? undefined : typeof result === "string" ? result : JSON.stringify(result).slice(0, 200));
  },
};
scenarios[Deno.args[0]]();
checkNext();
reportChecks();
