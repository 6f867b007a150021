/** Results of `bytejson bench` as text for a terminal. */

import { count, formatBytes, mebibytesPerSecond } from "../../measure/byte_format.ts";
import { formatPercent, formatRatio, timeFormatter } from "../../measure/number_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { median, percentile, spread } from "../../measure/statistics.ts";
import { paint } from "../terminal/paint.ts";
import { printable, printableName } from "../terminal/printable.ts";
import { wrap } from "../terminal/streams.ts";
import { type BenchMean, type BenchResult, isTie, ratioToNative, runsOf } from "./bench_result.ts";
import { NATIVE } from "./contestants.ts";
import type { FirstCall, MemoryResult } from "./process_runner.ts";
import type { Timing } from "./timing.ts";

/** Most columns of the fastest contestant's bar. */
const MAX_BAR = 21;

/** Fewest columns of that bar: shorter ones say nothing, and are left out. */
const MIN_BAR = 6;

/** Renders the figures of a document, for a terminal of some columns. */
export function renderBench(result: BenchResult, columns: number): string {
  const { file, bytes, warmup, timings, firstCalls, memories, earlier } = result;
  const name = printableName(file);
  const head = [
    `${name}  ${formatBytes(bytes)}`,
    `${count(runsOf(timings), "run")}, ${warmup} warm-up`,
    runtimeName(),
  ];
  const title = head.join(head.join("   ").length <= columns ? "   " : "\n");
  const lines = [
    paint("strong", name, "stdout") + title.slice(name.length),
    "",
    ...renderTimes(timings, firstCalls, bytes, columns),
  ];
  const comparison = compareWithNative(timings);
  if (comparison !== undefined) lines.push(...wrapStrong(comparison, columns));
  const measured = timings.filter(({ failed }) => failed === undefined);
  if (measured.length > 0) {
    const spreads = measured.map((timing) => `${timing.contestant.name} ±${formatPercent(spread(timing.samples))}`);
    lines.push(...wrap(`spread of half of the runs: ${spreads.join(", ")}`, columns));
  }
  const failed = firstCalls.find(({ failed }) => failed !== undefined)?.failed;
  // The table of memory would give the same reason.
  if (failed !== undefined && memories.length === 0) lines.push(...wrap(`no first call: ${failed}`, columns));
  if (memories.length > 0) lines.push("", ...renderMemories(memories, columns));
  if (earlier !== undefined) lines.push("", ...renderChanges(result, earlier, columns));
  return lines.join("\n") + "\n\n";
}

/** Renders the means of several documents, for a terminal of some columns. */
export function renderMean({ documents, compared, means }: BenchMean, columns: number): string {
  const all = count(documents, "document");
  if (compared === 0) return wrap(`no mean: none of ${all} can be read by every row`, columns).join("\n") + "\n\n";
  const fastest = Math.max(...means.map(({ mibPerSecond }) => mibPerSecond));
  return [
    ...wrap(
      `geometric mean of ${compared < documents ? `the ${compared} of ${all} that every row can read` : all}`,
      columns,
    ),
    "",
    ...renderTable(
      "",
      [["MiB/s", 10], ["× native", 10]],
      means.map(({ contestant, mibPerSecond, ratio }) => ({
        name: contestant.name,
        failed: undefined,
        cells: [mibPerSecond.toFixed(1), ratio === undefined ? "–" : formatRatio(ratio)],
        share: mibPerSecond / fastest,
      })),
      columns,
    ),
  ].join("\n") + "\n\n";
}

