/** The sources as they are in every runtime at hand: one program has the same output in all. */

import { findBun, findNode, NO_BUN, NO_NODE, type Outcome, projectRoot, run, runDeno } from "../support/environment.ts";
import { describeRows } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";
import { sideBySide } from "../support/side_by_side.ts";
import { runWorkerd } from "../support/workerd.ts";
import { itUnless, type SkipReason, withoutProgram } from "../support/skip.ts";

/** Program that calls everything, and one of `readJson`, with the fewest checks of each. */
const [PROGRAM, CHECKS] = ["tests/processes/smoke.ts", 40];
const [BODIES, CHECKS_OF_BODIES] = ["tests/processes/check_read_json.ts", 85];
/** Program of those who hold the bytes of a source, too. It has servers. */
const [OWNERSHIP, CHECKS_OF_OWNERSHIP] = ["tests/processes/check_ownership.ts", 1_300];

const LOAD = `await import(${JSON.stringify(new URL(PROGRAM, projectRoot))});`;

const WITHOUT_DISPOSE = `
  const whole = Symbol;
  const { dispose: _, ...rest } = Object.getOwnPropertyDescriptors(whole);
  const makeSymbol = function (description) { return whole(description); };
  globalThis.Symbol = Object.defineProperties(makeSymbol, { ...rest, prototype: {} });
  const { ChunkQueue, PoolAllocator, Slice } = await import("${new URL("mod.ts", projectRoot)}");
  if (Symbol.dispose) throw new Error("Symbol.dispose is still there");
  for (const { prototype } of [ChunkQueue, PoolAllocator, Slice]) {
    if ("undefined" in prototype) throw new Error("a method is named undefined");
  }
  ${LOAD}`;

const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
const MODULES = Object.values<string>(exports).filter((path) => path !== "./cli.ts");

/** Starts a program in a runtime, unless that is missing. */
function runIn(runtime: string | undefined, ...program: string[]): (() => Promise<Outcome>) | undefined {
  return runtime === undefined ? undefined : () => run(runtime, program);
}

const NO_CODE = "--v8-flags=--disallow-code-generation-from-strings";
const QUICKJS = ["run", "-A", "--import-map=imports.npm.json", "tests/processes/load_quickjs.ts", ...MODULES];

const HOLDING = ["run", "--no-config", "--allow-net=127.0.0.1", "--allow-read", OWNERSHIP];

const node = await findNode();
const bun = await findBun();
const noWorkerd = withoutProgram("workerd");

/** Run of a program, or the reason to skip it, and the minimum number of its checks. */
interface ProgramRun {
  name: string;
  start: (() => Promise<Outcome>) | undefined;
  reason?: SkipReason;
  checks?: number;
  takesLong?: boolean;
}

const RUNS: ProgramRun[] = [
  { name: "in Deno, without permissions", start: () => runDeno(["run", "--no-config", PROGRAM]), takesLong: true },
  {
    name: "in Deno, where code must not be generated",
    start: () => runDeno(["run", "--no-config", NO_CODE, PROGRAM]),
    takesLong: true,
  },
  {
    name: "without Buffer, as in browsers",
    start: () => runDeno(["eval", "--no-config", `delete globalThis.process; ${LOAD}`]),
    takesLong: true,
  },
  {
    name: "without Symbol.dispose, as in older browsers",
    start: () => runDeno(["eval", "--no-config", WITHOUT_DISPOSE]),
    takesLong: true,
  },
  { name: "in QuickJS, which has the globals of ECMAScript alone", start: () => runDeno(QUICKJS), takesLong: true },
  { name: "in Node.js", start: runIn(node, PROGRAM), reason: NO_NODE },
  { name: "in Bun", start: runIn(bun, PROGRAM), reason: NO_BUN },
  { name: "in workerd", start: noWorkerd ? undefined : () => runWorkerd("workerd", PROGRAM), reason: noWorkerd },
  {
    name: "of readJson() in Deno",
    start: () => runDeno(["run", "--no-config", BODIES]),
    checks: CHECKS_OF_BODIES,
  },
  { name: "of readJson() in Node.js", start: runIn(node, BODIES), reason: NO_NODE, checks: CHECKS_OF_BODIES },
  { name: "of readJson() in Bun", start: runIn(bun, BODIES), reason: NO_BUN, checks: CHECKS_OF_BODIES },
  { name: "of ownership in Deno", start: () => runDeno(HOLDING), checks: CHECKS_OF_OWNERSHIP },
  ...[
    { name: "of ownership in Node.js", start: runIn(node, OWNERSHIP), reason: NO_NODE },
    { name: "of ownership in Bun", start: runIn(bun, OWNERSHIP), reason: NO_BUN },
  ].map((ofRuntime) => ({ ...ofRuntime, checks: CHECKS_OF_OWNERSHIP, takesLong: true })),
];

const started = new Map<ProgramRun, Promise<Outcome>>();

/** Resolves with the outcome of a run. The first call starts all runs of its group, two at a time. */
function outcomeOf(program: ProgramRun): Promise<Outcome> {
  if (!started.has(program)) {
    const group = RUNS.filter(({ start, takesLong }) => start && takesLong === program.takesLong);
    const outcomes = sideBySide(group.map(({ start }) => start!), 2);
    for (const [i, run] of group.entries()) started.set(run, outcomes[i]);
  }
  return started.get(program)!;
}

describeRows(
  "the library without a build passes all checks",
  RUNS,
  ({ takesLong = false }) => takesLong,
  (program) => {
    const { name, start, reason, checks = CHECKS } = program;
    itUnless(start === undefined && reason)(name, async () => assertChecks(await outcomeOf(program), checks));
  },
);
