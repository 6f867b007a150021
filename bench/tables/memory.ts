/**
 * Tables of docs/memory.md.
 *
 * @module
 */

import { parser } from "../../measure/contestants.ts";
import { formatRatio } from "../../measure/number_format.ts";
import type { Chart } from "../support/chart.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import type { SequenceRow } from "../support/sequences.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/memory.md";

/** Rows of `deno task bench memory` in the table; the page shows the same command. */
export const PEAK_OPTIONS: string[] = [
  "--runs",
  "3",
  "--only",
  "^peak/(citm|twitter.json|github|canada|poet|records|sent|coord|floats)",
];

/** Rows of `deno task bench memory` in the table of documents one after the other. */
export const SEQUENCE_OPTIONS: string[] = ["--runs", "3", "--only", "^sequence"];

/** Kinds of documents in the summary: a name, and a pattern of the rows that it stands for. */
const KINDS: [kind: string, rows: RegExp][] = [
  ["objects and text, copies", /^(citm|github|go_syn|poet|twitter|records|sentences)(?!.*no copies)/],
  ["objects and text, no copies", /no copies/],
  ["numbers", /^(canada|mesh|mnist|coordinate|floats)/],
];

/** First calls with a document, and documents one after the other. */
export interface MemoryResults {
  peaks: PeakRow[];
  sequences: SequenceRow[];
}

/** First calls with one document. */
interface PeakRow {
  name: string;
  bytes: number;
  /** Peaks by the name of the contestant. */
  peaks: Record<string, number>;
  /** Pages of the young generation when the call ends. */
  young: number;
  /** Ratio of parseBinary's peak to native's. */
  ratio: number;
  /** Ratio of the heap that the value holds to native's peak. */
  least: number;
  /** Ratio of native's time to parseBinary's. */
  speed: number;
}

/** Measures by `deno task bench memory`. */
export function measureMemory(settings: Settings): MemoryResults {
  const { peak } = runBench(settings, "memory", ["--pair", ...PEAK_OPTIONS, ...quickly(settings)]) as {
    peak: (Omit<PeakRow, "bytes" | "peaks" | "young"> & {
      medians: Record<string, { input: number; peak: number; young: number }>;
    })[];
  };
  const { sequence } = runBench(settings, "memory", [...SEQUENCE_OPTIONS, ...quickly(settings)]) as {
    sequence: SequenceRow[];
  };
  const peaks = peak.map(({ name, medians, ratio, least, speed }): PeakRow => ({
    name,
    bytes: medians[parser.name].input,
    peaks: Object.fromEntries(Object.entries(medians).map(([name, { peak }]) => [name, peak])),
    young: medians[parser.name].young,
    ratio,
    least,
    speed,
  }));
  return { peaks, sequences: sequence };
}

function memoryChart(name: string, title: string, bars: Chart["bars"]): Chart {
  return {
    name,
    title,
    sides: ["less memory than native", "more"],
    better: "below",
    bars: bars.toSorted((a, b) => a.ratio - b.ratio),
  };
}

function peaksChart(rows: PeakRow[]): Chart {
  const bars = rows.map(({ name, ratio }) => ({ label: name, ratio }));
  return memoryChart("memory-peaks", "Peak of memory of parseBinary over native's, on documents of 135 MB", bars);
}

function sequencesChart(rows: SequenceRow[]): Chart {
  const bars = rows.map(({ name, ours, theirs }) => ({ label: name, ratio: ours.peak / theirs.peak }));
  return memoryChart("memory-sequences", "Peak of memory over native's, on documents of 10 MB in turn", bars);
}

/** Formats the lowest and the highest of ratios, such as `0.15 to 0.56×`. */
export function formatRange(ratios: number[]): string {
  return `${Math.min(...ratios).toFixed(2)} to ${formatRatio(Math.max(...ratios))}`;
}

/** Lays out the ranges of memory relative to native's. */
function kindsTable(rows: PeakRow[]): Table {
  const hasEmoji = ({ name }: PeakRow): boolean => name.includes("😀");
  return {
    header: ["documents", "memory × native", "with an emoji"],
    rows: KINDS.map(([kind, pattern]) => {
      const members = rows.filter(({ name }) => pattern.test(name));
      const range = (rows: PeakRow[]): string => formatRange(rows.map(({ ratio }) => ratio));
      return [kind, range(members.filter((row) => !hasEmoji(row))), range(members.filter(hasEmoji))];
    }),
  };
}

/** Returns the tables of the page. */
export function memoryTables({ memory: { peaks, sequences } }: { memory: MemoryResults }): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "First calls on 135 MB", content: kindsTable(peaks) },
    { page: PAGE, heading: "Each document", content: peaksChart(peaks) },
    { page: PAGE, heading: "One large document after the other", content: sequencesChart(sequences) },
  ];
}
