/** Bench of the command line and other tools, as whole processes. */

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { median } from "../measure/statistics.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { generate, type Kind } from "./support/documents.ts";
import { takeTurns } from "./support/bench_lanes.ts";
import type { Table } from "./support/markdown_page.ts";
import { commandOf, outputOf, ROOT, runCommand, USES_BUILD, withFolder } from "./support/runtimes.ts";
import { logLines, mediumEntry } from "./support/select_documents.ts";

/** Exit code of a shell for an unknown command. */
const NOT_FOUND = 127;
/** GNU time, which measures memory, if it is installed. */
const TIME = "/usr/bin/time";

const CHECKED_KINDS: Kind[] = ["records", "floats of 6 decimals", "CJK text"];
const LARGE_MB = 50;
/** Groups that read a larger file: its size, in sizes of the others. */
const LARGE_GROUPS: readonly Task["group"][] = ["threads", "engines", "counts"];
const LARGE_FACTOR = 10;
/** Maximum number of milliseconds for a tool's task; a slower tool does not run again. */
const PATIENCE_MS = 1500;
/** Options for large files, whose first run is often slow. */
const LARGE_PATIENCE_MS = 4000;
const RUNS = 11;

/** Task, and the shell commands that do it; `$0` is the file, `bytejson` our command line. */
interface Task {
  group: "check" | "parts" | "threads" | "engines" | "counts";
  /** Kind of document, or our command. */
  name: string;
  file: (bytes: number) => string;
  commands: Record<string, string>;
  /** Part of the output that all tools must agree on. */
  same: "nothing" | "size" | "bytes";
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

/** Modules of Python that query lines, by the names of their lanes. */
const ENGINES = { DuckDB: "duckdb", Polars: "polars" };

const SELECT = "select '{timestamp,message,http:{status}}'";
const WHERE = `select --where '/level="error"'`;
/** Lines of the files, in headers: see `logLines`, and `mediumEntry`. */
const LOG_LINES = " lines of 680 bytes";
const MEDIUM_LINES = " lines of 440 bytes";
/** Selects one line in a thousand. */
const RARE = "select --where '/http/response/bytes<90'";
/** Question that pipes to other tools answer, and our command that makes their rows. */
const COUNTS = "errors per logger and minute";
const COUNTED = `select --csv --where '/level="error"' '{logger,timestamp}'`;

/** Returns the engines that are installed, by their names with versions. */
function findEngines(): [name: string, module: string][] {
  return Object.entries(ENGINES).flatMap(([name, module]) => {
    const program = `import ${module}; print(${module}.__version__)`;
    const version = outputOf(["python3", "-c", program]);
    if (version !== undefined) return [[`${name} ${version}`, module]];
    console.error(`${name} is left out: there is no python3 with the module ${module}`);
    return [];
  });
}

/** Creates the tasks, with functions that write their files to a folder. */
export function tasksIn(folder: string, engines: [name: string, module: string][]): Task[] {
  const kindFile = (kind: Kind) => (bytes: number): string => {
    const path = join(folder, `${kind} ${bytes}.json`);
    writeFileSync(path, generate(kind, bytes));
    return path;
  };
  const linesFile = (name: string, entry?: typeof mediumEntry) => (bytes: number): string => {
    const path = join(folder, `${name} ${bytes}.jsonl`);
    const piece = logLines(Math.min(bytes, 5e6), entry);
    writeFileSync(path, "");
    for (let size = 0; size < bytes; size += piece.length) appendFileSync(path, piece);
    return path;
  };
  const logFile = linesFile("log");
  const mediumFile = linesFile("medium log", mediumEntry);
  const part = (command: string, query: string, more: Record<string, string> = {}): Task => {
    const others = ["jq", "gojq", "jaq"].map((tool) => [tool, `${tool} -c '${query}' "$0"`]);
    const commands = { "bytejson": `bytejson ${command} "$0"`, ...Object.fromEntries(others), ...more };
    return { group: "parts", name: command, file: logFile, commands, same: "size" };
  };
  const threads = (command: string): Task => {
    const jobs = [1, 2].map((count) => [`--jobs ${count}`, `bytejson ${command} --jobs ${count} "$0"`]);
    return { group: "threads", name: command, file: logFile, commands: Object.fromEntries(jobs), same: "size" };
  };
  const query = (command: string, name: string): Task => {
    const program = join(ROOT, "bench/processes/query_lines.py");
    const others = engines.map(([engine, module]) => [engine, `python3 '${program}' ${module} ${name} "$0"`]);
    const commands = { "bytejson": `bytejson ${command} "$0"`, ...Object.fromEntries(others) };
    return { group: "engines", name: command, file: mediumFile, commands, same: "bytes" };
  };
  const counts = (): Task => {
    const program = join(ROOT, "bench/processes/query_lines.py");
    const group = "[.logger, .timestamp[:16]]";
    const lines = "group_by(.)[] | .[0] + [length] | @tsv";
    const others = engines.filter(([, module]) => module === "duckdb").flatMap(([engine, module]) => [
      [`bytejson | ${engine}`, `bytejson ${COUNTED} "$0" | python3 '${program}' ${module} count /dev/stdin`],
      [engine, `python3 '${program}' ${module} count "$0"`],
    ]);
    const commands = {
      "bytejson | jq": `bytejson ${WHERE} '{logger,timestamp}' "$0" | jq -r -s 'map(${group}) | ${lines}'`,
      "jq": `jq -r -n '[inputs | select(.level == "error") | ${group}] | ${lines}' "$0"`,
      ...Object.fromEntries(others),
    };
    return { group: "counts", name: COUNTS, file: mediumFile, commands, same: "bytes" };
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
      same: "nothing",
    })),
    part(SELECT, "{timestamp,message,http:{status:.http.status}}"),
    part(WHERE, 'select(.level=="error")', { "grep | jq": `grep error "$0" | jq -c 'select(.level=="error")'` }),
    part("get /http/status", ".http.status"),
    ...["check --quiet", SELECT, WHERE, RARE].map(threads),
    query(SELECT, "select"),
    query(WHERE, "where"),
    counts(),
  ];
}

