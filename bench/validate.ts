/** validateBinary against native, parseBinary, and the tools people use. `--help` says how. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BinaryValidator, validateBinary } from "../validate_binary.ts";
import { type BenchDocument, generate, generatedDocuments, type Kind } from "./documents.ts";
import { type Contestant, FAILED, native, ours } from "./support/contestants.ts";
import { readDocument, sharedCorpus } from "./support/corpus.ts";
import { FULL, Lane, measureAlternating, QUICK } from "./support/lane.ts";
import { formatBytes, formatRatio, formatTime, renderTable } from "./support/report.ts";
import { runtimeName } from "./support/runtime.ts";
import { geometricMean, median } from "./support/statistics.ts";
import type { Reading } from "./support/validate_input.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench:validate [options] [FILE…]

validateBinary against JSON.parse(decoder.decode(bytes)) and parseBinary, and against itself in pieces of 64 KiB. One
process, alternating, medians. Without FILE: the shared corpus where present, and generated documents.

  --tools       whole processes instead, on files of 100 MB: jq, json_verify (yajl-tools), python3 -m json.tool, simdjson
                (pysimdjson), where installed, next to a process around BinaryValidator and to bytejson check
  --pipe GB     memory of a process that validates so much from a pipe instead
  --only REGEX  documents whose "group/name" matches
  --quick       a third of the samples
  --json        one JSON object on standard output`;

const CHUNK_BYTES = 65_536;
const TOOL_BYTES = 100_000_000;
const TOOL_KINDS: Kind[] = ["records", "floats of 6 decimals", "CJK text"];
const TOOL_RUNS = 5;
const PIPED_BYTES = 16_000_000;

/** Exit code of a shell, and of {@linkcode PYSIMDJSON}, that says that there is no such program. */
const NOT_FOUND = 127;
const PYSIMDJSON = `import sys
try:
  import simdjson
except ImportError:
  sys.exit(${NOT_FOUND})
simdjson.Parser().parse(sys.stdin.buffer.read())`;

/** Commands that tell by their exit code whether standard input is JSON; the others' times are compared with the first's. */
const TOOLS: [name: string, command: string[]][] = [
  ["BinaryValidator", programCommand("./support/validate_input.ts")],
  ["bytejson check", [...programCommand("../cli.ts"), "check", "--quiet"]],
  ["json_verify", ["json_verify", "-q"]],
  ["simdjson", ["python3", "-c", PYSIMDJSON]],
  ["jq empty", ["jq", "empty"]],
  ["python3 -m json.tool", ["python3", "-m", "json.tool"]],
];

/** Runs a command on a file. */
const REDIRECTION = 'exec "$@" < "$0"';

const whole: Contestant = {
  name: "validateBinary",
  parse: (bytes) => validateBinary(bytes).ok || FAILED,
};

const validator = new BinaryValidator();

const inPieces: Contestant = {
  name: "64 KiB pieces",
  parse(bytes) {
    validator.reset();
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      if (!validator.push(bytes.subarray(start, start + CHUNK_BYTES))) break;
    }
    return validator.end().ok || FAILED;
  },
};

/** What a run has to say: an object for `--json` and the same as text. */
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

const CONTESTANTS = [native, ours, whole, inPieces];
/** Which speed over which. */
const RATIOS: [title: string, fast: Contestant, slow: Contestant][] = [
  ["× native", whole, native],
  ["× parseBinary", whole, ours],
  ["pieces × whole", inPieces, whole],
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
        formatBytes(row.bytes),
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
    if ((whole.parse(part) === FAILED) !== (native.parse(part) === FAILED)) {
      throw new Error(`validateBinary and JSON.parse disagree on ${group}/${name}`);
    }
  }
  const lanes = CONTESTANTS.map((contestant) => new Lane(contestant, parts));
  measureAlternating(lanes, quick ? QUICK : FULL);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const speeds = lanes.map(({ contestant, samples }) => [contestant.name, bytes / median(samples) / 1e3]);
  return { group, name, bytes, mbPerSecond: Object.fromEntries(speeds) };
}

/** The command that runs a program of this project in the present runtime. */
function programCommand(path: string): string[] {
  const importMap = projectPath("../imports.npm.json");
  const options = "deno" in process.versions ? ["run", "--quiet", "--no-config", `--import-map=${importMap}`] : [];
  return [process.execPath, ...options, projectPath(path)];
}

/** The path of a file given from this folder. */
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

/** The median times of all tools on a file, one after the other in each round; `null` for one that is not installed. */
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

/** The time of a process that has to find its standard input valid; `null` where the program is not installed. */
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
  // One array of arrays, as long as it takes.
  const element = generate("records", PIPED_BYTES);
  const start = performance.now();
  await write(new TextEncoder().encode("["));
  for (let written = 0; written < gigabytes * 1e9; written += element.length) {
    if (written > 0) await write(new TextEncoder().encode(","));
    await write(element);
  }
  await write(new TextEncoder().encode("]"));
  child.stdin.end();
  const reading: Reading = JSON.parse(await output);
  const seconds = (performance.now() - start) / 1e3;
  if (!reading.valid) throw new Error("Cannot measure: what was piped was not found valid");
  const growth = reading.rssPeak - reading.rssAtStart;
  return {
    data: { ...reading, seconds },
    text: `${formatBytes(reading.bytes)} through a pipe in ${seconds.toFixed(1)} s: resident memory ${
      formatBytes(reading.rssAtStart)
    } at the start, ${formatBytes(Math.max(growth, 0))} more at its peak`,
  };
}

function selectDocuments(paths: string[], only: RegExp): BenchDocument[] {
  const documents = paths.length > 0
    ? paths.map((path) => readDocument(path))
    : [...sharedCorpus() ?? [], ...generatedDocuments().filter(({ group }) => group !== "failure")];
  const selected = documents.filter(({ group, name }) => only.test(`${group}/${name}`));
  if (selected.length === 0) throw new Error(`Cannot compare: no document matches ${only}`);
  return selected;
}

/** Measures what the command line asks for. */
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
    : compareSpeeds(selectDocuments(paths, new RegExp(flags.only ?? "")), flags.quick ?? false);
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
