/** `bytejson check` against the tools people validate JSON with, as whole processes. `--help` says how. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generate } from "./documents.ts";
import { writeCopies } from "./support/copies.ts";
import { formatBytes, formatTime, renderTable } from "./support/report.ts";
import { runtimeName } from "./support/runtime.ts";
import { median } from "./support/statistics.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench:tools [options]

bytejson check, from source, against jq, python3 -m json.tool, jsonlint, json_verify and check-jsonschema, those of them that are on the
PATH: time and peak memory of the whole process on files of 1 KB, 10 MB and 1 GB, and the verdict on small documents.

  --quick    files of 1 KB and 1 MB, one run; no verdicts
  --json     one JSON object on standard output

The memory is what /usr/bin/time tells; without that program there is none.`;

/** A way to ask a tool whether a file is JSON: its exit code is 0 if so. */
interface Tool {
  name: string;
  command(file: string): string[];
}

/** What a tool took, or why it did not do it. */
interface Outcome {
  milliseconds?: number;
  /** Bytes resident at the most. */
  peak?: number;
  failed?: string;
}

/** Whether tools are right about a small document. */
interface Verdict {
  name: string;
  isValid: boolean;
  right: boolean[];
}

const SIZES: [bytes: number, runs: number][] = [[1e3, 11], [1e7, 3], [1e9, 1]];
const QUICK_SIZES: [bytes: number, runs: number][] = [[1e3, 1], [1e6, 1]];

/** Documents of more bytes are made of so large pieces, as the elements of an array. */
const PIECE = 1e7;

/** Seconds after which a tool is given up on: where there is GNU time, there is GNU timeout. */
const PATIENCE = 300;
const TIMED_OUT = 124;

const TIME = "/usr/bin/time";
/** Milliseconds from which on seconds are told. */
const LONG = 10_000;

/** The shell's exit code where there is no such command. */
const NOT_FOUND = 127;

const root = new URL("../", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
const schema = join(folder, "schema");
const memoryFile = join(folder, "memory");

const TOOLS: Tool[] = [
  {
    name: "bytejson check",
    command: (file) => {
      const map = fileURLToPath(new URL("imports.npm.json", root));
      const program = fileURLToPath(new URL("cli.ts", root));
      const options = ["--quiet", "--no-prompt", `--import-map=${map}`, "--allow-read"];
      return [process.execPath, "run", ...options, program, "check", "--quiet", file];
    },
  },
  { name: "jq empty", command: (file) => ["jq", "empty", file] },
  { name: "python3 -m json.tool", command: (file) => [python(), "-m", "json.tool", file, "/dev/null"] },
  { name: "jsonlint", command: (file) => ["jsonlint", "--quiet", file] },
  { name: "json_verify", command: (file) => ["sh", "-c", 'exec json_verify -q < "$0"', file] },
  { name: "check-jsonschema", command: (file) => ["check-jsonschema", "--quiet", "--schemafile", schema, file] },
];

/** Small documents, and whether RFC 8259 has them as JSON. */
const PROBES: [name: string, content: string | Uint8Array, isValid: boolean][] = [
  ["empty file", "", false],
  ["trailing comma", "[1,]", false],
  ["comment", "[1] // one", false],
  ["single quotes", "['a']", false],
  ["NaN", "[NaN]", false],
  ["leading zero", "[01]", false],
  ["tab in a string", '["\t"]', false],
  ["invalid UTF-8", new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]), false],
  ["two documents", "{}\n{}\n", false],
  ["number beyond double", "[1e400]", true],
  ["lone surrogate escape", '["\\ud800"]', true],
  ["10,000 levels", "[".repeat(1e4) + "]".repeat(1e4), true],
];

/** The interpreter itself, not a script that looks for it. */
function python(): string {
  const { stdout } = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return stdout?.trim() || "python3";
}

