/**
 * What readers share: what one leaves behind besides its value, in objects whose fields are numbers from the start, so that loads and
 * stores compile to plain moves.
 *
 * @module
 */

import type { FailureCode } from "./failure.ts";

/**
 * Inputs, in bytes, from which on memory counts more than what it costs to save some: their values cross the young generation, which
 * grows with what survives there, and fill the old one.
 */
export const LARGE_INPUT = 1 << 22;

/** Where the last reader stopped: a position in the window being parsed. */
export const cursor: { position: number } = { position: 0 };

/** Why the last parse failed. Meaningful only after a reader said that it did. */
export const failure: { code: FailureCode; offset: number } = { code: "unexpected-end", offset: 0 };

/** Notes a failure at `offset`. */
export function fail(code: FailureCode, offset: number): void {
  failure.code = code;
  failure.offset = offset;
}
