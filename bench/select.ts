/** Bench of selectBinary and parseAt, compared with native and validateBinary. */

import { type Contestant, native } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio } from "../measure/number_format.ts";
import { validator } from "../measure/validator_contestant.ts";
import { parseAt } from "../pointer.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { corpusPaths, readDocument } from "./support/corpus.ts";
import { generate } from "./support/documents.ts";
import { FILTER, FILTER_IN_BATCHES, LINE_READERS, SELECT as SELECT_ALL, SELECT_AND_TEST } from "./support/filters.ts";
import type { Effort } from "./support/bench_lanes.ts";
import type { Table } from "./support/markdown_page.ts";
import {
  compareValues,
  formatTimeOf,
  meanOf,
  measureRow,
  measureWays,
  type Ratio,
  ratioOf,
  type Row,
  rowsTable,
  summarize,
} from "./support/rows.ts";
import { otherRuntimes, runBench } from "./support/runtimes.ts";
import { logLines, messages, orders, shortEntry } from "./support/select_documents.ts";
import { contestantsFor, SELECT, type Selection, SELECTIONS, titleOf } from "./support/selections.ts";

const VERSUS_NATIVE: Ratio = { title: "× native", ours: SELECT, other: native.name };
const VERSUS_VALIDATION: Ratio = { title: `× ${validator.name}`, ours: SELECT, other: validator.name };

interface Group {
  group: string;
  selections: number;
  mean: number;
  worst: number;
  /** Mean of speeds over those of validation. */
  validation: number;
}

interface SelectReport {
  selections: Row[];
  groups: Group[];
  /** Means of groups in Node.js and Bun. */
  runtimes: { name: string; means: Record<string, number> }[];
  /** Ways to get one value; the group is its pointer. */
  lookUps: Row[];
  filters: Row[];
}

/** Groups, with their descriptions in the documentation. */
const GROUPS: Record<string, string> = {
  "corpus": "well-known JSON files",
  "generated": "records, orders, nested maps",
  "messages": "one message of 0.2 to 8 KB",
  "log lines": "log lines, in chunks",
  "nearly all": "masks that select nearly everything",
};
/** Pattern of the groups that every runtime measures. */
const RUNTIME_GROUPS = "^(corpus|generated|messages|log lines)/";

const PARSE_AT = "parseAt";
const STOP_WHEN_FOUND = "stopWhenFound";

/** Values to look up: name, pointer, and documents. */
const LOOK_UPS: [name: string, pointer: string, source: () => Uint8Array[]][] = [
  ["message of 2 KB, in the middle", "/data/order/address/city", () => messages(2000)],
  ["orders of 1 MB, near the start", "/data/2/customer/name", () => [orders(1_000_000)]],
  ["orders of 1 MB, at the end", "/count", () => [orders(1_000_000)]],
  ["records of 20 MB, near the start", "/3/name", () => [generate("records", 20_000_000)]],
];

const FILTERED: Record<string, number> = { "1 % match": 100, "50 % match": 2, "all match": 1 };
const FILTERED_BYTES = 8_000_000;

/** Loads documents from their source: none for a missing file. */
function load(source: Selection["source"]): Uint8Array[] {
  if (typeof source !== "string") return source();
  const path = corpusPaths().find((path) => path.endsWith(`/${source}`));
  return path === undefined ? [] : readDocument(path).parts;
}

async function measureSelection(selection: Selection, parts: Uint8Array[], options: BenchOptions): Promise<Row> {
  const { group } = selection;
  const all = contestantsFor(selection);
  const contestants = options.has("pair") ? [all[0], all.at(-1)!] : all;
  return await measureRow(
    { group, name: titleOf(selection).slice(group.length + 1), parts },
    contestants,
    options.effort,
  );
}

function measureLookUp(name: string, pointer: string, parts: Uint8Array[], effort: Effort): Promise<Row> {
  const tokens = pointer.slice(1).split("/");
  const follow = (value: unknown): unknown =>
    tokens.reduce((value, token) => (value as Record<string, unknown>)[token], value);
  const contestants: Contestant[] = [
    { name: native.name, parse: (bytes) => follow(native.parse(bytes)) },
    ...[PARSE_AT, STOP_WHEN_FOUND].map((name) => ({
      name,
      parse(bytes: Uint8Array): unknown {
        const result = parseAt(bytes, pointer, { stopWhenFound: name === STOP_WHEN_FOUND });
        return result.ok && result.found ? result.value : undefined;
      },
    })),
  ];
  for (const contestant of contestants) compareValues(contestants[0], contestant, { name: pointer, parts });
  return measureRow({ group: pointer, name, parts }, [...contestants, validator], effort);
}

