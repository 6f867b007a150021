/**
 * Tests of the tests: changes the source in one place at a time, and lists the changes that no test
 * notices. `--help` lists the options.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";

import { projectRoot, run } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";
import { Random } from "../support/random.ts";
import { mutantsOf } from "./mutants.ts";
import { PLANTED_BUGS } from "./planted_bugs.ts";
import { runTrials, type Trial } from "./trials.ts";

const HELP = `deno task test mutate [OPTION…] [FILE…]

Makes mutants of the lines that a change touches (a comparison turned round, a condition that always
holds, a number one larger, a statement left out, …), and runs tests against each in a copy of the
project. Lists the mutants that survive: a test is missing, or the code can be simpler, or the change
alters nothing that a caller can see. With --planted, runs tests of public functions against the bugs
of tests/mutation/planted_bugs.ts, and fails if one survives.

  --since COMMIT  the change since a commit; HEAD by default, for what is not committed yet
  --all           all lines of the files, instead of those that have changed
  --sample N      a random sample of at most N mutants; 60 by default
  --seed S        the seed of the sample; 1 by default
  --lanes N       trials side by side; 2 by default
  --list          lists the mutants, or the planted bugs, without running any
  --planted       the planted bugs instead of mutants
  --only REGEX    the planted bugs whose names match
`;

/** Files that are mutated: what the library is made of. */
const SOURCES = /^(?:parser|middleware)\/.*\.ts$|^(?!cli|mod)[a-z_]+\.ts$/;

/** Tests of public functions, cheap ones first. */
const PUBLIC_TESTS: string[] = [
  "tests/fuzz/fuzz_test.ts",
  ...["documents", "keys", "strings", "calls", "positions", "wanted", "skipping", "validation", "validation/automaton"]
    .map((name) => `tests/parser/${name}_test.ts`),
  ...["parse_binary", "failure", "guard_options", "several_values", "select", "push_readers", "guards", "pointer"]
    .map((name) => `tests/library/${name}_test.ts`),
  ...["sources", "parse_stream", "binary_parser", "validate_binary", "differential"]
    .map((name) => `tests/library/${name}_test.ts`),
];

/** Returns the tests of a file of sources: those in its room, or that import it, first; then public ones. */
function testsOf(file: string): string[] {
  const room = file.replace(/[^/]*$/, "");
  const own = filesBelow("tests/").filter((path) => {
    if (!path.endsWith("_test.ts")) return false;
    if (room !== "") return path.startsWith(`tests/${room}`) || path === `tests/${room.slice(0, -1)}_test.ts`;
    return Deno.readTextFileSync(new URL(path, projectRoot)).includes(`"../../${file}"`);
  });
  return [...new Set([...own, ...PUBLIC_TESTS])];
}

/** Returns the numbers of the lines that have changed since a commit, by file. */
async function changedLines(since: string): Promise<Map<string, Set<number>>> {
  const { success, output } = await run("git", ["diff", "--unified=0", "--no-color", since]);
  if (!success) throw new Error(`Cannot mutate: ${output}`);
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of output.split("\n")) {
    const [, file] = /^\+\+\+ b\/(.*)$/.exec(line) ?? [];
    if (file !== undefined) changed.set(file, lines = new Set());
    const [, first, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let i = 0; first !== undefined && i < Number(count); i++) lines.add(Number(first) + i);
  }
  return changed;
}

/** Makes a trial of each mutant of a file on some of its lines. */
function trialsOf(file: string, isWanted: (line: number) => boolean): Trial[] {
  const source = Deno.readTextFileSync(new URL(file, projectRoot));
  const tests = testsOf(file);
  return mutantsOf(source).filter(({ line }) => isWanted(line)).map(({ start, end, replacement, line }) => {
    const name = `${file}:${line}: ${source.slice(start, end)} → ${replacement || "nothing"}`.replaceAll(/\s+/g, " ");
    return { name, file, start, end, replacement, tests };
  });
}

/** Makes a trial of each planted bug. Throws if its place is not in the source. */
function plantedTrials(only = /(?:)/): Trial[] {
  return PLANTED_BUGS.filter(({ name }) => only.test(name)).map(({ name, file, source, replacement }) => {
    const text = Deno.readTextFileSync(new URL(file, projectRoot));
    const start = text.indexOf(source);
    if (start < 0 || text.includes(source, start + 1)) {
      throw new Error(`Cannot plant "${name}": its source text is not in ${file} exactly once`);
    }
    return { name, file, start, end: start + source.length, replacement, tests: PUBLIC_TESTS };
  });
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      since: { type: "string", default: "HEAD" },
      all: { type: "boolean" },
      sample: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      lanes: { type: "string", default: "2" },
      list: { type: "boolean" },
      planted: { type: "boolean" },
      only: { type: "string" },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  let trials: Trial[];
  if (values.planted) trials = plantedTrials(values.only === undefined ? undefined : new RegExp(values.only));
  else {
    const changed = values.all ? new Map() : await changedLines(values.since);
    const files = positionals.length > 0 ? positionals : [...changed.keys()].filter((file) => SOURCES.test(file));
    const every = files.flatMap((file) => trialsOf(file, (line) => values.all || changed.get(file)?.has(line)));
    trials = new Random(Number(values.seed)).shuffle(every).slice(0, Number(values.sample));
    console.error(`${trials.length} of ${every.length} mutants of ${files.length} files`);
  }
  if (values.list) {
    for (const { name } of trials.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start)) console.log(name);
    return 0;
  }
  let survivors = 0;
  for await (const { trial: { name }, killer } of runTrials(trials, Number(values.lanes))) {
    if (killer === null) survivors++;
    if (killer === null || values.planted) console.log(`${name}: ${killer ?? "survives"}`);
  }
  console.log(`${survivors} of ${trials.length} survive`);
  return values.planted && survivors > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main(Deno.args);
