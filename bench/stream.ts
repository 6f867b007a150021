/**
 * Bench of parsing streams beside parsing whole inputs, and beside other parsers.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import type { LatencyReading } from "./processes/stream_latency.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { generate } from "./support/documents.ts";
import { Lane, measureLanes } from "./support/lane.ts";
import { named, speedChart } from "./support/rows.ts";
import type { Table } from "./support/page.ts";
import { runProgram } from "./support/runtimes.ts";
import type { StreamParser } from "./support/stream_parsers.ts";

/** Speed of a parser, and its ratios to the first one of its group. */
interface StreamRow {
  group: string;
  name: string;
  mbPerSecond: number;
  ratio: number;
  /** Ratio by processor time, of all threads. */
  cpuRatio: number;
}

/** Lowest, median and highest of several runs. */
type Range = [low: number, median: number, high: number];

/** Times in milliseconds and memory in bytes, of a body at 1 Gbit/s. */
type Latency = Record<"afterLastByte" | "late" | "longestTurn" | "longestIdleTurn" | "value" | "overValue", Range>;

/** Milliseconds of parsers that take the value so far after each piece of a text. */
interface PartialRow {
  name: string;
  parsers: Record<string, number>;
}

interface StreamReport {
  /** Bytes of the input. */
  size: number;
  rows: StreamRow[];
  partial: PartialRow[];
  /** Absent if other rows were asked for. */
  latency?: Latency;
}

const LATENCY_MB = 100;
const LATENCY_RUNS = 5;

/** Texts in pieces: their length, and that of a piece. Other parsers begin anew at each piece of the last one. */
const PARTIAL_TEXTS = [[200_000, 8], [200_000, 1024], [30_000, 40]] as const;

const ELEMENTS = "elements of an array";
const LINES = "JSON Lines";
const DOCUMENT = "one document";

