/** Mutants of `deno task test mutate`, in `tests/mutation/`. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { applyEdits } from "./modules.ts";
import { isAccepted, readAccepted } from "./mutate.ts";
import { readSource } from "./mutants.ts";
import { projectRoot } from "../support/environment.ts";

/** Returns the text that each mutant makes of a source. */
function mutated(source: string): string[] {
  const { code, mutants } = readSource(source);
  return mutants.map((mutant) => applyEdits(code, [mutant]));
}

describe("readSource()", () => {
  for (
    const [source, ...expected] of [
      ["a < b;", "", "a <= b;", "a >= b;"],
      ["x = a === b;", "", "x = a !== b;"],
      ["x = a && b;", "", "x = (a);", "x = (b);"],
      ["if (a) b();", "if (true) b();", "if (false) b();", "if (a) ;"],
      ["const x = a ? 1 : b;", "const x = true ? 1 : b;", "const x = false ? 1 : b;", "const x = a ? 2 : b;"],
      ["const x = !a;", "const x = (a);"],
      ["for (; a;) { break; }", "for (; false;) { break; }", "for (; a;) {  }"],
      ["const x = i++;", "const x = i--;"],
      ["const x = --i;", "const x = ++i;"],
      ['const x = "a";', 'const x = "?a";'],
      ["const x = 0xff;", "const x = 256;"],
      ["const x = true;", "const x = false;"],
      ['import { a } from "b";'],
    ]
  ) {
    it(`mutates ${source}`, () => assertEquals(mutated(source), expected));
  }

  it("leaves types alone", () => {
    assertEquals(readSource("type A = 1 | 2; interface B { c: -1 }").mutants, []);
  });

  it("gives mutants names of their own, which do not depend on lines before", () => {
    const names = readSource("function f(a) { return a + 1 + 1; }").mutants.map(({ name }) => name);
    assertEquals(new Set(names).size, names.length);
    const moved = readSource("\n\nlet b;\nfunction f(a) { return a + 1 + 1; }").mutants.map(({ name }) => name);
    assertEquals(moved, names);
  });

  it("names mutants after the function they are in", () => {
    const source =
      "f(1); function g() { f(2); } const h = (function h() { f(3); }).valueOf(); class C { m() { f(4); } }";
    const names = readSource(source).mutants.map(({ name }) => name.slice(0, name.indexOf(":")));
    assertEquals([...new Set(names)], ["module", "g", "h", "m"]);
  });

  it("knows the innermost block around a mutant", () => {
    const { blocks, mutants } = readSource("const a = 1; function f() { { g(); } h(); }");
    assertEquals(blocks.length, 2);
    assertEquals(mutants.map(({ block }) => block), [-1, 1, 0]);
  });
});

describe("accepted.tsv", () => {
  const accepted = readAccepted();

  it("names mutants once", () => {
    const names = accepted.map(({ path, name }) => `${path}: ${name}`);
    assertEquals(new Set(names).size, names.length);
  });

  it("gives reasons that docs/testing.md explains", () => {
    const page = Deno.readTextFileSync(new URL("docs/testing.md", projectRoot));
    for (const reason of new Set(accepted.map(({ reason }) => reason))) assert(page.includes(`\`${reason}\``), reason);
  });
});

describe("isAccepted()", () => {
  it("tells a whole name from the beginning of several", () => {
    const one = { reason: "speed", path: "a.ts", name: "f: g(1); | 1 -> 2" };
    assertEquals(isAccepted(one, "a.ts", "f: g(1); | 1 -> 2"), true);
    assertEquals(isAccepted(one, "a.ts", "f: g(1); | 1 -> 2 #2"), false);
    assertEquals(isAccepted(one, "b.ts", "f: g(1); | 1 -> 2"), false);
    const all = { ...one, name: "f: g(1);*" };
    assertEquals(isAccepted(all, "a.ts", "f: g(1); | 1 -> 2 #2"), true);
    assertEquals(isAccepted(all, "a.ts", "f: g(2); | 2 -> 3"), false);
  });
});
