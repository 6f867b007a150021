/**
 * Compares selectBinary and parseAt with native, with validateBinary and with other parsers.
 * `--help` lists the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { native } from "../measure/contestants.ts";
import { formatDecimalBytes, formatPercent, formatRatio, formatTime } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { geometricMean, median } from "../measure/statistics.ts";
import { validator } from "../measure/validator_contestant.ts";
import { isJavaScriptCore } from "../parser/engine/recognition.ts";
import { corpusPaths, readDocument } from "./support/corpus.ts";
import type { ElementSelector } from "./support/element_selectors.ts";
import { FULL, JAVASCRIPTCORE_WARM_UP, QUICK } from "./support/lane.ts";
import { LINE_TOOL_NAMES, type LineToolRow, measureLineTools } from "./support/line_tools.ts";
import {
  LOOK_UP_NAMES,
  LOOK_UPS,
  type LookUpRow,
  measureLookUp,
  PARSE_AT,
  STOP_WHEN_FOUND,
} from "./support/look_ups.ts";
import { formatMask } from "./support/masks.ts";
import { orders } from "./support/select_documents.ts";
import {
  CONTESTANT_NAMES,
  measureSelection,
  SELECT,
  type SelectRow,
  type SelectSummary,
  summarizeSelections,
} from "./support/selecting.ts";
import { FIRST_CALLS, type Selection, SELECTIONS, titleOf } from "./support/selections.ts";
import { renderTable } from "./support/table.ts";
import { fail, showProgress } from "./support/terminal.ts";

const HELP = `deno task bench select [options]

Compares selectBinary with JSON.parse(decoder.decode(bytes)), which makes the whole value, with
parseBinary and with validateBinary. The contestants take turns in one process, in batches of
${FULL.batch} ms or more; times are medians of ${FULL.rounds} samples. A ratio above 1 means that selectBinary is faster.

  corpus      files of the shared corpus (BYTEJSON_SHARED), where present
  generated   records, orders and nested maps
  varied      objects whose members come in any order, are missing, or have 100,000 names
  messages    one document of 0.2 to 8 KB
  log lines   chunks of 64 KiB, beside a split of the whole text and JSON.parse
  nearly all  masks that want most of a document
  parseAt     one value, with and without stopWhenFound
  elements    two members of each element of an array in chunks, beside other parsers of streams,
              in Deno only
  processes   whole processes that print fields of 100 MB of log lines, beside jq, gojq and jaq
  first calls the first 1, 10 and 100 calls of new processes

  --no-codegen  measure without generated code, and leave out elements, processes and first
                calls
  --only REGEX  measure rows whose "group/name" matches; the first of elements and of processes
                always runs
  --quick       take a third of the samples, one run of processes, and 10 MB of log lines
  --json        print one JSON object on standard output`;

/** Numbers of first calls whose total time is reported. */
const MARKS = [1, 10, 100];
/** Processes for each contestant and document. */
const PROCESSES = 9;
const ELEMENT_BYTES = 4_000_000;
/** Runs of each way to get members of elements, after one of warm-up. */
const ELEMENT_RUNS = 5;

/** Size of the log that processes read. */
const LOG_MEGABYTES = 100;
/** Runs of each process that reads the log. */
const LOG_RUNS = 5;

/** Times of one way to get members of elements. */
export interface ElementRow {
  name: string;
  mbPerSecond: number;
  /** Speed over that of the first. */
  ratio: number;
}

/** Times of the first calls of one selection in new processes. */
export interface FirstCallRow {
  name: string;
  mask: string;
  bytes: number;
  /** Milliseconds of the first 1, 10 and 100 calls by the name of the contestant: medians. */
  milliseconds: Record<string, number[]>;
}

/** Rows of each part; a part without a match is empty. */
export interface SelectReport {
  runtime: string;
  selections: SelectRow[];
  groups: SelectSummary[];
  lookUps: LookUpRow[];
  elements: ElementRow[];
  processes: LineToolRow[];
  /** Numbers of calls that the times of `firstCalls` are of. */
  marks: number[];
  firstCalls: FirstCallRow[];
}

/** Loads documents by their source: none for a file that is missing. */
function load(source: Selection["source"]): Uint8Array[] {
  if (typeof source !== "string") return source();
  const path = corpus?.find((path) => path.endsWith(`/${source}`));
  return path === undefined ? [] : readDocument(path).parts;
}

/** Measures items that match and whose documents are there. */
function measureAll<Item extends Pick<Selection, "source">, Row>(
  items: Item[],
  titleOf: (item: Item) => string,
  measure: (item: Item, parts: Uint8Array[]) => Row,
): Row[] {
  return items.filter((item) => only.test(titleOf(item))).flatMap((item) => {
    if (typeof item.source === "string") namesCorpus = true;
    const parts = load(item.source);
    showProgress(titleOf(item));
    return parts.length === 0 ? [] : [measure(item, parts)];
  });
}

