/**
 * Documents of JSON Lines.
 *
 * Not `DelimiterStream` of @std/streams: it ends lines at line feeds alone, yields blank ones, and
 * takes a stream, while the bytes here are in memory already.
 * `tests/repository/std_packages_test.ts` fails when it strips carriage returns.
 */

import { skipWhitespace } from "../../parser/streaming/validator_state.ts";
import { CARRIAGE_RETURN, LINE_FEED, OPEN_BRACE, OPEN_BRACKET } from "../bytes.ts";
import { validateBinary } from "../../validate_binary.ts";

/** Maximum bytes of the first lines, or of whitespace, to decide whether lines are documents. */
export const MAX_UNDECIDED = 2 ** 20;

/** Iterates over the documents of JSON Lines, without line ends. Skips blank lines. */
export function* jsonLines<B extends ArrayBufferLike>(bytes: Uint8Array<B>): Generator<Uint8Array<B>> {
  for (let start = 0, next = 0; start < bytes.length; start = next + 1) {
    next = bytes.indexOf(LINE_FEED, start);
    if (next < 0) next = bytes.length;
    const end = bytes[next - 1] === CARRIAGE_RETURN ? next - 1 : next;
    if (skipWhitespace(bytes, start, end) < end) yield bytes.subarray(start, end);
  }
}

/**
 * Returns whether the lines from a position on are documents: the first is one and another one
 * follows, or it fails and the next one is a document; `undefined` while unknown.
 */
export function looksLikeLines(bytes: Uint8Array, from: number, isLast: boolean): boolean | undefined {
  const unknown = !isLast && bytes.length < MAX_UNDECIDED ? undefined : false;
  const start = skipWhitespace(bytes, from, bytes.length);
  const lineEnd = start < bytes.length ? bytes.indexOf(LINE_FEED, start) : -1;
  const next = lineEnd < 0 ? bytes.length : skipWhitespace(bytes, lineEnd, bytes.length);
  if (next >= bytes.length) return unknown;
  const first = validateBinary(bytes.subarray(start, lineEnd + 1));
  if (first.ok || first.truncated) return first.ok;
  const found = bytes.indexOf(LINE_FEED, next);
  if (found < 0 && !isLast) return unknown;
  // A scalar may be an element of an array that begins on the first line.
  if (isBracket(bytes[start]) && !isBracket(bytes[next])) return false;
  return validateBinary(bytes.subarray(next, found < 0 ? bytes.length : found)).ok;
}

function isBracket(byte: number): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}
