/** Tests a whole input for conditions. */

import { describeFailure, type ParseResult } from "../base/failure.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { failWithoutMemory, privateBytes } from "../guarded/validate_guarded.ts";
import { type Conditions, holds } from "./conditions.ts";
import { locateDocument } from "./locate_document.ts";

const { isArray } = Array;

/** Returns whether an input fulfils all conditions, or its failure. */
export function matchDocument(input: Uint8Array, { tests, tree }: Conditions): ParseResult<boolean> {
  const total = lengthOf(input);
  const bytes = privateBytes(input, total, false);
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  const places = locateDocument(bytes, tree, false);
  if (!isArray(places)) return places;
  let value = true;
  for (let i = 0; i < tests.length; i++) {
    const place = places[i];
    if (!place.found) {
      value &&= !tests[i].exists;
      continue;
    }
    const length = place.end - place.start;
    // not covered: needs 2 GiB
    if (length > PARSE_WINDOW) return describeFailure(bytes, "value-too-large", place.start);
    value &&= holds(tests[i], new Uint8Array(bufferOf(bytes), offsetOf(bytes) + place.start, length), 0, length);
  }
  return { ok: true, value };
}