/** Makes JSON Lines of an array of records: none has a bracket or brace in a string. */
function linesOf(array: Uint8Array): Uint8Array {
  const records: unknown[] = JSON.parse(new TextDecoder().decode(array));
  return new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

async function measureGroup(
  group: string,
  parsers: Record<string, StreamParser>,
  bytes: Uint8Array,
  { only, isQuick }: BenchOptions,
): Promise<StreamRow[]> {
  const wanted = Object.entries(parsers).filter(([name], i) => i === 0 || only.test(`${group}, ${name}`));
  const values = await wanted[0][1](bytes);
  const lanes = wanted.map(([name, parse]) =>
    new Lane(name, async () => {
      const count = await parse(bytes);
      if (count !== values) throw new Error(`Cannot compare: ${name} finds ${count} values instead of ${values}`);
    })
  );
  await measureLanes(lanes, { rounds: isQuick ? 1 : 5, batch: 0, warmUp: 1, patience: 0 });
  return lanes.map(({ name, milliseconds, processor }) => ({
    group,
    name,
    mbPerSecond: bytes.length / milliseconds / 1e3,
    ratio: lanes[0].milliseconds / milliseconds,
    cpuRatio: median(lanes[0].processor) / median(processor),
  }));
}

/** Compares parsers that give the value so far. */
async function measurePartial({ isQuick, only }: BenchOptions): Promise<PartialRow[]> {
  const { answerIn, LINEAR_PARSERS, REPEATING_PARSERS } = await import("./support/partial_parsers.ts");
  const rows: PartialRow[] = [];
  for (const [length, pieceLength] of PARTIAL_TEXTS) {
    const name = `${length / 1000} KB in pieces of ${pieceLength}`;
    if (!only.test(`partial, ${name}`)) continue;
    showProgress(name);
    const pieces = answerIn(pieceLength, length);
    const text = pieces.join("");
    const parsers = { ...LINEAR_PARSERS, ...pieceLength === 40 && REPEATING_PARSERS };
    const lanes = Object.entries(parsers).map(([name, parse]) =>
      new Lane(name, async () => {
        if (JSON.stringify(await parse(pieces)) !== text) {
          throw new Error(`Cannot compare: ${name} reads another value`);
        }
      })
    );
    await measureLanes(lanes, { rounds: isQuick ? 1 : 7, batch: 0, warmUp: 300, patience: 0 });
    rows.push({ name, parsers: Object.fromEntries(lanes.map(({ name, milliseconds }) => [name, milliseconds])) });
  }
  return rows;
}

function measureLatency({ isQuick }: BenchOptions): Latency {
  const readings: LatencyReading[] = [];
  while (readings.length < (isQuick ? 1 : LATENCY_RUNS)) {
    showProgress("a body at 1 Gbit/s");
    const bytes = (isQuick ? 5 : LATENCY_MB) * 1e6;
    readings.push(runProgram("bench/processes/stream_latency.ts", [String(bytes)]));
  }
  const rangeOf = (select: (reading: LatencyReading) => number): Range => {
    const values = readings.map(select);
    return [Math.min(...values), median(values), Math.max(...values)];
  };
  return {
    afterLastByte: rangeOf(({ afterLastByte }) => afterLastByte),
    late: rangeOf(({ late }) => late),
    longestTurn: rangeOf(({ longestTurn }) => longestTurn),
    longestIdleTurn: rangeOf(({ longestIdleTurn }) => longestIdleTurn),
    value: rangeOf(({ value }) => value),
    overValue: rangeOf(({ peak, value }) => peak - value),
  };
}

const LATENCY_WORDS: Record<keyof Latency, string> = {
  afterLastByte: "value ready after the last byte",
  late: "last byte later than at 1 Gbit/s",
  longestTurn: "longest turn of the event loop",
  longestIdleTurn: "longest turn without parsing",
  value: "value",
  overValue: "peak over the value",
};

/** Groups of the chart: the word for their rows, native, and the rows. */
const CHART: [group: string, word: string, native: string, rows: string[]][] = [
  [ELEMENTS, "elements", "decode + JSON.parse of the whole", [
    "BinaryParser, elements",
    "parseValues, elements",
    "@streamparser/json",
    "stream-json",
  ]],
  [LINES, LINES, "split + JSON.parse", ["BinaryParser, lines", "parseValues, lines", "@std/json with TextLineStream"]],
];

/** Lays out times, behind those of ours the speed over the first parser. */
function partialTable(rows: readonly PartialRow[]): Table {
  const names = [...new Set(rows.flatMap(({ parsers }) => Object.keys(parsers)))];
  return {
    header: ["text", ...names],
    rows: rows.map(({ name, parsers }) => [
      name,
      ...names.map((parser, i) => {
        const time = parsers[parser];
        if (time === undefined) return "";
        return i === 0 ? formatTime(time) : `${formatTime(time)}, ${formatRatio(parsers[names[0]] / time)}`;
      }),
    ]),
  };
}

/** `deno task bench stream`. */
export const bench: Bench<StreamReport> = {
  help: `Parses records that arrive in chunks of 64 KiB: the elements of an array, JSON Lines, and one document.
Other parsers, and parsing of the whole input, take turns with ours in one process; figures are
medians. Then a body of ${LATENCY_MB} MB that arrives at 1 Gbit/s: when its value is ready, the
longest turn of the event loop, and the memory. Then values so far of texts in pieces, beside those of
other parsers. Names of rows are "group, name"; that of the body is "latency", that of the texts
"partial". The first row of a group always runs.`,
  numbers: { "megabytes": "size of the inputs, 20 by default" },
  async measure(options) {
    const { only } = options;
    const { DOCUMENT_PARSERS, ELEMENT_PARSERS, LINE_PARSERS } = await import("./support/stream_parsers.ts");
    const size = options.number("megabytes", 20) * 1e6;
    const groups = Object.entries({ [ELEMENTS]: ELEMENT_PARSERS, [LINES]: LINE_PARSERS, [DOCUMENT]: DOCUMENT_PARSERS })
      .filter(([group, parsers]) => Object.keys(parsers).some((name) => only.test(`${group}, ${name}`)));
    const hasLatency = only.test("latency");
    const partial = await measurePartial(options);
    if (groups.length + partial.length === 0 && !hasLatency) throw new Error(`Cannot compare: no row matches ${only}`);
    const records = generate("records", groups.length > 0 ? size : 1);
    const rows: StreamRow[] = [];
    for (const [group, parsers] of groups) {
      showProgress(group);
      rows.push(...await measureGroup(group, parsers, group === LINES ? linesOf(records) : records, options));
    }
    return { size, rows, partial, ...hasLatency && { latency: measureLatency(options) } };
  },
  tables({ size, rows, partial, latency }) {
    const format = (name: string, value: number): string =>
      /alue$/.test(name) ? formatDecimalBytes(value) : formatTime(value);
    return [
      {
        header: [`${formatDecimalBytes(size)} of records`, "MB/s", "× first", "× first, CPU"],
        rows: rows.map(({ group, name, mbPerSecond, ratio, cpuRatio }) => [
          `${group}: ${name}`,
          mbPerSecond.toFixed(0),
          formatRatio(ratio),
          formatRatio(cpuRatio),
        ]),
      },
      partialTable(partial),
      {
        header: [`${LATENCY_MB} MB at 1 Gbit/s`, "lowest", "median", "highest"],
        rows: Object.entries(latency ?? {}).map(([name, range]) => [
          LATENCY_WORDS[name as keyof Latency],
          ...range.map((value) => format(name, value)),
        ]),
      },
    ].filter(({ rows }) => rows.length > 0);
  },
  blocks({ rows, partial }) {
    const speedOf = (group: string, name: string): number =>
      rows.find((row) => row.group === group && row.name === name)!.mbPerSecond;
    const bars = CHART.flatMap(([group, word, native, names]) =>
      names.map((name) => {
        const label = `${word}: ${name.split(/, | with/)[0]}`;
        return { label, ratio: speedOf(group, name) / speedOf(group, native) };
      })
    );
    const chart = speedChart("speed-streams", "Speed of parsers of streams over that of JSON.parse", bars);
    return [
      { page: "docs/streaming.md", heading: "Figures", content: chart },
      { page: "docs/arriving.md", heading: "Cost", content: partialTable(partial) },
    ];
  },
  quotes({ rows, latency }) {
    const page = "docs/streaming.md";
    const elements = named(rows, "BinaryParser, elements").mbPerSecond;
    const lead = (name: string): string => (elements / named(rows, name).mbPerSecond).toFixed(0);
    const chunks = (size: string): string => formatRatio(named(rows, `BinaryParser, ${size} chunks`).ratio);
    const { afterLastByte, longestTurn, overValue } = latency!;
    return [
      { page, words: `${lead("@streamparser/json")} times as fast as @streamparser/json` },
      { page, words: `and ${lead("stream-json")} times as fast as stream-json` },
      {
        page,
        words: `JSON Lines parse ${named(rows, "BinaryParser, lines").ratio.toFixed(1)} times as fast as by a split`,
      },
      {
        page,
        words: `in chunks of 64 KiB runs at ${
          chunks("64 KiB")
        } the speed of \`parseBinary\`, and in chunks of 1 KiB at ${chunks("1 KiB")}`,
      },
      { page, words: `${formatTime(afterLastByte[1])} after its last byte` },
      { page, words: `at most ${formatTime(longestTurn[2])} in five runs` },
      { page, words: `at most ${formatDecimalBytes(overValue[2])} over the value` },
    ];
  },
};
