/** Operations of a few nanoseconds: each contestant loops by itself, so that no call stands between. */
import { consumed, type Contestant } from "./contestants.ts";
import { type Effort, Lane, measureAlternating } from "./lane.ts";
import { formatRatio, renderTable } from "./report.ts";
import { median, spread } from "./statistics.ts";

/** How often an operation does what it measures. */
export const LOOPS = 1000;

/** A name, and what does it {@linkcode LOOPS} times. The last of a row is ours. */
export type Operation = [name: string, run: () => void];

/** One thing done in several ways; nanoseconds for doing it once. */
export interface OperationRow {
  name: string;
  nanoseconds: Record<string, number>;
  /** Half the interquartile range of our samples as a share of their median. */
  spread: number;
  /** Of each other way's time to ours. */
  ratios: number[];
  /** The ratio to reach. */
  reach?: number;
}

let loops = 0;

/**
 * A function that runs statements {@linkcode LOOPS} times, for `i` from 0 up. Each is compiled on its own, and from a text of its
 * own, for engines share what they learn between functions of one text: so no loop pays for what another was run with.
 *
 * @param statements What to measure; they leave results in `consumed.value`.
 * @param scope The names they use, and what they stand for.
 */
export function loop(statements: string, scope: Record<string, unknown>): () => void {
  const body = `/* ${loops++} */ return () => { for (let i = 0; i < ${LOOPS}; i++) { ${statements} } };`;
  return new Function("consumed", ...Object.keys(scope), body)(consumed, ...Object.values(scope));
}

const NO_BYTES = [new Uint8Array(0)];

export function measureOperations(
  name: string,
  operations: Operation[],
  effort: Effort,
  reach: number | undefined,
): OperationRow {
  const lanes = operations.map(([name, parse]) => new Lane({ name, parse } satisfies Contestant, NO_BYTES));
  measureAlternating(lanes, effort);
  const times = lanes.map(({ samples }) => median(samples) * 1e6 / LOOPS);
  const ours = times.at(-1)!;
  return {
    name,
    nanoseconds: Object.fromEntries(operations.map(([name], i) => [name, times[i]])),
    spread: spread(lanes.at(-1)!.samples),
    ratios: times.slice(0, -1).map((time) => time / ours),
    ...(reach && { reach }),
  };
}

/** Rows of the same ways share a table. */
export function renderOperations(rows: OperationRow[]): string {
  const tables = Map.groupBy(rows, ({ nanoseconds }) => Object.keys(nanoseconds).join());
  return [...tables.values()].map((rows) => {
    const names = Object.keys(rows[0].nanoseconds);
    const goals = rows.some(({ reach }) => reach !== undefined);
    return renderTable(
      ["ns", ...names, ...names.slice(0, -1).map((name) => `× ${name}`), ...(goals ? ["reach"] : [])],
      rows.map(({ name, nanoseconds, ratios, reach }) => [
        name,
        ...names.map((name) => nanoseconds[name].toFixed(1)),
        ...ratios.map(formatRatio),
        ...(goals ? [reach === undefined ? "" : formatRatio(reach)] : []),
      ]),
    );
  }).join("\n\n");
}
