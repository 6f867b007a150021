/** Bench of the command line beside other tools, as whole processes. */

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { generate, type Kind } from "./support/documents.ts";
import { takeTurns } from "./support/lane.ts";
import type { Table } from "./support/page.ts";
import { commandOf, runCommand, USES_BUILD, withFolder } from "./support/runtimes.ts";
import { logLines } from "./support/select_documents.ts";

/** Exit code of a shell for an unknown command. */
const NOT_FOUND = 127;
/** GNU time, which measures memory, where it is installed. */
const TIME = "/usr/bin/time";

const CHECKED_KINDS: Kind[] = ["records", "floats of 6 decimals", "CJK text"];
const LARGE_MB = 50;
/** Size of the file that threads read, in sizes of the others. */
const THREADS_FACTOR = 10;
/** Maximum number of milliseconds that a tool takes of a task, after which it runs no more. */
const PATIENCE_MS = 1500;
const RUNS = 11;

/** Task, and the shell commands that do it; `$0` is the file, `bytejson` our command line. */
interface Task {
  group: "check" | "parts" | "threads";
  /** Kind of document, or our command. */
  name: string;
  file: (bytes: number) => string;
  commands: Record<string, string>;
  /** Whether the tools print the same, which is asserted on a small file. */
  prints: boolean;
}

interface Outcome {
  milliseconds: number;
  /** Peak resident set, in bytes; of a pipe, that of the largest process. */
  peak?: number;
}

/** Figures of the tools that are installed. */
type TaskRow = Pick<Task, "group" | "name"> & { bytes: number; tools: Record<string, Outcome> };

interface PartsReport {
  tasks: TaskRow[];
  screen: string[];
}

const SELECT = "select '{timestamp,message,http:{status}}'";
const WHERE = `select --where '/level="error"'`;
/** Selects one line in a thousand. */
const RARE = "select --where '/http/response/bytes<90'";

/** Creates the tasks, with functions that write their files to a folder. */
function tasksIn(folder: string): Task[] {
  const kindFile = (kind: Kind) => (bytes: number): string => {
    const path = join(folder, `${kind} ${bytes}.json`);
    writeFileSync(path, generate(kind, bytes));
    return path;
  };
  const logFile = (bytes: number): string => {
    const path = join(folder, `log ${bytes}.jsonl`);
    const piece = logLines(Math.min(bytes, 5e6));
    writeFileSync(path, "");
    for (let size = 0; size < bytes; size += piece.length) appendFileSync(path, piece);
    return path;
  };
  const part = (command: string, query: string, more: Record<string, string> = {}): Task => {
    const others = ["jq", "gojq", "jaq"].map((tool) => [tool, `${tool} -c '${query}' "$0"`]);
    const commands = { "bytejson": `bytejson ${command} "$0"`, ...Object.fromEntries(others), ...more };
    return { group: "parts", name: command, file: logFile, commands, prints: true };
  };
  const threads = (command: string): Task => {
    const jobs = [1, 2].map((count) => [`--jobs ${count}`, `bytejson ${command} --jobs ${count} "$0"`]);
    return { group: "threads", name: command, file: logFile, commands: Object.fromEntries(jobs), prints: true };
  };
  return [
    ...CHECKED_KINDS.map((kind): Task => ({
      group: "check",
      name: kind,
      file: kindFile(kind),
      commands: {
        "bytejson check": 'bytejson check --quiet "$0"',
        "json_verify": 'json_verify -q < "$0"',
        "jq empty": 'jq empty "$0"',
        "python3 -m json.tool": 'python3 -m json.tool "$0" /dev/null',
      },
      prints: false,
    })),
    part(SELECT, "{timestamp,message,http:{status:.http.status}}"),
    part(WHERE, 'select(.level=="error")', { "grep | jq": `grep error "$0" | jq -c 'select(.level=="error")'` }),
    part("get /http/status", ".http.status"),
    ...["check --quiet", SELECT, WHERE, RARE].map(threads),
  ];
}

/** Command that runs the command line: that of the package, where it has been built. */
const bytejson = commandOf(USES_BUILD ? "dist/package/cli/bin.js" : "cli.ts");

/** Returns a shell command that finds `bytejson`. */
function scriptOf(command: string): string {
  return command.replace(/^bytejson/, bytejson.map((word) => `'${word}'`).join(" "));
}

/** Runs a command on a file. Returns `undefined` where it is not installed. */
function run(command: string, file: string, memoryFile: string): Outcome | undefined {
  const shell = ["sh", "-c", scriptOf(command), file];
  const words = existsSync(TIME) ? [TIME, "-q", "-f", "%M", "-o", memoryFile, ...shell] : shell;
  const start = performance.now();
  const { status } = spawnSync(words[0], words.slice(1), { stdio: "ignore" });
  const milliseconds = performance.now() - start;
  if (status === NOT_FOUND) return undefined;
  if (status !== 0) throw new Error(`${command}: exit code ${status}`);
  return { milliseconds, ...existsSync(TIME) && { peak: Number(readFileSync(memoryFile, "utf8")) * 1024 } };
}

/** Returns the numbers of lines and bytes that a command prints; gojq sorts members by name. */
function sizeOf(command: string, file: string): string {
  return runCommand(["sh", "-c", `{ ${scriptOf(command)}; } | wc -lc`, file], { stdio: ["ignore", "pipe", "ignore"] });
}