/** Measures ways to get the matching lines, one in `errors`. Throws if their counts differ. */
async function measureFilter(name: string, errors: number, effort: Effort): Promise<Row> {
  const bytes = logLines(FILTERED_BYTES, shortEntry(errors));
  const expected = await LINE_READERS[native.name](bytes);
  for (const [way, read] of Object.entries(LINE_READERS)) {
    const count = await read(bytes);
    if (count !== undefined && count !== expected) throw new Error(`${way} finds ${count} of ${expected} lines`);
  }
  const ways = Object.entries(LINE_READERS).map(([way, read]) => [way, () => read(bytes)]);
  const subject = { group: "filters", name, bytes: bytes.length, parts: 1 };
  return await measureWays(subject, Object.fromEntries(ways), { ...effort, patience: 4 });
}

function toGroups(rows: Row[]): Group[] {
  return summarize(rows, VERSUS_NATIVE).map(({ group, documents, mean, worst }) => {
    const validation = meanOf(rows.filter((row) => row.group === group), VERSUS_VALIDATION);
    return { group, selections: documents, mean, worst: worst.ratio, validation };
  });
}

function measureRuntimes(options: BenchOptions): SelectReport["runtimes"] {
  return otherRuntimes(options).map((runtime) => {
    showProgress(runtime.name);
    const { groups } = runBench<SelectReport>("select", ["--pair", "--only", RUNTIME_GROUPS], options, { runtime });
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

function lookUpTable(rows: readonly Row[]): Table {
  const ways = [PARSE_AT, STOP_WHEN_FOUND];
  return {
    header: ["document and value", "bytes", "native", ...ways.flatMap((way) => [way, "× native"])],
    rows: rows.map((row) => [
      row.name,
      formatDecimalBytes(Math.round(row.bytes / row.parts)),
      formatTimeOf(row, native.name),
      ...ways.flatMap((ours) => [formatTimeOf(row, ours), formatRatio(ratioOf(row, { ours, other: native.name })!)]),
    ]),
  };
}

const FILTER_RATIOS: Ratio[] = [
  { title: `× ${validator.name}`, ours: FILTER, other: validator.name },
  { title: "× select", ours: FILTER, other: SELECT_ALL },
  { title: `× ${SELECT_AND_TEST}`, ours: FILTER, other: SELECT_AND_TEST },
  { title: "batches", ours: FILTER_IN_BATCHES, other: FILTER },
  { title: "× native", ours: FILTER, other: native.name },
];

export const bench: Bench<SelectReport> = {
  help: `Compares selectBinary with JSON.parse(decoder.decode(bytes)), which makes the whole value, with
parseBinary and with validateBinary: on files of the shared corpus, where present, generated
documents, messages, and log lines in chunks. Then parseAt, with and without stopWhenFound, and lines
that match a condition. They take turns in one process; times are medians. Names of rows begin with
the name of their group, parseAt, or filters.`,
  options: {
    "pair": "leave parseBinary and validateBinary out",
    "engines": "measure in Node.js and Bun, too",
  },
  published: ["--engines"],
  async measure(options) {
    const { only, effort, has } = options;
    const selections: Row[] = [];
    for (const selection of SELECTIONS.filter((selection) => only.test(titleOf(selection)))) {
      showProgress(titleOf(selection));
      const parts = load(selection.source);
      if (parts.length > 0) selections.push(await measureSelection(selection, parts, options));
    }
    const lookUps: Row[] = [];
    for (const [name, pointer, source] of LOOK_UPS.filter(([name]) => only.test(`parseAt/${name}`))) {
      showProgress(name);
      lookUps.push(await measureLookUp(name, pointer, source(), effort));
    }
    const filters: Row[] = [];
    for (const [name, errors] of Object.entries(FILTERED).filter(([name]) => only.test(`filters/${name}`))) {
      showProgress(name);
      filters.push(await measureFilter(name, errors, effort));
    }
    const runtimes = has("engines") ? measureRuntimes(options) : [];
    return { selections, groups: toGroups(selections), runtimes, lookUps, filters };
  },
  tables(report) {
    const { selections, lookUps, filters } = report;
    return [
      rowsTable("document and mask", selections, [VERSUS_NATIVE, VERSUS_VALIDATION]),
      groupsTable(report),
      lookUpTable(lookUps),
      rowsTable("lines", filters, FILTER_RATIOS),
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
      { page: "README.md", words: `members of well-known files is ${times} times as fast as native` },
      { page, words: `Well-known files run at ${mean("corpus")}` },
      { page, words: `Log lines run at ${mean("log lines")}` },
    ];
  },
};
