/**
 * Bench of the memory of parseBinary beside native, each figure from a process of its own.
 *
 * @module
 */

import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { native, parser } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import type { CallReading, MemoryTask, SequenceReading } from "./processes/memory_child.ts";
import type { StreamReading } from "./processes/stream_memory.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import type { Chart } from "./support/chart.ts";
import { corpusPaths } from "./support/corpus.ts";
import { generate, type Kind } from "./support/documents.ts";
import { takeTurns } from "./support/lane.ts";
import { isNarrow, loadInput, type MemoryInput } from "./support/memory_documents.ts";
import type { Table } from "./support/page.ts";
import { formatRange } from "./support/rows.ts";
import { otherRuntimes, runProgram, type Runtime, THIS_RUNTIME, withFolder } from "./support/runtimes.ts";

const SIZE = 135e6;
const SEQUENCE_SIZE = 10e6;
const SEQUENCE_COUNT = 24;
const STREAM_SIZE = 200e6;

/** Files of the corpus: most of objects and text, `canada` of numbers. */
const FILES = /^(citm_catalog|twitter|github_events|canada|poet_zh)\.json$/;
const GENERATED: Kind[] = ["records", "sentences", "coordinate pairs", "floats of 17 digits"];
/** Kinds also generated at full size, because copies of a document repeat all of its strings. */
const DISTINCT: Kind[] = ["records", "sentences"];
const ELEMENT_BYTES = 2e6;
/** Documents that come one after the other. */
const SEQUENCE = /^(twitter.json|canada.json|citm_catalog.json|records|sentences|coordinate pairs)$/;

/** Ways to read a stream into one buffer, with the words of the page. */
const READERS: Record<string, string> = {
  "readBytes, size known": "`readBytes`, size known",
  "readBytes, size unknown": "`readBytes`, size unknown",
  "arrayBuffer()": "`arrayBuffer()`",
};
/** Ways whose memory does not grow with the stream. */
const CONSTANT = ["parseValues, elements", "BinaryValidator"];

/** Readings of native and of parseBinary on a document. */
interface Pair<Reading> {
  name: string;
  theirs: Reading;
  ours: Reading;
}

/** Reading of a stream in one runtime. */
interface StreamRow extends StreamReading {
  runtime: string;
  way: string;
}

interface MemoryReport {
  /** First calls in processes of their own. */
  peaks: Pair<CallReading>[];
  sequences: Pair<SequenceReading>[];
  streams: StreamRow[];
}

/** Document to measure. */
interface Source {
  name: string;
  input: MemoryInput;
}

/** Runs a child several times for each contestant, in turn. Returns the medians. */
async function measurePair<Reading>(
  { name, input }: Source,
  runs: number,
  task: Partial<MemoryTask>,
): Promise<Pair<Reading>> {
  const readings = new Map([native, parser].map(({ name }): [string, Reading[]] => [name, []]));
  await takeTurns([...readings.keys()], runs, (contestant) => {
    showProgress(`${name}, ${contestant}`);
    const args = [JSON.stringify({ contestant, input, ...task } satisfies MemoryTask)];
    readings.get(contestant)!.push(runProgram<Reading>("bench/processes/memory_child.ts", args));
  });
  const [theirs, ours] = [...readings.values()].map(mediansOf);
  return { name, theirs, ours };
}

function mediansOf<Reading>(readings: Reading[]): Reading {
  const entries = Object.keys(readings[0] as object).map((key) => {
    return [key, median(readings.map((reading) => (reading as Record<string, number>)[key]))];
  });
  return Object.fromEntries(entries);
}

/** Generates a file with elements of a kind, once. Returns its path. */
function elementsOf(kind: Kind, folder: string, size: number): string {
  const path = join(folder, `${kind} ${size}.json`);
  if (!existsSync(path)) writeFileSync(path, generate(kind, size));
  return path;
}

