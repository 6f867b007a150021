/**
 * Tests of the benches: the order of measurements, documents, and the output of `compare` and
 * `bench`.
 */

import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type CallCurve, callsFor, toCurve } from "../../bench/support/call_curve.ts";
import { toRow } from "../../bench/support/comparison.ts";
import { readDocument } from "../../bench/support/corpus.ts";
import { generate, generatedDocuments, KINDS, payload } from "../../bench/support/documents.ts";
import { type Effort, Lane, measureAlternating, measureInterleaved } from "../../bench/support/lane.ts";
import { renderTable } from "../../bench/support/table.ts";
import { type Contestant, native, Rejection } from "../../measure/contestants.ts";
import { Random } from "../../bench/support/random.ts";
import { utf8 } from "../support/bytes.ts";
import { projectRoot } from "../support/environment.ts";

/** Batches of one run, no warm-up. */
const SINGLE_RUNS: Effort = { rounds: 6, batch: 0, warmUp: 0, patience: 0 };

/** Creates lanes that record the names of called contestants. */
function recordingLanes(names: string[]): [Lane[], string[]] {
  const calls: string[] = [];
  const lanes = names.map((name) => {
    const contestant: Contestant = { name, parse: () => calls.push(name) };
    return new Lane(contestant, [utf8("1")]);
  });
  return [lanes, calls];
}

