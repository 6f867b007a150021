/**
 * Mutation testing: changes the source in one place at a time, and lists the changes that no fast
 * test notices. `--help` lists the options.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { Random } from "../../measure/random.ts";
import { projectRoot } from "../support/environment.ts";
import { type Mutant, readSource } from "./mutants.ts";
import type { Message, Plan, PlannedMutant, PlannedTest } from "./runner.ts";

const HELP = `deno task mutate [--sample N] [--seed S] [--budget SECONDS] [--list] [FILE…]

Makes mutants of the source (a comparison turned round, a condition that always holds, a number one
larger, a statement left out, …) and runs the fast tests that reach each of them. Fails if a mutant
survives that tests/mutation/accepted.tsv does not list.

  --sample N        a random sample of N mutants, instead of all of them
  --seed S          the seed of the sample, 1 by default
  --budget SECONDS  tests of a mutant, up to this time without mutants; 1 by default
  --plan FILE       a file that keeps what the tests reach, so that later runs begin at once
  --list            lists the survivors as lines for accepted.tsv
`;

/** Files that are mutated by default: what the library parses, validates, copies and frees with. */
const TARGETS = [
  ...Array.from(Deno.readDirSync(new URL("parser/", projectRoot)), ({ name }) => `parser/${name}`).sort(),
  ...["detach", "read_bytes", "byte_source", "parse_stream", "slice", "pool_allocator", "chunk_queue"]
    .map((name) => `${name}.ts`),
];

/** Tests that run in the process of the runner. Those that start another process are left out. */
const TEST_FILES = [
  ...Array.from(Deno.readDirSync(new URL("tests/parser/", projectRoot)), ({ name }) => `tests/parser/${name}`).sort(),
  ...["parse_binary", "validate_binary", "failure", "detach", "read_bytes", "slice", "pool_allocator", "chunk_queue"]
    .map((name) => `tests/${name}_test.ts`),
  ...["binary_parser", "parse_stream", "differential"].map((name) => `tests/${name}_test.ts`),
];

const ACCEPTED = new URL("accepted.tsv", import.meta.url);

/** Part of the rounds of random tests that the runner runs. */
const ROUNDS = "0.05";

/** Milliseconds of processor time of the slowest test that is run. */
const MAX_TEST_TIME = 400;
/** Seconds of processor time without a sign of life after which a mutant does not end. */
const HANG_SECONDS = 2;
/** Milliseconds between looks at the time that the runner has taken. */
const POLL_INTERVAL = 250;

/** Mutants that are listed as equivalent, and why. */
interface Accepted {
  reason: string;
  path: string;
  /** Name of a mutant or, with a `*` at the end, the beginning of the names of several. */
  name: string;
}

/** Returns whether a mutant of a file is one of those listed. */
export function isAccepted({ path, name }: Accepted, file: string, mutant: string): boolean {
  return path === file && (name.endsWith("*") ? mutant.startsWith(name.slice(0, -1)) : mutant === name);
}

/** Reads the list of accepted survivors: reason, file and name, separated by tabs. */
export function readAccepted(): Accepted[] {
  const lines = Deno.readTextFileSync(ACCEPTED).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [reason, path, name] = line.split("\t");
    return { reason, path, name };
  });
}

/** Returns the seconds of processor time that a process has used; of the clock where that is unknown. */
function secondsOf(pid: number): number {
  if (Deno.build.os !== "linux") return performance.now() / 1000;
  try {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0; // it has ended
  }
}

/** Runs the child, and calls back for each of its messages. Kills it once it hangs. */
async function runChild(args: string[], onMessage: (message: Message) => void): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--import-map=imports.npm.json",
      "--v8-flags=--max-old-space-size=2048",
      "--allow-all",
      "tests/mutation/runner.ts",
      ...args,
    ],
    cwd: projectRoot,
    env: { BYTEJSON_ROUNDS: ROUNDS },
    stdout: "piped",
    stderr: args[0] === "plan" ? "inherit" : "null",
  }).spawn();
  let lastSign = Infinity; // the first sign comes once all modules are loaded
  let isHanging = false;
  const watch = setInterval(() => {
    if (args[0] !== "run" || secondsOf(child.pid) - lastSign < HANG_SECONDS) return;
    isHanging = true;
    clearInterval(watch);
    child.kill("SIGKILL");
  }, POLL_INTERVAL);
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    lastSign = secondsOf(child.pid);
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) onMessage(JSON.parse(line));
  }
  clearInterval(watch);
  const { code } = await child.status;
  if (args[0] === "plan" && code !== 0) throw new Error("Cannot find the tests: the runner has failed");
  return isHanging;
}

/** Finds the fast tests, and the blocks that each reaches. */
async function findTests(targets: string[]): Promise<PlannedTest[]> {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify({ targets, testFiles: TEST_FILES }));
    const tests: PlannedTest[] = [];
    await runChild(["plan", file], (message) => {
      if (message.kind !== "test") return;
      const { test, error } = message;
      if (error === undefined && test.milliseconds <= MAX_TEST_TIME) tests.push(test);
    });
    return tests.sort((a, b) => a.milliseconds - b.milliseconds);
  } finally {
    await Deno.remove(file);
  }
}

