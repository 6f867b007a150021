/**
 * The engine's own `JSON.parse` as a witness: verdict, value, and V8's wording and place of a failure.
 *
 * @module
 */

import type { ParseFailure, ParseResult } from "../../parse_binary.ts";
import { textOf, utf8 } from "./bytes.ts";
import { difference } from "./difference.ts";

// V8 captures a stack trace for every SyntaxError; a million of them take their time.
Error.stackTraceLimit = 0;

/**
 * How a result of `parseBinary` contradicts what `TextDecoder` and `JSON.parse` say of the same bytes.
 *
 * Where `JSON.parse` is known to be wrong it is not asked: V8 ≥ 13.6 confuses keys with escapes
 * (https://github.com/nodejs/node/issues/63785), so the values of such documents are left to the reference parser.
 *
 * @returns What differs, or `undefined` where the two agree.
 */
export function nativeDifference(actual: ParseResult, bytes: Uint8Array): string | undefined {
  const whole = textOf(bytes);
  if (whole === undefined) return actual.ok ? "accepted malformed UTF-8" : undefined;
  const text = whole.startsWith("\ufeff") ? whole.slice(1) : whole;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    if (actual.ok) return `accepted instead of ${message}`;
    return failureDifference(actual, message, text, bytes.length - utf8(text).length);
  }
  if (!actual.ok) return `rejected: ${actual.message}`;
  return hasEscapedKey(text) ? undefined : difference(actual.value, value);
}

function failureDifference(actual: ParseFailure, message: string, text: string, start: number): string | undefined {
  const placed = /^(.*) at position (\d+) (\(line \d+ column \d+\))$/.exec(message);
  if (placed) {
    const [, wording, position, place] = placed;
    const offset = start + utf8(text.slice(0, Number(position))).length;
    const expected = `${wording} at position ${offset} ${place}`;
    if (actual.message === expected && actual.offset === offset) return undefined;
    return `"${actual.message}" (offset ${actual.offset}) instead of "${expected}"`;
  }
  const expected = wordingWithoutPlace(message);
  return actual.message.startsWith(expected) ? undefined : `"${actual.message}" instead of "${message}"`;
}

/** How our message must begin where V8's tells no position, but quotes the input. */
function wordingWithoutPlace(message: string): string {
  const token = /^Unexpected token '(.)/s.exec(message)?.[1];
  if (token === undefined) return message.endsWith(" is not valid JSON") ? "Unexpected token" : message;
  if (token > "\x7f") return ""; // V8 has no wording of its own here
  if (token >= " " && token <= "~") return `Unexpected token '${token}' in JSON`;
  return `Unexpected byte 0x${token.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")} in JSON`;
}

/** Whether a key of a JSON text has an escape in it. Precondition: the text is valid. */
function hasEscapedKey(text: string): boolean {
  if (!text.includes("\\")) return false;
  for (const [, characters, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"([ \t\r\n]*:)?/g)) {
    if (colon && characters.includes("\\")) return true;
  }
  return false;
}
