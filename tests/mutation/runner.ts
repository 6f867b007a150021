/**
 * Child process of `mutate.ts`. Runs the fast tests against modules evaluated anew for each mutant.
 *
 * Arguments: `plan FILE…` runs every test once, and prints how long each takes and which blocks it
 * reaches. `run PLAN FIRST` runs the mutants of a plan from the given one on. Results are lines of
 * JSON on standard output.
 *
 * @module
 */

import * as assert from "@std/assert";
import * as toBytes from "@std/streams/to-bytes";
import * as buffer from "node:buffer";
import process from "node:process";
import * as stream from "node:stream";
import * as vm from "node:vm";
import { constantOf, withGlobals } from "../support/modules.ts";
import * as environment from "../support/environment.ts";
import { type Edit, Modules, STARTS_PROCESS } from "./modules.ts";
import { readSource, type Source } from "./mutants.ts";

/** One test. */
export interface PlannedTest {
  path: string;
  /** Number of tests before it in its file. */
  index: number;
  name: string;
  milliseconds: number;
  /** Blocks reached, by file; -1 if the test loads the file anew. */
  reached: Record<string, number[]>;
}

/** Mutant and the tests to run against it. */
export interface PlannedMutant {
  path: string;
  /** Index in the mutants of its file. */
  index: number;
  /** Indexes in the tests of the plan, in the order in which they run. */
  tests: number[];
}

/** Mutants to run, and the files and indexes of all tests. */
export interface Plan {
  tests: Pick<PlannedTest, "path" | "index">[];
  mutants: PlannedMutant[];
}

/** Line that the child prints. */
export type Message =
  | { kind: "test"; test: PlannedTest; error?: string }
  | { kind: "start"; mutant: number }
  | { kind: "alive" }
  | { kind: "end"; mutant: number; killer: string | null; isTainted: boolean };

interface Test {
  name: string;
  body: () => unknown;
}

/** Number of tests that are tried first. */
const KEPT_KILLERS = 3;

const print = console.log;
// Tests print the names of skipped ones; standard output is for results.
console.log = () => {};

function send(message: Message): void {
  print(JSON.stringify(message));
}

/** Collects the tests of a file. */
class Collector {
  tests: Test[] = [];
  #names: string[] = [];

