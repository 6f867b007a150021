/**
 * What a reader leaves behind besides its value. One object, every field a number from the start, so that
 * its loads and stores compile to plain moves.
 *
 * @module
 */

import type { FailureCode } from "./failure.ts";

/** Where the last reader stopped: a position in the window being parsed. */
export const cursor: { position: number } = { position: 0 };

/** Why the last parse failed. Meaningful only after a reader said that it did. */
export const failure: { code: FailureCode; offset: number } = { code: "unexpected-end", offset: 0 };

/** Notes a failure at `offset`. */
export function fail(code: FailureCode, offset: number): void {
  failure.code = code;
  failure.offset = offset;
}
