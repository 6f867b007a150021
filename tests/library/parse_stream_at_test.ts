/**
 * Tests of `parseStream` with a JSON Pointer, and of look-ups in inputs that are read in pieces.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseStream } from "../../parse_stream.ts";
import { locateDocument } from "../../parser/wanted/locate_document.ts";
import { parseValuesAt } from "../../parser/wanted/parse_values_at.ts";
import { compilePointers } from "../../parser/wanted/pointer_node.ts";
import { selectLargeInput } from "../../parser/wanted/select_large.ts";
import { maskOf } from "../../parser/wanted/selector.ts";
import { locate, parseAt, type PointerPath } from "../../pointer.ts";
import { every, selectBinary, selector } from "../../select.ts";
import { show, utf8 } from "../support/bytes.ts";
import { everyCut, piecesAt, randomCut } from "../support/cuts.ts";
import { resultDifference } from "../support/difference.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { mutantsOf } from "../support/mutants.ts";
import { type Random, withSeeds } from "../support/random.ts";

const NAMES = ["a", "b", "", "0", "1", "__proto__", "é", "~", "/"];

/** Makes a document whose names recur, so that paths lead to values and to duplicates. */
function nestedDocument(random: Random, depth: number): string {
  const space = (): string => random.pick(["", " ", "\n", "\r\n"]);
  const kind = random.below(depth > 0 ? 9 : 4);
  if (kind < 4) return ["1", '"x\\n\u{1f600}"', "null", "-0.5e3"][kind];
  const items = Array.from({ length: random.below(4) }, () => {
    const value = nestedDocument(random, depth - 1);
    const name = kind < 6 ? "" : `${JSON.stringify(random.pick(NAMES))}${space()}:${space()}`;
    return `${space()}${name}${value}${space()}`;
  });
  return kind < 6 ? `[${items.join()}]` : `{${items.join()}}`;
}

function randomPath(random: Random): PointerPath {
  return Array.from({ length: random.below(4) }, () => random.pick([0, 1, 2, ...NAMES]));
}

describe("parseStream() with a pointer", () => {
  it("gives what parseAt() gives, at every cut", async () => {
    const bytes = utf8('{"a": [1, {"é": "x\\u0041"}], "b": 12,\n "a": [[], {"é": {"b": -1.5e3}}, null]} ');
    for (const path of [["a", 1, "é", "b"], ["b"], ["a", 2], ["a", 3], ["c"], []]) {
      for (const stopWhenFound of [false, true]) {
        const [expected] = parseAt(bytes, [path], { stopWhenFound });
        for (const cut of everyCut(bytes.length)) {
          const result = await parseStream(piecesAt(bytes, cut), { at: path, stopWhenFound });
          assertEquals(result, expected, `${path} cut at ${cut}`);
        }
      }
    }
  });

  it("gives what parseAt() gives for random documents, wrong ones too", async () => {
    const found = { true: 0, false: 0, undefined: 0 };
    const random: Random[] = [];
    withSeeds(1500, (seeded) => random.push(seeded));
    for (const seeded of random) {
      const text = `${seeded.below(20) === 0 ? "\ufeff" : ""}${nestedDocument(seeded, 4)}`;
      const bytes = seeded.below(3) === 0 ? corrupt(seeded, utf8(text)) : utf8(text);
      const path = randomPath(seeded);
      for (const stopWhenFound of [false, true]) {
        const [expected] = parseAt(bytes, [path], { stopWhenFound });
        found[`${expected.ok ? expected.found : undefined}`]++;
        const pieces = piecesAt(bytes, randomCut(seeded, bytes.length));
        assertEquals(await parseStream(pieces, { at: path, stopWhenFound }), expected, `${path} of ${text}`);
      }
    }
    assertEquals(Object.values(found).every((count) => count > 20), true, JSON.stringify(found));
  });

  it("cancels the source once the answer is certain", async () => {
    const chunks = ['{"meta": {"next": 7', '}, "data": [', "not JSON", "1]}"];
    for (const [at, taken] of [["/meta/next", 2], ["/meta/none", 2], ["/data/0", 3]] as const) {
      let next = 0;
      let isCancelled = false;
      const source = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(utf8(chunks[next++])),
        cancel: () => void (isCancelled = true),
      }, { highWaterMark: 0 });
      const result = await parseStream(source, { at, stopWhenFound: true });
      assertEquals([result.ok && result.found, next, isCancelled], [at === "/meta/next", taken, true], at);
    }
  });

  it("reads all of the input without stopWhenFound", async () => {
    const result = await parseStream([utf8('{"a": 1, "b": ]')], { at: "/a" });
    assertEquals(result.ok || result.offset, 14);
  });

  it("gives the selected part of the value", async () => {
    const source = [utf8('{"a": [{"id": 7, "x": 1}, {"id'), utf8('": 8, "x": 2}], "b": 1}')];
    const result = await parseStream(source, { at: "/a", select: selector([{ id: true }]) });
    assertEquals(result.ok && result.found && result.value, [{ id: 7 }, { id: 8 }]);
  });

  it("keeps nothing of values that are not wanted", async () => {
    const chunk = utf8(`"${"x".repeat(60_000)}",`);
    async function* source(): AsyncGenerator<Uint8Array> {
      yield utf8('{"skipped": ["');
      for (let i = 0; i < 300; i++) yield utf8("x".repeat(60_000));
      yield utf8('",');
      for (let i = 0; i < 100; i++) yield chunk.slice();
      yield utf8('1], "id": 7}');
    }
    const result = await parseStream(source(), { at: "/id", maxTokenBytes: 70_000 });
    assertEquals(result.ok && result.found && result.value, 7);
  });

  it("rejects a wrong pointer, and a wrong limit", async () => {
    for (const at of ["a", "/~2", 7 as never, [null] as never]) {
      await assertRejects(() => parseStream([utf8("1")], { at }), TypeError, "JSON Pointer");
    }
    await assertRejects(() => parseStream([utf8("1")], { at: "/a", maxTokenBytes: 0 }), TypeError, "limit tokens");
  });
});

