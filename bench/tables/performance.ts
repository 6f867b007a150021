/**
 * Tables of docs/performance.md, docs/generated-code.md and docs/command-line.md.
 *
 * @module
 */

import { native, parser } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import { geometricMean } from "../../measure/statistics.ts";
import type { OverheadRow } from "../cli.ts";
import type { CallCurve } from "../support/call_curve.ts";
import { formatSpeed, type Row, type Summary } from "../support/comparison.ts";
import type { Chart } from "../support/chart.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import { PEER_NAME } from "../support/peer.ts";
import { quickly, runBench, runProgram, type Settings } from "./context.ts";

const PAGE = "docs/performance.md";
const COMMAND_LINE = "docs/command-line.md";

const EXPOSE_GC = ["--v8-flags=--expose-gc"];

/** Headings of the groups, with what README.md calls them. */
const GROUPS: Record<string, [heading: string, words: string]> = {
  corpus: ["Well-known files", "well-known JSON files"],
  generated: ["One kind of value each", "one kind of value each"],
  payload: ["Bodies of a few bytes", "bodies of 1 B to 3 KB"],
  failure: ["Documents that are not JSON", "documents that are not valid JSON"],
};

/** Most documents that a table shows; a chart shows more. */
const MOST_ROWS = 12;

/** Numbers of calls that have a column, with the words for them. */
const CALL_MARKS: [calls: number, words: string][] = [
  [1, "first call"],
  [10, "10 calls"],
  [100, "100 calls"],
  [500, "500 calls"],
];

/** Figures of documents and of their groups. */
export interface ComparisonResults {
  runtime: string;
  documents: Row[];
  groups: Summary[];
}

/** Figures of groups of documents. */
export interface SummaryResults {
  groups: Summary[];
}

/** Curves of the first calls in new processes. */
export interface CallResults {
  /** Numbers of calls at which the curves have ratios. */
  marks: number[];
  curves: Pick<CallCurve, "name" | "ratios">[];
}

/** Speeds of validators on documents, and means of groups. */
export interface ValidationResults {
  documents: { group: string; name: string; bytes: number; mbPerSecond: Record<string, number> }[];
  groups: { group: string; mbPerSecond: Record<string, number>; ratios: Record<string, number> }[];
}

/** Times of whole processes, `null` for those that are not installed. */
export interface ToolResults {
  files: { name: string; milliseconds: Record<string, number | null> }[];
}

/** Figures of `check` beside those of validation. */
export interface OverheadResults {
  rows: OverheadRow[];
}

/** Times and memory of whole processes that print parts of documents. */
export interface PartResults {
  /** Bytes of the lines that they read. */
  bytes: number;
  /** Figures of the tools that are installed; `peak` is their memory in bytes. */
  results: { name: string; tools: Record<string, { milliseconds: number; peak?: number }> }[];
}

/** Screen of the README's first command. */
export interface SampleResults {
  screen: string[];
}

/** Results that the pages show. */
export interface PerformanceResults {
  "cli": OverheadResults;
  "compare": ComparisonResults;
  "first-calls": CallResults;
  "no-codegen": SummaryResults;
  "parts": PartResults;
  "sample": SampleResults;
  "tools": ToolResults;
  "validate": ValidationResults;
}

/** Measures by `deno task bench compare`. */
export function measureComparison(settings: Settings): ComparisonResults {
  const { runtime, documents, groups } = runBench(
    settings,
    "compare",
    quickly(settings),
    EXPOSE_GC,
  ) as ComparisonResults;
  return { runtime, documents, groups };
}

/** Measures by the command of docs/generated-code.md. */
export function measureWithoutCodegen(settings: Settings): SummaryResults {
  const flags = ["--preload=./no_codegen.ts", ...EXPOSE_GC];
  const { groups } = runBench(
    settings,
    "compare",
    ["--pair", "--only", "^(corpus|payload)/", ...quickly(settings)],
    flags,
  ) as SummaryResults;
  return { groups };
}

/** Measures by `deno task bench compare --fresh`. */
export function measureFirstCalls(settings: Settings): CallResults {
  const { marks, curves } = runBench(settings, "compare", ["--fresh", ...quickly(settings)], EXPOSE_GC) as CallResults;
  return { marks, curves: curves.map(({ name, ratios }) => ({ name, ratios })) };
}

