/** Inputs made to break a parser, and surroundings made to mislead it. */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { validateBinary } from "../../validate_binary.ts";
import { assertFailure, assertResult, assertValue } from "../support/assertions.ts";
import { concat, textOf, utf8 } from "../support/bytes.ts";
import { mayGenerateCode, runDeno } from "../support/environment.ts";
import { describeLong, describeRows } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";
import { sampled, withSeeds } from "../support/random.ts";
import { parseByRecursion } from "../support/recursion.ts";
import { bytesOf, PLAIN } from "./hostile_documents.ts";

/**
 * Asserts that a document is what it was written from: by its text, since there are many
 * large ones.
 */
function assertRoundTrip(value: unknown): void {
  const text = JSON.stringify(value);
  const bytes = utf8(text);
  if (sampled()) assertValue(bytes, value);
  for (const result of [parseBinary(bytes), parseByRecursion(bytes)!]) {
    assert(result.ok && JSON.stringify(result.value) === text);
  }
}

/**
 * Nested containers: beginning, end, their share of the levels, and the failure if the last closing
 * bracket is missing.
 */
const NESTS = [
  { open: "[", close: "]", share: 1, withoutClose: "expected-comma-or-bracket" },
  { open: '{"a":', close: "}", share: 1, withoutClose: "expected-comma-or-brace" },
  { open: "[1,", close: ",2]", share: 0.1, withoutClose: "expected-comma-or-bracket" },
  { open: '{"a":0, "a":\n', close: ',"b":null}', share: 0.1, withoutClose: "expected-comma-or-brace" },
];

for (const [group, levels] of [[describe, 60_000], [describeLong, 1_000_000]] as const) {
  group(`${levels} levels`, () => {
    for (const { open, close, share, withoutClose } of NESTS) {
      it(`of ${JSON.stringify(open)}`, () => {
        const opening = utf8(open.repeat(share * levels));
        const text = `${open.repeat(share * levels)}true${close.repeat(share * levels)}`;
        const bytes = utf8(text);
        assertValue(bytes, JSON.parse(text));
        assertFailure(opening, "unexpected-end", opening.length);
        assertFailure(concat([opening, utf8("x")]), "unexpected-token", opening.length);
        assertFailure(concat([bytes, utf8(close)]), "trailing-content", bytes.length);
        assertFailure(bytes.subarray(0, -1), withoutClose, bytes.length - 1);
        assertValue(utf8("[[1],{}]"), [[1], {}]);
      });
    }

    it("of brackets that do not fit", () => {
      const opening = utf8("[".repeat(levels));
      assertFailure(concat([opening, utf8("}")]), "unexpected-token", levels);
      assertFailure(concat([opening, utf8("1}")]), "expected-comma-or-bracket", levels + 1);
      assertFailure(utf8(`${'{"":'.repeat(levels)}1]`), "expected-comma-or-brace", 4 * levels + 1);
      assertFailure(utf8("]".repeat(levels)), "unexpected-token", 0);
    });
  });
}

for (const [group, size] of [[describe, 30_000], [describeLong, 200_000]] as const) {
  group(
    `documents of ${size} bytes that are made to cost time have the value of native, or the failure of the validator:`,
    () => {
      for (const document of PLAIN) {
        it(document[0], () => {
          const bytes = bytesOf(document, size);
          const validation = validateBinary(bytes);
          const expected = validation.ok ? { ok: true as const, value: JSON.parse(textOf(bytes)!) } : validation;
          for (let times = 0; times < 2; times++) assertResult(bytes, expected); // the second time, keys are cached
        });
      }
    },
  );
}

describe("documents made to cost time", () => {
  it("have new shapes in thousands of calls, among known ones", () => {
    const known = Array.from({ length: 20 }, (_, i) => ({ id: i, name: `n${i}`, list: [i] }));
    for (let call = 0; call < 2_000; call++) {
      assertRoundTrip(Array.from({ length: 10 }, (_, i) => ({ [`k${call}`]: i, [`l${call * i}`]: {}, id: call })));
      if (call % 10 === 0) assertRoundTrip(known);
    }
  });
});

