/** Comparison with the engine's own `JSON.parse`: value, or message and position of a failure. */

import type { ParseFailure, ParseResult } from "../../parse_binary.ts";
import { textOf, utf8 } from "./bytes.ts";
import { difference } from "./difference.ts";

// V8 captures a stack trace for every SyntaxError, which is slow for a million of them.
Error.stackTraceLimit = 0;

/** Whether the messages of `JSON.parse` are V8's, which those of `parseBinary` follow. */
const HAS_MESSAGES_OF_V8 = /Deno|Node|Chrome/.test(navigator.userAgent);

/**
 * Compares a result of `parseBinary` with that of `TextDecoder` and `JSON.parse` for the
 * same bytes.
 *
 * Values of documents with escapes in keys are not compared, because V8 from 13.6 on confuses such
 * keys (https://github.com/nodejs/node/issues/63785). The reference parser covers them.
 *
 * @returns The difference in words, or `undefined` if the two agree.
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
    if (!HAS_MESSAGES_OF_V8) return undefined;
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

/** Returns the expected start of our message if V8's quotes the input, without a position. */
function wordingWithoutPlace(message: string): string {
  const token = /^Unexpected token '(.)/s.exec(message)?.[1];
  if (token === undefined) return message.endsWith(" is not valid JSON") ? "Unexpected token" : message;
  if (token > "\x7f") return ""; // V8 has no message of its own for these bytes
  if (token >= " " && token <= "~") return `Unexpected token '${token}' in JSON`;
  return `Unexpected byte 0x${token.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")} in JSON`;
}

/** Returns whether a key of a valid JSON text contains an escape. */
function hasEscapedKey(text: string): boolean {
  if (!text.includes("\\")) return false;
  for (const [, characters, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"([ \t\r\n]*:)?/g)) {
    if (colon && characters.includes("\\")) return true;
  }
  return false;
}
