/** Bench of parsing streams, compared with parsing whole inputs, and with other parsers. */

import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import type { LatencyReading, measureLatency as measureLatencyOnce } from "./processes/measure_memory.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { generate } from "./support/documents.ts";
import type { Effort } from "./support/bench_lanes.ts";
import type { PartialParser } from "./support/partial_parsers.ts";
import type { Table } from "./support/markdown_page.ts";
import { formatTimeOf, measureWays, ratioOf, type Row, speedChart, speedOf, waysOf } from "./support/rows.ts";
import { callInProcess } from "./support/runtimes.ts";

/** Lowest, median and highest of several runs. */
type Range = [low: number, median: number, high: number];

/** Times in milliseconds and memory in bytes, of a body at 1 Gbit/s. */
type Latency = Record<keyof LatencyReading, Range>;

interface StreamReport {
  rows: Row[];
  /** Partial values of texts in pieces. */
  partial: Row[];
  /** Absent unless requested. */
  latency?: Latency;
}

const LATENCY_MB = 100;
const LATENCY_RUNS = 5;

const ELEMENTS = "elements of an array";
const LINES = "JSON Lines";
const DOCUMENT = "one document";

/** Efforts for large inputs, texts in pieces, and parsers that start over with each piece. */
const LARGE: Effort = { rounds: 5, batch: 0, warmUp: 1, patience: 0 };
const PIECES: Effort = { rounds: 7, batch: 0, warmUp: 300, patience: 0 };
const ONCE: Effort = { rounds: 1, batch: 0, warmUp: 0, patience: 0 };

/** Texts in pieces: kind, length, and length of a piece. */
const PARTIAL_TEXTS = [
  ["an answer", 200_000, 8],
  ["an answer", 200_000, 1024],
  ["an answer", 100_000, 40],
  ["one string", 1_000_000, 1024],
  ["an array", 600_000, 1024],
] as const;
/** Length of the pieces for parsers that start over with each piece. */
const REPEATED = 40;
const PARTIAL = "parsePartial";
const HALF = "half the text";

/** Converts an array of records, without brackets or braces in strings, to JSON Lines. */
function linesOf(array: Uint8Array): Uint8Array {
  const records: unknown[] = JSON.parse(new TextDecoder().decode(array));
  return new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

async function measureGroups(options: BenchOptions): Promise<Row[]> {
  const { ELEMENT_PARSERS, LINE_PARSERS, DOCUMENT_PARSERS } = await import("./support/stream_parsers.ts");
  const rows: Row[] = [];
  const all = { [ELEMENTS]: ELEMENT_PARSERS, [LINES]: LINE_PARSERS, [DOCUMENT]: DOCUMENT_PARSERS };
  for (const [group, parsers] of Object.entries(all)) {
    const names = Object.keys(parsers).filter((name) => options.only.test(`${group}, ${name}`));
    if (names.length === 0) continue;
    showProgress(group);
    const records = generate("records", options.number("megabytes", 20) * 1e6);
    const bytes = group === LINES ? linesOf(records) : records;
    const [first] = Object.keys(parsers);
    const values = await parsers[first](bytes);
    const ways = [...new Set([first, ...names])].map((name) => [name, async () => {
      const count = await parsers[name](bytes);
      if (count !== values) throw new Error(`Cannot compare: ${name} finds ${count} values instead of ${values}`);
    }]);
    const subject = { group, name: "records", bytes: bytes.length, parts: 1 };
    rows.push(await measureWays(subject, Object.fromEntries(ways), options.isQuick ? ONCE : LARGE));
  }
  return rows;
}

async function measurePartial({ isQuick, only }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, length, pieceLength] of PARTIAL_TEXTS) {
    const name = `${kind} of ${formatDecimalBytes(length)} by ${pieceLength}`;
    if (!only.test(`partial, ${name}`)) continue;
    showProgress(name);
    const { cut, LINEAR_PARSERS, REPEATING_PARSERS, TEXTS } = await import("./support/partial_parsers.ts");
    const [whole, half] = [isQuick ? length / 10 : length, isQuick ? length / 20 : length / 2].map(TEXTS[kind]);
    const [pieces, halfPieces] = [whole, half].map((text) => cut(text, pieceLength));
    const laneFunctions = async (parsers: Record<string, PartialParser>): Promise<Record<string, () => unknown>> => {
      for (const [name, parse] of Object.entries(parsers)) {
        const isRight = JSON.stringify(await parse(cut(TEXTS[kind](2000), pieceLength))) === TEXTS[kind](2000);
        if (!isRight) throw new Error(`Cannot compare: ${name} reads another value`);
      }
      return Object.fromEntries(Object.entries(parsers).map(([name, parse]) => [name, () => parse(pieces)]));
    };
    const subject = { group: "partial", name, bytes: length, parts: 1 };
    const ways = { ...await laneFunctions(LINEAR_PARSERS), [HALF]: () => LINEAR_PARSERS[PARTIAL](halfPieces) };
    const row = await measureWays(subject, ways, isQuick ? ONCE : PIECES);
    const others = await laneFunctions(pieceLength === REPEATED ? REPEATING_PARSERS : {});
    const { milliseconds } = await measureWays(subject, others, ONCE);
    rows.push({ ...row, milliseconds: { ...row.milliseconds, ...milliseconds } });
  }
  return rows;
}