/** Measures by bench validate. */
export function measureValidation(settings: Settings): ValidationResults {
  const { documents, groups } = runBench(settings, "validate", quickly(settings)) as ValidationResults;
  return { documents, groups };
}

/** Measures by bench validate with `--tools`. */
export function measureTools(settings: Settings): ToolResults {
  const { files } = runBench(settings, "validate", ["--tools"]) as ToolResults;
  return { files };
}

/** Measures by bench parts. */
export function measureParts(settings: Settings): PartResults {
  const { bytes, results } = runBench(settings, "parts", [
    "--megabytes",
    "100",
    "--runs",
    "3",
    ...quickly(settings),
  ]) as PartResults;
  return { bytes, results };
}

/** Measures the sample by the command line, as the first command of README.md does. */
export function measureSample(settings: Settings): SampleResults {
  const screen = runProgram(settings, "cli.ts", ["bench", "bench/sample.json"], EXPOSE_GC);
  return { screen: screen.trimEnd().split("\n") };
}

/** Measures by `deno task bench cli`. */
export function measureOverhead(settings: Settings): OverheadResults {
  const { rows } = runBench(settings, "cli", quickly(settings)) as OverheadResults;
  return { rows };
}

function summaryTable(summaries: Summary[], nameOf: (group: string) => string): Table {
  const hasPeer = summaries.some(({ peerGeometricMean }) => peerGeometricMean !== undefined);
  return {
    header: ["group", "documents", "mean", "worst", "worst document", ...(hasPeer ? [`mean × ${PEER_NAME}`] : [])],
    rows: summaries.map(({ group, documents, geometricMean, worst, peerGeometricMean }) => [
      nameOf(group),
      String(documents),
      formatRatio(geometricMean),
      formatRatio(worst.ratio),
      worst.name,
      ...(hasPeer ? [peerGeometricMean === undefined ? "" : formatRatio(peerGeometricMean)] : []),
    ]),
  };
}

function documentsTable(rows: Row[]): Table {
  return {
    header: ["document", native.name, parser.name, "× native"],
    rows: rows.map((row) => [
      row.name,
      ...[native.name, parser.name].map((name) => formatSpeed(row, name)),
      formatRatio(row.ratio),
    ]),
  };
}

/** Sides of a chart of speeds. */
const SLOWER_OR_FASTER: Pick<Chart, "sides" | "better"> = {
  sides: ["slower than native", "faster than native"],
  better: "above",
};

function documentsChart(group: string, rows: Row[]): Chart {
  const [, words] = GROUPS[group];
  return {
    name: `speed-${group}`,
    title: `Speed of parseBinary over native's: ${words}`,
    ...SLOWER_OR_FASTER,
    bars: rows.toSorted((a, b) => b.ratio - a.ratio).map(({ name, ratio }) => ({ label: name, ratio })),
  };
}

function validationChart({ documents }: ValidationResults): Chart {
  const bars = documents.filter(({ group }) => group === "corpus").map(({ name, mbPerSecond }) => {
    const [nativeSpeed, , whole] = Object.values(mbPerSecond);
    return { label: name, ratio: whole / nativeSpeed };
  });
  return {
    name: "speed-validation",
    title: "Speed of validateBinary over native's: well-known JSON files",
    ...SLOWER_OR_FASTER,
    bars: bars.toSorted((a, b) => b.ratio - a.ratio),
  };
}

function callsTable({ marks, curves }: CallResults): Table {
  const columns = CALL_MARKS.map(([calls]) => marks.indexOf(calls));
  const cells = (ratioAt: (column: number) => number): string[] =>
    columns.map((column) => formatRatio(ratioAt(column)));
  return {
    header: ["document", ...CALL_MARKS.map(([, words]) => words)],
    rows: [
      ...curves.map(({ name, ratios }) => [name.replace(".json", ""), ...cells((column) => ratios[column])]),
      ["geometric mean", ...cells((column) => geometricMean(curves.map(({ ratios }) => ratios[column])))],
    ],
  };
}

function validationTable({ groups }: ValidationResults): Table {
  return {
    header: ["group", ...Object.keys(groups[0].mbPerSecond), ...Object.keys(groups[0].ratios)],
    rows: groups.map(({ group, mbPerSecond, ratios }) => [
      group,
      ...Object.values(mbPerSecond).map((speed) => speed.toFixed(0)),
      ...Object.values(ratios).map(formatRatio),
    ]),
  };
}

