/**
 * Types for inputs of several values.
 *
 * @module
 */

import type { ParseFailure } from "../base/failure.ts";

/**
 * Separation of several values in one input. `"lines"` is JSON Lines: one value on each line that
 * is not blank. `"concatenated"` is one value after the other, on any number of lines. `"elements"`
 * are the elements of one array.
 */
export type ValueSeparation = "lines" | "concatenated" | "elements";

/** One of several values in an input. Offsets and lines count from the beginning of the input. */
export interface ParsedValue<T = unknown> {
  /** The value, equal to the result of `JSON.parse` for its text. */
  value: T;
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /** Offset after the last byte. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
}

/** One of several values in an input that is not a JSON text. */
export interface InvalidValue {
  /** Reason and position. */
  failure: ParseFailure;
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /** Offset after the skipped bytes: the end of the line with the failure. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
}
