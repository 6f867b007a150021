/** Name of the program, its exit codes, and its hidden argument. Imports nothing. */

export const PROGRAM = "bytejson";

/** First argument of the child process in which `bench` measures; not meant for users. */
export const MEASURING_PROCESS = "--memory-process";

export const EXIT = { valid: 0, invalid: 1, unusable: 2, interrupted: 130, terminated: 143 } as const;

/** Meanings of the exit codes, for help screens and the manual page. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.valid, "all valid"],
  [EXIT.invalid, "at least one invalid document, or no value at a pointer"],
  [EXIT.unusable, "usage error, unreadable input, no files, no permission; overrides 1"],
  [EXIT.interrupted, "interrupted"],
  [EXIT.terminated, "terminated by SIGTERM"],
];
