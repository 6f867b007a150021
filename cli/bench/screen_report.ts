/** Results of `bytejson bench` as text for a terminal. */

import { count, formatBytes } from "../../measure/byte_format.ts";
import { formatPercent, formatRatio, timeFormatter } from "../../measure/number_format.ts";
import { paint } from "../terminal/paint.ts";
import { printable, printableName } from "../terminal/printable.ts";
import { wrap } from "../terminal/lines.ts";
import type { BenchRecord, BenchResult, MeanRecord, MeasuredRow } from "./bench_result.ts";
import { NATIVE_NAME } from "./bench_contestants.ts";

/** Maximum number of columns of the fastest contestant's bar. */
const MAX_BAR = 21;

/** Minimum number of columns of that bar. If there are fewer, bars are left out. */
const MIN_BAR = 6;

/** Renders the figures of a document, for a terminal of `columns` columns. */
export function renderBench({ record, firstFailed, earlier }: BenchResult, columns: number): string {
  const { file, bytes, runtime, runs, warmup, rows } = record;
  const name = printableName(file);
  const head = [`${name}  ${formatBytes(bytes)}`, `${count(runs, "run")}, ${warmup} warm-up`, runtime];
  const title = head.join(head.join("   ").length <= columns ? "   " : "\n");
  const lines = [paint("strong", name, "stdout") + title.slice(name.length), "", ...renderTimes(rows, columns)];
  const measured = rows.filter((row) => row.failed === undefined);
  const comparison = compareWithNative(measured);
  if (comparison !== "") lines.push(...wrapStrong(comparison, columns));
  if (measured.length > 0) {
    const spreads = measured.map(({ name, medianMs, quartilesMs: [first, third] }) =>
      `${name} ±${formatPercent((third - first) / 2 / medianMs)}`
    );
    lines.push(...wrap(`spread of half of the runs: ${spreads.join(", ")}`, columns));
  }
  const hasMemory = measured.some(({ memory }) => memory);
  // The table of memory would give the same reason.
  if (firstFailed !== undefined && !hasMemory) lines.push(...wrap(`no first call: ${firstFailed}`, columns));
  if (hasMemory) lines.push("", ...renderMemories(measured, columns));
  if (earlier !== undefined) lines.push("", ...renderChanges(file, measured, earlier, columns));
  return lines.join("\n") + "\n\n";
}

export function renderMean({ documents, compared, rows }: MeanRecord, columns: number): string {
  const all = count(documents, "document");
  if (compared === 0) return wrap(`no mean: none of ${all} can be read by every row`, columns).join("\n") + "\n\n";
  const fastest = Math.max(...rows.map(({ mibPerSecond }) => mibPerSecond));
  const some = compared < documents ? `the ${compared} of ${all} that every row can read` : all;
  return [
    ...wrap(`geometric mean of ${some}`, columns),
    "",
    ...renderTable(
      "",
      [["MiB/s", 10], ["× native", 10]],
      rows.map(({ name, mibPerSecond, ratio }) => ({
        name,
        cells: [mibPerSecond.toFixed(1), ratio === undefined ? "–" : formatRatio(ratio)],
        share: mibPerSecond / fastest,
      })),
      columns,
    ),
  ].join("\n") + "\n\n";
}

/** Describes the speed of our rows in words, if native was measured, too. */
function compareWithNative(rows: readonly MeasuredRow[]): string {
  const ours = rows.filter(({ tie, ratio }) => tie !== undefined && ratio !== undefined);
  const first = ours.find(({ tie }) => !tie);
  return ours.map((row) => {
    const ratio = formatRatio(row.ratio!);
    if (row.tie) return `${row.name} and ${NATIVE_NAME} are a tie (${ratio})`;
    return row === first ? `${row.name} runs at ${ratio} ${NATIVE_NAME}` : `${row.name} at ${ratio}`;
  }).join(", ");
}

function renderTimes(rows: BenchRecord["rows"], columns: number): string[] {
  const measured = rows.filter((row) => row.failed === undefined);
  const fastest = Math.min(...measured.map(({ medianMs }) => medianMs));
  const formatTime = timeFormatter(fastest);
  const formatFirst = timeFormatter(Math.min(...measured.map(({ firstMs }) => firstMs ?? Infinity)));
  return renderTable(
    "",
    [["first call", 12], ["median", 10], ["p95", 10], ["MiB/s", 10]],
    rows.map((row) => {
      if (row.failed !== undefined) return row;
      const { name, firstMs, medianMs, p95Ms, mibPerSecond } = row;
      const first = firstMs === null ? "–" : formatFirst(firstMs);
      const cells = [first, formatTime(medianMs), formatTime(p95Ms), mibPerSecond.toFixed(1)];
      return { name, cells, share: fastest / medianMs };
    }),
    columns,
  );
}