/** Returns the documents of first calls, some with an emoji: V8 stores their text with two bytes per character. */
function peakSources({ paths, only }: BenchOptions, folder: string, size: number): Source[] {
  const files = paths.length > 0 ? paths : corpusPaths().filter((path) => FILES.test(basename(path)));
  const sources: Source[] = files.map((path) => ({ name: basename(path), input: { path, size } }));
  if (paths.length === 0) {
    for (const kind of GENERATED) {
      sources.push({ name: kind, input: { path: elementsOf(kind, folder, ELEMENT_BYTES), size } });
    }
    for (const kind of DISTINCT) {
      const name = `${kind}, no copies`;
      if (only.test(`peak/${name}`)) sources.push({ name, input: { path: elementsOf(kind, folder, size), size } });
    }
  }
  return sources.flatMap((source) => {
    const emoji = { name: `${source.name} 😀`, input: { ...source.input, emoji: true } };
    return isNarrow(loadInput({ path: source.input.path })) ? [source, emoji] : [source];
  }).filter(({ name }) => only.test(`peak/${name}`));
}

function sequenceSources({ paths, only }: BenchOptions, folder: string): Source[] {
  const files = (paths.length > 0 ? [] : corpusPaths()).map((path): Source => {
    return { name: basename(path), input: { path, size: SEQUENCE_SIZE } };
  });
  const generated = paths.length > 0 ? [] : GENERATED.map((name): Source => {
    return { name, input: { path: elementsOf(name, folder, SEQUENCE_SIZE) } };
  });
  return [...files, ...generated].filter(({ name }) => SEQUENCE.test(name) && only.test(`sequence/${name}`));
}

function measureStream(runtime: Runtime, way: string, size: number, runs: number): StreamRow {
  showProgress(`${runtime.name}, ${way}`);
  const readings = Array.from({ length: runs }, () => {
    return runProgram<StreamReading>("bench/processes/stream_memory.ts", [way, String(size)], { runtime });
  });
  return { runtime: runtime.name, way, ...mediansOf(readings) };
}

function pairTable(title: string, rows: readonly Pair<SequenceReading & { value?: number }>[]): Table {
  return {
    header: [title, "bytes", native.name, parser.name, "× native", "native", "parseBinary", "speed", "value × native"],
    rows: rows.map(({ name, theirs, ours }) => [
      name,
      formatDecimalBytes(ours.bytes),
      ...[theirs.peak, ours.peak].map(formatDecimalBytes),
      formatRatio(ours.peak / theirs.peak),
      ...[theirs.milliseconds, ours.milliseconds].map(formatTime),
      formatRatio(theirs.milliseconds / ours.milliseconds),
      ours.value === undefined ? "" : formatRatio(ours.value / theirs.value!),
    ]),
  };
}

/** Kinds of documents in the summary: a name, and a pattern of the rows that it stands for. */
const KINDS: [kind: string, rows: RegExp][] = [
  ["objects and text, copies", /^(citm|github|poet|twitter|records|sentences)(?!.*no copies)/],
  ["objects and text, no copies", /no copies/],
  ["numbers", /^(canada|coordinate|floats)/],
];

function ratioOf({ theirs, ours }: Pair<{ peak: number }>): number {
  return ours.peak / theirs.peak;
}

function kindsTable(rows: readonly Pair<CallReading>[]): Table {
  return {
    header: ["documents", "memory × native", "with an emoji"],
    rows: KINDS.map(([kind, pattern]) => {
      const members = rows.filter(({ name }) => pattern.test(name));
      const range = (hasEmoji: boolean): string => {
        return formatRange(members.filter(({ name }) => name.includes("😀") === hasEmoji).map(ratioOf));
      };
      return [kind, range(false), range(true)];
    }),
  };
}

function memoryChart(name: string, title: string, rows: readonly Pair<{ peak: number }>[]): Chart {
  const bars = rows.map((row) => ({ label: row.name, ratio: ratioOf(row) })).sort((a, b) => a.ratio - b.ratio);
  return { name, title, sides: ["less memory than native", "more"], better: "below", bars };
}

function readersTable(streams: readonly StreamRow[]): Table {
  const runtimes = [...new Set(streams.filter(({ way }) => way in READERS).map(({ runtime }) => runtime))];
  return {
    header: ["way", ...runtimes],
    rows: Object.entries(READERS).map(([way, words]) => [
      words,
      ...runtimes.map((runtime) => {
        const { peak, milliseconds } = streams.find((row) => row.way === way && row.runtime === runtime)!;
        return `${formatDecimalBytes(peak)}, ${formatTime(milliseconds)}`;
      }),
    ]),
  };
}

