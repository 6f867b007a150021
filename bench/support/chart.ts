/** Charts of ratios, as SVG files. */

import { formatRatio } from "../../measure/number_format.ts";
import { SvgChart } from "../../measure/svg.ts";

export interface Bar {
  label: string;
  /** Length from 1 on, on a logarithmic scale: above 1 to the right, below 1 to the left. */
  ratio: number;
}

/** Ratios of one kind, with a bar for each. */
export interface Chart {
  /** Name of the file, without its extension. */
  name: string;
  /** Description for screen readers. */
  title: string;
  /** Labels of the two sides of 1, and the better one. */
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
const HEADER = 40;
const GAP = 6;
const CHARACTER = 6.5;

export function renderChart({ title, sides: [below, above], better, bars }: Chart): string {
  const logarithms = bars.map(({ ratio }) => Math.log(ratio));
  const lowest = Math.min(0, ...logarithms);
  const span = Math.max(0, ...logarithms) - lowest || 1;
  const left = MARGIN + LABELS + (lowest < 0 ? FIGURE : GAP);
  const widest = (WIDTH - MARGIN - FIGURE - left) / span;
  // The label above 1 has to end before the edge, even if no bar reaches it.
  const latest = WIDTH - MARGIN - GAP - CHARACTER * (above.length + 2);
  const scale = lowest < 0 ? Math.min(widest, (latest - left) / -lowest) : widest;
  const one = left - lowest * scale;
  const height = HEADER + ROW * bars.length + MARGIN;
  const chart = new SvgChart();
  if (lowest < 0) chart.text(one - GAP, MARGIN, `← ${below}`, { style: "note", isRight: true });
  chart.text(one + GAP, MARGIN, `${above} →`, { style: "note" });
  for (const [i, { label, ratio }] of bars.entries()) {
    const y = HEADER + ROW * i;
    const length = Math.log(ratio) * scale;
    const isAbove = length >= 0;
    chart.text(MARGIN + LABELS, y, label, { isRight: true });
    const style = ratio >= 1 === (better === "above") ? "better" : "worse";
    chart.bar(isAbove ? one : one + length, y, Math.abs(length), style);
    chart.text(one + length + (isAbove ? GAP : -GAP), y, formatRatio(ratio), { isRight: !isAbove });
  }
  chart.verticalLine(one, MARGIN, height - MARGIN);
  return chart.toSvg(WIDTH, height, title);
}
