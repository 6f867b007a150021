/**
 * Calls `parseRecursively` with any bytes, including those that `parseBinary` leaves to the loop of
 * parser/document/parse_container.ts: small inputs, and all once the process is warm.
 */

import { resetNumberRuns, wipeRun } from "../../parser/numbers/number_runs.ts";
import { parseRecursively, releaseStack, takeValue } from "../../parser/document/parse_recursively.ts";
import { wipeScratch } from "../../parser/strings/read_string.ts";
import { releaseStringCache } from "../../parser/strings/string_cache.ts";
import { releaseTables } from "../../parser/document/value_stack.ts";
import { skipWhitespace } from "../../parser/base/whitespace.ts";
import { skipByteOrderMark } from "../../parser/engine/input_view.ts";
import type { ParseResult } from "../../parse_binary.ts";
import { resultDifference } from "./difference.ts";

/** Maximum nesting for `parseRecursively`. */
const DEEP = 100;

/** Parses an array or object; returns `undefined` for other bytes, and if it gives up. */
export function parseByRecursion(input: Uint8Array): { ok: true; value: unknown } | undefined {
  const bytes = new Uint8Array(input);
  const end = bytes.length;
  const start = skipWhitespace(bytes, skipByteOrderMark(bytes, end), end);
  if (start >= end || bytes[start] !== 0x5b && bytes[start] !== 0x7b) return undefined;
  resetNumberRuns(end);
  try {
    const position = parseRecursively(bytes, new DataView(bytes.buffer, 0, end), start, end);
    return position === end ? { ok: true, value: takeValue() } : undefined;
  } finally {
    releaseStringCache();
    resetNumberRuns(0);
    releaseTables();
    releaseStack();
    wipeRun();
    wipeScratch();
  }
}

/** Counts the levels of containers in a value, up to {@linkcode DEEP}. */
function depthOf(value: unknown): number {
  let level = [value];
  let depth = 0;
  while (depth < DEEP) {
    level = level.filter((value) => typeof value === "object" && value !== null);
    if (level.length === 0) return depth;
    level = level.flatMap((value) => Object.values(value as object));
    depth++;
  }
  return depth;
}

/** Describes the difference of `parseRecursively` from the expected result, if any. */
export function recursionProblem(input: Uint8Array, expected: ParseResult): string | undefined {
  const result = parseByRecursion(input);
  if (result !== undefined) {
    const problem = resultDifference(result, expected);
    return problem && `by recursion: ${problem}`;
  }
  const isContainer = expected.ok && typeof expected.value === "object" && expected.value !== null;
  return isContainer && depthOf(expected.value) < DEEP ? "by recursion: given up" : undefined;
}