/** Puts the speed of our contestants in words, where native was measured too. */
function compareWithNative(timings: readonly Timing[]): string | undefined {
  const ratios = timings.filter(({ contestant }) => contestant.isOurs)
    .flatMap(({ contestant }) => {
      const ratio = ratioToNative(contestant, timings);
      if (ratio === undefined) return [];
      return [{ name: contestant.name, ratio: formatRatio(ratio), isTie: isTie(contestant, timings) }];
    });
  if (ratios.length === 0) return undefined;
  const native = timings.find(({ contestant }) => contestant.id === NATIVE)!.contestant.name;
  const first = ratios.find(({ isTie }) => !isTie);
  return ratios.map((own) => {
    if (own.isTie) return `${own.name} and ${native} are a tie (${own.ratio})`;
    return own === first ? `${own.name} runs at ${own.ratio} ${native}` : `${own.name} at ${own.ratio}`;
  }).join(", ");
}

function renderTimes(
  timings: readonly Timing[],
  firstCalls: readonly FirstCall[],
  bytes: number,
  columns: number,
): string[] {
  const medians = timings.map(({ samples }) => median(samples));
  const fastest = Math.min(...medians.filter((_, i) => timings[i].failed === undefined));
  const formatTime = timeFormatter(fastest);
  const firsts = timings.map(({ contestant }) =>
    firstCalls.find((call) => call.contestant === contestant)?.milliseconds ?? Infinity
  );
  const formatFirst = timeFormatter(Math.min(...firsts));
  return renderTable(
    "",
    [["first call", 12], ["median", 10], ["p95", 10], ["MiB/s", 10]],
    timings.map(({ contestant, samples, failed }, i) => ({
      name: contestant.name,
      failed,
      cells: failed === undefined
        ? [
          firsts[i] < Infinity ? formatFirst(firsts[i]) : "–",
          formatTime(medians[i]),
          formatTime(percentile(samples, 0.95)),
          mebibytesPerSecond(bytes, medians[i]).toFixed(1),
        ]
        : [],
      share: fastest / medians[i],
    })),
    columns,
  );
}

function renderMemories(memories: readonly MemoryResult[], columns: number): string[] {
  const lines = renderTable(
    "memory",
    [["fixed cost", 12], ["peak over input", 17], ["retained", 11]],
    memories.map(({ contestant, memory, failed }) => ({
      name: contestant.name,
      failed,
      cells: memory
        ? [memory.fixed, memory.peak, memory.retained].map((size) => size === null ? "–" : formatBytes(size, true))
        : [],
    })),
    columns,
  );
  return memories.some(({ memory }) => memory) ? [...lines, ...wrap(FIXED_COST_NOTE, columns)] : lines;
}

/** Breaks an important text into lines. */
function wrapStrong(text: string, columns: number): string[] {
  return wrap(text, columns).map((line) => paint("strong", line, "stdout"));
}

const FIXED_COST_NOTE = "fixed cost: once per process, compiled code and a grown young generation";

/** Renders the changes since earlier results. */
function renderChanges(
  { file, timings, memories }: BenchResult,
  { source, rows }: EarlierRows,
  columns: number,
): string[] {
  const label = `since ${printable(source)}`;
  if (rows.length === 0) return wrap(`${label}: no figures of ${printable(file)} there`, columns);
  const hasMemory = rows.some(({ peak }) => peak !== undefined) && memories.some(({ memory }) => memory);
  const known = timings.filter(({ failed }) => failed === undefined).flatMap((timing) => {
    const before = rows.find(({ name }) => name === timing.contestant.name);
    return before ? [{ contestant: timing.contestant, before, medianMs: median(timing.samples) }] : [];
  });
  const formatTime = timeFormatter(Math.min(...known.map(({ before }) => before.medianMs)));
  const lines = renderTable(
    label,
    [["before", 10], ["median", 10], ["change", 10], ...hasMemory ? PEAK_COLUMNS : []],
    known.map(({ contestant, before, medianMs }) => {
      const peak = memories.find((result) => result.contestant === contestant)?.memory?.peak;
      const peaks = peak === undefined || before.peak === undefined
        ? ["–", "–"]
        : [formatBytes(before.peak, true), formatBytes(peak, true)];
      return {
        name: contestant.name,
        failed: undefined,
        cells: [
          formatTime(before.medianMs),
          formatTime(medianMs),
          formatChange(medianMs / before.medianMs),
          ...hasMemory ? peaks : [],
        ],
      };
    }),
    columns,
  );
  const native = known.find(({ contestant }) => contestant.id === NATIVE);
  if (native === undefined) return lines;
  const drift = native.medianMs / native.before.medianMs;
  if (Math.abs(Math.log(drift)) < MAX_DRIFT) return lines;
  const relative = known.filter(({ contestant }) => contestant.isOurs)
    .map(({ contestant, before, medianMs }) =>
      `${contestant.name} by ${formatChange(medianMs / before.medianMs / drift)}`
    );
  const note = `${native.contestant.name} itself changed by ${formatChange(drift)}` +
    (relative.length > 0 ? `; relative to it, ${relative.join(", ")}` : "");
  return [...lines, ...wrapStrong(note, columns)];
}

