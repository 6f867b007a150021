/**
 * Compares validateBinary with native, with parseBinary, and with other tools. `--help` lists the
 * options.
 *
 * @module
 */

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Contestant, native, parser, Rejection } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { geometricMean, median } from "../measure/statistics.ts";
import { validator } from "../measure/validator_contestant.ts";
import { BinaryValidator } from "../validate_binary.ts";
import type { StdinReading } from "./processes/validate_stdin.ts";
import { validDocuments } from "./support/corpus.ts";
import { type BenchDocument, generate, type Kind } from "./support/documents.ts";
import { FULL, Lane, measureAlternating, QUICK } from "./support/lane.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench validate [options] [FILE…]

Compares validateBinary with JSON.parse(decoder.decode(bytes)), with parseBinary, and with itself in
pieces of 64 KiB: in one process, in batches of alternating order, medians. Without FILE it reads
the shared corpus where present, and generated documents.

  --tools       measure whole processes instead, on files of 100 MB: jq, json_verify (yajl-tools),
                python3 -m json.tool and simdjson (pysimdjson), where installed, a process around
                BinaryValidator, and bytejson check
  --pipe GB     measure the memory of a process instead that validates GB gigabytes from a pipe
  --only REGEX  measure documents whose "group/name" matches
  --quick       take a third of the samples
  --json        print one JSON object on standard output`;

const CHUNK_BYTES = 65_536;
const TOOL_BYTES = 100_000_000;
const TOOL_KINDS: Kind[] = ["records", "floats of 6 decimals", "CJK text"];
const TOOL_RUNS = 3;
const PIPED_BYTES = 16_000_000;

/** Exit code of a shell, and of {@linkcode PYSIMDJSON}, where a program is not installed. */
const NOT_FOUND = 127;
const PYSIMDJSON = `import sys
try:
  import simdjson
except ImportError:
  sys.exit(${NOT_FOUND})