function renderMemories(rows: readonly MeasuredRow[], columns: number): string[] {
  const lines = rows.flatMap(({ name, memory }): TableLine[] => {
    if (memory === undefined) return [];
    if ("failed" in memory) return [{ name, failed: memory.failed }];
    const sizes = [memory.fixed, memory.peak, memory.retained];
    return [{ name, cells: sizes.map((size) => size === null ? "–" : formatBytes(size, true)) }];
  });
  const table = renderTable("memory", [["fixed cost", 12], ["peak over input", 17], ["retained", 11]], lines, columns);
  return lines.some(({ cells }) => cells) ? [...table, ...wrap(FIXED_COST_NOTE, columns)] : table;
}

function wrapStrong(text: string, columns: number): string[] {
  return wrap(text, columns).map((line) => paint("strong", line, "stdout"));
}

const FIXED_COST_NOTE = "fixed cost: once per process, compiled code and an enlarged young generation";

function renderChanges(
  file: string,
  measured: readonly MeasuredRow[],
  { source, rows }: NonNullable<BenchResult["earlier"]>,
  columns: number,
): string[] {
  const label = `since ${printable(source)}`;
  if (rows.length === 0) return wrap(`${label}: no figures of ${printable(file)} there`, columns);
  const peakOf = ({ memory }: MeasuredRow): number | undefined =>
    memory !== undefined && "peak" in memory ? memory.peak : undefined;
  const hasMemory = rows.some(({ peak }) => peak !== undefined) && measured.some((row) => peakOf(row) !== undefined);
  const known = measured.flatMap((row) => row.before ? [{ ...row, before: row.before }] : []);
  const formatTime = timeFormatter(Math.min(...known.map(({ before }) => before.medianMs)));
  const lines = renderTable(
    label,
    [["before", 10], ["median", 10], ["change", 10], ...hasMemory ? PEAK_COLUMNS : []],
    known.map((row) => {
      const { name, medianMs, before } = row;
      const peaks = [before.peak, peakOf(row)];
      const shown = peaks.map((peak) => peaks.includes(undefined) ? "–" : formatBytes(peak!, true));
      const change = formatChange(medianMs / before.medianMs);
      return { name, cells: [formatTime(before.medianMs), formatTime(medianMs), change, ...hasMemory ? shown : []] };
    }),
    columns,
  );
  const native = known.find(({ name }) => name === NATIVE_NAME);
  if (native === undefined) return lines;
  const drift = native.medianMs / native.before.medianMs;
  if (Math.abs(Math.log(drift)) < MAX_DRIFT) return lines;
  const relative = known.filter(({ tie }) => tie !== undefined)
    .map(({ name, before, medianMs }) => `${name} by ${formatChange(medianMs / before.medianMs / drift)}`);
  const note = `${NATIVE_NAME} itself changed by ${formatChange(drift)}` +
    (relative.length > 0 ? `; relative to it, ${relative.join(", ")}` : "");
  return [...lines, ...wrapStrong(note, columns)];
}

const PEAK_COLUMNS = [["peak before", 13], ["peak", 11]] as const;

/** Change of native, as a natural logarithm, from which times of two runs are not comparable. */
const MAX_DRIFT = 0.1;

/** Formats a ratio of a time to an earlier one as a change, such as `-12.5 %`. */
function formatChange(ratio: number): string {
  return `${ratio < 1 ? "" : "+"}${formatPercent(ratio - 1)}`;
}

/** Line of a table: figures, or the reason why there are none. */
interface TableLine {
  name: string;
  failed?: string | undefined;
  cells?: readonly string[];
  /** Length of the bar, as a share of the longest one. */
  share?: number;
}

/**
 * Lays out lines under titles. On a terminal with too few columns, each figure has a line below
 * its name.
 *
 * @param titles Title and minimum width of each column.
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
    Math.max(width, ...lines.map(({ cells = [] }) => (cells[i]?.length ?? 0) + 2))
  );
  const width = widths.reduce((sum, width) => sum + width, nameWidth);
  const isList = width > columns;
  const titleWidth = isList ? Math.max(...titles.map(([title]) => title.length)) : 0;
  const figureWidth = Math.max(...lines.flatMap(({ cells = [] }) => cells.map(({ length }) => length + 2)));
  const align = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i])).join("");
  const barWidth = Math.min(MAX_BAR, columns - width - 2);
  const bar = (share: number): string => barWidth < MIN_BAR ? "" : `  ${renderBar(share * barWidth)}`;
  const rowsOf = ({ name, failed, cells = [], share }: TableLine): string[] => {
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

/** Wraps a text, and indents all lines but the first by the length of `before`. */
function indented(before: string, text: string, columns: number): string[] {
  return wrap(text, columns - before.length).map((line, i) => (i === 0 ? before : " ".repeat(before.length)) + line);
}

/** Renders a bar to an eighth of a column. */
function renderBar(columns: number): string {
  const eighths = Math.round(columns * 8);
  return "█".repeat(eighths >> 3) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths & 7];
}