type EarlierRows = NonNullable<BenchResult["earlier"]>;

const PEAK_COLUMNS = [["peak before", 13], ["peak", 11]] as const;

/** Change of native, as a natural logarithm, from which on times of two runs cannot be compared. */
const MAX_DRIFT = 0.1;

/** Formats a ratio of a time to an earlier one as a change, such as `-12.5 %`. */
function formatChange(ratio: number): string {
  return `${ratio < 1 ? "" : "+"}${formatPercent(ratio - 1)}`;
}

/** Line of a table: figures, or the reason why there are none. */
interface TableLine {
  name: string;
  failed: string | undefined;
  cells: readonly string[];
  /** Length of the bar, as a share of the longest one. */
  share?: number;
}

/**
 * Lays out lines under titles. On a terminal with too few columns, each figure has a line below its
 * name.
 *
 * @param titles Title and least width of each column.
 * @param columns Columns of the terminal.
 */
function renderTable(
  label: string,
  titles: readonly (readonly [title: string, width: number])[],
  lines: readonly TableLine[],
  columns: number,
): string[] {
  const nameWidth = Math.max(label.length, ...lines.map(({ name }) => name.length));
  const widths = titles.map(([, width], i) =>
    Math.max(width, ...lines.map(({ cells }) => (cells[i]?.length ?? 0) + 2))
  );
  const width = widths.reduce((sum, width) => sum + width, nameWidth);
  const isList = width > columns;
  const titleWidth = isList ? Math.max(...titles.map(([title]) => title.length)) : 0;
  const figureWidth = Math.max(...lines.flatMap(({ cells }) => cells.map(({ length }) => length + 2)));
  const align = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i])).join("");
  const barWidth = Math.min(MAX_BAR, columns - width - 2);
  const bar = (share: number): string => barWidth < MIN_BAR ? "" : `  ${renderBar(share * barWidth)}`;
  const rowsOf = ({ name, failed, cells, share }: TableLine): string[] => {
    if (failed !== undefined) {
      const reason = `failed: ${failed}`;
      return isList
        ? [name, ...indented("  ", reason, columns)]
        : indented(`${name.padEnd(nameWidth)}   `, reason, columns);
    }
    if (!isList) return [name.padEnd(nameWidth) + align(cells) + (share === undefined ? "" : bar(share))];
    return [name, ...cells.map((cell, i) => `  ${titles[i][0].padEnd(titleWidth)}${cell.padStart(figureWidth)}`)];
  };
  const head = isList ? label : label.padEnd(nameWidth) + align(titles.map(([title]) => title));
  return [...head === "" ? [] : [head], ...lines.flatMap(rowsOf)];
}

/** Breaks a text into lines, and indents all but the first by the length of what is before it. */
function indented(before: string, text: string, columns: number): string[] {
  return wrap(text, columns - before.length).map((line, i) => (i === 0 ? before : " ".repeat(before.length)) + line);
}

/** Renders a bar to an eighth of a column. */
function renderBar(columns: number): string {
  const eighths = Math.round(columns * 8);
  return "█".repeat(eighths >> 3) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths & 7];
}
