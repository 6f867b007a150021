/** Results of `bytejson bench` as a chart, in an SVG file. */

import { formatBytes } from "../../measure/byte_format.ts";
import { formatRatio } from "../../measure/number_format.ts";
import { SvgChart } from "../../measure/svg.ts";
import { printable } from "../terminal/printable.ts";
import { type BenchRecord, type BenchResult, meanOf, type MeanRecord, type MeasuredRow } from "./bench_result.ts";
import { contestants } from "./bench_contestants.ts";

/** Bar with its figure, or the reason why there is none. */
interface Bar {
  length: number;
  text: string;
  failed?: boolean;
}

interface Panel {
  title: string;
  rows: readonly (MeanRecord["rows"][number] | BenchRecord["rows"][number])[];
}

// Lengths are in SVG user units: pixels at the chart's own size.
const MARGIN = 24;
const LABELS = 160;
const BARS = 220;
const FIGURES = 140;
const ROW = 22;
const HEADER = 56;
const TITLE = 24;
const PANEL_GAP = 8;
const FOOTER = 32;
/** Space between a bar and its figure. */
const GAP = 8;
/** Number of characters of a reason that fit in place of a bar. */
const REASON = 48;

/** Left ends of the bars of speed and of memory. */
const SPEED = MARGIN + LABELS;
const MEMORY = SPEED + BARS + FIGURES;

/** Draws a panel for each result and, if there are several, one for their means. */
export function renderChart(results: readonly BenchResult[]): string {
  const panels: Panel[] = results.map(({ record: { file, bytes, rows } }) => ({
    title: `${printable(file)}, ${formatBytes(bytes)}`,
    rows,
  }));
  if (results.length > 1) {
    const { documents, compared, rows } = meanOf(results);
    const some = compared < documents ? `${compared} of ${documents}` : `${documents}`;
    if (compared > 0) panels.unshift({ title: `geometric mean of ${some} documents`, rows });
  }
  const hasMemory = panels.some(({ rows }) => rows.some((row) => "memory" in row));
  const width = (hasMemory ? MEMORY : SPEED) + BARS + FIGURES;
  const chart = new SvgChart();
  chart.text(SPEED, MARGIN, "speed in MiB/s, longer is better", { style: "note" });
  if (hasMemory) {
    chart.text(MEMORY, MARGIN, "peak memory over input and fixed cost, shorter is better", { style: "note" });
  }
  let y = HEADER;
  for (const panel of panels) {
    drawPanel(chart, panel, y);
    y += TITLE + ROW * panel.rows.length + PANEL_GAP;
  }
  const { warmup, runtime } = results[0].record;
  chart.text(MARGIN, y, `medians after ${warmup} warm-up, ${runtime}`, { style: "note" });
  return chart.toSvg(width, y + FOOTER, `Parsing of ${panels.map(({ title }) => title).join(", ")}`);
}

function speedBar(row: Panel["rows"][number]): Bar {
  if ("failed" in row && row.failed !== undefined) return { length: 0, text: row.failed, failed: true };
  const { mibPerSecond, ratio } = row as MeasuredRow;
  const text = mibPerSecond.toFixed(1) + (ratio === undefined ? "" : `  ${formatRatio(ratio)}`);
  return { length: mibPerSecond, text };
}

function memoryBar(row: Panel["rows"][number]): Bar {
  const { memory = { failed: "" } } = row as MeasuredRow;
  if ("failed" in memory) return { length: 0, text: memory.failed, failed: true };
  return { length: memory.peak, text: formatBytes(memory.peak, true) };
}

function drawPanel(chart: SvgChart, { title, rows }: Panel, top: number): void {
  const columns: [x: number, bars: Bar[]][] = [[SPEED, rows.map(speedBar)]];
  if (rows.some((row) => "memory" in row)) columns.push([MEMORY, rows.map(memoryBar)]);
  chart.text(MARGIN, top, title, { style: "title" });
  for (const [i, { name }] of rows.entries()) {
    const y = top + TITLE + ROW * i;
    chart.text(MARGIN, y, name);
    const style = contestants.some((row) => row.name === name && row.isOurs) ? "ours" : "native";
    for (const [x, bars] of columns) {
      const { length, text, failed = false } = bars[i];
      const longest = Math.max(...bars.map(({ length }) => length));
      const width = longest > 0 ? length / longest * BARS : 0;
      const shown = failed && text.length > REASON ? `${text.slice(0, REASON - 1)}…` : text;
      chart.bar(x, y, width, style);
      chart.text(x + width + GAP, y, shown, { style: failed ? "note" : undefined });
    }
  }
}
