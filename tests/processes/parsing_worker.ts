/**
 * Worker that parses shared memory again and again until it is terminated, or for a second. Posts a
 * message once it has begun.
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { validateBinary } from "../../validate_binary.ts";

addEventListener("message", (event) => {
  const { data } = event as MessageEvent<Uint8Array>;
  (globalThis as unknown as Worker).postMessage("begun");
  for (const end = performance.now() + 1_000; performance.now() < end;) {
    parseBinary(data);
    validateBinary(data);
  }
});
