/**
 * Tables of docs/streaming.md.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import { median } from "../../measure/statistics.ts";
import type { StreamRow } from "../parse_stream.ts";
import type { LatencyReading } from "../processes/stream_latency.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/streaming.md";

/** Times that the body from the network is sent. */
const LATENCY_RUNS = 5;

/** Speeds of parsers of streams. */
export interface StreamResults {
  /** Bytes of the input. */
  size: number;
  rows: StreamRow[];
}

/** Lowest, median and highest of several runs. */
type Range = [low: number, median: number, high: number];

/** Times and memory of a body from the network. */
export interface LatencyResults {
  /** Times in milliseconds. */
  times: Record<string, Range>;
  /** Memory in bytes. */
  memory: Record<string, Range>;
}

/** Measures by bench stream. */
export function measureStreams(settings: Settings): StreamResults {
  const { size, rows } = runBench(settings, "parse_stream", [
    "--megabytes",
    "20",
    ...quickly(settings),
  ]) as StreamResults;
  return { size, rows };
}

/** Measures by bench stream with `--latency`. */
export function measureLatency(settings: Settings): LatencyResults {
  const readings: LatencyReading[] = [];
  while (readings.length < (settings.quick ? 1 : LATENCY_RUNS)) {
    readings.push(runBench(settings, "parse_stream", ["--latency", "--megabytes", "100"]) as LatencyReading);
  }
  const rangeOf = (select: (reading: LatencyReading) => number): Range => {
    const values = readings.map(select);
    return [Math.min(...values), median(values), Math.max(...values)];
  };
  return {
    times: {
      "value ready after the last byte": rangeOf(({ afterLastByte }) => afterLastByte),
      "last byte later than at 1 Gbit/s": rangeOf(({ late }) => late),
      "longest turn of the event loop": rangeOf(({ longestTurn }) => longestTurn),
      "longest turn without parsing": rangeOf(({ longestIdleTurn }) => longestIdleTurn),
    },
    memory: {
      "value": rangeOf(({ value }) => value),
      "peak over the value": rangeOf(({ peak, value }) => peak - value),
    },
  };
}

function streamsTable({ size, rows }: StreamResults): Table {
  return {
    header: [`${formatDecimalBytes(size)} of records`, "MB/s", "× first", "× first, CPU"],
    rows: rows.map(({ group, name, mbPerSecond, ratio, cpuRatio }) => [
      `${group}: ${name}`,
      mbPerSecond.toFixed(0),
      formatRatio(ratio),
      formatRatio(cpuRatio),
    ]),
  };
}

function latencyTable({ times, memory }: LatencyResults): Table {
  const rows = (ranges: Record<string, Range>, format: (value: number) => string): string[][] =>
    Object.entries(ranges).map(([name, range]) => [name, ...range.map(format)]);
  return {
    header: ["100 MB at 1 Gbit/s", "lowest", "median", "highest"],
    rows: [...rows(times, formatTime), ...rows(memory, formatDecimalBytes)],
  };
}

/** Returns the tables of the page. */
export function streamingTables(
  { stream, latency }: { stream: StreamResults; latency: LatencyResults },
): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "Figures", content: streamsTable(stream) },
    { page: PAGE, heading: "A body from the network", content: latencyTable(latency) },
  ];
}
