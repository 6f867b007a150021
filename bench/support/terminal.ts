/**
 * Progress and errors of a bench on standard error.
 *
 * @module
 */

import process from "node:process";

/** Replaces the current line of a terminal; prints nothing elsewhere. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** Prints an error of the command line and ends the process. */
export function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