/** Measures the tools of a task in turn, those that are installed. */
async function measureTask(task: Task, megabytes: number, runs: number, folder: string): Promise<TaskRow> {
  const { group, name, commands } = task;
  const memoryFile = join(folder, "memory");
  const small = task.file(1e5);
  const isInstalled = ([, command]: [string, string]): boolean => run(command, small, memoryFile) !== undefined;
  const installed = Object.entries(commands).filter(isInstalled);
  const [[first, command]] = installed;
  for (const [tool, other] of task.prints ? installed : []) {
    if (sizeOf(other, small) !== sizeOf(command, small)) throw new Error(`${name}: ${tool} and ${first} differ`);
  }
  const bytes = 1e6 * megabytes * (group === "threads" ? THREADS_FACTOR : 1);
  const file = task.file(bytes);
  const lanes = installed.map(([tool, command]) => ({ tool, command, spent: 0, outcomes: [] as Outcome[] }));
  await takeTurns(lanes, runs, (lane) => {
    if (lane.spent > PATIENCE_MS) return;
    showProgress(`${name}: ${lane.tool}`);
    const outcome = run(lane.command, file, memoryFile)!;
    lane.outcomes.push(outcome);
    lane.spent += outcome.milliseconds;
  });
  const tools = lanes.map(({ tool, outcomes }): [string, Outcome] => {
    const peak = Math.max(...outcomes.map(({ peak }) => peak ?? NaN));
    return [tool, {
      milliseconds: median(outcomes.map(({ milliseconds }) => milliseconds)),
      ...!isNaN(peak) && { peak },
    }];
  });
  return { group, name, bytes, tools: Object.fromEntries(tools) };
}

/** Returns the screen of the first command of README.md. */
function sampleScreen({ only }: BenchOptions): string[] {
  if (!only.test("sample")) return [];
  showProgress("bytejson bench");
  const env = { ...process.env, NO_COLOR: "1" };
  return runCommand([...bytejson, "bench", "bench/sample.json"], { env }).trimEnd().split("\n");
}

/**
 * Lays out the tools of tasks. Times after the first are followed by their ratio to it, those of
 * commands by memory.
 */
function tasksTable(tasks: readonly TaskRow[], title = ""): Table {
  const isOfCommands = title !== "";
  const names = [...new Set(tasks.flatMap(({ tools }) => Object.keys(tools)))];
  return {
    header: [`${formatDecimalBytes(tasks[0]?.bytes ?? 0)} of${title}`, ...names],
    rows: tasks.map(({ name, tools }) => [
      isOfCommands ? `\`${name}\`` : name,
      ...names.map((tool) => {
        if (tools[tool] === undefined) return "";
        const { milliseconds, peak } = tools[tool];
        const ratio = milliseconds / Object.values(tools)[0].milliseconds;
        const cells = [formatTime(milliseconds), ...tool === names[0] ? [] : [formatRatio(ratio)]];
        return [...cells, ...isOfCommands && peak !== undefined ? [formatDecimalBytes(peak)] : []].join(", ");
      }),
    ]),
  };
}

function tablesOf({ tasks }: PartsReport): Record<Task["group"], Table> {
  const of = (group: Task["group"], title?: string): Table =>
    tasksTable(tasks.filter((task) => task.group === group), title);
  return { check: of("check"), parts: of("parts", " lines"), threads: of("threads", " lines") };
}

export const bench: Bench<PartsReport> = {
  help: `Compares bytejson check, select and get, of the package, with other tools, where they are on the PATH,
and one thread with two: time and peak memory of the whole process, output to /dev/null. The tools take
turns; a slow one runs once. Memory is measured by /usr/bin/time, where present. Those that print the
same are compared by the size of their output first. Then the screen of bytejson bench. Names of rows
are "group/command", of check "check/document"; the screen is "sample".`,
  options: {
    "megabytes N": `size of the files, ${LARGE_MB} by default; threads read a file of ${THREADS_FACTOR} times the size`,
  },
  async measure(options) {
    const { only, isQuick } = options;
    const megabytes = options.number("megabytes", isQuick ? 1 : LARGE_MB);
    const tasks = await withFolder(async (folder) => {
      const rows: TaskRow[] = [];
      for (const task of tasksIn(folder).filter(({ group, name }) => only.test(`${group}/${name}`))) {
        rows.push(await measureTask(task, megabytes, isQuick ? 1 : RUNS, folder));
      }
      return rows;
    });
    return { tasks, screen: sampleScreen(options) };
  },
  tables: (report) => Object.values(tablesOf(report)).filter(({ rows }) => rows.length > 0),
  blocks(report) {
    const { check, parts, threads } = tablesOf(report);
    const screen = ["```", "$ bytejson bench bench/sample.json", ...report.screen, "```"].join("\n");
    return [
      { page: "docs/performance.md", heading: "Whole processes", content: check },
      { page: "docs/cli-select.md", heading: "Speed", content: parts },
      { page: "docs/cli-select.md", heading: "Threads", content: threads },
      { page: "docs/cli-bench.md", heading: "Measuring documents", content: screen },
    ];
  },
};