const MASKS = [
  selector({ a: true, b: [{ a: true }] }),
  selector([{ a: [true], [every]: { b: true } }]),
  selector([[{ é: true }]]),
  selector({ [every]: { [every]: [true] }, "": true }),
  selector(true),
];

describe("an input read through windows", () => {
  it("has the failure of selectBinary() at each changed byte", () => {
    const text = '{"x": {}\n,  "a": "long enough", "b": [{"a": 1}]}';
    for (const mask of MASKS.slice(0, 2)) {
      for (const mutant of mutantsOf(utf8(text), [0x22, 0x2c, 0x7b, 0x7d, 0xff])) {
        const problem = resultDifference(
          selectLargeInput(mutant, maskOf(mask)?.node ?? null, 12),
          selectBinary(mutant, mask),
        );
        if (problem) throw new Error(`${show(mutant)}: ${problem}`);
      }
    }
  });

  it("gives what selectBinary(), parseAt() and locate() give", () => {
    withSeeds(500, (random) => {
      const text = random.below(2) === 0 ? randomDocument(random) : nestedDocument(random, 4);
      const bytes = random.below(3) === 0 ? corrupt(random, utf8(text)) : utf8(text);
      const paths = [randomPath(random), randomPath(random)];
      const tree = compilePointers(paths.map((path) => path.map(String)));
      const windowSize = 8 + random.below(32);
      for (const mask of MASKS) {
        const selected = selectLargeInput(bytes, maskOf(mask)?.node ?? null, windowSize);
        assertEquals(selected, selectBinary(bytes, mask), text);
      }
      for (const stopWhenFound of [false, true]) {
        const values = [parseAt(bytes, paths, { stopWhenFound })].flat();
        const inWindows = [parseValuesAt(bytes, tree, stopWhenFound, null, windowSize)].flat();
        assertEquals(inWindows, values.slice(0, inWindows.length), text);
        const places = [locate(bytes, paths, { stopWhenFound })].flat();
        const located = [locateDocument(bytes, tree, stopWhenFound, null, windowSize)].flat();
        assertEquals(located, places.slice(0, located.length), text);
      }
    });
  });
});
