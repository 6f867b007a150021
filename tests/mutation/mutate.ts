/**
 * Mutation testing: changes the source in one place at a time, and lists the changes that no fast
 * test notices. `--help` lists the options.
 *
 * @module
 */

import { createHash } from "node:crypto";
import process from "node:process";
import { parseArgs } from "node:util";
import { Random } from "../../bench/support/random.ts";
import { projectRoot } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";
import { STARTS_PROCESS } from "./modules.ts";
import { type Mutant, readSource } from "./mutants.ts";
import type { Message, Plan, PlannedMutant, PlannedTest } from "./runner.ts";

const HELP = `deno task test mutate [OPTION…] [FILE…]

Makes mutants of the source (a comparison turned round, a condition that always holds, a number one
larger, a statement left out, …) and runs the fast tests that reach each of them. Fails if a mutant
survives that tests/mutation/accepted.tsv does not list.

  --sample N        a random sample of N mutants, instead of all of them
  --seed S          the seed of the sample, 1 by default
  --budget SECONDS  tests of a mutant, up to this time without mutants; 1 by default
  --plan FILE       a file that keeps what the tests reach: later runs find out about changed files of
                    tests alone, and begin at once
  --tests FILE      runs the tests of this file alone; may be given several times
  --hang SECONDS    processor time without a sign of life after which a mutant does not end; 5 by
                    default
  --trust           counts mutants that accepted.tsv lists as accepted, without running them
  --only FILE       only the mutants in a file with lines as --list prints them
  --list            lists the survivors as lines for accepted.tsv
`;

/** Files that are mutated by default: what the library parses, validates, copies and frees with. */
const TARGETS: string[] = [
  ...filesBelow("parser/"),
  ...filesBelow("middleware/"),
  ...[
    "detach",
    "read_bytes",
    "read_json",
    "parse_stream",
    "select",
    "pointer",
    "slice",
    "pool_allocator",
    "chunk_queue",
  ]
    .map((name) => `${name}.ts`),
];

/** Tests that run in the process of the runner. Those that start another process are left out. */
const TEST_FILES = [
  ...filesBelow("tests/parser/"),
  ...[
    "parse_binary",
    "validate_binary",
    "failure",
    "detach",
    "read_bytes",
    "slice",
    "pool_allocator",
    "chunk_queue",
    "byte_source",
    "guards",
    "guard_options",
  ]
    .map((name) => `tests/library/${name}_test.ts`),
  ...["binary_parser", "parse_stream", "parse_stream_at", "select", "pointer", "differential", "entry_points"].map((
    name,
  ) => `tests/library/${name}_test.ts`),
  ...["read_json", "secure_json_parse"].map((name) => `tests/library/${name}_test.ts`),
  ...["charset", "express", "hono", "http", "no_issues", "node_body", "options"].map((name) =>
    `tests/middleware/${name}_test.ts`
  ),
];

const ACCEPTED = new URL("accepted.tsv", import.meta.url);

/** Part of the rounds of random tests that the runner runs. */
const ROUNDS = "0.05";

/** Milliseconds of processor time of the slowest test that is run. */
const MAX_TEST_TIME = 400;
/** Milliseconds of the slowest test of the mutated file's own tests that is run. */
const MAX_OWN_TEST_TIME = 2000;
/** Time for these tests, as a multiple of that for others. */
const OWN_BUDGET = 4;
/** Seconds of processor time after which tests of a mutant are stopped: it has made them slow. */
const MAX_MUTANT_SECONDS = 15;
/** Milliseconds without a sign of life after which a mutant waits for what never comes. */
const MAX_WAIT = 120_000;
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

/**
 * Reads a list of survivors, by default those accepted: reason, file and name, separated by tabs.
 */
export function readAccepted(file: string | URL = ACCEPTED): Accepted[] {
  const lines = Deno.readTextFileSync(file).split("\n").filter((line) => line.includes("\t") && !line.startsWith("#"));
  return lines.map((line) => {
    const [reason, path, name] = line.split("\t");
    return { reason, path, name };
  });
}

/**
 * Returns the seconds of processor time that a process has used; of the clock where that is
 * unknown.
 */
function secondsOf(pid: number): number {
  if (Deno.build.os !== "linux") return performance.now() / 1000;
  try {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return 0; // it has ended
  }
}