function measureLatency({ isQuick }: BenchOptions): Latency {
  showProgress("a body at 1 Gbit/s");
  const readings = Array.from({ length: isQuick ? 1 : LATENCY_RUNS }, () => {
    const args: [number] = [(isQuick ? 5 : LATENCY_MB) * 1e6];
    return callInProcess<typeof measureLatencyOnce>("processes/measure_memory.ts", "measureLatency", args);
  });
  const ranges = Object.keys(LATENCY_WORDS).map((name) => {
    const values = readings.map((reading) => reading[name as keyof Latency]);
    return [name, [Math.min(...values), median(values), Math.max(...values)]];
  });
  return Object.fromEntries(ranges);
}

const LATENCY_WORDS: Record<keyof Latency, string> = {
  afterLastByte: "value ready after the last byte",
  longestTurn: "longest turn of the event loop",
  value: "value",
  overValue: "peak over the value",
};

/** Groups of the chart: the label of their rows, native, and the ways. */
const CHART: [group: string, word: string, native: string, ways: string[]][] = [
  [ELEMENTS, "elements", "decode + JSON.parse of the whole", [
    "BinaryParser, elements",
    "parseValues, elements",
    "@streamparser/json",
    "stream-json",
  ]],
  [LINES, LINES, "split + JSON.parse", ["BinaryParser, lines", "parseValues, lines", "@std/json with TextLineStream"]],
];

/**
 * Lays out times. Ours are followed by the speed relative to the first parser, and the time
 * relative to that of half the text.
 */
function partialTable(rows: readonly Row[]): Table {
  const [first, ...names] = waysOf(rows).filter((name) => name !== HALF);
  const ratio = (row: Row, ours: string, other: string): string[] => {
    const ratio = ratioOf(row, { ours, other });
    return ratio === undefined ? [] : [formatRatio(ratio)];
  };
  return {
    header: ["text", first, ...names, `÷ ${HALF}`],
    rows: rows.map((row) => [
      row.name,
      formatTimeOf(row, first),
      ...names.map((way) => [formatTimeOf(row, way), ...ratio(row, way, first)].join(", ")),
      ratio(row, HALF, PARTIAL).join(""),
    ]),
  };
}

export const bench: Bench<StreamReport> = {
  help: `Parses records that arrive in chunks of 64 KiB: the elements of an array, JSON Lines, and one document.
Other parsers, and parsing of the whole input, take turns with ours in one process; figures are
medians. Then a body of ${LATENCY_MB} MB that arrives at 1 Gbit/s: when its value is ready, the
longest turn of the event loop, and the memory. Then partial values of texts in pieces, compared with
other parsers. Names of rows are "group, name"; the body is "latency", and the texts are "partial". The
first row of a group always runs.`,
  options: { "megabytes N": "size of the inputs, 20 by default" },
  async measure(options) {
    const rows = await measureGroups(options);
    const partial = await measurePartial(options);
    const hasLatency = options.only.test("latency");
    return { rows, partial, ...hasLatency && { latency: measureLatency(options) } };
  },
  tables({ rows, partial, latency }) {
    const format = (name: string, value: number): string =>
      /alue$/.test(name) ? formatDecimalBytes(value) : formatTime(value);
    return [
      {
        header: ["records", "MB/s", "× first"],
        rows: rows.flatMap((row) => {
          const [first, ...others] = waysOf([row]);
          return [first, ...others].map((way) => [
            `${row.group}: ${way}`,
            speedOf(row, way).toFixed(0),
            formatRatio(ratioOf(row, { ours: way, other: first })!),
          ]);
        }),
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
    const bars = CHART.flatMap(([group, word, other, ways]) => {
      const row = rows.find((row) => row.group === group)!;
      return ways.map((ours) => ({
        label: `${word}: ${ours.split(/, | with/)[0]}`,
        ratio: ratioOf(row, { ours, other })!,
      }));
    });
    const chart = speedChart("speed-streams", "Speed of streaming parsers relative to JSON.parse", bars);
    return [
      { page: "docs/streaming.md", heading: "Figures", content: chart },
      { page: "docs/arriving.md", heading: "Cost", content: partialTable(partial) },
    ];
  },
  quotes({ rows, latency }) {
    const page = "docs/streaming.md";
    const ratio = (group: string, ours: string, other: string): number =>
      ratioOf(rows.find((row) => row.group === group)!, { ours, other })!;
    const lead = (other: string): string => ratio(ELEMENTS, "BinaryParser, elements", other).toFixed(0);
    const lines = ratio(LINES, "BinaryParser, lines", "split + JSON.parse").toFixed(1);
    const [large, small] = ["64 KiB", "1 KiB"].map((size) =>
      formatRatio(ratio(DOCUMENT, `BinaryParser, ${size} chunks`, "parseBinary of the whole"))
    );
    const { afterLastByte, longestTurn, overValue } = latency!;
    return [
      `${lead("@streamparser/json")} times as fast as @streamparser/json`,
      `and ${lead("stream-json")} times as fast as stream-json`,
      `JSON Lines parse ${lines} times as fast as splitting`,
      `in chunks of 64 KiB runs at ${large} the speed of \`parseBinary\`, and in chunks of 1 KiB at ${small}`,
      `${afterLastByte[1].toPrecision(2)} ms after its last byte`,
      `at most ${formatTime(longestTurn[2])} in five runs`,
      `at most ${formatDecimalBytes(overValue[2])} above the size of the value`,
    ].map((words) => ({ page, words }));
  },
};