  readonly bdd = {
    describe: (name: string, body: () => void): void => {
      this.#names.push(name);
      body();
      this.#names.pop();
    },
    it: Object.assign((name: string, body: () => unknown): void => {
      this.tests.push({ name: [...this.#names, name].join(" > "), body });
    }, { skip: () => {} }),
  };
}

/** Refuses to start a process, which would load files without edits. */
function refuse(): never {
  throw new Deno.errors.NotFound(STARTS_PROCESS);
}

/** Packages and modules of the runtime that files of tests import, by specifier. */
const packages = new Map<string, unknown>();

/** Files whose packages are loaded. */
const searched = new Set<string>();

/** Loads the packages that a file and its helpers import. */
async function loadPackages(path: string): Promise<void> {
  if (searched.has(path)) return;
  searched.add(path);
  const url = new URL(path, environment.projectRoot);
  for (const [, specifier] of Deno.readTextFileSync(url).matchAll(/^(?:import|\}) .*?from "(.+)";$/gm)) {
    if (specifier.startsWith(".")) {
      await loadPackages(new URL(specifier, url).href.slice(environment.projectRoot.href.length));
    } else if (!packages.has(specifier)) packages.set(specifier, await import(specifier));
  }
}

function modulesWith(edits: ReadonlyMap<string, Edit[]>, hits?: Uint8Array): [Modules, Collector] {
  const collector = new Collector();
  const outside = new Map<string, unknown>([
    ...packages,
    ["@std/assert", assert],
    ["@std/streams/to-bytes", toBytes],
    ["node:buffer", buffer],
    ["node:stream", stream],
    ["node:vm", vm],
    ["@std/testing/bdd", collector.bdd],
    ["tests/support/environment.ts", { ...environment, run: refuse, runDeno: refuse }],
  ]);
  const modules = new Modules(outside, edits, hits);
  const loadFresh = (path: string): Promise<unknown> => modules.loadFresh(path);
  outside.set("tests/support/modules.ts", {
    constantOf,
    loadFresh,
    loadFreshWith: (path: string, globals: Record<string, unknown>) => withGlobals(globals, () => loadFresh(path)),
    withGlobals,
  });
  return [modules, collector];
}

/** Collects the tests of a file, with modules of their own. */
async function collect(path: string, edits: ReadonlyMap<string, Edit[]>, hits?: Uint8Array): Promise<Test[]> {
  await loadPackages(path);
  const [modules, collector] = modulesWith(edits, hits);
  await modules.loadFresh(path);
  return collector.tests;
}

/** Returns the own properties of the objects that hostile tests change. */
function fingerprint(): string {
  const objects = [Object.prototype, Array.prototype, Array, Uint8Array.prototype, ArrayBuffer.prototype, JSON, Object];
  return objects.map((object) => {
    return Reflect.ownKeys(object).map((key) => {
      const { value, get, writable } = Object.getOwnPropertyDescriptor(object, key)!;
      return `${String(key)}:${typeof value}:${(value as { name?: string } | null)?.name}:${get?.name}:${writable}`;
    }).join();
  }).join("\n");
}

async function plan(targets: string[], testFiles: string[]): Promise<void> {
  const sources = targets.map((path): [string, Source] => {
    return [path, readSource(Deno.readTextFileSync(new URL(path, environment.projectRoot)))];
  });
  const edits = new Map<string, Edit[]>();
  const firsts = new Map<string, number>();
  let count = 0;
  for (const [path, { blocks }] of sources) {
    firsts.set(path, count);
    // The first mark of a file says that a test loads it anew, the others are those of its blocks.
    const marks = [0, ...blocks].map((start) => ({ start, end: start, replacement: `$hits[${count++}]=1;` }));
    edits.set(path, marks);
  }
  const hits = new Uint8Array(count);
  Deno.Command = refuse as unknown as typeof Deno.Command;
  for (const path of testFiles) {
    hits.fill(0);
    const tests = await collect(path, edits, hits);
    const loaded = hits.slice(); // by what runs when modules load, and every test of them depends on
    for (const [index, { name, body }] of tests.entries()) {
      hits.fill(0);
      const start = process.cpuUsage();
      let error: string | undefined;
      try {
        await body();
      } catch (thrown) {
        error = String((thrown as Error).message ?? thrown);
      }
      const { user, system } = process.cpuUsage(start);
      const milliseconds = (user + system) / 1000;
      const reached: Record<string, number[]> = {};
      for (const [target, { blocks }] of sources) {
        const first = firsts.get(target)!;
        const ofFile = [-1, ...blocks.keys()];
        const indexOf = (block: number): number => first + 1 + block;
        if (!ofFile.some((block) => hits[indexOf(block)] === 1)) continue;
        reached[target] = ofFile.filter((i) => (hits[indexOf(i)] | (i < 0 ? 0 : loaded[indexOf(i)])) === 1);
      }
      send({ kind: "test", test: { path, index, name, milliseconds, reached }, ...(error ? { error } : {}) });
    }
  }
}

/** Returns the first test that fails for a mutant, and its name; `null` if none does. */
async function findKiller(
  edits: ReadonlyMap<string, Edit[]>,
  tests: Plan["tests"],
): Promise<{ test: Plan["tests"][number]; name: string } | null> {
  const collected = new Map<string, Test[]>();
  let lastSign = performance.now();
  for (const test of tests) {
    const { path, index } = test;
    if (performance.now() - lastSign > 200) {
      send({ kind: "alive" });
      lastSign = performance.now();
    }
    try {
      if (!collected.has(path)) collected.set(path, await collect(path, edits));
      await collected.get(path)![index].body();
    } catch {
      return { test, name: `${path}: ${collected.get(path)?.[index]?.name ?? "loading"}` };
    }
  }
  return null;
}

async function run({ tests: all, mutants }: Plan, first: number): Promise<void> {
  const sources = new Map<string, Source>();
  // The tests that have killed the last mutants come first: neighbours die by the same ones.
  let killers: Plan["tests"] = [];
  const before = fingerprint();
  for (let i = first; i < mutants.length; i++) {
    const { path, index, tests } = mutants[i];
    let source = sources.get(path);
    if (source === undefined) {
      source = readSource(Deno.readTextFileSync(new URL(path, environment.projectRoot)));
      sources.set(path, source);
    }
    send({ kind: "start", mutant: i });
    const edits = new Map([[path, [source.mutants[index]]]]);
    const ofMutant = new Set(tests.map((test) => all[test]));
    const ordered = new Set([...killers.filter((test) => ofMutant.has(test)), ...ofMutant]);
    const killer = await findKiller(edits, [...ordered]);
    if (killer !== null) {
      killers = [killer.test, ...killers.filter((test) => test !== killer.test)].slice(0, KEPT_KILLERS);
    }
    const isTainted = fingerprint() !== before;
    send({ kind: "end", mutant: i, killer: killer?.name ?? null, isTainted });
    if (isTainted) break;
  }
}

if (import.meta.main) {
  const [mode, file, first] = Deno.args;
  const input = JSON.parse(Deno.readTextFileSync(file));
  if (mode === "plan") await plan(input.targets, input.testFiles);
  else await run(input, Number(first));
  Deno.exit(0);
}