const PAGE = "docs/memory.md";

/** `deno task bench memory`. */
export const bench: Bench<MemoryReport> = {
  help: `Measures the memory that ${native.name} and ${parser.name} take, in processes of their own.

  peak      first calls on documents of ${SIZE / 1e6} MB, most of them copies of one document, some once more
            with an emoji: the highest resident set, above that with the input loaded, and the heap
            that the value holds
  sequence  ${SEQUENCE_COUNT} documents of 10 MB in one process, each detached after its call: the highest
            resident set, and the time of a call in the later half
  stream    readBytes and arrayBuffer() in Deno, Node.js and Bun; parseValues and BinaryValidator, whose
            memory does not grow with the stream

Names of rows begin with these words. FILE stands in for the documents of peak.`,
  numbers: {
    "runs": "take medians of N runs, 1 by default",
    "size": `use documents of N MB for peak`,
    "gigabytes": "let parseValues and BinaryValidator read N GB, 0.5 by default",
  },
  takesFiles: true,
  async measure(options) {
    const { only, isQuick, paths } = options;
    return await withFolder(async (folder) => {
      const report: MemoryReport = { peaks: [], sequences: [], streams: [] };
      const runs = options.number("runs", 1, 1);
      const size = 1e6 * options.number("size", (isQuick ? 20e6 : SIZE) / 1e6);
      for (const source of peakSources(options, folder, size)) {
        report.peaks.push(await measurePair<CallReading>(source, runs, {}));
      }
      for (const source of sequenceSources(options, folder)) {
        report.sequences.push(await measurePair(source, runs, { count: isQuick ? 4 : SEQUENCE_COUNT }));
      }
      const ways = (all: string[]): string[] => paths.length > 0 ? [] : all.filter((way) => only.test(`stream/${way}`));
      const readers = ways(Object.keys(READERS));
      for (const runtime of readers.length > 0 ? [THIS_RUNTIME, ...otherRuntimes(options)] : []) {
        for (const way of readers) report.streams.push(measureStream(runtime, way, isQuick ? 20e6 : STREAM_SIZE, runs));
      }
      const bytes = 1e9 * options.number("gigabytes", isQuick ? 0.05 : 0.5);
      for (const way of ways(CONSTANT)) report.streams.push(measureStream(THIS_RUNTIME, way, bytes, runs));
      if (Object.values(report).every((rows) => rows.length === 0)) {
        throw new Error(`Cannot compare: no row matches ${only}`);
      }
      return report;
    });
  },
  tables({ peaks, sequences, streams }) {
    return [
      pairTable("peak over the input", peaks),
      pairTable("peak of documents in turn", sequences),
      {
        header: ["stream", "bytes", "peak", "time"],
        rows: streams.map(({ runtime, way, bytes, peak, milliseconds }) => [
          `${way}, in ${runtime}`,
          ...[bytes, peak].map(formatDecimalBytes),
          formatTime(milliseconds),
        ]),
      },
    ].filter(({ rows }) => rows.length > 0);
  },
  blocks({ peaks, sequences, streams }) {
    const [peakTitle, sequenceTitle] = [
      "Peak of memory of parseBinary over native's, on documents of 135 MB",
      "Peak of memory over native's, on documents of 10 MB in turn",
    ];
    return [
      { page: PAGE, heading: "First calls on 135 MB", content: kindsTable(peaks) },
      { page: PAGE, heading: "Each document", content: memoryChart("memory-peaks", peakTitle, peaks) },
      {
        page: PAGE,
        heading: "One large document after the other",
        content: memoryChart("memory-sequences", sequenceTitle, sequences),
      },
      { page: PAGE, heading: "readBytes", content: readersTable(streams) },
    ];
  },
  quotes({ peaks, sequences }) {
    const times = (rows: readonly Pair<{ peak: number }>[]): string =>
      formatRange(rows.map(ratioOf)).replace("×", " times");
    return [
      { page: "README.md", words: `peak at ${times(peaks)} native's memory` },
      { page: PAGE, words: `takes ${times(peaks)} the memory of native` },
      { page: PAGE, words: `peak at ${times(sequences)} native's memory` },
    ];
  },
};