/** Command that runs the command line: that of the package, if it has been built. */
const bytejson = commandOf(USES_BUILD ? "dist/package/cli/bin.js" : "cli.ts");

/** Returns a shell command that finds `bytejson`. */
function scriptOf(command: string): string {
  return command.replace(/^bytejson/, bytejson.map((word) => `'${word}'`).join(" "));
}

/** Runs a command on a file. Returns `undefined` if it is not installed. */
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

/** Returns a checksum of a command's output, or its size, since gojq sorts members by name. */
function digestOf(command: string, same: Task["same"], file: string): string {
  const script = `{ ${scriptOf(command)}; } | ${same === "bytes" ? "cksum" : "wc -lc"}`;
  return runCommand(["sh", "-c", script, file], { stdio: ["ignore", "pipe", "ignore"] });
}

/** Measures the installed tools of a task in turn. */
async function measureTask(task: Task, megabytes: number, runs: number, folder: string): Promise<TaskRow> {
  const { group, name, commands, same } = task;
  const memoryFile = join(folder, "memory");
  const small = task.file(1e5);
  const isInstalled = ([, command]: [string, string]): boolean => run(command, small, memoryFile) !== undefined;
  const installed = Object.entries(commands).filter(isInstalled);
  const isLarge = LARGE_GROUPS.includes(group);
  const bytes = 1e6 * megabytes * (isLarge ? LARGE_FACTOR : 1);
  const file = task.file(bytes);
  const [[first, command]] = installed;
  const compared = same === "bytes" ? file : small;
  for (const [tool, other] of same === "nothing" ? [] : installed.slice(1)) {
    if (digestOf(other, same, compared) !== digestOf(command, same, compared)) {
      throw new Error(`${name}: ${tool} and ${first} differ`);
    }
  }
  const lanes = installed.map(([tool, command]) => ({ tool, command, spent: 0, outcomes: [] as Outcome[] }));
  await takeTurns(lanes, runs, (lane) => {
    if (lane.spent > (isLarge ? LARGE_PATIENCE_MS : PATIENCE_MS)) return;
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

/** Returns the output of the first command in README.md. */
function sampleScreen({ only }: BenchOptions): string[] {
  if (!only.test("sample")) return [];
  showProgress("bytejson bench");
  const env = { ...process.env, NO_COLOR: "1" };
  return runCommand([...bytejson, "bench", "bench/sample.json"], { env }).trimEnd().split("\n");
}

/** Lays out the tools of tasks: times, their ratios to the first, and memory of commands. */
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
  return {
    check: of("check"),
    parts: of("parts", LOG_LINES),
    threads: of("threads", LOG_LINES),
    engines: of("engines", MEDIUM_LINES),
    counts: of("counts", MEDIUM_LINES),
  };
}

export const bench: Bench<PartsReport> = {
  help: `Compares bytejson check, select and get of the package with other tools on the PATH, with DuckDB and
Polars if python3 has them, and one thread with two: time and peak memory of the whole process, with
output to /dev/null. The tools take turns; a slow one runs once. /usr/bin/time measures memory, if it is
installed. First, the output of tools that should print the same is compared by size, that of DuckDB and
Polars by a checksum. The screen of bytejson bench follows. Names of rows are "group/command", those of
check "check/document"; the screen is "sample".`,
  options: {
    "megabytes N":
      `size of the files, ${LARGE_MB} by default; threads, engines and counts read a file of ${LARGE_FACTOR} times the size`,
  },
  async measure(options) {
    const { only, isQuick } = options;
    const megabytes = options.number("megabytes", isQuick ? 1 : LARGE_MB);
    const isAsked = [`engines/${SELECT}`, `engines/${WHERE}`, `counts/${COUNTS}`].some((name) => only.test(name));
    const engines = isAsked ? findEngines() : [];
    const tasks = await withFolder(async (folder) => {
      const rows: TaskRow[] = [];
      for (const task of tasksIn(folder, engines).filter(({ group, name }) => only.test(`${group}/${name}`))) {
        rows.push(await measureTask(task, megabytes, isQuick ? 1 : RUNS, folder));
      }
      return rows;
    });
    return { tasks, screen: sampleScreen(options) };
  },
  tables: (report) => Object.values(tablesOf(report)).filter(({ rows }) => rows.length > 0),
  blocks(report) {
    const { check, parts, threads, engines } = tablesOf(report);
    const screen = ["```", "$ bytejson bench bench/sample.json", ...report.screen, "```"].join("\n");
    return [
      { page: "docs/performance.md", heading: "Whole processes", content: check },
      { page: "docs/cli-select.md", heading: "Speed", content: parts },
      { page: "docs/cli-select.md", heading: "Threads", content: threads },
      { page: "docs/cli-select.md", heading: "DuckDB and Polars", content: engines },
      { page: "docs/cli-bench.md", heading: "Measuring documents", content: screen },
    ];
  },
  quotes({ tasks }) {
    const shareOf = (ours: number, theirs: number): string => `${(100 * ours / theirs).toFixed(0)} %`;
    /** Returns a function that finds the outcome of a tool. */
    const toolsOf = (group: Task["group"], task: string): (tool: RegExp) => Outcome | undefined => {
      const tools = Object.entries(tasks.find((row) => row.group === group && row.name === task)!.tools);
      return (tool) => tools.find(([name]) => tool.test(name))?.[1];
    };
    const select = toolsOf("engines", SELECT);
    const count = toolsOf("counts", COUNTS);
    const [ours, theirs] = [select(/^bytejson$/), select(/^DuckDB/)];
    const [withJq, jq] = [count(/\| jq$/), count(/^jq$/)];
    const [withDuckdb, duckdb] = [count(/\| DuckDB/), count(/^DuckDB/)];
    // A test then refuses the figures of the pages.
    if (!ours || !theirs || !withJq || !jq || !withDuckdb || !duckdb) return [];
    const time = shareOf(ours.milliseconds, theirs.milliseconds);
    const memory = shareOf(ours.peak!, theirs.peak!);
    const page = "docs/cli-select.md";
    return [
      { page: "README.md", words: `takes ${time} of DuckDB's time and ${memory} of its memory` },
      {
        page,
        words: `\`jq\` alone takes ${
          (jq.milliseconds / withJq.milliseconds).toFixed(1)
        } times as long as the pipe to it`,
      },
      {
        page,
        words: `DuckDB alone takes ${shareOf(duckdb.milliseconds, withDuckdb.milliseconds)} of the time, but ${
          (duckdb.peak! / withDuckdb.peak!).toFixed(1)
        } times the memory`,
      },
    ];
  },
};
