/**
 * Values that are kept alive while the browser measures memory.
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import type { HoldJob } from "../messages.ts";
import { documentsOf } from "./measure_source.ts";

/** The bytes, and what parsing them has made. */
let held: unknown[] = [];

/**
 * Makes the values to keep alive: for `native`, the text as well as the value, since the text is
 * alive until `JSON.parse` returns. Returns the number of things that are alive.
 */
export async function holdValues({ source, held: what }: HoldJob): Promise<number> {
  held = [];
  const decoder = new TextDecoder();
  for (const document of await documentsOf(source)) {
    held.push(document);
    if (what === "parseBinary") {
      held.push(parseBinary(document));
    } else if (what === "native") {
      const text = decoder.decode(document);
      try {
        held.push(text, JSON.parse(text));
      } catch {
        held.push(text); // a wrong document has no value
      }
    }
  }
  return held.length;
}
