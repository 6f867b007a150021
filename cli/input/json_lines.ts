/**
 * Documents of JSON Lines.
 *
 * Not `DelimiterStream` of @std/streams: it ends lines at line feeds alone, gives blank ones, and
 * takes a stream, while the bytes here are in memory already.
 * `tests/repository/std_packages_test.ts` tells when it strips carriage returns.
 */

import { CARRIAGE_RETURN, LINE_FEED } from "../../parser/base/ascii.ts";
import { skipWhitespace } from "../../parser/base/whitespace.ts";

/** Iterates over the documents of JSON Lines, without line ends. Skips blank lines. */
export function* jsonLines<B extends ArrayBufferLike>(bytes: Uint8Array<B>): Generator<Uint8Array<B>> {
  for (let start = 0, next = 0; start < bytes.length; start = next + 1) {
    next = bytes.indexOf(LINE_FEED, start);
    if (next < 0) next = bytes.length;
    const end = bytes[next - 1] === CARRIAGE_RETURN ? next - 1 : next;
    if (skipWhitespace(bytes, start, end) < end) yield bytes.subarray(start, end);
  }
}
