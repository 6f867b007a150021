/** What `bench` found: a screen, or a record. */

import { geometricMean, median, percentile, type Timing } from "./measure.ts";
import type { MemoryOutcome } from "./memory.ts";
import { NATIVE, type Row } from "./rows.ts";
import { paint } from "./terminal/colour.ts";
import { printableName } from "./terminal/printable.ts";
import { count, formatBytes, mebibytesPerSecond, timeFormat } from "./units.ts";

/** All that was measured of a document. */
export interface BenchReport {
  file: string;
  bytes: number;
  warmup: number;
  timings: readonly Timing[];
  memories: readonly MemoryOutcome[];
}

/** What several documents come to. */
export interface BenchMean {
  /** How many were measured, and how many of them every row can take: those the means are of. */
  documents: number;
  compared: number;
  rows: readonly { row: Row; mibPerSecond: number; ratio: number | undefined }[];
}

/** Columns of the fastest row's bar. */
const BAR = 21;

/** What ran. */
export const RUNTIME = `Deno ${Deno.version.deno} ${Deno.build.arch}-${Deno.build.os}`;

/** The report's figures as an object for `--json`. */
export function benchRecord({ file, bytes, warmup, timings, memories }: BenchReport): Record<string, unknown> {
  return {
    type: "bench",
    file,
    bytes,
    runtime: RUNTIME,
    runs: runsOf(timings),
    warmup,
    rows: timings.map(({ row, failed, samples, batch }) => {
      if (failed !== undefined) return { name: row.name, failed };
      const medianMs = median(samples);
      const memory = memories.find((outcome) => outcome.row === row);
      return {
        name: row.name,
        batch,
        medianMs,
        p95Ms: percentile(samples, 0.95),
        mibPerSecond: mebibytesPerSecond(bytes, medianMs),
        ratio: ratioOf(row, timings),
        ...memory && { memory: memory.memory ?? { failed: memory.failed } },
      };
    }),
  };
}

/** The means of documents that every row can take. */
export function meanOf(reports: readonly BenchReport[]): BenchMean {
  const complete = reports.filter(({ timings }) => timings.every(({ failed }) => failed === undefined));
  const rows = reports[0].timings.map(({ row }, i) => {
    const ratios = complete.map(({ timings }) => ratioOf(row, timings)).filter((ratio) => ratio !== undefined);
    return {
      row,
      mibPerSecond: geometricMean(
        complete.map(({ bytes, timings }) => mebibytesPerSecond(bytes, median(timings[i].samples))),
      ),
      ratio: ratios.length > 0 ? geometricMean(ratios) : undefined,
    };
  });
  return { documents: reports.length, compared: complete.length, rows: complete.length > 0 ? rows : [] };
}

/** The means as an object for `--json`. */
export function meanRecord({ documents, compared, rows }: BenchMean): Record<string, unknown> {
  return {
    type: "mean",
    documents,
    compared,
    rows: rows.map(({ row, mibPerSecond, ratio }) => ({ name: row.name, mibPerSecond, ratio })),
  };
}

/** The means as a screen. */
export function renderMean({ documents, compared, rows }: BenchMean): string {
  const all = count(documents, "document");
  if (compared === 0) return `no mean: none of ${all} can be read by every row\n\n`;
  const fastest = Math.max(...rows.map(({ mibPerSecond }) => mibPerSecond));
  return [
    `geometric mean of ${compared < documents ? `the ${compared} of ${all} that every row can read` : all}`,
    "",
    ...table(
      "",
      [["MiB/s", 10], ["× native", 10]],
      rows.map(({ row, mibPerSecond, ratio }) => ({
        name: row.name,
        failed: undefined,
        cells: [mibPerSecond.toFixed(1), ratio === undefined ? "–" : `${ratio.toFixed(2)}×`],
        bar: bar(mibPerSecond / fastest),
      })),
    ),
  ].join("\n") + "\n\n";
}

