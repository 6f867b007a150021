/**
 * Checks of a program that a test runs as a process of its own: each that fails is told on standard output, and at the end how many
 * there were, which the test reads.
 *
 * @module
 */

let checks = 0;
let failures = 0;

/** How many checks there were up to now. */
export function checksSoFar(): number {
  return checks;
}

/** Counts a check, and tells its problem if it has one. */
export function check(name: string, problem: string | undefined): void {
  checks++;
  if (!problem) return;
  failures++;
  console.log(`${name}: ${problem}`);
}

/** Counts a check of what was found. */
export function checkThat(name: string, holds: boolean, found: unknown): void {
  check(name, holds ? undefined : JSON.stringify(found));
}

/** Tells how many checks there were. */
export function reportChecks(): void {
  console.log(`${checks} checks, ${failures} failed`);
}
