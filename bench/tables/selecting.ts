/**
 * Tables of docs/select.md.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { native } from "../../measure/contestants.ts";
import { formatRatio, formatTime } from "../../measure/number_format.ts";
import { validator } from "../../measure/validator_contestant.ts";
import type { ElementRow, FirstCallRow, SelectReport } from "../select.ts";
import { type LookUpRow, PARSE_AT, STOP_WHEN_FOUND } from "../support/look_ups.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import type { SelectSummary } from "../support/selecting.ts";
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
  /** Node.js and Bun, where there are any. */
  runtimes: RuntimeRow[];
  lookUps: LookUpRow[];
  elements: ElementRow[];
  /** Numbers of calls that the times of `firstCalls` are of. */
  marks: number[];
  firstCalls: FirstCallRow[];
}

/** Measures by bench select, in Deno and in other runtimes. */
export function measureSelecting(settings: Settings): SelectResults {
  const measure = (options: string[]): SelectReport =>
    runBench(settings, "select", [...options, ...quickly(settings)]) as SelectReport;
  const { runtime, groups, lookUps, elements, marks, firstCalls } = measure(["--only", "^(?!processes/)"]);
  const programs = [settings.node[0] ?? "node", settings.bun[0] ?? "bun"];
  const runtimes = programs.flatMap((program) => measureRuntime(program, settings));
  return { runtime, groups, runtimes, lookUps, elements, marks, firstCalls };
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

/** Returns the name of a runtime, without its version and platform. */
function nameOf(runtime: string): string {
  const [name] = runtime.split(" ");
  return name === "Node" ? "Node.js" : name;
}

function selectionTable({ runtime, groups, runtimes }: SelectResults): Table {
  return {
    header: [
      "× native",
      "masks",
      nameOf(runtime),
      "worst",
      `× ${validator.name}`,
      ...runtimes.map(({ runtime }) => nameOf(runtime)),
    ],
    rows: groups.map(({ group, selections, native, validator }) => [
      GROUPS[group],
      String(selections),
      ...[native.geometricMean, native.worst.ratio, validator.geometricMean].map(formatRatio),
      ...runtimes.map(({ means }) => means[group] === undefined ? "" : formatRatio(means[group])),
    ]),
  };
}

/** Look-ups that the page shows. */
const LOOK_UPS = [
  "message of 2 KB, in the middle",
  "orders of 1 MB, near the start",
  "orders of 1 MB, at the end",
  "records of 20 MB, near the start",
];

function lookUpTable({ lookUps }: SelectResults): Table {
  return {
    header: ["document and value", "native", PARSE_AT, "× native", STOP_WHEN_FOUND, "× native"],
    rows: lookUps.filter(({ name }) => LOOK_UPS.includes(name)).map(({ name, milliseconds }) => [
      name,
      formatTime(milliseconds[native.name]),
      ...[PARSE_AT, STOP_WHEN_FOUND].flatMap((ours) => [
        formatTime(milliseconds[ours]),
        formatRatio(milliseconds[native.name] / milliseconds[ours]),
      ]),
    ]),
  };
}

/** Returns the tables of the page. */
export function selectTables({ select }: { select: SelectResults }): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "Selecting", content: selectionTable(select) },
    { page: PAGE, heading: "One value", content: lookUpTable(select) },
  ];
}
