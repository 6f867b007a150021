/**
 * Repeats measurements that proposals and other projects have published. `--help` lists the
 * options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { median } from "../measure/statistics.ts";
import { collectionsIn } from "./http/gc_trace.ts";
import type { MeasurementReadings, MeasurementTask } from "./processes/measurement_child.ts";
import {
  type Measurement,
  type MeasurementLane,
  type Reading,
  type RuntimeKind,
  withCollections,
} from "./background/measurement.ts";
import { MEASUREMENTS } from "./background/measurements.ts";
import { type Cells, type Figures, type Result, resultOf, tableOf } from "./background/report.ts";
import { capMemory } from "./support/memory_cap.ts";
import { readOptions, wholeNumber } from "./support/options.ts";
import { renderTable } from "./support/table.ts";
import { fail, showProgress } from "./support/terminal.ts";

const ROUNDS = 5;
/** Samples of lanes that need a process for each, and samples with `--quick`. */
const FEW_ROUNDS = 3;
const CHILD = fileURLToPath(new URL("processes/measurement_child.ts", import.meta.url));

const HELP = `deno task bench background [options]

Repeats the measurements that docs/background/measurements.md lists, in Deno, Node.js and Bun, and prints ours
beside those published. Each lane is measured in rounds of alternating order; figures are medians.
"×" relates a time, or the speed where something is gained, to that of the lane's base, which has
none. Compare ratios: the machines differ. "deno task bench tables" writes them into docs/.

${MEASUREMENTS.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join("\n")}

  --only REGEX   take measurements whose name matches
  --node PATH    measure this Node.js instead of the one on the PATH; may be given more than once
  --bun PATH     measure this Bun instead of the one on the PATH
  --rounds N     take N samples of each lane; default ${ROUNDS}, or ${FEW_ROUNDS} where each takes a process
  --scale X      do X times the work, such as 0.01
  --quick        take ${FEW_ROUNDS} samples of a quarter of the work
  --json         print one JSON object on standard output`;

/** Runtime at hand. */
interface Runtime {
  kind: RuntimeKind;
  name: string;
  program: string;
}

function readFlags() {
  const { only = "", node, bun, rounds, scale, quick, json } = readOptions(HELP, {
    switches: ["quick", "json"],
    values: ["only", "rounds", "scale"],
    lists: ["node", "bun"],
  });
  const work = Number(scale ?? (quick ? 0.25 : 1));
  if (!(work > 0 && work < Infinity)) fail(`--scale takes a number above 0, not '${scale}'`);
  return {
    only: new RegExp(only),
    node: node.length > 0 ? node : ["node"],
    bun: bun.length > 0 ? bun : ["bun"],
    rounds: rounds === undefined ? (quick ? FEW_ROUNDS : undefined) : wholeNumber("rounds", rounds, 1),
    scale: work,
    json,
  };
}

/** Returns the command line of the child in a runtime. */
function commandOf({ kind, program }: Runtime, flags: string[]): string[] {
  if (kind === "Deno") {
    const v8Flags = flags.length > 0 ? [`--v8-flags=${flags.join(",")}`] : [];
    return [program, "run", "--no-config", "--allow-all", ...v8Flags, CHILD];
  }
  if (kind === "Node") return [program, "--no-warnings", ...flags, CHILD];
  return [program, CHILD];
}

/** Names of runtimes in the report. */
const RUNTIME_NAMES: Record<RuntimeKind, string> = { Deno: "Deno", Node: "Node.js", Bun: "Bun" };

/** Finds the runtimes that run the child; says on standard error which do not. */
function findRuntimes(programs: [RuntimeKind, string][]): Runtime[] {
  return programs.flatMap(([kind, program]) => {
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    const [version] = /\d+\.\d+\.\d+/.exec(stdout ?? "") ?? [];
    const runtime = { kind, program, name: `${RUNTIME_NAMES[kind]} ${version}` };
    if (version === undefined) {
      console.error(`${RUNTIME_NAMES[kind]} is left out: there is no ${program}`);
      return [];
    }
    const task: MeasurementTask = { name: MEASUREMENTS[0].name, lanes: [], rounds: 0, scale: 1 };
    const [command, ...args] = [...commandOf(runtime, []), JSON.stringify(task)];
    if (spawnSync(command, args, { stdio: "ignore" }).status === 0) return [runtime];
    console.error(`${runtime.name} is left out: it does not run TypeScript`);
    return [];
  });
}

const BUN_TRACE = { BUN_JSC_logGC: "1" };

