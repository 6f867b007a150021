/** Diagnostics of failures: their messages, and the bytes around them. */

import type { ParseFailure } from "../../parser/streaming/validator_state.ts";
import { CARRIAGE_RETURN, CLOSE_BRACE, CLOSE_BRACKET, COMMA, LINE_FEED, SPACE } from "../bytes.ts";

/** Bytes of an excerpt before the failure: its line, clipped, and the line before. */
export const EXCERPT_BEFORE = 2048;

/** Bytes of an excerpt after the failure: more than 200 columns of four-byte characters. */
export const EXCERPT_AFTER = 1024;

export interface Excerpt {
  bytes: Uint8Array<ArrayBuffer>;
  /** Offset of the failure in `bytes`; their length if the input ends too early. */
  at: number;
  isStart: boolean;
  isEnd: boolean;
}

/** Way to read an input: as one document, as one that may have comments, or as several. */
export type Reading = "document" | "comments" | "lines" | "concatenated";

/** Failure with its excerpt. The message does not contain the location, which other fields have. */
export interface Diagnostic extends Omit<ParseFailure, "ok"> {
  excerpt: Excerpt;
  reading: Reading;
}

/** Makes the diagnostic of a failure, whose excerpt is a part of the given one. */
export function describeFailure(
  { offset, line, column, code, message, truncated, firstOffset }: ParseFailure,
  { bytes, at, isStart, isEnd }: Excerpt,
  reading: Reading,
): Diagnostic {
  // In JSON Lines a document that ends too early ends before the CR of a CRLF.
  if (reading === "lines" && bytes[at - 1] === CARRIAGE_RETURN && bytes[at] === LINE_FEED) offset--, column--, at--;
  const start = Math.max(0, at - EXCERPT_BEFORE);
  return {
    offset,
    line,
    column,
    code,
    message: message.replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, ""),
    truncated,
    ...firstOffset !== undefined && { firstOffset },
    excerpt: {
      bytes: bytes.subarray(start, at + EXCERPT_AFTER),
      at: Math.max(0, at - start), // a long name may have begun before the bytes
      isStart: isStart && start === 0,
      isEnd,
    },
    reading,
  };
}

/** Returns the position of the trailing comma before the failing bracket; -1 if there is none. */
export function trailingCommaAt({ reading, excerpt: { bytes, at } }: Diagnostic): number {
  if (bytes[at] !== CLOSE_BRACE && bytes[at] !== CLOSE_BRACKET) return -1;
  let p = at - 1;
  while (p >= 0 && bytes[p] <= SPACE && (bytes[p] !== LINE_FEED || reading !== "lines")) p--;
  return bytes[p] === COMMA ? p : -1;
}