/** Runs the child, and calls back for each of its messages. Kills it once it hangs. */
async function runChild(
  args: string[],
  onMessage: (message: Message) => void,
  hangSeconds = Infinity,
): Promise<boolean> {
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
    env: { BYTEJSON_ROUNDS: ROUNDS, BYTEJSON_LONG: "1" },
    stdout: "piped",
    stderr: args[0] === "plan" ? "inherit" : "null",
  }).spawn();
  let lastSign = Infinity; // the first sign comes once all modules are loaded
  let lastStart = Infinity;
  let lastMessage = Infinity;
  let isHanging = false;
  const watch = setInterval(() => {
    const now = secondsOf(child.pid);
    const isWaiting = performance.now() - lastMessage > MAX_WAIT;
    if (
      hangSeconds === Infinity || now - lastSign < hangSeconds && now - lastStart < MAX_MUTANT_SECONDS && !isWaiting
    ) {
      return;
    }
    isHanging = true;
    clearInterval(watch);
    child.kill("SIGKILL");
  }, POLL_INTERVAL);
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    lastSign = secondsOf(child.pid);
    lastMessage = performance.now();
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      if (message.kind === "start") lastStart = lastSign;
      onMessage(message);
    }
  }
  clearInterval(watch);
  const { code } = await child.status;
  if (args[0] === "plan" && code !== 0) throw new Error("Cannot find the tests: the runner has failed");
  return isHanging;
}

/** Finds the fast tests of files, and the blocks that each reaches. */
async function findTests(testFiles: string[], targets: string[]): Promise<PlannedTest[]> {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify({ targets, testFiles }));
    const tests: PlannedTest[] = [];
    await runChild(["plan", file], (message) => {
      if (message.kind !== "test") return;
      const { test, error } = message;
      if (error === undefined && test.milliseconds <= MAX_OWN_TEST_TIME) tests.push(test);
      if (error !== undefined && !error.includes(STARTS_PROCESS)) {
        console.error(`left out, as it fails without a mutant: ${test.path}: ${test.name}: ${error.split("\n")[0]}`);
      }
    });
    return tests;
  } finally {
    await Deno.remove(file);
  }
}

/**
 * Tests that a file keeps. Versions are {@linkcode versionOf} the files that they were found with.
 */
interface KeptTests {
  /** Versions of the files of tests. */
  testFiles: Record<string, string>;
  /** Versions of the files that tests reach. */
  targets: Record<string, string>;
  tests: PlannedTest[];
}

/** Returns a number that changes with a file. */
function versionOf(path: string): string {
  return createHash("sha256").update(Deno.readTextFileSync(new URL(path, projectRoot))).digest("base64");
}

/** Returns the versions of files. */
function versionsOf(paths: string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, versionOf(path)]));
}

/**
 * Returns the tests that a file keeps, and those of files that have changed since, and keeps all.
 */
