/**
 * Chart of docs/streaming.md.
 *
 * @module
 */

import { median } from "../../measure/statistics.ts";
import type { StreamRow } from "../parse_stream.ts";
import type { LatencyReading } from "../processes/stream_latency.ts";
import type { Chart } from "../support/chart.ts";
import type { MeasuredBlock } from "../support/page.ts";
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

/** Rows of the chart, with what native does for each group. */
const GROUPS: Record<string, { native: string; rows: Record<string, string> }> = {
  "elements of an array": {
    native: "decode + JSON.parse of the whole",
    rows: {
      "BinaryParser, elements": "elements: BinaryParser",
      "parseValues, elements": "elements: parseValues",
      "@streamparser/json": "elements: @streamparser/json",
      "stream-json": "elements: stream-json",
    },
  },
  "JSON Lines": {
    native: "split + JSON.parse",
    rows: {
      "BinaryParser, lines": "JSON Lines: BinaryParser",
      "parseValues, lines": "JSON Lines: parseValues",
      "@std/json with TextLineStream": "JSON Lines: @std/json",
    },
  },
};

function streamsChart({ rows }: StreamResults): Chart {
  const speedOf = (group: string, name: string): number =>
    rows.find((row) => row.group === group && row.name === name)!.mbPerSecond;
  return {
    name: "speed-streams",
    title: "Speed of parsers of streams over that of JSON.parse",
    sides: ["slower than native", "faster than native"],
    better: "above",
    bars: Object.entries(GROUPS).flatMap(([group, { native, rows }]) =>
      Object.entries(rows).map(([name, label]) => ({ label, ratio: speedOf(group, name) / speedOf(group, native) }))
    ),
  };
}

/** Returns the charts of the page. */
export function streamingTables({ stream }: { stream: StreamResults }): MeasuredBlock[] {
  return [{ page: PAGE, heading: "Figures", content: streamsChart(stream) }];
}
