/**
 * Results of `bytejson bench` as a chart: an SVG file that needs no other, light or dark as the
 * viewer's colour scheme.
 */

import { formatBytes } from "../../measure/byte_format.ts";
import { formatRatio } from "../../measure/number_format.ts";
import { printable } from "../terminal/printable.ts";
import { type BenchRecord, type BenchResult, meanOf, type MeanRecord, type MeasuredRow } from "./bench_result.ts";
import { contestants } from "./contestants.ts";

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
const BAR = 14;
const HEADER = 56;
const TITLE = 30;
const FOOTER = 34;
/** Space between a bar and its figure. */
const GAP = 8;
/** Number of characters of a reason that fit in place of a bar. */
const REASON = 48;

/** Left ends of the bars of speed and of memory. */
const SPEED = MARGIN + LABELS;
const MEMORY = SPEED + BARS + FIGURES;

const STYLE = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.note { fill: #656d76; font-size: 12px }
.native { fill: #afb8c1 }
.ours { fill: #0969da }
.ground { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #8d96a0 }
  .native { fill: #57606a }
  .ours { fill: #2f81f7 }
  .ground { fill: #0d1117 }
}`;

/** Draws a panel for each result and, of several, one for their means. */
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
  const parts: string[] = [text(SPEED, MARGIN + 10, "speed in MiB/s, longer is better", "note")];
  if (hasMemory) {
    parts.push(text(MEMORY, MARGIN + 10, "peak memory over input and fixed cost, shorter is better", "note"));
  }
  let y = HEADER;
  for (const panel of panels) {
    parts.push(...drawPanel(panel, y));
    y += TITLE + ROW * panel.rows.length;
  }
  const height = y + FOOTER;
  const { warmup, runtime } = results[0].record;
  parts.push(text(MARGIN, height - 14, `medians after ${warmup} warm-up, ${runtime}`, "note"));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Parsing of ${escapeXml(panels.map(({ title }) => title).join(", "))}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
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

function drawPanel({ title, rows }: Panel, top: number): string[] {
  const columns: [x: number, bars: Bar[]][] = [[SPEED, rows.map(speedBar)]];
  if (rows.some((row) => "memory" in row)) columns.push([MEMORY, rows.map(memoryBar)]);
  return [
    text(MARGIN, top + 14, title, "title"),
    ...rows.flatMap(({ name }, i) => {
      const y = top + TITLE - BAR / 2 + ROW * i;
      const style = contestants.some((row) => row.name === name && row.isOurs) ? "ours" : "native";
      const drawn = columns.map(([x, bars]) =>
        drawBar(bars[i], Math.max(...bars.map(({ length }) => length)), x, y, style)
      );
      return [text(MARGIN, y + 12, name), ...drawn];
    }),
  ];
}

/** Draws a bar from `x` on, as long as its share of the longest. */
function drawBar({ length, text: figure, failed }: Bar, longest: number, x: number, y: number, style: string): string {
  const width = longest > 0 ? length / longest * BARS : 0;
  const shown = failed && figure.length > REASON ? `${figure.slice(0, REASON - 1)}…` : figure;
  return [
    `<rect class="${style}" x="${x}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
    text(Number((x + width + GAP).toFixed(1)), y + 12, shown, failed ? "note" : undefined),
  ].join("");
}

function text(x: number, y: number, content: string, style?: string): string {
  const attribute = style === undefined ? "" : ` class="${style}"`;
  return `<text${attribute} x="${x}" y="${y}" xml:space="preserve">${escapeXml(content)}</text>`;
}

function escapeXml(content: string): string {
  return content.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
