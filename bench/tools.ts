/**
 * Compares `bytejson check` with other tools that validate JSON, as whole processes. `--help` lists
 * the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { formatDecimalBytes, formatTime } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median } from "../measure/statistics.ts";
import { generate } from "./support/documents.ts";
import { writeCopies } from "./support/large_file.ts";
import { readOptions } from "./support/options.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench tools [options]

Compares bytejson check, run from source, with jq, python3 -m json.tool, jsonlint, json_verify and
check-jsonschema, where they are on the PATH: time and peak memory of the whole process on files
of 1 KB, 10 MB and 1 GB, and whether each tool is right about small documents. Memory is measured by
/usr/bin/time, where present.

  --quick    take files of 1 KB and 1 MB, one run, and no small documents
  --json     print one JSON object on standard output`;

/** Tool whose exit code is 0 if a file is JSON. */
interface Tool {
  name: string;
  command(file: string): string[];
}

/** Time and memory of a tool, or the reason why it failed. */
interface Outcome {
  milliseconds?: number;
  /** Peak resident set, in bytes. */
  peak?: number;
  failed?: string;
}

/** Answers of the tools about a small document. */
interface Conformance {
  name: string;
  isValid: boolean;
  /** Whether each tool is right. */
  right: boolean[];
}

const SIZES: [bytes: number, runs: number][] = [[1e3, 11], [1e7, 3], [1e9, 1]];
const QUICK_SIZES: [bytes: number, runs: number][] = [[1e3, 1], [1e6, 1]];

/** Bytes of the pieces that a larger document repeats, as elements of an array. */
const PIECE_BYTES = 1e7;

/** Seconds after which a tool is ended, where GNU time and thus GNU timeout is installed. */
const TIMEOUT_SECONDS = 300;
/** Exit code of GNU timeout. */
const TIMED_OUT = 124;

const TIME = "/usr/bin/time";
/** Milliseconds from which on a time is printed in seconds. */
const LONG_MS = 10_000;

/** Exit code of a shell for an unknown command. */
const NOT_FOUND = 127;

const root = new URL("../", import.meta.url);
const flags = readOptions(HELP, { switches: ["quick", "json"] });
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

/** Small documents, and whether they are JSON by RFC 8259. */
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

/** Returns the path of the interpreter, not that of a script that starts it. */
function python(): string {
  const { stdout } = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return stdout?.trim() || "python3";
}

/** Runs a tool on a file once. Returns `undefined` where the tool is not installed. */
function run(tool: Tool, file: string): { status: number | null; outcome: Outcome } | undefined {
  const measured = hasTime ? [TIME, "-q", "-f", "%M", "-o", memoryFile, "timeout", String(TIMEOUT_SECONDS)] : [];
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
    const reason = stderr.trim().split("\n").findLast((line) => /error|cannot|exceed|memory/i.test(line));
    outcome.failed = signal ? `ended by ${signal}` : reason?.trim() ?? `exit code ${status}`;
    if (status === TIMED_OUT) outcome.failed = `not finished after ${TIMEOUT_SECONDS} s`;
  }
  return { status, outcome };
}

/** Measures a tool. Returns the median time and the highest peak, or the first failure. */
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

/** Writes a document of about `bytes` bytes. Returns its path. */
function writeDocument(bytes: number): string {
  const file = join(folder, `${bytes}.json`);
  if (bytes <= PIECE_BYTES) {
    writeFileSync(file, generate("records", bytes));
    return file;
  }
  const piece = generate("records", PIECE_BYTES);
  writeCopies(file, piece, Math.ceil(bytes / piece.length));
  return file;
}

function cellOf({ milliseconds, peak, failed }: Outcome): string {
  if (failed !== undefined) return "failed";
  const time = milliseconds! < LONG_MS ? formatTime(milliseconds!) : `${(milliseconds! / 1e3).toFixed(1)} s`;
  return time + (peak === undefined ? "" : `, ${formatDecimalBytes(peak)}`);
}

function formatSize(bytes: number): string {
  return bytes < 1e9 ? formatDecimalBytes(bytes) : `${bytes / 1e9} GB`;
}

function conformanceTable(tools: Tool[], conformances: Conformance[]): string {
  return renderTable(
    ["document", "is JSON", ...tools.map(({ name }) => name)],
    conformances.map(({ name, isValid, right }) => [
      name,
      isValid ? "yes" : "no",
      ...right.map((isRight) => isRight ? "right" : "WRONG"),
    ]),
  );
}

const hasTime = spawnSync(TIME, ["-f", "%M", "true"]).status === 0;

function compare(): void {
  writeFileSync(schema, "{}");
  const tiny = writeDocument(1e3);
  const installed = TOOLS.filter((tool) => run(tool, tiny) !== undefined);
  const absent = TOOLS.filter((tool) => !installed.includes(tool)).map(({ name }) => name);

  const sizes = (flags.quick ? QUICK_SIZES : SIZES).map(([bytes, runs]) => {
    const file = writeDocument(bytes);
    const outcomes = installed.map((tool) => {
      showProgress(`${formatDecimalBytes(bytes)}: ${tool.name}`);
      return measure(tool, file, runs);
    });
    rmSync(file);
    return { bytes, runs, outcomes };
  });
  const conformances = (flags.quick ? [] : PROBES).map(([name, content, isValid]) => {
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
      conformance: conformances.map(({ name, isValid, right }) => ({ name, isValid, right: named(right) })),
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
    ...conformances.length === 0 ? [] : ["", conformanceTable(installed, conformances)],
    ...absent.length > 0 ? ["", `not installed: ${absent.join(", ")}`] : [],
  ].join("\n"));
}

try {
  compare();
} finally {
  rmSync(folder, { recursive: true });
}
