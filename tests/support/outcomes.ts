/**
 * Assertions about what child processes print.
 *
 * @module
 */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Outcome } from "./environment.ts";

/** Asserts that a process failed with one line, which has `words` in it. */
export function assertRefusal({ success, output }: Outcome, words: string): void {
  assertEquals(success, false);
  assertStringIncludes(output, words);
  assertMatch(output, /^.+\n$/);
}
