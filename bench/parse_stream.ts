/**
 * Compares parsing of streams with parsing of whole inputs, and with other parsers. `--help` lists
 * the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median } from "../measure/statistics.ts";
import type { LatencyReading } from "./processes/stream_latency.ts";
import type { MemoryReading } from "./processes/stream_memory.ts";
import { generate } from "./support/documents.ts";
import { DOCUMENT_PARSERS, ELEMENT_PARSERS, LINE_PARSERS, type StreamParser } from "./support/stream_parsers.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

const ROUNDS = 5;

const HELP = `deno task bench stream [options]

Parses records that arrive in chunks of 64 KiB: the elements of an array, JSON Lines, and one
document. Other parsers, and parsing of the whole input, take turns with ours in one process, after
a round of warm-up; figures are medians of ${ROUNDS} rounds.

  --megabytes N  size of the inputs, 75 by default
  --only REGEX   measure contestants whose "group, name" matches; the first of a group always runs
  --memory GB    measure the memory of a process instead that iterates over GB gigabytes of records
  --latency      measure a body of --megabytes instead that another process sends at 1 Gbit/s: when
                 its value is ready, the longest turn of the event loop, and the memory
  --quick        take one round
  --json         print one JSON object on standard output`;

const GROUPS: Record<string, Record<string, StreamParser>> = {
  "elements of an array": ELEMENT_PARSERS,
  "JSON Lines": LINE_PARSERS,
  "one document": DOCUMENT_PARSERS,
};

/** Medians of one contestant, and their ratios to the first one's of its group. */
export interface StreamRow {
  group: string;
  name: string;
  mbPerSecond: number;
  /** Ratio of speeds by the clock. */
  ratio: number;
  /** Ratio of speeds by processor time, of all threads. */
  cpuRatio: number;
}

/** Milliseconds of one run. */
interface Sample {
  elapsed: number;
  cpu: number;
}

async function takeSample(parse: StreamParser, bytes: Uint8Array, values: number): Promise<Sample> {
  const { user, system } = process.cpuUsage();
  const start = performance.now();
  const count = await parse(bytes);
  const elapsed = performance.now() - start;
  const end = process.cpuUsage();
  if (count !== values) throw new Error(`Cannot compare: ${count} values instead of ${values}`);
  return { elapsed, cpu: (end.user + end.system - user - system) / 1e3 };
}

async function compare(group: string, bytes: Uint8Array, only: RegExp, rounds: number): Promise<StreamRow[]> {
  const all = Object.entries(GROUPS[group]);
  const contestants = all.filter(([name], i) => i === 0 || only.test(`${group}, ${name}`));
  const values = await all[0][1](bytes);
  const samples = contestants.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, [name, parse]] of contestants.entries()) {
      showProgress(`${group}, ${name}, round ${round}`);
      const sample = await takeSample(parse, bytes, values);
      if (round > 0) samples[i].push(sample); // the first one warms up
    }
  }
  const medianOf = (i: number, key: keyof Sample): number => median(samples[i].map((sample) => sample[key]));
  return contestants.map(([name], i) => ({
    group,
    name,
    mbPerSecond: bytes.length / 1e3 / medianOf(i, "elapsed"),
    ratio: medianOf(0, "elapsed") / medianOf(i, "elapsed"),
    cpuRatio: medianOf(0, "cpu") / medianOf(i, "cpu"),
  }));
}

/** Makes JSON Lines of an array of records: none has a bracket or brace in a string. */
function linesOf(array: Uint8Array): Uint8Array {
  return new TextEncoder().encode(
    JSON.parse(new TextDecoder().decode(array)).map((record: unknown) => {
      return `${JSON.stringify(record)}\n`;
    }).join(""),
  );
}

function runProcess<T>(path: string, flags: string[], args: string[]): T {
  const program = fileURLToPath(new URL(path, import.meta.url));
  const importMap = fileURLToPath(new URL("../imports.npm.json", import.meta.url));
  const options = ["run", "--quiet", "--no-config", `--import-map=${importMap}`, "--allow-all", ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, program, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot measure: ${path} failed:\n${stderr}`);
  return JSON.parse(stdout);
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new RangeError(`--${name} takes a number above 0, not '${text}'`);
  return value;
}

async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      megabytes: { type: "string", default: "75" },
      only: { type: "string", default: "" },
      memory: { type: "string" },
      latency: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (flags.help) return console.log(HELP);
  const size = readNumber("megabytes", flags.megabytes) * 1e6;
  const print = (data: object, text: string): void =>
    console.log(flags.json ? JSON.stringify({ machine: runtimeName(), ...data }, null, 2) : text);

  if (flags.memory !== undefined) {
    const gigabytes = readNumber("memory", flags.memory);
    const reading: MemoryReading = runProcess("processes/stream_memory.ts", [], [String(gigabytes * 1e9)]);
    const { bytes, values, seconds, peak } = reading;
    return print(
      reading,
      `${values} values of ${formatDecimalBytes(bytes)} in ${seconds.toFixed(1)} s (${
        (bytes / 1e6 / seconds).toFixed(0)
      } MB/s): at most ${formatDecimalBytes(peak)} resident more than before`,
    );
  }
  if (flags.latency) {
    const reading: LatencyReading = runProcess(
      "processes/stream_latency.ts",
      ["--v8-flags=--expose-gc"],
      [String(size)],
    );
    const { afterLastByte, late, longestTurn, longestIdleTurn, peak, value } = reading;
    const rows = [
      ["value ready after the last byte", formatTime(afterLastByte)],
      ["last byte later than at 1 Gbit/s", formatTime(late)],
      ["longest turn of the event loop", formatTime(longestTurn)],
      ["longest turn without parsing", formatTime(longestIdleTurn)],
      ["value", formatDecimalBytes(value)],
      ["peak over the value", formatDecimalBytes(peak - value)],
    ];
    return print(reading, `${runtimeName()}\n\n${renderTable([`${formatDecimalBytes(size)} at 1 Gbit/s`, ""], rows)}`);
  }

  const only = new RegExp(flags.only);
  const groups = Object.keys(GROUPS).filter((group) => {
    return Object.keys(GROUPS[group]).some((name) => only.test(`${group}, ${name}`));
  });
  if (groups.length === 0) throw new Error(`Cannot compare: no contestant matches ${flags.only}`);
  const records = generate("records", size);
  const rows: StreamRow[] = [];
  for (const group of groups) {
    const bytes = group === "JSON Lines" ? linesOf(records) : records;
    rows.push(...await compare(group, bytes, only, flags.quick ? 1 : ROUNDS));
  }
  print(
    { size, rows },
    `${runtimeName()}\n\n${
      renderTable(
        [`${formatDecimalBytes(size)} of records`, "MB/s", "× first", "× first, CPU"],
        rows.map(({ group, name, mbPerSecond, ratio, cpuRatio }) => [
          `${group}: ${name}`,
          mbPerSecond.toFixed(0),
          formatRatio(ratio),
          formatRatio(cpuRatio),
        ]),
      )
    }`,
  );
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
