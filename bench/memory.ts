/** Bench of the memory of parseBinary and native, each figure from a separate process. */

import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { native, parser } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import {
  isNarrow,
  loadInput,
  type measureCall,
  type measureSequence,
  type measureStream,
  type MemoryReading,
} from "./processes/measure_memory.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import type { Chart } from "./support/chart.ts";
import { corpusPaths } from "./support/corpus.ts";
import { generate, type Kind } from "./support/documents.ts";
import type { Table } from "./support/markdown_page.ts";
import { formatRange } from "./support/rows.ts";
import { callInProcess, otherRuntimes, THIS_RUNTIME, withFolder } from "./support/runtimes.ts";

const SIZE = 135e6;
const SEQUENCE_SIZE = 10e6;
const SEQUENCE_COUNT = 16;
const STREAM_SIZE = 200e6;

/** Files of the corpus: `canada` consists of numbers, the others of objects and text. */
const FILES = /^(citm_catalog|twitter|github_events|canada|poet_zh)\.json$/;
const GENERATED: Kind[] = ["records", "sentences", "coordinate pairs", "floats of 17 digits"];
/** Kinds also generated at full size, because copies of a document repeat all of its strings. */
const DISTINCT: Kind[] = ["records", "sentences"];
const ELEMENT_BYTES = 2e6;
/** Documents that come one after the other. */
const SEQUENCE = /^(twitter.json|canada.json|citm_catalog.json|records|sentences|coordinate pairs)$/;

/** Ways to read a stream into one buffer. */
const READERS = ["readBytes, size known", "readBytes, size unknown", "arrayBuffer()"];
/** Ways whose memory does not grow with the stream. */
const CONSTANT = ["parseValues, elements", "BinaryValidator"];

const MODULE = "processes/measure_memory.ts";

/** Readings of a document, or of a runtime, by way. */
interface MemoryRow {
  group: "peak" | "sequence" | "stream";
  name: string;
  readings: Record<string, MemoryReading>;
}

type Source = Omit<MemoryRow, "readings"> & { ways: Record<string, () => MemoryReading> };

function waysOf(ways: readonly string[], measure: (way: string) => MemoryReading): Source["ways"] {
  return Object.fromEntries(ways.map((way) => [way, () => measure(way)]));
}

const PAIR = [native.name, parser.name];

/** Generates a file of each kind. Returns their paths by the names of rows. */
function filesOf(kinds: readonly Kind[], folder: string, size: number, ending = ""): [name: string, path: string][] {
  return kinds.map((kind) => {
    const path = join(folder, `${kind} ${size}.json`);
    writeFileSync(path, generate(kind, size));
    return [`${kind}${ending}`, path];
  });
}

/** Returns the paths of files by their names. */
function named(paths: readonly string[], pattern = /./): [name: string, path: string][] {
  return paths.map((path): [string, string] => [basename(path), path]).filter(([name]) => pattern.test(name));
}

/** Yields the documents of first calls. V8 stores those with an emoji as two-byte text. */
function* peakSources({ paths, isQuick, number }: BenchOptions, folder: string): Generator<Source> {
  const size = 1e6 * number("size", (isQuick ? 20e6 : SIZE) / 1e6);
  const all = paths.length > 0 ? named(paths) : [
    ...named(corpusPaths(), FILES),
    ...filesOf(GENERATED, folder, ELEMENT_BYTES),
    ...filesOf(DISTINCT, folder, size, ", no copies"),
  ];
  for (const [name, path] of all) {
    for (const emoji of isNarrow(loadInput({ path })) ? [false, true] : [false]) {
      const measure = (way: string): MemoryReading =>
        callInProcess<typeof measureCall>(MODULE, "measureCall", [way, { path, size, emoji }]);
      yield { group: "peak", name: emoji ? `${name} 😀` : name, ways: waysOf(PAIR, measure) };
    }
  }
}

function* sequenceSources({ isQuick }: BenchOptions, folder: string): Generator<Source> {
  const count = isQuick ? 4 : SEQUENCE_COUNT;
  const kinds = GENERATED.filter((kind) => SEQUENCE.test(kind));
  for (const [name, path] of [...named(corpusPaths(), SEQUENCE), ...filesOf(kinds, folder, SEQUENCE_SIZE)]) {
    const measure = (way: string): MemoryReading =>
      callInProcess<typeof measureSequence>(MODULE, "measureSequence", [way, { path, size: SEQUENCE_SIZE }, count]);
    yield { group: "sequence", name, ways: waysOf(PAIR, measure) };
  }
}

function* streamSources({ isQuick, number, only, ...programs }: BenchOptions): Generator<Source> {
  const source = (name: string, ways: string[], size: number, runtime = THIS_RUNTIME): Source => {
    const measure = (way: string): MemoryReading =>
      callInProcess<typeof measureStream>(MODULE, "measureStream", [way, size], { runtime });
    return { group: "stream", name, ways: waysOf(ways, measure) };
  };
  yield source("constant memory", CONSTANT, 1e9 * number("gigabytes", isQuick ? 0.05 : 0.5));
  for (const runtime of only.test("stream/") ? [THIS_RUNTIME, ...otherRuntimes(programs)] : []) {
    yield source(runtime.name, READERS, isQuick ? 20e6 : STREAM_SIZE, runtime);
  }
}

function* sourcesOf(options: BenchOptions, folder: string): Generator<Source> {
  yield* peakSources(options, folder);
  if (options.paths.length > 0) return;
  yield* sequenceSources(options, folder);
  yield* streamSources(options);
}

