/**
 * Tables of docs/memory.md.
 *
 * @module
 */

import { native, parser, response } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatRatio } from "../../measure/number_format.ts";
import { replaceTable, type Table } from "../support/page.ts";
import { type SequenceRow, sequenceTable } from "../support/sequences.ts";
import { edit, quickly, runBench, type Settings } from "./context.ts";

/** Rows of `deno task bench memory` in the table; the page tells the same command. */
export const PEAK_OPTIONS: string[] = [
  "--runs",
  "3",
  "--only",
  "^peak/(citm|twitter.json|github|canada|mesh.json|poet|go_syn|mnist|records|sent|coord|floats)",
];

/** Rows of `deno task bench memory` in the table of documents one after the other. */
export const SEQUENCE_OPTIONS: string[] = ["--runs", "3", "--only", "^sequence"];

/** First calls with a document, as far as they are in the table. */
interface PeakRow {
  name: string;
  medians: Record<string, { input: number; peak: number; young: number }>;
  ratio: number;
  least: number;
  speed: number;
}

/** Measures by `deno task bench memory`. */
export async function writeMemory(settings: Settings): Promise<void> {
  await writePeaks(settings);
  await writeSequences(settings);
}

async function writeSequences(settings: Settings): Promise<void> {
  const options = [...SEQUENCE_OPTIONS, ...quickly(settings)];
  const { sequence } = runBench(settings, "memory", options) as { sequence: SequenceRow[] };
  await edit(
    settings,
    "memory.md",
    (page) => replaceTable(page, "One large document after the other", sequenceTable(sequence)),
  );
}

async function writePeaks(settings: Settings): Promise<void> {
  const { peak } = runBench(settings, "memory", [...PEAK_OPTIONS, ...quickly(settings)]) as { peak: PeakRow[] };
  const names = [native.name, response.name, parser.name];
  const table: Table = {
    header: [
      "document",
      "size",
      "native",
      response.name,
      parser.name,
      "memory × native",
      "value alone",
      "young",
      "speed × native",
    ],
    rows: peak.map(({ name, medians, ratio, least, speed }) => [
      name,
      formatDecimalBytes(medians[parser.name].input),
      ...names.map((name) => formatDecimalBytes(medians[name].peak)),
      formatRatio(ratio),
      formatRatio(least),
      formatDecimalBytes(medians[parser.name].young),
      formatRatio(speed),
    ]),
  };
  await edit(settings, "memory.md", (page) => replaceTable(page, "First calls on 135 MB", table));
}