simdjson.Parser().parse(sys.stdin.buffer.read())`;

/**
 * Commands whose exit code is 0 if standard input is JSON. Times are compared with the first one's.
 */
const TOOLS: [name: string, command: string[]][] = [
  ["BinaryValidator", programCommand("./processes/validate_stdin.ts")],
  ["bytejson check", [...programCommand("../cli.ts"), "check", "--quiet"]],
  ["json_verify", ["json_verify", "-q"]],
  ["simdjson", ["python3", "-c", PYSIMDJSON]],
  ["jq empty", ["jq", "empty"]],
  ["python3 -m json.tool", ["python3", "-m", "json.tool"]],
];

/** Shell script that runs the command `$@` with the file `$0` as standard input. */
const REDIRECTION = 'exec "$@" < "$0"';

const pieceValidator = new BinaryValidator();

const inPieces: Contestant = {
  name: "64 KiB pieces",
  parse(bytes) {
    pieceValidator.reset();
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      if (!pieceValidator.push(bytes.subarray(start, start + CHUNK_BYTES))) break;
    }
    const result = pieceValidator.end();
    return result.ok || new Rejection(result.message);
  },
};

/** Result of a run: an object for `--json`, and the same as text. */
interface Report {
  data: Record<string, unknown>;
  text: string;
}

/** Medians on one document, in MB/s. */
interface Row {
  group: string;
  name: string;
  bytes: number;
  mbPerSecond: Record<string, number>;
}

const CONTESTANTS = [native, parser, validator, inPieces];
/** Ratios of speeds: title, dividend, divisor. */
const RATIOS: [title: string, fast: Contestant, slow: Contestant][] = [
  ["× native", validator, native],
  ["× parseBinary", validator, parser],
  ["pieces × whole", inPieces, validator],
];

function compareSpeeds(documents: BenchDocument[], quick: boolean): Report {
  const rows = documents.map((document) => measure(document, quick));
  const ratioOf = (row: Row, [, fast, slow]: typeof RATIOS[number]): number =>
    row.mbPerSecond[fast.name] / row.mbPerSecond[slow.name];
  const groups = [...Map.groupBy(rows, ({ group }) => group)].map(([group, members]) => ({
    group,
    mbPerSecond: Object.fromEntries(
      CONTESTANTS.map(({ name }) => [name, geometricMean(members.map((row) => row.mbPerSecond[name]))]),
    ),
    ratios: Object.fromEntries(
      RATIOS.map((ratio) => [ratio[0], geometricMean(members.map((row) => ratioOf(row, ratio)))]),
    ),
  }));
  const table = renderTable(
    ["MB/s", "bytes", ...CONTESTANTS.map(({ name }) => name), ...RATIOS.map(([title]) => title)],
    [
      ...rows.map((row) => [
        `${row.group}/${row.name}`,
        formatDecimalBytes(row.bytes),
        ...CONTESTANTS.map(({ name }) => row.mbPerSecond[name].toFixed(0)),
        ...RATIOS.map((ratio) => formatRatio(ratioOf(row, ratio))),
      ]),
      ...groups.map(({ group, mbPerSecond, ratios }) => [
        `geometric mean of ${group}`,
        "",
        ...Object.values(mbPerSecond).map((speed) => speed.toFixed(0)),
        ...Object.values(ratios).map(formatRatio),
      ]),
    ],
  );
  return { data: { documents: rows, groups }, text: table };
}

function measure({ group, name, parts }: BenchDocument, quick: boolean): Row {
  showProgress(`${group}/${name}`);
  for (const part of parts) {
    if (validator.parse(part) instanceof Rejection !== native.parse(part) instanceof Rejection) {
      throw new Error(`Cannot compare: validateBinary and JSON.parse disagree on ${group}/${name}`);
    }
  }
  const lanes = CONTESTANTS.map((contestant) => new Lane(contestant, parts));
  measureAlternating(lanes, quick ? QUICK : FULL);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const speeds = lanes.map(({ contestant, samples }) => [contestant.name, bytes / median(samples) / 1e3]);
  return { group, name, bytes, mbPerSecond: Object.fromEntries(speeds) };
}

/** Returns the command that runs a program of this project in the present runtime. */
function programCommand(path: string): string[] {
  const importMap = projectPath("../imports.npm.json");
  const options = "deno" in process.versions ? ["run", "--quiet", "--no-config", `--import-map=${importMap}`] : [];
  return [process.execPath, ...options, projectPath(path)];
}

/** Resolves a path relative to this folder. */
function projectPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function compareTools(paths: string[]): Report {
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    const files = paths.length > 0 ? paths : TOOL_KINDS.map((kind) => {
      const path = join(folder, `${kind}.json`);
      writeFileSync(path, generate(kind, TOOL_BYTES));
      return path;
    });
    const rows = files.map((path) => ({ name: basename(path), milliseconds: timeTools(path) }));
    const names = TOOLS.map(([name]) => name);
    const cell = (time: number | null, own: number | null): string =>
      time === null ? "not installed" : `${formatTime(time)} (${formatRatio(time / own!)})`;
    const table = renderTable(
      ["whole process", ...names],
      rows.map(({ name, milliseconds }) => [
        name,
        ...names.map((tool) => cell(milliseconds[tool], milliseconds[names[0]])),
      ]),
    );
    return { data: { files: rows }, text: table };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Measures all tools on a file in rounds. Returns medians, `null` for a tool that is not installed.
 */
function timeTools(path: string): Record<string, number | null> {
  const samples = TOOLS.map((): number[] => []);
  for (let round = 0; round < TOOL_RUNS; round++) {
    TOOLS.forEach(([name, command], i) => {
      showProgress(`${basename(path)} ${name}`);
      const time = timeProcess(command, path);
      if (time !== null) samples[i].push(time);
    });
  }
  return Object.fromEntries(TOOLS.map(([name], i) => [name, samples[i].length > 0 ? median(samples[i]) : null]));
}

/**
 * Times a process that must find its standard input valid. Returns milliseconds, or `null` where
 * the program is not installed.
 */
function timeProcess(command: string[], path: string): number | null {
  const start = performance.now();
  const { status } = spawnSync("sh", ["-c", REDIRECTION, path, ...command], { stdio: "ignore" });
  const time = performance.now() - start;
  if (status === NOT_FOUND) return null;
  if (status !== 0) throw new Error(`Cannot time ${command[0]}: it exited with ${status}`);
  return time;
}

async function measurePipe(gigabytes: number): Promise<Report> {
  const [, [command, ...options]] = TOOLS[0];
  const child = spawn(command, options, { stdio: ["pipe", "pipe", "inherit"] });
  const output = (async (): Promise<string> => {
    let text = "";
    for await (const data of child.stdout) text += data;
    return text;
  })();
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => child.stdin.write(bytes, (error) => error ? reject(error) : resolve()));
  // An array of arrays.
  const element = generate("records", PIPED_BYTES);
  const start = performance.now();
  await write(new TextEncoder().encode("["));
  for (let written = 0; written < gigabytes * 1e9; written += element.length) {
    if (written > 0) await write(new TextEncoder().encode(","));
    await write(element);
  }
  await write(new TextEncoder().encode("]"));
  child.stdin.end();
  const reading: StdinReading = JSON.parse(await output);
  const seconds = (performance.now() - start) / 1e3;
  if (!reading.valid) throw new Error("Cannot measure: the document in the pipe was found invalid");
  const growth = reading.rssPeak - reading.rssAtStart;
  return {
    data: { ...reading, seconds },
    text: `${formatDecimalBytes(reading.bytes)} through a pipe in ${seconds.toFixed(1)} s: resident memory ${
      formatDecimalBytes(reading.rssAtStart)
    } at the start, ${formatDecimalBytes(Math.max(growth, 0))} more at its peak`,
  };
}

/** Runs the command line. */
async function run(): Promise<void> {
  const { values: flags, positionals: paths } = parseArgs({
    allowPositionals: true,
    options: {
      tools: { type: "boolean" },
      pipe: { type: "string" },
      only: { type: "string" },
      quick: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (flags.help) return console.log(HELP);
  const { data, text } = flags.pipe !== undefined
    ? await measurePipe(gigabytesOf(flags.pipe))
    : flags.tools
    ? compareTools(paths)
    : compareSpeeds(validDocuments(paths, new RegExp(flags.only ?? "")), flags.quick ?? false);
  showProgress("");
  console.log(
    flags.json ? JSON.stringify({ runtime: runtimeName(), ...data }, null, 2) : `${runtimeName()}\n\n${text}`,
  );
}

function gigabytesOf(option: string): number {
  const gigabytes = Number(option);
  if (!(gigabytes > 0)) throw new Error(`Cannot pipe ${option} GB: --pipe takes a number above 0`);
  return gigabytes;
}

try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
