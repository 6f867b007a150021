/** Bench of the first calls of processes. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { native, parser } from "../measure/contestants.ts";
import { formatRatio } from "../measure/number_format.ts";
import { geometricMean, median } from "../measure/statistics.ts";
import type { Mask } from "../select.ts";
import type { timeFirstCalls } from "./processes/time_first_calls.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { readDocument } from "./support/corpus.ts";
import { generate, type Kind } from "./support/documents.ts";
import { takeTurns } from "./support/bench_lanes.ts";
import type { Table } from "./support/markdown_page.ts";
import { callInProcess, withFolder } from "./support/runtimes.ts";
import { messages } from "./support/select_documents.ts";
import { MESSAGE_MASK, RECORD_MASK, SELECT } from "./support/selections.ts";

const KINDS: Kind[] = ["records", "many small objects", "floats of 6 decimals", "sentences", "CJK text"];
const KIND_BYTES = 200_000;

/** Numbers of calls at which curves have ratios. */
const MARKS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/** Numbers of calls that have a column in the documentation. */
const SHOWN_MARKS = [1, 10, 100, 500];
/** Maximum number of bytes that a process parses, and the minimum number of its calls. */
const MAX_BYTES = 110_000_000;
const MIN_CALLS = 10;
const PROCESSES = 5;

interface Source {
  name: string;
  bytes: Uint8Array;
  /** Mask for selectBinary; absent for parseBinary. */
  mask?: Mask;
}

interface Curve {
  name: string;
  way: string;
  /** Ratio of native's total time to ours, by number of calls. */
  ratios: Record<number, number>;
}

/** Returns the number of calls that a process makes with a document of `bytes` bytes. */
export function callsFor(bytes: number): number {
  const affordable = Math.max(MIN_CALLS, Math.floor(MAX_BYTES / bytes));
  return MARKS.findLast((mark) => mark <= affordable)!;
}

/** Computes ratios from the total times after each call. */
export function toCurve(name: string, way: string, theirs: number[], ours: number[]): Curve {
  const marks = MARKS.filter((mark) => mark <= ours.length);
  return { name, way, ratios: Object.fromEntries(marks.map((mark) => [mark, theirs[mark - 1] / ours[mark - 1]])) };
}

/** Measures contestants on a document, each in separate processes. */
function measureCurve({ name, bytes, mask = true }: Source, rounds: number): Promise<Curve> {
  const way = mask === true ? parser.name : SELECT;
  const calls = callsFor(bytes.length);
  const samples: Record<string, number[][]> = { [native.name]: [], [way]: [] };
  return withFolder(async (folder) => {
    const path = join(folder, "document.json");
    writeFileSync(path, bytes);
    await takeTurns(Object.keys(samples), rounds, (contestant) => {
      showProgress(`${name}, ${contestant}`);
      const measure = callInProcess<typeof timeFirstCalls>;
      samples[contestant].push(
        measure("processes/time_first_calls.ts", "timeFirstCalls", [contestant, mask, path, calls]),
      );
    });
    const [theirs, ours] = Object.values(samples).map((runs) =>
      Array.from({ length: calls }, (_, i) => median(runs.map((run) => run[i])))
    );
    return toCurve(name, way, theirs, ours);
  });
}

function sourcesOf({ paths, only }: BenchOptions): Source[] {
  const files = paths.map((path) => readDocument(path)).map(({ name, parts }) => ({ name, bytes: parts[0] }));
  const generated: Source[] = [
    ...KINDS.map((kind) => ({ name: kind, bytes: generate(kind, KIND_BYTES) })),
    { name: "message of 2 KB", bytes: messages(2000)[0], mask: MESSAGE_MASK },
    { name: "records of 2 MB", bytes: generate("records", 2_000_000), mask: RECORD_MASK },
  ];
  return (paths.length > 0 ? files : generated).filter(({ name }) => only.test(name));
}

function curvesTable(curves: readonly Curve[], marks: readonly number[]): Table {
  const cell = (ratio: number | undefined): string => ratio === undefined ? "" : formatRatio(ratio);
  return {
    header: ["document", ...marks.map((calls) => calls === 1 ? "first call" : `${calls} calls`)],
    rows: [
      ...curves.map(({ name, ratios }) => [name, ...marks.map((calls) => cell(ratios[calls]))]),
      ["geometric mean", ...marks.map((calls) => formatRatio(meanAt(curves, calls)))],
    ],
  };
}

function meanAt(curves: readonly Curve[], calls: number): number {
  return geometricMean(curves.flatMap(({ ratios }) => ratios[calls] ?? []));
}

function ofParser(curves: readonly Curve[]): Curve[] {
  return curves.filter(({ way }) => way === parser.name);
}

export const bench: Bench<{ curves: Curve[] }> = {
  help: `Measures the first calls of new processes, up to 500: the total time of native over that of parseBinary
or, for a message and large records, of selectBinary. Processes take turns; times are medians. A
ratio above 1 means that bytejson is faster.`,
  takesFiles: true,
  async measure(options) {
    const curves: Curve[] = [];
    for (const source of sourcesOf(options)) {
      curves.push(await measureCurve(source, options.isQuick ? 1 : PROCESSES));
    }
    return { curves };
  },
  tables: ({ curves }) => [curvesTable(curves, MARKS)],
  blocks: ({ curves }) => [{
    page: "docs/performance.md",
    heading: "First calls",
    content: curvesTable(ofParser(curves), SHOWN_MARKS),
  }],
  quotes({ curves }) {
    const slowdown = (1 / meanAt(ofParser(curves), 1)).toFixed(1);
    const first = (name: string): string => formatRatio(curves.find((curve) => curve.name === name)!.ratios[1]);
    return [
      { page: "README.md", words: `first call takes ${slowdown} times as long as native's` },
      { page: "docs/performance.md", words: `the first call of a process takes ${slowdown} times as long` },
      {
        page: "docs/select.md",
        words: `runs at ${first("message of 2 KB")} native's speed on a message of 2 KB, and at ${
          first("records of 2 MB")
        } on records of 2 MB`,
      },
    ];
  },
};
