/**
 * Tables of docs/select.md.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { native, parser } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import { validator } from "../../measure/validator_contestant.ts";
import type { ElementRow, FirstCallRow, SelectReport } from "../select.ts";
import type { LineToolRow } from "../support/line_tools.ts";
import { type LookUpRow, PARSE_AT, STOP_WHEN_FOUND } from "../support/look_ups.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import { SELECT, type SelectSummary } from "../support/selecting.ts";
import { quickly, ROOT, runBench, type Settings } from "./context.ts";

const PAGE = "docs/select.md";

/** Groups of selections, with the words for them. */
const GROUPS: Record<string, string> = {
  "corpus": "well-known JSON files",
  "generated": "records, orders, nested maps",
  "varied": "members in any order, missing, or 100,000",
  "messages": "one message of 0.2 to 8 KB",
  "log lines": "log lines, in chunks",
  "nearly all": "masks that want nearly all",
};

/** Groups that every runtime measures. */
const RUNTIME_GROUPS = ["corpus", "generated", "messages", "log lines"];

/** Means of the groups in one runtime, by name. */
interface RuntimeRow {
  runtime: string;
  means: Record<string, number>;
}

/** Figures of selections and look-ups. */
export interface SelectResults {
  runtime: string;
  groups: SelectSummary[];
  /** Groups without generated code. */
  withoutCode: SelectSummary[];
  /** Node.js and Bun, where there are any. */
  runtimes: RuntimeRow[];
  lookUps: LookUpRow[];
  elements: ElementRow[];
  processes: LineToolRow[];
  /** Numbers of calls that the times of `firstCalls` are of. */
  marks: number[];
  firstCalls: FirstCallRow[];
}

/** Measures by bench select, with and without generated code, and in other runtimes. */
export function measureSelecting(settings: Settings): SelectResults {
  const measure = (options: string[]): SelectReport =>
    runBench(settings, "select", [...options, ...quickly(settings)]) as SelectReport;
  const { runtime, groups, lookUps, elements, processes, marks, firstCalls } = measure([]);
  const { groups: withoutCode } = measure(["--no-codegen", "--only", patternOf(Object.keys(GROUPS))]);
  const programs = [settings.node[0] ?? "node", settings.bun[0] ?? "bun"];
  const runtimes = programs.flatMap((program) => measureRuntime(program, settings));
  return { runtime, groups, withoutCode, runtimes, lookUps, elements, processes, marks, firstCalls };
}

function patternOf(groups: string[]): string {
  return `^(${groups.join("|")})/`;
}

function meansOf(groups: SelectSummary[]): RuntimeRow["means"] {
  const shared = groups.filter(({ group }) => RUNTIME_GROUPS.includes(group));
  return Object.fromEntries(shared.map(({ group, native }) => [group, native.geometricMean]));
}

/** Measures in another runtime. Returns no row where there is none. */
function measureRuntime(program: string, settings: Settings): RuntimeRow[] {
  const options = ["--json", "--only", patternOf(RUNTIME_GROUPS), ...quickly(settings)];
  const { status, stdout, error } = spawnSync(program, ["bench/select.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });
  if ((error as { code?: string } | undefined)?.code === "ENOENT") return [];
  if (status !== 0) throw new Error(`Cannot measure by ${program}`);
  const { runtime, groups }: SelectReport = JSON.parse(stdout);
  return [{ runtime, means: meansOf(groups) }];
}

function selectionTable({ groups, withoutCode }: SelectResults): Table {
  return {
    header: [
      "documents",
      "masks",
      "mean × native",
      "worst",
      `mean × ${validator.name}`,
      "worst",
      "× native, without generated code",
    ],
    rows: groups.map((summary) => [
      GROUPS[summary.group],
      String(summary.selections),
      ...[summary.native, summary.validator].flatMap(({ geometricMean, worst }) =>
        [geometricMean, worst.ratio].map(formatRatio)
      ),
      formatRatio(withoutCode.find(({ group }) => group === summary.group)!.native.geometricMean),
    ]),
  };
}

function runtimeTable({ runtime, groups, runtimes }: SelectResults): Table {
  const deno = { runtime, means: meansOf(groups) };
  return {
    header: ["mean × native", ...RUNTIME_GROUPS.map((group) => GROUPS[group])],
    rows: [deno, ...runtimes].map(({ runtime, means }) => [
      runtime.split(" ", 2).join(" "),
      ...RUNTIME_GROUPS.map((group) => formatRatio(means[group])),
    ]),
  };
}

function lookUpTable({ lookUps }: SelectResults): Table {
  return {
    header: ["document and value", "size", "native", PARSE_AT, "× native", STOP_WHEN_FOUND, "× native"],
    rows: lookUps.map(({ name, bytes, milliseconds }) => [
      name,
      formatDecimalBytes(bytes),
      formatTime(milliseconds[native.name]),
      ...[PARSE_AT, STOP_WHEN_FOUND].flatMap((ours) => [
        formatTime(milliseconds[ours]),
        formatRatio(milliseconds[native.name] / milliseconds[ours]),
      ]),
    ]),
  };
}

function elementTable({ elements }: SelectResults): Table {
  return {
    header: ["two members of each order", "× native"],
    rows: elements.map(({ name, ratio }) => [name, formatRatio(ratio)]),
  };
}

function processTable({ processes }: SelectResults): Table {
  return {
    header: ["three fields of 100 MB of log lines", "time", `× ${processes[0].name}`],
    rows: processes.map(({ name, seconds, ratio }) => [name, formatTime(seconds * 1e3), formatRatio(ratio)]),
  };
}

function firstCallTable({ marks, firstCalls }: SelectResults): Table {
  const calls = marks.map((mark) => mark === 1 ? "first call" : `${mark} calls`);
  return {
    header: [
      "document",
      ...calls.map((words) => `${words} × native`),
      ...calls.map((words) => `${words} × parseBinary`),
    ],
    rows: firstCalls.map(({ name, milliseconds }) => [
      name,
      ...[native, parser].flatMap((other) =>
        marks.map((_, i) => formatRatio(milliseconds[other.name][i] / milliseconds[SELECT][i]))
      ),
    ]),
  };
}

/** Returns the tables of the page. */
export function selectTables({ select }: { select: SelectResults }): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "Selecting", content: selectionTable(select) },
    { page: PAGE, heading: "In each runtime", content: runtimeTable(select) },
    { page: PAGE, heading: "One value", content: lookUpTable(select) },
    { page: PAGE, heading: "Beside other parsers of streams", content: elementTable(select) },
    { page: PAGE, heading: "Beside jq", content: processTable(select) },
    { page: PAGE, heading: "First calls", content: firstCallTable(select) },
  ];
}
