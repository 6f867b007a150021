/** The sources as they are in every runtime at hand: one program has the same output in all. */

import { describe, it } from "@std/testing/bdd";
import { findNode, projectRoot, run, runDeno } from "../support/environment.ts";
import { assertChecks } from "../support/outcomes.ts";
import { runWorkerd } from "../support/workerd.ts";

const PROGRAM = "tests/processes/smoke.ts";

/** Fewest checks of the program. */
const CHECKS = 40;

/** Returns whether a program is on the `PATH`; prints that a test is skipped if it is not. */
async function isOnPath(program: string): Promise<boolean> {
  try {
    await run(program, ["--version"]);
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  console.log(`skipped: there is no ${program} on the PATH`);
  return false;
}

describe("the library without a build", () => {
  it("in Deno, without permissions", async () => {
    assertChecks(await runDeno(["run", "--no-config", PROGRAM]), CHECKS);
  });

  it("in Deno, where code must not be generated", async () => {
    const flag = "--v8-flags=--disallow-code-generation-from-strings";
    assertChecks(await runDeno(["run", "--no-config", flag, PROGRAM]), CHECKS);
  });

  it("in an engine without Buffer, as browsers are", async () => {
    const program = `delete globalThis.process; await import(${JSON.stringify(new URL(PROGRAM, projectRoot))})`;
    assertChecks(await runDeno(["eval", "--no-config", program]), CHECKS);
  });

  it("in an engine without Symbol.dispose, as older browsers are", async () => {
    const withoutDispose = `
      const whole = Symbol;
      const { dispose: _, ...rest } = Object.getOwnPropertyDescriptors(whole);
      const makeSymbol = function (description) { return whole(description); };
      globalThis.Symbol = Object.defineProperties(makeSymbol, { ...rest, prototype: {} });
      const { ChunkQueue, PoolAllocator, Slice } = await import("${new URL("mod.ts", projectRoot)}");
      if (Symbol.dispose) throw new Error("Symbol.dispose is still there");
      for (const { prototype } of [ChunkQueue, PoolAllocator, Slice]) {
        if ("undefined" in prototype) throw new Error("a method is named undefined");
      }
      await import(${JSON.stringify(new URL(PROGRAM, projectRoot))})`;
    assertChecks(await runDeno(["eval", "--no-config", withoutDispose]), CHECKS);
  });

  it("in QuickJS, which has the globals of ECMAScript alone", async () => {
    const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
    const modules = Object.values<string>(exports).filter((path) => path !== "./cli.ts");
    const args = ["run", "-A", "--import-map=imports.npm.json", "tests/processes/load_quickjs.ts", ...modules];
    assertChecks(await runDeno(args), CHECKS);
  });

  it("in Node.js", async () => {
    const node = await findNode();
    if (node) assertChecks(await run(node, [PROGRAM]), CHECKS);
  });

  it("in Bun", async () => {
    if (await isOnPath("bun")) assertChecks(await run("bun", [PROGRAM]), CHECKS);
  });

  it("in workerd", async () => {
    if (await isOnPath("workerd")) assertChecks(await runWorkerd("workerd", PROGRAM), CHECKS);
  });
});

describe("readJson(), with servers of the runtime", () => {
  const program = "tests/processes/check_read_json.ts";

  it("in Deno", async () => {
    assertChecks(await runDeno(["run", "--no-config", "--allow-net=127.0.0.1", program]), 125);
  });

  it("in Node.js", async () => {
    const node = await findNode();
    if (node) assertChecks(await run(node, [program]), 110);
  });

  it("in Bun", async () => {
    if (await isOnPath("bun")) assertChecks(await run("bun", [program]), 125);
  });
});
