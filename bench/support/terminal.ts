/** What a bench says while it runs. */
import process from "node:process";

/** Replaces the line on a terminal's standard error; says nothing elsewhere. */
export function showProgress(name: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}`);
}

/** Ends the program for a mistake on its command line. */
export function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
