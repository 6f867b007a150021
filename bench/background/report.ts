/**
 * Results of published measurements as tables, ours beside those published.
 *
 * @module
 */

import { formatDecimalBytes, formatPercent, formatRatio, formatTime } from "../../measure/number_format.ts";
import type { Table } from "../support/page.ts";
import type { Measurement, Quantity, Reading } from "./measurement.ts";

/** Medians of a lane in one runtime, or the reason why there are none. */
export type Cells = Reading | string;

/** Figures of a lane, by the name of the runtime. */
export type Figures = Record<string, Cells>;

/** Results of a measurement: lanes by runtime. */
export interface Result {
  name: string;
  title: string;
  lanes: {
    lane: string;
    published?: Reading;
    publishedRatio?: number;
    base?: string;
    runtimes: Figures;
  }[];
}

/** Returns the results of a measurement whose lanes have these figures. */
export function resultOf({ name, title, lanes }: Measurement, figures: Record<string, Figures>): Result {
  return {
    name,
    title,
    lanes: Object.entries(lanes).map(([lane, { flags: _, ...rest }]) => ({ lane, ...rest, runtimes: figures[lane] })),
  };
}

const FORMATS: Record<Quantity, (value: number) => string> = {
  time: formatTime,
  bytes: (value) => value < 0 ? `−${formatDecimalBytes(-value)}` : formatDecimalBytes(value),
  number: String,
  share: formatPercent,
  words: String,
};

/** Formats a ratio, with two digits if it is small. */
function formatSmallRatio(ratio: number): string {
  return ratio < 0.1 ? `${Number(ratio.toPrecision(2))}×` : formatRatio(ratio);
}

/** Returns the ratio of a figure to that of the base; `undefined` if there is none. */
function ratioOf(measurement: Measurement, figure: string, cells: Cells, base: Cells | undefined): number | undefined {
  const value = typeof cells === "object" ? cells[figure] : undefined;
  const reference = typeof base === "object" ? base[figure] : undefined;
  if (typeof value !== "number" || typeof reference !== "number" || value <= 0 || reference <= 0) return undefined;
  return measurement.ratio === "speed" && measurement.figures[figure] === "time"
    ? reference / value
    : value / reference;
}

/** Formats one figure of a lane, with the ratio of a time to that of the base. */
function formatFigure(measurement: Measurement, figure: string, cells: Cells | undefined, base?: Cells): string {
  if (cells === undefined) return "";
  if (typeof cells === "string") return cells;
  const value = cells[figure];
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  const quantity = measurement.figures[figure];
  const ratio = quantity === "time" ? ratioOf(measurement, figure, cells, base) : undefined;
  return FORMATS[quantity](value) + (ratio === undefined ? "" : `, ${formatSmallRatio(ratio)}`);
}

/** Lays out the results of a measurement: a row for each lane and figure. */
export function tableOf(measurement: Measurement, { title, lanes }: Result, runtimes: string[]): Table {
  const { figures, isCompact = false } = measurement;
  const groups = isCompact ? [Object.keys(figures)] : Object.keys(figures).map((figure) => [figure]);
  const rows = lanes.flatMap((row) => {
    const base = lanes.find(({ lane }) => lane === row.base);
    const { publishedRatio } = row;
    return groups.map((group) => {
      const cell = (cells: Cells | undefined, base: Cells | undefined): string =>
        typeof cells === "string"
          ? cells
          : group.map((figure) => formatFigure(measurement, figure, cells, base)).filter(Boolean).join("; ");
      return [
        groups.length > 1 ? `${row.lane}: ${group[0]}` : row.lane,
        publishedRatio === undefined ? cell(row.published, base?.published) : formatRatio(publishedRatio),
        ...runtimes.map((runtime) => cell(row.runtimes[runtime], base?.runtimes[runtime])),
      ];
    });
  });
  const words = isCompact ? `${title}: ${groups[0].join("; ")}` : title;
  return { header: [words, "published", ...runtimes], rows };
}

/** Lays out the claims of a measurement: the published figure, and those of today. */
export function claimRows(measurement: Measurement, { lanes }: Result, runtimes: string[]): string[][] {
  return (measurement.claims ?? []).map(({ claim, lane, figure = "time" }) => {
    const row = lanes.find((row) => row.lane === lane)!;
    const base = lanes.find((other) => other.lane === row.base);
    const cell = (cells: Cells | undefined, base: Cells | undefined): string => {
      const ratio = cells === undefined ? undefined : ratioOf(measurement, figure, cells, base);
      return ratio === undefined ? formatFigure(measurement, figure, cells) : formatSmallRatio(ratio);
    };
    const published = row.publishedRatio === undefined
      ? cell(row.published, base?.published)
      : formatRatio(row.publishedRatio);
    return [claim, published, ...runtimes.map((runtime) => cell(row.runtimes[runtime], base?.runtimes[runtime]))];
  });
}