function toolsTable({ files }: ToolResults): Table {
  const names = Object.keys(files[0].milliseconds).filter((tool) => files[0].milliseconds[tool] !== null);
  return {
    header: ["100 MB of", ...names],
    rows: files.map(({ name, milliseconds }) => [
      name.replace(".json", ""),
      ...names.map((tool) => {
        const time = milliseconds[tool]!;
        return `${formatTime(time)} (${formatRatio(time / milliseconds[names[0]]!)})`;
      }),
    ]),
  };
}

/** Tasks of bench parts, with our command. */
const PART_COMMANDS: Record<string, string> = {
  "members": "`select '{timestamp,message,http:{status}}'`",
  "lines that match": "`select --where '/level=\"error\"'`",
  "a value of each line": "`get /http/status`",
};

function partsTable({ bytes, results }: PartResults): Table {
  const names = [...new Set(results.flatMap(({ tools }) => Object.keys(tools)))];
  return {
    header: [`${formatDecimalBytes(bytes)} of lines`, ...names],
    rows: results.map(({ name, tools }) => [
      PART_COMMANDS[name],
      ...names.map((tool) => {
        if (tools[tool] === undefined) return "";
        const { milliseconds, peak } = tools[tool];
        const ratio = tool === names[0] ? [] : [formatRatio(milliseconds / tools[names[0]].milliseconds)];
        const memory = peak === undefined ? [] : [formatDecimalBytes(peak)];
        return [formatTime(milliseconds), ...ratio, ...memory].join(", ");
      }),
    ]),
  };
}

/** Rows of bench cli in words. */
const OVERHEAD_NAMES: Record<string, string> = {
  "start-up": "start-up from source, a file of 1 KB",
  "installed": "start-up as installed, a file of 1 KB",
  "1 GB": "a file of 1 GB; `validateBinary` has it in memory",
  "64 MB": "a file of 64 MB; `validateBinary` has it in memory",
  "two jobs": "four such files",
  "10,000 files": "10,000 files of 1 KB among ignore rules",
};

/** Returns the table of the overhead of `check` around validation. */
export function overheadTable(rows: readonly OverheadRow[]): Table {
  return {
    header: ["task", "command", "takes", "compared with", "takes", "ratio"],
    rows: rows.map(({ name, unit, first, second, best, ratio }) => [
      OVERHEAD_NAMES[name],
      first,
      ...[best[0], second, best[1]].map((cell) => typeof cell === "string" ? cell : `${formatCount(cell)} ${unit}`),
      `${formatRatio(ratio)} the ${unit === "ms" ? "time" : "speed"}`,
    ]),
  };
}

function formatCount(figure: number): string {
  return Math.round(figure).toLocaleString("en");
}

/** Returns lines of a terminal as a block of code. */
function codeBlock(lines: string[]): string {
  return ["```", ...lines, "```"].join("\n");
}

/** Returns the tables of speed. */
export function performanceTables(results: PerformanceResults): MeasuredBlock[] {
  const { compare: { documents, groups }, validate, tools, cli, parts, sample: { screen } } = results;
  return [
    {
      page: PAGE,
      heading: "parseBinary",
      content: summaryTable(groups, (group) => `${group}: ${GROUPS[group][1]}`),
    },
    ...groups.map(({ group }): MeasuredBlock => {
      const rows = documents.filter((row) => row.group === group);
      const content = rows.length > MOST_ROWS ? documentsChart(group, rows) : documentsTable(rows);
      return { page: PAGE, heading: GROUPS[group][0], content };
    }),
    { page: PAGE, heading: "First calls", content: callsTable(results["first-calls"]) },
    { page: PAGE, heading: "validateBinary", content: validationTable(validate) },
    { page: PAGE, heading: "Validation of well-known files", content: validationChart(validate) },
    { page: PAGE, heading: "Whole processes", content: toolsTable(tools) },
    {
      page: "docs/generated-code.md",
      heading: "Speed without it",
      content: summaryTable(results["no-codegen"].groups, (group) => group),
    },
    { page: COMMAND_LINE, heading: "Speed of check", content: overheadTable(cli.rows) },
    { page: COMMAND_LINE, heading: "Speed of parts", content: partsTable(parts) },
    {
      page: COMMAND_LINE,
      heading: "bench",
      content: codeBlock(["$ bytejson bench bench/sample.json", ...screen]),
    },
  ];
}
