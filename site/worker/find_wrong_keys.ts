/** Live demonstration of the wrong keys of `JSON.parse`. */

import { findWrongKeys, makeSequences } from "../../examples/v8_key_pairs.ts";
import { parseBinary } from "../../parse_binary.ts";

export interface KeysResult {
  pairs: number;
  /** Number of wrong keys. */
  native: number;
  parseBinary: number;
  /** First pair with a wrong key of `JSON.parse`, or any pair. */
  example: { first: string; second: string; lastKey: string; actual: string };
}

/** Parses pairs of documents with both parsers. Only the first call in a worker is meaningful. */
export function findKeys(): KeysResult {
  const pairs = makeSequences();
  const encoder = new TextEncoder();
  const native = findWrongKeys(pairs, JSON.parse);
  const ours = findWrongKeys(pairs, (text) => {
    const result = parseBinary(encoder.encode(text));
    return result.ok ? result.value : undefined;
  });
  const [example = { ...pairs[0], actual: pairs[0].lastKey }] = native;
  return { pairs: pairs.length, native: native.length, parseBinary: ours.length, example };
}
