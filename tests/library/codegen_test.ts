/**
 * Tests of the containment of generated constructors, whose property names are the sender's: one
 * for every clause.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";
import { MAX_UNFLAGGED_OBJECT } from "../../parser/base/guard_flags.ts";
import { MAX_SOURCE } from "../../parser/objects/generated_constructors.ts";
import { constantOf } from "../support/modules.ts";

/**
 * Runs a scenario in a Deno process of its own with these V8 flags, and returns what it observed.
 * Fails unless all its values were right.
 */
// deno-lint-ignore no-explicit-any
async function observe(scenario: string, { argument = "", flags = ["--expose-gc"] } = {}): Promise<any> {
  const options = ["--quiet", "--no-config", `--v8-flags=${flags}`];
  const { output } = await runDeno(["run", ...options, "tests/processes/codegen_scenarios.ts", scenario, argument]);
  assert(/^\{[^\n]*\}\n$/.test(output), output); // nothing but the result
  const { observed, wrong } = JSON.parse(output);
  assertEquals(wrong, 0, "values that differ from those expected");
  return observed;
}

/** Limits of generated constructors that modules export. */
const EXPORTED: Record<string, number> = { MAX_SOURCE, MAX_UNFLAGGED_OBJECT };

/** Reads a limit of generated constructors. */
function limit(name: string): number {
  return EXPORTED[name] ?? constantOf("parser/objects/shape_cache.ts", name);
}

const PLAIN = "plain";

const HOSTILE = [
  ...['"', "'", "`", "\\", "\\\\", '\\"', "\n", "\r\n", "\0", "\x7f", "\u2028", "\u2029", "\ufeff", ""],
  ...["\ud800", "\udc00", "\udc00\ud800", "😀", "${1}", "`${1}`", "]", "}", "};", "//", "/*", "*/", "<!--"],
  "</script>",
  ...['"};globalThis.x=1;//', '":0};globalThis.x=1;({"', '"+alert()+"', "\u2028globalThis.x=1//", "*/globalThis.x=1/*"],
  ...["[x]", "...x", "get x", "set x(v){}", "async *x", "x(){}", "constructor", "prototype", "toString", "s", "b"],
  ...["0x10", "1e3", "-0", "NaN", "\\u0022", "\\x22", "__proto_", "__Proto__"],
];

describe("generated constructors", () => {
  it("contain names of the input only as JSON.stringify() writes them, and nothing else of the input", async () => {
    const [plain, ...hostile] = await observe("names", { argument: JSON.stringify([PLAIN, ...HOSTILE]) });
    const [source] = plain.sources;
    assert(source.includes(JSON.stringify(PLAIN)), source);
    assertEquals(hostile.length, HOSTILE.length);
    for (const { key, sources, escapedSources } of hostile) {
      const expected = source.replace(JSON.stringify(PLAIN), () => JSON.stringify(key));
      assertEquals(sources, [expected]);
      if (escapedSources.length > 0) assertEquals(escapedSources, [expected]);
    }
  });

  it('have "__proto__" as a computed key, however it is spelled', async () => {
    const [plain, proto] = await observe("names", { argument: JSON.stringify([PLAIN, "__proto__"]) });
    const expected = [plain.sources[0].replace(JSON.stringify(PLAIN), '["__proto__"]')];
    assertEquals(proto.sources, expected);
    assertEquals(proto.escapedSources, expected);
  });

  it("are made for shapes that were seen many times, and not before", async () => {
    const { alone, soon } = await observe("patience");
    assert(alone >= limit("MIN_THRESHOLD") && alone < limit("MAX_THRESHOLD"), `after ${alone} objects`);
    assertEquals(soon, 0);
  });

  it("are short, however many keys there are and however long", async () => {
    const { longest, made } = await observe("length");
    assert(made > 0 && longest <= limit("MAX_SOURCE"), `${longest} characters, the longest of ${made}`);
  });

  it("are bounded in number and length as SECURITY.md says", async () => {
    const text = await Deno.readTextFile(new URL("../../SECURITY.md", import.meta.url));
    const bounds = /At most (\d+) such\s+functions are alive, each with at most (\d+) members and ([\d,]+) characters/
      .exec(text);
    const expected = ["MAX_CONSTRUCTORS", "MAX_UNFLAGGED_OBJECT", "MAX_SOURCE"].map(limit);
    assertEquals(bounds?.slice(1).map((digits) => Number(digits.replace(",", ""))), expected);
  });

  it("stay few however many shapes there are, and need ever more objects", async () => {
    const { shapes, alive, first, second } = await observe("flood");
    assert(alive > 0 && alive <= limit("MAX_CONSTRUCTORS"), `${alive} alive at a time`);
    assert(first < shapes && second < first, `${first} made for ${shapes} shapes, then ${second} for as many`);
  });

  it("are disabled silently at the first refusal where the engine forbids code from strings", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    assertEquals(await observe("forbidden", { flags }), { made: 0, refused: 1 });
  });
});

describe("no_codegen", () => {
  it("imported first, prevents every generated function", async () => {
    assertEquals(await observe("noCodegen"), { made: 0 });
  });

  it("imported later, drops the functions that were generated", async () => {
    assertEquals(await observe("noCodegenLate"), { before: true, after: false, madeAfter: 0 });
  });
});

describe("codegen in a browser", () => {
  it("is off until it is asked for and a second has passed without a report", async () => {
    const { before, atOnce, after } = await observe("browser");
    assertEquals([before, atOnce], [0, 0]);
    assert(after > 0, "nothing was generated");
  });

  it("stays off if the empty function tried first is reported", async () => {
    assertEquals(await observe("browserReporting"), { made: 0 });
  });

  it("stays off if the engine refuses the empty function", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    assertEquals(await observe("browser", { flags }), { before: 0, atOnce: 0, after: 0 });
  });

  it("stops, and reveals no names, once the page has a policy", async () => {
    const { before, refused, after } = await observe("browserLatePolicy");
    assert(before > 0, "nothing was generated");
    assertEquals([refused, after], [[""], 0]);
  });

  it("stays off if no_codegen is imported too", async () => {
    assertEquals(await observe("browserForbidden"), { made: 0 });
  });
});