/**
 * Loads the ways to get members of elements. There are none in Node.js and Bun, which ignore import
 * maps.
 */
async function loadElementSelectors(): Promise<Record<string, ElementSelector>> {
  if (!("deno" in process.versions)) return {};
  return (await import("./support/element_selectors.ts")).ELEMENT_SELECTORS;
}

async function measureElements(): Promise<ElementRow[]> {
  const all = Object.entries(await loadElementSelectors());
  const isWanted = ([name]: [string, unknown]): boolean => only.test(`elements/${name}`);
  if (!all.some(isWanted)) return [];
  const contestants = all.filter((entry, i) => i === 0 || isWanted(entry));
  const bytes = orders(ELEMENT_BYTES);
  const expected = Math.round(await contestants[0][1](bytes));
  const samples = contestants.map((): number[] => []);
  for (let round = 0; round <= (quick ? 1 : ELEMENT_RUNS); round++) {
    for (const [i, [name, select]] of contestants.entries()) {
      showProgress(`elements, ${name}, round ${round}`);
      const start = performance.now();
      const sum = await select(bytes);
      if (round > 0) samples[i].push(performance.now() - start); // the first one warms up
      if (Math.round(sum) !== expected) throw new Error(`Cannot compare: ${name} gets ${sum}, not ${expected}`);
    }
  }
  return contestants.map(([name], i) => ({
    name,
    mbPerSecond: bytes.length / median(samples[i]) / 1e3,
    ratio: median(samples[0]) / median(samples[i]),
  }));
}

function measureProcesses(): LineToolRow[] {
  const wanted = LINE_TOOL_NAMES.filter((name) => only.test(`processes/${name}`));
  if (wanted.length === 0) return [];
  showProgress("processes");
  const names = LINE_TOOL_NAMES.filter((name, i) => i === 0 || wanted.includes(name));
  return quick ? measureLineTools(names, 10, 1) : measureLineTools(names, LOG_MEGABYTES, LOG_RUNS);
}

function measureFirstCalls(): FirstCallRow[] {
  return measureAll(FIRST_CALLS, (selection) => `first calls/${titleOf(selection)}`, (selection, [document]) => {
    const samples = CONTESTANT_NAMES.map((): number[][] => []);
    for (let round = 0; round < (quick ? 1 : PROCESSES); round++) {
      for (const [i, name] of CONTESTANT_NAMES.entries()) {
        showProgress(`first calls, ${titleOf(selection)}, ${name}, process ${round + 1}`);
        samples[i].push(runCalls(name, FIRST_CALLS.indexOf(selection), document));
      }
    }
    const medianAt = (i: number, mark: number): number => median(samples[i].map((totals) => totals[mark - 1]));
    const times = CONTESTANT_NAMES.map((name, i) => [name, MARKS.map((mark) => medianAt(i, mark))]);
    const { name, mask } = selection;
    return { name, mask: formatMask(mask), bytes: document.length, milliseconds: Object.fromEntries(times) };
  });
}

/**
 * Returns the milliseconds that the first calls of a contestant in a new process have taken
 * together, after each.
 */
