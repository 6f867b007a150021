/** Charts of ratios: SVG files that need no other, light or dark as the viewer's colour scheme. */

import { formatRatio } from "../../measure/number_format.ts";

export interface Bar {
  label: string;
  /** Length from 1 on, on a logarithmic scale: above 1 to the right, below 1 to the left. */
  ratio: number;
}

/** Ratios of one kind, with a bar for each. */
export interface Chart {
  /** Name of the file, without its extension. */
  name: string;
  /** Words for those who do not see the chart. */
  title: string;
  /** Words at the two sides of 1, and which of them is better. */
  sides: [below: string, above: string];
  better: "below" | "above";
  bars: Bar[];
}

// Lengths are in SVG user units: pixels at the chart's own size.
const WIDTH = 760;
const MARGIN = 16;
const LABELS = 230;
/** Room for the figure of a bar that reaches the edge. */
const FIGURE = 64;
const ROW = 20;
const BAR = 13;
const HEADER = 40;
const GAP = 6;
const CHARACTER = 6.5;
/** Distance from the top of a row to the base line of its text. */
const BASE_LINE = 11;

const STYLE = `
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.note { fill: #59636e }
.better { fill: #0969da }
.worse { fill: #bc4c00 }
.one { stroke: #818b98 }
.ground { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
  .better { fill: #4493f8 }
  .worse { fill: #db6d28 }
  .one { stroke: #656c76 }
  .ground { fill: #0d1117 }
}`;

export function renderChart({ title, sides: [below, above], better, bars }: Chart): string {
  const logarithms = bars.map(({ ratio }) => Math.log(ratio));
  const lowest = Math.min(0, ...logarithms);
  const span = Math.max(0, ...logarithms) - lowest || 1;
  const left = MARGIN + LABELS + (lowest < 0 ? FIGURE : GAP);
  const widest = (WIDTH - MARGIN - FIGURE - left) / span;
  // The words above 1 have to end before the edge, even if no bar reaches it.
  const latest = WIDTH - MARGIN - GAP - CHARACTER * (above.length + 2);
  const scale = lowest < 0 ? Math.min(widest, (latest - left) / -lowest) : widest;
  const one = round(left - lowest * scale);
  const height = HEADER + ROW * bars.length + MARGIN;
  const parts = bars.map(({ label, ratio }, i) => {
    const style = ratio >= 1 === (better === "above") ? "better" : "worse";
    return drawBar({ label, ratio }, style, one, Math.log(ratio) * scale, HEADER + ROW * i);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    ...lowest < 0 ? [text(one - GAP, MARGIN + BASE_LINE, `← ${below}`, 'class="note" text-anchor="end"')] : [],
    text(one + GAP, MARGIN + BASE_LINE, `${above} →`, 'class="note"'),
    ...parts,
    `<path class="one" d="M${one} ${MARGIN}V${height - MARGIN}"/>`,
    "</svg>",
    "",
  ].join("\n");
}

function drawBar({ label, ratio }: Bar, style: string, one: number, length: number, y: number): string {
  const isAbove = length >= 0;
  const x = round(isAbove ? one : one + length);
  const end = round(isAbove ? one + length + GAP : one + length - GAP);
  return [
    text(MARGIN + LABELS, y + BASE_LINE, label, 'text-anchor="end"'),
    `<rect class="${style}" x="${x}" y="${y}" width="${round(Math.abs(length))}" height="${BAR}" rx="2"/>`,
    text(end, y + BASE_LINE, formatRatio(ratio), isAbove ? "" : 'text-anchor="end"'),
  ].join("");
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}"${attributes === "" ? "" : ` ${attributes}`}>${escapeXml(content)}</text>`;
}

function round(length: number): number {
  return Number(length.toFixed(1));
}

function escapeXml(content: string): string {
  return content.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
