/** The sources as they are in every runtime at hand: one program has the same output in all. */

import { describe, it } from "@std/testing/bdd";
import { findBun, findNode, NO_BUN, NO_NODE, type Outcome, projectRoot, run, runDeno } from "../support/environment.ts";
import { assertChecks } from "../support/outcomes.ts";
import { runWorkerd } from "../support/workerd.ts";
import { itUnless, type SkipReason, withoutProgram } from "../support/skip.ts";

/** Program that calls everything, and one of `readJson`, with the fewest checks of each. */
const [PROGRAM, CHECKS] = ["tests/processes/smoke.ts", 40];
const [BODIES, CHECKS_OF_BODIES] = ["tests/processes/check_read_json.ts", 85];
/** Program of those who hold the bytes of a source, too. It has servers. */
const [OWNERSHIP, CHECKS_OF_OWNERSHIP] = ["tests/processes/check_ownership.ts", 1300];

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

/** Run of a program, or the reason to skip it. */
type ProgramRun = (() => Promise<Outcome>) | SkipReason;

function runIn(runtime: string | undefined, reason: string, program: string): ProgramRun {
  return runtime === undefined ? reason : () => run(runtime, [program]);
}

const NO_CODE = "--v8-flags=--disallow-code-generation-from-strings";
const QUICKJS = ["run", "-A", "--import-map=imports.npm.json", "tests/processes/load_quickjs.ts", ...MODULES];

const node = await findNode();
const bun = await findBun();
/** Runs by where they are, and the minimum number of checks of each. */
const RUNS: Record<string, [runProgram: ProgramRun, checks?: number]> = {
  "in Deno, without permissions": [() => runDeno(["run", "--no-config", PROGRAM])],
  "in Deno, where code must not be generated": [() => runDeno(["run", "--no-config", NO_CODE, PROGRAM])],
  "without Buffer, as in browsers": [() => runDeno(["eval", "--no-config", `delete globalThis.process; ${LOAD}`])],
  "without Symbol.dispose, as in older browsers": [() => runDeno(["eval", "--no-config", WITHOUT_DISPOSE])],
  "in QuickJS, which has the globals of ECMAScript alone": [() => runDeno(QUICKJS)],
  "in Node.js": [runIn(node, NO_NODE, PROGRAM)],
  "in Bun": [runIn(bun, NO_BUN, PROGRAM)],
  "in workerd": [withoutProgram("workerd") || (() => runWorkerd("workerd", PROGRAM))],
  "of readJson() in Deno": [() => runDeno(["run", "--no-config", BODIES]), CHECKS_OF_BODIES],
  "of readJson() in Node.js": [runIn(node, NO_NODE, BODIES), CHECKS_OF_BODIES],
  "of readJson() in Bun": [runIn(bun, NO_BUN, BODIES), CHECKS_OF_BODIES],
  "of ownership in Deno": [
    () => runDeno(["run", "--no-config", "--allow-net=127.0.0.1", "--allow-read", OWNERSHIP]),
    CHECKS_OF_OWNERSHIP,
  ],
  "of ownership in Node.js": [runIn(node, NO_NODE, OWNERSHIP), CHECKS_OF_OWNERSHIP],
  "of ownership in Bun": [runIn(bun, NO_BUN, OWNERSHIP), CHECKS_OF_OWNERSHIP],
};

describe("the library without a build passes all checks", () => {
  for (const [where, [runProgram, checks = CHECKS]] of Object.entries(RUNS)) {
    if (typeof runProgram !== "function") itUnless(runProgram)(where, () => {});
    else it(where, async () => assertChecks(await runProgram(), checks));
  }
});
