/**
 * Figures of documents: several contestants on each, their ratios, and means of groups. Runs in any
 * runtime.
 *
 * @module
 */

import { type Contestant, Rejection } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatPercent, formatRatio, formatTime } from "../../measure/number_format.ts";
import { geometricMean, spread } from "../../measure/statistics.ts";
import { difference } from "./difference.ts";
import type { BenchDocument } from "./documents.ts";
import { type Effort, laneOf, measureLanes } from "./lane.ts";
import type { Chart } from "./chart.ts";
import type { Table } from "./page.ts";

/** Figures of one document. */
export interface Row {
  group: string;
  name: string;
  bytes: number;
  parts: number;
  /** Median of each contestant, for every part of the document once. */
  milliseconds: Record<string, number>;
  /** Largest spread of a contestant: half the interquartile range as a share of the median. */
  spread: number;
}

/** Speed of one contestant over that of another. */
export interface Ratio {
  title: string;
  ours: string;
  other: string;
}

/** Ratios of a group of documents. */
export interface Summary {
  group: string;
  documents: number;
  mean: number;
  worst: { name: string; ratio: number };
}

/** Measures contestants on a document in turn. */
export async function measureRow(
  { group, name, parts }: BenchDocument,
  contestants: readonly Contestant[],
  effort: Effort,
): Promise<Row> {
  const lanes = contestants.map((contestant) => laneOf(contestant, parts));
  await measureLanes(lanes, effort);
  return {
    group,
    name,
    bytes: sizeOf(parts),
    parts: parts.length,
    milliseconds: Object.fromEntries(lanes.map(({ name, milliseconds }) => [name, milliseconds])),
    spread: Math.max(...lanes.map(({ samples }) => spread(samples))),
  };
}

/** Returns the bytes of all parts. */
export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Finds a part of which a contestant makes another value than a reference, and says how. */
export function findDifference(
  contestant: Contestant,
  reference: Contestant,
  document: BenchDocument,
): string | undefined {
  for (const part of document.parts) {
    const [actual, expected] = [contestant.parse(part), reference.parse(part)];
    if (actual instanceof Rejection && expected instanceof Rejection) continue;
    const problem = difference(actual, expected);
    if (problem !== undefined) {
      return `${contestant.name} differs from ${reference.name} on ${document.group}/${document.name}: ${problem}`;
    }
  }
  return undefined;
}

/** Returns the speed of one contestant over that of another; `undefined` if one is not measured. */
export function ratioOf({ milliseconds }: Row, { ours, other }: Omit<Ratio, "title">): number | undefined {
  const ratio = milliseconds[other] / milliseconds[ours];
  return isNaN(ratio) ? undefined : ratio;
}

/** Returns the speed of a contestant in MB/s. */
export function speedOf({ bytes, milliseconds }: Row, name: string): number {
  return bytes / milliseconds[name] / 1e3;
}

/**
 * Formats the speed of a contestant or, for documents that are not read to their end, its time per
 * part.
 */
export function formatSpeed(row: Row, name: string): string {
  if (row.milliseconds[name] === undefined) return "";
  if (row.group === "failure") return formatTime(row.milliseconds[name] / row.parts);
  const speed = speedOf(row, name);
  return `${speed.toFixed(speed < 100 ? 1 : 0)} MB/s`;
}

/** Returns the groups of rows, in the order of their first rows. */
export function groupsOf<T extends { group: string }>(rows: readonly T[]): [group: string, rows: T[]][] {
  return [...Map.groupBy(rows, ({ group }) => group)];
}

/** Returns the mean of a ratio over rows. */
export function meanOf(rows: readonly Row[], ratio: Omit<Ratio, "title">): number {
  return geometricMean(rows.flatMap((row) => ratioOf(row, ratio) ?? []));
}

/** Summarizes a ratio of each group. */
export function summarize(rows: readonly Row[], ratio: Omit<Ratio, "title">): Summary[] {
  return groupsOf(rows).map(([group, members]) => {
    const ratios = members.map((row) => ({ name: row.name, ratio: ratioOf(row, ratio)! }));
    const worst = ratios.reduce((worst, other) => other.ratio < worst.ratio ? other : worst);
    return { group, documents: members.length, mean: meanOf(members, ratio), worst };
  });
}

/** Lays out each row with the speeds of contestants and their ratios, and means of the groups. */
export function rowsTable(title: string, rows: readonly Row[], ratios: readonly Ratio[]): Table {
  const names = [...new Set(rows.flatMap(({ milliseconds }) => Object.keys(milliseconds)))];
  const cell = (ratio: number | undefined): string => ratio === undefined || isNaN(ratio) ? "" : formatRatio(ratio);
  return {
    header: [title, "bytes", ...names, "±", ...ratios.map(({ title }) => title)],
    rows: [
      ...rows.map((row) => [
        `${row.group}/${row.name}`,
        formatDecimalBytes(Math.round(row.bytes / row.parts)),
        ...names.map((name) => formatSpeed(row, name)),
        formatPercent(row.spread),
        ...ratios.map((ratio) => cell(ratioOf(row, ratio))),
      ]),
      ...groupsOf(rows).map(([group, members]) => [
        `geometric mean of ${group}`,
        "",
        ...names.map(() => ""),
        "",
        ...ratios.map((ratio) => cell(meanOf(members, ratio))),
      ]),
    ],
  };
}

/** Draws ratios of speeds, the best first. */
export function speedChart(name: string, title: string, bars: Chart["bars"]): Chart {
  return {
    name,
    title,
    sides: ["slower than native", "faster than native"],
    better: "above",
    bars: bars.toSorted((a, b) => b.ratio - a.ratio),
  };
}

/** Returns the element with a name. Throws if there is none. */
export function named<T extends { name: string }>(rows: readonly T[], name: string): T {
  const row = rows.find((row) => row.name === name);
  if (row === undefined) throw new Error(`Cannot find '${name}' among the results`);
  return row;
}

/** Formats the lowest and the highest of ratios, such as `0.15 to 0.56×`. */
export function formatRange(ratios: readonly number[]): string {
  return `${Math.min(...ratios).toFixed(2)} to ${formatRatio(Math.max(...ratios))}`;
}
