/**
 * Tables of docs/performance.md, docs/command-line.md and README.md.
 *
 * @module
 */

import { native, parser } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatPercent, formatRatio, formatTime } from "../../measure/number_format.ts";
import type { OverheadRow } from "../cli.ts";
import { formatSpeed, type Row, type Summary } from "../support/comparison.ts";
import { replaceBlock, replaceTable, type Table } from "../support/page.ts";
import { PEER_NAME } from "../support/peer.ts";
import { edit, quickly, runBench, runProgram, type Settings } from "./context.ts";

/** Headings of the groups, with what README.md calls them. */
const GROUPS: Record<string, [heading: string, words: string]> = {
  corpus: ["Well-known files", "well-known JSON files"],
  generated: ["One kind of value each", "one kind of value each"],
  payload: ["Bodies of a few bytes", "bodies of 1 B to 3 KB"],
  failure: ["Documents that are not JSON", "documents that are not valid JSON"],
};

function summaryTable(summaries: Summary[], nameOf: (group: string) => string): Table {
  return {
    header: ["group", "documents", "mean", "worst", "worst document", `mean × ${PEER_NAME}`],
    rows: summaries.map(({ group, documents, geometricMean, worst, peerGeometricMean }) => [
      nameOf(group),
      String(documents),
      formatRatio(geometricMean),
      formatRatio(worst.ratio),
      worst.name,
      peerGeometricMean === undefined ? "" : formatRatio(peerGeometricMean),
    ]),
  };
}

function documentsTable(group: string, rows: Row[]): Table {
  // Bodies stand from small to large, the rest by how well parseBinary does.
  const sorted = group === "payload" || group === "failure" ? rows : rows.toSorted((a, b) => b.ratio - a.ratio);
  return {
    header: ["document", "size", "native", "parseBinary", PEER_NAME, "× native", `× ${PEER_NAME}`, "spread"],
    rows: sorted.map((row) => [
      row.name,
      formatDecimalBytes(Math.round(row.bytes / row.parts)) + (row.name.endsWith(".ndjson") ? " a line" : ""),
      ...[native.name, parser.name, PEER_NAME].map((name) => formatSpeed(row, name).replace(" MB/s", "")),
      formatRatio(row.ratio),
      row.peerRatio === undefined ? "" : formatRatio(row.peerRatio),
      `± ${formatPercent(row.figures[parser.name].spread)}`,
    ]),
  };
}

/** Measures by `deno task bench compare`. */
export async function writeComparison(settings: Settings): Promise<void> {
  const { documents, groups } = runBench(settings, "compare", quickly(settings), "--expose-gc") as {
    documents: Row[];
    groups: Summary[];
  };
  await edit(settings, "performance.md", (page) =>
    groups.reduce((page, { group }) => {
      const rows = documents.filter((row) => row.group === group);
      return replaceTable(page, GROUPS[group][0], documentsTable(group, rows));
    }, replaceTable(page, "parseBinary", summaryTable(groups, (group) => group))));
  await edit(
    settings,
    "../README.md",
    (page) => replaceTable(page, "How it compares", summaryTable(groups, (group) => `${group}: ${GROUPS[group][1]}`)),
  );
}

/** Row of bench validate: a document, or the mean of a group. */
interface ValidationRow {
  group: string;
  name: string;
  bytes: number;
  mbPerSecond: Record<string, number>;
}

/** Means of a group of bench validate. */
interface ValidationGroup {
  group: string;
  mbPerSecond: Record<string, number>;
  ratios: Record<string, number>;
}

/** Measures by bench validate. */
export async function writeValidation(settings: Settings): Promise<void> {
  const { documents, groups } = runBench(settings, "validate", quickly(settings)) as {
    documents: ValidationRow[];
    groups: ValidationGroup[];
  };
  const speeds = ({ mbPerSecond }: { mbPerSecond: Record<string, number> }): string[] =>
    Object.values(mbPerSecond).map((speed) => speed.toFixed(0));
  const ratios = ({ mbPerSecond }: ValidationRow): string[] => {
    const [nativeSpeed, parserSpeed, whole, pieces] = Object.values(mbPerSecond);
    return [whole / nativeSpeed, whole / parserSpeed, pieces / whole].map(formatRatio);
  };
  const table: Table = {
    header: ["document", "size", ...Object.keys(groups[0].mbPerSecond), ...Object.keys(groups[0].ratios)],
    rows: [
      ...groups.map((group) => [
        `**mean of ${group.group}**`,
        "",
        ...speeds(group),
        ...Object.values(group.ratios).map(formatRatio),
      ]),
      ...documents.filter(({ group }) => group === "corpus").map((row) => [
        row.name + (row.name.endsWith(".ndjson") ? " (the file)" : ""),
        formatDecimalBytes(row.bytes),
        ...speeds(row),
        ...ratios(row),
      ]),
    ],
  };
  await edit(settings, "performance.md", (page) => replaceTable(page, "validateBinary", table));
}

/** Measures by bench validate with `--tools`. */
export async function writeTools(settings: Settings): Promise<void> {
  const { files } = runBench(settings, "validate", ["--tools"]) as {
    files: { name: string; milliseconds: Record<string, number | null> }[];
  };
  const names = Object.keys(files[0].milliseconds);
  const table: Table = {
    header: ["100 MB of", ...names],
    rows: files.map(({ name, milliseconds }) => [
      name.replace(".json", ""),
      ...names.map((tool) => {
        const time = milliseconds[tool];
        return time === null ? "not installed" : `${formatTime(time)} (${formatRatio(time / milliseconds[names[0]]!)})`;
      }),
    ]),
  };
  await edit(settings, "performance.md", (page) => replaceTable(page, "Whole processes", table));
}

/**
 * Measures the sample by the command line, as the first command of README.md does, and shows the
 * screen in command-line.md, too.
 */
export async function writeSample(settings: Settings): Promise<void> {
  const screen = runProgram(settings, "cli.ts", ["bench", "bench/sample.json"], "--expose-gc").trimEnd();
  await edit(
    settings,
    "../README.md",
    (page) => replaceBlock(page, "Measure your own document", `\`\`\`\n${screen}\n\`\`\``),
  );
  const session = `$ bytejson bench bench/sample.json\n${screen}`;
  await edit(settings, "command-line.md", (page) => replaceBlock(page, "bench", `\`\`\`\n${session}\n\`\`\``));
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

/** Measures by `deno task bench cli`. */
export async function writeOverhead(settings: Settings): Promise<void> {
  const { rows } = runBench(settings, "cli", quickly(settings)) as { rows: OverheadRow[] };
  await edit(settings, "command-line.md", (page) => replaceTable(page, "Speed of check", overheadTable(rows)));
}
