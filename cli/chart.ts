/** What `bench` found, as a picture: an SVG that stands alone, light or dark as its surroundings are. */

import { type BenchMean, type BenchReport, meanOf, ratioOf, RUNTIME } from "./bench_report.ts";
import { median } from "./measure.ts";
import type { Row } from "./rows.ts";
import { printable } from "./terminal/printable.ts";
import { formatBytes, mebibytesPerSecond } from "./units.ts";

/** A bar with its figure, or why there is none. */
interface Bar {
  length: number;
  text: string;
  failed?: boolean;
}

/** Bars of the same rows: of a document, or of the mean of several. */
interface Panel {
  title: string;
  rows: readonly Row[];
  speeds: readonly Bar[];
  /** Empty where memory was not measured. */
  memories: readonly Bar[];
}

// Lengths in user units, as pixels are at the size the chart has of itself.
const MARGIN = 24;
const LABELS = 160;
const BARS = 220;
const FIGURES = 140;
const ROW = 22;
const BAR = 14;
const HEADER = 56;
const TITLE = 30;
const FOOTER = 34;
/** Between a bar and its figure. */
const GAP = 8;
/** Characters of a reason that fit where a bar would be. */
const REASON = 48;

/** Where the bars of speed and of memory begin. */
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

/** Draws reports: a panel for each and, of several, one of their means. */
export function renderChart(reports: readonly BenchReport[]): string {
  const panels = reports.map(panelOf);
  if (reports.length > 1) {
    const mean = meanOf(reports);
    if (mean.compared > 0) panels.unshift(panelOfMean(mean));
  }
  const hasMemory = panels.some(({ memories }) => memories.length > 0);
  const width = (hasMemory ? MEMORY : SPEED) + BARS + FIGURES;
  const parts: string[] = [text(SPEED, MARGIN + 10, "speed in MiB/s, longer is better", "note")];
  if (hasMemory) parts.push(text(MEMORY, MARGIN + 10, "peak memory over the input, shorter is better", "note"));
  let y = HEADER;
  for (const panel of panels) {
    parts.push(...drawPanel(panel, y));
    y += TITLE + ROW * panel.rows.length;
  }
  const height = y + FOOTER;
  parts.push(text(MARGIN, height - 14, `medians after ${reports[0].warmup} warm-up, ${RUNTIME}`, "note"));
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

function panelOf({ file, bytes, timings, memories }: BenchReport): Panel {
  return {
    title: `${printable(file)}, ${formatBytes(bytes)}`,
    rows: timings.map(({ row }) => row),
    speeds: timings.map(({ row, samples, failed }) =>
      failed === undefined
        ? speedBar(mebibytesPerSecond(bytes, median(samples)), ratioOf(row, timings))
        : { length: 0, text: failed, failed: true }
    ),
    memories: memories.length === 0 ? [] : timings.map(({ row }) => {
      const { memory, failed = "" } = memories.find((outcome) => outcome.row === row) ?? {};
      return memory
        ? { length: memory.peak, text: formatBytes(memory.peak, true) }
        : { length: 0, text: failed, failed: true };
    }),
  };
}

function panelOfMean({ documents, compared, rows }: BenchMean): Panel {
  const some = compared < documents ? `${compared} of ${documents}` : `${documents}`;
  return {
    title: `geometric mean of ${some} documents`,
    rows: rows.map(({ row }) => row),
    speeds: rows.map(({ mibPerSecond, ratio }) => speedBar(mibPerSecond, ratio)),
    memories: [],
  };
}

function speedBar(speed: number, ratio: number | undefined): Bar {
  return { length: speed, text: speed.toFixed(1) + (ratio === undefined ? "" : `  ${ratio.toFixed(2)}×`) };
}

function drawPanel({ title, rows, speeds, memories }: Panel, top: number): string[] {
  const columns = [[SPEED, speeds], [MEMORY, memories]] as const;
  return [
    text(MARGIN, top + 14, title, "title"),
    ...rows.flatMap((row, i) => {
      const y = top + TITLE - BAR / 2 + ROW * i;
      const drawn = columns.filter(([, bars]) => bars.length > 0).map(([x, bars]) =>
        drawBar(bars[i], Math.max(...bars.map(({ length }) => length)), x, y, row.isOurs ? "ours" : "native")
      );
      return [text(MARGIN, y + 12, row.name), ...drawn];
    }),
  ];
}

/** A bar from `x` on, as long as its share of the longest. */
function drawBar({ length, text: figure, failed }: Bar, longest: number, x: number, y: number, style: string): string {
  const width = longest > 0 ? length / longest * BARS : 0;
  return [
    `<rect class="${style}" x="${x}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
    text(Number((x + width + GAP).toFixed(1)), y + 12, failed ? clip(figure) : figure, failed ? "note" : undefined),
  ].join("");
}

function text(x: number, y: number, content: string, style?: string): string {
  const attribute = style === undefined ? "" : ` class="${style}"`;
  return `<text${attribute} x="${x}" y="${y}" xml:space="preserve">${escapeXml(content)}</text>`;
}

/** A reason that stays within its column. */
function clip(reason: string): string {
  return reason.length > REASON ? `${reason.slice(0, REASON - 1)}…` : reason;
}

function escapeXml(content: string): string {
  return content.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