/** The report as a screen. */
export function renderBench({ file, bytes, warmup, timings, memories }: BenchReport): string {
  const head = [
    `${paint("strong", printableName(file))}  ${formatBytes(bytes)}`,
    `${count(runsOf(timings), "run")}, ${warmup} warm-up`,
    RUNTIME,
  ];
  const lines = [head.join("   "), "", ...timeTable(timings, bytes)];
  const comparison = compare(timings);
  if (comparison !== undefined) lines.push(paint("strong", comparison));
  if (memories.length > 0) lines.push("", ...memoryTable(memories));
  return lines.join("\n") + "\n\n";
}

function runsOf(timings: readonly Timing[]): number {
  return Math.max(...timings.map((timing) => timing.samples.length));
}

/** How many times as fast as native a row is, where both ran. */
export function ratioOf(row: Row, timings: readonly Timing[]): number | undefined {
  const [native, own] = [NATIVE, row.id].map((id) =>
    timings.find(({ row, failed }) => row.id === id && failed === undefined)
  );
  return native && own && median(native.samples) / median(own.samples);
}

/** Says how fast our rows are, where native ran too. */
function compare(timings: readonly Timing[]): string | undefined {
  const ratios = timings.filter(({ row }) => row.isOurs)
    .flatMap(({ row }) => {
      const ratio = ratioOf(row, timings);
      return ratio === undefined ? [] : [{ name: row.name, ratio }];
    });
  if (ratios.length === 0) return undefined;
  const native = timings.find(({ row }) => row.id === NATIVE)!.row.name;
  const [first, ...others] = ratios.map(({ name, ratio }, i) =>
    i === 0 ? `${name} runs at ${ratio.toFixed(2)}× ${native}` : `${name} at ${ratio.toFixed(2)}×`
  );
  return [first, ...others].join(", ");
}

function timeTable(timings: readonly Timing[], bytes: number): string[] {
  const medians = timings.map(({ samples }) => median(samples));
  const ran = medians.filter((_, i) => timings[i].failed === undefined);
  const fastest = Math.min(...ran);
  const time = timeFormat(fastest);
  return table(
    "",
    [["median", 10], ["p95", 10], ["MiB/s", 10]],
    timings.map(({ row, samples, failed }, i) => ({
      name: row.name,
      failed,
      cells: failed === undefined
        ? [time(medians[i]), time(percentile(samples, 0.95)), mebibytesPerSecond(bytes, medians[i]).toFixed(1)]
        : [],
      bar: bar(fastest / medians[i]),
    })),
  );
}

function memoryTable(memories: readonly MemoryOutcome[]): string[] {
  return table(
    "memory",
    [["peak over input", 17], ["retained", 11]],
    memories.map(({ row, memory, failed }) => ({
      name: row.name,
      failed,
      cells: memory ? [memory.peak, memory.retained].map((size) => size === null ? "–" : formatBytes(size, true)) : [],
    })),
  );
}

/** A line of a table: figures, or why there are none. */
interface TableRow {
  name: string;
  failed: string | undefined;
  cells: readonly string[];
  bar?: string;
}

/** Lays out rows under titles; each column is at least so wide. */
function table(
  label: string,
  columns: readonly (readonly [title: string, width: number])[],
  rows: readonly TableRow[],
): string[] {
  const nameWidth = Math.max(label.length, ...rows.map(({ name }) => name.length));
  const widths = columns.map(([, width], i) =>
    Math.max(width, ...rows.map(({ cells }) => (cells[i]?.length ?? 0) + 2))
  );
  const align = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i])).join("");
  return [
    label.padEnd(nameWidth) + align(columns.map(([title]) => title)),
    ...rows.map(({ name, failed, cells, bar }) =>
      name.padEnd(nameWidth) + (failed === undefined ? align(cells) + (bar ? `  ${bar}` : "") : `   failed: ${failed}`)
    ),
  ];
}

/** A bar of a share of {@linkcode BAR} columns, to an eighth of a column. */
function bar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  return "█".repeat(eighths >> 3) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths & 7];
}
