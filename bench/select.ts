/**
 * Bench of selectBinary and parseAt beside native and validateBinary.
 *
 * @module
 */

import { type Contestant, native } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { validator } from "../measure/validator_contestant.ts";
import { parseAt } from "../pointer.ts";
import { every } from "../select.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { corpusPaths, readDocument } from "./support/corpus.ts";
import { difference } from "./support/difference.ts";
import { generate } from "./support/documents.ts";
import { type Effort, laneOf, measureLanes } from "./support/lane.ts";
import type { Table } from "./support/page.ts";
import { pick } from "./support/picking.ts";
import { groupsOf, meanOf, measureRow, type Ratio, ratioOf, type Row, rowsTable, sizeOf } from "./support/rows.ts";
import { otherRuntimes, runProgram } from "./support/runtimes.ts";
import { messages, orders } from "./support/select_documents.ts";
import { contestantsFor, SELECT, type Selection, SELECTIONS, titleOf, valuesOf } from "./support/selections.ts";

const VERSUS_NATIVE: Ratio = { title: "× native", ours: SELECT, other: native.name };
const VERSUS_VALIDATION: Ratio = { title: `× ${validator.name}`, ours: SELECT, other: validator.name };

/** Ratios of a group of selections. */
interface Group {
  group: string;
  selections: number;
  mean: number;
  worst: number;
  /** Mean of speeds over those of validation. */
  validation: number;
}

/** Milliseconds of each way to get one value. */
interface LookUpRow {
  name: string;
  pointer: string;
  bytes: number;
  milliseconds: Record<string, number>;
}

interface SelectReport {
  selections: Row[];
  groups: Group[];
  /** Means of groups in Node.js and Bun. */
  runtimes: { name: string; means: Record<string, number> }[];
  lookUps: LookUpRow[];
}

/** Groups, with the words of the page. */
const GROUPS: Record<string, string> = {
  "corpus": "well-known JSON files",
  "generated": "records, orders, nested maps",
  "messages": "one message of 0.2 to 8 KB",
  "log lines": "log lines, in chunks",
  "nearly all": "masks that want nearly all",
};
/** Pattern of the groups that every runtime measures. */
const RUNTIME_GROUPS = "^(corpus|generated|messages|log lines)/";

type Path = (string | number)[];

/** Value to look up in documents. */
interface LookUp {
  name: string;
  path: Path;
  source: () => Uint8Array[];
}

const PARSE_AT = "parseAt";
const STOP_WHEN_FOUND = "stopWhenFound";

const LOOK_UPS: LookUp[] = [
  {
    name: "message of 2 KB, in the middle",
    path: ["data", "order", "address", "city"],
    source: () => messages(2000),
  },
  {
    name: "orders of 1 MB, near the start",
    path: ["data", 2, "customer", "name"],
    source: () => [orders(1_000_000)],
  },
  { name: "orders of 1 MB, at the end", path: ["count"], source: () => [orders(1_000_000)] },
  { name: "records of 20 MB, near the start", path: [3, "name"], source: () => [generate("records", 20_000_000)] },
];
/** Loads documents by their source: none for a file that is missing. */
function load(source: Selection["source"]): Uint8Array[] {
  if (typeof source !== "string") return source();
  const path = corpusPaths().find((path) => path.endsWith(`/${source}`));
  return path === undefined ? [] : readDocument(path).parts;
}

/** Measures a selection. Throws if `selectBinary` selects anything but what the mask wants. */
async function measureSelection(selection: Selection, parts: Uint8Array[], options: BenchOptions): Promise<Row> {
  const { group, mask, name } = selection;
  for (const part of parts) {
    const expected = valuesOf(selection, native.name, part).map((value) => pick(value, mask, every));
    const problem = difference(valuesOf(selection, SELECT, part), expected);
    if (problem) throw new Error(`selectBinary differs from JSON.parse on ${titleOf(selection)}: ${problem}`);
  }
  const all = contestantsFor(selection);
  const contestants = options.has("pair") ? [all[0], all.at(-1)!] : all;
  return {
    ...await measureRow({ group: "files", name, parts }, contestants, options.effort),
    group,
    name: titleOf(selection).slice(group.length + 1),
  };
}

function lookUpContestants(path: Path, pointer: string): Contestant[] {
  const valueAt = (bytes: Uint8Array, stopWhenFound: boolean): unknown => {
    const result = parseAt(bytes, pointer, { stopWhenFound });
    return result.ok && result.found ? result.value : undefined;
  };
  const follow = (value: unknown): unknown =>
    path.reduce((value, key) => (value as Record<string, unknown>)[key], value);
  return [
    { name: native.name, parse: (bytes) => follow(native.parse(bytes)) },
    { name: PARSE_AT, parse: (bytes) => valueAt(bytes, false) },
    { name: STOP_WHEN_FOUND, parse: (bytes) => valueAt(bytes, true) },
  ];
}