function pairTable(title: string, rows: readonly MemoryRow[]): Table {
  return {
    header: [title, "bytes", native.name, parser.name, "× native", "native", "parseBinary", "speed", "value × native"],
    rows: rows.map((row) => {
      const [theirs, ours] = [native, parser].map(({ name }) => row.readings[name]);
      return [
        row.name,
        formatDecimalBytes(ours.bytes),
        ...[theirs.peak, ours.peak].map(formatDecimalBytes),
        formatRatio(ratioOf(row)),
        ...[theirs.milliseconds, ours.milliseconds].map(formatTime),
        formatRatio(theirs.milliseconds / ours.milliseconds),
        ours.value === undefined ? "" : formatRatio(ours.value / theirs.value!),
      ];
    }),
  };
}

/** Kinds of documents in the summary: a name, and a pattern of its rows. */
const KINDS: [kind: string, rows: RegExp][] = [
  ["objects and text, copies", /^(citm|github|poet|twitter|records|sentences)(?!.*no copies)/],
  ["objects and text, no copies", /no copies/],
  ["numbers", /^(canada|coordinate|floats)/],
];

function ratioOf({ readings }: MemoryRow): number {
  return readings[parser.name].peak / readings[native.name].peak;
}

function kindsTable(rows: readonly MemoryRow[]): Table {
  const range = (pattern: RegExp, hasEmoji: boolean): string =>
    formatRange(rows.filter(({ name }) => pattern.test(name) && name.includes("😀") === hasEmoji).map(ratioOf));
  return {
    header: ["documents", "memory × native", "with an emoji"],
    rows: KINDS.map(([kind, pattern]) => [kind, range(pattern, false), range(pattern, true)]),
  };
}

function memoryChart(name: string, title: string, rows: readonly MemoryRow[]): Chart {
  const bars = rows.map((row) => ({ label: row.name, ratio: ratioOf(row) })).sort((a, b) => a.ratio - b.ratio);
  return { name, title, sides: ["less memory than native", "more"], better: "below", bars };
}

function readersTable(rows: readonly MemoryRow[]): Table {
  const runtimes = rows.filter(({ readings }) => READERS[0] in readings);
  return {
    header: ["method", ...runtimes.map(({ name }) => name)],
    rows: READERS.map((way) => [
      way.replace(/^[\w()]+/, "`$&`"),
      ...runtimes.map(({ readings: { [way]: { peak, milliseconds } } }) => {
        return `${formatDecimalBytes(peak)}, ${formatTime(milliseconds)}`;
      }),
    ]),
  };
}

function of(group: MemoryRow["group"], { rows }: { rows: MemoryRow[] }): MemoryRow[] {
  return rows.filter((row) => row.group === group);
}

const PAGE = "docs/memory.md";

export const bench: Bench<{ rows: MemoryRow[] }> = {
  help: `Measures the memory that ${native.name} and ${parser.name} take, in separate processes.

  peak      first calls on documents of ${SIZE / 1e6} MB, most of them copies of one document, some once more
            with an emoji: the highest resident set, above that with the input loaded, and the heap
            taken by the value
  sequence  ${SEQUENCE_COUNT} documents of 10 MB in one process, each detached after its call: the highest
            resident set, and the time of a call in the later half
  stream    readBytes and arrayBuffer() in Deno, Node.js and Bun; parseValues and BinaryValidator, whose
            memory does not grow with the stream

Names of rows begin with these words. FILE stands in for the documents of peak.`,
  options: {
    "size N": `use documents of N MB for peak`,
    "gigabytes N": "let parseValues and BinaryValidator read N GB, 0.5 by default",
  },
  takesFiles: true,
  async measure(options) {
    const { only } = options;
    return await withFolder((folder) => {
      const rows: MemoryRow[] = [];
      for (const { group, name, ways } of sourcesOf(options, folder)) {
        if (!only.test(`${group}/${name}`)) continue;
        const readings = Object.entries(ways).map(([way, measure]) => {
          showProgress(`${group}/${name}, ${way}`);
          return [way, measure()];
        });
        rows.push({ group, name, readings: Object.fromEntries(readings) });
      }
      return { rows };
    });
  },
  tables(report) {
    return [
      pairTable("peak over the input", of("peak", report)),
      pairTable("peak of documents in turn", of("sequence", report)),
      {
        header: ["stream", "bytes", "peak", "time"],
        rows: of("stream", report).flatMap(({ name, readings }) =>
          Object.entries(readings).map(([way, { bytes, peak, milliseconds }]) => [
            `${name}: ${way}`,
            ...[bytes, peak].map(formatDecimalBytes),
            formatTime(milliseconds),
          ])
        ),
      },
    ].filter(({ rows }) => rows.length > 0);
  },
  blocks(report) {
    const peaks = "Peak memory of parseBinary relative to native, on documents of 135 MB";
    const sequences = "Peak memory relative to native, on documents of 10 MB in turn";
    const contents = {
      "First calls on 135 MB": kindsTable(of("peak", report)),
      "Each document": memoryChart("memory-peaks", peaks, of("peak", report)),
      "One large document after the other": memoryChart("memory-sequences", sequences, of("sequence", report)),
      "readBytes": readersTable(of("stream", report)),
    };
    return Object.entries(contents).map(([heading, content]) => ({ page: PAGE, heading, content }));
  },
  quotes(report) {
    const times = (group: MemoryRow["group"]): string =>
      formatRange(of(group, report).map(ratioOf)).replace("×", " times");
    return [
      { page: "README.md", words: `peak at ${times("peak")} native's memory` },
      { page: PAGE, words: `takes ${times("peak")} the memory of native` },
      { page: PAGE, words: `peak at ${times("sequence")} native's memory` },
    ];
  },
};
