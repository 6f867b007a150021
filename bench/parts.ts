/**
 * Compares `bytejson select` and `get` with tools that query JSON, as whole processes. `--help`
 * lists the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { formatDecimalBytes, formatTime } from "../measure/number_format.ts";
import { Random } from "./support/random.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median } from "../measure/statistics.ts";
import { readOptions } from "./support/options.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench parts [options]

Compares bytejson select and get, run from source, with jq, gojq, jaq, and grep before jq, where they
are on the PATH: time and peak memory of the whole process on lines of a log, output to /dev/null. The
tools take turns. Memory is measured by /usr/bin/time, where present; of a pipe, that of the largest
process. The sizes of all outputs are compared first.

  --quick            take 2 MB and one run
  --megabytes N      size of the log (default 250)
  --runs N           runs of each tool (default 5)
  --json             print one JSON object on standard output`;

/** Exit code of a shell for an unknown command. */
const NOT_FOUND = 127;
const TIME = "/usr/bin/time";
const LONG_MS = 10_000;

const flags = readOptions(HELP, { switches: ["quick", "json"], values: ["megabytes", "runs"] });
const bytes = 1e6 * Number(flags.megabytes ?? (flags.quick ? 2 : 250));
const runs = Number(flags.runs ?? (flags.quick ? 1 : 5));
const root = new URL("../", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
const file = join(folder, "app.jsonl");
const memoryFile = join(folder, "memory");

/** Task, and the shell commands that do it; `$0` is the file, `bytejson` a function. */
interface Task {
  name: string;
  commands: Record<string, string>;
}

const QUERIES = {
  members: "{timestamp,message,http:{status:.http.status}}",
  errors: 'select(.level=="error")',
  status: ".http.status",
};

const TASKS: Task[] = [
  {
    name: "members",
    commands: { "bytejson": `bytejson select '{timestamp,message,http:{status}}' "$0"`, ...queries(QUERIES.members) },
  },
  {
    name: "lines that match",
    commands: {
      "bytejson": `bytejson select --where '/level="error"' "$0"`,
      ...queries(QUERIES.errors),
      "grep | jq": `grep error "$0" | jq -c '${QUERIES.errors}'`,
    },
  },
  {
    name: "a value of each line",
    commands: { "bytejson": `bytejson get /http/status "$0"`, ...queries(QUERIES.status) },
  },
];

/** Returns the commands of the tools that understand jq's language. */
function queries(query: string): Record<string, string> {
  return Object.fromEntries(["jq", "gojq", "jaq"].map((tool) => [tool, `${tool} -c '${query}' "$0"`]));
}

/** Returns a shell command that finds `bytejson`. */
function scriptOf(command: string): string {
  const map = fileURLToPath(new URL("imports.npm.json", root));
  const program = fileURLToPath(new URL("cli.ts", root));
  const deno = `"${process.execPath}" run --quiet --no-prompt --import-map="${map}" --allow-read "${program}"`;
  return command.replace(/^bytejson/, `exec ${deno}`);
}

/** Time and memory of a command; `undefined` where it is not installed. */
interface Outcome {
  milliseconds: number;
  /** Peak resident set, in bytes. */
  peak?: number;
}

const hasTime = spawnSync(TIME, ["-f", "%M", "true"]).status === 0;

function run(command: string): Outcome | undefined {
  const shell = ["sh", "-c", scriptOf(command), file];
  const words = hasTime ? [TIME, "-q", "-f", "%M", "-o", memoryFile, ...shell] : shell;
  const start = performance.now();
  const { status } = spawnSync(words[0], words.slice(1), { stdio: ["ignore", "ignore", "ignore"] });
  const milliseconds = performance.now() - start;
  if (status === NOT_FOUND) return undefined;
  if (status !== 0) throw new Error(`${command}: exit code ${status}`);
  return { milliseconds, ...hasTime && { peak: Number(readFileSync(memoryFile, "utf8")) * 1024 } };
}

/** Returns the numbers of lines and bytes that a command prints; gojq sorts members by name. */
function sizeOf(command: string): string {
  const { stdout } = spawnSync("sh", ["-c", `{ ${scriptOf(command).replace(/^exec /, "")}; } | wc -lc`, file], {
    encoding: "utf8",
  });
  return stdout;
}

/** Writes lines of a log. */
function writeLog(): void {
  const random = new Random(1);
  const output = openSync(file, "w");
  let written = 0;
  for (let line = 0; written < bytes;) {
    const lines: string[] = [];
    for (let i = 0; i < 1000; i++) lines.push(JSON.stringify(entryOf(random, line++)));
    written += writeSync(output, `${lines.join("\n")}\n`);
  }
  closeSync(output);
}

function entryOf(random: Random, line: number): unknown {
  const status = random.pick([200, 200, 200, 200, 200, 201, 204, 304, 404, 404, 500]);
  return {
    timestamp: new Date(1.76e12 + line * 37).toISOString(),
    level: status >= 500 && random.once(2) ? "error" : status >= 400 ? "warn" : "info",
    service: random.pick(["checkout", "catalog", "auth", "gateway", "billing"]),
    message: `request ${line} of ${random.pick(["José García", "Anna Smith", "Li Wei"])} took ${random.below(900)} ms`,
    http: {
      method: random.pick(["GET", "GET", "POST"]),
      path: `/api/v2/items/${random.below(1e6)}?page=${random.below(50)}`,
      status,
      bytes: random.below(90_000),
      user_agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
    },
    user: { id: random.below(1e7), roles: ["user", "editor"].slice(random.below(3)), premium: random.once(5) },
    trace: { id: random.below(2 ** 31).toString(16).padStart(32, "0"), sampled: random.once(10) },
    duration_ms: random.below(1e5) / 1e3,
    region: random.pick(["eu-west-1", "us-east-1"]),
  };
}

function cellOf(outcome: Outcome | undefined, fastest: number): string {
  if (outcome === undefined) return "";
  const { milliseconds, peak } = outcome;
  const time = milliseconds < LONG_MS ? formatTime(milliseconds) : `${(milliseconds / 1e3).toFixed(1)} s`;
  const ratio = milliseconds === fastest ? "" : `, ${(milliseconds / fastest).toFixed(1)}×`;
  return time + ratio + (peak === undefined ? "" : `, ${formatDecimalBytes(peak)}`);
}

function compare(): void {
  writeLog();
  const absent = new Set<string>();
  const results = TASKS.map(({ name, commands }) => {
    const size = sizeOf(commands.bytejson);
    const outcomes = new Map<string, Outcome[]>();
    for (const [tool, command] of Object.entries(commands)) {
      showProgress(`${name}: ${tool}`);
      if (run(command) === undefined) absent.add(tool);
      else if (sizeOf(command) !== size) throw new Error(`${name}: ${tool} prints something else`);
      else outcomes.set(tool, []);
    }
    for (let i = 0; i < runs; i++) {
      for (const [tool, all] of outcomes) {
        showProgress(`${name}: ${tool}, run ${i + 1}`);
        all.push(run(commands[tool])!);
      }
    }
    const tools: Record<string, Outcome> = {};
    for (const [tool, all] of outcomes) {
      const peak = Math.max(...all.map(({ peak }) => peak ?? NaN));
      tools[tool] = {
        milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
        ...!isNaN(peak) && { peak },
      };
    }
    return { name, tools };
  });
  showProgress("");
  if (flags.json) {
    return console.log(JSON.stringify({ runtime: runtimeName(), bytes, runs, results, absent: [...absent] }, null, 2));
  }
  const names = [...new Set(results.flatMap(({ tools }) => Object.keys(tools)))];
  console.log([
    `${runtimeName()}, ${formatDecimalBytes(bytes)} of lines, median of ${runs}`,
    "",
    renderTable(
      ["whole process", ...TASKS.map(({ name }) => name)],
      names.map((tool) => [tool, ...results.map(({ tools }) => cellOf(tools[tool], tools.bytejson.milliseconds))]),
    ),
    ...absent.size > 0 ? ["", `not installed: ${[...absent].join(", ")}`] : [],
  ].join("\n"));
}

try {
  writeFileSync(memoryFile, "");
  compare();
} finally {
  rmSync(folder, { recursive: true });
}
