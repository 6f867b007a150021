/** Assertions about the output of child processes. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Outcome } from "./environment.ts";

/** Asserts that a process failed with one line that contains `words`. */
export function assertRefusal({ success, output }: Outcome, words: string): void {
  assertEquals(success, false);
  assertStringIncludes(output, words);
  assertMatch(output, /^.+\n$/);
}

/** Asserts that a program ran at least `atLeast` checks, and that all passed. */
export function assertChecks({ success, output }: Outcome, atLeast: number): void {
  const [, checks, failures] = /^(\d+) checks, (\d+) failed$/m.exec(output) ?? [];
  assert(success && failures === "0" && Number(checks) >= atLeast, output);
}