function runCalls(contestant: string, index: number, document: Uint8Array): number[] {
  const script = fileURLToPath(new URL("./processes/select_calls.ts", import.meta.url));
  const options = "deno" in process.versions ? ["run", "--quiet", "--no-config"] : [];
  const args = [...options, script, contestant, String(index), String(MARKS.at(-1))];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input: document, encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot time first calls: ${stderr}`);
  return JSON.parse(stdout);
}

function selectionTables({ selections, groups }: SelectReport): string[] {
  const rows = selections.map((row) => [
    `${row.group}/${row.name} ${row.mask}`,
    formatDecimalBytes(Math.round(row.bytes / row.parts)),
    ...CONTESTANT_NAMES.map((name) => row.figures[name].mbPerSecond.toFixed(0)),
    formatPercent(row.spread),
    formatRatio(row.ratio),
    formatRatio(row.validationRatio),
  ]);
  const summaries = groups.map(({ group, selections, native, validator }) => [
    group,
    String(selections),
    ...[native, validator].flatMap(({ geometricMean, worst }) => [geometricMean, worst.ratio].map(formatRatio)),
  ]);
  return [
    renderTable(["MB/s", "bytes", ...CONTESTANT_NAMES, "±", "× native", `× ${validator.name}`], rows),
    renderTable(["geometric mean", "selections", "× native", "worst", `× ${validator.name}`, "worst"], summaries),
  ];
}

function lookUpTable({ lookUps }: SelectReport): string {
  const ours = [PARSE_AT, STOP_WHEN_FOUND];
  return renderTable(
    ["parseAt", "bytes", ...LOOK_UP_NAMES, ...ours.map((name) => `${name} × native`)],
    lookUps.map(({ name, pointer, bytes, milliseconds }) => [
      `${name}: ${pointer}`,
      formatDecimalBytes(bytes),
      ...LOOK_UP_NAMES.map((name) => formatTime(milliseconds[name])),
      ...ours.map((name) => formatRatio(milliseconds[native.name] / milliseconds[name])),
    ]),
  );
}

function elementTable({ elements }: SelectReport): string {
  return renderTable(
    ["elements", "MB/s", "× first"],
    elements.map(({ name, mbPerSecond, ratio }) => [name, mbPerSecond.toFixed(0), formatRatio(ratio)]),
  );
}

function processTable({ processes }: SelectReport): string {
  return renderTable(
    ["processes", "time", `× ${LINE_TOOL_NAMES[0]}`],
    processes.map(({ name, seconds, ratio }) => [name, formatTime(seconds * 1e3), formatRatio(ratio)]),
  );
}

function firstCallTable({ firstCalls }: SelectReport): string {
  const ratioAt = ({ milliseconds }: FirstCallRow, i: number): number =>
    milliseconds[native.name][i] / milliseconds[SELECT][i];
  const rows = firstCalls.map((row) => [
    `${row.name} ${row.mask}`,
    formatDecimalBytes(row.bytes),
    ...CONTESTANT_NAMES.map((name) => formatTime(row.milliseconds[name][0])),
    ...MARKS.map((_, i) => formatRatio(ratioAt(row, i))),
  ]);
  const means = MARKS.map((_, i) => formatRatio(geometricMean(firstCalls.map((row) => ratioAt(row, i)))));
  return renderTable(
    ["first calls", "bytes", ...CONTESTANT_NAMES, ...MARKS.map((mark) => `${mark} × native`)],
    [...rows, ["geometric mean", "", ...CONTESTANT_NAMES.map(() => ""), ...means]],
  );
}

interface Flags {
  "no-codegen": boolean;
  only: string;
  quick: boolean;
  json: boolean;
  help: boolean;
}

/** Reads the command line. Ends the process after an error. */
function readFlags(): Flags {
  const flag = { type: "boolean", default: false } as const;
  try {
    const only = { type: "string", default: "" } as const;
    return parseArgs({ options: { "no-codegen": flag, only, quick: flag, json: flag, help: flag } }).values;
  } catch (error) {
    fail((error as Error).message);
  }
}

/** Compiles the pattern of rows. Ends the process if it is none. */
function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    fail((error as Error).message);
  }
}

const { quick, json, only: pattern, help, "no-codegen": isWithoutCode } = readFlags();
if (help) {
  console.log(HELP);
  process.exit();
}
const only = compilePattern(pattern);
const effort = { ...quick ? QUICK : FULL, ...isJavaScriptCore() && { warmUp: JAVASCRIPTCORE_WARM_UP } };
const corpus = corpusPaths();
/** Whether a file of the corpus was asked for. */
let namesCorpus = false;

async function measure(): Promise<SelectReport> {
  if (isWithoutCode) await import("../no_codegen.ts");
  const selections = measureAll(SELECTIONS, titleOf, (selection, parts) => measureSelection(selection, parts, effort));
  const lookUps = measureAll(LOOK_UPS, ({ name }) => `parseAt/${name}`, (lookUp, parts) => {
    return measureLookUp(lookUp, parts, effort);
  });
  const elements = isWithoutCode ? [] : await measureElements();
  const processes = isWithoutCode ? [] : measureProcesses();
  const firstCalls = isWithoutCode ? [] : measureFirstCalls();
  showProgress("");
  const groups = summarizeSelections(selections);
  return { runtime: runtimeName(), selections, groups, lookUps, elements, processes, marks: MARKS, firstCalls };
}

try {
  const report = await measure();
  if (namesCorpus && corpus === undefined) {
    console.error("Files of the corpus are left out: BYTEJSON_SHARED names no folder with any");
  }
  const { selections, lookUps, elements, processes, firstCalls } = report;
  const tables = [
    ...selections.length > 0 ? selectionTables(report) : [],
    ...lookUps.length > 0 ? [lookUpTable(report)] : [],
    ...elements.length > 0 ? [elementTable(report)] : [],
    ...processes.length > 0 ? [processTable(report)] : [],
    ...firstCalls.length > 0 ? [firstCallTable(report)] : [],
  ];
  if (tables.length === 0 && !namesCorpus) throw new Error(`Cannot compare: no row matches ${only}`);
  console.log(json ? JSON.stringify(report, null, 2) : [report.runtime, ...tables].join("\n\n"));
} catch (error) {
  fail((error as Error).message);
}
