/**
 * Tests of `deno task bench select`: its output, its errors, and the masks it prints and checks.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatMask } from "../../bench/support/masks.ts";
import { difference } from "../../bench/support/difference.ts";
import { every, type Mask, selectBinary, selector } from "../../select.ts";
import { utf8 } from "../support/bytes.ts";
import { type Outcome, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { picked } from "../support/masks.ts";
import { assertRefusal } from "../support/outcomes.ts";

function bench(options: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-run"];
  return runDeno(
    ["run", "--quiet", "--import-map=imports.npm.json", ...permissions, "bench/select.ts", ...options],
    env,
  );
}

const MASKS: Mask[] = [
  true,
  [true],
  { b: true, a: true },
  { a: [{ x: true }] },
  { [every]: { x: true }, a: true },
  { "a-b": true, ["__proto__"]: { x: true } },
  [{ [every]: [true] }],
];

describeLong("deno task bench select", () => {
  it("measures every kind of row, after a comparison of the values", async () => {
    const only = "messages/0\\.[26]|parseAt/message|elements/BinaryParser, elements, select|processes/jq|calls/.*2 KB";
    const { success, output } = await bench(["--quick", "--json", "--only", only]);
    assertEquals(success, true, output);
    const { selections, groups, lookUps, elements, processes, marks, firstCalls } = JSON.parse(output);
    assertEquals(groups.map(({ group }: { group: string }) => group), ["messages"]);
    for (const { ratio, validationRatio } of selections) assert(ratio > 0 && validationRatio > 0);
    assertEquals(lookUps.map(({ pointer }: { pointer: string }) => pointer), ["/event", "/data/order/address/city"]);
    assertEquals(elements.map(({ ratio }: { ratio: number }) => ratio > 0), [true, true]);
    assertEquals(processes[0].ratio, 1);
    assert(processes[0].seconds > 0);
    assertEquals(firstCalls.length, 1);
    const times: number[][] = Object.values(firstCalls[0].milliseconds);
    for (const totals of times) {
      assertEquals(totals.length, marks.length);
      assert(totals.every((total, i) => total > (totals[i - 1] ?? 0)), String(totals));
    }
  });
});

describe("deno task bench select", () => {
  it("measures without generated code", async () => {
    const { success, output } = await bench(["--quick", "--no-codegen", "--only", "messages/0\\.2|calls/"]);
    assertEquals(success, true, output);
    assertStringIncludes(output, "messages/0.2 KB {event,data:{order:{id,total,items:[{sku}]}}}");
    assert(!output.includes("first calls"), output);
  });

  it("says that it leaves out files of the corpus where there are none", async () => {
    const env = { BYTEJSON_SHARED: "/no/such/folder" };
    const { success, output } = await bench(["--quick", "--only", "canada|messages/0\\.2"], env);
    assertEquals(success, true, output);
    assertStringIncludes(output, "Files of the corpus are left out");
    assert(!output.includes("canada"), output);
  });

  it("says in a line what it cannot do", async () => {
    for (
      const [options, words] of [
        [["--only", "nothing at all"], "no row matches"],
        [["--only", "("], "Invalid regular expression"],
        [["--faster"], "--faster"],
      ] as const
    ) {
      assertRefusal(await bench([...options]), words);
    }
  });
});

describe("masks of bench select", () => {
  it("are printed as the command line takes them", () => {
    const texts = ["true", "[true]", "{b,a}", "{a:[{x}]}", "{a,*:{x}}", '{"a-b",__proto__:{x}}', "[{*:[true]}]"];
    for (const [i, mask] of MASKS.entries()) assertEquals(formatMask(mask), texts[i]);
  });

  it("pick what selectBinary selects", () => {
    const documents = [
      "null",
      "7",
      "[]",
      '{"a":1,"b":[2]}',
      '{"a":[{"x":1,"y":2},{"y":3},null,[4],"5"],"b":{"x":{"z":6}}}',
      '[{"a":[1,{"x":2}]},{"b":{"x":3}},[[4]],{}]',
      '{"c":{"x":1,"w":2},"a":{"x":3},"7":{"x":4},"__proto__":{"x":5},"a-b":6}',
    ];
    for (const document of documents) {
      for (const mask of MASKS) {
        const result = selectBinary(utf8(document), selector(mask));
        const problem = difference(result.ok && result.value, picked(JSON.parse(document), mask));
        assertEquals(problem, undefined, `${formatMask(mask)} of ${document}`);
      }
    }
  });
});