/** Takes samples in a process of its own. Returns a reason where the process ended early. */
function runChild(
  measurement: Measurement,
  runtime: Runtime,
  lanes: string[],
  rounds: number,
  scale: number,
): MeasurementReadings | string {
  const { countsCollections = false } = measurement;
  const flags = new Set(["--expose-gc", ...lanes.flatMap((lane) => measurement.lanes[lane].flags ?? [])]);
  if (runtime.kind === "Deno") {
    // Loops of Buffer.allocUnsafe crash V8 15.0 now and then where Maglev replaces them as they
    // run.
    flags.add("--no-maglev-osr");
    if (countsCollections) flags.add("--trace-gc");
  }
  const cap = measurement.cap === undefined ? undefined : capMemory(measurement.cap);
  const task: MeasurementTask = { name: measurement.name, lanes, rounds, scale };
  const [program, ...args] = [...cap?.prefix ?? [], ...commandOf(runtime, [...flags]), JSON.stringify(task)];
  try {
    const env = { ...process.env, ...(countsCollections && runtime.kind === "Bun" && BUN_TRACE) };
    const { status, signal, stdout, stderr } = spawnSync(program, args, {
      encoding: "utf8",
      env,
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) {
      if (/heap out of memory|heap limit/i.test(stderr + stdout)) return "out of memory";
      if (signal !== null) return signal === "SIGKILL" ? "killed" : signal;
      throw new Error(`Cannot measure ${measurement.name} in ${runtime.name}:\n${stderr}`);
    }
    const readings: MeasurementReadings = JSON.parse(stdout.split("\n").findLast((line) => line.startsWith("{"))!);
    if (countsCollections && runtime.kind !== "Node") {
      const trace = stdout + stderr;
      const { milliseconds } = collectionsIn(trace);
      const kinds = [
        ...trace.matchAll(/: (Scavenge|Minor Mark-Sweep|(?:\w+ )*Mark-Compact)|=> (Eden|Full)Collection/g),
      ];
      const counts = Map.groupBy(kinds, ([, v8, jsc]) => v8?.replace(/.*(?=Mark-Compact)/, "") ?? jsc);
      const words = [...counts].map(([kind, { length }]) => `${length} ${kind}`).join(", ");
      for (const [lane, samples] of Object.entries(readings)) {
        readings[lane] = samples.map((sample) => withCollections(sample, milliseconds, words));
      }
    }
    return readings;
  } finally {
    cap?.remove();
  }
}

/** Takes medians of the readings of a lane. */
function summarize(readings: Reading[]): Reading {
  return Object.fromEntries(
    Object.keys(readings[0]).map((figure) => {
      const values = readings.map((reading) => reading[figure]);
      return [figure, typeof values[0] === "number" ? median(values as number[]) : values.at(-1)!];
    }),
  );
}

/** Measures the lanes of a measurement in one runtime. */
function measure(measurement: Measurement, runtime: Runtime, rounds: number, scale: number): Record<string, Cells> {
  const missing = ({ flags = [] }: MeasurementLane): boolean => {
    return measurement.isolated && runtime.kind === "Bun" && flags.length > 0;
  };
  const lanes = Object.keys(measurement.lanes);
  const cells: Record<string, Cells> = {};
  const readings = new Map<string, Reading[]>();
  const add = (result: MeasurementReadings | string, lanes: string[]): void => {
    for (const lane of lanes) {
      if (typeof result === "string") cells[lane] = result;
      else readings.set(lane, [...readings.get(lane) ?? [], ...result[lane]]);
    }
  };
  const present = lanes.filter((lane) => !missing(measurement.lanes[lane]));
  if (measurement.isolated) {
    for (let round = 0; round < rounds; round++) {
      for (const lane of round % 2 === 0 ? present : present.toReversed()) {
        showProgress(`${measurement.name}, ${runtime.name}: ${lane}`);
        add(runChild(measurement, runtime, [lane], 1, scale), [lane]);
      }
    }
  } else {
    showProgress(`${measurement.name}, ${runtime.name}`);
    add(runChild(measurement, runtime, present, rounds, scale), present);
  }
  for (const lane of lanes) cells[lane] ??= readings.has(lane) ? summarize(readings.get(lane)!) : "";
  showProgress("");
  return cells;
}

function main(): void {
  const { only, node, bun, rounds, scale, json } = readFlags();
  const named = MEASUREMENTS.filter(({ name }) => only.test(name));
  if (named.length === 0) throw new Error(`Cannot measure: no name matches ${only}`);
  const measurements = named.filter(({ name, missing }) => {
    const reason = missing?.();
    if (reason !== undefined) console.error(`${name} is left out: ${reason}`);
    return reason === undefined;
  });
  const runtimes = findRuntimes([
    ["Deno", process.execPath],
    ...node.map((path): [RuntimeKind, string] => ["Node", path]),
    ...bun.map((path): [RuntimeKind, string] => ["Bun", path]),
  ]);
  const names = runtimes.map(({ name }) => name);
  const results: Result[] = [];
  for (const measurement of measurements) {
    const samples = rounds ?? (measurement.isolated ? FEW_ROUNDS : ROUNDS);
    const columns = runtimes.map((runtime) => [runtime.name, measure(measurement, runtime, samples, scale)] as const);
    const lanes = Object.keys(measurement.lanes).map((lane): [string, Figures] => [
      lane,
      Object.fromEntries(columns.map(([name, cells]) => [name, cells[lane]])),
    ]);
    const result = resultOf(measurement, Object.fromEntries(lanes));
    results.push(result);
    const { header, rows } = tableOf(measurement, result, names);
    if (!json) console.log(`${measurement.name}\n\n${renderTable(header, rows)}\n`);
  }
  if (json) console.log(JSON.stringify({ rounds, scale, runtimes: names, results }, null, 2));
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