/** Measures a look-up. Throws if `parseAt` finds another value than native. */
async function measureLookUp({ name, path }: LookUp, parts: Uint8Array[], effort: Effort): Promise<LookUpRow> {
  const pointer = path.map((token) => `/${token}`).join("");
  const contestants = lookUpContestants(path, pointer);
  for (const { name: way, parse } of contestants) {
    for (const part of parts) {
      const expected = contestants[0].parse(part);
      const problem = expected === undefined ? "there is no value" : difference(parse(part), expected);
      if (problem) throw new Error(`${way} differs at ${pointer} of ${name}: ${problem}`);
    }
  }
  const lanes = [...contestants, validator].map((contestant) => laneOf(contestant, parts));
  await measureLanes(lanes, effort);
  const times = lanes.map(({ name, milliseconds }) => [name, milliseconds / parts.length]);
  const bytes = Math.round(sizeOf(parts) / parts.length);
  return { name, pointer, bytes, milliseconds: Object.fromEntries(times) };
}

function toGroups(rows: Row[]): Group[] {
  return groupsOf(rows).map(([group, members]) => ({
    group,
    selections: members.length,
    mean: meanOf(members, VERSUS_NATIVE),
    worst: Math.min(...members.map((row) => ratioOf(row, VERSUS_NATIVE)!)),
    validation: meanOf(members, VERSUS_VALIDATION),
  }));
}

function measureRuntimes(options: BenchOptions): SelectReport["runtimes"] {
  const args = ["select", "--pair", "--json", "--only", RUNTIME_GROUPS, ...options.isQuick ? ["--quick"] : []];
  return otherRuntimes(options).map((runtime) => {
    showProgress(runtime.name);
    const { groups } = runProgram<SelectReport>("bench/main.ts", args, { runtime });
    return { name: runtime.name, means: Object.fromEntries(groups.map(({ group, mean }) => [group, mean])) };
  });
}

function groupsTable({ groups, runtimes }: SelectReport): Table {
  return {
    header: ["× native", "masks", "Deno", "worst", VERSUS_VALIDATION.title, ...runtimes.map(({ name }) => name)],
    rows: groups.map(({ group, selections, mean, worst, validation }) => [
      GROUPS[group],
      String(selections),
      ...[mean, worst, validation].map(formatRatio),
      ...runtimes.map(({ means }) => means[group] === undefined ? "" : formatRatio(means[group])),
    ]),
  };
}

function lookUpTable(rows: readonly LookUpRow[]): Table {
  return {
    header: [
      "document and value",
      "bytes",
      "native",
      ...[PARSE_AT, STOP_WHEN_FOUND].flatMap((way) => [way, "× native"]),
    ],
    rows: rows.map(({ name, bytes, milliseconds }) => [
      name,
      formatDecimalBytes(bytes),
      formatTime(milliseconds[native.name]),
      ...[PARSE_AT, STOP_WHEN_FOUND].flatMap((way) => [
        formatTime(milliseconds[way]),
        formatRatio(milliseconds[native.name] / milliseconds[way]),
      ]),
    ]),
  };
}

/** `deno task bench select`. */
export const bench: Bench<SelectReport> = {
  help: `Compares selectBinary with JSON.parse(decoder.decode(bytes)), which makes the whole value, with
parseBinary and with validateBinary: on files of the shared corpus, where present, generated
documents, messages, and log lines in chunks. Then parseAt, with and without stopWhenFound. They take
turns in one process; times are medians. Names of rows begin with those of their group, or parseAt.`,
  switches: {
    "pair": "leave parseBinary and validateBinary out",
    "engines": "measure in Node.js and Bun, too",
    "no-codegen": "measure without generated code",
  },
  published: ["--engines"],
  async measure(options) {
    const { only, effort, has } = options;
    if (has("no-codegen")) await import("../no_codegen.ts");
    const selections: Row[] = [];
    for (const selection of SELECTIONS.filter((selection) => only.test(titleOf(selection)))) {
      showProgress(titleOf(selection));
      const parts = load(selection.source);
      if (parts.length > 0) selections.push(await measureSelection(selection, parts, options));
    }
    const lookUps: LookUpRow[] = [];
    for (const lookUp of LOOK_UPS.filter(({ name }) => only.test(`parseAt/${name}`))) {
      showProgress(lookUp.name);
      lookUps.push(await measureLookUp(lookUp, lookUp.source(), effort));
    }
    if (selections.length + lookUps.length === 0) throw new Error(`Cannot compare: no row matches ${only}`);
    const runtimes = has("engines") ? measureRuntimes(options) : [];
    return { selections, groups: toGroups(selections), runtimes, lookUps };
  },
  tables(report) {
    const { selections, lookUps } = report;
    return [
      rowsTable("document and mask", selections, [VERSUS_NATIVE, VERSUS_VALIDATION]),
      groupsTable(report),
      lookUpTable(lookUps),
    ].filter(({ rows }) => rows.length > 0);
  },
  blocks(report) {
    return [
      { page: "docs/select.md", heading: "Selecting", content: groupsTable(report) },
      { page: "docs/select.md", heading: "One value", content: lookUpTable(report.lookUps) },
    ];
  },
  quotes({ groups }) {
    const mean = (name: string): string => formatRatio(groups.find(({ group }) => group === name)!.mean);
    const times = groups.find(({ group }) => group === "corpus")!.mean.toFixed(1);
    const page = "docs/select.md";
    return [
      { page: "README.md", words: `members of well-known files is ${times} times as fast as \`JSON.parse\`` },
      { page, words: `Well-known files run at ${mean("corpus")}` },
      { page, words: `Log lines run at ${mean("log lines")}` },
    ];
  },
};
