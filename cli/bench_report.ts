/** What `bench` found: a screen, or a record. */

import { median, percentile, type Timing } from "./measure.ts";
import type { MemoryOutcome } from "./memory.ts";
import { paint, printable } from "./output.ts";
import { count, formatBytes, mebibytesPerSecond, timeFormat } from "./units.ts";

/** All that was measured of a document. */
export interface BenchReport {
  file: string;
  bytes: number;
  warmup: number;
  timings: readonly Timing[];
  memories: readonly MemoryOutcome[];
}

/** Columns of the fastest row's bar. */
const BAR = 21;

const RUNTIME = `Deno ${Deno.version.deno} ${Deno.build.arch}-${Deno.build.os}`;

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
        ...memory && { memory: memory.memory ?? { failed: memory.failed } },
      };
    }),
    ratio: compare(timings)?.ratio,
  };
}

/** The report as a screen. */
export function renderBench({ file, bytes, warmup, timings, memories }: BenchReport): string {
  const head = [
    `${paint("strong", printable(file))}  ${formatBytes(bytes)}`,
    `${count(runsOf(timings), "run")}, ${warmup} warm-up`,
    RUNTIME,
  ];
  const lines = [head.join("   "), "", ...timeTable(timings, bytes)];
  const compared = compare(timings);
  if (compared) lines.push(paint("strong", compared.sentence));
  if (memories.length > 0) lines.push("", ...memoryTable(memories));
  return lines.join("\n") + "\n\n";
}

function runsOf(timings: readonly Timing[]): number {
  return Math.max(...timings.map((timing) => timing.samples.length));
}

/** How many times as fast as native ours is, where both ran. */
function compare(timings: readonly Timing[]): { ratio: number; sentence: string } | undefined {
  const [native, ours] = ["native", "parseBinary"].map((id) =>
    timings.find(({ row, failed }) => row.id === id && failed === undefined)
  );
  if (!native || !ours) return undefined;
  const ratio = median(native.samples) / median(ours.samples);
  return { ratio, sentence: `${ours.row.name} runs at ${ratio.toFixed(2)}× ${native.row.name}` };
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
