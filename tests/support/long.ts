/** Groups of tests that take long. */

import { describe } from "@std/testing/bdd";
import { RUNS_LONG } from "./environment.ts";

/**
 * Registers a group of tests that take many seconds. `deno task test` leaves it out, and counts it
 * as ignored; `deno task test long` runs these groups alone, and finds them by the end of the name.
 */
export function describeLong(name: string, body: () => void): void {
  const register = RUNS_LONG ? describe : describe.skip;
  register(`${name} (long)`, body);
}

/** Registers a group of tests, one for each row. The rows that take long form a separate group. */
export function describeRows<Row>(
  name: string,
  rows: readonly Row[],
  takesLong: (row: Row) => boolean,
  register: (row: Row) => void,
): void {
  describe(name, () => rows.filter((row) => !takesLong(row)).forEach(register));
  describeLong(name, () => rows.filter(takesLong).forEach(register));
}