/** Returns the tests of a file that keeps them, after writing that file if there is none yet. */
async function plannedTests(targets: string[], file: string | undefined): Promise<PlannedTest[]> {
  if (file === undefined) return await findTests(targets);
  try {
    return JSON.parse(await Deno.readTextFile(file));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const tests = await findTests(TARGETS);
  await Deno.writeTextFile(file, JSON.stringify(tests));
  return tests;
}

/**
 * Returns the indexes of tests that reach a mutant, up to a time in milliseconds: those of the file
 * of the same name first, cheap ones before others. Precondition: cheap tests come first in `tests`.
 */
function testsOf(path: string, { block }: Mutant, tests: PlannedTest[], budget: number): number[] {
  const own = `tests/${path.replace(".ts", "_test.ts")}`;
  const ofFile = tests.keys().filter((i) => tests[i].reached[path] !== undefined).toArray();
  const ofBlock = ofFile.filter((i) => tests[i].reached[path].includes(block));
  // No test reaches what runs when the module is loaded, nor a module of constants.
  const reaching = [ofBlock, ofFile].find(({ length }) => length > 0) ?? tests.keys().toArray();
  const ordered = [
    ...reaching.filter((i) => tests[i].path === own),
    ...reaching.filter((i) => tests[i].path !== own),
  ];
  let total = 0;
  const end = ordered.findIndex((test) => (total += tests[test].milliseconds) > budget);
  return end < 0 ? ordered : ordered.slice(0, Math.max(1, end));
}

/** Runs mutants; calls back with the index and the killer of each, `null` for a survivor. */
async function runMutants(plan: Plan, onEnd: (index: number, killer: string | null) => void): Promise<void> {
  const { mutants } = plan;
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(plan));
    let next = 0;
    while (next < mutants.length) {
      let started = -1;
      const isHanging = await runChild(["run", file, String(next)], (message) => {
        if (message.kind === "start") started = message.mutant;
        else if (message.kind === "end") {
          onEnd(message.mutant, message.killer);
          next = message.mutant + 1;
        }
      });
      if (started >= next) {
        onEnd(started, isHanging ? "does not end" : "ends the process");
        next = started + 1;
      } else if (started < 0 && next < mutants.length) throw new Error("Cannot run mutants: the runner does not start");
    }
  } finally {
    await Deno.remove(file);
  }
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      list: { type: "boolean" },
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      budget: { type: "string", default: "1" },
      plan: { type: "string" },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const targets = positionals.length > 0 ? positionals : TARGETS;
  const all: { path: string; index: number; mutant: Mutant }[] = targets.flatMap((path) => {
    const { mutants } = readSource(Deno.readTextFileSync(new URL(path, projectRoot)));
    return mutants.map((mutant, index) => ({ path, index, mutant }));
  });
  const chosen = values.sample
    ? new Random(Number(values.seed)).shuffle([...all]).slice(0, Number(values.sample))
    : all;
  const tests = await plannedTests(targets, values.plan);
  const budget = Number(values.budget) * 1000;
  const planned = chosen.map(({ path, index, mutant }): PlannedMutant => {
    return { path, index, tests: testsOf(path, mutant, tests, budget) };
  });
  const unreached = planned.filter(({ tests }) => tests.length === 0).length;
  console.error(
    `${tests.length} tests, ${planned.length} of ${all.length} mutants, ${unreached} not reached by a test`,
  );

  const accepted = readAccepted();
  const unused = new Set(accepted);
  const counts = new Map(targets.map((path) => [path, { killed: 0, accepted: 0, surviving: 0 }]));
  let surviving = 0;
  let done = 0;
  const plan = { tests: tests.map(({ path, index }) => ({ path, index })), mutants: planned };
  await runMutants(plan, (i, killer) => {
    const { path, mutant } = chosen[i];
    const count = counts.get(path)!;
    const entries = accepted.filter((entry) => isAccepted(entry, path, mutant.name));
    for (const entry of entries) unused.delete(entry);
    if (killer !== null) {
      count.killed++;
      const exact = entries.find(({ name }) => name === mutant.name);
      if (exact) console.log(`is killed, but accepted: ${path}: ${mutant.name}: ${killer}`);
    } else if (entries.length > 0) count.accepted++;
    else {
      count.surviving++;
      surviving++;
      console.log(values.list ? `?\t${path}\t${mutant.name}` : `survives: ${path}:${mutant.line}: ${mutant.name}`);
    }
    if (++done % 200 === 0) console.error(`${done} of ${planned.length}, ${surviving} survive`);
  });

  console.log(`\n${"file".padEnd(28)} mutants  killed  accepted  surviving`);
  const total = { killed: 0, accepted: 0, surviving: 0 };
  const row = (name: string, { killed, accepted, surviving }: typeof total): string => {
    const cells = [killed + accepted + surviving, killed, accepted, surviving];
    return `${name.padEnd(28)} ${cells.map((cell, i) => String(cell).padStart([7, 7, 9, 10][i])).join(" ")}`;
  };
  for (const [path, count] of counts) {
    for (const key of ["killed", "accepted", "surviving"] as const) total[key] += count[key];
    if (count.killed + count.accepted + count.surviving > 0) console.log(row(path, count));
  }
  console.log(row("all", total));
  const stale = values.sample ? [] : [...unused].filter(({ path }) => targets.includes(path));
  for (const { path, name } of stale) console.log(`accepted, but there is no such mutant: ${path}: ${name}`);
  return surviving + stale.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main(Deno.args);