async function keepTests(file: string): Promise<PlannedTest[]> {
  let kept: KeptTests = { testFiles: {}, targets: versionsOf(TARGETS), tests: [] };
  try {
    kept = JSON.parse(await Deno.readTextFile(file));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const testFiles = versionsOf(TEST_FILES);
  const changed = TEST_FILES.filter((path) => testFiles[path] !== kept.testFiles[path]);
  const targets = TARGETS.filter((path) => versionOf(path) === kept.targets[path]);
  const tests = kept.tests.filter(({ path }) => testFiles[path] !== undefined && !changed.includes(path));
  if (changed.length > 0) {
    tests.push(...await findTests(changed, TARGETS));
    await Deno.writeTextFile(file, JSON.stringify({ testFiles, targets: kept.targets, tests }));
  }
  // Blocks of a changed file have other numbers: any test that reaches the file may reach them.
  return tests.map((test) => {
    const reached = Object.entries(test.reached).map(([path, blocks]) => [path, targets.includes(path) ? blocks : []]);
    return { ...test, reached: Object.fromEntries(reached) };
  });
}

/**
 * Returns the indexes of tests that reach a mutant: those in the file of tests of the same name
 * up to {@linkcode OWN_BUDGET} times a budget in milliseconds, then others up to that budget, cheap
 * ones first. Precondition: they come first in `tests`.
 */
function testsOf(path: string, { block }: Mutant, tests: PlannedTest[], budget: number): number[] {
  const ownFile = `tests/${path.includes("/") ? "" : "library/"}${path.replace(".ts", "_test.ts")}`;
  const isOwn = (i: number): boolean => tests[i].path === ownFile;
  const usable = tests.keys().filter((i) => isOwn(i) || tests[i].milliseconds <= MAX_TEST_TIME).toArray();
  const ofFile = usable.filter((i) => tests[i].reached[path] !== undefined);
  const ofBlock = block < 0 ? ofFile : ofFile.filter((i) => tests[i].reached[path].includes(block));
  // No test reaches a module of constants.
  const reaching = [ofBlock, ofFile].find(({ length }) => length > 0) ?? usable;
  const within = (budget: number): (i: number) => boolean => (i) => (budget -= tests[i].milliseconds) >= 0;
  // A test may read a table of the module, and reach nothing that runs after the module is loaded.
  const ownOfBlock = block < 0 ? [] : ofBlock.filter(isOwn);
  const own = (ownOfBlock.length > 0 ? ownOfBlock : usable.filter(isOwn)).filter(within(budget * OWN_BUDGET));
  const others = reaching.filter((i) => !isOwn(i)).filter(within(budget));
  return [...own, ...others];
}

/** Runs mutants; calls back with the index and the killer of each, `null` for a survivor. */
async function runMutants(
  plan: Plan,
  hangSeconds: number,
  onEnd: (index: number, killer: string | null) => void,
): Promise<void> {
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
      }, hangSeconds);
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
      tests: { type: "string", multiple: true },
      hang: { type: "string", default: "5" },
      trust: { type: "boolean" },
      only: { type: "string" },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const only = values.only ? readAccepted(values.only) : undefined;
  const targets = positionals.length > 0
    ? positionals
    : TARGETS.filter((path) => only === undefined || only.some((entry) => entry.path === path));
  const every: { path: string; index: number; mutant: Mutant }[] = targets.flatMap((path) => {
    const { mutants } = readSource(Deno.readTextFileSync(new URL(path, projectRoot)));
    return mutants.map((mutant, index) => ({ path, index, mutant }));
  });
  const all = only
    ? every.filter(({ path, mutant }) => only.some((entry) => isAccepted(entry, path, mutant.name)))
    : every;
  const chosen = values.sample
    ? new Random(Number(values.seed)).shuffle([...all]).slice(0, Number(values.sample))
    : all;
  const found = values.plan ? await keepTests(values.plan) : await findTests(values.tests ?? TEST_FILES, targets);
  const tests = found.sort((a, b) => a.milliseconds - b.milliseconds);
  const budget = Number(values.budget) * 1000;
  const accepted = readAccepted();
  const counts = new Map(targets.map((path) => [path, { killed: 0, accepted: 0, surviving: 0 }]));
  const unused = new Set(accepted);
  const entriesOf = (path: string, { name }: Mutant): Accepted[] => {
    const entries = accepted.filter((entry) => isAccepted(entry, path, name));
    for (const entry of entries) unused.delete(entry);
    return entries;
  };
  const run = chosen.filter(({ path, mutant }) => {
    const isTrusted = entriesOf(path, mutant).length > 0 && values.trust === true;
    if (isTrusted) counts.get(path)!.accepted++;
    return !isTrusted;
  });
  const planned = run.map(({ path, index, mutant }): PlannedMutant => {
    return { path, index, tests: testsOf(path, mutant, tests, budget) };
  });
  const unreached = planned.filter(({ tests }) => tests.length === 0).length;
  console.error(
    `${tests.length} tests, ${planned.length} of ${all.length} mutants, ${unreached} not reached by a test`,
  );

  let surviving = 0;
  let done = 0;
  const plan = { tests: tests.map(({ path, index }) => ({ path, index })), mutants: planned };
  await runMutants(plan, Number(values.hang), (i, killer) => {
    const { path, mutant } = run[i];
    const count = counts.get(path)!;
    const entries = entriesOf(path, mutant);
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
  const stale = values.sample || only ? [] : [...unused].filter(({ path }) => targets.includes(path));
  for (const { path, name } of stale) console.log(`accepted, but there is no such mutant: ${path}: ${name}`);
  return surviving + stale.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main(Deno.args);
