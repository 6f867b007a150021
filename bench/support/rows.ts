/** Figures of documents: ways to read each, their ratios, and means. Runs in any runtime. */

import { type Contestant, Rejection } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatPercent, formatRatio, formatTime } from "../../measure/number_format.ts";
import { geometricMean, spread } from "../../measure/statistics.ts";
import { showProgress } from "./bench.ts";
import type { BenchDocument } from "./documents.ts";
import { type Effort, Lane, laneOf, measureLanes } from "./bench_lanes.ts";
import type { Chart } from "./chart.ts";
import type { Table } from "./markdown_page.ts";

export function subjectOf({ group, name, parts }: Pick<BenchDocument, "name" | "parts"> & { group: string }): Subject {
  return { group, name, bytes: sizeOf(parts), parts: parts.length };
}

/** Subject of a row. */
interface Subject {
  group: string;
  name: string;
  bytes: number;
  /** Number of documents, or of operations, in one run. */
  parts: number;
}

export interface Row extends Subject {
  /** Median of each way, for reading every part of the document once. */
  milliseconds: Record<string, number>;
  /** Maximum spread of a way: half the interquartile range as a share of the median. */
  spread: number;
}

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

export async function measureSubject(subject: Subject, lanes: readonly Lane[], effort: Effort): Promise<Row> {
  await measureLanes(lanes, effort);
  return rowOf(subject, lanes);
}

/** Returns the figures of lanes that have been measured. */
export function rowOf(subject: Subject, lanes: readonly Lane[]): Row {
  return {
    ...subject,
    milliseconds: Object.fromEntries(lanes.map(({ name, milliseconds }) => [name, milliseconds])),
    spread: Math.max(...lanes.map(({ samples }) => spread(samples))),
  };
}

/** Measures named functions in turn. */
export function measureWays(subject: Subject, ways: Record<string, () => unknown>, effort: Effort): Promise<Row> {
  return measureSubject(subject, Object.entries(ways).map(([name, run]) => new Lane(name, run)), effort);
}

/** Measures contestants on a document in turn. */
export function measureRow(
  document: Parameters<typeof subjectOf>[0],
  contestants: readonly Contestant[],
  effort: Effort,
): Promise<Row> {
  const lanes = contestants.map((contestant) => laneOf(contestant, document.parts));
  return measureSubject(subjectOf(document), lanes, effort);
}

/** Measures contestants in turn on each document, after checking their results. */
export async function measureDocuments(
  documents: readonly BenchDocument[],
  contestants: readonly Contestant[],
  effort: Effort,
  check: (document: BenchDocument) => void = () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const document of documents) {
    showProgress(`${document.group}/${document.name}`);
    check(document);
    rows.push(await measureRow(document, contestants, effort));
  }
  return rows;
}

export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Returns the values of documents as text: `undefined` for one that a contestant rejects. */
export function textOf({ parse }: Contestant, parts: readonly Uint8Array[]): string {
  return JSON.stringify(parts.map(parse).map((value) => value instanceof Rejection ? undefined : value));
}

/** Throws if two contestants read different values from a document. */
export function compareValues(
  a: Contestant,
  b: Contestant,
  { name, parts }: Pick<BenchDocument, "name" | "parts">,
): void {
  if (textOf(a, parts) !== textOf(b, parts)) throw new Error(`${a.name} differs from ${b.name} on ${name}`);
}

/** Returns the speed of one way over that of another; `undefined` if one is not measured. */
export function ratioOf({ milliseconds }: Row, { ours, other }: Omit<Ratio, "title">): number | undefined {
  const ratio = milliseconds[other] / milliseconds[ours];
  return isNaN(ratio) ? undefined : ratio;
}

/** Returns the speed of a way in MB/s. */
export function speedOf({ bytes, milliseconds }: Row, name: string): number {
  return bytes / milliseconds[name] / 1e3;
}

/** Formats the time of a way for one part. */
export function formatTimeOf({ milliseconds, parts }: Row, name: string): string {
  return milliseconds[name] === undefined ? "" : formatTime(milliseconds[name] / parts);
}

/** Formats the speed of a way or, for documents not read to their end, its time for one part. */
export function formatSpeed(row: Row, name: string): string {
  if (row.milliseconds[name] === undefined) return "";
  if (row.group === "failure") return formatTimeOf(row, name);
  const speed = speedOf(row, name);
  return `${speed.toFixed(speed < 100 ? 1 : 0)} MB/s`;
}

/** Returns the groups of rows, in the order of their first rows. */
export function groupsOf<T extends { group: string }>(rows: readonly T[]): [group: string, rows: T[]][] {
  return [...Map.groupBy(rows, ({ group }) => group)];
}

export function waysOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ milliseconds }) => Object.keys(milliseconds)))];
}

export function meanOf(rows: readonly Row[], ratio: Omit<Ratio, "title">): number {
  return geometricMean(rows.flatMap((row) => ratioOf(row, ratio) ?? []));
}

export function summarize(rows: readonly Row[], ratio: Omit<Ratio, "title">): Summary[] {
  return groupsOf(rows).map(([group, members]) => {
    const ratios = members.map((row) => ({ name: row.name, ratio: ratioOf(row, ratio)! }));
    const worst = ratios.reduce((worst, other) => other.ratio < worst.ratio ? other : worst);
    return { group, documents: members.length, mean: meanOf(members, ratio), worst };
  });
}

/** Lays out each row with the speeds of its ways and their ratios, and means of the groups. */
export function rowsTable(title: string, rows: readonly Row[], ratios: readonly Ratio[], format = formatSpeed): Table {
  const names = waysOf(rows);
  const cell = (ratio: number | undefined): string => ratio === undefined || isNaN(ratio) ? "" : formatRatio(ratio);
  return {
    header: [title, "bytes", ...names, "±", ...ratios.map(({ title }) => title)],
    rows: [
      ...rows.map((row) => [
        `${row.group}/${row.name}`,
        formatDecimalBytes(Math.round(row.bytes / row.parts)),
        ...names.map((name) => format(row, name)),
        formatPercent(row.spread),
        ...ratios.map((ratio) => cell(ratioOf(row, ratio))),
      ]),
      ...(ratios.length === 0 ? [] : groupsOf(rows)).map(([group, members]) => [
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
  const sides: Chart["sides"] = ["slower than native", "faster than native"];
  return { name, title, sides, better: "above", bars: bars.toSorted((a, b) => b.ratio - a.ratio) };
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