describe("order", () => {
  it("alternates: three lanes run in every order equally often", () => {
    const [lanes, calls] = recordingLanes(["a", "b", "c"]);
    measureAlternating(lanes, SINGLE_RUNS);
    assertEquals(calls.join("").match(/.../g)!.toSorted(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
    assertEquals(lanes.map(({ samples }) => samples.length), [6, 6, 6]);
  });

  it("interleaves: batches are cut, shuffled together, and whole again in the sum", () => {
    const [lanes, calls] = recordingLanes(["a", "b"]);
    for (const lane of lanes) lane.runs = 803;
    measureInterleaved(lanes, { ...SINGLE_RUNS, rounds: 1 }, new Random(1));
    assertEquals(calls.length, 2 * 803);
    assertEquals(calls.filter((name) => name === "a").length, 803);
    const changes = calls.filter((name, i) => i > 0 && name !== calls[i - 1]).length;
    assert(changes >= 4, `the lane changed ${changes} times`);
    assertEquals(lanes.map(({ samples }) => samples.length), [1, 1]);
  });

  it("warms up until batches get no faster", () => {
    const [[lane], calls] = recordingLanes(["a"]);
    lane.warmUp({ ...SINGLE_RUNS, patience: 3 });
    assert(calls.length >= 4, `${calls.length} batches`);
  });

  it("lengthens a batch until the clock can tell it", () => {
    const [[lane]] = recordingLanes(["a"]);
    lane.sample({ ...SINGLE_RUNS, batch: 2 });
    assert(lane.runs > 1);
    assert(lane.samples[0] * lane.runs >= 2);
  });
});

describe("rows", () => {
  it("divides native's median by parseBinary's", () => {
    const lanes = ["decode + JSON.parse", "parseBinary", "uint8array-json-parser"].map((name, i) => {
      const lane = new Lane({ name, parse: () => undefined }, [utf8("[1,2]"), utf8("[3,4]")]);
      lane.samples.push([3, 2, 8][i], [3, 2, 8][i], 100);
      return lane;
    });
    const row = toRow({ group: "files", name: "a", parts: [...lanes[0].parts] }, lanes);
    assertEquals([row.ratio, row.peerRatio, row.bytes, row.parts], [1.5, 4, 10, 2]);
    assertEquals(row.figures.parseBinary.mbPerSecond, 0.005);
  });
});

describe("call curves", () => {
  const curve = (before: number[], after: number[]): CallCurve =>
    toCurve("a", 10, { "decode + JSON.parse": before, parseBinary: after });

  it("have the ratio of what the calls took together at each mark they reach", () => {
    assertEquals(curve([1, 2, 3, 4, 5], [4, 8, 9, 9, 10]).ratios, [0.25, 0.25, 0.5]);
  });

  it("break even at the first call after which parseBinary has taken no longer", () => {
    assertEquals(curve([1, 4, 9], [2, 4, 6]).breakEven, { calls: 2, milliseconds: 4, bytes: 20 });
    assertEquals(curve([1, 2], [2, 3]).breakEven, undefined);
  });

  it("are shorter for larger documents", () => {
    assertEquals([1_000, 200_000, 1_000_000, 1e9].map(callsFor), [500, 500, 100, 10]);
  });
});

describe("generated documents", () => {
  it("are JSON, of the size asked for", () => {
    for (const kind of KINDS) {
      const bytes = generate(kind, 2_000);
      assert(Array.isArray(native.parse(bytes)), kind);
      assert(bytes.length >= 2_000, `${kind}: ${bytes.length} bytes`);
    }
    for (const size of [1, 31, 512, 3000]) {
      const bytes = payload(size, new Random(size));
      assertEquals(bytes.length, size);
      assertEquals(native.parse(bytes) instanceof Rejection, false);
    }
  });

  it("are the same for the same seed", () => {
    assertEquals(generate("records", 1_000, 7), generate("records", 1_000, 7));
    assertNotEquals(generate("records", 1_000, 7), generate("records", 1_000, 8));
  });

  it("are JSON except for the failures", () => {
    for (const { group, name, parts } of generatedDocuments()) {
      for (const part of parts) assertEquals(native.parse(part) instanceof Rejection, group === "failure", name);
    }
  });
});

describe("files", () => {
  it("are one document, or one per line that is not empty", () => {
    const path = Deno.makeTempFileSync({ suffix: ".ndjson" });
    try {
      Deno.writeTextFileSync(path, '{"a":1}\n\n[2]\n3');
      assertEquals(readDocument(path).parts, [utf8('{"a":1}'), utf8("[2]"), utf8("3")]);
    } finally {
      Deno.removeSync(path);
    }
  });
});

describe("report", () => {
  it("aligns the first column to the left, the others to the right", () => {
    assertEquals(renderTable(["a", "b"], [["xyz", "1"], ["x", "222"]]), "a      b\n───  ───\nxyz    1\nx    222");
  });
});

/** Runs a bench as a task. Returns the object that it prints with `--json`. */
async function runBench(...args: string[]): Promise<Record<string, unknown>> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "bench", ...args, "--json", "--quick"],
    cwd: projectRoot,
  });
  const { success, stdout, stderr } = await command.output();
  assert(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

describe("deno task bench", () => {
  it("compare measures a document with all three parsers", async () => {
    const path = Deno.makeTempFileSync({ suffix: ".json" });
    try {
      Deno.writeFileSync(path, generate("records", 3_000));
      const { documents, groups } = await runBench("compare", path) as {
        documents: ReturnType<typeof toRow>[];
        groups: Record<string, unknown>[];
      };
      assertEquals(documents.length, 1);
      const { figures, ratio, peerRatio, bytes } = documents[0];
      assertEquals(Object.keys(figures), ["decode + JSON.parse", "parseBinary", "uint8array-json-parser"]);
      for (const { milliseconds, mbPerSecond } of Object.values(figures)) {
        assertAlmostEquals(mbPerSecond, bytes / milliseconds / 1e3);
      }
      assertEquals(ratio, figures["decode + JSON.parse"].milliseconds / figures.parseBinary.milliseconds);
      assertEquals(peerRatio, figures["uint8array-json-parser"].milliseconds / figures.parseBinary.milliseconds);
      assertAlmostEquals(groups[0].geometricMean as number, ratio);
    } finally {
      Deno.removeSync(path);
    }
  });

  it("tokens measures an element", async () => {
    const { elements } = await runBench("tokens", "--only", "^literal") as { elements: Record<string, number>[] };
    assertEquals(elements.length, 1);
    const [{ nativeNanoseconds, nanoseconds, ratio, goal }] = elements;
    assertEquals([ratio, goal], [nativeNanoseconds / nanoseconds, 0.9]);
  });
});
