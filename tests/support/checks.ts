/**
 * Checks of a child process. Failed checks and the number of all checks go to standard output,
 * where the test reads them.
 */

let checks = 0;
let failures = 0;

export function checksSoFar(): number {
  return checks;
}

/** Counts a check, and prints its problem if there is one. */
export function check(name: string, problem: string | undefined): void {
  checks++;
  if (!problem) return;
  failures++;
  console.log(`${name}: ${problem}`);
}

/** Counts a check of a condition, and prints the value found if it does not hold. */
export function checkThat(name: string, holds: boolean, found: unknown): void {
  check(name, holds ? undefined : JSON.stringify(found));
}

/** Prints the number of checks, as the last line of a child process. */
export function reportChecks(): void {
  console.log(`${checks} checks, ${failures} failed`);
}