/** Runs a tool on a file, once. `undefined` where it is not installed. */
function run(tool: Tool, file: string): { status: number | null; outcome: Outcome } | undefined {
  const measured = hasTime ? [TIME, "-q", "-f", "%M", "-o", memoryFile, "timeout", String(PATIENCE)] : [];
  const command = [...measured, ...tool.command(file)];
  const start = performance.now();
  const { status, signal, stderr, error } = spawnSync(command[0], command.slice(1), {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const milliseconds = performance.now() - start;
  if (status === NOT_FOUND || (error as { code?: string } | undefined)?.code === "ENOENT") return undefined;
  const outcome: Outcome = { milliseconds };
  if (hasTime && status !== null) outcome.peak = Number(readFileSync(memoryFile, "utf8")) * 1024;
  if (status !== 0) {
    const said = stderr.trim().split("\n").findLast((line) => /error|cannot|exceed|memory/i.test(line));
    outcome.failed = signal ? `ended by ${signal}` : said?.trim() ?? `exit code ${status}`;
    if (status === TIMED_OUT) outcome.failed = `not done after ${PATIENCE} s`;
  }
  return { status, outcome };
}

/** The median of runs, the highest peak, and the first failure. */
function measure(tool: Tool, file: string, runs: number): Outcome {
  const outcomes: Outcome[] = [];
  for (let i = 0; i < runs; i++) {
    const { outcome } = run(tool, file)!;
    if (outcome.failed !== undefined) return outcome;
    outcomes.push(outcome);
  }
  const peak = Math.max(...outcomes.map(({ peak }) => peak ?? NaN));
  return { milliseconds: median(outcomes.map(({ milliseconds }) => milliseconds!)), ...!isNaN(peak) && { peak } };
}

/** A document of about so many bytes. */
function writeDocument(bytes: number): string {
  const file = join(folder, `${bytes}.json`);
  if (bytes <= PIECE) {
    writeFileSync(file, generate("records", bytes));
    return file;
  }
  const piece = generate("records", PIECE);
  writeCopies(file, piece, Math.ceil(bytes / piece.length));
  return file;
}

function cellOf({ milliseconds, peak, failed }: Outcome): string {
  if (failed !== undefined) return "failed";
  const time = milliseconds! < LONG ? formatTime(milliseconds!) : `${(milliseconds! / 1e3).toFixed(1)} s`;
  return time + (peak === undefined ? "" : `, ${formatBytes(peak)}`);
}

function formatSize(bytes: number): string {
  return bytes < 1e9 ? formatBytes(bytes) : `${bytes / 1e9} GB`;
}

function verdictTable(tools: Tool[], verdicts: Verdict[]): string {
  return renderTable(
    ["verdict on", "is JSON", ...tools.map(({ name }) => name)],
    verdicts.map(({ name, isValid, right }) => [
      name,
      isValid ? "yes" : "no",
      ...right.map((isRight) => isRight ? "right" : "WRONG"),
    ]),
  );
}

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean" } },
});
const hasTime = spawnSync(TIME, ["-f", "%M", "true"]).status === 0;

function compare(): void {
  writeFileSync(schema, "{}");
  const tiny = writeDocument(1e3);
  const installed = TOOLS.filter((tool) => run(tool, tiny) !== undefined);
  const absent = TOOLS.filter((tool) => !installed.includes(tool)).map(({ name }) => name);

  const sizes = (flags.quick ? QUICK_SIZES : SIZES).map(([bytes, runs]) => {
    const file = writeDocument(bytes);
    const outcomes = installed.map((tool) => {
      showProgress(`${formatBytes(bytes)}: ${tool.name}`);
      return measure(tool, file, runs);
    });
    rmSync(file);
    return { bytes, runs, outcomes };
  });
  const verdicts = (flags.quick ? [] : PROBES).map(([name, content, isValid]) => {
    const file = join(folder, "probe.json");
    writeFileSync(file, content);
    showProgress(name);
    return { name, isValid, right: installed.map((tool) => (run(tool, file)!.status === 0) === isValid) };
  });
  showProgress("");

  if (flags.json) {
    const named = <T>(values: T[]): Record<string, T> =>
      Object.fromEntries(values.map((value, i) => [installed[i].name, value]));
    const data = {
      runtime: runtimeName(),
      sizes: sizes.map(({ bytes, runs, outcomes }) => ({ bytes, runs, tools: named(outcomes) })),
      verdicts: verdicts.map(({ name, isValid, right }) => ({ name, isValid, right: named(right) })),
      absent,
    };
    return console.log(JSON.stringify(data, null, 2));
  }
  const failures = sizes.flatMap(({ bytes, outcomes }) =>
    outcomes.flatMap(({ failed }, i) =>
      failed === undefined ? [] : [`${installed[i].name} failed on ${formatSize(bytes)}: ${failed}`]
    )
  );
  console.log([
    runtimeName(),
    "",
    renderTable(
      ["whole process", ...sizes.map(({ bytes }) => formatSize(bytes))],
      installed.map(({ name }, i) => [name, ...sizes.map(({ outcomes }) => cellOf(outcomes[i]))]),
    ),
    ...failures,
    ...verdicts.length === 0 ? [] : ["", verdictTable(installed, verdicts)],
    ...absent.length > 0 ? ["", `not installed: ${absent.join(", ")}`] : [],
  ].join("\n"));
}

try {
  if (flags.help) console.log(HELP);
  else compare();
} finally {
  rmSync(folder, { recursive: true });
}
