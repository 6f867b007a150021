/**
 * Fault injection: built-in functions that throw or lie, calls that are interrupted, and heaps that
 * are too small. Each program runs in processes of its own.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findNode, type Outcome, run, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";

const FAULTS = "tests/processes/check_faults.ts";

/** Function that decides what a value is if it lies: the parser makes strings by it. */
const DECISIVE = ["Function.prototype.call"];

function assertUnchanged(outcome: Outcome, allowed: string[], atLeast = 400): void {
  assertChecks(outcome, atLeast);
  const [, changed] = /^changed: (.*)$/m.exec(outcome.output) ?? [];
  assertEquals(changed.split(" ").filter((name) => name !== "" && !allowed.includes(name)), []);
}

describeLong("built-in functions that throw", () => {
  it("end a call with their error at most, in Deno", async () => {
    assertUnchanged(await runDeno(["run", FAULTS, "throw"]), []);
  });

  it("end a call with their error at most, in Node.js", async () => {
    const node = await findNode();
    if (node) assertUnchanged(await run(node, [FAULTS, "throw"]), []);
  });
});

describeLong("built-in functions that lie", () => {
  it("change no value, in Deno", async () => {
    assertUnchanged(await runDeno(["run", FAULTS, "lie"]), DECISIVE);
  });

  it("change no value, in Node.js", async () => {
    const node = await findNode();
    if (node) assertUnchanged(await run(node, [FAULTS, "lie"]), DECISIVE);
  });
});

/**
 * Functions that decide what a value is if they lie when the library is loaded: the library keeps
 * them, and nothing else does what they do.
 */
const DECISIVE_AT_LOAD = ["Object.defineProperty", "Object.setPrototypeOf", "Reflect.apply", "String.fromCharCode"];

/** Milliseconds that a program may take: a fault must not make the library hang. */
const PATIENCE = 240_000;

describeLong("built-in functions that are replaced before the library is loaded", () => {
  /** Runs the program of a kind of fault, with `Buffer` and without it. */
  async function runBoth(kind: "throw" | "lie", allowed: string[]): Promise<void> {
    const script = await Deno.makeTempFile({ suffix: ".js" });
    try {
      const flags = ["--import-map=imports.npm.json", "--allow-read", `--allow-write=${script}`, "--allow-env"];
      const written = await runDeno(["run", ...flags, "tests/processes/write_bundle.ts", script, "mod.ts"]);
      assert(written.success, written.output);
      const program = ["run", "--allow-read", FAULTS, kind, script];
      const options = [["550", []], ["100", ["without-buffer"]]] as const;
      const outcomes = await Promise.all(options.map(([, option]) => runDeno([...program, ...option], {}, PATIENCE)));
      outcomes.forEach((outcome, i) => {
        assertUnchanged(outcome, allowed, kind === "throw" ? Number(options[i][0]) : 3);
      });
    } finally {
      await Deno.remove(script);
    }
  }

  it("end loading or a call with their error at most if they throw", () => runBoth("throw", []));

  it("change no value if they lie", () => runBoth("lie", DECISIVE_AT_LOAD));
});

describe("interrupted calls leave nothing behind", () => {
  const program = "tests/processes/check_interruptions.ts";

  it("at the end of the stack", async () => {
    assertChecks(await runDeno(["run", program, "stack", "0"]), 1_000);
  });

  it("by callbacks that throw", async () => {
    assertChecks(await runDeno(["run", program, "callbacks"]), 300);
  });

  it("in workers that are terminated", async () => {
    assertChecks(await runDeno(["run", "--allow-read", program, "workers"]), 40);
  });
});

describeLong("interrupted calls leave nothing behind", () => {
  it("at the end of the stack, at further places within a frame", async () => {
    assertChecks(await runDeno(["run", "tests/processes/check_interruptions.ts", "stack", "1,2,3,4,5"]), 1_000);
  });
});

describeLong("a heap of 64 MB", () => {
  it("is enough for inputs of any size whose values are small or dropped", async () => {
    const args = ["run", "--v8-flags=--max-old-space-size=64", "tests/processes/check_heap_limit.ts"];
    assertChecks(await runDeno(args), 5);
  });
});
