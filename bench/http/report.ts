/**
 * Results of servers under load as tables of the documentation.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import type { Table } from "../support/page.ts";
import { TRENDS } from "./k6.ts";
import { PUBLISHED_LOADS, PUBLISHED_SECONDS } from "./published.ts";
import { formatEnd, formatRatios, type LoadRow } from "./runs.ts";

const NATIVE = "native";
const NATIVE_DETACHED = "native + detach";
const OURS_DETACHED = "parseBinary + detach";
const STREAMED = "parseStream";
const SHORTEST = "native in one call";
const CALLED = "readJson";

/** Returns the servers of each load: those of one runtime and one body. */
function loadsOf(rows: LoadRow[]): LoadRow[][] {
  return [...Map.groupBy(rows, ({ runtime, bytes }) => `${runtime} ${bytes}`).values()];
}

function formatRate(requestsPerSecond: number): string {
  return requestsPerSecond.toFixed(requestsPerSecond < 100 ? 1 : 0);
}

/**
 * Lays out native's median, the requests per second relative to native, and the memory, by the ways
 * that were measured.
 */
export function summaryTable(rows: LoadRow[]): Table {
  const isMeasured = (pipeline: string): boolean => rows.some((row) => row.pipeline === pipeline);
  const ratios = [OURS_DETACHED, STREAMED, CALLED, SHORTEST].filter(isMeasured);
  const sets = [NATIVE, OURS_DETACHED, STREAMED, CALLED].filter(isMeasured);
  return {
    header: [
      "runtime and body",
      `${NATIVE}, median`,
      ...ratios,
      ...sets.map((pipeline) => `${pipeline} RSS`),
    ],
    rows: loadsOf(rows).map((servers) => {
      const of = (pipeline: string): LoadRow => servers.find((server) => server.pipeline === pipeline)!;
      const [{ runtime, bytes }] = servers;
      return [
        `${runtime}, ${formatDecimalBytes(bytes)}`,
        formatTime(of(NATIVE).figures.milliseconds.med),
        ...ratios.map((pipeline) => formatRatio(of(pipeline).ratio) + (of(pipeline).deaths.length ? ", killed" : "")),
        ...sets.map((pipeline) => formatDecimalBytes(of(pipeline).peakResidentBytes ?? 0)),
      ];
    }),
  };
}

/** Lays out every figure. `heading` is that of the first column, which `nameOf` fills. */
export function loadTable(rows: LoadRow[], heading: string, nameOf: (row: LoadRow) => string): Table {
  return {
    header: [heading, ...TRENDS, "requests/s", "× native", "peak RSS", "GC", "GC events", "server"],
    rows: rows.map((row) => [
      nameOf(row),
      ...TRENDS.map((trend) => formatTime(row.figures.milliseconds[trend])),
      formatRate(row.requestsPerSecond),
      formatRatios(row.ratios),
      row.peakResidentBytes === undefined ? "" : formatDecimalBytes(row.peakResidentBytes),
      formatTime(row.collections.milliseconds),
      String(row.collections.events),
      formatEnd(row.deaths, row.ratios.length, row.figures.failed),
    ]),
  };
}

/** Lays out every figure of a runtime. */
export function runtimeTable(rows: LoadRow[]): Table {
  return loadTable(rows, "body and way", ({ bytes, pipeline }) => `${formatDecimalBytes(bytes)}, ${pipeline}`);
}

/** Lays out every figure of loads of one body, in several runtimes. */
export function bodyTable(rows: LoadRow[]): Table {
  return loadTable(rows, "runtime and way", ({ runtime, pipeline }) => `${runtime}, ${pipeline}`);
}

/** Lays out the published loads of a runtime beside ours, with what detaching gains. */
export function publishedTable(rows: LoadRow[]): Table {
  const published = rows.filter(({ runtime, bytes }) => bytes in PUBLISHED_LOADS[runtime]);
  return {
    header: ["body and way", ...TRENDS, "requests/s", "× native"],
    rows: loadsOf(published).flatMap((servers) => {
      const [{ runtime, bytes }] = servers;
      const published = PUBLISHED_LOADS[runtime][bytes];
      return [NATIVE, NATIVE_DETACHED, OURS_DETACHED].flatMap((pipeline) => {
        const name = `${formatDecimalBytes(bytes)}, ${pipeline}`;
        const { figures, requestsPerSecond, ratio } = servers.find((server) => server.pipeline === pipeline)!;
        const ours = [
          `${name}: here`,
          ...TRENDS.map((trend) => formatTime(figures.milliseconds[trend])),
          formatRate(requestsPerSecond),
          formatRatio(ratio),
        ];
        if (pipeline !== NATIVE && pipeline !== NATIVE_DETACHED) return [ours];
        const times = published[pipeline].slice(0, TRENDS.length);
        const requests = published[pipeline].at(-1)!;
        return [[
          `${name}: published`,
          ...times.map(formatTime),
          formatRate(requests / PUBLISHED_SECONDS),
          formatRatio(requests / published[NATIVE].at(-1)!),
        ], ours];
      });
    }),
  };
}
