/**
 * Results of `bytejson bench` as text for a terminal.
 *
 * @module
 */

import { count, formatBytes, mebibytesPerSecond } from "../../measure/byte_format.ts";
import { formatRatio, timeFormatter } from "../../measure/number_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { median, percentile } from "../../measure/statistics.ts";
import { paint } from "../terminal/colour.ts";
import { printableName } from "../terminal/printable.ts";
import { type BenchMean, type BenchResult, ratioToNative, runsOf } from "./bench_result.ts";
import { NATIVE } from "./contestants.ts";
import type { MemoryResult } from "./memory_runner.ts";
import type { Timing } from "./timing.ts";

/** Columns of the fastest contestant's bar. */
const BAR_COLUMNS = 21;

/** Renders the figures of a document. */
export function renderBench({ file, bytes, warmup, timings, memories }: BenchResult): string {
  const head = [
    `${paint("strong", printableName(file))}  ${formatBytes(bytes)}`,
    `${count(runsOf(timings), "run")}, ${warmup} warm-up`,
    runtimeName(),
  ];
  const lines = [head.join("   "), "", ...renderTimes(timings, bytes)];
  const comparison = compareWithNative(timings);
  if (comparison !== undefined) lines.push(paint("strong", comparison));
  if (memories.length > 0) lines.push("", ...renderMemories(memories));
  return lines.join("\n") + "\n\n";
}

/** Renders the means of several documents. */
export function renderMean({ documents, compared, means }: BenchMean): string {
  const all = count(documents, "document");
  if (compared === 0) return `no mean: none of ${all} can be read by every row\n\n`;
  const fastest = Math.max(...means.map(({ mibPerSecond }) => mibPerSecond));
  return [
    `geometric mean of ${compared < documents ? `the ${compared} of ${all} that every row can read` : all}`,
    "",
    ...renderTable(
      "",
      [["MiB/s", 10], ["× native", 10]],
      means.map(({ contestant, mibPerSecond, ratio }) => ({
        name: contestant.name,
        failed: undefined,
        cells: [mibPerSecond.toFixed(1), ratio === undefined ? "–" : formatRatio(ratio)],
        bar: renderBar(mibPerSecond / fastest),
      })),
    ),
  ].join("\n") + "\n\n";
}

/** Puts the speed of our contestants in words, where native was measured too. */
function compareWithNative(timings: readonly Timing[]): string | undefined {
  const ratios = timings.filter(({ contestant }) => contestant.isOurs)
    .flatMap(({ contestant }) => {
      const ratio = ratioToNative(contestant, timings);
      return ratio === undefined ? [] : [{ name: contestant.name, ratio: formatRatio(ratio) }];
    });
  if (ratios.length === 0) return undefined;
  const native = timings.find(({ contestant }) => contestant.id === NATIVE)!.contestant.name;
  return ratios.map(({ name, ratio }, i) => i === 0 ? `${name} runs at ${ratio} ${native}` : `${name} at ${ratio}`)
    .join(", ");
}

function renderTimes(timings: readonly Timing[], bytes: number): string[] {
  const medians = timings.map(({ samples }) => median(samples));
  const fastest = Math.min(...medians.filter((_, i) => timings[i].failed === undefined));
  const formatTime = timeFormatter(fastest);
  return renderTable(
    "",
    [["median", 10], ["p95", 10], ["MiB/s", 10]],
    timings.map(({ contestant, samples, failed }, i) => ({
      name: contestant.name,
      failed,
      cells: failed === undefined
        ? [
          formatTime(medians[i]),
          formatTime(percentile(samples, 0.95)),
          mebibytesPerSecond(bytes, medians[i]).toFixed(1),
        ]
        : [],
      bar: renderBar(fastest / medians[i]),
    })),
  );
}

function renderMemories(memories: readonly MemoryResult[]): string[] {
  return renderTable(
    "memory",
    [["peak over input", 17], ["retained", 11]],
    memories.map(({ contestant, memory, failed }) => ({
      name: contestant.name,
      failed,
      cells: memory ? [memory.peak, memory.retained].map((size) => size === null ? "–" : formatBytes(size, true)) : [],
    })),
  );
}

/** Line of a table: figures, or the reason why there are none. */
interface TableLine {
  name: string;
  failed: string | undefined;
  cells: readonly string[];
  bar?: string;
}

/**
 * Lays out lines under titles.
 *
 * @param columns Title and least width of each column.
 */
function renderTable(
  label: string,
  columns: readonly (readonly [title: string, width: number])[],
  lines: readonly TableLine[],
): string[] {
  const nameWidth = Math.max(label.length, ...lines.map(({ name }) => name.length));
  const widths = columns.map(([, width], i) =>
    Math.max(width, ...lines.map(({ cells }) => (cells[i]?.length ?? 0) + 2))
  );
  const align = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i])).join("");
  return [
    label.padEnd(nameWidth) + align(columns.map(([title]) => title)),
    ...lines.map(({ name, failed, cells, bar }) =>
      name.padEnd(nameWidth) + (failed === undefined ? align(cells) + (bar ? `  ${bar}` : "") : `   failed: ${failed}`)
    ),
  ];
}

/** Renders a share of {@linkcode BAR_COLUMNS} as a bar, to an eighth of a column. */
function renderBar(share: number): string {
  const eighths = Math.round(share * BAR_COLUMNS * 8);
  return "█".repeat(eighths >> 3) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths & 7];
}
