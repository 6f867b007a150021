/**
 * Results of parsing.
 *
 * @module
 */

import type { ParseFailure } from "./failure.ts";

/** Result for a JSON text. */
export interface ParseSuccess<T = unknown> {
  /** Always `true`. */
  ok: true;
  /** Value of the text, equal to the result of `JSON.parse`. */
  value: T;
}

/** Result of parsing; `ok` distinguishes its two kinds. */
export type ParseResult<T = unknown> = ParseSuccess<T> | ParseFailure;
