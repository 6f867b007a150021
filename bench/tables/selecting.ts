/**
 * Tables of docs/on-demand.md.
 *
 * @module
 */

import { native, parser } from "../../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import { validator } from "../../measure/validator_contestant.ts";
import type { ElementRow, FirstCallRow, SelectReport } from "../select.ts";
import type { LineToolRow } from "../support/line_tools.ts";
import { type LookUpRow, PARSE_AT, STOP_WHEN_FOUND } from "../support/look_ups.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import { SELECT, type SelectSummary } from "../support/selecting.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/on-demand.md";

/** Groups of selections, with the words for them. */
const GROUPS: Record<string, string> = {
  "corpus": "well-known JSON files",
  "generated": "records, orders, nested maps",
  "varied": "members in any order, missing, or 100,000",
  "messages": "one message of 0.2 to 8 KB",
  "log lines": "log lines, in chunks",
  "nearly all": "masks that want nearly all",
};

/** Figures of selections and look-ups. */
export interface SelectResults {
  runtime: string;
  groups: SelectSummary[];
  /** Groups without generated code. */
  withoutCode: SelectSummary[];
  lookUps: LookUpRow[];
  elements: ElementRow[];
  processes: LineToolRow[];
  /** Numbers of calls that the times of `firstCalls` are of. */
  marks: number[];
  firstCalls: FirstCallRow[];
}

/** Measures by bench select, with and without generated code. */
export function measureSelecting(settings: Settings): SelectResults {
  const measure = (options: string[]): SelectReport =>
    runBench(settings, "select", [...options, ...quickly(settings)]) as SelectReport;
  const { runtime, groups, lookUps, elements, processes, marks, firstCalls } = measure([]);
  const only = Object.keys(GROUPS).map((group) => `^${group}/`).join("|");
  const { groups: withoutCode } = measure(["--no-codegen", "--only", only]);
  return { runtime, groups, withoutCode, lookUps, elements, processes, marks, firstCalls };
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
    { page: PAGE, heading: "One value", content: lookUpTable(select) },
    { page: PAGE, heading: "Beside other parsers of streams", content: elementTable(select) },
    { page: PAGE, heading: "Beside jq", content: processTable(select) },
    { page: PAGE, heading: "First calls", content: firstCallTable(select) },
  ];
}
