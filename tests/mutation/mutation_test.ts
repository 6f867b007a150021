/** Mutants and planted bugs of `deno task test mutate`, in `tests/mutation/`. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { runTrials } from "./trials.ts";

/** Lists mutants or planted bugs. The compiler for types needs a process with more permissions. */
async function list(...args: string[]): Promise<string[]> {
  const program = ["run", "--allow-all", "--import-map=imports.npm.json", "tests/mutation/mutate.ts", "--list"];
  const { success, output } = await runDeno([...program, ...args]);
  assert(success, output);
  return output.trim().split("\n");
}

describe("deno task test mutate", () => {
  const rows: [source: string, ...mutants: string[]][] = [
    ["a < b;", "a < b; → nothing", "< → <=", "< → >="],
    ["x = a === b;", "x = a === b; → nothing", "=== → !=="],
    ["x = a && b;", "x = a && b; → nothing", "a && b → (a)", "a && b → (b)"],
    ["if (a) b();", "a → true", "a → false", "b(); → ;"],
    ["const c = a ? 1 : b;", "a → true", "a → false", "1 → 2"],
    ["const d = !a;", "!a → (a)"],
    ["for (; a;) { break; }", "a → false", "break; → nothing"],
    ["const e = i++;", "++ → --"],
    ["const f = --i;", "-- → ++"],
    ['const g = "a";', '"a" → "?a"'],
    ["const h: 1 | 2 = 0xff;", "0xff → 256"],
    ["const k = true;", "true → false"],
    ['import { a } from "b";'],
    ["type A = 1 | 2; interface B { c: -1 }"],
  ];

  it("makes the mutants of each kind of code, and none of types", async () => {
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    try {
      await Deno.writeTextFile(file, rows.map(([source]) => source).join("\n"));
      const found = (await list("--all", file)).filter((line) => line.startsWith(file));
      const expected = rows.flatMap(([, ...mutants], i) => mutants.map((mutant) => `${file}:${i + 1}: ${mutant}`));
      assertEquals(found.sort(), expected.sort());
    } finally {
      await Deno.remove(file);
    }
  });

  it("has bugs to plant that are changes of the source as it is", async () => {
    assert((await list("--planted")).length > 40);
  });
});

describeLong("trials", () => {
  it("find the change that a test notices, and the one that none does", async () => {
    const tests = ["tests/parser/base/swar_test.ts"];
    const trial = { name: "", file: "parser/base/swar.ts", start: 0, end: 0, tests };
    const trials = [{ ...trial, replacement: "// a comment\n" }, { ...trial, replacement: "throw new Error();\n" }];
    const killers = new Map<string, string | null>();
    for await (const { trial, killer } of runTrials(trials)) killers.set(trial.replacement, killer);
    assertEquals(trials.map(({ replacement }) => killers.get(replacement)), [null, tests[0]]);
  });
});
