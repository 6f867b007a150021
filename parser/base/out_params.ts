/**
 * Out-parameters: second results of the parser's functions. "Out-parameters": see ARCHITECTURE.md.
 * Each is valid until the next call of a function that writes it.
 *
 * Numeric fields are numbers from the start, so that loads and stores compile to plain moves;
 * doubles are in typed arrays, where storing one allocates nothing.
 *
 * @module
 */

import type { FailureCode } from "./failure.ts";

/**
 * Position after what was read last, in the window being parsed. Written by every reader that does
 * not return that position.
 */
export const cursor: { position: number } = { position: 0 };

/** Failure recorded last. Meaningful only after a reader has returned its sentinel. */
export const failure: { code: FailureCode; offset: number } = { code: "unexpected-end", offset: 0 };

/** Records a failure at `offset`. */
export function fail(code: FailureCode, offset: number): void {
  failure.code = code;
  failure.offset = offset;
}

/**
 * Top of the value stack and kind of the innermost container. Written by `growOrFlush` and
 * `pushRun`.
 */
export const grown: { top: number; kind: number } = { top: 0, kind: 0 };

/** Value of the number read last. Written by every reader of one number. */
export const numberValue: Float64Array = new Float64Array(1);

/**
 * Digits of a number before its exponent: the position of the `e`, and how many of the digits
 * follow the point. Written by `readFraction` if it stops at an exponent; `readNumber` first sets
 * `end` to 0.
 */
export const mantissa: { end: number; decimals: number } = { end: 0, decimals: 0 };
/** Value of these digits without the point, as a sum of two integers. */
export const mantissaParts: Float64Array = new Float64Array(2);

/**
 * Numbers of the run buffer, and characters of the scratch buffers, that were written since they
 * were wiped.
 */
export const used: { numbers: number; characters: number } = { numbers: 0, characters: 0 };

/**
 * Whether what was read is irregular: has line ends outside of strings, or bytes beyond ASCII. If
 * not, the streaming parser need not look at the bytes once more to count lines and columns (JSON
 * Lines, to a split and `JSON.parse`: 1.19 → 1.31).
 */
export const irregular: {
  /** 1 once a reader has passed such a byte. Cleared by who wants to know. */
  passed: number;
  /** 1 once the key cache has held such a byte: a reader then passes it without a look at it. */
  isInKeys: number;
} = { passed: 0, isInKeys: 0 };

/** Value of the exponent read last. Written by `readExponent`. */
export const exponent: { value: number } = { value: 0 };
