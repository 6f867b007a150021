/**
 * Times of operations that take a few nanoseconds. Each contestant loops by itself, so that no call
 * adds to the operation.
 *
 * @module
 */

import { formatRatio } from "../../measure/number_format.ts";
import { median, spread } from "../../measure/statistics.ts";
import { consumed, type Effort, Lane, measureAlternating } from "./lane.ts";
import { renderTable } from "./table.ts";

/** Number of operations in one call of a contestant. */
export const LOOPS = 1000;

/** Name of a contestant, and a function that runs its operation {@linkcode LOOPS} times. */
export type Operation = [name: string, run: () => void];

/** One operation of several contestants, ours last. Times are nanoseconds per operation. */
export interface OperationRow {
  name: string;
  nanoseconds: Record<string, number>;
  /** Half the interquartile range of our samples as a share of their median. */
  spread: number;
  /** Time of each other contestant over ours. */
  ratios: number[];
  /** Ratio that ours is meant to reach. */
  goal?: number;
  /** Ratio that another implementation has published, to the last other contestant. */
  published?: number;
}

let loops = 0;

/**
 * Creates a function that runs statements {@linkcode LOOPS} times, for `i` from 0 up.
 *
 * Engines share type feedback between functions of one source text. Each function therefore has a
 * source of its own, so that no contestant pays for the types that another one was run with.
 *
 * @param statements Code to measure; it leaves results in `consumed.value`.
 * @param scope Variables of the statements.
 */
export function loop(statements: string, scope: Record<string, unknown>): () => void {
  const body = `/* ${loops++} */ return () => { for (let i = 0; i < ${LOOPS}; i++) { ${statements} } };`;
  return new Function("consumed", ...Object.keys(scope), body)(consumed, ...Object.values(scope));
}

const NO_BYTES = [new Uint8Array(0)];

/** Measures the contestants of one operation. */
export function measureOperations(
  name: string,
  operations: Operation[],
  effort: Effort,
  goal: number | undefined,
  published?: number,
): OperationRow {
  const lanes = operations.map(([name, parse]) => new Lane({ name, parse }, NO_BYTES));
  measureAlternating(lanes, effort);
  const times = lanes.map(({ samples }) => median(samples) * 1e6 / LOOPS);
  const ours = times.at(-1)!;
  return {
    name,
    nanoseconds: Object.fromEntries(operations.map(([name], i) => [name, times[i]])),
    spread: spread(lanes.at(-1)!.samples),
    ratios: times.slice(0, -1).map((time) => time / ours),
    ...(goal && { goal }),
    ...(published && { published }),
  };
}

/** Renders rows; those with the same contestants share a table. */
export function renderOperations(rows: OperationRow[]): string {
  const tables = Map.groupBy(rows, ({ nanoseconds }) => Object.keys(nanoseconds).join());
  return [...tables.values()].map((rows) => {
    const names = Object.keys(rows[0].nanoseconds);
    const extras = (["published", "goal"] as const).filter((extra) => rows.some((row) => row[extra] !== undefined));
    return renderTable(
      ["ns", ...names, ...names.slice(0, -1).map((name) => `× ${name}`), ...extras],
      rows.map((row) => [
        row.name,
        ...names.map((name) => row.nanoseconds[name].toFixed(1)),
        ...row.ratios.map(formatRatio),
        ...extras.map((extra) => row[extra] === undefined ? "" : formatRatio(row[extra])),
      ]),
    );
  }).join("\n\n");
}
