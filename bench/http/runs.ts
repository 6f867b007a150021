/**
 * Figures of servers under load, and several runs of the same load as one.
 *
 * @module
 */

import { formatRatio } from "../../measure/number_format.ts";
import { median } from "../../measure/statistics.ts";
import type { Collections } from "./gc_trace.ts";
import { type Figures, TRENDS } from "./k6.ts";

/** Figures of one server: medians, if it was measured several times. */
export interface LoadRow {
  runtime: string;
  bytes: number;
  pipeline: string;
  figures: Figures;
  requestsPerSecond: number;
  /** Requests per second over those of native. */
  ratio: number;
  /** Ratio of each run. */
  ratios: number[];
  peakResidentBytes: number | undefined;
  collections: Collections;
  /** Signal or exit code that the server ended with in each run that it did not survive. */
  deaths: string[];
}

/** Merges the rows of runs of one load: medians of their figures, and all failed requests. */
export function mergeRuns(runs: LoadRow[][]): LoadRow[] {
  return runs[0].map((first, i) => {
    const rows = runs.map((run) => run[i]);
    const medianOf = (select: (row: LoadRow) => number): number => median(rows.map(select));
    return {
      ...first,
      figures: {
        milliseconds: Object.fromEntries(
          TRENDS.map((trend) => [trend, medianOf(({ figures }) => figures.milliseconds[trend])]),
        ) as Figures["milliseconds"],
        requests: medianOf(({ figures }) => figures.requests),
        failed: rows.reduce((sum, { figures }) => sum + figures.failed, 0),
        seconds: medianOf(({ figures }) => figures.seconds),
      },
      requestsPerSecond: medianOf(({ requestsPerSecond }) => requestsPerSecond),
      ratio: medianOf(({ ratio }) => ratio),
      ratios: rows.flatMap(({ ratios }) => ratios),
      peakResidentBytes: first.peakResidentBytes && medianOf(({ peakResidentBytes }) => peakResidentBytes ?? 0),
      collections: {
        milliseconds: medianOf(({ collections }) => collections.milliseconds),
        events: medianOf(({ collections }) => collections.events),
      },
      deaths: rows.flatMap(({ deaths }) => deaths),
    };
  });
}

/**
 * Formats the median of ratios, with the least and the largest if there are several. It is blank if
 * native answered no request.
 */
export function formatRatios(ratios: number[]): string {
  if (!ratios.every(Number.isFinite)) return "";
  const middle = formatRatio(median(ratios));
  if (ratios.length === 1) return middle;
  return `${middle} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

/** Says how a server ended in so many runs. */
export function formatEnd(deaths: string[], runs: number, failed: number): string {
  const end = deaths.length === 0 ? "survived" : runs === 1 ? deaths[0] : `${deaths[0]} in ${deaths.length} of ${runs}`;
  return end + (failed > 0 ? `, ${failed} requests failed` : "");
}