describeLong("long containers", () => {
  it("of numbers, in an input so large that their runs are joined", () => {
    const pad = "x".repeat(4_200_000);
    const lengths = [4_095, 4_096, 4_097, 8_192, 10_000, 131_071, 131_072, 131_073, 262_144, 300_000];
    const arrays = lengths.map((length) => Array.from({ length }, (_, i) => i % 5 ? i : i / 8));
    const between = arrays.map((array) => ["start", ...array, [1]]);
    assertRoundTrip([pad, arrays, arrays.map((array) => [...array, "end"]), between]);
    assertValue(utf8(JSON.stringify([pad, arrays.slice(0, 5)], null, 1)), [pad, arrays.slice(0, 5)]);
    for (const array of arrays.slice(0, -1)) {
      const start = `["${pad}",[${array.join()}`;
      const end = start.length;
      assertFailure(utf8(start), "expected-comma-or-bracket", end);
      assertFailure(utf8(`${start},`), "unexpected-end", end + 1);
      assertFailure(utf8(`${start},]`), "unexpected-token", end + 1);
      assertFailure(utf8(`${start},1x`), "expected-comma-or-bracket", end + 2);
      assertFailure(utf8(`${start},-`), "missing-digits", end + 2);
    }
    assertRoundTrip(arrays[4]);
  });
});

it("a call is not confused by the bytes of the call before, at the same offset or another", () => {
  const buffer = new Uint8Array(1_000);
  withSeeds(3_000, (random) => {
    const row = (): object => ({ [`k${random.below(5)}`]: `v${random.below(9)}`.repeat(9) });
    const value = Array.from({ length: random.below(20) }, row);
    const bytes = utf8(JSON.stringify(value));
    const start = random.below(30);
    buffer.set(bytes, start);
    assertValue(buffer.subarray(start, start + bytes.length), value);
  });
});

/** Runs a program in a process of its own, which must make so many checks at least. */
async function assertProgram(program: string, args: string[], atLeast: number): Promise<void> {
  assertChecks(await runDeno(["run", "-R", `tests/processes/${program}.ts`, ...args], {}, 120_000), atLeast);
}

// The child process of the last test finds that it may not generate code, and starts none of
// its own.
if (mayGenerateCode()) {
  describeRows(
    "prototypes that a program has changed before it loads the module change no value:",
    ["setters", "read-only names", "indexes", "other names"],
    (kind) => kind !== "other names", // which has setters and indexes
    (kind) => it(kind, () => assertProgram("check_tampered_load", [kind], 25)),
  );

  for (const [group, share] of [[describe, "0.1"], [describeLong, "1"]] as const) {
    group(`shared memory that another thread changes during ${share} of the calls`, () => {
      const check = (scenario: string) => () => assertProgram("check_shared_memory", [scenario, share], 30);
      it("is read only within its view or slice", check("neighbours"));
      it("ends every loop, and fails within the input", check("toggle"));
      it("keeps the length that it had when the call began", check("growth"));
    });
  }

  describeLong("limits of the engine", () => {
    for (const scenario of ["turns", "brackets"]) {
      it(`never surface as exceptions: ${scenario}`, () => assertProgram("check_limits", [scenario], 2));
    }
  });

  describeLong("hostile inputs and values", () => {
    it("are read alike where code must not be generated", async () => {
      const suites = ["parse_binary", "failure", "conformance", "differential"].map((name) => `library/${name}`);
      suites.push("hostile/hostile");
      const flags = ["--no-check", "--import-map=imports.npm.json", "--allow-read", "--allow-run", "--allow-env"];
      const { success, output } = await runDeno(
        [
          "test",
          ...flags,
          "--v8-flags=--disallow-code-generation-from-strings",
          ...suites.map((suite) => `tests/${suite}_test.ts`),
        ],
        // Enough for the second time; the output is read below.
        { BYTEJSON_LONG: "0", BYTEJSON_ROUNDS: "0.3", NO_COLOR: "1", FORCE_COLOR: "" },
      );
      const [, passed] = /ok \| (\d+) passed/.exec(output) ?? [];
      assert(success && Number(passed) > suites.length, output.slice(output.indexOf(" ERRORS ")));
    });
  });
}
