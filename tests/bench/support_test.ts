/** Tests of what benches share: turns, rows, first calls and documents. */

import { assert, assertAlmostEquals, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readDocument, selectDocuments } from "../../bench/support/corpus.ts";
import { generate, generatedDocuments, KINDS, payload } from "../../bench/support/documents.ts";
import { tasksIn } from "../../bench/parts.ts";
import { type Effort, Lane, measureLanes, takeTurns } from "../../bench/support/bench_lanes.ts";
import { Random } from "../../bench/support/random.ts";
import { compareValues, ratioOf, type Row, speedOf, summarize } from "../../bench/support/rows.ts";
import { type Contestant, native, Rejection } from "../../measure/contestants.ts";
import { utf8 } from "../support/bytes.ts";
import { folderOf } from "../support/files.ts";

/** Batches of one run, no warm-up. */
const SINGLE_RUNS: Effort = { rounds: 6, batch: 0, warmUp: 0, patience: 0 };

describe("turns", () => {
  it("alternate: three lanes run in every order equally often", async () => {
    const calls: string[] = [];
    await measureLanes(["a", "b", "c"].map((name) => new Lane(name, () => calls.push(name))), SINGLE_RUNS);
    assertEquals(calls.join("").match(/.../g)!.toSorted(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
  });

  it("give each of many items a turn in each round", async () => {
    const turns: string[] = [];
    await takeTurns([..."abcde"], 7, (item, round) => void (turns[round] = (turns[round] ?? "") + item));
    assertEquals(turns.map((order) => [...order].toSorted().join("")), Array(7).fill("abcde"));
    assertEquals(new Set(turns).size, 7);
  });
});

describe("rows", () => {
  const row = (group: string, name: string, ours: number, peer?: number): Row => ({
    group,
    name,
    bytes: 10_000,
    parts: 2,
    milliseconds: { theirs: 6, ours, ...peer !== undefined && { peer } },
    spread: 0.01,
  });
  const rows = [row("a", "x", 2), row("a", "y", 12, 3), row("failure", "z", 3)];
  const ratio = { title: "× theirs", ours: "ours", other: "theirs" };

  it("have ratios of speeds, except where one was not measured", () => {
    assertEquals(rows.map((row) => ratioOf(row, ratio)), [3, 0.5, 2]);
    assertEquals(rows.map((row) => ratioOf(row, { ours: "ours", other: "peer" })), [undefined, 0.25, undefined]);
    assertEquals(speedOf(rows[0], "ours"), 5);
  });

  it("have geometric means and the worst of their groups", () => {
    const [{ group, documents, mean, worst }] = summarize(rows, ratio);
    assertEquals([group, documents, worst], ["a", 2, { name: "y", ratio: 0.5 }]);
    assertAlmostEquals(mean, Math.sqrt(1.5));
  });

  it("are refused if two contestants return different values", () => {
    const wrong: Contestant = { name: "wrong", parse: () => [1, 2] };
    const compare = () => compareValues(wrong, native, { name: "a", parts: [utf8("[1,2]"), utf8("[1,3]")] });
    assertThrows(compare, Error, "wrong differs from decode + JSON.parse on a");
    compareValues(wrong, native, { name: "a", parts: [utf8("[1,2]")] });
  });
});

describe("generated documents", () => {
  it("are JSON except for the failures, of the size asked for, and the same for the same seed", () => {
    for (const kind of KINDS) {
      const bytes = generate(kind, 2_000, 7);
      assert(Array.isArray(native.parse(bytes)) && bytes.length >= 2_000, kind);
      assertEquals(generate(kind, 2_000, 7), bytes);
    }
    assertNotEquals(generate("records", 1_000, 7), generate("records", 1_000, 8));
    for (const size of [1, 31, 512, 3000]) assertEquals(payload(size, new Random(size)).length, size);
    for (const { group, name, parts } of generatedDocuments(/^(?:payload|failure)\//)) {
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
      assertEquals(selectDocuments({ paths: [path], only: /^files/ }).length, 1);
    } finally {
      Deno.removeSync(path);
    }
  });
});

describe("files of tasks", () => {
  it("differ in their paths if they differ in their content", () => {
    using folder = folderOf({});
    const contents = new Map<string, string>();
    for (const { file } of tasksIn(folder.path, [["DuckDB", "duckdb"]])) {
      const path = file(1e4);
      const content = Deno.readTextFileSync(path);
      assertEquals(content, contents.get(path) ?? content, path);
      contents.set(path, content);
    }
    assert(contents.size > 2);
  });
});
